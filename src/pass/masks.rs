//! Masks: neighbouring units that go together although they do not stand side by side, nor can go alone.
//!
//! In a window of a few units of one list, every set that has the first and the last of the window. Single units, and runs of
//! tokens, are asked about elsewhere. Measured on finished results this gains something only where no grammar tells what
//! belongs together; with a grammar it costs a few questions, so it comes last, and leaves the masks over tokens out, which cost
//! a fifth of all questions there and never gained anything.

use super::{
    Context,
    proposal::{Proposal, fingerprint},
    units::{Unit, together},
};
use crate::syntax::{Document, NodeId};
use std::collections::BTreeMap;

/// How many units a window has at most.
const LONGEST: usize = 4;
/// A document of more tokens has better things to be asked about.
const LARGEST: u32 = 100;
/// Single tokens count as units without a grammar only in documents of so many tokens.
const LARGEST_OF_TOKENS: u32 = 40;

/// All sets of two or more units in windows over lists.
pub fn masks(context: &Context) -> Vec<Proposal> {
    let (document, units) = (context.document(), context.units());
    let tokens = document.node(0).tokens;
    if tokens > LARGEST {
        return Vec::new();
    }
    let with_tokens = document.grammar().is_some() || tokens <= LARGEST_OF_TOKENS;
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

/// The sets with the first and the last unit of a window.
fn sets(document: &Document, window: &[&Unit]) -> Vec<Proposal> {
    let last = window.len() - 1;
    let sets = 0u32..1 << (last - 1);
    sets.map(|set| {
        let is_in = |place: usize| place == 0 || place == last || set >> (place - 1) & 1 == 1;
        let chosen = (0..window.len()).filter(|&place| is_in(place));
        let units: Vec<&Unit> = chosen.map(|place| window[place]).collect();
        let texts: Vec<&[u8]> = units.iter().map(|unit| document.text(unit.node)).collect();
        together(&units, fingerprint(&[b"mask", &texts.join(&0)]))
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
    fn a_large_document_has_none() {
        let document = Document::new("a;\n".repeat(100).into_bytes(), None);
        assert_eq!(masks(&Context::new(document.clone())), []);
    }
}
