//! What a pass proposes, and how several proposals become one edit.

use super::ssa;
use crate::{
    grammar::{Repair, Siblings},
    syntax::{Document, Edit, NodeId, Splice},
};
use std::{collections::BTreeMap, ops::Range};

/// One change of a document, to be made as a whole or not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Proposal {
    /// Children to drop, as parent and place in its row: the separators that must go with them depend on what else goes.
    pub drops: Vec<(NodeId, u32)>,
    /// What is changed besides.
    pub edit: Edit,
    /// Tokens saved, at least 1.
    pub weight: u32,
    /// Names that this takes the declaration of, as indices into [`super::names::Names`].
    pub declares: Vec<u32>,
    /// Nodes that vanish, as ranges of numbers.
    pub takes: Vec<Range<NodeId>>,
    /// The node that something else is put in the place of: two such changes of one node exclude each other.
    pub target: Option<NodeId>,
    /// Identifies the change and what it was made to, so that the same idea is known again in a later document.
    pub signature: u64,
}

impl Proposal {
    /// A text in the place of a node, as proposed by the pass of this name. It weighs the tokens that it saves, which may be none.
    pub(super) fn replacement(document: &Document, pass: &[u8], node: NodeId, text: &[u8]) -> Self {
        let tokens = u32::try_from(document.lexis().count(text)).unwrap_or(u32::MAX);
        Self {
            edit: Edit::replacement(document.node(node).range(), text),
            weight: document.node(node).tokens.saturating_sub(tokens),
            target: Some(node),
            signature: fingerprint(&[pass, &document.fingerprint(node).to_le_bytes(), text]),
            ..Self::default()
        }
    }

    /// Itself, if it saves a token.
    pub(super) fn if_smaller(self) -> Option<Self> {
        (self.weight > 0).then_some(self)
    }
}

/// The nodes that a proposal takes when they are neighbours.
pub(super) fn only(nodes: Range<NodeId>) -> Vec<Range<NodeId>> {
    std::iter::once(nodes).collect()
}

/// What the grammar says about the children of a node; `None` without a grammar.
pub fn siblings<'d>(
    document: &'d Document,
    parent: NodeId,
    row: &[NodeId],
) -> Option<Siblings<'d>> {
    let prepared = document.prepared(parent, row)?;
    Some(Siblings::of(document.grammar()?, &prepared))
}

/// Calls `each` with every named child of a row that the grammar accepts, and with its place in the row.
pub(super) fn for_each_place(document: &Document, mut each: impl FnMut(&Siblings, usize, NodeId)) {
    for parent in document.ids() {
        if document.is_leaf(parent) {
            continue;
        }
        let row = document.row(parent);
        let Some(siblings) = siblings(document, parent, &row).filter(Siblings::is_accepted) else {
            continue;
        };
        for (place, &node) in row
            .iter()
            .enumerate()
            .filter(|(_, node)| document.node(**node).is_named())
        {
            each(&siblings, place, node);
        }
    }
}

/// Whether a node has a body: it defines what it names.
pub(super) fn has_body(document: &Document, node: NodeId) -> bool {
    document.child_in_field(node, "body").is_some()
}

/// The row that a node stands in, as its grammar sees it, and the node's place there.
pub(super) fn surroundings(document: &Document, node: NodeId) -> Option<(Siblings<'_>, usize)> {
    let parent = document.node(node).parent;
    let row = document.row(parent);
    let place = row.iter().position(|&child| child == node)?;
    Some((siblings(document, parent, &row)?, place))
}

/// All the proposals as one edit; `None` when the grammar gives no way to drop what they drop.
pub fn compose<'p>(
    document: &Document,
    proposals: impl IntoIterator<Item = &'p Proposal>,
) -> Option<Edit> {
    let mut splices = Vec::new();
    let mut dropped: BTreeMap<NodeId, Vec<usize>> = BTreeMap::new();
    for proposal in proposals {
        splices.extend_from_slice(proposal.edit.splices());
        for &(parent, index) in &proposal.drops {
            dropped.entry(parent).or_default().push(index as usize);
        }
    }
    for (parent, mut places) in dropped {
        places.sort_unstable();
        places.dedup();
        drop_children(document, parent, &places, &mut splices)?;
    }
    Some(ssa::made_whole(document, Edit::new(splices)))
}

/// The splices that drop the children at `places` of a parent's row.
fn drop_children(
    document: &Document,
    parent: NodeId,
    places: &[usize],
    splices: &mut Vec<Splice>,
) -> Option<()> {
    let row = document.row(parent);
    let Some(siblings) = siblings(document, parent, &row) else {
        let mut gone = places.to_vec();
        gone.extend(needless_separators(document, &row, places));
        let ranges = gone.iter().map(|&place| document.node(row[place]).range());
        splices.extend(ranges.map(Splice::deletion));
        return Some(());
    };
    for Repair { children, filler } in siblings.repair(places)? {
        let filler = document.grammar()?.least_of_all(&filler)?;
        splices.push(Splice::replacement(
            range_of(document, &row[children]),
            &filler,
        ));
    }
    Some(())
}

/// The places of the separators that have nothing left to separate when what stands at `places` goes, in a row without a
/// grammar: the one before each element that goes, and the one behind it if nothing is left before.
fn needless_separators(document: &Document, row: &[NodeId], places: &[usize]) -> Vec<usize> {
    let separates = |place: usize| document.kind_name(row[place]) == "separator";
    let goes = |place: usize| places.binary_search(&place).is_ok();
    let mut needless = Vec::new();
    let mut place = 0;
    let mut before: Option<usize> = None;
    let mut anything_left = false;
    while place <= row.len() {
        let end = (place..row.len())
            .find(|&place| separates(place))
            .unwrap_or(row.len());
        let mut element = (place..end).filter(|&place| document.kind_name(row[place]) != "bracket");
        let all_gone = element.clone().next().is_some() && element.all(goes);
        needless.extend(before.filter(|_| all_gone || !anything_left));
        anything_left |= !all_gone;
        before = (end < row.len()).then_some(end);
        place = end + 1;
    }
    needless
}

/// The bytes from the first to the last of neighbouring nodes.
fn range_of(document: &Document, nodes: &[NodeId]) -> Range<usize> {
    match nodes {
        [first, .., last] => document.node(*first).range().start..document.node(*last).range().end,
        [only] => document.node(*only).range(),
        [] => 0..0,
    }
}

/// A number that is equal for equal contents on every machine.
pub fn fingerprint(parts: &[&[u8]]) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rustc_hash::FxHasher::default();
    for part in parts {
        hasher.write(part);
        hasher.write_usize(part.len());
    }
    hasher.finish()
}
