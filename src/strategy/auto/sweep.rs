//! In which order the certificate asks: what has the best chance comes first.
//!
//! After a success a sweep does not begin again: what was refused just now has hardly a chance, and what was refused when the document
//! was larger has not been asked about since.

use crate::{
    pass::Proposal,
    syntax::{Document, Splice},
};
use rustc_hash::FxHashMap;
use std::{cmp::Reverse, ops::Range};

/// So many bytes from a change the tokens are asked about before all others.
const NEAR: usize = 24;
/// With so many bytes in between a unit still touches a change.
const TOUCHING: usize = 4;

/// Puts in front what lies beside `place`, where the last success was; then come what was never asked about, and what was refused when
/// the document had more tokens. `failures` has how many, by signature.
pub(super) fn order(
    proposals: &mut [Proposal],
    document: &Document,
    place: usize,
    failures: &FxHashMap<u64, u32>,
) {
    proposals.sort_by_cached_key(|proposal| {
        let refused_at = failures.get(&proposal.signature).copied();
        // The rounds leave declarations alone as long as something uses them, so the sweep is the first to ask.
        let declares = !proposal.declares.is_empty();
        (
            !is_beside(document, proposal, place),
            Reverse(refused_at.unwrap_or(u32::MAX)),
            !declares,
        )
    });
}

/// Whether a proposal changes what stands beside this byte: a token not far from it, or a unit that touches it.
fn is_beside(document: &Document, proposal: &Proposal, place: usize) -> bool {
    let is_token = proposal.weight == 1 && proposal.drops.is_empty();
    let near = if is_token { NEAR } else { TOUCHING };
    let is_near = |range: Range<usize>| range.start <= place + near && place <= range.end + near;
    let splices = proposal.edit.splices().iter().map(Splice::range);
    let taken = proposal.takes.iter().filter(|nodes| !nodes.is_empty());
    let taken = taken.map(|nodes| document.node(nodes.start).range());
    splices.chain(taken).any(is_near)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        pass::{Context, tokens},
        syntax::Language,
    };

    /// The tokens of a text, in the order in which they are asked about behind a change at `place`.
    fn asked(text: &str, place: usize, refused: &[(&str, u32)]) -> Vec<String> {
        let document = Document::new(text.as_bytes(), Language::named("c"));
        let mut proposals = tokens::windows(&document, 1);
        let text_of = |proposal: &Proposal| text[proposal.edit.splices()[0].range()].to_string();
        let size_of = |name: &str| refused.iter().find(|(text, _)| *text == name);
        let failures = proposals.iter().filter_map(|proposal| {
            let (_, size) = size_of(&text_of(proposal))?;
            Some((proposal.signature, *size))
        });
        let failures = failures.collect();
        let context = Context::new(document);
        order(&mut proposals, context.document(), place, &failures);
        proposals.iter().map(text_of).collect()
    }

    #[test]
    fn what_was_refused_longest_ago_comes_before_what_was_refused_just_now() {
        let text = "int a; int bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, c, d;";
        let order = asked(text, 0, &[("c", 80), ("d", 100)]);
        let at = |name: &str| order.iter().position(|text| text == name).unwrap();
        assert!(at("a") < at("d"), "beside the change: {order:?}");
        assert!(at("d") < at("c"), "refused before: {order:?}");
        assert_eq!(order.last().unwrap(), "c", "just now: {order:?}");
    }
}
