//! The test of the result, made while the last questions are being answered.
//!
//! It is a run of its own, never taken for the answer to a question, and only made by a worker that has nothing else to do.

use std::sync::Arc;

use super::Outcome;
use super::question::Question;
use crate::oracle::Ticket;

/// One more run of the text with which the search will probably end.
#[derive(Debug)]
pub(super) struct LastTest {
    pub(super) text: Arc<Question>,
    pub(super) ticket: Ticket,
    /// `None` as long as it has not ended.
    pub(super) outcome: Option<Outcome>,
}

impl LastTest {
    /// Whether the text was interesting, if this is that text and there is an answer.
    pub(super) fn about(&self, text: &Question) -> Option<bool> {
        match self.outcome.filter(|_| self.text.is_same(text))? {
            Outcome::Cancelled | Outcome::TimedOut => None,
            outcome => Some(outcome == Outcome::Interesting),
        }
    }
}
