//! What a run works with: the command line turned into paths that exist, bytes that were read and values that fit together.
//!
//! Everything that can fail or ask the system before the first run of the check happens here, so that a run which would end in
//! a complaint complains before any work is done and before anything is written.

mod algorithm;
mod check;
mod clashes;
mod folder;
mod grammar;
mod inputs;
mod keep;
mod launcher;
mod places;
mod rewrites;
mod similar;
mod useless;

use std::ffi::OsString;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

pub use folder::Folder;
pub use inputs::{Input, refuse_other_than_file};
pub use keep::Kept;
pub use places::{FilePlaces, Place, Places};

use crate::cli::{Args, Measure, Progress};
use crate::engine::TimeLimit;
use crate::error::{Error, shell_word};
use crate::oracle::{Check, Launcher, Limits, ProcessOptions, jobs_that_fit};
use crate::strategy::{Effort, Plan};

/// A run's settings; made by [`Config::from_args`] only.
#[derive(Debug)]
pub struct Config {
    check: Check,
    inputs: inputs::Inputs,
    plan: Plan,
    places: Places,
    jobs: usize,
    warnings: Vec<String>,
    transforms: Vec<Vec<OsString>>,
    launcher: Option<Launcher>,
    args: Args,
}

/// How sure an answer of the check must be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Trust {
    /// One run says it.
    OneRun,
    /// At most so many runs, until one is interesting.
    AnyOf(u32),
    /// As many runs as it takes to be this sure.
    Confidence(f64),
}

impl Config {
    /// Turns what was typed into what can be done.
    ///
    /// # Errors
    /// [`Error::Usage`] for options that do not fit together; otherwise whatever is wrong with the check, the files or the
    /// places for the results.
    pub fn from_args(args: Args) -> Result<Self, Error> {
        let (check, files) = check::check_and_files(&args)?;
        let inputs = inputs::read(&args, files)?;
        let plan = algorithm::plan(&args)?;
        let places = Places::decide(&args, &check, files, &inputs)?;
        let launcher = launcher::launcher(&args)?;
        let mut warnings = useless::options(&args);
        warnings.extend(useless::limits(&args));
        warnings.extend(useless::patterns(&args, &inputs.files)?);
        warnings.extend(inputs.warnings.iter().cloned());
        let wanted = args.jobs.map_or_else(cores, |jobs| jobs as usize);
        let jobs = jobs_that_fit(wanted);
        if jobs < wanted && args.jobs.is_some() {
            warnings.push(format!(
                "the limit of open files is too low for -j {wanted}, so it is -j {jobs}; to allow more: ulimit -n 1024"
            ));
        }
        Ok(Self {
            check,
            inputs,
            plan,
            places,
            jobs,
            warnings,
            launcher,
            transforms: args
                .input
                .transform
                .iter()
                .map(|text| in_shell(text))
                .collect(),
            args,
        })
    }

    /// What is run to test a candidate.
    pub fn check(&self) -> &Check {
        &self.check
    }

    /// The files to reduce inside; at least one, unless there is a folder.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs.files
    }

    /// All that is there, when one of the inputs is a folder.
    pub fn folder(&self) -> Option<&Folder> {
        self.inputs.folder.as_ref()
    }

    /// The commands of `--transform`; `@@` in each stands for the candidate's path.
    pub fn transforms(&self) -> &[Vec<OsString>] {
        &self.transforms
    }

    /// The same as they were typed.
    pub fn transforms_as_typed(&self) -> &[String] {
        &self.args.input.transform
    }

    /// By what the output of a transformation must be smaller.
    pub fn measure(&self) -> Measure {
        self.args.input.measure
    }

    /// Whether the check gets the candidate on its standard input.
    pub fn is_on_stdin(&self) -> bool {
        self.args.input.stdin
    }

    /// The names of the inputs on the command line, which the check gets as its arguments: from where it runs.
    pub fn arguments(&self) -> &[PathBuf] {
        &self.inputs.arguments
    }

    /// The name of the folder that the check runs in, if that matters.
    pub fn top(&self) -> Option<&OsString> {
        self.inputs.top.as_ref()
    }

    /// How candidates are made.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The options that decide which candidates are made, as a text to compare. More effort asks the same questions first.
    pub fn result_options(&self) -> String {
        let args = &self.args;
        let names = &args.keep;
        let input = &args.input;
        let rewrites = rewrites::texts(self.inputs());
        let plan = Plan {
            effort: Effort::Normal,
            ..self.plan.clone()
        };
        format!(
            "{plan:?} {:?} {names:?} {input:?} {rewrites:?}",
            args.language
        )
    }

    /// What makes a run of the check interesting, in words.
    pub fn wanted(&self) -> String {
        let quoted = |option: &str, value: Option<&String>| {
            value.map(|value| format!("{option} {}", shell_word(value)))
        };
        let conditions = [
            quoted("--exit-code", self.args.exit_code.as_ref()),
            quoted("--signal", self.args.signal.as_ref()),
            quoted("--stdout", self.args.stdout.as_ref()),
            quoted("--stderr", self.args.stderr.as_ref()),
        ];
        let property = &self.args.property;
        let seconds = property
            .timeout_is_interesting
            .map(|limit| limit.as_secs_f64());
        let others = [
            seconds.map(|limit| format!("no end within {limit} s")),
            property
                .memory_is_interesting
                .map(|most| format!("more than {most} MiB of memory")),
            property
                .same_crash
                .then(|| "a crash, the same each time".to_owned()),
            property
                .differs
                .map(|_| "a difference between the two commands".to_owned()),
        ];
        let given: Vec<String> = conditions.into_iter().chain(others).flatten().collect();
        if given.is_empty() {
            "exit status 0".into()
        } else {
            given.join(" ")
        }
    }

    /// How many checks run at a time.
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// How checks are run.
    pub fn process_options(&self) -> ProcessOptions {
        let defaults = Limits::default();
        // A process that grows without end must not take all there is.
        let enough_memory = self.args.property.memory_is_interesting;
        let enough_memory =
            enough_memory.map(|most| most.saturating_mul(4).saturating_add(1 << 10));
        let mebibytes = |limit: Option<u64>| limit.map(|mebibytes| mebibytes << 20);
        ProcessOptions {
            jobs: self.jobs,
            limits: Limits {
                memory: mebibytes(self.args.memory_limit.or(enough_memory)),
                cpu: self.args.cpu_limit,
                file_size: mebibytes(self.args.file_limit).or(defaults.file_size),
                files: self.args.open_files_limit.or(defaults.files),
            },
            also_interesting: self.args.also_interesting.map(i32::from),
            stdin: self.args.input.stdin,
            private_home: self.args.private_home,
            // Without a guard a run is as good until it is killed, so that it cannot be found is no error.
            guard: std::env::current_exe().ok(),
            remove_if_killed: Vec::new(),
            launcher: self.launcher.clone(),
            work_dir: self.args.launch.work_dir.clone(),
            pool: self.args.launch.pool.clone(),
            undo: self.places.state().map(|state| state.join(UNDO)),
        }
    }

    /// How long one run of the check may take.
    pub fn time_limit(&self) -> TimeLimit {
        let hang = self.args.property.timeout_is_interesting;
        // The oracle ends what hangs before.
        let longer = hang.map(|hang| hang.saturating_mul(2));
        self.args
            .timeout
            .or(longer)
            .map_or(TimeLimit::Adaptive, TimeLimit::Fixed)
    }

    /// How sure an answer must be.
    pub fn trust(&self) -> Trust {
        match (self.args.repeat, self.args.confidence) {
            (Some(runs), _) if runs > 1 => Trust::AnyOf(runs),
            (_, Some(confidence)) => Trust::Confidence(confidence),
            _ => Trust::OneRun,
        }
    }

    /// Whether a result may be empty.
    pub fn allows_empty(&self) -> bool {
        self.args.allow_empty
    }

    /// What the user should know before anything is done.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Stop after this much time.
    pub fn max_time(&self) -> Option<Duration> {
        self.args.max_time
    }

    /// Stop after so many queries.
    pub fn max_queries(&self) -> Option<u64> {
        self.args.max_queries
    }

    /// Stop when all files together are this small.
    pub fn target_bytes(&self) -> Option<usize> {
        self.args
            .target_bytes
            .map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX))
    }

    /// Where everything goes.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// What everybody may do who may do it with every input, for what has text of all of them: without running it.
    pub fn mode_of_copies(&self) -> u32 {
        const NOT_RUN: u32 = 0o666;
        let modes = self.inputs.files.iter().map(Input::mode);
        modes.fold(NOT_RUN, |all, mode| all & mode)
    }

    /// How much is said: 0 with `--quiet`, 1 by default, one more for each `-v`.
    pub fn verbosity(&self) -> u8 {
        if self.args.quiet {
            0
        } else {
            self.args.verbose.saturating_add(1)
        }
    }

    /// Whether a progress bar is wished for.
    pub fn progress(&self) -> Progress {
        self.args.saying.progress
    }
}

/// In the folder of a state: what takes a launcher's jobs away.
const UNDO: &str = "jobs";

/// A command line for a shell, in which `@@` stands for the file, or which reads that from its standard input.
fn in_shell(text: &str) -> Vec<OsString> {
    const PATH: &str = "\"$1\"";
    let quoted = ["'@@'", "\"@@\""]
        .iter()
        .fold(text.to_owned(), |text, marker| text.replace(marker, PATH));
    let filled = quoted.replace("@@", PATH);
    let script = if filled == text {
        format!("{{ {text}\n}} < {PATH}")
    } else {
        filled
    };
    ["/bin/sh", "-c", &script, "sh", "@@"]
        .map(OsString::from)
        .into()
}

/// How many checks run at a time when nothing else is said.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
