//! Asks a search's questions in order, behind the cache, several at a time.
//!
//! The engine owns what one reduction knows: the best so far, the cache, the counts, the time limit, the journal. With one
//! job it asks one question after the other on the caller's thread. With more it works ahead on clones of the search
//! (`futures`), and consumes the answers in the order of the questions. So the questions, the answers, the counts, the
//! events and the result are the same for every number of jobs.

mod answer;
mod cache;
mod delays;
mod detached;
mod difference;
mod evidence;
mod finds;
mod futures;
mod identity;
mod journal;
mod last_test;
mod ledger;
mod limits;
mod node;
mod outlets;
mod parallel;
mod pool;
mod predictor;
mod probe;
mod queries;
mod recording;
mod rendered;
mod second_try;
mod time_limit;
mod virtual_time;
mod workers;

use std::sync::Arc;
use std::time::Duration;

pub use answer::{Repeat, Wald};
pub use cache::{CacheOptions, Eviction, KeptOutcomes, KeyKind};
pub use finds::Finds;
pub use identity::Identity;
pub use journal::{Journal, JournalError};
pub use probe::{Probe, Runs, Verification, accepts_empty, probe, verify};
pub use recording::Recording;
pub use time_limit::TimeLimit;
pub use virtual_time::Cluster;

use crate::interrupt::Interrupt;
use crate::oracle::{Oracle, OracleError, Outcome, Query, QueryId};
use crate::output::{OutputError, ResultFile};
use crate::report::{Event, Source, Statistics, Stop};
use crate::search::{Render, Search};
use answer::try_candidate;
use detached::Detached;
use last_test::LastTest;
use ledger::Ledger;
use rendered::Rendered;

/// How a reduction is run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Oracle runs at a time; 0 counts as 1. Never changes the result.
    pub jobs: usize,
    /// When to stop before the end.
    pub stop: StopLimits,
    /// How long one query may run.
    pub time_limit: TimeLimit,
    /// Wall time of the slowest run of the original, from which an adaptive limit starts.
    pub first_time: Duration,
    /// Processor time of the same.
    pub first_work: Duration,
    /// How often a candidate is run.
    pub repeat: Repeat,
    /// Whether what the search will end with is tested once more beside its last questions, if there is a job for that: see
    /// [`Engine::last_test`].
    pub tests_result: bool,
    /// What counts as the size of a candidate.
    pub size: Size,
    /// Whether the events have each candidate's text, which costs a copy of it.
    pub shows_candidates: bool,
    /// For comparisons only.
    pub cache: CacheOptions,
    /// Nothing runs beside anything else; how long it would take is reckoned: see [`Cluster`].
    pub cluster: Option<Cluster>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            jobs: 1,
            stop: StopLimits::default(),
            time_limit: TimeLimit::Adaptive,
            first_time: Duration::ZERO,
            first_work: Duration::ZERO,
            repeat: Repeat::Once,
            tests_result: false,
            size: Size::Bytes,
            shows_candidates: false,
            cache: CacheOptions::default(),
            cluster: None,
        }
    }
}

/// What counts as the size of a candidate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Size {
    /// Its bytes.
    #[default]
    Bytes,
    /// Its bytes, but whatever is interesting is the best: another measure has been taken before.
    AnyBytes,
    /// It is a listing of a folder's entries, each of which has this size.
    Entries(Arc<[usize]>),
}

/// When to stop before the end, keeping the best so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StopLimits {
    /// Wall time since the engine was made. A query that runs then is killed.
    pub max_time: Option<Duration>,
    /// Queries of the search.
    pub max_queries: Option<u64>,
    /// The best is at most so long.
    pub target_bytes: Option<usize>,
}

/// Candidates of a longer text are asked about one at a time: each is held in memory as a whole.
const LONGEST_AHEAD: usize = 4 << 20;

/// All about a text of so many bytes can be looked up at once.
const SMALL: usize = 4 << 10;

/// Why a reduction could not go on. The best so far is in the result file.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The check could not be run.
    #[error(transparent)]
    Oracle(#[from] OracleError),
    /// The result could not be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The state could not be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// One reduction of one test case, by one or several searches in turn.
pub struct Engine<'a> {
    oracle: &'a dyn Oracle,
    settings: Settings,
    ledger: Ledger<'a>,
    last_test: Option<LastTest>,
}

impl<'a> Engine<'a> {
    /// `original` must be interesting. `output` gets each improvement at once; `events` is told what happens.
    pub fn new(
        original: &[u8],
        oracle: &'a dyn Oracle,
        settings: Settings,
        output: &'a mut ResultFile,
        interrupt: &'a Interrupt,
        events: &'a mut dyn FnMut(&Event),
    ) -> Self {
        let ledger = Ledger::new(original, &settings, output, interrupt, events);
        Self {
            oracle,
            settings,
            ledger,
            last_test: None,
        }
    }

    /// Takes the answers of an earlier run from the journal, as far as it goes, and writes down those of this one.
    #[must_use]
    pub fn with_journal(mut self, journal: &'a mut Journal) -> Self {
        self.ledger.keep_journal(journal);
        self
    }

    /// Adds the answers that are consumed to a recording, also those that come from the journal.
    #[must_use]
    pub fn with_recording(mut self, recording: &'a mut Recording) -> Self {
        self.ledger.keep_recording(recording);
        self
    }

    /// Saves what the check marks as worth keeping.
    #[must_use]
    pub fn with_finds(mut self, finds: &'a mut Finds) -> Self {
        self.ledger.keep_finds(finds);
        self
    }

    /// Runs a search to its end, or until something stops it. `search` must start from [`Engine::best`].
    pub fn run<S>(&mut self, search: S) -> Result<Option<Stop>, EngineError>
    where
        S: Search + Send + 'static,
        S::Candidate: Render,
    {
        let stopped = self.run_quietly(|_| search)?;
        self.tell_stopped(stopped);
        Ok(stopped)
    }

    fn run_quietly<S>(
        &mut self,
        build: impl FnOnce(&[u8]) -> S + Send + 'static,
    ) -> Result<Option<Stop>, EngineError>
    where
        S: Search + Send + 'static,
        S::Candidate: Render,
    {
        let patience = self.ledger.begin_search();
        let mut search = Detached::build(&self.ledger.best, build, patience);
        self.replay(&mut search)?;
        if self.settings.jobs <= 1 {
            return self.run_in_turn(&mut search, 0);
        }
        match self.run_in_turn(&mut search, LONGEST_AHEAD)? {
            None => self.run_ahead(search),
            stopped => Ok(stopped),
        }
    }

    fn tell_stopped(&mut self, stopped: Option<Stop>) {
        if let Some(reason) = stopped.filter(|reason| *reason != Stop::Skipped) {
            self.ledger.tell(&Event::Stopped { reason });
        }
    }

    /// Runs the search that `build` makes from the best bytes. If queries timed out and the limit is adaptive, tries some of
    /// them again with more time. If one of them is interesting, builds and runs the search again from there: the cache
    /// answers most of it.
    pub fn run_until_known<S>(
        &mut self,
        build: impl Fn(&[u8]) -> S + Clone + Send + 'static,
    ) -> Result<Option<Stop>, EngineError>
    where
        S: Search + Send + 'static,
        S::Candidate: Render,
    {
        let stopped = self.run_as_far_as_known(build)?;
        self.tell_stopped(stopped);
        Ok(stopped)
    }

    /// As [`Engine::run_until_known`], but if a limit ends it, the search that `last` makes from the best bytes comes after it, for
    /// which a little time and a few queries are kept back. It should have few questions.
    pub fn run_until_known_and_then<S, L>(
        &mut self,
        build: impl Fn(&[u8]) -> S + Clone + Send + 'static,
        last: impl FnOnce(&[u8]) -> L + Send + 'static,
    ) -> Result<Option<Stop>, EngineError>
    where
        S: Search + Send + 'static,
        S::Candidate: Render,
        L: Search + Send + 'static,
        L::Candidate: Render,
    {
        self.ledger.limits.keep_back(true);
        let stopped = self.run_as_far_as_known(build)?;
        self.ledger.limits.keep_back(false);
        if stopped.is_some_and(|reason| ![Stop::Interrupted, Stop::Skipped].contains(&reason)) {
            self.ledger.limits.forget_target();
            self.run_quietly(last)?;
        }
        self.tell_stopped(stopped);
        Ok(stopped)
    }

    fn run_as_far_as_known<S>(
        &mut self,
        build: impl Fn(&[u8]) -> S + Clone + Send + 'static,
    ) -> Result<Option<Stop>, EngineError>
    where
        S: Search + Send + 'static,
        S::Candidate: Render,
    {
        loop {
            if let Some(stop) = self.run_quietly(build.clone())? {
                return Ok(Some(stop));
            }
            let before = self.best().len();
            let stopped = self.try_again(before)?;
            if stopped.is_some() || self.best().len() == before {
                return Ok(stopped);
            }
        }
    }

    /// Gives candidates that timed out a second chance, until one of them is better than what has this length.
    fn try_again(&mut self, best: usize) -> Result<Option<Stop>, EngineError> {
        let mut stopped = None;
        while stopped.is_none()
            && self.best().len() == best
            && let Some(second_try) = self.ledger.start_second_try()
        {
            stopped = self.run_quietly(|_| second_try)?;
        }
        self.ledger.end_second_try();
        Ok(stopped)
    }

    /// The smallest test case that was found interesting; of equally small ones the last.
    pub fn best(&self) -> &[u8] {
        &self.ledger.best.bytes
    }

    /// Whether the best was interesting in another run of its own, if there has been one: see [`Settings::tests_result`].
    pub fn last_test(&self) -> Option<bool> {
        self.last_test.as_ref()?.about(&self.ledger.best)
    }

    /// Whether the check is known to refuse all of these, if they differ from the best. Nothing is asked, and if the best is not
    /// small nothing is known after a signal or the end of the time. Cost: that of writing each out, until one is not known.
    pub fn are_refused<C: Render>(&self, candidates: impl IntoIterator<Item = C>) -> bool {
        let mut buffer = Vec::new();
        let must_hurry = self.best().len() > SMALL;
        candidates.into_iter().all(|candidate| {
            let candidate = Rendered::new(&candidate, std::mem::take(&mut buffer));
            let known = self.ledger.known(&candidate);
            let is_refused = known.is_some_and(|answer| {
                !answer.outcome.is_interesting() || answer.source == Source::Best
            });
            buffer = candidate.bytes;
            is_refused && !(must_hurry && self.ledger.limits.is_over())
        })
    }

    /// The counts so far.
    pub fn statistics(&self) -> Statistics {
        self.ledger.statistics()
    }

    /// To be counted as verification queries.
    pub fn count_verification(&mut self, runs: u64) {
        self.ledger.statistics.verification_queries += runs;
    }

    /// Ends the reduction: the best and the counts. The result file is finished by the caller, after the verification.
    pub fn finish(self) -> (Vec<u8>, Statistics) {
        let statistics = self.ledger.statistics();
        let best = Arc::clone(&self.ledger.best);
        drop(self);
        let bytes = Arc::try_unwrap(best).map_or_else(|best| best.bytes.clone(), |best| best.bytes);
        (bytes, statistics)
    }

    /// Tells the search what the journal has.
    fn replay<S>(&mut self, search: &mut S) -> Result<(), EngineError>
    where
        S: Search,
        S::Candidate: Render,
    {
        let mut buffer = Vec::new();
        while self.ledger.is_replaying()
            && self.ledger.stop_reason().is_none()
            && let Some(asked) = search.ask()
        {
            let candidate = Rendered::new(&asked, buffer);
            let verdict = if let Some(answer) = self.ledger.known(&candidate) {
                self.ledger.settle(&candidate, &answer)?
            } else if let Some(verdict) = self.ledger.settle_replayed(&candidate)? {
                verdict
            } else {
                break;
            };
            search.tell(verdict);
            buffer = candidate.bytes;
        }
        self.ledger.save_best()
    }

    /// Asks one question after the other as long as the best is longer than this.
    fn run_in_turn<S>(
        &mut self,
        search: &mut S,
        longest: usize,
    ) -> Result<Option<Stop>, EngineError>
    where
        S: Search,
        S::Candidate: Render,
    {
        let mut buffer = Vec::new();
        while self.best().len() > longest || longest == 0 {
            let Some(asked) = search.ask() else { break };
            if let Some(stop) = self.ledger.stop_reason() {
                return Ok(Some(stop));
            }
            let candidate = Rendered::new(&asked, buffer);
            let answer = if let Some(answer) = self.ledger.known(&candidate) {
                answer
            } else {
                if let Some(stop) = self.ledger.query_stop_reason() {
                    return Ok(Some(stop));
                }
                let query = self.ledger.query(0, QueryId::fresh(), &candidate);
                let needs_key = self.ledger.needs_key(&candidate);
                let answer = try_candidate(self.oracle, &query, self.settings.repeat, &mut || {
                    if needs_key {
                        candidate.key();
                    }
                })?;
                if answer.outcome == Outcome::Cancelled {
                    return Ok(Some(self.ledger.stop_reason().unwrap_or(Stop::Interrupted)));
                }
                answer
            };
            let verdict = self.ledger.settle(&candidate, &answer)?;
            self.ledger.save_best()?;
            search.tell(verdict);
            buffer = candidate.bytes;
        }
        Ok(self.ledger.end_of_search())
    }
}

#[cfg(test)]
mod tests;
