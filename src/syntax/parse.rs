//! From tree-sitter's tree to our own nodes.

use super::{
    Language,
    document::{Node, Nodes},
};
use tree_sitter::{Parser, TreeCursor};

/// Parses `bytes` in `language`; `None` when the parser refuses (it was built for another version, or the input is too large).
pub(super) fn parse(bytes: &[u8], language: &Language) -> Option<Nodes> {
    if u32::try_from(bytes.len()).is_err() {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(language.parser()).ok()?;
    let tree = parser.parse(bytes, None)?;
    Some(convert(&mut tree.walk(), language))
}

/// Walks the whole tree without recursion: inputs nest as deep as they like.
fn convert(cursor: &mut TreeCursor, language: &Language) -> Nodes {
    let mut nodes = Nodes::default();
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
    Node::new(node.byte_range(), language.kind(node.kind_id()), field).with(
        node.is_named(),
        node.is_extra(),
        node.is_error(),
        node.is_missing(),
    )
}
