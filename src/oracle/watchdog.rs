//! Who may still run: deadlines, stale queries and interrupts all end in the same kill.
//!
//! This stands against candidates on which the check never ends, which most reductions meet: a loop whose counter is gone. Without
//! it the run would hang there, and an answer that nobody needs any more or a Ctrl-C would have to wait for the slowest check.
//!
//! Each slot has at most one running process group. A group is registered after its leader was started and unregistered
//! after the leader has exited but *before* it is reaped: the zombie keeps the number, so that a late kill can never
//! hit a stranger. One thread sleeps until the earliest deadline; nothing polls.
//!
//! Tests: `a_check_that_hangs_is_killed_at_its_time_limit_with_its_children`, `a_cancelled_query_ends_and_does_not_start_later` and
//! `an_interrupt_lets_the_check_clean_up_and_nothing_start_after_it` in `tests.rs` beside this file, `tests/it/timeout.rs` and
//! `tests/it/interrupt.rs`.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::load::work_of;
use super::{Query, QueryId};

/// Why a group was killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Killed {
    /// It ran longer than its time limit.
    TimedOut,
    /// Nobody wants the answer any more.
    Cancelled,
}

/// When a query must end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Deadlines {
    /// When its time is over; with a limit on its work, when it is looked at next.
    next: Option<Instant>,
    work: Option<WorkLimit>,
    stop_at: Option<Instant>,
    /// What is killed may clean up first: it may have started something elsewhere.
    is_gentle: bool,
}

/// How long a group may work. What endlessly works ends early, and what did not get the processors gets its time.
#[derive(Clone, Copy, Debug)]
struct WorkLimit {
    /// It may use so much processor time.
    most: Duration,
    /// From now on it may only go on while it wants to work.
    late_at: Instant,
    /// When it must end, whatever it has got.
    until: Instant,
}

/// Owns the deadlines of all slots. Clones share them.
#[derive(Clone)]
pub(super) struct Watchdog(Arc<Shared>);

/// The thread that waits for deadlines; ends when dropped.
pub(super) struct WatchdogThread {
    watchdog: Watchdog,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// Tells the guard which groups run.
    book: Option<File>,
    slots: Vec<Slot>,
    /// How many queries were started so far.
    started: u64,
    /// Until when the thread sleeps; `None` is for ever.
    asleep_until: Option<Instant>,
    /// After an interrupt nothing may start any more.
    interrupted: bool,
    closing: bool,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    id: Option<QueryId>,
    /// The number of the query, from before its process is started until after it is reaped.
    running: Option<u64>,
    /// The newest query that was cancelled: it may be so before its process is registered.
    cancelled: Option<QueryId>,
    group: Option<Pid>,
    deadlines: Deadlines,
    killed: Option<Killed>,
}

/// A group that is kept from running ends after so many times its limit.
const LONGEST: u32 = 20;
const LONGEST_WAIT: Duration = Duration::from_secs(365 * 24 * 3600);
/// A group is not looked at more often.
const SHORTEST_RESPITE: Duration = Duration::from_millis(100);
/// What an interrupted check gets to clean up after itself, between TERM and KILL.
const GRACE: Duration = Duration::from_millis(300);
/// What a launcher gets to take its job back.
const GENTLE_GRACE: Duration = Duration::from_secs(1);

impl Watchdog {
    /// `book` gets the running groups, four bytes for each slot.
    pub(super) fn start(
        slots: usize,
        book: Option<File>,
    ) -> std::io::Result<(Self, WatchdogThread)> {
        let state = State {
            book,
            slots: vec![Slot::default(); slots],
            started: 0,
            asleep_until: None,
            interrupted: false,
            closing: false,
        };
        let watchdog = Self(Arc::new(Shared {
            state: Mutex::new(state),
            changed: Condvar::new(),
        }));
        let sleeper = watchdog.clone();
        let thread = std::thread::Builder::new()
            .name("watchdog".to_owned())
            .spawn(move || sleeper.watch())?;
        Ok((
            watchdog.clone(),
            WatchdogThread {
                watchdog,
                thread: Some(thread),
            },
        ))
    }

    /// Says that the slot's next process belongs to this id. `false`: it was cancelled already, do not start it.
    pub(super) fn announce(&self, slot: usize, id: QueryId) -> bool {
        let mut state = self.lock();
        state.started += 1;
        let (number, interrupted) = (state.started, state.interrupted);
        let slot = &mut state.slots[slot];
        slot.id = Some(id);
        slot.killed = None;
        slot.running = (!interrupted && !slot.is_cancelled()).then_some(number);
        slot.running.is_some()
    }

    /// The announced query has ended, or has not started after all.
    pub(super) fn retire(&self, slot: usize) {
        self.lock().slots[slot].running = None;
    }

    /// The numbers of the newest query and of the oldest one that still runs.
    pub(super) fn running(&self) -> (u64, Option<u64>) {
        let state = self.lock();
        let running = state.slots.iter().filter_map(|slot| slot.running);
        (state.started, running.min())
    }

    /// Watches over a group that was just started for the slot's query; kills it at once if it was cancelled meanwhile.
    pub(super) fn register(&self, slot: usize, group: Pid, deadlines: Deadlines) {
        let mut state = self.lock();
        state.note(slot, group.as_raw_nonzero().get());
        let interrupted = state.interrupted;
        let entry = &mut state.slots[slot];
        entry.group = Some(group);
        entry.deadlines = deadlines;
        if interrupted || entry.is_cancelled() {
            entry.kill(Killed::Cancelled);
            self.0.changed.notify_all();
            return;
        }
        let earliest = deadlines.earliest();
        if earliest.is_some_and(|at| state.asleep_until.is_none_or(|until| at < until)) {
            self.0.changed.notify_all();
        }
    }

    /// To be called when the group's leader has exited and is not reaped yet: kills what is left of the group and says
    /// whether it was killed before.
    pub(super) fn unregister(&self, slot: usize) -> Option<Killed> {
        let mut state = self.lock();
        state.note(slot, 0);
        let slot = &mut state.slots[slot];
        if let Some(group) = slot.group.take() {
            let _ = kill_process_group(group, Signal::KILL);
        }
        slot.killed
    }

    /// Kills the query with this id, now or as soon as it starts.
    pub(super) fn cancel(&self, slot: usize, id: QueryId) {
        let mut state = self.lock();
        let slot = &mut state.slots[slot];
        slot.cancelled = Some(id);
        if slot.is_cancelled() && slot.group.is_some() {
            slot.kill(Killed::Cancelled);
        }
        self.0.changed.notify_all();
    }

    /// Ends everything that runs, gently at first, and lets nothing start any more.
    pub(super) fn interrupt(&self) {
        let mut state = self.lock();
        state.interrupted = true;
        let soon = Instant::now() + GRACE;
        for slot in &mut state.slots {
            if let Some(group) = slot.group {
                let _ = kill_process_group(group, Signal::TERM);
                slot.killed.get_or_insert(Killed::Cancelled);
                slot.deadlines = Deadlines {
                    stop_at: Some(soon),
                    ..Deadlines::default()
                };
            }
        }
        self.0.changed.notify_all();
    }

    /// Waits for so long. `false`, at once, when the slot's query is not wanted any more.
    pub(super) fn pause(&self, slot: usize, pause: Duration) -> bool {
        let until = Instant::now() + pause;
        let mut state = self.lock();
        loop {
            if state.interrupted || state.slots[slot].is_cancelled() {
                return false;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            let waited = self.0.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn watch(&self) {
        let mut state = self.lock();
        while !state.closing {
            let now = Instant::now();
            let next = state
                .slots
                .iter_mut()
                .filter_map(|slot| slot.kill_if_due(now))
                .min();
            state.asleep_until = next;
            state = match next {
                None => self
                    .0
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner),
                Some(at) => {
                    let waited = self
                        .0
                        .changed
                        .wait_timeout(state, at.saturating_duration_since(now));
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for WatchdogThread {
    fn drop(&mut self) {
        self.watchdog.lock().closing = true;
        self.watchdog.0.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl State {
    /// The guard may read it at any moment. That it cannot be written is no reason to stop.
    fn note(&self, slot: usize, group: i32) {
        if let Some(book) = &self.book {
            let _ = book.write_all_at(&group.to_le_bytes(), 4 * slot as u64);
        }
    }
}

impl Slot {
    fn is_cancelled(&self) -> bool {
        self.id.is_some() && self.cancelled == self.id
    }

    /// Kills at once: what is stale or late has lost its right to a grace period.
    fn kill(&mut self, why: Killed) {
        self.killed.get_or_insert(why);
        if self.deadlines.is_gentle {
            let _ = self
                .group
                .map(|group| kill_process_group(group, Signal::TERM));
            self.deadlines = Deadlines {
                stop_at: Some(Instant::now() + GENTLE_GRACE),
                ..Deadlines::default()
            };
            return;
        }
        self.deadlines = Deadlines::default();
        if let Some(group) = self.group {
            let _ = kill_process_group(group, Signal::KILL);
            // Its leader is waited for, also when it has moved to another group.
            let _ = kill_process(group, Signal::KILL);
        }
    }

    /// When a group that may go on is looked at next.
    fn respite(&self, now: Instant) -> Option<Instant> {
        let limit = self.deadlines.work.filter(|limit| now < limit.until)?;
        let work = work_of(self.group?);
        let missing = limit.most.checked_sub(work.time)?;
        // On one processor it cannot have used the rest before.
        let next = now + missing.max(SHORTEST_RESPITE);
        if now < limit.late_at {
            Some(next.min(limit.late_at))
        } else {
            work.is_busy.then(|| next.min(limit.until))
        }
    }

    /// Returns the deadline that is still to come.
    fn kill_if_due(&mut self, now: Instant) -> Option<Instant> {
        self.group?;
        if self.deadlines.stop_at.is_some_and(|at| at <= now) {
            self.kill(Killed::Cancelled);
        } else if self.deadlines.next.is_some_and(|at| at <= now) {
            match self.respite(now) {
                Some(at) => self.deadlines.next = Some(at),
                None => self.kill(Killed::TimedOut),
            }
        }
        self.deadlines.earliest()
    }
}

impl Deadlines {
    /// For a query that was started at `start`.
    pub(super) fn of(query: &Query<'_>, start: Instant) -> Self {
        let late_at = query.time_limit.and_then(|limit| start.checked_add(limit));
        let until = query.time_limit.map_or(LONGEST_WAIT, |limit| {
            limit.saturating_mul(LONGEST).min(LONGEST_WAIT)
        });
        let work = late_at
            .zip(query.work_limit)
            .map(|(late_at, most)| WorkLimit {
                most,
                late_at,
                until: start + until,
            });
        let first = work.and_then(|work| start.checked_add(work.most));
        Self {
            next: late_at.into_iter().chain(first).min(),
            work,
            stop_at: query.stop_at,
            is_gentle: false,
        }
    }

    /// For a launcher, which waits for its job in a queue: the time limit is kept where the check runs.
    pub(super) fn gentle(stop_at: Option<Instant>) -> Self {
        Self {
            stop_at,
            is_gentle: true,
            ..Self::default()
        }
    }

    fn earliest(self) -> Option<Instant> {
        self.next.into_iter().chain(self.stop_at).min()
    }
}
