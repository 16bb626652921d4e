//! Where a language tells its blocks by columns, the lines of what moves go to the columns of its new place.

use crate::syntax::{Document, NodeId, Splice};
use std::ops::Range;

/// What brings the lines of some nodes from the column where the first begins to the one where `place` begins. Nothing in
/// languages that do not look at columns. A line that begins further left than the first node belongs to something else, and
/// stays. Moves over each other's lines compose: each takes the columns between its own two. Cost: linear in the nodes.
pub(super) fn moved(document: &Document, nodes: Range<NodeId>, place: NodeId) -> Vec<Splice> {
    let looks_at_columns = |language: &crate::syntax::Language| language.facts().columns;
    if !document.language().is_some_and(|it| looks_at_columns(it)) {
        return Vec::new();
    }
    let bytes = document.bytes();
    let start_of = |node: NodeId| document.node(node).start as usize;
    let column_of = |at: usize| at - line_start(bytes, at);
    let from = column_of(start_of(nodes.start));
    let to = column_of(start_of(place));
    let is_token =
        |&node: &NodeId| document.is_leaf(node) && !document.node(node).range().is_empty();
    let first_byte = start_of(nodes.start);
    let starts = nodes.filter(is_token).map(start_of);
    let begins_line =
        |&at: &usize| at > first_byte && is_first_of_line(bytes, at) && column_of(at) >= from;
    starts
        .filter(begins_line)
        .filter_map(|at| shifted(line_start(bytes, at), from, to))
        .collect()
}

/// The beginning of a line goes from one column to another.
fn shifted(line: usize, from: usize, to: usize) -> Option<Splice> {
    if from == to {
        return None;
    }
    let blanks = vec![b' '; to.saturating_sub(from)];
    Some(Splice::replacement(
        line + to.min(from)..line + from,
        &blanks,
    ))
}

fn line_start(bytes: &[u8], at: usize) -> usize {
    let end = bytes[..at].iter().rposition(|&byte| byte == b'\n');
    end.map_or(0, |end| end + 1)
}

fn is_first_of_line(bytes: &[u8], at: usize) -> bool {
    let before = &bytes[line_start(bytes, at)..at];
    before.iter().all(|&byte| matches!(byte, b' ' | b'\t'))
}
