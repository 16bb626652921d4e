//! Before any work: is the original interesting, always, and does the check reject the empty file?

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{self, PathBuf};
use std::time::Duration;

use super::material::Unit;
use super::{Run, state};
use crate::config::{Folder, Input, Trust};
use crate::doctor::{Subject, ending, why_empty_is_accepted, why_refused};
use crate::engine::{Probe, Runs, accepts_empty, probe, verify};
use crate::error::{Blind, Error, FirstRun, shell_word};
use crate::folder::Entry;
use crate::oracle::{self, Check, Examination};
use crate::output::real_path;
use crate::report::Finding;

/// The original is run so often.
const RUNS: u32 = 3;
/// A confident answer needs to know how often the original itself is accepted.
const RUNS_FOR_CONFIDENCE: u32 = 21;
/// So many lines of what the check printed are shown.
const LINES_SHOWN: usize = 10;
const LINE_LENGTH_SHOWN: usize = 200;
/// No new attempt to find out why the original is refused begins after this time,
const PATIENCE: Duration = Duration::from_secs(5);
/// and none takes longer than this.
const LONGEST_TRIAL: Duration = Duration::from_secs(20);
/// What no check wants that looks at its candidate.
const OTHER_TEXT: &[u8] = b"paredown asks whether the check looks at this file\n";

impl Run<'_> {
    /// Runs the check on the original until it is known how it behaves.
    ///
    /// # Errors
    /// [`Error::NotInteresting`] with a folder to repeat the run in.
    pub(super) fn check_original(&mut self) -> Result<(), Error> {
        self.reporter
            .doing("testing whether the original is interesting");
        let original = &self.material.best(self.material.first_unit());
        let limit = self.config.time_limit().fixed();
        let count = match self.config.trust() {
            Trust::Confidence(_) => RUNS_FOR_CONFIDENCE,
            _ => RUNS,
        };
        let runs = Runs {
            count,
            attempts: match self.config.trust() {
                Trust::OneRun => 1,
                // A wrong no ends the whole run here, not one candidate.
                Trust::AnyOf(runs) => 2 * runs,
                Trust::Confidence(_) => RUNS_FOR_CONFIDENCE,
            },
            jobs: self.config.jobs(),
            time_limit: limit,
        };
        self.tally.totals.verification_queries += u64::from(self.oracle.learn(original, limit)?);
        let (oracle, mut seen) = (&self.oracle, None);
        let first = || -> Result<oracle::Run, Error> {
            let examined = oracle.examine(original, limit)?;
            Ok(seen.insert(examined).run)
        };
        let probe = probe(oracle, original, runs, first)?;
        let (Some(probe), Some(first)) = (probe, seen) else {
            return Ok(());
        };
        if probe.interesting == 0 {
            return Err(self.not_interesting(original, &first)?);
        }
        self.tally.totals.verification_queries += probe.queries;
        self.probe = probe;
        self.warn_about_the_check();
        self.look_at_the_empty_file(limit)
    }

    /// A check that accepts the empty file mostly looks at another one.
    fn look_at_the_empty_file(&mut self, limit: Option<Duration>) -> Result<(), Error> {
        let keeps_something = match self.config.folder() {
            Some(folder) => folder.shape().fixed.contains(&true),
            None => !self.config.inputs()[0].kept().is_empty(),
        };
        if self.config.allows_empty() || keeps_something {
            return Ok(());
        }
        let (accepts, runs) = accepts_empty(&self.oracle, &self.probe, self.repeat(), limit)?;
        self.tally.totals.verification_queries += u64::from(runs);
        if accepts != Some(true) {
            return Ok(());
        }
        if self.material.files.len() == 1
            || self.material.tree.is_some()
            || self.accepts_all_empty()?
        {
            return Err(self.empty_accepted()?);
        }
        let first = &self.config.inputs()[0];
        if first.bytes().is_empty() {
            return Ok(());
        }
        let name = first.name().display();
        self.reporter.warn(format!(
            "the check accepts the files also when {name} is empty; if it should need {name}, look at the check"
        ));
        Ok(())
    }

    /// Whether none of several files is needed.
    fn accepts_all_empty(&mut self) -> Result<bool, Error> {
        let usual = self.material.layout(Unit::File(0));
        let mut empty = usual.clone();
        for entry in &mut empty.companions {
            *entry = Entry::file(&entry.name, entry.mode, *b"");
        }
        self.oracle.rearrange(empty);
        let accepts = self.accepts(b"")?;
        self.oracle.rearrange(usual);
        Ok(accepts)
    }

    /// Whether one run of the check accepts this candidate.
    fn accepts(&mut self, candidate: &[u8]) -> Result<bool, Error> {
        let runs = Runs {
            count: 1,
            attempts: 1,
            jobs: 1,
            time_limit: self.config.time_limit().fixed(),
        };
        let found = verify(&self.oracle, candidate, runs)?;
        self.tally.totals.verification_queries += u64::from(found.runs);
        Ok(found.interesting > 0)
    }

    /// Why a check that accepts the empty file does so, as far as that can be found out.
    fn empty_accepted(&mut self) -> Result<Error, Error> {
        let folder = self.config.folder().map(Folder::path);
        let path = folder.unwrap_or_else(|| self.config.inputs()[0].path());
        let why = match self.original_in_check() {
            Some(original) => Blind::ReadsOriginal(original),
            // A folder without all it had is one with other content too.
            None if folder.is_none() && self.accepts(OTHER_TEXT)? => Blind::NeverLooks,
            None => Blind::Unknown,
        };
        let path = path.to_owned();
        let cause = match self.material.tree {
            Some(_) => None,
            None => why_empty_is_accepted(self.subject())?,
        };
        let remedy = cause.and_then(|cause| cause.remedy);
        Ok(Error::EmptyAccepted { path, why, remedy })
    }

    /// The absolute path of an input, if the check names it.
    fn original_in_check(&self) -> Option<PathBuf> {
        let mut texts: Vec<Vec<u8>> = state::check_files(self.config.check())
            .into_iter()
            .filter_map(|file| fs::read(file).ok())
            .collect();
        if let Check::Command { words, .. } = self.config.check() {
            texts.extend(words.iter().map(|word| word.as_bytes().to_vec()));
        }
        let inputs = self.config.inputs().iter().map(Input::path);
        let inputs = inputs.chain(self.config.folder().map(Folder::path));
        let absolute =
            inputs.flat_map(|path| [real_path(path), path::absolute(path).unwrap_or_default()]);
        let mut named = absolute.filter(|path| {
            let path = path.as_os_str().as_bytes();
            let is_in = |text: &Vec<u8>| text.windows(path.len().max(1)).any(|part| part == path);
            texts.iter().any(is_in)
        });
        named.next()
    }

    fn warn_about_the_check(&mut self) {
        let Probe {
            runs, interesting, ..
        } = self.probe;
        if self.probe.is_flaky() {
            let help = match self.config.trust() {
                Trust::OneRun => "; to be surer of each answer: --confidence 0.99",
                _ => "",
            };
            self.reporter.warn(format!(
                "the check accepted the original in {interesting} of {runs} runs only{help}"
            ));
        }
    }

    fn not_interesting(&mut self, original: &[u8], run: &Examination) -> Result<Error, Error> {
        let (folder, words) = self.oracle.keep_for_inspection(original)?;
        let cause = self.cause(run)?;
        let mut command = words.iter().map(shell_word).collect::<Vec<_>>().join(" ");
        if let (true, Some(name)) = (self.config.is_on_stdin(), self.config.arguments().first()) {
            command = format!("{command} < {}", shell_word(folder.join(name)));
        }
        let enter = shell_word(&folder);
        Ok(Error::NotInteresting(Box::new(FirstRun {
            repeat: format!("cd {enter} && {command}; echo $?"),
            command,
            folder,
            status: ending(run),
            wanted: self.config.wanted(),
            remedy: cause.as_ref().and_then(|cause| cause.remedy.clone()),
            cause: cause.map(|cause| cause.text),
            last_lines: last_lines(&[&run.stdout, &run.stderr]),
        })))
    }

    /// What keeps the check from accepting the original. Not after a signal: who sent it wants an end.
    fn cause(&mut self, run: &Examination) -> Result<Option<Finding>, Error> {
        if self.is_interrupted() || self.material.tree.is_some() {
            return Ok(None);
        }
        self.reporter.doing("finding out why it is not interesting");
        let cause = why_refused(self.subject(), run, PATIENCE)?;
        Ok(cause.filter(|_| !self.is_interrupted()))
    }

    /// The check, to be run under other circumstances. Nothing else can be asked afterwards.
    fn subject(&mut self) -> Subject<'_> {
        Subject {
            layout: self.material.layout(Unit::File(0)),
            oracle: &mut self.oracle,
            check: self.config.check(),
            inputs: self.config.inputs(),
            time_limit: self.config.time_limit().fixed().unwrap_or(LONGEST_TRIAL),
            folder: std::env::current_dir().unwrap_or_default(),
        }
    }
}

/// The end of each output, without what would disturb a terminal.
fn last_lines(outputs: &[&[u8]]) -> Vec<String> {
    let mut shown = Vec::new();
    for output in outputs {
        let text = String::from_utf8_lossy(output);
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        let first = lines.len().saturating_sub(LINES_SHOWN);
        let plain = |c: &char| !c.is_control() || *c == '\t';
        shown.extend(
            lines[first..]
                .iter()
                .map(|line| line.chars().filter(plain).take(LINE_LENGTH_SHOWN).collect()),
        );
    }
    shown
}
