//! Mentions: the lines in which a word stands, taken out together.
//!
//! Without a grammar nothing tells a declaration from a use, but both name the same word: neither line can go alone, and all that
//! mention it can. Of two words that begin lines by turns, as what opens and what closes something, both go.

use super::{
    Context,
    proposal::{Proposal, fingerprint},
    units::Unit,
};
use crate::syntax::{Document, NodeId};
use std::collections::{BTreeMap, BTreeSet};

/// A word that stands in more places is one of the language, or one that all of the text is about.
const MOST_PLACES: usize = 60;

/// In documents of more nodes there are too many words to ask about, and too many pairs of them to compare.
const LARGE: usize = 50_000;

/// For each word that stands in two places or more, the removal of the smallest units around it, and of the lines; for two words
/// that begin lines by turns, the removal of these lines. None for a document with a grammar, for a large one, or for binary data.
/// Cost: the words times their depth, and the square of those that begin lines.
pub fn mentions(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let is_large = document.nodes().len() > LARGE;
    if document.grammar().is_some() || is_large || document.bytes().contains(&0) {
        return Vec::new();
    }
    let units = Units::of(context);
    let mut proposals = Vec::new();
    for (word, places) in words(document) {
        let around = |is: &dyn Fn(NodeId) -> bool| units.around(&places, is);
        let phrases = around(&|node| document.node(node).tokens > 1);
        let lines = around(&|node| is_line(document, node));
        let is_other = lines != phrases;
        proposals.extend(units.removal(b"phrases", word, &phrases));
        proposals.extend(units.removal(b"lines", word, &lines).filter(|_| is_other));
    }
    proposals.extend(couples(document, &units));
    proposals
}

/// The leaves in which each word stands, for those that stand in a few places.
fn words(document: &Document) -> BTreeMap<&[u8], Vec<NodeId>> {
    let mut words = places(document, |text| text.iter().any(u8::is_ascii_alphabetic));
    words.retain(|_, places| (2..=MOST_PLACES).contains(&places.len()));
    words
}

/// The leaves in which each text of some kind stands, in order. Cost: linear, and sorting the texts.
pub(super) fn places(
    document: &Document,
    is_meant: impl Fn(&[u8]) -> bool,
) -> BTreeMap<&[u8], Vec<NodeId>> {
    let mut places: BTreeMap<&[u8], Vec<NodeId>> = BTreeMap::new();
    for leaf in document.leaves() {
        let text = document.text(leaf);
        if is_meant(text) {
            places.entry(text).or_default().push(leaf);
        }
    }
    places
}

/// Whether a node is a line, or a statement of its own.
pub(super) fn is_line(document: &Document, node: NodeId) -> bool {
    match document.kind_name(node) {
        "line" | "middle" | "end" => true,
        "phrase" => document.text(node).ends_with(b";"),
        _ => false,
    }
}

/// The units of a document by their nodes.
struct Units<'c> {
    document: &'c Document,
    by_node: BTreeMap<NodeId, &'c Unit>,
}

impl<'c> Units<'c> {
    fn of(context: &'c Context) -> Self {
        let units = context.units().iter();
        Self {
            document: context.document(),
            by_node: units.map(|unit| (unit.node, unit)).collect(),
        }
    }

    /// The smallest units of some kind around each of these leaves, without those that lie in others; none if a leaf has none.
    fn around(&self, leaves: &[NodeId], is: &dyn Fn(NodeId) -> bool) -> BTreeSet<NodeId> {
        let around = |&leaf: &NodeId| {
            let mut around = self.document.around(leaf);
            around.find(|&node| self.by_node.contains_key(&node) && is(node))
        };
        let found: Option<BTreeSet<NodeId>> = leaves.iter().map(around).collect();
        let found = found.unwrap_or_default();
        let mut end = 0;
        let mut is_outermost = |&node: &NodeId| {
            let is_outermost = node >= end;
            end = end.max(self.document.node(node).end_id);
            is_outermost
        };
        found
            .iter()
            .copied()
            .filter(|node| is_outermost(node))
            .collect()
    }

    /// The removal of two units or more.
    fn removal(&self, kind: &[u8], word: &[u8], nodes: &BTreeSet<NodeId>) -> Option<Proposal> {
        let parts = nodes.iter().filter_map(|node| self.by_node.get(node));
        let count = nodes.len().to_le_bytes();
        let signature = fingerprint(&[b"mentions", kind, word, &count]);
        (nodes.len() > 1).then(|| Proposal::together(parts.map(|unit| &unit.proposal), signature))
    }
}

/// The lines of two words that begin them by turns.
fn couples(document: &Document, units: &Units) -> Vec<Proposal> {
    let mut lines: BTreeMap<&[u8], Vec<NodeId>> = BTreeMap::new();
    for &node in units.by_node.keys() {
        let first = (node..document.node(node).end_id).find(|&id| document.is_leaf(id));
        if let Some(first) = first.filter(|_| is_line(document, node)) {
            lines.entry(document.text(first)).or_default().push(node);
        }
    }
    lines.retain(|_, nodes| (2..=MOST_PLACES).contains(&nodes.len()));
    let mut couples = Vec::new();
    for (opening, first) in &lines {
        for (closing, last) in &lines {
            let opens_first = first.iter().zip(last).all(|(open, close)| open < close);
            let by_turns = first[1..]
                .iter()
                .zip(last)
                .all(|(open, close)| close < open);
            if first.len() == last.len() && opening != closing && opens_first && by_turns {
                let nodes = first.iter().chain(last).copied().collect();
                let words = [*opening, *closing].join(&b' ');
                couples.extend(units.removal(b"couple", &words, &nodes));
            }
        }
    }
    couples
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::offered;

    /// Without blanks.
    fn squeezed(text: &str) -> String {
        text.split_whitespace().collect()
    }

    #[test]
    fn all_lines_with_a_word_go_together() {
        let text = "sub one\nsub two x\ncall one\ncall two y\nlast\n";
        let found = offered("none", text, mentions);
        let without = |word: &str| -> String {
            let lines = text.split_inclusive('\n');
            lines.filter(|line| !line.contains(word)).collect()
        };
        for word in ["one", "two", "sub"] {
            let wanted = squeezed(&without(word));
            let is_wanted = |found: &String| squeezed(found) == wanted;
            assert!(found.iter().any(is_wanted), "{word}: {found:#?}");
        }
        assert!(offered("c", "int a; int b = a;", mentions).is_empty());
    }

    #[test]
    fn a_word_goes_with_the_smallest_units_around_it_too() {
        let found = offered("none", "f(a one, b)\ng(c, one d)\n", mentions);
        assert!(
            found.iter().any(|text| squeezed(text) == "f(b)g(c)"),
            "{found:#?}"
        );
    }

    #[test]
    fn what_opens_and_what_closes_go_from_all_lines() {
        let found = offered("none", "open\na\nclose\nb\nopen\nc\nclose\n", mentions);
        assert!(
            found.iter().any(|text| squeezed(text) == "abc"),
            "{found:#?}"
        );
        // These do not stand by turns.
        let found = offered("none", "up\nup\na\ndown\ndown\n", mentions);
        assert!(
            !found.iter().any(|text| squeezed(text) == "a"),
            "{found:#?}"
        );
    }
}
