//! Comments: of many all at once, then each on its own.

use super::{
    Context,
    proposal::{Proposal, fingerprint, only},
};
use crate::syntax::{Document, Edit};

/// Of more comments than these all go in one question first. What a preprocessor leaves in a file says where each file begins
/// and ends, and half of that means nothing.
const MANY: usize = 48;

/// The removal of each comment of a document: as a node, or without a grammar between the tokens. Of many comments the removal of
/// all of them comes first.
pub fn comments(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let mut proposals = nodes(document);
    if document.grammar().is_none() {
        proposals.extend(gaps(document));
    }
    if proposals.len() > MANY {
        proposals.insert(0, together(&proposals));
    }
    proposals
}

/// All these removals as one.
fn together(each: &[Proposal]) -> Proposal {
    let signatures: Vec<u8> = each
        .iter()
        .flat_map(|one| one.signature.to_le_bytes())
        .collect();
    Proposal::together(each, fingerprint(&[b"comments", &signatures]))
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

/// The removal of each comment that the parser found.
fn nodes(document: &Document) -> Vec<Proposal> {
    (0u32..)
        .zip(document.nodes())
        .filter(|(_, node)| node.is_comment() && node.end > node.start)
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
    use crate::pass::testing::{offered, results};
    use crate::syntax::Language;

    #[test]
    fn each_comment_goes_alone_with_and_without_a_grammar() {
        let text = "/* a */ int x; // b\nint y;";
        let found = offered("c", text, comments);
        assert_eq!(found, [" int x; // b\nint y;", "/* a */ int x;\nint y;"]);
        let document = Document::new(text.as_bytes(), Language::named("c")).without_grammar();
        let found = results(&document, &comments(&Context::new(document.clone())));
        assert_eq!(found, [" int x; // b\nint y;", "/* a */ int x;\nint y;"]);
    }

    #[test]
    fn many_comments_go_together_first() {
        let text = "/* a */ ".repeat(MANY + 1) + "int x;";
        let found = offered("c", &text, comments);
        assert_eq!(found.len(), MANY + 2);
        assert_eq!(found[0].trim(), "int x;");
        assert_eq!(offered("c", &"/* a */ ".repeat(MANY), comments).len(), MANY);
    }

    #[test]
    fn without_a_language_nothing_is_a_comment() {
        let document = Document::new(&b"see http://a.b\n# c\n/* d */"[..], None);
        assert!(comments(&Context::new(document.clone())).is_empty());
    }

    #[test]
    fn what_the_parser_does_not_understand_is_no_comment() {
        let document = Document::new(&b"int a; @ ) ] @ int b; // c"[..], Language::named("c"));
        assert!(document.is_damaged());
        let found = results(&document, &comments(&Context::new(document.clone())));
        assert_eq!(found, ["int a; @ ) ] @ int b; "]);
    }
}
