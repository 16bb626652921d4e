//! The questions that may come: a tree of clones of the search, grown where it is most likely to be walked.
//!
//! The root is the question that is consumed next. Each node has a clone of the search in front of its question, and up to
//! two children, one for each answer. The tree is grown best first by the probability that a node will be reached (the
//! look-ahead of `DustMite`), so a predictable search is followed along one long path and an unpredictable one on both
//! branches. Consuming an answer makes one child the root and drops the rest.

use std::sync::Arc;

use super::predictor::Predictor;
use super::question::Question;
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
    pub(super) ticket: Option<u64>,
    expected: Option<Verdict>,
    /// The answer to the question before.
    before: Verdict,
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
    probability: f64,
}

/// What is less likely than this is not worth the processor time that it takes from others.
const UNLIKELY: f64 = 1.0 / 200.0;

impl<S> Futures<S>
where
    S: Search,
    S::Candidate: Render,
{
    pub(super) fn new(search: S, predictor: &Predictor) -> Self {
        let root = Node::new(search, Verdict::Uninteresting, 0, 1.0, predictor);
        Self { nodes: vec![root] }
    }

    pub(super) fn root(&self) -> &Node<S> {
        &self.nodes[0]
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn nodes_mut(&mut self) -> impl Iterator<Item = &mut Node<S>> {
        self.nodes.iter_mut()
    }

    /// The nodes' queries.
    pub(super) fn tickets(&self) -> impl Iterator<Item = u64> {
        self.nodes.iter().filter_map(|node| node.ticket)
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
        self.nodes[edge.node].children[side(edge.answer)] = Some(at);
        self.nodes.push(Node::new(
            search,
            edge.answer,
            edge.node,
            edge.probability,
            predictor,
        ));
        &mut self.nodes[at]
    }

    /// Consumes the answer to the root's question.
    pub(super) fn advance(&mut self, answer: Verdict, predictor: &mut Predictor) {
        let root = &self.nodes[0];
        predictor.learn(root.expected, root.before, answer);
        if let Some(child) = root.children[side(answer)] {
            return self.keep_below(child);
        }
        let mut search = self.nodes.swap_remove(0).search;
        search.tell(answer);
        self.nodes.clear();
        self.nodes
            .push(Node::new(search, answer, 0, 1.0, predictor));
    }

    /// Makes `top` the root: parents come first, so one pass moves what hangs below it.
    fn keep_below(&mut self, top: usize) {
        let scale = self.nodes[top].probability;
        let old = std::mem::take(&mut self.nodes);
        let mut places = vec![None; old.len()];
        for (at, mut node) in old.into_iter().enumerate() {
            let parent = if at == top {
                Some(0)
            } else {
                places[node.parent]
            };
            let Some(parent) = parent.filter(|_| at >= top) else {
                continue;
            };
            node.parent = parent;
            node.probability /= scale;
            places[at] = Some(self.nodes.len());
            self.nodes.push(node);
        }
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
        before: Verdict,
        parent: usize,
        probability: f64,
        predictor: &Predictor,
    ) -> Self {
        let question = search
            .ask()
            .map(|asked| Arc::new(Question::render(&asked, Vec::new())));
        let expected = search.expected();
        let interesting = predictor.estimate(expected, before);
        Self {
            search,
            question,
            answer: None,
            ticket: None,
            expected,
            before,
            parent,
            children: [None; 2],
            probability,
            interesting,
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
