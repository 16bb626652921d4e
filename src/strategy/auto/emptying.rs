//! Runs of bodies, each with what nothing reaches without it: bodies in that need no question of their own.
//!
//! What is reached is told by names, and may lack something. Two refusals in a row are a reason to ask about what nothing reaches without
//! the bodies that have gone, or if that is little about a run alone; when the first is refused, all bodies go alone.

use crate::{
    minimize::Halving,
    pass::{
        Context, Grain, Proposal,
        dependencies::Dependencies,
        reach::{Meant, Reach},
    },
    syntax::NodeId,
};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;
use std::{cmp::Reverse, ops::Range, sync::Arc};

/// After so many questions in vain other steps have more to gain.
const MOST_IN_VAIN: u32 = 20;
/// What is not reached any more is asked about alone when it is this part of what is left.
const ENOUGH: u64 = 32;
/// And after so many refusals.
const DOUBTFUL: u32 = 2;

/// The search. Clones copy the open runs, a bit a proposal and the weights.
#[derive(Clone, Debug)]
pub(super) struct Emptying {
    place: Arc<Place>,
    halving: Halving,
    /// What the bodies weigh that have not gone.
    loads: Vec<u32>,
    /// By declaration: its weight without its members.
    weights: Vec<u32>,
    /// The proposals that have gone, or went with others.
    gone: FixedBitSet,
    /// What is asked about, and whether nothing reaches it.
    group: Vec<u32>,
    is_leftover: bool,
    /// Whether that is in doubt, and whether bodies go without it since it was refused.
    is_doubted: bool,
    are_alone: bool,
    /// The bodies that were refused alone.
    refused: Vec<u32>,
    /// Questions since the last success.
    vain: u32,
}

/// Where the bodies are, and what reaches what.
#[derive(Debug)]
struct Place {
    /// So many proposals are declarations; those behind them are bodies.
    declarations: usize,
    /// Over declarations and bodies.
    reach: Reach,
    /// By part of that: the declaration, where it is one.
    declaration_of: Vec<Option<u32>>,
    /// By body: its part, and the declaration that it lies in.
    part_of: Vec<(usize, Option<u32>)>,
}

impl Emptying {
    /// Over some of the `known` declarations and members, in document order, and the bodies behind them, in any order. Cost: as
    /// [`Reach::of`].
    pub(super) fn new(
        context: &Context,
        proposals: &[Proposal],
        known: &[Proposal],
        grain: Grain,
    ) -> Self {
        let declarations = count_of_declarations(proposals, known);
        let (declared, bodies) = proposals.split_at(declarations);
        let loads: Vec<u32> = bodies.iter().map(|body| body.weight).collect();
        let halving = Halving::new(&loads, grain.largest.into(), grain.least.into());
        Self {
            place: Arc::new(Place::of(context, proposals, declarations)),
            halving: halving.hurrying(),
            loads,
            weights: Dependencies::own_weights(declared).to_vec(),
            gone: FixedBitSet::with_capacity(proposals.len()),
            group: Vec::new(),
            is_leftover: false,
            // What is not reached with all bodies in their places was refused before, or is new since then.
            is_doubted: true,
            are_alone: false,
            refused: Vec::new(),
            vain: 0,
        }
    }

    /// The proposals that are asked about now, never empty; `None` at the end.
    pub(super) fn next(&mut self) -> Option<&[u32]> {
        while self.group.is_empty() {
            if self.vain >= MOST_IN_VAIN {
                return None;
            }
            if self.try_leftover() {
                break;
            }
            let run = self.halving.next(&self.loads)?;
            let first = self.place.declarations;
            let run = run.map(|body| body + narrow(first));
            let bodies: Vec<u32> = run.filter(|&it| !self.gone.contains(it as usize)).collect();
            if bodies.is_empty() {
                self.halving.skip();
                continue;
            }
            self.group = self.with_company(bodies);
        }
        Some(&self.group)
    }

    /// Turns to what nothing reaches any more, if that is in doubt and much.
    fn try_leftover(&mut self) -> bool {
        if !self.is_doubted || self.are_alone {
            return false;
        }
        self.group = self.place.unreached(&self.gone);
        let weight = self.weight_of_declarations(&self.group);
        let left: u64 = self.weights.iter().copied().map(u64::from).sum();
        self.is_leftover = weight * ENOUGH >= left && weight > 0;
        if !self.is_leftover {
            self.group.clear();
            // Where something was refused, a run goes alone now.
            self.is_doubted = self.vain > 0;
        }
        self.is_leftover
    }

    fn weight_of_declarations(&self, group: &[u32]) -> u64 {
        let weights = group.iter().map(|&part| self.weights[part as usize]);
        weights.map(u64::from).sum()
    }

    /// Takes the answer to the proposals that [`Emptying::next`] gave; returns what goes.
    pub(super) fn tell(&mut self, good: bool) -> Vec<u32> {
        let group = std::mem::take(&mut self.group);
        if std::mem::take(&mut self.is_leftover) {
            self.is_doubted = false;
            self.are_alone = !good;
        } else {
            self.halving.tell(good, &self.loads);
            // When a run has gone alone, the doubt stays: next it is asked what goes with it.
            if !good {
                self.vain += 1;
                self.is_doubted = self.vain % (DOUBTFUL + 1) == DOUBTFUL;
            }
        }
        if !good {
            let first = narrow(self.place.declarations);
            self.refused
                .extend(group.first().filter(|&&it| group.len() == 1 && it >= first));
            return Vec::new();
        }
        self.vain = 0;
        self.take(&group);
        group
    }

    /// Takes note of what has gone, and of the bodies that went with it.
    fn take(&mut self, group: &[u32]) {
        self.gone.extend(group.iter().map(|&part| part as usize));
        let first = self.place.declarations;
        for &part in group {
            match (part as usize).checked_sub(first) {
                None => self.weights[part as usize] = 0,
                Some(body) => {
                    let load = std::mem::take(&mut self.loads[body]);
                    if let (_, Some(around)) = self.place.part_of[body] {
                        let left = &mut self.weights[around as usize];
                        *left = left.saturating_sub(load);
                    }
                }
            }
        }
        for (body, &(_, around)) in self.place.part_of.iter().enumerate() {
            if around.is_some_and(|around| self.gone.contains(around as usize)) {
                self.gone.insert(first + body);
                self.loads[body] = 0;
            }
        }
    }

    /// Turns down the proposals that [`Emptying::next`] gave, without an answer.
    pub(super) fn reject(&mut self) {
        self.group.clear();
        if std::mem::take(&mut self.is_leftover) {
            self.are_alone = true;
        } else {
            self.halving.refuse(&self.loads);
        }
    }

    /// The bodies of each open run, the next one first.
    pub(super) fn open(&self) -> impl Iterator<Item = Vec<u32>> {
        let first = narrow(self.place.declarations);
        let runs = self.halving.open().cloned();
        let is_left = |body: &u32| !self.gone.contains(*body as usize);
        runs.map(move |run| run.map(|body| body + first).filter(is_left).collect())
    }

    /// The bodies that are asked about, without what nothing reaches then.
    pub(super) fn asked(&self) -> Vec<u32> {
        let first = narrow(self.place.declarations);
        let bodies = self.group.iter().copied();
        bodies.filter(|&part| part >= first).collect()
    }

    /// These bodies with what nothing reaches without them, if that goes with them now.
    pub(super) fn with_company(&self, mut bodies: Vec<u32>) -> Vec<u32> {
        if !self.are_alone && !self.is_doubted {
            let mut gone = self.gone.clone();
            gone.extend(bodies.iter().map(|&body| body as usize));
            bodies.extend(self.place.unreached(&gone));
        }
        bodies
    }

    /// The chance that what [`Emptying::next`] gave can go.
    pub(super) fn odds(&self) -> f64 {
        self.halving.odds()
    }

    /// The bodies that were refused alone, with no declaration.
    pub(super) fn failed(&self) -> &[u32] {
        &self.refused
    }
}

impl Place {
    /// Over proposals of which so many are declarations.
    fn of(context: &Context, proposals: &[Proposal], declarations: usize) -> Self {
        let mut order: Vec<usize> = (0..proposals.len()).collect();
        order.sort_by_key(|&it| place_of(&proposals[it]));
        let (mut row, mut bodies, mut declaration_of) = (Vec::new(), Vec::new(), Vec::new());
        let mut part_of = vec![(0, None); proposals.len() - declarations];
        let mut around: Vec<(Range<NodeId>, usize, u32)> = Vec::new();
        for it in order {
            let (nodes, part) = (proposals[it].nodes(), row.len());
            while around
                .pop_if(|(outer, ..)| outer.end <= nodes.start)
                .is_some()
            {}
            let declaration = (it < declarations).then(|| narrow(it));
            match (declaration, around.last()) {
                (Some(declaration), _) => around.push((nodes, part, declaration)),
                // A body that is all of a declaration is no part of its own.
                (None, Some((outer, part, declaration))) if *outer == nodes => {
                    part_of[it - declarations] = (*part, Some(*declaration));
                    continue;
                }
                (None, inner) => {
                    part_of[it - declarations] =
                        (part, inner.map(|&(.., declaration)| declaration));
                    bodies.push(part);
                }
            }
            declaration_of.push(declaration);
            row.push(proposals[it].clone());
        }
        Self {
            declarations,
            reach: Reach::with_bodies(context, &row, &bodies),
            declaration_of,
            part_of,
        }
    }

    /// The declarations that nothing reaches when these proposals have gone, in order.
    fn unreached(&self, gone: &FixedBitSet) -> Vec<u32> {
        let parts = self.declaration_of.len();
        if self.reach.is_empty() {
            return Vec::new();
        }
        let is_gone = |part: &usize| {
            self.declaration_of[*part]
                .is_some_and(|declaration| gone.contains(declaration as usize))
        };
        let mut without = FixedBitSet::with_capacity(parts);
        without.extend((0..parts).filter(is_gone));
        let bodies = self.part_of.iter().enumerate();
        let bodies = bodies.filter(|(body, _)| gone.contains(self.declarations + body));
        without.extend(bodies.map(|(_, &(part, _))| part));
        let is_left =
            |part: &usize| !without.contains(*part) && self.declaration_of[*part].is_some();
        let Some(last) = (0..parts).rfind(is_left) else {
            return Vec::new();
        };
        let mut roots = self.reach.ends().clone();
        roots.grow(parts);
        roots.insert_range(self.reach.outermost(last)..parts);
        // What is in no declaration stays.
        let outside = self.part_of.iter().filter(|(_, around)| around.is_none());
        roots.extend(outside.map(|&(part, _)| part));
        roots.difference_with(&without);
        let reached = self.reach.closure_without(&without, &roots, Meant::ByHeads);
        let unreached = (0..parts).filter(|&part| !reached.contains(part));
        unreached
            .filter_map(|part| self.declaration_of[part])
            .collect()
    }
}

/// Where a proposal comes in document order: what lies in another one stands behind it.
fn place_of(proposal: &Proposal) -> (NodeId, Reverse<NodeId>) {
    let nodes = proposal.nodes();
    (nodes.start, Reverse(nodes.end))
}

/// How many of the first proposals are declarations: a body that is all of one stands before it.
fn count_of_declarations(proposals: &[Proposal], known: &[Proposal]) -> usize {
    let known: FxHashSet<u64> = known.iter().map(|it| it.signature).collect();
    let mut last = None;
    let is_declaration = |proposal: &&Proposal| {
        let place = Some(place_of(proposal));
        let is_behind = last < place;
        last = place;
        is_behind && known.contains(&proposal.signature)
    };
    proposals.iter().take_while(is_declaration).count()
}

fn narrow(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::{list::PASSES, with_bodies};
    use crate::syntax::{Document, Language};
    use proptest::prelude::*;

    const GRAIN: Grain = Grain {
        least: 1,
        part: 0,
        largest: u32::MAX,
        from: 0,
        enough: 0,
    };

    /// Functions that call earlier ones, large enough that they go together with what only they reach.
    fn program(calls: &[usize]) -> Context {
        let statements = "b = b * b + 1; ".repeat(9000 / (8 * calls.len()));
        let function = |(number, call): (usize, &usize)| {
            format!(
                "int f{number}(int b) {{ {statements} return f{}(b); }}\n",
                call % (number + 1)
            )
        };
        let functions: String = calls.iter().enumerate().map(function).collect();
        let text = format!(
            "{functions}int main(void) {{ return f{}(1); }}\n",
            calls.len() - 1
        );
        Context::new(Document::new(text.as_bytes(), Language::named("c")))
    }

    const CHAIN: [usize; 20] = [
        0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
    ];

    fn proposals(context: &Context) -> Vec<Proposal> {
        let pass = PASSES
            .iter()
            .find(|pass| pass.name == "empty-bodies")
            .unwrap();
        pass.proposals(context)
    }

    /// Searches to the end, where all may go but these proposals; what has gone, and the number of questions.
    fn search(context: &Context, proposals: &[Proposal], needed: &[u32]) -> (Vec<u32>, usize) {
        let mut emptying = Emptying::new(context, proposals, &with_bodies(context), GRAIN);
        let (mut gone, mut questions) = (Vec::new(), 0);
        while let Some(group) = emptying.next() {
            let group = group.to_vec();
            assert!(group.iter().all(|part| !gone.contains(part)), "asked again");
            questions += 1;
            let good = !needed.iter().any(|part| group.contains(part));
            let went = emptying.tell(good);
            assert_eq!(went.is_empty(), !good);
            gone.extend(went);
        }
        (gone, questions)
    }

    #[test]
    fn bodies_go_with_what_only_they_reach() {
        let context = program(&CHAIN);
        let proposals = proposals(&context);
        let (gone, questions) = search(&context, &proposals, &[]);
        // All bodies, and all functions but the last.
        let declarations = with_bodies(&context).len();
        assert_eq!((declarations, proposals.len()), (21, 42));
        let (first, second) = (gone.iter().filter(|&&it| it < 21).count(), gone.len());
        assert_eq!((first, second, questions), (20, 41, 1));
    }

    #[test]
    fn what_names_do_not_tell_costs_a_few_questions() {
        let context = program(&CHAIN);
        let proposals = proposals(&context);
        // One function is needed, and its body is not.
        let (gone, questions) = search(&context, &proposals, &[3]);
        assert!(gone.iter().filter(|&&it| it >= 21).count() >= 20);
        assert!(questions <= 12, "{questions}");
    }

    #[test]
    fn what_was_refused_before_is_no_part() {
        let context = program(&CHAIN);
        let mut proposals = proposals(&context);
        proposals.remove(5);
        proposals.remove(30);
        let known = with_bodies(&context);
        assert_eq!(count_of_declarations(&proposals, &known), 20);
        assert_eq!(count_of_declarations(&proposals[20..], &known), 0);
        assert_eq!(search(&context, &proposals, &[]).1, 1);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn it_ends_and_takes_all_bodies_that_may_go_alone(
            calls in prop::collection::vec(0usize..30, 8..30), needed in prop::collection::vec(0u32..60, 0..3),
        ) {
            let context = program(&calls);
            let proposals = proposals(&context);
            let first = narrow(with_bodies(&context).len());
            let (gone, _) = search(&context, &proposals, &needed);
            prop_assert!(needed.iter().all(|part| !gone.contains(part)));
            let bodies = first..narrow(proposals.len());
            let are_safe = needed.iter().all(|&part| part >= first);
            for body in bodies.filter(|body| are_safe && !needed.contains(body)) {
                let declaration = body - first;
                prop_assert!(gone.contains(&body) || gone.contains(&declaration), "{body}");
            }
        }
    }
}
