//! Layout: blank lines, blanks at the end of lines, and runs of blanks.

use super::{
    Context,
    proposal::{Proposal, before, behind, fingerprint},
};
use crate::syntax::{Document, Edit, Language, Splice, melt};
use std::{ops::Range, sync::Arc};

/// Every run of blanks outside of tokens becomes one blank or one newline, and none at both ends: without the indentation of the
/// lines; for languages in which it means something, with one blank for each level, or as it is. Where lines end with CRLF, all
/// three also with that. Before these, all blanks go beside the bytes that the language calls tight.
pub fn layout(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let ways = [Indentation::Gone, Indentation::Levels, Indentation::Kept];
    let shorter = shorter_in(document, &ways);
    tight_gaps(document).into_iter().chain(shorter).collect()
}

/// The same of a text without a grammar, before its bytes are asked about one by one.
pub fn layout_of_text(context: &Context) -> Vec<Proposal> {
    let is_text = context.document().grammar().is_none();
    Some(layout(context))
        .filter(|_| is_text)
        .unwrap_or_default()
}

/// The same as long as the indentation tells what stands in what: it keeps its levels.
pub fn levels(context: &Context) -> Vec<Proposal> {
    shorter_in(
        context.document(),
        &[Indentation::Levels, Indentation::Kept],
    )
}

fn shorter_in(document: &Document, ways: &[Indentation]) -> Vec<Proposal> {
    let has_returns = document.bytes().windows(2).any(|two| two == LINE_ENDS[1]);
    let line_ends = &LINE_ENDS[..=usize::from(has_returns)];
    let ways = line_ends
        .iter()
        .flat_map(|line_end| ways.iter().map(|way| (*way, *line_end)));
    ways.filter_map(|(way, line_end)| shorter_gaps(document, way, line_end))
        .collect()
}

/// The same where blanks are a good part of all: in a large document it costs one question to be rid of them early, and all that is
/// written, read and shown until the end is smaller.
pub fn much_layout(context: &Context) -> Vec<Proposal> {
    let mut ways = layout(context);
    let all = i64::try_from(context.document().bytes().len()).unwrap_or(i64::MAX);
    ways.retain(|way| way.edit.saved_bytes().saturating_mul(MUCH) >= all);
    ways
}

/// One byte of so many is much.
const MUCH: i64 = 16;

/// The blanks of each line between two tokens that stay two without them, in languages that are often written so. Cost: linear.
pub fn needless_blanks(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let is_dense = |language: &Arc<Language>| language.facts().dense;
    if !document.language().is_some_and(is_dense) {
        return Vec::new();
    }
    let blanks = needless(document, b" \t").into_iter();
    blanks.map(|gap| removal(document, gap)).collect()
}

/// The same in a text without a grammar; behind the blanks of lines, which hardly ever mean something, what has line ends. Most go
/// together, where single bytes would be asked about one by one. Cost: linear.
pub fn blanks_of_text(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    if document.grammar().is_some() {
        return Vec::new();
    }
    let bytes = document.bytes();
    let has_line_end = |gap: &Range<usize>| bytes[gap.clone()].contains(&b'\n');
    let gaps = needless(document, b" \t\r\n").into_iter();
    let (lines, blanks): (Vec<_>, Vec<_>) = gaps.partition(has_line_end);
    let gaps = blanks.into_iter().chain(lines);
    gaps.map(|gap| removal(document, gap)).collect()
}

/// What stands between two tokens that stay two without it and is nothing but these bytes.
fn needless(document: &Document, blanks: &[u8]) -> Vec<Range<usize>> {
    let bytes = document.bytes();
    let is_needless = |gap: &Range<usize>| {
        let is_inside = gap.start > 0 && gap.end < bytes.len();
        let is_blank = bytes[gap.clone()].iter().all(|byte| blanks.contains(byte));
        let apart = || {
            !bytes[gap.start - 1].is_ascii_whitespace()
                && !melt(&bytes[..gap.start], &bytes[gap.end..])
        };
        !gap.is_empty() && is_inside && is_blank && apart()
    };
    gaps(document).filter(is_needless).collect()
}

fn removal(document: &Document, gap: Range<usize>) -> Proposal {
    let bytes = document.bytes();
    Proposal {
        signature: fingerprint(&[b"blank", &before(bytes, gap.start), &behind(bytes, gap.end)]),
        edit: Edit::new(vec![Splice::inside(gap)]),
        weight: 1,
        ..Proposal::default()
    }
}

const LINE_ENDS: [&[u8]; 2] = [b"\n", b"\r\n"];

/// What the lines begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Indentation {
    Gone,
    Levels,
    Kept,
}

fn shorter_gaps(document: &Document, way: Indentation, line_end: &[u8]) -> Option<Proposal> {
    let bytes = document.bytes();
    let mut open = vec![0];
    let splices = gaps(document).filter_map(|gap| {
        let indentation = new_indentation(bytes.get(gap.clone())?, way, &mut open);
        shorter_gap(bytes, gap, &indentation, line_end)
    });
    proposal(document, splices.collect(), &[&[way as u8], line_end])
}

/// What stands before the token behind a gap, if that is the first one of its line. `open` are the columns of the lines around it.
fn new_indentation(gap: &[u8], way: Indentation, open: &mut Vec<usize>) -> Vec<u8> {
    let Some(line_end) = gap.iter().rposition(|&byte| byte == b'\n') else {
        return Vec::new();
    };
    let indentation = &gap[line_end + 1..];
    while open
        .last()
        .is_some_and(|&column| column >= indentation.len())
    {
        open.pop();
    }
    let level = open.len();
    open.push(indentation.len());
    match way {
        Indentation::Gone => Vec::new(),
        Indentation::Levels => indentation[..level.min(indentation.len())].to_vec(),
        Indentation::Kept => indentation.to_vec(),
    }
}

/// As splices inside of a token, since a blank would be kept between marks that could make one token elsewhere, such as `>` and `<`.
fn tight_gaps(document: &Document) -> Option<Proposal> {
    let tight = document.language()?.facts().tight.as_bytes();
    let bytes = document.bytes();
    let is_needless = |gap: &Range<usize>| {
        let beside = [gap.start.checked_sub(1), Some(gap.end)];
        let beside = beside.map(|at| at.and_then(|at| bytes.get(at)));
        is_blank(&bytes[gap.clone()])
            && beside.iter().all(Option::is_some)
            && beside.iter().flatten().any(|byte| tight.contains(byte))
    };
    let splices = gaps(document).filter(is_needless).map(Splice::inside);
    proposal(document, splices.collect(), &[b"tight"])
}

/// What stands before, between and behind the tokens, with what is empty.
fn gaps(document: &Document) -> impl Iterator<Item = Range<usize>> {
    let tokens = document.leaves().map(|leaf| document.node(leaf).range());
    let end = document.bytes().len();
    tokens
        .chain(std::iter::once(end..end))
        .scan(0, |position, token| {
            let gap = *position..token.start;
            *position = token.end.max(*position);
            Some(gap)
        })
}

fn is_blank(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_whitespace)
}

fn proposal(document: &Document, splices: Vec<Splice>, way: &[&[u8]]) -> Option<Proposal> {
    let edit = Edit::new(splices);
    let parts: Vec<&[u8]> = [&b"layout"[..], document.bytes()]
        .into_iter()
        .chain(way.iter().copied())
        .collect();
    (!edit.is_empty()).then(|| Proposal {
        edit,
        weight: 1,
        signature: fingerprint(&parts),
        ..Proposal::default()
    })
}

fn shorter_gap(
    bytes: &[u8],
    gap: Range<usize>,
    indentation: &[u8],
    line_end: &[u8],
) -> Option<Splice> {
    let text = bytes.get(gap.clone())?;
    if !is_blank(text) {
        return None;
    }
    let has_line_end = text.contains(&b'\n');
    let indentation = if gap.end < bytes.len() {
        indentation
    } else {
        b""
    };
    let wanted: Vec<u8> = match has_line_end {
        _ if gap.start == 0 => indentation.to_vec(),
        true => [line_end, indentation].concat(),
        false => b" ".to_vec(),
    };
    (wanted.len() < text.len()).then(|| Splice::replacement(gap, &wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::offered;

    #[test]
    fn what_is_data_needs_no_blanks_beside_its_marks() {
        let found = offered("json", "{ \"a\" : [1,\n 2] }\n", layout);
        assert_eq!(found[0], "{\"a\":[1,2]}\n");
        let found = offered("xml", "<a ><b x = '1' y='2'/></a>", layout);
        assert_eq!(found[0], "<a><b x='1' y='2'/></a>");
    }

    #[test]
    fn levels_are_kept_as_long_as_they_tell_something() {
        let text = "a\n\n    b\n        c  d\n";
        assert_eq!(offered("none", text, levels)[0], "a\n b\n  c d\n");
        assert_eq!(offered("none", text, layout_of_text)[0], "a\nb\nc d\n");
        assert!(offered("c", "int  a;", layout_of_text).is_empty());
    }

    #[test]
    fn blanks_are_early_where_they_are_much() {
        let offered = |text: &str| offered("c", text, much_layout);
        assert_eq!(offered("int a;\n\n\n    int b;\n")[0], "int a;\nint b;\n");
        assert!(offered(&("int abcdefgh;\n".repeat(9) + "\n")).is_empty());
    }

    #[test]
    fn blanks_between_tokens_that_stay_two_go_one_by_one() {
        let found = offered("lua", "local a <const> = b - -1\nc = 1", needless_blanks);
        let wanted = [
            "local a<const> = b - -1\nc = 1",
            "local a <const> =b - -1\nc = 1",
            "local a <const> = b- -1\nc = 1",
            "local a <const> = b - -1\nc= 1",
            "local a <const> = b - -1\nc =1",
        ];
        assert_eq!(found, wanted);
        assert!(offered("c", "int a = 1;", needless_blanks).is_empty());
    }

    #[test]
    fn without_a_grammar_line_ends_come_behind_the_blanks_of_lines() {
        let found = offered("none", "a ( b\n) + c d;\n", blanks_of_text);
        let wanted = [
            "a( b\n) + c d;\n",
            "a (b\n) + c d;\n",
            "a ( b\n)+ c d;\n",
            "a ( b\n) +c d;\n",
            "a ( b) + c d;\n",
        ];
        assert_eq!(found, wanted);
        assert!(offered("c", "int a = 1;", blanks_of_text).is_empty());
    }

    #[test]
    fn blank_lines_go_with_and_without_the_indentation() {
        let text = "\n\nif  a:\n   \n  b\n\n";
        let found = offered("python", text, layout);
        assert_eq!(found, ["if a:\nb\n", "if a:\n b\n", "if a:\n  b\n"]);
        let text = "\r\na\r\n\r\n b\r\n";
        let found = offered("python", text, layout);
        let by_line_end = |end: &str| [format!("a{end}b{end}"), format!("a{end} b{end}")];
        assert_eq!(found[..2], by_line_end("\n"));
        assert_eq!(found[3..5], by_line_end("\r\n"));
    }

    #[test]
    fn levels_of_indentation_become_one_blank_each() {
        let text = "a:\n    b:\n            c\n    d:\n      e\nf: 1\n";
        let found = offered("yaml", text, layout);
        assert!(
            found.contains(&"a:\n b:\n  c\n d:\n  e\nf: 1\n".into()),
            "{found:?}"
        );
    }
}
