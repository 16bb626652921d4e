//! Comments and other extras, each on its own.

use super::proposal::{Proposal, fingerprint, only};
use crate::syntax::{Document, Edit};

/// The removal of each comment of a document: as a node, or without a grammar between the tokens.
pub fn comments(document: &Document) -> Vec<Proposal> {
    let mut proposals = extras(document);
    if document.grammar().is_none() {
        proposals.extend(gaps(document));
    }
    proposals
}

/// What stands between two tokens and is not blank.
fn gaps(document: &Document) -> Vec<Proposal> {
    let bytes = document.bytes();
    let leaves = document.leaves().map(|leaf| document.node(leaf).range());
    let mut end = 0;
    let mut gaps = Vec::new();
    for next in leaves.chain(std::iter::once(bytes.len()..bytes.len())) {
        let gap = end..next.start.max(end);
        end = end.max(next.end);
        let text = &bytes[gap.clone()];
        if text.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let blank: &[u8] = if text.contains(&b'\n') { b"\n" } else { b" " };
        gaps.push(Proposal {
            edit: Edit::replacement(gap, blank),
            weight: 1,
            signature: fingerprint(&[b"comment", text]),
            ..Proposal::default()
        });
    }
    gaps
}

/// The removal of each extra of a document, with the blanks before it.
fn extras(document: &Document) -> Vec<Proposal> {
    (0u32..)
        .zip(document.nodes())
        .filter(|(_, node)| node.is_extra() && !node.is_error() && node.end > node.start)
        .map(|(id, node)| Proposal {
            edit: Edit::deletion(node.range()),
            weight: 1,
            takes: only(id..node.end_id),
            signature: fingerprint(&[b"comment", document.text(id)]),
            ..Proposal::default()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::offered;

    #[test]
    fn each_comment_goes_alone_with_and_without_a_grammar() {
        let text = "/* a */ int x; // b\nint y;";
        let found = offered("c", text, |sample| comments(&sample.document));
        assert_eq!(found, [" int x; // b\nint y;", "/* a */ int x;\nint y;"]);
        let document = Document::new(&b"select 1 -- one\n, 2 /* two */"[..], None);
        let found = crate::pass::testing::results(&document, &comments(&document));
        assert_eq!(found, ["select 1 -- one\n, 2 "]);
    }
}
