//! Minimal replacements: the least that the grammar takes in a node's place.

use super::{
    Context,
    proposal::{Proposal, fingerprint, for_each_place, only, surroundings},
};
use crate::{
    grammar::Siblings,
    syntax::{Document, Edit, NodeId, Role, Splice},
};
use rustc_hash::FxHashSet;

/// How many other texts are tried in one place.
const MOST_ALTERNATIVES: usize = 3;
/// In the place of how many tokens other texts are tried. What is larger is hardly ever wanted for its kind alone.
const LARGEST: u32 = 16;

/// The replacement of each named node by its least filler, where that saves something and the node cannot just go.
pub fn replacements(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let mut proposals = Vec::new();
    for_each_place(document, |siblings, place, node| {
        let text = siblings
            .nameless_filler(place..place + 1)
            .filter(|text| !text.is_empty());
        proposals.extend(text.and_then(|text| replacement(document, node, &text)));
    });
    proposals
}

/// Those of the replacements that put a type in a type's place, where the language says which type may mostly stand for any.
pub fn types(context: &Context) -> Vec<Proposal> {
    let language = context.document().language();
    let known = language.map_or(&[][..], |language| &language.facts().any_type);
    if known.is_empty() {
        return Vec::new();
    }
    let is_type = |proposal: &Proposal| {
        let mut splices = proposal.edit.splices().iter();
        splices.any(|splice| known.iter().any(|any| *splice.text == *any.text.as_bytes()))
    };
    replacements(context).into_iter().filter(is_type).collect()
}

/// The replacement of each node of a few tokens by other texts than the cheapest: `return;` where `;` did not do.
///
/// Which texts is said by the language; without that, all that the grammar gives.
pub fn alternatives(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let mut proposals = Vec::new();
    for_each_place(document, |siblings, place, node| {
        // Of a row a small element seldom does better than none, which was refused.
        let has_gone = document.has_role(node, Role::Repeated) && siblings.can_go(place);
        if document.node(node).tokens > LARGEST || has_gone {
            return;
        }
        // A block without anything in it is a statement that says nothing, and a shorter one may say it as well.
        let empty = document.node(node).tokens == 2 && document.text(node).starts_with(b"{");
        let cheapest = siblings.nameless_filler(place..place + 1);
        let others = other_texts(document, siblings, place)
            .into_iter()
            .filter(|text| cheapest.as_deref() != Some(text));
        let smaller = others.filter_map(|text| {
            replacement(document, node, &text).filter(|proposal| proposal.weight > 1 || empty)
        });
        proposals.extend(smaller.take(MOST_ALTERNATIVES));
    });
    proposals
}

/// Another number than the least for each name that comes from elsewhere, such as a macro of a header: where two cases, or two
/// sizes, must differ, nothing else may be known of it.
pub fn foreign_names(context: &Context) -> Vec<Proposal> {
    let (document, names) = (context.document(), context.names());
    let declared: FxHashSet<u32> = names.declarations.iter().map(|it| it.name).collect();
    let is_known = |text: &[u8]| {
        let language = document.language();
        let known = language.map_or(&[][..], |language| &language.facts().known);
        known.iter().any(|known| known.as_bytes() == text)
    };
    let mut proposals = Vec::new();
    for (name, text) in (0..).zip(&names.texts) {
        let uses = &names.uses[name as usize];
        let is_foreign = !declared.contains(&name) && !is_known(text) && text.len() > 1;
        if is_foreign && !uses.is_empty() && uses.iter().all(|&leaf| takes_number(document, leaf)) {
            let splice = |&leaf: &NodeId| Splice::replacement(document.node(leaf).range(), b"1");
            proposals.push(Proposal {
                edit: Edit::new(uses.iter().map(splice).collect()),
                weight: 1,
                signature: fingerprint(&[b"foreign", text]),
                ..Proposal::default()
            });
        }
    }
    proposals
}

/// Whether a number may stand in the place of a leaf.
pub(super) fn takes_number(document: &Document, leaf: NodeId) -> bool {
    let around = surroundings(document, leaf);
    let texts = around
        .iter()
        .flat_map(|(siblings, place)| siblings.alternatives(*place));
    texts.into_iter().any(|text| **text == *b"0")
}

/// The texts that may stand for the child at `place`, the ones that the language names first.
fn other_texts(document: &Document, siblings: &Siblings, place: usize) -> Vec<Vec<u8>> {
    let mut texts: Vec<Vec<u8>> = siblings
        .alternatives(place)
        .into_iter()
        .map(|text| text.to_vec())
        .collect();
    if texts.iter().any(|text| text == b"0") {
        texts.push(b"1".to_vec());
    }
    let wanted = document
        .language()
        .map_or(&[][..], |language| &language.facts().alternatives);
    if !wanted.is_empty() {
        texts.retain(|text| wanted.iter().any(|wanted| wanted.as_bytes() == text));
        texts.sort_by_key(|text| wanted.iter().position(|wanted| wanted.as_bytes() == text));
    }
    texts
}

/// A text in the place of a node, where that saves tokens or, with as many, bytes.
fn replacement(document: &Document, node: NodeId, text: &[u8]) -> Option<Proposal> {
    let tokens = u32::try_from(document.lexis().count(text)).unwrap_or(u32::MAX);
    let had = document.node(node).tokens;
    let smaller = tokens < had || (tokens == had && text.len() < document.text(node).len());
    smaller.then(|| Proposal {
        weight: (had - tokens).max(1),
        takes: only(node..document.node(node).end_id),
        ..Proposal::replacement(document, b"least", node, text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::offered;

    #[test]
    fn a_name_from_elsewhere_becomes_a_number_wherever_it_stands() {
        let text = "int f(int a) { switch (a) { case A_B: g(A_B, NULL); } }";
        let found = offered("c", text, foreign_names);
        assert_eq!(found, [text.replace("A_B", "1")]);
    }

    #[test]
    fn the_least_stands_in_for_a_node() {
        let text = "int f() { return g(1, 2); }";
        let found = offered("c", text, replacements);
        assert_eq!(found, ["int f() {}", "int f() { return g(); }"]);
        let found = offered("c", text, alternatives);
        assert!(
            found.contains(&"int f() { return 1; }".to_string()),
            "{found:#?}"
        );
    }
}
