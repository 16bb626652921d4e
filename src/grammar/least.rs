//! The least text of every kind: the minimal replacement Φ, as a fixpoint over the rules.
//!
//! A literal is itself, a sequence its parts in a row, a choice its shortest alternative, an optional or repeated part nothing,
//! a token pattern its shortest match.

use super::{
    Kinds, Symbol,
    rule::{Rule, RuleSet},
    variants::VariantTable,
};
use crate::lexis::melt;
use regex_syntax::hir::{Class, Hir, HirKind};
use rustc_hash::FxHashMap;
use std::{collections::BTreeMap, sync::Arc};

/// Texts longer than this are of no use as replacements.
const LONGEST: usize = 200;

/// The least text of a kind.
#[derive(Clone, Debug)]
pub(super) struct Least {
    pub(super) text: Arc<[u8]>,
    /// How many made-up names are in it.
    pub(super) names: usize,
}

/// Stands behind every made-up name while texts are compared. A byte that belongs to words, so that names stay apart.
const NAME_MARK: u8 = 0xfe;

/// The least texts of all kinds, and of each of their variants.
#[derive(Debug)]
pub(super) struct LeastTexts {
    /// By kind, then by variant: one of them where there are no variants.
    texts: Vec<Box<[Option<Least>]>>,
}

impl LeastTexts {
    /// Texts without names of `identifiers` come before shorter ones with.
    pub(super) fn new(
        rules: &RuleSet,
        kinds: &Kinds,
        variants: &VariantTable,
        overrides: &BTreeMap<String, String>,
        identifiers: &[String],
    ) -> Self {
        let symbols = of_symbols(rules, overrides, identifiers);
        let counts = kinds.all().map(|kind| variants.count(kind).max(1));
        let mut least: Vec<Vec<Option<Vec<u8>>>> = counts.map(|count| vec![None; count]).collect();
        // A token without a name stands for the end of the input: nothing to write there.
        let is_written = |kind| !kinds.is_named(kind) && !kinds.name(kind).is_empty();
        for kind in kinds.all().filter(|&kind| is_written(kind)) {
            least[usize::from(kind.0)].fill(Some(kinds.name(kind).as_bytes().to_vec()));
        }
        rules.for_each_body(kinds, |kind, name, body| {
            if kinds.is_named(kind)
                && let Some(mut text) = of_rule(body, &symbols)
            {
                if identifiers.iter().any(|name| *name == *kinds.name(kind))
                    && !text.contains(&NAME_MARK)
                {
                    text.push(NAME_MARK);
                }
                let known = &mut least[usize::from(kind.0)];
                for (number, _) in variants.of_rule(kind, name).each(known.len()) {
                    improve(&mut known[number], text.clone());
                }
            }
        });
        for (name, text) in overrides {
            if let Some(kind) = kinds.find(name, true) {
                least[usize::from(kind.0)].fill(Some(of_override(name, text, identifiers)));
            }
        }
        let unmarked = |texts: Vec<Option<_>>| texts.into_iter().map(|text| text.map(unmarked));
        let texts = least.into_iter().map(|texts| unmarked(texts).collect());
        Self {
            texts: texts.collect(),
        }
    }

    /// The least text of a symbol. Of several variants the first with the fewest names, tokens and bytes.
    pub(super) fn find(&self, symbol: Symbol) -> Option<&Least> {
        let texts = self.texts.get(usize::from(symbol.kind.0))?;
        let meant = symbol.variants.each(texts.len());
        let found = meant.filter_map(|(number, _)| texts[number].as_ref());
        found.min_by_key(|least| {
            let tokens = crate::lexis::count_tokens(&least.text);
            (least.names, tokens, least.text.len())
        })
    }
}

fn unmarked(mut text: Vec<u8>) -> Least {
    let names = marks(&text);
    text.retain(|&byte| byte != NAME_MARK);
    Least {
        text: text.into(),
        names,
    }
}

/// Appends a token, with a space before it where it would melt into the text.
pub(super) fn push_token(text: &mut Vec<u8>, token: &[u8]) {
    if melt(text, token) {
        text.push(b' ');
    }
    text.extend_from_slice(token);
}

/// A least text that the language's facts give; that of a name is made up like any other.
fn of_override(name: &str, text: &str, identifiers: &[String]) -> Vec<u8> {
    let mut text = text.as_bytes().to_vec();
    if identifiers.iter().any(|identifier| identifier == name) {
        text.push(NAME_MARK);
    }
    text
}

type Symbols<'a> = FxHashMap<&'a str, Vec<u8>>;

/// The least text of every symbol. Each round lets texts grow shorter through one more rule; it ends when none does.
fn of_symbols<'a>(
    rules: &'a RuleSet,
    overrides: &'a BTreeMap<String, String>,
    identifiers: &[String],
) -> Symbols<'a> {
    let mut symbols: Symbols = overrides
        .iter()
        .map(|(name, text)| (name.as_str(), of_override(name, text, identifiers)))
        .collect();
    loop {
        let mut changed = false;
        for (name, rule) in rules
            .iter()
            .filter(|(name, _)| !overrides.contains_key(*name))
        {
            let Some(mut text) = of_rule(rule, &symbols) else {
                continue;
            };
            if identifiers.iter().any(|identifier| identifier == name) && !text.contains(&NAME_MARK)
            {
                text.push(NAME_MARK);
            }
            let shorter = symbols
                .get(name)
                .is_none_or(|known| order(&text) < order(known));
            if shorter {
                symbols.insert(name, text);
                changed = true;
            }
        }
        if !changed {
            return symbols;
        }
    }
}

fn of_rule(rule: &Rule, symbols: &Symbols) -> Option<Vec<u8>> {
    match rule {
        Rule::Blank | Rule::Repeat(_) => Some(Vec::new()),
        Rule::Literal(text) => Some(text.as_bytes().to_vec()).filter(|text| !text.is_empty()),
        Rule::Pattern(pattern) => shortest_match(pattern),
        Rule::Symbol(name) => symbols.get(&**name).cloned(),
        Rule::Token(content) => of_token(content, symbols),
        Rule::Sequence(parts) => {
            let mut text = Vec::new();
            for part in parts {
                push_token(&mut text, &of_rule(part, symbols)?);
            }
            (text.len() <= LONGEST).then_some(text)
        }
        Rule::Choice(parts) => {
            let mut least = None;
            parts
                .iter()
                .filter_map(|part| of_rule(part, symbols))
                .for_each(|text| improve(&mut least, text));
            least
        }
        Rule::RepeatOnce(content) | Rule::Alias { content, .. } => of_rule(content, symbols),
    }
}

/// Inside a token nothing is put between the parts.
fn of_token(rule: &Rule, symbols: &Symbols) -> Option<Vec<u8>> {
    match rule {
        Rule::Sequence(parts) => {
            let texts = parts
                .iter()
                .map(|part| of_token(part, symbols))
                .collect::<Option<Vec<_>>>()?;
            Some(texts.concat()).filter(|text| text.len() <= LONGEST)
        }
        Rule::Choice(parts) => {
            let mut least = None;
            parts
                .iter()
                .filter_map(|part| of_token(part, symbols))
                .for_each(|text| improve(&mut least, text));
            least
        }
        Rule::RepeatOnce(content) | Rule::Alias { content, .. } | Rule::Token(content) => {
            of_token(content, symbols)
        }
        other => of_rule(other, symbols),
    }
}

fn improve(known: &mut Option<Vec<u8>>, text: Vec<u8>) {
    if known
        .as_ref()
        .is_none_or(|known| order(&text) < order(known))
    {
        *known = Some(text);
    }
}

/// Fewer names first, then fewer tokens, then fewer bytes, then plain names and numbers, then the alphabet: the order must be total.
fn marks(text: &[u8]) -> usize {
    text.split(|&byte| byte == NAME_MARK).skip(1).count()
}

fn order(text: &[u8]) -> (usize, usize, usize, u8, Vec<u8>) {
    let rank = match text.first() {
        None => 0,
        Some(byte) if byte.is_ascii_digit() => 1,
        Some(byte) if byte.is_ascii_alphabetic() => 2,
        Some(_) => 3,
    };
    (
        marks(text),
        crate::lexis::count_tokens(text),
        text.len(),
        rank,
        text.to_vec(),
    )
}

/// The shortest text that a pattern matches; letters and digits where there is a choice.
fn shortest_match(pattern: &str) -> Option<Vec<u8>> {
    // The JavaScript way to write a class that holds everything is not known to the parser.
    let pattern = pattern.replace("[^]", r"[\s\S]").replace(r"\/", "/");
    let hir = regex_syntax::parse(&pattern).ok()?;
    shortest(&hir)
}

fn shortest(hir: &Hir) -> Option<Vec<u8>> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Some(Vec::new()),
        HirKind::Literal(literal) => Some(literal.0.to_vec()),
        HirKind::Class(class) => pleasant_member(class),
        HirKind::Repetition(repetition) => {
            let once = shortest(&repetition.sub)?;
            Some(once.repeat(repetition.min as usize))
        }
        HirKind::Capture(capture) => shortest(&capture.sub),
        HirKind::Concat(parts) => Some(
            parts
                .iter()
                .map(shortest)
                .collect::<Option<Vec<_>>>()?
                .concat(),
        ),
        HirKind::Alternation(parts) => {
            let mut least = None;
            parts
                .iter()
                .filter_map(shortest)
                .for_each(|text| improve(&mut least, text));
            least
        }
    }
}

/// The member of a class that reads best.
fn pleasant_member(class: &Class) -> Option<Vec<u8>> {
    let contains = |wanted: char| match class {
        Class::Unicode(class) => class
            .iter()
            .any(|range| range.start() <= wanted && wanted <= range.end()),
        Class::Bytes(class) => class
            .iter()
            .any(|range| (range.start()..=range.end()).contains(&(wanted as u8))),
    };
    let pleasant = "a0bA1x _-.".chars().find(|&wanted| contains(wanted));
    let first = || match class {
        Class::Unicode(class) => class
            .iter()
            .next()
            .map(regex_syntax::hir::ClassUnicodeRange::start),
        Class::Bytes(class) => class.iter().next().map(|range| char::from(range.start())),
    };
    pleasant
        .or_else(first)
        .map(|member| member.to_string().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Language;

    #[track_caller]
    fn check(language: &str, kind: &str, expected: &str) {
        let language = Language::named(language).unwrap();
        let kind = language.grammar().kinds().find(kind, true).unwrap();
        let least = language
            .grammar()
            .least(Symbol::of(kind))
            .map(|text| String::from_utf8_lossy(text).into_owned());
        assert_eq!(least.as_deref(), Some(expected));
    }

    #[test]
    fn least_texts_are_the_shortest_that_the_grammar_derives() {
        check("c", "compound_statement", "{}");
        check("c", "expression_statement", ";");
        check("c", "number_literal", "0");
        check("c", "string_literal", "\"\"");
        check("c", "parameter_list", "()");
        check("javascript", "statement_block", "{}");
        check("javascript", "formal_parameters", "()");
        check("javascript", "template_string", "``");
        check("json", "object", "{}");
        check("java", "block", "{}");
        check("rust", "block", "{}");
        check("css", "block", "{}");
    }

    #[test]
    fn patterns_match_their_own_shortest_text() {
        for pattern in [
            r"[a-zA-Z_]\w*",
            r"\d+(\.\d+)?",
            r"[^']",
            r"0[xX][0-9a-f]+",
            r"a|bcd",
        ] {
            let text = shortest_match(pattern).unwrap();
            let whole = regex::bytes::Regex::new(&format!("^(?:{pattern})$")).unwrap();
            assert!(whole.is_match(&text), "{pattern}: {text:?}");
        }
    }
}
