//! Runs over a long row of parts, each with what has to go, or is free to go, together with it.

use crate::{
    minimize::Halving,
    pass::{Company, Context, Proposal, dependencies::Dependencies, reach::Reach},
};
use fixedbitset::FixedBitSet;
use std::sync::Arc;

/// How a row is gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Walk {
    /// The weight of the first runs.
    pub(super) largest: u32,
    /// The weight of the last runs.
    pub(super) least: u32,
    pub(super) company: Company,
}

/// The search over one row. Clones copy the open runs and a bit a part.
#[derive(Clone, Debug)]
pub(super) struct Runs {
    halving: Halving,
    company: Company,
    least: u32,
    dependencies: Arc<Dependencies>,
    reach: Arc<Reach>,
    /// From how many of the last parts on everything is reached that stays, in the search for what is not.
    roots: usize,
    weights: Arc<[u32]>,
    /// By part: its weight, and in the search for garbage that of all that goes with it.
    loads: Arc<[u32]>,
    gone: FixedBitSet,
    /// What is asked about now.
    group: Vec<u32>,
    /// Questions since the last success.
    vain: u32,
}

/// After so many questions in vain other steps have more to gain.
const MOST_IN_VAIN: u32 = 16;

/// From more of the last parts on nearly everything is reached.
const MOST_ROOTS: usize = 32;

impl Runs {
    /// Over these parts, which are in document order and do not overlap. Cost: linear; for garbage, times what a part frees.
    pub(super) fn new(context: &Context, row: &[Proposal], walk: Walk) -> Self {
        let dependencies = match walk.company {
            Company::None | Company::Unreached => Dependencies::default(),
            Company::Dependents | Company::Garbage => {
                Dependencies::of(context.document(), context.names(), row)
            }
        };
        let reach = match walk.company {
            Company::Unreached => Reach::of(context, row),
            _ => Reach::default(),
        };
        let weights: Arc<[u32]> = row.iter().map(|part| part.weight).collect();
        let loads = match walk.company {
            Company::None | Company::Dependents | Company::Unreached => Arc::clone(&weights),
            Company::Garbage => dependencies.loads(&weights),
        };
        Self {
            halving: Halving::new(&loads, walk.largest.into(), walk.least.into()).hurrying(),
            company: walk.company,
            dependencies: Arc::new(dependencies),
            reach: Arc::new(reach),
            roots: 1,
            least: walk.least,
            weights,
            loads,
            gone: FixedBitSet::with_capacity(row.len()),
            group: Vec::new(),
            vain: 0,
        }
    }

    /// The parts that are asked about now, never empty; `None` at the end.
    pub(super) fn next(&mut self) -> Option<&[u32]> {
        if self.company == Company::Unreached {
            self.group = self.unreached();
            return Some(&self.group[..]).filter(|group| !group.is_empty());
        }
        while self.group.is_empty() {
            if self.vain >= MOST_IN_VAIN {
                return None;
            }
            let run: Vec<u32> = self.halving.next(&self.loads)?.collect();
            self.group = self.with_company(run);
            if self.group.is_empty() {
                self.halving.skip();
            }
        }
        Some(&self.group)
    }

    /// What the last parts do not reach, if that is worth a question; nothing after a success.
    fn unreached(&self) -> Vec<u32> {
        let count = self.weights.len();
        let is_over = self.roots > MOST_ROOTS.min(count) || !self.gone.is_clear();
        if is_over || self.reach.is_empty() {
            return Vec::new();
        }
        let reached = self.reach.closure(count - self.roots..count);
        let unreached = (0..count).filter(|&part| !reached.contains(part));
        let group: Vec<u32> = unreached
            .map(|part| u32::try_from(part).unwrap_or(u32::MAX))
            .collect();
        if self.weight(&group) < self.least.into() {
            return Vec::new();
        }
        group
    }

    fn with_company(&self, mut run: Vec<u32>) -> Vec<u32> {
        run.retain(|&part| !self.gone.contains(part as usize));
        match self.company {
            Company::None | Company::Unreached => run,
            Company::Dependents => {
                let all = self.dependencies.with_dependents(&self.gone, &run);
                if 2 * self.weight(&all) <= 3 * self.weight(&run) {
                    all
                } else {
                    run
                }
            }
            Company::Garbage => {
                run.retain(|&part| self.dependencies.is_unused(part, &self.gone));
                self.dependencies.with_garbage(&self.gone, &run)
            }
        }
    }

    fn weight(&self, parts: &[u32]) -> u64 {
        let weights = parts.iter().map(|&part| self.weights[part as usize]);
        weights.map(u64::from).sum()
    }

    /// Takes the answer to the parts that [`Runs::next`] gave; returns what goes.
    pub(super) fn tell(&mut self, good: bool) -> Vec<u32> {
        if self.company == Company::Unreached {
            self.roots *= 2;
        } else {
            self.halving.tell(good, &self.loads);
        }
        let group = std::mem::take(&mut self.group);
        if !good {
            self.vain += 1;
            return Vec::new();
        }
        self.vain = 0;
        self.gone.extend(group.iter().map(|&part| part as usize));
        group
    }

    /// Turns down the parts that [`Runs::next`] gave, without an answer.
    pub(super) fn reject(&mut self) {
        if self.company == Company::Unreached {
            self.roots *= 2;
        } else {
            self.halving.refuse(&self.loads);
        }
        self.group.clear();
    }

    /// The chance that what [`Runs::next`] gave can go.
    pub(super) fn odds(&self) -> f64 {
        self.halving.odds()
    }

    /// The parts that were refused alone.
    pub(super) fn failed(&self) -> &[u32] {
        self.halving.failed()
    }
}
