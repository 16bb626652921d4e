//! OPDD, one-pass ddmin.
//!
//! **Idea.** ddmin that goes on with the next part after a success, where ddmin begins again with the first. The parts of a round
//! stay as they were divided; only the next round divides what is left.
//!
//! **Paper.** Gharachorlu and Sumner, "Avoiding the familiar to speed up test case reduction", 2018.
//!
//! **Laws.** Linear: without the subset phase at most `4n` queries (split factor 2), since the parts of a round are at most twice
//! those that the round before left, and their length is halved. The result is 1-minimal only if a deletion that was refused
//! cannot become possible later, so a sweep follows by default.

use super::parts::{Phase, Walk};
use super::{Cut, Options, Runs};
use crate::search::{Search, Verdict};

#[derive(Clone, Debug)]
pub(super) struct Opdd {
    /// What was kept when the round began: the list that the parts divide.
    base: Runs,
    kept: Runs,
    /// How many of the parts are gone.
    removed: usize,
    walk: Walk,
    split: usize,
}

impl Opdd {
    pub(super) fn new(kept: Runs, options: &Options) -> Self {
        let mut opdd = Self {
            base: kept.clone(),
            kept,
            removed: 0,
            walk: Walk::new(options),
            split: options.split_factor(),
        };
        opdd.begin_round(opdd.split);
        opdd
    }

    fn begin_round(&mut self, parts: usize) {
        self.base = self.kept.clone();
        self.removed = 0;
        self.walk.begin(&self.base, parts);
    }

    fn next_question(&mut self) {
        if self.walk.advance() {
            return;
        }
        if self.walk.parts() < self.base.len() {
            self.begin_round((self.walk.parts() - self.removed).saturating_mul(self.split));
        } else {
            self.walk.end();
        }
    }
}

impl Search for Opdd {
    type Candidate = Cut;
    type Best = Runs;

    fn ask(&self) -> Option<Cut> {
        self.walk.question(&self.base)
    }

    fn tell(&mut self, verdict: Verdict) {
        match self.walk.part(&self.base) {
            None => {}
            Some(_) if !verdict.is_interesting() => self.next_question(),
            Some((Phase::Subset, part)) => {
                self.kept = part;
                self.begin_round(self.split);
            }
            Some((Phase::Complement, part)) => {
                self.kept = self.kept.subtract(&part);
                self.removed += 1;
                self.next_question();
            }
        }
    }

    fn best(&self) -> &Runs {
        &self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial::{needs, run};
    use super::super::{Algorithm, Options, Weights};

    #[test]
    fn goes_on_with_the_next_part_after_a_success() {
        let options = Options {
            sweep: false,
            ..Options::new(Algorithm::Opdd)
        };
        // Halves (2 queries), quarters (4), then 1, 2, 5 and 6 alone (4): nothing is asked about an element twice.
        let trial = run(&Weights::Uniform(8), &options, needs(&[0, 5]));
        assert_eq!((trial.result, trial.queries), (vec![0, 5], 10));
    }
}
