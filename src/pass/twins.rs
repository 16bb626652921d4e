//! Twins: units with the same text go together.
//!
//! Two rules that have to agree, two calls that have to be alike: neither can change alone, so both do in one edit.

use super::{
    Context,
    proposal::{Proposal, fingerprint},
    units::Unit,
};
use crate::syntax::{Document, NodeId};
use std::collections::BTreeMap;

/// Twins have so many tokens or more each: shorter ones are alike by chance, unless they are words of the language, on which
/// a declaration and a definition often have to agree.
const SHORTEST: u32 = 2;

/// The removal of all units of one kind and text, for each text that stands in two places or more.
pub fn twins(context: &Context) -> Vec<Proposal> {
    let (document, units) = (context.document(), context.units());
    let mut alike: BTreeMap<(&str, &[u8]), Vec<&Unit>> = BTreeMap::new();
    for unit in units {
        if document.node(unit.node).tokens >= SHORTEST || is_word_of_language(document, unit.node) {
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

/// Whether a unit is a single word that the grammar knows, as `static`.
fn is_word_of_language(document: &Document, node: NodeId) -> bool {
    let leaf = document.node(node).end_id - 1;
    let is_word = document.text(leaf).iter().all(u8::is_ascii_alphabetic);
    document.node(node).tokens == 1 && is_word && !document.node(leaf).is_named()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{assert_offers, offered};

    #[test]
    fn units_with_the_same_text_go_together() {
        let text = "int f() { g(1); h(); } int k() { g(1); }";
        assert_offers("c", text, "int f() {  h(); } int k() {  }", twins);
    }

    #[test]
    fn words_of_the_language_go_wherever_they_stand_and_other_short_units_do_not() {
        let text = "static int f(a); static int f(a) { ; ; }";
        assert_offers("c", text, " int f(a);  int f(a) { ; ; }", twins);
        assert_eq!(offered("c", text, twins).len(), 1);
    }
}
