//! Hoists over many levels at once: something of at most half the size takes the place of what it lies deep in.
//!
//! Hoists compose, but along a chain of a hundred operators each of them has to succeed alone, and a row of failures ends the search
//! before. What is needed of such a chain often lies in one part of it. So each node is cut where its parts fall below half of its
//! size, these parts are cut likewise, and each of them is offered the outermost place around it that the grammar lets it have: a
//! logarithmic number of questions leads to the part.

use super::{
    Context, Proposal,
    combined::by_weight,
    hoist::{hoist, is_tie},
    proposal::siblings,
};
use crate::{
    grammar::Siblings,
    syntax::{Document, NodeId},
};
use rustc_hash::FxHashMap;
use std::iter;

/// What has fewer tokens is left to the single hoists.
const LEAST: u32 = 40;
/// A part of less than this share of a node seldom holds all that is needed of it.
const SHARE: u32 = 8;

/// The hoists of parts of about half the size, what takes most first. Cost: linear in the document, times the depth of the parts.
pub(super) fn deep_hoists(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let mut hosts = Hosts::new(document);
    let mut found = Vec::new();
    let mut open = vec![0];
    while let Some(whole) = open.pop() {
        let tokens = document.node(whole).tokens;
        if tokens < LEAST {
            continue;
        }
        for part in parts_below_half(document, whole) {
            if document.node(part).tokens >= tokens / SHARE {
                found.extend(
                    hosts
                        .outermost(part, whole)
                        .map(|host| hoist(document, host, part, part)),
                );
            }
            open.push(part);
        }
    }
    by_weight(found)
}

/// The largest parts of a node that have at most half of its tokens.
fn parts_below_half(document: &Document, whole: NodeId) -> Vec<NodeId> {
    let half = document.node(whole).tokens / 2;
    let is_small = |&child: &NodeId| document.node(child).tokens <= half;
    let heavy = |&node: &NodeId| document.children(node).find(|child| !is_small(child));
    let chain = iter::successors(Some(whole), heavy);
    let parts = chain.flat_map(|node| document.children(node).filter(is_small));
    parts.collect()
}

/// What the grammar says of the rows that were looked at.
struct Hosts<'d> {
    document: &'d Document,
    rows: FxHashMap<NodeId, (Vec<NodeId>, Option<Siblings<'d>>)>,
}

impl<'d> Hosts<'d> {
    fn new(document: &'d Document) -> Self {
        Self {
            document,
            rows: FxHashMap::default(),
        }
    }

    /// The outermost node around `part`, up to `whole`, in whose place it can stand.
    fn outermost(&mut self, part: NodeId, whole: NodeId) -> Option<NodeId> {
        let document = self.document;
        if !document.node(part).is_named() {
            return None;
        }
        let above = |&node: &NodeId| (node != whole).then(|| document.node(node).parent);
        let around = iter::successors(above(&part), above);
        let is_host = |&node: &NodeId| {
            let is_twice = document.node(node).tokens >= 2 * document.node(part).tokens;
            node != 0 && is_twice && self.can_stand(part, node)
        };
        around.filter(is_host).last()
    }

    /// Whether a node can stand in the place of another.
    fn can_stand(&mut self, part: NodeId, host: NodeId) -> bool {
        let document = self.document;
        let parent = document.node(host).parent;
        let (row, siblings) = self.rows.entry(parent).or_insert_with(|| {
            let row = document.row(parent);
            let siblings = siblings(document, parent, &row);
            (row, siblings)
        });
        let Some(place) = row.iter().position(|&node| node == host) else {
            return false;
        };
        let is_in_path = place > 0 && is_tie(document, row[place - 1]);
        let siblings = siblings.as_ref();
        !is_in_path && siblings.is_some_and(|it| it.can_stand(place, document.shape(part)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::assert_offers;

    #[test]
    fn a_part_takes_the_outermost_place_around_it() {
        let sum = |from: u32| {
            let terms: Vec<String> = (from..from + 12).map(|n| format!("a{n}")).collect();
            terms.join(" + ")
        };
        let text = format!(
            "int f() {{ if (g(({} || ({})) && !b)) {{ }} }}",
            sum(0),
            sum(12)
        );
        let wanted = format!("int f() {{ if ({}) {{ }} }}", sum(0));
        assert_offers("c", &text, &wanted, deep_hoists);
    }
}
