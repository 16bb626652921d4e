//! When a reduction stops before its end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::StopLimits;
use super::detached::Patience;
use crate::interrupt::Interrupt;
use crate::report::{Statistics, Stop};

/// The user's limits and signals, and how much of the limits has been spent.
pub(super) struct Limits<'a> {
    stop: StopLimits,
    /// Whether some of what the limits allow is kept back.
    keeps_back: bool,
    started: Instant,
    interrupt: &'a Interrupt,
    /// How long the work of the search that runs is waited for.
    patience: Arc<Patience>,
}

/// So many queries are kept back for the end of a search that a limit ends,
const KEPT_QUERIES: u32 = 3;
/// if they are not more than such a part of all.
const SMALL_PART: u32 = 10;

impl<'a> Limits<'a> {
    /// The time runs from now on.
    pub(super) fn new(stop: StopLimits, interrupt: &'a Interrupt) -> Self {
        Self {
            stop,
            keeps_back: false,
            started: Instant::now(),
            interrupt,
            patience: Patience::new(interrupt, None),
        }
    }

    /// How long the reduction has been running.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Why no further question may be asked, given the size of the best. Waits while there is a pause.
    pub(super) fn stop_reason(&self, spent: &Statistics, size: usize) -> Option<Stop> {
        self.interrupt.wait_while_paused();
        if self.interrupt.signal().is_some() {
            return Some(Stop::Interrupted);
        }
        if self.interrupt.wants_skip() {
            return Some(Stop::Skipped);
        }
        let most = self.max_time(spent);
        if most.is_some_and(|most| self.elapsed() >= most) {
            return Some(Stop::MaxTime);
        }
        let target = self.stop.target_bytes;
        let is_small = target.is_some_and(|target| size <= target);
        is_small.then_some(Stop::TargetBytes)
    }

    /// Why the oracle may not be run again.
    pub(super) fn query_stop_reason(&self, spent: &Statistics) -> Option<Stop> {
        let most = self.max_queries();
        let is_spent = most.is_some_and(|most| spent.queries >= most);
        is_spent.then_some(Stop::MaxQueries)
    }

    /// A search begins; how long its own work is waited for.
    pub(super) fn begin_search(&mut self, spent: &Statistics) -> Arc<Patience> {
        self.patience = self.patience.next(self.stop_at(spent));
        Arc::clone(&self.patience)
    }

    /// Whether the search has no more questions because its work was left.
    pub(super) fn was_search_left(&self) -> bool {
        self.patience.was_lost()
    }

    /// Whether there was a signal, or the time is over.
    pub(super) fn is_over(&self) -> bool {
        self.patience.has_ended()
    }

    /// When the time is over.
    pub(super) fn stop_at(&self, spent: &Statistics) -> Option<Instant> {
        let most = self.max_time(spent)?;
        self.started.checked_add(most)
    }

    /// Keeps back what a few last queries need, or gives it free.
    pub(super) fn keep_back(&mut self, keeps_back: bool) {
        self.keeps_back = keeps_back;
    }

    /// From now on it may get smaller than the target.
    pub(super) fn forget_target(&mut self) {
        self.stop.target_bytes = None;
    }

    /// The time that the search has: that of some queries is kept back, but not more than a small part.
    fn max_time(&self, spent: &Statistics) -> Option<Duration> {
        let most = self.stop.max_time?;
        if !self.keeps_back {
            return Some(most);
        }
        let queries = u32::try_from(spent.queries).unwrap_or(u32::MAX);
        let usual = spent.oracle_time.checked_div(queries).unwrap_or_default();
        Some(most.saturating_sub((usual * KEPT_QUERIES).min(most / SMALL_PART)))
    }

    fn max_queries(&self) -> Option<u64> {
        let most = self.stop.max_queries?;
        if !self.keeps_back {
            return Some(most);
        }
        Some(most.saturating_sub(u64::from(KEPT_QUERIES).min(most / u64::from(SMALL_PART))))
    }
}
