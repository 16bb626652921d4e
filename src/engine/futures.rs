//! The questions that may come: a tree of clones of the search, grown where its answers are worth most.
//!
//! The root is the question that is consumed next. Each node has a clone of the search in front of its question, and up to
//! two children, one for each answer. The tree is grown best first by the probability that a node will be reached (the
//! look-ahead of `DustMite`), so a predictable search is followed along one long path and an unpredictable one on both
//! branches. Consuming an answer makes one child the root and drops the rest.
//!
//! Many changes are asked about whatever the answers before them are, only on other texts. Asking about them on the text as it
//! is now is worth something too: it is evidence, and with it the search becomes predictable. How far the questions of such a
//! *stage* go is found out by a shadow of the search that was told another answer at its start. A change that is asked about
//! on one text already is no evidence on another one: that is better asked when the first answer has shown the way.

use std::sync::Arc;

use super::node::{Node, opposite, side};
use super::predictor::Predictor;
use super::rendered::{Change, Rendered};
use crate::oracle::QueryId;
use crate::search::{NoGuess, Render, Search, Verdict};

pub(super) struct Futures<S> {
    /// Parents come before their children; the root is the first.
    nodes: Vec<Node<S>>,
}

/// The texts that are read for the nodes, the present one among them, together have no more bytes: what is made of a text of a
/// language takes some hundred bytes a byte.
const MOST_READ: usize = 3 << 18;

impl<S> Futures<S>
where
    S: Search,
    S::Candidate: Render,
{
    pub(super) fn new(search: S, base: Arc<Rendered>, predictor: &Predictor) -> Self {
        let root = Node::new(search, base, Verdict::Uninteresting, 0, 1.0, predictor);
        Self { nodes: vec![root] }
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

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn nodes_mut(&mut self) -> impl Iterator<Item = &mut Node<S>> {
        self.nodes.iter_mut()
    }

    /// The queries of the nodes that can still be reached.
    pub(super) fn queries(&self) -> impl Iterator<Item = QueryId> {
        let possible = self.nodes.iter().filter(|node| node.probability > 0.0);
        possible.filter_map(|node| node.query)
    }

    /// What the search will more likely than not end with, if all that it will have asked by then has been sent.
    pub(super) fn likely_end(&self) -> Option<&Arc<Rendered>> {
        let is_end = |node: &Node<S>| node.candidate.is_none() && node.probability > 0.5;
        let end = self.nodes.iter().position(is_end)?;
        let parent = |&at: &usize| (at > 0).then(|| self.nodes[at].parent);
        let mut before = std::iter::successors(parent(&end), parent).map(|at| &self.nodes[at]);
        let all_sent = before.all(|node| node.query.is_some() || node.verdict.is_some());
        all_sent.then_some(&self.nodes[end].base)
    }

    /// How long a text may be that is read for a guess.
    fn room(&self) -> usize {
        let read: usize = self.nodes.iter().skip(1).map(Node::read_bytes).sum();
        MOST_READ.saturating_sub(self.root().base.bytes.len() + read)
    }

    /// The node whose growth is worth most, and its worth, if that is at least `least`. Of equals the first.
    pub(super) fn best_leaf(&self, least: f64) -> Option<(usize, f64)> {
        let room = self.room();
        let nodes = self.nodes.iter().enumerate();
        let nodes = nodes.filter(|(_, node)| node.candidate.is_some());
        let best = nodes
            .map(|(at, node)| (at, node.worth_of_growth(room)))
            .reduce(|a, b| if b.1 > a.1 { b } else { a });
        best.filter(|(_, worth)| *worth >= least)
    }

    /// Grows the possible children of a node that are worth at least `least`. Cost: a clone of the search and a rendering for
    /// each.
    pub(super) fn grow(&mut self, leaf: usize, least: f64, predictor: &Predictor) {
        self.nodes[leaf].has_grown = true;
        let room = self.room();
        for answer in [Verdict::Uninteresting, Verdict::Interesting] {
            let parent = &self.nodes[leaf];
            if parent
                .worth_of_child(answer, room)
                .is_none_or(|worth| worth < least)
            {
                continue;
            }
            let search = match parent.search.guess(answer) {
                Ok(search) => search,
                Err(no_guess) => {
                    self.nodes[leaf].no_guess[side(answer)] = Some(no_guess);
                    continue;
                }
            };
            let parent = &self.nodes[leaf];
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
            self.nodes[at].verdict = self.assumed(at);
            self.nodes[at].shadow = self.shadow(leaf, at);
            self.judge_occurrence(at);
        }
    }

    /// See [`Node::shadow`].
    fn shadow(&self, parent: usize, child: usize) -> Option<S> {
        let (parent, child) = (&self.nodes[parent], &self.nodes[child]);
        let answer = child.situation.before;
        let subject = child.situation.subject?;
        let (start, told) = match &parent.shadow {
            Some(shadow) => (shadow, answer),
            None => (&parent.search, opposite(answer)),
        };
        let shadow = start.guess(told).ok()?;
        let asked = shadow.ask()?;
        (asked.subject() == Some(subject)).then_some(shadow)
    }

    /// How likely the change that a node's question asks about will be asked about, on whatever text. Of two siblings in a stage the
    /// likelier one stands for both.
    fn judge_occurrence(&mut self, at: usize) {
        let node = &self.nodes[at];
        let parent = &self.nodes[node.parent];
        let chance = parent.chance(node.situation.before);
        let since = parent.since * chance;
        let is_refusal = node.situation.before == Verdict::Uninteresting;
        let (occurs, since) = if node.shadow.is_none() {
            (parent.occurs * since, 1.0)
        } else if chance > 0.5 || is_refusal && chance >= 0.5 {
            (parent.occurs, since)
        } else {
            (0.0, since)
        };
        self.nodes[at].occurs = occurs;
        self.nodes[at].since = since;
    }

    /// Says which changes are asked about at the moment.
    pub(super) fn hear(&mut self, is_asked: impl Fn(Change) -> bool) {
        for node in &mut self.nodes {
            node.is_heard = is_asked(node.change());
        }
    }

    /// This change is asked about from now on.
    pub(super) fn add_heard(&mut self, change: Change) {
        for node in &mut self.nodes {
            node.is_heard |= node.change() == change;
        }
    }

    /// What the way to this node says about its question, if the question was asked on it.
    fn assumed(&self, node: usize) -> Option<Verdict> {
        let candidate = self.nodes[node].candidate.as_ref()?;
        let mut at = node;
        while at > 0 {
            let parent = self.nodes[at].parent;
            let asked = self.nodes[parent].candidate.as_ref();
            if asked.is_some_and(|asked| asked.is_same(candidate)) {
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
            self.judge_occurrence(at);
            self.nodes[at].estimate(predictor);
        }
    }

    /// Consumes the answer to the root's question. `asked`: it was not known before.
    pub(super) fn advance(&mut self, answer: Verdict, asked: bool, predictor: &mut Predictor) {
        let root = &self.nodes[0];
        if asked {
            predictor.learn(answer);
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
    }

    /// Forgets what cannot happen, and gives up questions that are worth less than `least`, with all behind them; only the root's
    /// is kept.
    pub(super) fn prune(&mut self, least: f64) {
        for at in 1..self.nodes.len() {
            let node = &mut self.nodes[at];
            if node.verdict.is_none() && node.worth() < least {
                node.query = None;
                node.has_grown = false;
            }
        }
        let grown: Vec<bool> = self.nodes.iter().map(|node| node.has_grown).collect();
        self.keep(0, |node| node.probability > 0.0 && grown[node.parent]);
    }

    /// What could not be worked out because of other work may be now.
    fn try_again(&mut self) {
        let no_guess = self.nodes.iter_mut().flat_map(|node| &mut node.no_guess);
        for no_guess in no_guess.filter(|no_guess| **no_guess == Some(NoGuess::ForNow)) {
            *no_guess = None;
        }
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
        self.try_again();
        self.nodes[0].probability = 1.0;
        self.nodes[0].occurs = 1.0;
        self.nodes[0].since = 1.0;
        for node in &mut self.nodes {
            node.children = node
                .children
                .map(|child| child.and_then(|child| places[child]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks two questions whatever the answers are, and then one that depends on both.
    #[derive(Clone)]
    struct TwoThenOne(Vec<Verdict>);

    struct Line(usize, Option<u64>);

    impl Render for Line {
        fn render(&self, out: &mut Vec<u8>) {
            out.extend(format!("line {}", self.0).into_bytes());
        }

        fn pass(&self) -> &'static str {
            "test"
        }

        fn subject(&self) -> Option<u64> {
            self.1
        }
    }

    impl TwoThenOne {
        fn subject(&self) -> Option<u64> {
            let bits =
                |answers: &[Verdict]| answers.iter().fold(1, |bits, &it| 2 * bits + side(it));
            let subject = match self.0.len() {
                asked @ 0..2 => asked,
                _ => 10 + bits(&self.0),
            };
            u64::try_from(subject).ok()
        }
    }

    impl Search for TwoThenOne {
        type Candidate = Line;
        type Best = ();

        fn ask(&self) -> Option<Line> {
            (self.0.len() < 3).then_some(Line(self.0.len(), self.subject()))
        }

        fn tell(&mut self, verdict: Verdict) {
            self.0.push(verdict);
        }

        fn best(&self) -> &() {
            &()
        }
    }

    #[test]
    fn a_change_occurs_for_sure_as_long_as_no_answer_of_its_stage_decides_about_it() {
        let base = Arc::new(Rendered::of(b"all lines".to_vec(), "test"));
        let predictor = Predictor::default();
        let mut futures = Futures::new(TwoThenOne(Vec::new()), base, &predictor);
        let refused = |futures: &Futures<_>, at: usize| {
            let node: &Node<TwoThenOne> = &futures.nodes[at];
            node.children[side(Verdict::Uninteresting)].unwrap()
        };
        futures.grow(0, 0.0, &predictor);
        let second = refused(&futures, 0);
        assert!(futures.nodes[second].occurs > 0.999);
        assert!(futures.nodes[second].probability < 1.0);
        futures.grow(second, 0.0, &predictor);
        let third = refused(&futures, second);
        let (occurs, probability) = (
            futures.nodes[third].occurs,
            futures.nodes[third].probability,
        );
        assert!((occurs - probability).abs() < 1e-9);
    }
}
