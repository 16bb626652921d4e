//! ddmin, minimising Delta Debugging.
//!
//! **Idea.** Divide the list into parts. If a part alone is interesting, go on with it; if the list without a part is, go on with
//! that; otherwise divide more finely, until the parts are single elements.
//!
//! **Papers.** Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002. That the subset phase can be left
//! out and the complements can be asked from the last to the first is Hodován and Kiss, 2016; other split factors than 2 are Kiss, 2018.
//!
//! **Laws.** The result is 1-minimal for any deterministic oracle. At most `n² + 3n` queries (split factor 2).

use super::parts::{Phase, Walk};
use super::{Cut, Options, Runs};
use crate::search::{Search, Verdict};

#[derive(Clone, Debug)]
pub(super) struct Ddmin {
    kept: Runs,
    walk: Walk,
    split: usize,
}

impl Ddmin {
    pub(super) fn new(kept: Runs, options: &Options) -> Self {
        let (mut walk, split) = (Walk::new(options), options.split_factor());
        walk.begin(&kept, split);
        Self { kept, walk, split }
    }

    fn next_question(&mut self) {
        if self.walk.advance() {
            return;
        }
        if self.walk.parts() < self.kept.len() {
            let finer = self.walk.parts().saturating_mul(self.split);
            self.walk.begin(&self.kept, finer);
        } else {
            self.walk.end();
        }
    }
}

impl Search for Ddmin {
    type Candidate = Cut;
    type Best = Runs;

    fn ask(&self) -> Option<Cut> {
        self.walk.question(&self.kept)
    }

    fn tell(&mut self, verdict: Verdict) {
        match self.walk.part(&self.kept) {
            None => {}
            Some(_) if !verdict.is_interesting() => self.next_question(),
            Some((Phase::Subset, part)) => {
                self.kept = part;
                self.walk.begin(&self.kept, self.split);
            }
            Some((Phase::Complement, part)) => {
                self.kept = self.kept.subtract(&part);
                self.walk.begin(&self.kept, (self.walk.parts() - 1).max(2));
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
