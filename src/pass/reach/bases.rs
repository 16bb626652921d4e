//! What a type needs whoever names it: what makes its objects, and what the types ask for that it is made from, which need not be in
//! the document.

use super::{Reach, place::Place};
use crate::{
    pass::{Context, bodies::is_one_of_words, names::Declaration},
    syntax::{Document, LanguageFacts, NodeId, Role},
};
use rustc_hash::FxHashSet;

impl Reach {
    /// Notes the members that are defined apart from what they belong to.
    pub(super) fn note_owned(&mut self, place: &Place) {
        let names = place.context.names();
        let heads = names.heads.iter();
        let owners = heads.filter(|&&head| names.is_owner(head) || names.is_receiver(head));
        let owned = owners.filter(|&&head| place.is_own(head));
        let owned = owned.filter_map(|&head| place.parts.around(head));
        self.is_owned.extend(owned.map(|(_, part)| part as usize));
    }

    /// Notes that some members need those of their names in what their types are made from. Cost: linear in the heads of declarations.
    pub(super) fn note_overriding(&mut self, place: &Place) {
        let (document, names) = (place.context.document(), place.context.names());
        let facts = document.language().map(|language| language.facts());
        let words = facts.map_or(&[][..], |facts| &facts.overriding);
        if words.is_empty() {
            return;
        }
        let is_word = |node: NodeId| is_one_of_words(document, node, words);
        let is_overriding = |member: &&Declaration| {
            let mut before = member.declarer..member.leaf;
            place.exported(member).is_some() && before.any(is_word)
        };
        let members = names.declarations.iter().filter(is_overriding);
        self.uses
            .extend(members.map(|member| (member.leaf, member.name)));
    }

    /// Notes the members that their type needs: they stay while it does.
    pub(super) fn note_needed(&mut self, place: &Place) {
        for declaration in needed_members(place.context) {
            if let Some(part) = place.exported(declaration) {
                let is_member = self.outer[part as usize].is_some() || self.is_owned[part as usize];
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
    let promise = &*facts.promise_field;
    if words.is_empty() && facts.signatures.is_empty() && promise.is_empty() {
        return Vec::new();
    }
    let is_word = |node: NodeId| is_one_of_words(document, node, words);
    let is_promised = |member: &&Declaration| {
        let around = document.node(document.node(member.declarer).parent).parent;
        !promise.is_empty() && document.child_in_field(around, promise).is_some()
    };
    let received = names.received(document);
    let is_received = |member: &Declaration| received.contains(&member.declarer);
    let all = names.declarations.iter();
    // Where members are declared apart, what asks for them is a member of no list.
    let asks = |it: &&Declaration| {
        let is_member = document.is_member(it.declarer) || !received.is_empty();
        is_member && document.is_signature(it.declarer)
    };
    let asking = all.clone().filter(asks);
    let asked_names: FxHashSet<u32> = asking.map(|it| it.name).collect();
    let is_asked_for = |member: &Declaration| {
        let mut before = member.declarer..member.leaf;
        asked_names.contains(&member.name) && !document.is_signature(member.declarer)
            || is_method(document, facts, member.declarer) && before.any(is_word)
    };
    let makes_objects = |member: &Declaration| {
        let name = facts.constructor.as_bytes();
        !name.is_empty() && document.text(member.leaf) == name
    };
    let is_needed = |member: &&Declaration| {
        let may_be_asked = is_received(member) || has_base(document, member.declarer);
        makes_objects(member) || may_be_asked && is_asked_for(member)
    };
    let is_member = |it: &&Declaration| document.is_member(it.declarer) || is_received(it);
    all.filter(|it| is_promised(it) || is_member(it) && is_needed(it))
        .collect()
}

/// Whether a node is a function that is no constructor, or what looks like a field and is some functions.
fn is_method(document: &Document, facts: &LanguageFacts, node: NodeId) -> bool {
    let tells = |child: NodeId| {
        document.has_role(child, Role::Parameters)
            || document.field_name(child) == Some("accessors")
            || facts.bodies.contains_key(document.kind_name(child))
    };
    document.children(node).any(tells) && !document.kind_name(node).contains("constructor")
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
