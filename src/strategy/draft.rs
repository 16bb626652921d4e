//! A document with edits that are not written out yet: what a tree strategy holds during a round.
//!
//! The tree of a round never changes. What was accepted is the base, sorted splices over the round's text; a candidate replaces
//! what the base says about a few windows of the text. So a candidate costs the size of its change, and writing it out one copy
//! of the text.

use crate::syntax::{Joint, Splice, render};
use std::{ops::Range, sync::Arc};

/// A text, what was accepted, and what is asked about. A clone shares the first two.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    bytes: Arc<[u8]>,
    base: Arc<Vec<Splice>>,
    changes: Vec<Change>,
}

/// What stands in a window of the text instead of what the base has there.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// A node's bytes.
    pub(super) window: Range<u32>,
    /// Sorted, without overlaps, inside the window.
    pub(super) splices: Vec<Splice>,
}

impl Draft {
    /// The text as it is.
    pub(super) fn new(bytes: Arc<[u8]>) -> Self {
        Self {
            bytes,
            base: Arc::default(),
            changes: Vec::new(),
        }
    }

    /// The same base with other changes: sorted by their windows, which do not overlap.
    #[must_use]
    pub(super) fn with(&self, changes: Vec<Change>) -> Self {
        Self {
            bytes: self.bytes.clone(),
            base: self.base.clone(),
            changes,
        }
    }

    /// The changes become part of the base. Cost: linear in the splices.
    #[must_use]
    pub(super) fn accepted(&self) -> Self {
        Self {
            bytes: self.bytes.clone(),
            base: Arc::new(self.splices().cloned().collect()),
            changes: Vec::new(),
        }
    }

    /// Whether nothing has been accepted.
    pub(super) fn is_untouched(&self) -> bool {
        self.base.is_empty()
    }

    /// Whether all of a range has gone from the base.
    pub(super) fn has_lost(&self, range: &Range<u32>) -> bool {
        let behind = self
            .base
            .partition_point(|splice| splice.start <= range.start);
        behind > 0 && self.base[behind - 1].end >= range.end
    }

    pub(super) fn render(&self, out: &mut Vec<u8>) {
        render(self.splices(), &self.bytes, Joint::KeepTokensApart, out);
    }

    /// The splices of the base and of the changes. What the base has inside a window does not count; a window that has gone
    /// itself changes nothing.
    fn splices(&self) -> impl Iterator<Item = &Splice> {
        let mut position = 0;
        let windows = self.changes.iter().flat_map(move |change| {
            let window = &change.window;
            let before = self.base_from(position, window.start);
            let inside = self.base_from(before.end, window.end);
            position = inside.end;
            let lost = self.has_lost(window);
            let chosen = if lost {
                &self.base[inside]
            } else {
                &change.splices[..]
            };
            self.base[before].iter().chain(chosen)
        });
        let last = self.changes.last();
        let rest = last.map_or(0, |change| self.base_from(0, change.window.end).end);
        windows.chain(&self.base[rest..])
    }

    /// The splices of the base from number `from` on that start before `end`.
    fn base_from(&self, from: usize, end: u32) -> Range<usize> {
        from..from + self.base[from..].partition_point(|splice| splice.start < end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(window: Range<u32>, gone: Range<usize>) -> Change {
        let splices = vec![Splice::deletion(gone)];
        Change { window, splices }
    }

    fn text(draft: &Draft) -> String {
        let mut out = Vec::new();
        draft.render(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_change_replaces_what_the_base_has_in_its_window_only() {
        let draft = Draft::new(b"(abc)(def)(ghi)"[..].into());
        let draft = draft
            .with(vec![change(0..5, 1..2), change(10..15, 11..12)])
            .accepted();
        assert_eq!(text(&draft), "(bc)(def)(hi)");
        let changed = draft.with(vec![change(5..10, 7..9), change(10..15, 13..14)]);
        assert_eq!(text(&changed), "(bc)(d)(gh)");
        assert_eq!(text(&draft), "(bc)(def)(hi)");
    }

    #[test]
    fn nothing_changes_in_a_window_that_has_gone() {
        let draft = Draft::new(b"(abc)(def)"[..].into());
        let draft = draft.with(vec![change(0..10, 0..5)]).accepted();
        assert!(draft.has_lost(&(1..4)) && !draft.has_lost(&(4..6)));
        assert_eq!(text(&draft.with(vec![change(1..4, 2..3)])), "(def)");
    }
}
