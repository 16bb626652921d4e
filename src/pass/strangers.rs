//! Strangers: a name that nothing declares gives way, wherever it stands, to a word that needs no declaration.
//!
//! In JavaScript an unknown name ends the program when it is read, so that a part of a function that never ran cannot move to
//! where it would. `this` has a value everywhere.

use super::{
    names::Names,
    proposal::{Proposal, fingerprint},
};
use crate::syntax::{Document, Edit, NodeId, Splice};

/// For each name without a declaration: all its uses as the word that the language has for it, where that is shorter.
pub fn replacements(document: &Document, names: &Names) -> Vec<Proposal> {
    let Some(language) = document.language() else {
        return Vec::new();
    };
    let facts = language.facts();
    let (Some(word), Some(kind)) = (&facts.stand_in, facts.identifiers.first()) else {
        return Vec::new();
    };
    let declared = |name: usize| {
        let declarations = names.declarations.iter();
        declarations
            .clone()
            .any(|other| other.name as usize == name)
    };
    let mut proposals = Vec::new();
    for (name, text) in names.texts.iter().enumerate() {
        let known = facts.known.iter().any(|known| known.as_bytes() == &**text);
        if text.len() <= word.len() || known || declared(name) {
            continue;
        }
        let leaves: Vec<NodeId> = names.uses[name]
            .iter()
            .copied()
            .filter(|&leaf| document.kind_name(leaf) == kind)
            .collect();
        if !leaves.is_empty() {
            proposals.push(replacement(document, &leaves, text, word));
        }
    }
    proposals
}

fn replacement(document: &Document, leaves: &[NodeId], text: &[u8], word: &str) -> Proposal {
    let splices = leaves
        .iter()
        .map(|&leaf| Splice::replacement(document.node(leaf).range(), word.as_bytes()));
    Proposal {
        edit: Edit::new(splices.collect()),
        weight: 1,
        signature: fingerprint(&[b"stranger", text, &leaves.len().to_le_bytes()]),
        ..Proposal::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::offered;

    #[test]
    fn only_what_nothing_declares_or_knows_gives_way() {
        let text = "function f(first) { return others.name | others & first | console }";
        let found = offered("javascript", text, |sample| {
            replacements(&sample.document, &sample.names)
        });
        assert_eq!(
            found,
            ["function f(first) { return this.name | this & first | console }"]
        );
        let c = offered("c", "int f() { return others; }", |sample| {
            replacements(&sample.document, &sample.names)
        });
        assert!(c.is_empty(), "{c:?}");
    }
}
