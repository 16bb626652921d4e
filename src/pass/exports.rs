//! What of a part others can name, and how a use says where its declaration stands.

use super::{
    Proposal,
    names::{Declaration, Names},
};
use crate::syntax::{Document, NodeId};
use fixedbitset::FixedBitSet;
use std::ops::Range;

/// Whether a declaration is known outside of the part that begins at `start` by its name alone: it does not stand in a body there,
/// unless it is a value of an enumeration, a member by whose name the part is used, or no member at all. `walls`: by node, how many it
/// lies in.
pub(super) fn is_exported(
    (document, names): (&Document, &Names),
    walls: &[u32],
    start: NodeId,
    declaration: &Declaration,
) -> bool {
    let around = |node: NodeId| walls[document.node(node).parent as usize];
    let is_value = document.kind_name(declaration.declarer).contains("enum");
    let is_open = is_value
        || names.is_used_through(declaration.leaf)
        || names.is_beside(declaration.declarer);
    let own = around(start) + u32::from(is_open);
    declaration.scope.start < start && around(declaration.leaf) <= own
}

/// The parts whose last leaf is one that the parser misses, or that end elsewhere than their text says.
pub(super) fn unended(document: &Document, row: &[Proposal]) -> FixedBitSet {
    let mut unended = FixedBitSet::with_capacity(row.len());
    for (index, part) in row.iter().enumerate() {
        let last = part.takes.last().and_then(|nodes| nodes.end.checked_sub(1));
        let is_missing = last.is_some_and(|last| document.node(last).is_missing());
        let mut nodes = part.takes.iter().map(|nodes| nodes.start);
        unended.set(
            index,
            is_missing || nodes.any(|node| !is_closed(document, node)),
        );
    }
    unended
}

/// Whether a node ends where its text says so: not where the parser lost its way among branches for several configurations. Cost:
/// linear in a node that is damaged.
pub(super) fn is_closed(document: &Document, node: NodeId) -> bool {
    !document.node(node).is_damaged() || depth(document, node..document.node(node).end_id) == 0
}

/// How many more blocks are opened than closed by these nodes.
pub(super) fn depth(document: &Document, nodes: Range<NodeId>) -> i32 {
    let leaves = nodes.filter(|&node| document.is_leaf(node));
    let depth = leaves.map(|leaf| {
        let kind = document.kind_name(leaf);
        let is_sign = document.text(leaf) == kind.as_bytes();
        i32::from(is_sign && kind.ends_with('{')) - i32::from(is_sign && kind.ends_with('}'))
    });
    depth.sum()
}

/// Whether a name is that of a member of what stands before it. Several dots mean something else: a range, or all that is in a list.
pub(super) fn is_behind_dot(document: &Document, leaf: NodeId) -> bool {
    let before = &document.bytes()[..document.node(leaf).range().start];
    before.ends_with(b".") && !before.ends_with(b"..") || before.ends_with(b"->")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        pass::{Context, rows},
        syntax::Language,
    };

    #[test]
    fn what_ends_elsewhere_than_its_text_says_is_unended() {
        let text = "int a() { return 1; }\n#if b\nint c() {\n#else\nint c(int d) {\n#endif\n return 2; }\nint e() { return 3; }";
        let document = Document::new(text.as_bytes(), Language::named("c"));
        let context = Context::new(document);
        let row = rows::declarations(context.document(), context.units(), 100);
        let texts = row
            .iter()
            .map(|part| context.document().text(part.nodes().start));
        let texts: Vec<&[u8]> = texts.collect();
        let unended = unended(context.document(), &row);
        for (index, text) in texts.iter().enumerate() {
            let count = |sign| text.split(|&byte| byte == sign).count();
            let is_open = count(b'{') != count(b'}');
            assert_eq!(unended[index], is_open, "{}", String::from_utf8_lossy(text));
        }
        assert!(
            unended.count_ones(..) > 0 && !unended.is_full(),
            "{unended}"
        );
    }
}
