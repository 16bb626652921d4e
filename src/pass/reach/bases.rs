//! What a type owes to the types that it is made from, which need not be in the document.

use super::{Reach, notes::Place};
use crate::syntax::{Document, NodeId, Role};

impl Reach {
    /// Notes the members that a base of their type may ask for: they stay while their type does. Cost: linear in the declarations and
    /// their heads.
    pub(super) fn note_asked_for(&mut self, place: &Place) {
        let (document, names) = (place.context.document(), place.context.names());
        let words = document.language().map(|it| &it.facts().asked_for_by_bases);
        let Some(words) = words.filter(|words| !words.is_empty()) else {
            return;
        };
        let is_word = |leaf: NodeId| {
            let mut words = words.iter();
            document.is_leaf(leaf) && words.any(|word| word.as_bytes() == document.text(leaf))
        };
        for declaration in &names.declarations {
            let mut before = declaration.declarer..declaration.leaf;
            if let Some(part) = place.exported(declaration)
                && has_base(document, declaration.declarer)
                && before.any(is_word)
            {
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

/// Whether a node is a member of a type that is made from another one. What has no name always is.
fn has_base(document: &Document, member: NodeId) -> bool {
    let members = document.node(member).parent;
    let of = document.node(members).parent;
    let is_base = |child: NodeId| document.has_role(child, Role::Bases);
    document.has_role(members, Role::Members)
        && (document.children(of).any(is_base) || document.child_in_field(of, "name").is_none())
}
