//! How likely the next answers are, so that what is asked ahead is what will probably be needed.
//!
//! A branch predictor with degrees: a logistic regression that takes one step for each consumed answer. It looks at what the
//! search itself believes, at the answers before, at how much would go, and at what was said about the same *change* of
//! another text: what a surprise threw away often comes again behind the other answer, on a base that is only a little
//! different, and most properties are monotone enough that a change that was refused is refused again.

use rustc_hash::{FxHashMap, FxHashSet};

use super::lineage::{Base, Evidence, Gone};
use super::rendered::{Change, Rendered};
use crate::search::Verdict;

/// Estimates the probability that a question's answer is "interesting".
#[derive(Clone, Debug)]
pub(super) struct Predictor {
    weights: Factors,
    /// How often answers have been interesting lately.
    rate: f64,
    /// What was said last about each change, and of which text.
    said: FxHashMap<Change, (Verdict, u64)>,
    /// Refusals of changes of texts that were guesses, and the text.
    doubtful: FxHashMap<Change, (u64, u64)>,
    /// The quick hashes of texts that are interesting.
    sound: FxHashSet<u64>,
    evidence: Evidence,
    /// Of the changes that should have been refused if the property is monotone: those that were, and those that were not.
    refused: f64,
    accepted: f64,
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
    /// The quick hash of the changed text.
    pub(super) text: u64,
    /// That of the text that is changed.
    pub(super) base: u64,
    /// How much of the text would go, from 0 to 1.
    pub(super) share: f64,
    /// What is gone of the first text.
    pub(super) gone: Gone,
    /// What follows from other answers if the property is monotone.
    pub(super) implied: Option<Verdict>,
    /// So many answers have been looked at for that.
    pub(super) seen: usize,
}

/// A situation as numbers that are added up to log-odds.
pub(super) type Factors = [f64; 10];

/// Where the weights start: what fitted recorded runs of fifteen searches, some of all passes and some of HDDr alone, nearly as
/// well as weights of their own would.
const WEIGHTS: Factors = [0.2, 0.1, 0.45, 0.15, -1.5, 2.6, -1.2, -0.35, 0.75, 0.0];
/// How far one answer moves the weights.
const STEP: f64 = 0.07;
/// What is assumed of the monotony of the property before anything is known: so many were refused and so many were not.
const REFUSED: f64 = 6.0;
const ACCEPTED: f64 = 0.3;
/// The weight of the newest answer in the rate.
const RATE: f64 = 1.0 / 16.0;
/// Nothing is certain: what seems so would stop the search for another way.
const LEAST: f64 = 0.004;
/// So many changes are remembered; then all are forgotten.
const CHANGES: usize = 1 << 16;

impl Situation {
    /// Without what the search knows. `base` is the text that is changed.
    pub(super) fn of(candidate: &Rendered, base: &Base) -> Self {
        let (change, gone) = base.compare(candidate);
        Self {
            change,
            text: candidate.quick,
            base: base.text.quick,
            share: 1.0 - ratio(candidate.bytes.len(), base.text.bytes.len()),
            gone,
            ..Self::default()
        }
    }

    /// What the change is best called.
    pub(super) fn name(&self) -> Change {
        self.subject.unwrap_or(self.change)
    }

    /// What the change is called, the better name first.
    fn names(&self) -> impl Iterator<Item = Change> {
        self.subject.into_iter().chain([self.change])
    }
}

impl Default for Predictor {
    fn default() -> Self {
        Self {
            weights: WEIGHTS,
            rate: 0.3,
            said: FxHashMap::default(),
            doubtful: FxHashMap::default(),
            sound: FxHashSet::default(),
            evidence: Evidence::default(),
            refused: REFUSED,
            accepted: ACCEPTED,
        }
    }
}

impl Predictor {
    /// Takes in what the answers since the last time say.
    pub(super) fn update(&self, situation: &mut Situation) {
        let implied = self.evidence.about(&situation.gone, situation.seen);
        situation.implied = implied.or(situation.implied);
        situation.seen = self.evidence.count();
    }

    /// What the estimate is made from.
    pub(super) fn factors(&self, situation: &Situation) -> Factors {
        // What was said about this very text is the answer that is to be estimated.
        let said = |name| {
            self.said_of(name)
                .filter(|(_, text)| *text != situation.text)
        };
        let said = situation.names().find_map(said).map(|(verdict, _)| verdict);
        let one_if = |holds| f64::from(u8::from(holds));
        [
            1.0,
            situation.believed.map_or(0.0, log_odds),
            log_odds(self.rate),
            2.0 * one_if(situation.before.is_interesting()) - 1.0,
            one_if(said == Some(Verdict::Uninteresting)),
            one_if(said == Some(Verdict::Interesting)),
            one_if(situation.believed.is_none()),
            // About 0 for the usual share of a few per cent.
            (situation.share.max(0.0) + 0.01).ln() + 3.0,
            // How much follows from it differs from property to property.
            one_if(situation.implied == Some(Verdict::Uninteresting))
                * (self.accepted / self.refused).ln(),
            one_if(situation.implied == Some(Verdict::Interesting)),
        ]
    }

    /// What was said about a change, and of which text. A refusal counts if what was changed is interesting itself: from a text
    /// that had lost too much already everything is refused.
    fn said_of(&self, change: Change) -> Option<(Verdict, u64)> {
        let doubtful = self.doubtful.get(&change);
        let sound = doubtful.filter(|(base, _)| self.sound.contains(base));
        let said = self.said.get(&change).copied();
        said.or_else(|| sound.map(|(_, text)| (Verdict::Uninteresting, *text)))
    }

    /// A text that is known to be interesting.
    pub(super) fn trust(&mut self, text: u64) {
        self.sound.insert(text);
    }

    /// The probability of "interesting".
    pub(super) fn estimate(&self, factors: &Factors) -> f64 {
        let weighted = self.weights.iter().zip(factors);
        let log_odds: f64 = weighted.map(|(weight, factor)| weight * factor).sum();
        (1.0 / (1.0 + (-log_odds).exp())).clamp(LEAST, 1.0 - LEAST)
    }

    /// Learns an answer that was not known before, and what it was estimated from.
    pub(super) fn learn(&mut self, situation: &Situation, factors: &Factors, verdict: Verdict) {
        let truth = f64::from(u8::from(verdict.is_interesting()));
        if situation.implied == Some(Verdict::Uninteresting) {
            self.accepted += truth;
            self.refused += 1.0 - truth;
        }
        let error = truth - self.estimate(factors);
        for (weight, factor) in self.weights.iter_mut().zip(factors) {
            *weight += STEP * error * factor;
        }
        self.rate += RATE * (truth - self.rate);
    }

    /// Forgets the answers about texts whose bytes are not those of the new first text.
    pub(super) fn start_anew(&mut self) {
        self.evidence = Evidence::default();
    }

    fn forget_if_full(&mut self) {
        let full = self.said.len() + self.doubtful.len() + self.sound.len() >= CHANGES;
        if full {
            self.said.clear();
            self.doubtful.clear();
            self.sound.clear();
        }
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
        self.evidence.add(&situation.gone, verdict);
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn log_odds(probability: f64) -> f64 {
    let probability = probability.clamp(0.02, 0.98);
    (probability / (1.0 - probability)).ln()
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
            share: 0.05,
            ..Situation::default()
        }
    }

    fn estimate(predictor: &Predictor, situation: &Situation) -> f64 {
        predictor.estimate(&predictor.factors(situation))
    }

    #[test]
    fn the_estimate_follows_the_answers() {
        let mut predictor = Predictor::default();
        for (verdict, range) in [(Interesting, 0.9..1.0), (Uninteresting, 0.0..0.1)] {
            for _ in 0..100 {
                let factors = predictor.factors(&usual());
                predictor.learn(&usual(), &factors, verdict);
            }
            assert!(range.contains(&estimate(&predictor, &usual())));
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
        assert!((estimate(&predictor, &usual()) - unknown).abs() < 1e-9);
        let accepted = Situation {
            text: base,
            change: 2,
            ..usual()
        };
        predictor.remember(&accepted, Interesting);
        assert!(estimate(&predictor, &usual()) < unknown / 2.0);
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
