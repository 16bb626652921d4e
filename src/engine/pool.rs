//! The threads that run the oracle, and the queries that they were given.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Scope;
use std::time::{Duration, Instant};

use super::question::Question;
use super::trial::{Repeat, Trial, try_candidate};
use crate::oracle::{Oracle, OracleError, Query, Ticket};

/// A query that is to be run.
pub(super) struct Task {
    pub(super) ticket: Ticket,
    pub(super) question: Arc<Question>,
    /// Of what waits the worthiest runs first.
    pub(super) worth: f64,
    /// Whether the key is needed when the answer is uninteresting: while the oracle runs there is time for it.
    pub(super) needs_key: bool,
    pub(super) time_limit: Option<Duration>,
    pub(super) work_limit: Option<Duration>,
    pub(super) stop_at: Option<Instant>,
}

/// A query that has ended.
pub(super) struct Finished {
    pub(super) ticket: Ticket,
    pub(super) result: Result<Trial, OracleError>,
}

/// What the engine's thread and the workers share.
pub(super) struct Pool<'a> {
    oracle: &'a dyn Oracle,
    repeat: Repeat,
    state: Mutex<State>,
    work: Condvar,
    done: Condvar,
}

struct State {
    queue: VecDeque<Task>,
    /// The ticket that each worker runs.
    running: Vec<Option<Ticket>>,
    finished: Vec<Finished>,
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

    pub(super) fn send(&self, task: Task) {
        let mut state = self.lock();
        let is_better = |other: &Task| task.worth > other.worth;
        let at = state.queue.iter().position(is_better);
        let at = at.unwrap_or(state.queue.len());
        state.queue.insert(at, task);
        drop(state);
        self.work.notify_one();
    }

    /// Lets a query that is still queued be the next to start.
    pub(super) fn hurry(&self, ticket: Ticket) {
        let mut state = self.lock();
        if let Some(at) = state.queue.iter().position(|task| task.ticket == ticket)
            && let Some(task) = state.queue.remove(at)
        {
            state.queue.push_front(task);
        }
    }

    /// Nobody asks for this query any more. Returns whether it had been started.
    pub(super) fn cancel(&self, ticket: Ticket) -> bool {
        let mut state = self.lock();
        if let Some(at) = state.queue.iter().position(|task| task.ticket == ticket) {
            state.queue.remove(at);
            return false;
        }
        let slot = state
            .running
            .iter()
            .position(|running| *running == Some(ticket));
        drop(state);
        if let Some(slot) = slot {
            self.oracle.cancel(slot, ticket);
        }
        true
    }

    /// What has ended since the last call; if that is nothing, what ends next, unless it takes longer than `patience`.
    pub(super) fn finished(&self, patience: Duration) -> Vec<Finished> {
        let nothing = |state: &mut State| state.finished.is_empty();
        let waited = self.done.wait_timeout_while(self.lock(), patience, nothing);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut state.finished)
    }

    fn work_in(&self, slot: usize) {
        while let Some(task) = self.next_task(slot) {
            let query = Query {
                slot,
                ticket: task.ticket,
                candidate: &task.question.bytes,
                time_limit: task.time_limit,
                work_limit: task.work_limit,
                stop_at: task.stop_at,
            };
            let result = try_candidate(self.oracle, &query, self.repeat, &mut || {
                if task.needs_key {
                    task.question.key();
                }
            });
            let mut state = self.lock();
            state.running[slot] = None;
            state.finished.push(Finished {
                ticket: task.ticket,
                result,
            });
            self.done.notify_one();
        }
    }

    fn next_task(&self, slot: usize) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if state.closing {
                return None;
            }
            if let Some(task) = state.queue.pop_front() {
                state.running[slot] = Some(task.ticket);
                return Some(task);
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
        for (slot, ticket) in running {
            if let Some(ticket) = ticket {
                self.0.oracle.cancel(slot, ticket);
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
            pool.send(Task {
                ticket: Ticket::fresh(),
                question: Arc::new(Question::of(Vec::new(), name)),
                worth,
                needs_key: false,
                time_limit: None,
                work_limit: None,
                stop_at: None,
            });
        }
        let order = [(); 3].map(|()| pool.next_task(0).unwrap().question.pass);
        assert_eq!(order, ["first", "second", "last"]);
    }
}
