//! The states of an automaton along a row of children, from both sides.

use super::{Automaton, Kind, State, Symbol};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::{cmp::Reverse, collections::BinaryHeap, ops::Deref, sync::Arc};

#[derive(Debug)]
pub(super) struct Model<'g> {
    pub(super) automaton: &'g Automaton,
    pub(super) steps: Arc<Steps>,
}

#[derive(Debug)]
pub(super) struct Steps {
    /// The state before each child, and at the end.
    pub(super) before: Vec<State>,
    /// The number of the set of states from which the row from each child on is accepted.
    behind: Vec<u32>,
    sets: Vec<FixedBitSet>,
}

/// How many kinds may bridge a gap.
const LONGEST_FILLER: usize = 4;

impl Steps {
    /// `None` when the automaton does not accept the row.
    pub(super) fn new(automaton: &Automaton, row: &[Kind]) -> Option<Self> {
        let mut before = vec![Automaton::START];
        for &kind in row {
            before.push(automaton.step(before[before.len() - 1], kind)?);
        }
        if !automaton.is_accepting(before[row.len()]) {
            return None;
        }
        let mut steps = Self {
            before,
            behind: vec![0; row.len() + 1],
            sets: Vec::new(),
        };
        steps.look_back(automaton, row);
        Some(steps)
    }

    /// Long rows repeat few sets, so each step from a set is taken once.
    fn look_back(&mut self, automaton: &Automaton, row: &[Kind]) {
        let mut numbers: FxHashMap<FixedBitSet, u32> = FxHashMap::default();
        let mut steps: FxHashMap<(u32, Kind), u32> = FxHashMap::default();
        let mut end = automaton.accepting().clone();
        end.grow(automaton.len());
        numbers.insert(end.clone(), 0);
        self.sets.push(end);
        for index in (0..row.len()).rev() {
            let (set, kind) = (self.behind[index + 1], row[index]);
            self.behind[index] = *steps.entry((set, kind)).or_insert_with(|| {
                let states = self.states_before(automaton, set, kind);
                *numbers.entry(states.clone()).or_insert_with(|| {
                    self.sets.push(states);
                    u32::try_from(self.sets.len() - 1).unwrap_or(u32::MAX)
                })
            });
        }
    }

    /// The states from which `kind` leads into a set.
    fn states_before(&self, automaton: &Automaton, set: u32, kind: Kind) -> FixedBitSet {
        let leads_in = |&state: &u32| {
            let next = automaton.step(state, kind);
            next.is_some_and(|next| self.sets[set as usize].contains(next as usize))
        };
        let states = (0..u32::try_from(automaton.len()).unwrap_or(u32::MAX)).filter(leads_in);
        let mut before = FixedBitSet::with_capacity(automaton.len());
        before.extend(states.map(|state| state as usize));
        before
    }
}

impl Deref for Model<'_> {
    type Target = Steps;

    fn deref(&self) -> &Steps {
        &self.steps
    }
}

impl Model<'_> {
    /// Whether the row from `index` on is accepted from `state`.
    pub(super) fn fits(&self, state: State, index: usize) -> bool {
        self.sets[self.behind[index] as usize].contains(state as usize)
    }

    /// The cheapest symbols that lead from `state` to where the row from `index` on is accepted.
    pub(super) fn bridge<'t>(
        &self,
        state: State,
        index: usize,
        text: impl Fn(Symbol) -> Option<&'t Arc<[u8]>>,
    ) -> Option<Vec<Symbol>> {
        let mut settled = FixedBitSet::with_capacity(self.automaton.len());
        let mut open = BinaryHeap::from([Reverse((0usize, Vec::<Symbol>::new(), state))]);
        while let Some(Reverse((cost, path, state))) = open.pop() {
            if self.fits(state, index) {
                return Some(path);
            }
            if settled.put(state as usize) || path.len() >= LONGEST_FILLER {
                continue;
            }
            for (symbol, next) in self.automaton.symbols(state) {
                if let (Some(text), false) = (text(symbol), settled.contains(next as usize)) {
                    let path = [&path[..], &[symbol]].concat();
                    open.push(Reverse((cost + text.len() + 1, path, next)));
                }
            }
        }
        None
    }
}
