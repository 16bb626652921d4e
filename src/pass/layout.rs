//! Layout: blank lines, blanks at the end of lines, and runs of blanks.

use super::proposal::{Proposal, fingerprint};
use crate::syntax::{Document, Edit, Splice};

/// One proposal: every run of blanks outside of tokens becomes one blank or one newline, and none at both ends.
pub fn layout(document: &Document) -> Option<Proposal> {
    let bytes = document.bytes();
    let mut splices = Vec::new();
    let mut position = 0;
    for (id, node) in (0u32..)
        .zip(document.nodes())
        .filter(|(_, node)| node.end > node.start)
    {
        if !document.is_leaf(id) {
            continue;
        }
        splices.extend(shorter_gap(bytes, position..node.start as usize));
        position = position.max(node.end as usize);
    }
    splices.extend(shorter_gap(bytes, position..bytes.len()));
    let edit = Edit::new(splices);
    (!edit.is_empty()).then(|| Proposal {
        edit,
        weight: 1,
        signature: fingerprint(&[b"layout", bytes]),
        ..Proposal::default()
    })
}

fn shorter_gap(bytes: &[u8], gap: std::ops::Range<usize>) -> Option<Splice> {
    let text = bytes.get(gap.clone())?;
    if text.is_empty() || !text.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    let newlines = text.contains(&b'\n');
    let wanted: &[u8] = match (gap.start == 0, newlines) {
        (true, _) => b"",
        (_, true) => b"\n",
        (_, false) => b" ",
    };
    (wanted.len() < text.len()).then(|| Splice::replacement(gap, wanted))
}
