//! What a call says for the parameters that stand for types, or for values that are known early.

use super::call::Call;
use crate::{
    pass::{
        arguments::{list_beside, list_in},
        elements::elements_of,
        generics::name_of_parameter,
        in_place::{is_name, value_at_use},
    },
    syntax::{Document, NodeId, Role, Splice},
};
use std::ops::Range;

impl Call<'_> {
    /// Where some nodes mention a type parameter, which few languages declare for all that is in its scope.
    pub(super) fn mentions(&self, parameter: NodeId, nodes: &Range<NodeId>) -> Vec<NodeId> {
        let document = self.document;
        let declared = self.names.declared_in(&self.nodes(parameter)).first();
        let declared = declared.map(|it| it.leaf);
        let Some(name) = declared.or_else(|| name_of_parameter(document, parameter)) else {
            return Vec::new();
        };
        let is_same = |&it: &NodeId| document.text(it) == document.text(name);
        let names = nodes.clone().filter(|&it| is_name(document, it));
        names.filter(is_same).collect()
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
    let own = list_beside(document, function, Role::TypeParameters);
    let given = list_beside(document, leaf, Role::TypeArguments);
    let all = |list: Option<NodeId>| list.map_or_else(Vec::new, |list| elements_of(document, list));
    all(own).into_iter().zip(all(given)).collect()
}

/// A function or a class with what says which types it is given.
pub(super) fn with_types(document: &Document, node: NodeId) -> NodeId {
    let around = document.node(node).parent;
    let list = list_in(document, around, Role::TypeParameters);
    list.filter(|&list| list != node).map_or(node, |_| around)
}
