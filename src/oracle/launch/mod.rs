//! Checks that run elsewhere: on nodes of a cluster, on other hosts, in containers.
//!
//! The scheduler is the user's. A [`Launcher`] is a few lines of shell text: what stands before a check's command, and how a job is
//! cancelled. What it runs there is a script of ours (`wrapper`) that writes the verdict to a file; a launcher that ends without a
//! verdict has lost the job, whatever its exit code is, and the query is run again after a pause that grows. So no failure of a
//! cluster is ever taken for an answer.
//!
//! Each attempt has a folder of its own unless the one before it ended with a verdict: a job that was lost may still be running
//! somewhere, and must neither see nor change what belongs to another query. When its folder goes, it ends by itself.
//!
//! Tests: `tests/it/launch.rs` with a scheduler of a few lines that delays, loses and refuses jobs and with a program that stands for
//! docker, `tests/it/slurm.rs` and `tests/it/ssh.rs` with the real ones.

mod attempt;
mod beside;
mod text;
mod undo;
mod wrapper;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

pub(super) use attempt::{Asked, Attempt, Ran};
use text::shell_word;
pub(super) use undo::undo_all;

use super::OracleError;
use beside::Beside;
use text::fill_in;
use undo::Undo;

/// The ready-made launchers, in the format of a user's own.
pub const READY_MADE: &str = include_str!("launchers.toml");

/// How a check is brought to where it runs. All texts are for a shell; in them stand `{dir}` (the query's folder), `{file}` (the
/// candidate), `{timeout}` (the check's time limit in seconds, 0 without one), `{name}` (of the job), `{run}` (what all names of this
/// run begin with), `{local}` (a folder of the run on this machine), `{jobs}` (how many run at a time), `{item}` and `{number}`
/// (a host or an image of those that were given, and which of them it is).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launcher {
    /// As it was given, for messages.
    pub name: String,
    /// What runs a job and waits for its end; the command is put behind it.
    pub run: String,
    /// Whether `run` says itself where the command stands.
    pub whole: bool,
    /// Whether the check itself is not there where it runs, and is sent with the candidate.
    pub copies: bool,
    /// What takes a job away.
    pub cancel: Option<String>,
    /// What stands beside the jobs as long as the run goes on, for each item.
    pub beside: Option<String>,
    /// A path that is there as soon as that can be used.
    pub ready: Option<String>,
    /// What takes all jobs of the run away, at the end.
    pub close: Option<String>,
    /// Hosts or images; each slot has one of them, and takes another when its job was lost.
    pub items: Vec<String>,
    /// How long jobs may be lost one after the other.
    pub patience: Duration,
}

/// A launcher at work.
pub(super) struct Launching {
    launcher: Launcher,
    run_folder: PathBuf,
    jobs: usize,
    undo: Undo,
    beside: Vec<Beside>,
    numbers: AtomicU64,
    /// Whether any job ever came to a verdict.
    has_worked: AtomicBool,
    lost: Mutex<Lost>,
}

/// Jobs that ended without a verdict and were run again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// How many.
    pub jobs: u64,
    /// What the launcher said about the last of them.
    pub said: String,
}

impl Launching {
    /// Nothing is started yet. Jobs of an earlier run whose machine has crashed are cancelled if their undo folder is `kept`.
    pub(super) fn new(
        launcher: &Launcher,
        run_folder: &Path,
        jobs: usize,
        kept: Option<&Path>,
    ) -> Result<Self, OracleError> {
        let system = |source| OracleError::System {
            action: "write down what undoes the launcher's jobs",
            source,
        };
        let undo = Undo::open(run_folder, kept).map_err(system)?;
        let mut launching = Self {
            launcher: launcher.clone(),
            run_folder: run_folder.to_owned(),
            jobs,
            undo,
            beside: Vec::new(),
            numbers: AtomicU64::new(1),
            has_worked: AtomicBool::new(false),
            lost: Mutex::default(),
        };
        if let Some(close) = &launcher.close {
            launching
                .undo
                .add("close", &launching.filled(close, 0))
                .map_err(system)?;
        }
        if let Some(line) = &launcher.beside {
            let items = 0..launcher.items.len().max(1);
            launching.beside = items.map(|item| launching.new_beside(line, item)).collect();
        }
        Ok(launching)
    }

    fn new_beside(&self, line: &str, item: usize) -> Beside {
        let ready = self
            .launcher
            .ready
            .as_deref()
            .map(|ready| self.filled_plain(ready, item));
        let log = self.run_folder.join(format!("beside-{item}"));
        let ready = ready.map_or_else(|| log.clone(), PathBuf::from);
        Beside::new(self.filled(line, item), ready, log, &self.run_folder)
    }

    /// Whether the check goes with the candidate.
    pub(super) fn copies(&self) -> bool {
        self.launcher.copies
    }

    pub(super) fn lost(&self) -> Lost {
        self.lost
            .lock()
            .map(|lost| lost.clone())
            .unwrap_or_default()
    }

    /// Ends all that stands beside the jobs, and takes away what there is of them. To be called when nothing more is asked.
    pub(super) fn close(&mut self) {
        self.beside.clear();
        self.undo.finish();
    }

    fn next_number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// What all names of this run begin with.
    fn run_name(&self) -> String {
        self.run_folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    }

    /// With what is the same for all jobs, quoted.
    fn filled(&self, text: &str, item: usize) -> String {
        fill_in(text, &self.common(item), true)
    }

    fn filled_plain(&self, text: &str, item: usize) -> String {
        fill_in(text, &self.common(item), false)
    }

    fn common(&self, item: usize) -> Vec<(&'static str, std::ffi::OsString)> {
        vec![
            ("{run}", self.run_name().into()),
            ("{local}", self.run_folder.clone().into()),
            ("{jobs}", self.jobs.to_string().into()),
            (
                "{item}",
                self.launcher
                    .items
                    .get(item)
                    .cloned()
                    .unwrap_or_default()
                    .into(),
            ),
            ("{number}", item.to_string().into()),
        ]
    }
}
