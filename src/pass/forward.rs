//! Forward declarations: a definition takes the place of the declaration before it.
//!
//! `int f(); int g() { f(); } int f() {}` becomes `int f() {} int g() { f(); }`.

use super::{
    Context,
    bundle::UnitMap,
    names::Declaration,
    proposal::{Proposal, fingerprint, has_body, only, surroundings},
};
use crate::syntax::{Document, Edit};

/// Every definition that can take the place of an earlier declaration of the same name.
pub fn definitions(context: &Context) -> Vec<Proposal> {
    let (document, names, units) = (context.document(), context.names(), context.unit_map());
    let mut proposals = Vec::new();
    for (index, definition) in names.declarations.iter().enumerate() {
        if !has_body(document, definition.declarer) {
            continue;
        }
        let earlier = names.declarations[..index].iter().find(|earlier| {
            earlier.name == definition.name
                && earlier.scope == definition.scope
                && !has_body(document, earlier.declarer)
        });
        proposals.extend(earlier.and_then(|earlier| moved(document, units, earlier, definition)));
    }
    proposals
}

fn moved(
    document: &Document,
    units: &UnitMap,
    earlier: &Declaration,
    definition: &Declaration,
) -> Option<Proposal> {
    let here = units.around(document, earlier.declarer)?;
    let there = units.around(document, definition.declarer)?;
    if (here..document.node(here).end_id).contains(&there) {
        return None;
    }
    let (siblings, place) = surroundings(document, here)?;
    siblings
        .can_stand(place, document.shape(there))
        .then_some(())?;
    Some(Proposal {
        drops: units.drops_of(there)?.to_vec(),
        edit: Edit::replacement(document.node(here).range(), document.text(there)),
        weight: document.node(here).tokens,
        takes: only(there..document.node(there).end_id),
        target: Some(here),
        signature: fingerprint(&[b"forward", document.text(here), document.text(there)]),
        ..Proposal::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::offered;

    #[test]
    fn a_definition_takes_the_place_of_its_declaration() {
        let text = "int f(); int g() { f(); } int f() { }";
        let found = offered("c", text, definitions);
        assert_eq!(found, ["int f() { } int g() { f(); } "]);
    }
}
