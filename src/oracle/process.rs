//! One child process: started in its own group, waited for without polling, killed with all that it left in the group.
//!
//! The order matters: start, register with the watchdog, wait for the exit without reaping, kill the group and
//! unregister while the zombie still holds the number, reap. Nothing here sets a `pre_exec` hook, which would make the
//! standard library fork instead of using `posix_spawn`: a fork of a large process costs more than the rest of a query.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Resource, Rlimit, WaitId, WaitIdOptions, WaitOptions, getrlimit, setrlimit, waitid,
    waitpgid,
};

use wait4::Wait4;

use crate::platform;

use super::load::work_of_ended;
use super::strays::children_of;
use super::watchdog::{Deadlines, Killed, Watchdog};

/// What one query's processes may use. `None` leaves what paredown itself was started with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Address space of each process, bytes.
    pub memory: Option<u64>,
    /// Processor time of each process, seconds.
    pub cpu: Option<u64>,
    /// Size of each file that is written, bytes.
    pub file_size: Option<u64>,
    /// Open files of each process.
    pub files: Option<u64>,
}

impl Default for Limits {
    /// One file may have 1 GiB: a check that prints or writes without end must not fill the disk.
    fn default() -> Self {
        Self {
            memory: None,
            cpu: None,
            file_size: Some(1 << 30),
            files: None,
        }
    }
}

/// How a child ended.
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    pub(super) killed: Option<Killed>,
    pub(super) time: Duration,
    /// Processor time of all that it has waited for; for a short run the wall time.
    pub(super) work: Duration,
    /// The most memory that one of its processes had at a time, bytes.
    pub(super) memory: u64,
}

/// What ends sooner cannot have worked so long that it matters, and is not worth looking at.
const SHORT: Duration = Duration::from_millis(20);

/// Runs a prepared command (it must ask for its own process group) to its end. Its group is dead when this returns.
pub(super) fn run(
    command: &mut Command,
    restraints: &Restraints,
    watchdog: &Watchdog,
    slot: usize,
    deadlines: impl FnOnce(Instant) -> Deadlines,
    started: &mut dyn FnMut(),
) -> io::Result<Ended> {
    let start = Instant::now();
    let mut child = patiently(|| command.spawn())?;
    let group = pid_of(&child);
    if let Some(group) = group {
        watchdog.register(slot, group, deadlines(start));
        restraints.impose_on(group);
    }
    started();
    if let Some(group) = group {
        wait_without_reaping(group)?;
    }
    let time = start.elapsed();
    let work = group.filter(|_| time > SHORT).and_then(work_of_ended);
    let killed = watchdog.unregister(slot);
    let used = child.wait4()?;
    if let Some(group) = group {
        wait_for_the_killed(group);
    }
    Ok(Ended {
        memory: used.rusage.maxrss,
        status: used.status,
        killed,
        time,
        work: work.unwrap_or(time),
    })
}

/// Returns when all that was killed of a group has ended. Who is killed inside the kernel still finishes what it does there, such
/// as making a file, which must not appear in a folder that is clean again. By now they are our children. Their group keeps its
/// number from being given to another one.
fn wait_for_the_killed(group: Pid) {
    const LONGEST: Duration = Duration::from_secs(1);
    let since = Instant::now();
    loop {
        match waitpgid(group, WaitOptions::NOHANG) {
            Ok(Some(_)) => {}
            Ok(None) if since.elapsed() < LONGEST => {
                std::thread::park_timeout(Duration::from_millis(1));
            }
            _ => return,
        }
    }
}

/// The limits that are imposed on each process of a slot.
#[derive(Clone, Debug, Default)]
pub(super) struct Restraints(Vec<(Resource, Rlimit)>);

impl Restraints {
    /// `inherited_files` is what a process may have open when nothing else is said.
    pub(super) fn new(limits: &Limits, inherited_files: &Rlimit) -> Self {
        let hard = |limit: Option<u64>| {
            limit.map(|limit| Rlimit {
                current: Some(limit),
                maximum: Some(limit),
            })
        };
        let all = [
            (Resource::As, hard(limits.memory)),
            (Resource::Cpu, hard(limits.cpu)),
            (Resource::Fsize, hard(limits.file_size)),
            (
                Resource::Nofile,
                hard(limits.files).or(Some(*inherited_files)),
            ),
            (Resource::Core, hard(Some(0))),
        ];
        let given = all
            .into_iter()
            .filter_map(|(resource, limit)| Some((resource, limit?)));
        Self(given.collect())
    }

    /// Limits a child that was just started. Setting them from outside keeps `posix_spawn`; what the child starts later
    /// inherits them, and what it has started already, on a busy machine, is limited after it.
    fn impose_on(&self, child: Pid) {
        for (resource, limit) in &self.0 {
            platform::limit(child, *resource, *limit);
        }
        for grandchild in children_of(child) {
            self.impose_on(grandchild);
        }
    }
}

/// Lets this process open what so many queries at a time need, as far as it is allowed to, and returns how much it and what
/// it starts could open before. The usual limit of 1,024 is there for programs that count on it; we do not.
pub(super) fn make_room_for_files(jobs: usize) -> Rlimit {
    const FOR_THE_REST: u64 = 64;
    let before = getrlimit(Resource::Nofile);
    let needed = FOR_EACH_JOB * jobs as u64 + FOR_THE_REST;
    if before.current.is_some_and(|current| current < needed) {
        let enough = before.maximum.map_or(needed, |most| most.min(needed));
        let raised = Rlimit {
            current: Some(enough),
            maximum: before.maximum,
        };
        let _ = setrlimit(Resource::Nofile, raised);
    }
    before
}

/// Files that one job may have open at a time; it was seen to have 6.
const FOR_EACH_JOB: u64 = 7;

/// How many of so many jobs the system's limit on open files lets run at a time; at least one.
pub fn jobs_that_fit(jobs: usize) -> usize {
    /// Beside those that are open already: the guard's pipe, signals, the journal, the JSON lines. 7 were seen.
    const OF_THE_RUN: u64 = 9;
    let Some(most) = getrlimit(Resource::Nofile).maximum else {
        return jobs;
    };
    let open = std::fs::read_dir("/proc/self/fd").map_or(3, |entries| entries.count() as u64);
    let fitting = most.saturating_sub(open + OF_THE_RUN) / FOR_EACH_JOB;
    usize::try_from(fitting)
        .unwrap_or(usize::MAX)
        .clamp(1, jobs)
}

pub(super) fn pid_of(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

/// Tries again what the machine refuses for a moment: a process when it is busy, a script that was just written and is held
/// open by somebody, room on a disk that another query fills.
pub(super) fn patiently<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    const PAUSES: [Duration; 4] = [
        Duration::from_millis(5),
        Duration::from_millis(50),
        Duration::from_millis(500),
        Duration::from_secs(2),
    ];
    for pause in PAUSES {
        match attempt() {
            Err(error) if is_passing(&error) => std::thread::park_timeout(pause),
            done => return done,
        }
    }
    attempt()
}

fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind::{ExecutableFileBusy, OutOfMemory, StorageFull, WouldBlock};
    matches!(
        error.kind(),
        ExecutableFileBusy | OutOfMemory | StorageFull | WouldBlock
    )
}

/// Returns when a child of ours has ended, which keeps its number until it is reaped.
pub(super) fn wait_without_reaping(child: Pid) -> io::Result<()> {
    loop {
        match waitid(
            WaitId::Pid(child),
            WaitIdOptions::EXITED | WaitIdOptions::NOWAIT,
        ) {
            Err(rustix::io::Errno::INTR) => {}
            done => return done.map(|_| ()).map_err(io::Error::from),
        }
    }
}
