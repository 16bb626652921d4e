//! What must be done about jobs when nobody waits for them any more, as shell commands in files: one for each job that is there,
//! written before it is submitted and removed when it has ended.
//!
//! It stands against jobs that stay in a scheduler's queue when paredown is killed. The guard runs what it finds; so does the next
//! run with the same `--state`, after a crash of the machine on which both were.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// In the run's folder: the folder of these files, or a link to it.
pub(super) const FOLDER: &str = "undo";
/// A command that takes longer is left.
const PATIENCE: Duration = Duration::from_secs(20);
/// A submission may be on its way when its launcher is killed, and arrive after the command.
const AGAIN: Duration = Duration::from_millis(700);

/// The folder of the commands.
#[derive(Debug)]
pub(super) struct Undo {
    folder: PathBuf,
    /// Whether it is in a state, where it outlives the run.
    is_kept: bool,
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
        };
        if undo.is_kept {
            let remove = format!("rm -rf {}", super::shell_word(run_folder.as_os_str()));
            undo.add("z-folder", &remove)?;
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

    /// Does it now.
    pub(super) fn run(&self, name: &str) {
        run_and_remove(&self.folder.join(name));
    }
}

impl Drop for Undo {
    fn drop(&mut self) {
        if self.is_kept {
            self.forget("z-folder");
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

/// For the guard: all that is still to be done for this run.
pub(in crate::oracle) fn undo_all(run_folder: &Path) {
    run_all(&run_folder.join(FOLDER));
}

/// In the order of the names, all of them twice.
fn run_all(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    let commands: Vec<String> = files
        .iter()
        .filter_map(|file| fs::read_to_string(file).ok())
        .collect();
    if commands.is_empty() {
        return;
    }
    for command in &commands {
        run(command);
    }
    std::thread::park_timeout(AGAIN);
    for (file, command) in files.iter().zip(&commands) {
        run(command);
        let _ = fs::remove_file(file);
    }
}

fn run_and_remove(file: &Path) {
    if let Ok(command) = fs::read_to_string(file) {
        run(&command);
        let _ = fs::remove_file(file);
    }
}

/// Runs a command line of the shell for so long; nobody hears what it says.
#[expect(clippy::disallowed_methods, reason = "this room starts programs")]
fn run(line: &str) {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", line]).current_dir("/");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else {
        return;
    };
    let started = Instant::now();
    while matches!(child.try_wait(), Ok(None)) {
        if started.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return;
        }
        std::thread::park_timeout(Duration::from_millis(5));
    }
}
