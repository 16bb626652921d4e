//! Single bytes of what no grammar explains: comments, character data, what the parser did not understand, and files without a
//! grammar.

use super::{
    proposal::{Proposal, before, behind, fingerprint},
    short_words,
};
use crate::syntax::{Document, Edit, NodeId, Splice};
use std::ops::Range;

/// The removal of each byte that no grammar explains, of each character of several of them, and of each token that is no leaf.
pub fn bytes(document: &Document) -> Vec<Proposal> {
    removals(document, |_| true)
}

/// The same but for the bytes of words that stand in two places or more, where there is no grammar.
pub fn bytes_of_others(document: &Document) -> Vec<Proposal> {
    let repeated = repeated(document);
    removals(document, |range| !is_in(range, &repeated))
}

/// Those of the words that stand in two places or more, where there is no grammar: that hardly ever succeeds in one of them.
pub fn bytes_of_repeated(document: &Document) -> Vec<Proposal> {
    let repeated = repeated(document);
    if repeated.is_empty() {
        return Vec::new();
    }
    removals(document, |range| is_in(range, &repeated))
}

fn removals(document: &Document, is_meant: impl Fn(&Range<usize>) -> bool) -> Vec<Proposal> {
    let mut ranges = Vec::new();
    for place in unexplained(document) {
        match place {
            Place::Token(range) => ranges.push(range),
            Place::Bytes(range) => {
                ranges.extend(long_characters(document, &range));
                ranges.extend(range.map(|byte| byte..byte + 1));
            }
        }
    }
    ranges.retain(is_meant);
    let removals = ranges.into_iter().map(|range| removal(document, range));
    removals.collect()
}

/// Whether a range begins in one of these, which are in order.
fn is_in(range: &Range<usize>, ranges: &[Range<usize>]) -> bool {
    let behind = ranges.partition_point(|it| it.end <= range.start);
    ranges
        .get(behind)
        .is_some_and(|it| it.contains(&range.start))
}

/// The words that stand in two places or more, in order; none with a grammar.
fn repeated(document: &Document) -> Vec<Range<usize>> {
    if document.grammar().is_some() {
        return Vec::new();
    }
    let words = short_words::words(document).into_values();
    let leaves = words.filter(|places| places.len() > 1).flatten();
    let mut repeated: Vec<Range<usize>> = leaves.map(|leaf| document.node(leaf).range()).collect();
    repeated.sort_by_key(|range| range.start);
    repeated
}

fn removal(document: &Document, range: Range<usize>) -> Proposal {
    let bytes = document.bytes();
    Proposal {
        signature: fingerprint(&[
            b"byte",
            &before(bytes, range.start),
            &bytes[range.clone()],
            &behind(bytes, range.end),
        ]),
        edit: Edit::new(vec![Splice::inside(range)]),
        weight: 1,
        ..Proposal::default()
    }
}

/// The characters of several bytes.
fn long_characters(document: &Document, range: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = range.start;
    for chunk in document.bytes()[range.clone()].utf8_chunks() {
        for character in chunk.valid().chars() {
            let end = start + character.len_utf8();
            found.extend((end - start > 1).then_some(start..end));
            start = end;
        }
        start += chunk.invalid().len();
    }
    found
}

/// A text that is no leaf with a grammar of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    /// The grammar says nothing about it.
    Bytes(Range<usize>),
    /// It is what a node holds between its leaves: the value of an attribute between the quotes.
    Token(Range<usize>),
}

/// Where the grammar says nothing about the bytes, in order: comments, character data, and what the parser did not understand;
/// without a grammar the whole text. And where a node has text of its own.
fn unexplained(document: &Document) -> Vec<Place> {
    let length = document.bytes().len();
    if document.grammar().is_none() {
        return vec![Place::Bytes(0..length)];
    }
    let mut places = Vec::new();
    let (mut end, mut before) = (0, 0);
    for leaf in document.leaves() {
        let range = document.node(leaf).range();
        places.extend(unread(document, before, end..range.start.max(end)));
        (end, before) = (end.max(range.end), leaf);
        if document.is_free(leaf) {
            places.push(Place::Bytes(range));
        }
    }
    places.extend(unread(document, before, end..length));
    places
}

/// What stands between the leaf `before` and the next one besides blanks.
fn unread(document: &Document, before: NodeId, gap: Range<usize>) -> Option<Place> {
    let text = &document.bytes()[gap.clone()];
    let start = gap.start + (text.len() - text.trim_ascii_start().len());
    let end = gap.end - (text.len() - text.trim_ascii_end().len());
    let mut around = before;
    while around != 0 && document.node(around).range().end < end {
        around = document.node(around).parent;
    }
    let is_explained = around != 0 && !document.is_free(around);
    let place = if is_explained {
        Place::Token
    } else {
        Place::Bytes
    };
    (start < end).then(|| place(start..end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{pass::testing::results, syntax::Language};

    #[track_caller]
    fn check(language: &str, text: &str, expected: &[&str]) {
        let document = Document::new(text.as_bytes(), Language::named(language));
        let texts: Vec<&str> = unexplained(&document)
            .into_iter()
            .filter_map(|place| match place {
                Place::Bytes(range) => Some(&text[range]),
                Place::Token(_) => None,
            })
            .collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn without_a_grammar_each_byte_can_go() {
        let text = "ab c ab";
        let document = Document::new(text.as_bytes(), None);
        let without = |place: usize| [&text[..place], &text[place + 1..]].concat();
        let wanted: Vec<String> = (0..text.len()).map(without).collect();
        assert_eq!(results(&document, &bytes(&document)), wanted);
    }

    #[test]
    fn bytes_of_repeated_words_are_apart() {
        let document = Document::new(&b"ab c ab"[..], None);
        assert_eq!(
            results(&document, &bytes_of_others(&document)),
            ["abc ab", "ab  ab", "ab cab"]
        );
        let found = results(&document, &bytes_of_repeated(&document));
        assert_eq!(found, ["b c ab", "a c ab", "ab c b", "ab c a"]);
    }

    #[test]
    fn comments_and_character_data_and_what_is_not_understood_are_bytes() {
        check("c", "int a; // b c\nchar *s = \"d\";", &["// b c"]);
        check("xml", "<a b='c'><![CDATA[ d ]]>e</a>", &[" d ", "e"]);
        check(
            "xml",
            "<!DOCTYPE catalog [\n<!ELEMENT item (name, price, tag*, ref?)>\n]>\n<item ><name/></item>",
            &[],
        );
        check("javascript", "x = <a>b c</a>;", &["b c"]);
        check("markdown", "    b c. d\n", &["b c", "d"]);
        check("none", "a b", &["a b"]);
    }

    #[test]
    fn words_beside_what_is_not_understood_are_no_bytes() {
        let text = "struct abc { ) ] @ @ def";
        let document = Document::new(text.as_bytes(), Language::named("c"));
        assert!(document.is_damaged());
        check("c", text, &["@ @"]);
    }
}
