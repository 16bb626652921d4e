//! From tree-sitter's tree to our own nodes.

use super::{
    Document, Language, columns,
    document::{ERROR, EXTRA, MISSING, NAMED},
    document::{Node, Nodes},
    implied, tags,
};
use std::{borrow::Cow, ops::ControlFlow};
use tree_sitter::{ParseOptions, ParseState, Parser, Tree, TreeCursor};

/// Parses `bytes` in `language`; `None` when the parser refuses (the input is too large), gets nowhere, could not hold all that the
/// text opens, or makes a tree that is too deep.
pub(super) fn parse(bytes: &[u8], language: &Language) -> Option<Nodes> {
    let facts = language.facts();
    let has_many_blocks = |most| columns::count(bytes) > most;
    let has_many_elements = |most| tags::most_open(bytes) > most;
    if facts.most_columns.is_some_and(has_many_blocks)
        || facts.most_elements.is_some_and(has_many_elements)
    {
        return None;
    }
    let nodes = with_insertions(bytes, language, Insertions::default())?;
    let text = facts.implied_type.as_bytes();
    if text.is_empty() {
        return Some(nodes);
    }
    let places = implied::places(&nodes, language.grammar(), bytes);
    if places.is_empty() {
        return Some(nodes);
    }
    let complete = with_insertions(bytes, language, Insertions { places, text });
    let is_better = |complete: &Nodes| complete.errors() <= nodes.errors();
    complete.filter(is_better).or(Some(nodes))
}

/// A text that is shown to the parser at some places, in order, as if it stood there.
#[derive(Default)]
struct Insertions<'t> {
    places: Vec<usize>,
    text: &'t [u8],
}

impl Insertions<'_> {
    /// The text with the insertions.
    fn applied<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        if self.places.is_empty() {
            return Cow::Borrowed(bytes);
        }
        let mut applied = Vec::with_capacity(bytes.len() + self.places.len() * self.text.len());
        let mut end = 0;
        for &place in &self.places {
            applied.extend_from_slice(&bytes[end..place]);
            applied.extend_from_slice(self.text);
            end = place;
        }
        applied.extend_from_slice(&bytes[end..]);
        Cow::Owned(applied)
    }

    /// Where a position in the text with the insertions is in the text without them.
    fn position_without(&self, position: usize) -> usize {
        let mut earlier = 0..self.places.len();
        // The number of insertions that begin before the position.
        while !earlier.is_empty() {
            let middle = usize::midpoint(earlier.start, earlier.end);
            if self.places[middle] + middle * self.text.len() < position {
                earlier.start = middle + 1;
            } else {
                earlier.end = middle;
            }
        }
        let begun = earlier.start;
        let last = begun.checked_sub(1).map_or(0, |last| self.places[last]);
        position.saturating_sub(begun * self.text.len()).max(last)
    }
}

/// The tree that the nodes of a document were made from, and the text that the parser was shown for it.
pub(super) fn tree_of(document: &Document) -> Option<(Tree, Cow<'_, [u8]>)> {
    document.grammar()?;
    let language = document.language()?;
    let insertions = Insertions {
        places: document.insertions().to_vec(),
        text: language.facts().implied_type.as_bytes(),
    };
    let bytes = insertions.applied(document.bytes());
    Some((tree(&bytes, language)?, bytes))
}

fn with_insertions(bytes: &[u8], language: &Language, insertions: Insertions) -> Option<Nodes> {
    let tree = tree(&insertions.applied(bytes), language)?;
    let nodes = Nodes::with_capacity(tree.root_node().descendant_count());
    let mut nodes = convert(&mut tree.walk(), nodes, language, &insertions)?;
    nodes.insertions = insertions.places;
    Some(nodes)
}

fn tree(bytes: &[u8], language: &Language) -> Option<Tree> {
    if u32::try_from(bytes.len()).is_err() {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(language.parser()).ok()?;
    // Some scanners go round in circles on damaged input. The bound is a count, not a time, so that a run can be repeated.
    let mut checks = bytes.len() / 2 + LEAST_CHECKS;
    let mut progress = |_: &ParseState| {
        checks = checks.saturating_sub(1);
        if checks == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut rest = |offset: usize, _| bytes.get(offset..).unwrap_or_default();
    parser.parse_with_options(&mut rest, None, Some(options))
}

/// The parser looks in every hundred steps; it takes a few steps for a token.
const LEAST_CHECKS: usize = 100;

/// What asks about the ancestors of each node takes the square of the depth.
const DEEPEST: usize = 5000;

/// Walks the whole tree without recursion; `None` if it is too deep.
fn convert(
    cursor: &mut TreeCursor,
    mut nodes: Nodes,
    language: &Language,
    insertions: &Insertions,
) -> Option<Nodes> {
    loop {
        nodes.open(node_at(cursor, language, insertions));
        if nodes.depth() > DEEPEST {
            return None;
        }
        if cursor.goto_first_child() {
            continue;
        }
        nodes.close();
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Some(nodes);
            }
            nodes.close();
        }
    }
}

fn node_at(cursor: &TreeCursor, language: &Language, insertions: &Insertions) -> Node {
    let node = cursor.node();
    let field = cursor.field_id().map_or(0, u16::from);
    let flags = (u8::from(node.is_named()) * NAMED)
        | (u8::from(node.is_extra()) * EXTRA)
        | (u8::from(node.is_error()) * ERROR)
        | (u8::from(node.is_missing()) * MISSING);
    let range = node.byte_range();
    let range = insertions.position_without(range.start)..insertions.position_without(range.end);
    Node::new(range, language.kind(node.kind_id()), field).flagged(flags)
}
