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
        let is_list = || document.has_role(id, Role::Parameters) && !holds_name(document, id);
        let is_wall = is_list() || is_body();
        let above = if id == 0 {
            0
        } else {
            counts[node.parent as usize]
        };
        counts.push(above + u32::from(is_wall));
    }
    counts
}

/// Whether a list of parameters is none: no function has two of them, so that the first is a name in parentheses.
fn holds_name(document: &Document, list: NodeId) -> bool {
    let mut named = document
        .children(list)
        .filter(|&child| document.node(child).is_named());
    if named.next().is_none() || named.next().is_some() {
        return false;
    }
    let head = document.node(list).parent;
    let around = document.node(head).parent;
    head > 0
        && document.field_name(head) == Some("declarator")
        && document.kind_name(head) == document.kind_name(around)
}
