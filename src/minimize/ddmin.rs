//! ddmin, minimising Delta Debugging.
//!
//! **Idea.** Divide the list into parts. If a part alone is interesting, go on with it; if the list without a part is, go on with
//! that; otherwise divide more finely, until the parts are single elements.
//!
//! **Papers.** Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002. That the subset phase can be left
//! out and the complements can be asked from the last to the first is Hodován and Kiss, 2016; other split factors than 2 are Kiss, 2018.
//!
//! **Laws.** The result is 1-minimal for any deterministic oracle. At most `n² + 3n` queries (split factor 2).

use super::parts::{part, turn};
use super::{Cut, Options, Runs};
use crate::search::{Search, Verdict};

#[derive(Clone, Debug)]
pub(super) struct Ddmin {
    kept: Runs,
    /// How many parts the kept elements are divided into; 0 when the search has ended.
    parts: usize,
    phase: Phase,
    /// The turn of the part that is asked about.
    index: usize,
    subsets: bool,
    backward: bool,
    split: usize,
}

/// What is asked about a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Is the part alone interesting?
    Subset,
    /// Is the list without the part?
    Complement,
}

impl Ddmin {
    pub(super) fn new(kept: Runs, options: &Options) -> Self {
        let split = options.split_factor();
        let (subsets, backward) = (options.subsets, options.backward);
        let mut ddmin = Self {
            kept,
            parts: 0,
            phase: Phase::Complement,
            index: 0,
            subsets,
            backward,
            split,
        };
        ddmin.divide(split);
        ddmin
    }

    /// Begins again with the first question about this many parts.
    fn divide(&mut self, parts: usize) {
        self.parts = parts.min(self.kept.len());
        self.index = 0;
        // A single part alone is the list itself, which is known to be interesting.
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
        part(&self.kept, self.parts, index)
    }

    fn next_question(&mut self) {
        self.index += 1;
        if self.index < self.parts {
            return;
        }
        match self.phase {
            Phase::Subset => (self.phase, self.index) = (Phase::Complement, 0),
            Phase::Complement if self.parts < self.kept.len() => {
                self.divide(self.parts.saturating_mul(self.split));
            }
            Phase::Complement => self.parts = 0,
        }
    }
}

impl Search for Ddmin {
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
        if !verdict.is_interesting() {
            self.next_question();
            return;
        }
        let part = self.part();
        match self.phase {
            Phase::Subset => {
                self.kept = part;
                self.divide(self.split);
            }
            Phase::Complement => {
                self.kept = self.kept.subtract(&part);
                self.divide((self.parts - 1).max(2));
            }
        }
    }

    fn best(&self) -> &Runs {
        &self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial::{Trial, needs, run};
    use super::super::{Algorithm, Options, Weights};

    #[test]
    fn keeps_the_second_and_the_fourth_of_five() {
        let trial = run(
            &Weights::Uniform(5),
            &Options::new(Algorithm::Ddmin),
            needs(&[1, 3]),
        );
        assert_eq!(trial.result, [1, 3]);
    }

    #[test]
    fn needs_thirty_queries_for_the_worked_example_of_the_wdd_paper() {
        let options = Options {
            subsets: true,
            ..Options::new(Algorithm::Ddmin)
        };
        let trial = run(&Weights::Uniform(8), &options, needs(&[0, 2, 5, 6, 7]));
        assert_eq!(
            trial,
            Trial {
                result: vec![0, 2, 5, 6, 7],
                queries: 30,
                cache_hits: 21
            }
        );
    }

    #[test]
    fn asks_whether_a_single_element_can_go() {
        let options = Options {
            subsets: true,
            ..Options::new(Algorithm::Ddmin)
        };
        let trial = run(&Weights::Uniform(1), &options, needs(&[]));
        assert_eq!(
            trial,
            Trial {
                result: vec![],
                queries: 1,
                cache_hits: 0
            }
        );
    }
}
