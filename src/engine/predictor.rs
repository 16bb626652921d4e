//! How likely the next answers are, so that what is asked ahead is what will probably be needed.
//!
//! What a surprise threw away often comes again behind the other answer, as the same *change* of a text that is only a little
//! different: so the first guess is that a change is answered as it was the last time, on whatever text. If nothing was said about
//! it, the search's own [`crate::search::Search::chance`] counts, and without one how often answers have been interesting lately.
//!
//! `cargo bench --bench ahead` measures what it buys. Three more were tried with it and left out, since they gained nothing with the
//! default pipeline and next to nothing with `hddr`: a logistic regression that learns from each answer, over the table; which bytes
//! of the first text are gone in each text that was asked about, since what goes with more goes with less; the futures of the
//! search's next levels on the present text.

use rustc_hash::{FxHashMap, FxHashSet};

use super::rendered::{Change, Edit, Rendered};
use crate::search::Verdict;

/// Estimates the probability that a question's answer is "interesting".
#[derive(Clone, Debug)]
pub(super) struct Predictor {
    /// How often answers have been interesting lately.
    rate: f64,
    /// What was said last about each change, and of which text.
    said: FxHashMap<Change, (Verdict, u64)>,
    /// Refusals of changes of texts that were guesses, and the text.
    doubtful: FxHashMap<Change, (u64, u64)>,
    /// The quick hashes of texts that are interesting.
    sound: FxHashSet<u64>,
}

/// What is known about a question before its answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Situation {
    /// What the search believes, if it does: see [`crate::search::Search::chance`].
    pub(super) believed: Option<f64>,
    /// The answer to the question before.
    pub(super) before: Verdict,
    pub(super) change: Change,
    /// The search's own name for the change.
    pub(super) subject: Option<u64>,
    /// The name of the single change that it is: see [`crate::search::Render::part`].
    pub(super) part: Option<u64>,
    /// The quick hash of the changed text.
    pub(super) text: u64,
    /// That of the text that is changed.
    pub(super) base: u64,
}

/// The chance of a change that was refused or accepted on another text.
const REFUSED_BEFORE: f64 = 0.03;
const ACCEPTED_BEFORE: f64 = 0.93;
/// What was refused on a guessed text that is not accepted yet has so much of its chance left: a sixth of such changes are made, of
/// those that nothing was said about a third.
const DOUBTFUL: f64 = 0.5;
/// What the rate is before the first answer, and the weight of the newest answer in it.
const FIRST_RATE: f64 = 0.3;
const RATE: f64 = 1.0 / 16.0;
/// Nothing is certain: what seems so would stop the search for another way.
const LEAST: f64 = 0.004;
/// So many changes are remembered; then all are forgotten.
const CHANGES: usize = 1 << 16;

impl Situation {
    /// Without what the search knows. `base` is the text that is changed.
    pub(super) fn of(candidate: &Rendered, base: &Rendered) -> Self {
        let edit = Edit::between(&base.bytes, &candidate.bytes);
        Self {
            change: edit.change(&base.bytes, &candidate.bytes),
            text: candidate.quick,
            base: base.quick,
            ..Self::default()
        }
    }

    /// What the change is best called.
    pub(super) fn name(&self) -> Change {
        self.subject.unwrap_or(self.change)
    }

    /// What the change is called, the better name first.
    fn names(&self) -> impl Iterator<Item = Change> {
        self.own_names().chain([self.change])
    }

    /// What the search calls the change, the better name first.
    fn own_names(&self) -> impl Iterator<Item = Change> {
        self.subject.into_iter().chain(self.part)
    }
}

impl Default for Predictor {
    fn default() -> Self {
        Self {
            rate: FIRST_RATE,
            said: FxHashMap::default(),
            doubtful: FxHashMap::default(),
            sound: FxHashSet::default(),
        }
    }
}

impl Predictor {
    /// The probability of "interesting".
    pub(super) fn estimate(&self, situation: &Situation) -> f64 {
        let said = |name| self.said_elsewhere(name, situation.text);
        let has_own_name = situation.own_names().next().is_some();
        // Other changes make the same of other texts, and that they could be made says nothing of one that the search knows.
        let by_text =
            said(situation.change).filter(|verdict| !has_own_name || !verdict.is_interesting());
        let chance = match situation.own_names().find_map(said).or(by_text) {
            Some(verdict) => chance_after(verdict),
            None => self.believed(situation),
        };
        chance.clamp(LEAST, 1.0 - LEAST)
    }

    /// The chance of what nothing was said about that counts.
    fn believed(&self, situation: &Situation) -> f64 {
        let believed = situation.believed.unwrap_or(self.rate);
        let is_doubtful = |name| {
            let doubtful = self.doubtful.get(&name);
            doubtful.is_some_and(|(_, text)| *text != situation.text)
        };
        if situation.names().any(is_doubtful) {
            DOUBTFUL * believed
        } else {
            believed
        }
    }

    /// What was said about a change of another text than the one that this makes: that is the answer that is to be estimated.
    fn said_elsewhere(&self, change: Change, text: u64) -> Option<Verdict> {
        let said = self.said_of(change).filter(|(_, of)| *of != text);
        said.map(|(verdict, _)| verdict)
    }

    /// What was said about a change, and of which text. A refusal counts if what was changed is interesting itself: from a text
    /// that had lost too much already everything is refused.
    fn said_of(&self, change: Change) -> Option<(Verdict, u64)> {
        let doubtful = self.doubtful.get(&change);
        let sound = doubtful.filter(|(base, _)| self.sound.contains(base));
        let said = self.said.get(&change).copied();
        said.or_else(|| sound.map(|(_, text)| (Verdict::Uninteresting, *text)))
    }

    /// The chance of a single change of this name, if something was said about it.
    pub(super) fn known_chance(&self, part: u64) -> Option<f64> {
        self.said_of(part).map(|(verdict, _)| chance_after(verdict))
    }

    /// A text that is known to be interesting.
    pub(super) fn trust(&mut self, text: u64) {
        self.sound.insert(text);
    }

    /// Learns an answer that was not known before.
    pub(super) fn learn(&mut self, verdict: Verdict) {
        let truth = f64::from(u8::from(verdict.is_interesting()));
        self.rate += RATE * (truth - self.rate);
    }

    /// Remembers what was said about a change, also when nobody needs the answer any more.
    pub(super) fn remember(&mut self, situation: &Situation, verdict: Verdict) {
        self.forget_if_full();
        if verdict.is_interesting() {
            self.sound.insert(situation.text);
        }
        for change in situation.names() {
            if verdict.is_interesting() || self.sound.contains(&situation.base) {
                self.said.insert(change, (verdict, situation.text));
            } else {
                self.doubtful
                    .insert(change, (situation.base, situation.text));
            }
        }
    }

    fn forget_if_full(&mut self) {
        let full = self.said.len() + self.doubtful.len() + self.sound.len() >= CHANGES;
        if full {
            self.said.clear();
            self.doubtful.clear();
            self.sound.clear();
        }
    }
}

/// The chance of a change that was answered like this on another text.
fn chance_after(verdict: Verdict) -> f64 {
    match verdict {
        Verdict::Interesting => ACCEPTED_BEFORE,
        Verdict::Uninteresting => REFUSED_BEFORE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Interesting, Uninteresting};

    fn usual() -> Situation {
        Situation {
            believed: Some(0.5),
            change: 1,
            text: 1,
            ..Situation::default()
        }
    }

    fn estimate(predictor: &Predictor, situation: &Situation) -> f64 {
        predictor.estimate(situation)
    }

    #[test]
    fn without_a_belief_the_estimate_follows_the_answers() {
        let mut predictor = Predictor::default();
        let unknown = Situation {
            believed: None,
            ..usual()
        };
        for (verdict, range) in [(Interesting, 0.9..1.0), (Uninteresting, 0.0..0.1)] {
            for _ in 0..100 {
                predictor.learn(verdict);
            }
            assert!(range.contains(&estimate(&predictor, &unknown)));
        }
    }

    #[test]
    fn what_was_said_about_a_change_of_another_text_is_expected_again() {
        let mut predictor = Predictor::default();
        predictor.trust(usual().base);
        let unknown = estimate(&predictor, &usual());
        predictor.remember(&usual(), Uninteresting);
        assert!((estimate(&predictor, &usual()) - unknown).abs() < 1e-9);
        let other = Situation { text: 2, ..usual() };
        predictor.remember(&other, Uninteresting);
        assert!(estimate(&predictor, &usual()) < unknown / 2.0);
        predictor.remember(&other, Interesting);
        assert!(estimate(&predictor, &usual()) > unknown);
    }

    #[test]
    fn a_refusal_on_a_guessed_text_counts_once_the_text_is_accepted() {
        let mut predictor = Predictor::default();
        let unknown = estimate(&predictor, &usual());
        let (text, base) = (8, 7);
        let guessed = Situation {
            text,
            base,
            ..usual()
        };
        predictor.remember(&guessed, Uninteresting);
        assert!((estimate(&predictor, &usual()) - DOUBTFUL * unknown).abs() < 1e-9);
        let accepted = Situation {
            text: base,
            change: 2,
            ..usual()
        };
        predictor.remember(&accepted, Interesting);
        assert!(estimate(&predictor, &usual()) < DOUBTFUL * unknown / 2.0);
    }

    #[test]
    fn that_another_change_has_made_the_same_of_a_text_says_nothing_of_one_with_a_name() {
        let mut predictor = Predictor::default();
        predictor.trust(usual().base);
        let named = |part| Situation {
            part: Some(part),
            text: part,
            ..usual()
        };
        let unknown = estimate(&predictor, &named(2));
        predictor.remember(&named(3), Interesting);
        assert!((estimate(&predictor, &named(2)) - unknown).abs() < 1e-9);
        assert!(estimate(&predictor, &Situation { text: 2, ..usual() }) > unknown);
        predictor.remember(&named(3), Uninteresting);
        assert!(estimate(&predictor, &named(2)) < unknown / 2.0);
    }

    #[test]
    fn the_searchs_own_name_of_a_change_is_as_good_as_the_change() {
        let mut predictor = Predictor::default();
        let named = |change, text| Situation {
            subject: Some(9),
            change,
            text,
            ..usual()
        };
        let unknown = estimate(&predictor, &named(1, 1));
        predictor.remember(&named(2, 2), Interesting);
        assert!(estimate(&predictor, &named(1, 1)) > unknown);
    }

    #[test]
    fn the_searchs_belief_counts() {
        let predictor = Predictor::default();
        let sure = Situation {
            believed: Some(0.95),
            ..usual()
        };
        assert!(estimate(&predictor, &sure) > estimate(&predictor, &usual()));
    }
}
