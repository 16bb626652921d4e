//! How the proof comes about that nothing more goes: by sweeps, until a whole one changes nothing.

use super::{AT_LAST, Phase, Schedule, of_grain};
use crate::{
    pass::{Due, Grain},
    strategy::auto::step::Step,
};

/// Which single changes the sweep asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sweep {
    All,
    /// In what was very large, where one sweep more costs little: first those that keep the syntax.
    Sound,
    /// Then all.
    AllAtLast,
}

/// How far the certificate has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    Open,
    /// The sweep has changed something, and goes on.
    Changing,
    /// Nothing has changed since a whole sweep.
    Whole,
}

impl Schedule {
    /// The sweep, from where it was on.
    pub(super) fn sweep(&self) -> Option<Step> {
        let grain = Grain {
            from: self.position,
            ..Grain::default()
        };
        let due = match self.sweep {
            Sweep::Sound => Due::SoundSweep,
            Sweep::All | Sweep::AllAtLast => Due::Sweep,
        };
        of_grain(due, grain)
    }

    /// What comes when a whole sweep has changed nothing: the same with what breaks the syntax, which leaves a text that the rewrites
    /// know less of.
    pub(super) fn behind_proof(&mut self) -> Phase {
        if self.sweep != Sweep::Sound {
            return AT_LAST;
        }
        self.sweep = Sweep::AllAtLast;
        self.proof = Proof::Open;
        Phase::AnyTokens
    }
}
