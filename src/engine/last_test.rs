//! The test of the result, made while the last questions are being answered.

use std::sync::Arc;
use std::time::Instant;

use super::question::Question;
use super::{Outcome, Ticket};

/// A run of its own of the text with which the search will probably end, never taken for the answer to a question.
///
/// It counts only if it began after all queries whose answers were used: a check that breaks on the way, because a disk is
/// full or a service has gone, must not seem to have worked to the end.
#[derive(Debug)]
pub(super) struct LastTest {
    text: Arc<Question>,
    ticket: Ticket,
    sent: Instant,
    /// `None` as long as it has not ended.
    outcome: Option<Outcome>,
}

impl LastTest {
    pub(super) fn new(text: Arc<Question>, ticket: Ticket) -> Self {
        Self {
            text,
            ticket,
            sent: Instant::now(),
            outcome: None,
        }
    }

    pub(super) fn ticket(&self) -> Ticket {
        self.ticket
    }

    pub(super) fn is_of(&self, text: &Question) -> bool {
        self.text.is_same(text)
    }

    /// Whether it began when the query that was sent at that time had begun.
    pub(super) fn is_after(&self, sent: Option<Instant>) -> bool {
        sent.is_none_or(|sent| sent <= self.sent)
    }

    pub(super) fn is_running(&self) -> bool {
        self.outcome.is_none()
    }

    pub(super) fn end(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
    }

    /// Whether the text was interesting, if this is that text and there is an answer.
    pub(super) fn about(&self, text: &Question) -> Option<bool> {
        match self.outcome.filter(|_| self.is_of(text))? {
            Outcome::Cancelled | Outcome::TimedOut => None,
            outcome => Some(outcome == Outcome::Interesting),
        }
    }
}
