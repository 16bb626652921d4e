//! Several oracle runs at a time, with the answers consumed in the order of the questions.
//!
//! Queries belong to contents, not to places in the tree of futures: after a surprise, what the new tree asks again goes on
//! running, results that are there are used, and only what nobody asks for any more is killed.

use std::sync::Arc;

use super::futures::Futures;
use super::pool::{Pool, Task};
use super::predictor::{Predictor, Situation};
use super::question::Question;
use super::trial::Trial;
use super::{Engine, EngineError, Outcome, Render, Search, Stop, Ticket};
use crate::search::Verdict;

/// A query that was sent: running, or ended and not consumed.
struct Job {
    ticket: Ticket,
    question: Arc<Question>,
    situation: Situation,
    trial: Option<Trial>,
}

/// The engine's side of the speculation.
struct Ahead<'p, 'a, S> {
    pool: &'p Pool<'a>,
    futures: Futures<S>,
    predictor: Predictor,
    jobs: Vec<Job>,
    /// Queries that may run or wait to run.
    window: usize,
}

/// A worker that becomes free finds its next query ready.
const WAITING: usize = 2;
/// Results that nobody asks for at the moment are kept, the newest this many times the window.
const KEPT_RESULTS: usize = 4;
/// A query is given up for one that is this many times as likely to be needed: all that run were chosen before the answers that
/// came together with the last one were known.
const MUCH_BETTER: f64 = 4.0;
/// The tree may have this many nodes for each query of the window: known answers make long paths without queries.
const NODES: usize = 8;

impl Engine<'_> {
    pub(super) fn run_ahead<S>(&mut self, search: S) -> Result<Option<Stop>, EngineError>
    where
        S: Search + Send,
        S::Candidate: Render,
    {
        let jobs = self.settings.jobs;
        let pool = Pool::new(self.oracle, self.settings.repeat, jobs);
        std::thread::scope(|scope| {
            let _closer = pool.start(scope);
            let predictor = Predictor::default();
            let mut ahead = Ahead {
                pool: &pool,
                futures: Futures::new(search, Arc::new(self.ledger.best.copy()), &predictor),
                predictor,
                jobs: Vec::new(),
                window: jobs + WAITING,
            };
            let done = ahead.run(self);
            self.ledger.statistics.discarded += ahead.jobs.len() as u64;
            done
        })
    }
}

impl<S> Ahead<'_, '_, S>
where
    S: Search,
    S::Candidate: Render,
{
    fn run(&mut self, engine: &mut Engine<'_>) -> Result<Option<Stop>, EngineError> {
        while let Some(question) = self.futures.root().question.clone() {
            if let Some(stop) = engine.ledger.stop_reason() {
                return Ok(Some(stop));
            }
            let known = engine.ledger.known(&question);
            let verdict = if let Some((verdict, source)) = known {
                engine.ledger.settle_known(&question, verdict, source)?
            } else {
                if let Some(stop) = engine.ledger.query_stop_reason() {
                    return Ok(Some(stop));
                }
                let trial = self.answer_of(&question, engine)?;
                if trial.outcome == Outcome::Cancelled {
                    // Only what is not wanted is cancelled by us, so this was the signal or the end of the time.
                    let stop = engine.ledger.stop_reason();
                    return Ok(Some(stop.unwrap_or(Stop::Interrupted)));
                }
                engine.ledger.settle_trial(&question, &trial)?
            };
            self.futures
                .advance(verdict, known.is_none(), &mut self.predictor);
        }
        Ok(None)
    }

    /// Waits for the oracle's answer to the root's question, and keeps the workers busy meanwhile.
    fn answer_of(
        &mut self,
        question: &Arc<Question>,
        engine: &mut Engine<'_>,
    ) -> Result<Trial, EngineError> {
        self.take_finished(false)?;
        let ticket = self.job_for(question, self.futures.root().situation.clone(), engine);
        self.futures.root_mut().ticket = Some(ticket);
        self.pool.hurry(ticket);
        loop {
            self.learn_results();
            self.look_ahead(engine);
            self.drop_stale(engine);
            let at = self.jobs.iter().position(|job| job.ticket == ticket);
            let at = at.expect("the root's query is kept until it is consumed");
            if let Some(trial) = self.jobs[at].trial {
                self.jobs.remove(at);
                return Ok(trial);
            }
            self.take_finished(true)?;
        }
    }

    /// Files what has ended. What was cancelled has no job any more.
    fn take_finished(&mut self, wait: bool) -> Result<(), EngineError> {
        for finished in self.pool.finished(wait) {
            if let Some(job) = self
                .jobs
                .iter_mut()
                .find(|job| job.ticket == finished.ticket)
            {
                let trial = finished.result?;
                if trial.outcome != Outcome::Cancelled {
                    self.predictor.remember(&job.situation, verdict_of(&trial));
                }
                job.trial = Some(trial);
            }
        }
        Ok(())
    }

    /// The query for this content, sent if there is none.
    fn job_for(
        &mut self,
        question: &Arc<Question>,
        situation: Situation,
        engine: &mut Engine<'_>,
    ) -> Ticket {
        if let Some(job) = self.jobs.iter().find(|job| job.question.is_same(question)) {
            return job.ticket;
        }
        let ticket = Ticket::fresh();
        let query = engine.ledger.query(0, ticket, question);
        let (time_limit, work_limit, stop_at) = (query.time_limit, query.work_limit, query.stop_at);
        let question = Arc::clone(question);
        self.jobs.push(Job {
            ticket,
            question: Arc::clone(&question),
            situation,
            trial: None,
        });
        self.pool.send(Task {
            ticket,
            question,
            time_limit,
            work_limit,
            stop_at,
        });
        ticket
    }

    /// A result that is there is no guess for the questions behind it.
    fn learn_results(&mut self) {
        for node in self.futures.nodes_mut() {
            let Some(ticket) = node.ticket.filter(|_| node.answer.is_none()) else {
                continue;
            };
            let job = self.jobs.iter().find(|job| job.ticket == ticket);
            node.answer = job.and_then(|job| job.trial.as_ref()).map(verdict_of);
        }
        self.futures.estimate(&self.predictor);
    }

    /// Sends the most probable further questions until the window is full.
    fn look_ahead(&mut self, engine: &mut Engine<'_>) {
        self.make_room();
        let mut waiting = self.waiting();
        while waiting < self.window && self.futures.len() < NODES * self.window {
            let Some(edge) = self.futures.best_edge() else {
                return;
            };
            let node = self.futures.grow(edge, &self.predictor);
            let Some(question) = node.question.clone() else {
                continue;
            };
            if node.answer.is_some() {
                continue;
            }
            if let Some((verdict, _)) = engine.ledger.known(&question) {
                node.answer = Some(verdict);
                continue;
            }
            let situation = node.situation.clone();
            let ticket = self.job_for(&question, situation, engine);
            let done = self.jobs.iter().find(|job| job.ticket == ticket);
            let answer = done.and_then(|job| job.trial.as_ref()).map(verdict_of);
            waiting += usize::from(answer.is_none());
            if let Some(node) = self.futures.nodes_mut().last() {
                node.ticket = Some(ticket);
                node.answer = answer;
            }
        }
    }

    /// Forgets what cannot come any more, and, if the window is full, what is much less likely than what could be asked instead.
    fn make_room(&mut self) {
        self.futures.prune(0.0);
        if self.waiting() >= self.window
            && let Some(better) = self.futures.best_edge()
        {
            self.futures.prune(better.probability / MUCH_BETTER);
        }
    }

    /// How many queries of the tree have no answer yet.
    fn waiting(&self) -> usize {
        let wanted = self.wanted();
        let waiting = self.jobs.iter().filter(|job| job.trial.is_none());
        waiting
            .filter(|job| wanted.binary_search(&job.ticket).is_ok())
            .count()
    }

    /// The queries of the tree, sorted.
    fn wanted(&self) -> Vec<Ticket> {
        let mut wanted: Vec<Ticket> = self.futures.tickets().collect();
        wanted.sort_unstable();
        wanted
    }

    /// Kills what nobody asks for any more, and forgets old results.
    fn drop_stale(&mut self, engine: &mut Engine<'_>) {
        let wanted = self.wanted();
        let is_wanted = |job: &Job| wanted.binary_search(&job.ticket).is_ok();
        let unasked = self
            .jobs
            .iter()
            .filter(|job| job.trial.is_some() && !is_wanted(job))
            .count();
        let mut surplus = unasked.saturating_sub(KEPT_RESULTS * self.window);
        let mut discarded = 0;
        self.jobs.retain(|job| {
            if is_wanted(job) {
                return true;
            }
            let kept = job.trial.is_some() && surplus == 0;
            if !kept {
                let started = job.trial.is_some() || self.pool.cancel(job.ticket);
                discarded += u64::from(started);
                surplus = surplus.saturating_sub(usize::from(job.trial.is_some()));
            }
            kept
        });
        engine.ledger.statistics.discarded += discarded;
    }
}

fn verdict_of(trial: &Trial) -> Verdict {
    Verdict::of(trial.outcome == Outcome::Interesting)
}
