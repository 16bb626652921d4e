//! What must be done about jobs when nobody waits for them any more, as shell commands in files: one for each job that is there,
//! written before it is submitted and removed when it has ended.
//!
//! It stands against jobs that stay in a scheduler's queue when paredown is killed. The guard runs what it finds; so does the next
//! run with the same `--state`, after a crash of the machine on which both were.
//!
//! A launcher that is killed while it submits may have sent its request already, which arrives after the command that takes the
//! job away has found nothing. So each command is run a second time some time later, and a third and a fourth one if it fails, as
//! it does while the scheduler restarts. What arrives later still ends on the node: its folder has gone.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// In the run's folder: the folder of these files, or a link to it.
pub(super) const FOLDER: &str = "undo";
/// Removes the run's folder, after a crash.
const RUN_FOLDER: &str = "z-folder";
/// A command that takes longer is killed, and has failed.
const PATIENCE: Duration = Duration::from_secs(20);
/// A submission may be on its way for so long.
const AGAIN: Duration = Duration::from_millis(700);
/// So often a command is run that fails. The pauses between grow.
const MOST_ROUNDS: u32 = 4;
/// So many commands run at a time.
const AT_A_TIME: usize = 16;

/// The folder of the commands.
#[derive(Debug)]
pub(super) struct Undo {
    folder: PathBuf,
    /// Whether it is in a state, where it outlives the run.
    is_kept: bool,
    /// What has been run once, and when.
    once: Mutex<Vec<(Instant, PathBuf)>>,
}

impl Undo {
    /// In `kept`, or else in the run's folder. Runs what an earlier run has left there.
    pub(super) fn open(run_folder: &Path, kept: Option<&Path>) -> io::Result<Self> {
        let inside = run_folder.join(FOLDER);
        let folder = if let Some(kept) = kept {
            fs::create_dir_all(kept)?;
            std::os::unix::fs::symlink(std::path::absolute(kept)?, inside)?;
            run_all(kept);
            kept.to_owned()
        } else {
            fs::create_dir(&inside)?;
            inside
        };
        let undo = Self {
            folder,
            is_kept: kept.is_some(),
            once: Mutex::default(),
        };
        if undo.is_kept {
            let remove = format!("rm -rf {}", super::shell_word(run_folder.as_os_str()));
            undo.add(RUN_FOLDER, &remove)?;
        }
        Ok(undo)
    }

    /// This is to be done for what is about to be started.
    pub(super) fn add(&self, name: &str, command: &str) -> io::Result<()> {
        fs::write(self.folder.join(name), command)
    }

    /// It has ended by itself.
    pub(super) fn forget(&self, name: &str) {
        let _ = fs::remove_file(self.folder.join(name));
    }

    /// Does it now, and again when some time has passed: at the next call, or at the end.
    pub(super) fn run(&self, name: &str) {
        let file = self.folder.join(name);
        run_files(std::slice::from_ref(&file));
        let due: Vec<PathBuf> = {
            let mut once = self.once();
            let due = once.extract_if(.., |(at, _)| at.elapsed() >= AGAIN);
            let due = due.map(|(_, file)| file).collect();
            once.push((Instant::now(), file));
            due
        };
        run_last(&due);
    }

    /// Does all that is still to be done. To be called when nothing more is started.
    pub(super) fn finish(&self) {
        self.forget(RUN_FOLDER);
        run_all(&self.folder);
    }

    fn once(&self) -> MutexGuard<'_, Vec<(Instant, PathBuf)>> {
        self.once.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Undo {
    fn drop(&mut self) {
        if self.is_kept {
            self.forget(RUN_FOLDER);
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

/// For the guard: all that is still to be done for this run.
pub(in crate::oracle) fn undo_all(run_folder: &Path) {
    run_all(&run_folder.join(FOLDER));
}

/// All of them twice, and what fails some more times. What fails to the end stays for the next run.
fn run_all(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    if files.is_empty() {
        return;
    }
    run_files(&files);
    let (mut left, mut pause) = (files, AGAIN);
    for _ in 1..MOST_ROUNDS {
        std::thread::park_timeout(pause);
        left = run_last(&left);
        if left.is_empty() {
            return;
        }
        pause *= 2;
    }
}

/// Runs the commands in these files, and removes the files of those that succeeded. Returns those that failed.
fn run_last(files: &[PathBuf]) -> Vec<PathBuf> {
    let failed = run_files(files);
    for file in files.iter().filter(|file| !failed.contains(file)) {
        let _ = fs::remove_file(file);
    }
    failed
}

/// Runs the commands in these files beside each other. Returns those that failed.
fn run_files(files: &[PathBuf]) -> Vec<PathBuf> {
    let mut failed = Vec::new();
    for some in files.chunks(AT_A_TIME) {
        let started = Instant::now();
        let children: Vec<_> = some.iter().map(|file| start(file)).collect();
        for (file, child) in some.iter().zip(children) {
            if !child.is_some_and(|child| succeeds(child, started)) {
                failed.push(file.clone());
            }
        }
    }
    failed
}

/// Runs a command line of the shell; nobody hears what it says.
#[expect(clippy::disallowed_methods, reason = "this room starts programs")]
fn start(file: &Path) -> Option<Child> {
    let line = fs::read_to_string(file).ok()?;
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(line).current_dir("/");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().ok()
}

fn succeeds(mut child: Child, started: Instant) -> bool {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if started.elapsed() <= PATIENCE => {
                std::thread::park_timeout(Duration::from_millis(5));
            }
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_is_run_twice_and_one_that_fails_stays_for_the_next_run() {
        let folder = tempfile::tempdir().unwrap();
        let (run_folder, kept) = (folder.path().join("run"), folder.path().join("kept"));
        fs::create_dir(&run_folder).unwrap();
        let log = folder.path().join("log");
        let note = |word: &str| format!("echo {word} >> {}", log.display());
        let undo = Undo::open(&run_folder, Some(&kept)).unwrap();
        undo.add("job-1", &note("one")).unwrap();
        undo.add("job-2", &format!("{}; false", note("two")))
            .unwrap();
        undo.add("job-3", &note("three")).unwrap();
        undo.forget("job-3");
        undo.run("job-1");
        assert_eq!(fs::read_to_string(&log).unwrap(), "one\n");
        undo.finish();
        drop(undo);
        let said = fs::read_to_string(&log).unwrap();
        let count = |word| said.lines().filter(|line| *line == word).count();
        assert!(count("one") >= 2, "{said}");
        assert_eq!((count("two"), count("three")), (4, 0), "{said}");
        let left: Vec<_> = fs::read_dir(&kept).unwrap().flatten().collect();
        assert_eq!(left.len(), 1);
        assert_eq!(left[0].file_name(), "job-2");
    }
}
