//! Flattening: one dimension less, in the declaration of a name and at all its uses together.
//!
//! `int a[4]; a[i]` becomes `int a; a`, and `int *p; *p` becomes `int p; p`. What the declaration gives the name becomes its
//! first element where it is a list.

use super::{
    Context,
    names::{Declaration, Names},
    proposal::{Proposal, fingerprint},
};
use crate::syntax::{Document, Edit, NodeId, Splice};

/// The flattenings of every name whose declarator has dimensions, each dimension on its own: without its value's list, and as it is.
pub fn flattenings(context: &Context) -> Vec<Proposal> {
    let (document, names) = (context.document(), context.names());
    let each = names.declarations.iter().flat_map(|declaration| {
        let dimensions = (0..).map_while(move |depth| {
            let dimension = above(document, declaration.leaf, depth);
            is_dimension(document, dimension).then_some(depth)
        });
        dimensions.flat_map(move |depth| flattening(document, names, declaration, depth))
    });
    each.collect()
}

/// The `depth`-th node above a leaf; 0 is its parent.
fn above(document: &Document, leaf: NodeId, depth: usize) -> NodeId {
    (0..=depth).fold(leaf, |node, _| document.node(node).parent)
}

fn is_dimension(document: &Document, node: NodeId) -> bool {
    let kind = document.kind_name(node);
    kind.contains("array_declarator") || kind.contains("pointer_declarator")
}

fn flattening(
    document: &Document,
    names: &Names,
    declaration: &Declaration,
    depth: usize,
) -> Vec<Proposal> {
    let mut splices = without_dimension(document, declaration.leaf, depth);
    for &leaf in names.uses_in_scope(declaration) {
        let kind = document.kind_name(above(document, leaf, depth));
        if kind.contains("subscript") || kind.contains("pointer_expression") {
            splices.extend(without_dimension(document, leaf, depth));
        }
    }
    let plain = proposal(document, declaration, splices.clone());
    let first = first_element(document, declaration).map(|value| {
        splices.extend(value);
        proposal(document, declaration, splices)
    });
    first.into_iter().chain([plain]).collect()
}

/// The dimension `depth` above a leaf goes; what it is a dimension of stays.
fn without_dimension(document: &Document, leaf: NodeId, depth: usize) -> Vec<Splice> {
    let inner = if depth == 0 {
        leaf
    } else {
        above(document, leaf, depth - 1)
    };
    without_rest(document, above(document, leaf, depth), inner)
}

/// Everything of a node goes but one of its children.
fn without_rest(document: &Document, node: NodeId, kept: NodeId) -> Vec<Splice> {
    let (whole, kept) = (document.node(node).range(), document.node(kept).range());
    vec![
        Splice::deletion(whole.start..kept.start),
        Splice::deletion(kept.end..whole.end),
    ]
}

/// The first element of a list that the declaration gives the name, in the list's place.
fn first_element(document: &Document, declaration: &Declaration) -> Option<Vec<Splice>> {
    let declarer = document.node(declaration.declarer);
    let list = (declaration.leaf..declarer.end_id)
        .find(|&id| document.kind_name(id).contains("initializer_list"))?;
    let first = document
        .children(list)
        .find(|&child| document.node(child).is_named())?;
    Some(without_rest(document, list, first))
}

fn proposal(document: &Document, declaration: &Declaration, splices: Vec<Splice>) -> Proposal {
    let edit = Edit::new(splices);
    let places: Vec<u8> = edit
        .splices()
        .iter()
        .flat_map(|splice| document.bytes()[splice.range()].to_vec())
        .collect();
    Proposal {
        weight: u32::try_from(edit.splices().len())
            .unwrap_or(u32::MAX)
            .max(2),
        target: Some(declaration.declarer),
        signature: fingerprint(&[b"flatten", document.text(declaration.declarer), &places]),
        edit,
        ..Proposal::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::assert_offers;

    #[test]
    fn a_dimension_goes_from_the_declaration_and_all_uses() {
        for (language, text, wanted) in [
            (
                "c",
                "int a[2][3] = { { 1 } }; int f() { return a[0][1]; }",
                "int a[3] = { 1 }; int f() { return a[1]; }",
            ),
            (
                "c",
                "int *p; int f() { *p = 1; return p[0]; }",
                "int p; int f() { p = 1; return p; }",
            ),
        ] {
            assert_offers(language, text, wanted, flattenings);
        }
    }
}
