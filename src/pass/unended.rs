//! What the parser has ended itself, where the grammar does not know how a text goes on: its rest stands behind it as an element of
//! its own, so that neither can go without the other.

use super::{
    Context,
    proposal::{Proposal, fingerprint},
    units::Unit,
};
use crate::syntax::{Document, NodeId};
use rustc_hash::FxHashMap;

/// The removal of each unit with an end that is missing in the text, together with the unit behind it. Cost: linear in the units.
pub fn unended(context: &Context) -> Vec<Proposal> {
    let (document, units) = (context.document(), context.units());
    let by_node: FxHashMap<NodeId, &Unit> = units.iter().map(|unit| (unit.node, unit)).collect();
    let cut_short = units
        .iter()
        .filter(|unit| is_cut_short(document, unit.node));
    let pairs = cut_short.filter_map(|unit| {
        let behind = by_node.get(&document.node(unit.node).end_id)?;
        let both = [&unit.proposal, &behind.proposal];
        let [first, second] = both.map(|proposal| proposal.signature.to_le_bytes());
        let signature = fingerprint(&[b"unended", &first, &second]);
        Some(Proposal::together(both, signature))
    });
    pairs.collect()
}

/// Whether the last token of a node is one that the parser made up.
fn is_cut_short(document: &Document, node: NodeId) -> bool {
    document.node(document.node(node).end_id - 1).is_missing()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        pass::testing::{offered, results},
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
}
