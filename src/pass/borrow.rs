//! Borrowing: a node becomes a copy of a smaller one of its kind from elsewhere in the document.
//!
//! `f(a + b + c); g(d + e)` becomes `f(d + e); g(d + e)`. What the document has in one place means something there, which the
//! least text of the grammar mostly does not.

use super::{
    Context,
    proposal::{Proposal, for_each_place},
};
use crate::syntax::{NodeId, Role};
use std::collections::BTreeMap;

/// Larger nodes are left to simpler changes.
const LARGEST: u32 = 30;
/// A document of more tokens has better things to be asked about.
const LARGEST_DOCUMENT: u32 = 300;
/// Every node of a few tokens as the smallest other one of its kind, the nearest of several.
pub fn copies(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    if document.node(0).tokens > LARGEST_DOCUMENT {
        return Vec::new();
    }
    let mut by_kind: BTreeMap<u16, Vec<NodeId>> = BTreeMap::new();
    for (id, node) in (0..).zip(document.nodes()) {
        if node.is_named() && (1..=LARGEST).contains(&node.tokens) {
            by_kind.entry(node.kind.0).or_default().push(id);
        }
    }
    let mut proposals = Vec::new();
    for_each_place(document, |_, _, node| {
        let own = document.node(node);
        if !(2..=LARGEST).contains(&own.tokens) || document.has_role(node, Role::Repeated) {
            return;
        }
        let elsewhere = |&&other: &&NodeId| {
            let other_end = document.node(other).end_id;
            (other >= own.end_id || other_end <= node) && document.node(other).tokens < own.tokens
        };
        let others = by_kind.get(&own.kind.0).into_iter().flatten();
        let best = others
            .filter(elsewhere)
            .min_by_key(|&&other| (document.node(other).tokens, other.abs_diff(node)));
        proposals.extend(best.and_then(|&other| {
            Proposal::replacement(document, b"borrow", node, document.text(other)).if_smaller()
        }));
    });
    proposals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{assert_offers, offered};

    #[test]
    fn a_node_becomes_a_smaller_one_of_its_kind() {
        for (language, text, wanted) in [
            (
                "c",
                "int f() { g(1 + 2 + 3, a * b); }",
                "int f() { g(a * b, a * b); }",
            ),
            ("javascript", "f(a(b, c)); g(d())", "f(d()); g(d())"),
        ] {
            assert_offers(language, text, wanted, copies);
        }
    }

    #[test]
    fn what_is_inside_is_left_to_the_hoists() {
        let found = offered("c", "int a = b + c * d;", copies);
        assert!(found.is_empty(), "{found:?}");
    }
}
