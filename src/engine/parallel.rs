//! Several oracle runs at a time, with the answers consumed in the order of the questions.
//!
//! Queries belong to contents, not to places in the tree of futures: after a surprise, what the new tree asks again goes on
//! running, results that are there are used, and only what nobody asks for any more is killed.

use std::sync::Arc;

use super::answer::Answer;
use super::evidence::Evidence;
use super::futures::Futures;
use super::predictor::{Predictor, Situation};
use super::queries::Queries;
use super::rendered::Rendered;
use super::workers::Workers;
use super::{Engine, EngineError, Outcome, QueryId, Render, Search, Statistics, Stop};

/// The engine's side of the speculation.
struct Ahead<'p, 'a, S> {
    queries: Queries<'p, 'a>,
    futures: Futures<S>,
    predictor: Predictor,
    evidence: Evidence,
    /// Queries that run at a time.
    workers: usize,
    /// Queries that may run or wait to run.
    window: usize,
    /// What is worth less is not asked.
    least: f64,
}

/// A worker that becomes free finds its next query ready, if queries are as short as the engine's own work. Else what is worth
/// most at that time shall run.
const WAITING: usize = 2;
/// Results that nobody asks for at the moment are kept, the newest this many times the window.
const KEPT_RESULTS: usize = 4;
/// A query is given up for one that is this many times as likely to be needed: all that run were chosen before the answers that
/// came together with the last one were known.
const MUCH_BETTER: f64 = 8.0;
/// The tree may have this many nodes for each query of the window: known answers make long paths without queries.
const NODES: usize = 16;
/// All candidates of the trees together have no more bytes, as long as there are a few.
const MOST_BYTES: usize = 64 << 20;
/// What is less likely than this is not worth the processor time that it takes from others.
const UNLIKELY: f64 = 0.03;
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
        let workers = Workers::new(self.oracle, &self.settings);
        std::thread::scope(|scope| {
            let _closer = workers.start(scope);
            let predictor = Predictor::default();
            let mut ahead = Ahead {
                queries: Queries::new(&workers, self.last_test.take()),
                futures: Futures::new(search, Arc::clone(&self.ledger.best), &predictor),
                predictor,
                evidence: Evidence::default(),
                workers: jobs,
                window: jobs + WAITING,
                least: UNLIKELY,
            };
            let done = ahead.run(self);
            self.ledger.save_best()?;
            let result = matches!(done, Ok(None)).then_some(&*self.ledger.best);
            let (last_test, discarded) = ahead.queries.end(result, &mut ahead.predictor)?;
            self.ledger.statistics.discarded += discarded;
            self.last_test = last_test;
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
        while let Some(candidate) = self.futures.root().candidate.clone() {
            if let Some(stop) = engine.ledger.stop_reason() {
                return Ok(Some(stop));
            }
            let known = engine.ledger.known(&candidate);
            let answer = if let Some(answer) = known {
                answer
            } else {
                if let Some(stop) = engine.ledger.query_stop_reason() {
                    return Ok(Some(stop));
                }
                let answer = self.answer_of(&candidate, engine)?;
                if answer.outcome == Outcome::Cancelled {
                    // Only what is not wanted is cancelled by us, so this was the signal or the end of the time.
                    let stop = engine.ledger.stop_reason();
                    return Ok(Some(stop.unwrap_or(Stop::Interrupted)));
                }
                answer
            };
            let verdict = engine.ledger.settle(&candidate, &answer)?;
            self.futures
                .advance(verdict, known.is_none(), &mut self.predictor);
        }
        Ok(engine.ledger.end_of_search())
    }

    /// Waits for the oracle's answer to the root's question, and keeps the workers busy meanwhile.
    fn answer_of(
        &mut self,
        candidate: &Arc<Rendered>,
        engine: &mut Engine<'_>,
    ) -> Result<Answer, EngineError> {
        self.queries.take_finished(&mut self.predictor)?;
        let situation = self.futures.root().situation.clone();
        let queries = &mut self.queries;
        let id = queries.choose(candidate, situation, 1.0, &engine.ledger);
        queries.hurry(id);
        self.futures.root_mut().query = Some(id);
        self.evidence.renew(self.futures.root().search.parts());
        loop {
            // What is there is consumed first: then it is clear what is worth asking.
            if let Some(answer) = self.queries.consume(id) {
                return Ok(answer);
            }
            self.learn_results();
            self.look_ahead(engine);
            self.drop_stale(engine);
            // Nobody waits for the disk: the workers have got what they are to do.
            engine.ledger.save_best()?;
            self.queries.wait(&mut self.predictor)?;
        }
    }

    /// A result that is there is no guess for the questions behind it.
    fn learn_results(&mut self) {
        for node in self.futures.nodes_mut() {
            let Some(id) = node.query.filter(|_| node.verdict.is_none()) else {
                continue;
            };
            node.verdict = self.queries.verdict(id);
        }
        self.futures.estimate(&self.predictor);
        let running = self.queries.waiting();
        let running: Vec<_> = running.map(|(_, situation)| situation.name()).collect();
        self.futures.hear(|change| running.contains(&change));
    }

    /// Sends the most valuable further questions until the window is full.
    fn look_ahead(&mut self, engine: &mut Engine<'_>) {
        self.least = self.least_worth(&engine.ledger.statistics);
        let waiting = if self.queries.are_short() { WAITING } else { 0 };
        self.window = self.workers + waiting;
        self.make_room();
        self.choose(engine);
        self.queries.send_chosen();
        if engine.settings.tests_result
            && let Some(text) = self.futures.likely_end()
        {
            let limit = engine.settings.time_limit;
            let for_nothing = self.queries.test_result(text, limit, &engine.ledger);
            engine.ledger.statistics.discarded += for_nothing;
        }
    }

    /// Fills the window with what is worth most.
    fn choose(&mut self, engine: &mut Engine<'_>) {
        let (mut waiting, least) = (self.waiting(), self.least);
        let mut parts = self.unknown_parts();
        while waiting < self.window {
            let leaf = self.best_leaf();
            let by_leaf = leaf.map_or(0.0, |(_, worth)| worth);
            if let Some(part) = parts.pop_if(|(_, worth)| *worth >= by_leaf.max(least)) {
                waiting += usize::from(self.probe(part, engine));
                continue;
            }
            let Some((leaf, worth)) = leaf else {
                return;
            };
            self.futures.grow(leaf, least, &self.predictor);
            waiting += usize::from(self.ask_of(leaf, worth, engine));
        }
    }

    /// The open parts that nothing was said about and nobody asks about, and what it is worth to; the worthiest last.
    fn unknown_parts(&self) -> Vec<(u64, f64)> {
        let running = self.queries.waiting();
        let asked: Vec<u64> = running.filter_map(|(_, it)| it.part).collect();
        let is_known = |part| self.predictor.known_chance(part).is_some() || asked.contains(&part);
        self.evidence.worths(is_known)
    }

    /// Asks about a part on the present text. Gives whether its answer is waited for.
    fn probe(&mut self, (part, worth): (u64, f64), engine: &mut Engine<'_>) -> bool {
        let root = self.futures.root();
        let candidate = root.search.alone(part);
        let candidate = candidate.map(|it| Arc::new(Rendered::new(&it, Vec::new())));
        let is_new = |candidate: &Arc<Rendered>| engine.ledger.known(candidate).is_none();
        let Some(candidate) = candidate.filter(is_new) else {
            self.evidence.strike(part);
            return false;
        };
        let situation = Situation {
            part: Some(part),
            ..Situation::of(&candidate, &root.base)
        };
        let queries = &mut self.queries;
        let id = queries.choose(&candidate, situation, worth, &engine.ledger);
        self.evidence.note(part, id);
        queries.verdict(id).is_none()
    }

    /// Sends the question of a node. Gives whether its answer is waited for.
    fn ask_of(&mut self, at: usize, worth: f64, engine: &mut Engine<'_>) -> bool {
        let node = self.futures.node_mut(at);
        let Some(candidate) = node.candidate.clone() else {
            return false;
        };
        if node.verdict.is_some() || node.query.is_some() {
            return false;
        }
        if let Some(answer) = engine.ledger.known(&candidate) {
            node.verdict = Some(answer.verdict());
            return false;
        }
        let situation = node.situation.clone();
        let queries = &mut self.queries;
        let id = queries.choose(&candidate, situation, worth, &engine.ledger);
        let verdict = queries.verdict(id);
        let node = self.futures.node_mut(at);
        node.query = Some(id);
        node.verdict = verdict;
        let change = node.change();
        if verdict.is_none() {
            self.futures.add_heard(change);
        }
        verdict.is_none()
    }

    /// The node whose growth is worth most, and its worth.
    fn best_leaf(&self) -> Option<(usize, f64)> {
        let is_full = self.futures.len() >= self.most_nodes().min(NODES * self.window);
        let best = self.futures.best_leaf(self.least);
        best.filter(|_| !is_full)
    }

    /// How many candidates of the present size there is room for.
    fn most_nodes(&self) -> usize {
        MOST_BYTES / self.futures.root().base.bytes.len().max(1)
    }

    /// Forgets what cannot come any more, and, if the window is full, what is much less valuable than what could be asked instead.
    fn make_room(&mut self) {
        self.futures.prune(0.0);
        if self.waiting() >= self.window
            && let Some((_, better)) = self.best_leaf()
        {
            self.futures.prune(better / MUCH_BETTER);
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
        let waiting = self.queries.waiting();
        waiting
            .filter(|(id, _)| wanted.binary_search(id).is_ok())
            .count()
    }

    /// The queries of the tree, sorted.
    fn wanted(&self) -> Vec<QueryId> {
        let mut wanted: Vec<QueryId> = self
            .futures
            .queries()
            .chain(self.evidence.queries())
            .collect();
        wanted.sort_unstable();
        wanted
    }

    /// Kills what nobody asks for any more, and forgets old results.
    fn drop_stale(&mut self, engine: &mut Engine<'_>) {
        let wanted = self.wanted();
        let kept = (KEPT_RESULTS * self.window).min(self.most_nodes());
        engine.ledger.statistics.discarded += self.queries.drop_unwanted(&wanted, kept);
    }
}
