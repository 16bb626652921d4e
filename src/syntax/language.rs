//! Languages: a parser, its grammar, and the few facts that a grammar cannot say.

use super::{
    Lexis, Query,
    facts::{DeclarationOrder, LanguageFacts, Role},
    rewrites::{Mistake, Rewrites},
};
use crate::grammar::{Grammar, Kind};
use fixedbitset::FixedBitSet;
use regex::bytes::Regex;
use std::{
    ops::Range,
    sync::{Arc, LazyLock, OnceLock},
};
use tree_sitter_language::LanguageFn;

/// A language that documents can be parsed in. Loading one reads its grammar: a few milliseconds; its queries are read by the first who
/// asks, which takes up to a second.
#[derive(Debug)]
pub struct Language {
    name: String,
    parser: tree_sitter::Language,
    grammar: Grammar,
    facts: LanguageFacts,
    /// The parser's kind numbers to the grammar's.
    kinds: Vec<Kind>,
    /// The tokens that the end of a line can replace.
    terminators: Vec<Kind>,
    /// By role: the kinds that have it.
    roles: [FixedBitSet; Role::COUNT],
    conversions: OnceLock<Option<Regex>>,
    unseen: OnceLock<Option<Regex>>,
    needed_unseen: OnceLock<Option<Regex>>,
    pub(super) misread: OnceLock<Vec<Option<Regex>>>,
    halves: OnceLock<Vec<[Regex; 2]>>,
    pub(super) implied: OnceLock<Option<Query>>,
    /// The query for names, as text and as read by the first who asks.
    locals: (String, OnceLock<Option<Query>>),
    /// The built-in rewrites in the same way, and those of the user.
    rewrites: (&'static str, OnceLock<Rewrites>),
    own_rewrites: Vec<Rewrites>,
}

struct BuiltIn {
    name: &'static str,
    parser: LanguageFn,
    grammar: &'static [u8],
    facts: &'static str,
    locals: &'static str,
    rewrites: &'static str,
}

impl BuiltIn {
    /// Where names are declared, used and scoped: its own query, or that of the language that it is like.
    fn locals_with(&self, facts: &LanguageFacts) -> &'static str {
        let like = facts.names_like.as_deref();
        let like = like.and_then(|like| BUILT_IN.iter().find(|other| other.name == like));
        like.unwrap_or(self).locals
    }
}

/// The languages of `grammars/` whose parsers are linked, as the build found them.
const BUILT_IN: &[BuiltIn] = include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// The same as languages, each made for the first who asks.
static SHARED: LazyLock<Vec<OnceLock<Option<Arc<Language>>>>> =
    LazyLock::new(|| BUILT_IN.iter().map(|_| OnceLock::new()).collect());

impl Lexis {
    /// What the texts of a language look like.
    pub fn of(language: Option<&Language>) -> &Self {
        language.map_or(Self::NONE, Language::lexis)
    }
}

impl Language {
    /// The names of all languages that are built in.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|built_in| built_in.name)
    }

    /// The names of all languages that are built in, each with the extensions of its files.
    pub fn built_in() -> impl Iterator<Item = (&'static str, Vec<String>)> {
        let each = BUILT_IN.iter();
        each.map(|built_in| (built_in.name, read_facts(built_in).extensions))
    }

    /// A language by its name, the same for all who ask; `None` when it is not built in.
    pub fn named(name: &str) -> Option<Arc<Self>> {
        let place = BUILT_IN.iter().position(|built_in| built_in.name == name);
        place.and_then(Self::shared)
    }

    /// A built-in language of one's own, for additions.
    pub fn unshared(name: &str) -> Option<Self> {
        let built_in = BUILT_IN.iter().find(|built_in| built_in.name == name);
        built_in.and_then(Self::load)
    }

    /// The language of a file by its extension (without the dot, in any case) and, where that says nothing, by its first bytes.
    pub fn detect(extension: Option<&str>, bytes: &[u8]) -> Option<Arc<Self>> {
        let extension = extension.map(str::to_ascii_lowercase);
        let by_extension = extension.and_then(|extension| {
            let mut built_in = BUILT_IN.iter();
            built_in.position(|built_in| read_facts(built_in).extensions.contains(&extension))
        });
        match by_extension {
            Some(place) => Self::shared(place),
            None => by_content(bytes).and_then(Self::named),
        }
    }

    /// Its name, as `--language` takes it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What its grammar says.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// What its grammar cannot say.
    pub fn facts(&self) -> &LanguageFacts {
        &self.facts
    }

    /// What its comments look like.
    pub fn lexis(&self) -> &Lexis {
        &self.facts.lexis
    }

    /// Whether a kind has a role. Cost: a look into a table, since much asks this of all nodes of a document.
    pub fn is_role_of(&self, role: Role, kind: Kind) -> bool {
        self.roles[role as usize].contains(kind.0.into())
    }

    /// Whether there are kinds with a role.
    pub fn has_kinds_of(&self, role: Role) -> bool {
        !self.roles[role as usize].is_clear()
    }

    /// What stands for arguments in a text, in order.
    pub fn conversions(&self, text: &[u8]) -> Vec<Range<usize>> {
        let pattern = Some(&self.facts.conversions).filter(|pattern| !pattern.is_empty());
        let read = || pattern.and_then(|pattern| Regex::new(pattern).ok());
        let pattern = self.conversions.get_or_init(read).iter();
        let found = pattern.flat_map(|pattern| pattern.find_iter(text));
        found.map(|found| found.range()).collect()
    }

    /// What of a text its parser is not shown, in order.
    pub(super) fn unseen(&self, text: &[u8]) -> Vec<Range<usize>> {
        let never = &self.facts.never_unseen;
        let pattern = one_of(&self.facts.unseen, never, &self.unseen);
        pattern.map_or_else(Vec::new, |pattern| places_of(pattern, text))
    }

    /// Whether what is no member of a type has to be declared before it is used.
    pub fn is_declared_first(&self) -> bool {
        self.facts.declared == DeclarationOrder::First
    }

    /// Whether what is unseen changes what it stands beside means.
    pub fn is_needed_unseen(&self, text: &[u8]) -> bool {
        let pattern = one_of(&self.facts.needed_unseen, "", &self.needed_unseen);
        pattern.is_some_and(|pattern| pattern.is_match(text))
    }

    /// What of the texts opens or closes something whose other half is not among them, by their places, in order.
    pub fn single_halves<'t>(&self, texts: impl Iterator<Item = &'t [u8]>) -> Vec<usize> {
        let read =
            |[open, close]: &[String; 2]| Some([Regex::new(open).ok()?, Regex::new(close).ok()?]);
        let halves = || self.facts.halves.iter().filter_map(read).collect();
        let halves = self.halves.get_or_init(halves);
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut single = Vec::new();
        for (place, text) in texts.enumerate() {
            if let Some(kind) = halves.iter().position(|[opens, _]| opens.is_match(text)) {
                open.push((kind, place));
            } else if let Some(kind) = halves.iter().position(|[_, closes]| closes.is_match(text)) {
                match open.iter().rposition(|&(opened, _)| opened == kind) {
                    Some(other) => drop(open.remove(other)),
                    None => single.push(place),
                }
            }
        }
        single.extend(open.into_iter().map(|(_, place)| place));
        single.sort_unstable();
        single
    }

    /// Where its names are declared, used and scoped; `None` for a language without names.
    pub fn locals(&self) -> Option<&Query> {
        let (text, query) = &self.locals;
        let read = || Some(text).filter(|text| !text.is_empty());
        let query = query.get_or_init(|| Query::new(self, read()?).ok());
        query.as_ref()
    }

    /// Says where names are declared, used and scoped.
    ///
    /// # Errors
    /// The first mistake in the query.
    pub fn set_locals(&mut self, text: String) -> Result<(), Mistake> {
        let query = Query::new(self, &text).map_err(|mistake| Mistake::of_query(&text, mistake))?;
        self.locals = (text, OnceLock::from(Some(query)));
        Ok(())
    }

    /// Its rewrites: those that are built in, then the user's.
    pub fn rewrites(&self) -> impl Iterator<Item = &Rewrites> {
        let (text, rewrites) = &self.rewrites;
        let read = || Rewrites::built_in(self, text).unwrap_or_default();
        std::iter::once(rewrites.get_or_init(read)).chain(self.own_rewrites())
    }

    /// The rewrites of the user's.
    pub fn own_rewrites(&self) -> &[Rewrites] {
        &self.own_rewrites
    }

    /// Adds the rewrites of the user's.
    ///
    /// # Errors
    /// The first mistake in their text.
    pub fn add_rewrites(&mut self, text: &str) -> Result<(), Mistake> {
        let rewrites = Rewrites::read(self, text)?;
        self.own_rewrites.push(rewrites);
        Ok(())
    }

    /// The text of a built-in language's rewrites.
    pub(super) fn rewrites_of(name: &str) -> Option<&'static str> {
        let mut built_in = BUILT_IN.iter();
        let found = built_in.find(|built_in| built_in.name == name)?;
        Some(found.rewrites).filter(|text| !text.is_empty())
    }

    pub(super) fn parser(&self) -> &tree_sitter::Language {
        &self.parser
    }

    /// The grammar's number of a parser's kind.
    pub(super) fn kind(&self, parser_kind: u16) -> Kind {
        self.kinds
            .get(usize::from(parser_kind))
            .copied()
            .unwrap_or(Kind::ERROR)
    }

    /// The kind of nodes that a query means by a name, or by a token in quotes; `None` for what no node is.
    pub(super) fn kind_of_nodes(&self, name: &str, is_named: bool) -> Option<Kind> {
        let id = self.parser.id_for_node_kind(name, is_named);
        let is_of_nodes = id != 0 && self.parser.node_kind_is_visible(id);
        let kind = self.grammar.kinds().find(name, is_named);
        kind.filter(|&kind| is_of_nodes && kind != Kind::ERROR)
    }

    /// The tokens that the end of a line can replace.
    pub(super) fn terminators(&self) -> &[Kind] {
        &self.terminators
    }

    pub(super) fn field_name(&self, field: u16) -> Option<&str> {
        if field == 0 {
            None
        } else {
            self.parser.field_name_for_id(field)
        }
    }

    /// Reads what every document needs: where names are, and the rules of the rewrites without their queries.
    pub fn prepare(&self) {
        self.locals();
        self.rewrites().for_each(drop);
    }

    fn shared(place: usize) -> Option<Arc<Self>> {
        let load = || Self::load(&BUILT_IN[place]).map(Arc::new);
        SHARED[place].get_or_init(load).clone()
    }

    fn load(built_in: &BuiltIn) -> Option<Self> {
        let parser = tree_sitter::Language::new(built_in.parser);
        let facts = read_facts(built_in);
        let name = built_in.name.to_owned();
        let mut language = Self::assemble(name, parser, built_in.grammar, facts)?;
        built_in
            .locals_with(&language.facts)
            .clone_into(&mut language.locals.0);
        language.rewrites.0 = built_in.rewrites;
        Some(language)
    }

    /// Puts a language together; `None` when the grammar is none.
    pub(super) fn assemble(
        name: String,
        parser: tree_sitter::Language,
        grammar: &[u8],
        facts: LanguageFacts,
    ) -> Option<Self> {
        let mut grammar = Grammar::from_json(grammar, &facts.least, &facts.identifiers)?;
        let kinds = (0..parser.node_kind_count())
            .map(|id| {
                let id = u16::try_from(id).unwrap_or(0);
                let name = parser.node_kind_for_id(id).unwrap_or("ERROR");
                grammar.intern(name, parser.node_kind_is_named(id))
            })
            .collect();
        let terminators = facts.terminators.iter();
        let terminators = terminators.filter_map(|text| grammar.kinds().find(text, false));
        Some(Self {
            roles: kinds_by_role(&facts, &grammar),
            conversions: OnceLock::new(),
            unseen: OnceLock::new(),
            needed_unseen: OnceLock::new(),
            misread: OnceLock::new(),
            halves: OnceLock::new(),
            implied: OnceLock::new(),
            terminators: terminators.collect(),
            name,
            locals: <(String, _)>::default(),
            rewrites: <(&str, _)>::default(),
            own_rewrites: Vec::new(),
            parser,
            grammar,
            facts,
            kinds,
        })
    }
}

/// The group of a pattern that finds where nothing is unseen.
const NEVER: &str = "never";

/// What finds one of some regular expressions, and before them what `never` finds, as read by the first who asks.
fn one_of<'l>(
    patterns: &[String],
    never: &str,
    read: &'l OnceLock<Option<Regex>>,
) -> Option<&'l Regex> {
    if patterns.is_empty() {
        return None;
    }
    read.get_or_init(|| behind(never, patterns)).as_ref()
}

/// What finds the patterns where `never` does not stand.
pub(super) fn behind(never: &str, patterns: &[String]) -> Option<Regex> {
    let never = (!never.is_empty()).then(|| format!("(?P<{NEVER}>{never})"));
    let all: Vec<String> = never.into_iter().chain(patterns.iter().cloned()).collect();
    Regex::new(&all.join("|")).ok()
}

/// What it finds in a text: the last group of each place, in order.
pub(super) fn places_of(pattern: &Regex, text: &[u8]) -> Vec<Range<usize>> {
    let found = pattern.captures_iter(text);
    let shown = found
        .filter(|found| found.name(NEVER).is_none())
        .filter_map(|found| found.iter().flatten().last());
    shown.map(|shown| shown.range()).collect()
}

/// By role: the kinds that have it.
fn kinds_by_role(facts: &LanguageFacts, grammar: &Grammar) -> [FixedBitSet; Role::COUNT] {
    let mut kinds = [const { FixedBitSet::new() }; Role::COUNT];
    for (role, names) in &facts.roles {
        let known = names.iter();
        let known = known.filter_map(|name| grammar.kinds().find(name, true));
        kinds[*role as usize] = known.map(|kind| usize::from(kind.0)).collect();
    }
    kinds
}

impl LanguageFacts {
    /// Reads a file of the format of `grammars/`.
    ///
    /// # Errors
    /// What is wrong with it and where.
    pub fn from_toml(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| error.to_string().trim().replace('\n', " "))
    }
}

/// A file that does not parse gives no facts; a test loads all of them.
fn read_facts(built_in: &BuiltIn) -> LanguageFacts {
    toml::from_str(built_in.facts).unwrap_or_default()
}

/// The language that the first bytes give away.
fn by_content(bytes: &[u8]) -> Option<&'static str> {
    let start = bytes.trim_ascii_start();
    let first_line = start
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    let contains = |needle: &[u8]| {
        first_line
            .windows(needle.len())
            .any(|window| window == needle)
    };
    let contains_any = |needles: &[&[u8]]| needles.iter().any(|needle| contains(needle));
    match start {
        [b'<', b'?', b'x', b'm', b'l', ..] => Some("xml"),
        [b'<', b'?', b'p', b'h', b'p', ..] => Some("php"),
        [b'<', ..] if contains_any(&[b"<!DOCTYPE html", b"<!doctype html", b"<html"]) => {
            Some("html")
        }
        [b';', ..] if contains(b"; ModuleID") => Some("llvm"),
        [b'#', b'!', ..] if contains(b"python") => Some("python"),
        [b'#', b'!', ..] if contains(b"ruby") => Some("ruby"),
        [b'#', b'!', ..] if contains(b"lua") => Some("lua"),
        [b'#', b'!', ..] if contains_any(&[b"/sh", b"bash", b" sh"]) => Some("bash"),
        [b'#', b'!', ..] if contains(b"node") => Some("javascript"),
        [b'#', ..] if contains(b"include") || contains(b"# 1 \"") => Some("c"),
        [b'{' | b'[', ..] if serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok() => {
            Some("json")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_opens_and_closes_is_told_from_what_stands_alone() {
        let cpp = Language::named("cpp").unwrap();
        let visibility = [
            "#pragma GCC visibility push(default)",
            "#pragma GCC visibility pop",
        ];
        let [push, pop] = visibility.map(str::as_bytes);
        let other: &[u8] = b"# pragma clang diagnostic pop";
        let single = |texts: &[&'static [u8]]| cpp.single_halves(texts.iter().copied());
        assert_eq!(single(&[push, b"// a", pop]), [0usize; 0]);
        assert_eq!(single(&[pop, push]), [0, 1]);
        assert_eq!(single(&[push, push, other, pop]), [0, 2]);
    }

    #[test]
    fn every_built_in_language_loads_with_its_facts() {
        let mut wrong: Vec<(&str, String)> = Vec::new();
        for built_in in BUILT_IN {
            let facts: Result<LanguageFacts, _> = toml::from_str(built_in.facts);
            assert!(facts.is_ok(), "{}: {facts:?}", built_in.name);
            let language = Language::named(built_in.name).unwrap();
            let kinds = language.grammar().kinds();
            let facts = language.facts();
            let jumps = facts
                .jumps
                .iter()
                .flat_map(|jump| jump.kinds.iter().chain(&jump.ends));
            for kind in facts.roles.values().flatten().chain(jumps) {
                if kinds.find(kind, true).is_none() {
                    wrong.push((built_in.name, format!("no node `{kind}`")));
                }
            }
            let hidden = facts.unseen.iter().chain(&facts.needed_unseen);
            let hidden = hidden.chain(facts.halves.iter().flatten());
            let hidden = hidden.chain(facts.misread.iter().map(|[pattern, _]| pattern));
            let hidden = hidden.chain([&facts.never_unseen]);
            for pattern in hidden.chain([&facts.conversions]) {
                assert!(Regex::new(pattern).is_ok(), "{}: {pattern}", built_in.name);
            }
            let locals = Query::new(&language, built_in.locals_with(facts));
            let has_own = !built_in.locals.is_empty();
            assert!(!has_own || facts.names_like.is_none(), "{}", built_in.name);
            wrong.extend(
                locals
                    .err()
                    .map(|mistake| (built_in.name, format!("{mistake:?}"))),
            );
            let implied = facts.implied.as_ref();
            let implied = implied.map(|implied| Query::new(&language, &implied.query));
            wrong.extend(
                implied
                    .and_then(Result::err)
                    .map(|mistake| (built_in.name, format!("{mistake:?}"))),
            );
            let rewrites = Rewrites::read(&language, built_in.rewrites);
            wrong.extend(
                rewrites
                    .err()
                    .map(|mistake| (built_in.name, format!("{mistake:?}"))),
            );
            let mut parser = tree_sitter::Parser::new();
            assert!(
                parser.set_language(language.parser()).is_ok(),
                "{}",
                built_in.name
            );
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[track_caller]
    fn check(extension: Option<&str>, bytes: &[u8], expected: Option<&str>) {
        assert_eq!(
            Language::detect(extension, bytes)
                .as_ref()
                .map(|language| language.name()),
            expected
        );
    }

    #[test]
    fn the_extension_decides_before_the_content() {
        check(Some("C"), b"", Some("c"));
        check(Some("mjs"), b"", Some("javascript"));
        check(Some("js"), b"{}", Some("javascript"));
        check(Some("txt"), b"{\"a\": 1}", Some("json"));
        check(None, b"#!/usr/bin/env node\n", Some("javascript"));
        for (text, name) in [
            ("#!/bin/sh\n", "bash"),
            ("#!/usr/bin/env ruby\n", "ruby"),
            ("#!/usr/bin/lua\n", "lua"),
            ("<?php echo 1;", "php"),
            ("<!DOCTYPE html>\n<p>a", "html"),
            ("; ModuleID = 'a.c'\n", "llvm"),
        ] {
            check(None, text.as_bytes(), Language::named(name).map(|_| name));
        }
        check(None, b"hello", None);
    }
}
