//! Hoisting: a node gives its place to a descendant that can stand there.
//!
//! **Idea.** TMIN (D. Vince's dissertation, ch. 7): try the candidates χ of every node, apply the first that is interesting, go on
//! with the candidates of what stands there now, until no single replacement is interesting (1-maximal). χ is the nearest
//! compatible descendants on each path, and what is left of a chain of calls without its last link. Compatible means that the grammar accepts the row around the place with the descendant
//! in it; the paper compares labels. Without a grammar it is the same kind.
//!
//! Replacing `n` by `d` deletes what `n` has left and right of `d`, so it composes with every other edit.

use super::level::{Level, Slot};
use super::outline::Outline;
use crate::grammar::Symbol;
use crate::pass::drops::Members;
use crate::search::Verdict;
use crate::syntax::{Edit, NodeId};
use std::{cmp::Reverse, sync::Arc};

/// Which candidates are tried, in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// All, further descendants first, until none is interesting any more: TMIN by itself.
    FurthestFirstAgain,
    /// The same with each node once: TMIN in rounds, which ask again what a later success has made possible.
    FurthestFirst,
    /// A bounded number of the largest, the smallest of those first, each node once: the Perses-style host.
    MostSavedFirst,
}

/// How many candidates a node has with [`Order::MostSavedFirst`].
const MOST_CANDIDATES: usize = 16;

/// TMIN on some slots.
#[derive(Clone, Debug)]
pub(super) struct Hoisting {
    outline: Arc<Outline>,
    level: Arc<Level>,
    order: Order,
    accepted: Arc<Edit>,
    /// What stands in each slot, in document order.
    stands: Arc<Vec<(usize, NodeId)>>,
    /// The numbers in `stands` that have candidates, with them.
    open: Arc<Vec<(usize, Arc<[NodeId]>)>>,
    turn: usize,
    candidate: usize,
    /// How many have been tried in vain since the last success.
    idle: usize,
}

impl Hoisting {
    /// TMIN on these slots of a level. Cost: linear in their rows and in the number of candidates.
    pub(super) fn new(
        outline: Arc<Outline>,
        level: Arc<Level>,
        order: Order,
        accepted: Arc<Edit>,
        slots: &[usize],
    ) -> Self {
        let stands: Vec<(usize, NodeId)> = slots
            .iter()
            .map(|&slot| (slot, level.slots()[slot].node))
            .collect();
        let mut places = Places::new(&outline, order);
        let mut open = Vec::new();
        for (number, &(slot, stands)) in stands.iter().enumerate() {
            let candidates = places.candidates(&level.slots()[slot], stands);
            if !candidates.is_empty() {
                open.push((number, candidates.into()));
            }
        }
        Self {
            outline,
            level,
            order,
            accepted,
            stands: Arc::new(stands),
            open: Arc::new(open),
            turn: 0,
            candidate: 0,
            idle: 0,
        }
    }

    /// What has been accepted by it and before it.
    pub(super) fn accepted(&self) -> &Arc<Edit> {
        &self.accepted
    }

    /// What stands in the slots.
    pub(super) fn into_standing(self) -> Vec<NodeId> {
        self.stands.iter().map(|&(_, node)| node).collect()
    }

    pub(super) fn ask(&self) -> Option<Arc<Edit>> {
        let (number, candidates) = self
            .open
            .get(self.turn)
            .filter(|_| self.idle < self.open.len())?;
        let node = self.level.slots()[self.stands[*number].0].node;
        let range = |node: NodeId| self.outline.document().node(node).range();
        let hoist = Edit::around(range(node), range(candidates[self.candidate]));
        Some(Arc::new(self.accepted.union(&hoist)))
    }

    pub(super) fn tell(&mut self, verdict: Verdict) {
        let Some(asked) = self.ask() else { return };
        let (number, candidates) = &self.open[self.turn];
        if !verdict.is_interesting() {
            self.candidate += 1;
            if self.candidate == candidates.len() {
                self.next_node();
            }
            return;
        }
        let (number, descendant) = (*number, candidates[self.candidate]);
        self.accepted = asked;
        Arc::make_mut(&mut self.stands)[number].1 = descendant;
        let slot = &self.level.slots()[self.stands[number].0];
        let candidates: Arc<[NodeId]> = Places::new(&self.outline, self.order)
            .candidates(slot, descendant)
            .into();
        let is_done = candidates.is_empty();
        Arc::make_mut(&mut self.open)[self.turn].1 = candidates;
        self.candidate = 0;
        if self.order == Order::FurthestFirstAgain {
            self.idle = 0;
        }
        if is_done {
            self.next_node();
        }
    }

    /// Goes on with the next slot that has candidates left.
    fn next_node(&mut self) {
        self.candidate = 0;
        loop {
            self.idle += 1;
            self.turn = (self.turn + 1) % self.open.len();
            if self.idle >= self.open.len() || !self.open[self.turn].1.is_empty() {
                return;
            }
        }
    }
}

/// Finds candidates; remembers the row that it looked at last.
struct Places<'a> {
    outline: &'a Outline,
    order: Order,
    row: Option<(NodeId, Members)>,
}

impl<'a> Places<'a> {
    fn new(outline: &'a Outline, order: Order) -> Self {
        Self {
            outline,
            order,
            row: None,
        }
    }

    /// χ of what stands in a slot, in the order in which it is tried.
    fn candidates(&mut self, slot: &Slot, stands: NodeId) -> Vec<NodeId> {
        let body = self.outline.body(stands);
        let document = self.outline.document();
        let below = body + 1..document.node(body).end_id;
        let is_place = document.node(slot.node).is_named()
            && !document.node(slot.node).is_extra()
            && slot.node != 0;
        if below.is_empty() || !is_place {
            return Vec::new();
        }
        let is_ambiguous = |kind| {
            let grammar = document.grammar();
            grammar.is_some_and(|grammar| grammar.is_ambiguous(kind))
        };
        let mut found = Vec::new();
        for (&kind, nodes) in self.outline.by_kind() {
            let first = nodes.partition_point(|&node| node < below.start);
            let nodes = &nodes[first..];
            if nodes.first().is_none_or(|&node| node >= below.end) {
                continue;
            }
            if !is_ambiguous(kind) {
                if self.is_compatible(slot, Symbol::of(kind)) {
                    outermost(document, nodes, below.end, &mut found);
                }
                continue;
            }
            // What lies in one that fits is further than that one: it would be dropped below.
            let mut behind = below.start;
            for &node in nodes.iter().take_while(|&&node| node < below.end) {
                if node >= behind && self.is_compatible(slot, document.shape(node)) {
                    found.push(node);
                    behind = document.node(node).end_id;
                }
            }
        }
        found.sort_unstable();
        let mut nearest = Vec::new();
        outermost(document, &found, below.end, &mut nearest);
        nearest.extend(document.without_last_link(body).filter(|&rest| {
            nearest.binary_search(&rest).is_err() && self.is_compatible(slot, document.shape(rest))
        }));
        self.in_order(nearest)
    }

    fn is_compatible(&mut self, slot: &Slot, symbol: Symbol) -> bool {
        let document = self.outline.document();
        let parent = document.node(slot.node).parent;
        if self.row.as_ref().is_none_or(|row| row.0 != parent) {
            self.row = Some((parent, Members::of(document, parent)));
        }
        let Some((_, members)) = &self.row else {
            return false;
        };
        let Some(siblings) = members.siblings(document) else {
            return symbol.kind == document.node(slot.node).kind;
        };
        let place = slot.place.map_or_else(
            || members.nodes().binary_search(&slot.node).ok(),
            |place| Some(place as usize),
        );
        place.is_some_and(|place| siblings.can_stand(place, symbol))
    }

    fn in_order(&self, mut nearest: Vec<NodeId>) -> Vec<NodeId> {
        match self.order {
            Order::FurthestFirst | Order::FurthestFirstAgain => {
                nearest.sort_by_key(|&node| Reverse(self.outline.depths()[node as usize]));
            }
            Order::MostSavedFirst => {
                nearest.sort_by_key(|&node| self.outline.document().node(node).tokens);
                nearest.drain(..nearest.len().saturating_sub(MOST_CANDIDATES));
            }
        }
        nearest
    }
}

/// Of `nodes` (sorted) those before `end` that do not lie in an earlier one.
fn outermost(
    document: &crate::syntax::Document,
    nodes: &[NodeId],
    end: NodeId,
    found: &mut Vec<NodeId>,
) {
    let mut next = 0;
    while let Some(&node) = nodes.get(next).filter(|&&node| node < end) {
        found.push(node);
        let end_id = document.node(node).end_id;
        next += nodes[next..].partition_point(|&node| node < end_id);
    }
}

#[cfg(test)]
mod tests {
    use super::super::laws::run;
    use super::super::{Hoist, Plan, Strategy};

    #[test]
    fn every_link_of_a_chain_can_go_in_one_query() {
        for (language, text) in [
            ("javascript", "x.a().b(1).c();\n"),
            ("python", "y = x.a().b(1).c()\n"),
            ("rust", "fn f() { x.a().b(1).c(); }\n"),
            ("java", "class A { void f() { x.a().b(1).c(); } }\n"),
        ] {
            for strategy in [Strategy::Hdd, Strategy::Hddr, Strategy::Auto] {
                let plan = Plan {
                    hoist: Hoist::Interlaced,
                    ..Plan::new(strategy)
                };
                let log = run(text.as_bytes(), Some(language), &plan, &mut |_| false).log;
                let was_asked = |chain: &str| {
                    let wanted = text.replace("x.a().b(1).c()", chain);
                    log.iter().any(|(asked, _)| asked == wanted.as_bytes())
                };
                for chain in ["x.a().b(1)", "x.a().c()", "x.b(1).c()"] {
                    assert!(was_asked(chain), "{chain} in {language} with {strategy}");
                }
            }
        }
    }
}
