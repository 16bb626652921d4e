//! What answers about other texts say about this one.
//!
//! Most properties are monotone: what goes without harm goes in smaller parts too, and where too much has gone it is no help
//! that more goes. So of each text that was asked about it is known which bytes of the first text are gone in it, and the
//! answers about more and about less are evidence. It is only used to guess: see the predictor.

use std::collections::VecDeque;
use std::sync::Arc;

use super::rendered::{Change, Edit, Rendered};
use crate::search::Verdict;

/// A text that questions are changes of.
#[derive(Clone, Debug)]
pub(super) struct Base {
    pub(super) text: Arc<Rendered>,
    /// Where each of its bytes stood in the first text; empty if nobody keeps account.
    origins: Arc<[u32]>,
    gone: Gone,
}

/// The bytes of the first text that are gone in another one.
#[derive(Clone, Debug, Default)]
pub(super) struct Gone {
    /// A bit for each; empty if that is not known.
    bits: Arc<[u64]>,
    /// One that is gone here and was not in the text before: most comparisons end with it.
    newest: Option<u32>,
}

/// Answers, the newest last.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    answers: VecDeque<(Gone, Verdict)>,
    /// How many there were before these.
    forgotten: usize,
}

/// A byte that was not in the first text.
const NOWHERE: u32 = u32::MAX;
/// For a longer text the account would take more time and memory than it is worth.
const LONGEST: usize = 64 << 10;
const ANSWERS: usize = 512;

impl Base {
    /// The first text.
    pub(super) fn first(text: Arc<Rendered>) -> Self {
        let length = text.bytes.len();
        let followed = if length <= LONGEST { length } else { 0 };
        Self {
            text,
            origins: (0..).take(followed).collect(),
            gone: Gone {
                bits: vec![0; followed.div_ceil(64)].into(),
                newest: None,
            },
        }
    }

    /// Whether it has become short enough for keeping account from here on.
    pub(super) fn could_be_first(&self) -> bool {
        self.gone.bits.is_empty() && (1..=LONGEST).contains(&self.text.bytes.len())
    }

    /// This change of it becomes the text that is changed.
    pub(super) fn becomes(&self, text: &Arc<Rendered>) -> Self {
        let edit = Edit::between(&self.text.bytes, &text.bytes);
        Self {
            text: Arc::clone(text),
            origins: self
                .followed(|| edit.origins(&self.origins, NOWHERE))
                .into(),
            gone: self.gone_after(&edit),
        }
    }

    /// The name of what is changed in it, and what is gone then.
    pub(super) fn compare(&self, text: &Rendered) -> (Change, Gone) {
        let edit = Edit::between(&self.text.bytes, &text.bytes);
        let change = edit.change(&self.text.bytes, &text.bytes);
        (change, self.gone_after(&edit))
    }

    fn gone_after(&self, edit: &Edit) -> Gone {
        let places = self.followed(|| edit.gone.clone());
        let origins = places.into_iter().flat_map(|place| &self.origins[place]);
        let mut bits = self.gone.bits.to_vec();
        let mut newest = None;
        for &at in origins.filter(|at| **at != NOWHERE) {
            bits[at as usize / 64] |= 1 << (at % 64);
            newest = Some(at);
        }
        let bits = bits.into();
        Gone { bits, newest }
    }

    /// Nothing, if nobody keeps account.
    fn followed<T>(&self, list: impl FnOnce() -> Vec<T>) -> Vec<T> {
        if self.gone.bits.is_empty() {
            Vec::new()
        } else {
            list()
        }
    }
}

impl Gone {
    fn is_part_of(&self, larger: &Self) -> bool {
        let mut words = self.bits.iter().zip(&*larger.bits);
        self.newest.is_none_or(|at| larger.has(at)) && words.all(|(here, there)| here & !there == 0)
    }

    fn has(&self, at: u32) -> bool {
        let word = self.bits.get(at as usize / 64);
        word.is_some_and(|word| word >> (at % 64) & 1 == 1)
    }
}

impl Evidence {
    pub(super) fn add(&mut self, gone: &Gone, verdict: Verdict) {
        if gone.bits.is_empty() {
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
        if gone.bits.is_empty() {
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

    fn text(text: &str) -> Arc<Rendered> {
        Arc::new(Rendered::of(text.as_bytes().to_vec(), "test"))
    }

    #[test]
    fn less_than_what_may_go_may_go_and_more_than_what_may_not_may_not() {
        let base = Base::first(text(FIRST));
        let without = |lines: &[&str]| {
            let rest = lines
                .iter()
                .fold(FIRST.to_owned(), |rest, line| rest.replace(line, ""));
            base.compare(&text(&rest)).1
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
        let gone_in_shortest = |base: &Base| base.compare(&shortest).1.bits;
        assert_eq!(
            gone_in_shortest(&base.becomes(&shorter)),
            gone_in_shortest(&base)
        );
    }

    #[test]
    fn nothing_follows_about_texts_that_are_too_long() {
        let long = Base::first(text(&FIRST.repeat(LONGEST / 32)));
        let gone = long.compare(&text(FIRST)).1;
        let mut evidence = Evidence::default();
        evidence.add(&gone, Interesting);
        assert_eq!(evidence.about(&gone, 0), None);
        assert!(long.becomes(&text(FIRST)).could_be_first());
    }
}
