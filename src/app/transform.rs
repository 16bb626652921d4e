//! Other programs as passes: what they make of the best is tried when the search has come to its end.

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use super::Run;
use super::material::Unit;
use super::reduction::add;
use crate::cli::Measure;
use crate::doctor::{ending, last_line};
use crate::engine::{Engine, Settings, Size};
use crate::error::Error;
use crate::oracle::Unmade;
use crate::report::Stop;
use crate::strategy::OneOf;
use crate::syntax::Lexis;

/// Without `--timeout` a program gets so much time.
const LONGEST: Duration = Duration::from_secs(60);

/// What is known about the programs of `--transform`.
#[derive(Debug, Default)]
pub(super) struct Transformed {
    /// For each program the last text that it was given and what it made of it; nothing if it failed. A text of which it has been
    /// seen what comes of it is not given to it again.
    seen: Vec<Seen>,
    /// Those that have failed, which is said once.
    failed: Vec<usize>,
}

/// What a program made of a text.
#[derive(Debug)]
struct Seen {
    number: usize,
    text: Arc<[u8]>,
    made: Option<Vec<u8>>,
}

impl Run<'_> {
    /// Tries what each program makes of a file, until one of them makes it smaller. Says whether one did. The engine's limits hold here
    /// too.
    pub(super) fn transform(&mut self, index: usize) -> Result<bool, Error> {
        for (number, words) in self.config.transforms().iter().enumerate() {
            if self.is_interrupted() {
                self.tally.stopped = Some(Stop::Interrupted);
            }
            if self.tally.stopped.is_some() {
                return Ok(false);
            }
            let Some(made) = self.made_by(number, words, index)? else {
                continue;
            };
            let is_smaller = {
                let best = &self.material.files[index].best;
                self.measured(index, &made) < self.measured(index, best)
            };
            if is_smaller && self.accept(index, made)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What a program makes of the best.
    fn made_by(
        &mut self,
        number: usize,
        words: &[OsString],
        index: usize,
    ) -> Result<Option<Vec<u8>>, Error> {
        let best = self.material.files[index].best.clone();
        let mut seen = self.transformed.seen.iter();
        if let Some(seen) = seen.find(|seen| seen.number == number && seen.text == best) {
            return Ok(seen.made.clone());
        }
        let limit = self.config.time_limit().fixed().unwrap_or(LONGEST);
        let made = self.oracle.transform(words, &best, limit)?;
        let is_known = self.is_interrupted() || self.transformed.failed.contains(&number);
        if let Err(unmade) = &made
            && !is_known
        {
            self.transformed.failed.push(number);
            let typed = &self.config.transforms_as_typed()[number];
            self.reporter.warn(format!(
                "`--transform` did not work ({}), so its output is left out: {typed}",
                reason(unmade)
            ));
        }
        let file = &self.config.inputs()[index];
        let kept = made
            .ok()
            .filter(|made| file.kept().is_in(&file.encoding().decode(made)));
        self.transformed.seen.push(Seen {
            number,
            text: best,
            made: kept.clone(),
        });
        Ok(kept)
    }

    fn measured(&self, index: usize, bytes: &[u8]) -> usize {
        let input = &self.config.inputs()[index];
        let text = input.encoding().decode(bytes);
        match self.config.measure() {
            Measure::Bytes => bytes.len(),
            Measure::Lines => text.split_inclusive(|&byte| byte == b'\n').count(),
            Measure::Tokens => Lexis::of(input.language().map(|language| &**language)).count(&text),
        }
    }

    /// Asks the check about it, and takes it for the best if it is interesting.
    fn accept(&mut self, index: usize, made: Vec<u8>) -> Result<bool, Error> {
        let settings = Settings {
            size: Size::AnyBytes,
            tests_result: false,
            ..self.settings(Unit::File(index))
        };
        let work = &mut self.material.files[index];
        let reporter = &mut self.reporter;
        let mut events = |event: &_| reporter.event(event);
        let mut engine = self.answers.for_search(Engine::new(
            &work.best,
            &self.oracle,
            settings,
            &mut work.result,
            self.interrupt,
            &mut events,
        ));
        self.tally.stopped = engine.run(OneOf::offered(&work.best, made))?;
        let (best, statistics) = engine.finish();
        add(&mut self.tally.totals, &statistics);
        Ok(self.material.replace(index, &best))
    }
}

/// Why a program has made nothing, in words.
fn reason(unmade: &Unmade) -> String {
    match unmade {
        Unmade::Failed(seen) => {
            let last = last_line(seen).map_or_else(String::new, |line| format!(": {line}"));
            format!("{}{last}", ending(seen))
        }
        Unmade::Nothing => "it made nothing".into(),
        Unmade::TooMuch => "it made too much".into(),
    }
}
