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
    /// Its step, and what comes after it, in a text of so many tokens. What is left of lines is searched anew while that takes more
    /// than half of it: what held it has gone.
    pub(super) fn go_on(self, tokens: u32) -> (Option<Step>, Option<Self>) {
        match self {
            Self::Marked => (only(Due::Marked), Some(Self::Lines(u32::MAX))),
            Self::Lines(before) if tokens < before / 2 => {
                (only(Due::Lines), Some(Self::Lines(tokens)))
            }
            Self::Lines(_) => (None, Some(Self::BlankLines)),
            Self::BlankLines => (only(Due::Levels), None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often the lines are searched in a text that has so many tokens at each step, and no fewer behind the last.
    fn searches(tokens: &[u32]) -> usize {
        let (mut next, mut steps, mut searches) = (Some(TextStep::Marked), 0, 0);
        while let Some(step) = next {
            let left = tokens[steps.min(tokens.len() - 1)];
            let (made, after) = step.go_on(left);
            searches += usize::from(made.is_some_and(|made| made.pass.due == Due::Lines));
            (next, steps) = (after, steps + 1);
            assert!(steps < 50, "goes on for ever");
        }
        searches
    }

    #[test]
    fn lines_are_searched_anew_while_that_pays() {
        assert_eq!(searches(&[100]), 1);
        assert_eq!(searches(&[100, 100, 40, 39]), 2);
        assert_eq!(searches(&[100, 100, 40, 10, 9]), 3);
        // A text of blank lines has no tokens.
        assert_eq!(searches(&[0]), 1);
    }
}
