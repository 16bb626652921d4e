//! What a call says for the parameters that stand for types, or for values that are known early.

use super::{call::Call, variables::is_name};
use crate::{
    pass::{elements::elements_of, in_place::value_at_use},
    syntax::{Document, NodeId, Role, Splice},
};
use std::ops::Range;

impl Call<'_> {
    /// Where some nodes mention a type parameter, which few languages declare for all that is in its scope.
    pub(super) fn mentions(&self, parameter: NodeId, nodes: &Range<NodeId>) -> Vec<NodeId> {
        let document = self.document;
        let names = |nodes: &Range<NodeId>| nodes.clone().filter(|&it| is_name(document, it));
        let own = self.nodes(parameter);
        let default = own.clone().find(|&it| document.text(it) == b"=");
        let declared = self.names.declared_in(&own).first().map(|it| it.leaf);
        let last = || names(&(own.start..default.unwrap_or(own.end))).next_back();
        let Some(name) = declared.or_else(last) else {
            return Vec::new();
        };
        let is_same = |it: &NodeId| document.text(*it) == document.text(name);
        names(nodes).filter(is_same).collect()
    }

    /// What the types and values that a call says early put in their places among some nodes.
    pub(super) fn types_in(&self, nodes: &Range<NodeId>) -> Vec<Splice> {
        let types = self
            .given
            .iter()
            .filter(|given| is_type(self.document, given.0));
        let splices = types.flat_map(|&(parameter, argument)| {
            let uses = self.mentions(parameter, nodes).into_iter();
            uses.map(move |used| value_at_use(self.document, argument, used))
        });
        splices.collect()
    }
}

/// Whether a parameter stands for a type, or for what else is known early.
pub(super) fn is_type(document: &Document, parameter: NodeId) -> bool {
    document.has_role(document.node(parameter).parent, Role::TypeParameters)
}

/// By parameter that stands for a type, or for what else is known early, what a call says for it.
pub(super) fn types_given(
    document: &Document,
    leaf: NodeId,
    function: NodeId,
) -> Vec<(NodeId, NodeId)> {
    let own = list_around(document, function, Role::TypeParameters);
    let given = list_around(document, leaf, Role::TypeArguments);
    let all = |list: Option<NodeId>| list.map_or_else(Vec::new, |list| elements_of(document, list));
    all(own).into_iter().zip(all(given)).collect()
}

/// The list of this role in a node, or beside it.
pub(super) fn list_around(document: &Document, node: NodeId, role: Role) -> Option<NodeId> {
    let mut around = [node, document.node(node).parent].into_iter();
    around.find_map(|it| {
        document
            .children(it)
            .find(|&child| document.has_role(child, role))
    })
}

/// A function or a class with what says which types it is given.
pub(super) fn with_types(document: &Document, node: NodeId) -> NodeId {
    let around = document.node(node).parent;
    let mut beside = document.children(around);
    let has_types = beside.any(|it| it != node && document.has_role(it, Role::TypeParameters));
    if has_types { around } else { node }
}
