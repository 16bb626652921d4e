//! What a grammar says about a place in a tree, for any language and without hand-written lists.
//!
//! Every tree-sitter grammar crate ships its `grammar.json`. For each visible kind of node its rules, with hidden, inlined and
//! supertype rules expanded and aliases resolved, become an [`Automaton`] over the kinds of its children. That one model answers:
//!
//! - *Which children can go?* Those whose removal leaves a sequence that the automaton accepts ([`Siblings::can_drop`]), with the
//!   separators beside them ([`Siblings::repair`]).
//! - *What can stand here?* A kind with which the parent's sequence is still accepted ([`Siblings::can_stand`]).
//! - *What is the least that can stand here?* The cheapest kinds that bridge a gap ([`Siblings::filler`]), written out as their
//!   least texts ([`Grammar::least`]).

mod around;
mod automaton;
mod kinds;
mod least;
mod rule;
mod siblings;

pub use around::{Around, Part};
pub use automaton::{Automaton, State};
pub use kinds::{Kind, Kinds};
pub use siblings::{PreparedRow, Repair, Siblings};

use least::Least;
use rule::RuleSet;
use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

/// The model of one language.
#[derive(Debug)]
pub struct Grammar {
    rules: RuleSet,
    kinds: Kinds,
    least: Vec<Option<Least>>,
    /// The same among texts without names.
    nameless: Vec<Option<Least>>,
    /// The kinds that name things, the plain one first.
    names: Vec<Kind>,
    /// By kind; built when first asked for, since a document uses few of them.
    automata: Vec<OnceLock<Automaton>>,
}

impl Grammar {
    /// Reads a `grammar.json`; `None` when it is not one. `least` gives the least texts of symbols that have no rule (external
    /// tokens) and overrides those of others; `identifiers` are the kinds that name things. Cost: a few milliseconds.
    pub fn from_json(
        json: &[u8],
        least: &BTreeMap<String, String>,
        identifiers: &[String],
    ) -> Option<Self> {
        let rules = RuleSet::from_json(json)?;
        let kinds = rules.visible_kinds();
        let nameless = least::of_kinds(&rules, &kinds, least, identifiers);
        let least = least::of_kinds(&rules, &kinds, least, &[]);
        let names = identifiers
            .iter()
            .filter_map(|name| kinds.find(name, true))
            .collect();
        let automata = (0..kinds.len()).map(|_| OnceLock::new()).collect();
        Some(Self {
            rules,
            kinds,
            least,
            nameless,
            names,
            automata,
        })
    }

    /// The number of a kind, new if the grammar does not know it (parsers have a few of their own).
    pub fn intern(&mut self, name: &str, named: bool) -> Kind {
        let kind = self.kinds.intern(name, named);
        self.automata.resize_with(self.kinds.len(), OnceLock::new);
        self.least.resize(self.kinds.len(), None);
        self.nameless.resize(self.kinds.len(), None);
        kind
    }

    /// The names behind the numbers.
    pub fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// The automaton over the children of a kind.
    pub fn automaton(&self, kind: Kind) -> &Automaton {
        self.automata[usize::from(kind.0)]
            .get_or_init(|| Automaton::of_kind(&self.rules, &self.kinds, kind))
    }

    /// The least text that a kind derives; `None` for error nodes and external tokens that nobody described.
    pub fn least(&self, kind: Kind) -> Option<&Arc<[u8]>> {
        self.least[usize::from(kind.0)]
            .as_ref()
            .map(|least| &least.text)
    }

    /// The least text that a kind derives without a made-up name; `None` when every text of it has one.
    pub fn nameless(&self, kind: Kind) -> Option<&Arc<[u8]>> {
        let nameless = self.nameless[usize::from(kind.0)].as_ref();
        nameless
            .filter(|least| least.names == 0)
            .map(|least| &least.text)
    }

    /// The least texts of several kinds in a row, tokens kept apart.
    pub fn least_of_all(&self, kinds: &[Kind]) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        for &kind in kinds {
            least::push_token(&mut text, self.least(kind)?);
        }
        Some(text)
    }
}
