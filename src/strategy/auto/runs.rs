//! Runs over a long row of parts, each with what has to go, or is free to go, together with it.

use crate::{
    minimize::Halving,
    pass::{Company, Context, Grain, Proposal, dependencies::Dependencies},
};
use fixedbitset::FixedBitSet;
use std::sync::Arc;

/// The search over one row. Clones copy the open runs and a bit a part.
#[derive(Clone, Debug)]
pub(super) struct Runs {
    halving: Halving,
    company: Company,
    dependencies: Arc<Dependencies>,
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

impl Runs {
    /// Over these parts, which are in document order and do not overlap. Cost: linear; for garbage, times what a part frees.
    pub(super) fn new(context: &Context, row: &[Proposal], company: Company, grain: Grain) -> Self {
        let dependencies = match company {
            Company::None => Dependencies::default(),
            Company::Dependents | Company::Garbage => {
                Dependencies::of(context.document(), context.names(), row)
            }
        };
        let weights: Arc<[u32]> = row.iter().map(|part| part.weight).collect();
        let loads = match company {
            Company::None | Company::Dependents => Arc::clone(&weights),
            Company::Garbage => dependencies.loads(&weights),
        };
        Self {
            halving: Halving::new(&loads, grain.largest.into(), grain.least.into()).hurrying(),
            company,
            dependencies: Arc::new(dependencies),
            weights,
            loads,
            gone: FixedBitSet::with_capacity(row.len()),
            group: Vec::new(),
            vain: 0,
        }
    }

    /// The parts that are asked about now, never empty; `None` at the end.
    pub(super) fn next(&mut self) -> Option<&[u32]> {
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

    fn with_company(&self, mut run: Vec<u32>) -> Vec<u32> {
        run.retain(|&part| !self.gone.contains(part as usize));
        match self.company {
            Company::None => run,
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
        self.halving.tell(good, &self.loads);
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
        self.halving.refuse(&self.loads);
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
