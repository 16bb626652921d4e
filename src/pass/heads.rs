//! Heads: what must be known for a declaration to be meant, where several share its name or it has none.
//!
//! An overload is called with values of the types of its parameters, a specialisation is looked for by its arguments, and a member
//! that is defined apart belongs to something. Which nodes these are says the language's `locals.scm` (`@local.head`). Only types
//! that stand there as they are count: what is calculated from others (an alias of a template, `decltype`) is known without them.

use super::{Context, names::Names};
use crate::syntax::{Document, NodeId, Role};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

/// The leaves that name a type in those heads that `is_wanted`. Cost: linear in the heads.
pub fn types_in(context: &Context, is_wanted: impl Fn(NodeId) -> bool) -> FixedBitSet {
    let (document, names) = (context.document(), context.names());
    let types = types(names);
    let mut found = FixedBitSet::with_capacity(document.nodes().len());
    for &head in names.heads.iter().filter(|&&head| is_wanted(head)) {
        let mut at = head;
        while at < document.node(head).end_id {
            let is_apart =
                names.is_calculation(at) || at != head && is_of_other(document, &types, at);
            if !is_apart && document.is_leaf(at) && types.contains(document.text(at)) {
                found.insert(at as usize);
            }
            at = if is_apart {
                document.node(at).end_id
            } else {
                at + 1
            };
        }
    }
    found
}

/// The names of types.
fn types(names: &Names) -> FxHashSet<&[u8]> {
    let types = names.declarations.iter().filter(|it| it.is_type);
    types.map(|it| &*names.texts[it.name as usize]).collect()
}

/// Whether a node holds the arguments of what is no type of its own.
fn is_of_other(document: &Document, types: &FxHashSet<&[u8]>, node: NodeId) -> bool {
    let name = || document.child_in_field(document.node(node).parent, "name");
    document.has_role(node, Role::Arguments)
        && name().is_some_and(|name| !types.contains(document.text(name)))
}
