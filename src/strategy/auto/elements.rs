//! What a search for runs halves: the parts of a row as they stand, or in two bands.

use std::{ops::Range, sync::Arc};

/// Which parts an element of the row stands for.
#[derive(Clone, Debug)]
pub(super) enum Elements {
    /// Each element is the part of its number.
    Parts,
    /// Each is one part.
    InOrder(Arc<[u32]>),
}

impl Elements {
    /// The half of these weights that is reached in fewer steps, then the rest, each as the parts stand. Runs begin at the end: what
    /// is far from what the program says itself is needed a third to a half as often. What stands together is needed together, so
    /// more than two bands cut off more than they tell.
    pub(super) fn in_bands(steps: &[u32], weights: &[u32]) -> Self {
        let mut order: Vec<u32> = (0..).take(weights.len()).collect();
        order.sort_by_key(|&part| steps[part as usize]);
        let total: u64 = weights.iter().copied().map(u64::from).sum();
        let mut sum = 0;
        let middle = order.iter().find(|&&part| {
            sum += u64::from(weights[part as usize]);
            2 * sum >= total
        });
        let near = middle.map_or(0, |&part| steps[part as usize]);
        order.sort_by_key(|&part| (steps[part as usize] > near, part));
        Self::InOrder(order.into())
    }

    /// The parts of a run of elements, in order.
    pub(super) fn parts(&self, run: Range<u32>) -> Vec<u32> {
        let places = run.start as usize..run.end as usize;
        match self {
            Self::Parts => run.collect(),
            Self::InOrder(order) => {
                let mut parts = order[places].to_vec();
                parts.sort_unstable();
                parts
            }
        }
    }

    /// By element: what its parts weigh.
    pub(super) fn weights(&self, weights: Arc<[u32]>) -> Arc<[u32]> {
        let weight = |part: u32| weights[part as usize];
        match self {
            Self::Parts => weights,
            Self::InOrder(order) => order.iter().map(|&part| weight(part)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_far_comes_behind_what_is_near() {
        let (steps, weights) = ([3, 0, u32::MAX, 1, 2, 0], [1, 5, 2, 1, 1, 1]);
        let elements = Elements::in_bands(&steps, &weights);
        assert_eq!(elements.parts(0..2), [1, 5]);
        assert_eq!(elements.parts(2..6), [0, 2, 3, 4]);
        assert_eq!(elements.parts(1..3), [0, 5]);
        let loads = elements.weights(weights.into());
        assert_eq!(*loads, [5, 1, 1, 2, 1, 1]);
    }

    #[test]
    fn without_a_difference_all_stay_in_their_places() {
        for steps in [[0; 4], [u32::MAX; 4]] {
            let elements = Elements::in_bands(&steps, &[1, 2, 3, 4]);
            let parts = (0..4).flat_map(|it| elements.parts(it..it + 1));
            assert_eq!(parts.collect::<Vec<_>>(), [0, 1, 2, 3]);
        }
        Elements::in_bands(&[], &[]);
    }
}
