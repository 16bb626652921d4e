//! Fields: a member of a structure goes with the value that each initialiser has for it, and a structure of one member becomes
//! that member.
//!
//! `struct { int a, b; } g = { 1, 2 };` becomes `struct { int b; } g = { 2 };`, and `struct { int a; } g; g.a` becomes
//! `int g; g`.

use super::{
    Context, arguments,
    bundle::UnitMap,
    proposal::{Proposal, fingerprint},
};
use crate::syntax::{Document, Edit, NodeId, Splice};

/// A structure with its members.
struct Structure {
    node: NodeId,
    name: Option<NodeId>,
    /// Each with the declaration that it stands in.
    members: Vec<(NodeId, NodeId)>,
}

/// All removals of a member from its structure and the initialisers, and all structures of one member as that.
pub fn fields(context: &Context) -> Vec<Proposal> {
    let (document, units) = (context.document(), context.unit_map());
    let mut proposals = Vec::new();
    for structure in document
        .ids()
        .filter_map(|node| Structure::of(document, node))
    {
        match structure.members[..] {
            [(declaration, member)] => {
                proposals.extend(structure.as_member(document, units, declaration, member));
            }
            _ => proposals.extend(
                (0..structure.members.len())
                    .filter_map(|place| structure.without_member(document, units, place)),
            ),
        }
    }
    proposals
}

/// Whether a list of values is that of an array of structures.
fn is_of_array(document: &Document, list: NodeId) -> bool {
    document
        .child_in_field(document.node(list).parent, "declarator")
        .is_some_and(|declarator| document.kind_name(declarator) == "array_declarator")
}

impl Structure {
    fn of(document: &Document, node: NodeId) -> Option<Self> {
        if document.kind_name(node) != "struct_specifier" {
            return None;
        }
        let body = document.child_in_field(node, "body")?;
        let is_member = |&child: &NodeId| document.field_name(child) == Some("declarator");
        let members = document.children(body).flat_map(|declaration| {
            let declarators = document.children(declaration).filter(is_member);
            declarators.map(move |declarator| (declaration, declarator))
        });
        let members: Vec<_> = members.collect();
        (!members.is_empty()).then_some(Self {
            node,
            name: document.child_in_field(node, "name"),
            members,
        })
    }

    /// The nodes that mean this structure as a type.
    fn uses(&self, document: &Document) -> Vec<NodeId> {
        let same = |&node: &NodeId| {
            let name = || {
                document
                    .child_in_field(node, "name")
                    .map(|name| document.text(name))
            };
            node == self.node
                || document.kind_name(node) == "struct_specifier"
                    && document.child_in_field(node, "body").is_none()
                    && name()
                        .is_some_and(|name| self.name.is_some_and(|own| document.text(own) == name))
        };
        document.ids().filter(same).collect()
    }

    /// The member goes, and the value at its place in every initialiser, or in every element of one.
    fn without_member(
        &self,
        document: &Document,
        units: &UnitMap,
        place: usize,
    ) -> Option<Proposal> {
        let (declaration, member) = self.members[place];
        let alone = self
            .members
            .iter()
            .filter(|(other, _)| *other == declaration)
            .count()
            == 1;
        let gone = if alone { declaration } else { member };
        let mut drops = vec![units.drop_of(gone)?];
        let mut weight = document.node(gone).tokens + 1;
        for list in self.initialisers(document) {
            let lists = if is_of_array(document, list) {
                arguments::elements_of(document, list)
            } else {
                vec![list]
            };
            for list in lists {
                if let Some(&(index, value)) = arguments::places_of(document, list).get(place) {
                    drops.push((list, index));
                    weight += document.node(value).tokens + 1;
                }
            }
        }
        (drops.len() > 1).then(|| Proposal {
            signature: fingerprint(&[
                b"field",
                document.text(self.node),
                &place.to_le_bytes(),
                &drops.len().to_le_bytes(),
            ]),
            drops,
            weight,
            target: Some(self.node),
            ..Proposal::default()
        })
    }

    /// The lists of values that variables of this structure begin with.
    fn initialisers(&self, document: &Document) -> Vec<NodeId> {
        let of_declaration = |node: NodeId| {
            let declarators = document.children(document.node(node).parent);
            declarators.filter_map(|declarator| document.child_in_field(declarator, "value"))
        };
        let uses = self.uses(document);
        let values = uses.iter().flat_map(|&node| of_declaration(node));
        values
            .filter(|&value| document.kind_name(value) == "initializer_list")
            .collect()
    }

    /// The structure becomes the type of its only member, and each use of the member what it is a member of.
    fn as_member(
        &self,
        document: &Document,
        units: &UnitMap,
        declaration: NodeId,
        member: NodeId,
    ) -> Option<Proposal> {
        if !document.is_leaf(member) {
            return None;
        }
        let kind = document.child_in_field(declaration, "type")?;
        let (start, end) = (
            document.node(declaration).start,
            document.node(member).start,
        );
        let text = document.bytes()[start as usize..end as usize].trim_ascii();
        let mut drops = Vec::new();
        let mut splices = Vec::new();
        for node in self.uses(document) {
            let above = document.node(node).parent;
            let alone = !document
                .children(above)
                .any(|other| document.field_name(other) == Some("declarator"));
            if node == self.node && alone && document.field_name(node).is_none() {
                drops.push(units.drop_of(node)?);
            } else {
                splices.push(Splice::replacement(document.node(node).range(), text));
            }
        }
        for node in document.ids() {
            let is_use = document.kind_name(node) == "field_expression"
                && document
                    .child_in_field(node, "field")
                    .is_some_and(|field| document.text(field) == document.text(member));
            if let Some(object) = document.child_in_field(node, "argument").filter(|_| is_use) {
                let pointer = document
                    .children(node)
                    .any(|child| document.text(child) == b"->");
                let star: &[u8] = if pointer { b"*" } else { b"" };
                let text = [star, document.text(object)].concat();
                splices.push(Splice::replacement(document.node(node).range(), &text));
            }
        }
        let saved = document.node(self.node).tokens - document.node(kind).tokens;
        Some(Proposal {
            drops,
            edit: Edit::new(splices),
            weight: saved.max(1),
            target: Some(self.node),
            signature: fingerprint(&[b"only field", document.text(self.node)]),
            ..Proposal::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::assert_offers;

    #[track_caller]
    fn check(text: &str, wanted: &str) {
        assert_offers("c", text, wanted, fields);
    }

    #[test]
    fn a_member_goes_with_its_values() {
        check(
            "struct s { int a; int b; } g = { 1, 2 }; struct s h = { 3, 4 };",
            "struct s {  int b; } g = {  2 }; struct s h = {  4 };",
        );
        check(
            "struct s { int a, b; } g[] = { { 1, 2 }, { 3, 4 } };",
            "struct s { int a; } g[] = { { 1 }, { 3 } };",
        );
    }

    #[test]
    fn a_structure_of_one_member_becomes_that() {
        check(
            "struct { int a; } g = { 1 }, *p; int f() { return g.a + p->a; }",
            "int g = { 1 }, *p; int f() { return g + *p; }",
        );
        check(
            "struct s { int a; }; struct s g; int f() { g.a = 1; }",
            " int g; int f() { g = 1; }",
        );
    }
}
