//! What ProbDD and WProbDD believe about the elements: with which probability each is needed.
//!
//! Elements of equal probability are kept together. There are few such groups, since a query raises all that it asked about in step, so
//! a question costs the groups and what it takes from them, never a sort of the list.

use std::cmp::Reverse;
use std::sync::Arc;

use super::probability::{all_can_go, prior};
use super::shuffle::shuffle;
use super::{Cut, Options, Runs, Weights};
use crate::search::Verdict;

/// The elements that may still go, by the probability that they are needed.
#[derive(Clone, Debug)]
pub(super) struct Belief {
    /// By ascending probability, each less than 1 and different from the others.
    groups: Arc<Vec<Group>>,
    /// What was asked about since the last [`Belief::wake`], is still there, and is not asked about before the next.
    resting: Vec<Group>,
    order: Order,
}

/// Elements of equal probability, as ranks in the order of preference.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) probability: f64,
    pub(super) members: Runs,
}

/// Which of two elements of equal probability is asked about first.
#[derive(Clone, Debug)]
enum Order {
    /// The one that comes first: a rank is the element itself.
    Input,
    /// The one that comes first in this list.
    Listed(Arc<[usize]>),
}

/// What a query asks about: from each group so many of the first members.
#[derive(Clone, Debug)]
pub(super) struct Selection {
    counts: Vec<usize>,
    /// The question whether it can go; `None` if nothing is left to decide.
    question: Option<Cut>,
    /// The probability that all of it can go.
    all_can_go: f64,
}

impl Belief {
    /// Everything has the prior; a seed shuffles, and the weights, if they matter, put the heavy elements before the light ones.
    pub(super) fn new(kept: &Runs, weights: Option<&Weights>, options: &Options) -> Self {
        let order = Order::new(kept, weights, options.seed);
        let members = match order {
            Order::Input => kept.clone(),
            Order::Listed(_) => Runs::from_range(0..kept.len()),
        };
        let groups = if members.is_empty() {
            vec![]
        } else {
            vec![Group {
                probability: prior(options.p0),
                members,
            }]
        };
        Self {
            groups: Arc::new(groups),
            resting: Vec::new(),
            order,
        }
    }

    /// What rests can be asked about again.
    pub(super) fn wake(&mut self) {
        let groups = self.groups.iter().cloned();
        let groups = groups.chain(self.resting.drain(..)).collect();
        self.groups = Arc::new(in_order(groups));
    }

    pub(super) fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The element with this rank.
    pub(super) fn element(&self, rank: usize) -> usize {
        match &self.order {
            Order::Input => rank,
            Order::Listed(elements) => elements[rank],
        }
    }

    fn question(&self, counts: &[usize]) -> Option<Cut> {
        let taken = |(group, &count): (&Group, &usize)| group.members.slice(0..count);
        let ranks = self.groups.iter().zip(counts).map(taken);
        let elements = match &self.order {
            Order::Input => ranks.fold(Runs::empty(), |all, ranks| all.union(&ranks)),
            Order::Listed(elements) => ranks
                .flat_map(|ranks| ranks.iter().map(|rank| elements[rank]).collect::<Vec<_>>())
                .collect(),
        };
        (!elements.is_empty()).then_some(Cut::Drop(elements))
    }

    /// Learns the answer about a selection: it is gone, or one of its elements is needed and all of it rests.
    pub(super) fn learn(&mut self, selection: &Selection, verdict: Verdict) {
        let mut groups = Vec::with_capacity(self.groups.len() + selection.counts.len());
        for (group, &count) in self.groups.iter().zip(&selection.counts) {
            let (probability, members) = (group.probability, &group.members);
            groups.push(Group {
                probability,
                members: members.slice(count..members.len()),
            });
            if let (Verdict::Uninteresting, Some(probability)) =
                (verdict, selection.raised(probability))
            {
                self.resting.push(Group {
                    probability,
                    members: members.slice(0..count),
                });
            }
        }
        groups.extend(self.groups[selection.counts.len()..].iter().cloned());
        self.groups = Arc::new(in_order(groups));
    }
}

impl Selection {
    /// Takes so many members of each of the first groups.
    pub(super) fn new(belief: &Belief, counts: Vec<usize>) -> Self {
        let factor = |(group, &count): (&Group, &usize)| all_can_go(group.probability, count);
        let all_can_go = belief.groups.iter().zip(&counts).map(factor).product();
        Self {
            question: belief.question(&counts),
            counts,
            all_can_go,
        }
    }

    /// The question whether the selection can go; `None` if nothing is left to decide.
    pub(super) fn question(&self) -> Option<&Cut> {
        self.question.as_ref()
    }

    /// The probability that all of it can go.
    pub(super) fn chance(&self) -> f64 {
        self.all_can_go
    }

    /// The probability after a failure by Bayes' rule, or `None` if the element is now known to be needed.
    ///
    /// Rounding could stop the growth only next to 0 and 1; there the element counts as needed, so that the search ends.
    fn raised(&self, probability: f64) -> Option<f64> {
        let single = self.counts.iter().sum::<usize>() == 1;
        let raised = probability / (1.0 - self.all_can_go);
        (!single && probability < raised && raised < 1.0).then_some(raised)
    }
}

impl Order {
    fn new(kept: &Runs, weights: Option<&Weights>, seed: Option<u64>) -> Self {
        let weights = weights.filter(|weights| matches!(weights, Weights::Each(_)));
        if weights.is_none() && seed.is_none() {
            return Self::Input;
        }
        let mut elements: Vec<usize> = kept.iter().collect();
        if let Some(seed) = seed {
            shuffle(&mut elements, seed);
        }
        if let Some(weights) = weights {
            elements.sort_by_key(|&element| Reverse(weights.of(element)));
        }
        Self::Listed(elements.into())
    }
}

/// Sorted by probability, equal ones put together, empty ones left out.
fn in_order(mut groups: Vec<Group>) -> Vec<Group> {
    groups.retain(|group| !group.members.is_empty());
    groups.sort_by(|one, two| one.probability.total_cmp(&two.probability));
    groups.dedup_by(|later, earlier| {
        let equal = later.probability.total_cmp(&earlier.probability).is_eq();
        if equal {
            earlier.members = earlier.members.union(&later.members);
        }
        equal
    });
    groups
}
