//! Texts: what stands inside of strings, character data and comments, taken apart as a document of its own.
//!
//! A program in a template, a query in a string: if the text is without errors in the language of the document, it is cut by that
//! grammar's units and hoists; otherwise by brackets, lines, words and halves of words. Escapes count as the blanks that they
//! mostly stand for, and can go one by one.

use super::{
    Proposal, compose, hoist,
    names::Names,
    proposal::fingerprint,
    units::{self, Unit},
};
use crate::syntax::{Document, Edit, NodeId, Splice};
use std::ops::Range;

/// Shorter texts are left to the pass over literals.
const SHORTEST: usize = 20;
/// What has fewer tokens is no program, whatever the parser says.
const LEAST_TOKENS: u32 = 3;

/// The cuts of every text of some length.
pub fn texts(document: &Document) -> Vec<Proposal> {
    ranges(document)
        .into_iter()
        .filter(|range| range.len() >= SHORTEST)
        .flat_map(|range| cuts(document, &range))
        .collect()
}

/// Where the document has texts, with the escapes in them.
fn ranges(document: &Document) -> Vec<Range<usize>> {
    let mut ranges: Vec<(NodeId, Range<usize>)> = Vec::new();
    for id in (0u32..).take(document.nodes().len()) {
        let Some(range) = text_in(document, id) else {
            continue;
        };
        let parent = document.node(id).parent;
        match ranges.last_mut() {
            Some((above, before)) if *above == parent && before.end == range.start => {
                before.end = range.end;
            }
            _ => ranges.push((parent, range)),
        }
    }
    ranges.into_iter().map(|(_, range)| range).collect()
}

/// The text that a node is, or that it has between quotes.
fn text_in(document: &Document, id: NodeId) -> Option<Range<usize>> {
    let (node, text) = (document.node(id), document.text(id));
    let inner = |cut: usize| node.range().start + cut..node.range().end.saturating_sub(cut);
    let is_quote = |text: &[u8]| matches!(text, [b'"' | b'\'' | b'`']);
    let Some(language) = document.language() else {
        let is_string = matches!(text, [b'"' | b'\'' | b'`', _, ..]) && document.is_leaf(id);
        return is_string.then(|| inner(1));
    };
    let kind = document.kind_name(id);
    if !document.is_leaf(id) {
        let children: Vec<NodeId> = document.children(id).collect();
        let quotes =
            children.len() == 2 && children.iter().all(|&child| is_quote(document.text(child)));
        return quotes.then(|| inner(1));
    }
    if node.is_extra() {
        return Some(inner(if text.ends_with(b"*/") { 2 } else { 0 }));
    }
    let is_text = language
        .facts()
        .literals
        .iter()
        .any(|literal| literal == kind)
        || kind.contains("escape");
    (is_text && node.end > node.start).then(|| node.range())
}

/// All that can be cut from one text.
fn cuts(document: &Document, range: &Range<usize>) -> Vec<Proposal> {
    let text = &document.bytes()[range.clone()];
    let plain = without_escapes(text);
    let own = document.language().cloned();
    let mut inner = Document::new(plain.clone(), own);
    if inner.is_damaged() || inner.grammar().is_none() || inner.node(0).tokens < LEAST_TOKENS {
        inner = Document::new(plain.clone(), None);
    }
    let mut deletions: Vec<Vec<Splice>> = changes(&inner);
    if inner.grammar().is_none() {
        deletions.extend(halves_of_words(&inner));
    }
    deletions.extend(escapes(text).map(|escape| vec![Splice::deletion(escape)]));
    let cut = |splices: Vec<Splice>| cut(text, range.start, &splices);
    deletions.into_iter().filter_map(cut).collect()
}

/// What units and hoists would do to the text.
fn changes(inner: &Document) -> Vec<Vec<Splice>> {
    let units = units::units(inner, &Names::of(inner));
    let removals = units.into_iter().map(|Unit { proposal, .. }| proposal);
    removals
        .chain(hoist::hoists(inner))
        .filter_map(|proposal| compose(inner, [&proposal]))
        .map(|edit| edit.splices().to_vec())
        .collect()
}

/// Each word without its first and without its last half.
fn halves_of_words(inner: &Document) -> Vec<Vec<Splice>> {
    let is_word = |&id: &NodeId| inner.is_leaf(id) && inner.node(id).range().len() > 1;
    let words = (0u32..).take(inner.nodes().len()).filter(is_word);
    words
        .flat_map(|id| {
            let range = inner.node(id).range();
            let middle = usize::midpoint(range.start, range.end);
            [range.start..middle, middle..range.end]
        })
        .map(|half| vec![Splice::deletion(half)])
        .collect()
}

/// The text with a blank, or the end of a line, for every backslash and the letter behind it.
fn without_escapes(text: &[u8]) -> Vec<u8> {
    let mut plain = text.to_vec();
    for escape in escapes(text) {
        let end = escape.end.min(escape.start + 2);
        let is_newline = text.get(escape.start + 1) == Some(&b'n');
        plain[escape.start] = if is_newline { b'\n' } else { b' ' };
        if text[end - 1].is_ascii_alphanumeric() {
            plain[escape.start + 1..end].fill(b' ');
        }
    }
    plain
}

/// Every backslash with what follows it.
fn escapes(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].iter().position(|&byte| byte == b'\\')?;
        at = (start + 2).min(text.len());
        Some(start..at)
    })
}

/// A change of the text at `start`; `None` when it would need an escape itself.
fn cut(text: &[u8], start: usize, splices: &[Splice]) -> Option<Proposal> {
    let is_plain = |byte: &u8| !matches!(byte, b'\\' | b'"' | b'\'' | b'`' | b'\n');
    let fits = splices
        .iter()
        .all(|splice| splice.text.iter().all(is_plain));
    let gone: usize = splices.iter().map(|splice| splice.range().len()).sum();
    let put: usize = splices.iter().map(|splice| splice.text.len()).sum();
    let first = splices.first()?;
    let shifted = splices.iter().map(|splice| {
        let range = splice.range();
        let moved = start + range.start..start + range.end;
        if splice.text.is_empty() {
            Splice::inside(moved)
        } else {
            Splice::replacement(moved, &splice.text)
        }
    });
    let saved = gone.checked_sub(put).filter(|&saved| saved > 0)?;
    fits.then(|| Proposal {
        edit: Edit::new(shifted.collect()),
        weight: u32::try_from(saved).unwrap_or(u32::MAX),
        signature: fingerprint(&[
            b"text",
            text,
            &first.start.to_le_bytes(),
            &gone.to_le_bytes(),
            &put.to_le_bytes(),
        ]),
        ..Proposal::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{assert_offers, offered, results};
    use proptest::prelude::*;

    #[test]
    fn a_program_in_a_string_is_cut_by_its_grammar() {
        let wanted = "eval(\"g(1); h(2)\")";
        let text = "eval(\"g(1); if (true) h(2)\")";
        assert_offers("javascript", text, wanted, |sample| texts(&sample.document));
    }

    #[test]
    fn prose_is_cut_by_lines_and_words_and_escapes() {
        let text = "char *s = \"select a, b from t where x\\n order by y\";";
        for wanted in [
            "char *s = \"select a, b from t where x\\n \";",
            "char *s = \"select a, b from t where x order by y\";",
            "char *s = \"select a, b from t ere x\\n order by y\";",
        ] {
            assert_offers("c", text, wanted, |sample| texts(&sample.document));
        }
    }

    #[test]
    fn a_text_without_a_grammar_around_it_is_cut_too() {
        let document = Document::new(&b"x 'one two three four five'"[..], None);
        let found = results(&document, &texts(&document));
        assert!(
            found.contains(&"x 'one two  four five'".into()),
            "{found:?}"
        );
    }

    #[test]
    fn short_texts_are_left_alone() {
        let found = offered("c", "char *s = \"one two\";", |sample| {
            texts(&sample.document)
        });
        assert!(found.is_empty());
    }

    proptest! {
        #[test]
        fn any_text_gets_shorter_by_each_cut(text in "[a-c \\\\\"(){};\n\u{e9}]{0,60}") {
            for language in ["c", "javascript", "xml", "none"] {
                let whole = format!("x = \"{text}\"; // {text}");
                let document = Document::new(whole.as_bytes(), crate::syntax::Language::named(language));
                for proposal in texts(&document) {
                    let after = document.edited(&proposal.edit);
                    prop_assert!(after.bytes().len() < document.bytes().len());
                }
            }
        }
    }
}
