//! Minimal replacements: the least that the grammar takes in a node's place.

use super::proposal::{Proposal, fingerprint, row, siblings};
use crate::syntax::{Document, Edit};

/// The replacement of each named node by its least filler, where that saves something and the node cannot just go.
pub fn replacements(document: &Document) -> Vec<Proposal> {
    let mut proposals = Vec::new();
    for (parent, _) in (0..).zip(document.nodes()) {
        if document.is_leaf(parent) {
            continue;
        }
        let row = row(document, parent);
        let Some(siblings) = siblings(document, parent, &row) else {
            return proposals;
        };
        for (place, &node) in row.iter().enumerate() {
            if !document.node(node).is_named() || !siblings.is_accepted() {
                continue;
            }
            let Some(text) = siblings
                .nameless_filler(place..place + 1)
                .filter(|text| !text.is_empty())
            else {
                continue;
            };
            let tokens = u32::try_from(crate::syntax::count_tokens(&text)).unwrap_or(u32::MAX);
            let had = document.node(node).tokens;
            let shorter = text.len() < document.text(node).len();
            if tokens < had || (tokens == had && shorter) {
                proposals.push(Proposal {
                    edit: Edit::replacement(document.node(node).range(), &text),
                    weight: (had - tokens).max(1),
                    takes: vec![node..document.node(node).end_id],
                    target: Some(node),
                    signature: fingerprint(&[b"least", document.text(node), &text]),
                    ..Proposal::default()
                });
            }
        }
    }
    proposals
}
