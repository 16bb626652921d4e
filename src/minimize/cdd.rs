//! CDD, counter-based Delta Debugging.
//!
//! **Idea.** ProbDD without its bookkeeping: the probabilities of the elements grow in step, so it is enough to count rounds. In round
//! r all elements have the probability p0·1.582^r, which gives the length of the runs to take away; the round tries each run once.
//!
//! **Paper.** Zhang et al., "Toward a better understanding of probabilistic Delta Debugging", ICSE 2025, algorithm 2.
//!
//! **Laws.** Linear: at most `4n` queries, `2.2n` with p0 = 0.1. The result is 1-minimal only if a deletion that was refused cannot
//! become possible later, so a sweep follows by default.

use super::parts::turn;
use super::probability::{all_can_go, best_size, prior};
use super::{Cut, Options, Runs};
use crate::search::{Search, Verdict};

/// By this factor a failure makes an element likelier to be needed: 1/(1 - 1/e), rounded as in the paper.
const GROWTH: f64 = 1.582;

#[derive(Clone, Debug)]
pub(super) struct Cdd {
    /// What was kept when the round began: the list that is divided into runs.
    base: Runs,
    kept: Runs,
    probability: f64,
    /// The length of a run.
    size: usize,
    /// The turn of the run that is asked about; the number of runs when the search has ended.
    index: usize,
    backward: bool,
}

impl Cdd {
    pub(super) fn new(kept: Runs, options: &Options) -> Self {
        let probability = prior(options.p0);
        Self {
            base: kept.clone(),
            kept,
            probability,
            size: best_size(probability),
            index: 0,
            backward: options.backward,
        }
    }

    fn runs(&self) -> usize {
        self.base.len().div_ceil(self.size)
    }

    fn run(&self) -> Runs {
        let start = turn(self.backward, self.runs(), self.index) * self.size;
        self.base.slice(start..start.saturating_add(self.size))
    }

    fn next_question(&mut self) {
        self.index += 1;
        if self.index == self.runs() && self.size.min(self.base.len()) > 1 {
            self.begin_next_round();
        }
    }

    fn begin_next_round(&mut self) {
        // A run that is the whole list was just refused if the round had only one, and would be again.
        let shorter_than = if self.runs() == 1 {
            self.base.len()
        } else {
            usize::MAX
        };
        loop {
            self.probability *= GROWTH;
            self.size = best_size(self.probability);
            if self.size == 1 || self.size < shorter_than {
                break;
            }
        }
        self.base = self.kept.clone();
        self.index = 0;
    }
}

impl Search for Cdd {
    type Candidate = Cut;
    type Best = Runs;

    fn ask(&self) -> Option<Cut> {
        (self.index < self.runs()).then(|| Cut::Drop(self.run()))
    }

    fn tell(&mut self, verdict: Verdict) {
        if self.index >= self.runs() {
            return;
        }
        if verdict.is_interesting() {
            self.kept = self.kept.subtract(&self.run());
        }
        self.next_question();
    }

    fn best(&self) -> &Runs {
        &self.kept
    }

    fn chance(&self) -> Option<f64> {
        (self.index < self.runs()).then(|| all_can_go(self.probability, self.run().len()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial::{Trial, needs, run};
    use super::super::{Algorithm, Options, Weights};

    #[test]
    fn needs_thirteen_queries_for_the_worked_example_of_the_wdd_paper() {
        let options = Options {
            p0: 0.2,
            sweep: false,
            ..Options::new(Algorithm::Cdd)
        };
        let trial = run(&Weights::Uniform(8), &options, needs(&[0, 2, 5, 6, 7]));
        assert_eq!(
            trial,
            Trial {
                result: vec![0, 2, 5, 6, 7],
                queries: 13,
                cache_hits: 0
            }
        );
    }

    #[test]
    fn does_not_ask_for_the_whole_list_again_in_the_next_round() {
        let options = Options {
            sweep: false,
            ..Options::new(Algorithm::Cdd)
        };
        // All three; the first two and the third; the first and the second, which leaves nothing, like the first question.
        let trial = run(&Weights::Uniform(3), &options, needs(&[1]));
        assert_eq!(
            trial,
            Trial {
                result: vec![1],
                queries: 1 + 2 + 1,
                cache_hits: 1
            }
        );
    }
}
