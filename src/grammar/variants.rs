//! Kinds that stand for several rules: which of them can be meant.
//!
//! A grammar can give the nodes of several rules one name: in C, `preproc_if` is one thing among statements, another among
//! fields and a third among enumerators. What a node's children can be then depends on where the node stands.

use super::{
    Kind, Kinds,
    rule::{Rule, RuleSet},
};

/// Some of the rules behind a kind. Kinds with one rule, tokens among them, have the same for all purposes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variants(u8);

/// A kind, and which of the rules behind it are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol {
    /// The kind.
    pub kind: Kind,
    /// The rules.
    pub variants: Variants,
}

/// Beyond this many, the rules behind a kind share one variant. The built-in grammars have at most five.
const MOST: usize = 5;

impl Variants {
    /// All rules.
    pub const ALL: Self = Self(u8::MAX);
    /// None of them.
    pub const NONE: Self = Self(0);

    /// The rules that are in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The rules that are in one of the sets.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those in the set, one by one.
    pub(super) fn each(self, count: usize) -> impl Iterator<Item = (usize, Self)> {
        (0..count.max(1))
            .map(|number| (number, Self(1 << number)))
            .filter(move |(_, one)| !self.and(*one).is_empty())
    }

    fn numbered(number: usize) -> Self {
        Self(1 << number.min(MOST - 1))
    }
}

impl Symbol {
    /// A kind, by whichever of its rules.
    pub const fn of(kind: Kind) -> Self {
        let variants = Variants::ALL;
        Self { kind, variants }
    }
}

impl From<Kind> for Symbol {
    fn from(kind: Kind) -> Self {
        Self::of(kind)
    }
}

/// The names of the rules behind each kind, where there are several.
#[derive(Debug)]
pub(super) struct VariantTable {
    names: Vec<Vec<Box<str>>>,
}

impl VariantTable {
    pub(super) fn new(rules: &RuleSet, kinds: &Kinds) -> Self {
        let mut names: Vec<Vec<Box<str>>> = vec![Vec::new(); kinds.len()];
        rules.for_each_body(kinds, |kind, name, body| {
            let names = &mut names[usize::from(kind.0)];
            let makes_leaves = RuleSet::is_token(body) || matches!(body, Rule::Blank);
            if !makes_leaves && !names.iter().any(|known| **known == *name) {
                names.push(name.into());
            }
        });
        for names in names.iter_mut().filter(|names| names.len() < 2) {
            names.clear();
        }
        Self { names }
    }

    /// How many variants a kind has; 0 when all its nodes come from one rule.
    pub(super) fn count(&self, kind: Kind) -> usize {
        let names = self.names.get(usize::from(kind.0));
        names.map_or(0, |names| names.len().min(MOST))
    }

    /// The variant of a kind that a rule makes; all of them when it makes no difference.
    pub(super) fn of_rule(&self, kind: Kind, name: &str) -> Variants {
        let names = self.names.get(usize::from(kind.0));
        let number = names.and_then(|names| names.iter().position(|known| **known == *name));
        number.map_or(Variants::ALL, Variants::numbered)
    }

    /// A number for the variants of a symbol, below 2 to the power of their count. All of them, and none, have the number 0.
    pub(super) fn number(&self, symbol: Symbol) -> usize {
        let whole = (1u8 << self.count(symbol.kind)) - 1;
        let some = symbol.variants.0 & whole;
        if some == whole { 0 } else { usize::from(some) }
    }

    /// The variants behind a number; see [`Self::number`].
    pub(super) fn numbered(number: usize) -> Variants {
        match u8::try_from(number) {
            Ok(0) | Err(_) => Variants::ALL,
            Ok(some) => Variants(some),
        }
    }
}
