//! Processes that left their query's group: daemons that forked twice and made a session of their own.
//!
//! This stands against compilers and build tools that start a server, which would go on after its query, change the folders of
//! later ones, and in the end be left running by the hundred. paredown is a *child subreaper*: when the parent of such a process
//! ends, the process becomes our child instead of init's. After each query our unexpected children are killed that bear its mark,
//! and so are their children, which become ours then. Who bears no mark may be of any query that ran when he was first
//! seen, and is killed when all of those have ended. The list of children costs one read of a few bytes; only when there is
//! somebody on it is more looked at.
//!
//! Not chased is who starts others faster than they can be killed one after the other, who does it as another user, and what a
//! system without pidfds (Linux before 5.4) would need.
//!
//! Tests: `a_daemon_in_its_own_session_is_dead_when_the_check_has_ended` and
//! `a_daemon_that_hides_where_it_comes_from_is_dead_too` in `tests.rs` beside this file,
//! `strangers_do_not_gather_while_other_queries_run` and `what_a_process_from_before_leaves_behind_lives_on` in
//! `tests/it/oracle_faults.rs`.

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, WaitOptions, getpid, waitpid};

use super::mark::Mark;
use super::watchdog::Watchdog;
use crate::platform::{Handle, become_subreaper};

/// Finds and kills strays.
#[derive(Debug)]
pub(super) struct Strays {
    /// Strays are handed to the main thread, whose children the kernel lists here.
    list: Option<File>,
    /// Whether there were children before. Then what they leave behind becomes our child as well, and nobody is killed who
    /// carries no mark.
    has_company: bool,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// Children from before (a shell may have become paredown), and those that we may not kill. The guard is a child of another
    /// thread and not on the list.
    spared: Vec<Pid>,
    /// The number of the newest query when a child was first seen.
    first_seen: HashMap<Pid, u64>,
}

/// Who is still there by then starts others faster than they can be killed.
const MOST_ROUNDS: u32 = 1000;

impl Strays {
    /// Makes this process the subreaper of what it starts from now on.
    pub(super) fn new() -> Self {
        become_subreaper();
        let list = list_of_children(getpid());
        let from_before = list.as_ref().map_or_else(Vec::new, children);
        Self {
            list,
            has_company: !from_before.is_empty(),
            known: Mutex::new(Known {
                spared: from_before,
                ..Known::default()
            }),
        }
    }

    /// Kills and reaps the strays that carry this mark and those that can only be from queries that have ended, and then what
    /// they leave behind.
    pub(super) fn sweep(&self, mark: &Mark, queries: &Watchdog) {
        for _ in 0..MOST_ROUNDS {
            let strays = self.found(mark, queries);
            if strays.is_empty() {
                return;
            }
            self.end_all(&strays);
        }
    }

    /// The strays with a handle each. A child's number is ours until somebody reaps it, which only one of us may do at a time; a
    /// handle stays good, so that nobody need wait until the others' strays have died.
    fn found(&self, mark: &Mark, queries: &Watchdog) -> Vec<(Pid, Handle)> {
        let mut known = self.known();
        let mut found = self.list.as_ref().map_or_else(Vec::new, children);
        found.retain(|child| !known.spared.contains(child));
        known.first_seen.retain(|child, _| found.contains(child));
        if !found.is_empty() {
            // Asked after the list was read: nobody on it belongs to a query that starts only now.
            let (newest, oldest_running) = queries.running();
            found.retain(|&child| {
                let seen = *known.first_seen.entry(child).or_insert(newest);
                let is_of_the_past = oldest_running.is_none_or(|oldest| oldest > seen);
                (is_of_the_past && !self.has_company) || is_stray(child, mark)
            });
        }
        let with_handle = |child| Some((child, Handle::of(child)?));
        found.into_iter().filter_map(with_handle).collect()
    }

    /// Kills and reaps children of ours; somebody else may reap them first.
    fn end_all(&self, strays: &[(Pid, Handle)]) {
        let may_kill = |(_, handle): &&(Pid, Handle)| handle.kill();
        let (dying, others): (Vec<_>, Vec<_>) = strays.iter().partition(may_kill);
        for (_, handle) in dying {
            handle.reap();
        }
        // Such as what was started with `sudo`.
        let others = others.into_iter().map(|(child, _)| *child);
        self.known().spared.extend(others);
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the main thread of a process has started and not reaped, as far as the system tells.
pub(super) fn children_of(process: Pid) -> Vec<Pid> {
    list_of_children(process).map_or_else(Vec::new, |list| children(&list))
}

fn list_of_children(process: Pid) -> Option<File> {
    let pid = process.as_raw_nonzero();
    File::open(format!("/proc/{pid}/task/{pid}/children")).ok()
}

fn children(list: &File) -> Vec<Pid> {
    let mut text = vec![0; 4096];
    let mut length = 0;
    while let Ok(read) = list.read_at(&mut text[length..], length as u64)
        && read > 0
    {
        length += read;
        // The kernel gives as many whole numbers as there is room for, so this was the end.
        if length + LONGEST_NUMBER < text.len() {
            break;
        }
        text.resize(2 * text.len(), 0);
    }
    let numbers = text[..length].split(u8::is_ascii_whitespace);
    numbers.filter_map(parse_pid).collect()
}

/// With the blank behind it.
const LONGEST_NUMBER: usize = 12;

/// A dead child of whoever it was has no environment any more, and only needs to be reaped.
fn is_stray(child: Pid, mark: &Mark) -> bool {
    let reaped = waitpid(Some(child), WaitOptions::NOHANG);
    matches!(reaped, Ok(None)) && mark.is_on(child) == Some(true)
}

pub(super) fn parse_pid(text: &[u8]) -> Option<Pid> {
    std::str::from_utf8(text)
        .ok()?
        .parse()
        .ok()
        .and_then(Pid::from_raw)
}
