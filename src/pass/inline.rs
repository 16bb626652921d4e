//! Inlining: what a declaration declares takes the place of its use, and the declaration goes.
//!
//! - A definition that is used as the same kind of thing (`struct s { … }; struct s v;`) moves to its only use, without its name.
//! - A call becomes what the function returns, with the arguments in the place of the parameters.
//! - A statement that calls becomes the statements of the function's body.

use super::{
    arguments,
    bundle::UnitMap,
    names::{Declaration, Names},
    proposal::{Proposal, fingerprint, row, siblings},
};
use crate::syntax::{Document, Edit, NodeId, Splice, count_tokens};

/// How far above a call the statement is looked for that holds it.
const HIGHEST: usize = 4;

/// The inlinings of every declaration that has uses.
pub fn inlinings(document: &Document, names: &Names, units: &UnitMap) -> Vec<Proposal> {
    let mut proposals = Vec::new();
    for declaration in &names.declarations {
        // A method is used outside of the scope that declares it, so all uses of the text count.
        let uses: Vec<NodeId> = names.uses[declaration.name as usize]
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
            body_statements(document, declaration, leaf)
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
        .map(|splice| count_tokens(&document.bytes()[splice.range()]))
        .sum();
    let after: usize = splices
        .iter()
        .map(|splice| count_tokens(&splice.text))
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
        drops: vec![units.drop_of(unit)?],
        weight: u32::try_from(saved).unwrap_or(u32::MAX),
        takes: vec![unit..own.end_id],
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
    let body_of = |node: NodeId| {
        document
            .children(node)
            .find(|&child| document.field_name(child) == Some("body"))
    };
    let value = document
        .children(declaration.declarer)
        .find(|&child| document.field_name(child) == Some("value"));
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
    let value = if document.kind_name(body).ends_with("expression") || document.is_leaf(body) {
        body
    } else {
        let end = document.node(body).end_id;
        let last = (body..end)
            .filter(|&id| document.kind_name(id) == "return_statement")
            .next_back()?;
        document
            .children(last)
            .find(|&child| document.node(child).is_named())?
    };
    let parameters =
        arguments::elements_of(document, arguments::parameters_of(document, function)?);
    let given = arguments::elements_of(document, arguments::argument_list(document, leaf)?);
    let range = document.node(value).range();
    let mut text = Vec::new();
    let substitutions = parameters
        .iter()
        .zip(&given)
        .flat_map(|(&parameter, &argument)| {
            let end = document.node(parameter).end_id;
            let declared = names.declared_in(&(parameter..end)).first().cloned();
            let uses = declared.map_or(&[][..], |declared| &names.uses[declared.name as usize]);
            let inside = uses
                .iter()
                .filter(|&&used| (value..document.node(value).end_id).contains(&used));
            inside
                .map(move |&used| (document.node(used).range(), argument))
                .collect::<Vec<_>>()
        });
    let mut substitutions: Vec<_> = substitutions.collect();
    substitutions.sort_by_key(|(range, _)| range.start);
    let mut position = range.start;
    for (used, argument) in substitutions {
        text.extend_from_slice(document.bytes().get(position..used.start)?);
        text.extend_from_slice(document.text(argument));
        position = used.end;
    }
    text.extend_from_slice(document.bytes().get(position..range.end)?);
    Some(Splice::replacement(document.node(call).range(), &text))
}

/// The statements of the function's body in the place of the statement that calls it.
fn body_statements(document: &Document, declaration: &Declaration, leaf: NodeId) -> Option<Splice> {
    let (_, body) = function(document, declaration)?;
    let inner = row(document, body);
    let (first, last) = (*inner.first()?, *inner.last()?);
    if inner.len() < 3 || document.node(first).is_named() || document.node(last).is_named() {
        return None;
    }
    let statements = &inner[1..inner.len() - 1];
    let kinds: Vec<_> = statements
        .iter()
        .map(|&statement| document.node(statement).kind)
        .collect();
    let mut at = call(document, leaf)?;
    for _ in 0..HIGHEST {
        let parent = document.node(at).parent;
        let places = row(document, parent);
        let place = places.iter().position(|&child| child == at)?;
        let siblings = siblings(document, parent, &places)?;
        if siblings.is_accepted() && siblings.can_stand_for(place..place + 1, &kinds) {
            let range = document.node(statements[0]).range().start
                ..document.node(*statements.last()?).range().end;
            return Some(Splice::replacement(
                document.node(at).range(),
                &document.bytes()[range],
            ));
        }
        at = parent;
    }
    None
}
