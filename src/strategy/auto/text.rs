//! What comes first without a grammar: lines that begin alike, runs of lines, and blank ones.

use super::{schedule::only, step::Step};
use crate::pass::Due;

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextStep {
    /// Lines with the same mark.
    Marked,
    Lines,
    BlankLines,
}

impl TextStep {
    /// Its step, and what comes after it.
    pub(super) fn go_on(self) -> (Option<Step>, Option<Self>) {
        match self {
            Self::Marked => (only(Due::Marked), Some(Self::Lines)),
            Self::Lines => (only(Due::Lines), Some(Self::BlankLines)),
            Self::BlankLines => (only(Due::Levels), None),
        }
    }
}
