//! What comes first without a grammar: blocks of lines, and lines.

use super::{
    schedule::{of_grain, only},
    step::Step,
};
use crate::pass::{Due, Grain};

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextStep {
    /// Of this level.
    Blocks(u32),
    Lines,
    BlankLines,
}

impl TextStep {
    /// Its step, and what comes after it: blocks of lines from the outermost level on, what is left of them line by line, and
    /// blank lines.
    pub(super) fn go_on(self) -> (Option<Step>, Option<Self>) {
        match self {
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
            Self::BlankLines => (only(Due::Layout), None),
        }
    }
}

/// Blocks of lines that lie in more others go with these, or line by line.
const DEEPEST: u32 = 12;
