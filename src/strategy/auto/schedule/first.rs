//! The steps before the cuts: what goes in large pieces, or is told by names.

use super::{Phase, Schedule, Sweep, WITH_KINDS, of_grain, only};
use crate::{
    pass::{Due, Grain},
    strategy::auto::{
        large::{self, Rows, by_names, runs_of_bodies},
        step::Step,
        text::TextStep,
    },
};

/// In a document of so many tokens what takes this part of it with all that it is used for goes before the bodies, and this part
/// behind them.
const WITH_SEVERED: u32 = 300;
const SEVERED: u32 = 32;
const SEVERED_AGAIN: u32 = 128;

impl Schedule {
    /// The step of a phase before the cuts, where only large documents get most of it.
    pub(super) fn first_step(&mut self, tokens: u32, has_grammar: bool) -> Option<Step> {
        match self.phase {
            Phase::Comments => {
                self.enough = large::enough(tokens);
                if has_grammar && tokens >= large::VERY_LARGE {
                    self.sweep = Sweep::Sound;
                }
                self.phase = Phase::First;
                let from_all = Grain {
                    largest: u32::MAX,
                    ..Grain::default()
                };
                of_grain(Due::Comments, from_all)
            }
            Phase::First => {
                self.phase = if has_grammar {
                    Phase::EarlyLayout
                } else {
                    Phase::Text(TextStep::Marked)
                };
                only(Due::First)
            }
            Phase::EarlyLayout => {
                self.phase = Phase::Tail(u32::MAX);
                only(Due::EarlyLayout).filter(|_| tokens >= self.enough)
            }
            // Without its tail a document may have another one: what was empty but for that.
            Phase::Tail(before) if tokens < before => {
                self.phase = Phase::Tail(tokens);
                by_names(Due::Tail, tokens, self.enough)
            }
            Phase::Tail(_) => {
                self.before_reach = tokens;
                self.phase = Phase::Early(0);
                None
            }
            Phase::Early(place) => {
                let Some(&early) = EARLY.get(place) else {
                    self.phase = Phase::Cuts(u32::MAX);
                    return None;
                };
                self.phase = match early {
                    Early::Rows => Phase::Rows(Rows::new(tokens, self.enough), place + 1),
                    _ => Phase::Early(place + 1),
                };
                self.early_step(early, tokens)
            }
            Phase::Rows(rows, behind) => {
                let next = rows.go_on(tokens);
                self.phase = match next {
                    Some((_, rows)) => Phase::Rows(rows, behind),
                    None => Phase::Early(behind),
                };
                next.map(|(step, _)| step)
            }
            _ => None,
        }
    }

    fn early_step(&self, early: Early, tokens: u32) -> Option<Step> {
        let is_large = tokens >= large::LARGE;
        match early {
            Early::Reach => by_names(Due::BeforeRow, tokens, self.enough),
            Early::Members => by_names(Due::Members, tokens, self.enough),
            Early::Ends => by_names(Due::Ends, tokens, self.enough)
                .filter(|_| large::is_library(self.before_reach, tokens) && is_large),
            Early::Needless => large::needless(tokens).filter(|_| is_large),
            Early::Sever => severed(tokens, tokens / SEVERED),
            Early::Comments => only(Due::First).filter(|_| self.enough < large::LARGE && !is_large),
            Early::Bodies => of_grain(Due::Bodies, runs_of_bodies(tokens)),
            Early::LateBodies => {
                of_grain(Due::LateBodies, runs_of_bodies(tokens)).filter(|_| tokens >= self.enough)
            }
            Early::Rows => None,
            Early::Spaces => only(Due::Spaces).filter(|_| !is_large),
            Early::Everywhere => only(Due::Everywhere).filter(|_| tokens >= self.enough),
            Early::Blocks => in_functions(Due::Blocks, tokens),
            Early::Instructions => in_functions(Due::Instructions, tokens),
            Early::Kinds => only(Due::Kinds).filter(|_| tokens >= WITH_KINDS),
            Early::SeverAgain => severed(tokens, tokens / SEVERED_AGAIN),
            Early::Reshape => only(Due::Reshape).filter(|_| tokens >= self.enough),
            Early::NeedlessAgain => large::needless(tokens),
        }
    }
}

/// Runs of what functions are made of, in a document of so many tokens.
fn in_functions(due: Due, tokens: u32) -> Option<Step> {
    of_grain(due, large::runs_of_blocks(tokens)).filter(|_| tokens >= WITH_KINDS)
}

/// What comes before the cuts.
#[derive(Clone, Copy, Debug)]
enum Early {
    Reach,
    Members,
    Ends,
    Needless,
    Sever,
    Bodies,
    LateBodies,
    Rows,
    Everywhere,
    Spaces,
    Blocks,
    Instructions,
    Kinds,
    SeverAgain,
    Reshape,
    NeedlessAgain,
    Comments,
}

/// In this order: while there is much to be reached a small cut of the end takes much with it.
const EARLY: &[Early] = &[
    Early::Reach,
    Early::Members,
    Early::Ends,
    Early::Needless,
    Early::Sever,
    Early::Bodies,
    Early::Reach,
    Early::Members,
    Early::LateBodies,
    Early::Reach,
    Early::Members,
    Early::Everywhere,
    Early::Rows,
    Early::Spaces,
    Early::Blocks,
    Early::Reach,
    Early::Kinds,
    Early::Instructions,
    Early::Reach,
    Early::SeverAgain,
    Early::Reshape,
    Early::NeedlessAgain,
    Early::Reach,
    Early::Members,
    Early::Comments,
];

/// What is cut off, in a document of so many tokens, with at least so many.
fn severed(tokens: u32, least: u32) -> Option<Step> {
    let grain = Grain {
        least,
        ..Grain::default()
    };
    of_grain(Due::Sever, grain).filter(|_| tokens >= WITH_SEVERED)
}
