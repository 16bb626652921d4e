//! What is passed on: a line says something of its first word, and that stands where the word is named elsewhere.
//!
//! Without a grammar nothing tells declarations from uses, but `a: b` and `b: c` become `a: c` in rules, settings and lists of all
//! kinds. Only words that stand in one other place, so that nothing is written twice.

use super::{
    Context,
    proposal::{Proposal, fingerprint, only},
};
use crate::syntax::{Document, Edit, Splice};
use std::ops::Range;

/// A document of more tokens has better things to be asked about.
const LARGEST: u32 = 1000;

/// For each line that begins with a word and a mark: what stands behind them in the place of the word elsewhere.
pub fn lines(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    if document.grammar().is_some() || document.node(0).tokens > LARGEST {
        return Vec::new();
    }
    let tokens = document.lexis().tokens(document.bytes());
    let lines = document.bytes().split_inclusive(|&byte| byte == b'\n');
    let mut start = 0;
    let mut proposals = Vec::new();
    for line in lines {
        let range = start..start + line.len();
        start = range.end;
        proposals.extend(moved(document, &tokens, range));
    }
    proposals
}

/// What a line says of its first word in the only other place of that, without the line.
fn moved(document: &Document, tokens: &[Range<usize>], line: Range<usize>) -> Option<Proposal> {
    let text = |range: &Range<usize>| &document.bytes()[range.clone()];
    let first = tokens.partition_point(|token| token.start < line.start);
    let behind = tokens.partition_point(|token| token.start < line.end);
    let [word, mark, said, ..] = &tokens[first..behind] else {
        return None;
    };
    if !is_word(text(word)) || is_word(text(mark)) {
        return None;
    }
    let said = said.start..tokens[behind - 1].end;
    let is_elsewhere = |token: &&Range<usize>| text(token) == text(word) && *token != word;
    let mut elsewhere = tokens.iter().filter(is_elsewhere);
    let place = elsewhere.next()?;
    if elsewhere.next().is_some() || line.contains(&place.start) {
        return None;
    }
    let edit = vec![
        Splice::replacement(place.clone(), text(&said)),
        Splice::deletion(line.clone()),
    ];
    Some(Proposal {
        edit: Edit::new(edit),
        weight: 3,
        takes: only(document.nodes_in(line.clone())),
        signature: fingerprint(&[b"passed on", text(&line)]),
        ..Proposal::default()
    })
}

fn is_word(text: &[u8]) -> bool {
    let first = text.first();
    first.is_some_and(|&byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::offered;

    #[test]
    fn what_a_line_says_of_a_word_stands_in_its_place() {
        let found = offered("none", "a: b\nc: d e\nb: c\n", lines);
        assert_eq!(found, ["a: b\nb: d e\n", "a: c\nc: d e\n"]);
    }

    #[test]
    fn a_word_that_stands_in_several_places_stays() {
        assert_eq!(offered("none", "a: b\nb: c\nd: b\n", lines), [""; 0]);
        assert_eq!(offered("none", "a: a\n", lines), [""; 0]);
    }
}
