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

/// The members that their type needs: those by which its objects are made, and those that its bases ask for; in languages that say how
/// they ask. Cost: linear in the declarations and the heads of functions.
pub(in crate::pass) fn needed_members(context: &Context) -> Vec<&Declaration> {
    let (document, names) = (context.document(), context.names());
    let Some(facts) = document.language().map(|language| language.facts()) else {
        return Vec::new();
    };
    let words = &facts.asked_for_by_bases;
    if words.is_empty() && facts.signatures.is_empty() {
        return Vec::new();
    }
    let is_word = |node: NodeId| {
        let mut words = words.iter();
        document.is_leaf(node) && words.any(|word| word.as_bytes() == document.text(node))
    };
    let all = names.declarations.iter();
    let members: Vec<&Declaration> = all.filter(|it| document.is_member(it.declarer)).collect();
    let asking = members
        .iter()
        .filter(|it| document.is_signature(it.declarer));
    let asked_names: FxHashSet<u32> = asking.map(|it| it.name).collect();
    let is_asked_for = |member: &Declaration| {
        let mut before = member.declarer..member.leaf;
        asked_names.contains(&member.name) && !document.is_signature(member.declarer)
            || is_method(document, member.declarer) && before.any(is_word)
    };
    let makes_objects = |member: &Declaration| {
        let name = facts.constructor.as_bytes();
        !name.is_empty() && document.text(member.leaf) == name
    };
    let is_needed = |member: &&Declaration| {
        makes_objects(member) || has_base(document, member.declarer) && is_asked_for(member)
    };
    members.into_iter().filter(is_needed).collect()
}

/// Whether a node is a function that is no constructor.
fn is_method(document: &Document, node: NodeId) -> bool {
    let is_list = |child: NodeId| document.has_role(child, Role::Parameters);
    document.children(node).any(is_list) && !document.kind_name(node).contains("constructor")
}

/// Whether the type of a member is made from another one. What has no name always is, and so is a value of an enumeration.
fn has_base(document: &Document, member: NodeId) -> bool {
    let is_body = |&node: &NodeId| document.field_name(node) == Some("body");
    let mut around = document.around(member).skip(2);
    let of = around.find(|node| !is_body(node)).unwrap_or_default();
    let is_base = |child: NodeId| document.has_role(child, Role::Bases);
    let kind = document.kind_name(of);
    document.children(of).any(is_base)
        || document.child_in_field(of, "name").is_none()
        || kind.contains("enum") && !kind.contains("declaration")
}
