//! Hoists past what can be hoisted too.
//!
//! Of the parts of a node that could stand in its place, [`super::hoist`] offers the nearest on each path, since hoists compose. They do
//! not where only the farther one is interesting: in `print({ a: function () {} }.a)` the object alone says nothing, and the function
//! in it does. What is left when all else is refused is small enough to ask about those.

use super::{
    Context, Proposal,
    combined::by_weight,
    hoist::{fitting_elements, hoist, is_tie},
    proposal::for_each_place,
};
use crate::{
    grammar::Siblings,
    syntax::{Document, NodeId},
};

/// Larger nodes have parts enough to be asked about by levels.
const LARGEST: u32 = 64;
/// How many parts of one node are offered.
const MOST_CANDIDATES: usize = 6;

/// The hoists that pass over a nearer one, what takes most first.
pub(super) fn further_hoists(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let mut found = Vec::new();
    for_each_place(document, |siblings, place, node| {
        let is_in_path = node > 0 && is_tie(document, node - 1);
        if document.node(node).tokens <= LARGEST && !is_in_path {
            let parts = behind_nearest(document, siblings, place, node);
            let parts = parts.into_iter();
            found.extend(parts.map(|(first, last)| hoist(document, node, first, last)));
        }
    });
    by_weight(found)
}

/// What lies inside of a part of `node` that could stand in its place, and could so itself: a node, or the elements of a list.
fn behind_nearest(
    document: &Document,
    siblings: &Siblings,
    place: usize,
    node: NodeId,
) -> Vec<(NodeId, NodeId)> {
    let fits = |part: NodeId| {
        document.node(part).is_named() && siblings.can_stand(place, document.shape(part))
    };
    let is_smaller =
        |part: NodeId, than: NodeId| document.node(part).range() != document.node(than).range();
    let mut open = vec![(node, false)];
    let mut found = Vec::new();
    while let Some((above, is_behind)) = open.pop() {
        if is_behind && found.len() < MOST_CANDIDATES {
            found.extend(fitting_elements(document, siblings, place, above));
        }
        for child in document.children(above) {
            let is_new = fits(child) && is_smaller(child, node);
            if is_new && is_behind && is_smaller(child, above) && found.len() < MOST_CANDIDATES {
                found.push((child, child));
            }
            if !document.is_leaf(child) {
                open.push((child, is_behind || is_new));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{assert_offers, offered};

    #[test]
    fn a_part_is_hoisted_past_one_that_could_be_hoisted_too() {
        let text = "print({ a: function () {} }.a)";
        assert_offers("javascript", text, "print(function () {})", further_hoists);
    }

    #[test]
    fn the_nearest_are_left_to_the_hoists() {
        assert!(offered("json", "[1]", further_hoists).is_empty());
    }

    #[test]
    fn statements_are_hoisted_past_one_that_could_be_hoisted_too() {
        let text = "with g():\n match 0:\n  case _:\n   f()\n   h()\n";
        let wanted = "with g():\n f()\n h()\n";
        assert_offers("python", text, wanted, further_hoists);
    }
}
