//! A query that works ahead.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::predictor::Situation;
use super::question::Question;
use super::trial::Trial;
use super::{Outcome, Ticket};
use crate::search::Verdict;

/// A query that was sent: running, or ended and not consumed.
pub(super) struct Job {
    pub(super) ticket: Ticket,
    pub(super) question: Arc<Question>,
    pub(super) situation: Situation,
    pub(super) trial: Option<Trial>,
    /// Only decides about what is killed, never about what is consumed.
    pub(super) sent: Instant,
}

/// A query that has taken this share of the usual time is not killed: its answer will be there at once, and is evidence.
const NEARLY_DONE: f64 = 0.85;
/// A query that takes so many times as long as usual is not spared any more.
const TOO_LONG: f64 = 2.0;

impl Job {
    pub(super) fn is_nearly_done(&self, usual: Duration) -> bool {
        let age = self.sent.elapsed();
        usual.mul_f64(NEARLY_DONE) < age && age < usual.mul_f64(TOO_LONG)
    }
}

pub(super) fn verdict_of(trial: &Trial) -> Verdict {
    Verdict::of(trial.outcome == Outcome::Interesting)
}
