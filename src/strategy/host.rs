//! One round over a tree: the list minimiser and TMIN on one level, or one node's children, after the other.
//!
//! - **HDD**: level by level from the root (Misherghi and Su, "HDD: hierarchical delta debugging", 2006).
//! - **HDDr**: the children of one node at a time, breadth first (Kiss, Hodován and Gyimóthy, "HDDr: a recursive variant of the
//!   hierarchical delta debugging algorithm", 2018).
//! - **Quantified**: the children of the node with the most tokens first (Sun et al., "Perses: syntax-guided program reduction", 2018).
//!
//! Each can offer all children or only those that need no replacement (coarse: Hodován, Kiss and Gyimóthy, "Coarse hierarchical
//! delta debugging", 2017), and can be interlaced with hoisting (HDDH) or do nothing else (Hoist).
//!
//! **Law.** A round that accepts nothing has asked about every node alone, so its text is 1-tree-minimal if the list minimiser's
//! results are 1-minimal.

use super::hoist::{Hoisting, Order};
use super::level::{Level, Offer};
use super::outline::Outline;
use crate::minimize::{Minimizer, Options, Runs};
use crate::search::{Search, Verdict};
use crate::syntax::{Document, Edit, NodeId};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::{cmp::Reverse, collections::BinaryHeap, sync::Arc};

/// What a round does.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) walk: Walk,
    pub(super) offer: Offer,
    /// The list minimiser; `None` to only hoist.
    pub(super) minimizer: Option<Options>,
    /// How descendants are hoisted; `None` not to.
    pub(super) hoist: Option<Order>,
}

/// Which children are looked at together, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walk {
    /// Those of all nodes of one depth.
    Levels,
    /// Those of one node, breadth first.
    BreadthFirst,
    /// Those of one node, that with the most tokens first.
    LargestFirst,
}

/// One round at work.
#[derive(Clone, Debug)]
pub(super) struct Round {
    settings: Arc<Settings>,
    outline: Arc<Outline>,
    /// What was accepted before this step.
    before: Arc<Edit>,
    /// With what was accepted in it.
    accepted: Arc<Edit>,
    agenda: Arc<Agenda>,
    step: Step,
}

#[derive(Clone, Debug)]
enum Step {
    Dropping(Arc<Level>, Box<Minimizer>),
    Hoisting(Hoisting),
    Ended,
}

impl Round {
    pub(super) fn new(document: Document, settings: Arc<Settings>) -> Self {
        let outline = Arc::new(Outline::new(document));
        let agenda = Arc::new(Agenda::new(settings.walk));
        let mut round = Self {
            settings,
            outline,
            before: Arc::default(),
            accepted: Arc::default(),
            agenda,
            step: Step::Ended,
        };
        let root = Level::root(&round.outline);
        round.begin(root);
        round.settle();
        round
    }

    /// What has been accepted.
    pub(super) fn accepted(&self) -> &Arc<Edit> {
        &self.accepted
    }

    /// Whether there are no more questions.
    pub(super) fn has_ended(&self) -> bool {
        matches!(self.step, Step::Ended)
    }

    /// All that the next question wants to change, and whether it is a hoist.
    pub(super) fn ask(&self) -> Option<(Arc<Edit>, bool)> {
        match &self.step {
            Step::Dropping(level, minimizer) => {
                let kept = minimizer.ask()?.kept_of(minimizer.best());
                Some((self.without(level, &kept), false))
            }
            Step::Hoisting(hoisting) => hoisting.ask().map(|edit| (edit, true)),
            Step::Ended => None,
        }
    }

    pub(super) fn tell(&mut self, verdict: Verdict) {
        match &mut self.step {
            Step::Dropping(level, minimizer) => {
                let before = minimizer.best().len();
                minimizer.tell(verdict);
                if minimizer.best().len() < before {
                    let (level, kept) = (level.clone(), minimizer.best().clone());
                    self.accepted = self.without(&level, &kept);
                }
            }
            Step::Hoisting(hoisting) => {
                hoisting.tell(verdict);
                self.accepted = hoisting.accepted().clone();
            }
            Step::Ended => {}
        }
        self.settle();
    }

    /// What was accepted before this step, and what goes when of a level's elements only `kept` stay.
    fn without(&self, level: &Level, kept: &Runs) -> Arc<Edit> {
        let edit = level.edit(self.outline.document(), kept);
        Arc::new(self.before.union(&edit))
    }

    /// What the list minimiser believes of its question.
    pub(super) fn chance(&self) -> Option<f64> {
        match &self.step {
            Step::Dropping(_, minimizer) => minimizer.chance(),
            Step::Hoisting(_) | Step::Ended => None,
        }
    }

    /// Names what the question wants to drop: the elements and where they are.
    pub(super) fn subject(&self) -> Option<u64> {
        let Step::Dropping(level, minimizer) = &self.step else {
            return None;
        };
        let dropped = minimizer.ask()?.dropped_from(minimizer.best());
        let mut hasher = FxHasher::default();
        self.outline.document().bytes().len().hash(&mut hasher);
        level
            .slots()
            .first()
            .map(|slot| slot.node)
            .hash(&mut hasher);
        dropped.hash(&mut hasher);
        Some(hasher.finish())
    }

    /// Goes on until there is a question or the round has ended.
    fn settle(&mut self) {
        loop {
            match std::mem::replace(&mut self.step, Step::Ended) {
                Step::Dropping(level, minimizer) if minimizer.ask().is_some() => {
                    self.step = Step::Dropping(level, minimizer);
                    return;
                }
                Step::Dropping(level, minimizer) => {
                    let remaining = level.remaining(minimizer.best());
                    self.begin_hoisting(level, remaining);
                }
                Step::Hoisting(hoisting) if hoisting.ask().is_some() => {
                    self.step = Step::Hoisting(hoisting);
                    return;
                }
                Step::Hoisting(hoisting) => self.schedule(hoisting.into_standing()),
                Step::Ended => {
                    let tops = Arc::make_mut(&mut self.agenda).next();
                    if tops.is_empty() {
                        return;
                    }
                    self.begin(Level::below(&self.outline, &tops, self.settings.offer));
                }
            }
        }
    }

    fn begin(&mut self, level: Level) {
        self.before = self.accepted.clone();
        let level = Arc::new(level);
        if let Some(options) = &self.settings.minimizer {
            let minimizer = Minimizer::new(&level.weights(&self.outline), options);
            self.step = Step::Dropping(level, Box::new(minimizer));
        } else {
            let all = (0..level.slots().len()).collect();
            self.begin_hoisting(level, all);
        }
    }

    fn begin_hoisting(&mut self, level: Arc<Level>, mut slots: Vec<usize>) {
        // A separator's node can go with another node.
        slots.retain(|&slot| {
            let node = self.outline.document().node(level.slots()[slot].node);
            !self.accepted.covers(&node.range())
        });
        let Some(order) = self.settings.hoist else {
            let nodes = slots.iter().map(|&slot| level.slots()[slot].node).collect();
            return self.schedule(nodes);
        };
        let hoisted = level.hoisted(self.settings.offer, order, slots.clone());
        if hoisted.len() < slots.len() {
            let rest = slots
                .iter()
                .filter(|slot| hoisted.binary_search(slot).is_err());
            let rest = rest.map(|&slot| level.slots()[slot].node).collect();
            self.schedule(rest);
        }
        let hoisting = Hoisting::new(
            self.outline.clone(),
            level,
            order,
            self.accepted.clone(),
            &hoisted,
        );
        self.step = Step::Hoisting(hoisting);
    }

    fn schedule(&mut self, mut tops: Vec<NodeId>) {
        tops.retain(|&top| !self.outline.is_leaf(top));
        if tops.is_empty() {
            return;
        }
        Arc::make_mut(&mut self.agenda).add(&tops, &self.outline);
    }
}

/// The nodes whose children are still to be looked at.
#[derive(Clone, Debug)]
enum Agenda {
    /// All at once.
    Level(Vec<NodeId>),
    /// One after the other, from this number on.
    Queue(Vec<NodeId>, usize),
    /// That with the most tokens first; of equal ones the first in the text.
    Heap(BinaryHeap<(u32, Reverse<NodeId>)>),
}

impl Agenda {
    fn new(walk: Walk) -> Self {
        match walk {
            Walk::Levels => Self::Level(Vec::new()),
            Walk::BreadthFirst => Self::Queue(Vec::new(), 0),
            Walk::LargestFirst => Self::Heap(BinaryHeap::new()),
        }
    }

    fn add(&mut self, tops: &[NodeId], outline: &Outline) {
        match self {
            Self::Level(nodes) => {
                nodes.extend(tops);
                nodes.sort_unstable();
            }
            Self::Queue(nodes, _) => nodes.extend(tops),
            Self::Heap(nodes) => {
                let tokens = |top| outline.document().node(top).tokens;
                nodes.extend(tops.iter().map(|&top| (tokens(top), Reverse(top))));
            }
        }
    }

    /// The nodes that are next, in document order; none when all have been looked at.
    fn next(&mut self) -> Vec<NodeId> {
        match self {
            Self::Level(nodes) => std::mem::take(nodes),
            Self::Queue(nodes, next) => {
                let node = nodes.get(*next).copied();
                *next += 1;
                node.into_iter().collect()
            }
            Self::Heap(nodes) => nodes
                .pop()
                .map(|(_, Reverse(node))| node)
                .into_iter()
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Hoist, Plan, Strategy, search};
    use crate::search::{Search, Verdict};
    use crate::syntax::{Document, Language};

    #[test]
    fn deep_nesting_is_walked_without_a_deep_stack() {
        let text = "(".repeat(100_000) + "x" + &")".repeat(100_000);
        for language in [None, Language::named("javascript")] {
            let document = Document::new(text.as_bytes(), language);
            for strategy in [Strategy::Hdd, Strategy::Hddr, Strategy::Quantified] {
                let plan = Plan {
                    hoist: Hoist::Interlaced,
                    ..Plan::new(strategy)
                };
                let mut reduction = search(&document, &plan);
                for question in 0..500 {
                    if reduction.ask().is_none() {
                        break;
                    }
                    reduction.tell(Verdict::of(question % 50 == 49));
                }
                let length = reduction.best().to_bytes().len();
                assert!(length < text.len(), "{strategy}: {length}");
            }
        }
    }
}
