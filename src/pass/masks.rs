//! Masks: neighbouring units that go together although they do not stand side by side, nor can go alone.
//!
//! In a window of a few units of one list, every set that has the first and the last of the window. Single units, and runs of
//! tokens, are asked about elsewhere. Where a grammar tells what belongs together this gained nothing in any reduction that was
//! counted, so the pass is for texts without one; the largest effort asks about sets of tokens in both.

use super::{
    Context,
    proposal::{Proposal, fingerprint},
    tokens::windows,
    units::Unit,
};
use crate::syntax::{Document, NodeId};
use std::collections::BTreeMap;

/// How many units a window has at most.
const LONGEST: usize = 4;
/// A document of more tokens has better things to be asked about.
const LARGEST: u32 = 100;
/// Single tokens count as units only in documents of so many tokens.
const LARGEST_OF_TOKENS: u32 = 40;

/// All sets of two or more units in windows over lists of a text without a grammar.
pub fn masks(context: &Context) -> Vec<Proposal> {
    let (document, units) = (context.document(), context.units());
    let tokens = document.node(0).tokens;
    if tokens > LARGEST || document.grammar().is_some() {
        return Vec::new();
    }
    let with_tokens = tokens <= LARGEST_OF_TOKENS;
    let mut rows: BTreeMap<NodeId, Vec<&Unit>> = BTreeMap::new();
    for unit in units {
        if with_tokens || !document.is_leaf(unit.node) {
            let parent = document.node(unit.node).parent;
            rows.entry(parent).or_default().push(unit);
        }
    }
    let windows = |row: &Vec<&Unit>| -> Vec<Proposal> {
        let sizes = 2..=LONGEST.min(row.len());
        let windows = sizes.flat_map(|size| row.windows(size));
        windows.flat_map(|window| sets(document, window)).collect()
    };
    rows.values().flat_map(windows).collect()
}

/// The most tokens of a window of which all sets are tried.
const LONGEST_OF_TOKENS: usize = 6;

/// All sets of two or more tokens in small windows, the smallest windows first. Cost: 31 for each token.
pub fn token_sets(document: &Document) -> Vec<Proposal> {
    let tokens = windows(document, 1);
    let sizes = 2..=LONGEST_OF_TOKENS.min(tokens.len());
    let windows = sizes.flat_map(|size| tokens.windows(size));
    windows.flat_map(sets_of_tokens).collect()
}

/// The sets with the first and the last token of a window.
fn sets_of_tokens(window: &[Proposal]) -> impl Iterator<Item = Proposal> {
    let chosen = sets_with_ends(window.len());
    chosen.map(|places| {
        // Behind the certificate nothing is known again by its signature.
        Proposal::together(places.iter().map(|&place| &window[place]), 0)
    })
}

/// The sets of numbers below `length` with the first and the last.
fn sets_with_ends(length: usize) -> impl Iterator<Item = Vec<usize>> {
    let last = length - 1;
    (0u32..1 << (last - 1)).map(move |set| {
        let is_in = |&place: &usize| place == 0 || place == last || set >> (place - 1) & 1 == 1;
        (0..length).filter(is_in).collect()
    })
}

/// The sets with the first and the last unit of a window.
fn sets(document: &Document, window: &[&Unit]) -> Vec<Proposal> {
    let sets = sets_with_ends(window.len());
    sets.map(|places| {
        let units: Vec<&Unit> = places.iter().map(|&place| window[place]).collect();
        let texts: Vec<&[u8]> = units.iter().map(|unit| document.text(unit.node)).collect();
        let signature = fingerprint(&[b"mask", &texts.join(&0)]);
        Proposal::together(units.iter().map(|unit| &unit.proposal), signature)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::results;

    #[test]
    fn units_go_together_that_do_not_stand_side_by_side() {
        let document = Document::new(&b"first;\none;\ntwo;\nlast;\n"[..], None);
        let found: Vec<String> = results(&document, &masks(&Context::new(document.clone())))
            .iter()
            .map(|text| text.split_whitespace().collect())
            .collect();
        for wanted in ["one;two;", "two;", "one;", "first;two;"] {
            assert!(found.contains(&wanted.to_string()), "{found:?}");
        }
    }

    #[test]
    fn tokens_of_a_window_go_in_all_combinations() {
        let document = Document::new(&b"a b c d"[..], None);
        let found: Vec<String> = results(&document, &token_sets(&document))
            .iter()
            .map(|text| text.split_whitespace().collect())
            .collect();
        assert_eq!(
            found,
            ["cd", "ad", "ab", "bd", "d", "ac", "a", "bc", "c", "b", ""]
        );
    }

    #[test]
    fn a_large_document_has_none() {
        let document = Document::new("a;\n".repeat(100).into_bytes(), None);
        assert_eq!(masks(&Context::new(document.clone())), []);
    }
}
