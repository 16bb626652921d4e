//! ProbDD, probabilistic Delta Debugging.
//!
//! **Idea.** Each element has a probability of being needed. Ask about the set with the greatest expected gain, the number of its elements
//! times the probability that they can all go; when it is refused, they are all likelier to be needed than before.
//!
//! **Paper.** Wang et al., "Probabilistic Delta Debugging", ESEC/FSE 2021. Elements of equal probability are taken in the order of
//! the input (which makes no difference on average: Zhang et al., ICSE 2025) or, with a seed, in one order shuffled at the start.
//!
//! **Laws.** Linear: at most `4n` queries with p0 ≥ 0.1, since a refusal multiplies the probabilities by 4/3 at least and an element that
//! is refused alone is not asked about again. The result is 1-minimal only if a deletion that was refused cannot become possible later,
//! so a sweep follows by default.

use super::belief::{Belief, Selection};
use super::probability::{best_size, is_worth_one_more};
use super::{Cut, Options, Runs};
use crate::search::{Search, Verdict};

#[derive(Clone, Debug)]
pub(super) struct Probdd {
    kept: Runs,
    belief: Belief,
    selection: Selection,
}

impl Probdd {
    pub(super) fn new(kept: Runs, options: &Options) -> Self {
        let belief = Belief::new(&kept, None, options);
        Self {
            kept,
            selection: select(&belief),
            belief,
        }
    }
}

impl Search for Probdd {
    type Candidate = Cut;
    type Best = Runs;

    fn ask(&self) -> Option<Cut> {
        self.selection.question().cloned()
    }

    fn tell(&mut self, verdict: Verdict) {
        let Some(question) = self.selection.question() else {
            return;
        };
        if verdict.is_interesting() {
            self.kept = question.kept_of(&self.kept);
        }
        self.belief.learn(&self.selection, verdict);
        self.belief.wake();
        self.selection = select(&self.belief);
    }

    fn best(&self) -> &Runs {
        &self.kept
    }

    fn chance(&self) -> Option<f64> {
        Some(self.selection.chance())
    }
}

/// The elements of the least probability, as many as give the greatest gain.
///
/// Each further element is less worth than the one before, so within a group the number has a closed form.
fn select(belief: &Belief) -> Selection {
    let mut taken = 0;
    let mut counts = Vec::new();
    for group in belief.groups() {
        if taken > 0 && !is_worth_one_more(group.probability, taken) {
            break;
        }
        let take = best_size(group.probability)
            .saturating_sub(taken)
            .clamp(1, group.members.len());
        counts.push(take);
        taken += take;
        if take < group.members.len() {
            break;
        }
    }
    Selection::new(belief, counts)
}

#[cfg(test)]
mod tests {
    use super::super::trial::{Trial, needs, run};
    use super::super::{Algorithm, Options, Weights};

    #[test]
    fn needs_twelve_queries_for_the_worked_example_of_the_wdd_paper() {
        let options = Options {
            p0: 0.2,
            sweep: false,
            ..Options::new(Algorithm::Probdd)
        };
        let trial = run(&Weights::Uniform(8), &options, needs(&[0, 2, 5, 6, 7]));
        assert_eq!(
            trial,
            Trial {
                result: vec![0, 2, 5, 6, 7],
                queries: 12,
                cache_hits: 1
            }
        );
    }

    #[test]
    fn a_seed_changes_the_questions_and_not_the_result_of_a_monotone_oracle() {
        let seeded = |seed| {
            let options = Options {
                seed,
                ..Options::new(Algorithm::Probdd)
            };
            run(&Weights::Uniform(200), &options, needs(&[3, 50, 51, 120]))
        };
        assert_eq!(seeded(Some(1)), seeded(Some(1)));
        assert_eq!(seeded(Some(1)).result, [3, 50, 51, 120]);
        assert_ne!(
            (seeded(Some(1)).queries, seeded(Some(2)).queries),
            (seeded(None).queries, seeded(None).queries)
        );
    }
}
