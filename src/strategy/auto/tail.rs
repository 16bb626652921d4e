//! The last parts of a long row, as many of them as may go.
//!
//! A compiler that reads from the beginning to the end has seen what matters before it comes to the rest. So the last part is asked
//! about, then the last two, four, eight … until that is refused, and between the last success and the refusal by halves. Where the
//! last part is needed this costs one question; else as many as twice the logarithm of what goes, and what comes last then is where
//! all that is needed can be told from.

use std::ops::Range;

/// The search. Clones copy a few numbers.
#[derive(Clone, Debug)]
pub(super) struct Tail {
    /// So many parts stay.
    left: usize,
    /// With so few the question was refused.
    refused: Option<usize>,
    /// So many more are asked about next while nothing was refused.
    step: usize,
    group: Vec<u32>,
}

impl Tail {
    /// Over so many parts, which are in document order.
    pub(super) fn new(parts: usize) -> Self {
        Self {
            left: parts,
            refused: None,
            step: 1,
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
        self.step *= 2;
        group
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// How many parts stay, and the number of questions, if the first `needed` ones are needed.
    fn search(parts: usize, needed: usize) -> (usize, usize) {
        let mut tail = Tail::new(parts);
        let (mut left, mut questions) = (parts, 0);
        while let Some(group) = tail.next() {
            let start = group[0] as usize;
            assert!(
                group
                    .iter()
                    .copied()
                    .eq((start..left).map(|part| part as u32))
            );
            questions += 1;
            let good = start >= needed;
            let gone = tail.tell(good);
            left -= gone.len();
        }
        (left, questions)
    }

    #[test]
    fn a_last_part_that_is_needed_costs_one_question() {
        assert_eq!(search(1000, 1000), (1000, 1));
        assert_eq!(search(1, 1), (1, 0));
        assert_eq!(search(0, 0), (0, 0));
    }

    proptest! {
        #[test]
        fn all_behind_the_last_needed_part_goes(parts in 1_usize..2000, share in 0.0..1.0) {
            let needed = (parts as f64 * share) as usize;
            let (left, questions) = search(parts, needed);
            prop_assert_eq!(left, needed.max(1));
            let gone = (parts - left + 1) as f64;
            prop_assert!(questions as f64 <= 2.0 * gone.log2() + 3.0, "{}", questions);
        }
    }
}
