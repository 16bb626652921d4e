//! Cleans up when paredown itself is killed.
//!
//! This stands against the KILL of a user, of a job system or of the kernel when memory is short: without it the checks would go
//! on, some of them for ever, and the folder in memory-backed storage would stay until the machine is started again.
//! `prctl(PR_SET_PDEATHSIG)` would reach only the check itself, not what it started, and needs a hook before `exec`.
//!
//! The guard is paredown started a second time with a hidden argument, in a group of its own. It waits for the end of its parent
//! through a pidfd. If it was not dismissed before, it kills the process groups that were running, every process that
//! carries the run's mark, and those that paredown had started and that had not become the check yet; and it removes the folder.
//! These last are in paredown's own group and can be stopped with it, and they do not die with it. They are known by the pipe to
//! the guard: they still hold the end that nobody writes to. Who has cleared its environment is known by the folder that it works
//! in, if it has lost its parent, as all have that paredown was to look after: a shell in which somebody looks around there has one,
//! unless it is a server or the like that was started there.
//!
//! A thread of paredown waits for the guard's own end, and starts another one when it was killed. What kills both within some
//! milliseconds, such as `killall -9 paredown`, leaves what was there to the next run (see [`super::abandoned`]).
//!
//! Tests: `killing_paredown_leaves_nothing_and_a_result_that_is_interesting` in `tests/it/oracle_faults.rs`, and the kills in all
//! ways of `tests/it/kills.rs`.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, getpid, getppid, kill_process, kill_process_group};

use crate::platform::Handle;
use crate::terminal;

use super::launch::undo_all;
use super::mark::Mark;
use super::process::{pid_of, wait_without_reaping};
use super::removal::remove_run_folder;
use super::strays::parse_pid;

/// The hidden argument.
const ROLE: &str = "__guard";
/// In the run's folder: the running process groups, one for each slot, as four bytes.
pub(super) const GROUPS: &str = "groups";
/// Who kills more of them does not want any.
const MOST_GUARDS: u32 = 100;

/// The guard of a run; dismissed when dropped, which must be the last thing of the run.
#[derive(Debug)]
pub(super) struct Guard {
    post: Arc<Mutex<Post>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Post {
    /// The guard that is there. Nobody reaps it without the lock, so that the number is its own.
    guard: Option<Pid>,
    is_dismissed: bool,
}

impl Guard {
    /// Starts one, and a thread that starts the next one when it is killed. `remove` are files that are to go with the folder.
    pub(super) fn start(program: &Path, run_folder: &Path, remove: &[PathBuf]) -> io::Result<Self> {
        let mut command = command(program, run_folder, remove);
        let post = Arc::default();
        let kept = Arc::clone(&post);
        let (sender, first) = mpsc::sync_channel(1);
        let keep = move || {
            for _ in 0..MOST_GUARDS {
                let started = start_one(&mut command, &kept);
                let guard = match started {
                    Ok(Some(guard)) => guard,
                    Ok(None) => return,
                    Err(error) => {
                        let _ = sender.try_send(Err(error));
                        return;
                    }
                };
                let _ = sender.try_send(Ok(()));
                wait_for(guard, &kept);
            }
        };
        let thread = std::thread::Builder::new()
            .name("guard".to_owned())
            .spawn(keep)?;
        let guard = Self {
            post,
            thread: Some(thread),
        };
        first.recv().map_err(io::Error::other)??;
        Ok(guard)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let mut post = lock(&self.post);
        post.is_dismissed = true;
        if let Some(guard) = post.guard {
            let _ = kill_process(guard, Signal::KILL);
        }
        drop(post);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn lock(post: &Mutex<Post>) -> MutexGuard<'_, Post> {
    post.lock().unwrap_or_else(PoisonError::into_inner)
}

#[expect(clippy::disallowed_methods, reason = "this room starts programs")]
fn command(program: &Path, run_folder: &Path, remove: &[PathBuf]) -> Command {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut command = Command::new(program);
    command
        .arg(ROLE)
        .arg(std::process::id().to_string())
        .arg(absolute(run_folder))
        .args(remove.iter().map(|path| absolute(path)))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // Ctrl-C at the terminal goes to our group only. It stands in the root folder, so that it keeps no other one busy.
    command.process_group(0).current_dir("/");
    command
}

/// Nothing when it was dismissed meanwhile.
fn start_one(command: &mut Command, post: &Mutex<Post>) -> io::Result<Option<Child>> {
    let mut post = lock(post);
    if post.is_dismissed {
        return Ok(None);
    }
    let guard = command.spawn()?;
    post.guard = pid_of(&guard);
    Ok(Some(guard))
}

fn wait_for(mut guard: Child, post: &Mutex<Post>) {
    if let Some(pid) = pid_of(&guard) {
        let _ = wait_without_reaping(pid);
    }
    let mut post = lock(post);
    post.guard = None;
    let _ = guard.wait();
}

/// To be called first in `main`: if this process was started as a guard, does the guard's work and returns `true`.
pub fn serve_as_guard() -> bool {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().as_deref() != Some(OsStr::new(ROLE)) {
        return false;
    }
    let parent = arguments.next().and_then(|pid| parse_pid(pid.as_bytes()));
    if let (Some(parent), Some(run_folder)) = (parent, arguments.next()) {
        crate::interrupt::outlive_signals();
        wait_for_the_end_of(parent);
        terminal::take_back(&Path::new(&run_folder).join(terminal::NOTE));
        kill_all(Path::new(&run_folder));
        undo_all(Path::new(&run_folder));
        remove_run_folder(Path::new(&run_folder));
        for file in arguments {
            let _ = fs::remove_file(&file).or_else(|_| fs::remove_dir_all(&file));
        }
    }
    true
}

/// Returns when paredown has ended.
fn wait_for_the_end_of(parent: Pid) {
    let handle = Handle::of(parent);
    if getppid() != Some(parent) {
        // It has ended before, and the number may be a stranger's by now.
        return;
    }
    let Some(handle) = handle else {
        // A child that is stopped before it becomes the check keeps the pipe open.
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        return;
    };
    handle.wait();
}

/// Until nobody was found several times. Who starts another process and ends between the list of all and the look at him is not
/// found, nor who is just becoming another program; on a busy machine that can take a while.
fn kill_all(run_folder: &Path) {
    const PAUSE: Duration = Duration::from_millis(10);
    const LOOKS: u32 = 1000;
    const CALM_LOOKS: u32 = 20;
    /// There may always be somebody on the machine who is just becoming another program.
    const CALM_LOOKS_IN_DOUBT: u32 = 200;
    let mark = Mark::of(run_folder.to_owned());
    // Where a process works is told without links.
    let place = fs::canonicalize(run_folder).unwrap_or_else(|_| run_folder.to_owned());
    for group in groups(run_folder) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let mut calm = 0;
    for _ in 0..LOOKS {
        let pipe = pipe_that_is_held();
        let mut is_sure = true;
        calm += 1;
        for process in processes() {
            let is_marked = mark.is_on(process);
            is_sure = is_sure && is_marked.is_some();
            let is_ours = is_marked == Some(true)
                || holds(process, pipe.as_deref())
                || is_orphan_in(&place, process);
            if is_ours {
                let _ = kill_process(process, Signal::KILL);
                calm = 0;
            }
        }
        if calm >= CALM_LOOKS_IN_DOUBT || (is_sure && calm >= CALM_LOOKS) {
            return;
        }
        std::thread::park_timeout(PAUSE);
    }
}

fn groups(run_folder: &Path) -> Vec<Pid> {
    let bytes = fs::read(run_folder.join(GROUPS)).unwrap_or_default();
    let numbers = bytes
        .chunks_exact(4)
        .map(|four| [four[0], four[1], four[2], four[3]]);
    numbers
        .filter_map(|four| Pid::from_raw(i32::from_le_bytes(four)))
        .collect()
}

/// The pipe between paredown and us, if somebody still holds its other end.
fn pipe_that_is_held() -> Option<PathBuf> {
    let stdin = io::stdin();
    let stdin = stdin.as_fd();
    let mut pipe = [PollFd::new(&stdin, PollFlags::IN)];
    let _ = poll(&mut pipe, Some(&Timespec::default()));
    let is_held = !pipe[0].revents().contains(PollFlags::HUP);
    is_held.then(|| fs::read_link("/proc/self/fd/0").ok())?
}

/// Whether a process works in the folder and was left by its parent to whom we were left, too. Cost: up to two files of `/proc`.
fn is_orphan_in(folder: &Path, process: Pid) -> bool {
    let file = |name| format!("/proc/{}/{name}", process.as_raw_nonzero());
    if !fs::read_link(file("cwd")).is_ok_and(|place| place.starts_with(folder)) {
        return false;
    }
    let status = fs::read_to_string(file("status")).unwrap_or_default();
    let mut lines = status.lines();
    let parent = lines.find_map(|line| line.strip_prefix("PPid:"));
    let parent = parent.and_then(|parent| parse_pid(parent.trim().as_bytes()));
    parent.is_some() && parent == getppid()
}

/// Whether a process has opened this file. Cost: a look at each of its open files.
fn holds(process: Pid, file: Option<&Path>) -> bool {
    let Some(file) = file else { return false };
    let opened = fs::read_dir(format!("/proc/{}/fd", process.as_raw_nonzero()));
    let mut opened = opened.into_iter().flatten().flatten();
    opened.any(|entry| fs::read_link(entry.path()).is_ok_and(|opened| opened == file))
}

/// All that are there but ourselves.
pub(super) fn processes() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| parse_pid(entry.file_name().as_bytes()));
    pids.filter(|&process| process != getpid())
}
