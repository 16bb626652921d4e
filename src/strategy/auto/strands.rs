//! Changes that leave a name without its declaration.
//!
//! Where names are resolved before anything runs, nothing is left of what the check looks for once a use means nothing. Elsewhere
//! it may do no harm, as in a branch that is never taken. Which it is says the check: a few refusals of such changes let the rest of
//! them wait.

use crate::{
    pass::{
        Context, Proposal,
        names::{Manner, Names},
    },
    syntax::{Document, NodeId},
};
use fixedbitset::FixedBitSet;

/// This part of the document is much.
const HEAVY: u32 = 16;

/// Which of the proposals take a declaration and leave uses of it. Those that say themselves what they declare wait for the uses
/// anyway.
pub(super) fn of(context: &Context, proposals: &[Proposal]) -> FixedBitSet {
    let (document, names) = (context.document(), context.names());
    let mut strands = FixedBitSet::with_capacity(proposals.len());
    for (index, proposal) in proposals.iter().enumerate() {
        if proposal.declares.is_empty() && leaves_uses(document, names, proposal) {
            strands.insert(index);
        }
    }
    strands
}

/// Whether a change of this weight waits until the uses of what it takes the declaration of are gone. The uses of a member may mean
/// another one, of a type that nobody told us; so what weighs much does not wait for them.
pub(super) fn waits(context: &Context, declaration: u32, gone: &FixedBitSet, weight: u32) -> bool {
    let names = context.names();
    let is_member = names.declarations[declaration as usize].manner == Manner::Member;
    let is_heavy = weight >= context.document().node(0).tokens / HEAVY;
    let is_vague = names.has_namesakes(declaration) || (is_member && is_heavy);
    !is_vague && names.is_used(declaration, gone)
}

fn leaves_uses(document: &Document, names: &Names, proposal: &Proposal) -> bool {
    let mut gone = proposal.takes.clone();
    let mut written: Vec<&[u8]> = Vec::new();
    for splice in proposal.edit.splices() {
        gone.push(document.nodes_in(splice.range()));
        written.push(&splice.text);
    }
    let is_gone = |leaf: NodeId| gone.iter().any(|nodes| nodes.contains(&leaf));
    let mut declared = gone.iter().flat_map(|nodes| names.declared_in(nodes));
    declared.any(|declaration| {
        let name = &*names.texts[declaration.name as usize];
        let is_written = written.iter().any(|text| holds(text, name));
        let has_other = |leaf: NodeId| {
            names.declarations.iter().any(|other| {
                other.name == declaration.name
                    && other.leaf != declaration.leaf
                    && other.scope.contains(&leaf)
                    && !is_gone(other.leaf)
            })
        };
        let mut uses = names.uses_in_scope(declaration).iter();
        let left = uses.find(|&&leaf| !is_gone(leaf));
        !is_written && left.is_some_and(|&leaf| !has_other(leaf))
    })
}

fn holds(text: &[u8], name: &[u8]) -> bool {
    text.windows(name.len().max(1)).any(|window| window == name)
}
