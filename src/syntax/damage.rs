//! Where a document is damaged.

use super::{Document, document::Node};
use std::ops::Range;

impl Document {
    /// The places that the parser did not understand, each with what stands before and behind it; in order, none meets the next.
    pub fn damaged_places(&self) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        for parent in self.ids().filter(|&id| self.node(id).is_damaged()) {
            let children: Vec<Range<usize>> = self
                .children(parent)
                .map(|child| self.node(child).range())
                .collect();
            for (place, child) in self.children(parent).enumerate() {
                if self.node(child).is_error() || self.node(child).is_missing() {
                    let last = (place + 1).min(children.len() - 1);
                    places.push(children[place.saturating_sub(1)].start..children[last].end);
                }
            }
        }
        places.extend(
            Some(self.node(0))
                .filter(|root| root.is_error())
                .map(Node::range),
        );
        places.sort_unstable_by_key(|place| place.start);
        places.dedup_by(|next, place| {
            let meets = next.start <= place.end;
            if meets {
                place.end = place.end.max(next.end);
            }
            meets
        });
        places
    }
}
