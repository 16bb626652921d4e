//! What comes first without a grammar: lines that begin alike, runs of lines, and blank ones.

use super::{schedule::only, step::Step};
use crate::pass::Due;

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextStep {
    /// Lines with the same mark.
    Marked,
    /// With the tokens before the lines were searched last.
    Lines(u32),
    BlankLines,
}

impl TextStep {
    /// Its step, and what comes after it, in a text of so many tokens. What is left of lines is searched anew while that takes half
    /// of it: what held it has gone.
    pub(super) fn go_on(self, tokens: u32) -> (Option<Step>, Option<Self>) {
        match self {
            Self::Marked => (only(Due::Marked), Some(Self::Lines(u32::MAX))),
            Self::Lines(before) if tokens <= before / 2 => {
                (only(Due::Lines), Some(Self::Lines(tokens)))
            }
            Self::Lines(_) => (None, Some(Self::BlankLines)),
            Self::BlankLines => (only(Due::Levels), None),
        }
    }
}
