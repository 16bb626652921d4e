//! A tree for documents without a grammar: from brackets, indentation and lines; for binary data, from blocks of bytes.

use super::{
    document::{NAMED, Node, Nodes},
    tokens::token_ranges,
};
use crate::grammar::Kind;
use std::ops::Range;

const DOCUMENT: Kind = Kind(1);
const LINE: Kind = Kind(2);
const GROUP: Kind = Kind(3);
const TOKEN: Kind = Kind(4);
const BLOCK: Kind = Kind(5);
const NAMES: &[&str] = &["ERROR", "document", "line", "group", "token", "block"];

/// Children of a block of binary data.
const FAN_OUT: usize = 16;

/// The name of a kind of this tree.
pub(super) fn kind_name(kind: Kind) -> &'static str {
    NAMES.get(usize::from(kind.0)).copied().unwrap_or("ERROR")
}

/// The tree over `bytes`. Cost: linear.
pub(super) fn parse(bytes: &[u8]) -> Nodes {
    let mut nodes = Nodes::default();
    nodes.open(Node::new(0..bytes.len(), DOCUMENT, 0).flagged(NAMED));
    if bytes.contains(&0) {
        blocks(bytes.len(), &mut nodes);
    } else {
        Lines {
            bytes,
            nodes: &mut nodes,
            open: Vec::new(),
        }
        .tokens();
    }
    while nodes.depth() > 0 {
        nodes.close();
    }
    nodes
}

/// Blocks of `FAN_OUT`ⁿ bytes, down to single ones.
fn blocks(length: usize, nodes: &mut Nodes) {
    let mut largest = 1;
    while largest * FAN_OUT < length {
        largest *= FAN_OUT;
    }
    // The sizes of the blocks that are open at `position` follow from it, so no stack is needed.
    for position in 0..length {
        let mut size = largest;
        while size >= 1 {
            if position.is_multiple_of(size) {
                while position > 0 && nodes.depth() > depth_of(size, largest) {
                    nodes.close();
                }
                let end = (position + size).min(length);
                nodes.open(Node::new(position..end, BLOCK, 0).flagged(NAMED));
            }
            size /= FAN_OUT;
        }
    }
}

/// How many nodes are open when a block of `size` bytes can start: the root and the larger blocks.
fn depth_of(size: usize, largest: usize) -> usize {
    let mut depth = 1;
    let mut larger = largest;
    while larger > size {
        larger /= FAN_OUT;
        depth += 1;
    }
    depth
}

/// What is open between two tokens: a bracket group, or a line with its indentation.
enum Open {
    Group { closing: u8 },
    Line { indentation: usize },
}

struct Lines<'a> {
    bytes: &'a [u8],
    nodes: &'a mut Nodes,
    open: Vec<Open>,
}

impl Lines<'_> {
    fn tokens(&mut self) {
        let mut line_start = 0;
        let mut previous_end = 0;
        for range in token_ranges(self.bytes) {
            let gap = &self.bytes[previous_end..range.start];
            if let Some(newline) = gap.iter().rposition(|&byte| byte == b'\n') {
                line_start = previous_end + newline + 1;
            }
            if previous_end == 0
                || gap.contains(&b'\n')
                || !matches!(self.open.last(), Some(Open::Line { .. }))
            {
                self.start_line(range.start, range.start.saturating_sub(line_start));
            }
            previous_end = range.end;
            self.token(range);
        }
        while !self.open.is_empty() {
            self.close(previous_end);
        }
    }

    /// A line that is indented deeper than the one before belongs to it.
    fn start_line(&mut self, start: usize, indentation: usize) {
        while matches!(self.open.last(), Some(Open::Line { indentation: above }) if *above >= indentation)
        {
            self.close(start);
        }
        self.open_node(start, LINE, Open::Line { indentation });
    }

    fn token(&mut self, range: Range<usize>) {
        let byte = self.bytes[range.start];
        let closing = match byte {
            b'(' => Some(b')'),
            b'[' => Some(b']'),
            b'{' => Some(b'}'),
            _ => None,
        };
        if let Some(closing) = closing {
            self.open_node(range.start, GROUP, Open::Group { closing });
        }
        let closes = self.closes_group(byte);
        if closes {
            while matches!(self.open.last(), Some(Open::Line { .. })) {
                self.close(range.start);
            }
        }
        self.nodes.open(Node::new(range.clone(), TOKEN, 0).flagged(
            if closing.is_none() && !closes {
                NAMED
            } else {
                0
            },
        ));
        self.nodes.close();
        self.nodes
            .extend_to(u32::try_from(range.end).unwrap_or(u32::MAX));
        if closes {
            self.close(range.end);
        }
    }

    /// Whether `byte` closes the innermost group. A bracket that fits no open one is an ordinary token.
    fn closes_group(&self, byte: u8) -> bool {
        let innermost = self.open.iter().rev().find_map(|open| match open {
            Open::Group { closing } => Some(*closing),
            Open::Line { .. } => None,
        });
        innermost == Some(byte)
    }

    fn open_node(&mut self, start: usize, kind: Kind, open: Open) {
        self.nodes
            .open(Node::new(start..start, kind, 0).flagged(NAMED));
        self.open.push(open);
    }

    fn close(&mut self, end: usize) {
        // The end of a line is that of its last token, which extended it when it was closed itself.
        let end = self.bytes[..end]
            .iter()
            .rposition(|byte| !byte.is_ascii_whitespace())
            .map_or(0, |last| last + 1);
        self.nodes.extend_to(u32::try_from(end).unwrap_or(u32::MAX));
        self.nodes.close();
        self.nodes.extend_to(u32::try_from(end).unwrap_or(u32::MAX));
        self.open.pop();
    }
}

#[cfg(test)]
mod tests {
    use crate::syntax::Document;

    /// The tree as nested text: every inner node in brackets.
    fn shape(text: &str) -> String {
        let document = Document::new(text.as_bytes(), None);
        let mut out = String::new();
        let mut open: Vec<u32> = Vec::new();
        for (id, node) in (0..).zip(document.nodes()) {
            while open.last().is_some_and(|&end| end <= id) {
                out.push(']');
                open.pop();
            }
            if document.is_leaf(id) {
                out += std::str::from_utf8(document.text(id)).unwrap();
                out.push(' ');
            } else {
                out.push('[');
                open.push(node.end_id);
            }
        }
        out + &"]".repeat(open.len())
    }

    #[test]
    fn lines_and_brackets_nest() {
        assert_eq!(shape("a b\nc"), "[[a b ][c ]]");
        assert_eq!(shape("f(x y) z"), "[[f [( [x y ]) ]z ]]");
    }

    #[test]
    fn deeper_indentation_belongs_to_the_line_above() {
        assert_eq!(shape("if a:\n  b\n  c\nd"), "[[if a : [b ][c ]][d ]]");
    }

    #[test]
    fn a_bracket_that_fits_nothing_is_a_token() {
        assert_eq!(shape("a ) b"), "[[a ) b ]]");
    }

    #[test]
    fn binary_data_becomes_blocks_down_to_single_bytes() {
        let document = Document::new(vec![0u8; 300], None);
        assert_eq!(document.children(0).count(), 2);
        assert_eq!(document.node(0).tokens, 300);
    }
}
