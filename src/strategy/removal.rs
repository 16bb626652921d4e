//! What "removing" children of a node means for the text.

use super::outline::Outline;
use crate::grammar::{PreparedRow, Repair, Siblings};
use crate::syntax::{NodeId, Splice};
use std::ops::Range;

/// What removing one child comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Removal {
    /// It just goes, with its separators.
    Free,
    /// Something smaller takes its place.
    Replaced,
    /// The grammar gives no way, or nothing smaller.
    Pointless,
}

/// The children of a node, without extras, and what the grammar says about them.
#[derive(Debug)]
pub(super) struct Members {
    nodes: Vec<NodeId>,
    prepared: Option<PreparedRow>,
}

/// Turns removed children into splices.
pub(super) struct Cutter<'a> {
    outline: &'a Outline,
    members: &'a [NodeId],
    siblings: Option<Siblings<'a>>,
    /// The bytes of the node.
    window: Range<u32>,
}

impl Members {
    /// The children of this node. Cost: linear in their number.
    pub(super) fn new(outline: &Outline, parent: NodeId) -> Self {
        let nodes = outline.document().row(parent);
        let prepared = outline.document().prepared(parent, &nodes);
        Self { nodes, prepared }
    }

    pub(super) fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// For the node with these bytes. Cost: constant.
    pub(super) fn cutter<'a>(&'a self, outline: &'a Outline, window: Range<u32>) -> Cutter<'a> {
        let siblings = outline.siblings(self.prepared.as_ref());
        Cutter {
            outline,
            members: &self.nodes,
            siblings,
            window,
        }
    }
}

impl Cutter<'_> {
    /// What removing the child at this place comes to.
    pub(super) fn removal(&self, place: usize) -> Removal {
        let node = self.outline.document().node(self.members[place]);
        if self.siblings.is_none() && !node.is_named() {
            // Without a grammar a bracket is not known to be needless.
            return Removal::Pointless;
        }
        let Some(repairs) = self.repairs(std::slice::from_ref(&(place..place + 1))) else {
            return Removal::Pointless;
        };
        let mut removal = Removal::Free;
        for repair in &repairs {
            match self.filler(repair) {
                Some(text) if text.is_empty() => {}
                Some(text) if self.is_less(&text, &self.span(repair)) => {
                    removal = Removal::Replaced;
                }
                _ => return Removal::Pointless,
            }
        }
        removal
    }

    /// The splices that take away these stretches of children (sorted, none touching another).
    pub(super) fn without(&self, places: &[Range<usize>]) -> Option<Vec<Splice>> {
        let cut = |repair: &Repair| {
            let text = self.filler(repair)?;
            let span = self.span(repair);
            Some(if text.is_empty() {
                self.deletion(span)
            } else {
                Splice::replacement(range(&span), &text)
            })
        };
        self.repairs(places)?.iter().map(cut).collect()
    }

    /// Whether the child at this place parts the row as long as it stays; see [`Siblings::settles`].
    pub(super) fn settles(&self, place: usize) -> bool {
        let siblings = self.siblings.as_ref();
        siblings.is_none_or(|siblings| siblings.settles(place))
    }

    /// Whether two children can be taken away as one stretch; see [`Siblings::repeats`].
    pub(super) fn repeats(&self, left: usize, right: usize) -> bool {
        match &self.siblings {
            Some(siblings) => siblings.repeats(left, right),
            None => left + 1 == right,
        }
    }

    fn repairs(&self, places: &[Range<usize>]) -> Option<Vec<Repair>> {
        if let Some(siblings) = &self.siblings {
            return siblings.repair_runs(places);
        }
        let whole = |children: &Range<usize>| Repair {
            children: children.clone(),
            filler: Vec::new(),
        };
        Some(places.iter().map(whole).collect())
    }

    fn filler(&self, repair: &Repair) -> Option<Vec<u8>> {
        match self.outline.document().grammar() {
            Some(grammar) => grammar.least_of_all(&repair.filler),
            None => Some(Vec::new()),
        }
    }

    fn span(&self, repair: &Repair) -> Range<u32> {
        let first = self.outline.span(self.members[repair.children.start]);
        let last = self.outline.span(self.members[repair.children.end - 1]);
        first.start..last.end
    }

    /// Whether `text` is less than what stands there: fewer tokens, or as many and fewer bytes.
    fn is_less(&self, text: &[u8], span: &Range<u32>) -> bool {
        let old = &self.outline.document().bytes()[range(span)];
        // Anything that is much longer has more tokens or longer ones, and need not be counted at every depth.
        let lexis = self.outline.document().lexis();
        old.len() > 2 * text.len() + 64
            || (lexis.count(text), text.len()) < (lexis.count(old), old.len())
    }

    /// A deletion that takes the blanks with it that would be left over: those before, if there are some behind. A line break
    /// before stays if it is needed, for instance to end a line comment.
    pub(super) fn deletion(&self, span: Range<u32>) -> Splice {
        let bytes = self.outline.document().bytes();
        let window = range(&self.window);
        let (mut start, mut end) = (span.start as usize, span.end as usize);
        let before = window.start.min(start) + trimmed_end(&bytes[window.start.min(start)..start]);
        let behind = end + blanks(&bytes[end..]);
        let breaks = |gap: Range<usize>| bytes[gap].contains(&b'\n');
        let at_end = behind == bytes.len();
        if before < start
            && (at_end || behind > end && (breaks(end..behind) || !breaks(before..start)))
        {
            start = before;
        } else if start == 0 || before == start || bytes[start - 1].is_ascii_whitespace() {
            // A line that is left empty goes; other line breaks may mean something.
            let starts_line = start == 0 || bytes[start - 1] == b'\n';
            let line = bytes[end..behind].iter().rposition(|&byte| byte == b'\n');
            let line = line.map_or(behind, |line| end + line + usize::from(starts_line));
            end = line.min(window.end.max(end));
        }
        Splice::deletion(start..end)
    }
}

pub(super) fn range(span: &Range<u32>) -> Range<usize> {
    span.start as usize..span.end as usize
}

fn blanks(bytes: &[u8]) -> usize {
    bytes.len() - bytes.trim_ascii_start().len()
}

fn trimmed_end(bytes: &[u8]) -> usize {
    bytes.trim_ascii_end().len()
}
