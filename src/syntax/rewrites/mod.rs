//! Rewrites: what a language's passes may do beside what any grammar allows, as data.
//!
//! A rewrite is a query over the tree, texts for some of the nodes that it captures, and the same for the uses of what it
//! changes. `grammars/README.md` describes the format; `grammars/<language>/rewrites.toml` and the files of `--rewrites` are in it.

mod patterns;
mod reading;
mod shape;
mod template;
#[cfg(test)]
mod tests;
mod text;

use super::language::Language;
use crate::grammar::Kind;
use patterns::Patterns;
use regex::bytes::Regex;
pub use template::{Piece, Template};

/// The rewrites of a language.
#[derive(Debug, Default)]
pub struct Rewrites {
    /// The text that they were read from.
    pub text: String,
    /// All of them, in the order in which they were written down.
    pub rules: Vec<Rule>,
    patterns: Patterns,
}

/// One rewrite.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name for the user.
    pub name: String,
    /// What it does, in one line.
    pub about: String,
    /// When it is due.
    pub when: When,
    /// The rewrite itself, then what goes with it elsewhere.
    pub parts: Vec<Part>,
}

/// When a rewrite is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Before the rows of a document, everywhere at once.
    Everywhere,
    /// In every round, before what any language has.
    First,
    /// In every round.
    Round,
    /// When a round has nothing left.
    Late,
}

impl When {
    /// All times, in their order.
    pub const ALL: [Self; 4] = [Self::Everywhere, Self::First, Self::Round, Self::Late];
}

/// One query of a rewrite, and what becomes of what it captures.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// What stands in the place of a captured node.
    pub replace: Vec<(String, Template)>,
    /// Captured nodes that go as the grammar lets them go.
    pub remove: Vec<String>,
    /// Names for parts of captured texts.
    pub words: Vec<Word>,
    /// A name for the nearest node around all captured ones that stands in one of these kinds.
    pub around: Option<(String, Vec<Kind>)>,
    /// A name for each named child of a captured node in turn: the name, the capture.
    pub each: Option<(String, String)>,
    /// Of a use: where it has to lie.
    pub inside: Inside,
    /// Of a use: it may not lie in a node of these kinds that lies inside of the above.
    pub except: Vec<Kind>,
    /// Of a use: whether there has to be one.
    pub required: bool,
    /// Of a use: the names that stand for the same text in it as in the rewrite.
    pub shared: Vec<String>,
}

/// A name for a part of the text of a capture.
#[derive(Clone, Debug)]
pub struct Word {
    /// What it is called in templates.
    pub name: String,
    /// The capture.
    pub of: String,
    /// What of its text: the first group, or all that matches.
    pub pattern: Regex,
    /// Whether it is a free name instead, where something else is declared with this one.
    pub is_free: bool,
}

impl Part {
    /// The names of the captures that it changes.
    pub fn changed(&self) -> impl Iterator<Item = &String> {
        let replaced = self.replace.iter().map(|(name, _)| name);
        replaced.chain(&self.remove)
    }

    /// Whether it changes what it matches; else it is a condition.
    pub fn changes_something(&self) -> bool {
        !(self.replace.is_empty() && self.remove.is_empty())
    }
}

/// Where the uses of something lie.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Inside {
    /// Anywhere.
    #[default]
    Document,
    /// Where the declaration of the first shared name is seen.
    Scope,
    /// In this captured node.
    Node(String),
}

/// A mistake in a file of rewrites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The line, from 1.
    pub line: usize,
    /// The column in bytes, from 1.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
    /// What to do about it.
    pub advice: String,
}

/// What one match of a part binds: each capture with its node.
#[derive(Clone, Debug)]
pub struct Found<'r> {
    /// The names and nodes, in the order of the captures in the text.
    pub nodes: Vec<(&'r str, super::NodeId)>,
}

impl Rewrites {
    /// Reads rewrites for a language. A file that names other languages has none for this one.
    ///
    /// # Errors
    /// The first mistake in the text.
    pub fn read(language: &Language, text: &str) -> Result<Self, Mistake> {
        let rewrites = Self::built_in(language, text)?;
        let read = rewrites.patterns.read_all(language);
        read.map_err(|(at, mistake)| reading::wrong_query(text, at, mistake))?;
        Ok(rewrites)
    }

    /// The same for what is built in, whose queries are known to be right: each is read when a document has what it looks for.
    ///
    /// # Errors
    /// The first mistake outside of the queries.
    pub fn built_in(language: &Language, text: &str) -> Result<Self, Mistake> {
        reading::read(language, text)
    }

    /// All matches in a document of the rules that are due at a time: for each rule, for each of its parts. Cost: some times that of
    /// parsing, and what it takes to read the queries that were not wanted before.
    pub fn matches(&self, document: &super::Document, when: When) -> Vec<Vec<Vec<Found<'_>>>> {
        let parts = |rule: &Rule| vec![Vec::new(); rule.parts.len()];
        let mut found: Vec<Vec<Vec<Found>>> = self.rules.iter().map(parts).collect();
        for (source, nodes) in self.patterns.matches(document, when) {
            found[source.rule][source.part].push(Found { nodes });
        }
        found
    }

    /// Whether a rule is due at a time.
    pub fn is_due(&self, when: When) -> bool {
        self.patterns.are_due(when)
    }
}

impl Found<'_> {
    /// The first node of this name.
    pub fn node(&self, name: &str) -> Option<super::NodeId> {
        self.all(name).next()
    }

    /// All nodes of this name.
    pub fn all(&self, name: &str) -> impl Iterator<Item = super::NodeId> {
        let same = move |(known, node): &(&str, super::NodeId)| (*known == name).then_some(*node);
        self.nodes.iter().filter_map(same)
    }
}
