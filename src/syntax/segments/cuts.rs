//! Where a text can be cut into elements that the grammar knows on their own: behind what ends a declaration or a statement,
//! outside of brackets.

use crate::syntax::{Lexis, bracketed::Bracketed, facts::Cuts};
use std::ops::Range;

/// The tokens of a text, which brackets belong together, and where it can be cut.
pub(super) struct Elements<'t> {
    row: Bracketed<'t>,
    cuts: &'t Cuts,
}

const PAIRS: &[(&str, &str)] = &[("(", ")"), ("[", "]"), ("{", "}")];

impl<'t> Elements<'t> {
    /// Cost: linear.
    pub(super) fn of(bytes: &'t [u8], lexis: &Lexis, cuts: &'t Cuts) -> Self {
        let row = Bracketed::of(bytes, lexis, PAIRS);
        Self { row, cuts }
    }

    /// All tokens.
    pub(super) fn all(&self) -> Range<usize> {
        0..self.row.tokens.len()
    }

    /// The bytes from the first token of a run to the last one.
    pub(super) fn bytes_of(&self, run: &Range<usize>) -> Range<usize> {
        match (self.row.tokens.get(run.start), run.end.checked_sub(1)) {
            (Some(first), Some(last)) if last >= run.start => {
                first.start..self.row.tokens[last].end
            }
            _ => 0..0,
        }
    }

    /// The cut of a run that halves it best: the token behind it. `None` where nothing ends in between. Cost: linear in the tokens
    /// outside of brackets.
    pub(super) fn middle(&self, run: &Range<usize>) -> Option<usize> {
        if run.is_empty() {
            return None;
        }
        let bytes = self.bytes_of(run);
        let middle = usize::midpoint(bytes.start, bytes.end);
        let column = self.column(run.start);
        let cuts = self.row.outside_brackets(run).filter_map(|token| {
            let next = self.row.ends[token];
            (next < run.end && self.is_cut(token, next, column)).then_some(next)
        });
        cuts.min_by_key(|&next| self.row.tokens[next].start.abs_diff(middle))
    }

    /// The largest block in curly brackets of a run: its brackets, and the tokens between them. Cost: linear in the tokens that are
    /// not below it.
    pub(super) fn block(&self, run: &Range<usize>) -> Option<(usize, usize)> {
        let mut run = run.clone();
        loop {
            let open = self
                .row
                .outside_brackets(&run)
                .filter(|&token| self.row.ends[token] > token + 1)
                .max_by_key(|&token| (self.size(token), token))?;
            let close = self.row.ends[open] - 1;
            if self.text(open) == b"{" {
                return Some((open, close));
            }
            run = open + 1..close;
        }
    }

    /// The bytes of a token.
    pub(super) fn token(&self, token: usize) -> Range<usize> {
        self.row.tokens[token].clone()
    }

    fn size(&self, open: usize) -> usize {
        self.row.tokens[self.row.ends[open] - 1].end - self.row.tokens[open].start
    }

    /// Whether something ends with `token` (and what it opens), so that the next one begins another element.
    fn is_cut(&self, token: usize, next: usize, column: usize) -> bool {
        let word = self.text(next);
        let goes_on = self.cuts.continued_by.iter();
        if goes_on.map(String::as_bytes).any(|known| known == word) {
            return false;
        }
        if self.text(token) == b";" {
            return true;
        }
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$#@~[".contains(byte);
        if !word.first().is_some_and(is_word) {
            return false;
        }
        let gap = &self.row.bytes[self.row.tokens[next - 1].end..self.row.tokens[next].start];
        let is_new_line = gap.contains(&b'\n');
        let is_block = self.text(token) == b"{" && next > token + 1;
        (is_block && (is_new_line || self.cuts.behind_blocks))
            || (self.cuts.lines && is_new_line && self.column(next) <= column)
    }

    fn text(&self, token: usize) -> &[u8] {
        self.row.text(token)
    }

    /// How far a token stands from the start of its line.
    fn column(&self, token: usize) -> usize {
        let before = &self.row.bytes[..self.row.tokens[token].start];
        before
            .iter()
            .rev()
            .take_while(|&&byte| byte != b'\n')
            .count()
    }
}
