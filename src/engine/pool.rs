//! The threads that run the oracle, and the queries that they were given.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Scope;
use std::time::{Duration, Instant};

use super::answer::{Answer, Repeat, try_candidate};
use super::rendered::Rendered;
use crate::oracle::{Oracle, OracleError, Query, QueryId};

/// A query that is to be run.
pub(super) struct Queued {
    pub(super) id: QueryId,
    pub(super) candidate: Arc<Rendered>,
    /// Of what waits the worthiest runs first.
    pub(super) worth: f64,
    /// Whether the key is needed when the answer is uninteresting: while the oracle runs there is time for it.
    pub(super) needs_key: bool,
    pub(super) time_limit: Option<Duration>,
    pub(super) work_limit: Option<Duration>,
    pub(super) stop_at: Option<Instant>,
}

/// A query that has ended, and its answer.
pub(super) type Ended = (QueryId, Result<Answer, OracleError>);

/// What the engine's thread and the workers share.
pub(super) struct Pool<'a> {
    oracle: &'a dyn Oracle,
    repeat: Repeat,
    state: Mutex<State>,
    work: Condvar,
    done: Condvar,
}

struct State {
    queue: VecDeque<Queued>,
    /// The query that each worker runs.
    running: Vec<Option<QueryId>>,
    finished: Vec<Ended>,
    closing: bool,
}

impl<'a> Pool<'a> {
    pub(super) fn new(oracle: &'a dyn Oracle, repeat: Repeat, jobs: usize) -> Self {
        let state = State {
            queue: VecDeque::new(),
            running: vec![None; jobs],
            finished: Vec::new(),
            closing: false,
        };
        let (work, done) = (Condvar::new(), Condvar::new());
        Self {
            oracle,
            repeat,
            state: Mutex::new(state),
            work,
            done,
        }
    }

    /// Starts one worker for each slot. They end when the returned value is dropped, which cancels what they run.
    pub(super) fn start<'s>(&'s self, scope: &'s Scope<'s, '_>) -> Closer<'s, 'a> {
        let slots = self.lock().running.len();
        for slot in 0..slots {
            scope.spawn(move || self.work_in(slot));
        }
        Closer(self)
    }

    pub(super) fn send(&self, query: Queued) {
        let mut state = self.lock();
        let is_better = |other: &Queued| query.worth > other.worth;
        let at = state.queue.iter().position(is_better);
        let at = at.unwrap_or(state.queue.len());
        state.queue.insert(at, query);
        drop(state);
        self.work.notify_one();
    }

    /// Lets a query that is still queued be the next to start.
    pub(super) fn hurry(&self, id: QueryId) {
        let mut state = self.lock();
        if let Some(at) = state.queue.iter().position(|query| query.id == id)
            && let Some(query) = state.queue.remove(at)
        {
            state.queue.push_front(query);
        }
    }

    /// Nobody asks for this query any more. Returns whether it had been started.
    pub(super) fn cancel(&self, id: QueryId) -> bool {
        let mut state = self.lock();
        if let Some(at) = state.queue.iter().position(|query| query.id == id) {
            state.queue.remove(at);
            return false;
        }
        let slot = state
            .running
            .iter()
            .position(|running| *running == Some(id));
        drop(state);
        if let Some(slot) = slot {
            self.oracle.cancel(slot, id);
        }
        true
    }

    /// What has ended since the last call; if that is nothing, what ends next, unless it takes longer than `patience`.
    pub(super) fn finished(&self, patience: Duration) -> Vec<Ended> {
        let nothing = |state: &mut State| state.finished.is_empty();
        let waited = self.done.wait_timeout_while(self.lock(), patience, nothing);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut state.finished)
    }

    fn work_in(&self, slot: usize) {
        while let Some(queued) = self.next_query(slot) {
            let query = Query {
                slot,
                id: queued.id,
                candidate: &queued.candidate.bytes,
                time_limit: queued.time_limit,
                work_limit: queued.work_limit,
                stop_at: queued.stop_at,
            };
            let result = try_candidate(self.oracle, &query, self.repeat, &mut || {
                if queued.needs_key {
                    queued.candidate.key();
                }
            });
            let mut state = self.lock();
            state.running[slot] = None;
            state.finished.push((queued.id, result));
            self.done.notify_one();
        }
    }

    fn next_query(&self, slot: usize) -> Option<Queued> {
        let mut state = self.lock();
        loop {
            if state.closing {
                return None;
            }
            if let Some(query) = state.queue.pop_front() {
                state.running[slot] = Some(query.id);
                return Some(query);
            }
            state = self
                .work
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the workers when it is dropped, also when the engine's thread panics: the scope would wait for them for ever.
pub(super) struct Closer<'s, 'a>(&'s Pool<'a>);

impl Drop for Closer<'_, '_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.closing = true;
        state.queue.clear();
        let running: Vec<_> = state.running.iter().copied().enumerate().collect();
        drop(state);
        for (slot, id) in running {
            if let Some(id) = id {
                self.0.oracle.cancel(slot, id);
            }
        }
        self.0.work.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_what_waits_the_worthiest_runs_first() {
        let oracle = |_: &[u8]| true;
        let pool = Pool::new(&oracle, Repeat::Once, 1);
        for (name, worth) in [("last", 0.1), ("first", 0.9), ("second", 0.5)] {
            pool.send(Queued {
                id: QueryId::fresh(),
                candidate: Arc::new(Rendered::of(Vec::new(), name)),
                worth,
                needs_key: false,
                time_limit: None,
                work_limit: None,
                stop_at: None,
            });
        }
        let order = [(); 3].map(|()| pool.next_query(0).unwrap().candidate.pass);
        assert_eq!(order, ["first", "second", "last"]);
    }
}
