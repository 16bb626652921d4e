//! Lifting: a local declaration or a parameter moves out, where it needs fewer words.
//!
//! A local can also be a parameter of its function. Declarations that begin with the same words become one (`int a; int b;` → `int a, b;`), from inner scopes too, and a local of
//! a one-word type becomes a global without one, which C takes for an `int` that starts at zero.

use super::{
    Context, arguments,
    bundle::UnitMap,
    names::{Declaration, Names},
    proposal::{Proposal, fingerprint, only},
};
use crate::syntax::{Document, Edit, NodeId, Splice};
use std::ops::Range;

/// How many declarations one declaration is tried to be merged into.
const MOST_HOSTS: usize = 2;

/// A declaration with words in front of its declarators.
struct Parts {
    node: NodeId,
    words: Range<usize>,
    declarators: Range<usize>,
}

/// All merges of two declarations, and all locals and parameters as globals and as parameters.
pub fn lifts(context: &Context) -> Vec<Proposal> {
    let (document, names, units) = (context.document(), context.names(), context.unit_map());
    let statement = |declaration: &Declaration| {
        let above = document.node(declaration.declarer).parent;
        if document.kind_name(above).ends_with("declaration") {
            above
        } else {
            declaration.declarer
        }
    };
    let mut nodes: Vec<NodeId> = names.declarations.iter().map(statement).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let parts: Vec<Parts> = nodes
        .into_iter()
        .filter_map(|node| parts(document, node))
        .collect();
    let mut proposals = Vec::new();
    for (index, moved) in parts.iter().enumerate() {
        let declarators = document.bytes()[moved.declarators.clone()].to_vec();
        let bare = bare_names(names, document, moved);
        proposals.extend(as_global(document, units, moved, &declarators));
        if bare != declarators {
            proposals.extend(as_global(document, units, moved, &bare));
        }
        proposals.extend(as_parameter(document, units, moved, &bare));
        for single in single_declarators(document, moved) {
            let bare = bare_names(names, document, &single);
            proposals.extend(as_parameter(document, units, &single, &bare));
        }
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
    let declarator = |child: &NodeId| {
        document.field_name(*child) == Some("declarator")
            || document.kind_name(*child).ends_with("declarator")
    };
    let first = document.children(node).find(declarator)?;
    let last = document.children(node).filter(declarator).last()?;
    let start = document.node(first).start as usize;
    Some(Parts {
        node,
        words: document.node(node).start as usize..start,
        declarators: start..document.node(last).end as usize,
    })
}

/// Each declarator of several.
fn single_declarators(document: &Document, moved: &Parts) -> Vec<Parts> {
    let inside = |child: &NodeId| {
        let start = document.node(*child).start as usize;
        moved.declarators.contains(&start) && document.node(*child).is_named()
    };
    let all: Vec<NodeId> = document.children(moved.node).filter(inside).collect();
    let several = all.len() > 1;
    all.into_iter()
        .filter(|_| several)
        .map(|node| Parts {
            node,
            words: moved.words.clone(),
            declarators: document.node(node).range(),
        })
        .collect()
}

/// The names that a declaration declares, without types, dimensions and values.
fn bare_names(names: &Names, document: &Document, moved: &Parts) -> Vec<u8> {
    let own = names.declared_in(&(moved.node..document.node(moved.node).end_id));
    let texts: Vec<&[u8]> = own
        .iter()
        .map(|declaration| &*names.texts[declaration.name as usize])
        .collect();
    texts.join(&b", "[..])
}

fn can_merge(document: &Document, host: &Parts, moved: &Parts) -> bool {
    let text = |range: &Range<usize>| document.bytes()[range.clone()].trim_ascii().to_vec();
    let parent = document.node(host.node).parent;
    let around = parent..document.node(parent).end_id;
    let kind = document.kind_name(host.node);
    (kind == "declaration" || kind == document.kind_name(moved.node))
        && around.contains(&moved.node)
        && text(&host.words) == text(&moved.words)
}

fn merge(document: &Document, units: &UnitMap, host: &Parts, moved: &Parts) -> Option<Proposal> {
    let text = [b", ", &document.bytes()[moved.declarators.clone()]].concat();
    moved_to(document, units, moved, host.declarators.end, &text)
}

/// What is declared alone before the outermost node around the declaration.
fn as_global(
    document: &Document,
    units: &UnitMap,
    moved: &Parts,
    declared: &[u8],
) -> Option<Proposal> {
    let top = ancestors(document, moved.node).last()?;
    moved_to(
        document,
        units,
        moved,
        document.node(top).start as usize,
        &[declared, b";\n"].concat(),
    )
}

/// The names of a local as parameters of the function around it, behind those that it has.
fn as_parameter(
    document: &Document,
    units: &UnitMap,
    moved: &Parts,
    declared: &[u8],
) -> Option<Proposal> {
    let (_, list) = arguments::function_around(document, moved.node)?;
    let (at, text) = arguments::one_more(document, list, declared);
    moved_to(document, units, moved, at, &text)
}

/// The nodes above a node, the root left out, the nearest first.
fn ancestors(document: &Document, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    let above =
        move |node: &NodeId| Some(document.node(*node).parent).filter(|&parent| parent != 0);
    std::iter::successors(above(&node), above)
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
    // One of several declarators goes with a comma.
    let comma = u32::from(!document.kind_name(unit).ends_with("declaration"));
    let saved = (document.node(unit).tokens + comma)
        .checked_sub(u32::try_from(document.lexis().count(text)).ok()?)?;
    (saved > 0).then_some(())?;
    Some(Proposal {
        drops: units.drops_of(unit)?.to_vec(),
        edit: Edit::new(vec![Splice::replacement(at..at, text)]),
        weight: saved,
        takes: only(unit..document.node(unit).end_id),
        target: Some(unit),
        signature: fingerprint(&[b"lift", document.text(unit), text]),
        ..Proposal::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::assert_offers;

    #[test]
    fn a_local_moves_out() {
        for (language, text, wanted) in [
            (
                "c",
                "int f() { int a = 1; return a; }",
                "a = 1;\nint f() {  return a; }",
            ),
            (
                "c",
                "int f() { int a = 1; return a; }",
                "int f(a) {  return a; }",
            ),
            (
                "c",
                "int f() { int a; { int b; g(a, b); } }",
                "int f() { int a, b; {  g(a, b); } }",
            ),
        ] {
            assert_offers(language, text, wanted, lifts);
        }
    }
}
