//! Runs of a check under changed circumstances. A few lines of shell in front of the check make them, so that the oracle runs
//! all of them as it runs any query: in a folder of its own, with a time limit, and with nothing left behind.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::Subject;
use super::reading::{Reading, interpreter};
use crate::config::Input;
use crate::error::{Error, shell_word};
use crate::oracle::{Check, Conditions, Examination, Outcome};
use crate::platform::Watch;
use crate::report::duration;

/// A run in an ordinary reduction's search for a cause may take so much longer than the first one did.
const PATIENCE_FACTOR: u32 = 3;
const LEAST_LIMIT: Duration = Duration::from_secs(2);

/// What is different from an ordinary run.
#[derive(Default)]
pub(super) struct Circumstances {
    /// Lines of shell that run before the check, in its folder; `$c` is the candidate's path.
    pub(super) before: String,
    /// Whether the check's standard input is the candidate.
    pub(super) on_stdin: bool,
    /// What `@@`, or a script's argument, stands for instead of the candidate's path.
    pub(super) path: Option<PathBuf>,
    /// The candidate's name in the check's folder instead of its own.
    pub(super) name: Option<OsString>,
    /// Another command, with `@@`.
    pub(super) words: Option<Vec<OsString>>,
}

pub(super) struct Trials<'a> {
    subject: Subject<'a>,
    pub(super) reading: Reading,
    deadline: Option<Instant>,
    slowest: Duration,
    /// The originals, to see whether they are opened.
    pub(super) watch: Watch,
}

impl<'a> Trials<'a> {
    /// With `patience`, no run is begun after that time.
    pub(super) fn new(subject: Subject<'a>, patience: Option<Duration>) -> Self {
        let reading = Reading::of(subject.check, subject.inputs);
        let watch = Watch::on(subject.inputs.iter().map(Input::path));
        Self {
            subject,
            reading,
            deadline: patience.map(|patience| Instant::now() + patience),
            slowest: Duration::ZERO,
            watch,
        }
    }

    pub(super) fn check(&self) -> &'a Check {
        self.subject.check
    }

    /// The file that gets smaller in the trials.
    pub(super) fn input(&self) -> &'a Input {
        &self.subject.inputs[0]
    }

    pub(super) fn inputs(&self) -> &'a [Input] {
        self.subject.inputs
    }

    pub(super) fn original(&self) -> &'a [u8] {
        self.input().bytes()
    }

    pub(super) fn oracle(&self) -> &crate::oracle::ProcessOracle {
        self.subject.oracle
    }

    pub(super) fn time_limit(&self) -> Duration {
        self.subject.time_limit
    }

    /// Where relative names may lead: the script's folder, the input's and the one in which the command line was typed.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        let mut folders = Vec::new();
        let script = self.reading.scripts.first().and_then(|path| path.parent());
        let input = std::path::absolute(self.input().path()).ok();
        let input = input.as_deref().and_then(Path::parent);
        for folder in [script, input, Some(self.subject.folder.as_path())] {
            let new = folder.filter(|folder| !folders.iter().any(|known| known == folder));
            folders.extend(new.map(Path::to_owned));
        }
        folders
    }

    /// A run as in a reduction.
    pub(super) fn usual(&mut self, candidate: &[u8]) -> Result<Examination, Error> {
        self.subject.oracle.rearrange(self.subject.layout.clone());
        self.subject
            .oracle
            .replace_check(self.subject.check.clone());
        self.examine(candidate)
    }

    /// A run in other circumstances; `None` when there is no time left for it.
    pub(super) fn under(
        &mut self,
        candidate: &[u8],
        circumstances: Circumstances,
    ) -> Result<Option<Examination>, Error> {
        if self.deadline.is_some_and(|end| Instant::now() > end) {
            return Ok(None);
        }
        let check = self.changed(&circumstances);
        let mut layout = self.subject.layout.clone();
        if let Some(name) = circumstances.name {
            layout = layout.renamed(Path::new(&name));
        }
        self.subject.oracle.rearrange(layout);
        self.subject.oracle.replace_check(check);
        self.examine(candidate).map(Some)
    }

    /// Whether the check accepts the original in other circumstances.
    pub(super) fn helps(&mut self, circumstances: Circumstances) -> Result<bool, Error> {
        let run = self.under(self.original(), circumstances)?;
        Ok(run.is_some_and(|run| accepts(&run)))
    }

    fn examine(&mut self, candidate: &[u8]) -> Result<Examination, Error> {
        let limit = match self.deadline {
            Some(_) => (self.slowest * PATIENCE_FACTOR).max(LEAST_LIMIT),
            None => self.subject.time_limit,
        };
        let limit = limit.min(self.subject.time_limit);
        let seen = self.subject.oracle.examine(candidate, Some(limit))?;
        self.slowest = self.slowest.max(seen.run.time);
        Ok(seen)
    }

    fn changed(&self, circumstances: &Circumstances) -> Check {
        let conditions = match self.subject.check {
            Check::Script { .. } => Conditions::default(),
            Check::Command { conditions, .. } => conditions.clone(),
        };
        let words = circumstances.words.clone();
        let words = words.unwrap_or_else(|| self.words());
        let words = words.into_iter().map(|word| match &circumstances.path {
            Some(path) => replaced(&word, path.as_os_str()),
            None => word,
        });
        let stdin = if circumstances.on_stdin {
            " < \"$c\""
        } else {
            ""
        };
        let shell = format!("c=$1; shift\n{}\nexec \"$@\"{stdin}", circumstances.before);
        let wrapper = ["/bin/sh", "-c", &shell, "sh", "@@"];
        Check::Command {
            words: wrapper.iter().map(OsString::from).chain(words).collect(),
            conditions,
        }
    }

    /// The command, with `@@` for the candidate.
    pub(super) fn words(&self) -> Vec<OsString> {
        match self.subject.check {
            Check::Script { program } => {
                let others = self.subject.layout.arguments.iter().skip(1);
                let others = others.map(|name| Path::new(".").join(name).into_os_string());
                let own = [program.into(), "@@".into()];
                own.into_iter().chain(others).collect()
            }
            Check::Command { words, .. } => words.clone(),
        }
    }

    /// The command that shows each step of a shell script, when it is one.
    pub(super) fn traced_words(&self) -> Option<Vec<OsString>> {
        let script = self.reading.scripts.first()?;
        let mut traced: Vec<OsString> = interpreter(script)?;
        let is_shell = traced.last().is_some_and(|word| {
            let name = Path::new(word).file_name().and_then(OsStr::to_str);
            ["sh", "bash", "dash", "ksh", "zsh"].contains(&name.unwrap_or_default())
        });
        traced.push("-x".into());
        match self.subject.check {
            Check::Script { program } => traced.extend([program.into(), "@@".into()]),
            Check::Command { words, .. } => traced.extend(words.iter().cloned()),
        }
        is_shell.then_some(traced)
    }
}

/// Whether a run was interesting.
pub(super) fn accepts(seen: &Examination) -> bool {
    seen.run.outcome.is_interesting()
}

/// How a run ended, in words.
pub fn ending(seen: &Examination) -> String {
    match (seen.run.outcome, seen.code) {
        (Outcome::TimedOut, _) => format!("no answer in {}", duration(seen.run.time)),
        (_, code @ 129..=192) => format!("exit status {code}, which is signal {}", code - 128),
        (_, code) => format!("exit status {code}"),
    }
}

/// The last line that a run printed, on standard error if there is one.
pub fn last_line(run: &Examination) -> Option<String> {
    const SHOWN: usize = 160;
    let last = |output: &[u8]| {
        let text = String::from_utf8_lossy(output).into_owned();
        let line = text.lines().rev().find(|line| !line.trim().is_empty());
        line.map(|line| {
            let plain = line.chars().filter(|c| !c.is_control());
            plain.take(SHOWN).collect::<String>().trim().to_owned()
        })
    };
    last(&run.stderr).or_else(|| last(&run.stdout))
}

/// Shell that puts a copy of `from` into the check's folder as `name`.
pub(super) fn copy(from: &Path, name: &Path) -> String {
    let folder = name.parent().filter(|folder| *folder != Path::new(""));
    let make = folder.map(|folder| format!("mkdir -p ./{} && ", shell_word(folder)));
    format!(
        "{}cp -R {} ./{} || exit 99\n",
        make.unwrap_or_default(),
        shell_word(from),
        shell_word(name)
    )
}

fn replaced(word: &OsStr, path: &OsStr) -> OsString {
    crate::oracle::fill_in(word, Path::new(path))
}
