//! Layout: blank lines, blanks at the end of lines, and runs of blanks.

use super::{
    Context,
    proposal::{Proposal, fingerprint},
};
use crate::syntax::{Document, Edit, Splice};

/// Two proposals: every run of blanks outside of tokens becomes one blank or one newline, and none at both ends; and the same
/// with the indentation of each line left as it is, for languages in which it means something. Where lines end with CRLF, both
/// also with that.
pub fn layout(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let has_returns = document.bytes().windows(2).any(|two| two == LINE_ENDS[1]);
    let line_ends = &LINE_ENDS[..=usize::from(has_returns)];
    let ways = line_ends
        .iter()
        .flat_map(|line_end| [false, true].map(|indented| (indented, *line_end)));
    ways.filter_map(|(indented, line_end)| shorter_gaps(document, indented, line_end))
        .collect()
}

const LINE_ENDS: [&[u8]; 2] = [b"\n", b"\r\n"];

fn shorter_gaps(document: &Document, indented: bool, line_end: &[u8]) -> Option<Proposal> {
    let bytes = document.bytes();
    let mut splices = Vec::new();
    let mut position = 0;
    for leaf in document.leaves() {
        let node = document.node(leaf);
        let gap = position..node.start as usize;
        splices.extend(shorter_gap(bytes, gap, indented, line_end));
        position = position.max(node.end as usize);
    }
    splices.extend(shorter_gap(
        bytes,
        position..bytes.len(),
        indented,
        line_end,
    ));
    let edit = Edit::new(splices);
    (!edit.is_empty()).then(|| Proposal {
        edit,
        weight: 1,
        signature: fingerprint(&[b"layout", bytes, &[u8::from(indented)], line_end]),
        ..Proposal::default()
    })
}

fn shorter_gap(
    bytes: &[u8],
    gap: std::ops::Range<usize>,
    indented: bool,
    line_end: &[u8],
) -> Option<Splice> {
    let text = bytes.get(gap.clone())?;
    if text.is_empty() || !text.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    let last_line = text.iter().rposition(|&byte| byte == b'\n');
    let indentation = |at: usize| &text[at + 1..];
    let wanted: Vec<u8> = match last_line {
        Some(at) if indented && gap.end < bytes.len() && gap.start == 0 => indentation(at).to_vec(),
        Some(at) if indented && gap.end < bytes.len() => [line_end, indentation(at)].concat(),
        _ if gap.start == 0 => Vec::new(),
        Some(_) => line_end.to_vec(),
        None => b" ".to_vec(),
    };
    (wanted.len() < text.len()).then(|| Splice::replacement(gap, &wanted))
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
        let text = "\r\na\r\n\r\n  b\r\n";
        let found = offered("python", text, layout);
        assert_eq!(found, ["a\nb\n", "a\n  b\n", "a\r\nb\r\n", "a\r\n  b\r\n"]);
    }
}
