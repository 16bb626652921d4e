//! A change together with the declarations that nothing uses behind it.
//!
//! In most languages a declaration without uses does no harm and goes later. In some it cannot stay: the type of a local variable
//! is inferred from its uses, or an unused one is an error. The change is refused then, although nothing of it is needed.

use super::{
    Context, Proposal, combined, hoist,
    proposal::{fingerprint, only},
    rewrite,
};
use crate::syntax::{Document, NodeId, Role};
use fixedbitset::FixedBitSet;
use std::ops::Range;

/// A unit that declares names and cannot stay without uses of them.
struct Held {
    nodes: Range<NodeId>,
    drops: Vec<(NodeId, u32)>,
    weight: u32,
    uses: Vec<NodeId>,
}

/// The removals, hoists and rewrites that take the last uses of something, each with that.
pub fn with_unused(context: &Context) -> Vec<Proposal> {
    let held = held(context);
    if held.is_empty() {
        return Vec::new();
    }
    let changes = [
        combined::removals(context),
        hoist::hoists(context),
        rewrite::first_in_rounds(context),
        rewrite::in_rounds(context),
    ];
    let changes = changes.iter().flatten();
    let all = changes.filter_map(|change| extended(context.document(), &held, change));
    all.collect()
}

/// The units that a language says are held by their uses, in document order.
fn held(context: &Context) -> Vec<Held> {
    let (document, names) = (context.document(), context.names());
    let units = context.units().iter();
    let units = units.filter(|unit| document.has_role(unit.node, Role::HeldByUses));
    let held = units.filter_map(|unit| {
        let nodes = unit.node..document.node(unit.node).end_id;
        let declared = names.declared_in(&nodes).iter();
        let declared = declared.filter(|declaration| declaration.scope.start < unit.node);
        let uses = declared.flat_map(|declaration| names.uses_in_scope(declaration));
        let uses: Vec<NodeId> = uses.copied().filter(|leaf| !nodes.contains(leaf)).collect();
        (!uses.is_empty()).then(|| Held {
            nodes,
            drops: unit.proposal.drops.clone(),
            weight: unit.proposal.weight,
            uses,
        })
    });
    held.collect()
}

/// A change with all that is held only by what it takes; `None` if that is nothing.
fn extended(document: &Document, held: &[Held], change: &Proposal) -> Option<Proposal> {
    let mut gone = FixedBitSet::with_capacity(document.nodes().len());
    let mut extended = change.clone();
    for range in &change.takes {
        gone.insert_range(range.start as usize..range.end as usize);
    }
    let is_free = |held: &&Held, gone: &FixedBitSet| {
        let mut uses = held.uses.iter();
        !gone.contains(held.nodes.start as usize) && uses.all(|&leaf| gone.contains(leaf as usize))
    };
    while let Some(free) = held.iter().find(|held| is_free(held, &gone)) {
        gone.insert_range(free.nodes.start as usize..free.nodes.end as usize);
        extended.drops.extend_from_slice(&free.drops);
        extended.takes.extend(only(free.nodes.clone()));
        extended.weight += free.weight;
    }
    let parts: [&[u8]; 3] = [
        b"unused",
        &change.signature.to_le_bytes(),
        &extended.weight.to_le_bytes(),
    ];
    extended.signature = fingerprint(&parts);
    (extended.weight > change.weight).then_some(extended)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::assert_offers;

    #[test]
    fn what_only_the_gone_uses_goes_too() {
        assert_offers(
            "rust",
            "fn f() -> usize { let mut a = Vec::new(); let b = 1; a.push(b); g(); a.len() }",
            "fn f() -> usize { let mut a = Vec::new();  g(); a.len() }",
            with_unused,
        );
    }

    #[test]
    fn most_languages_let_the_unused_stay() {
        let context = crate::pass::testing::sample("c", "int f() { int a; a = 1; }");
        assert!(with_unused(&context).is_empty());
    }
}
