//! What a pass is given: a document, what is found out about it once for all passes, and how large its proposals are to be.

use super::{
    bundle::UnitMap,
    names::Names,
    units::{Unit, units},
};
use crate::syntax::Document;
use rustc_hash::FxHashSet;
use std::sync::{Arc, OnceLock};

/// A document as the passes see it. Clones share everything.
#[derive(Clone, Debug)]
pub struct Context {
    facts: Arc<Facts>,
    needed: Arc<FxHashSet<u64>>,
    /// How large the proposals are to be, for the passes that can be asked for more than one size.
    pub grain: Grain,
}

/// Sizes in tokens, and a place. Passes that know only one size do not look at it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grain {
    /// What is proposed has at least so many tokens.
    pub least: u32,
    /// What stands in one row is cut into parts of at most so many tokens.
    pub part: u32,
    /// The first runs over a row have about so many tokens.
    pub largest: u32,
    /// Where the sweep has changed something last: what lies beside this byte comes first.
    pub from: u32,
    /// The step ends when it has taken one in so many tokens; 0 for one that goes on whatever it takes.
    pub enough: u32,
}

/// What is found out when the first pass asks for it.
#[derive(Debug)]
struct Facts {
    document: Document,
    names: OnceLock<Names>,
    units: OnceLock<Vec<Unit>>,
    unit_map: OnceLock<UnitMap>,
}

impl Context {
    /// A document about which nothing is known yet.
    pub fn new(document: Document) -> Self {
        let facts = Facts {
            document,
            names: OnceLock::new(),
            units: OnceLock::new(),
            unit_map: OnceLock::new(),
        };
        Self {
            facts: Arc::new(facts),
            needed: Arc::default(),
            grain: Grain::default(),
        }
    }

    /// The same document, of which it is known what is needed though its names do not tell: keys of [`super::reach::Reach`].
    #[must_use]
    pub fn with_needed(self, needed: Arc<FxHashSet<u64>>) -> Self {
        Self { needed, ..self }
    }

    /// The same document, for proposals of another size.
    #[must_use]
    pub fn with_grain(&self, grain: Grain) -> Self {
        Self {
            facts: Arc::clone(&self.facts),
            needed: Arc::clone(&self.needed),
            grain,
        }
    }

    /// The document.
    pub fn document(&self) -> &Document {
        &self.facts.document
    }

    /// Whether what is known by this key was found to be needed.
    pub fn is_needed(&self, key: u64) -> bool {
        self.needed.contains(&key)
    }

    /// Its names. Cost: linear, once.
    pub fn names(&self) -> &Names {
        let facts = &self.facts;
        facts.names.get_or_init(|| Names::of(&facts.document))
    }

    /// Its units, in document order. Cost: as [`units`], once.
    pub fn units(&self) -> &[Unit] {
        let units = || units(self.document(), self.names());
        self.facts.units.get_or_init(units)
    }

    /// Its units by their nodes. Cost: linear in them, once.
    pub fn unit_map(&self) -> &UnitMap {
        let map = || UnitMap::of(self.units());
        self.facts.unit_map.get_or_init(map)
    }
}
