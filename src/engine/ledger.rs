//! What one reduction knows, and what follows from an answer: counts, cache, result file, events.
//!
//! All of it happens where an answer is consumed, in the order of the questions. When to stop is in `limits`, what takes too long
//! in `delays`, and where all that is found goes in `outlets`.

use std::sync::Arc;

use super::answer::Answer;
use super::cache::Cache;
use super::delays::Delays;
use super::detached::Patience;
use super::limits::Limits;
use super::outlets::Outlets;
use super::rendered::Rendered;
use super::second_try::SecondTry;
use super::{
    EngineError, Event, Finds, Interrupt, Journal, Outcome, Query, QueryId, Recording, ResultFile,
    Settings, Size, Source, Stop,
};
use crate::folder::listed;
use crate::report::Statistics;
use crate::search::Verdict;

pub(super) struct Ledger<'a> {
    pub(super) best: Arc<Rendered>,
    pub(super) statistics: Statistics,
    pub(super) limits: Limits<'a>,
    measure: Size,
    cache: Cache,
    delays: Delays,
    outlets: Outlets<'a>,
}

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
            limits: Limits::new(settings.stop, interrupt),
            measure: settings.size.clone(),
            delays: Delays::new(settings),
            outlets: Outlets::new(output, events, settings.shows_candidates),
        }
    }

    pub(super) fn keep_journal(&mut self, journal: &'a mut Journal) {
        let answers = (journal.left() + journal.known_earlier()) as u64;
        self.outlets.journal = Some(journal);
        if answers > 0 {
            self.tell(&Event::Resumed { answers });
        }
    }

    pub(super) fn keep_recording(&mut self, recording: &'a mut Recording) {
        self.outlets.recording = Some(recording);
    }

    pub(super) fn keep_finds(&mut self, finds: &'a mut Finds) {
        self.outlets.finds = Some(finds);
    }

    /// Whether the journal has answers that were not used yet.
    pub(super) fn is_replaying(&self) -> bool {
        let journal = self.outlets.journal.as_ref();
        journal.is_some_and(|journal| journal.left() > 0)
    }

    pub(super) fn tell(&mut self, event: &Event) {
        self.outlets.tell(event);
    }

    /// Why no further question may be asked. Waits while there is a pause.
    pub(super) fn stop_reason(&self) -> Option<Stop> {
        let size = self.size(&self.best);
        self.limits.stop_reason(&self.statistics, size)
    }

    /// Why the oracle may not be run again.
    pub(super) fn query_stop_reason(&self) -> Option<Stop> {
        self.limits.query_stop_reason(&self.statistics)
    }

    /// A search begins; how long its own work is waited for.
    pub(super) fn begin_search(&mut self) -> Arc<Patience> {
        self.limits.begin_search(&self.statistics)
    }

    /// Why the search has no more questions: `None` if it came to its own end.
    pub(super) fn end_of_search(&self) -> Option<Stop> {
        let was_left = self.limits.was_search_left();
        was_left.then(|| self.stop_reason().unwrap_or(Stop::Interrupted))
    }

    /// How large a candidate is, for whoever wants to know: its bytes, or those of the entries that it lists.
    fn size(&self, candidate: &Rendered) -> usize {
        let Size::Entries(sizes) = &self.measure else {
            return candidate.bytes.len();
        };
        let listed = listed(&candidate.bytes);
        listed.filter_map(|entry| sizes.get(entry)).sum()
    }

    /// The answer that needs no query.
    pub(super) fn known(&self, candidate: &Rendered) -> Option<Answer> {
        if self.best.is_same(candidate) {
            return Some(Answer::known(Outcome::Interesting, Source::Best));
        }
        if let Some(verdict) = self.cache.get(candidate, self.delays.measure()) {
            let outcome = match verdict {
                Verdict::Interesting => Outcome::Interesting,
                Verdict::Uninteresting => Outcome::Uninteresting,
            };
            return Some(Answer::known(outcome, Source::Cache));
        }
        let journal = self.outlets.journal.as_ref()?;
        let is_known = journal.was_refused(candidate);
        is_known.then(|| Answer::known(Outcome::Uninteresting, Source::Journal))
    }

    /// Whether a candidate's key will be needed.
    pub(super) fn needs_key(&self, candidate: &Rendered) -> bool {
        self.cache.needs_key(candidate)
    }

    pub(super) fn query<'q>(&self, slot: usize, id: QueryId, candidate: &'q Rendered) -> Query<'q> {
        let (time_limit, work_limit) = self.delays.limits();
        Query {
            slot,
            id,
            candidate: &candidate.bytes,
            time_limit,
            work_limit,
            stop_at: self.limits.stop_at(&self.statistics),
        }
    }

    /// Puts the best into the result file if it is not there. To be called before anything is waited for, and when a replay or a
    /// search has ended.
    pub(super) fn save_best(&mut self) -> Result<(), EngineError> {
        self.outlets.save(&self.best)
    }

    /// What is to be tried again with more time, if anything; the limits are raised then.
    pub(super) fn start_second_try(&mut self) -> Option<SecondTry> {
        let (more, first) = self.delays.start_second_try()?;
        if let Some((timed_out, seconds)) = first {
            self.tell(&Event::Retrying { timed_out, seconds });
        }
        Some(more)
    }

    /// The limits are as before.
    pub(super) fn end_second_try(&mut self) {
        self.delays.end_second_try();
    }

    /// The counts, with what is known about the candidates that have no answer.
    pub(super) fn statistics(&self) -> Statistics {
        self.delays.add_to(self.statistics.clone())
    }
}

/// Consuming answers.
impl Ledger<'_> {
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
        self.delays.observe_known(candidate);
    }

    fn settle_query(&mut self, candidate: &Rendered, answer: &Answer) -> Result<(), EngineError> {
        self.count(candidate, answer);
        self.delays
            .observe(candidate, answer, self.best.bytes.len());
        let limit = answer.limit.filter(|_| answer.timed_out());
        self.cache.insert(candidate, answer.verdict(), limit);
        self.outlets.record(candidate, answer.outcome)
    }

    /// Consumes the journal's answer; `None`: it has none about this candidate.
    pub(super) fn settle_replayed(
        &mut self,
        candidate: &Rendered,
    ) -> Result<Option<Verdict>, EngineError> {
        let Some(journal) = &mut self.outlets.journal else {
            return Ok(None);
        };
        let Some(outcome) = journal.replay(candidate)? else {
            return Ok(None);
        };
        let answer = Answer::known(outcome, Source::Journal);
        self.statistics.replayed += 1;
        self.statistics.timed_out += u64::from(answer.timed_out());
        self.delays
            .observe_replayed(candidate, &answer, self.best.bytes.len());
        let limit = self.delays.measure().filter(|_| answer.timed_out());
        self.cache.insert(candidate, answer.verdict(), limit);
        self.note(candidate, &answer);
        Ok(Some(answer.verdict()))
    }

    fn count(&mut self, candidate: &Rendered, answer: &Answer) {
        let runs = u64::from(answer.runs);
        self.statistics.queries += runs;
        self.statistics.oracle_time += answer.time;
        self.statistics.timed_out += u64::from(answer.timed_out());
        let pass = self.statistics.pass(candidate.pass);
        pass.queries += runs;
        pass.oracle_time += answer.time;
    }

    fn note(&mut self, candidate: &Rendered, answer: &Answer) {
        if !matches!(answer.source, Source::Cache | Source::Best) {
            self.outlets.add_to_recording(candidate, answer.outcome);
        }
        let is_interesting = answer.outcome.is_interesting();
        let pass = self.statistics.pass(candidate.pass);
        pass.questions += 1;
        pass.successes += u64::from(is_interesting);
        let bytes = self.size(candidate);
        let is_shown = self.outlets.shows_candidates;
        self.tell(&Event::Answered {
            pass: candidate.pass,
            bytes,
            interesting: is_interesting,
            source: answer.source,
            queries: self.statistics.queries,
            oracle_seconds: answer.time.as_secs_f64(),
            text: is_shown.then(|| candidate.bytes.as_slice().into()),
        });
        if is_interesting {
            let length = candidate.bytes.len();
            self.cache.succeeded(length);
            let best = self.best.bytes.len();
            let is_better = length < best
                || length == best && !candidate.is_aside
                || self.measure == Size::AnyBytes;
            if is_better && answer.source != Source::Best {
                self.improve(candidate);
            }
        }
        self.statistics.cache_peak_entries = self.cache.peak_entries();
        self.statistics.cache_peak_bytes = self.cache.peak_bytes();
    }

    fn improve(&mut self, candidate: &Rendered) {
        self.outlets.improved();
        let bytes = self.size(candidate);
        let removed = self.size(&self.best).saturating_sub(bytes) as u64;
        self.statistics.pass(candidate.pass).bytes_removed += removed;
        self.best = Arc::new(candidate.copy());
        self.cache.rebase(Arc::clone(&self.best));
        self.delays.drop_useless(candidate.bytes.len());
        self.tell(&Event::Improved {
            pass: candidate.pass,
            bytes,
            queries: self.statistics.queries,
            seconds: self.limits.elapsed().as_secs_f64(),
            text: candidate.bytes.as_slice().into(),
        });
    }
}
