//! The children of one node and what the grammar lets happen to them.
//!
//! From the left, each position has the one state that the row before it leads to; from the right, the set of states from which
//! the row behind it is accepted. A change between two positions is grammatical when it leads from the state on its left into
//! the set on its right. Preparing a row costs one step per child and direction; each question then costs a look-up.

use super::{
    Automaton, Grammar, Kind, State, Symbol, Variants,
    least::push_token,
    steps::{Model, Steps},
};
use rustc_hash::FxHashMap;
use std::{
    cmp::Reverse,
    collections::VecDeque,
    ops::Range,
    sync::{Arc, PoisonError, RwLock},
};

/// A row of children, prepared for questions. Comments and other extras are not part of a row.
///
/// Where the grammar does not accept the row as it is (an error below, a surprise of an external scanner), anything may go.
#[derive(Debug)]
pub struct Siblings<'g> {
    grammar: &'g Grammar,
    row: Arc<[Kind]>,
    bound: Arc<[usize]>,
    model: Option<Model<'g>>,
}

/// What [`Siblings`] know about a row, without the grammar: to be kept while the row is asked about again and again.
#[derive(Clone, Debug)]
pub struct PreparedRow {
    parent: Symbol,
    row: Arc<[Kind]>,
    bound: Arc<[usize]>,
    steps: Option<Arc<Steps>>,
}

/// One stretch of a row and what takes its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The children that go.
    pub children: Range<usize>,
    /// What the grammar needs in their place; mostly nothing.
    pub filler: Vec<Symbol>,
}

/// How many anonymous tokens beside a removed child may go with it.
const SEPARATORS: usize = 2;

impl<'g> Siblings<'g> {
    /// The children `row` of a node.
    pub fn new(grammar: &'g Grammar, parent: Symbol, row: Vec<Kind>) -> Self {
        Self::of(grammar, &PreparedRow::new(grammar, parent, row))
    }

    /// A row that was prepared with the same grammar. Cost: constant.
    pub fn of(grammar: &'g Grammar, prepared: &PreparedRow) -> Self {
        let automaton = grammar.automaton(prepared.parent);
        let model = |steps| Model { automaton, steps };
        Self {
            grammar,
            row: prepared.row.clone(),
            bound: prepared.bound.clone(),
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
        model.fits(model.before[range.start], range.end) && !self.loosens(&range)
    }

    /// Which rules can have made child `index`, where its kind stands for several. All of them where the row is not accepted.
    pub fn variants(&self, index: usize) -> Variants {
        let model = self.model.as_ref();
        let edge = model.and_then(|model| {
            let edge = model.automaton.edge(model.before[index], self.row[index]);
            Some((model, edge?))
        });
        edge.map_or(Variants::ALL, |(model, edge)| {
            let ways = edge.ways().filter(|way| model.fits(way.1, index + 1));
            ways.fold(Variants::NONE, |all, way| all.or(way.0))
        })
    }

    /// Whether the row is still accepted with a `symbol` in the place of child `index`.
    pub fn can_stand(&self, index: usize, symbol: impl Into<Symbol>) -> bool {
        self.can_stand_for(index..index + 1, &[symbol.into()])
    }

    /// Whether the row is still accepted with `symbols` in the place of the children in `range`.
    pub fn can_stand_for(&self, range: Range<usize>, symbols: &[impl Into<Symbol> + Copy]) -> bool {
        let Some(model) = &self.model else {
            return true;
        };
        let mut states = vec![model.before[range.start]];
        for &symbol in symbols {
            states = model.automaton.step_all(&states, symbol.into());
        }
        states.iter().any(|&state| model.fits(state, range.end))
    }

    /// The cheapest texts without made-up names that can take the place of the children in `range`: nothing if they can go.
    /// `None` when no short row of symbols with known texts fits, or where the grammar does not accept the row.
    pub fn nameless_filler(&self, range: Range<usize>) -> Option<Vec<u8>> {
        let model = self.model.as_ref()?;
        let nameless = |symbol| self.grammar.nameless(symbol);
        let filler = model.bridge(model.before[range.start], range.end, nameless)?;
        if let ([symbol], Some([kind])) = (&filler[..], self.row.get(range))
            && symbol.kind == *kind
            && self.grammar.is_external(*kind)
        {
            // Such tokens depend on others: the end of a string on its start.
            return None;
        }
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
        let symbols = model.automaton.symbols(model.before[index]);
        let fitting = symbols.filter(|(_, next)| model.fits(*next, index + 1));
        let mut texts: Vec<_> = fitting
            .filter_map(|(symbol, _)| self.grammar.nameless(symbol))
            .collect();
        texts.sort_by_key(|text| (crate::lexis::count_tokens(text), text.len(), *text));
        texts.dedup();
        texts
    }

    /// What has to happen when the children `dropped` (sorted, without repeats) go: the separators beside them that go too, and
    /// what must be put in their place. `None` when the grammar gives no way. Cost: constant for each of them, unless a change of the
    /// state goes on behind it.
    pub fn repair(&self, dropped: &[usize]) -> Option<Vec<Repair>> {
        self.repairs(&runs(dropped).collect::<Vec<_>>(), true)
    }

    /// Whether child `index` can go with the separators beside it, and nothing in its place.
    pub fn can_go(&self, index: usize) -> bool {
        self.repairs(std::slice::from_ref(&(index..index + 1)), false)
            .is_some()
    }

    fn repairs(&self, dropped: &[Range<usize>], may_fill: bool) -> Option<Vec<Repair>> {
        let Some(model) = &self.model else {
            let whole = |children: &Range<usize>| Repair {
                children: children.clone(),
                filler: Vec::new(),
            };
            return Some(dropped.iter().map(whole).collect());
        };
        let mut repairs: Vec<Repair> = Vec::new();
        // The states before the last kept children, so that a run can reach back over separators.
        let mut path: VecDeque<(usize, State)> = VecDeque::new();
        let (mut position, mut state) = (0, Automaton::START);
        // Where the last run began, with what was known there.
        let mut last = (0, path.clone(), state);
        for (number, run) in dropped.iter().enumerate() {
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
            let next_dropped = dropped.get(number + 1);
            let limit = next_dropped.map_or(self.row.len(), |next| next.start);
            last = (run.start, path.clone(), state);
            let (repair, next) = match self.close_gap(model, &run, &path, state, limit) {
                None if may_fill => Self::fill_gap(self.grammar, model, &run, state)?,
                closed => closed?,
            };
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
        let tokens = (children.start..run.start).chain(run.end..children.end);
        let brackets: Vec<u8> = tokens.filter_map(|index| self.bracket(index)).collect();
        let between_elements = children.start < run.start
            && run.end < children.end
            && self.is_element(children.start.wrapping_sub(1))
            && self.is_element(children.end);
        match brackets[..] {
            _ if self.loosens(children) => false,
            [] => !between_elements,
            [b'(', b')'] | [b'[', b']'] | [b'{', b'}'] => true,
            _ => false,
        }
    }

    /// The bracket that a child is.
    fn bracket(&self, index: usize) -> Option<u8> {
        match self.grammar.kinds().name(self.row[index]).as_bytes() {
            [bracket] if b"()[]{}".contains(bracket) => Some(*bracket),
            _ => None,
        }
    }

    /// Whether an element stands there, not a separator nor the end of the row.
    fn is_element(&self, index: usize) -> bool {
        let kind = self.row.get(index);
        kind.is_some_and(|&kind| self.grammar.kinds().is_named(kind))
    }

    /// Whether what ends an element would go while the element stays, and nothing else would end it.
    fn loosens(&self, children: &Range<usize>) -> bool {
        let stays = children.start.wrapping_sub(1);
        let is_whole = children.start == 0 || self.bound.binary_search(&stays).is_ok();
        let ends = match self.row.get(children.end) {
            Some(&kind) => self.is_element(stays) && self.grammar.kinds().is_named(kind),
            None => true,
        };
        !is_whole && ends && self.has_bound(children)
    }

    fn has_bound(&self, children: &Range<usize>) -> bool {
        let first = self.bound.partition_point(|&place| place < children.start);
        self.bound
            .get(first)
            .is_some_and(|&place| place < children.end)
    }

    /// The way to drop `run` that takes the most separators with it; `None` if something has to stand there.
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
        if self.loosens(run) && model.fits(state, run.end) {
            return None;
        }
        None
    }

    /// The cheapest way to put something in the place of `run`.
    fn fill_gap(
        grammar: &Grammar,
        model: &Model,
        run: &Range<usize>,
        state: State,
    ) -> Option<(Repair, State)> {
        let filler = model.bridge(state, run.end, |symbol| grammar.least(symbol))?;
        let next = filler.iter().try_fold(state, |state, &symbol| {
            let next = model.automaton.step_all(&[state], symbol);
            next.first().copied()
        })?;
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
    /// The children `row` of a node. Cost: one step per child and direction; that of a look-up for most short rows.
    pub fn new(grammar: &Grammar, parent: Symbol, row: Vec<Kind>) -> Self {
        grammar.known_rows.get(parent, row, |row| {
            let steps = Steps::new(grammar.automaton(parent), &row);
            Self {
                parent,
                row: row.into(),
                bound: Arc::default(),
                steps: steps.map(Arc::new),
            }
        })
    }

    /// The same row, in which these children end others and nothing else would: neither a line break nor a bracket follows.
    #[must_use]
    pub fn bound_by(mut self, terminators: impl IntoIterator<Item = usize>) -> Self {
        self.bound = terminators.into_iter().collect();
        self
    }
}

/// Short rows that have been prepared: a program repeats few of them in thousands of places.
#[derive(Debug, Default)]
pub(super) struct KnownRows {
    by_parent: RwLock<FxHashMap<Symbol, RowsByKinds>>,
}

type RowsByKinds = FxHashMap<Box<[Kind]>, PreparedRow>;

/// Longer rows repeat seldom.
const LONGEST_KNOWN: usize = 8;
/// Of so many rows one parent's are known at most.
const MOST_KNOWN: usize = 4096;

impl KnownRows {
    /// The row below a parent; `prepare` is asked if it is not known.
    fn get(
        &self,
        parent: Symbol,
        row: Vec<Kind>,
        prepare: impl FnOnce(Vec<Kind>) -> PreparedRow,
    ) -> PreparedRow {
        if row.len() > LONGEST_KNOWN {
            return prepare(row);
        }
        let known = self
            .by_parent
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(prepared) = known.get(&parent).and_then(|known| known.get(&row[..])) {
            return prepared.clone();
        }
        drop(known);
        let prepared = prepare(row.clone());
        let mut known = self
            .by_parent
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let known = known.entry(parent).or_default();
        if known.len() < MOST_KNOWN {
            known.insert(row.into(), prepared.clone());
        }
        prepared
    }
}

/// Neighbouring numbers as ranges.
fn runs(dropped: &[usize]) -> impl Iterator<Item = Range<usize>> {
    dropped
        .chunk_by(|left, right| left + 1 == *right)
        .map(|run| run[0]..run[run.len() - 1] + 1)
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
        let siblings = Siblings::new(grammar, document.symbol(id), row);
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
