//! What the names of a rewrite stand for at one place where its query fits.

use crate::grammar::Kind;
use crate::pass::arguments::places_of;
use crate::syntax::{
    Document, NodeId,
    rewrites::{Found, Part},
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
    for (name, of, pattern) in &part.words {
        let text = bound.node(of).map(|node| document.text(node));
        let Some(captures) = text.and_then(|text| pattern.captures(text)) else {
            return Vec::new();
        };
        let word = captures.get(1).or_else(|| captures.get(0));
        let word = word.map(|word| word.as_bytes().to_vec());
        bound.words.push((name, word.unwrap_or_default()));
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
