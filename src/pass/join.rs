//! Joining: two neighbours in brackets of one sort share a single pair of them.
//!
//! `[{ a }, { b }]` becomes `[{ a, b }]`: what was asked of two is sometimes found in one. In the same way `f() { a; } g() { b; }`
//! becomes `f() { a; b; }`, and `g() { a; b; }`: what each was there for may do in one of them.

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

/// A document of more tokens has better things to be asked about.
const LARGEST: u32 = 1000;

/// All neighbours of one kind with something in their bodies as one: under the head of the first, and under that of the second.
pub fn bodies(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let mut proposals = Vec::new();
    if document.node(0).tokens > LARGEST {
        return proposals;
    }
    for parent in document.ids() {
        for pair in document.row(parent).windows(2) {
            let &[left, right] = pair else { continue };
            if document.node(left).kind == document.node(right).kind {
                proposals.extend(one_body(document, left, right));
            }
        }
    }
    proposals
}

/// Under the head of the first what both hold, and the same under that of the second.
fn one_body(document: &Document, left: NodeId, right: NodeId) -> Vec<Proposal> {
    let (Some(first), Some(second)) = (body(document, left), body(document, right)) else {
        return Vec::new();
    };
    let range = |node: NodeId| document.node(node).range();
    let head = |node: NodeId, body: &Range<NodeId>| range(node).start..range(body.start).end;
    let heads = [head(left, &first), head(right, &second)].map(|head| &document.bytes()[head]);
    let inner = [&first, &second].map(|body| range(body.start).end..range(body.end).start);
    let texts = inner.clone().map(|inner| &document.bytes()[inner]);
    let tokens = heads.map(|head| document.lexis().count(head));
    let count = if heads[0] == heads[1] { 1 } else { 2 };
    let mut proposals = Vec::new();
    for (kept, other) in [(0, 1), (1, 0)].into_iter().take(count) {
        for order in [[0, 1], [1, 0]] {
            let end = &document.bytes()[range(second.end)];
            let parts = [heads[kept], texts[order[0]], texts[order[1]], end];
            let whole = range(left).start..range(right).end;
            proposals.push(Proposal {
                edit: Edit::replacement(whole, &parts.concat()),
                weight: u32::try_from(tokens[other] + 1).unwrap_or(u32::MAX),
                takes: only(left..document.node(right).end_id),
                target: Some(left),
                signature: fingerprint(&[b"bodies", parts[0], parts[1], parts[2]]),
                ..Proposal::default()
            });
        }
    }
    proposals
}

/// The brackets around what a node ends with, if something is in them.
fn body(document: &Document, node: NodeId) -> Option<Range<NodeId>> {
    let last = *document.row(node).last()?;
    let is_body = document.text(last).starts_with(b"{") && last != node;
    is_body.then(|| brackets(document, last)).flatten()
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
    fn neighbours_have_one_body_under_either_head() {
        for (language, text, wanted) in [
            (
                "c",
                "void f() { a(); } int g() { b(); }",
                "void f() { a();  b(); }",
            ),
            (
                "c",
                "void f() { a(); } int g() { b(); }",
                "int g() { a();  b(); }",
            ),
            (
                "c",
                "void f() { a(); } int g() { b(); }",
                "void f() { b();  a(); }",
            ),
            ("css", "a { b: c } d { e: f; }", "a { b: c  e: f; }"),
            ("javascript", "if (a) { b } if (c) { d }", "if (a) { b  d }"),
        ] {
            assert_offers(language, text, wanted, bodies);
        }
        assert!(offered("c", "void f() { a(); } void g() {}", bodies).is_empty());
    }

    #[test]
    fn an_empty_neighbour_goes_as_a_unit() {
        let found = offered("json", "[{},{\"b\":2}]", joints);
        assert!(found.is_empty(), "{found:?}");
    }
}
