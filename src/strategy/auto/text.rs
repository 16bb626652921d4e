//! What comes first without a grammar: lines that begin alike, blocks of lines, and lines.

use super::{
    schedule::{of_grain, only},
    step::Step,
};
use crate::pass::{Due, Grain};

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextStep {
    /// Lines with the same mark.
    Marked,
    /// Of this level.
    Blocks(u32),
    Lines,
    BlankLines,
}

impl TextStep {
    /// Its step, and what comes after it: lines that begin with the same mark, blocks of lines from the outermost level on, what is
    /// left of them line by line, and blank lines.
    pub(super) fn go_on(self) -> (Option<Step>, Option<Self>) {
        match self {
            Self::Marked => (only(Due::Marked), Some(Self::Blocks(0))),
            Self::Blocks(level) => {
                let grain = Grain {
                    level: Some(level),
                    ..Grain::default()
                };
                let next = if level < DEEPEST {
                    Self::Blocks(level + 1)
                } else {
                    Self::Lines
                };
                (of_grain(Due::Lines, grain), Some(next))
            }
            Self::Lines => (only(Due::Lines), Some(Self::BlankLines)),
            Self::BlankLines => (only(Due::Levels), None),
        }
    }
}

/// Blocks of lines that lie in more others go with these, or line by line.
const DEEPEST: u32 = 12;
