//! How long queries may take, and what is done about those that took too long.

use std::time::Duration;

use super::Settings;
use super::answer::Answer;
use super::rendered::Rendered;
use super::second_try::{Again, Overdue, SecondTry};
use super::time_limit::TimeKeeper;
use crate::report::Statistics;

/// The limits, and the candidates that ran into them.
pub(super) struct Delays {
    time: TimeKeeper,
    overdue: Overdue,
}

impl Delays {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            time: TimeKeeper::new(
                settings.time_limit,
                settings.first_time,
                settings.first_work,
            ),
            overdue: Overdue::default(),
        }
    }

    /// The limits of a query now: of its wall time and of its processor time.
    pub(super) fn limits(&self) -> (Option<Duration>, Option<Duration>) {
        (self.time.limit(), self.time.work_limit())
    }

    /// The one by which it is decided whether a later query gets more.
    pub(super) fn measure(&self) -> Option<Duration> {
        self.time.measure()
    }

    /// Takes in what the oracle said of a candidate when the best had this length.
    pub(super) fn observe(&mut self, candidate: &Rendered, answer: &Answer, best: usize) {
        let is_slow = self.time.is_slow(answer.slowest, answer.work);
        self.note(candidate, answer.timed_out(), is_slow, best);
        if !answer.timed_out() {
            let is_interesting = answer.outcome.is_interesting();
            self.time
                .observe(answer.slowest, answer.work, is_interesting);
        }
    }

    /// Takes in what the journal says of a candidate: how long that took is not known.
    pub(super) fn observe_replayed(&mut self, candidate: &Rendered, answer: &Answer, best: usize) {
        self.note(candidate, answer.timed_out(), false, best);
    }

    /// Takes in that a candidate needed no query: if it is tried again, it had about as much time before.
    pub(super) fn observe_known(&mut self, candidate: &Rendered) {
        if self.time.is_raised() {
            self.overdue.tried_again(candidate, Again::TimedOut);
        }
    }

    /// The best has this length now.
    pub(super) fn drop_useless(&mut self, best: usize) {
        self.overdue.drop_useless(best);
    }

    /// What is to be tried again with more time, if anything; the limits are raised then. With it, if these are the first: how
    /// many have timed out, and the seconds that they get.
    pub(super) fn start_second_try(&mut self) -> Option<(SecondTry, Option<(u64, f64)>)> {
        let more = self
            .overdue
            .next_try()
            .filter(|_| self.time.can_be_raised())?;
        let is_first = !self.time.is_raised();
        self.time.raise(true);
        let seconds = self.time.limit().unwrap_or_default().as_secs_f64();
        let first = is_first.then(|| (self.overdue.count() as u64, seconds));
        Some((more, first))
    }

    /// The limits are as before.
    pub(super) fn end_second_try(&mut self) {
        self.time.raise(false);
    }

    /// The counts, with what is known about the candidates that have no answer.
    pub(super) fn add_to(&self, statistics: Statistics) -> Statistics {
        Statistics {
            given_up: self.overdue.count() as u64,
            given_up_twice: self.overdue.count_twice() as u64,
            time_limit: self.time.limit().unwrap_or_default(),
            work_limit: self.time.work_limit(),
            ..statistics
        }
    }

    /// Remembers what has no answer yet, and forgets it when there is one. `slow` is an answer that took longer than usual.
    fn note(&mut self, candidate: &Rendered, timed_out: bool, slow: bool, best: usize) {
        if self.time.is_raised() {
            let result = match (timed_out, slow) {
                (true, _) => Again::TimedOut,
                (_, true) => Again::Slow,
                _ => Again::Known,
            };
            self.overdue.tried_again(candidate, result);
        } else if timed_out && candidate.bytes.len() < best {
            self.overdue.add(candidate);
        } else {
            self.overdue.settle(candidate);
        }
    }
}
