//! Which of several functions of one name a call can mean: those that take as many arguments as it gives.

use super::{Reach, notes::Place};
use crate::{
    pass::{
        arguments::{list_of, parameter_list},
        elements::elements_of,
        names::Declaration,
    },
    syntax::{Document, NodeId},
};
use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;

/// A part that declares a name, and how many arguments that takes; `None` for what is no function.
type Taker = (u32, Option<RangeInclusive<usize>>);

/// Of names that fewer parts declare a call may mean any: little is reached by them in vain, and a template that is read before its
/// arguments are known wants any of them.
const FEWEST: usize = 6;

impl Reach {
    /// Gives calls that mean some only of the declarations of their names a number of their own for these. Nothing in languages
    /// that tell functions by their names alone. Cost: linear in the declarations and uses of names that several parts declare.
    pub(super) fn tell_overloads(&mut self, place: &Place) {
        let document = place.context.document();
        let language = document.language();
        if !language.is_some_and(|language| language.facts().overloads) {
            return;
        }
        let takers = self.takers(place);
        let mut fitting: FxHashMap<(u32, usize), u32> = FxHashMap::default();
        let mut required: FxHashMap<(u32, usize, Option<u32>), u32> = FxHashMap::default();
        for at in 0..self.uses.len() {
            let (leaf, name) = self.uses[at];
            let Some(takers) = takers.get(&name) else {
                continue;
            };
            let Some(given) = given(document, leaf) else {
                continue;
            };
            if self.declarers[name as usize].len() >= FEWEST {
                let number = fitting.entry((name, given));
                self.uses[at].1 =
                    *number.or_insert_with(|| self.number(name, fitting_ones(takers, given)));
            }
            let Some(part) = place.part_around(leaf) else {
                continue;
            };
            // What is called in a function's head is never that function, which is not known there yet.
            let is_itself = |taker: &Taker| taker.0 == part && taker.1.is_some();
            let itself = Some(part).filter(|_| place.is_own(leaf) && takers.iter().any(is_itself));
            let number = required.entry((name, given, itself));
            let number =
                *number.or_insert_with(|| self.number(name, required_ones(takers, given, itself)));
            if number != name {
                self.calls[part as usize].push(number);
            }
        }
    }

    /// A number for some of the declarations of a name, or its own for all.
    fn number(&mut self, name: u32, meant: Vec<u32>) -> u32 {
        if meant.is_empty() || meant.len() == self.declarers[name as usize].len() {
            return name;
        }
        self.overloads.push(name);
        self.declarers.push(meant);
        u32::try_from(self.declarers.len() - 1).unwrap_or(name)
    }

    /// The name that a number stands for, with or without how many arguments are given.
    pub fn name_of(&self, number: u32) -> u32 {
        let names = self.declarers.len() - self.overloads.len();
        match (number as usize).checked_sub(names) {
            Some(place) => self.overloads[place],
            None => number,
        }
    }

    /// By name, what declares it, where several parts do.
    fn takers(&self, place: &Place) -> FxHashMap<u32, Vec<Taker>> {
        let document = place.context.document();
        let mut takers: FxHashMap<u32, Vec<Taker>> = FxHashMap::default();
        for declaration in &place.context.names().declarations {
            let name = declaration.name;
            if self.declarers[name as usize].len() > 1
                && let Some(part) = place.exported(declaration)
            {
                let range = takes(document, declaration);
                takers.entry(name).or_default().push((part, range));
            }
        }
        takers
    }
}

/// The parts that declare what can take so many arguments, in order.
fn fitting_ones(takers: &[Taker], given: usize) -> Vec<u32> {
    let fits = |taker: &&Taker| taker.1.as_ref().is_none_or(|takes| takes.contains(&given));
    parts_of(takers.iter().filter(fits))
}

/// The parts one of which must be known, in order: the functions that take so many arguments, other than the one that calls. A type
/// takes one of its own kind, or nothing, without a function for it.
fn required_ones(takers: &[Taker], given: usize, itself: Option<u32>) -> Vec<u32> {
    let is_required = |(part, takes): &&Taker| match takes {
        Some(takes) => takes.contains(&given) && itself != Some(*part),
        None => given < 2 && itself.is_none(),
    };
    parts_of(takers.iter().filter(is_required))
}

fn parts_of<'a>(takers: impl Iterator<Item = &'a Taker>) -> Vec<u32> {
    let mut parts: Vec<u32> = takers.map(|&(part, _)| part).collect();
    parts.sort_unstable();
    parts.dedup();
    parts
}

/// How many arguments a function takes: those with a default may be left out, and a parameter may stand for any number. `None` for
/// what is no function.
fn takes(document: &Document, declaration: &Declaration) -> Option<RangeInclusive<usize>> {
    let list = parameter_list(document, declaration)?;
    let parameters = elements_of(document, list);
    let is_none = parameters.len() == 1 && document.text(parameters[0]) == b"void";
    let takes_any = document.text(list).windows(3).any(|it| it == b"...");
    let is_needed = |&&parameter: &&NodeId| {
        let mut parts = document.children(parameter);
        let has_default = parts.any(|part| document.text(part) == b"=");
        !has_default && !document.text(parameter).windows(3).any(|it| it == b"...")
    };
    let most = match (takes_any, is_none) {
        (true, _) => usize::MAX,
        (_, true) => 0,
        _ => parameters.len(),
    };
    let needed = parameters.iter().filter(is_needed).count();
    Some(needed.min(most)..=most)
}

/// How many arguments are given where a leaf names what is called; `None` where nothing is called, or a pack is given.
fn given(document: &Document, leaf: NodeId) -> Option<usize> {
    let list = list_of(document, leaf)?;
    let arguments = elements_of(document, list);
    let is_pack = |&argument: &NodeId| document.text(argument).ends_with(b"...");
    (!arguments.iter().any(is_pack)).then_some(arguments.len())
}
