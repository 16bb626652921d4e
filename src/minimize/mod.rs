//! The list minimisers, one a file, over indices and weights: those of the papers, and the default pipeline's own (`splitting`,
//! `halving`), which `alone` makes minimisers like the others.
//!
//! They know nothing of text or trees. A [`Minimizer`] is asked for a [`Cut`], a change of the set of elements that is kept now, and is
//! told whether that is interesting. Its laws are those of [`crate::search`].
//!
//! The content cache belongs to the caller: a minimiser may ask about the same subset twice, as the papers' algorithms do.

mod alone;
mod belief;
mod cdd;
mod ddmin;
mod greeddy;
mod halving;
#[cfg(test)]
mod laws;
mod minimizer;
mod opdd;
mod options;
mod parts;
mod probability;
mod probdd;
mod rate;
mod runs;
mod shuffle;
mod splitting;
#[cfg(test)]
mod trial;
mod wddmin;
mod wprobdd;

pub use halving::Halving;
pub use minimizer::Minimizer;
pub use options::{Algorithm, Options, UnknownAlgorithm};
pub use rate::Rate;
pub use runs::{Ranges, Runs};
pub use splitting::{Patience, Splitting};

use std::sync::Arc;

/// How much each element of a list weighs.
#[derive(Clone, Debug)]
pub enum Weights {
    /// This many elements of the same weight.
    Uniform(usize),
    /// One weight an element, for instance its number of tokens; 0 counts as 1.
    Each(Arc<[u32]>),
}

impl Weights {
    /// How many elements the list has.
    pub fn len(&self) -> usize {
        match self {
            Self::Uniform(count) => *count,
            Self::Each(weights) => weights.len(),
        }
    }

    /// The weight of an element, at least 1. An index past the end also weighs 1.
    pub fn of(&self, element: usize) -> u32 {
        match self {
            Self::Uniform(_) => 1,
            Self::Each(weights) => weights.get(element).map_or(1, |&weight| weight.max(1)),
        }
    }

    /// Whether the list has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A question: is the list still interesting after this change to the elements that are kept now ([`Minimizer`]'s best)?
///
/// Its size is that of the change, not of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Without these.
    Drop(Runs),
    /// With only these.
    Keep(Runs),
}

impl Cut {
    /// The elements of `kept` that go.
    pub fn dropped_from(&self, kept: &Runs) -> Runs {
        match self {
            Self::Drop(dropped) => dropped.clone(),
            Self::Keep(rest) => kept.subtract(rest),
        }
    }

    /// How many elements of `kept` go. Cost: `O(1)`.
    pub fn count_dropped_from(&self, kept: &Runs) -> usize {
        match self {
            Self::Drop(dropped) => dropped.len(),
            Self::Keep(rest) => kept.len() - rest.len(),
        }
    }

    /// The elements of `kept` that stay.
    pub fn kept_of(&self, kept: &Runs) -> Runs {
        match self {
            Self::Drop(dropped) => kept.subtract(dropped),
            Self::Keep(rest) => rest.clone(),
        }
    }
}
