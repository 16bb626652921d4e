//! A change together with the declarations that nothing uses behind it.
//!
//! In most languages a declaration without uses does no harm and goes later. In some it cannot stay: the type of a local variable
//! is inferred from its uses, or an unused one is an error. The change is refused then, although nothing of it is needed.

use super::{
    Context, Proposal, combined, hoist,
    names::Declaration,
    proposal::{fingerprint, only},
    rewrite,
};
use crate::syntax::{Document, Edit, NodeId, Role, Splice};
use fixedbitset::FixedBitSet;
use std::ops::Range;

/// A unit that declares names and cannot stay without uses of them.
struct Held {
    nodes: Range<NodeId>,
    drops: Vec<(NodeId, u32)>,
    weight: u32,
    names: Vec<Name>,
}

/// A name that a unit declares.
struct Name {
    leaf: NodeId,
    /// Outside of that unit, and not empty.
    uses: Vec<NodeId>,
}

impl Name {
    fn is_free(&self, gone: &FixedBitSet) -> bool {
        self.uses.iter().all(|&leaf| gone.contains(leaf as usize))
    }
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
        let name = |declaration: &Declaration| {
            let uses = names.uses_in_scope(declaration).iter().copied();
            Name {
                leaf: declaration.leaf,
                uses: uses.filter(|leaf| !nodes.contains(leaf)).collect(),
            }
        };
        let names = declared.map(name).filter(|name| !name.uses.is_empty());
        let names: Vec<Name> = names.collect();
        (!names.is_empty()).then(|| Held {
            nodes,
            drops: unit.proposal.drops.clone(),
            weight: unit.proposal.weight,
            names,
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
    let stays = |held: &&Held, gone: &FixedBitSet| !gone.contains(held.nodes.start as usize);
    let is_free = |held: &&Held, gone: &FixedBitSet| {
        stays(held, gone) && held.names.iter().all(|name| name.is_free(gone))
    };
    while let Some(free) = held.iter().find(|held| is_free(held, &gone)) {
        gone.insert_range(free.nodes.start as usize..free.nodes.end as usize);
        extended.drops.extend_from_slice(&free.drops);
        extended.takes.extend(only(free.nodes.clone()));
        extended.weight += free.weight;
    }
    let partly = held.iter().filter(|held| stays(held, &gone));
    let names = partly.flat_map(|held| &held.names);
    let blanks = blanks(document, names.filter(|name| name.is_free(&gone)));
    let parts: [&[u8]; 4] = [
        b"unused",
        &change.signature.to_le_bytes(),
        &extended.weight.to_le_bytes(),
        &blanks.len().to_le_bytes(),
    ];
    extended.signature = fingerprint(&parts);
    let has_more = extended.weight > change.weight || !blanks.is_empty();
    extended.edit = Edit::new([extended.edit.splices(), &blanks].concat());
    has_more.then_some(extended)
}

/// What the language says stands for names that nothing uses, in their places; nothing if it does not.
fn blanks<'n>(document: &Document, unused: impl Iterator<Item = &'n Name>) -> Vec<Splice> {
    let language = document.language();
    let blank = language.map_or("", |language| &language.facts().blank);
    if blank.is_empty() {
        return Vec::new();
    }
    let splice = |name: &Name| {
        let place = document.node(name.leaf).range();
        Splice::replacement(place, blank.as_bytes())
    };
    unused.map(splice).collect()
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
    fn a_name_beside_others_becomes_a_blank() {
        assert_offers(
            "go",
            "func f() { a, b := g(); h(a); h(b) }",
            "func f() { _, b := g();  h(b) }",
            with_unused,
        );
    }

    #[test]
    fn most_languages_let_the_unused_stay() {
        let context = crate::pass::testing::sample("c", "int f() { int a; a = 1; }");
        assert!(with_unused(&context).is_empty());
    }
}
