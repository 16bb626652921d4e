//! The elements of a list, and where they stand in it.

use crate::syntax::{Document, NodeId};

/// A list, a place in its row, and the child there.
pub(super) type Place = (NodeId, u32, NodeId);

/// The named children of a list: its node, the place in its row, the child.
pub(super) fn elements(document: &Document, list: NodeId) -> Vec<Place> {
    (0u32..)
        .zip(document.row(list))
        .filter(|&(_, child)| document.node(child).is_named())
        .map(|(place, child)| (list, place, child))
        .collect()
}

/// The named children of a list.
pub(super) fn elements_of(document: &Document, list: NodeId) -> Vec<NodeId> {
    elements(document, list)
        .into_iter()
        .map(|(.., child)| child)
        .collect()
}

/// The named children of a list with their places in its row.
pub(super) fn places_of(document: &Document, list: NodeId) -> Vec<(u32, NodeId)> {
    elements(document, list)
        .into_iter()
        .map(|(_, place, child)| (place, child))
        .collect()
}
