//! Layout: blank lines, blanks at the end of lines, and runs of blanks.

use super::{
    Context,
    proposal::{Proposal, fingerprint},
};
use crate::syntax::{Document, Edit, Splice};

/// Two proposals: every run of blanks outside of tokens becomes one blank or one newline, and none at both ends; and the same
/// with the indentation of each line left as it is, for languages in which it means something.
pub fn layout(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    [false, true]
        .into_iter()
        .filter_map(|indented| shorter_gaps(document, indented))
        .collect()
}

fn shorter_gaps(document: &Document, indented: bool) -> Option<Proposal> {
    let bytes = document.bytes();
    let mut splices = Vec::new();
    let mut position = 0;
    for leaf in document.leaves() {
        let node = document.node(leaf);
        splices.extend(shorter_gap(bytes, position..node.start as usize, indented));
        position = position.max(node.end as usize);
    }
    splices.extend(shorter_gap(bytes, position..bytes.len(), indented));
    let edit = Edit::new(splices);
    (!edit.is_empty()).then(|| Proposal {
        edit,
        weight: 1,
        signature: fingerprint(&[b"layout", bytes, &[u8::from(indented)]]),
        ..Proposal::default()
    })
}

fn shorter_gap(bytes: &[u8], gap: std::ops::Range<usize>, indented: bool) -> Option<Splice> {
    let text = bytes.get(gap.clone())?;
    if text.is_empty() || !text.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    let last_line = text.iter().rposition(|&byte| byte == b'\n');
    let wanted: &[u8] = match last_line {
        Some(at) if indented && gap.end < bytes.len() => &text[at + usize::from(gap.start == 0)..],
        _ if gap.start == 0 => b"",
        Some(_) => b"\n",
        None => b" ",
    };
    (wanted.len() < text.len()).then(|| Splice::replacement(gap, wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::offered;

    #[test]
    fn blank_lines_go_with_and_without_the_indentation() {
        let text = "\n\nif  a:\n   \n  b\n\n";
        let found = offered("python", text, layout);
        assert_eq!(found, ["if a:\nb\n", "if a:\n  b\n"]);
    }
}
