//! The end of a run: the result is tested once more, written, and told about.

use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{self, Path, PathBuf};
use std::sync::Arc;

use super::material::Unit;
use super::tree::TreeWork;
use super::{Run, Verified};
use crate::config::{Folder, Place, Trust};
use crate::engine::{Runs, Verification, verify};
use crate::error::{Error, exit, shell_word};
use crate::oracle::Check;
use crate::report::{Effort, FileSummary, FolderSummary, Stop, Summary, environment};
use crate::strategy::{Effort::Max, Strategy, kinds_of_single_changes};
use crate::syntax::Lexis;

/// A result of a check that errs is tested so often at the end.
const RUNS_IF_FLAKY: u32 = 10;
/// Counting the tokens of a longer text takes a moment.
const MOST_COUNTED: usize = 4 << 20;

impl Run<'_> {
    /// Tests the result once more, as a run of its own; also when nothing got smaller, because that may have another reason
    /// than the file. Not after a signal: who sent it wants an end.
    pub(super) fn verify(&mut self) -> Result<(), Error> {
        let changed = self.material.changed_unit();
        if self.is_interrupted() || (changed.is_none() && self.tally.totals.queries == 0) {
            return Ok(());
        }
        let changed = changed.unwrap_or(self.material.first_unit());
        let found = match self.tally.last_test {
            // It was done beside the last queries.
            Some(was_interesting) => Verification {
                runs: 1,
                interesting: u32::from(was_interesting),
            },
            None => self.test_result_again(changed)?,
        };
        self.tally.totals.verification_queries += u64::from(found.runs);
        if self.is_worse(found) && !self.is_interrupted() {
            self.tally.verified = if found.interesting == 0 {
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
    fn test_result_again(&mut self, changed: Unit) -> Result<Verification, Error> {
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
    fn test_result(&mut self, changed: Unit) -> Result<Verification, Error> {
        self.reporter.doing("testing the result once more");
        if !self.material.is_one_file() {
            self.oracle.rearrange(self.material.layout(changed));
        }
        let best = &self.material.best(changed);
        let found = verify(
            &self.oracle,
            best,
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
        let is_due = self.folder_result().is_some();
        if let (Some(tree), true) = (&mut self.material.tree, is_due) {
            tree.save()?;
        }
        for index in 0..self.material.files.len() {
            let is_due = self.result(index).is_some() && !self.material.is_smaller(index);
            let is_new = matches!(self.config.places().file(index).result(), Place::File(_));
            if self.material.is_gone(index) {
                continue;
            }
            let work = &mut self.material.files[index];
            if is_due && is_new {
                // An older result under this name would pass for this run's.
                work.result.save(&work.best)?;
            }
            work.result.finish(&work.best)?;
            for copy in work.result.of_others() {
                self.reporter.warn(format!(
                    "{} was written to during the run, not by paredown: what that was is kept in {}",
                    shell_word(self.config.inputs()[index].path()),
                    copy.display()
                ));
            }
        }
        let summary = self.summary();
        let told = self.reporter.finish(&summary);
        self.pages.write(&self.reporter, &summary)?;
        self.answers.finish()?;
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
        match self.tally.stopped {
            Some(Stop::Interrupted) => self.interrupt.exit_code().unwrap_or(exit::FAILURE),
            _ if self.tally.verified == Verified::Never => exit::FAILURE,
            _ => exit::DONE,
        }
    }

    /// Where the folder's result stands; see [`Run::result`].
    fn folder_result(&self) -> Option<&Path> {
        let by_hand = self.tally.stopped == Some(Stop::Interrupted);
        let place = self
            .config
            .places()
            .folder()
            .filter(|_| self.material.tree.is_some());
        place.filter(|_| !by_hand || self.material.is_tree_smaller())
    }

    /// Where the file's result stands; `None` for standard output, and when the run was ended by hand before any file had one:
    /// then what an earlier run left under these names stays.
    fn result(&self, index: usize) -> Option<&Path> {
        let by_hand = self.tally.stopped == Some(Stop::Interrupted);
        let mut all = 0..self.material.files.len();
        match self.config.places().file(index).result() {
            Place::File(_) if by_hand && !all.any(|file| self.material.is_smaller(file)) => None,
            place => place.path(),
        }
    }

    fn file(&self, index: usize) -> FileSummary {
        let input = &self.config.inputs()[index];
        let (before, after) = (input.bytes(), &self.material.files[index].best);
        let lexis = Lexis::of(input.language().map(|language| &**language));
        FileSummary {
            name: input.name().to_string_lossy().into_owned(),
            result: self.result(index).map(ToOwned::to_owned),
            language: input.language().map(|language| language.name().to_owned()),
            lexis: lexis.clone(),
            before: Arc::clone(before),
            after: Arc::clone(after),
            tokens_before: self.tokens(index, before),
            tokens_after: self.tokens(index, after),
        }
    }

    /// The tokens of a text of an input; `None` if who stopped the run would have to wait for them.
    fn tokens(&self, index: usize, text: &[u8]) -> Option<usize> {
        if self.tally.stopped.is_some() && text.len() > MOST_COUNTED {
            return None;
        }
        let input = &self.config.inputs()[index];
        let lexis = Lexis::of(input.language().map(|language| &**language));
        Some(lexis.count(&input.encoding().decode(text)))
    }

    fn folder(&self, tree: &TreeWork) -> FolderSummary {
        let all = 0..self.material.files.len();
        let left = all.clone().filter(|&index| !self.material.is_gone(index));
        let before = all.map(|index| self.tokens(index, self.config.inputs()[index].bytes()));
        let after = left.map(|index| self.tokens(index, &self.material.files[index].best));
        let (left, all) = tree.counts();
        let path = self.config.folder().map(Folder::path);
        FolderSummary {
            name: path
                .map(|path| path.display().to_string())
                .unwrap_or_default(),
            result: self.folder_result().map(ToOwned::to_owned),
            files: [all, left],
            bytes: [tree.original_size, tree.size()],
            tokens: [before.sum(), after.sum()],
        }
    }

    /// Whether the check, which can be believed, has refused each single change of what was written.
    fn is_minimal(&self) -> bool {
        let files = self.material.files.iter().enumerate();
        let mut left = files.filter(|(index, _)| !self.material.is_gone(*index));
        let folder_is = self
            .material
            .tree
            .as_ref()
            .is_none_or(|tree| tree.is_minimal);
        let each_is = folder_is && left.all(|(_, work)| work.is_minimal);
        each_is && !self.probe.is_flaky() && self.tally.verified == Verified::Always
    }

    fn summary(&self) -> Summary {
        let complete = self.tally.stopped.is_none();
        Summary {
            files: (0..self.material.files.len())
                .filter(|&index| !self.material.is_gone(index))
                .map(|index| self.file(index))
                .collect(),
            folder: self.material.tree.as_ref().map(|tree| self.folder(tree)),
            statistics: self.tally.totals.clone(),
            seconds: self.started.elapsed().as_secs_f64(),
            complete,
            swept: if (complete || self.tally.effort.has_begun) && self.is_minimal() {
                kinds_of_single_changes(self.config.plan())
            } else {
                &[]
            },
            effort: self.effort(),
            recheck: self.recheck(),
            command: Some(command_line()),
            environment: environment(self.config.jobs()),
        }
    }

    /// What was asked behind the certificate, if the user wanted that.
    fn effort(&self) -> Option<Effort> {
        let plan = self.config.plan();
        let is_wanted = plan.effort == Max && plan.strategy == Strategy::Auto && !plan.once;
        is_wanted.then(|| Effort {
            stopped: self.tally.stopped,
            ..self.tally.effort.clone()
        })
    }

    /// The command that tests the results again by hand, from any folder; `None` without result files.
    fn recheck(&self) -> Option<String> {
        let mut words = vec![r#"cd "$(mktemp -d)""#.to_owned()];
        let inputs = self.config.inputs().iter().enumerate();
        if let (Some(_), Some(top)) = (&self.material.tree, self.config.top()) {
            let result = path::absolute(self.folder_result()?).ok()?;
            let top = as_path(Path::new(top));
            words.push(format!("cp -R {} {top} && cd {top}", shell_word(result)));
        } else if self.material.tree.is_some() {
            let result = path::absolute(self.folder_result()?).ok()?;
            words.push(format!("cp -R {}/. .", shell_word(result)));
        } else {
            for (index, input) in inputs {
                let result = path::absolute(self.result(index)?).ok()?;
                let [result, name] = [shell_word(result), as_path(input.name())];
                if let Some(folder) = input.name().parent().filter(|path| *path != Path::new("")) {
                    words.push(format!("mkdir -p {}", as_path(folder)));
                }
                words.push(format!("cp {result} {name}"));
            }
        }
        words.push(self.command());
        Some(format!("({}; echo $?)", words.join(" && ")))
    }

    /// The check as a shell runs it where the inputs stand.
    fn command(&self) -> String {
        let names = self.config.arguments();
        let on_stdin = self.config.is_on_stdin();
        let name = names.first().map(shell_word).unwrap_or_default();
        let redirected = if on_stdin {
            format!(" < {}", as_path(Path::new(&name)))
        } else {
            String::new()
        };
        let here = |name: &PathBuf| match shell_word(name) {
            _ if name.as_os_str().is_empty() => "\"$PWD\"".to_owned(),
            name => format!("\"$PWD\"/{name}"),
        };
        let command = match self.config.check() {
            Check::Script { program } if on_stdin => shell_word(program),
            Check::Script { program } => {
                let names: Vec<String> = names.iter().map(here).collect();
                format!("{} {}", shell_word(program), names.join(" "))
            }
            Check::Command { words, conditions } => {
                let words_of = |words: &[OsString]| {
                    let words = words
                        .iter()
                        .map(|word| word.to_string_lossy().replace("@@", &format!("./{name}")));
                    words.map(shell_word).collect::<Vec<_>>().join(" ")
                };
                let second = conditions.differs.as_ref();
                let second = second.map(|differs| words_of(&differs.words));
                let second = second.map(|words| format!("; echo $?; {words}"));
                words_of(words) + &second.unwrap_or_default()
            }
        };
        command + &redirected
    }
}

/// The command line as a shell reads it back.
fn command_line() -> String {
    let words: Vec<String> = std::env::args_os().map(shell_word).collect();
    words.join(" ")
}

/// A file's own name as a word that no program takes for an option.
fn as_path(name: &Path) -> String {
    if name.as_os_str().as_bytes().starts_with(b"-") {
        shell_word(Path::new(".").join(name))
    } else {
        shell_word(name)
    }
}
