//! Grafts: any other part of the document, or what the language has for such a place, in the place of a node.
//!
//! Vulcan's sub-tree replacement (Xu et al., "Pushing the Limit of 1-Minimality of Language-Agnostic Program Reduction", OOPSLA
//! 2023): what stands elsewhere means something in this document. The result may be a little larger; whoever asks goes on from it.

use super::{
    Context,
    proposal::{Proposal, for_each_place},
};
use crate::syntax::{Document, NodeId};
use std::collections::BTreeMap;

/// What is put in a node's place has at most so many tokens more.
const MORE: u32 = 4;
/// A document of more tokens has better things to be asked about.
const LARGEST: u32 = 1000;
/// So many texts are tried for one node.
const MOST_TEXTS: usize = 40;

/// Every other small text that may stand in the place of each node, those first that save most.
pub fn grafts(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    if document.node(0).tokens > LARGEST {
        return Vec::new();
    }
    let samples = samples(document);
    let mut proposals = Vec::new();
    for_each_place(document, |siblings, place, node| {
        let own = document.node(node);
        let enough = own.tokens.saturating_add(MORE);
        let elsewhere = samples.iter().filter(|sample| {
            let is_around = sample.node <= node && document.node(sample.node).end_id >= own.end_id;
            sample.tokens <= enough
                && !is_around
                && siblings.can_stand(place, document.shape(sample.node))
        });
        let elsewhere = elsewhere.map(|sample| document.text(sample.node).to_vec());
        let named = siblings
            .alternatives(place)
            .into_iter()
            .map(|text| text.to_vec());
        let mut texts: Vec<Vec<u8>> = Vec::new();
        for text in named.chain(elsewhere) {
            if text != document.text(node) && !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts.truncate(MOST_TEXTS);
        let graft = |text: &Vec<u8>| Proposal::replacement(document, b"graft", node, text);
        proposals.extend(texts.iter().map(graft));
    });
    proposals
}

/// A node that stands for all with its text and its kind.
struct Sample {
    node: NodeId,
    tokens: u32,
}

/// The named nodes, one of each kind and text, the smallest first.
fn samples(document: &Document) -> Vec<Sample> {
    let mut seen: BTreeMap<(u16, &[u8]), NodeId> = BTreeMap::new();
    for (id, node) in (0..).zip(document.nodes()) {
        if node.is_named() && node.tokens > 0 {
            seen.entry((node.kind.0, document.text(id))).or_insert(id);
        }
    }
    let sample = |node: NodeId| Sample {
        node,
        tokens: document.node(node).tokens,
    };
    let mut samples: Vec<Sample> = seen.into_values().map(sample).collect();
    samples.sort_by_key(|sample| (sample.tokens, sample.node));
    samples
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::assert_offers;

    #[test]
    fn any_other_part_may_stand_in_the_place_of_a_node() {
        for (language, text, wanted) in [
            (
                "c",
                "int a; int f(int b) { return b + a; }",
                "int a; int f(int b) { return a + a; }",
            ),
            ("javascript", "g(a | b); h(c)", "g(h(c) | b); h(c)"),
            ("json", "{\"a\": [1], \"b\": 2}", "{\"a\": [1], \"b\": 1}"),
        ] {
            assert_offers(language, text, wanted, grafts);
        }
    }
}
