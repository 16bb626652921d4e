//! Minimal replacements: the least that the grammar takes in a node's place.

use super::proposal::{Proposal, fingerprint, only, row, siblings};
use crate::{
    grammar::Siblings,
    syntax::{Document, Edit, NodeId, count_tokens},
};

/// How many other texts are tried in one place.
const MOST_ALTERNATIVES: usize = 3;

/// The replacement of each named node by its least filler, where that saves something and the node cannot just go.
pub fn replacements(document: &Document) -> Vec<Proposal> {
    let mut proposals = Vec::new();
    for_each_place(document, |siblings, place, node| {
        let text = siblings
            .nameless_filler(place..place + 1)
            .filter(|text| !text.is_empty());
        proposals.extend(text.and_then(|text| replacement(document, node, &text)));
    });
    proposals
}

/// The replacement of each larger node by the least texts of other kinds than the cheapest: `return;` where `;` did not do.
pub fn alternatives(document: &Document) -> Vec<Proposal> {
    let mut proposals = Vec::new();
    for_each_place(document, |siblings, place, node| {
        let cheapest = siblings.nameless_filler(place..place + 1);
        let others = siblings
            .alternatives(place)
            .into_iter()
            .filter(|text| cheapest.as_deref() != Some(&***text));
        let smaller = others.filter_map(|text| {
            replacement(document, node, text).filter(|proposal| proposal.weight > 1)
        });
        proposals.extend(smaller.take(MOST_ALTERNATIVES));
    });
    proposals
}

fn for_each_place(document: &Document, mut each: impl FnMut(&Siblings, usize, NodeId)) {
    for (parent, _) in (0..).zip(document.nodes()) {
        if document.is_leaf(parent) {
            continue;
        }
        let row = row(document, parent);
        let Some(siblings) = siblings(document, parent, &row).filter(Siblings::is_accepted) else {
            continue;
        };
        for (place, &node) in row
            .iter()
            .enumerate()
            .filter(|(_, node)| document.node(**node).is_named())
        {
            each(&siblings, place, node);
        }
    }
}

/// A text in the place of a node, where that saves tokens or, with as many, bytes.
fn replacement(document: &Document, node: NodeId, text: &[u8]) -> Option<Proposal> {
    let tokens = u32::try_from(count_tokens(text)).unwrap_or(u32::MAX);
    let had = document.node(node).tokens;
    let smaller = tokens < had || (tokens == had && text.len() < document.text(node).len());
    smaller.then(|| Proposal {
        edit: Edit::replacement(document.node(node).range(), text),
        weight: (had - tokens).max(1),
        takes: only(node..document.node(node).end_id),
        target: Some(node),
        signature: fingerprint(&[b"least", document.text(node), text]),
        ..Proposal::default()
    })
}
