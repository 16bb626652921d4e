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

use super::parts::{part, turn};
use super::{Cut, Options, Runs};
use crate::search::{Search, Verdict};

#[derive(Clone, Debug)]
pub(super) struct Opdd {
    /// What was kept when the round began: the list that the parts divide.
    base: Runs,
    kept: Runs,
    /// How many parts the base is divided into; 0 when the search has ended.
    parts: usize,
    /// How many of them are gone.
    removed: usize,
    phase: Phase,
    /// The turn of the part that is asked about.
    index: usize,
    subsets: bool,
    backward: bool,
    split: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Subset,
    Complement,
}

impl Opdd {
    pub(super) fn new(kept: Runs, options: &Options) -> Self {
        let mut opdd = Self {
            base: kept.clone(),
            kept,
            parts: 0,
            removed: 0,
            phase: Phase::Complement,
            index: 0,
            subsets: options.subsets,
            backward: options.backward,
            split: options.split_factor(),
        };
        opdd.begin_round(opdd.split);
        opdd
    }

    fn begin_round(&mut self, parts: usize) {
        self.base = self.kept.clone();
        self.parts = parts.min(self.base.len());
        (self.removed, self.index) = (0, 0);
        self.phase = if self.subsets && self.parts > 1 {
            Phase::Subset
        } else {
            Phase::Complement
        };
    }

    fn part(&self) -> Runs {
        let index = match self.phase {
            Phase::Subset => self.index,
            Phase::Complement => turn(self.backward, self.parts, self.index),
        };
        part(&self.base, self.parts, index)
    }

    fn next_question(&mut self) {
        self.index += 1;
        if self.index < self.parts {
            return;
        }
        match self.phase {
            Phase::Subset => (self.phase, self.index) = (Phase::Complement, 0),
            Phase::Complement if self.parts < self.base.len() => {
                self.begin_round((self.parts - self.removed).saturating_mul(self.split));
            }
            Phase::Complement => self.parts = 0,
        }
    }
}

impl Search for Opdd {
    type Candidate = Cut;
    type Best = Runs;

    fn ask(&self) -> Option<Cut> {
        (self.parts > 0).then(|| match self.phase {
            Phase::Subset => Cut::Keep(self.part()),
            Phase::Complement => Cut::Drop(self.part()),
        })
    }

    fn tell(&mut self, verdict: Verdict) {
        if self.parts == 0 {
            return;
        }
        match self.phase {
            Phase::Subset if verdict.is_interesting() => {
                self.kept = self.part();
                self.begin_round(self.split);
            }
            Phase::Complement if verdict.is_interesting() => {
                self.kept = self.kept.subtract(&self.part());
                self.removed += 1;
                self.next_question();
            }
            Phase::Subset | Phase::Complement => self.next_question(),
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
