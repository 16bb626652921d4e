//! What one reduction knows, and what follows from an answer: counts, cache, result file, events.
//!
//! All of it happens where a question is consumed, in the order of the questions.

use std::sync::Arc;

use super::answer::Answer;
use super::cache::Cache;
use super::detached::Patience;
use super::rendered::Rendered;
use super::second_try::{Again, Overdue, SecondTry};
use super::time_limit::TimeKeeper;
use super::{
    Duration, EngineError, Event, Finds, Instant, Interrupt, Journal, Outcome, Query, QueryId,
    ResultFile, Settings, Size, Source, Stop, StopLimits,
};
use crate::folder::listed;
use crate::report::Statistics;
use crate::search::Verdict;

pub(super) struct Ledger<'a> {
    pub(super) best: Arc<Rendered>,
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
        let best = Arc::new(Rendered::of(original.to_vec(), "original"));
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
    fn size(&self, candidate: &Rendered) -> usize {
        let Size::Entries(sizes) = &self.measure else {
            return candidate.bytes.len();
        };
        let listed = listed(&candidate.bytes);
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
    pub(super) fn known(&self, candidate: &Rendered) -> Option<Answer> {
        if self.best.is_same(candidate) {
            return Some(Answer::known(Outcome::Interesting, Source::Best));
        }
        if let Some(verdict) = self.cache.get(candidate, self.time.measure()) {
            let outcome = Outcome::of(verdict.is_interesting());
            return Some(Answer::known(outcome, Source::Cache));
        }
        let journal = self.journal.as_ref()?;
        let is_known = journal.was_refused(candidate);
        is_known.then(|| Answer::known(Outcome::Uninteresting, Source::Journal))
    }

    /// Whether the question's key will be needed.
    pub(super) fn needs_key(&self, candidate: &Rendered) -> bool {
        self.cache.needs_key(candidate)
    }

    pub(super) fn query<'q>(&self, slot: usize, id: QueryId, candidate: &'q Rendered) -> Query<'q> {
        let time_limit = self.time.limit();
        Query {
            slot,
            id,
            candidate: &candidate.bytes,
            time_limit,
            work_limit: self.time.work_limit(),
            stop_at: self.stop_at(),
        }
    }

    /// Consumes an answer, which is not that of a cancelled query, and says what the search is told.
    pub(super) fn settle(
        &mut self,
        candidate: &Rendered,
        answer: &Answer,
    ) -> Result<Verdict, EngineError> {
        match answer.source {
            Source::Query | Source::TimedOut => self.settle_query(candidate, answer)?,
            Source::Journal | Source::Cache | Source::Best => self.settle_known(candidate, answer),
        }
        self.note(candidate, answer);
        Ok(answer.verdict())
    }

    fn settle_known(&mut self, candidate: &Rendered, answer: &Answer) {
        if answer.source == Source::Journal {
            self.statistics.replayed += 1;
        } else {
            self.statistics.cache_hits += 1;
        }
        if self.time.is_raised() {
            // It had about as much time before.
            self.overdue.tried_again(candidate, Again::TimedOut);
        }
    }

    fn settle_query(&mut self, candidate: &Rendered, answer: &Answer) -> Result<(), EngineError> {
        self.count(candidate, answer);
        let limit = answer.limit.filter(|_| answer.timed_out());
        self.cache.insert(candidate, answer.verdict(), limit);
        if let Some(journal) = &mut self.journal {
            journal.record(candidate, answer.outcome)?;
        }
        if answer.outcome == Outcome::AlsoInteresting {
            self.keep_find(candidate);
        }
        Ok(())
    }

    /// Consumes the journal's answer; `None`: it has none about this candidate.
    pub(super) fn settle_replayed(
        &mut self,
        candidate: &Rendered,
    ) -> Result<Option<Verdict>, EngineError> {
        let Some(journal) = &mut self.journal else {
            return Ok(None);
        };
        let Some(outcome) = journal.replay(candidate)? else {
            return Ok(None);
        };
        let answer = Answer::known(outcome, Source::Journal);
        self.statistics.replayed += 1;
        self.statistics.timed_out += u64::from(answer.timed_out());
        self.note_delay(candidate, answer.timed_out(), false);
        let limit = self.time.measure().filter(|_| answer.timed_out());
        self.cache.insert(candidate, answer.verdict(), limit);
        self.note(candidate, &answer);
        Ok(Some(answer.verdict()))
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
    fn note_delay(&mut self, candidate: &Rendered, timed_out: bool, slow: bool) {
        if self.time.is_raised() {
            let result = match (timed_out, slow) {
                (true, _) => Again::TimedOut,
                (_, true) => Again::Slow,
                _ => Again::Known,
            };
            self.overdue.tried_again(candidate, result);
        } else if timed_out && candidate.bytes.len() < self.best.bytes.len() {
            self.overdue.add(candidate);
        } else {
            self.overdue.settle(candidate);
        }
    }

    /// That it cannot be saved is worth a word, not the end.
    fn keep_find(&mut self, candidate: &Rendered) {
        let Some(finds) = &mut self.finds else { return };
        let event = match finds.save(candidate) {
            Ok(None) => return,
            Ok(Some(path)) => Event::AlsoInteresting { path },
            Err(error) => {
                let text = format!("cannot save a candidate that is also interesting: {error}");
                Event::Warning { text }
            }
        };
        self.tell(&event);
    }

    fn count(&mut self, candidate: &Rendered, answer: &Answer) {
        let runs = u64::from(answer.runs);
        self.statistics.queries += runs;
        self.statistics.oracle_time += answer.time;
        let pass = self.statistics.pass(candidate.pass);
        pass.queries += runs;
        pass.oracle_time += answer.time;
        let is_slow = self.time.is_slow(answer.slowest, answer.work);
        self.note_delay(candidate, answer.timed_out(), is_slow);
        if answer.timed_out() {
            self.statistics.timed_out += 1;
        } else {
            let is_interesting = answer.outcome.is_interesting();
            self.time
                .observe(answer.slowest, answer.work, is_interesting);
        }
    }

    fn note(&mut self, candidate: &Rendered, answer: &Answer) {
        let is_interesting = answer.outcome.is_interesting();
        let pass = self.statistics.pass(candidate.pass);
        pass.questions += 1;
        pass.successes += u64::from(is_interesting);
        let bytes = self.size(candidate);
        self.tell(&Event::Answered {
            pass: candidate.pass,
            bytes,
            interesting: is_interesting,
            source: answer.source,
            queries: self.statistics.queries,
            oracle_seconds: answer.time.as_secs_f64(),
            text: self.shows.then(|| candidate.bytes.as_slice().into()),
        });
        if is_interesting {
            let length = candidate.bytes.len();
            self.cache.succeeded(length);
            let is_better = length <= self.best.bytes.len() || self.measure == Size::AnyBytes;
            if is_better && answer.source != Source::Best {
                self.improve(candidate);
            }
        }
        self.statistics.cache_peak_entries = self.cache.peak_entries();
        self.statistics.cache_peak_bytes = self.cache.peak_bytes();
    }

    fn improve(&mut self, candidate: &Rendered) {
        self.unsaved = true;
        let bytes = self.size(candidate);
        let removed = self.size(&self.best).saturating_sub(bytes) as u64;
        self.statistics.pass(candidate.pass).bytes_removed += removed;
        self.best = Arc::new(candidate.copy());
        self.cache.rebase(Arc::clone(&self.best));
        self.overdue.drop_useless(candidate.bytes.len());
        self.tell(&Event::Improved {
            pass: candidate.pass,
            bytes,
            queries: self.statistics.queries,
            seconds: self.started.elapsed().as_secs_f64(),
            text: candidate.bytes.as_slice().into(),
        });
    }
}
