//! What one reduction knows, and what follows from an answer: counts, cache, result file, events.
//!
//! All of it happens where a question is consumed, in the order of the questions.

use std::sync::Arc;

use super::cache::Cache;
use super::detached::Patience;
use super::question::Question;
use super::second_try::{Again, Overdue, SecondTry};
use super::time_limit::TimeKeeper;
use super::trial::Trial;
use super::{
    Duration, EngineError, Event, Finds, Instant, Interrupt, Journal, Outcome, Query, ResultFile,
    Settings, Size, Source, Stop, StopLimits, Ticket,
};
use crate::folder::listed;
use crate::report::Statistics;
use crate::search::Verdict;

pub(super) struct Ledger<'a> {
    pub(super) best: Arc<Question>,
    pub(super) statistics: Statistics,
    cache: Cache,
    time: TimeKeeper,
    overdue: Overdue,
    measure: Size,
    stop: StopLimits,
    /// Whether some of what the limits allow is kept back.
    keeps_back: bool,
    started: Instant,
    output: &'a mut ResultFile,
    interrupt: &'a Interrupt,
    /// How long the work of the search that runs is waited for.
    patience: Arc<Patience>,
    /// Whether the events have each candidate.
    shows: bool,
    events: &'a mut dyn FnMut(&Event),
    journal: Option<&'a mut Journal>,
    finds: Option<&'a mut Finds>,
    /// The best is not in the result file yet. During a replay it may be there already, or something better.
    unsaved: bool,
}

/// So many queries are kept back for the end of a search that a limit ends,
const KEPT_QUERIES: u32 = 3;
/// if they are not more than such a part of all.
const SMALL_PART: u32 = 10;

impl<'a> Ledger<'a> {
    pub(super) fn new(
        original: &[u8],
        settings: &Settings,
        output: &'a mut ResultFile,
        interrupt: &'a Interrupt,
        events: &'a mut dyn FnMut(&Event),
    ) -> Self {
        let best = Arc::new(Question::of(original.to_vec(), "original"));
        Self {
            cache: Cache::new(settings.cache, Arc::clone(&best)),
            best,
            statistics: Statistics::default(),
            time: TimeKeeper::new(
                settings.time_limit,
                settings.first_time,
                settings.first_work,
            ),
            overdue: Overdue::default(),
            measure: settings.size.clone(),
            stop: settings.stop,
            keeps_back: false,
            started: Instant::now(),
            output,
            interrupt,
            patience: Patience::new(interrupt, None),
            shows: settings.shows_candidates,
            events,
            journal: None,
            finds: None,
            unsaved: false,
        }
    }

    pub(super) fn keep_journal(&mut self, journal: &'a mut Journal) {
        let answers = (journal.left() + journal.known_earlier()) as u64;
        self.journal = Some(journal);
        if answers > 0 {
            self.tell(&Event::Resumed { answers });
        }
    }

    pub(super) fn keep_finds(&mut self, finds: &'a mut Finds) {
        self.finds = Some(finds);
    }

    /// Whether the journal has answers that were not used yet.
    pub(super) fn is_replaying(&self) -> bool {
        self.journal
            .as_ref()
            .is_some_and(|journal| journal.left() > 0)
    }

    pub(super) fn tell(&mut self, event: &Event) {
        (self.events)(event);
    }

    /// Why no further question may be asked. Waits while there is a pause.
    pub(super) fn stop_reason(&self) -> Option<Stop> {
        self.interrupt.wait_while_paused();
        if self.interrupt.signal().is_some() {
            return Some(Stop::Interrupted);
        }
        if self.interrupt.wants_skip() {
            return Some(Stop::Skipped);
        }
        if self
            .max_time()
            .is_some_and(|most| self.started.elapsed() >= most)
        {
            return Some(Stop::MaxTime);
        }
        let small = self
            .stop
            .target_bytes
            .is_some_and(|target| self.size(&self.best) <= target);
        small.then_some(Stop::TargetBytes)
    }

    /// A search begins; how long its own work is waited for.
    pub(super) fn begin_search(&mut self) -> Arc<Patience> {
        self.patience = Patience::new(self.interrupt, self.stop_at());
        Arc::clone(&self.patience)
    }

    /// Why the search has no more questions: `None` if it came to its own end.
    pub(super) fn end_of_search(&self) -> Option<Stop> {
        let lost = self.patience.was_lost();
        lost.then(|| self.stop_reason().unwrap_or(Stop::Interrupted))
    }

    /// Whether there was a signal, or the time is over.
    pub(super) fn is_over(&self) -> bool {
        self.patience.has_ended()
    }

    /// When the time is over.
    fn stop_at(&self) -> Option<Instant> {
        let most = self.max_time()?;
        self.started.checked_add(most)
    }

    /// How large a candidate is, for whoever wants to know: its bytes, or those of the entries that it lists.
    fn size(&self, question: &Question) -> usize {
        let Size::Entries(sizes) = &self.measure else {
            return question.bytes.len();
        };
        let listed = listed(&question.bytes);
        listed.filter_map(|entry| sizes.get(entry)).sum()
    }

    /// Why the oracle may not be run again.
    pub(super) fn query_stop_reason(&self) -> Option<Stop> {
        let spent = self
            .max_queries()
            .is_some_and(|most| self.statistics.queries >= most);
        spent.then_some(Stop::MaxQueries)
    }

    /// Keeps back what a few last queries need, or gives it free.
    pub(super) fn keep_back(&mut self, keeps_back: bool) {
        self.keeps_back = keeps_back;
    }

    /// From now on it may get smaller than the target.
    pub(super) fn forget_target(&mut self) {
        self.stop.target_bytes = None;
    }

    /// The time that the search has: that of some queries is kept back, but not more than a small part.
    fn max_time(&self) -> Option<Duration> {
        let most = self.stop.max_time?;
        let queries = u32::try_from(self.statistics.queries).unwrap_or(u32::MAX);
        let usual = self.statistics.oracle_time.checked_div(queries);
        let kept = (usual.unwrap_or_default() * KEPT_QUERIES).min(most / SMALL_PART);
        Some(if self.keeps_back {
            most.saturating_sub(kept)
        } else {
            most
        })
    }

    fn max_queries(&self) -> Option<u64> {
        let most = self.stop.max_queries?;
        let kept = u64::from(KEPT_QUERIES).min(most / u64::from(SMALL_PART));
        Some(if self.keeps_back {
            most.saturating_sub(kept)
        } else {
            most
        })
    }

    /// The answer that needs no query.
    pub(super) fn known(&self, question: &Question) -> Option<(Verdict, Source)> {
        if self.best.is_same(question) {
            return Some((Verdict::Interesting, Source::Best));
        }
        let cached = self.cache.get(question, self.time.measure());
        cached.map(|verdict| (verdict, Source::Cache)).or_else(|| {
            let journal = self.journal.as_ref()?;
            let is_known = journal.was_refused(question);
            is_known.then_some((Verdict::Uninteresting, Source::Journal))
        })
    }

    /// Whether the question's key will be needed.
    pub(super) fn needs_key(&self, question: &Question) -> bool {
        self.cache.needs_key(question)
    }

    pub(super) fn query<'q>(
        &self,
        slot: usize,
        ticket: Ticket,
        question: &'q Question,
    ) -> Query<'q> {
        let time_limit = self.time.limit();
        Query {
            slot,
            ticket,
            candidate: &question.bytes,
            time_limit,
            work_limit: self.time.work_limit(),
            stop_at: self.stop_at(),
        }
    }

    /// Consumes an answer that needed no query.
    pub(super) fn settle_known(
        &mut self,
        question: &Question,
        verdict: Verdict,
        source: Source,
    ) -> Verdict {
        match source {
            Source::Journal => self.statistics.replayed += 1,
            _ => self.statistics.cache_hits += 1,
        }
        if self.time.is_raised() {
            // It had about as much time before.
            self.overdue.tried_again(question, Again::TimedOut);
        }
        self.note(question, verdict, source, Duration::ZERO);
        verdict
    }

    /// Consumes what the oracle said. The trial was not cancelled.
    pub(super) fn settle_trial(
        &mut self,
        question: &Question,
        trial: &Trial,
    ) -> Result<Verdict, EngineError> {
        let verdict = Verdict::of(trial.outcome == Outcome::Interesting);
        let timed_out = trial.outcome == Outcome::TimedOut;
        self.count(question, trial, timed_out);
        let limit = trial.limit.filter(|_| timed_out);
        self.cache.insert(question, verdict, limit);
        if let Some(journal) = &mut self.journal {
            journal.record(question, trial.outcome)?;
        }
        if trial.outcome == Outcome::AlsoInteresting {
            self.keep_find(question);
        }
        let source = if timed_out {
            Source::TimedOut
        } else {
            Source::Query
        };
        self.note(question, verdict, source, trial.time);
        Ok(verdict)
    }

    /// Consumes the journal's answer; `None`: it has none to this question.
    pub(super) fn settle_replayed(
        &mut self,
        question: &Question,
    ) -> Result<Option<Verdict>, EngineError> {
        let Some(journal) = &mut self.journal else {
            return Ok(None);
        };
        let Some(outcome) = journal.replay(question)? else {
            return Ok(None);
        };
        let verdict = Verdict::of(outcome == Outcome::Interesting);
        let timed_out = outcome == Outcome::TimedOut;
        self.statistics.replayed += 1;
        self.statistics.timed_out += u64::from(timed_out);
        self.note_delay(question, timed_out, false);
        let limit = self.time.measure().filter(|_| timed_out);
        self.cache.insert(question, verdict, limit);
        self.note(question, verdict, Source::Journal, Duration::ZERO);
        Ok(Some(verdict))
    }

    /// Puts the best into the result file if it is not there. To be called before anything is waited for, and when a replay or a
    /// search has ended. Cost: milliseconds on some disks, because a file is replaced.
    pub(super) fn save_best(&mut self) -> Result<(), EngineError> {
        if !std::mem::take(&mut self.unsaved) {
            return Ok(());
        }
        self.output.save(&self.best.bytes)?;
        if let Some(journal) = &mut self.journal {
            journal.keep(&self.best.bytes)?;
        }
        Ok(())
    }

    /// What is to be tried again with more time, if anything; the limits are raised then.
    pub(super) fn start_second_try(&mut self) -> Option<SecondTry> {
        let more = self
            .overdue
            .next_try()
            .filter(|_| self.time.can_be_raised())?;
        let is_first = !self.time.is_raised();
        self.time.raise(true);
        if is_first {
            let seconds = self.time.limit().unwrap_or_default().as_secs_f64();
            let timed_out = self.overdue.count() as u64;
            self.tell(&Event::Retrying { timed_out, seconds });
        }
        Some(more)
    }

    /// The limits are as before.
    pub(super) fn end_second_try(&mut self) {
        self.time.raise(false);
    }

    /// The counts, with what is known about the candidates that have no answer.
    pub(super) fn statistics(&self) -> Statistics {
        Statistics {
            given_up: self.overdue.count() as u64,
            given_up_twice: self.overdue.count_twice() as u64,
            time_limit: self.time.limit().unwrap_or_default(),
            work_limit: self.time.work_limit(),
            ..self.statistics.clone()
        }
    }

    /// Remembers what has no answer yet, and forgets it when there is one. `slow` is an answer that took longer than usual.
    fn note_delay(&mut self, question: &Question, timed_out: bool, slow: bool) {
        if self.time.is_raised() {
            let result = match (timed_out, slow) {
                (true, _) => Again::TimedOut,
                (_, true) => Again::Slow,
                _ => Again::Known,
            };
            self.overdue.tried_again(question, result);
        } else if timed_out && question.bytes.len() < self.best.bytes.len() {
            self.overdue.add(question);
        } else {
            self.overdue.settle(question);
        }
    }

    /// That it cannot be saved is worth a word, not the end.
    fn keep_find(&mut self, question: &Question) {
        let Some(finds) = &mut self.finds else { return };
        let event = match finds.save(question) {
            Ok(None) => return,
            Ok(Some(path)) => Event::AlsoInteresting { path },
            Err(error) => {
                let text = format!("cannot save a candidate that is also interesting: {error}");
                Event::Warning { text }
            }
        };
        self.tell(&event);
    }

    fn count(&mut self, question: &Question, trial: &Trial, timed_out: bool) {
        let runs = u64::from(trial.runs);
        self.statistics.queries += runs;
        self.statistics.oracle_time += trial.time;
        let pass = self.statistics.pass(question.pass);
        pass.queries += runs;
        pass.oracle_time += trial.time;
        self.note_delay(
            question,
            timed_out,
            self.time.is_slow(trial.slowest, trial.work),
        );
        if timed_out {
            self.statistics.timed_out += 1;
        } else {
            let interesting = trial.outcome == Outcome::Interesting;
            self.time.observe(trial.slowest, trial.work, interesting);
        }
    }

    fn note(&mut self, question: &Question, verdict: Verdict, source: Source, time: Duration) {
        let pass = self.statistics.pass(question.pass);
        pass.questions += 1;
        pass.successes += u64::from(verdict.is_interesting());
        let bytes = self.size(question);
        self.tell(&Event::Answered {
            pass: question.pass,
            bytes,
            interesting: verdict.is_interesting(),
            source,
            queries: self.statistics.queries,
            oracle_seconds: time.as_secs_f64(),
            text: self.shows.then(|| question.bytes.as_slice().into()),
        });
        if verdict.is_interesting() {
            let length = question.bytes.len();
            self.cache.succeeded(length);
            let is_better = length <= self.best.bytes.len() || self.measure == Size::AnyBytes;
            if is_better && source != Source::Best {
                self.improve(question);
            }
        }
        self.statistics.cache_peak_entries = self.cache.peak_entries();
        self.statistics.cache_peak_bytes = self.cache.peak_bytes();
    }

    fn improve(&mut self, question: &Question) {
        self.unsaved = true;
        let bytes = self.size(question);
        let removed = self.size(&self.best).saturating_sub(bytes) as u64;
        self.statistics.pass(question.pass).bytes_removed += removed;
        self.best = Arc::new(question.copy());
        self.cache.rebase(Arc::clone(&self.best));
        self.overdue.drop_useless(question.bytes.len());
        self.tell(&Event::Improved {
            pass: question.pass,
            bytes,
            queries: self.statistics.queries,
            seconds: self.started.elapsed().as_secs_f64(),
            text: question.bytes.as_slice().into(),
        });
    }
}
