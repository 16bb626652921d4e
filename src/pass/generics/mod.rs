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
use facts::{Generics, Group};
use std::{cmp::Reverse, ops::Range};

/// How many are asked about between the cuts of a large document.
const LAST: usize = 8;

/// Each parameter of each name that is generic, and all of them. Cost: linear in the document, and for each parameter in what is
/// generic by it and in the uses of that.
pub(super) fn parameters(context: &Context) -> Vec<Proposal> {
    let generics = Generics::of(context.document());
    let mut proposals: Vec<Proposal> = Vec::new();
    for group in generics.groups() {
        let count = group.places(context.document());
        let each = (0..count).map(|place| place..place + 1);
        let all = (count > 1).then_some(0..count);
        for places in all.into_iter().chain(each) {
            let with_given = of_some(&generics, group, places.clone(), true);
            let others = of_some(&generics, group, places, false).filter(|others| {
                let is_same = |it: &Proposal| it.edit == others.edit && it.drops == others.drops;
                !with_given.as_ref().is_some_and(is_same)
            });
            proposals.extend(with_given.into_iter().chain(others));
        }
    }
    proposals
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
    let first = |proposal: &Proposal| proposal.takes.iter().map(|nodes| nodes.start).min();
    proposals.sort_by_key(|proposal| Reverse(first(proposal)));
    proposals.truncate(LAST);
    proposals
}

/// Some parameters with what is given for them; in their place is that, where it is the same everywhere, or what stands for any
/// argument. Nothing of the first kind where nothing is given.
fn of_some(
    generics: &Generics,
    group: &Group,
    places: Range<usize>,
    with_given: bool,
) -> Option<Proposal> {
    let given = |place| group.given(generics, place).filter(|_| with_given);
    let given: Vec<Option<&[u8]>> = places.clone().map(given).collect();
    let is_known = given.iter().any(Option::is_some);
    let cut = (is_known || !with_given).then(|| Cut::new(generics, group, places, given));
    cut?.proposal()
}

#[cfg(test)]
mod tests;
