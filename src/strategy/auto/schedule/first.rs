//! The steps before the cuts: what goes in large pieces, or is told by names.

use super::{Phase, Schedule, WITH_KINDS, of_grain, only};
use crate::{
    pass::{Due, Grain},
    strategy::auto::{
        large::{self, BODY_RUNS, Rows, by_names},
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
            Phase::First => {
                self.enough = large::enough(tokens);
                self.phase = if has_grammar {
                    Phase::EarlyLayout
                } else {
                    Phase::Text(TextStep::Blocks(0))
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
                self.phase = Phase::Reach;
                None
            }
            Phase::Reach => {
                self.phase = Phase::Ends(tokens);
                by_names(Due::BeforeRow, tokens, self.enough)
            }
            Phase::Ends(before) => {
                self.phase = Phase::Needless;
                by_names(Due::Ends, tokens, self.enough)
                    .filter(|_| large::is_library(before, tokens) && tokens >= large::LARGE)
            }
            Phase::Needless => {
                self.phase = Phase::Sever;
                large::needless(tokens).filter(|_| tokens >= large::LARGE)
            }
            Phase::Sever => {
                self.phase = Phase::Bodies;
                severed(tokens, tokens / SEVERED)
            }
            Phase::Bodies => {
                self.phase = Phase::ReachBodies;
                of_grain(Due::Bodies, runs_of_bodies(tokens))
            }
            Phase::ReachBodies => {
                self.phase = Phase::LateBodies;
                by_names(Due::BeforeRow, tokens, self.enough)
            }
            Phase::LateBodies => {
                self.phase = Phase::BehindBodies(tokens);
                of_grain(Due::LateBodies, runs_of_bodies(tokens)).filter(|_| tokens >= self.enough)
            }
            Phase::BehindBodies(before) => {
                self.phase = Phase::Rows(Rows::new(tokens, self.enough, tokens < before));
                None
            }
            Phase::Rows(rows) => {
                if let Some(rows) = rows.behind_first() {
                    self.phase = Phase::Rows(rows);
                    let is_due = tokens >= large::LARGE;
                    return of_grain(Due::BoldBodies, runs_of_bodies(tokens)).filter(|_| is_due);
                }
                let next = rows.go_on(tokens);
                self.phase = next.map_or(Phase::Spaces, |(_, rows)| Phase::Rows(rows));
                next.map(|(step, _)| step)
            }
            Phase::Spaces => {
                self.phase = Phase::Kinds;
                only(Due::Spaces).filter(|_| tokens < large::LARGE)
            }
            Phase::Kinds => {
                self.phase = Phase::SeverAgain;
                only(Due::Kinds).filter(|_| tokens >= WITH_KINDS)
            }
            Phase::SeverAgain => {
                self.phase = Phase::Reshape;
                severed(tokens, tokens / SEVERED_AGAIN)
            }
            Phase::Reshape => {
                self.phase = Phase::NeedlessAgain;
                only(Due::Reshape).filter(|_| tokens >= self.enough)
            }
            Phase::NeedlessAgain => {
                self.phase = Phase::ReachAgain;
                large::needless(tokens)
            }
            Phase::ReachAgain => {
                self.phase = Phase::Cuts(u32::MAX);
                by_names(Due::BeforeRow, tokens, self.enough)
            }
            _ => None,
        }
    }
}

/// How the bodies of a document of so many tokens are searched.
fn runs_of_bodies(tokens: u32) -> Grain {
    Grain {
        least: tokens / BODY_RUNS,
        largest: u32::MAX,
        ..Grain::default()
    }
}

/// What is cut off, in a document of so many tokens, with at least so many.
fn severed(tokens: u32, least: u32) -> Option<Step> {
    let grain = Grain {
        least,
        ..Grain::default()
    };
    of_grain(Due::Sever, grain).filter(|_| tokens >= WITH_SEVERED)
}
