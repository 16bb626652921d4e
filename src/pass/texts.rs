//! Texts: what stands inside of strings, character data, comments and macros, taken apart as a document of its own.
//!
//! A program in a template, a query in a string: if the text is without errors in the language of the document, it is cut by that
//! grammar's units and hoists; otherwise by brackets, lines, words and halves of words. Escapes count as the blanks that they
//! mostly stand for, and can go one by one.

use super::{Context, Proposal, compose, hoist, proposal::fingerprint};
use crate::syntax::{Document, Edit, NodeId, Splice};
use std::ops::Range;

/// Shorter texts are left to the pass over literals.
const SHORTEST: usize = 20;
/// What has fewer tokens is no program, whatever the parser says.
const LEAST_TOKENS: u32 = 3;

/// A text inside of one leaf, or of a row of them.
struct Text<'d> {
    bytes: &'d [u8],
    /// Where it starts.
    start: usize,
    /// Whether it is code of the document, whose tokens stay apart, and not the content of a string.
    is_code: bool,
}

/// The cuts of every text of some length.
pub fn texts(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let text = |range: Range<usize>, is_code| Text {
        bytes: &document.bytes()[range.clone()],
        start: range.start,
        is_code,
    };
    let long = ranges(document)
        .into_iter()
        .filter(|range| range.len() >= SHORTEST);
    let code = document
        .ids()
        .filter(|&id| document.is_leaf(id) && document.is_opaque(id));
    let long = long.map(|range| text(range, false));
    let code = code.map(|id| text(document.node(id).range(), true));
    long.chain(code)
        .flat_map(|text| cuts(document, &text))
        .collect()
}

/// Where the document has texts, with the escapes in them.
fn ranges(document: &Document) -> Vec<Range<usize>> {
    let mut ranges: Vec<(NodeId, Range<usize>)> = Vec::new();
    for id in document.ids() {
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
    let within =
        |inside: Range<usize>| node.range().start + inside.start..node.range().start + inside.end;
    let unquoted = || within(1..(text.len() - 1).max(1));
    let is_quote = |text: &[u8]| matches!(text, [b'"' | b'\'' | b'`']);
    if document.grammar().is_none() {
        let is_string = matches!(text, [b'"' | b'\'' | b'`', _, ..]) && document.is_leaf(id);
        return is_string.then(unquoted);
    }
    let kind = document.kind_name(id);
    if !document.is_leaf(id) {
        let children: Vec<NodeId> = document.children(id).collect();
        let quotes =
            children.len() == 2 && children.iter().all(|&child| is_quote(document.text(child)));
        return quotes
            .then(unquoted)
            .or_else(|| behind_tokens(document, id));
    }
    if node.is_comment() {
        let inside = document.lexis().inside_of(text);
        return Some(within(inside.unwrap_or(0..text.len())));
    }
    let is_text = document.is_literal(id) || kind.contains("escape");
    (is_text && node.end > node.start).then(|| node.range())
}

/// The text of a literal that begins with tokens and ends in what is no token: a text that the columns end.
fn behind_tokens(document: &Document, id: NodeId) -> Option<Range<usize>> {
    let last = document.children(id).last()?;
    let rest = document.node(last).range().end..document.node(id).range().end;
    let text = &document.bytes()[rest.clone()];
    let first_line = text
        .iter()
        .position(|&byte| byte == b'\n')
        .map_or(0, |end| end + 1);
    let has_text = !text.trim_ascii().is_empty();
    (document.is_literal(id) && has_text).then_some(rest.start + first_line..rest.end)
}

/// All that can be cut from one text.
fn cuts(document: &Document, text: &Text) -> Vec<Proposal> {
    let inner = parsed(document, text);
    let mut deletions: Vec<Vec<Splice>> = runs_of_lines(text.bytes)
        .map(|run| vec![Splice::deletion(run)])
        .collect();
    deletions.extend(changes(&inner));
    if inner.grammar().is_none() && !text.is_code {
        deletions.extend(halves_of_words(&inner));
    }
    deletions.extend(escapes(text.bytes).map(|escape| vec![Splice::deletion(escape)]));
    let cut = |splices: Vec<Splice>| cut(text, &splices);
    deletions.into_iter().filter_map(cut).collect()
}

/// The text as a document: in the language of the document if it is without errors in that, for which a macro may lack the end of
/// its statement.
fn parsed(document: &Document, text: &Text) -> Document {
    let plain = without_escapes(text.bytes);
    let ends: &[&[u8]] = if text.is_code { &[b"", b";"] } else { &[b""] };
    let documents = ends.iter().map(|end| {
        let bytes = [&plain[..], end].concat();
        Document::new(bytes, document.language().cloned())
    });
    let is_program = |inner: &Document| {
        !inner.is_damaged() && inner.grammar().is_some() && inner.node(0).tokens >= LEAST_TOKENS
    };
    let mut programs = documents.into_iter().filter(is_program);
    programs
        .next()
        .unwrap_or_else(|| Document::new(plain.clone(), None))
}

/// What units and hoists would do to the text.
fn changes(inner: &Document) -> Vec<Vec<Splice>> {
    let context = Context::new(inner.clone());
    let removals = context.units().iter().map(|unit| unit.proposal.clone());
    removals
        .chain(hoist::hoists(&context))
        .filter_map(|proposal| compose(inner, [&proposal]))
        .map(|edit| edit.splices().to_vec())
        .collect()
}

/// Half of the lines, a quarter, and so on down to one, with their ends; nothing of a text of one line.
fn runs_of_lines(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut bounds = vec![0];
    bounds.extend(
        text.iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n')
            .map(|(at, _)| at + 1),
    );
    bounds.extend((bounds.last() != Some(&text.len())).then_some(text.len()));
    let count = bounds.len() - 1;
    let halved = |size: &usize| (*size > 1).then(|| size.div_ceil(2));
    let sizes = std::iter::successors(halved(&count), halved);
    sizes.flat_map(move |size| {
        let bounds = bounds.clone();
        (0..count)
            .step_by(size)
            .map(move |first| bounds[first]..bounds[count.min(first + size)])
    })
}

/// Each word without its first and without its last half.
fn halves_of_words(inner: &Document) -> Vec<Vec<Splice>> {
    let is_word = |&id: &NodeId| inner.is_leaf(id) && inner.node(id).range().len() > 1;
    let words = inner.ids().filter(is_word);
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

/// A change of the text; `None` when it would need an escape itself.
fn cut(text: &Text, splices: &[Splice]) -> Option<Proposal> {
    let is_plain = |byte: &u8| !matches!(byte, b'\\' | b'"' | b'\'' | b'`' | b'\n');
    let fits = splices
        .iter()
        .all(|splice| splice.text.iter().all(is_plain));
    let within = |splice: &Splice| {
        let end = splice.range().end.min(text.bytes.len());
        splice.range().start.min(end)..end
    };
    let gone: usize = splices.iter().map(|splice| within(splice).len()).sum();
    let put: usize = splices.iter().map(|splice| splice.text.len()).sum();
    let first = splices.first()?;
    let shifted = splices.iter().map(|splice| {
        let range = within(splice);
        let moved = text.start + range.start..text.start + range.end;
        if splice.text.is_empty() && !text.is_code {
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
            text.bytes,
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
        assert_offers("javascript", text, wanted, texts);
    }

    #[test]
    fn prose_is_cut_by_lines_and_words_and_escapes() {
        let text = "char *s = \"select a, b from t where x\\n order by y\";";
        for wanted in [
            "char *s = \"select a, b from t where x\\n \";",
            "char *s = \"select a, b from t where x order by y\";",
            "char *s = \"select a, b from t ere x\\n order by y\";",
        ] {
            assert_offers("c", text, wanted, texts);
        }
    }

    #[test]
    fn a_text_without_a_grammar_around_it_is_cut_too() {
        let document = Document::new(&b"x 'one two three four five'"[..], None);
        let found = results(&document, &texts(&Context::new(document.clone())));
        assert!(
            found.contains(&"x 'one two  four five'".into()),
            "{found:?}"
        );
    }

    #[test]
    fn what_a_macro_stands_for_is_cut_as_code() {
        let text = "#define M do { f(1); g(2); } while (0)\n";
        for wanted in [
            "#define M do {  g(2); } while (0)\n",
            "#define M { f(1); g(2); }\n",
            "#define M do f(1); while (0)\n",
        ] {
            assert_offers("c", text, wanted, texts);
        }
        let text = "#pragma omp for simd\n";
        assert_offers("c", text, "#pragma omp  simd\n", texts);
    }

    #[test]
    #[cfg(feature = "lang-yaml")]
    fn lines_of_a_text_in_its_columns_go_one_by_one() {
        let text = "run: |\n  python -m pip install\n  python -m build all\n  twine check\n";
        for wanted in [
            "run: |\n  twine check\n",
            "run: |\n  python -m build all\n  twine check\n",
            "run: |\n  python -m pip install\n  twine check\n",
            "run: |\n  python -m pip install\n  python -m build \n  twine check\n",
        ] {
            assert_offers("yaml", text, wanted, texts);
        }
    }

    #[test]
    fn short_texts_are_left_alone() {
        let found = offered("c", "char *s = \"one two\";", texts);
        assert!(found.is_empty());
    }

    proptest! {
        #[test]
        fn any_text_gets_shorter_by_each_cut(
            language in proptest::sample::select(&["c", "javascript", "xml", "none"][..]),
            text in "[a-c \\\\\"(){};\n\u{e9}]{0,60}",
        ) {
            let whole = format!("x = \"{text}\"; // {text}");
            let document = Document::new(whole.as_bytes(), crate::syntax::Language::named(language));
            for proposal in texts(&Context::new(document.clone())) {
                let after = document.edited(&proposal.edit);
                prop_assert!(after.bytes().len() < document.bytes().len());
            }
        }
    }
}
