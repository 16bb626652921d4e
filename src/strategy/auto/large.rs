//! The steps that only a large document gets: what is not needed is told by names, and found by runs over one long row.

use super::schedule::of_grain;
use super::step::Step;
pub(super) use crate::pass::LARGE;
use crate::pass::{Due, Grain};

/// How far the cuts through one long row of parts have come. Only large documents get them: in a small one the names and the
/// levels of `Cuts` tell more than the neighbourhood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    /// A smaller document is left to the other steps.
    enough: u32,
    /// Into how many parts the document is cut.
    parts: u32,
    /// The tokens before the last row.
    before: u32,
    next: RowStep,
    /// Whether the row before the last has taken much.
    has_paid: bool,
    /// Whether the first row is still to come, or the bodies behind it.
    is_first: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowStep {
    First,
    Reach,
    Members,
    Bodies,
    Needless,
    Unused,
    Again,
}

/// Whether a document of so many tokens has become much smaller.
fn has_paid(before: u32, tokens: u32) -> bool {
    tokens <= before / ROW_TAKES * (ROW_TAKES - 1)
}

/// Whether another row is worth its questions: while a document is large, less has to be gained by it.
fn goes_on(before: u32, tokens: u32) -> bool {
    has_paid(before, tokens)
        || tokens >= LARGE && tokens <= before / 5 * 4
        || tokens >= VERY_LARGE && tokens <= before / 10 * 9
}

/// Whether a document is a program with a library before it: what its end does not reach took that much of it.
pub(super) fn is_library(before: u32, tokens: u32) -> bool {
    tokens <= before / UNREACHED * (UNREACHED - 1)
}

/// What is told by names in a document of so many tokens, if they are enough: what its end does not reach.
pub(super) fn by_names(due: Due, tokens: u32, enough: u32) -> Option<Step> {
    named(due, tokens, BODY_RUNS).filter(|_| tokens >= enough)
}

/// What is reached only through one unit, in a document of so many tokens.
pub(super) fn needless(tokens: u32) -> Option<Step> {
    let share = if tokens >= LARGE { FIRST_PARTS } else { 16 };
    named(Due::Needless, tokens, share).filter(|_| tokens >= 500)
}

/// What is told by names and takes at least one in `share` of so many tokens.
fn named(due: Due, tokens: u32, share: u32) -> Option<Step> {
    let grain = Grain {
        part: tokens / NAMED_PARTS,
        least: tokens / share,
        ..Grain::default()
    };
    of_grain(due, grain)
}

/// How the bodies of a document of so many tokens are searched.
pub(super) fn runs_of_bodies(tokens: u32) -> Grain {
    Grain {
        least: tokens / BODY_RUNS,
        largest: u32::MAX,
        ..Grain::default()
    }
}

/// How the blocks and the instructions of functions are searched in a document of so many tokens.
pub(super) fn runs_of_blocks(tokens: u32) -> Grain {
    Grain {
        least: tokens / BLOCK_RUNS,
        largest: u32::MAX,
        ..Grain::default()
    }
}

/// How many tokens are enough for these steps, in a document that has so many at first.
pub(super) fn enough(tokens: u32) -> u32 {
    if tokens >= LARGE {
        LARGE / SHRUNK
    } else {
        LARGE
    }
}

impl Rows {
    /// For a document of so many tokens.
    pub(super) fn new(tokens: u32, enough: u32) -> Self {
        Self {
            enough,
            parts: FIRST_PARTS,
            before: tokens,
            next: RowStep::First,
            has_paid: false,
            is_first: true,
        }
    }

    /// The next step and what is known after it, for a document of so many tokens; `None` at the end. A row that took little is
    /// followed by one of finer parts in a very large document, and that by none if it took little too: what is needed does not stand
    /// together then. In a smaller one units of that size weigh more inside the parts than side by side. Behind each row comes what
    /// nothing reaches any more, and what is reached only through one unit.
    pub(super) fn go_on(mut self, tokens: u32) -> Option<(Step, Self)> {
        if tokens < self.enough {
            return None;
        }
        let largest = match self.next {
            RowStep::Reach => {
                self.next = RowStep::Members;
                return Some((by_names(Due::BeforeRow, tokens, self.enough)?, self));
            }
            RowStep::Members => {
                self.next = if self.is_first {
                    RowStep::Bodies
                } else {
                    RowStep::Needless
                };
                return Some((by_names(Due::Members, tokens, self.enough)?, self));
            }
            RowStep::Bodies => {
                self.is_first = false;
                self.next = RowStep::Reach;
                if tokens < LARGE {
                    return self.go_on(tokens);
                }
                return Some((of_grain(Due::BoldBodies, runs_of_bodies(tokens))?, self));
            }
            RowStep::Needless => {
                self.next = if has_paid(self.before, tokens) {
                    RowStep::Unused
                } else {
                    RowStep::Again
                };
                return Some((named(Due::Needless, tokens, FIRST_PARTS)?, self));
            }
            RowStep::Unused => {
                self.next = RowStep::Again;
                let grain = Grain {
                    part: tokens / self.parts,
                    least: tokens / FIRST_PARTS,
                    largest: u32::MAX,
                    ..Grain::default()
                };
                return Some((of_grain(Due::AfterRow, grain)?, self));
            }
            RowStep::First => tokens / 2,
            RowStep::Again => {
                let has_paid = goes_on(self.before, tokens);
                if !has_paid {
                    if !self.has_paid || tokens < VERY_LARGE {
                        return None;
                    }
                    self.parts *= NEXT_CUT;
                }
                self.has_paid = has_paid;
                tokens / self.parts * 8
            }
        };
        let part = tokens / self.parts;
        self.before = tokens;
        self.next = RowStep::Reach;
        let grain = Grain {
            part,
            largest,
            least: part / 2,
            enough: ROW_TAKES,
            ..Grain::default()
        };
        if part <= SMALLEST_PART {
            return None;
        }
        Some((of_grain(Due::Row, grain)?, self))
    }
}

/// And one of so many is worth them even where they take little.
pub(super) const VERY_LARGE: u32 = 5 * LARGE;
/// A document that was large goes on with rows down to this part of that.
const SHRUNK: u32 = 8;
/// Into so many parts a large document is cut at first.
const FIRST_PARTS: u32 = 64;
/// At least this part of a library is not reached from the program behind it.
const UNREACHED: u32 = 8;
/// What is larger than this part of a document is looked into for what it reaches.
const NAMED_PARTS: u32 = 8;
/// A row that has taken this part of the document makes way for what names tell: that takes more with each question by then.
const ROW_TAKES: u32 = 3;
/// No part of so few tokens is worth a row.
const SMALLEST_PART: u32 = 8;
/// A run of bodies has at least this part of the document's tokens.
const BODY_RUNS: u32 = 128;
/// And a run of blocks or instructions this part.
const BLOCK_RUNS: u32 = 512;
/// By how much the parts of the next row, or the units of the next cut, may be smaller.
pub(super) const NEXT_CUT: u32 = 4;

#[cfg(test)]
mod tests {
    use super::*;

    /// How many rows a document gets in which the first one leaves so many tokens, half of them, and the others take nothing.
    fn rows(tokens: u32) -> usize {
        let (_, mut rows) = Rows::new(2 * tokens, enough(tokens))
            .go_on(2 * tokens)
            .unwrap();
        let further = std::iter::from_fn(|| {
            let (step, next) = rows.go_on(tokens)?;
            rows = next;
            Some(step)
        });
        1 + further.filter(|step| step.pass.due == Due::Row).count()
    }

    #[test]
    fn finer_rows_are_for_very_large_documents() {
        assert_eq!(rows(VERY_LARGE - 1), 2);
        assert_eq!(rows(VERY_LARGE), 3);
    }
}
