//! Which of several functions of one name a call can mean: those that take as many arguments as it gives.

use super::{Reach, place::Place};
use crate::{
    pass::{
        arguments::{list_of, parameter_list},
        elements::elements_of,
        names::{Declaration, Manner},
    },
    syntax::{Document, NodeId},
};
use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;

/// A part that declares a name, and what that takes.
type Taker = (u32, Takes);

enum Takes {
    /// A function: so many arguments.
    Function(RangeInclusive<usize>),
    /// A type: what those functions take that it is made by, or without any of them nothing, or one of its own kind.
    Type,
    /// What may take any, for all that is known.
    Any,
}

/// Of names that fewer parts declare a call may mean any: little is reached by them in vain, and a template that is read before its
/// arguments are known wants any of them.
const FEWEST: usize = 6;
/// Of more of one name it is not told which one calls itself: each would need a list of all others.
const MOST: usize = 64;

impl Reach {
    /// Gives calls that mean some only of the declarations of their names a number of their own for these, and notes the calls for
    /// which one of some declarations must be known. Nothing in languages that tell functions by their names alone. Cost: linear in
    /// the declarations and uses of names that several parts declare.
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
            // Before its body a function seldom calls itself: a constructor that leaves the work to one calls another.
            let around = place.part_around(leaf).filter(|_| place.is_own(leaf));
            // What stands before its body may be taken for a part of that.
            let outer = around.and_then(|part| self.outer[part as usize]);
            let mut itself = around.into_iter().chain(outer);
            let itself = itself.find(|&part| has_function(takers, part));
            let number = required.entry((name, given, itself));
            let number =
                *number.or_insert_with(|| self.number(name, required_ones(takers, given, itself)));
            if number != name {
                self.calls.push((leaf, number));
            }
        }
    }

    /// What is declared together with its type is made by what makes one, though nothing says the name of that.
    pub(super) fn note_makers(&mut self, place: &Place) {
        let (document, names) = (place.context.document(), place.context.names());
        let is_type_of_other = |it: &&Declaration| {
            let around = document.node(it.declarer).parent;
            it.is_type
                && document.field_name(it.declarer) == Some("type")
                && document.child_in_field(around, "declarator").is_some()
        };
        for of in names.declarations.iter().filter(is_type_of_other) {
            let inside = of.leaf + 1..document.node(of.declarer).end_id;
            let makers = names.declared_in(&inside).iter();
            let makers = makers.filter(|it| it.name == of.name);
            let makers = in_order(makers.filter_map(|it| place.exported(it)));
            if !makers.is_empty() {
                let number = self.number(of.name, makers);
                self.uses.push((of.leaf, number));
            }
        }
    }

    /// A signature of a function stands before what it is one of, which is needed with it. Cost: linear in the declarations.
    pub(super) fn note_implementations(&mut self, place: &Place) {
        let (document, names) = (place.context.document(), place.context.names());
        let is_signature = |it: &Declaration| document.is_signature(it.declarer);
        if !names.declarations.iter().any(is_signature) {
            return;
        }
        let key = |it: &Declaration| (it.name, it.scope.start, it.manner);
        let mut implementations: FxHashMap<(u32, NodeId, Manner), Vec<u32>> = FxHashMap::default();
        for declaration in names.declarations.iter().filter(|it| !is_signature(it)) {
            if let Some(part) = place.exported(declaration) {
                let parts = implementations.entry(key(declaration)).or_default();
                parts.push(part);
            }
        }
        for signature in names.declarations.iter().filter(|it| is_signature(it)) {
            if let Some(parts) = implementations.get(&key(signature)) {
                let number = self.number(signature.name, in_order(parts.iter().copied()));
                self.uses.push((signature.leaf, number));
            }
        }
    }

    /// A number for some of the declarations of a name, or its own for all.
    pub(super) fn number(&mut self, name: u32, meant: Vec<u32>) -> u32 {
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
        for takers in takers.values_mut() {
            share_defaults(takers);
        }
        takers
    }
}

/// What one declaration of a function gives by default need not be said by another, so of those that take as many at most, if not any
/// number, all take as few.
fn share_defaults(takers: &mut [Taker]) {
    let mut least: FxHashMap<usize, usize> = FxHashMap::default();
    for (_, takes) in &*takers {
        if let Takes::Function(many) = takes {
            let least = least.entry(*many.end()).or_insert(*many.start());
            *least = (*least).min(*many.start());
        }
    }
    for (_, takes) in takers {
        if let Takes::Function(many) = takes
            && *many.end() < usize::MAX
        {
            *many = least[many.end()]..=*many.end();
        }
    }
}

/// Whether a part declares one of a few functions.
fn has_function(takers: &[Taker], part: u32) -> bool {
    let is_it = |taker: &Taker| taker.0 == part && matches!(taker.1, Takes::Function(_));
    takers.len() <= MOST && takers.iter().any(is_it)
}

/// The parts that declare what can take so many arguments, in order.
fn fitting_ones(takers: &[Taker], given: usize) -> Vec<u32> {
    let fits = |(_, takes): &&Taker| match takes {
        Takes::Function(many) => many.contains(&given),
        Takes::Type | Takes::Any => true,
    };
    in_order(takers.iter().filter(fits).map(|taker| taker.0))
}

/// The parts one of which must be known, in order: what takes so many arguments, but for the function that calls itself.
fn required_ones(takers: &[Taker], given: usize, itself: Option<u32>) -> Vec<u32> {
    let is_required = |(part, takes): &&Taker| match takes {
        Takes::Function(many) => many.contains(&given) && itself != Some(*part),
        Takes::Type => given < 2 && itself.is_none(),
        Takes::Any => true,
    };
    in_order(takers.iter().filter(is_required).map(|taker| taker.0))
}

pub(super) fn in_order(parts: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut parts: Vec<u32> = parts.collect();
    parts.sort_unstable();
    parts.dedup();
    parts
}

/// What a declaration takes: arguments with a default may be left out, and a parameter may stand for any number.
fn takes(document: &Document, declaration: &Declaration) -> Takes {
    let Some(list) = parameter_list(document, declaration) else {
        return if declaration.is_type {
            Takes::Type
        } else {
            Takes::Any
        };
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
    Takes::Function(needed.min(most)..=most)
}

/// How many arguments are given where a leaf names what is called; `None` where nothing is called, or a pack is given.
fn given(document: &Document, leaf: NodeId) -> Option<usize> {
    let behind = &document.bytes()[document.node(leaf).range().end..];
    let is_before_name = [&b"::"[..], b".", b"->"]
        .iter()
        .any(|tie| behind.starts_with(tie));
    let list = list_of(document, leaf).filter(|_| !is_before_name)?;
    let arguments = elements_of(document, list);
    let is_pack = |&argument: &NodeId| document.text(argument).ends_with(b"...");
    (!arguments.iter().any(is_pack)).then_some(arguments.len())
}

#[cfg(test)]
mod tests {
    use crate::pass::{
        Proposal,
        bodies::bodies,
        reach::{
            Meant, Reach,
            tests::{check, check_members, check_with},
        },
        rows,
        testing::sample,
    };
    use std::cmp::Reverse;

    #[test]
    fn of_functions_with_one_name_some_take_what_is_given() {
        let text = "struct a {}; struct b {}; struct c {}; void f(a); void f(b, int); void f(c, int, int); \
            int main() { a x; f(x, 1); }";
        for meant in [Meant::Least, Meant::ByHeads] {
            check_with(&sample("cpp", text), meant, &[0, 1, 3, 4, 6]);
        }
        // What stands before another name is not called.
        let text = "struct b {}; struct s { static int f(int, int); }; void s(b, int); int main() { s::f(1, 1); }";
        check(text, &[1, 3]);
        // Objects may be called with anything.
        let text = "struct b {}; struct c {} f; void f(b, int); int main() { f(1, 1); }";
        check(text, &[1, 3]);
    }

    #[test]
    fn what_one_declaration_gives_by_default_another_need_not_say() {
        let text = "struct a {}; void f(a, int b = 1, int = 2); void f(a, int b, int) {} void f(a *); void f(a, int *, a *, a *) {} \
            void f(a, a, a, a, a); void f(); int main() { a x; f(x, 1); }";
        for meant in [Meant::Least, Meant::ByHeads] {
            check_with(&sample("cpp", text), meant, &[0, 1, 2, 7]);
        }
        // Of those that take any number each needs what it says.
        let text = "void a(); template<class... T> int f(int, int, int, T...) { a(); } template<class... T> int f(T...); \
            int f(int *, int *); int f(int *, int *, int *); int f(); int f(a, a, a, a); int main() { f(1); }";
        check(text, &[2, 7]);
    }

    #[test]
    fn a_type_is_made_by_what_takes_as_many() {
        let text =
            "struct b {}; struct a { a(b); a(b, int); a(b, int, int); }; int main() { a(1, 2); }";
        check_members(text, Meant::ByHeads, text);
        // One of its own kind is taken without a function for that.
        let text = "struct b {}; struct a { a(b); a(b, int); }; int main() { a(1); }";
        check_members(text, Meant::ByHeads, "struct a { }; int main() { a(1); }");
    }

    #[test]
    fn what_is_called_in_the_head_of_a_function_is_another_one() {
        let text = "struct a {}; struct b {}; struct c { c(a x) : c({}) {} c(b) {} }; int main() { c(a()); }";
        check_members(text, Meant::ByHeads, text);
    }

    #[test]
    fn what_calls_another_constructor_before_its_body_calls_no_part_of_itself() {
        let text = "struct a {}; struct b; typedef b d; struct c { c(a x, a y) : c(x, {y}) { x; y; } c(a x, d *y); }; \
            int main() { c(a(), a()); }";
        let sample = sample("cpp", text);
        let mut row = rows::members(sample.document(), sample.units());
        row.extend(bodies(&sample));
        row.sort_by_key(|part| (part.nodes().start, Reverse(part.nodes().end)));
        let text_of = |part: &Proposal| sample.document().text(part.takes[0].start);
        let place = |start: &[u8]| row.iter().position(|part| text_of(part).starts_with(start));
        let inside = place(b": c(x").or_else(|| place(b"{ x;")).unwrap();
        let reach = Reach::with_bodies(&sample, &row, &[inside]);
        let closure = reach.closure(reach.last(1), Meant::ByHeads);
        assert!(closure.contains(place(b"c(a x, d").unwrap()));
    }

    #[test]
    fn what_the_end_calls_is_known_by_what_it_takes() {
        let text =
            "struct a {}; struct b {}; void f(a); void f(b, int); int main() { a x; f(x, 1); }";
        let sample = sample("cpp", text);
        let row = rows::declarations(sample.document(), sample.units(), 100);
        let row: Vec<Proposal> = row.into_iter().filter(|part| part.weight > 1).collect();
        let reach = Reach::of(&sample, &row);
        let names = reach
            .uses()
            .iter()
            .filter(|(leaf, _)| *leaf >= row[4].takes[0].start);
        let names: Vec<u32> = names.map(|&(_, name)| name).collect();
        let calls = reach.calls().iter().map(|&(_, number)| number);
        let closure = reach.closure_of(4, names.into_iter(), calls, Meant::ByHeads);
        assert_eq!(closure.ones().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    }
}
