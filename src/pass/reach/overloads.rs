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

/// A part that declares a name, and how many arguments that takes; what is no function may take any.
type Taker = (u32, RangeInclusive<usize>);

/// Names that fewer parts declare are not looked at: little is reached by them in vain, and a template that is read before its
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
        let mut numbers: FxHashMap<(u32, usize), u32> = FxHashMap::default();
        for (leaf, name) in &mut self.uses {
            let Some(takers) = takers.get(name) else {
                continue;
            };
            let Some(given) = given(document, *leaf) else {
                continue;
            };
            let number = numbers.entry((*name, given)).or_insert_with(|| {
                let meant = meant(takers, given);
                if meant.is_empty() || meant.len() == self.declarers[*name as usize].len() {
                    return *name;
                }
                self.overloads.push(*name);
                self.declarers.push(meant);
                u32::try_from(self.declarers.len() - 1).unwrap_or(*name)
            });
            *name = *number;
        }
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
            if self.declarers[name as usize].len() >= FEWEST
                && let Some(part) = place.exported(declaration)
            {
                let range = takes(document, declaration);
                takers.entry(name).or_default().push((part, range));
            }
        }
        takers
    }
}

/// The parts that declare what takes so many arguments, in order.
fn meant(takers: &[Taker], given: usize) -> Vec<u32> {
    let fitting = takers.iter().filter(|(_, takes)| takes.contains(&given));
    let mut parts: Vec<u32> = fitting.map(|&(part, _)| part).collect();
    parts.sort_unstable();
    parts.dedup();
    parts
}

/// How many arguments a function takes: those with a default may be left out, and a parameter may stand for any number.
fn takes(document: &Document, declaration: &Declaration) -> RangeInclusive<usize> {
    let Some(list) = parameter_list(document, declaration) else {
        return 0..=usize::MAX;
    };
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
    needed.min(most)..=most
}

/// How many arguments are given where a leaf names what is called; `None` where nothing is called, or a pack is given.
fn given(document: &Document, leaf: NodeId) -> Option<usize> {
    let list = list_of(document, leaf)?;
    let arguments = elements_of(document, list);
    let is_pack = |&argument: &NodeId| document.text(argument).ends_with(b"...");
    (!arguments.iter().any(is_pack)).then_some(arguments.len())
}
