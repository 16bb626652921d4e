//! Numbers for what a list counts: the constants of an enumeration give way to their values wherever they are used.
//!
//! A constant ties its uses to the enumeration and, by a path, to all around that, though nothing but a small number is meant. It is
//! done for a whole list at once: without one of its elements the others would mean other numbers.

use super::{
    Context, Proposal,
    in_place::{is_behind_mark, without_unit},
    proposal::{elements, fingerprint, only},
};
use crate::syntax::{Document, Edit, NodeId, Role, Splice};
use std::ops::Range;

/// For each list of constants: all that it counts as numbers, without the unit around it if nothing else in that is used; else as
/// numbers all but the first, which stays alone. Cost: linear in the names, but for sorting them.
pub(super) fn numbers(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let is_list = |&id: &NodeId| document.has_role(id, Role::Enumerations);
    let lists = document.ids().filter(is_list);
    let lists = lists.filter_map(|list| Enumeration::of(context, list));
    lists.filter_map(|list| list.proposal(context)).collect()
}

/// A list all of whose elements have a known value.
struct Enumeration {
    list: NodeId,
    constants: Vec<Constant>,
}

struct Constant {
    nodes: Range<NodeId>,
    value: u64,
    /// The nodes that name it, each with the path before it.
    uses: Vec<NodeId>,
}

impl Enumeration {
    fn of(context: &Context, list: NodeId) -> Option<Self> {
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
            let uses = uses(context, &nodes)?;
            constants.push(Constant { nodes, value, uses });
            next = value.checked_add(1);
        }
        (!constants.is_empty()).then_some(Self { list, constants })
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
        let uses = self.constants.iter().flat_map(|constant| &constant.uses);
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
        let names = context.names();
        let mut declared = names.declared_in(&nodes).iter();
        let is_needed = declared.any(|declaration| {
            !list.contains(&declaration.leaf) && !names.uses_of(declaration).iter().all(is_inside)
        });
        if is_needed {
            return None;
        }
        let splices = Self::splices(document, &self.constants, &nodes)?;
        without_unit(document, units, unit, splices)
    }

    /// Takes out all elements but the first.
    fn without_others(&self, document: &Document) -> Option<Proposal> {
        let [first, others @ ..] = &self.constants[..] else {
            return None;
        };
        let last = others.last()?;
        let nodes = first.nodes.end..last.nodes.end;
        let mut splices = Self::splices(document, others, &nodes)?;
        let end_of = |constant: &Constant| document.node(constant.nodes.start).range().end;
        splices.push(Splice::deletion(end_of(first)..end_of(last)));
        let tokens = others.iter().map(|it| document.node(it.nodes.start).tokens);
        Some(Proposal {
            weight: tokens.sum(),
            takes: only(nodes),
            target: Some(self.list),
            signature: fingerprint(&[b"numbers", document.text(self.list)]),
            edit: Edit::new(splices),
            ..Proposal::default()
        })
    }

    /// Numbers in the place of the uses of these outside of what goes; `None` where there are no uses.
    fn splices(
        document: &Document,
        constants: &[Constant],
        gone: &Range<NodeId>,
    ) -> Option<Vec<Splice>> {
        let outside = constants.iter().flat_map(|constant| {
            let uses = constant.uses.iter().filter(|node| !gone.contains(node));
            uses.map(|&node| {
                let range = document.node(node).range();
                Splice::replacement(range, constant.value.to_string().as_bytes())
            })
        });
        let splices: Vec<Splice> = outside.collect();
        (!splices.is_empty()).then_some(splices)
    }
}

/// The uses of the constant that an element declares; `None` if something else has its name.
fn uses(context: &Context, element: &Range<NodeId>) -> Option<Vec<NodeId>> {
    let (document, names) = (context.document(), context.names());
    let declaration = names.declared_in(element).first()?;
    if names.has_several(declaration) {
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
