//! Lifting: a local declaration or a parameter moves out, where it needs fewer words.
//!
//! Declarations that begin with the same words become one (`int a; int b;` → `int a, b;`), from inner scopes too, and a local of
//! a one-word type becomes a global without one, which C takes for an `int` that starts at zero.

use super::{
    bundle::UnitMap,
    names::Names,
    proposal::{Proposal, fingerprint},
};
use crate::syntax::{Document, Edit, NodeId, Splice, count_tokens};
use std::ops::Range;

/// How many declarations one declaration is tried to be merged into.
const MOST_HOSTS: usize = 2;

/// A declaration with words in front of its declarators.
struct Parts {
    node: NodeId,
    words: Range<usize>,
    declarators: Range<usize>,
}

/// All merges of two declarations, and all locals and parameters as globals.
pub fn lifts(document: &Document, names: &Names, units: &UnitMap) -> Vec<Proposal> {
    let mut nodes: Vec<NodeId> = names
        .declarations
        .iter()
        .map(|declaration| declaration.declarer)
        .collect();
    nodes.sort_unstable();
    nodes.dedup();
    let parts: Vec<Parts> = nodes
        .into_iter()
        .filter_map(|node| parts(document, node))
        .collect();
    let mut proposals = Vec::new();
    for (index, moved) in parts.iter().enumerate() {
        proposals.extend(as_global(document, units, moved));
        let hosts = parts[..index]
            .iter()
            .rev()
            .filter(|host| can_merge(document, host, moved));
        proposals.extend(
            hosts
                .take(MOST_HOSTS)
                .filter_map(|host| merge(document, units, host, moved)),
        );
    }
    proposals
}

/// The words and the declarators of a declaration; `None` for nodes of another form.
fn parts(document: &Document, node: NodeId) -> Option<Parts> {
    if !document.kind_name(node).ends_with("declaration") {
        return None;
    }
    let declarator = |child: &NodeId| document.field_name(*child) == Some("declarator");
    let first = document.children(node).find(declarator)?;
    let last = document.children(node).filter(declarator).last()?;
    let start = document.node(first).start as usize;
    Some(Parts {
        node,
        words: document.node(node).start as usize..start,
        declarators: start..document.node(last).end as usize,
    })
}

fn can_merge(document: &Document, host: &Parts, moved: &Parts) -> bool {
    let text = |range: &Range<usize>| document.bytes()[range.clone()].trim_ascii().to_vec();
    let parent = document.node(host.node).parent;
    let around = parent..document.node(parent).end_id;
    document.kind_name(host.node) == "declaration"
        && around.contains(&moved.node)
        && text(&host.words) == text(&moved.words)
}

fn merge(document: &Document, units: &UnitMap, host: &Parts, moved: &Parts) -> Option<Proposal> {
    let text = [b", ", &document.bytes()[moved.declarators.clone()]].concat();
    moved_to(document, units, moved, host.declarators.end, &text)
}

/// The declarators alone before the outermost node around the declaration.
fn as_global(document: &Document, units: &UnitMap, moved: &Parts) -> Option<Proposal> {
    let mut top = moved.node;
    while document.node(top).parent != 0 {
        top = document.node(top).parent;
    }
    if top == moved.node {
        return None;
    }
    let text = [&document.bytes()[moved.declarators.clone()], b";\n"].concat();
    moved_to(
        document,
        units,
        moved,
        document.node(top).start as usize,
        &text,
    )
}

fn moved_to(
    document: &Document,
    units: &UnitMap,
    moved: &Parts,
    at: usize,
    text: &[u8],
) -> Option<Proposal> {
    let unit = units
        .around(document, moved.node)
        .filter(|&unit| unit == moved.node)?;
    let saved = document
        .node(unit)
        .tokens
        .checked_sub(u32::try_from(count_tokens(text)).ok()?)?;
    (saved > 0).then_some(())?;
    Some(Proposal {
        drops: vec![units.drop_of(unit)?],
        edit: Edit::new(vec![Splice::replacement(at..at, text)]),
        weight: saved,
        takes: vec![unit..document.node(unit).end_id],
        target: Some(unit),
        signature: fingerprint(&[b"lift", document.text(unit), text]),
        ..Proposal::default()
    })
}
