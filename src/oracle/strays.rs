//! Processes that left their query's group: daemons that forked twice and made a session of their own.
//!
//! paredown is a *child subreaper*: when the parent of such a process ends, the process becomes our child instead of init's.
//! After each query our unexpected children are looked at and killed, and so are their children, which become ours then. The
//! list of children costs one read of a few bytes; only when there is somebody on it is more looked at.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::sync::{Mutex, PoisonError};

use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, WaitOptions, getpid, kill_process, pidfd_open,
    pidfd_send_signal, set_child_subreaper, waitid, waitpid,
};

use super::load::descendants;
use super::mark::Mark;

/// Finds and kills strays.
#[derive(Debug)]
pub(super) struct Strays {
    /// Strays are handed to the main thread, whose children the kernel lists here.
    list: Option<File>,
    /// Children that are none of the check's: those from before (a shell may have become paredown) and the guard.
    expected: Mutex<Vec<Pid>>,
    /// Whether there were children before. Then what they leave behind becomes our child as well, and nobody is killed who
    /// carries no mark.
    has_company: bool,
}

impl Strays {
    /// Makes this process the subreaper of what it starts from now on.
    pub(super) fn new() -> Self {
        // Older kernels: strays are not found then, which is what every other reducer lives with.
        let _ = set_child_subreaper(Some(getpid()));
        let list = list_of_children(getpid());
        let from_before = list.as_ref().map_or_else(Vec::new, children);
        Self {
            list,
            has_company: !from_before.is_empty(),
            expected: Mutex::new(from_before),
        }
    }

    /// This child is ours.
    pub(super) fn expect(&self, child: Pid) {
        self.expected
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(child);
    }

    /// Kills and reaps the strays that carry this mark, and the strays of strays, until there are none. While `idle` says that
    /// no query runs, all are killed: they can only be from one that has ended.
    pub(super) fn sweep(&self, mark: &Mark, idle: impl Fn() -> bool) {
        for _ in 0..ROUNDS_BEFORE_FREEZING {
            let expected = self.expected.lock().unwrap_or_else(PoisonError::into_inner);
            let strays = self.found(&expected, mark, &idle);
            if strays.is_empty() {
                return;
            }
            let handles: io::Result<Vec<OwnedFd>> = strays.iter().copied().map(handle_of).collect();
            // A child's number is ours until somebody reaps it, and only one of us may look for children meanwhile. A handle
            // stays good, and nobody need wait until the others' strays have died.
            if let Ok(handles) = handles {
                drop(expected);
                end_all(&handles);
            } else {
                kill(&strays);
                reap(&strays);
            }
        }
        self.sweep_breeders(mark, idle);
    }

    fn sweep_breeders(&self, mark: &Mark, idle: impl Fn() -> bool) {
        let expected = self.expected.lock().unwrap_or_else(PoisonError::into_inner);
        let find = || self.found(&expected, mark, &idle);
        loop {
            let strays = find();
            if strays.is_empty() {
                return;
            }
            kill_breeders(|| descendants(&find()));
            reap(&strays);
        }
    }

    /// Our children that are strays; the dead among them are reaped.
    fn found(&self, expected: &[Pid], mark: &Mark, idle: impl Fn() -> bool) -> Vec<Pid> {
        let mut strays = self.list.as_ref().map_or_else(Vec::new, children);
        strays.retain(|child| !expected.contains(child));
        if !strays.is_empty() {
            // Asked after the list was read: nobody on it belongs to a query that starts only now.
            let all = !self.has_company && idle();
            strays.retain(|child| all || is_stray(*child, mark));
        }
        strays
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

/// Who is still there by then starts others faster than one after the other can be killed.
const ROUNDS_BEFORE_FREEZING: u32 = 8;

/// Stops all that `find` finds until it finds nobody new, because what is stopped starts nobody, and then kills whoever it
/// still finds: some have ended meanwhile, and their numbers may be a stranger's by now. Returns how many that were.
pub(super) fn kill_breeders(find: impl Fn() -> Vec<Pid>) -> usize {
    const MOST_ROUNDS: u32 = 1000;
    let mut frozen = HashSet::new();
    for _ in 0..MOST_ROUNDS {
        let mut found = find();
        found.retain(|process| frozen.insert(*process));
        if found.is_empty() {
            break;
        }
        for process in found {
            let _ = kill_process(process, Signal::STOP);
        }
    }
    let found = find();
    kill(&found);
    found.len()
}

fn handle_of(child: Pid) -> io::Result<OwnedFd> {
    Ok(pidfd_open(child, PidfdFlags::empty())?)
}

/// Kills and reaps children of ours; somebody else may reap them first.
fn end_all(children: &[OwnedFd]) {
    for child in children {
        let _ = pidfd_send_signal(child, Signal::KILL);
    }
    for child in children {
        let _ = waitid(WaitId::PidFd(child.as_fd()), WaitIdOptions::EXITED);
    }
}

fn reap(children: &[Pid]) {
    for child in children {
        let _ = waitpid(Some(*child), WaitOptions::empty());
    }
}

fn kill(processes: &[Pid]) {
    for process in processes {
        let _ = kill_process(*process, Signal::KILL);
    }
}

/// With the blank behind it.
const LONGEST_NUMBER: usize = 12;

/// A dead child of whoever it was has no folder and no environment any more, and only needs to be reaped.
fn is_stray(child: Pid, mark: &Mark) -> bool {
    let reaped = waitpid(Some(child), WaitOptions::NOHANG);
    matches!(reaped, Ok(None)) && mark.is_on(child)
}

pub(super) fn parse_pid(text: &[u8]) -> Option<Pid> {
    std::str::from_utf8(text)
        .ok()?
        .parse()
        .ok()
        .and_then(Pid::from_raw)
}
