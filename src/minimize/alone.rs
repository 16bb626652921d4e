//! Group testing and halving as list minimisers beside the papers': the default pipeline's ways to choose, without its knowledge.

use super::{Cut, Halving, Options, Patience, Rate, Runs, Splitting, Weights, probability::prior};
use crate::search::{Search, Verdict};
use std::sync::Arc;

/// [`Splitting`] over a list: any of the elements may go with any other.
///
/// **Laws.** An element that stays costs the halvings of its group: with equal weights at most `n·(2 + log₂ n)` queries in all, and
/// about `s·log₂(n/s) + s` for `s` that stay among many. The result is 1-minimal only if a deletion that was refused cannot become
/// possible later, so a sweep follows by default.
#[derive(Clone, Debug)]
pub(super) struct GroupTesting {
    list: List,
    search: Splitting,
}

/// [`Halving`] over a list, from the last element to the first.
///
/// **Laws.** Linear: at most `2n` queries, the nodes of a binary tree. A sweep follows as for [`GroupTesting`].
#[derive(Clone, Debug)]
pub(super) struct Bisection {
    list: List,
    search: Halving,
}

/// What both keep: the elements by their place in the round's list.
#[derive(Clone, Debug)]
struct List {
    elements: Arc<[usize]>,
    weights: Arc<[u32]>,
    kept: Runs,
    /// What is asked about now.
    group: Option<Runs>,
}

impl List {
    fn new(kept: Runs, weights: &Weights) -> Self {
        let elements: Arc<[usize]> = kept.iter().collect();
        let weights = elements.iter().map(|&element| weights.of(element));
        Self {
            weights: weights.collect(),
            elements,
            kept,
            group: None,
        }
    }

    fn ask_about(&mut self, places: Option<impl Iterator<Item = u32>>) {
        let element = |place: u32| self.elements[place as usize];
        self.group = places.map(|places| {
            let mut elements: Vec<usize> = places.map(element).collect();
            elements.sort_unstable();
            elements.into_iter().collect()
        });
    }

    fn take_answer(&mut self, good: bool) {
        if let Some(group) = self.group.take().filter(|_| good) {
            self.kept = self.kept.subtract(&group);
        }
    }
}

impl GroupTesting {
    pub(super) fn new(kept: Runs, weights: &Weights, options: &Options) -> Self {
        let list = List::new(kept, weights);
        let rate = Rate::new(1.0 - prior(options.p0));
        let mut testing = Self {
            search: Splitting::new(list.elements.len(), rate, Patience::default()),
            list,
        };
        testing.advance();
        testing
    }

    fn advance(&mut self) {
        let weights = &self.list.weights;
        let group = self.search.next(|place| weights[place as usize], |_| 1.0);
        let group = group.map(<[u32]>::to_vec);
        self.list.ask_about(group.map(Vec::into_iter));
    }
}

impl Search for GroupTesting {
    type Candidate = Cut;
    type Best = Runs;

    fn ask(&self) -> Option<Cut> {
        self.list.group.clone().map(Cut::Drop)
    }

    fn tell(&mut self, verdict: Verdict) {
        if self.list.group.is_some() {
            self.search.tell(verdict.is_interesting());
            self.list.take_answer(verdict.is_interesting());
            self.advance();
        }
    }

    fn best(&self) -> &Runs {
        &self.list.kept
    }

    fn chance(&self) -> Option<f64> {
        self.list.group.as_ref().map(|_| self.search.odds())
    }
}

impl Bisection {
    pub(super) fn new(kept: Runs, weights: &Weights) -> Self {
        let list = List::new(kept, weights);
        let mut bisection = Self {
            search: Halving::new(&list.weights, u64::MAX, 1),
            list,
        };
        bisection.advance();
        bisection
    }

    fn advance(&mut self) {
        let run = self.search.next(&self.list.weights);
        self.list.ask_about(run);
    }
}

impl Search for Bisection {
    type Candidate = Cut;
    type Best = Runs;

    fn ask(&self) -> Option<Cut> {
        self.list.group.clone().map(Cut::Drop)
    }

    fn tell(&mut self, verdict: Verdict) {
        if self.list.group.is_some() {
            self.search
                .tell(verdict.is_interesting(), &self.list.weights);
            self.list.take_answer(verdict.is_interesting());
            self.advance();
        }
    }

    fn best(&self) -> &Runs {
        &self.list.kept
    }

    fn chance(&self) -> Option<f64> {
        self.list.group.as_ref().map(|_| self.search.odds())
    }
}
