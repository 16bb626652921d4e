//! Comments and other extras, each on its own.

use super::proposal::{Proposal, fingerprint, only};
use crate::syntax::{Document, Edit};

/// The removal of each extra of a document, with the blanks before it.
pub fn comments(document: &Document) -> Vec<Proposal> {
    (0u32..)
        .zip(document.nodes())
        .filter(|(_, node)| node.is_extra() && node.end > node.start)
        .map(|(id, node)| Proposal {
            edit: Edit::deletion(node.range()),
            weight: 1,
            takes: only(id..node.end_id),
            signature: fingerprint(&[b"comment", document.text(id)]),
            ..Proposal::default()
        })
        .collect()
}
