//! Unmarking: a function is no longer asynchronous, nor a generator, and what only such a function may do goes with that.
//!
//! `async function f() { await a }` becomes `function f() { a }`, `function* g() { yield b }` becomes `function g() { b }`.

use super::{
    Context,
    proposal::{Proposal, fingerprint},
};
use crate::syntax::{Document, Edit, NodeId, Splice};

/// A token that marks a function, and parts of the names of the kinds that it allows.
const MARKS: &[(&[u8], &[&str])] = &[(b"async", &["await"]), (b"*", &["yield"])];
/// Parts of the names of kinds that marks belong to.
const FUNCTIONS: &[&str] = &["function", "method", "arrow", "generator", "lambda"];

/// Every marked function without its mark, and with the values of what it awaited or yielded.
pub fn functions(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let mut proposals = Vec::new();
    for node in document.ids() {
        if !is_function(document, node) {
            continue;
        }
        for (mark, allowed) in MARKS {
            proposals.extend(unmarked(document, node, mark, allowed));
        }
    }
    proposals
}

fn is_function(document: &Document, node: NodeId) -> bool {
    let kind = document.kind_name(node);
    !document.is_leaf(node) && FUNCTIONS.iter().any(|part| kind.contains(part))
}

fn unmarked(
    document: &Document,
    function: NodeId,
    mark: &[u8],
    allowed: &[&str],
) -> Option<Proposal> {
    let token = document
        .children(function)
        .find(|&child| document.text(child) == mark && !document.node(child).is_named())?;
    let mut splices = vec![Splice::deletion(document.node(token).range())];
    let mut node = function + 1;
    while node < document.node(function).end_id {
        if is_function(document, node) {
            node = document.node(node).end_id;
            continue;
        }
        let kind = document.kind_name(node);
        if document.node(node).is_named() && allowed.iter().any(|part| kind.contains(part)) {
            splices.push(without_word(document, node));
        }
        node += 1;
    }
    // The mark alone is a unit of its own.
    (splices.len() > 1).then(|| Proposal {
        weight: u32::try_from(splices.len()).unwrap_or(u32::MAX),
        edit: Edit::new(splices),
        target: Some(function),
        signature: fingerprint(&[b"unmark", document.text(function), mark]),
        ..Proposal::default()
    })
}

/// Everything before the value goes; what has none becomes a number.
fn without_word(document: &Document, node: NodeId) -> Splice {
    let whole = document.node(node).range();
    let value = document
        .children(node)
        .find(|&child| document.node(child).is_named());
    match value {
        Some(value) => Splice::deletion(whole.start..document.node(value).range().start),
        None => Splice::replacement(whole, b"0"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{assert_offers, offered};

    #[test]
    fn a_mark_goes_with_what_it_allows() {
        for (language, text, wanted) in [
            (
                "javascript",
                "async function f() { await a; b(await c) }",
                " function f() { a; b(c) }",
            ),
            (
                "javascript",
                "function* g() { yield b; yield* c; yield }",
                "function g() { b; c; 0 }",
            ),
            ("python", "async def f():\n  await a\n", " def f():\n  a\n"),
        ] {
            assert_offers(language, text, wanted, functions);
        }
    }

    #[test]
    fn what_an_inner_function_awaits_is_its_own() {
        let text = "async function f() { async () => await a }";
        let found = offered("javascript", text, functions);
        assert_eq!(found, ["async function f() {  () => a }"]);
    }
}
