//! Joining: two neighbours in brackets of one sort share a single pair of them.
//!
//! `[{ a }, { b }]` becomes `[{ a, b }]`: what was asked of two is sometimes found in one.

use super::{
    Context,
    proposal::{Proposal, fingerprint, only},
};
use crate::syntax::{Document, Edit, NodeId, Splice};
use std::ops::Range;

/// All joints of neighbours with something inside.
pub fn joints(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let mut proposals = Vec::new();
    for parent in document.ids() {
        let row = document.row(parent);
        for window in row.windows(3) {
            let &[left, separator, right] = window else {
                continue;
            };
            let alike = document.node(left).kind == document.node(right).kind;
            if alike && document.text(separator) == b"," {
                proposals.extend(joint(document, left, right));
            }
        }
    }
    proposals
}

/// One list of the elements of both; `None` if one of them is empty, or in no brackets.
fn joint(document: &Document, left: NodeId, right: NodeId) -> Option<Proposal> {
    let close = brackets(document, left)?.end;
    let open = brackets(document, right)?.start;
    let range = |node: NodeId| document.node(node).range();
    Some(Proposal {
        edit: Edit::new(vec![
            Splice::deletion(range(close)),
            Splice::deletion(range(open)),
        ]),
        weight: 2,
        takes: [only(close..close + 1), only(open..open + 1)].concat(),
        signature: fingerprint(&[b"join", document.text(left), document.text(right)]),
        ..Proposal::default()
    })
}

/// The first and the last child of a list with something inside.
fn brackets(document: &Document, node: NodeId) -> Option<Range<NodeId>> {
    let row = document.row(node);
    let (&first, &last) = (row.first()?, row.last()?);
    let fit = matches!(
        (document.text(first), document.text(last)),
        (b"(", b")") | (b"[", b"]") | (b"{", b"}")
    );
    (fit && row.len() > 2).then_some(first..last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{assert_offers, offered};

    #[test]
    fn neighbours_share_their_brackets() {
        for (language, text, wanted) in [
            ("json", "[{\"a\":1},{\"b\":2}]", "[{\"a\":1,\"b\":2}]"),
            ("javascript", "f([1],[2])", "f([1,2])"),
            (
                "c",
                "int a[2][2] = { { 1 },{ 2 } };",
                "int a[2][2] = { { 1 , 2 } };",
            ),
        ] {
            assert_offers(language, text, wanted, joints);
        }
    }

    #[test]
    fn an_empty_neighbour_goes_as_a_unit() {
        let found = offered("json", "[{},{\"b\":2}]", joints);
        assert!(found.is_empty(), "{found:?}");
    }
}
