//! Orphans: a hoist whose jumps would have nothing to jump out of takes something else in their place.
//!
//! `while (a) if (b) break; else c();` becomes `if (b) ; else c();`, a function that returns becomes the statements of its body
//! with the values that it returned. A hoist alone would leave a `break` behind that no loop is around.

use super::{
    Context, hoist,
    proposal::{Proposal, fingerprint, surroundings},
};
use crate::{
    grammar::Kind,
    syntax::{Document, Edit, NodeId, Splice},
};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// So many kinds of jumps of a language are told apart.
const MOST_RULES: usize = 4;
/// How many ways to fill the places of the jumps are tried for one hoist.
const MOST_WAYS: usize = 3;
/// A hoist with more jumps than this is left alone.
const MOST_JUMPS: usize = 8;

/// All hoists out of what jumps in the hoisted part end, with other texts in the place of these jumps.
pub fn hoists(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let jumps = jumps(document);
    if jumps.is_empty() {
        return Vec::new();
    }
    let mut proposals = Vec::new();
    for hoist in hoist::hoists(context) {
        let (Some(node), [before, behind]) = (hoist.target, &hoist.takes[..]) else {
            continue;
        };
        let orphans = orphans(&jumps, node, &(before.end..behind.start));
        // What is nothing but a jump itself would leave only the text that fills its place.
        let is_jump = orphans.first() == Some(&before.end)
            && document.node(before.end).end_id == behind.start;
        if is_jump || !(1..=MOST_JUMPS).contains(&orphans.len()) {
            continue;
        }
        let texts: Vec<Vec<Vec<u8>>> = orphans.iter().map(|&jump| texts(document, jump)).collect();
        let ways = texts.iter().map(Vec::len).max().unwrap_or(0);
        for way in 0..ways.min(MOST_WAYS) {
            proposals.extend(filled(document, &hoist, &orphans, &texts, way));
        }
    }
    proposals
}

/// The jumps of a document in order, each with what it ends.
fn jumps(document: &Document) -> Vec<(NodeId, NodeId)> {
    let known = document
        .language()
        .map(|language| &language.facts().jumps[..]);
    let known = known.unwrap_or_default();
    let mut rules: FxHashMap<Kind, Option<usize>> = FxHashMap::default();
    let mut ends: FxHashMap<Kind, Vec<bool>> = FxHashMap::default();
    let mut jumps = Vec::new();
    if known.is_empty() {
        return jumps;
    }
    // For each rule the nearest node around that ends its jumps.
    let mut around: Vec<[Option<NodeId>; MOST_RULES]> = Vec::with_capacity(document.nodes().len());
    for (id, node) in (0..).zip(document.nodes()) {
        let mut here = [None; MOST_RULES];
        if id > 0 {
            let parent = document.node(node.parent).kind;
            let ended = ends.entry(parent).or_insert_with(|| {
                let name = document.kind_name(node.parent);
                let rules = known.iter().map(|rule| is_one_of(name, &rule.ends));
                rules.take(MOST_RULES).collect()
            });
            here = around[node.parent as usize];
            for (end, _) in here.iter_mut().zip(&*ended).filter(|(_, ended)| **ended) {
                *end = Some(node.parent);
            }
        }
        around.push(here);
        let rule = *rules.entry(node.kind).or_insert_with(|| {
            let name = document.kind_name(id);
            let mut rules = known.iter().take(MOST_RULES);
            rules.position(|rule| is_one_of(name, &rule.kinds))
        });
        let end = rule.filter(|_| node.is_named()).and_then(|rule| here[rule]);
        jumps.extend(end.map(|end| (id, end)));
    }
    jumps
}

fn is_one_of(name: &str, kinds: &[String]) -> bool {
    kinds.iter().any(|kind| kind == name)
}

/// Of all jumps those among `kept` that end something which is around them in `node`, but not among `kept`; one more than
/// [`MOST_JUMPS`] at the most.
fn orphans(jumps: &[(NodeId, NodeId)], node: NodeId, kept: &Range<NodeId>) -> Vec<NodeId> {
    let first = jumps.partition_point(|(jump, _)| *jump < kept.start);
    let inside = jumps[first..]
        .iter()
        .take_while(|(jump, _)| *jump < kept.end);
    let orphans = inside.filter(|(_, end)| (node..kept.start).contains(end));
    orphans
        .map(|(jump, _)| *jump)
        .take(MOST_JUMPS + 1)
        .collect()
}

/// What can stand in the place of a jump: what it takes along, then the least, then what the language thinks worth a try.
fn texts(document: &Document, jump: NodeId) -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    let colon = document
        .children(jump)
        .find(|&child| document.text(child) == b":");
    if let Some(colon) = colon {
        // What stands behind the label of a case.
        let range = document.node(colon).range().end..document.node(jump).range().end;
        return vec![document.bytes()[range].trim_ascii().to_vec()];
    }
    let value = document
        .children(jump)
        .find(|&child| document.node(child).is_named() && !document.node(child).is_extra());
    if let Some(value) = value {
        let end = document
            .children(jump)
            .last()
            .filter(|&last| document.text(last) == b";");
        texts.push([document.text(value), end.map_or(&b""[..], |_| b";")].concat());
    }
    if let (Some((siblings, place)), Some(language)) =
        (surroundings(document, jump), document.language())
    {
        texts.extend(siblings.nameless_filler(place..place + 1));
        let possible = siblings.alternatives(place);
        let wanted = language.facts().alternatives.iter().map(String::as_bytes);
        texts.extend(
            wanted
                .filter(|text| possible.iter().any(|possible| ***possible == **text))
                .map(<[u8]>::to_vec),
        );
    }
    let jumps = ["break", "continue", "return"];
    texts.retain(|text| !jumps.iter().any(|jump| text.starts_with(jump.as_bytes())));
    texts.dedup();
    texts
}

/// The hoist, with each orphan replaced by the text of this number, or by its last one.
fn filled(
    document: &Document,
    hoist: &Proposal,
    orphans: &[NodeId],
    texts: &[Vec<Vec<u8>>],
    way: usize,
) -> Option<Proposal> {
    let mut splices = hoist.edit.splices().to_vec();
    let mut weight = i64::from(hoist.weight);
    for (&orphan, texts) in orphans.iter().zip(texts) {
        let text = texts.get(way).or(texts.last())?;
        splices.push(Splice::replacement(document.node(orphan).range(), text));
        weight += i64::from(document.node(orphan).tokens);
        weight -= i64::try_from(document.lexis().count(text)).unwrap_or(i64::MAX);
    }
    Some(Proposal {
        edit: Edit::new(splices),
        weight: u32::try_from(weight).ok().filter(|&weight| weight > 0)?,
        signature: fingerprint(&[
            b"orphans",
            &hoist.signature.to_le_bytes(),
            &way.to_le_bytes(),
        ]),
        ..hoist.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{assert_offers, offered};

    #[test]
    fn jumps_give_way_when_what_they_end_goes() {
        for (language, text, wanted) in [
            (
                "c",
                "void f() { while (a) if (b) break; else c(); }",
                "void f() { if (b) ; else c(); }",
            ),
            (
                "c",
                "void f() { switch (a) { case 1: b(); c(); } }",
                "void f() { { b(); c(); } }",
            ),
            (
                "javascript",
                "while (0) if (0) continue\nelse {}",
                "if (0) debugger\nelse {}",
            ),
            (
                "javascript",
                "function f() { g(); return h() }",
                "{ g(); h() }",
            ),
        ] {
            assert_offers(language, text, wanted, hoists);
        }
    }

    #[test]
    fn a_jump_that_keeps_its_loop_is_no_orphan() {
        let text = "void f() { if (a) while (b) break; }";
        assert!(offered("c", text, hoists).is_empty());
    }
}
