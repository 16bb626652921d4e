//! What the last parts of a long row do not reach, as one question: from one of them, in each way to tell what is meant, then from
//! two, from four …

use crate::pass::{
    Context, Proposal,
    reach::{Meant, Reach},
};
use fixedbitset::FixedBitSet;
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
    meant: Meant,
    has_succeeded: bool,
    /// What was to stay in the question before.
    asked: Option<FixedBitSet>,
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
            meant: Meant::Least,
            has_succeeded: false,
            asked: None,
            group: Vec::new(),
        }
    }

    /// The parts that are asked about now, never empty; `None` at the end, which the first success is.
    pub(super) fn next(&mut self) -> Option<&[u32]> {
        let parts = self.weights.len();
        let mut stays = self.reached()?;
        while self.asked.as_ref() == Some(&stays) {
            self.go_on();
            stays = self.reached()?;
        }
        let all = 0..u32::try_from(parts).unwrap_or(u32::MAX);
        self.group = all.filter(|&part| !stays.contains(part as usize)).collect();
        let weights = self.group.iter().map(|&part| self.weights[part as usize]);
        let weight: u64 = weights.map(u64::from).sum();
        self.asked = Some(stays);
        let is_worth_asking = !self.group.is_empty() && weight >= self.least;
        is_worth_asking.then_some(&self.group)
    }

    /// What stays now; `None` at the end.
    fn reached(&self) -> Option<FixedBitSet> {
        let parts = self.weights.len();
        let is_over = self.has_succeeded || self.count > MOST_ROOTS.min(parts);
        let goes_on = !is_over && !self.reach.is_empty();
        goes_on.then(|| self.reach.closure(parts - self.count..parts, self.meant))
    }

    fn go_on(&mut self) {
        match self.meant {
            Meant::Least => self.meant = Meant::ByHeads,
            Meant::ByHeads => self.meant = Meant::Most,
            Meant::Most => self.count *= 2,
        }
    }

    /// Takes the answer to the parts that [`Roots::next`] gave; returns what goes.
    pub(super) fn tell(&mut self, good: bool) -> Vec<u32> {
        self.go_on();
        self.has_succeeded = good;
        let group = std::mem::take(&mut self.group);
        if good { group } else { Vec::new() }
    }
}
