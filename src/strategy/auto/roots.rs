//! What the last parts of a long row do not reach, as one question: from one of them, from two, from four …; operators and the like
//! stay at first only with all that they mention, then with what their parameters mention.

use crate::pass::{Context, Proposal, reach::Reach};
use std::sync::Arc;

/// From more of the last parts on nearly everything is reached.
const MOST_ROOTS: usize = 32;

/// The search for what is not reached. Clones share what reaches what.
#[derive(Clone, Debug)]
pub(super) struct Roots {
    reach: Arc<Reach>,
    weights: Arc<[u32]>,
    /// Less than this is worth no question.
    least: u64,
    /// From so many of the last parts all is reached that stays.
    count: usize,
    /// Whether parts without a name come along by their heads: asked about after the other way, if that makes a difference.
    by_heads: bool,
    has_succeeded: bool,
    group: Vec<u32>,
}

impl Roots {
    /// Over these parts, which are in document order. Cost: as [`Reach::of`].
    pub(super) fn new(context: &Context, row: &[Proposal], least: u32) -> Self {
        Self {
            reach: Arc::new(Reach::of(context, row)),
            weights: row.iter().map(|part| part.weight).collect(),
            least: least.into(),
            count: 1,
            by_heads: false,
            has_succeeded: false,
            group: Vec::new(),
        }
    }

    /// The parts that are asked about now, never empty; `None` at the end, which the first success is.
    pub(super) fn next(&mut self) -> Option<&[u32]> {
        let parts = self.weights.len();
        if self.has_succeeded || self.count > MOST_ROOTS.min(parts) || self.reach.is_empty() {
            return None;
        }
        let reached = |by_heads| self.reach.closure(parts - self.count..parts, by_heads);
        let mut stays = reached(self.by_heads);
        if self.by_heads && self.count == 1 && stays == reached(false) {
            // That was the question before.
            self.count = 2;
            stays = self
                .reach
                .closure(parts - self.count.min(parts)..parts, true);
        }
        let all = 0..u32::try_from(parts).unwrap_or(u32::MAX);
        self.group = all.filter(|&part| !stays.contains(part as usize)).collect();
        let weights = self.group.iter().map(|&part| self.weights[part as usize]);
        let weight: u64 = weights.map(u64::from).sum();
        let is_worth_asking = !self.group.is_empty() && weight >= self.least;
        is_worth_asking.then_some(&self.group)
    }

    /// Takes the answer to the parts that [`Roots::next`] gave; returns what goes.
    pub(super) fn tell(&mut self, good: bool) -> Vec<u32> {
        if self.by_heads {
            self.count *= 2;
        }
        self.by_heads = true;
        self.has_succeeded = good;
        let group = std::mem::take(&mut self.group);
        if good { group } else { Vec::new() }
    }
}
