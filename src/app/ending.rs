//! The end of a run: the result is tested once more, written, and told about.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{self, Path};

use super::{Run, Verified, layout};
use crate::config::{Place, Trust};
use crate::engine::{Runs, Verification, verify};
use crate::error::{Error, exit, shell_word};
use crate::oracle::Check;
use crate::report::{FileSummary, Stop, Summary};
use crate::strategy::kinds_of_single_changes;
use crate::syntax::Lexis;

/// A result of a check that errs is tested so often at the end.
const RUNS_IF_FLAKY: u32 = 10;

impl Run<'_> {
    /// Tests the result once more, as a run of its own; also when nothing got smaller, because that may have another reason
    /// than the file. Not after a signal: who sent it wants an end.
    pub(super) fn verify(&mut self) -> Result<(), Error> {
        let inputs = self.config.inputs();
        let changed = (0..inputs.len())
            .rev()
            .find(|&index| self.is_smaller(index));
        if self.is_interrupted() || (changed.is_none() && self.totals.queries == 0) {
            return Ok(());
        }
        let changed = changed.unwrap_or(0);
        let found = match self.last_test {
            // It was done beside the last queries.
            Some(was_interesting) => Verification {
                runs: 1,
                interesting: u32::from(was_interesting),
            },
            None => self.test_result_again(changed)?,
        };
        self.totals.verification_queries += u64::from(found.runs);
        if self.is_worse(found) && !self.is_interrupted() {
            self.verified = if found.interesting == 0 {
                Verified::Never
            } else {
                Verified::Sometimes
            };
            self.reporter.warn(format!(
                "the check accepted the result in {} of {} runs at the end, though it had accepted it before",
                found.interesting, found.runs
            ));
        }
        Ok(())
    }

    /// Runs the check on the result, and as often again if it shows by chance only and was not seen.
    fn test_result_again(&mut self, changed: usize) -> Result<Verification, Error> {
        let found = self.test_result(changed)?;
        let may_be_chance = matches!(self.config.trust(), Trust::AnyOf(_));
        if found.interesting > 0 || !may_be_chance || self.is_interrupted() {
            return Ok(found);
        }
        let again = self.test_result(changed)?;
        Ok(Verification {
            runs: found.runs + again.runs,
            interesting: again.interesting,
        })
    }

    /// Runs the check on the result, with the file `changed` as the one that gets smaller.
    fn test_result(&mut self, changed: usize) -> Result<Verification, Error> {
        self.reporter.doing("testing the result once more");
        let inputs = self.config.inputs();
        if inputs.len() > 1 {
            self.oracle.rearrange(layout(inputs, &self.files, changed));
        }
        let found = verify(
            &self.oracle,
            &self.files[changed].best,
            Runs {
                count: match self.config.trust() {
                    Trust::AnyOf(runs) => runs.max(RUNS_IF_FLAKY),
                    _ if self.errs() => RUNS_IF_FLAKY,
                    _ => 1,
                },
                attempts: 1,
                jobs: self.config.jobs(),
                time_limit: self.config.time_limit().fixed(),
            },
        );
        Ok(found?)
    }

    /// Whether it is known that the check errs.
    pub(super) fn errs(&self) -> bool {
        self.probe.is_flaky() || self.config.trust() != Trust::OneRun
    }

    /// Whether the result was accepted less often than it must be: always; with `--repeat` once; with `--confidence` half as often
    /// as the original.
    fn is_worse(&self, found: Verification) -> bool {
        match self.config.trust() {
            Trust::OneRun => found.interesting < found.runs,
            Trust::AnyOf(_) => found.interesting == 0,
            Trust::Confidence(_) => {
                f64::from(found.interesting) < 0.5 * self.probe.rate() * f64::from(found.runs)
            }
        }
    }

    /// Writes what is left to write, says what was done and gives the exit code.
    pub(super) fn finish(mut self) -> Result<u8, Error> {
        for index in 0..self.files.len() {
            let is_due = self.result(index).is_some() && !self.is_smaller(index);
            let is_new = matches!(self.config.places().file(index).result(), Place::File(_));
            let work = &mut self.files[index];
            if is_due && is_new {
                // An older result under this name would pass for this run's.
                work.result.save(&work.best)?;
            }
            work.result.finish(&work.best)?;
        }
        let summary = self.summary();
        let told = self.reporter.finish(&summary);
        if let Some(report) = &mut self.report {
            let page = self.reporter.html(&summary);
            report.save(page.as_bytes())?;
            report.finish(page.as_bytes())?;
        }
        told.map_err(|source| self.json_error(source))?;
        Ok(self.exit_code())
    }

    fn json_error(&self, source: io::Error) -> Error {
        let file = self.config.places().json().and_then(Place::path);
        Error::CannotWrite {
            path: file.unwrap_or(Path::new("standard output")).to_owned(),
            source,
        }
    }

    fn exit_code(&self) -> u8 {
        match self.stopped {
            Some(Stop::Interrupted) => self.interrupt.exit_code().unwrap_or(exit::FAILURE),
            _ if self.verified == Verified::Never => exit::FAILURE,
            _ => exit::DONE,
        }
    }

    fn is_smaller(&self, index: usize) -> bool {
        self.files[index].best != self.config.inputs()[index].bytes()
    }

    /// Where the file's result stands; `None` for standard output, and when the run was ended by hand before there was one:
    /// then what an earlier run left under that name stays.
    fn result(&self, index: usize) -> Option<&Path> {
        let by_hand = self.stopped == Some(Stop::Interrupted);
        match self.config.places().file(index).result() {
            Place::File(_) if by_hand && !self.is_smaller(index) => None,
            place => place.path(),
        }
    }

    fn file(&self, index: usize) -> FileSummary {
        let input = &self.config.inputs()[index];
        let (before, after) = (input.bytes(), &self.files[index].best);
        let lexis = Lexis::of(input.language().map(|language| &**language));
        FileSummary {
            name: input.name().to_string_lossy().into_owned(),
            result: self.result(index).map(ToOwned::to_owned),
            language: input.language().map(|language| language.name().to_owned()),
            lexis: lexis.clone(),
            before: before.to_vec(),
            after: after.clone(),
            tokens_before: lexis.count(before),
            tokens_after: lexis.count(after),
        }
    }

    /// Whether the check, which can be believed, has refused each single change of what was written.
    fn is_minimal(&self) -> bool {
        let each_is = self.files.iter().all(|work| work.is_minimal);
        each_is && !self.probe.is_flaky() && self.verified == Verified::Always
    }

    fn summary(&self) -> Summary {
        let complete = self.stopped.is_none();
        Summary {
            files: (0..self.files.len())
                .map(|index| self.file(index))
                .collect(),
            statistics: self.totals.clone(),
            seconds: self.started.elapsed().as_secs_f64(),
            complete,
            swept: if complete && self.is_minimal() {
                kinds_of_single_changes(self.config.plan())
            } else {
                &[]
            },
            recheck: self.recheck(),
        }
    }

    /// The command that tests the results again by hand, from any folder; `None` without result files.
    fn recheck(&self) -> Option<String> {
        let mut words = vec![r#"cd "$(mktemp -d)""#.to_owned()];
        for (index, input) in self.config.inputs().iter().enumerate() {
            let result = path::absolute(self.result(index)?).ok()?;
            let [result, name] = [shell_word(result), as_path(input.name())];
            words.push(format!("cp {result} {name}"));
        }
        let name = shell_word(self.config.inputs()[0].name());
        words.push(command(self.config.check(), &name));
        Some(format!("({}; echo $?)", words.join(" && ")))
    }
}

/// A file's own name as a word that no program takes for an option.
fn as_path(name: &OsStr) -> String {
    if name.as_bytes().starts_with(b"-") {
        shell_word(Path::new(".").join(name))
    } else {
        shell_word(name)
    }
}

fn command(check: &Check, name: &str) -> String {
    match check {
        Check::Script { program } => {
            format!("{} \"$PWD\"/{name}", shell_word(program))
        }
        Check::Command { words, .. } => {
            let words = words
                .iter()
                .map(|word| word.to_string_lossy().replace("@@", &format!("./{name}")));
            words.map(shell_word).collect::<Vec<_>>().join(" ")
        }
    }
}
