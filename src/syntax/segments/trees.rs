//! The parser's trees over ranges of a text: made, judged and walked.

use crate::syntax::{Language, parse, points::Points};
use std::ops::Range;
use tree_sitter::{Node, Tree, TreeCursor};

/// The brackets around a place: the bytes at which they stand. None at the top.
pub(super) type Brackets = Option<(usize, usize)>;

/// The trees of ranges of one text.
pub(crate) struct Trees<'t> {
    pub(super) bytes: &'t [u8],
    language: &'t Language,
    points: Points,
    /// How many bytes the parser has read.
    read: usize,
}

/// A part of this size in errors is much: one in so many bytes.
const MUCH: usize = 16;
/// The parser is to read no more than so many times the text.
const MOST_READ: usize = 16;

impl<'t> Trees<'t> {
    /// Cost: linear.
    pub(crate) fn new(bytes: &'t [u8], language: &'t Language) -> Self {
        Self {
            bytes,
            language,
            points: Points::of(bytes),
            read: 0,
        }
    }

    /// Parses ranges of the text, which are in order, as if nothing stood between them; `None` when the parser refuses.
    pub(crate) fn parsed(&mut self, ranges: &[Range<usize>]) -> Option<Tree> {
        self.read += ranges.iter().map(Range::len).sum::<usize>();
        let ranges = ranges.iter().map(|range| tree_sitter::Range {
            start_byte: range.start,
            end_byte: range.end,
            start_point: self.points.point(range.start),
            end_point: self.points.point(range.end),
        });
        parse::tree(self.bytes, self.language, &ranges.collect::<Vec<_>>())
    }

    /// Whether the parser has read so much that it has to do with what it has found.
    pub(super) fn is_spent(&self) -> bool {
        self.read > self.bytes.len().saturating_mul(MOST_READ)
    }
}

/// The node that holds what stands between these brackets, or at the top; `None` if the parser sees no such place.
pub(super) fn holder(tree: &Tree, brackets: Brackets) -> Option<Node<'_>> {
    let root = tree.root_node();
    if root.is_error() {
        return None;
    }
    let Some((open, close)) = brackets else {
        return Some(root);
    };
    let holder = root.descendant_for_byte_range(open, open + 1)?.parent()?;
    let last = holder.child_count().checked_sub(1)?;
    let last = holder.child(last)?;
    (last.start_byte() == close && !last.is_missing()).then_some(holder)
}

/// Whether little of these bytes is in errors, and they have a place between these brackets.
pub(super) fn is_good(tree: &Tree, brackets: Brackets, bytes: &Range<usize>) -> bool {
    holder(tree, brackets).is_some() && bytes_in_errors(tree).saturating_mul(MUCH) <= bytes.len()
}

/// How many bytes stand in errors. Cost: linear in the nodes that have one below them, and their children.
fn bytes_in_errors(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let mut bytes = 0;
    loop {
        let node = cursor.node();
        let is_error = node.is_error() || node.is_missing();
        if is_error {
            bytes += node.byte_range().len().max(1);
        }
        if !is_error && node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return bytes;
            }
        }
    }
}

/// A walk over all nodes of a tree, parents before their children.
pub(super) struct Walk<'t> {
    cursor: TreeCursor<'t>,
    has_begun: bool,
    /// The number of the node in this order.
    pub(super) number: u32,
    /// How many nodes it lies in.
    pub(super) depth: usize,
}

impl<'t> Walk<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        Self {
            cursor: tree.walk(),
            has_begun: false,
            number: 0,
            depth: 0,
        }
    }

    /// Goes to the next node; `None` at the end.
    pub(super) fn next(&mut self) -> Option<Node<'t>> {
        if !self.has_begun {
            self.has_begun = true;
            return Some(self.cursor.node());
        }
        self.number += 1;
        if self.cursor.goto_first_child() {
            self.depth += 1;
            return Some(self.cursor.node());
        }
        while !self.cursor.goto_next_sibling() {
            if !self.cursor.goto_parent() {
                return None;
            }
            self.depth -= 1;
        }
        Some(self.cursor.node())
    }

    /// Where it is.
    pub(super) fn cursor(&self) -> &TreeCursor<'t> {
        &self.cursor
    }
}
