//! What nothing reaches any more while runs go: it is known without a question how much that would be, so it is asked about as soon
//! as it is much. It is finer than the parts of a row: members of types go one by one.

use crate::pass::{
    Context, Proposal,
    reach::{Meant, Reach},
};
use fixedbitset::FixedBitSet;
use std::ops::Range;

/// What is not reached any more is asked about when it is this part of what is left.
const ENOUGH: u64 = 16;

/// What reaches what, in terms of declarations and members that stand behind the parts of a row.
#[derive(Debug)]
pub(super) struct Leftover {
    reach: Reach,
    /// The number of the first declaration.
    first: usize,
    /// By declaration: the part that it begins in.
    parts: Vec<Option<u32>>,
}

impl Leftover {
    /// Over these declarations, the first of which has the number after that of the last part of the row. Cost: as [`Reach::of`].
    pub(super) fn new(
        context: &Context,
        row: &[Proposal],
        is_single: impl Fn(u32) -> bool,
        declarations: &[Proposal],
    ) -> Self {
        let single: Vec<(Range<u32>, u32)> = (0..)
            .zip(row)
            .filter(|&(part, _)| is_single(part))
            .map(|(part, proposal)| (proposal.nodes(), part))
            .collect();
        let around = |node: u32| {
            let place = single.partition_point(|(nodes, _)| nodes.end <= node);
            let (nodes, part) = single.get(place)?;
            nodes.contains(&node).then_some(*part)
        };
        Self {
            reach: Reach::of(context, declarations),
            first: row.len(),
            parts: declarations
                .iter()
                .map(|declaration| around(declaration.nodes().start))
                .collect(),
        }
    }

    /// The declarations that nothing reaches when these parts and declarations have gone, in order; those that are needed stay, with
    /// what they use.
    pub(super) fn unreached(
        &self,
        gone: &FixedBitSet,
        is_needed: impl Fn(u32) -> bool,
    ) -> Vec<u32> {
        let is_gone = |it: usize| {
            let part = self.parts[it];
            gone.contains(self.first + it) || part.is_some_and(|part| gone.contains(part as usize))
        };
        let mut without = FixedBitSet::with_capacity(self.parts.len());
        without.extend((0..self.parts.len()).filter(|&it| is_gone(it)));
        let Some(last) = (0..self.parts.len()).rfind(|&it| !without.contains(it)) else {
            return Vec::new();
        };
        if self.reach.is_empty() {
            return Vec::new();
        }
        let mut roots = FixedBitSet::with_capacity(self.parts.len());
        roots.extend(self.reach.outermost(last)..=last);
        // What is in no part of the row stays, too.
        let stays = |&it: &usize| self.parts[it].is_none() || is_needed(self.number(it));
        roots.extend((0..self.parts.len()).filter(stays));
        roots.difference_with(&without);
        let reached = self.reach.closure_without(&without, &roots, Meant::ByHeads);
        let unreached = (0..self.parts.len()).filter(|&it| !reached.contains(it));
        unreached.map(|it| self.number(it)).collect()
    }

    /// By part of the row, of which there are so many: after how many steps one of its declarations is reached from the last.
    pub(super) fn steps(&self, parts: usize) -> Vec<u32> {
        let mut steps = vec![u32::MAX; parts];
        if self.reach.is_empty() {
            return steps;
        }
        for (part, of_declaration) in self.parts.iter().zip(self.reach.steps(Meant::ByHeads)) {
            if let Some(part) = part {
                let of_part = &mut steps[*part as usize];
                *of_part = of_declaration.min(*of_part);
            }
        }
        steps
    }

    fn number(&self, declaration: usize) -> u32 {
        u32::try_from(self.first + declaration).unwrap_or(u32::MAX)
    }

    /// The part that a declaration begins in.
    pub(super) fn part_of(&self, declaration: u32) -> Option<u32> {
        self.parts[declaration as usize - self.first]
    }

    /// Whether so much of what is left is worth a question.
    pub(super) fn is_worth_asking(weight: u64, left: u64) -> bool {
        weight * ENOUGH >= left
    }
}
