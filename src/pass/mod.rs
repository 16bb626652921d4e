//! Passes: each lists the edits that one idea would make of a document.
//!
//! A pass is a pure function from a document to [`Proposal`]s. It knows syntax; it does not know which of its proposals will be
//! kept, in which order they are asked, or how many are asked at once: that is the search's business. What is known of it besides,
//! as its name and when it is due, is its entry in the [`list`].

pub mod absorb;
pub mod arguments;
pub mod bind;
pub mod bodies;
pub mod brackets;
pub mod bundle;
pub mod bytes;
pub mod carry;
mod columns;
mod combined;
pub mod comments;
mod context;
pub mod dependencies;
pub mod detach;
pub mod dominated;
pub mod drops;
mod early;
pub mod element_values;
mod elements;
mod entry;
mod enumerated;
pub mod everywhere;
mod exports;
pub mod fold;
pub mod forward;
mod free_names;
pub mod front;
mod generics;
pub mod graft;
pub mod heads;
pub mod hoist;
mod hoist_deep;
mod hoist_further;
mod imports;
mod in_place;
pub mod inline;
pub mod join;
pub mod kinds;
pub mod layout;
pub mod least;
pub mod lift;
pub mod lines;
pub mod list;
pub mod literals;
mod marks;
pub mod masks;
pub mod mentions;
pub mod names;
mod namespaces;
pub mod orphans;
mod own_types;
pub mod pairs;
pub mod parallel;
pub mod passed_on;
pub mod proposal;
pub mod reach;
pub mod recast;
pub mod rename;
pub mod retarget;
pub mod rewrite;
pub mod rows;
mod sever;
pub mod ssa;
pub mod swap;
#[cfg(test)]
pub(crate) mod testing;
pub mod texts;
mod ties;
mod to_parameter;
pub mod tokens;
pub mod twins;
pub mod unbind;
pub mod unended;
pub mod unify;
pub mod units;
mod unspace;
pub mod unused;
mod walls;

pub use combined::{LARGE, declarations, with_bodies};
pub use context::{Context, Grain};
pub use entry::{Again, Company, Due, Pass, Prior, Row};
pub use proposal::{Proposal, compose};
