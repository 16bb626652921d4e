//! The reduction itself: one file after the other until none of them gets smaller.

use std::sync::Arc;

use super::effort::Follower;
use super::keeping::Keeping;
use super::material::{Unit, write_beside};
use super::{Run, state};
use crate::config::{Input, Kept, Trust};
use crate::engine::{Engine, EngineError, Repeat, Settings, StopLimits, Wald};
use crate::error::Error;
use crate::report::{Event, PassStatistics, Statistics, Stop};
use crate::search::Search;
use crate::strategy::{
    Candidate, Coding, Effort, Encoded, EncodedCandidate, Encoding, OneOf, Plan, Strategy,
    may_have_tree, search, single_changes,
};
use crate::syntax::{Document, Language};

/// A sequential test that stays undecided for so long goes by what is more likely.
const MOST_RUNS: u32 = 100;

/// A longer text is left as it is when the search is stopped.
const MOST_TIDIED: usize = 1 << 20;

impl Run<'_> {
    /// Reduces until nothing gets smaller or something stops it. The best is on disk all the time.
    pub(super) fn reduce(&mut self) -> Result<(), Error> {
        let units = self.material.units();
        let mut settled = 0;
        for &unit in units.iter().cycle() {
            if self.is_interrupted() {
                self.tally.stopped = Some(Stop::Interrupted);
            }
            if self.tally.stopped.is_some() || settled == units.len() {
                break;
            }
            let changed = match unit {
                Unit::Folder => self.reduce_folder()?,
                Unit::File(index) if self.material.is_gone(index) => false,
                Unit::File(index) => self.reduce_file_and_transform(index)?,
            };
            settled = if changed { 1 } else { settled + 1 };
        }
        Ok(())
    }

    /// Reduces one file, and again as long as another program makes it smaller. Says whether it became another.
    fn reduce_file_and_transform(&mut self, index: usize) -> Result<bool, Error> {
        let mut changed = self.reduce_file(index)?;
        while self.tally.stopped.is_none() && self.transform(index)? {
            changed = true;
            self.reduce_file(index)?;
        }
        Ok(changed)
    }

    /// Reduces one file while the others stay as they are. Says whether it became another.
    fn reduce_file(&mut self, index: usize) -> Result<bool, Error> {
        let unit = Unit::File(index);
        if self.config.arguments().len() > 1 || self.material.tree.is_some() {
            self.oracle.rearrange(self.material.layout(unit));
        }
        self.material.open_entry(index)?;
        let settings = self.settings(unit);
        let beside = self.material.bytes_beside(unit);
        let mut finds = state::finds(self.config, index);
        let (work, mut others) = self.material.pick(index);
        let input = &self.config.inputs()[index];
        let sizes = [input.bytes().len(), work.best.len(), beside];
        let name = input.name().to_string_lossy();
        self.reporter
            .reducing(&name, &work.best, sizes, self.tally.totals.queries);
        let reporter = &mut self.reporter;
        let mut unwritten = Ok(());
        let mut follower = Follower::new(work.best.len());
        let mut events = |event: &Event| {
            follower.note(event);
            if let (Event::Improved { .. }, Ok(())) = (event, &unwritten) {
                unwritten = write_beside(&mut others);
            }
            reporter.event(event);
        };
        let mut engine = self.answers.for_search(Engine::new(
            &work.best,
            &self.oracle,
            settings,
            &mut work.result,
            self.interrupt,
            &mut events,
        ));
        if let Some(finds) = &mut finds {
            engine = engine.with_finds(finds);
        }
        let plan = self.config.plan();
        let texts = Texts::of(input);
        self.tally.stopped = loop {
            let left = without(plan, &self.tally.skipped);
            let stopped = texts.reduce(&mut engine, left)?;
            self.tally.skipped.extend(self.interrupt.take_skip());
            if stopped != Some(Stop::Skipped) {
                break stopped;
            }
        };
        // What ends the search behind the certificate leaves the certificate.
        let may_be_minimal = self.tally.stopped.is_none() || plan.effort == Effort::Max;
        work.is_minimal = may_be_minimal && texts.is_minimal(&mut engine, plan);
        self.tally.last_test = engine.last_test();
        let (best, statistics) = engine.finish();
        unwritten?;
        follower.add_to(&mut self.tally.effort);
        add(&mut self.tally.totals, &statistics);
        Ok(self.material.replace(index, &best))
    }

    pub(super) fn settings(&self, unit: Unit) -> Settings {
        let bytes_of_others = self.material.bytes_beside(unit);
        Settings {
            jobs: self.config.jobs(),
            stop: StopLimits {
                max_time: self
                    .config
                    .max_time()
                    .map(|most| most.saturating_sub(self.started.elapsed())),
                max_queries: self
                    .config
                    .max_queries()
                    .map(|most| most.saturating_sub(self.tally.totals.queries)),
                target_bytes: self
                    .config
                    .target_bytes()
                    .map(|target| target.saturating_sub(bytes_of_others)),
            },
            time_limit: self.config.time_limit(),
            first_time: self.probe.slowest,
            first_work: self.probe.most_work,
            repeat: self.repeat(),
            tests_result: self.material.is_one_file() && !self.errs(),
            shows_candidates: self.config.verbosity() > 2,
            ..Settings::default()
        }
    }

    /// How often a candidate is run.
    pub(super) fn repeat(&self) -> Repeat {
        match self.config.trust() {
            Trust::OneRun => Repeat::Once,
            Trust::AnyOf(runs) => Repeat::Any(runs),
            Trust::Confidence(confidence) => {
                Repeat::Confidence(Wald::new(self.probe.rate(), confidence, MOST_RUNS))
            }
        }
    }
}

/// The searches over one input: over its text, each candidate written out as the input was. Clones share it.
#[derive(Clone)]
struct Texts {
    encoding: Encoding,
    language: Option<Arc<Language>>,
    kept: Arc<Kept>,
}

impl Texts {
    fn of(input: &Input) -> Self {
        Self {
            encoding: input.encoding(),
            language: input.language().cloned(),
            kept: Arc::clone(input.kept()),
        }
    }

    /// Reduces as the plan says, until nothing changes or something stops it.
    fn reduce(&self, engine: &mut Engine<'_>, plan: Plan) -> Result<Option<Stop>, EngineError> {
        let is_auto = plan.strategy == Strategy::Auto;
        let (texts, plan) = (self.clone(), Arc::new(plan));
        let build = move |best: &[u8]| {
            let (document, coding) = texts.document(best);
            texts.keeping(search(&document, &plan), coding)
        };
        if !is_auto {
            return engine.run_until_known(build);
        }
        if let Some(form) = OneOf::form(&self.encoding.decode(engine.best())) {
            let stopped = engine.run(self.keeping(form, Coding::plain(self.encoding)))?;
            if stopped.is_some() {
                return Ok(stopped);
            }
        }
        let texts = self.clone();
        engine.run_until_known_and_then(build, move |best| {
            // Reading a large text takes longer than there is time.
            let best = if best.len() > MOST_TIDIED { b"" } else { best };
            let (document, coding) = texts.document(best);
            texts.keeping(OneOf::layout(&document), coding)
        })
    }

    /// Whether each single change that the plan's sweep is about has been refused.
    fn is_minimal(&self, engine: &mut Engine<'_>, plan: &Plan) -> bool {
        if plan.strategy == Strategy::Auto && !may_have_tree(engine.best().len()) {
            return false;
        }
        let may_go =
            |change: &Candidate| self.kept.is_empty() || self.kept.is_in(&change.to_bytes());
        let (best, coding) = self.document(engine.best());
        let changes = single_changes(&best, plan).filter(may_go);
        engine.are_refused(changes.map(|change| EncodedCandidate::new(change, coding)))
    }

    fn document(&self, bytes: &[u8]) -> (Document, Coding) {
        let coding = Coding::of(self.encoding, bytes);
        let document = Document::new(&*coding.text(bytes), self.language.clone());
        (document, coding)
    }

    fn keeping<S: Search<Candidate = Candidate>>(
        &self,
        search: S,
        coding: Coding,
    ) -> Encoded<Keeping<S>> {
        Encoded::new(Keeping::new(search, Arc::clone(&self.kept)), coding)
    }
}

/// The plan without the passes that the user has skipped.
fn without(plan: &Plan, skipped: &[&'static str]) -> Plan {
    let mut plan = plan.clone();
    plan.without.extend(skipped.iter().map(ToString::to_string));
    plan
}

/// Adds what one file's reduction cost to what the run cost. Peaks are of caches that did not exist at the same time.
pub(super) fn add(totals: &mut Statistics, more: &Statistics) {
    totals.queries += more.queries;
    totals.cache_hits += more.cache_hits;
    totals.replayed += more.replayed;
    totals.timed_out += more.timed_out;
    totals.given_up += more.given_up;
    totals.given_up_twice += more.given_up_twice;
    totals.time_limit = totals.time_limit.max(more.time_limit);
    totals.work_limit = totals.work_limit.max(more.work_limit);
    totals.discarded += more.discarded;
    totals.verification_queries += more.verification_queries;
    totals.cache_peak_entries = totals.cache_peak_entries.max(more.cache_peak_entries);
    totals.cache_peak_bytes = totals.cache_peak_bytes.max(more.cache_peak_bytes);
    totals.oracle_time += more.oracle_time;
    for pass in &more.passes {
        add_pass(&mut totals.passes, pass);
    }
}

fn add_pass(passes: &mut Vec<PassStatistics>, more: &PassStatistics) {
    let Some(pass) = passes.iter_mut().find(|pass| pass.name == more.name) else {
        passes.push(more.clone());
        return;
    };
    pass.questions += more.questions;
    pass.queries += more.queries;
    pass.successes += more.successes;
    pass.bytes_removed += more.bytes_removed;
    pass.oracle_time += more.oracle_time;
}
