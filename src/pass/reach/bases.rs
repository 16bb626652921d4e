//! What a type needs whoever names it: what makes its objects, and what the types ask for that it is made from, which need not be in
//! the document.

use super::{Reach, notes::Place};
use crate::{
    pass::{Context, names::Declaration},
    syntax::{Document, NodeId, Role},
};
use rustc_hash::FxHashSet;

impl Reach {
    /// Notes the members that their type needs: they stay while it does.
    pub(super) fn note_needed(&mut self, place: &Place) {
        for declaration in needed_members(place.context) {
            if let Some(part) = place.exported(declaration) {
                let is_member = self.outer[part as usize].is_some();
                let needed = if is_member {
                    &mut self.is_unseen
                } else {
                    &mut self.staying
                };
                needed.insert(part as usize);
            }
        }
    }
}

/// The members that their type needs, in languages that say what bases ask for. Cost: linear in the declarations and the heads of
/// functions.
pub fn needed_members(context: &Context) -> Vec<&Declaration> {
    let (document, names) = (context.document(), context.names());
    let Some(facts) = document.language().map(|language| language.facts()) else {
        return Vec::new();
    };
    let (words, signatures) = (&facts.asked_for_by_bases, &facts.signatures);
    if words.is_empty() && signatures.is_empty() {
        return Vec::new();
    }
    let is_one = |of: &[String], text: &[u8]| of.iter().any(|one| one.as_bytes() == text);
    let is_signature = |declaration: &&Declaration| {
        is_one(
            signatures,
            document.kind_name(declaration.declarer).as_bytes(),
        )
    };
    let asked = names.declarations.iter().filter(is_signature);
    let asked: FxHashSet<u32> = asked.map(|signature| signature.name).collect();
    let is_asked_for = |declaration: &Declaration| {
        let mut before = declaration.declarer..declaration.leaf;
        let mut has_word =
            || before.any(|node| document.is_leaf(node) && is_one(words, document.text(node)));
        has_base(document, declaration.declarer)
            && (asked.contains(&declaration.name)
                || is_method(document, declaration.declarer) && has_word())
    };
    let makes_objects = |declaration: &Declaration| {
        let list = document.node(declaration.declarer).parent;
        document.text(declaration.leaf) == facts.constructor.as_bytes()
            && document.has_role(list, Role::Members)
    };
    let declarations = names.declarations.iter();
    let needed = declarations.filter(|it| makes_objects(it) || is_asked_for(it));
    needed.collect()
}

/// Whether a node is a function that is no constructor.
fn is_method(document: &Document, node: NodeId) -> bool {
    let is_list = |child: NodeId| document.has_role(child, Role::Parameters);
    document.children(node).any(is_list) && !document.kind_name(node).contains("constructor")
}

/// Whether a node is a member of a type that is made from another one. What has no name always is, and so is a value of an enumeration.
fn has_base(document: &Document, member: NodeId) -> bool {
    let members = document.node(member).parent;
    let is_body = |&node: &NodeId| document.field_name(node) == Some("body");
    let mut around = document.around(members).skip(1);
    let of = around.find(|node| !is_body(node)).unwrap_or_default();
    let is_base = |child: NodeId| document.has_role(child, Role::Bases);
    let is_enumerated = |node: NodeId| document.kind_name(node).contains("enum");
    document.has_role(members, Role::Members)
        && (document.children(of).any(is_base)
            || document.child_in_field(of, "name").is_none()
            || is_enumerated(of) && is_enumerated(document.node(of).parent))
}
