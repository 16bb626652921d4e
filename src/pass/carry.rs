//! Carrying: a node gives its place to something smaller from inside it, which takes along what is declared there for it.
//!
//! `(() => { function f() {} return f })()` becomes `function f() {}` before the statement, and `f` in the place of the call. A
//! hoist alone would leave a name behind that nobody declares.

use super::{
    Context,
    bundle::UnitMap,
    names::Names,
    proposal::{Proposal, fingerprint, for_each_place, surroundings},
};
use crate::{
    grammar::{Kind, Siblings},
    syntax::{Document, Edit, NodeId, Splice},
};

/// Nodes of more tokens are left to simpler changes.
const LARGEST: u32 = 500;
/// How far above the node a place for the declarations is looked for.
const HIGHEST: usize = 8;
/// How many declarations are taken along.
const MOST_CARRIED: usize = 4;

/// All hoists of what uses names that are declared around it, with their declarations.
pub fn carries(context: &Context) -> Vec<Proposal> {
    let (document, names, units) = (context.document(), context.names(), context.unit_map());
    let mut proposals = Vec::new();
    for_each_place(document, |siblings, place, node| {
        if !document.is_leaf(node) && document.node(node).tokens <= LARGEST {
            let carrying = Carrying {
                document,
                names,
                units,
                node,
            };
            carrying.all(siblings, place, &mut proposals);
        }
    });
    proposals
}

/// The search for what can take the place of one node.
struct Carrying<'d> {
    document: &'d Document,
    names: &'d Names,
    units: &'d UnitMap,
    node: NodeId,
}

impl Carrying<'_> {
    fn all(&self, siblings: &Siblings, place: usize, proposals: &mut Vec<Proposal>) {
        let Self { document, node, .. } = *self;
        let end = document.node(node).end_id;
        let local = |scope_start: NodeId| scope_start >= node;
        let declares = self.names.declared_in(&(node..end)).iter();
        let uses: Vec<NodeId> = declares
            .filter(|declaration| local(declaration.scope.start))
            .flat_map(|declaration| self.names.uses_in_scope(declaration))
            .copied()
            .collect();
        let mut tried = Vec::new();
        for leaf in uses {
            let mut inner = leaf;
            while inner > node {
                let fits = document.node(inner).is_named()
                    && siblings.can_stand(place, document.shape(inner));
                if fits && !tried.contains(&inner) {
                    tried.push(inner);
                    proposals.extend(self.carry(inner));
                }
                inner = document.node(inner).parent;
            }
        }
    }

    /// The node becomes `inner`, behind the declarations that `inner` needs.
    fn carry(&self, inner: NodeId) -> Option<Proposal> {
        let Self { document, node, .. } = *self;
        let carried = self.needed(inner)?;
        let kinds: Vec<Kind> = carried
            .iter()
            .map(|&unit| document.node(unit).kind)
            .collect();
        let target = place_before(document, node, &kinds)?;
        let lines: Vec<&[u8]> = carried.iter().map(|&unit| document.text(unit)).collect();
        let declarations = [&lines.join(&b'\n'), &b"\n"[..]].concat();
        let (whole, kept) = (document.node(node), document.node(inner));
        let at = document.node(target).start as usize;
        let splices = if at == whole.start as usize {
            let text = [&declarations, document.text(inner)].concat();
            vec![Splice::replacement(whole.range(), &text)]
        } else {
            vec![
                Splice::replacement(at..at, &declarations),
                Splice::replacement(whole.range(), document.text(inner)),
            ]
        };
        let carried_tokens: u32 = carried.iter().map(|&unit| document.node(unit).tokens).sum();
        let weight = whole.tokens.checked_sub(kept.tokens + carried_tokens)?;
        (weight > 0).then(|| Proposal {
            edit: Edit::new(splices),
            weight,
            target: Some(node),
            signature: fingerprint(&[b"carry", document.text(node), document.text(inner)]),
            ..Proposal::default()
        })
    }

    /// The units that declare what `inner` uses, and what these use, in document order; `None` when there are none or too many,
    /// or when one cannot be told from `inner`.
    fn needed(&self, inner: NodeId) -> Option<Vec<NodeId>> {
        let Self { document, node, .. } = *self;
        let range = |of: NodeId| of..document.node(of).end_id;
        let mut needed: Vec<NodeId> = Vec::new();
        let mut open = vec![inner];
        while let Some(user) = open.pop() {
            for declaration in self.names.declared_in(&range(node)) {
                let used = self
                    .names
                    .uses_in_scope(declaration)
                    .iter()
                    .any(|leaf| range(user).contains(leaf));
                if !used
                    || declaration.scope.start < node
                    || range(user).contains(&declaration.leaf)
                {
                    continue;
                }
                let unit = self.units.around(document, declaration.declarer)?;
                if unit <= node || range(unit).contains(&inner) || range(inner).contains(&unit) {
                    return None;
                }
                if !needed.contains(&unit) {
                    needed.push(unit);
                    open.push(unit);
                }
            }
        }
        needed.sort_unstable();
        (1..=MOST_CARRIED).contains(&needed.len()).then_some(needed)
    }
}

/// The nearest node around, or the node itself, before which nodes of these kinds can stand.
fn place_before(document: &Document, node: NodeId, kinds: &[Kind]) -> Option<NodeId> {
    let mut at = node;
    for _ in 0..HIGHEST {
        if at == 0 {
            return None;
        }
        let (siblings, place) = surroundings(document, at)?;
        if siblings.is_accepted() && siblings.can_stand_for(place..place, kinds) {
            return Some(at);
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
    fn what_is_used_comes_along() {
        for (language, text, wanted) in [
            (
                "javascript",
                "(() => { function f() { } return f })()()",
                "function f() { }\nf()",
            ),
            (
                "c",
                "void f() { if (x) { int a; g(); h(a); } }",
                "void f() { int a;\nh(a); }",
            ),
        ] {
            assert_offers(language, text, wanted, carries);
        }
    }
}
