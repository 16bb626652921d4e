//! Literals: the text inside of strings, numbers and comments, shortened.
//!
//! Half of the text, a quarter, and so on from both ends; and one conversion of a format string together with its argument.

use super::{
    Context,
    elements::places_of,
    proposal::{Proposal, fingerprint},
};
use crate::syntax::{Document, Edit, Lexis, NodeId, Role, Splice};
use std::ops::Range;

/// The shortenings of every literal of two bytes or more.
pub fn literals(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let mut proposals = Vec::new();
    let named = |id| match document.grammar() {
        Some(_) => document.is_literal(id),
        None => matches!(document.text(id), [b'"' | b'\'' | b'`' | b'0'..=b'9', ..]),
    };
    for id in document.ids() {
        if document.is_leaf(id) && (named(id) || document.node(id).is_comment()) {
            proposals.extend(conversions(document, id));
            proposals.extend(shorter(document, id));
        } else if named(id) {
            proposals.extend(zero(document, id));
            proposals.extend(shorter_inside(document, id));
        }
    }
    proposals
}

/// A number of several parts, such as one with a unit, as `0`.
fn zero(document: &Document, number: NodeId) -> Option<Proposal> {
    let range = document.node(number).range();
    let is_number = document.text(number).iter().any(u8::is_ascii_digit);
    (is_number && document.text(number) != b"0").then(|| Proposal {
        target: Some(number),
        ..cut(
            document,
            number,
            Edit::replacement(range.clone(), b"0"),
            &range,
        )
    })
}

/// The same for a string whose quotes are its only parts.
fn shorter_inside(document: &Document, string: NodeId) -> Vec<Proposal> {
    let children: Vec<NodeId> = document.children(string).collect();
    let [open, close] = children[..] else {
        return Vec::new();
    };
    let are_quotes = document.is_leaf(open)
        && document.is_leaf(close)
        && document.text(open) == document.text(close);
    let inside = document.node(open).range().end..document.node(close).range().start;
    if are_quotes && inside.len() > 1 {
        halves(document, string, &inside)
    } else {
        Vec::new()
    }
}

/// The text without its first or last half, quarter … down to one byte.
fn shorter(document: &Document, leaf: NodeId) -> Vec<Proposal> {
    let mut whole = document.node(leaf).range();
    let mut proposals = Vec::new();
    if document.grammar().is_none() && !document.text(leaf)[0].is_ascii_digit() {
        whole = whole.start + 1..whole.end.max(whole.start + 2) - 1;
        if whole.len() > 1 {
            let all = within(whole.clone());
            proposals.push(cut(document, leaf, all, &whole));
        }
    }
    if document.node(leaf).is_comment()
        && let Some(inside) = document.lexis().inside_of(document.text(leaf))
    {
        let inner = whole.start + inside.start..whole.start + inside.end;
        proposals.push(cut(document, leaf, within(inner.clone()), &inner));
    }
    if document.grammar().is_none() && is_word(&document.bytes()[whole.clone()]) {
        proposals.extend(without_quotes(document, leaf, &whole));
    }
    proposals.extend(halves(document, leaf, &whole));
    proposals
}

/// Without the first or last half, quarter … of a range.
fn halves(document: &Document, leaf: NodeId, whole: &Range<usize>) -> Vec<Proposal> {
    let mut proposals = Vec::new();
    let mut size = whole.len() / 2;
    while size > 0 {
        for range in [whole.start..whole.start + size, whole.end - size..whole.end] {
            proposals.push(cut(document, leaf, within(range.clone()), &range));
        }
        size /= 2;
    }
    proposals
}

/// A word without the quotes around it; `None` without quotes.
fn without_quotes(document: &Document, leaf: NodeId, inner: &Range<usize>) -> Option<Proposal> {
    let outer = document.node(leaf).range();
    let quotes = vec![
        Splice::deletion(outer.start..inner.start),
        Splice::deletion(inner.end..outer.end),
    ];
    (inner.len() + 2 == outer.len()).then(|| cut(document, leaf, Edit::new(quotes), &outer))
}

fn is_word(text: &[u8]) -> bool {
    matches!(&Lexis::NONE.tokens(text)[..], [word] if *word == (0..text.len()))
}

/// The deletion of a part of one leaf.
fn within(range: Range<usize>) -> Edit {
    Edit::new(vec![Splice::inside(range)])
}

fn cut(document: &Document, leaf: NodeId, edit: Edit, range: &Range<usize>) -> Proposal {
    let start = range.start - document.node(leaf).start as usize;
    Proposal {
        weight: 1,
        target: Some(leaf),
        signature: fingerprint(&[
            b"literal",
            document.text(leaf),
            &start.to_le_bytes(),
            &range.len().to_le_bytes(),
        ]),
        edit,
        ..Proposal::default()
    }
}

/// Each conversion of a format string with the argument that it converts.
fn conversions(document: &Document, leaf: NodeId) -> Vec<Proposal> {
    let (start, text) = (document.node(leaf).start as usize, document.text(leaf));
    let Some((list, given)) = arguments_behind(document, leaf) else {
        return Vec::new();
    };
    let found = document
        .language()
        .map(|language| language.conversions(text));
    let pairs = found.unwrap_or_default().into_iter().zip(given);
    let pairs = pairs.map(|(found, (place, argument))| {
        let range = start + found.start..start + found.end;
        let edit = within(range.clone());
        let weight = document.node(argument).tokens + 1;
        let drops = vec![(list, place)];
        Proposal {
            drops,
            weight,
            target: None,
            ..cut(document, leaf, edit, &range)
        }
    });
    pairs.collect()
}

/// The arguments that follow the one with a leaf in it.
fn arguments_behind(document: &Document, leaf: NodeId) -> Option<(NodeId, Vec<(u32, NodeId)>)> {
    let string = document.node(leaf).parent;
    let list = document.node(string).parent;
    let elements = places_of(document, list);
    let own = elements.iter().position(|&(_, child)| child == string)?;
    let calls = document.has_role(list, Role::Arguments);
    calls.then(|| (list, elements[own + 1..].to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::assert_offers;

    #[test]
    fn the_text_of_a_literal_gets_shorter() {
        for (language, text, wanted) in [
            ("c", "int a = 12345;", "int a = 345;"),
            ("css", "a { b: 0.8s }", "a { b: 0 }"),
            ("toml", "a = \"abcd\"", "a = \"cd\""),
            ("c", "char *s = \"abcdefgh\";", "char *s = \"efgh\";"),
            ("c", "char *s = \"abcdefgh\";", "char *s = \"abcd\";"),
            (
                "c",
                "int f() { printf(\"%d %s\", 1, \"\"); }",
                "int f() { printf(\" %s\",  \"\"); }",
            ),
        ] {
            assert_offers(language, text, wanted, literals);
        }
    }
}
