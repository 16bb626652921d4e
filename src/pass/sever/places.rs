//! What a use becomes when its declaration goes: the largest thing that stands or falls with it.

use super::{Facts, Filler};
use crate::{
    pass::constructors,
    syntax::{Document, NodeId, Role},
};

/// How far above a name a place is looked for where something else can stand.
const HIGHEST: usize = 3;
/// A part of the document of this share, or of so many tokens, does not go because of one use in it.
const LARGEST_SHARE: u32 = 8;
const LARGEST_AROUND: u32 = 40;

/// What happens to a use.
#[derive(Clone, Copy)]
pub(super) enum Place<'c> {
    Filled(NodeId, &'c [u8]),
    Dropped(NodeId),
}

impl<'c> Facts<'c> {
    /// What a use becomes: the largest thing that stands or falls with it.
    pub(super) fn place_of(&self, leaf: NodeId) -> Option<Place<'c>> {
        let known = self.places.borrow().get(&leaf).copied();
        known.unwrap_or_else(|| {
            let place = self.find_place(leaf);
            self.places.borrow_mut().insert(leaf, place);
            place
        })
    }

    fn find_place(&self, leaf: NodeId) -> Option<Place<'c>> {
        let document = self.context.document();
        let first = if is_member_of_another(document, leaf) {
            document.node(leaf).parent
        } else {
            leaf
        };
        if constructors::heir(document, leaf).is_some() {
            let base = self.filler_of(leaf, &self.fillers.bases);
            let base = base.map(|text| Place::Filled(leaf, text));
            return base.or_else(|| self.dropped(leaf));
        }
        let mut found = None;
        for node in document.around(first).take(HIGHEST) {
            let filler = self.filler_of(node, &self.fillers.others);
            if found.is_none() && filler.is_none() && self.is_unit(node) {
                break;
            }
            found = found.or_else(|| Some((node, filler?)));
        }
        let Some((mut node, mut text)) = found else {
            return self.dropped(leaf);
        };
        while let Some(above) = self.goes_on(node) {
            let Some(filler) = self.filler_of(above, &self.fillers.others) else {
                break;
            };
            (node, text) = (above, filler);
        }
        let statement = document.node(node).parent;
        if document.has_role(statement, Role::ExpressionStatement) {
            return self.dropped(statement);
        }
        Some(Place::Filled(node, text))
    }

    /// The smallest unit around a use, if it is small.
    fn dropped(&self, node: NodeId) -> Option<Place<'c>> {
        let document = self.context.document();
        let unit = self.context.unit_map().around(document, node)?;
        let most = (document.node(0).tokens / LARGEST_SHARE).max(LARGEST_AROUND);
        let is_small = document.node(unit).tokens <= most;
        is_small.then_some(Place::Dropped(unit))
    }

    /// What of any type can stand in the place of a node.
    fn filler_of(&self, node: NodeId, fillers: &[Filler<'c>]) -> Option<&'c [u8]> {
        let row = self.row(self.context.document().node(node).parent);
        let siblings = row.siblings.as_ref()?;
        let place = row.nodes.binary_search(&node).ok()?;
        let mut fillers = fillers.iter();
        fillers
            .find(|&&(kind, _)| siblings.can_stand(place, kind))
            .map(|&(_, text)| text)
    }

    /// The node around one that is made of it: a member of it, its call, what is given to it.
    fn goes_on(&self, node: NodeId) -> Option<NodeId> {
        let document = self.context.document();
        let above = document.node(node).parent;
        let row = self.row(above);
        let goes_on = match row.nodes[..] {
            [first, second, ..] if first == node => {
                let text = document.text(second);
                let is_given = text.ends_with(b"=")
                    && !text.ends_with(b"==")
                    && ![&b"<="[..], b">=", b"!="].contains(&text);
                is_given
                    || document.has_role(second, Role::Arguments)
                    || document.has_role(second, Role::Brackets)
                    || BEHIND.contains(&text)
            }
            [first, second, ..] if second == node => {
                let is_word =
                    |text: &[u8]| text.iter().all(u8::is_ascii_lowercase) && !text.is_empty();
                !document.node(first).is_named() && is_word(document.text(first))
            }
            _ => false,
        };
        (goes_on && above != 0).then_some(above)
    }

    fn is_unit(&self, node: NodeId) -> bool {
        self.context.unit_map().drops_of(node).is_some()
    }
}

/// What stands behind something that is looked into, or asked for something.
const BEHIND: &[&[u8]] = &[b".", b"?.", b"->", b"::", b"[", b"!", b"!!", b"++", b"--"];

/// Whether a name is that of a member of what stands before it.
fn is_member_of_another(document: &Document, leaf: NodeId) -> bool {
    let bytes = document.bytes();
    let before = bytes[..document.node(leaf).range().start].trim_ascii_end();
    let parent = document.node(document.node(leaf).parent).range();
    let behind = [&b"."[..], b"->", b"::"];
    before.len() > parent.start && behind.iter().any(|mark| before.ends_with(mark))
}
