//! Parameters with their arguments: the i-th parameter of a function and the i-th argument of every call of it, as one edit.

use super::{
    Context,
    names::{Declaration, Names},
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
        let own = elements(document, parameters);
        let given = given_by_calls(document, names, declaration, &own);
        let mut lists: Vec<Vec<Option<Place>>> = std::iter::once(all(own)).chain(given).collect();
        for other in &names.declarations {
            if other.name == declaration.name && other.leaf != declaration.leaf {
                let list = parameter_list(document, other);
                lists.extend(list.map(|list| all(elements(document, list))));
            }
        }
        if lists.len() < 2 {
            continue;
        }
        let count = lists[0].len();
        // What a method is called on is not one of the arguments.
        let has_receiver = |list: &Vec<Option<Place>>| matches!(list.first(), Some(None));
        let first = usize::from(lists.iter().any(has_receiver));
        if count > first + 1 {
            let lists = lists.iter().flat_map(|list| list.iter().skip(first));
            proposals.extend(removal(
                document,
                &lists.flatten().copied().collect::<Vec<_>>(),
            ));
        }
        for index in 0..count {
            let each: Vec<_> = lists.iter().filter_map(|list| *list.get(index)?).collect();
            proposals.extend(removal(document, &each));
        }
    }
    proposals
}

/// The parameters of a function that alone has its name, and by call what is given for each of them.
pub(super) fn calls(
    document: &Document,
    names: &Names,
    declaration: &Declaration,
) -> Option<(NodeId, Vec<Vec<Option<Place>>>)> {
    let parameters = parameter_list(document, declaration)?;
    let own = elements(document, parameters);
    let calls = given_by_calls(document, names, declaration, &own);
    (!calls.is_empty() && !names.has_several(declaration)).then_some((parameters, calls))
}

/// By call of a function, what is given for each of its own parameters.
fn given_by_calls(
    document: &Document,
    names: &Names,
    declaration: &Declaration,
    own: &[Place],
) -> Vec<Vec<Option<Place>>> {
    let uses = names.uses_of(declaration).iter();
    let calls = uses.filter_map(|&leaf| arguments_of(document, leaf, own));
    calls.collect()
}

/// A list, a place in its row, and the child there.
pub(super) type Place = (NodeId, u32, NodeId);

fn all(places: Vec<Place>) -> Vec<Option<Place>> {
    places.into_iter().map(Some).collect()
}

/// The arguments of a call, by the parameters that they are for.
fn arguments_of(document: &Document, leaf: NodeId, own: &[Place]) -> Option<Vec<Option<Place>>> {
    let list = argument_list(document, leaf)?;
    let is_member = document.node(list).parent != document.node(leaf).parent;
    let given = elements(document, list);
    let takes_receiver = is_member
        && given.len() < own.len()
        && own
            .first()
            .is_some_and(|&(.., node)| is_receiver(document, node));
    let receiver = takes_receiver.then_some(None);
    Some(receiver.into_iter().chain(all(given)).collect())
}

/// By parameter, what the call gives for it whose callee is named by `leaf`: an argument, or what a method is called on.
pub(super) fn given_for(
    document: &Document,
    leaf: NodeId,
    parameters: NodeId,
) -> Option<Vec<(NodeId, NodeId)>> {
    let own = elements(document, parameters);
    let given = arguments_of(document, leaf, &own)?;
    let receiver = || document.children(document.node(leaf).parent).next();
    let node_of = |given: Option<Place>| given.map(|(.., node)| node).or_else(receiver);
    let parameters = own.iter().map(|&(.., parameter)| parameter);
    let pairs = parameters.zip(given.into_iter().map(node_of));
    pairs
        .map(|(parameter, given)| Some((parameter, given?)))
        .collect()
}

/// Whether a parameter is for what a method is called on.
pub(super) fn is_receiver(document: &Document, parameter: NodeId) -> bool {
    let Some(language) = document.language() else {
        return false;
    };
    let words = &language.facts().receivers;
    let mut nodes = parameter..document.node(parameter).end_id;
    nodes.any(|node| {
        let mut words = words.iter();
        document.is_leaf(node) && words.any(|word| word.as_bytes() == document.text(node))
    })
}

/// The named children of a list: its node, the place in its row, the child.
fn elements(document: &Document, list: NodeId) -> Vec<Place> {
    (0u32..)
        .zip(document.row(list))
        .filter(|&(_, child)| document.node(child).is_named())
        .map(|(place, child)| (list, place, child))
        .collect()
}

/// The removal of several children, each from its list.
pub(super) fn removal(document: &Document, places: &[Place]) -> Option<Proposal> {
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

    #[test]
    fn what_a_method_is_called_on_is_no_argument() {
        let text = "impl S { fn f(&self, a: u8, b: u8) { } } fn g(s: S) { s.f(1, 2) }";
        let found = offered("rust", text, arguments);
        assert_eq!(
            found,
            [
                "impl S { fn f(&self) { } } fn g(s: S) { s.f() }",
                "impl S { fn f(&self,  b: u8) { } } fn g(s: S) { s.f( 2) }",
                "impl S { fn f(&self, a: u8) { } } fn g(s: S) { s.f(1) }",
            ]
        );
    }
}
