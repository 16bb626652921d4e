//! Chains: a link goes from between others.
//!
//! `a.b().c().d()` becomes `a.b().d()` and `a.b().c()`: a call of a member of a call gives its place to the inner call. A hoist
//! would stop at the member between them.

use super::proposal::{Proposal, fingerprint};
use crate::syntax::{Document, Edit, NodeId};

/// Every call that begins with a node that begins with a call, as that one.
pub fn links(document: &Document) -> Vec<Proposal> {
    (1u32..)
        .take(document.nodes().len().saturating_sub(1))
        .filter_map(|node| link(document, node))
        .collect()
}

fn link(document: &Document, node: NodeId) -> Option<Proposal> {
    let first = |of: NodeId| {
        document
            .children(of)
            .next()
            .filter(|&child| document.node(child).is_named() && !document.is_leaf(child))
    };
    let between = first(node)?;
    let inner = first(between)?;
    let kind = |of: NodeId| document.node(of).kind;
    let is_call = document.kind_name(node).contains("call");
    let is_link = is_call && kind(inner) == kind(node) && kind(between) != kind(node);
    let (whole, kept) = (document.node(node), document.node(inner));
    is_link.then(|| Proposal {
        edit: Edit::deletion(kept.range().end..whole.range().end),
        weight: whole.tokens.saturating_sub(kept.tokens).max(1),
        target: Some(node),
        signature: fingerprint(&[b"link", document.text(node), document.text(inner)]),
        ..Proposal::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::offered;

    #[test]
    fn each_link_of_a_chain_can_go() {
        let links =
            |language: &str, text: &str| offered(language, text, |sample| links(&sample.document));
        assert_eq!(
            links("javascript", "a.b().c().d()"),
            ["a.b().c()", "a.b().d()"]
        );
        assert_eq!(links("c", "int f() { a.b.c = 1; }"), [""; 0]);
    }
}
