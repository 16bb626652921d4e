//! Inlining: what a declaration declares takes the place of its use, and the declaration goes.
//!
//! - A definition that is used as the same kind of thing (`struct s { … }; struct s v;`) moves to its only use, without its name.
//! - A call becomes what the function returns, with the arguments in the place of the parameters.
//! - A statement that calls becomes the statements of the function's body.

use super::{
    Context, arguments,
    bundle::UnitMap,
    names::{Declaration, Names},
    proposal::{Proposal, fingerprint, only, surroundings},
};
use crate::{
    grammar::Symbol,
    syntax::{Document, Edit, Joint, NodeId, Role, Splice},
};
use std::ops::Range;

/// How far above a call the statement is looked for that holds it.
const HIGHEST: usize = 4;

/// The inlinings of every declaration that has uses.
pub fn inlinings(context: &Context) -> Vec<Proposal> {
    let (document, names, units) = (context.document(), context.names(), context.unit_map());
    let mut proposals = Vec::new();
    for declaration in &names.declarations {
        // A method is used outside of the scope that declares it, so all uses of the text count.
        let uses: Vec<NodeId> = names
            .uses_of(declaration)
            .iter()
            .copied()
            .filter(|leaf| {
                !(declaration.declarer..document.node(declaration.declarer).end_id).contains(leaf)
            })
            .collect();
        let Some(unit) = units.around(document, declaration.declarer) else {
            continue;
        };
        if uses.is_empty() {
            continue;
        }
        let mut texts = definition_at_use(document, declaration, &uses);
        texts.extend(all(&uses, |leaf| {
            returned_value(document, names, declaration, leaf)
        }));
        texts.extend(all(&uses, |leaf| {
            body_statements(document, names, declaration, leaf)
        }));
        for splices in texts {
            proposals.extend(inlining(document, units, unit, splices));
        }
    }
    proposals
}

/// One splice for every use, or none at all.
fn all(uses: &[NodeId], splice: impl Fn(NodeId) -> Option<Splice>) -> Option<Vec<Splice>> {
    uses.iter().map(|&leaf| splice(leaf)).collect()
}

/// The splices at the uses, and the unit that declares goes.
fn inlining(
    document: &Document,
    units: &UnitMap,
    unit: NodeId,
    splices: Vec<Splice>,
) -> Option<Proposal> {
    let own = document.node(unit);
    let before: usize = splices
        .iter()
        .map(|splice| document.lexis().count(&document.bytes()[splice.range()]))
        .sum();
    let after: usize = splices
        .iter()
        .map(|splice| document.lexis().count(&splice.text))
        .sum();
    let saved = (before + own.tokens as usize)
        .checked_sub(after)
        .filter(|&saved| saved > 0)?;
    let inside = |splice: &Splice| splice.start < own.end && own.start < splice.end;
    if splices.iter().any(inside) {
        return None;
    }
    let texts: Vec<u8> = splices
        .iter()
        .flat_map(|splice| splice.text.to_vec())
        .collect();
    Some(Proposal {
        drops: units.drops_of(unit)?.to_vec(),
        weight: u32::try_from(saved).unwrap_or(u32::MAX),
        takes: only(unit..own.end_id),
        target: Some(unit),
        signature: fingerprint(&[b"inline", document.text(unit), &texts]),
        edit: Edit::new(splices),
        ..Proposal::default()
    })
}

/// The definition in the place of the only node of the same kind that means it: with its name, and without.
fn definition_at_use(
    document: &Document,
    declaration: &Declaration,
    uses: &[NodeId],
) -> Vec<Vec<Splice>> {
    let definition = document.node(declaration.declarer);
    let place = document.node(uses[0]).parent;
    if document.node(place).kind != definition.kind {
        return Vec::new();
    }
    let range = document.node(place).range();
    let named = document.text(declaration.declarer).to_vec();
    let name = document.node(declaration.leaf).range();
    let mut nameless = named.clone();
    nameless.drain(name.start - definition.start as usize..name.end - definition.start as usize);
    let splice = |text: &[u8]| vec![Splice::replacement(range.clone(), text)];
    if uses.len() == 1 {
        vec![splice(&nameless), splice(&named)]
    } else {
        vec![splice(&named)]
    }
}

/// The function that a declaration declares: the node with a body, and the body.
fn function(document: &Document, declaration: &Declaration) -> Option<(NodeId, NodeId)> {
    let body_of = |node: NodeId| document.child_in_field(node, "body");
    let value = document.child_in_field(declaration.declarer, "value");
    [Some(declaration.declarer), value]
        .into_iter()
        .flatten()
        .find_map(|node| Some((node, body_of(node)?)))
}

/// The call whose callee is named by `leaf`.
fn call(document: &Document, leaf: NodeId) -> Option<NodeId> {
    let list = arguments::argument_list(document, leaf)?;
    Some(document.node(list).parent)
}

/// The value that the function returns instead of a call of it.
fn returned_value(
    document: &Document,
    names: &Names,
    declaration: &Declaration,
    leaf: NodeId,
) -> Option<Splice> {
    let (function, body) = function(document, declaration)?;
    let call = call(document, leaf)?;
    let value = if document.has_role(body, Role::Expressions) || document.is_leaf(body) {
        body
    } else {
        let end = document.node(body).end_id;
        let last = (body..end).rfind(|&id| document.has_role(id, Role::Returns))?;
        document
            .children(last)
            .find(|&child| document.node(child).is_named())?
    };
    let text = with_arguments(
        document,
        names,
        function,
        leaf,
        value..document.node(value).end_id,
    )?;
    Some(Splice::replacement(document.node(call).range(), &text))
}

/// The text of some nodes of a function, with the arguments of a call in the place of the parameters.
fn with_arguments(
    document: &Document,
    names: &Names,
    function: NodeId,
    leaf: NodeId,
    nodes: Range<NodeId>,
) -> Option<Vec<u8>> {
    let parameters = arguments::parameters_of(document, function)
        .map(|list| arguments::elements_of(document, list));
    let given = arguments::elements_of(document, arguments::argument_list(document, leaf)?);
    let mut splices = Vec::new();
    for (parameter, argument) in parameters.unwrap_or_default().into_iter().zip(given) {
        let own = parameter..document.node(parameter).end_id;
        let Some(declared) = names.declared_in(&own).first() else {
            continue;
        };
        let uses = names
            .uses_of(declared)
            .iter()
            .filter(|used| nodes.contains(used));
        splices.extend(uses.map(|&used| {
            Splice::replacement(document.node(used).range(), document.text(argument))
        }));
    }
    let range = document.node(nodes.start).start as usize..last_byte(document, &nodes);
    splices.push(Splice::deletion(0..range.start));
    splices.push(Splice::deletion(range.end..document.bytes().len()));
    let mut text = Vec::new();
    Edit::new(splices).render(document.bytes(), Joint::Touch, &mut text);
    Some(text)
}

/// The end of the last of some nodes.
fn last_byte(document: &Document, nodes: &Range<NodeId>) -> usize {
    nodes
        .clone()
        .map(|id| document.node(id).end as usize)
        .max()
        .unwrap_or(0)
}

/// The function's body in the place of the statement that calls it: its statements, or, where several cannot stand, the block.
fn body_statements(
    document: &Document,
    names: &Names,
    declaration: &Declaration,
    leaf: NodeId,
) -> Option<Splice> {
    let (function, body) = function(document, declaration)?;
    let inner = document.row(body);
    let (first, last) = (*inner.first()?, *inner.last()?);
    if inner.len() < 3 || document.node(first).is_named() || document.node(last).is_named() {
        return None;
    }
    let statements = inner[1]..document.node(inner[inner.len() - 2]).end_id;
    let symbols: Vec<_> = inner[1..inner.len() - 1]
        .iter()
        .map(|&statement| document.shape(statement))
        .collect();
    let mut at = call(document, leaf)?;
    for _ in 0..HIGHEST {
        let (siblings, place) = surroundings(document, at)?;
        let fits = |symbols: &[Symbol]| {
            siblings.is_accepted() && siblings.can_stand_for(place..place + 1, symbols)
        };
        let nodes = if fits(&symbols) {
            Some(statements.clone())
        } else {
            fits(&[document.shape(body)]).then(|| body..document.node(body).end_id)
        };
        if let Some(nodes) = nodes {
            let text = with_arguments(document, names, function, leaf, nodes)?;
            return Some(Splice::replacement(document.node(at).range(), &text));
        }
        at = document.node(at).parent;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::assert_offers;

    #[test]
    fn a_definition_takes_the_place_of_its_use() {
        for (language, text, wanted) in [
            (
                "c",
                "struct s { int a; }; struct s v;",
                " struct  { int a; } v;",
            ),
            (
                "c",
                "int f(int a) { return a + 1; } int g() { return f(2); }",
                " int g() { return 2 + 1; }",
            ),
            (
                "javascript",
                "function f(a) { g(a); h() } f(1)",
                " g(1); h()",
            ),
        ] {
            assert_offers(language, text, wanted, inlinings);
        }
    }
}
