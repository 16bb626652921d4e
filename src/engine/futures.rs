//! The questions that may come: a tree of clones of the search, grown where it is most likely to be walked.
//!
//! The root is the question that is consumed next. Each node has a clone of the search in front of its question, and up to
//! two children, one for each answer. The tree is grown best first by the probability that a node will be reached (the
//! look-ahead of `DustMite`), so a predictable search is followed along one long path and an unpredictable one on both
//! branches. Consuming an answer makes one child the root and drops the rest.

use std::sync::Arc;

use super::lineage::Base;
use super::predictor::{Factors, Predictor, Situation};
use super::question::Question;
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
    interesting: f64,
}

/// A place where the tree can grow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    node: usize,
    answer: Verdict,
    pub(super) probability: f64,
}

/// What is less likely than this is not worth the processor time that it takes from others.
const UNLIKELY: f64 = 1.0 / 200.0;

impl<S> Futures<S>
where
    S: Search,
    S::Candidate: Render,
{
    pub(super) fn new(search: S, base: Arc<Question>, predictor: &Predictor) -> Self {
        let base = Base::first(base);
        let root = Node::new(search, base, Verdict::Uninteresting, 0, 1.0, predictor);
        Self { nodes: vec![root] }
    }

    pub(super) fn root(&self) -> &Node<S> {
        &self.nodes[0]
    }

    pub(super) fn root_mut(&mut self) -> &mut Node<S> {
        &mut self.nodes[0]
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

    /// The most probable place to grow. Of equals the first.
    pub(super) fn best_edge(&self) -> Option<Edge> {
        let edges = self.nodes.iter().enumerate().flat_map(|(at, node)| {
            let open = [Verdict::Interesting, Verdict::Uninteresting].into_iter();
            let open = open.filter(move |&answer| node.children[side(answer)].is_none());
            let open = open.filter(move |_| node.question.is_some());
            open.map(move |answer| Edge {
                node: at,
                answer,
                probability: node.probability * node.chance(answer),
            })
        });
        let best = edges.reduce(|a, b| if b.probability > a.probability { b } else { a });
        best.filter(|edge| edge.probability >= UNLIKELY)
    }

    /// Grows there and returns the new node. Cost: a clone of the search and a rendering.
    pub(super) fn grow(&mut self, edge: Edge, predictor: &Predictor) -> &mut Node<S> {
        let mut search = self.nodes[edge.node].search.clone();
        search.tell(edge.answer);
        let at = self.nodes.len();
        let base = self.nodes[edge.node].base_after(edge.answer);
        self.nodes[edge.node].children[side(edge.answer)] = Some(at);
        self.nodes.push(Node::new(
            search,
            base,
            edge.answer,
            edge.node,
            edge.probability,
            predictor,
        ));
        self.nodes[at].answer = self.assumed(at);
        &mut self.nodes[at]
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
            self.nodes[at].estimate(predictor);
        }
    }

    /// Consumes the answer to the root's question. `asked`: it was not known before.
    pub(super) fn advance(&mut self, answer: Verdict, asked: bool, predictor: &mut Predictor) {
        let root = &self.nodes[0];
        if asked {
            predictor.learn(&root.factors, answer);
        }
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

    /// Forgets what is less likely than `least`; of these only the root is kept.
    pub(super) fn prune(&mut self, least: f64) {
        // What hangs below a node is never likelier than it.
        self.keep(0, |node| {
            node.probability >= least && node.probability > 0.0
        });
    }

    /// Makes `top` the root, and keeps what hangs below it and is wanted: parents come first, so one pass moves it all.
    fn keep(&mut self, top: usize, wanted: impl Fn(&Node<S>) -> bool) {
        let old = std::mem::take(&mut self.nodes);
        let mut places = vec![None; old.len()];
        for (at, mut node) in old.into_iter().enumerate().skip(top) {
            let parent = if at == top {
                Some(0)
            } else {
                places[node.parent]
            };
            let Some(parent) = parent.filter(|_| at == top || wanted(&node)) else {
                continue;
            };
            node.parent = parent;
            places[at] = Some(self.nodes.len());
            self.nodes.push(node);
        }
        self.nodes[0].probability = 1.0;
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
            interesting,
        }
    }

    fn estimate(&mut self, predictor: &Predictor) {
        if self.answer.is_none() {
            predictor.update(&mut self.situation);
            self.factors = predictor.factors(&self.situation);
            self.interesting = predictor.estimate(&self.factors);
        }
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
