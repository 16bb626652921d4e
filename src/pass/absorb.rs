//! Absorbing: an expression moves into its neighbour, in the place of a name that it is about.
//!
//! `i++; a[i] = 0;` becomes `a[i++] = 0;`, `for (; i < 9; i++)` becomes `for (; i++ < 9;)`, `x = f(); g(x);` becomes
//! `g(x = f());`. One token less, and one statement, which often opens more.

use super::{
    Context,
    in_place::value_at_use,
    proposal::{Proposal, fingerprint, for_each_row, only, surroundings},
};
use crate::syntax::{Document, Edit, NodeId, Role};

/// Larger expressions stay where they are.
const LARGEST: u32 = 10;
/// How many neighbours away an expression may go.
const FARTHEST: usize = 2;

/// All expressions that can go, each in the place of the first of its names in a neighbour.
pub fn absorptions(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let mut proposals = Vec::new();
    for_each_row(document, |parent, row, siblings| {
        let named: Vec<usize> = (0..row.len())
            .filter(|&place| document.node(row[place]).is_named())
            .collect();
        for (order, &place) in named.iter().enumerate() {
            if !siblings.can_drop(place..place + 1) {
                continue;
            }
            let Some(expression) = expression(document, row[place]) else {
                continue;
            };
            let near = order.saturating_sub(FARTHEST)..(order + FARTHEST + 1).min(named.len());
            for &other in named[near].iter().filter(|&&other| other != place) {
                proposals.extend(absorption(
                    document,
                    (parent, place, row[place]),
                    expression,
                    row[other],
                ));
            }
        }
    });
    proposals
}

/// The expression that a child is, or is a statement of.
fn expression(document: &Document, child: NodeId) -> Option<NodeId> {
    let inner = if document.has_role(child, Role::ExpressionStatement) {
        document
            .children(child)
            .find(|&part| document.node(part).is_named())?
    } else {
        child
    };
    let small = document.node(inner).tokens <= LARGEST && !document.is_leaf(inner);
    (small && document.has_role(inner, Role::Expressions)).then_some(inner)
}

fn absorption(
    document: &Document,
    (parent, place, child): (NodeId, usize, NodeId),
    expression: NodeId,
    neighbour: NodeId,
) -> Option<Proposal> {
    let identifiers = &document.language()?.facts().identifiers;
    let is_name = |leaf: &NodeId| {
        document.is_leaf(*leaf)
            && identifiers
                .first()
                .is_some_and(|kind| kind == document.kind_name(*leaf))
    };
    let range = |node: NodeId| node..document.node(node).end_id;
    let own: Vec<&[u8]> = range(expression)
        .filter(is_name)
        .map(|leaf| document.text(leaf))
        .collect();
    let target = range(neighbour)
        .filter(is_name)
        .find(|&leaf| own.contains(&document.text(leaf)) && takes(document, leaf, expression))?;
    let splice = value_at_use(document, expression, target);
    let tokens = u32::try_from(document.lexis().count(&splice.text)).ok()?;
    let weight = (document.node(child).tokens + 1).checked_sub(tokens)?;
    (weight > 0).then(|| Proposal {
        drops: vec![(parent, u32::try_from(place).unwrap_or(u32::MAX))],
        edit: Edit::new(vec![splice]),
        weight,
        takes: only(range(child)),
        target: Some(target),
        signature: fingerprint(&[
            b"absorb",
            &document.fingerprint(child).to_le_bytes(),
            &document.fingerprint(neighbour).to_le_bytes(),
        ]),
        ..Proposal::default()
    })
}

/// Whether the expression can stand where the leaf stands.
fn takes(document: &Document, leaf: NodeId, expression: NodeId) -> bool {
    surroundings(document, leaf).is_some_and(|(siblings, place)| {
        siblings.is_accepted() && siblings.can_stand(place, document.shape(expression))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::assert_offers;

    #[test]
    fn an_expression_moves_to_its_neighbour() {
        for (language, text, wanted) in [
            (
                "c",
                "int f() { for (; b < 0; b++) c(); }",
                "int f() { for (; b++ < 0; ) c(); }",
            ),
            (
                "c",
                "int f() { i++; a[i] = 0; }",
                "int f() {  a[i++] = 0; }",
            ),
            ("javascript", "x = f()\ng(x)", "\ng(x = f())"),
            (
                "javascript",
                "function f() { a += 1; return a }",
                "function f() {  return a += 1 }",
            ),
        ] {
            assert_offers(language, text, wanted, absorptions);
        }
    }
}
