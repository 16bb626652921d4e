//! From tree-sitter's tree to our own nodes.

use super::{
    Language, columns,
    document::{ERROR, EXTRA, MISSING, NAMED},
    document::{Node, Nodes},
    implied,
};
use std::ops::ControlFlow;
use tree_sitter::{ParseOptions, ParseState, Parser, TreeCursor};

/// Parses `bytes` in `language`; `None` when the parser refuses (the input is too large), gets nowhere, or could not hold all the
/// blocks that the text can open.
pub(super) fn parse(bytes: &[u8], language: &Language) -> Option<Nodes> {
    let most_columns = language.facts().most_columns;
    if most_columns.is_some_and(|most| columns::count(bytes) > most) {
        return None;
    }
    let nodes = with_insertions(bytes, language, &Insertions::default())?;
    let text = language.facts().implied_type.as_bytes();
    if text.is_empty() {
        return Some(nodes);
    }
    let places = implied::places(&nodes, language.grammar(), bytes);
    if places.is_empty() {
        return Some(nodes);
    }
    let complete = with_insertions(bytes, language, &Insertions { places, text });
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
    fn applied(&self, bytes: &[u8]) -> Vec<u8> {
        let mut applied = Vec::with_capacity(bytes.len() + self.places.len() * self.text.len());
        let mut end = 0;
        for &place in &self.places {
            applied.extend_from_slice(&bytes[end..place]);
            applied.extend_from_slice(self.text);
            end = place;
        }
        applied.extend_from_slice(&bytes[end..]);
        applied
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

fn with_insertions(bytes: &[u8], language: &Language, insertions: &Insertions) -> Option<Nodes> {
    let applied;
    let bytes = if insertions.places.is_empty() {
        bytes
    } else {
        applied = insertions.applied(bytes);
        &applied
    };
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
    let tree = parser.parse_with_options(&mut rest, None, Some(options))?;
    // What the parser has put by is of no use any more, and the nodes need the room.
    drop(parser);
    let nodes = Nodes::with_capacity(tree.root_node().descendant_count());
    Some(convert(&mut tree.walk(), nodes, language, insertions))
}

/// The parser looks in every hundred steps; it takes a few steps for a token.
const LEAST_CHECKS: usize = 100;

/// Walks the whole tree without recursion: inputs nest as deep as they like.
fn convert(
    cursor: &mut TreeCursor,
    mut nodes: Nodes,
    language: &Language,
    insertions: &Insertions,
) -> Nodes {
    loop {
        nodes.open(node_at(cursor, language, insertions));
        if cursor.goto_first_child() {
            continue;
        }
        nodes.close();
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return nodes;
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
