//! A place where one query at a time runs: its folders and its command, which is the same for every query because the
//! folders are.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use rustix::process::Rlimit;

use super::layout::Layout;
use super::mark::{self, Mark};
use super::process::{Restraints, patiently};
use super::script::ProcessOptions;
use super::workplace::Workplace;
use super::{Check, Limits};

pub(super) struct Slot {
    pub(super) mark: Mark,
    pub(super) workplace: Workplace,
    /// What is run, one after the other.
    pub(super) commands: Vec<Command>,
    pub(super) restraints: Restraints,
    /// What the check reads on its standard input; `None`: nothing.
    stdin: Option<PathBuf>,
    pub(super) limits: Limits,
    pub(super) private_home: bool,
    directed: Option<Output>,
}

/// What all slots get from this process.
pub(super) struct Inherited {
    /// An open `/dev/null`.
    pub(super) null: File,
    /// How many files a check may have open.
    pub(super) files: Rlimit,
}

/// Where a run's output goes: never into a pipe, which somebody would have to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    Discarded,
    Captured,
}

impl Slot {
    /// Makes the folders below the mark's.
    pub(super) fn new(
        mark: Mark,
        layout: &Layout,
        check: &Check,
        options: &ProcessOptions,
        inherited: &Inherited,
    ) -> io::Result<Self> {
        let is_launched = options.launcher.is_some();
        let workplace = Workplace::new(mark.folder().to_owned(), layout, is_launched)?;
        let arguments = workplace.arguments();
        let mut commands = vec![command_of(&check.words(&arguments, options.stdin))];
        let second = check.second_words(&arguments);
        commands.extend(second.map(|words| command_of(&words)));
        for command in &mut commands {
            command
                .current_dir(workplace.work())
                .env("PWD", workplace.work());
            for name in ["TMPDIR", "TMP", "TEMP"] {
                command.env(name, workplace.tmp());
            }
            if options.private_home {
                command.env("HOME", workplace.tmp());
            }
            command
                .env(mark::VARIABLE, mark.folder())
                .stdin(inherited.null.try_clone()?);
        }
        let stdin = arguments.into_iter().next().filter(|_| options.stdin);
        Ok(Self {
            stdin,
            restraints: Restraints::new(&options.limits, &inherited.files),
            limits: options.limits,
            private_home: options.private_home,
            mark,
            workplace,
            commands,
            directed: None,
        })
    }

    /// Puts the candidate in its place and opens where the output goes.
    pub(super) fn prepare(
        &mut self,
        candidate: &[u8],
        output: Output,
        null: &File,
    ) -> io::Result<()> {
        patiently(|| self.workplace.fill(candidate))?;
        if let Some(path) = &self.stdin {
            // Each run reads it from the beginning.
            for command in &mut self.commands {
                command.stdin(File::open(path)?);
            }
        }
        if self.directed == Some(output) {
            return Ok(());
        }
        let (stdout, stderr) = match output {
            Output::Discarded => (null, null),
            Output::Captured => (&self.workplace.stdout, &self.workplace.stderr),
        };
        for command in &mut self.commands {
            command.stdout(Stdio::from(stdout.try_clone()?));
            command.stderr(Stdio::from(stderr.try_clone()?));
        }
        self.directed = Some(output);
        Ok(())
    }

    /// Whether the check gets the candidate on its standard input.
    pub(super) fn reads_stdin(&self) -> bool {
        self.stdin.is_some()
    }

    /// After a run, of which all processes are dead: makes the folders as they were before, and forgets what was printed, which
    /// may be much.
    pub(super) fn clean(&mut self) -> io::Result<()> {
        if self.directed == Some(Output::Captured) {
            self.workplace.clear_captures()?;
        }
        self.workplace.clean()
    }
}

#[expect(clippy::disallowed_methods, reason = "this room starts programs")]
fn command_of(words: &[OsString]) -> Command {
    let mut words = words.iter();
    let mut command = Command::new(
        words
            .next()
            .map_or(std::ffi::OsStr::new(""), OsString::as_os_str),
    );
    command.args(words).process_group(0);
    command
}
