//! Everywhere: the same words taken out wherever they stand.
//!
//! Without a grammar nothing tells a declaration from a use. What is said of one place must often be said of all: a prefix with
//! its dot, a modifier, a name that nothing needs.

use super::{
    Context,
    proposal::{Proposal, fingerprint},
};
use crate::syntax::{Document, Edit, NodeId, Splice};
use std::{collections::BTreeMap, ops::Range};

/// The longest phrase that is looked for.
const LONGEST: usize = 3;

/// The removal of each phrase of up to three tokens that stands in two or more places, and of a word with its dots and without;
/// none for a document with a grammar.
pub fn everywhere(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    if document.grammar().is_some() || document.bytes().contains(&0) {
        return Vec::new();
    }
    let leaves: Vec<NodeId> = (1u32..)
        .take(document.nodes().len().saturating_sub(1))
        .filter(|&id| document.is_leaf(id))
        .collect();
    let mut places: BTreeMap<Vec<&[u8]>, Vec<Range<usize>>> = BTreeMap::new();
    for size in 1..=LONGEST {
        for (start, window) in leaves.windows(size).enumerate() {
            let phrase: Vec<&[u8]> = window.iter().map(|&leaf| document.text(leaf)).collect();
            if document.node(window[0]).is_named() {
                places.entry(phrase).or_default().push(start..start + size);
            }
        }
    }
    let is_dot = |leaf: &NodeId| matches!(document.text(*leaf), b"." | b"::" | b"->");
    let mut proposals = Vec::new();
    for (phrase, found) in &places {
        if found.len() < 2 {
            continue;
        }
        proposals.push(removal(document, &leaves, found));
        if phrase.len() == 1 {
            let dotted: Vec<Range<usize>> = found
                .iter()
                .map(|place| {
                    let dot = leaves.get(place.end).is_some_and(is_dot);
                    place.start..place.end + usize::from(dot)
                })
                .collect();
            if dotted != *found {
                proposals.push(removal(document, &leaves, &dotted));
            }
        }
    }
    proposals
}

/// The removal of all these runs of tokens.
fn removal(document: &Document, leaves: &[NodeId], places: &[Range<usize>]) -> Proposal {
    let mut proposal = Proposal::default();
    let mut splices = Vec::new();
    for place in places {
        let run = &leaves[place.clone()];
        let (first, last) = (run[0], run[run.len() - 1]);
        let range = document.node(first).range().start..document.node(last).range().end;
        splices.push(Splice::deletion(range));
        proposal
            .takes
            .extend(run.iter().map(|&leaf| leaf..leaf + 1));
    }
    proposal.edit = Edit::new(splices);
    proposal.weight = u32::try_from(proposal.takes.len()).unwrap_or(u32::MAX);
    let texts: Vec<&[u8]> = leaves[places[0].clone()]
        .iter()
        .map(|&leaf| document.text(leaf))
        .collect();
    proposal.signature = fingerprint(&[
        b"everywhere",
        &texts.join(&b' '),
        &places.len().to_le_bytes(),
    ]);
    proposal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{pass::testing::results, syntax::Language};

    #[test]
    fn a_prefix_goes_with_its_dots_wherever_it_stands() {
        let document = Document::new(&b"select a.b, a.c from t a"[..], None);
        let results = results(&document, &everywhere(&Context::new(document.clone())));
        assert!(
            results.contains(&"select b, c from t ".to_string()),
            "{results:?}"
        );
        let language = Language::named("c");
        assert_eq!(
            everywhere(&Context::new(Document::new(
                &b"int a; int b;"[..],
                language
            ))),
            []
        );
    }
}
