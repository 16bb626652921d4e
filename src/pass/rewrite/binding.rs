//! What the names of a rewrite stand for at one place where its query fits.

use crate::grammar::Kind;
use crate::pass::{elements::places_of, free_names::FreeNames};
use crate::syntax::{
    Document, NodeId,
    rewrites::{Found, Part, Word},
};

/// A match with all that has a name in it.
#[derive(Clone, Debug)]
pub(super) struct Bound<'r> {
    pub(super) nodes: Vec<(&'r str, NodeId)>,
    pub(super) words: Vec<(&'r str, Vec<u8>)>,
    /// The place in its list of what a rule goes through one by one.
    pub(super) place: Option<usize>,
}

impl Bound<'_> {
    pub(super) fn node(&self, name: &str) -> Option<NodeId> {
        let mut nodes = self.nodes.iter();
        nodes
            .find(|(known, _)| *known == name)
            .map(|(_, node)| *node)
    }

    /// What a name stands for.
    pub(super) fn text<'a>(&'a self, document: &'a Document, name: &str) -> Option<&'a [u8]> {
        let mut words = self.words.iter();
        let word = words.find(|(known, _)| *known == name);
        let node = || self.node(name).map(|node| document.text(node));
        word.map(|(_, text)| &text[..]).or_else(node)
    }

    /// The first of its nodes.
    pub(super) fn first(&self) -> NodeId {
        self.nodes.iter().map(|(_, node)| *node).min().unwrap_or(0)
    }
}

/// The bindings of a match: one, or where a part goes through a list one for each element, or for the one at a place.
pub(super) fn bindings<'r>(
    document: &Document,
    part: &'r Part,
    found: &Found<'r>,
    place: Option<usize>,
) -> Vec<Bound<'r>> {
    let mut bound = Bound {
        nodes: found.nodes.clone(),
        words: Vec::new(),
        place,
    };
    for word in &part.words {
        let text = bound
            .node(&word.of)
            .and_then(|node| text_of(document, word, node));
        let Some(text) = text else {
            return Vec::new();
        };
        bound.words.push((&word.name, text));
    }
    if let Some((name, kinds)) = &part.around {
        let around = ancestors(document, bound.first())
            .find(|&node| kinds.contains(&document.node(document.node(node).parent).kind));
        let Some(around) = around else {
            return Vec::new();
        };
        if lies_in(document, bound.first(), around, &part.except) {
            return Vec::new();
        }
        bound.nodes.push((name, around));
    }
    let Some((name, list)) = &part.each else {
        return vec![bound];
    };
    let Some(list) = bound.node(list) else {
        return Vec::new();
    };
    let elements = places_of(document, list).into_iter().enumerate();
    let wanted = elements.filter(|(index, _)| place.is_none_or(|place| place == *index));
    let with_element = |(index, (_, element))| {
        let mut bound = bound.clone();
        bound.nodes.push((name, element));
        bound.place = Some(index);
        bound
    };
    wanted.map(with_element).collect()
}

/// What a word of a rule stands for in a node; `None` if its pattern does not fit, or no name is free.
fn text_of(document: &Document, word: &Word, node: NodeId) -> Option<Vec<u8>> {
    let captures = word.pattern.captures(document.text(node))?;
    let text = captures.get(1).or_else(|| captures.get(0))?.as_bytes();
    if word.is_free && is_declared_elsewhere(document, node) {
        return FreeNames::of(document).instead_of(text);
    }
    Some(text.to_vec())
}

/// Whether something else of the same kind is declared with the same name. Cost: linear in the document.
fn is_declared_elsewhere(document: &Document, name: NodeId) -> bool {
    let kinds = |node: NodeId| {
        let node = document.node(node);
        (node.kind, document.node(node.parent).kind)
    };
    let is_alike = |other: NodeId| {
        other != name && kinds(other) == kinds(name) && document.text(other) == document.text(name)
    };
    (0..document.node(0).end_id).any(is_alike)
}

/// Whether a node lies in one of these kinds that lies in `around`.
pub(super) fn lies_in(document: &Document, node: NodeId, around: NodeId, kinds: &[Kind]) -> bool {
    ancestors(document, document.node(node).parent)
        .take_while(|&node| node > around)
        .any(|node| kinds.contains(&document.node(node).kind))
}

/// A node and all that are around it, without the root.
fn ancestors(document: &Document, node: NodeId) -> impl Iterator<Item = NodeId> {
    std::iter::successors(Some(node), |&node| Some(document.node(node).parent))
        .take_while(|&node| node != 0)
}
