//! What a grammar says about a place in a tree, for any language and without hand-written lists.
//!
//! Every tree-sitter grammar crate ships its `grammar.json`. For each visible kind of node its rules, with hidden, inlined and
//! supertype rules expanded and aliases resolved, become an [`Automaton`] over the kinds of its children. That one model answers:
//!
//! - *Which children can go?* Those whose removal leaves a sequence that the automaton accepts ([`Siblings::can_drop`]), with the
//!   separators beside them ([`Siblings::repair`]).
//! - *What can stand here?* A kind with which the parent's sequence is still accepted ([`Siblings::can_stand`]).
//! - *What is the least that can stand here?* The cheapest kinds that bridge a gap ([`Siblings::nameless_filler`]), written out as their
//!   least texts ([`Grammar::least`]).

mod around;
mod automaton;
mod kinds;
mod least;
mod rule;
mod siblings;
mod steps;
mod variants;

pub use around::{Around, Part};
pub use automaton::{Automaton, Edge, State};
pub use kinds::{Kind, Kinds};
pub use siblings::{PreparedRow, Repair, Siblings};
pub use variants::{Symbol, Variants};

use least::LeastTexts;
use rule::RuleSet;
use siblings::KnownRows;
use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};
use variants::VariantTable;

/// The model of one language.
#[derive(Debug)]
pub struct Grammar {
    rules: RuleSet,
    kinds: Kinds,
    variants: VariantTable,
    least: LeastTexts,
    /// The same among texts without names.
    nameless: LeastTexts,
    /// The kinds that name things, the plain one first.
    names: Vec<Kind>,
    /// By kind and the number of its variants; built when first asked for, since a document uses few of them.
    automata: Vec<Box<[OnceLock<Automaton>]>>,
    known_rows: KnownRows,
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
        let variants = VariantTable::new(&rules, &kinds);
        let nameless = LeastTexts::new(&rules, &kinds, &variants, least, identifiers);
        let least = LeastTexts::new(&rules, &kinds, &variants, least, &[]);
        let automata = kinds.all().map(|kind| unbuilt(variants.count(kind)));
        let automata = automata.collect();
        let names = identifiers
            .iter()
            .filter_map(|name| kinds.find(name, true))
            .collect();
        Some(Self {
            rules,
            kinds,
            variants,
            least,
            nameless,
            names,
            automata,
            known_rows: KnownRows::default(),
        })
    }

    /// The number of a kind, new if the grammar does not know it (parsers have a few of their own).
    pub fn intern(&mut self, name: &str, named: bool) -> Kind {
        let kind = self.kinds.intern(name, named);
        self.automata.resize_with(self.kinds.len(), || unbuilt(0));
        kind
    }

    /// The names behind the numbers.
    pub fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// Whether a kind stands for several rules, so that its nodes' children depend on the place.
    pub fn is_ambiguous(&self, kind: Kind) -> bool {
        self.variants.count(kind) > 1
    }

    /// Whether a kind has no rule of its own: a token that only the parser knows.
    pub(crate) fn is_external(&self, kind: Kind) -> bool {
        self.kinds.is_named(kind) && self.rules.body(self.kinds.name(kind)).is_none()
    }

    /// The automaton over the children of a symbol.
    pub fn automaton(&self, symbol: Symbol) -> &Automaton {
        let number = self.variants.number(symbol);
        let variants = VariantTable::numbered(number);
        let kind = symbol.kind;
        self.automata[usize::from(kind.0)][number].get_or_init(|| {
            let symbol = Symbol { kind, variants };
            Automaton::of_symbol(&self.rules, &self.kinds, &self.variants, symbol)
        })
    }

    /// The variants of a kind that can have these children; all of them when none can.
    pub fn variants_with(&self, kind: Kind, row: &[Symbol]) -> Variants {
        let each = Variants::ALL.each(self.variants.count(kind));
        let accepting = each.map(|(_, variants)| variants).filter(|&variants| {
            let symbol = Symbol { kind, variants };
            self.automaton(symbol).accepts_symbols(row)
        });
        let found = accepting.fold(Variants::NONE, Variants::or);
        if found.is_empty() {
            Variants::ALL
        } else {
            found
        }
    }

    /// The least text that a symbol derives; `None` for error nodes and external tokens that nobody described.
    pub fn least(&self, symbol: Symbol) -> Option<&Arc<[u8]>> {
        self.least.find(symbol).map(|least| &least.text)
    }

    /// The least text that a symbol derives without a made-up name; `None` when every text of it has one.
    pub fn nameless(&self, symbol: Symbol) -> Option<&Arc<[u8]>> {
        let nameless = self.nameless.find(symbol);
        nameless
            .filter(|least| least.names == 0)
            .map(|least| &least.text)
    }

    /// The least texts of several symbols in a row, tokens kept apart.
    pub fn least_of_all(&self, symbols: &[Symbol]) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        for &symbol in symbols {
            least::push_token(&mut text, self.least(symbol)?);
        }
        Some(text)
    }
}

/// Room for the automata of a kind with so many variants.
fn unbuilt(variants: usize) -> Box<[OnceLock<Automaton>]> {
    (0..1 << variants).map(|_| OnceLock::new()).collect()
}
