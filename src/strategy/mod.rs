//! Searches over documents: a strategy owns a document and one list minimiser at a time.
//!
//! - `list`: lines, tokens, characters, bytes.
//! - `tree`: HDD, HDDr, their coarse variants and the quantified host, each with hoisting: rounds (`host`) of the list minimiser on
//!   rows of children (`level`) and of TMIN (`hoist`), over the squeezed and flattened tree (`outline`).
//! - `auto`: the default pipeline of passes.
//!
//! A [`Plan`] says what was chosen; [`search`] makes the [`Reduction`] that does it.

mod auto;
mod candidate;
mod draft;
#[cfg(test)]
mod figures;
mod hoist;
mod host;
#[cfg(test)]
mod laws;
mod level;
mod list;
mod outline;
mod plan;
mod removal;
mod tree;

pub use candidate::Candidate;
pub use plan::{Hoist, Plan, Strategy, UnknownHoist, UnknownStrategy};

use crate::search::{Search, Verdict};
use crate::syntax::{Document, Language};
use auto::Auto;
use list::{ListSearch, UnitKind};
use std::sync::Arc;
use tree::TreeSearch;

/// Any strategy at work on one document.
#[derive(Clone, Debug)]
pub struct Reduction {
    running: Running,
    language: Option<Arc<Language>>,
    /// Whether names are still to be shortened when the search has ended.
    is_to_rename: bool,
}

#[derive(Clone, Debug)]
enum Running {
    List(ListSearch),
    Tree(TreeSearch),
    Auto(Box<Auto>),
}

/// The search that a plan asks for, beginning with `document`, which must be interesting; nobody asks that. Cost: linear.
pub fn search(document: &Document, plan: &Plan) -> Reduction {
    let list = |kinds| Running::List(ListSearch::new(document, kinds, plan));
    let running = match plan.strategy {
        Strategy::Lines => list(&[UnitKind::Lines]),
        Strategy::Tokens => list(&[UnitKind::Tokens]),
        Strategy::Chars => list(&[UnitKind::Chars]),
        Strategy::TwoPass => list(&[UnitKind::Lines, UnitKind::Chars]),
        Strategy::Bytes => list(&[UnitKind::Bytes]),
        Strategy::Auto => Running::Auto(Box::new(Auto::new(document.clone(), plan))),
        Strategy::Hdd
        | Strategy::Hddr
        | Strategy::CoarseHdd
        | Strategy::CoarseHddr
        | Strategy::Quantified => Running::Tree(TreeSearch::new(document, plan)),
    };
    let mut reduction = Reduction {
        running,
        language: document.language().cloned(),
        // The pipeline does it before its sweep.
        is_to_rename: plan.rename && plan.strategy != Strategy::Auto,
    };
    reduction.rename_at_the_end();
    reduction
}

impl Reduction {
    fn rename_at_the_end(&mut self) {
        if self.is_to_rename && self.ask().is_none() {
            self.is_to_rename = false;
            let best = Document::new(self.best().to_bytes(), self.language.clone());
            self.running = Running::Auto(Box::new(Auto::renaming(best)));
        }
    }
}

impl Search for Reduction {
    type Candidate = Candidate;
    type Best = Candidate;

    fn ask(&self) -> Option<Candidate> {
        match &self.running {
            Running::List(search) => search.ask(),
            Running::Tree(search) => search.ask(),
            Running::Auto(search) => search.ask(),
        }
    }

    fn tell(&mut self, verdict: Verdict) {
        match &mut self.running {
            Running::List(search) => search.tell(verdict),
            Running::Tree(search) => search.tell(verdict),
            Running::Auto(search) => search.tell(verdict),
        }
        self.rename_at_the_end();
    }

    fn best(&self) -> &Candidate {
        match &self.running {
            Running::List(search) => search.best(),
            Running::Tree(search) => search.best(),
            Running::Auto(search) => search.best(),
        }
    }

    fn chance(&self) -> Option<f64> {
        match &self.running {
            Running::List(search) => search.chance(),
            Running::Tree(search) => search.chance(),
            Running::Auto(search) => search.chance(),
        }
    }

    fn subject(&self) -> Option<u64> {
        match &self.running {
            Running::Tree(search) => search.subject(),
            Running::List(_) | Running::Auto(_) => None,
        }
    }

    fn skip(&self) -> Option<Self> {
        let running = match &self.running {
            Running::Tree(search) => Running::Tree(search.skip()?),
            Running::List(_) | Running::Auto(_) => return None,
        };
        Some(Self {
            running,
            language: self.language.clone(),
            ..*self
        })
    }
}
