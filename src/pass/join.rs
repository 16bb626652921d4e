//! Joining: two neighbours in brackets of one sort share a single pair of them.
//!
//! `[{ a }, { b }]` becomes `[{ a, b }]`: what was asked of two is sometimes found in one. In the same way `f() { a; } g() { b; }`
//! becomes `f() { a; b; }`, and `g() { a; b; }`: what each was there for may do in one of them. Parameters are named as those of the
//! head that stays, and what called the other function calls that one.

use super::{
    Context,
    in_place::part_with,
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

/// All neighbours of one kind with something in their bodies as one: under the head of the first, and under that of the second. What
/// the other head declared is named as what the kept one declares at its place.
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
                proposals.extend(one_body(context, left, right));
            }
        }
    }
    proposals
}

/// Under the head of the first what both hold, and the same under that of the second.
fn one_body(context: &Context, left: NodeId, right: NodeId) -> Vec<Proposal> {
    let document = context.document();
    let (Some(first), Some(second)) = (body(document, left), body(document, right)) else {
        return Vec::new();
    };
    let range = |node: NodeId| document.node(node).range();
    let heads = [left..first.start + 1, right..second.start + 1];
    let head = |place: usize| {
        let head = &heads[place];
        &document.bytes()[range(head.start).start..range(head.end - 1).end]
    };
    let inner = [&first, &second].map(|body| range(body.start).end..range(body.end).start);
    let whole = range(left).start..range(right).end;
    let count = if head(0) == head(1) { 1 } else { 2 };
    let mut proposals = Vec::new();
    for (kept, other) in [(0, 1), (1, 0)].into_iter().take(count) {
        let renamed = renamed(context, &heads[other], &heads[kept]);
        let texts = inner
            .each_ref()
            .map(|inner| part_with(document, inner, renamed.clone()));
        for order in [[0, 1], [1, 0]] {
            let end = &document.bytes()[range(second.end)];
            let parts = [head(kept), &texts[order[0]], &texts[order[1]], end];
            let mut splices = renamed.clone();
            splices.push(Splice::replacement(whole.clone(), &parts.concat()));
            let tokens = document.lexis().count(head(other));
            proposals.push(Proposal {
                edit: Edit::new(splices),
                weight: u32::try_from(tokens + 1).unwrap_or(u32::MAX),
                takes: only(left..document.node(right).end_id),
                target: Some(left),
                signature: fingerprint(&[b"bodies", parts[0], parts[1], parts[2]]),
                ..Proposal::default()
            });
        }
    }
    proposals
}

/// What one head declares, named as what another declares at the same place, wherever it is used.
fn renamed(context: &Context, head: &Range<NodeId>, model: &Range<NodeId>) -> Vec<Splice> {
    let (document, names) = (context.document(), context.names());
    let pairs = names.declared_in(head).iter().zip(names.declared_in(model));
    let pairs = pairs.filter(|(old, new)| old.name != new.name);
    let splices = pairs.flat_map(|(old, new)| {
        let text = document.text(new.leaf);
        let uses = names.uses_in_scope(old).iter();
        uses.map(move |&leaf| Splice::replacement(document.node(leaf).range(), text))
    });
    splices.collect()
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
            (
                "rust",
                "fn f(mut a: A) { a.b } fn g(c: A) { c; g(c) } fn h() { g(d) }",
                "fn f(mut a: A) { a.b  a; f(a) } fn h() { f(d) }",
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
