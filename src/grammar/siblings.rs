//! The children of one node and what the grammar lets happen to them.
//!
//! From the left, each position has the one state that the row before it leads to; from the right, the set of states from which
//! the row behind it is accepted. A change between two positions is grammatical when it leads from the state on its left into
//! the set on its right. Preparing a row costs one step per child and direction; each question then costs a look-up.

use super::{Automaton, Grammar, Kind, State, least::push_token};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
    ops::{Deref, Range},
    sync::Arc,
};

/// A row of children, prepared for questions. Comments and other extras are not part of a row.
///
/// Where the grammar does not accept the row as it is (an error below, a surprise of an external scanner), anything may go.
#[derive(Debug)]
pub struct Siblings<'g> {
    grammar: &'g Grammar,
    row: Arc<[Kind]>,
    model: Option<Model<'g>>,
}

/// What [`Siblings`] know about a row, without the grammar: to be kept while the row is asked about again and again.
#[derive(Clone, Debug)]
pub struct PreparedRow {
    parent: Kind,
    row: Arc<[Kind]>,
    steps: Option<Arc<Steps>>,
}

/// One stretch of a row and what takes its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The children that go.
    pub children: Range<usize>,
    /// What the grammar needs in their place; mostly nothing.
    pub filler: Vec<Kind>,
}

#[derive(Debug)]
struct Model<'g> {
    automaton: &'g Automaton,
    steps: Arc<Steps>,
}

#[derive(Debug)]
struct Steps {
    /// The state before each child, and at the end.
    before: Vec<State>,
    /// The number of the set of states from which the row from each child on is accepted.
    behind: Vec<u32>,
    sets: Vec<FixedBitSet>,
}

/// How many anonymous tokens beside a removed child may go with it.
const SEPARATORS: usize = 2;
/// How many kinds may bridge a gap.
const LONGEST_FILLER: usize = 4;

impl<'g> Siblings<'g> {
    /// The children `row` of a node of kind `parent`.
    pub fn new(grammar: &'g Grammar, parent: Kind, row: Vec<Kind>) -> Self {
        Self::of(grammar, &PreparedRow::new(grammar, parent, row))
    }

    /// A row that was prepared with the same grammar. Cost: constant.
    pub fn of(grammar: &'g Grammar, prepared: &PreparedRow) -> Self {
        let automaton = grammar.automaton(prepared.parent);
        let model = |steps| Model { automaton, steps };
        Self {
            grammar,
            row: prepared.row.clone(),
            model: prepared.steps.clone().map(model),
        }
    }

    /// Whether the grammar accepts the row as it is.
    pub fn is_accepted(&self) -> bool {
        self.model.is_some()
    }

    /// How many children there are.
    pub fn len(&self) -> usize {
        self.row.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.row.is_empty()
    }

    /// Whether the row is still accepted without the children in `range`.
    pub fn can_drop(&self, range: Range<usize>) -> bool {
        let Some(model) = &self.model else {
            return true;
        };
        model.fits(model.before[range.start], range.end)
    }

    /// Whether the row is still accepted without two children that stand apart: a pair of brackets.
    pub fn can_drop_pair(&self, first: usize, second: usize) -> bool {
        let Some(model) = &self.model else {
            return true;
        };
        let middle = self.row[first + 1..second].iter();
        let state = middle
            .copied()
            .try_fold(model.before[first], |state, kind| {
                model.automaton.step(state, kind)
            });
        state.is_some_and(|state| model.fits(state, second + 1))
    }

    /// Whether the row is still accepted with a `kind` in the place of child `index`.
    pub fn can_stand(&self, index: usize, kind: Kind) -> bool {
        self.can_stand_for(index..index + 1, &[kind])
    }

    /// Whether the row is still accepted with `kinds` in the place of the children in `range`.
    pub fn can_stand_for(&self, range: Range<usize>, kinds: &[Kind]) -> bool {
        let Some(model) = &self.model else {
            return true;
        };
        let state = kinds
            .iter()
            .try_fold(model.before[range.start], |state, &kind| {
                model.automaton.step(state, kind)
            });
        state.is_some_and(|state| model.fits(state, range.end))
    }

    /// The cheapest kinds that can take the place of the children in `range`: nothing if they can go. `None` when no short row
    /// of kinds with known texts fits.
    pub fn filler(&self, range: Range<usize>) -> Option<Vec<Kind>> {
        let Some(model) = &self.model else {
            return Some(Vec::new());
        };
        model.bridge(model.before[range.start], range.end, |kind| {
            self.grammar.least(kind)
        })
    }

    /// The same with texts that need no made-up name, and the text; `None` also where the grammar does not accept the row.
    pub fn nameless_filler(&self, range: Range<usize>) -> Option<Vec<u8>> {
        let model = self.model.as_ref()?;
        let nameless = |kind| self.grammar.nameless(kind);
        let filler = model.bridge(model.before[range.start], range.end, nameless)?;
        let texts = filler
            .into_iter()
            .map(nameless)
            .collect::<Option<Vec<_>>>()?;
        Some(texts.into_iter().fold(Vec::new(), |mut text, token| {
            push_token(&mut text, token);
            text
        }))
    }

    /// The least texts without made-up names of all kinds that can stand for child `index`, cheapest first.
    pub fn alternatives(&self, index: usize) -> Vec<&'g Arc<[u8]>> {
        let Some(model) = &self.model else {
            return Vec::new();
        };
        let edges = model.automaton.edges(model.before[index]).iter();
        let fitting = edges.filter(|(_, next)| model.fits(*next, index + 1));
        let mut texts: Vec<_> = fitting
            .filter_map(|(kind, _)| self.grammar.nameless(*kind))
            .collect();
        texts.sort_by_key(|text| (crate::syntax::count_tokens(text), text.len(), *text));
        texts.dedup();
        texts
    }

    /// What has to happen when the children `dropped` (sorted, without repeats) go: the separators beside them that go too, and
    /// what must be put in their place. `None` when the grammar gives no way.
    pub fn repair(&self, dropped: &[usize]) -> Option<Vec<Repair>> {
        let Some(model) = &self.model else {
            return Some(
                runs(dropped)
                    .map(|children| Repair {
                        children,
                        filler: Vec::new(),
                    })
                    .collect(),
            );
        };
        let mut repairs: Vec<Repair> = Vec::new();
        // The states before the last kept children, so that a run can reach back over separators.
        let mut path: VecDeque<(usize, State)> = VecDeque::new();
        let (mut position, mut state) = (0, Automaton::START);
        // Where the last run began, with what was known there.
        let mut last = (0, path.clone(), state);
        for run in runs(dropped) {
            let mut run = run.start.max(position)..run.end;
            if run.is_empty() {
                // The run before reached over all of this one.
                continue;
            }
            if repairs
                .pop_if(|repair| repair.children.end == run.start)
                .is_some()
            {
                // It took the separator between the two, so the one on its left is left for this run: they are one.
                (position, path, state) = last;
                run.start = position;
            }
            let near = run.start.saturating_sub(SEPARATORS).max(position);
            if state == model.before[position] && near > position {
                // Nothing before has changed the state, so there is no need to walk.
                (position, state) = (near, model.before[near]);
                path.clear();
            }
            while position < run.start {
                path.push_back((position, state));
                state = model.automaton.step(state, self.row[position])?;
                position += 1;
            }
            path.drain(..path.len().saturating_sub(SEPARATORS));
            let next_dropped = dropped[dropped.partition_point(|&index| index < run.end)..].first();
            let limit = next_dropped.copied().unwrap_or(self.row.len());
            last = (run.start, path.clone(), state);
            let (repair, next) = self.close_gap(model, &run, &path, state, limit)?;
            (position, state) = (repair.children.end, next);
            path.clear();
            repairs.push(repair);
        }
        Some(repairs)
    }

    /// Whether the tokens beside `run` that are in `children` may go with it, where the automaton knows less than the parser: it
    /// does not count the brackets of a hidden rule that contains itself, and a separator that the layout can replace is
    /// nothing to it. So brackets go in pairs, and of two separators one stays between two elements. (A pair that loses all of
    /// its elements one by one stays, empty; only XML's content models have such rules.)
    fn may_go_along(&self, run: &Range<usize>, children: &Range<usize>) -> bool {
        let kinds = self.grammar.kinds();
        let is_named = |index: usize| {
            self.row
                .get(index)
                .is_some_and(|&kind| kinds.is_named(kind))
        };
        let tokens = (children.start..run.start).chain(run.end..children.end);
        let brackets: Vec<u8> = tokens
            .filter_map(|index| match kinds.name(self.row[index]).as_bytes() {
                [bracket] if b"()[]{}".contains(bracket) => Some(*bracket),
                _ => None,
            })
            .collect();
        let between_elements = children.start < run.start
            && run.end < children.end
            && is_named(children.start.wrapping_sub(1))
            && is_named(children.end);
        match brackets[..] {
            [] => !between_elements,
            [b'(', b')'] | [b'[', b']'] | [b'{', b'}'] => true,
            _ => false,
        }
    }

    /// The way to drop `run` that takes the most separators with it; a filler if none goes without.
    fn close_gap(
        &self,
        model: &Model,
        run: &Range<usize>,
        path: &VecDeque<(usize, State)>,
        state: State,
        limit: usize,
    ) -> Option<(Repair, State)> {
        let is_separator = |index: usize| !self.grammar.kinds().is_named(self.row[index]);
        let left = path
            .iter()
            .rev()
            .take_while(|(index, _)| is_separator(*index))
            .count();
        let right = (run.end..limit.min(run.end + SEPARATORS))
            .take_while(|&index| is_separator(index))
            .count();
        let mut reaches: Vec<(usize, usize)> = (0..=left)
            .flat_map(|back| (0..=right).map(move |ahead| (back, ahead)))
            .collect();
        reaches.sort_by_key(|&(back, ahead)| (Reverse(back + ahead), back));
        for (back, ahead) in reaches {
            let from = if back == 0 {
                state
            } else {
                path[path.len() - back].1
            };
            let children = run.start - back..run.end + ahead;
            if model.fits(from, children.end) && self.may_go_along(run, &children) {
                let filler = Vec::new();
                return Some((Repair { children, filler }, from));
            }
        }
        let filler = model.bridge(state, run.end, |kind| self.grammar.least(kind))?;
        let next = filler
            .iter()
            .try_fold(state, |state, &kind| model.automaton.step(state, kind))?;
        Some((
            Repair {
                children: run.clone(),
                filler,
            },
            next,
        ))
    }
}

impl PreparedRow {
    /// The children `row` of a node of kind `parent`. Cost: one step per child and direction.
    pub fn new(grammar: &Grammar, parent: Kind, row: Vec<Kind>) -> Self {
        let steps = Steps::new(grammar.automaton(parent), &row).map(Arc::new);
        let row = row.into();
        Self { parent, row, steps }
    }
}

/// Neighbouring numbers as ranges.
fn runs(dropped: &[usize]) -> impl Iterator<Item = Range<usize>> {
    dropped
        .chunk_by(|left, right| left + 1 == *right)
        .map(|run| run[0]..run[run.len() - 1] + 1)
}

impl Steps {
    /// `None` when the automaton does not accept the row.
    fn new(automaton: &Automaton, row: &[Kind]) -> Option<Self> {
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
        let mut states = FixedBitSet::with_capacity(automaton.len());
        for state in 0..u32::try_from(automaton.len()).unwrap_or(u32::MAX) {
            if let Some(next) = automaton.step(state, kind) {
                states.set(
                    state as usize,
                    self.sets[set as usize].contains(next as usize),
                );
            }
        }
        states
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
    fn fits(&self, state: State, index: usize) -> bool {
        self.sets[self.behind[index] as usize].contains(state as usize)
    }

    /// The cheapest kinds that lead from `state` to where the row from `index` on is accepted.
    fn bridge<'t>(
        &self,
        state: State,
        index: usize,
        text: impl Fn(Kind) -> Option<&'t Arc<[u8]>>,
    ) -> Option<Vec<Kind>> {
        let mut settled = FixedBitSet::with_capacity(self.automaton.len());
        let mut open = BinaryHeap::from([Reverse((0usize, Vec::<Kind>::new(), state))]);
        while let Some(Reverse((cost, path, state))) = open.pop() {
            if self.fits(state, index) {
                return Some(path);
            }
            if settled.put(state as usize) || path.len() >= LONGEST_FILLER {
                continue;
            }
            for &(kind, next) in self.automaton.edges(state) {
                if let (Some(text), false) = (text(kind), settled.contains(next as usize)) {
                    let path = [&path[..], &[kind]].concat();
                    open.push(Reverse((cost + text.len() + 1, path, next)));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Document, Language};

    /// The row below the node of the given kind that comes first, without the children numbered `dropped`.
    #[track_caller]
    fn check(language: &str, text: &str, parent: &str, dropped: &[usize], expected: &str) {
        let document = Document::new(text.as_bytes(), Language::named(language));
        assert!(!document.is_damaged(), "{text}");
        let id = (0..)
            .take(document.nodes().len())
            .find(|&id| document.kind_name(id) == parent)
            .unwrap();
        let children: Vec<u32> = document
            .children(id)
            .filter(|&child| !document.node(child).is_extra())
            .collect();
        let row = children
            .iter()
            .map(|&child| document.node(child).kind)
            .collect();
        let grammar = document.grammar().unwrap();
        let siblings = Siblings::new(grammar, document.node(id).kind, row);
        assert!(siblings.is_accepted());
        let mut texts: Vec<String> = children
            .iter()
            .map(|&child| String::from_utf8(document.text(child).to_vec()).unwrap())
            .collect();
        for repair in siblings.repair(dropped).unwrap().into_iter().rev() {
            let filler = String::from_utf8(grammar.least_of_all(&repair.filler).unwrap()).unwrap();
            texts.splice(
                repair.children,
                [filler].into_iter().filter(|text| !text.is_empty()),
            );
        }
        assert_eq!(texts.join(" "), expected);
    }

    #[test]
    fn a_separator_goes_with_its_element() {
        let call = "void f() { g(a, b, c); }";
        check("c", call, "argument_list", &[1], "( b , c )");
        check("c", call, "argument_list", &[3], "( a , c )");
        check("c", call, "argument_list", &[5], "( a , b )");
        check("c", call, "argument_list", &[1, 5], "( b )");
        check("c", call, "argument_list", &[1, 3], "( c )");
        check("c", call, "argument_list", &[1, 3, 5], "( )");
        check("javascript", "x = [1, 2, 3]", "array", &[3, 5], "[ 1 ]");
        check("javascript", "x = [1, 2, 3]", "array", &[1, 5], "[ 2 ]");
        check("javascript", "x = [1, 2, 3]", "array", &[3], "[ 1 , 3 ]");
        check("json", "[1, 2, 3]", "array", &[1, 5], "[ 2 ]");
    }

    #[test]
    fn one_separator_stays_between_two_elements_even_if_the_layout_could_replace_it() {
        let class = "class A { a; b; c }";
        check("javascript", class, "class_body", &[3], "{ a ; c }");
        let object = "let a: { b: C, d: E, f: G }";
        check("typescript", object, "object_type", &[3], "{ b: C , f: G }");
    }

    #[test]
    fn brackets_go_in_pairs() {
        let model = "<!DOCTYPE a [<!ELEMENT a (b, (c, d))>]><a/>";
        check("xml", model, "children", &[1], "( ( c , d ) )");
        check("xml", model, "children", &[4], "( b , ( d ) )");
    }

    #[test]
    fn what_the_syntax_needs_is_filled_with_the_least_text() {
        check(
            "c",
            "int f(void) { return 1; }",
            "function_definition",
            &[2],
            "int f(void) {}",
        );
        check(
            "c",
            "void f() { for (int i = 0; i < 3; i++) g(); }",
            "for_statement",
            &[2],
            "for ( ; i < 3 ; i++ ) g();",
        );
        check(
            "c",
            "void f() { while (x) g(); }",
            "while_statement",
            &[2],
            "while (x) ;",
        );
        check("c", "int a, b;", "declaration", &[1], "int b ;");
        check("c", "int a, b;", "declaration", &[3], "int a ;");
    }

    #[test]
    fn optional_parts_go_without_a_trace() {
        check(
            "c",
            "void f() { if (x) g(); else h(); }",
            "if_statement",
            &[3],
            "if (x) g();",
        );
        check(
            "c",
            "void f() { return 1; }",
            "return_statement",
            &[1],
            "return ;",
        );
        check("javascript", "let a = 1;", "variable_declarator", &[2], "a");
    }

    #[test]
    fn a_token_with_a_precedence_is_a_child_like_any_other() {
        check("javascript", "x = /a/g", "regex", &[3], "/ a /");
    }

    #[test]
    fn the_end_of_the_input_is_a_child_without_a_name() {
        check(
            "go",
            "import `a`; var b = c",
            "source_file",
            &[0, 1],
            "var b = c ",
        );
    }
}
