//! What a pass proposes, and how several proposals become one edit.

use super::{
    drops::{Blanks, Members},
    ssa,
};
use crate::{
    grammar::{Kind, Siblings},
    syntax::{Anything, Document, Edit, NodeId},
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
    /// Whether what it takes stands in the same row once more, before it.
    pub is_repeated: bool,
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

    /// Several as one, which is told from others by this signature. Cost: linear in their parts, and sorting the splices.
    pub(super) fn together<'p>(parts: impl IntoIterator<Item = &'p Self>, signature: u64) -> Self {
        let (mut all, mut splices) = (Self::default(), Vec::new());
        for part in parts {
            all.drops.extend_from_slice(&part.drops);
            splices.extend_from_slice(part.edit.splices());
            all.weight = all.weight.saturating_add(part.weight);
            all.declares.extend_from_slice(&part.declares);
            all.takes.extend_from_slice(&part.takes);
        }
        Self {
            edit: Edit::new(splices),
            signature,
            ..all
        }
    }

    /// From the first node that it takes to the last.
    pub fn nodes(&self) -> Range<NodeId> {
        let start = self.takes.first().map_or(0, |nodes| nodes.start);
        start..self.takes.last().map_or(0, |nodes| nodes.end)
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

/// Calls `each` with every node whose row the grammar accepts, with its row, and with what the grammar says about that.
pub(super) fn for_each_row(
    document: &Document,
    mut each: impl FnMut(NodeId, &[NodeId], &Siblings),
) {
    for parent in document.ids().filter(|&id| !document.is_leaf(id)) {
        let row = document.row(parent);
        let siblings = siblings(document, parent, &row).filter(Siblings::is_accepted);
        if let Some(siblings) = siblings {
            each(parent, &row, &siblings);
        }
    }
}

/// Calls `each` with every named child of a row that the grammar accepts, and with its place in the row.
pub(super) fn for_each_place(document: &Document, mut each: impl FnMut(&Siblings, usize, NodeId)) {
    for_each_row(document, |_, row, siblings| {
        for (place, &node) in row.iter().enumerate() {
            if document.node(node).is_named() {
                each(siblings, place, node);
            }
        }
    });
}

/// Whether a node has a body: it defines what it names.
pub(super) fn has_body(document: &Document, node: NodeId) -> bool {
    document.child_in_field(node, "body").is_some()
}

/// The elements of a list: what stands between the first and the last token of a bracketed node, or all that a node without
/// tokens of its own holds.
pub(super) fn elements(document: &Document, node: NodeId) -> Option<Vec<NodeId>> {
    let row = document.row(node);
    let has_name = |&id: &NodeId| document.node(id).is_named();
    let elements = match &row[..] {
        [first, inner @ .., last] if !has_name(first) && !has_name(last) => inner,
        all if all.iter().all(has_name) => all,
        _ => return None,
    };
    (!elements.is_empty()).then(|| elements.to_vec())
}

/// The row that a node stands in, as its grammar sees it, and the node's place there.
pub(super) fn surroundings(document: &Document, node: NodeId) -> Option<(Siblings<'_>, usize)> {
    let parent = document.node(node).parent;
    let row = document.row(parent);
    let place = row.iter().position(|&child| child == node)?;
    Some((siblings(document, parent, &row)?, place))
}

/// A kind, and a text of that kind.
pub(super) type Filler<'d> = (Kind, &'d [u8]);

/// Those of these texts that the grammar has a kind for; none without a grammar.
pub(super) fn fillers<'d>(document: &'d Document, texts: &'d [Anything]) -> Vec<Filler<'d>> {
    let Some(grammar) = document.grammar() else {
        return Vec::new();
    };
    let found = texts.iter();
    let found = found.filter_map(|it| Some((grammar.kinds().find(&it.kind, true)?, &*it.text)));
    found.map(|(kind, text)| (kind, text.as_bytes())).collect()
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
        splices.extend(Members::of(document, parent).without(document, &places, Blanks::Stay)?);
    }
    Some(ssa::made_whole(document, Edit::new(splices)))
}

/// The last bytes before a place but for blanks: what is changed there is known again when blanks have gone.
pub(super) fn before(bytes: &[u8], place: usize) -> Vec<u8> {
    let near = &bytes[place.saturating_sub(NEAR)..place];
    solid(near.iter().rev()).take(AROUND).collect()
}

/// The first bytes behind a place but for blanks.
pub(super) fn behind(bytes: &[u8], place: usize) -> Vec<u8> {
    let near = &bytes[place..bytes.len().min(place + NEAR)];
    solid(near.iter()).take(AROUND).collect()
}

/// A place in a text is known again by so many bytes on a side: with more of them each change nearby would make it a new one.
const AROUND: usize = 6;
/// They are looked for among so many: between them there may be any number of blanks.
const NEAR: usize = 32;

/// A text but for its blanks.
pub(super) fn without_blanks(text: &[u8]) -> Vec<u8> {
    solid(text.iter()).collect()
}

/// The bytes that are no blanks.
fn solid<'b>(bytes: impl Iterator<Item = &'b u8>) -> impl Iterator<Item = u8> {
    bytes.copied().filter(|byte| !byte.is_ascii_whitespace())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_known_again_without_the_blanks_around_it() {
        let around = |text: &[u8], place| (before(text, place), behind(text, place));
        let dense = around(b"f(abc, d);", 6);
        assert_eq!(dense, (b",cba(f".to_vec(), b"d);".to_vec()));
        assert_eq!(around(b"f ( abc, d ) ;", 8), dense);
        assert_eq!(without_blanks(b"f ( a\n)"), b"f(a)");
        // Many blanks hide what stands behind them.
        let far = [&b"a"[..], &[b' '; 100], b"b"].concat();
        assert_eq!(around(&far, 50), (Vec::new(), Vec::new()));
    }
}
