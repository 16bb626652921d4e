//! One word for another wherever it stands: Vulcan's identifier replacement, without regard to what declares it.
//!
//! The result is as large as before, but two declarations may have become one, and a name that was needed in two places is needed
//! in one.

use super::{
    Context,
    proposal::{Proposal, fingerprint},
};
use crate::syntax::{Document, Edit, NodeId, Splice};
use std::collections::BTreeMap;

/// A document of more words has better things to be asked about.
const MOST_WORDS: usize = 60;

/// Every word as every other one of its kind, and as what the language has for an expression.
pub fn words(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let words = leaves_by_word(document);
    if words.len() > MOST_WORDS {
        return Vec::new();
    }
    let facts = document.language().map(|language| language.facts());
    let values = facts.map_or(&[][..], |facts| &facts.alternatives);
    let mut proposals = Vec::new();
    for ((kind, word), leaves) in &words {
        let others = words.keys().filter(|(other, _)| other == kind);
        let others = others.map(|(_, text)| *text);
        let values = values.iter().map(String::as_bytes);
        let texts = others.chain(values).filter(|text| text != word);
        proposals.extend(texts.map(|text| replaced(document, leaves, text)));
    }
    proposals
}

/// The named leaves that are words, by kind and text.
fn leaves_by_word(document: &Document) -> BTreeMap<(u16, &[u8]), Vec<NodeId>> {
    let mut words: BTreeMap<(u16, &[u8]), Vec<NodeId>> = BTreeMap::new();
    for leaf in document.leaves() {
        let text = document.text(leaf);
        let is_word = text
            .first()
            .is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'_');
        if is_word && document.node(leaf).is_named() {
            let key = (document.node(leaf).kind.0, text);
            words.entry(key).or_default().push(leaf);
        }
    }
    words
}

fn replaced(document: &Document, leaves: &[NodeId], text: &[u8]) -> Proposal {
    let splice = |&leaf: &NodeId| Splice::replacement(document.node(leaf).range(), text);
    let word = leaves.first().map_or(&[][..], |&leaf| document.text(leaf));
    Proposal {
        edit: Edit::new(leaves.iter().map(splice).collect()),
        signature: fingerprint(&[b"unify", word, text]),
        ..Proposal::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::assert_offers;

    #[test]
    fn a_word_becomes_another_one_everywhere() {
        assert_offers(
            "c",
            "int a, b; int c = a + b + a;",
            "int b, b; int c = b + b + b;",
            words,
        );
        assert_offers("javascript", "f(x, x)", "f(null, null)", words);
        assert_offers("none", "a = b; b = c;", "a = c; c = c;", words);
    }
}
