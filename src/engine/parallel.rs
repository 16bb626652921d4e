//! Several oracle runs at a time, with the answers consumed in the order of the questions.
//!
//! Queries belong to contents, not to places in the tree of futures: after a surprise, what the new tree asks again goes on
//! running, results that are there are used, and only what nobody asks for any more is killed.
//!
//! Besides the futures of the search there are those of its later parts, on the text as it is now. What is said there is no
//! answer, because the text will be another one when their turn comes, but it makes most of the answers then predictable.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::futures::Futures;
use super::job::{Job, verdict_of};
use super::last_test::LastTest;
use super::pool::{Pool, Task};
use super::predictor::{Predictor, Situation};
use super::question::Question;
use super::trial::Trial;
use super::{Engine, EngineError, Outcome, Render, Search, Statistics, Stop, Ticket, TimeLimit};

/// The engine's side of the speculation.
struct Ahead<'p, 'a, S> {
    pool: &'p Pool<'a>,
    /// The futures of the search, and behind them those of later parts of it on the text as it is now: what is said there
    /// is evidence for when their turn comes.
    trees: Vec<Futures<S>>,
    /// Whether an answer was consumed since the later parts were looked for.
    has_moved: bool,
    predictor: Predictor,
    jobs: Vec<Job>,
    last_test: Option<LastTest>,
    /// Chosen, and to be sent with the others, the worthiest first.
    chosen: Vec<Task>,
    /// Queries that run at a time.
    workers: usize,
    /// Queries that may run or wait to run.
    window: usize,
    /// What is worth less is not asked.
    least: f64,
    /// How long queries take from when they are sent to their answer, lately.
    usual: Duration,
}

/// A worker that becomes free finds its next query ready, if queries are as short as the engine's own work. Else what is worth
/// most at that time shall run.
const WAITING: usize = 2;
const SHORT: Duration = Duration::from_millis(5);
/// Results that nobody asks for at the moment are kept, the newest this many times the window.
const KEPT_RESULTS: usize = 4;
/// A query is given up for one that is this many times as likely to be needed: all that run were chosen before the answers that
/// came together with the last one were known.
const MUCH_BETTER: f64 = 8.0;
/// The tree may have this many nodes for each query of the window: known answers make long paths without queries.
const NODES: usize = 16;
/// So many later parts of the search are looked at.
const LATER_PARTS: usize = 12;
/// What an answer about a later part is worth: it is evidence, and the question comes again on another text.
const LATER_WORTH: f64 = 0.7;
/// What is less likely than this is not worth the processor time that it takes from others.
const UNLIKELY: f64 = 0.06;
/// With two jobs this share of the queries may be thrown away, and some more in a short search. Who gives more jobs wants the
/// result sooner, and the share grows with their cube.
const WASTED: f64 = 0.12;
const ALWAYS_WASTED: f64 = 5.0;

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
                trees: vec![Futures::new(
                    search,
                    Arc::clone(&self.ledger.best),
                    &predictor,
                )],
                has_moved: true,
                predictor,
                jobs: Vec::new(),
                last_test: self.last_test.take(),
                chosen: Vec::new(),
                workers: jobs,
                window: jobs + WAITING,
                least: UNLIKELY,
                usual: Duration::ZERO,
            };
            let done = ahead.run(self);
            self.ledger.save_best()?;
            let has_ended = matches!(done, Ok(None));
            ahead.end_last_test(has_ended, self)?;
            self.last_test = ahead.last_test.take();
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
        while let Some(question) = self.trees[0].root().question.clone() {
            if let Some(stop) = engine.ledger.stop_reason() {
                return Ok(Some(stop));
            }
            let known = engine.ledger.known(&question);
            let verdict = if let Some((verdict, source)) = known {
                engine.ledger.settle_known(&question, verdict, source)
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
            self.trees[0].advance(verdict, known.is_none(), &mut self.predictor);
            self.has_moved = true;
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
        let situation = self.trees[0].root().situation.clone();
        let ticket = self.job_for(question, situation, 1.0, engine);
        self.send_chosen();
        self.trees[0].root_mut().ticket = Some(ticket);
        self.pool.hurry(ticket);
        loop {
            // What is there is consumed first: then it is clear what is worth asking.
            let at = self.jobs.iter().position(|job| job.ticket == ticket);
            let at = at.expect("the root's query is kept until it is consumed");
            if let Some(trial) = self.jobs[at].trial {
                self.jobs.remove(at);
                return Ok(trial);
            }
            self.learn_results();
            self.look_ahead(engine);
            self.drop_stale(engine);
            // Nobody waits for the disk: the workers have got what they are to do.
            engine.ledger.save_best()?;
            self.take_finished(true)?;
        }
    }

    /// Files what has ended. What was cancelled has no job any more.
    fn take_finished(&mut self, wait: bool) -> Result<(), EngineError> {
        for finished in self.pool.finished(wait) {
            let last_test = self.last_test.as_mut();
            if let Some(test) = last_test.filter(|test| test.ticket == finished.ticket) {
                test.outcome = Some(finished.result?.outcome);
                continue;
            }
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
                let age = job.sent.elapsed();
                self.usual = if self.usual.is_zero() {
                    age
                } else {
                    (self.usual * 7 + age) / 8
                };
            }
        }
        Ok(())
    }

    /// The query for this content, sent if there is none.
    fn job_for(
        &mut self,
        question: &Arc<Question>,
        situation: Situation,
        worth: f64,
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
            sent: Instant::now(),
        });
        self.chosen.push(Task {
            needs_key: engine.ledger.needs_key(&question),
            ticket,
            question,
            worth,
            time_limit,
            work_limit,
            stop_at,
        });
        ticket
    }

    /// A result that is there is no guess for the questions behind it.
    fn learn_results(&mut self) {
        for tree in &mut self.trees {
            for node in tree.nodes_mut() {
                let Some(ticket) = node.ticket.filter(|_| node.answer.is_none()) else {
                    continue;
                };
                let job = self.jobs.iter().find(|job| job.ticket == ticket);
                node.answer = job.and_then(|job| job.trial.as_ref()).map(verdict_of);
            }
            tree.estimate(&self.predictor);
        }
        let running = self.jobs.iter().filter(|job| job.trial.is_none());
        let running: Vec<_> = running.map(|job| job.situation.name()).collect();
        for tree in &mut self.trees {
            tree.hear(|change| running.contains(&change));
        }
    }

    /// Sends the most valuable further questions until the window is full.
    fn look_ahead(&mut self, engine: &mut Engine<'_>) {
        self.least = self.least_worth(&engine.ledger.statistics);
        let waiting = if self.usual < SHORT { WAITING } else { 0 };
        self.window = self.workers + waiting;
        if std::mem::take(&mut self.has_moved) {
            self.look_for_later_parts();
        }
        self.make_room();
        self.choose(engine);
        self.send_chosen();
        if engine.settings.tests_result {
            self.test_likely_end(engine);
        }
    }

    /// Lets a worker that has nothing else to do test what the search will probably end with.
    fn test_likely_end(&mut self, engine: &mut Engine<'_>) {
        let Some(text) = self.trees[0].likely_end().cloned() else {
            return;
        };
        if self
            .last_test
            .as_ref()
            .is_some_and(|test| test.text.is_same(&text))
        {
            return;
        }
        self.give_up_last_test(engine);
        let ticket = Ticket::fresh();
        let time_limit = match engine.settings.time_limit {
            TimeLimit::Fixed(limit) => Some(limit),
            TimeLimit::Adaptive | TimeLimit::Unlimited => None,
        };
        self.pool.send(Task {
            ticket,
            question: Arc::clone(&text),
            worth: 0.0,
            needs_key: false,
            time_limit,
            work_limit: None,
            stop_at: engine.ledger.query(0, ticket, &text).stop_at,
        });
        self.last_test = Some(LastTest {
            text,
            ticket,
            outcome: None,
        });
    }

    fn give_up_last_test(&mut self, engine: &mut Engine<'_>) {
        if let Some(test) = self.last_test.take() {
            let started = test.outcome.is_some() || self.pool.cancel(test.ticket);
            engine.ledger.statistics.discarded += u64::from(started);
        }
    }

    /// Waits for the test if the search has ended, and with what was expected.
    fn end_last_test(
        &mut self,
        has_ended: bool,
        engine: &mut Engine<'_>,
    ) -> Result<(), EngineError> {
        let is_of_best = |test: &LastTest| test.text.is_same(&engine.ledger.best);
        if !has_ended || !self.last_test.as_ref().is_some_and(is_of_best) {
            self.give_up_last_test(engine);
        }
        while self
            .last_test
            .as_ref()
            .is_some_and(|test| test.outcome.is_none())
        {
            self.take_finished(true)?;
        }
        Ok(())
    }

    /// Workers take what they find at once.
    fn send_chosen(&mut self) {
        self.chosen.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        self.chosen.drain(..).for_each(|task| self.pool.send(task));
    }

    /// Fills the window with what is worth most.
    fn choose(&mut self, engine: &mut Engine<'_>) {
        let (mut waiting, least) = (self.waiting(), self.least);
        while waiting < self.window {
            let Some((tree, leaf, worth)) = self.best_leaf() else {
                return;
            };
            self.trees[tree].grow(leaf, least, &self.predictor);
            waiting += usize::from(self.ask_of(tree, leaf, worth, engine));
        }
    }

    /// Sends the question of a node. Gives whether its answer is waited for.
    fn ask_of(&mut self, tree: usize, at: usize, worth: f64, engine: &mut Engine<'_>) -> bool {
        let node = self.trees[tree].node_mut(at);
        let Some(question) = node.question.clone() else {
            return false;
        };
        if node.answer.is_some() || node.ticket.is_some() {
            return false;
        }
        if let Some((verdict, _)) = engine.ledger.known(&question) {
            node.answer = Some(verdict);
            return false;
        }
        let situation = node.situation.clone();
        let ticket = self.job_for(&question, situation, worth, engine);
        let done = self.jobs.iter().find(|job| job.ticket == ticket);
        let answer = done.and_then(|job| job.trial.as_ref()).map(verdict_of);
        let node = self.trees[tree].node_mut(at);
        node.ticket = Some(ticket);
        node.answer = answer;
        let change = node.change();
        if answer.is_none() {
            self.trees[tree].add_heard(change);
        }
        answer.is_none()
    }

    /// Keeps the trees of later parts that are still later parts, and plants those of new ones.
    fn look_for_later_parts(&mut self) {
        let mut old = self.trees.split_off(1);
        if LATER_WORTH < self.least {
            return;
        }
        let mut part = self.trees[0].skip();
        while let Some(search) = part.filter(|_| self.trees.len() <= LATER_PARTS) {
            part = search.skip();
            let known = |change| old.iter().position(|tree| tree.change() == change);
            // Most have a name, and then what is there needs no rendering.
            let known_name = search.subject().and_then(known);
            let new = || self.trees[0].of_later(search, &self.predictor);
            let new = known_name.is_none().then(new);
            let known = new.as_ref().map_or(known_name, |new| known(new.change()));
            let tree = known.map(|known| old.swap_remove(known)).or(new);
            self.trees.extend(tree);
        }
    }

    /// The question that is worth most: its tree, its node and its worth.
    fn best_leaf(&self) -> Option<(usize, usize, f64)> {
        let trees = self.trees.iter().enumerate();
        let small = trees.filter(|(_, tree)| tree.len() < NODES * self.window);
        let leaves = small.filter_map(|(at, tree)| {
            let (leaf, value) = tree.best_leaf(self.least)?;
            Some((at, leaf, worth(at) * value))
        });
        leaves.reduce(|a, b| if b.2 > a.2 { b } else { a })
    }

    /// Forgets what cannot come any more, and, if the window is full, what is much less valuable than what could be asked instead.
    fn make_room(&mut self) {
        for tree in &mut self.trees {
            tree.prune(0.0);
        }
        if self.waiting() >= self.window
            && let Some((_, _, better)) = self.best_leaf()
        {
            let value = better / MUCH_BETTER;
            for (at, tree) in self.trees.iter_mut().enumerate() {
                tree.prune(value / worth(at));
            }
        }
    }

    /// What is worth less is not asked: a worker rather waits. It hardly matters until half of what may be thrown away has
    /// been, and then the guesses must be surer and surer.
    #[expect(clippy::cast_precision_loss, reason = "counts are far smaller")]
    fn least_worth(&self, statistics: &Statistics) -> f64 {
        let jobs = self.workers as f64;
        let allowed = ALWAYS_WASTED + WASTED * (jobs / 2.0).powi(3) * statistics.queries as f64;
        let spent = statistics.discarded as f64 / allowed;
        (1.0 - (-4.0 * spent.powi(3)).exp2()).max(UNLIKELY)
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
        let mut wanted: Vec<Ticket> = self.trees.iter().flat_map(Futures::tickets).collect();
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
        let usual = self.usual;
        self.jobs.retain(|job| {
            if is_wanted(job) {
                return true;
            }
            let has_ended = job.trial.is_some();
            let kept = if has_ended {
                surplus == 0
            } else {
                job.is_nearly_done(usual)
            };
            if !kept {
                let started = has_ended || self.pool.cancel(job.ticket);
                discarded += u64::from(started);
                surplus = surplus.saturating_sub(usize::from(has_ended));
            }
            kept
        });
        engine.ledger.statistics.discarded += discarded;
    }
}

/// What an answer in a tree is worth, if in the first it is 1.
fn worth(tree: usize) -> f64 {
    if tree == 0 { 1.0 } else { LATER_WORTH }
}
