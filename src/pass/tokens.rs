//! Windows of neighbouring tokens, without regard to the tree; and of neighbours in it.
//!
//! A leaf with code that the grammar does not take apart counts as the tokens that it holds.

use super::proposal::{Proposal, fingerprint};
use crate::syntax::{Document, Edit, NodeId};
use std::ops::Range;

/// Every window of `size` neighbouring tokens, in document order.
pub fn windows(document: &Document, size: usize) -> Vec<Proposal> {
    let tokens = tokens(document);
    tokens
        .windows(size)
        .enumerate()
        .map(|(index, window)| {
            let range = window[0].range.start..window[size - 1].range.end;
            let context = &tokens[index.saturating_sub(2)..(index + size + 2).min(tokens.len())];
            let around: Vec<u8> = context
                .iter()
                .flat_map(|token| document.bytes()[token.range.clone()].to_vec())
                .collect();
            Proposal {
                signature: fingerprint(&[b"window", &around, &document.bytes()[range.clone()]]),
                edit: Edit::deletion(range),
                weight: u32::try_from(size).unwrap_or(u32::MAX),
                takes: window
                    .iter()
                    .filter_map(|token| token.leaf)
                    .map(|leaf| leaf..leaf + 1)
                    .collect(),
                ..Proposal::default()
            }
        })
        .collect()
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
        for window in named.windows(size) {
            let nodes = || window.iter().map(|&place| row[place as usize]);
            let texts: Vec<u8> = nodes()
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
    use crate::pass::testing::offered;

    #[test]
    fn a_window_takes_neighbours_wherever_the_tree_ends() {
        let found = offered("c", "int a; b();", |sample| windows(sample.document(), 3));
        assert_eq!(
            found,
            [" b();", "int ();", "int a);", "int a; ;", "int a; b"]
        );
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
