//! The queries that work ahead: chosen, running, or ended and not consumed.

use std::sync::Arc;
use std::time::Duration;

use super::answer::Answer;
use super::last_test::LastTest;
use super::ledger::Ledger;
use super::pool::Queued;
use super::predictor::{Predictor, Situation};
use super::rendered::Rendered;
use super::workers::Workers;
use super::{EngineError, Outcome, QueryId, TimeLimit};
use crate::search::Verdict;

/// What the workers were given.
pub(super) struct Queries<'p, 'a> {
    workers: &'p Workers<'a>,
    sent: Vec<Sent>,
    /// To be sent together, the worthiest first.
    chosen: Vec<Queued>,
    last_test: Option<LastTest>,
    /// When the newest of the queries that were consumed was sent.
    newest: Option<Duration>,
    /// How long queries take from when they are sent to their answer, lately.
    usual: Duration,
}

/// A query of the search that a worker has got or will get.
struct Sent {
    id: QueryId,
    candidate: Arc<Rendered>,
    situation: Situation,
    answer: Option<Answer>,
    /// Decides about what is asked and killed and whether the last test counts, never about what is consumed.
    at: Duration,
}

/// Queries that take less than this are about as short as the engine's own work.
const SHORT: Duration = Duration::from_millis(5);
/// An answer is due when its query has taken this share of the usual time, and is late after that.
const DUE: f64 = 0.8;
const LATE: f64 = 1.1;
/// How long one waits for answers that are due before it is looked again whether they are, as a share of the usual time.
const PATIENCE: f64 = 0.1;
/// A query that has taken this share of the usual time is not killed: its answer will be there at once, and is evidence.
const NEARLY_DONE: f64 = 0.85;
/// A query that takes so many times as long as usual is not spared any more.
const TOO_LONG: f64 = 2.0;

impl<'p, 'a> Queries<'p, 'a> {
    pub(super) fn new(workers: &'p Workers<'a>, last_test: Option<LastTest>) -> Self {
        Self {
            workers,
            sent: Vec::new(),
            chosen: Vec::new(),
            last_test,
            newest: None,
            usual: Duration::ZERO,
        }
    }

    /// Whether a worker that becomes free would often wait for the engine.
    pub(super) fn are_short(&self) -> bool {
        self.usual < SHORT
    }

    /// The query for this content, chosen to be sent if there is none.
    pub(super) fn choose(
        &mut self,
        candidate: &Arc<Rendered>,
        situation: Situation,
        worth: f64,
        ledger: &Ledger<'_>,
    ) -> QueryId {
        if let Some(query) = self
            .sent
            .iter()
            .find(|query| query.candidate.is_same(candidate))
        {
            return query.id;
        }
        let id = QueryId::fresh();
        let query = ledger.query(0, id, candidate);
        self.chosen.push(Queued {
            needs_key: ledger.needs_key(candidate),
            id,
            candidate: Arc::clone(candidate),
            worth,
            time_limit: query.time_limit,
            work_limit: query.work_limit,
            stop_at: query.stop_at,
        });
        self.sent.push(Sent {
            id,
            candidate: Arc::clone(candidate),
            situation,
            answer: None,
            at: self.workers.now(),
        });
        id
    }

    /// Workers take what they find at once.
    pub(super) fn send_chosen(&mut self) {
        self.chosen.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        self.chosen
            .drain(..)
            .for_each(|query| self.workers.send(query));
    }

    /// Lets this one be the next to start, if it has not.
    pub(super) fn hurry(&mut self, id: QueryId) {
        self.send_chosen();
        self.workers.hurry(id);
    }

    /// Files what has ended and tells the predictor. What was cancelled is not here any more.
    pub(super) fn take_finished(&mut self, predictor: &mut Predictor) -> Result<(), EngineError> {
        self.take_in(Duration::ZERO, predictor)
    }

    /// The same, when at least one has ended, or when those should have that were due.
    pub(super) fn wait(&mut self, predictor: &mut Predictor) -> Result<(), EngineError> {
        let patience = if self.is_any_due() {
            self.usual.mul_f64(PATIENCE)
        } else {
            Duration::MAX
        };
        self.take_in(patience, predictor)
    }

    fn take_in(
        &mut self,
        patience: Duration,
        predictor: &mut Predictor,
    ) -> Result<(), EngineError> {
        let finished = self.workers.finished(patience);
        let now = self.workers.now();
        for (id, result) in finished {
            if let Some(query) = self.sent.iter_mut().find(|query| query.id == id) {
                let answer = result?;
                if answer.outcome != Outcome::Cancelled {
                    predictor.remember(&query.situation, answer.verdict());
                }
                query.answer = Some(answer);
                let age = now.saturating_sub(query.at);
                self.usual = if self.usual.is_zero() {
                    age
                } else {
                    (self.usual * 7 + age) / 8
                };
            } else if let Some(test) = self.last_test.as_mut().filter(|test| test.id() == id) {
                test.end(result?.outcome);
            }
        }
        Ok(())
    }

    /// Whether an answer will come at once if it takes the usual time.
    fn is_any_due(&self) -> bool {
        let (due, late) = (self.usual.mul_f64(DUE), self.usual.mul_f64(LATE));
        let now = self.workers.now();
        let mut ages = self.running().map(|query| now.saturating_sub(query.at));
        !self.are_short() && ages.any(|age| due < age && age < late)
    }

    fn running(&self) -> impl Iterator<Item = &Sent> {
        self.sent.iter().filter(|query| query.answer.is_none())
    }

    /// What has no answer yet.
    pub(super) fn waiting(&self) -> impl Iterator<Item = (QueryId, &Situation)> {
        self.running().map(|query| (query.id, &query.situation))
    }

    /// What the search will be told, if it is known.
    pub(super) fn verdict(&self, id: QueryId) -> Option<Verdict> {
        let query = self.sent.iter().find(|query| query.id == id)?;
        query.answer.as_ref().map(Answer::verdict)
    }

    /// Takes what is known of a query away, if it has ended.
    pub(super) fn consume(&mut self, id: QueryId) -> Option<Answer> {
        let ended = |query: &Sent| query.id == id && query.answer.is_some();
        let at = self.sent.iter().position(ended)?;
        let query = self.sent.remove(at);
        self.newest = self.newest.max(Some(query.at));
        query.answer
    }

    /// Kills what nobody asks for any more, and forgets old results but the newest `kept`. `wanted` is sorted. Returns how many
    /// queries were run for nothing.
    pub(super) fn drop_unwanted(&mut self, wanted: &[QueryId], kept: usize) -> u64 {
        let is_wanted = |query: &Sent| wanted.binary_search(&query.id).is_ok();
        let (workers, usual, now) = (self.workers, self.usual, self.workers.now());
        let unasked = self
            .sent
            .iter()
            .filter(|query| query.answer.is_some() && !is_wanted(query));
        let mut surplus = unasked.count().saturating_sub(kept);
        let mut discarded = 0;
        self.sent.retain(|query| {
            let has_ended = query.answer.is_some();
            let stays = is_wanted(query)
                || if has_ended {
                    surplus == 0
                } else {
                    query.is_nearly_done(usual, now)
                };
            if !stays {
                let started = has_ended || workers.cancel(query.id);
                discarded += u64::from(started);
                surplus = surplus.saturating_sub(usize::from(has_ended));
            }
            stays
        });
        discarded
    }

    /// Nothing more is consumed. `result` is what the search has ended with, `None` if something stopped it: then nobody waits
    /// for the test of it. Returns the test, and how many queries were run for nothing.
    pub(super) fn end(
        mut self,
        result: Option<&Rendered>,
        predictor: &mut Predictor,
    ) -> Result<(Option<LastTest>, u64), EngineError> {
        let counts = |test: &LastTest| {
            result.is_some_and(|result| test.is_of(result)) && test.is_after(self.newest)
        };
        let discarded = if self.last_test.as_ref().is_some_and(counts) {
            0
        } else {
            self.give_up_last_test()
        };
        while self.last_test.as_ref().is_some_and(LastTest::is_running) {
            self.take_in(Duration::MAX, predictor)?;
        }
        Ok((self.last_test, discarded + self.sent.len() as u64))
    }
}

/// The test of the result.
impl Queries<'_, '_> {
    /// Lets a worker that has nothing else to do test what the search will probably end with. Returns how many tests of other
    /// texts were made for nothing.
    pub(super) fn test_result(
        &mut self,
        text: &Arc<Rendered>,
        limit: TimeLimit,
        ledger: &Ledger<'_>,
    ) -> u64 {
        if self.last_test.as_ref().is_some_and(|test| test.is_of(text)) {
            return 0;
        }
        let discarded = self.give_up_last_test();
        let id = QueryId::fresh();
        self.workers.send(Queued {
            id,
            candidate: Arc::clone(text),
            worth: 0.0,
            needs_key: false,
            time_limit: limit.fixed(),
            work_limit: None,
            stop_at: ledger.query(0, id, text).stop_at,
        });
        self.last_test = Some(LastTest::new(Arc::clone(text), id, self.workers.now()));
        discarded
    }

    fn give_up_last_test(&mut self) -> u64 {
        let Some(test) = self.last_test.take() else {
            return 0;
        };
        u64::from(!test.is_running() || self.workers.cancel(test.id()))
    }
}

impl Sent {
    fn is_nearly_done(&self, usual: Duration, now: Duration) -> bool {
        let age = now.saturating_sub(self.at);
        usual.mul_f64(NEARLY_DONE) < age && age < usual.mul_f64(TOO_LONG)
    }
}
