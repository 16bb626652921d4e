//! What of a part others can name, and how a use says where its declaration stands.

use super::names::{Declaration, Names};
use crate::syntax::{Document, NodeId};

/// Whether a declaration is known outside of the part that begins at `start` by its name alone: it does not stand in a body there,
/// unless it is a value of an enumeration, a member by whose name the part is used, or no member at all. `walls`: by node, how many it
/// lies in.
pub(super) fn is_exported(
    (document, names): (&Document, &Names),
    walls: &[u32],
    start: NodeId,
    declaration: &Declaration,
) -> bool {
    let around = |node: NodeId| walls[document.node(node).parent as usize];
    let is_value = document.kind_name(declaration.declarer).contains("enum");
    let is_open = is_value
        || names.is_used_through(declaration.leaf)
        || names.is_beside(declaration.declarer);
    let own = around(start) + u32::from(is_open);
    declaration.scope.start < start && around(declaration.leaf) <= own
}

/// Whether a name is that of a member of what stands before it. Several dots mean something else: a range, or all that is in a list.
pub(super) fn is_behind_dot(document: &Document, leaf: NodeId) -> bool {
    let before = &document.bytes()[..document.node(leaf).range().start];
    before.ends_with(b".") && !before.ends_with(b"..") || before.ends_with(b"->")
}
