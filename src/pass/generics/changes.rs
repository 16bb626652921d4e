//! What a proposal about something generic changes, as it is found.

use crate::{
    pass::{Proposal, proposal::fingerprint},
    syntax::{Document, Edit, NodeId, Splice},
};
use std::{borrow::Cow, cmp::Reverse, ops::Range};

/// What happens to a part of the document.
enum Change<'d> {
    /// It goes from its row.
    Drop(NodeId),
    /// This stands in its place.
    Put(Cow<'d, [u8]>),
}

/// Changes that are made together.
pub(super) struct Changes<'d> {
    document: &'d Document,
    made: Vec<(Range<usize>, Change<'d>)>,
    signature: Vec<&'d [u8]>,
}

impl<'d> Changes<'d> {
    /// None yet, for what is known by this word.
    pub(super) fn new(document: &'d Document, word: &'static [u8]) -> Self {
        Self {
            document,
            made: Vec::new(),
            signature: vec![word],
        }
    }

    /// What tells these from others in every document.
    pub(super) fn note(&mut self, text: &'d [u8]) {
        self.signature.push(text);
    }

    /// A node goes from its row.
    pub(super) fn drop(&mut self, node: NodeId) {
        let range = self.document.node(node).range();
        self.made.push((range, Change::Drop(node)));
    }

    /// A text stands in the place of these bytes.
    pub(super) fn put(&mut self, range: Range<usize>, text: impl Into<Cow<'d, [u8]>>) {
        self.made.push((range, Change::Put(text.into())));
    }

    /// All of it, without what lies in something else of it; `None` if nothing is saved.
    pub(super) fn proposal(mut self) -> Option<Proposal> {
        let document = self.document;
        let count = |text: &[u8]| i64::try_from(document.lexis().count(text)).ok();
        self.made
            .sort_by_key(|(range, _)| (range.start, Reverse(range.end)));
        let mut proposal = Proposal::default();
        let (mut splices, mut saved, mut end) = (Vec::new(), 0_i64, 0);
        let places = self.made.len();
        for (range, change) in self.made {
            if range.start < end {
                continue;
            }
            end = range.end;
            saved += count(&document.bytes()[range.clone()])?;
            match change {
                Change::Drop(node) => {
                    let parent = document.node(node).parent;
                    let place = document.row(parent).iter().position(|&it| it == node)?;
                    proposal.drops.push((parent, u32::try_from(place).ok()?));
                    proposal.takes.push(node..document.node(node).end_id);
                }
                Change::Put(text) => {
                    saved -= count(&text)?;
                    splices.push(Splice::replacement(range, &text));
                }
            }
        }
        proposal.edit = Edit::new(splices);
        let own = fingerprint(&self.signature);
        proposal.signature = fingerprint(&[&own.to_le_bytes(), &places.to_le_bytes()]);
        proposal.weight = u32::try_from(saved).ok()?;
        proposal.if_smaller()
    }
}
