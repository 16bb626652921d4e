//! The tokens of a text, and which brackets among them belong together.

use super::Lexis;
use std::ops::Range;

/// A text as a row of tokens in which an opening bracket, with its counterpart, is one step.
#[derive(Debug)]
pub(super) struct Bracketed<'t> {
    pub(super) bytes: &'t [u8],
    pub(super) tokens: Vec<Range<usize>>,
    /// The token behind each token; for an opening bracket, behind its counterpart.
    pub(super) ends: Vec<usize>,
}

/// A closing bracket looks for its counterpart behind so many others that are not closed.
const MOST_UNCLOSED: usize = 4;

impl<'t> Bracketed<'t> {
    /// `pairs` are the texts of brackets and their counterparts, whatever the case of their letters. A bracket that fits no open one
    /// is an ordinary token, and so is one that is not closed. Cost: linear.
    pub(super) fn of(bytes: &'t [u8], lexis: &Lexis, pairs: &[(&str, &str)]) -> Self {
        let tokens = lexis.tokens(bytes);
        let mut row = Self {
            bytes,
            ends: (1..=tokens.len()).collect(),
            tokens,
        };
        let mut open: Vec<usize> = Vec::new();
        for token in 0..row.tokens.len() {
            let is =
                |token: usize, text: &str| row.text(token).eq_ignore_ascii_case(text.as_bytes());
            if pairs.iter().any(|(opening, _)| is(token, opening)) {
                open.push(token);
                continue;
            }
            let near = open.len().saturating_sub(MOST_UNCLOSED);
            let fits = |&before: &usize| {
                let mut pairs = pairs.iter();
                pairs.any(|(opening, closing)| is(token, closing) && is(before, opening))
            };
            if let Some(place) = open[near..].iter().rposition(fits) {
                row.ends[open[near + place]] = token + 1;
                open.truncate(near + place);
            }
        }
        row
    }

    pub(super) fn text(&self, token: usize) -> &'t [u8] {
        &self.bytes[self.tokens[token].clone()]
    }

    /// The tokens of a run that lie in no bracket of it.
    pub(super) fn outside_brackets(&self, run: &Range<usize>) -> impl Iterator<Item = usize> + '_ {
        let run = run.clone();
        let first = Some(run.start).filter(|_| !run.is_empty());
        std::iter::successors(first, move |&token| {
            Some(self.ends[token]).filter(|next| run.contains(next))
        })
    }
}
