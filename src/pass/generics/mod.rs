//! Parameters of what is generic: each goes from its list, with what is given for it wherever that is named.
//!
//! A template holds what it is used with by its parameters alone, and none of them goes without its arguments. Where a parameter was
//! named there is what was given for it, if that is the same everywhere, or else what the language says stands for any argument
//! (`any_type`, `any_value` in its `language.toml`). What is declared for some arguments only, or outside of what it belongs to, loses the
//! parameters that only the lost argument has told.

mod changes;
mod cut;
mod facts;
mod special;

use super::{Context, Proposal};
use cut::Cut;
pub(super) use facts::name_of_parameter;
use facts::{Generics, Group};
use std::cmp::Reverse;

/// How many are asked about between the cuts of a large document.
const LAST: usize = 8;

/// Each parameter of each name that is generic, and all of them: with what is given for it in its place, if something is, and with
/// what stands for any argument. Cost: linear in the document, and for each parameter in what is
/// generic by it and in the uses of that.
pub(super) fn parameters(context: &Context) -> Vec<Proposal> {
    let generics = Generics::of(context.document());
    let mut proposals: Vec<Proposal> = Vec::new();
    for group in generics.groups() {
        let count = group.places(context.document());
        let given = (0..count).map(|place| group.given(&generics, place));
        let given: Vec<Option<&[u8]>> = given.collect();
        let unknown = vec![None; count];
        let each = (0..count).map(|place| place..place + 1);
        let all = (count > 1).then_some(0..count);
        for places in all.into_iter().chain(each) {
            let of = |given: &[Option<_>]| {
                let given = given[places.clone()].to_vec();
                Cut::new(&generics, group, places.clone(), given).proposal()
            };
            let is_known = given[places.clone()].iter().any(Option::is_some);
            let with_given = is_known.then(|| of(&given)).flatten();
            let others = of(&unknown).filter(|others| {
                let is_same = |it: &Proposal| it.edit == others.edit && it.drops == others.drops;
                !with_given.as_ref().is_some_and(is_same)
            });
            proposals.extend(with_given.into_iter().chain(others));
        }
        let last = count.checked_sub(1);
        proposals.extend(last.and_then(|last| without_pack(&generics, group, last)));
    }
    proposals
}

/// The pack at a place goes, and what was repeated for it is for the parameter before it. In `f<A, B>...` with a pack `B` only what
/// else is named there can be repeated in its place; without that the whole goes. Nothing where something is declared for some
/// arguments only, or outside of what it belongs to.
fn without_pack(generics: &Generics, group: &Group, place: usize) -> Option<Proposal> {
    let before = place.checked_sub(1)?;
    if !group.has_pack_at(generics.document, place) || group.is_headed(generics) {
        return None;
    }
    let cut = Cut::new(generics, group, place..place + 1, vec![None]);
    cut.repeating(before).proposal()
}

/// Each specialisation in the place of what it specialises. Cost: linear in the document, and for each specialisation in the uses
/// of its name.
pub(super) fn specialisations(context: &Context) -> Vec<Proposal> {
    let generics = Generics::of(context.document());
    let groups = generics.groups().iter();
    groups
        .flat_map(|group| special::specialisations(&generics, group))
        .collect()
}

/// The last of them, the last one first: what is declared late uses the rest.
pub(super) fn last_parameters(context: &Context) -> Vec<Proposal> {
    let mut proposals = parameters(context);
    let document = context.document();
    let first = |proposal: &Proposal| {
        let taken = proposal.takes.iter();
        let taken = taken.map(|nodes| document.node(nodes.start).range().start);
        taken.chain(proposal.edit.start()).min()
    };
    proposals.sort_by_key(|proposal| Reverse(first(proposal)));
    proposals.truncate(LAST);
    proposals
}

#[cfg(test)]
mod tests;
