//! What ends elsewhere than its text says, where the grammar does not know how a text goes on. What the parser has ended itself has its
//! rest behind it as an element of its own, so that neither can go without the other.

use super::{
    Context,
    proposal::{Proposal, fingerprint},
    units::Unit,
};
use crate::syntax::{Document, NodeId};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The removal of each unit with an end that is missing in the text, together with the unit behind it. Cost: linear in the units.
pub fn unended(context: &Context) -> Vec<Proposal> {
    let (document, units) = (context.document(), context.units());
    let by_node: FxHashMap<NodeId, &Unit> = units.iter().map(|unit| (unit.node, unit)).collect();
    let cut_short = units
        .iter()
        .filter(|unit| is_cut_short(document, &(unit.node..document.node(unit.node).end_id)));
    let pairs = cut_short.filter_map(|unit| {
        let behind = by_node.get(&document.node(unit.node).end_id)?;
        let both = [&unit.proposal, &behind.proposal];
        let [first, second] = both.map(|proposal| proposal.signature.to_le_bytes());
        let signature = fingerprint(&[b"unended", &first, &second]);
        Some(Proposal::together(both, signature))
    });
    pairs.collect()
}

/// The parts that the parser has ended itself, or that end elsewhere than their text says.
pub(super) fn unended_parts(document: &Document, row: &[Proposal]) -> FixedBitSet {
    let is_unended = |part: &Proposal| {
        let mut nodes = part.takes.iter();
        let last = part.takes.last();
        last.is_some_and(|last| is_cut_short(document, last))
            || nodes.any(|nodes| !is_closed(document, nodes.start))
    };
    let mut unended = FixedBitSet::with_capacity(row.len());
    for (index, part) in row.iter().enumerate() {
        unended.set(index, is_unended(part));
    }
    unended
}

/// Whether the last token of these nodes is one that the parser made up.
fn is_cut_short(document: &Document, nodes: &Range<NodeId>) -> bool {
    let last = nodes.end.checked_sub(1);
    last.is_some_and(|last| document.node(last).is_missing())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        pass::{
            rows,
            testing::{offered, results},
        },
        syntax::Language,
    };

    #[test]
    fn what_has_no_end_goes_with_what_stands_behind_it() {
        let text = "int a() requires b(int) && c(int); int d;";
        let document = Document::new(text.as_bytes(), Language::named("cpp"));
        let found = results(&document, &unended(&Context::new(document.clone())));
        assert!(
            found.iter().any(|left| left.trim() == "int d;"),
            "{found:?}"
        );
    }

    #[test]
    fn what_ends_goes_alone() {
        assert!(offered("cpp", "int a(); int d;", unended).is_empty());
    }

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
        let unended = unended_parts(context.document(), &row);
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
