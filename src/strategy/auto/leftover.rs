//! What nothing reaches any more while runs go: it is known without a question how much that would be, so it is asked about as soon
//! as it is much.

use crate::pass::{
    Context, Proposal, declarations,
    reach::{Meant, Reach},
};
use fixedbitset::FixedBitSet;
use std::ops::Range;

/// What is not reached any more is asked about when it is this part of what is left.
const ENOUGH: u64 = 16;

/// What reaches what, in terms of the parts of a row.
#[derive(Debug)]
pub(super) struct Leftover {
    reach: Reach,
    /// By declaration: the part that it lies in.
    parts: Vec<Option<u32>>,
}

impl Leftover {
    /// Over the parts of a row that do not lie in each other. Cost: as [`Reach::of`].
    pub(super) fn new(
        context: &Context,
        row: &[Proposal],
        is_single: impl Fn(u32) -> bool,
    ) -> Self {
        let nodes = |part: &Proposal| {
            let start = part.takes.first().map_or(0, |nodes| nodes.start);
            start..part.takes.last().map_or(0, |nodes| nodes.end)
        };
        let single: Vec<(Range<u32>, u32)> = (0..)
            .zip(row)
            .filter(|&(part, _)| is_single(part))
            .map(|(part, proposal)| (nodes(proposal), part))
            .collect();
        let around = |node: u32| {
            let place = single.partition_point(|(nodes, _)| nodes.end <= node);
            let (nodes, part) = single.get(place)?;
            nodes.contains(&node).then_some(*part)
        };
        let declarations = declarations(context);
        Self {
            reach: Reach::of(context, &declarations),
            parts: declarations
                .iter()
                .map(|declaration| around(nodes(declaration).start))
                .collect(),
        }
    }

    /// The parts in which nothing is reached when these have gone, in order.
    pub(super) fn unreached(&self, gone: &FixedBitSet) -> Vec<u32> {
        let is_gone = |part: &Option<u32>| part.is_some_and(|part| gone.contains(part as usize));
        let mut without = FixedBitSet::with_capacity(self.parts.len());
        let away = self.parts.iter().enumerate();
        without.extend(away.filter(|(_, part)| is_gone(part)).map(|(it, _)| it));
        let Some(last) = self.parts.iter().rposition(|part| !is_gone(part)) else {
            return Vec::new();
        };
        if self.reach.is_empty() {
            return Vec::new();
        }
        let mut roots = FixedBitSet::with_capacity(self.parts.len());
        roots.insert(last);
        let (reached, held) = loop {
            let reached = self.reach.closure_without(&without, &roots, Meant::ByHeads);
            let held: FixedBitSet = reached
                .difference(&without)
                .filter_map(|it| self.parts[it])
                .map(|part| part as usize)
                .collect();
            // What stays with others needs what it uses, too.
            let stays =
                |it: &usize| self.parts[*it].is_none_or(|part| held.contains(part as usize));
            let more: Vec<usize> = (0..self.parts.len())
                .filter(|it| !reached.contains(*it) && stays(it))
                .collect();
            if more.is_empty() {
                break (reached, held);
            }
            roots.extend(more);
        };
        let unreached = (0..self.parts.len()).filter(|&it| !reached.contains(it));
        let mut unreached: Vec<u32> = unreached
            .filter_map(|it| self.parts[it])
            .filter(|&part| !held.contains(part as usize) && !gone.contains(part as usize))
            .collect();
        unreached.dedup();
        unreached
    }

    /// Whether so much of what is left is worth a question.
    pub(super) fn is_worth_asking(weight: u64, left: u64) -> bool {
        weight * ENOUGH >= left
    }
}
