//! Where a language tells its blocks by columns, the lines of what moves go to the columns of its new place.

use crate::syntax::{Document, NodeId, Splice};
use std::ops::Range;

/// Of nodes in each other, each can be asked to move, so that what they cost together is bounded by this.
const MOST_NODES: usize = 20_000;

/// What brings the lines of some nodes from the column where the first begins to the one where `place` begins. Nothing in
/// languages that do not look at columns. A line that begins further left than the first node belongs to something else, and
/// stays. Moves over each other's lines compose: each takes the columns between its own two. Cost: linear in the nodes; more than
/// [`MOST_NODES`] stay where they are.
pub(super) fn moved(document: &Document, nodes: Range<NodeId>, place: NodeId) -> Vec<Splice> {
    let bytes = document.bytes();
    let start_of = |node: NodeId| document.node(node).start as usize;
    let (first, place) = (start_of(nodes.start), start_of(place));
    let end = document.node(nodes.end - 1).end as usize;
    let looks_at_columns = document.language().is_some_and(|it| it.facts().columns);
    if !looks_at_columns || nodes.len() > MOST_NODES || !bytes[first..end].contains(&b'\n') {
        return Vec::new();
    }
    let is_token =
        |&node: &NodeId| document.is_leaf(node) && !document.node(node).range().is_empty();
    let starts = nodes.filter(is_token).map(start_of);
    let (from, to) = (column(bytes, first), column(bytes, place));
    let blanks = indentation(bytes, place - to, from, to);
    let lines = starts
        .filter(|&at| begins_line(bytes, at, first))
        .filter(|&at| from != to && column(bytes, at) >= from);
    let splices = lines.map(|at| {
        let line = at - column(bytes, at);
        Splice::replacement(line + to.min(from)..line + from, &blanks)
    });
    splices.collect()
}

/// Where the blanks behind a range end, if it begins a line and columns may mean something: without both the rest of the line begins
/// where the range did. Else where the range ends.
pub(super) fn end_with_blanks(document: &Document, range: &Range<usize>) -> usize {
    let bytes = document.bytes();
    let mut before = bytes[..range.start].iter().rev().copied();
    let before = before.find(|&byte| !is_blank(byte));
    let begins_line = before.is_none_or(|byte| byte == b'\n');
    let may_count = document.language().is_none_or(|it| it.facts().columns);
    let blanks = bytes[range.end..]
        .iter()
        .copied()
        .take_while(|&it| is_blank(it));
    range.end
        + if begins_line && may_count {
            blanks.count()
        } else {
            0
        }
}

/// What is added to a line that moves to the right, as the line there has it.
fn indentation(bytes: &[u8], line: usize, from: usize, to: usize) -> Vec<u8> {
    let there = bytes.get(line + from..line + to).unwrap_or_default();
    if there.iter().copied().all(is_blank) {
        return there.to_vec();
    }
    vec![b' '; there.len()]
}

/// How many bytes stand before this one on its line.
fn column(bytes: &[u8], at: usize) -> usize {
    let line = bytes[..at].rsplit(|&byte| byte == b'\n').next();
    line.map_or(at, <[u8]>::len)
}

/// Whether only blanks stand before a byte on its line, which is not the line of `first`.
fn begins_line(bytes: &[u8], at: usize, first: usize) -> bool {
    let gap = bytes.get(first..at).unwrap_or_default();
    let before = gap.iter().rev().find(|&&byte| !is_blank(byte));
    before == Some(&b'\n')
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Edit, Joint, Language};

    /// The text, in which the lines of the node that begins with one word have gone to the column of the one with the other.
    fn at_column_of(language: &str, text: &str, moved_word: &str, place_word: &str) -> String {
        let document = Document::new(text.as_bytes(), Language::named(language));
        let node_at = |word: &str| {
            let at = text.find(word).unwrap();
            document
                .ids()
                .find(|&id| document.node(id).start as usize == at && id > 0)
                .unwrap()
        };
        let node = node_at(moved_word);
        let nodes = node..document.node(node).end_id;
        let edit = Edit::new(moved(&document, nodes, node_at(place_word)));
        let mut bytes = Vec::new();
        edit.render(document.bytes(), Joint::Touch, &mut bytes);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn the_lines_behind_the_first_move_as_far_as_it() {
        let text = "a\nif b:\n    if c:\n      d\n    else:\n      e\n";
        let left = "a\nif b:\n    if c:\n  d\nelse:\n  e\n";
        assert_eq!(at_column_of("python", text, "if c", "if b"), left);
        let text = "if c:\n\td\nif b:\n\tif f:\n\t\te\n";
        let right = "if c:\n\t\td\nif b:\n\tif f:\n\t\te\n";
        assert_eq!(at_column_of("python", text, "if c", "if f"), right);
    }

    #[test]
    fn braces_need_no_columns() {
        let text = "int f() {\n  if (a) {\n    b();\n  }\n}\n";
        assert_eq!(at_column_of("c", text, "if", "int"), text);
    }
}
