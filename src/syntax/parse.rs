//! From tree-sitter's tree to our own nodes.

use super::{
    Language,
    document::{ERROR, EXTRA, MISSING, NAMED},
    document::{Node, Nodes},
};
use std::ops::ControlFlow;
use tree_sitter::{ParseOptions, ParseState, Parser, TreeCursor};

/// Parses `bytes` in `language`; `None` when the parser refuses (the input is too large) or gets nowhere.
pub(super) fn parse(bytes: &[u8], language: &Language) -> Option<Nodes> {
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
    Some(convert(&mut tree.walk(), nodes, language))
}

/// The parser looks in every hundred steps; it takes a few steps for a token.
const LEAST_CHECKS: usize = 100;

/// Walks the whole tree without recursion: inputs nest as deep as they like.
fn convert(cursor: &mut TreeCursor, mut nodes: Nodes, language: &Language) -> Nodes {
    loop {
        nodes.open(node_at(cursor, language));
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

fn node_at(cursor: &TreeCursor, language: &Language) -> Node {
    let node = cursor.node();
    let field = cursor.field_id().map_or(0, u16::from);
    let flags = (u8::from(node.is_named()) * NAMED)
        | (u8::from(node.is_extra()) * EXTRA)
        | (u8::from(node.is_error()) * ERROR)
        | (u8::from(node.is_missing()) * MISSING);
    Node::new(node.byte_range(), language.kind(node.kind_id()), field).flagged(flags)
}
