//! WProbDD, weighted ProbDD.
//!
//! **Idea.** ProbDD that wants to remove weight, not elements: it prefers the elements from which most weight is expected to go, and asks
//! about so many of them as make the expected weight greatest.
//!
//! **Paper.** Zhou et al., "WDD: weighted Delta Debugging", ICSE 2025, algorithm 2.
//!
//! **Laws.** As ProbDD: linear, at most `4n` queries with p0 ≥ 0.1; 1-minimal only under its assumption, so a sweep follows by default.
//! With equal weights it is ProbDD.
//!
//! **Our addition**, [`Options::waves`]: elements that were asked about rest until the others had their turn. In the paper a few heavy
//! ones come again at once, and each question depends on the answer before; in a wave no question does, only the text that it changes.

use super::belief::{Belief, Group, Selection};
use super::{Cut, Options, Runs, Weights};
use crate::search::{Search, Verdict};

/// Gains that differ by less are equal, and then more elements are better, as in ProbDD: rounding must not decide.
const ALMOST_ONE: f64 = 1.0 - 1e-12;

/// A wave goes on as long as its questions have this share of the gain of its first. This does not depend on the answers.
const WORTHWHILE: f64 = 0.3;

#[derive(Clone, Debug)]
pub(super) struct Wprobdd {
    kept: Runs,
    weights: Weights,
    belief: Belief,
    selection: Selection,
    /// The least gain with which the wave goes on; `None` without waves.
    least_gain: Option<f64>,
}

impl Wprobdd {
    pub(super) fn new(kept: Runs, weights: &Weights, options: &Options) -> Self {
        let belief = Belief::new(&kept, Some(weights), options);
        let (selection, gain) = select(&belief, weights);
        Self {
            kept,
            selection,
            least_gain: options.waves.then_some(gain * WORTHWHILE),
            weights: weights.clone(),
            belief,
        }
    }

    /// Goes on with the wave if what has not been asked about in it is worth it, else begins the next.
    fn select_next(&mut self) {
        if let Some(least) = self.least_gain {
            let (selection, gain) = select(&self.belief, &self.weights);
            if gain >= least && selection.question().is_some() {
                self.selection = selection;
                return;
            }
        }
        self.belief.wake();
        let (selection, gain) = select(&self.belief, &self.weights);
        self.least_gain = self.least_gain.map(|_| gain * WORTHWHILE);
        self.selection = selection;
    }
}

impl Search for Wprobdd {
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
        self.select_next();
    }

    fn best(&self) -> &Runs {
        &self.kept
    }

    fn chance(&self) -> Option<f64> {
        Some(self.selection.chance())
    }
}

/// The elements with the greatest expected weight, as many as give the greatest gain, and the gain: their weight times the probability that all go.
///
/// The gain can fall and rise again, but not any more once the weight w that was taken is so great that w·p ≥ v for the least
/// probability p and the greatest weight v among the others: each of those multiplies the gain by (1 + v/w)(1 - p) < 1 at most. So not
/// the whole list is looked at, as in the paper, but about 1/p elements.
fn select(belief: &Belief, weights: &Weights) -> (Selection, f64) {
    let mut heads: Vec<Head<_>> = belief
        .groups()
        .iter()
        .map(|group| Head::new(group, belief, weights))
        .collect();
    let (mut weight, mut all_can_go, mut best_gain, mut best_len) = (0.0, 1.0, 0.0, 0);
    let mut taken = Vec::new();
    while let Some(next) = preferred(&heads) {
        weight += heads[next].weight;
        all_can_go *= 1.0 - heads[next].probability;
        heads[next].advance(belief, weights);
        taken.push(next);
        let gain = weight * all_can_go;
        if gain >= best_gain * ALMOST_ONE {
            (best_gain, best_len) = (best_gain.max(gain), taken.len());
        }
        if cannot_gain(&heads, weight) {
            break;
        }
    }
    let mut counts = vec![0; heads.len()];
    for &group in &taken[..best_len] {
        counts[group] += 1;
    }
    (Selection::new(belief, counts), best_gain)
}

/// A group and its heaviest element that is not taken.
struct Head<I> {
    probability: f64,
    /// The ranks of the lighter ones.
    rest: I,
    /// The element, or `None` if all of the group is taken.
    element: Option<usize>,
    weight: f64,
}

impl<'a> Head<Box<dyn Iterator<Item = usize> + 'a>> {
    fn new(group: &'a Group, belief: &Belief, weights: &Weights) -> Self {
        let rest = Box::new(group.members.iter());
        let mut head = Self {
            probability: group.probability,
            rest,
            element: None,
            weight: 0.0,
        };
        head.advance(belief, weights);
        head
    }
}

impl<I: Iterator<Item = usize>> Head<I> {
    fn advance(&mut self, belief: &Belief, weights: &Weights) {
        self.element = self.rest.next().map(|rank| belief.element(rank));
        self.weight = self
            .element
            .map_or(0.0, |element| f64::from(weights.of(element)));
    }

    fn expected_weight(&self) -> f64 {
        self.weight * (1.0 - self.probability)
    }
}

/// The group whose head has the greatest expected weight; of equal ones the head that comes first in the input.
fn preferred<I: Iterator<Item = usize>>(heads: &[Head<I>]) -> Option<usize> {
    let better = |one: &Head<I>, two: &Head<I>| {
        one.expected_weight()
            .total_cmp(&two.expected_weight())
            .then(two.element.cmp(&one.element))
    };
    let left = heads
        .iter()
        .enumerate()
        .filter(|(_, head)| head.element.is_some());
    left.max_by(|(_, one), (_, two)| better(one, two))
        .map(|(index, _)| index)
}

/// Whether no further elements can make the gain greater than it was once, when so much weight is taken.
fn cannot_gain<I>(heads: &[Head<I>], weight: f64) -> bool {
    let left = || heads.iter().filter(|head| head.element.is_some());
    let least_probability = left().map(|head| head.probability).fold(1.0, f64::min);
    let greatest_weight = left().map(|head| head.weight).fold(0.0, f64::max);
    weight * least_probability >= greatest_weight
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::trial::{Trial, needs, run};
    use super::super::{Algorithm, Minimizer, Options, Weights};
    use crate::search::{Search, Verdict};

    #[test]
    fn needs_eleven_queries_for_the_worked_example_of_the_wdd_paper() {
        let weights = Weights::Each(Arc::new([5, 8, 7, 7, 8, 16, 25, 6]));
        let options = Options {
            p0: 0.2,
            sweep: false,
            ..Options::new(Algorithm::Wprobdd)
        };
        let trial = run(&weights, &options, needs(&[0, 2, 5, 6, 7]));
        assert_eq!(
            trial,
            Trial {
                result: vec![0, 2, 5, 6, 7],
                queries: 11,
                cache_hits: 2
            }
        );
    }

    #[test]
    fn the_questions_of_a_wave_do_not_depend_on_the_answers() {
        let weights = Weights::Each([9, 1, 7, 3, 8, 2, 6, 5, 4, 9, 9, 9].repeat(4).into());
        let options = Options {
            waves: true,
            ..Options::new(Algorithm::Wprobdd)
        };
        let asked = |answers: [Verdict; 3]| {
            let mut minimizer = Minimizer::new(&weights, &options);
            answers.map(|answer| {
                let dropped = minimizer.ask().unwrap().dropped_from(minimizer.best());
                minimizer.tell(answer);
                dropped
            })
        };
        let refused = asked([Verdict::Uninteresting; 3]);
        assert_eq!(refused, asked([Verdict::Interesting; 3]));
        assert!(refused[0].intersect(&refused[1]).is_empty());
    }
}
