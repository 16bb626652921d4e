//! What nobody looks into from outside: what is declared there is known there only.

use crate::syntax::{Document, NodeId, Role};

/// Whether a leaf lies in nothing that nobody looks into from outside. `walls`: of [`walls_above`].
pub(super) fn is_open(document: &Document, walls: &[u32], leaf: NodeId) -> bool {
    walls[document.node(leaf).parent as usize] == 0
}

/// By node: in how much it lies, itself included, that nobody looks into from outside: lists of parameters, and bodies of what is
/// more than a name for what is in it.
pub(super) fn walls_above(document: &Document) -> Vec<u32> {
    let mut counts: Vec<u32> = Vec::with_capacity(document.nodes().len());
    for (id, node) in (0..).zip(document.nodes()) {
        let is_body = || {
            document.field_name(id) == Some("body")
                && !document.has_role(node.parent, Role::Namespaces)
        };
        let is_wall = document.has_role(id, Role::Parameters) || is_body();
        let above = if id == 0 {
            0
        } else {
            counts[node.parent as usize]
        };
        counts.push(above + u32::from(is_wall));
    }
    counts
}
