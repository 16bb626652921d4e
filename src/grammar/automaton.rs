//! Automata over child sequences: which rows of children a kind of node can have.
//!
//! A rule becomes a nondeterministic automaton whose edges are visible kinds; hidden rules are expanded in place. A hidden rule
//! that contains itself is context-free: there the automaton loops back to the place where the rule was entered, which accepts
//! somewhat more than the grammar, never less. The subset construction then makes it deterministic.

use super::{
    Kind, Kinds, Symbol, Variants,
    rule::{Rule, RuleSet},
    variants::VariantTable,
};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// A state of an [`Automaton`].
pub type State = u32;

/// A deterministic automaton over the children of one kind of node.
#[derive(Debug)]
pub struct Automaton {
    /// By state: the kinds that lead on, sorted.
    edges: Vec<Vec<Edge>>,
    accepting: FixedBitSet,
}

/// A kind that can follow in a state.
#[derive(Debug)]
pub struct Edge {
    /// The kind.
    pub kind: Kind,
    /// Where it leads, whatever is behind it.
    pub next: State,
    variants: Variants,
    /// Where each variant alone leads, if that makes a difference.
    ways: Box<[(Variants, State)]>,
}

impl Edge {
    /// The variants of the kind that can be meant here, and where each leads.
    pub fn ways(&self) -> impl Iterator<Item = (Variants, State)> {
        let only = self.ways.is_empty().then_some((self.variants, self.next));
        self.ways.iter().copied().chain(only)
    }
}

/// Beyond this many states a kind's rows are not modelled: everything is accepted there. No built-in grammar comes near.
const MOST_STATES: usize = 20_000;

impl Automaton {
    /// Where every row starts.
    pub const START: State = 0;

    /// Over the children of a kind that some of its rules make.
    pub(super) fn of_symbol(
        rules: &RuleSet,
        kinds: &Kinds,
        variants: &VariantTable,
        symbol: Symbol,
    ) -> Self {
        let mut builder = Builder {
            rules,
            kinds,
            variants,
            states: vec![Vertex::default(), Vertex::default()],
            entered: Vec::new(),
        };
        let mut seen = Vec::new();
        rules.for_each_body(kinds, |kind, name, body| {
            let is_meant = kind == symbol.kind && {
                let variant = variants.of_rule(kind, name);
                !variant.and(symbol.variants).is_empty()
            };
            if is_meant && !seen.contains(&std::ptr::from_ref(body)) {
                seen.push(std::ptr::from_ref(body));
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
        Self::determinise(&builder.states, |kind| variants.count(kind))
    }

    /// Where `kind` leads from `state`.
    pub fn step(&self, state: State, kind: Kind) -> Option<State> {
        self.edge(state, kind).map(|edge| edge.next)
    }

    /// What `kind` is in `state`.
    pub fn edge(&self, state: State, kind: Kind) -> Option<&Edge> {
        let edges = &self.edges[state as usize];
        let index = edges.binary_search_by_key(&kind, |edge| edge.kind).ok()?;
        edges.get(index)
    }

    /// The kinds that can follow in `state`.
    pub fn edges(&self, state: State) -> &[Edge] {
        &self.edges[state as usize]
    }

    /// The symbols that can follow in `state`, with where each leads.
    pub fn symbols(&self, state: State) -> impl Iterator<Item = (Symbol, State)> {
        self.edges(state).iter().flat_map(|edge| {
            let kind = edge.kind;
            let ways = edge.ways();
            ways.map(move |(variants, next)| (Symbol { kind, variants }, next))
        })
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

    /// Whether a node can have these children when each is made by one of the rules that are named.
    pub fn accepts_symbols(&self, row: &[Symbol]) -> bool {
        let mut states = vec![Self::START];
        for symbol in row {
            states = self.step_all(&states, *symbol);
        }
        states.into_iter().any(|state| self.is_accepting(state))
    }

    /// Where a symbol leads from any of these states.
    pub(super) fn step_all(&self, states: &[State], symbol: Symbol) -> Vec<State> {
        let edges = states
            .iter()
            .filter_map(|&state| self.edge(state, symbol.kind));
        let ways = edges.flat_map(Edge::ways);
        let mut next: Vec<State> = ways
            .filter(|(variants, _)| !variants.and(symbol.variants).is_empty())
            .map(|(_, next)| next)
            .collect();
        next.sort_unstable();
        next.dedup();
        next
    }

    fn determinise(vertices: &[Vertex], variants: impl Fn(Kind) -> usize) -> Self {
        let mut numbers: FxHashMap<Vec<u32>, State> = FxHashMap::default();
        let mut sets = vec![closure(vertices, vec![0])];
        numbers.insert(sets[0].clone(), 0);
        let mut number = |sets: &mut Vec<Vec<u32>>, targets: Vec<u32>| {
            let set = closure(vertices, targets);
            *numbers.entry(set.clone()).or_insert_with(|| {
                sets.push(set);
                u32::try_from(sets.len() - 1).unwrap_or(u32::MAX)
            })
        };
        let mut automaton = Self {
            edges: Vec::new(),
            accepting: FixedBitSet::new(),
        };
        let mut next = 0;
        while next < sets.len() && sets.len() < MOST_STATES {
            let set = sets[next].clone();
            automaton.accepting.grow(next + 1);
            automaton.accepting.set(next, set.binary_search(&1).is_ok());
            let mut targets: Vec<(Kind, Variants, u32)> = set
                .iter()
                .flat_map(|&vertex| vertices[vertex as usize].edges.iter().copied())
                .collect();
            targets.sort_unstable();
            targets.dedup();
            let mut edges = Vec::new();
            for group in targets.chunk_by(|left, right| left.0 == right.0) {
                let kind = group[0].0;
                let is_one = group.iter().all(|edge| edge.1 == group[0].1);
                let apart = if is_one { 0 } else { variants(kind) };
                let ways = Variants::ALL.each(apart).take(apart);
                let ways = ways.filter_map(|(_, variant)| {
                    let with = group.iter().filter(|edge| !edge.1.and(variant).is_empty());
                    let targets: Vec<u32> = with.map(|edge| edge.2).collect();
                    (!targets.is_empty()).then(|| (variant, number(&mut sets, targets)))
                });
                let ways = ways.collect();
                edges.push(Edge {
                    kind,
                    next: number(&mut sets, group.iter().map(|edge| edge.2).collect()),
                    variants: group
                        .iter()
                        .fold(Variants::NONE, |all, edge| all.or(edge.1)),
                    ways,
                });
            }
            automaton.edges.push(edges);
            next += 1;
        }
        // States that were not worked out lead nowhere: rows that come to them are not modelled.
        automaton.edges.resize_with(sets.len(), Vec::new);
        automaton.accepting.grow(sets.len());
        automaton
    }
}

#[derive(Default)]
struct Vertex {
    edges: Vec<(Kind, Variants, u32)>,
    free: Vec<u32>,
}

struct Builder<'a> {
    rules: &'a RuleSet,
    kinds: &'a Kinds,
    variants: &'a VariantTable,
    states: Vec<Vertex>,
    /// Hidden rules that are being expanded, with where they start and end.
    entered: Vec<(&'a str, u32, u32)>,
}

impl<'a> Builder<'a> {
    /// Adds the paths of `rule` between two vertices. `alias` renames every step; a repetition is one step.
    fn add(&mut self, rule: &'a Rule, from: u32, to: u32, alias: Option<Kind>) {
        match rule {
            Rule::Blank => self.free(from, to),
            Rule::Literal(text) => match alias.or_else(|| self.kinds.find(text, false)) {
                Some(kind) => self.edge(from, to, kind, ""),
                None => self.free(from, to),
            },
            Rule::Token(_) | Rule::Pattern(_) => match alias {
                Some(kind) => self.edge(from, to, kind, ""),
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
            Rule::Repeat(_) | Rule::RepeatOnce(_) if alias.is_some() => {
                if let Some(kind) = alias {
                    self.edge(from, to, kind, "");
                }
                if matches!(rule, Rule::Repeat(_)) {
                    self.free(from, to);
                }
            }
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
            return self.edge(from, to, kind, name);
        }
        if !self.rules.is_hidden(name) {
            if let Some(kind) = self.kinds.find(name, true) {
                self.edge(from, to, kind, name);
            }
            return;
        }
        let Some(body) = self.rules.body(name) else {
            return self.free(from, to);
        };
        let is_literal = matches!(body, Rule::Literal(_));
        if RuleSet::is_token(body) && !is_literal && alias.is_none() {
            // A hidden rule of one token has text but no node, unless the token is a literal: that always shows.
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

    /// A step with a kind that the rule of this name makes.
    fn edge(&mut self, from: u32, to: u32, kind: Kind, name: &str) {
        let variants = self.variants.of_rule(kind, name);
        self.states[from as usize].edges.push((kind, variants, to));
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
