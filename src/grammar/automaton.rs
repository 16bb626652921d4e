//! Automata over child sequences: which rows of children a kind of node can have.
//!
//! A rule becomes a nondeterministic automaton whose edges are visible kinds; hidden rules are expanded in place. A hidden rule
//! that contains itself is context-free: there the automaton loops back to the place where the rule was entered, which accepts
//! somewhat more than the grammar, never less. The subset construction then makes it deterministic.

use super::{
    Kind, Kinds,
    rule::{Rule, RuleSet},
};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// A state of an [`Automaton`].
pub type State = u32;

/// A deterministic automaton over the children of one kind of node.
#[derive(Debug)]
pub struct Automaton {
    /// By state: the kinds that lead on, sorted, with where they lead.
    edges: Vec<Vec<(Kind, State)>>,
    accepting: FixedBitSet,
}

/// Beyond this many states a kind's rows are not modelled: everything is accepted there. No built-in grammar comes near.
const MOST_STATES: usize = 20_000;

impl Automaton {
    /// Where every row starts.
    pub const START: State = 0;

    pub(super) fn of_kind(rules: &RuleSet, kinds: &Kinds, kind: Kind) -> Self {
        let mut builder = Builder {
            rules,
            kinds,
            states: vec![Vertex::default(), Vertex::default()],
            entered: Vec::new(),
        };
        rules.for_each_body(kinds, |of, body| {
            if of == kind {
                // A rule that is one token makes a leaf, or, where the token is used elsewhere too, a node around it.
                if RuleSet::is_token(body) {
                    builder.states[0].free.push(1);
                }
                builder.add(body, 0, 1, None);
            }
        });
        if builder.states[0].free.is_empty() && builder.states[0].edges.is_empty() {
            // No rule: an external token.
            builder.states[0].free.push(1);
        }
        Self::determinise(&builder.states)
    }

    /// Where `kind` leads from `state`.
    pub fn step(&self, state: State, kind: Kind) -> Option<State> {
        let edges = &self.edges[state as usize];
        edges
            .binary_search_by_key(&kind, |edge| edge.0)
            .ok()
            .map(|index| edges[index].1)
    }

    /// The kinds that can follow in `state`, with where they lead.
    pub fn edges(&self, state: State) -> &[(Kind, State)] {
        &self.edges[state as usize]
    }

    /// Whether a row may end in `state`.
    pub fn is_accepting(&self, state: State) -> bool {
        self.accepting.contains(state as usize)
    }

    /// The states in which a row may end.
    pub fn accepting(&self) -> &FixedBitSet {
        &self.accepting
    }

    /// How many states it has.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Never: there is a start.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Whether a node of this kind can have these children.
    pub fn accepts(&self, row: &[Kind]) -> bool {
        let end = row
            .iter()
            .try_fold(Self::START, |state, &kind| self.step(state, kind));
        end.is_some_and(|state| self.is_accepting(state))
    }

    fn determinise(vertices: &[Vertex]) -> Self {
        let mut numbers: FxHashMap<Vec<u32>, State> = FxHashMap::default();
        let mut sets = vec![closure(vertices, vec![0])];
        numbers.insert(sets[0].clone(), 0);
        let mut automaton = Self {
            edges: Vec::new(),
            accepting: FixedBitSet::new(),
        };
        let mut next = 0;
        while next < sets.len() && sets.len() < MOST_STATES {
            let set = sets[next].clone();
            automaton.accepting.grow(next + 1);
            automaton.accepting.set(next, set.binary_search(&1).is_ok());
            let mut targets: Vec<(Kind, u32)> = set
                .iter()
                .flat_map(|&vertex| vertices[vertex as usize].edges.iter().copied())
                .collect();
            targets.sort_unstable();
            targets.dedup();
            let mut edges = Vec::new();
            for group in targets.chunk_by(|left, right| left.0 == right.0) {
                let target = closure(vertices, group.iter().map(|edge| edge.1).collect());
                let number = *numbers.entry(target.clone()).or_insert_with(|| {
                    sets.push(target);
                    u32::try_from(sets.len() - 1).unwrap_or(u32::MAX)
                });
                edges.push((group[0].0, number));
            }
            automaton.edges.push(edges);
            next += 1;
        }
        automaton
    }
}

#[derive(Default)]
struct Vertex {
    edges: Vec<(Kind, u32)>,
    free: Vec<u32>,
}

struct Builder<'a> {
    rules: &'a RuleSet,
    kinds: &'a Kinds,
    states: Vec<Vertex>,
    /// Hidden rules that are being expanded, with where they start and end.
    entered: Vec<(&'a str, u32, u32)>,
}

impl<'a> Builder<'a> {
    /// Adds the paths of `rule` between two vertices. `alias` renames every step.
    fn add(&mut self, rule: &'a Rule, from: u32, to: u32, alias: Option<Kind>) {
        match rule {
            Rule::Blank => self.free(from, to),
            Rule::Literal(text) => match alias.or_else(|| self.kinds.find(text, false)) {
                Some(kind) => self.edge(from, to, kind),
                None => self.free(from, to),
            },
            Rule::Token(_) | Rule::Pattern(_) => match alias {
                Some(kind) => self.edge(from, to, kind),
                None => self.free(from, to),
            },
            Rule::Symbol(name) => self.add_symbol(name, from, to, alias),
            Rule::Sequence(parts) => {
                let mut at = from;
                for (index, part) in parts.iter().enumerate() {
                    let next = if index + 1 == parts.len() {
                        to
                    } else {
                        self.vertex()
                    };
                    self.add(part, at, next, alias);
                    at = next;
                }
                if parts.is_empty() {
                    self.free(from, to);
                }
            }
            Rule::Choice(parts) => parts
                .iter()
                .for_each(|part| self.add(part, from, to, alias)),
            Rule::Repeat(part) => {
                let middle = self.vertex();
                self.free(from, middle);
                self.add(part, middle, middle, alias);
                self.free(middle, to);
            }
            Rule::RepeatOnce(part) => {
                let middle = self.vertex();
                self.add(part, from, middle, alias);
                self.add(part, middle, middle, alias);
                self.free(middle, to);
            }
            Rule::Alias {
                content,
                name,
                named,
            } => {
                let kind = alias.or_else(|| self.kinds.find(name, *named));
                self.add(content, from, to, kind);
            }
        }
    }

    fn add_symbol(&mut self, name: &'a str, from: u32, to: u32, alias: Option<Kind>) {
        if let (Some(kind), false) = (alias, self.rules.is_inlined(name)) {
            return self.edge(from, to, kind);
        }
        if !self.rules.is_hidden(name) {
            if let Some(kind) = self.kinds.find(name, true) {
                self.edge(from, to, kind);
            }
            return;
        }
        let Some(body) = self.rules.body(name) else {
            return self.free(from, to);
        };
        if RuleSet::is_token(body) && alias.is_none() {
            // A hidden rule of one token has text but no node; if the token stands elsewhere too, its node may show.
            self.free(from, to);
        }
        if let Some(&(_, start, end)) = self.entered.iter().find(|(entered, ..)| *entered == name) {
            self.free(from, start);
            return self.free(end, to);
        }
        if self.states.len() > MOST_STATES {
            return;
        }
        // Own ends, so that the paths of a rule that contains itself come back to them and to nothing else.
        let (start, end) = (self.vertex(), self.vertex());
        self.free(from, start);
        self.free(end, to);
        self.entered.push((name, start, end));
        self.add(body, start, end, alias);
        self.entered.pop();
    }

    fn vertex(&mut self) -> u32 {
        self.states.push(Vertex::default());
        u32::try_from(self.states.len() - 1).unwrap_or(u32::MAX)
    }

    fn edge(&mut self, from: u32, to: u32, kind: Kind) {
        self.states[from as usize].edges.push((kind, to));
    }

    fn free(&mut self, from: u32, to: u32) {
        if from != to {
            self.states[from as usize].free.push(to);
        }
    }
}

/// All vertices that are reached without a step, sorted. Those without steps of their own are left out, but for the end, so
/// that equal situations have equal sets.
fn closure(vertices: &[Vertex], mut open: Vec<u32>) -> Vec<u32> {
    let mut seen = FixedBitSet::with_capacity(vertices.len());
    while let Some(vertex) = open.pop() {
        if !seen.put(vertex as usize) {
            open.extend(&vertices[vertex as usize].free);
        }
    }
    seen.ones()
        .filter(|&vertex| vertex == 1 || !vertices[vertex].edges.is_empty())
        .map(|vertex| u32::try_from(vertex).unwrap_or(u32::MAX))
        .collect()
}
