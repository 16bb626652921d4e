//! The changes that a rewrite makes at one place and at its uses, as one proposal.

use super::{binding::Bound, words::substituted};
use crate::pass::proposal::{Proposal, fingerprint};
use crate::syntax::{
    Document, Edit, NodeId, Splice,
    rewrites::{Part, Piece, Template},
};
use std::ops::Range;

/// The changes of one rewrite as they are found.
#[derive(Default)]
pub(super) struct Changes {
    splices: Vec<Splice>,
    drops: Vec<(NodeId, u32)>,
    takes: Vec<Range<NodeId>>,
    /// What is replaced as a whole, each with the parts of it that stay in place.
    wholes: Vec<(Range<usize>, Vec<Range<usize>>)>,
    target: Option<NodeId>,
    /// What tells it from a change of the same texts elsewhere: all of what is rewritten, and the kinds around what is replaced.
    pub(super) circumstances: Vec<u8>,
}

impl Changes {
    /// Adds what a part makes of a match; `None` if it makes nothing of it, and is no mere condition there.
    pub(super) fn make(
        &mut self,
        document: &Document,
        part: &Part,
        bound: &Bound,
        main: Option<&Bound>,
    ) -> Option<()> {
        let before = self.splices.len() + self.drops.len();
        let mut replaced: Vec<(NodeId, &Template)> = Vec::new();
        for (name, template) in &part.replace {
            let nodes = bound.nodes.iter().filter(|(known, _)| known == name);
            replaced.extend(nodes.map(|(_, node)| (*node, template)));
        }
        // What holds others comes before them.
        replaced.sort_by_key(|(node, _)| *node);
        for (node, template) in replaced {
            let around = document.kind_name(document.node(node).parent);
            self.circumstances.extend_from_slice(around.as_bytes());
            self.replace(document, node, template, (bound, main))?;
        }
        for name in &part.remove {
            for &(_, node) in bound.nodes.iter().filter(|(known, _)| known == name) {
                let parent = document.node(node).parent;
                let row = document.row(parent);
                let place = row.iter().position(|&child| child == node)?;
                self.drops.push((parent, u32::try_from(place).ok()?));
                self.takes.push(node..document.node(node).end_id);
            }
        }
        let has_changed = self.splices.len() + self.drops.len() > before;
        let is_condition = !part.changed().any(|name| bound.node(name).is_some());
        (has_changed || is_condition).then_some(())
    }

    /// The text of a template in the place of a node.
    fn replace(
        &mut self,
        document: &Document,
        node: NodeId,
        template: &Template,
        names: (&Bound, Option<&Bound>),
    ) -> Option<()> {
        let whole = document.node(node).range();
        let is_part_of = |(outer, kept): &(Range<usize>, Vec<Range<usize>>)| {
            let lies_in =
                |outer: &Range<usize>| outer.start <= whole.start && whole.end <= outer.end;
            whole.start < outer.end && outer.start < whole.end && !kept.iter().any(lies_in)
        };
        if self.wholes.iter().any(is_part_of) {
            return None;
        }
        let kept = kept(document, node, template, names);
        let (splices, kept): (_, Vec<_>) = if let Some(kept) = kept {
            let splices = around_kept(&whole, template, &kept);
            (splices, kept.into_iter().flatten().collect())
        } else {
            let text = rendered(document, template, names)?;
            (vec![Splice::replacement(whole.clone(), &text)], Vec::new())
        };
        if names.1.is_none() {
            self.target = self.target.or(Some(node));
            self.wholes.push((whole, kept));
        }
        let changes = |splice: &Splice| document.bytes()[splice.range()] != *splice.text;
        self.splices.extend(splices.into_iter().filter(changes));
        Some(())
    }

    pub(super) fn proposal(self, document: &Document, name: &str) -> Option<Proposal> {
        // What declares a name may name it itself, and goes with it.
        let mut splices = self.splices;
        let is_gone = |splice: &Splice| {
            let mut taken = self.takes.iter();
            taken.any(|nodes| holds(document, nodes, splice))
        };
        splices.retain(|splice| !is_gone(splice));
        let edit = Edit::new(splices);
        let lexis = document.lexis();
        let mut saved: i64 = 0;
        let mut parts: Vec<&[u8]> = vec![b"rewrite", name.as_bytes(), &self.circumstances];
        for splice in edit.splices() {
            let old = &document.bytes()[splice.range()];
            parts.extend([old, &splice.text[..]]);
            saved += i64::try_from(lexis.count(old)).ok()?;
            saved -= i64::try_from(lexis.count(&splice.text)).ok()?;
        }
        for taken in &self.takes {
            parts.push(document.text(taken.start));
            saved += i64::from(document.node(taken.start).tokens);
        }
        let is_smaller = saved > 0 || saved == 0 && edit.saved_bytes() > 0;
        let places = edit.splices().len() + self.drops.len();
        let signature = fingerprint(&parts);
        is_smaller.then(|| Proposal {
            drops: self.drops,
            edit,
            weight: u32::try_from(saved.max(1)).unwrap_or(u32::MAX),
            takes: self.takes,
            target: self.target,
            signature: fingerprint(&[&signature.to_le_bytes(), &places.to_le_bytes()]),
            ..Proposal::default()
        })
    }
}

/// Whether a splice lies within nodes.
fn holds(document: &Document, nodes: &Range<NodeId>, splice: &Splice) -> bool {
    let range = document.node(nodes.start).range();
    range.start <= splice.range().start && splice.range().end <= range.end
}

/// The nodes that a template keeps, if it keeps them in their order inside of the node that it replaces.
fn kept(
    document: &Document,
    node: NodeId,
    template: &Template,
    (own, main): (&Bound, Option<&Bound>),
) -> Option<Vec<Option<Range<usize>>>> {
    let whole = document.node(node).range();
    let mut end = whole.start;
    let mut kept = Vec::new();
    for piece in &template.pieces {
        let name = match piece {
            Piece::Text(_) => continue,
            Piece::Name(name) => name,
            Piece::Substituted { .. } => return None,
        };
        let Some(node) = own.node(name) else {
            let stands_for_text = |bound: &Bound| bound.text(document, name).is_some();
            if stands_for_text(own) || main.is_some_and(stands_for_text) {
                return None;
            }
            // What an optional pattern has not captured.
            kept.push(None);
            continue;
        };
        let range = document.node(node).range();
        if range.start < end || range.end > whole.end {
            return None;
        }
        end = range.end;
        kept.push(Some(range));
    }
    Some(kept)
}

/// The texts of a template between the nodes that it keeps, one for each of its names.
fn around_kept(
    whole: &Range<usize>,
    template: &Template,
    kept: &[Option<Range<usize>>],
) -> Vec<Splice> {
    let (mut splices, mut text) = (Vec::new(), Vec::new());
    let mut start = whole.start;
    let mut is_missing = false;
    let mut kept = kept.iter();
    for piece in &template.pieces {
        if let Piece::Text(piece) = piece {
            // The blank behind what is not there separates nothing.
            let separated = piece.strip_prefix(' ').filter(|_| is_missing);
            text.extend_from_slice(separated.unwrap_or(piece).as_bytes());
            is_missing = false;
        } else if let Some(Some(node)) = kept.next() {
            splices.push(Splice::replacement(start..node.start, &text));
            text.clear();
            start = node.end;
            is_missing = false;
        } else {
            is_missing = text.is_empty();
        }
    }
    splices.push(Splice::replacement(start..whole.end, &text));
    splices
}

/// The text that a template makes; `None` if a word has nothing to be substituted by.
fn rendered(
    document: &Document,
    template: &Template,
    (own, main): (&Bound, Option<&Bound>),
) -> Option<Vec<u8>> {
    let node = |name: &str| own.node(name).or_else(|| main?.node(name));
    let text_of = |name: &str| {
        let main = || main.and_then(|main| main.text(document, name));
        own.text(document, name).or_else(main).unwrap_or_default()
    };
    let (mut text, mut is_missing) = (Vec::new(), false);
    for piece in &template.pieces {
        match piece {
            Piece::Text(piece) => {
                // The blank behind what is not there separates nothing.
                let separated = piece.strip_prefix(' ').filter(|_| is_missing);
                text.extend_from_slice(separated.unwrap_or(piece).as_bytes());
                is_missing = false;
            }
            Piece::Name(name) => {
                text.extend_from_slice(text_of(name));
                is_missing = text.is_empty();
            }
            Piece::Substituted {
                name,
                words,
                values,
            } => {
                let (words, values) = (node(words), node(values));
                text.extend(substituted(document, text_of(name), words, values)?);
            }
        }
    }
    Some(text)
}
