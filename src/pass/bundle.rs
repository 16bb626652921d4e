//! Bundles: a change together with all that cannot live without what it takes.
//!
//! Removing a declaration leaves its uses without meaning; a bundle removes the smallest unit around each use as well, and so on
//! for the declarations in those units. What only one part of a program needs then goes in one query.

use super::{
    names::Names,
    proposal::{Proposal, fingerprint},
    units::Unit,
};
use crate::syntax::{Document, NodeId};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// Which removable child each node lies in.
#[derive(Clone, Debug, Default)]
pub struct UnitMap {
    units: FxHashMap<NodeId, Vec<(NodeId, u32)>>,
}

impl UnitMap {
    /// The units of a document by their nodes.
    pub fn of(units: &[Unit]) -> Self {
        let has_drops = |unit: &&Unit| !unit.proposal.drops.is_empty();
        let units = units.iter().filter(has_drops);
        let places = units.map(|unit| (unit.node, unit.proposal.drops.clone()));
        Self {
            units: places.collect(),
        }
    }

    /// The smallest unit around a node, the node itself included.
    pub fn around(&self, document: &Document, node: NodeId) -> Option<NodeId> {
        let mut at = node;
        while at != 0 {
            if self.units.contains_key(&at) {
                return Some(at);
            }
            at = document.node(at).parent;
        }
        None
    }

    /// How to drop a unit: its parent, and its place there; with what stands before it and belongs to it.
    pub fn drops_of(&self, unit: NodeId) -> Option<&[(NodeId, u32)]> {
        self.units.get(&unit).map(Vec::as_slice)
    }
}

/// The bundle around a change; `None` when nothing has to go with it or something that has to go cannot.
pub fn bundle(
    document: &Document,
    names: &Names,
    units: &UnitMap,
    change: &Proposal,
) -> Option<Proposal> {
    let mut gone = FixedBitSet::with_capacity(document.nodes().len());
    let mut bundle = change.clone();
    let mut open = change.takes.clone();
    for range in &open {
        gone.insert_range(range.start as usize..range.end as usize);
    }
    while let Some(range) = open.pop() {
        for declaration in names.declared_in(&range) {
            if names.has_other_declaration(declaration, &gone) {
                continue;
            }
            for leaf in names.dependents_of(declaration) {
                if gone.contains(leaf as usize) {
                    continue;
                }
                let unit = units.around(document, leaf)?;
                bundle.drops.extend(units.drops_of(unit)?);
                let taken = unit..document.node(unit).end_id;
                gone.insert_range(taken.start as usize..taken.end as usize);
                bundle.weight += document.node(unit).tokens;
                bundle.takes.push(taken.clone());
                open.push(taken);
            }
        }
    }
    if bundle.drops.len() == change.drops.len() {
        return None;
    }
    bundle.declares.clear();
    let extra: Vec<u8> = bundle
        .drops
        .iter()
        .flat_map(|&(parent, _)| document.kind_name(parent).bytes())
        .collect();
    bundle.signature = fingerprint(&[
        b"bundle",
        &change.signature.to_le_bytes(),
        &extra,
        &bundle.weight.to_le_bytes(),
    ]);
    Some(bundle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::offered;

    #[test]
    fn what_needs_the_gone_goes_too() {
        let text = "int a; int b = a; int f() { g(); h(b); }";
        let found = offered("c", text, |sample| {
            let (document, names) = (sample.document(), sample.names());
            let units = sample.units();
            let changes = units.iter().map(|unit| &unit.proposal);
            let bundles =
                changes.filter_map(|change| bundle(document, names, sample.unit_map(), change));
            bundles.collect()
        });
        assert_eq!(
            found,
            [" int f() { g(); h(); }", "int a;  int f() { g(); h(); }"]
        );
    }
}
