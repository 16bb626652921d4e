//! Compounds: a name of several words keeps one of them, wherever it stands.
//!
//! `slide-in` becomes `slide` in the rule that it names and in the value that names the rule. In CSS and XML a name can be of
//! several tokens; in most languages there are none of these.

use super::{
    Context,
    proposal::{Proposal, fingerprint},
};
use crate::syntax::{Document, Edit, NodeId, Splice};

/// Every name of several words as the first of them and as the last.
pub fn compounds(context: &Context) -> Vec<Proposal> {
    let (document, names) = (context.document(), context.names());
    let mut proposals = Vec::new();
    for (number, text) in names.texts.iter().enumerate() {
        if document.lexis().count(text) < 2 || text.contains(&b':') {
            // A prefix goes from all names together.
            continue;
        }
        let declarations = names.declarations.iter();
        let declared = declarations.filter(|declaration| declaration.name as usize == number);
        let leaves: Vec<NodeId> = declared
            .map(|declaration| declaration.leaf)
            .chain(names.uses[number].iter().copied())
            .collect();
        let is_gap = |byte: &u8| byte.is_ascii_punctuation() && *byte != b'_';
        let mut words = text.split(is_gap).filter(|word| !word.is_empty());
        let ends = [words.next(), words.next_back()];
        proposals.extend(
            ends.into_iter()
                .flatten()
                .map(|word| shortened(document, &leaves, text, word)),
        );
    }
    proposals
}

fn shortened(document: &Document, leaves: &[NodeId], old: &[u8], new: &[u8]) -> Proposal {
    let splices = leaves
        .iter()
        .map(|&leaf| Splice::replacement(document.node(leaf).range(), new));
    let lexis = document.lexis();
    let saved = leaves.len() * lexis.count(old).saturating_sub(lexis.count(new));
    Proposal {
        edit: Edit::new(splices.collect()),
        weight: u32::try_from(saved.max(1)).unwrap_or(u32::MAX),
        target: leaves.first().copied(),
        signature: fingerprint(&[b"compound", old, new, &leaves.len().to_le_bytes()]),
        ..Proposal::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{assert_offers, offered};

    #[test]
    fn a_name_of_several_words_keeps_one_of_them_in_all_places() {
        let text = "@keyframes slide-far-in {} a { animation-name: slide-far-in }";
        for wanted in [
            "@keyframes slide {} a { animation-name: slide }",
            "@keyframes in {} a { animation-name: in }",
        ] {
            assert_offers("css", text, wanted, compounds);
        }
    }

    #[test]
    fn a_name_of_one_word_is_left_alone() {
        let found = offered("c", "int slide_in = slide_in;", compounds);
        assert!(found.is_empty());
    }
}
