//! What reaches what, as a graph, and what every way to a node leads through: its dominators, found by the iteration of Cooper, Harvey and
//! Kennedy, "A simple, fast dominance algorithm" (2001).

use crate::{
    pass::{Context, Proposal, dependencies::Parts, names::Manner, reach::Reach, units::Unit},
    syntax::{Document, NodeId, Role},
};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is declared inside of the parts of a row and used there: a variable of a function, a member of a type. It is reached by its
/// name, and not through what it stands in.
#[derive(Default)]
pub(super) struct Inner<'c> {
    parts: Vec<&'c Proposal>,
    /// By part: which of the names declare it.
    names: Vec<Vec<u32>>,
    /// By name, as it is declared in one scope: the leaves that use it.
    uses: Vec<Vec<NodeId>>,
}

impl<'c> Inner<'c> {
    /// Of the units of a document, but for those that are `needed` by what they lie in; of none where no type has members, since there
    /// hardly anything is tied to another declaration through a variable. Cost: linear in the units, and in the uses of each name for
    /// each scope that it is declared in.
    pub(super) fn of(context: &'c Context, row: &[Proposal], needed: &FxHashSet<NodeId>) -> Self {
        let (document, names) = (context.document(), context.names());
        let mut inner = Self::default();
        let language = document.language();
        if language.is_none_or(|language| !language.has_kinds_of(Role::Members)) {
            return inner;
        }
        let mut numbers: FxHashMap<(u32, NodeId, Manner), u32> = FxHashMap::default();
        for unit in inner_units(context, row) {
            let own = unit.proposal.nodes();
            let declared = unit.proposal.declares.iter();
            let declared = declared.map(|&index| &names.declarations[index as usize]);
            // A type that only loses its name is there all the same, and what it is made by has lost its type.
            let declared = declared.filter(|it| !it.is_type || own.contains(&it.declarer));
            let used = declared.filter(|declaration| {
                let mut uses = names.dependents_of(declaration);
                uses.any(|leaf| !own.contains(&leaf))
            });
            let known_as = used.map(|declaration| {
                let key = (
                    declaration.name,
                    declaration.scope.start,
                    declaration.manner,
                );
                *numbers.entry(key).or_insert_with(|| {
                    inner.uses.push(names.dependents_of(declaration).collect());
                    narrow(inner.uses.len() - 1)
                })
            });
            let known_as: Vec<u32> = known_as.collect();
            if !known_as.is_empty() && !needed.contains(&unit.node) {
                inner.names.push(known_as);
                inner.parts.push(&unit.proposal);
            }
        }
        inner
    }

    /// The parts, in document order.
    pub(super) fn parts(&self) -> impl Iterator<Item = &'c Proposal> {
        self.parts.iter().copied()
    }

    /// Each use with the node of its name, which are numbered from `first` on, and each name with the parts that declare it, of which
    /// these are the first nodes.
    fn edges(&self, first: u32, starts: &[NodeId]) -> impl Iterator<Item = (u32, u32)> {
        let uses = (first..).zip(&self.uses);
        let uses = uses.flat_map(|(name, uses)| uses.iter().map(move |&leaf| (leaf, name)));
        let parts = self.names.iter().zip(starts);
        uses.chain(parts.flat_map(move |(names, &start)| {
            let names = names.iter();
            names.map(move |name| (first + name, start))
        }))
    }
}

/// The units inside of the parts of a row, but for those that have a place in a list of arguments or parameters, what says more of a
/// parameter than its name, since without that it is of another type, and all members or values of a type at once.
fn inner_units<'c>(context: &'c Context, row: &[Proposal]) -> impl Iterator<Item = &'c Unit> {
    let document = context.document();
    let parts = Parts::of(row);
    let units = context.units().iter();
    let is_more_than_name = |node: NodeId| {
        let around = document.node(document.node(node).parent).parent;
        document.has_role(around, Role::Parameters) && !document.is_leaf(node)
    };
    units.filter(move |unit| {
        let part = parts.around(unit.node);
        let is_inner = part.is_some_and(|(start, _)| start != unit.node);
        // Without its values an enumeration is none, and a type without its members is not complete.
        let lists = [Role::Enumerations, Role::Members];
        let is_list = lists.iter().any(|&role| document.has_role(unit.node, role));
        is_inner && !unit.is_argument(document) && !is_more_than_name(unit.node) && !is_list
    })
}

/// What reaches what.
pub(super) struct Graph {
    /// By node: where what it reaches begins in `reached`.
    places: Vec<u32>,
    reached: Vec<u32>,
}

impl Graph {
    /// The nodes of the document reach their children, names reach the parts that declare them; `starts` are the first nodes of these,
    /// those that lie inside of others last. With what is reached from the root, each node before what is reached only through it.
    pub(super) fn of(
        document: &Document,
        starts: &[NodeId],
        reach: &Reach,
        inner: &Inner,
    ) -> (Self, Vec<u32>) {
        let nodes = document.nodes().len();
        let mut edges: Vec<(u32, u32)> = Vec::with_capacity(2 * nodes);
        let mut is_start = vec![false; nodes];
        for &start in starts {
            is_start[start as usize] = true;
        }
        for (id, node) in (0..).zip(document.nodes()).skip(1) {
            if !is_start[id as usize] {
                edges.push((node.parent, id));
            }
        }
        let number = |name: u32| narrow(nodes).saturating_add(name);
        // A template is read before its arguments are known, and all of that name may be what it finds then.
        edges.extend(
            reach
                .uses()
                .iter()
                .map(|&(leaf, name)| (leaf, number(reach.name_of(name)))),
        );
        for (name, declarers) in (0..).zip(reach.declarers()) {
            let starts = declarers.iter().map(|&part| starts[part as usize]);
            edges.extend(starts.map(|start| (number(name), start)));
        }
        let (starts, inner_starts) = starts.split_at(starts.len() - inner.parts.len());
        let behind = nodes + reach.declarers().len();
        edges.extend(inner.edges(narrow(behind), inner_starts));
        let is_used = reach.used_parts();
        for (part, &start) in starts.iter().enumerate() {
            let is_root = if reach.is_named(part) {
                !is_used.contains(part) || reach.stays(part)
            } else {
                document.has_role(start, Role::ExpressionStatement)
            };
            edges.extend(is_root.then_some((0, start)));
            // What has no name is there for what it takes or belongs to, or for all that it mentions.
            let reasons = reach.reasons(part).iter();
            let reasons =
                reasons.flat_map(|&name| &reach.declarers()[reach.name_of(name) as usize]);
            edges.extend(reasons.map(|&reason| (starts[reason as usize], start)));
        }
        let graph = Self::from_edges(behind + inner.uses.len(), edges);
        graph.with_cycles(document, inner_starts)
    }

    /// The same with what is reached, where parts that only each other's names reach, as two loops over variables of one name, are reached
    /// through what they stand in.
    fn with_cycles(self, document: &Document, starts: &[NodeId]) -> (Self, Vec<u32>) {
        let order = self.order();
        let mut is_reached = vec![false; self.len()];
        for &node in &order {
            is_reached[node as usize] = true;
        }
        let lost = starts.iter().filter(|&&start| !is_reached[start as usize]);
        let mut edges: Vec<(u32, u32)> = lost.map(|&it| (document.node(it).parent, it)).collect();
        if edges.is_empty() {
            return (self, order);
        }
        let nodes = 0..narrow(self.len());
        edges
            .extend(nodes.flat_map(|from| self.reached_by(from).iter().map(move |&to| (from, to))));
        let graph = Self::from_edges(self.len(), edges);
        let order = graph.order();
        (graph, order)
    }

    fn from_edges(nodes: usize, mut edges: Vec<(u32, u32)>) -> Self {
        edges.sort_unstable();
        edges.dedup();
        let mut places = vec![0u32; nodes + 1];
        for &(from, _) in &edges {
            places[from as usize + 1] += 1;
        }
        for node in 0..nodes {
            places[node + 1] += places[node];
        }
        Self {
            places,
            reached: edges.into_iter().map(|(_, to)| to).collect(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.places.len() - 1
    }

    pub(super) fn reached_by(&self, node: u32) -> &[u32] {
        &self.reached[self.places[node as usize] as usize..self.places[node as usize + 1] as usize]
    }

    /// What is reached from the root, each node before what is reached only through it.
    fn order(&self) -> Vec<u32> {
        let mut order = Vec::new();
        let mut is_seen = vec![false; self.len()];
        is_seen[0] = true;
        let mut open: Vec<(u32, usize)> = vec![(0, 0)];
        while let Some((node, next)) = open.last_mut() {
            if let Some(&to) = self.reached_by(*node).get(*next) {
                *next += 1;
                if !std::mem::replace(&mut is_seen[to as usize], true) {
                    open.push((to, 0));
                }
            } else {
                order.push(*node);
                open.pop();
            }
        }
        order.reverse();
        order
    }

    /// By node: its nearest dominator. Of what is not reached it means nothing.
    pub(super) fn dominators(&self, order: &[u32]) -> Vec<u32> {
        let mut ranks = vec![NONE; self.len()];
        for (rank, &node) in (0..).zip(order) {
            ranks[node as usize] = rank;
        }
        let mut back = Vec::with_capacity(self.reached.len());
        for (rank, &node) in (0..).zip(order) {
            let reached = self.reached_by(node).iter();
            back.extend(reached.map(|&to| (ranks[to as usize], rank)));
        }
        let back = Self::from_edges(order.len(), back);
        // By rank: the rank of the nearest dominator that is known so far.
        let mut above = vec![NONE; order.len()];
        above[0] = 0;
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for rank in (0..).take(order.len()).skip(1) {
                let from = back.reached_by(rank).iter().copied();
                let known = from.filter(|&from| above[from as usize] != NONE);
                let nearest = known.reduce(|one, other| common(&above, one, other));
                let nearest = nearest.unwrap_or(0);
                has_changed |= std::mem::replace(&mut above[rank as usize], nearest) != nearest;
            }
        }
        let mut nodes = vec![0; self.len()];
        for (rank, &node) in order.iter().enumerate() {
            nodes[node as usize] = order[above[rank] as usize];
        }
        nodes
    }
}

const NONE: u32 = u32::MAX;

/// The nearest common dominator of two ranks.
fn common(above: &[u32], mut one: u32, mut other: u32) -> u32 {
    while one != other {
        if one > other {
            one = above[one as usize];
        } else {
            other = above[other as usize];
        }
    }
    one
}

/// By node: when a walk through the tree of dominators comes to it, from 1 on, and the last time below it.
pub(super) fn times(order: &[u32], above: &[u32]) -> Vec<(u32, u32)> {
    // What each node and all that it dominates take of the time; a node comes after its dominator in the order.
    let mut sizes = vec![1u32; above.len()];
    for &node in order.iter().rev().filter(|&&node| node != 0) {
        sizes[above[node as usize] as usize] += sizes[node as usize];
    }
    let mut times = vec![(0, 0); above.len()];
    let mut next = vec![0u32; above.len()];
    for &node in order {
        let from = if node == 0 {
            1
        } else {
            let place = &mut next[above[node as usize] as usize];
            let from = *place;
            *place += sizes[node as usize];
            from
        };
        times[node as usize] = (from, from + sizes[node as usize] - 1);
        next[node as usize] = from + 1;
    }
    times
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
