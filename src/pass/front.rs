//! The end of a document, part by part, with what of the rest each part keeps.
//!
//! What stands last in a large program is mostly what its author wrote, and all else is there because that needs it. So the
//! statements and members of the last declarations are what is searched, and with what is taken out of them goes all that the
//! rest of them does not reach by names: each question is about a closed set of declarations (Kalhauge and Palsberg, "Binary
//! reduction of dependency graphs", 2019), and a small cut at the end takes much of the library away.

use super::{
    Context, Proposal,
    bodies::is_looked_into,
    combined,
    dependencies::Dependencies,
    reach::{Meant, Reach},
};
use crate::syntax::{Document, NodeId, Role};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;
use std::{ops::Range, sync::Arc};

/// The last declarations have so much of the document's tokens, or a bit more.
const SHARE: u32 = 64;
/// They have at least so many.
const LEAST: u32 = 500;
/// No smaller unit is looked at.
const FINEST: u32 = 4;

/// The declarations of a document, in its order, with the members of all but the last ones; and then the units in these.
pub(super) fn ends(context: &Context) -> Vec<Proposal> {
    let (mut row, first) = row(context);
    let last: Vec<Range<NodeId>> = row[first..].iter().map(nodes).collect();
    let document = context.document();
    let is_inner = |node: NodeId| {
        let place = last.partition_point(|part| part.end <= node);
        last.get(place).is_some_and(|part| part.start < node)
    };
    let mut inner: Vec<&Proposal> = Vec::new();
    for unit in context.units() {
        // Without these the rest would mean nothing.
        let is_part = unit.is_argument(document)
            || document.has_role(unit.node, Role::Expressions)
            || !document.has_role(unit.node, Role::Repeated);
        // Nor can a function be run without it while the program is compiled.
        let is_result =
            || document.has_role(unit.node, Role::Returns) && is_looked_into(document, unit.node);
        let is_large = unit.proposal.weight >= FINEST;
        if is_large && !is_part && is_inner(unit.node) && !is_result() {
            inner.push(&unit.proposal);
        }
    }
    inner.sort_by_key(|unit| nodes(unit).start);
    row.extend(inner.into_iter().cloned());
    row
}

/// The declarations, and from which part on they are the end.
fn row(context: &Context) -> (Vec<Proposal>, usize) {
    let last = combined::declarations(context);
    let first = first_of_last(context.document(), &last);
    let end = last
        .get(first)
        .map_or(NodeId::MAX, |part| nodes(part).start);
    let mut row = combined::members(context);
    row.retain(|part| nodes(part).end <= end);
    let before = row.len();
    row.extend(last.into_iter().skip(first));
    (row, before)
}

/// From which part on a row is its end.
fn first_of_last(document: &Document, row: &[Proposal]) -> usize {
    let enough = (document.node(0).tokens / SHARE).max(LEAST);
    let mut sum = 0;
    let last = row.iter().rposition(|part| {
        sum += part.weight;
        sum >= enough
    });
    last.unwrap_or(0)
}

fn nodes(part: &Proposal) -> Range<NodeId> {
    part.takes.first().cloned().unwrap_or_default()
}

/// One of the last declarations, or a unit in one.
#[derive(Debug)]
struct Element {
    nodes: Range<NodeId>,
    proposal: u32,
    /// The smallest other one around it.
    outer: Option<u32>,
    /// The tokens that are in no inner one.
    own: u32,
}

/// The numbers of the uses whose leaves are not among some nodes.
fn alive(uses: &[(NodeId, u32)], gone: &FixedBitSet) -> impl Iterator<Item = u32> {
    let alive = uses.iter();
    let alive = alive.filter(|&&(leaf, _)| !gone.contains(leaf as usize));
    alive.map(|&(_, number)| number)
}

/// What can be taken out of the end of a document, and what is reached from it.
#[derive(Debug)]
pub struct Front {
    context: Context,
    reach: Reach,
    /// From this part on the row is the end.
    first: usize,
    /// In document order: what holds others before these.
    elements: Vec<Element>,
    /// The leaves of the end that use names of other parts, and which.
    uses: Vec<(NodeId, u32)>,
    /// The same for calls: see [`Reach::calls`].
    calls: Vec<(NodeId, u32)>,
}

impl Front {
    /// Of the proposals of `ends`. Cost: as [`Reach::of`].
    pub fn of(context: &Context, proposals: &[Proposal]) -> Self {
        let (row, first) = row(context);
        let reach = Reach::of(context, &row);
        let end = row.get(first).map_or(NodeId::MAX, |part| nodes(part).start);
        let of_end = |uses: &[(NodeId, u32)]| -> Vec<(NodeId, u32)> {
            let uses = uses.iter().filter(|&&(leaf, _)| leaf >= end);
            uses.copied().collect()
        };
        let (uses, calls) = (of_end(reach.uses()), of_end(reach.calls()));
        Self {
            context: context.clone(),
            elements: elements(&proposals[first..], first),
            reach,
            first,
            uses,
            calls,
        }
    }

    /// By proposal: its tokens without those of the members that are proposals, too.
    pub fn weights(&self, proposals: &[Proposal]) -> Arc<[u32]> {
        let (before, behind) = proposals.split_at(self.first);
        let own = Dependencies::own_weights(before);
        let weights = behind.iter().map(|proposal| proposal.weight);
        own.iter().copied().chain(weights).collect()
    }

    /// By element, in document order: the tokens that no inner element has.
    pub fn loads(&self) -> Arc<[u32]> {
        self.elements.iter().map(|element| element.own).collect()
    }

    /// The proposal that takes an element.
    pub fn proposal_of(&self, element: usize) -> u32 {
        self.elements[element].proposal
    }

    /// The names of other parts that the elements from `start` on use, each once, in that order.
    pub fn names_from(&self, start: usize) -> Vec<u32> {
        let first = self.elements.get(start);
        let first = first.map_or(NodeId::MAX, |element| element.nodes.start);
        let mut seen = FxHashSet::default();
        let uses = self.uses.iter().filter(|&&(leaf, _)| leaf >= first);
        let mut uses: Vec<(NodeId, u32)> = uses.copied().collect();
        uses.sort_unstable();
        uses.retain(|&(_, name)| seen.insert(name));
        uses.into_iter().map(|(_, name)| name).collect()
    }

    /// `gone` and the elements around all uses of a name, with what lies in them and what loses a name by it.
    pub fn without_name(&self, gone: &FixedBitSet, name: u32) -> FixedBitSet {
        let uses = self.uses.iter().filter(|&&(_, used)| used == name);
        let around = uses.filter_map(|&(leaf, _)| self.around(leaf));
        self.without(gone, around.collect())
    }

    /// `gone` and these elements, with what lies in them and what loses a name by it.
    pub fn without(&self, gone: &FixedBitSet, mut open: Vec<usize>) -> FixedBitSet {
        let names = self.context.names();
        let mut gone = gone.clone();
        let mut nodes = self.nodes_of(&gone);
        while let Some(element) = open.pop() {
            if gone.contains(element) {
                continue;
            }
            let taken = self.elements[element].nodes.clone();
            nodes.insert_range(taken.start as usize..taken.end as usize);
            let behind = self.elements[element..].iter();
            let inner = behind
                .take_while(|inner| inner.nodes.start < taken.end)
                .count();
            gone.insert_range(element..element + inner);
            for declaration in names.declared_in(&taken) {
                let is_known = declaration.scope.start < taken.start
                    && !names.has_other_declaration(declaration, &nodes);
                if !is_known {
                    continue;
                }
                let lost = names.dependents_of(declaration);
                let lost = lost.filter(|&leaf| !nodes.contains(leaf as usize));
                open.extend(lost.filter_map(|leaf| self.around(leaf)));
            }
        }
        gone
    }

    /// The parts before the end that nothing in it reaches when these elements go.
    pub fn unreached(&self, gone: &FixedBitSet, meant: Meant) -> FixedBitSet {
        let nodes = self.nodes_of(gone);
        let mut unreached = FixedBitSet::with_capacity(self.first);
        if self.reach.is_empty() {
            return unreached;
        }
        let [names, calls] = [&self.uses, &self.calls].map(|uses| alive(uses, &nodes));
        let reached = self.reach.closure_of(self.first, names, calls, meant);
        unreached.extend((0..self.first).filter(|&part| !reached.contains(part)));
        unreached
    }

    /// The key of the last declaration in which all these elements lie, if there is one, as of what is needed for its own sake
    /// ([`Reach::key_as_end`]).
    pub fn key_around(&self, elements: &FixedBitSet) -> Option<u64> {
        let mut around = self
            .outermost(elements)
            .map(|element| self.part_of(element));
        let part = around.next()?;
        around
            .all(|other| other == part)
            .then(|| self.reach.key_as_end(part))
    }

    /// The declaration in which an element lies.
    fn part_of(&self, element: usize) -> usize {
        let mut at = element;
        while let Some(outer) = self.elements[at].outer {
            at = outer as usize;
        }
        self.elements[at].proposal as usize
    }

    /// The outermost of these elements.
    pub fn outermost<'a>(&'a self, gone: &'a FixedBitSet) -> impl Iterator<Item = usize> + 'a {
        let is_inner = |&element: &usize| {
            let outer = self.elements[element].outer;
            outer.is_some_and(|outer| gone.contains(outer as usize))
        };
        gone.ones().filter(move |element| !is_inner(element))
    }

    /// The smallest element around a leaf.
    fn around(&self, leaf: NodeId) -> Option<usize> {
        let behind = self
            .elements
            .partition_point(|element| element.nodes.start <= leaf);
        let mut at = behind.checked_sub(1);
        while let Some(element) = at {
            if self.elements[element].nodes.end > leaf {
                return at;
            }
            at = self.elements[element].outer.map(|outer| outer as usize);
        }
        None
    }

    fn nodes_of(&self, gone: &FixedBitSet) -> FixedBitSet {
        let mut nodes = FixedBitSet::with_capacity(self.context.document().nodes().len());
        for element in self.outermost(gone) {
            let taken = &self.elements[element].nodes;
            nodes.insert_range(taken.start as usize..taken.end as usize);
        }
        nodes
    }
}

/// What these proposals take, the first of which has this number.
fn elements(proposals: &[Proposal], first: usize) -> Vec<Element> {
    let mut elements: Vec<Element> = (first..)
        .zip(proposals)
        .map(|(index, proposal)| Element {
            nodes: nodes(proposal),
            proposal: u32::try_from(index).unwrap_or(u32::MAX),
            outer: None,
            own: proposal.weight,
        })
        .collect();
    elements.sort_by_key(|element| (element.nodes.start, std::cmp::Reverse(element.nodes.end)));
    let mut open: Vec<usize> = Vec::new();
    for index in 0..elements.len() {
        let start = elements[index].nodes.start;
        while open
            .last()
            .is_some_and(|&outer| elements[outer].nodes.end <= start)
        {
            open.pop();
        }
        if let Some(&outer) = open.last() {
            elements[index].outer = u32::try_from(outer).ok();
            elements[outer].own = elements[outer]
                .own
                .saturating_sub(elements[index].own)
                .max(1);
        }
        open.push(index);
    }
    elements
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::{compose, testing::sample};

    /// What is left without an element that has this text, and without what is not reached then.
    #[track_caller]
    fn check(text: &str, element: &str, expected: &str) {
        let sample = sample("cpp", text);
        let document = sample.document();
        let proposals = ends(&sample);
        let front = Front::of(&sample, &proposals);
        let has_text = |found: &Element| document.text(found.nodes.start) == element.as_bytes();
        let found = front.elements.iter().position(has_text).unwrap();
        let none = FixedBitSet::with_capacity(front.elements.len());
        let gone = front.without(&none, vec![found]);
        let parts = front.unreached(&gone, Meant::ByHeads);
        let taken = front
            .outermost(&gone)
            .map(|element| front.proposal_of(element) as usize);
        let taken: Vec<&Proposal> = taken
            .chain(parts.ones())
            .map(|index| &proposals[index])
            .collect();
        let edit = compose(document, taken).unwrap();
        let left = String::from_utf8(document.edited(&edit).bytes().to_vec()).unwrap();
        assert_eq!(
            left.split_whitespace().collect::<Vec<_>>().join(" "),
            expected
        );
    }

    /// More than the end has, so that what stands before it is the rest.
    fn library() -> String {
        let numbers: Vec<String> = (0..300).map(|number| number.to_string()).collect();
        format!(
            "int a() {{ return 1; }} int b() {{ return a() + 1; }} int c[] = {{{}}}; ",
            numbers.join(", ")
        )
    }

    #[test]
    fn a_name_goes_with_what_stands_around_its_uses() {
        let text = library()
            + "int d(int e) { return b() + e; } int main() { int r = c[1]; int s = b(); r += s; d(r); return 0; }";
        let sample = sample("cpp", &text);
        let proposals = ends(&sample);
        let front = Front::of(&sample, &proposals);
        let names = front.names_from(0);
        let text_of = |&name: &u32| &*sample.names().texts[name as usize];
        assert_eq!(
            names.iter().map(text_of).collect::<Vec<_>>(),
            [b"b", b"c", b"d"]
        );
        let none = FixedBitSet::with_capacity(front.elements.len());
        let gone = front.without_name(&none, names[0]);
        let gone: Vec<&[u8]> = front
            .outermost(&gone)
            .map(|element| sample.document().text(front.elements[element].nodes.start))
            .collect();
        // The last ones lose what the others declare.
        let expected: [&[u8]; 4] = [b"return b() + e;", b"int s = b();", b"r += s;", b"d(r);"];
        assert!(
            gone.iter().all(|element| expected.contains(element)),
            "{gone:?}"
        );
        assert!(gone.len() >= 3);
    }

    #[test]
    fn what_only_a_statement_reaches_goes_with_it() {
        let text = library() + "int main() { int r = c[1]; r += b(); return 0; }";
        check(
            &text,
            "r += b();",
            &(library()[library().find("int c").unwrap()..].to_string()
                + "int main() { int r = c[1]; return 0; }"),
        );
    }

    #[test]
    fn what_a_constant_function_returns_stays() {
        let text = library()
            + "constexpr int d() { return b() + a(); } int main() { return d() + b() + a(); }";
        let sample = sample("cpp", &text);
        let document = sample.document();
        let proposals = ends(&sample);
        let texts = proposals
            .iter()
            .map(|proposal| document.text(nodes(proposal).start));
        let returns: Vec<&[u8]> = texts.filter(|text| text.starts_with(b"return")).collect();
        assert_eq!(returns, [b"return d() + b() + a();"]);
    }

    #[test]
    fn what_loses_a_name_goes_too() {
        let text = library() + "int main() { int r = c[1]; r += b(); return 0; }";
        check(
            &text,
            "int r = c[1];",
            &(library()[library().find("int c").unwrap()..].to_string()
                + "int main() { return 0; }"),
        );
    }

    #[test]
    fn a_member_goes_with_its_uses() {
        let text = library()
            + "struct s { int v; long w = 2; }; int main() { s o; int r = o.w; r += a(); c[0]; }";
        check(
            &text,
            "long w = 2;",
            &(library()
                .replace("int b() { return a() + 1; } ", "")
                .replace("int a() { return 1; } ", "")
                + "struct s { int v; }; int main() { s o; c[0]; }"),
        );
    }
}
