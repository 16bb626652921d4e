//! The first cuts through a text that is too large for a tree: a tree and what is proposed over it take hundreds of bytes a token,
//! and the time of many queries, while the first queries can take most of the text out wherever it is cut.
//!
//! The text is cut into pieces of about the same length, and halves, quarters … of them are asked about from the end. The places
//! of the cuts are chosen so that a run of pieces mostly leaves a text that still makes sense: between lines, outside of brackets
//! where that is near. Rounds follow each other until one changes nothing or the text is small enough.

use super::Candidate;
use super::list::ListSearch;
use crate::search::{Search, Verdict};
use crate::syntax::{Document, Lexis};
use std::ops::Range;

/// A longer text gets no tree before its first cuts.
const LARGE: usize = 2 << 20;
/// Neither does one of more tokens: without blanks there may be one in each byte.
const MANY_TOKENS: usize = 400_000;
/// So many are enough where most are a single byte: then it is brackets and operators that the text is made of.
const MANY_SHORT_TOKENS: usize = 100_000;
/// A text that stays longer than this never gets a tree.
const HUGE: usize = 16 << 20;
/// Into so many pieces it is cut at first.
const FIRST: usize = 64;
/// Into so many times as many it is cut when nothing can go and it is huge.
const FINER: usize = 16;
/// No piece of a huge text is shorter than this on average.
const SHORTEST: usize = 256;
/// After so many questions in vain, which is all and each half, a text that may get a tree is left to what knows more.
const MOST_IN_VAIN: u32 = 3;

/// One round over the pieces of a text.
#[derive(Clone, Debug)]
pub(super) struct PieceSearch {
    list: ListSearch,
    /// Questions since the last success.
    vain: u32,
    /// Whether it goes on however many are in vain.
    is_thorough: bool,
}

/// How many pieces a text is cut into in the first round; `None` if it is small enough for a tree. Cost: linear, and only where
/// a text is longer than a few hundred kilobytes.
pub(super) fn first_round(text: &[u8], lexis: &Lexis) -> Option<usize> {
    is_large(text, lexis).then_some(FIRST)
}

/// How many pieces this text is cut into after a round with `before` pieces; `None` if its tree is next, or nothing.
pub(super) fn next_round(
    text: &[u8],
    lexis: &Lexis,
    before: usize,
    has_changed: bool,
) -> Option<usize> {
    let finer = before * FINER;
    match text.len() {
        _ if !is_large(text, lexis) => None,
        _ if has_changed => Some(before),
        length => (length > HUGE && length / finer >= SHORTEST).then_some(finer),
    }
}

/// Whether a text of this length can have a tree.
pub fn may_have_tree(length: usize) -> bool {
    length <= HUGE
}

fn is_large(text: &[u8], lexis: &Lexis) -> bool {
    let has_many_tokens = || {
        if text.contains(&0) {
            return text.len() > MANY_TOKENS;
        }
        let tokens = lexis.count(text);
        let are_short = tokens > MANY_SHORT_TOKENS && text.len() < 2 * tokens;
        are_short || tokens > MANY_TOKENS
    };
    text.len() > LARGE || text.len() > MANY_SHORT_TOKENS && has_many_tokens()
}

impl PieceSearch {
    /// Over so many pieces of a document. Cost: linear in its bytes; its tree is not asked for.
    pub(super) fn new(document: &Document, pieces: usize) -> Self {
        let bounds = bounds(document.bytes(), pieces);
        Self {
            list: ListSearch::of_pieces(document, bounds),
            vain: 0,
            is_thorough: pieces > FIRST,
        }
    }
}

impl Search for PieceSearch {
    type Candidate = Candidate;
    type Best = Candidate;

    fn ask(&self) -> Option<Candidate> {
        let goes_on = self.is_thorough || self.vain < MOST_IN_VAIN;
        self.list.ask().filter(|_| goes_on)
    }

    fn tell(&mut self, verdict: Verdict) {
        self.vain = if verdict.is_interesting() {
            0
        } else {
            self.vain + 1
        };
        self.list.tell(verdict);
    }

    fn best(&self) -> &Candidate {
        self.list.best()
    }

    fn chance(&self) -> Option<f64> {
        self.list.chance()
    }
}

/// Where each of about so many pieces begins, and the end of the last. Cost: one look at each byte.
fn bounds(text: &[u8], pieces: usize) -> Vec<usize> {
    let length = (text.len() / pieces).max(1);
    let mut bounds = vec![0];
    let mut depth = 0;
    let mut start = 0;
    while start < text.len() {
        // The cut is somewhere in the second half of the piece.
        let middle = (start + length / 2).min(text.len());
        depth = depth_behind(&text[start..middle], depth);
        let end = (start + length).min(text.len());
        let cut = best_cut(text, middle..end, &mut depth);
        bounds.extend((cut < text.len()).then_some(cut));
        start = end;
    }
    bounds.push(text.len());
    bounds.dedup();
    bounds
}

fn depth_behind(text: &[u8], before: i64) -> i64 {
    text.iter().fold(before, |depth, &byte| depth + step(byte))
}

fn step(byte: u8) -> i64 {
    match byte {
        b'(' | b'[' | b'{' => 1,
        b')' | b']' | b'}' => -1,
        _ => 0,
    }
}

/// The byte behind which brackets are least deep, of these the first that ends a line, a part or a word. `depth` is that before
/// the range, and afterwards that behind it.
fn best_cut(text: &[u8], range: Range<usize>, depth: &mut i64) -> usize {
    let mut best = (i64::MAX, u8::MAX, range.end);
    for at in range {
        *depth += step(text[at]);
        let is_inside_of_character = text.get(at + 1).is_some_and(|&next| next & 0xc0 == 0x80);
        let rank = match text[at] {
            b'\n' => 0,
            b';' | b',' | b'}' | b'>' => 1,
            b' ' | b'\t' => 2,
            _ if !is_inside_of_character => 3,
            _ => continue,
        };
        best = best.min((*depth, rank, at + 1));
    }
    best.2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::{Plan, Strategy, search};
    use crate::syntax::Language;

    fn pieces(text: &str, count: usize) -> Vec<&str> {
        let bounds = bounds(text.as_bytes(), count);
        let pairs = bounds.windows(2);
        pairs.map(|pair| &text[pair[0]..pair[1]]).collect()
    }

    #[test]
    fn cuts_are_between_lines_and_outside_of_brackets() {
        assert_eq!(pieces("", 4), [""; 0]);
        assert_eq!(pieces("aa\nbb\ncc\ndd\n", 2), ["aa\nbb\n", "cc\ndd\n"]);
        assert_eq!(
            pieces("f() {\n a;\n}\ng() {\n b;\n}\n", 2),
            ["f() {\n a;\n}\n", "g() {\n b;\n}\n"]
        );
        let parts = ["[{a},", "{b},{c},", "{d}]"];
        assert_eq!(pieces("[{a},{b},{c},{d}]", 2), parts);
        assert_eq!(pieces("éééé", 3).concat(), "éééé");
    }

    #[test]
    fn a_large_text_is_cut_before_it_has_a_tree() {
        let line = "some words on a line\n";
        let text = line.repeat(LARGE / line.len()) + "needle\n" + &line.repeat(9000);
        let document = Document::new(text.as_bytes(), Language::named("c"));
        let mut reduction = search(&document, &Plan::new(Strategy::Auto));
        let mut asked = 0;
        while let Some(candidate) = reduction.ask()
            && asked < 40
        {
            let bytes = candidate.to_bytes();
            let is_in = bytes.windows(6).any(|word| word == b"needle");
            reduction.tell(Verdict::of(is_in));
            asked += 1;
        }
        assert!(reduction.best().to_bytes().len() < LARGE / 32);
    }

    #[test]
    fn what_cannot_be_cut_gets_a_tree_unless_it_is_huge() {
        let none = Lexis::NONE;
        assert_eq!(first_round(&[b'a'; 100], none), None);
        let brackets = vec![b'['; MANY_SHORT_TOKENS + 1];
        assert_eq!(first_round(&brackets, none), Some(FIRST));
        let words = b"a word ".repeat(MANY_SHORT_TOKENS / 2 + 1);
        assert_eq!(first_round(&words, none), None);
        let large = vec![b'a'; LARGE + 1];
        assert_eq!(first_round(&large, none), Some(FIRST));
        assert_eq!(next_round(&large, none, FIRST, true), Some(FIRST));
        assert_eq!(next_round(&large, none, FIRST, false), None);
        let huge = vec![b'a'; HUGE + 1];
        assert_eq!(next_round(&huge, none, FIRST, false), Some(FIRST * FINER));
        assert_eq!(next_round(&huge, none, HUGE / SHORTEST, false), None);
    }
}
