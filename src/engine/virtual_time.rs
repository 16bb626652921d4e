//! A cluster that is only reckoned: the real engine, and workers that take no time.
//!
//! What a reduction with a thousand workers and checks of half an hour would take is found out in seconds, on one thread, and the
//! same each time. The engine's own work counts as nothing. Each query waits in the scheduler's queue, runs, and ends; the clock
//! jumps to the next end whenever the engine waits. `benches/cluster.rs` prints what comes of it.

use std::cell::{RefCell, RefMut};
use std::collections::VecDeque;
use std::fmt::{self, Debug, Formatter};
use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustc_hash::FxHasher;

use super::Settings;
use super::answer::{Answer, Repeat, try_candidate};
use super::pool::{Ended, Queued};
use crate::oracle::{Oracle, OracleError, Outcome, Query, QueryId};
use crate::report::Source;

/// How long things take on the cluster that is reckoned with, and its clock. Clones share the clock.
#[derive(Clone, Default)]
pub struct Cluster {
    /// How long a check takes on average.
    pub check: Duration,
    /// How far apart the shortest and the longest check are, as a percentage of the average. Each candidate has its own time
    /// between them, the same each time.
    pub spread: u32,
    /// How long each query waits before its check begins.
    pub queue: Duration,
    /// Nanoseconds since the first search began.
    elapsed: Arc<AtomicU64>,
}

impl Cluster {
    /// With checks that take so long, by `spread` percent of that apart, and begin after so long.
    pub fn new(check: Duration, queue: Duration, spread: u32) -> Self {
        Self {
            check,
            spread,
            queue,
            ..Self::default()
        }
    }

    /// How long the searches have taken so far.
    pub fn elapsed(&self) -> Duration {
        Duration::from_nanos(self.elapsed.load(Ordering::Relaxed))
    }

    fn set(&self, now: Duration) {
        let nanos = u64::try_from(now.as_nanos()).unwrap_or(u64::MAX);
        self.elapsed.store(nanos, Ordering::Relaxed);
    }

    /// How long a candidate's check takes.
    pub fn time_of(&self, candidate: &[u8]) -> Duration {
        const PARTS: u64 = 1024;
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(candidate);
        let part = u32::try_from(hash.rotate_left(20) % PARTS).unwrap_or(0);
        let spread = self.check * self.spread / 100;
        (self.check + spread * part / 1024).saturating_sub(spread / 2)
    }
}

impl Debug for Cluster {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "checks of {:?} after {:?}",
            self.check, self.queue
        )
    }
}

/// The workers of one search.
pub(super) struct Simulation<'a> {
    oracle: &'a dyn Oracle,
    repeat: Repeat,
    workers: usize,
    cluster: Cluster,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Queued>,
    running: Vec<Running>,
    /// Queries that were cancelled and must still be heard of.
    cancelled: Vec<Ended>,
}

struct Running {
    query: Queued,
    ends: Duration,
}

impl<'a> Simulation<'a> {
    pub(super) fn new(oracle: &'a dyn Oracle, settings: &Settings, cluster: &Cluster) -> Self {
        Self {
            oracle,
            repeat: settings.repeat,
            workers: settings.jobs.max(1),
            cluster: cluster.clone(),
            state: RefCell::default(),
        }
    }

    pub(super) fn now(&self) -> Duration {
        self.cluster.elapsed()
    }

    pub(super) fn send(&self, query: Queued) {
        let mut state = self.state.borrow_mut();
        let is_better = |other: &Queued| query.worth > other.worth;
        let at = state.queue.iter().position(is_better);
        let at = at.unwrap_or(state.queue.len());
        state.queue.insert(at, query);
        self.start(&mut state);
    }

    pub(super) fn hurry(&self, id: QueryId) {
        let mut state = self.state.borrow_mut();
        let at = state.queue.iter().position(|query| query.id == id);
        if let Some(query) = at.and_then(|at| state.queue.remove(at)) {
            state.queue.push_front(query);
        }
    }

    /// Returns whether it had been started.
    pub(super) fn cancel(&self, id: QueryId) -> bool {
        let mut state = self.state.borrow_mut();
        state.queue.retain(|query| query.id != id);
        let is_it = |running: &Running| running.query.id == id;
        let Some(at) = state.running.iter().position(is_it) else {
            return false;
        };
        state.running.swap_remove(at);
        state
            .cancelled
            .push((id, Ok(Answer::known(Outcome::Cancelled, Source::Query))));
        self.start(&mut state);
        true
    }

    /// What has ended; if that is nothing, the clock jumps to the next end, but not by more than `patience`.
    pub(super) fn finished(&self, patience: Duration) -> Vec<Ended> {
        let mut state = self.state.borrow_mut();
        let mut finished = std::mem::take(&mut state.cancelled);
        let next = state.running.iter().map(|running| running.ends).min();
        let most = self.now().saturating_add(patience);
        match next {
            Some(at) if finished.is_empty() => self.cluster.set(at.min(most).max(self.now())),
            _ => {}
        }
        let now = self.now();
        let mut ended: Vec<Running> = state.running.extract_if(.., |it| it.ends <= now).collect();
        ended.sort_by_key(|running| running.ends);
        finished.extend(
            ended
                .into_iter()
                .map(|running| (running.query.id, self.ask(&running.query))),
        );
        self.start(&mut state);
        finished
    }

    fn start(&self, state: &mut RefMut<'_, State>) {
        while state.running.len() < self.workers
            && let Some(query) = state.queue.pop_front()
        {
            let time = self.cluster.time_of(&query.candidate.bytes);
            let ends = self.now() + self.cluster.queue + time;
            state.running.push(Running { query, ends });
        }
    }

    fn ask(&self, queued: &Queued) -> Result<Answer, OracleError> {
        let query = Query {
            slot: 0,
            id: queued.id,
            candidate: &queued.candidate.bytes,
            time_limit: None,
            work_limit: None,
            stop_at: None,
        };
        let answer = try_candidate(self.oracle, &query, self.repeat, &mut || ())?;
        Ok(Answer {
            time: self.cluster.time_of(query.candidate),
            ..answer
        })
    }
}
