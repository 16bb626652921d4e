//! The questions that may come: a tree of clones of the search, grown where its answers are worth most.
//!
//! The root is the question that is consumed next. Each node has a clone of the search in front of its question, and up to
//! two children, one for each answer. The tree is grown best first by the probability that a node will be reached (the
//! look-ahead of `DustMite`), so a predictable search is followed along one long path and an unpredictable one on both
//! branches. Consuming an answer makes one child the root and drops the rest.
//!
//! Many changes are asked about whatever the answers before them are, only on other texts. Asking about them on the text as it
//! is now is worth something too: it is evidence, and with it the search becomes predictable.

use std::sync::Arc;

use super::lineage::Base;
use super::predictor::{Factors, Predictor, Situation};
use super::question::{Change, Question};
use crate::oracle::Ticket;
use crate::search::{Render, Search, Verdict};

pub(super) struct Futures<S> {
    /// Parents come before their children; the root is the first.
    nodes: Vec<Node<S>>,
}

pub(super) struct Node<S> {
    search: S,
    /// `None`: the search ends here.
    pub(super) question: Option<Arc<Question>>,
    /// The answer, as far as it is known or was given by a query that has ended.
    pub(super) answer: Option<Verdict>,
    /// The query that was sent for it.
    pub(super) ticket: Option<Ticket>,
    /// What an interesting answer so far has made of the text: the question is a change of this.
    base: Base,
    pub(super) situation: Situation,
    factors: Factors,
    parent: usize,
    children: [Option<usize>; 2],
    /// That it is reached from the root.
    probability: f64,
    /// That its change is asked about, on whatever text.
    occurs: f64,
    /// Whether its sibling asks about the same change.
    is_anyhow: bool,
    has_grown: bool,
    interesting: f64,
}

/// What it is worth to hear of a change on another text, where the answer is in doubt.
const EVIDENCE: f64 = 0.3;

impl<S> Futures<S>
where
    S: Search,
    S::Candidate: Render,
{
    pub(super) fn new(search: S, base: Arc<Question>, predictor: &Predictor) -> Self {
        Self::from(search, Base::first(base), predictor)
    }

    fn from(search: S, base: Base, predictor: &Predictor) -> Self {
        let root = Node::new(search, base, Verdict::Uninteresting, 0, 1.0, predictor);
        Self { nodes: vec![root] }
    }

    /// The futures of a later part of the search, on the text as it is now.
    pub(super) fn of_later(&self, part: S, predictor: &Predictor) -> Self {
        Self::from(part, self.root().base.clone(), predictor)
    }

    /// The search at the first of its parts that comes after the present one, whatever its answers are.
    pub(super) fn skip(&self) -> Option<S> {
        self.root().search.skip()
    }

    pub(super) fn root(&self) -> &Node<S> {
        &self.nodes[0]
    }

    pub(super) fn root_mut(&mut self) -> &mut Node<S> {
        &mut self.nodes[0]
    }

    pub(super) fn node_mut(&mut self, node: usize) -> &mut Node<S> {
        &mut self.nodes[node]
    }

    /// What the root's question changes.
    pub(super) fn change(&self) -> Change {
        self.root().change()
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn nodes_mut(&mut self) -> impl Iterator<Item = &mut Node<S>> {
        self.nodes.iter_mut()
    }

    /// The queries of the nodes that can still be reached.
    pub(super) fn tickets(&self) -> impl Iterator<Item = Ticket> {
        let possible = self.nodes.iter().filter(|node| node.probability > 0.0);
        possible.filter_map(|node| node.ticket)
    }

    /// The node whose growth is worth most, and its worth, if that is at least `least`. Of equals the first.
    pub(super) fn best_leaf(&self, least: f64) -> Option<(usize, f64)> {
        let nodes = self.nodes.iter().enumerate();
        let nodes = nodes.filter(|(_, node)| node.question.is_some());
        let best = nodes
            .map(|(at, node)| (at, node.worth_of_growth()))
            .reduce(|a, b| if b.1 > a.1 { b } else { a });
        best.filter(|(_, worth)| *worth >= least)
    }

    /// Grows the possible children of a node that are worth at least `least`. Cost: a clone of the search and a rendering for
    /// each.
    pub(super) fn grow(&mut self, leaf: usize, least: f64, predictor: &Predictor) {
        self.nodes[leaf].has_grown = true;
        for answer in [Verdict::Uninteresting, Verdict::Interesting] {
            let parent = &self.nodes[leaf];
            if parent
                .worth_of_child(answer)
                .is_none_or(|worth| worth < least)
            {
                continue;
            }
            let mut search = parent.search.clone();
            search.tell(answer);
            let base = parent.base_after(answer);
            let probability = parent.probability * parent.chance(answer);
            let at = self.nodes.len();
            self.nodes[leaf].children[side(answer)] = Some(at);
            self.nodes.push(Node::new(
                search,
                base,
                answer,
                leaf,
                probability,
                predictor,
            ));
            self.nodes[at].answer = self.assumed(at);
        }
        if let [Some(one), Some(other)] = self.nodes[leaf].children {
            let same = self.nodes[one].change() == self.nodes[other].change();
            self.nodes[one].is_anyhow = same;
            self.nodes[other].is_anyhow = same;
        }
        for child in self.nodes[leaf].children.into_iter().flatten() {
            self.nodes[child].occurs = self.occurrence(child);
        }
    }

    /// How likely the change that a node's question asks about will be asked about, on whatever text.
    fn occurrence(&self, node: usize) -> f64 {
        let node = &self.nodes[node];
        let parent = &self.nodes[node.parent];
        if node.is_anyhow && parent.answer.is_none() {
            // It is evidence for the other.
            let is_first = node.situation.before == Verdict::Uninteresting;
            return if is_first { parent.occurs } else { 0.0 };
        }
        parent.occurs * parent.chance(node.situation.before)
    }

    /// What the way to this node says about its question, if the question was asked on it.
    fn assumed(&self, node: usize) -> Option<Verdict> {
        let question = self.nodes[node].question.as_ref()?;
        let mut at = node;
        while at > 0 {
            let parent = self.nodes[at].parent;
            let asked = self.nodes[parent].question.as_ref();
            if asked.is_some_and(|asked| asked.is_same(question)) {
                return Some(self.nodes[at].situation.before);
            }
            at = parent;
        }
        None
    }

    /// Estimates anew how likely each node is, from what is known by now.
    pub(super) fn estimate(&mut self, predictor: &Predictor) {
        for at in 1..self.nodes.len() {
            let parent = &self.nodes[self.nodes[at].parent];
            let probability = parent.probability * parent.chance(self.nodes[at].situation.before);
            self.nodes[at].probability = probability;
            self.nodes[at].occurs = self.occurrence(at);
            self.nodes[at].estimate(predictor);
        }
    }

    /// Consumes the answer to the root's question. `asked`: it was not known before.
    pub(super) fn advance(&mut self, answer: Verdict, asked: bool, predictor: &mut Predictor) {
        let root = &self.nodes[0];
        if asked {
            predictor.learn(&root.situation, &root.factors, answer);
        }
        predictor.trust(root.situation.base);
        if let Some(child) = root.children[side(answer)] {
            self.keep(child, |_| true);
        } else {
            let base = root.base_after(answer);
            let mut search = self.nodes.swap_remove(0).search;
            search.tell(answer);
            self.nodes.clear();
            self.nodes
                .push(Node::new(search, base, answer, 0, 1.0, predictor));
        }
        if self.root().base.could_be_first() {
            self.start_anew(predictor);
        }
    }

    /// From here on it is known what is gone. The queries are not lost: they belong to contents.
    fn start_anew(&mut self, predictor: &mut Predictor) {
        predictor.start_anew();
        let root = self.nodes.swap_remove(0);
        *self = Self::new(root.search, root.base.text, predictor);
    }

    /// Forgets what cannot happen, and gives up questions that are worth less than `least`, with all behind them; only the root's
    /// is kept.
    pub(super) fn prune(&mut self, least: f64) {
        for at in 1..self.nodes.len() {
            let node = &mut self.nodes[at];
            if node.answer.is_none() && node.worth() < least {
                node.ticket = None;
                node.has_grown = false;
            }
        }
        let grown: Vec<bool> = self.nodes.iter().map(|node| node.has_grown).collect();
        self.keep(0, |node| node.probability > 0.0 && grown[node.parent]);
    }

    /// Makes `top` the root, and keeps what hangs below it and is wanted: parents come first, so one pass moves it all.
    fn keep(&mut self, top: usize, wanted: impl Fn(&Node<S>) -> bool) {
        let old = std::mem::take(&mut self.nodes);
        let mut places = vec![None; old.len()];
        for (at, mut node) in old.into_iter().enumerate().skip(top) {
            let parent = if at == top {
                Some(0)
            } else {
                places[node.parent].filter(|_| wanted(&node))
            };
            let Some(parent) = parent else {
                continue;
            };
            node.parent = parent;
            places[at] = Some(self.nodes.len());
            self.nodes.push(node);
        }
        self.nodes[0].probability = 1.0;
        self.nodes[0].occurs = 1.0;
        for node in &mut self.nodes {
            node.children = node
                .children
                .map(|child| child.and_then(|child| places[child]));
        }
    }
}

impl<S> Node<S>
where
    S: Search,
    S::Candidate: Render,
{
    fn new(
        search: S,
        base: Base,
        before: Verdict,
        parent: usize,
        probability: f64,
        predictor: &Predictor,
    ) -> Self {
        let question = search
            .ask()
            .map(|asked| Arc::new(Question::render(&asked, Vec::new())));
        let mut situation = Situation {
            before,
            believed: search.chance(),
            subject: search.subject(),
            ..question
                .as_ref()
                .map_or_else(Situation::default, |question| {
                    Situation::of(question, &base)
                })
        };
        predictor.update(&mut situation);
        let factors = predictor.factors(&situation);
        let interesting = predictor.estimate(&factors);
        Self {
            search,
            base,
            situation,
            factors,
            question,
            answer: None,
            ticket: None,
            parent,
            children: [None; 2],
            probability,
            occurs: 1.0,
            is_anyhow: false,
            has_grown: false,
            interesting,
        }
    }

    /// What its answer is worth: it is needed itself, or it is evidence.
    fn worth(&self) -> f64 {
        let doubt = match self.answer {
            // The way on is free.
            Some(_) => 1.0,
            None => 4.0 * self.interesting * (1.0 - self.interesting),
        };
        self.probability.max(EVIDENCE * self.occurs * doubt)
    }

    fn estimate(&mut self, predictor: &Predictor) {
        if self.answer.is_none() {
            predictor.update(&mut self.situation);
            self.factors = predictor.factors(&self.situation);
            self.interesting = predictor.estimate(&self.factors);
        }
    }

    /// What its question changes.
    fn change(&self) -> Change {
        self.situation.subject.unwrap_or(self.situation.change)
    }

    /// What it is worth to ask its question, or, when that has been done, to go on behind it in another way.
    fn worth_of_growth(&self) -> f64 {
        if !self.has_grown {
            return self.worth();
        }
        let answers = [Verdict::Uninteresting, Verdict::Interesting];
        let worths = answers
            .into_iter()
            .filter_map(|answer| self.worth_of_child(answer));
        worths.fold(0.0, f64::max)
    }

    /// The most that a child can be worth; `None` if it is there already or cannot come.
    fn worth_of_child(&self, answer: Verdict) -> Option<f64> {
        let is_possible = self.answer.is_none_or(|known| known == answer);
        let is_missing = self.children[side(answer)].is_none();
        let worth = self.chance(answer) * self.probability.max(EVIDENCE * self.occurs);
        (is_possible && is_missing).then_some(worth)
    }

    fn base_after(&self, answer: Verdict) -> Base {
        match &self.question {
            Some(question) if answer.is_interesting() => self.base.becomes(question),
            _ => self.base.clone(),
        }
    }

    /// A known answer is no guess.
    fn chance(&self, answer: Verdict) -> f64 {
        match self.answer {
            Some(known) => f64::from(u8::from(known == answer)),
            None if answer.is_interesting() => self.interesting,
            None => 1.0 - self.interesting,
        }
    }
}

fn side(answer: Verdict) -> usize {
    usize::from(answer.is_interesting())
}
