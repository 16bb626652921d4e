//! Hoisting: a node gives its place to something smaller from inside it.
//!
//! A descendant can stand for a node when the row of the node's parent is accepted with the descendant's kind in its place
//! (D. Vince, dissertation ch. 7, with grammar compatibility instead of equal labels). A node that holds a list can also give its
//! place to the elements of the list: a block to its statements, an `if` to those of its body. Only the nearest candidates on
//! each path are listed: hoists compose, so a search that makes several at once reaches the farther ones.

use super::{
    Context, columns,
    proposal::{Proposal, elements, fingerprint, siblings},
};
use crate::{
    grammar::{Siblings, Symbol},
    syntax::{Document, Edit, NodeId, Splice},
};

/// How many candidates one node is given.
const MOST_CANDIDATES: usize = 8;
/// How many descendants are looked at for one node: a bound on the cost for large nodes.
const MOST_VISITED: usize = 400;

/// All hoists to the nearest compatible descendants, in document order of the nodes that vanish.
pub fn hoists(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let mut proposals = Vec::new();
    for parent in document.ids() {
        if document.is_leaf(parent) {
            continue;
        }
        let row = document.row(parent);
        let Some(siblings) = siblings(document, parent, &row) else {
            return Vec::new();
        };
        for (place, &node) in row.iter().enumerate() {
            if document.is_leaf(node) || !document.node(node).is_named() {
                continue;
            }
            if place > 0 && is_tie(document, row[place - 1]) {
                // Another name would be looked up in what is written before this one.
                continue;
            }
            let first = proposals.len();
            nearest(document, &siblings, place, node, &mut proposals);
            let link = document.without_last_link(node).filter(|&rest| {
                let is_listed = |proposal: &Proposal| proposal.takes[0] == (node..rest);
                siblings.can_stand(place, document.shape(rest))
                    && !proposals[first..].iter().any(is_listed)
            });
            proposals.extend(link.map(|rest| hoist(document, node, rest, rest)));
        }
    }
    proposals
}

/// The nearest descendants of `node` that can stand in its place, breadth first.
fn nearest(
    document: &Document,
    siblings: &Siblings,
    place: usize,
    node: NodeId,
    proposals: &mut Vec<Proposal>,
) {
    let first = proposals.len();
    let mut open: std::collections::VecDeque<NodeId> = std::collections::VecDeque::from([node]);
    let mut visited = 0;
    while let Some(above) = open.pop_front() {
        visited += 1;
        if visited > MOST_VISITED || proposals.len() - first >= MOST_CANDIDATES {
            return;
        }
        let list = fitting_elements(document, siblings, place, above);
        proposals.extend(list.map(|(first, last)| hoist(document, node, first, last)));
        for child in document.children(above) {
            let smaller = document.node(child).range() != document.node(node).range();
            if document.node(child).is_named()
                && smaller
                && siblings.can_stand(place, document.shape(child))
            {
                proposals.push(hoist(document, node, child, child));
                let is_rest_of_path = child > 0 && is_tie(document, child - 1);
                if !is_rest_of_path {
                    continue;
                }
            }
            if !document.is_leaf(child) {
                open.push_back(child);
            }
        }
    }
}

/// The first and the last of several elements of a list that can stand together in the place of a node.
pub(super) fn fitting_elements(
    document: &Document,
    siblings: &Siblings,
    place: usize,
    list: NodeId,
) -> Option<(NodeId, NodeId)> {
    let elements = elements(document, list).filter(|all| all.len() > 1)?;
    let shape = |&element: &NodeId| document.shape(element);
    let symbols: Vec<Symbol> = elements.iter().map(shape).collect();
    let fits = siblings.can_stand_for(place..place + 1, &symbols);
    fits.then(|| (elements[0], elements[elements.len() - 1]))
}

/// Whether this is what ties a name to the path before it.
pub(super) fn is_tie(document: &Document, node: NodeId) -> bool {
    document.is_leaf(node) && [&b"::"[..], b"\\"].contains(&document.text(node))
}

/// Everything of `node` goes but what lies between `first` and `last`.
pub(super) fn hoist(document: &Document, node: NodeId, first: NodeId, last: NodeId) -> Proposal {
    let whole = document.node(node);
    let kept = document.node(first).start as usize..document.node(last).end as usize;
    let kept_end = document.node(last).end_id;
    let kept_tokens: u32 = document
        .children(document.node(first).parent)
        .filter(|&child| (first..=last).contains(&child))
        .map(|child| document.node(child).tokens)
        .sum();
    let mut splices = columns::moved(document, first..kept_end, node);
    splices.push(Splice::deletion(whole.start as usize..kept.start));
    splices.push(Splice::deletion(kept.end..whole.end as usize));
    Proposal {
        edit: Edit::new(splices),
        weight: whole.tokens.saturating_sub(kept_tokens).max(1),
        takes: vec![node..first, kept_end..whole.end_id],
        target: Some(node),
        signature: fingerprint(&[
            b"hoist",
            &document.fingerprint(node).to_le_bytes(),
            &(kept.start as u64 - u64::from(whole.start)).to_le_bytes(),
            &kept.len().to_le_bytes(),
        ]),
        ..Proposal::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::assert_offers;

    #[test]
    fn a_node_gives_its_place_to_what_it_holds() {
        for (language, text, wanted) in [
            (
                "c",
                "int f() { if (a) { b(); c(); } }",
                "int f() { b(); c(); }",
            ),
            (
                "c",
                "int f() { if (a) { b(); c(); } }",
                "int f() { if (a) c(); }",
            ),
            ("javascript", "x = f(a) + b", "x = a + b"),
            ("json", "{\"a\": [1]}", "[1]"),
            (
                "python",
                "def f():\n  if a:\n      b()\n      if c:\n        d()\n",
                "def f():\n  b()\n  if c:\n    d()\n",
            ),
            ("xml", "<a><b><c/><d/></b></a>", "<a> <c/><d/> </a>"),
        ] {
            assert_offers(language, text, wanted, hoists);
        }
    }
}
