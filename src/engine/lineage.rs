//! What answers about other texts say about this one.
//!
//! Most properties are monotone: what goes without harm goes in smaller parts too, and where too much has gone it is no help
//! that more goes. So of each text that was asked about it is known which bytes of the first text are gone in it, and the
//! answers about more and about less are evidence. It is only used to guess: see the predictor.

use std::collections::VecDeque;
use std::sync::Arc;

use super::question::{Question, origins};
use crate::search::Verdict;

/// A text that questions are changes of.
#[derive(Clone, Debug)]
pub(super) struct Base {
    pub(super) text: Arc<Question>,
    /// Where each of its bytes stood in the first text; empty if nobody keeps account.
    origins: Arc<[u32]>,
    first_length: usize,
}

/// The bytes of the first text that are gone in another one, a bit for each; empty if that is not known.
#[derive(Clone, Debug, Default)]
pub(super) struct Gone(Arc<[u64]>);

/// Answers, the newest last.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    answers: VecDeque<(Gone, Verdict)>,
    /// How many there were before these.
    forgotten: usize,
}

/// A byte that was not in the first text.
pub(super) const NOWHERE: u32 = u32::MAX;
/// For a longer text the account would take more time and memory than it is worth.
const LONGEST: usize = 64 << 10;
const ANSWERS: usize = 512;

impl Base {
    /// The first text.
    pub(super) fn first(text: Arc<Question>) -> Self {
        let length = text.bytes.len();
        let followed = if length <= LONGEST { length } else { 0 };
        Self {
            text,
            origins: (0..).take(followed).collect(),
            first_length: followed,
        }
    }

    /// Whether it has become short enough for keeping account from here on.
    pub(super) fn could_be_first(&self) -> bool {
        self.first_length == 0 && (1..=LONGEST).contains(&self.text.bytes.len())
    }

    /// This change of it becomes the text that is changed.
    pub(super) fn becomes(&self, text: &Arc<Question>) -> Self {
        Self {
            text: Arc::clone(text),
            origins: self.origins_of(text).into(),
            first_length: self.first_length,
        }
    }

    /// What is gone in a change of it.
    pub(super) fn gone_in(&self, text: &Question) -> Gone {
        if self.first_length == 0 {
            return Gone::default();
        }
        let mut gone = vec![u64::MAX; self.first_length.div_ceil(64)];
        for at in self.origins_of(text) {
            if at != NOWHERE {
                gone[at as usize / 64] &= !(1 << (at % 64));
            }
        }
        Gone(gone.into())
    }

    fn origins_of(&self, text: &Question) -> Vec<u32> {
        if self.first_length == 0 {
            return Vec::new();
        }
        origins(text, &self.text, &self.origins)
    }
}

impl Gone {
    fn is_part_of(&self, larger: &Self) -> bool {
        let mut words = self.0.iter().zip(&*larger.0);
        words.all(|(here, there)| here & !there == 0)
    }
}

impl Evidence {
    pub(super) fn add(&mut self, gone: &Gone, verdict: Verdict) {
        if gone.0.is_empty() {
            return;
        }
        if self.answers.len() == ANSWERS {
            self.answers.pop_front();
            self.forgotten += 1;
        }
        self.answers.push_back((gone.clone(), verdict));
    }

    /// How many answers there were.
    pub(super) fn count(&self) -> usize {
        self.forgotten + self.answers.len()
    }

    /// What the newest answer implies that says something; only those after the first `seen` are looked at.
    pub(super) fn about(&self, gone: &Gone, seen: usize) -> Option<Verdict> {
        if gone.0.is_empty() {
            return None;
        }
        let new = self
            .answers
            .iter()
            .skip(seen.saturating_sub(self.forgotten));
        let implied = new.rev().find(|(other, verdict)| match verdict {
            Verdict::Interesting => gone.is_part_of(other),
            Verdict::Uninteresting => other.is_part_of(gone),
        });
        implied.map(|(_, verdict)| *verdict)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Interesting, Uninteresting};

    const FIRST: &str = "first line of text\nsecond line of it\nthird and last line\n";

    fn text(text: &str) -> Arc<Question> {
        Arc::new(Question::of(text.as_bytes().to_vec(), "test"))
    }

    #[test]
    fn less_than_what_may_go_may_go_and_more_than_what_may_not_may_not() {
        let base = Base::first(text(FIRST));
        let without = |lines: &[&str]| {
            let rest = lines
                .iter()
                .fold(FIRST.to_owned(), |rest, line| rest.replace(line, ""));
            base.gone_in(&text(&rest))
        };
        let (one, two) = ("second line of it\n", "third and last line\n");
        let mut evidence = Evidence::default();
        evidence.add(&without(&[one, two]), Interesting);
        assert_eq!(evidence.about(&without(&[one]), 0), Some(Interesting));
        assert_eq!(evidence.about(&without(&["first line of text\n"]), 0), None);
        evidence.add(&without(&[one]), Uninteresting);
        assert_eq!(
            evidence.about(&without(&[one, two]), 1),
            Some(Uninteresting)
        );
        assert_eq!(evidence.about(&without(&[one, two]), 2), None);
    }

    #[test]
    fn what_is_gone_adds_up_over_changes_of_changes() {
        let base = Base::first(text(FIRST));
        let shorter = text("first line of text\nthird and last line\n");
        let shortest = text("third and last line\n");
        let direct = base.gone_in(&shortest);
        assert_eq!(base.becomes(&shorter).gone_in(&shortest).0, direct.0);
    }

    #[test]
    fn nothing_follows_about_texts_that_are_too_long() {
        let long = Base::first(text(&FIRST.repeat(LONGEST / 32)));
        let gone = long.gone_in(&text(FIRST));
        let mut evidence = Evidence::default();
        evidence.add(&gone, Interesting);
        assert_eq!(evidence.about(&gone, 0), None);
        assert!(long.becomes(&text(FIRST)).could_be_first());
    }
}
