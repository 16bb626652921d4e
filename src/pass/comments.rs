//! Comments, statements that are remarks, and what a parser is shown as a comment: of many all at once, then those of one kind, then
//! each on its own.

use super::{
    Context,
    proposal::{Proposal, fingerprint, only},
};
use crate::syntax::{Document, Edit, Node, NodeId};
use rustc_hash::FxHashMap;

/// Of more comments than these all go in one question first. What a preprocessor leaves in a file says where each file begins
/// and ends, and half of that means nothing.
const MANY: usize = 48;
/// In a document of more bytes a single comment is not worth a question.
const LARGE: usize = 1 << 17;
/// There it is so many parts of all comments, or of the document if these are larger, that are worth one.
const PARTS: usize = 32;
const PARTS_OF_DOCUMENT: usize = 64;

/// The removal of each comment of a document, if they are not many: as a node, or without a grammar between the tokens. In a large
/// document the removal of all that may go alone. What is refused there may be asked about when it has become small.
pub fn comments(context: &Context) -> Vec<Proposal> {
    let each = asked(context);
    let is_large = context.document().bytes().len() > LARGE;
    match each.len() {
        2..=MANY if is_large => vec![together(&each)],
        0..=MANY => each,
        _ => Vec::new(),
    }
}

/// The same of many, those of one kind side by side: what a preprocessor leaves is needed or not for other reasons than what a
/// compiler is told about a declaration. In a large document by parts of all that they hold.
pub fn many_comments(context: &Context) -> Vec<Proposal> {
    let mut each = asked(context);
    if each.len() <= MANY {
        return Vec::new();
    }
    let document = context.document();
    for comment in &mut each {
        let removed = comment.edit.splices().iter().map(|it| it.range().len());
        comment.weight = u32::try_from(removed.sum::<usize>()).unwrap_or(u32::MAX);
    }
    let kind = |comment: &Proposal| {
        let node = comment.takes.first().map(|nodes| nodes.start);
        if node.is_some_and(|node| document.is_remark(node)) {
            return &b""[..];
        }
        let start = comment.edit.start().unwrap_or(0);
        kind_of(&document.bytes()[start..])
    };
    each.sort_by_cached_key(kind);
    if document.bytes().len() <= LARGE {
        return each;
    }
    let total: usize = each.iter().map(|comment| comment.weight as usize).sum();
    let least = (total / PARTS).max(document.bytes().len() / PARTS_OF_DOCUMENT);
    let mut before = 0;
    let same_part = each.chunk_by(|one, next| {
        let part = before / least;
        before += one.weight as usize;
        kind(one) == kind(next) && before / least == part
    });
    same_part.map(together).collect()
}

/// Those that are worth a question: in a large document what is needed by what it stands beside goes with that.
fn asked(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let mut all = all(document);
    if document.bytes().len() > LARGE
        && let Some(language) = document.language()
    {
        let text = |comment: &Proposal| {
            let splices = comment.edit.splices().first();
            splices.map_or(&[][..], |splice| &document.bytes()[splice.range()])
        };
        all.retain(|comment| !language.is_needed_unseen(text(comment)));
    }
    all
}

fn all(document: &Document) -> Vec<Proposal> {
    let mut all = nodes(document);
    if document.grammar().is_none() {
        all.extend(gaps(document));
    }
    all
}

/// What tells kinds of comments apart: the signs that they begin with, and the word behind these if no blank stands between.
fn kind_of(text: &[u8]) -> &[u8] {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let is_end = |byte: &u8| is_word(byte) || byte.is_ascii_whitespace();
    let signs = text.iter().position(is_end).unwrap_or(text.len());
    let word = text[signs..].iter().position(|byte| !is_word(byte));
    &text[..word.map_or(text.len(), |word| signs + word)]
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

/// The removal of each comment that the parser found, and of each remark: one that has to be something leaves the plainest text.
fn nodes(document: &Document) -> Vec<Proposal> {
    let mut are_all: FxHashMap<NodeId, bool> = FxHashMap::default();
    let asked = (0..)
        .zip(document.nodes())
        .filter(|&(id, node)| node.is_comment() && node.end > node.start || document.is_remark(id));
    let removed = asked.filter_map(|(id, node)| {
        let is_needed = document.is_remark(id)
            && (is_in_line(document, node)
                || *are_all
                    .entry(node.parent)
                    .or_insert_with(|| has_only_remarks(document, node.parent)));
        removed(document, id, is_needed)
    });
    removed.collect()
}

/// Whether there is nothing but comments and remarks in something that is not the whole document.
fn has_only_remarks(document: &Document, parent: NodeId) -> bool {
    let says_nothing = |child| {
        let node = document.node(child);
        !node.is_named() || node.is_comment() || document.is_remark(child)
    };
    parent > 0 && document.children(parent).all(says_nothing)
}

/// Whether what ends statements stands beside a node.
fn is_in_line(document: &Document, node: &Node) -> bool {
    let Some(language) = document.language() else {
        return false;
    };
    let (before, behind) = document.bytes().split_at(node.range().start);
    let behind = &behind[node.range().len()..];
    let mut ends = language.facts().terminators.iter().map(String::as_bytes);
    ends.any(|end| {
        before.trim_ascii_end().ends_with(end) || behind.trim_ascii_start().starts_with(end)
    })
}

/// The removal of one of these, unless it leaves no less.
fn removed(document: &Document, id: NodeId, is_needed: bool) -> Option<Proposal> {
    let node = document.node(id);
    let least = match document.language() {
        Some(language) if is_needed => language.facts().plainest.first()?,
        _ => "",
    };
    (node.range().len() > least.len()).then(|| Proposal {
        edit: Edit::replacement(node.range(), least.as_bytes()),
        weight: 1,
        takes: only(id..node.end_id),
        signature: fingerprint(&[b"comment", document.text(id)]),
        ..Proposal::default()
    })
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
    fn a_statement_that_is_a_remark_goes_like_a_comment() {
        if Language::named("python").is_none() {
            return;
        }
        let text = "'a'\nb = 'c'\nclass d:\n 'e'\n f = 1\nclass g:\n 'h'\n";
        let found = offered("python", text, comments);
        let without = |from: &str, to: &str| text.replace(from, to);
        let alone = without(" 'h'", " \"\"");
        assert_eq!(found, [without("'a'", ""), without(" 'e'", ""), alone]);
        let row = offered("python", "x = 1; 'ab'; y = 2\ndef f(): 'cd';\n", comments);
        let left = [
            "x = 1; \"\"; y = 2\ndef f(): 'cd';\n",
            "x = 1; 'ab'; y = 2\ndef f(): \"\";\n",
        ];
        assert_eq!(row, left);
        assert!(offered("python", "class a:\n ''\n", comments).is_empty());
    }

    #[test]
    fn many_comments_are_another_step() {
        let text = "/* a */ ".repeat(MANY + 1) + "int x;";
        assert!(offered("c", &text, comments).is_empty());
        assert_eq!(offered("c", &text, many_comments).len(), MANY + 1);
        let text = "/* a */ ".repeat(MANY);
        assert_eq!(offered("c", &text, comments).len(), MANY);
        assert!(offered("c", &text, many_comments).is_empty());
    }

    #[test]
    fn in_a_large_document_comments_go_by_kinds_and_parts() {
        let line = "int x; // a\n/* b */\n";
        let text = line.repeat(LARGE / line.len() + 1);
        let found = offered("c", &text, many_comments);
        assert!((PARTS..PARTS + 3).contains(&found.len()), "{}", found.len());
        let all = text.matches("int").count();
        let is_of_one_kind = |left: &String| {
            ["//", "/*"]
                .iter()
                .any(|kind| left.matches(kind).count() == all)
        };
        assert!(found.iter().all(is_of_one_kind));
        let text = "int x;\n".repeat(LARGE / 7 + 1) + "// a\n/* b */";
        assert_eq!(offered("c", &text, comments).len(), 1);
    }

    #[test]
    fn kinds_are_told_by_how_they_begin() {
        let kinds = [
            "# 1 \"a\"",
            "#pragma b",
            "__attribute__((c))",
            "[[d]]",
            "/* e",
            "// f",
        ]
        .map(|it| kind_of(it.as_bytes()));
        let expected: [&[u8]; 6] = [b"#", b"#pragma", b"__attribute__", b"[[d", b"/*", b"//"];
        assert_eq!(kinds, expected);
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

    #[test]
    fn in_a_large_document_what_changes_a_type_goes_with_it_only() {
        let filler = "int f(int a, int b);\n".repeat(LARGE / 20);
        let attributes = "typedef int v __attribute__((__vector_size__(8)));\nint g() __attribute__((__pure__));\n";
        let text = format!("{attributes}{filler}");
        let document = Document::new(text.as_bytes(), Language::named("cpp"));
        assert_eq!(all(&document).len(), 2);
        assert_eq!(asked(&Context::new(document)).len(), 1);
    }
}
