//! Results: the type that a function returns, with all values that it returns.
//!
//! `fn f() -> T { v }` becomes `fn f() {}`, `int f() { return v; }` becomes `void f() { return; }`.

use super::{
    Context,
    proposal::{Proposal, fingerprint, surroundings},
};
use crate::syntax::{Document, Edit, NodeId, Splice};

/// The fields that hold the type of what a function returns.
const TYPE_FIELDS: &[&str] = &["return_type", "result", "type"];
/// Parts of the names of kinds that are no values at the end of a body.
const NO_VALUES: &[&str] = &["statement", "declaration", "definition", "item", "comment"];

/// For every function that returns something: nothing instead, without a type and with the type `void`.
pub fn results(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let mut proposals = Vec::new();
    for function in document.ids() {
        let Some(body) = child_in(document, function, &["body"]) else {
            continue;
        };
        let Some(kind) = child_in(document, function, TYPE_FIELDS) else {
            continue;
        };
        let values = values(document, body);
        if values.is_empty() {
            continue;
        }
        proposals.extend(without_type(document, function, kind, &values));
        proposals.extend(with_void(document, function, kind, &values));
    }
    proposals
}

fn child_in(document: &Document, node: NodeId, fields: &[&str]) -> Option<NodeId> {
    document.children(node).find(|&child| {
        document
            .field_name(child)
            .is_some_and(|field| fields.contains(&field))
    })
}

/// What the function returns: the values of its `return`s, and a value at the end of the body.
fn values(document: &Document, body: NodeId) -> Vec<NodeId> {
    let mut values = Vec::new();
    let mut at = body + 1;
    while at < document.node(body).end_id {
        let kind = document.kind_name(at);
        if child_in(document, at, &["body"]).is_some() && kind.contains("func") {
            at = document.node(at).end_id;
            continue;
        }
        if kind.starts_with("return") {
            values.extend(
                document
                    .children(at)
                    .find(|&child| document.node(child).is_named()),
            );
        }
        at += 1;
    }
    let last = document
        .children(body)
        .filter(|&child| document.node(child).is_named())
        .last();
    values.extend(last.filter(|&last| {
        let kind = document.kind_name(last);
        document.kind_name(body) == "block" && !NO_VALUES.iter().any(|part| kind.contains(part))
    }));
    values
}

/// The place of a node in its parent's row.
fn place_of(document: &Document, node: NodeId) -> Option<(NodeId, u32)> {
    let parent = document.node(node).parent;
    let place = document
        .row(parent)
        .iter()
        .position(|&child| child == node)?;
    Some((parent, u32::try_from(place).ok()?))
}

fn without_type(
    document: &Document,
    function: NodeId,
    kind: NodeId,
    values: &[NodeId],
) -> Option<Proposal> {
    let nodes: Vec<NodeId> = values.iter().copied().chain([kind]).collect();
    let (siblings, place) = surroundings(document, kind)?;
    // Old C takes a function without a type, whatever the grammar says.
    let (drops, edit) = if siblings.can_go(place) {
        (places(document, &nodes)?, Edit::default())
    } else {
        let range = document.node(kind).range();
        (places(document, values)?, Edit::deletion(range))
    };
    Some(Proposal {
        drops,
        edit,
        takes: ranges(document, &nodes),
        weight: tokens(document, &nodes),
        signature: fingerprint(&[b"results", document.text(function)]),
        ..Proposal::default()
    })
}

fn with_void(
    document: &Document,
    function: NodeId,
    kind: NodeId,
    values: &[NodeId],
) -> Option<Proposal> {
    (document.field_name(kind) == Some("type")).then_some(())?;
    let void = ["primitive_type", "void_type"]
        .iter()
        .find_map(|name| document.grammar()?.kinds().find(name, true))?;
    let (siblings, place) = surroundings(document, kind)?;
    (siblings.can_stand(place, void) && document.text(kind) != b"void").then_some(())?;
    let range = document.node(kind).range();
    Some(Proposal {
        drops: places(document, values)?,
        edit: Edit::new(vec![Splice::replacement(range, b"void")]),
        takes: ranges(document, values),
        weight: tokens(document, values),
        signature: fingerprint(&[b"void", document.text(function)]),
        ..Proposal::default()
    })
}

fn places(document: &Document, nodes: &[NodeId]) -> Option<Vec<(NodeId, u32)>> {
    nodes.iter().map(|&node| place_of(document, node)).collect()
}

fn ranges(document: &Document, nodes: &[NodeId]) -> Vec<std::ops::Range<NodeId>> {
    nodes
        .iter()
        .map(|&node| node..document.node(node).end_id)
        .collect()
}

fn tokens(document: &Document, nodes: &[NodeId]) -> u32 {
    nodes.iter().map(|&node| document.node(node).tokens).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::offered;

    #[track_caller]
    fn check(language: &str, text: &str, expected: &[&str]) {
        let found = offered(language, text, results);
        assert_eq!(found, expected);
    }

    #[test]
    fn a_function_returns_nothing() {
        check(
            "rust",
            "fn f() -> u8 { g(); 1 + 2 }",
            &["fn f()  { g();  }"],
        );
        check(
            "c",
            "int f() { return 1; }",
            &[" f() { return ; }", "void f() { return ; }"],
        );
        check(
            "typescript",
            "function f(): A { return a }",
            &["function f() { return  }"],
        );
    }
}
