//! Wddmin, weighted ddmin.
//!
//! **Idea.** What weighs much is likelier to be needed, so parts should be equally heavy, not equally long. Each part is cut in two where
//! the halves' weights are nearest to each other; a part of one element is not asked about again until the end, when every element
//! that is left is tried alone.
//!
//! **Paper.** Zhou et al., "WDD: weighted Delta Debugging", ICSE 2025, algorithm 1. Its worked example divides before the first query.
//!
//! **Laws.** The result is 1-minimal for any deterministic oracle. Quadratic, like ddmin.

use std::ops::Range;
use std::sync::Arc;

use super::parts::turn;
use super::{Cut, Options, Runs, Weights};
use crate::search::{Search, Verdict};

#[derive(Clone, Debug)]
pub(super) struct Wddmin {
    kept: Runs,
    places: Places,
    parts: Parts,
    step: Step,
    /// The turn of the part, or in the last step the position of the element, that is asked about.
    index: usize,
    subsets: bool,
    backward: bool,
}

/// The elements at the start, in order. A part is always a range of them, and none of its elements is gone.
#[derive(Clone, Debug)]
struct Places {
    elements: Runs,
    /// At each place, how much the elements before it weigh together.
    weight_before: Arc<[u64]>,
}

/// Disjoint ranges of places, kept as the sets of their first and last places so that taking one away costs `O(log n)`.
#[derive(Clone, Debug)]
struct Parts {
    firsts: Runs,
    lasts: Runs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Is the part alone interesting?
    Subset,
    /// Is the list without the part?
    Complement,
    /// Is the list without one element?
    Single,
}

impl Wddmin {
    pub(super) fn new(kept: Runs, weights: &Weights, options: &Options) -> Self {
        let places = Places::new(kept.clone(), weights);
        let parts = places.halves(std::iter::once(0..kept.len()));
        let (subsets, backward) = (options.subsets, options.backward);
        let mut wddmin = Self {
            kept,
            places,
            parts,
            step: Step::Single,
            index: 0,
            subsets,
            backward,
        };
        wddmin.begin_again();
        wddmin
    }

    /// Goes to the first question about the parts as they are now.
    fn begin_again(&mut self) {
        self.index = 0;
        self.step = match self.parts.len() {
            0 => Step::Single,
            // The part can be all that is left, and that is known to be interesting.
            1 if self.part().len() == self.kept.len() => Step::Complement,
            _ if self.subsets => Step::Subset,
            _ => Step::Complement,
        };
    }

    fn range(&self) -> Range<usize> {
        match self.step {
            Step::Complement => self
                .parts
                .get(turn(self.backward, self.parts.len(), self.index)),
            Step::Subset | Step::Single => self.parts.get(self.index),
        }
    }

    fn part(&self) -> Runs {
        self.places.elements.slice(self.range())
    }

    fn single(&self) -> Runs {
        self.kept.slice(self.index..self.index + 1)
    }

    fn has_ended(&self) -> bool {
        self.step == Step::Single && self.index >= self.kept.len()
    }

    fn accept(&mut self) {
        match self.step {
            Step::Subset => {
                self.kept = self.part();
                self.parts = self.places.halves(std::iter::once(self.range()));
            }
            Step::Complement => {
                self.kept = self.kept.subtract(&self.part());
                self.parts.remove(&self.range());
            }
            Step::Single => self.kept = self.kept.subtract(&self.single()),
        }
        self.begin_again();
    }

    fn refuse(&mut self) {
        self.index += 1;
        match self.step {
            Step::Single => {}
            _ if self.index < self.parts.len() => {}
            Step::Subset => (self.step, self.index) = (Step::Complement, 0),
            Step::Complement => {
                self.parts = self.places.halves(self.parts.iter());
                self.begin_again();
            }
        }
    }
}

impl Search for Wddmin {
    type Candidate = Cut;
    type Best = Runs;

    fn ask(&self) -> Option<Cut> {
        match self.step {
            _ if self.has_ended() => None,
            Step::Subset => Some(Cut::Keep(self.part())),
            Step::Complement => Some(Cut::Drop(self.part())),
            Step::Single => Some(Cut::Drop(self.single())),
        }
    }

    fn tell(&mut self, verdict: Verdict) {
        if self.has_ended() {
            return;
        }
        if verdict.is_interesting() {
            self.accept();
        } else {
            self.refuse();
        }
    }

    fn best(&self) -> &Runs {
        &self.kept
    }
}

impl Places {
    fn new(elements: Runs, weights: &Weights) -> Self {
        let mut sum = 0;
        let sums = elements.iter().map(|element| {
            sum += u64::from(weights.of(element));
            sum
        });
        let weight_before = std::iter::once(0).chain(sums).collect();
        Self {
            elements,
            weight_before,
        }
    }

    /// These parts cut in two, without those that have only one element.
    fn halves(&self, parts: impl IntoIterator<Item = Range<usize>>) -> Parts {
        let (mut firsts, mut lasts) = (Vec::new(), Vec::new());
        for part in parts.into_iter().filter(|part| part.len() > 1) {
            let cut = self.cut(&part);
            firsts.extend([part.start, cut]);
            lasts.extend([cut - 1, part.end - 1]);
        }
        Parts {
            firsts: firsts.into_iter().collect(),
            lasts: lasts.into_iter().collect(),
        }
    }

    /// Where the left side is nearest to half of the weight; of two such places the first. Neither side is empty.
    fn cut(&self, part: &Range<usize>) -> usize {
        let start = self.weight_before[part.start];
        let twice_half = start + self.weight_before[part.end];
        let inner = &self.weight_before[part.start + 1..part.end];
        let above = part.start + 1 + inner.partition_point(|&before| 2 * before < twice_half);
        let distance = |cut: usize| (2 * self.weight_before[cut]).abs_diff(twice_half);
        let (last, below) = (part.end - 1, above.saturating_sub(1).max(part.start + 1));
        if distance(below) <= distance(above.min(last)) {
            below
        } else {
            above.min(last)
        }
    }
}

impl Parts {
    fn len(&self) -> usize {
        self.firsts.len()
    }

    /// The part with this number, which must be less than their number.
    fn get(&self, index: usize) -> Range<usize> {
        match (self.firsts.select(index), self.lasts.select(index)) {
            (Some(first), Some(last)) => first..last + 1,
            _ => 0..0,
        }
    }

    fn iter(&self) -> impl Iterator<Item = Range<usize>> {
        self.firsts
            .iter()
            .zip(self.lasts.iter())
            .map(|(first, last)| first..last + 1)
    }

    fn remove(&mut self, part: &Range<usize>) {
        self.firsts = self
            .firsts
            .subtract(&Runs::from_range(part.start..part.start + 1));
        self.lasts = self
            .lasts
            .subtract(&Runs::from_range(part.end - 1..part.end));
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial::{Trial, needs, run};
    use super::super::{Algorithm, Options};
    use super::*;

    #[test]
    fn needs_twenty_six_queries_for_the_worked_example_of_the_wdd_paper() {
        let weights = Weights::Each(Arc::new([5, 8, 7, 7, 8, 16, 25, 6]));
        let options = Options {
            subsets: true,
            ..Options::new(Algorithm::Wddmin)
        };
        let trial = run(&weights, &options, needs(&[0, 2, 5, 6, 7]));
        assert_eq!(
            trial,
            Trial {
                result: vec![0, 2, 5, 6, 7],
                queries: 26,
                cache_hits: 9
            }
        );
    }

    #[test]
    fn divides_the_example_as_the_paper_shows() {
        let weights = Weights::Each(Arc::new([5, 8, 7, 7, 8, 16, 25, 6]));
        let places = Places::new(Runs::from_range(0..8), &weights);
        let halves = places.halves(std::iter::once(0..8));
        assert_eq!(halves.iter().collect::<Vec<_>>(), [0..5, 5..8]);
        assert_eq!(
            places.halves(halves.iter()).iter().collect::<Vec<_>>(),
            [0..3, 3..5, 5..6, 6..8]
        );
    }
}
