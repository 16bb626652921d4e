//! Texts around parts: the least text of a kind that holds some nodes of another kind, in their order.
//!
//! A `while` around the condition and the body of a `for`, an empty element around the name of a full one: the cheapest path
//! through the automaton of the new kind that passes an edge for every part. Parts may also lie one level deeper, as a condition
//! does in its parentheses.

use super::{Automaton, Grammar, Kind, State, Symbol, least::push_token};
use crate::lexis::count_tokens;
use rustc_hash::{FxHashMap, FxHashSet};
use std::{cmp::Reverse, collections::BinaryHeap};

/// A node that has to stand in the new text.
#[derive(Clone, Copy, Debug)]
pub struct Part<'t> {
    /// What it is.
    pub kind: Kind,
    /// Its text.
    pub text: &'t [u8],
}

/// Finds texts around parts, and remembers which kinds can stand around a single one.
#[derive(Debug)]
pub struct Around<'g> {
    grammar: &'g Grammar,
    /// By kind and the kind of the part: what stands before and behind the part.
    wraps: FxHashMap<(Symbol, Kind), Option<Shell>>,
}

/// What stands before and behind something.
type Shell = (Vec<u8>, Vec<u8>);

/// Stands for a part whose text is not known yet. No token begins or ends with it.
const PLACEHOLDER: &[u8] = &[0xff];

impl<'g> Around<'g> {
    /// Nothing is known yet.
    pub fn new(grammar: &'g Grammar) -> Self {
        Self {
            grammar,
            wraps: FxHashMap::default(),
        }
    }

    /// The least text of `kind` with all `parts` in it, without made-up names; `None` if there is none. Cost: the edges of the
    /// kind's automaton and of those that it leads to, times the square of the number of parts.
    pub fn least(&mut self, kind: Kind, parts: &[Part]) -> Option<Vec<u8>> {
        self.search(Symbol::of(kind), parts, true)
    }

    /// Dijkstra's shortest path over the states of the automaton and the parts that have been passed.
    fn search(&mut self, symbol: Symbol, parts: &[Part], deeper: bool) -> Option<Vec<u8>> {
        let automaton = self.grammar.automaton(symbol);
        let mut settled: FxHashSet<(State, usize)> = FxHashSet::default();
        let start = (0usize, Vec::new(), Automaton::START, 0usize);
        let mut open = BinaryHeap::from([Reverse(start)]);
        while let Some(Reverse((cost, text, state, passed))) = open.pop() {
            if passed == parts.len() && automaton.is_accepting(state) {
                return Some(text);
            }
            if !settled.insert((state, passed)) {
                continue;
            }
            let mut go = |cost: usize, piece: &[u8], next: State, passed: usize| {
                if !settled.contains(&(next, passed)) {
                    let mut text = text.clone();
                    push_token(&mut text, piece);
                    open.push(Reverse((cost, text, next, passed)));
                }
            };
            for (edge, next) in automaton.symbols(state) {
                if let Some(filler) = self.grammar.nameless(edge) {
                    go(cost + count_tokens(filler), filler, next, passed);
                }
                let Some(part) = parts.get(passed) else {
                    continue;
                };
                if edge.kind == part.kind || self.is_name_for(edge.kind, part.kind) {
                    go(cost, part.text, next, passed + 1);
                    continue;
                }
                for end in passed + 2..=if deeper { parts.len() } else { 0 } {
                    if let Some(inner) = self.search(edge, &parts[passed..end], false) {
                        go(
                            cost + tokens_around(&inner, &parts[passed..end]),
                            &inner,
                            next,
                            end,
                        );
                    }
                }
                if deeper && let Some((before, behind)) = self.wrap(edge, part.kind) {
                    let around = count_tokens(before) + count_tokens(behind);
                    let text = [before, part.text, behind].concat();
                    go(cost + around, &text, next, passed + 1);
                }
            }
        }
        None
    }

    /// A name of any kind can stand where a plain name can: that of a method for that of a function.
    fn is_name_for(&self, place: Kind, part: Kind) -> bool {
        let names = &self.grammar.names;
        names.first() == Some(&place) && names.contains(&part)
    }

    /// What a node has around a part.
    fn wrap(&mut self, symbol: Symbol, part: Kind) -> Option<(&[u8], &[u8])> {
        if !self.wraps.contains_key(&(symbol, part)) {
            let placeholder = Part {
                kind: part,
                text: PLACEHOLDER,
            };
            let found = self.search(symbol, &[placeholder], false);
            let halves = found.and_then(|text| {
                let at = text.iter().position(|byte| [*byte] == PLACEHOLDER)?;
                Some((text[..at].to_vec(), text[at + 1..].to_vec()))
            });
            self.wraps.insert((symbol, part), halves);
        }
        let halves = self.wraps.get(&(symbol, part))?.as_ref()?;
        Some((&halves.0, &halves.1))
    }
}

/// How many tokens of a text are not those of its parts.
fn tokens_around(text: &[u8], parts: &[Part]) -> usize {
    let inside: usize = parts.iter().map(|part| count_tokens(part.text)).sum();
    count_tokens(text).saturating_sub(inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Language;

    #[track_caller]
    fn check(language: &str, kind: &str, parts: &[(&str, &str)], expected: Option<&str>) {
        let language = Language::named(language).unwrap();
        let grammar = language.grammar();
        let find = |name| grammar.kinds().find(name, true).unwrap();
        let parts: Vec<Part> = parts
            .iter()
            .map(|(kind, text)| Part {
                kind: find(kind),
                text: text.as_bytes(),
            })
            .collect();
        let text = Around::new(grammar).least(find(kind), &parts);
        let text = text.map(|text| String::from_utf8(text).unwrap());
        assert_eq!(text.as_deref(), expected);
    }

    #[test]
    fn the_parts_stand_in_the_least_text() {
        let parts = [
            ("update_expression", "i++"),
            ("expression_statement", "f();"),
        ];
        check("c", "while_statement", &parts, Some("while(i++)f();"));
        check("c", "if_statement", &parts, Some("if(i++)f();"));
        check("c", "goto_statement", &parts, None);
        check("xml", "element", &[("Name", "a")], Some("<a/>"));
        let tag = [("Name", "a"), ("Attribute", " b='c'")];
        check("xml", "element", &tag, Some("<a b='c'/>"));
        let method = [
            ("property_identifier", "m"),
            ("formal_parameters", "(a)"),
            ("statement_block", "{}"),
        ];
        let function = "function m(a){}";
        check(
            "javascript",
            "function_declaration",
            &method,
            Some(function),
        );
    }
}
