//! Windows of neighbouring tokens, without regard to the tree; and of neighbours in it.
//!
//! A leaf with code that the grammar does not take apart counts as the tokens that it holds.

use super::{
    columns,
    in_place::is_name,
    proposal::{Proposal, fingerprint},
};
use crate::syntax::{Document, Edit, NodeId};
use std::ops::Range;

/// Every window of `size` neighbouring tokens, in document order.
pub fn windows(document: &Document, size: usize) -> Vec<Proposal> {
    let tokens = tokens(document);
    let starts = 0..(tokens.len() + 1).saturating_sub(size);
    let windows = starts.map(|start| window(document, &tokens, start..start + size));
    windows.collect()
}

/// In what the parser did not understand: each word of the language with what stands behind it, up to the next such word, or to what
/// is understood again.
pub fn phrases(document: &Document) -> Vec<Proposal> {
    let tokens = tokens(document);
    let errors = document.ids().filter(|&id| document.node(id).is_error());
    let of_error = |error: NodeId| {
        let range = document.node(error).range();
        let first = tokens.partition_point(|token| token.range.start < range.start);
        let behind = tokens.partition_point(|token| token.range.start < range.end);
        let words = tokens[first..behind].iter();
        let words = words.filter(|token| is_word(document, token, error));
        let mut starts: Vec<usize> = words.map(|word| word.range.start).collect();
        let end = document.bytes().len();
        starts.push(tokens.get(behind).map_or(end, |token| token.range.start));
        let phrases = starts.windows(2);
        phrases
            .filter_map(|pair| phrase(document, pair[0]..pair[1]))
            .collect::<Vec<_>>()
    };
    errors.flat_map(of_error).collect()
}

/// The deletion of a range but for the blanks at its end, if that is more than one token.
fn phrase(document: &Document, range: Range<usize>) -> Option<Proposal> {
    let text = document.bytes()[range.clone()].trim_ascii_end();
    let count = document.lexis().count(text);
    (count > 1).then(|| Proposal {
        signature: fingerprint(&[b"phrase", text]),
        edit: Edit::deletion(range.start..range.start + text.len()),
        weight: u32::try_from(count).unwrap_or(u32::MAX),
        ..Proposal::default()
    })
}

/// Whether a token is a word of the language that stands in a node itself.
fn is_word(document: &Document, token: &Token, parent: NodeId) -> bool {
    token.leaf.is_some_and(|leaf| {
        let is_own = document.node(leaf).parent == parent && !is_name(document, leaf);
        is_own && document.text(leaf).iter().all(u8::is_ascii_alphabetic)
    })
}

/// The deletion of the tokens at these places.
fn window(document: &Document, tokens: &[Token], places: Range<usize>) -> Proposal {
    let text = |token: &Token| document.bytes()[token.range.clone()].to_vec();
    let around = places.start.saturating_sub(2)..(places.end + 2).min(tokens.len());
    let around: Vec<u8> = tokens[around].iter().flat_map(text).collect();
    let window = &tokens[places.clone()];
    let range = window[0].range.start..window[places.len() - 1].range.end;
    let leaves = window.iter().filter_map(|token| token.leaf);
    Proposal {
        signature: fingerprint(&[b"window", &around, &document.bytes()[range.clone()]]),
        edit: Edit::deletion(range.start..end_of_deletion(document, &range)),
        weight: u32::try_from(places.len()).unwrap_or(u32::MAX),
        takes: leaves.map(|leaf| leaf..leaf + 1).collect(),
        ..Proposal::default()
    }
}

/// Where the deletion of a range ends. The line end behind a backslash means nothing without it. Where columns may mean something the
/// blanks behind the first word of a line go with it, so that the rest of the line begins where that did.
fn end_of_deletion(document: &Document, range: &Range<usize>) -> usize {
    let bytes = document.bytes();
    let behind = &bytes[range.end..];
    if bytes[range.clone()].ends_with(b"\\") {
        let line_ends = [&b"\n"[..], b"\r\n"];
        let line_end = line_ends.iter().find(|it| behind.starts_with(it));
        return range.end + line_end.map_or(0, |it| it.len());
    }
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    if bytes.get(range.start).is_some_and(is_of_word) {
        columns::end_with_blanks(document, range)
    } else {
        range.end
    }
}

/// Every window of `size` neighbouring tokens without which the brackets around it still fit each other.
pub fn balanced_windows(document: &Document, size: usize) -> Vec<Proposal> {
    let mut windows = windows(document, size);
    windows.retain(|window| matches!(balance(document, window), Balance::Closed | Balance::Joint));
    windows
}

/// Every window of `size` neighbouring tokens from inside one bracket to inside another one of its kind.
pub fn joints(document: &Document, size: usize) -> Vec<Proposal> {
    let mut windows = windows(document, size);
    windows.retain(|window| balance(document, window) == Balance::Joint);
    windows
}

/// Whether a window of single tokens closes all brackets that it opens, and no other ones.
pub fn is_balanced(document: &Document, window: &Proposal) -> bool {
    let mut open = Vec::new();
    for range in &window.takes {
        match document.text(range.start) {
            [bracket @ (b'(' | b'[' | b'{')] => open.push(*bracket),
            [bracket @ (b')' | b']' | b'}')] => {
                // Behind each opening bracket stands its closing one in ASCII, after at most one other character.
                let fits = |opening: u8| (1..=2).contains(&bracket.wrapping_sub(opening));
                if !open.pop().is_some_and(fits) {
                    return false;
                }
            }
            _ => {}
        }
    }
    open.is_empty()
}

/// What a window does to the brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Balance {
    /// It closes what it opens, and nothing else.
    Closed,
    /// It closes one that was open before it, and leaves one of the same kind open.
    Joint,
    Broken,
}

fn balance(document: &Document, window: &Proposal) -> Balance {
    let (mut open, mut closed) = (Vec::new(), Vec::new());
    let leaves = window.takes.iter().map(|range| range.start);
    for leaf in leaves.filter(|&leaf| document.kind_name(leaf) == "bracket") {
        let group = document.node(leaf).parent;
        if leaf == group + 1 {
            open.push(group);
        } else if open.last() == Some(&group) {
            open.pop();
        } else {
            closed.push(group);
        }
    }
    let opening = |group: NodeId| document.text(group + 1);
    match (&closed[..], &open[..]) {
        ([], []) => Balance::Closed,
        (&[closed], &[open]) if opening(closed) == opening(open) => Balance::Joint,
        _ => Balance::Broken,
    }
}

/// Every run of `size` neighbours below one node, with their separators, if there are more of them.
pub fn neighbours(document: &Document, size: usize) -> Vec<Proposal> {
    let mut proposals = Vec::new();
    for parent in document.ids() {
        let row = document.row(parent);
        let named: Vec<u32> = (0u32..)
            .zip(&row)
            .filter(|(_, child)| document.node(**child).is_named())
            .map(|(place, _)| place)
            .collect();
        if named.len() <= size {
            continue;
        }
        for (start, window) in named.windows(size).enumerate() {
            let nodes = || window.iter().map(|&place| row[place as usize]);
            // What stands beside them tells whether they open and close the same thing.
            let around = start.saturating_sub(1)..(start + size + 1).min(named.len());
            let around = named[around].iter().map(|&place| row[place as usize]);
            let texts: Vec<u8> = around
                .flat_map(|node| document.text(node).to_vec())
                .collect();
            proposals.push(Proposal {
                drops: window.iter().map(|&place| (parent, place)).collect(),
                weight: nodes().map(|node| document.node(node).tokens).sum(),
                takes: nodes()
                    .map(|node| node..document.node(node).end_id)
                    .collect(),
                signature: fingerprint(&[
                    b"neighbours",
                    &texts,
                    &start.min(1).to_le_bytes(),
                    document.kind_name(parent).as_bytes(),
                ]),
                ..Proposal::default()
            });
        }
    }
    proposals
}

/// What a window counts.
struct Token {
    range: Range<usize>,
    /// `None` for a part of a leaf.
    leaf: Option<NodeId>,
}

fn tokens(document: &Document) -> Vec<Token> {
    let mut tokens = Vec::new();
    let leaves = document.leaves();
    for leaf in leaves {
        let range = document.node(leaf).range();
        if document.is_opaque(leaf) {
            tokens.extend(
                document
                    .lexis()
                    .tokens(document.text(leaf))
                    .into_iter()
                    .map(|part| Token {
                        range: range.start + part.start..range.start + part.end,
                        leaf: None,
                    }),
            );
        } else {
            tokens.push(Token {
                range,
                leaf: Some(leaf),
            });
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{offered, results};
    use crate::syntax::Language;

    #[test]
    fn a_window_takes_neighbours_wherever_the_tree_ends() {
        let found = offered("c", "int a; b();", |sample| windows(sample.document(), 3));
        assert_eq!(
            found,
            [" b();", "int ();", "int a);", "int a; ;", "int a; b"]
        );
    }

    #[test]
    fn where_columns_count_the_rest_of_a_line_begins_where_its_first_word_did() {
        let single = |language, text| offered(language, text, |it| windows(it.document(), 1));
        let text = "def f(a):\n  return a\n";
        assert!(single("python", text).contains(&"def f(a):\n  a\n".to_owned()));
        let text = "function f(a)\n  return a\nend\n";
        assert!(single("lua", text).contains(&"function f(a)\n   a\nend\n".to_owned()));
    }

    #[test]
    fn words_go_with_what_stands_behind_them_where_nothing_else_is_known() {
        let text = "CREATE TRIGGER a UPDATE OF b ON c\nWHEN d > 1\nBEGIN\nDELETE FROM e;\nEND;\n";
        let document = Document::new(text.as_bytes(), Language::named("sql"));
        let found = results(&document, &phrases(&document));
        assert!(
            found.contains(&text.replace("WHEN d > 1", "")),
            "{found:#?}"
        );
        assert!(found.contains(&text.replace("OF b ", " ")), "{found:#?}");
    }

    #[test]
    fn a_backslash_goes_with_its_line_end() {
        let found = offered("none", "a \\\n b", |it| windows(it.document(), 1));
        assert_eq!(found, ["\\\n b", "a  b", "a \\\n "]);
    }

    #[test]
    fn without_a_grammar_a_window_leaves_brackets_that_fit() {
        let text = "f(a b) g(c)";
        let two = offered("none", text, |sample| {
            balanced_windows(sample.document(), 2)
        });
        assert_eq!(two, ["f() g(c)"]);
        let four = offered("none", text, |sample| joints(sample.document(), 4));
        assert_eq!(four, ["f(a c)", "f(a b)"]);
    }

    #[test]
    fn neighbours_go_with_their_separators() {
        let found = offered("none", "a, b, c", |sample| neighbours(sample.document(), 2));
        assert_eq!(found, ["  c", "a  "]);
    }

    #[test]
    fn a_window_takes_tokens_out_of_a_macro() {
        let text = "#define M a + b\n";
        let found = offered("c", text, |sample| windows(sample.document(), 2));
        assert!(found.contains(&"#define M  b\n".to_string()), "{found:?}");
    }
}
