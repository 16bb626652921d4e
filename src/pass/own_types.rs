//! Parameters for types that only one parameter of a function is declared with: without that, nothing tells what they are.

use super::{
    elements::{Place, elements},
    in_place::is_name,
};
use crate::syntax::{Document, NodeId, Role};
use rustc_hash::FxHashMap;

/// Larger functions and classes are not searched for what their type parameters are used for.
const LARGEST: u32 = 2000;

/// Each by the leaf that names it in the parameter.
pub(super) struct OwnTypes(FxHashMap<NodeId, Place>);

impl OwnTypes {
    /// Cost: linear in what has type parameters and no more than [`LARGEST`] tokens.
    pub(super) fn of(document: &Document) -> Self {
        let is_list = |&list: &NodeId| document.has_role(list, Role::TypeParameters);
        let lists = document.ids().filter(is_list);
        let is_small = |&list: &NodeId| document.node(document.node(list).parent).tokens <= LARGEST;
        let used_once = lists
            .filter(is_small)
            .flat_map(|list| used_once(document, list));
        Self(used_once.collect())
    }

    /// Those of some parameters.
    pub(super) fn of_all(&self, document: &Document, parameters: &[Place]) -> Vec<Place> {
        let leaves = |&(.., node): &Place| node..document.node(node).end_id;
        let leaves = parameters.iter().flat_map(leaves);
        leaves
            .filter_map(|leaf| self.0.get(&leaf).copied())
            .collect()
    }
}

/// The parameters in a list that what has the list names once, each with that leaf.
fn used_once(document: &Document, list: NodeId) -> Vec<(NodeId, Place)> {
    let is_name = |leaf: &NodeId| is_name(document, *leaf);
    let below = |node: NodeId| (node..document.node(node).end_id).filter(is_name);
    let mut uses: FxHashMap<&[u8], Vec<NodeId>> = FxHashMap::default();
    for leaf in below(document.node(list).parent) {
        uses.entry(document.text(leaf)).or_default().push(leaf);
    }
    let places = elements(document, list).into_iter();
    let with_use = places.filter_map(|place| {
        let own = below(place.2).next()?;
        match uses[document.text(own)][..] {
            [first, second] if first == own => Some((second, place)),
            _ => None,
        }
    });
    with_use.collect()
}
