//! Values of elements: what a list is declared with stands where its elements are named, and the list goes.
//!
//! `int a[2][2] = {{1, 2}, {3}}; f(a[0][1], a[i][j]);` becomes `f(2, 1);`: the element of that number where one is written, and else
//! the first. All uses at once, so that nothing in between has to be interesting.

use super::{
    Context,
    proposal::{Proposal, fingerprint, only},
    retarget::{given_value, replaceable, uses_outside},
};
use crate::syntax::{Document, Edit, NodeId, Splice};
use rustc_hash::FxHashMap;

/// For each name that is declared with a list and only ever used for elements of it: their values.
pub fn values(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let mut proposals = Vec::new();
    for (declaration, unit) in replaceable(context) {
        let given = given_value(document, declaration);
        let Some(list) = given.and_then(|value| brackets_in(document, value)) else {
            continue;
        };
        let mut lists = Lists::default();
        let uses = uses_outside(context, declaration, unit);
        let changes = uses.map(|leaf| value(document, list, leaf, &mut lists));
        let changes: Option<Vec<_>> = changes.collect();
        proposals.extend(changes.and_then(|changes| replaced(context, unit, &changes)));
    }
    proposals
}

/// By node: what stands in it, if it is a list in brackets.
type Lists = FxHashMap<NodeId, Option<Vec<NodeId>>>;

/// The list of elements in brackets that a value is: itself, or behind the type of its elements.
fn brackets_in(document: &Document, value: NodeId) -> Option<NodeId> {
    let is_list = |&node: &NodeId| in_brackets(document, node).is_some();
    let last = |node: &NodeId| document.row(*node).last().copied();
    let mut behind =
        std::iter::successors(Some(value), |&node| last(&node).filter(|&it| it > node));
    behind.find(is_list)
}

/// What stands in square or curly brackets, if a node has these around it and something in it.
fn in_brackets(document: &Document, node: NodeId) -> Option<Vec<NodeId>> {
    let row = document.row(node);
    let (&open, &close) = (row.first()?, row.last()?);
    let pair = (document.text(open), document.text(close));
    let is_list = matches!(pair, (b"{", b"}") | (b"[", b"]"));
    let inner = row
        .into_iter()
        .filter(|&child| document.node(child).is_named());
    let inner: Vec<NodeId> = inner.collect();
    (is_list && !inner.is_empty()).then_some(inner)
}

/// The node that names an element of what a name stands for, and the node with the value that it is declared with.
fn value(
    document: &Document,
    list: NodeId,
    leaf: NodeId,
    lists: &mut Lists,
) -> Option<(NodeId, NodeId)> {
    let (mut place, mut value) = (leaf, list);
    while let Some((above, index)) = subscript(document, place) {
        place = above;
        if let Some(inner) = elements(document, value, lists) {
            let number = std::str::from_utf8(document.text(index)).ok();
            let number = number.and_then(|text| text.parse().ok()).unwrap_or(0);
            value = *inner.get::<usize>(number).unwrap_or(&inner[0]);
        }
    }
    let is_element = place != leaf && elements(document, value, lists).is_none();
    is_element.then_some((place, value))
}

/// What stands in a list in brackets, looked up once.
fn elements<'l>(
    document: &Document,
    node: NodeId,
    lists: &'l mut Lists,
) -> Option<&'l Vec<NodeId>> {
    let list = lists.entry(node);
    let list = list.or_insert_with(|| in_brackets(document, node));
    list.as_ref()
}

/// The node that takes an element of a part, which it begins with, and what stands in its square brackets.
fn subscript(document: &Document, part: NodeId) -> Option<(NodeId, NodeId)> {
    let above = document.node(part).parent;
    let row = document.row(above);
    match row[..] {
        [first, open, index, close] if first == part && above != part => {
            let brackets = (document.text(open), document.text(close));
            (brackets == (b"[", b"]")).then_some((above, index))
        }
        _ => None,
    }
}

/// The nodes give their places to values, and the unit goes.
fn replaced(context: &Context, unit: NodeId, changes: &[(NodeId, NodeId)]) -> Option<Proposal> {
    let document = context.document();
    let nests = |pair: &[(NodeId, NodeId)]| pair[1].0 < document.node(pair[0].0).end_id;
    if changes.is_empty() || changes.windows(2).any(nests) {
        return None;
    }
    let tokens = |node: NodeId| document.node(node).tokens;
    let text = |&(_, value): &(NodeId, NodeId)| document.text(value);
    let before: u32 = changes.iter().map(|&(place, _)| tokens(place)).sum();
    let after: u32 = changes.iter().map(|&(_, value)| tokens(value)).sum();
    let splice = |change: &(NodeId, NodeId)| {
        Splice::replacement(document.node(change.0).range(), text(change))
    };
    let texts: Vec<&[u8]> = changes.iter().map(text).collect();
    Proposal {
        drops: context.unit_map().drops_of(unit)?.to_vec(),
        edit: Edit::new(changes.iter().map(splice).collect()),
        weight: (tokens(unit) + before).saturating_sub(after),
        takes: only(unit..document.node(unit).end_id),
        target: Some(unit),
        signature: fingerprint(&[b"element", document.text(unit), &texts.concat()]),
        ..Proposal::default()
    }
    .if_smaller()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{assert_offers, offered};

    #[test]
    fn elements_become_what_they_are_declared_with() {
        for (language, text, wanted) in [
            (
                "c",
                "int a[2][2] = {{1, 2}, {3}}; int f() { return a[0][1] + a[b][c++]; }",
                " int f() { return 2 + 1; }",
            ),
            (
                "c",
                "int a[3][1][2] = {4, 5}; int f() { return a[1][0][1]; }",
                " int f() { return 5; }",
            ),
            (
                "javascript",
                "const a = [b(), 2]; c(a[0], a[i]);",
                " c(b(), b());",
            ),
            ("python", "a = [[1], [2]]\nf(a[1][0])\n", "\nf(2)\n"),
            (
                "go",
                "package p\nvar a = []int{1, 2}\nvar b = a[1]\n",
                "package p\n\nvar b = 2\n",
            ),
            (
                "java",
                "class A { void f() { int[] a = {1, 2}; g(a[1]); } }",
                "class A { void f() {  g(2); } }",
            ),
        ] {
            assert_offers(language, text, wanted, values);
        }
    }

    #[test]
    fn a_list_that_is_used_as_a_whole_stays() {
        for text in [
            "int a[1] = {1}; int *p = a;",
            "int a[1] = {1}; int b = a[a[0]];",
        ] {
            assert_eq!(offered("c", text, values), [""; 0]);
        }
    }
}
