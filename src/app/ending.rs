//! The end of a run: the result is tested once more, written, and told about.

use std::path;

use super::{Run, layout};
use crate::config::{Input, Place, Trust};
use crate::engine::{TimeLimit, verify};
use crate::error::{Error, exit, shell_word};
use crate::minimize::Options;
use crate::oracle::Check;
use crate::report::{FileSummary, PassSummary, Stop, Summary};
use crate::strategy::{Plan, Strategy};
use crate::syntax::count_tokens;

/// A result of a check that errs is tested so often at the end.
const RUNS_IF_FLAKY: u32 = 10;

impl Run<'_> {
    /// Tests the result once more, as a run of its own. Not after a signal: who sent it wants an end.
    pub(super) fn verify(&mut self) -> Result<(), Error> {
        let inputs = self.config.inputs();
        let Some(changed) = (0..inputs.len())
            .rev()
            .find(|&index| self.is_smaller(index))
        else {
            return Ok(());
        };
        if self.is_interrupted() {
            return Ok(());
        }
        if inputs.len() > 1 {
            self.oracle.rearrange(layout(inputs, &self.files, changed));
        }
        let errs = self.probe.is_flaky() || self.config.trust() != Trust::OneRun;
        let limit = match self.config.time_limit() {
            TimeLimit::Fixed(limit) => Some(limit),
            TimeLimit::Adaptive | TimeLimit::Unlimited => None,
        };
        let found = verify(
            &self.oracle,
            &self.files[changed].best,
            if errs { RUNS_IF_FLAKY } else { 1 },
            limit,
        )?;
        self.totals.verification_queries += u64::from(found.runs);
        if found.interesting < found.runs && !self.is_interrupted() {
            self.failed_verification = found.interesting == 0;
            self.reporter.warn(format!(
                "the check accepted the result in {} of {} runs at the end, though it had accepted it before",
                found.interesting, found.runs
            ));
        }
        Ok(())
    }

    /// Writes what is left to write, says what was done and gives the exit code.
    pub(super) fn finish(mut self) -> Result<u8, Error> {
        for (input, work) in self.config.inputs().iter().zip(&mut self.files) {
            // An older result under this name would pass for this run's.
            if work.best == input.bytes() && matches!(input.place(), Place::File(_)) {
                work.result.save(&work.best)?;
            }
            work.result.finish(&work.best)?;
        }
        let summary = self.summary();
        if let Some(report) = &mut self.report {
            let page = self.reporter.html(&summary);
            report.save(page.as_bytes())?;
            report.finish(page.as_bytes())?;
        }
        let told = self.reporter.finish(&summary);
        told.map_err(super::system("cannot write the JSON lines"))?;
        Ok(self.exit_code())
    }

    fn exit_code(&self) -> u8 {
        match self.stopped {
            Some(Stop::Interrupted) => self.interrupt.exit_code().unwrap_or(exit::FAILURE),
            _ if self.failed_verification => exit::FAILURE,
            _ => exit::DONE,
        }
    }

    fn is_smaller(&self, index: usize) -> bool {
        self.files[index].best != self.config.inputs()[index].bytes()
    }

    fn summary(&self) -> Summary {
        let totals = &self.totals;
        let complete = self.stopped.is_none();
        Summary {
            files: self
                .config
                .inputs()
                .iter()
                .zip(&self.files)
                .map(|(input, work)| file(input, &work.best))
                .collect(),
            passes: totals.passes.iter().map(pass).collect(),
            queries: totals.queries,
            cache_hits: totals.cache_hits,
            replayed: totals.replayed,
            timed_out: totals.timed_out,
            discarded: totals.discarded,
            verification_queries: totals.verification_queries,
            cache_peak_entries: totals.cache_peak_entries,
            cache_peak_bytes: totals.cache_peak_bytes,
            seconds: self.started.elapsed().as_secs_f64(),
            oracle_seconds: totals.oracle_time.as_secs_f64(),
            complete,
            one_minimal: complete
                && totals.timed_out == 0
                && proves_one_minimality(self.config.plan()),
            recheck: self.recheck().into_iter().collect(),
        }
    }

    /// The command that tests the results again by hand, from any folder.
    fn recheck(&self) -> Option<String> {
        let mut words = vec![r#"cd "$(mktemp -d)""#.to_owned()];
        for input in self.config.inputs() {
            let result = path::absolute(input.place().path()?).ok()?;
            let [result, name] =
                [result.as_os_str(), input.name()].map(|word| shell_word(&word.to_string_lossy()));
            words.push(format!("cp {result} {name}"));
        }
        let name = shell_word(&self.config.inputs()[0].name().to_string_lossy());
        words.push(command(self.config.check(), &name));
        Some(format!("({}; echo $?)", words.join(" && ")))
    }
}

/// Whether a search that comes to its own end has tried to take every single element away from its result.
fn proves_one_minimality(plan: &Plan) -> bool {
    let by_list = plan
        .minimizer
        .as_ref()
        .is_none_or(|options| options.sweep || !Options::new(options.algorithm).sweep);
    match plan.strategy {
        Strategy::Auto => !plan.once,
        Strategy::Lines
        | Strategy::Tokens
        | Strategy::Chars
        | Strategy::TwoPass
        | Strategy::Bytes => by_list,
        Strategy::Hdd | Strategy::Hddr => by_list && !plan.once,
        // They leave the nodes alone that need a replacement.
        Strategy::CoarseHdd | Strategy::CoarseHddr | Strategy::Quantified => false,
    }
}

fn command(check: &Check, name: &str) -> String {
    match check {
        Check::Script { program } => {
            format!("{} \"$PWD\"/{name}", shell_word(&program.to_string_lossy()))
        }
        Check::Command { words, .. } => {
            let words = words
                .iter()
                .map(|word| word.to_string_lossy().replace("@@", &format!("./{name}")));
            words
                .map(|word| shell_word(&word))
                .collect::<Vec<_>>()
                .join(" ")
        }
    }
}

fn file(input: &Input, best: &[u8]) -> FileSummary {
    FileSummary {
        name: input.name().to_string_lossy().into_owned(),
        result: input.place().path().map(ToOwned::to_owned),
        before: input.bytes().to_vec(),
        after: best.to_vec(),
        tokens_before: count_tokens(input.bytes()),
        tokens_after: count_tokens(best),
    }
}

fn pass(pass: &crate::engine::PassStatistics) -> PassSummary {
    PassSummary {
        name: pass.name.to_owned(),
        questions: pass.questions,
        queries: pass.queries,
        successes: pass.successes,
        bytes_removed: pass.bytes_removed,
        oracle_seconds: pass.oracle_time.as_secs_f64(),
    }
}
