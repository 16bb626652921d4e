//! Cleans up when paredown itself is killed.
//!
//! The guard is paredown started a second time with a hidden argument, connected by a pipe that nobody writes to. When the
//! pipe closes, paredown has ended in whatever way. If the run's folder is still there then, the guard kills the process
//! groups that were running and every process that carries the run's mark, and removes the folder.
//! `prctl(PR_SET_PDEATHSIG)` would reach only the check itself, not what it started, and needs a hook before `exec`.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, getpid, kill_process, kill_process_group};

use super::mark::Mark;
use super::process::pid_of;
use super::strays::parse_pid;
use super::workplace::remove_run_folder;

/// The hidden argument.
const ROLE: &str = "__guard";
/// In the run's folder: the running process groups, one for each slot, as four bytes.
pub(super) const GROUPS: &str = "groups";

/// The guard of a run; dismissed when dropped, which must be the last thing of the run.
#[derive(Debug)]
pub(super) struct Guard(Child);

impl Guard {
    /// Starts one. `remove` are files that are to go with the folder.
    #[expect(clippy::disallowed_methods, reason = "this room starts programs")]
    pub(super) fn start(program: &Path, run_folder: &Path, remove: &[PathBuf]) -> io::Result<Self> {
        let mut command = Command::new(program);
        // It stands in the root folder, so that it keeps no other one busy.
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        command.arg(ROLE).arg(absolute(run_folder));
        command.args(remove.iter().map(|path| absolute(path)));
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // Ctrl-C at the terminal goes to our group only.
        command.process_group(0).current_dir("/").spawn().map(Self)
    }

    /// Ends it before it does anything.
    pub(super) fn call_off(&self) {
        if let Some(pid) = self.pid() {
            let _ = kill_process(pid, Signal::KILL);
        }
    }

    pub(super) fn pid(&self) -> Option<Pid> {
        pid_of(&self.0)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// To be called first in `main`: if this process was started as a guard, does the guard's work and returns `true`.
pub fn serve_as_guard() -> bool {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().as_deref() != Some(OsStr::new(ROLE)) {
        return false;
    }
    if let Some(run_folder) = arguments.next() {
        let files: Vec<_> = arguments.map(PathBuf::from).collect();
        watch(Path::new(&run_folder), &files);
    }
    true
}

fn watch(run_folder: &Path, files: &[PathBuf]) {
    crate::interrupt::outlive_signals();
    let _ = io::copy(&mut io::stdin(), &mut io::sink());
    if fs::symlink_metadata(run_folder).is_ok() {
        kill_all(run_folder);
        remove_run_folder(run_folder);
    }
    for file in files {
        let _ = fs::remove_file(file);
    }
}

/// Until nobody is found any more: a process that is being killed may start another one meanwhile.
fn kill_all(run_folder: &Path) {
    const ROUNDS: u32 = 500;
    const PAUSE: Duration = Duration::from_millis(2);
    let mark = Mark::of(run_folder.to_owned());
    for group in groups(run_folder) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    for _ in 0..ROUNDS {
        let mut found = processes()
            .filter(|&process| mark.is_on(process))
            .peekable();
        if found.peek().is_none() {
            return;
        }
        for process in found {
            let _ = kill_process(process, Signal::KILL);
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

fn processes() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| parse_pid(entry.file_name().as_bytes()));
    pids.filter(|&process| process != getpid())
}
