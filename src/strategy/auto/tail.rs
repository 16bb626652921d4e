//! The last parts of a long row, as many of them as may go.
//!
//! A compiler that reads from the beginning to the end has seen what matters before it comes to the rest. So the last part is asked
//! about, then the two before it, the next eight, sixty-four and so on, by factors that double, until that is refused; and between the
//! last success and the refusal by halves, unless that is next to nothing in a large row. Where the last part is needed this costs one
//! question; else as many as twice the logarithm of what goes, and what comes last then is where all that is needed can be told
//! from.

use std::{ops::Range, sync::Arc};

/// In a row of so many tokens a small part of it is not worth many questions.
const LARGE: u64 = crate::pass::LARGE as u64;
/// Between the last success and the refusal at least this part of them has to stand.
const WORTH: u64 = 512;

/// The search. Clones copy a few numbers.
#[derive(Clone, Debug)]
pub(super) struct Tail {
    /// So many parts stay.
    left: usize,
    /// With so few the question was refused.
    refused: Option<usize>,
    /// By part: what it and those before it weigh.
    sums: Arc<[u64]>,
    /// Less than this is not worth a question by halves.
    least: u64,
    /// So many more are asked about next while nothing was refused, and that grew by this factor.
    step: usize,
    growth: usize,
    group: Vec<u32>,
}

impl Tail {
    /// Over parts of these weights, which are in document order.
    pub(super) fn new(weights: impl Iterator<Item = u32>) -> Self {
        let sums = weights.scan(0, |sum, weight| {
            *sum += u64::from(weight);
            Some(*sum)
        });
        let sums: Arc<[u64]> = sums.collect();
        let all = sums.last().copied().unwrap_or_default();
        Self {
            left: sums.len(),
            refused: None,
            least: if all < LARGE { 0 } else { all / WORTH },
            sums,
            step: 1,
            growth: 1,
            group: Vec::new(),
        }
    }

    /// The parts that are asked about now, never empty; `None` at the end.
    pub(super) fn next(&mut self) -> Option<&[u32]> {
        let narrow = |part| u32::try_from(part).unwrap_or(u32::MAX);
        self.group = self.range()?.map(narrow).collect();
        Some(&self.group)
    }

    fn range(&self) -> Option<Range<usize>> {
        let start = match self.refused {
            None => self.left.saturating_sub(self.step),
            Some(refused) if self.sums[self.left - 1] - self.sums[refused - 1] < self.least => {
                return None;
            }
            Some(refused) => (refused + self.left).div_ceil(2),
        };
        // Without all parts nothing is left.
        let start = start.max(1);
        (start < self.left).then_some(start..self.left)
    }

    /// Takes the answer to the parts that [`Tail::next`] gave; returns what goes.
    pub(super) fn tell(&mut self, good: bool) -> Vec<u32> {
        let group = std::mem::take(&mut self.group);
        let start = self.left - group.len();
        if !good {
            self.refused = Some(start);
            return Vec::new();
        }
        self.left = start;
        self.growth *= 2;
        self.step = self.step.saturating_mul(self.growth);
        group
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// How many parts stay, and the number of questions, if the first `needed` ones are needed.
    fn search(parts: u32, needed: u32) -> (u32, u32) {
        let mut tail = Tail::new((0..parts).map(|_| 1));
        let (mut left, mut questions) = (parts, 0);
        while let Some(group) = tail.next() {
            let start = group[0];
            assert!(group.iter().copied().eq(start..left));
            questions += 1;
            if !tail.tell(start >= needed).is_empty() {
                left = start;
            }
        }
        (left, questions)
    }

    #[test]
    fn a_last_part_that_is_needed_costs_one_question() {
        assert_eq!(search(1000, 1000), (1000, 1));
        assert_eq!(search(1, 1), (1, 0));
        assert_eq!(search(0, 0), (0, 0));
    }

    #[test]
    fn a_little_of_a_large_row_is_not_looked_for_by_halves() {
        let (parts, needed) = (10_000, 9_990);
        // One and two go; eight are refused, and are less than is worth more.
        assert_eq!(search(parts, needed), (parts - 3, 3));
        assert_eq!(search(100, 90), (90, 6));
    }

    proptest! {
        #[test]
        fn all_behind_the_last_needed_part_goes((needed, gone) in (1_u32..1000, 0_u32..1000)) {
            let (left, questions) = search(needed + gone, needed);
            prop_assert_eq!(left, needed);
            prop_assert!(questions <= 2 * (gone + 1).ilog2() + 4, "{}", questions);
        }
    }
}
