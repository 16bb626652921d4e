//! Group testing and halving as list minimisers beside the papers': the default pipeline's ways to choose, without its knowledge.

use super::{Cut, Halving, Options, Patience, Rate, Runs, Splitting, Weights, probability::prior};
use crate::search::{Search, Verdict};
use std::sync::Arc;

/// Either of them over a list.
///
/// **Laws.** With [`Splitting`] any of the elements may go with any other, and an element that stays costs the halvings of its
/// group: with equal weights at most `n·(2 + log₂ n)` queries in all, and about `s·log₂(n/s) + s` for `s` that stay among many. With
/// [`Halving`], from the last element to the first, it is linear: at most `2n` queries, the nodes of a binary tree. The result is
/// 1-minimal only if a deletion that was refused cannot become possible later, so a sweep follows by default.
#[derive(Clone, Debug)]
pub(super) struct Alone {
    /// By their place in the round's list.
    elements: Arc<[usize]>,
    weights: Arc<[u32]>,
    kept: Runs,
    /// What is asked about now.
    group: Option<Runs>,
    way: Way,
}

#[derive(Clone, Debug)]
enum Way {
    Splitting(Splitting),
    Halving(Halving),
}

impl Alone {
    pub(super) fn splitting(kept: Runs, weights: &Weights, options: &Options) -> Self {
        let rate = Rate::new(1.0 - prior(options.p0));
        Self::new(kept, weights, |weights| {
            Way::Splitting(Splitting::new(weights.len(), rate, Patience::default()))
        })
    }

    pub(super) fn halving(kept: Runs, weights: &Weights) -> Self {
        Self::new(kept, weights, |weights| {
            Way::Halving(Halving::new(weights, u64::MAX, 1))
        })
    }

    fn new(kept: Runs, weights: &Weights, way: impl FnOnce(&[u32]) -> Way) -> Self {
        let elements: Arc<[usize]> = kept.iter().collect();
        let weights = elements.iter().map(|&element| weights.of(element));
        let weights: Arc<[u32]> = weights.collect();
        let mut search = Self {
            way: way(&weights),
            elements,
            weights,
            kept,
            group: None,
        };
        search.advance();
        search
    }

    fn advance(&mut self) {
        let weights = &self.weights;
        let places: Option<Vec<u32>> = match &mut self.way {
            Way::Splitting(search) => search
                .next(|place| weights[place as usize], |_| 1.0)
                .map(<[u32]>::to_vec),
            Way::Halving(search) => search.next(weights).map(Iterator::collect),
        };
        let element = |place: &u32| self.elements[*place as usize];
        self.group = places.map(|places| {
            let mut elements: Vec<usize> = places.iter().map(element).collect();
            elements.sort_unstable();
            elements.into_iter().collect()
        });
    }
}

impl Search for Alone {
    type Candidate = Cut;
    type Best = Runs;

    fn ask(&self) -> Option<Cut> {
        self.group.clone().map(Cut::Drop)
    }

    fn tell(&mut self, verdict: Verdict) {
        let Some(group) = self.group.take() else {
            return;
        };
        let good = verdict.is_interesting();
        match &mut self.way {
            Way::Splitting(search) => {
                search.tell(good);
            }
            Way::Halving(search) => {
                search.tell(good, &self.weights);
            }
        }
        if good {
            self.kept = self.kept.subtract(&group);
        }
        self.advance();
    }

    fn best(&self) -> &Runs {
        &self.kept
    }

    fn chance(&self) -> Option<f64> {
        self.group.as_ref().map(|_| match &self.way {
            Way::Splitting(search) => search.odds(|_| None),
            Way::Halving(search) => search.odds(),
        })
    }
}
