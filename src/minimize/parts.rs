//! How the ddmin family walks over a list that is divided into consecutive parts of near-equal length.

use super::runs::Runs;
use super::{Cut, Options};

/// The questions about the parts of a list: first, if asked for, whether a part alone is interesting, then whether the list
/// without a part is.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    /// How many parts the list is divided into; 0 when the walk is over.
    parts: usize,
    phase: Phase,
    /// The turn of the part that is asked about.
    index: usize,
    subsets: bool,
    backward: bool,
}

/// What is asked about a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Is the part alone interesting?
    Subset,
    /// Is the list without the part?
    Complement,
}

impl Walk {
    /// A walk that is over; [`Walk::begin`] starts it.
    pub(super) fn new(options: &Options) -> Self {
        Self {
            parts: 0,
            phase: Phase::Complement,
            index: 0,
            subsets: options.subsets,
            backward: options.backward,
        }
    }

    /// Goes to the first question about this many parts of `list`, or as many as it has elements.
    pub(super) fn begin(&mut self, list: &Runs, parts: usize) {
        self.parts = parts.min(list.len());
        self.index = 0;
        // A single part alone is the list itself, which is known to be interesting.
        self.phase = if self.subsets && self.parts > 1 {
            Phase::Subset
        } else {
            Phase::Complement
        };
    }

    /// Ends the walk.
    pub(super) fn end(&mut self) {
        self.parts = 0;
    }

    /// Goes to the next question. False if that was the last one about these parts.
    pub(super) fn advance(&mut self) -> bool {
        self.index += 1;
        if self.index == self.parts && self.phase == Phase::Subset {
            (self.phase, self.index) = (Phase::Complement, 0);
        }
        self.index < self.parts
    }

    /// How many parts there are; 0 when the walk is over.
    pub(super) fn parts(&self) -> usize {
        self.parts
    }

    /// What is asked now and about which part of `list`, which is the one that the walk began with.
    pub(super) fn part(&self, list: &Runs) -> Option<(Phase, Runs)> {
        (self.parts > 0).then(|| {
            let index = match self.phase {
                Phase::Subset => self.index,
                Phase::Complement => turn(self.backward, self.parts, self.index),
            };
            (self.phase, part(list, self.parts, index))
        })
    }

    /// The question itself.
    pub(super) fn question(&self, list: &Runs) -> Option<Cut> {
        self.part(list).map(|(phase, part)| match phase {
            Phase::Subset => Cut::Keep(part),
            Phase::Complement => Cut::Drop(part),
        })
    }
}

/// Part `index` of the `count` parts of `list`; lengths differ by one at most. Cost: `O(log n)`.
pub(super) fn part(list: &Runs, count: usize, index: usize) -> Runs {
    list.slice(boundary(list.len(), count, index)..boundary(list.len(), count, index + 1))
}

/// The place of `index` in a walk over `count` parts from the last to the first, or just `index`.
pub(super) fn turn(backward: bool, count: usize, index: usize) -> usize {
    if backward { count - 1 - index } else { index }
}

/// Where part `index` begins. The product is taken apart so that it cannot overflow.
fn boundary(len: usize, count: usize, index: usize) -> usize {
    let (quotient, remainder) = (len / count, len % count);
    quotient * index + remainder * index / count
}
