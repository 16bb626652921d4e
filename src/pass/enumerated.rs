//! Numbers for what a list counts: the constants of an enumeration give way to their values wherever they are used.
//!
//! A constant ties its uses to the enumeration and, by a path, to all around that, though nothing but a small number is meant. It is
//! done for a whole list at once: without one of its elements the others would mean other numbers.

use super::{
    Context, Proposal,
    bundle::UnitMap,
    in_place::is_behind_mark,
    proposal::{elements, fingerprint, only},
};
use crate::syntax::{Document, Edit, NodeId, Role, Splice};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// For each list of constants: all that it counts as numbers, without the unit around it if nothing else in that is used; else as
/// numbers all but the first, which stays alone. Cost: linear in the names, but for sorting them.
pub(super) fn numbers(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let mut declared = FxHashMap::default();
    for declaration in &context.names().declarations {
        *declared.entry(declaration.name).or_insert(0) += 1;
    }
    let is_list = |&id: &NodeId| document.has_role(id, Role::Enumerations);
    let lists = document.ids().filter(is_list);
    let lists = lists.filter_map(|list| Enumeration::of(context, &declared, list));
    lists.filter_map(|list| list.proposal(context)).collect()
}

/// A list all of whose elements have a known value.
struct Enumeration {
    list: NodeId,
    elements: Vec<Constant>,
}

struct Constant {
    nodes: Range<NodeId>,
    value: u64,
    /// The nodes that name it, each with the path before it.
    uses: Vec<NodeId>,
}

impl Enumeration {
    /// `declared`: by name, how often it is.
    fn of(context: &Context, declared: &FxHashMap<u32, u32>, list: NodeId) -> Option<Self> {
        let document = context.document();
        let is_element = |&node: &NodeId| document.node(node).is_named();
        let mut next = Some(0);
        let mut constants = Vec::new();
        for node in elements(document, list)?.into_iter().filter(is_element) {
            if let Some(value) = document.child_in_field(node, "value") {
                let text = std::str::from_utf8(document.text(value)).ok();
                next = text.and_then(|text| text.parse().ok());
            }
            let value = next?;
            let nodes = node..document.node(node).end_id;
            let uses = uses(context, declared, &nodes)?;
            constants.push(Constant { nodes, value, uses });
            next = value.checked_add(1);
        }
        let elements = constants;
        (!elements.is_empty()).then_some(Self { list, elements })
    }

    fn proposal(&self, context: &Context) -> Option<Proposal> {
        self.without_all(context)
            .or_else(|| self.without_others(context.document()))
    }

    /// Takes out the unit around the list.
    fn without_all(&self, context: &Context) -> Option<Proposal> {
        let (document, units) = (context.document(), context.unit_map());
        let unit = units.around(document, document.node(self.list).parent)?;
        let nodes = unit..document.node(unit).end_id;
        let uses = self.elements.iter().flat_map(|constant| &constant.uses);
        let mut paths: Vec<Range<NodeId>> =
            uses.map(|&node| node..document.node(node).end_id).collect();
        paths.sort_unstable_by_key(|path| path.start);
        // The name of the enumeration in the path to a constant goes with that.
        let is_in_path = |leaf: &NodeId| {
            let behind = paths.partition_point(|path| path.start <= *leaf);
            behind > 0 && paths[behind - 1].contains(leaf)
        };
        let is_inside = |leaf: &NodeId| nodes.contains(leaf) || is_in_path(leaf);
        let list = self.list..document.node(self.list).end_id;
        let is_counted = |leaf: NodeId| list.contains(&leaf);
        let names = context.names();
        let mut declared = names.declared_in(&nodes).iter();
        let is_needed = declared.any(|declaration| {
            !is_counted(declaration.leaf) && !names.uses_of(declaration).iter().all(is_inside)
        });
        if is_needed {
            return None;
        }
        let splices = Self::splices(document, &self.elements, &nodes);
        let gone = document.node(unit).tokens;
        self.taking(document, splices, nodes, gone, drops_of(units, unit)?)
    }

    /// Takes out all elements but the first.
    fn without_others(&self, document: &Document) -> Option<Proposal> {
        let [first, others @ ..] = &self.elements[..] else {
            return None;
        };
        let nodes = first.nodes.end..others.last()?.nodes.end;
        let mut splices = Self::splices(document, others, &nodes);
        let bytes = document.node(first.nodes.start).range().end
            ..document.node(others.last()?.nodes.start).range().end;
        splices.push(Splice::deletion(bytes));
        let tokens = others.iter().map(|it| document.node(it.nodes.start).tokens);
        let gone = tokens.sum();
        self.taking(document, splices, nodes, gone, Vec::new())
    }

    /// Numbers in the place of the uses of these outside of what goes.
    fn splices(document: &Document, constants: &[Constant], gone: &Range<NodeId>) -> Vec<Splice> {
        let outside = constants.iter().flat_map(|constant| {
            let uses = constant.uses.iter().filter(|node| !gone.contains(node));
            uses.map(|&node| {
                let range = document.node(node).range();
                Splice::replacement(range, constant.value.to_string().as_bytes())
            })
        });
        outside.collect()
    }

    /// The numbers, and that these nodes, of so many tokens, go.
    fn taking(
        &self,
        document: &Document,
        splices: Vec<Splice>,
        nodes: Range<NodeId>,
        gone: u32,
        drops: Vec<(NodeId, u32)>,
    ) -> Option<Proposal> {
        // Where nothing uses them there is nothing to be replaced.
        let has_uses = splices.iter().any(|splice| !splice.text.is_empty());
        has_uses.then(|| Proposal {
            drops,
            weight: gone.max(1),
            takes: only(nodes),
            target: Some(self.list),
            signature: fingerprint(&[b"numbers", document.text(self.list)]),
            edit: Edit::new(splices),
            ..Proposal::default()
        })
    }
}

fn drops_of(units: &UnitMap, unit: NodeId) -> Option<Vec<(NodeId, u32)>> {
    units.drops_of(unit).map(<[_]>::to_vec)
}

/// The uses of the constant that an element declares; `None` if something else has its name.
fn uses(
    context: &Context,
    declared: &FxHashMap<u32, u32>,
    element: &Range<NodeId>,
) -> Option<Vec<NodeId>> {
    let (document, names) = (context.document(), context.names());
    let declaration = names.declared_in(element).first()?;
    if declared[&declaration.name] > 1 {
        return None;
    }
    let uses = names.uses_of(declaration).iter();
    Some(uses.map(|&leaf| with_path(document, leaf)).collect())
}

/// A name with the path that leads to it.
fn with_path(document: &Document, leaf: NodeId) -> NodeId {
    let mut at = leaf;
    while at != 0 && is_behind_mark(document, at) {
        at = document.node(at).parent;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::offered;

    #[test]
    fn constants_become_numbers_and_their_list_goes() {
        for (language, text, wanted) in [
            (
                "c",
                "enum { A, B = 4, C }; int f() { return A + C; }",
                " int f() { return 0 + 5; }",
            ),
            (
                "cpp",
                "struct s { enum e { a, b }; int c; }; int f() { return s::b; }",
                "struct s {  int c; }; int f() { return 1; }",
            ),
            (
                "cpp",
                "enum e { a, b, c }; int f(e g) { return n::c; }",
                "enum e { a }; int f(e g) { return 2; }",
            ),
            ("typescript", "enum A { B, C }\nf(A.C);\n", "\nf(1);\n"),
        ] {
            assert_eq!(offered(language, text, numbers), [wanted], "{text}");
        }
    }

    #[test]
    fn what_is_not_known_or_not_used_stays() {
        for text in [
            "enum { A = B, C }; int f() { return C; }",
            "enum { A, B }; int f() { return 1; }",
            "enum { A, B }; int f() { int A; return A; }",
        ] {
            assert_eq!(offered("c", text, numbers), [""; 0], "{text}");
        }
    }
}
