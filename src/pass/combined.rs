//! Proposals of more than one kind in one list, and the orders in which lists are asked about.

use super::{
    Context, Proposal, bodies, brackets, bundle, hoist, mentions, rows,
    tokens::{self, windows},
    units::Unit,
};
use crate::syntax::NodeId;
use std::cmp::Reverse;

/// As fine as this is cut what nothing uses: it may be all that holds the rest.
const FINEST: u32 = 4;
/// The most tokens that are taken out in a row without regard to the tree.
const LONGEST_WINDOW: usize = 8;
/// Beside what the parser does not understand windows are asked about in texts of so many tokens at most, in nodes of so many, and
/// no more than so many of them.
const LARGEST_WITH_ERRORS: u32 = 1000;
const LARGEST_UNREAD: u32 = 24;
const MOST_UNREAD: usize = 120;
/// In a document of fewer tokens there are few windows.
const TINY: u32 = 12;
/// A document of so many tokens is worth rows over all of it, and its bodies go together with what only they reach.
pub const LARGE: u32 = 6000;
/// Fewer bodies than these are no long row: they are left to the other passes.
const MANY: usize = 8;

/// The heaviest first; of equally heavy ones the order stays.
pub(super) fn by_weight(mut proposals: Vec<Proposal>) -> Vec<Proposal> {
    proposals.sort_by_key(|proposal| Reverse(proposal.weight));
    proposals
}

/// The removal of each unit, in document order.
pub(super) fn removals(context: &Context) -> Vec<Proposal> {
    let units = context.units().iter();
    units.map(|unit| unit.proposal.clone()).collect()
}

/// The units of so many tokens or more, wherever they lie. Uses stand behind declarations, so the last goes first; an outer unit
/// goes before the inner ones.
pub(super) fn large_units(context: &Context) -> Vec<Proposal> {
    let is_large = |unit: &&Unit| unit.proposal.weight >= context.grain.least;
    let mut large: Vec<&Unit> = context.units().iter().filter(is_large).collect();
    large.sort_by_key(|unit| (unit.level, Reverse(unit.node)));
    large.iter().map(|unit| unit.proposal.clone()).collect()
}

/// The bodies of functions, if there are many.
pub(super) fn bodies(context: &Context) -> Vec<Proposal> {
    many(context, bodies::bodies(context))
}

/// Those that others could look into, and do not.
pub(super) fn late_bodies(context: &Context) -> Vec<Proposal> {
    many(context, bodies::late_bodies(context))
}

/// Those that others perhaps look into.
pub(super) fn bold_bodies(context: &Context) -> Vec<Proposal> {
    many(context, bodies::bold_bodies(context))
}

/// Bodies that are many, behind what they may be all that reaches.
fn many(context: &Context, bodies: Vec<Proposal>) -> Vec<Proposal> {
    if bodies.len() < MANY {
        return Vec::new();
    }
    let mut all = with_bodies(context);
    all.extend(bodies);
    all
}

/// What stands before bodies: in a large document what others can reach by name, and the members of types.
pub fn with_bodies(context: &Context) -> Vec<Proposal> {
    if context.document().node(0).tokens < LARGE {
        return Vec::new();
    }
    members(context)
}

/// The document as one row of parts, with what is around them.
pub(super) fn row(context: &Context) -> Vec<Proposal> {
    row_cut_to(context, context.grain.part)
}

/// The same, and behind it what others can reach by name, with the members of types: for what nothing reaches while parts go.
pub(super) fn row_and_members(context: &Context) -> Vec<Proposal> {
    let mut row = row(context);
    row.extend(members(context));
    row
}

/// What others can reach by name.
pub fn declarations(context: &Context) -> Vec<Proposal> {
    rows::declarations(context.document(), context.units(), context.grain.part)
}

/// What others can reach by name, and the members of types.
pub(super) fn members(context: &Context) -> Vec<Proposal> {
    rows::members(context.document(), context.units())
}

/// The same, if there are members.
pub(super) fn with_members(context: &Context) -> Vec<Proposal> {
    let row = members(context);
    let has_members = rows::lie_in_each_other(&row);
    Some(row).filter(|_| has_members).unwrap_or_default()
}

/// The row of [`row`], with what nothing uses cut fine.
pub(super) fn fine_row(context: &Context) -> Vec<Proposal> {
    row_cut_to(context, FINEST)
}

fn row_cut_to(context: &Context, finest: u32) -> Vec<Proposal> {
    let (document, names) = (context.document(), context.names());
    let (units, part) = (context.units(), context.grain.part);
    let row = rows::row(document, names, units, part, finest);
    rows::with_shells(document, units, row)
}

/// Each removal together with what cannot live without what it takes.
pub(super) fn bundles(context: &Context) -> Vec<Proposal> {
    bundled(context, &removals(context))
}

/// Each hoist together with what cannot live without what it takes: hardly any of them is ever good for something.
pub(super) fn hoist_bundles(context: &Context) -> Vec<Proposal> {
    bundled(context, &hoist::hoists(context))
}

fn bundled(context: &Context, changes: &[Proposal]) -> Vec<Proposal> {
    let (document, names) = (context.document(), context.names());
    let map = context.unit_map();
    let bundles = changes
        .iter()
        .filter_map(|change| bundle::bundle(document, names, map, change));
    bundles.collect()
}

/// Units and brackets of a document that is read without its grammar.
pub(super) fn plain_units(context: &Context) -> Vec<Proposal> {
    [removals(context), brackets::brackets(context)].concat()
}

/// Neighbouring tokens of what has no grammar, from many to two: the tree is a guess, and what stands side by side in it may belong
/// together. With a grammar only in what has become so small that they are few.
pub(super) fn token_windows(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    match document.grammar() {
        Some(_) if document.node(0).tokens < TINY => return grammar_windows(context),
        Some(_) => return Vec::new(),
        None => {}
    }
    let joints = [6, 5, 4].map(|size| tokens::joints(document, size));
    let balanced = [3, 2].map(|size| tokens::balanced_windows(document, size));
    let mut neighbours = [3, 2]
        .map(|size| tokens::neighbours(document, size))
        .concat();
    neighbours.retain(|proposal| !mentions::is_line(document, proposal.nodes().start));
    [by_weight(neighbours), joints.concat(), balanced.concat()].concat()
}

/// Pairs of neighbouring lines and statements, small ones first, then three of them, where there is no grammar: what opens something
/// and what closes it can only go together.
pub(super) fn neighbours(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    if document.grammar().is_some() {
        return Vec::new();
    }
    let is_line = |proposal: &Proposal| mentions::is_line(document, proposal.nodes().start);
    let of_size = |size: usize| {
        let mut neighbours = tokens::neighbours(document, size);
        neighbours.retain(is_line);
        neighbours.sort_by_key(|proposal| proposal.weight);
        neighbours
    };
    [2, 3].map(of_size).concat()
}

/// Neighbouring tokens, from many to two, where there is a grammar.
pub(super) fn grammar_windows(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    if document.grammar().is_none() {
        return Vec::new();
    }
    let sizes = (2..=LONGEST_WINDOW).rev();
    sizes.flat_map(|size| windows(document, size)).collect()
}

/// The windows beside something that the parser does not understand, where the tree says nothing of what could go together: from word
/// to word, and those of any few tokens that leave no bracket open.
pub(super) fn unread_windows(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    if document.error_count() == 0 || document.node(0).tokens > LARGEST_WITH_ERRORS {
        return Vec::new();
    }
    let has_error = |&node: &NodeId| {
        let mut children = document.children(node);
        let is_small = document.node(node).tokens <= LARGEST_UNREAD;
        is_small && children.any(|child| document.node(child).is_error())
    };
    let is_beside = |window: &Proposal| {
        let mut leaves = window.takes.iter().map(|range| range.start);
        leaves.any(|leaf| {
            document
                .around(leaf)
                .skip(1)
                .take(3)
                .any(|node| has_error(&node))
        })
    };
    let mut windows = grammar_windows(context);
    windows.retain(|window| tokens::is_balanced(document, window) && is_beside(window));
    windows.truncate(MOST_UNREAD);
    let mut phrases = tokens::phrases(document);
    phrases.truncate(MOST_UNREAD);
    [phrases, windows].concat()
}

/// All single changes: tokens, then units and hoists, the large ones first.
pub(super) fn single_changes(context: &Context) -> Vec<Proposal> {
    let changes = by_weight([removals(context), hoist::hoists(context)].concat());
    [windows(context.document(), 1), changes].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::offered;

    #[test]
    fn small_neighbours_come_before_large_ones_and_pairs_before_three() {
        let found = offered("none", "a b c\nd\ne\nf g\n", neighbours);
        let squeezed: Vec<String> = found.iter().map(|text| text.replace('\n', "|")).collect();
        assert_eq!(squeezed.len(), 5);
        let left = |text: &String| text.chars().filter(char::is_ascii_alphabetic).count();
        assert_eq!(
            squeezed.iter().map(left).collect::<Vec<_>>(),
            [5, 4, 3, 3, 2]
        );
        assert!(offered("c", "int a; int b; int c;", neighbours).is_empty());
    }
}
