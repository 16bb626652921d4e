//! What stands last in a large document is searched by runs of neighbours, each with all that the rest of it does not reach.

use crate::{
    minimize::Halving,
    pass::{Context, Proposal, front::Front},
};
use fixedbitset::FixedBitSet;
use std::sync::Arc;

/// After so many refusals in a row other steps have more to gain.
const MOST_IN_VAIN: u32 = 10;
/// Runs of less than this part of the end are left to other steps.
const PARTS: u64 = 48;

/// The search. Clones copy the open runs, a bit an element and a bit a part.
#[derive(Clone, Debug)]
pub(super) struct Ends {
    front: Arc<Front>,
    halving: Halving,
    loads: Arc<[u32]>,
    weights: Arc<[u32]>,
    /// Less than this is worth no question of its own.
    least: u64,
    company: Company,
    /// The elements, and the parts before them, that have gone.
    gone: Gone,
    /// What is asked about, and its proposals.
    tried: Gone,
    group: Vec<u32>,
    vain: u32,
}

#[derive(Clone, Debug)]
struct Gone {
    elements: FixedBitSet,
    parts: FixedBitSet,
}

/// What goes with a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Company {
    /// It is asked first what is not reached from all of the end: whether parts without a name come along by their heads.
    Unknown(bool),
    /// What is not reached, in that way.
    Unreached(bool),
    /// Nothing: what is reached cannot be told by names.
    Nothing,
}

impl Ends {
    /// Over the proposals of the pass, for what weighs so much. Cost: as [`Front::of`].
    pub(super) fn new(context: &Context, proposals: &[Proposal], least: u32) -> Self {
        let front = Front::of(context, proposals);
        let loads = front.loads();
        let total: u64 = loads.iter().copied().map(u64::from).sum();
        let gone = Gone {
            elements: FixedBitSet::with_capacity(loads.len()),
            parts: FixedBitSet::with_capacity(proposals.len()),
        };
        Self {
            halving: Halving::new(&loads, total / 2, total / PARTS).hurrying(),
            front: Arc::new(front),
            loads,
            weights: proposals.iter().map(|proposal| proposal.weight).collect(),
            least: least.into(),
            company: Company::Unknown(true),
            tried: gone.clone(),
            gone,
            group: Vec::new(),
            vain: 0,
        }
    }

    /// The proposals that are asked about now, never empty; `None` at the end.
    pub(super) fn next(&mut self) -> Option<&[u32]> {
        while self.group.is_empty() {
            if self.vain >= MOST_IN_VAIN {
                return None;
            }
            if let Company::Unknown(by_heads) = self.company {
                self.try_without(self.gone.elements.clone(), Some(by_heads));
                if self.weight() < self.least {
                    self.group.clear();
                    self.company = Company::Unreached(by_heads);
                }
                continue;
            }
            let run = self.halving.next(&self.loads)?;
            let elements = self.front.without(&self.gone.elements, run);
            if elements == self.gone.elements {
                self.halving.skip();
                continue;
            }
            let by_heads = match self.company {
                Company::Unreached(by_heads) => Some(by_heads),
                Company::Unknown(_) | Company::Nothing => None,
            };
            self.try_without(elements, by_heads);
        }
        Some(&self.group)
    }

    fn try_without(&mut self, elements: FixedBitSet, by_heads: Option<bool>) {
        let parts = match by_heads {
            Some(by_heads) => self.front.unreached(&elements, by_heads),
            None => self.gone.parts.clone(),
        };
        let is_new = |element: &usize| !self.gone.elements.contains(*element);
        let outermost = self.front.outermost(&elements).filter(is_new);
        let taken = outermost.map(|element| self.front.proposal_of(element));
        let parts_of = parts.difference(&self.gone.parts);
        let narrow = |part| u32::try_from(part).unwrap_or(u32::MAX);
        self.group = parts_of.map(narrow).chain(taken).collect();
        self.tried = Gone { elements, parts };
    }

    fn weight(&self) -> u64 {
        let weights = self.group.iter().map(|&part| self.weights[part as usize]);
        weights.map(u64::from).sum()
    }

    /// Takes the answer to the proposals that [`Ends::next`] gave; returns what goes.
    pub(super) fn tell(&mut self, good: bool) -> Vec<u32> {
        let group = std::mem::take(&mut self.group);
        match self.company {
            Company::Unknown(by_heads) if good => self.company = Company::Unreached(by_heads),
            Company::Unknown(true) => self.company = Company::Unknown(false),
            Company::Unknown(false) => self.company = Company::Nothing,
            Company::Unreached(_) | Company::Nothing => self.halving.tell(good, &self.loads),
        }
        if !good {
            self.vain += 1;
            return Vec::new();
        }
        self.vain = 0;
        self.gone.clone_from(&self.tried);
        group
    }

    /// Turns down the proposals that [`Ends::next`] gave, without an answer.
    pub(super) fn reject(&mut self) {
        if matches!(self.company, Company::Unknown(_)) {
            self.company = Company::Nothing;
        } else {
            self.halving.refuse(&self.loads);
        }
        self.group.clear();
    }

    /// The chance that what [`Ends::next`] gave can go.
    pub(super) fn odds(&self) -> f64 {
        self.halving.odds()
    }
}
