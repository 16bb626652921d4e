//! Recasting: a node becomes one of another kind around what it holds.
//!
//! `for (; a; b) c` becomes `while (a) c`, `<a> </a>` becomes `<a/>`, a class of one method a function. The language says which
//! kinds resemble each other; the grammar has to take the new one in the node's place, with parts of the node in their order.

use super::{
    Context,
    proposal::{Proposal, for_each_place, has_body},
};
use crate::{
    grammar::{Around, Kind, Part, Siblings},
    syntax::{Document, NodeId},
};

/// How many kinds are tried around the same parts.
const MOST_KINDS: usize = 4;
/// Nodes with more parts than this are left alone.
const MOST_PARTS: usize = 6;
/// What is lost has so many tokens at most: larger parts have been asked about alone.
const MOST_TOKENS_LOST: u32 = 8;

/// All nodes as nodes of other kinds that need fewer tokens.
pub fn recasts(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let Some(grammar) = document.grammar() else {
        return Vec::new();
    };
    let mut around = Around::new(grammar);
    let mut proposals = Vec::new();
    for_each_place(document, |siblings, place, node| {
        if !document.is_leaf(node) {
            recast(document, siblings, place, node, &mut around, &mut proposals);
        }
    });
    proposals
}

fn recast(
    document: &Document,
    siblings: &Siblings,
    place: usize,
    node: NodeId,
    around: &mut Around,
    proposals: &mut Vec<Proposal>,
) {
    let kinds = related_kinds(document, siblings, place, node);
    if kinds.is_empty() {
        return;
    }
    let mut texts: Vec<Vec<u8>> = Vec::new();
    for parts in part_lists(document, node) {
        for kept in subsets(document, &parts) {
            texts.extend(cheapest(document, node, &kinds, &kept, around));
        }
    }
    texts.sort_unstable();
    texts.dedup();
    proposals.extend(
        texts
            .iter()
            .map(|text| Proposal::replacement(document, b"recast", node, text)),
    );
}

/// The kinds that resemble that of a node and can stand in its place.
fn related_kinds(
    document: &Document,
    siblings: &Siblings,
    place: usize,
    node: NodeId,
) -> Vec<Kind> {
    let (Some(language), Some(grammar)) = (document.language(), document.grammar()) else {
        return Vec::new();
    };
    let own = document.kind_name(node);
    let groups = language.facts().related.iter();
    groups
        .filter(|group| group.iter().any(|kind| kind == own))
        .flatten()
        .filter_map(|kind| grammar.kinds().find(kind, true))
        .filter(|&kind| siblings.can_stand(place, kind))
        .collect()
}

/// What a node holds: its named children; the same with what stands alone in brackets instead of the brackets; and the same
/// with the parts of a member that stands alone in the body.
fn part_lists(document: &Document, node: NodeId) -> Vec<Vec<NodeId>> {
    let direct = named(document, node);
    let mut bare: Vec<NodeId> = Vec::new();
    for &part in &direct {
        // What closes an element repeats what opens it.
        let known = |inner: &NodeId| {
            bare.iter()
                .any(|&before| document.text(before) == document.text(*inner))
        };
        let inner = in_brackets(document, part).unwrap_or_else(|| vec![part]);
        let new: Vec<NodeId> = inner.into_iter().filter(|inner| !known(inner)).collect();
        bare.extend(new);
    }
    let mut lists = vec![direct, bare.clone()];
    let member = bare.iter().position(|&part| has_body(document, part));
    if let Some(place) = member {
        let mut parts = bare;
        parts.splice(place..=place, named(document, parts[place]));
        lists.push(parts);
    }
    lists.retain(|list| (1..=MOST_PARTS).contains(&list.len()));
    lists.dedup();
    lists
}

fn named(document: &Document, node: NodeId) -> Vec<NodeId> {
    document
        .row(node)
        .into_iter()
        .filter(|&child| document.node(child).is_named())
        .collect()
}

/// The only node between two tokens, or all that stands between angle brackets.
fn in_brackets(document: &Document, node: NodeId) -> Option<Vec<NodeId>> {
    let row = document.row(node);
    let (&open, &close) = (row.first()?, row.last()?);
    let inner = row.get(1..row.len() - 1)?;
    let enclosed = !document.node(open).is_named() && !document.node(close).is_named();
    let fits = inner.len() == 1 || document.text(open) == b"<";
    (enclosed && fits && inner.iter().all(|&part| document.node(part).is_named()))
        .then(|| inner.to_vec())
}

/// All parts, and all but a small one that is not the largest.
fn subsets(document: &Document, parts: &[NodeId]) -> Vec<Vec<NodeId>> {
    let tokens = |part: NodeId| document.node(part).tokens;
    // The first of several: names come before what they name.
    let largest = parts.iter().copied().rev().max_by_key(|&part| tokens(part));
    let may_go = |part: NodeId| tokens(part) <= MOST_TOKENS_LOST && Some(part) != largest;
    let lost = parts.iter().copied().filter(|&part| may_go(part));
    let rest = lost.map(|lost| parts.iter().copied().filter(|&part| part != lost).collect());
    std::iter::once(parts.to_vec()).chain(rest).collect()
}

/// The least texts of other kinds around the parts that are kept.
fn cheapest(
    document: &Document,
    node: NodeId,
    kinds: &[Kind],
    kept: &[NodeId],
    around: &mut Around,
) -> Vec<Vec<u8>> {
    let parts: Vec<Part> = kept
        .iter()
        .map(|&part| Part {
            kind: document.node(part).kind,
            text: text_of_part(document, part),
        })
        .collect();
    let mut texts: Vec<(usize, Vec<u8>)> = kinds
        .iter()
        .filter_map(|&kind| around.least(kind, &parts))
        .map(|text| (document.lexis().count(&text), text))
        .filter(|(tokens, _)| *tokens < document.node(node).tokens as usize)
        .collect();
    texts.sort_unstable();
    texts.dedup();
    texts.truncate(if kept.len() > 1 { MOST_KINDS } else { 1 });
    texts.into_iter().map(|(_, text)| text).collect()
}

/// The text of a part; with the blank before it where blanks keep parts apart that no token separates.
fn text_of_part(document: &Document, part: NodeId) -> &[u8] {
    let node = document.node(part);
    let in_tag = document
        .children(node.parent)
        .next()
        .is_some_and(|first| first != part && document.text(first) == b"<");
    let start = (node.start as usize).saturating_sub(1);
    let with_blank = &document.bytes()[start..node.end as usize];
    if in_tag && with_blank.first().is_some_and(u8::is_ascii_whitespace) {
        with_blank
    } else {
        document.text(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::assert_offers;

    #[test]
    fn a_node_becomes_a_cheaper_one_around_its_parts() {
        let three = "int f() { for (; a; b++) g(); }";
        let class = "class A { m(a) { return a } }";
        for (language, text, wanted) in [
            ("c", three, "int f() { while(a)g(); }"),
            ("c", three, "int f() { while(b++)g(); }"),
            ("xml", "<r><a> </a></r>", "<r> <a/> </r>"),
            ("xml", "<a b='c' d='e'> </a>", "<a b='c' d='e'/>"),
            ("javascript", class, "function m(a){ return a }"),
        ] {
            assert_offers(language, text, wanted, recasts);
        }
    }
}
