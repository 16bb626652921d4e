//! The steps of the rounds, the late ones, and the second tries behind them.

use super::{
    PAYS, Pace, Phase, Proof, Schedule, WITH_COARSE, at_least,
    sizes::{first_rung, next_rung},
};
use crate::{
    pass::{
        Again, Due, Pass,
        list::{PASSES, due_at},
    },
    strategy::auto::step::Step,
};

impl Schedule {
    /// A step of a round, of large changes as long as these pay.
    pub(super) fn round_step(&mut self, place: usize, tokens: u32) -> Option<Step> {
        match due_at(Due::Round).nth(place) {
            Some(pass) => {
                if place == 0 {
                    self.before_round = tokens;
                }
                if self.rung == u32::MAX {
                    self.rung = if self.once { 0 } else { first_rung(tokens) };
                }
                self.phase = Phase::Round(place + 1);
                return Some(Step::of_grain(pass, at_least(self.rung)));
            }
            None if self.once => self.phase = Phase::Rename,
            None if self.rung > 0 => {
                // Of a few tokens the part is none, and a round that took nothing has not paid.
                let least = (self.before_round / PAYS).max(1);
                let has_paid = tokens + least <= self.before_round;
                self.changed = false;
                self.phase = Phase::Round(0);
                if !has_paid && tokens >= WITH_COARSE {
                    self.phase = Phase::Further(0);
                } else if !has_paid {
                    self.rung = next_rung(self.rung);
                }
            }
            None if self.pace == Pace::Hurried && !self.changed => {
                self.pace = Pace::Thorough;
                self.phase = Phase::Round(0);
            }
            None => self.go_on(Phase::Late(0, 0)),
        }
        None
    }

    /// A late step of large changes in a document of some size, before the rounds turn to smaller ones.
    pub(super) fn further_step(&mut self, place: usize) -> Option<Step> {
        let pass = due_at(Due::Further).nth(place);
        if pass.is_some() {
            self.phase = Phase::Further(place + 1);
        } else {
            if !self.changed {
                self.rung = next_rung(self.rung);
            }
            self.changed = false;
            self.phase = Phase::Round(0);
        }
        let grain = at_least(self.rung);
        pass.map(|pass| Step::of_grain(pass, grain))
    }

    /// A late step; behind the last of them comes what has failed before.
    pub(super) fn late_step(&mut self, list: u8, place: usize) -> Option<Step> {
        let pass = due_at(Due::Late(list)).nth(place);
        match pass {
            Some(_) => self.phase = Phase::Late(list, place + 1),
            None if place > 0 => self.go_on(Phase::Late(list + 1, 0)),
            None => self.phase = Phase::Again(Again::BeforeProof, 0),
        }
        pass.map(Step::new)
    }

    /// A pass that asks again about what has failed as long as more was there: what stood against it may be gone.
    pub(super) fn second_try(&mut self, again: Again, place: usize) -> Option<Step> {
        let pass = due_again(again).nth(place);
        match (pass, again) {
            (Some(_), _) => self.phase = Phase::Again(again, place + 1),
            (None, Again::BehindProof) => self.go_on(Phase::End),
            // Nothing has changed since.
            (None, _) if self.proof == Proof::Whole => self.phase = self.behind_proof(),
            (None, _) => self.go_on(Phase::Rename),
        }
        pass.map(|pass| Step::new(pass).again())
    }
}

/// The passes that ask again then.
fn due_again(again: Again) -> impl Iterator<Item = &'static Pass> {
    PASSES.iter().filter(move |pass| pass.again == Some(again))
}
