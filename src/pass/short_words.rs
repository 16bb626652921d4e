//! Short words: one letter in the place of a word, wherever it stands.
//!
//! Without a grammar nothing tells which words the text is free to choose. Where it is, one question takes what would be asked about
//! byte by byte, in each place again.

use super::{
    Context, mentions,
    proposal::{Proposal, fingerprint},
};
use crate::syntax::{Document, Edit, NodeId, Splice};
use std::collections::BTreeMap;

/// A word of fewer letters that stands in one place is left to the pass over bytes.
const SHORTEST_ALONE: usize = 3;

/// For each word the shortest one that is free, wherever it stands, in the order in which the words come first; none for a document
/// with a grammar, or for binary data. Cost: linear, and sorting the words.
pub fn short_words(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    if document.grammar().is_some() || document.bytes().contains(&0) {
        return Vec::new();
    }
    let words = words(document);
    let mut free = shortest().filter(|short| !words.contains_key(&short[..]));
    let mut long: Vec<(&&[u8], &Vec<NodeId>)> = words.iter().collect();
    long.retain(|(word, places)| word.len() >= SHORTEST_ALONE || places.len() > 1);
    long.sort_by_key(|(_, places)| places[0]);
    let mut short = free.next();
    let mut proposals = Vec::new();
    for (word, places) in long {
        let Some(shorter) = short.as_ref().filter(|short| short.len() < word.len()) else {
            continue;
        };
        let splices = places
            .iter()
            .map(|place| Splice::replacement(document.node(*place).range(), shorter));
        proposals.push(Proposal {
            edit: Edit::new(splices.collect()),
            weight: 1,
            signature: fingerprint(&[b"short word", word, &places.len().to_le_bytes()]),
            ..Proposal::default()
        });
        short = free.next();
    }
    proposals
}

/// The leaves in which each word stands.
pub(super) fn words(document: &Document) -> BTreeMap<&[u8], Vec<NodeId>> {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    mentions::places(document, |text| {
        text.first().is_some_and(u8::is_ascii_alphabetic) && text.iter().all(is_letter)
    })
}

/// Words of one letter, then of two.
fn shortest() -> impl Iterator<Item = Vec<u8>> {
    let letters = b'a'..=b'z';
    let two = letters
        .clone()
        .flat_map(|first| (b'a'..=b'z').map(move |second| vec![first, second]));
    letters.map(|letter| vec![letter]).chain(two)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::offered;

    #[test]
    fn a_letter_that_is_free_stands_for_a_word_wherever_that_stood() {
        let found = offered("none", "def name(a)\nname xy\n", short_words);
        let wanted = ["b name(a)\nname xy\n", "def c(a)\nc xy\n"];
        assert_eq!(found, wanted);
        assert!(offered("c", "int name;", short_words).is_empty());
    }
}
