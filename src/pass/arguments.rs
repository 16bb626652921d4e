//! Parameters with their arguments: the i-th parameter of a function and the i-th argument of every call of it, as one edit.

use super::{
    Context,
    names::Declaration,
    proposal::{Proposal, fingerprint},
};
use crate::syntax::{Document, NodeId, Role};

/// For every function: each parameter with its arguments, and all of them.
pub fn arguments(context: &Context) -> Vec<Proposal> {
    let (document, names) = (context.document(), context.names());
    let mut proposals = Vec::new();
    for declaration in &names.declarations {
        let Some(parameters) = parameter_list(document, declaration) else {
            continue;
        };
        let mut lists = vec![elements(document, parameters)];
        for &leaf in &names.uses[declaration.name as usize] {
            lists.extend(argument_list(document, leaf).map(|list| elements(document, list)));
        }
        for other in &names.declarations {
            if other.name == declaration.name && other.leaf != declaration.leaf {
                lists.extend(parameter_list(document, other).map(|list| elements(document, list)));
            }
        }
        if lists.len() < 2 {
            continue;
        }
        let count = lists[0].len();
        let all: Vec<_> = lists.iter().flatten().copied().collect();
        if count > 1 {
            proposals.extend(removal(document, &all));
        }
        for index in 0..count {
            let each: Vec<_> = lists
                .iter()
                .filter_map(|list| list.get(index).copied())
                .collect();
            proposals.extend(removal(document, &each));
        }
    }
    proposals
}

type Place = (NodeId, u32, NodeId);

/// The named children of a list: its node, the place in its row, the child.
fn elements(document: &Document, list: NodeId) -> Vec<Place> {
    (0u32..)
        .zip(document.row(list))
        .filter(|&(_, child)| document.node(child).is_named())
        .map(|(place, child)| (list, place, child))
        .collect()
}

fn removal(document: &Document, places: &[Place]) -> Option<Proposal> {
    let text: Vec<u8> = places
        .iter()
        .flat_map(|&(_, place, child)| [document.text(child), &place.to_le_bytes()].concat())
        .collect();
    (places.len() > 1).then(|| Proposal {
        drops: places
            .iter()
            .map(|&(list, place, _)| (list, place))
            .collect(),
        weight: places
            .iter()
            .map(|&(.., child)| document.node(child).tokens + 1)
            .sum(),
        takes: places
            .iter()
            .map(|&(.., child)| child..document.node(child).end_id)
            .collect(),
        signature: fingerprint(&[b"arguments", &text]),
        ..Proposal::default()
    })
}

/// The named children of a list with their places in its row.
pub(super) fn places_of(document: &Document, list: NodeId) -> Vec<(u32, NodeId)> {
    elements(document, list)
        .into_iter()
        .map(|(_, place, child)| (place, child))
        .collect()
}

/// The named children of a list.
pub(super) fn elements_of(document: &Document, list: NodeId) -> Vec<NodeId> {
    elements(document, list)
        .into_iter()
        .map(|(.., child)| child)
        .collect()
}

/// The list of parameters of a node that defines a function, or of its declarator.
pub(super) fn parameters_of(document: &Document, function: NodeId) -> Option<NodeId> {
    let below = || {
        document
            .children(function)
            .find_map(|child| list_in(document, child, Role::Parameters))
    };
    list_in(document, function, Role::Parameters).or_else(below)
}

/// The list of parameters of a function that is declared.
fn parameter_list(document: &Document, declaration: &Declaration) -> Option<NodeId> {
    let mut at = declaration.leaf;
    loop {
        let above = document.node(at).parent;
        if let Some(list) =
            list_in(document, above, Role::Parameters).or_else(|| list_in_value(document, above))
        {
            return (list != at).then_some(list);
        }
        if above == declaration.declarer || above == 0 {
            return None;
        }
        at = above;
    }
}

/// A function that is given as a value: `const f = (a) => a`.
fn list_in_value(document: &Document, node: NodeId) -> Option<NodeId> {
    let value = document.child_in_field(node, "value")?;
    list_in(document, value, Role::Parameters)
}

/// The list of arguments of the call whose callee is named by `leaf`.
pub(super) fn argument_list(document: &Document, leaf: NodeId) -> Option<NodeId> {
    let mut at = leaf;
    for _ in 0..2 {
        let above = document.node(at).parent;
        if let Some(list) = list_in(document, above, Role::Arguments) {
            return (list != at).then_some(list);
        }
        at = above;
    }
    None
}

fn list_in(document: &Document, node: NodeId, role: Role) -> Option<NodeId> {
    let mut children = document.children(node);
    children.find(|&child| document.has_role(child, role))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::offered;

    #[test]
    fn a_parameter_goes_with_the_arguments_of_every_call() {
        let text = "int f(int a, int b) { return a; } int g() { f(1, 2); return f(3, 4); }";
        let found = offered("c", text, arguments);
        assert_eq!(
            found,
            [
                "int f() { return a; } int g() { f(); return f(); }",
                "int f( int b) { return a; } int g() { f( 2); return f( 4); }",
                "int f(int a) { return a; } int g() { f(1); return f(3); }",
            ]
        );
        let text = "function f(a, ...b) { } f(1, 2); f()";
        let found = offered("javascript", text, arguments);
        assert_eq!(
            found,
            [
                "function f() { } f(); f()",
                "function f( ...b) { } f( 2); f()",
                "function f(a) { } f(1); f()",
            ]
        );
    }
}
