//! Twins: units with the same text go together.
//!
//! Two rules that have to agree, two calls that have to be alike: neither can change alone, so both do in one edit.

use super::{
    Context,
    proposal::{Proposal, fingerprint},
    units::Unit,
};
use std::collections::BTreeMap;

/// Twins have so many tokens or more each: shorter ones are alike by chance.
const SHORTEST: u32 = 2;

/// The removal of all units of one kind and text, for each text that stands in two places or more.
pub fn twins(context: &Context) -> Vec<Proposal> {
    let (document, units) = (context.document(), context.units());
    let mut alike: BTreeMap<(&str, &[u8]), Vec<&Unit>> = BTreeMap::new();
    for unit in units {
        if document.node(unit.node).tokens >= SHORTEST {
            let key = (document.kind_name(unit.node), document.text(unit.node));
            alike.entry(key).or_default().push(unit);
        }
    }
    alike
        .into_iter()
        .filter(|(_, units)| units.len() > 1)
        .map(|((kind, text), units)| {
            let count = units.len().to_le_bytes();
            let signature = fingerprint(&[b"twins", kind.as_bytes(), text, &count]);
            Proposal::together(units.iter().map(|unit| &unit.proposal), signature)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::assert_offers;

    #[test]
    fn units_with_the_same_text_go_together() {
        let text = "int f() { g(1); h(); } int k() { g(1); }";
        assert_offers("c", text, "int f() {  h(); } int k() {  }", twins);
    }
}
