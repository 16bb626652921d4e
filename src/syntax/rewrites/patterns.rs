//! The queries of rules, each read when a document has what it looks for.
//!
//! For each pattern tree-sitter first finds out whether the grammar allows it, which takes some milliseconds; all that is built in
//! for C++ takes a second, and a small document has the nodes of few of them.

use super::{When, shape::captures_in};
use crate::{
    grammar::Kind,
    syntax::{Document, Language, Query, QueryMistake},
};
use fixedbitset::FixedBitSet;
use std::sync::OnceLock;

/// All queries of some rules. Each is one of its own: the places that may be open at a time are shared by all patterns of a query, so
/// what is found must not depend on which queries were read together.
#[derive(Debug, Default)]
pub(super) struct Patterns {
    sources: Vec<Source>,
}

/// One query.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) text: String,
    /// Where it starts in the file.
    pub(super) start: usize,
    pub(super) when: When,
    /// Its rule, and the part of that.
    pub(super) rule: usize,
    pub(super) part: usize,
    /// The names of its captures.
    names: Vec<String>,
    /// By pattern: the kinds of nodes without which it fits nowhere.
    needs: Vec<Vec<Kind>>,
    /// Read when it is first wanted; `None` where it is wrong, which the tests of what is built in do not let happen.
    query: OnceLock<Option<Query>>,
}

impl Source {
    pub(super) fn new(
        language: &Language,
        text: &str,
        start: usize,
        (when, rule, part): (When, usize, usize),
    ) -> Self {
        Self {
            text: text.to_owned(),
            start,
            when,
            rule,
            part,
            names: captures_in(text),
            needs: needs(text, |name, is_named| {
                language.kind_of_nodes(name, is_named)
            }),
            query: OnceLock::new(),
        }
    }

    /// The name of this capture, as it is known to the rule.
    pub(super) fn name(&self, capture: &str) -> &str {
        let known = self.names.iter().find(|name| *name == capture);
        known.map_or("", String::as_str)
    }

    /// Its query. Cost: some milliseconds a pattern for the first who asks, whom others wait for.
    fn query(&self, language: &Language) -> Option<&Query> {
        let read = || Query::new(language, &self.text).ok();
        self.query.get_or_init(read).as_ref()
    }

    fn may_fit(&self, kinds: &FixedBitSet) -> bool {
        let is_there = |kind: &Kind| kinds.contains(kind.0.into());
        self.needs.iter().any(|kinds| kinds.iter().all(is_there))
    }
}

impl Patterns {
    pub(super) fn new(sources: Vec<Source>) -> Self {
        Self { sources }
    }

    /// Whether some are due at a time.
    pub(super) fn are_due(&self, when: When) -> bool {
        self.sources.iter().any(|source| source.when == when)
    }

    /// Reads all of them.
    ///
    /// # Errors
    /// The first mistake in a query, with where it is in the file.
    pub(super) fn read_all(&self, language: &Language) -> Result<(), (usize, QueryMistake)> {
        for when in When::ALL {
            for source in self.sources.iter().filter(|source| source.when == when) {
                let query = Query::new(language, &source.text);
                let query = query.map_err(|mistake| (source.start + mistake.offset, mistake))?;
                let _ = source.query.set(Some(query));
            }
        }
        Ok(())
    }

    /// Those that are due at a time and may fit in a document, with their queries. Cost: linear in the document, and what it takes to
    /// read those that were not wanted before.
    pub(super) fn fitting(&self, document: &Document, when: When) -> Vec<(&Source, &Query)> {
        let Some(language) = document.language().filter(|_| self.are_due(when)) else {
            return Vec::new();
        };
        let mut kinds = FixedBitSet::with_capacity(language.grammar().kinds().len());
        let kind = |node| usize::from(document.node(node).kind.0);
        kinds.extend(document.ids().map(kind));
        let mut rule = None;
        let mut fitting = Vec::new();
        for source in self.sources.iter().filter(|source| source.when == when) {
            // What goes with a rewrite elsewhere is of no use without it, and stands behind it.
            let is_wanted = source.part == 0 || rule == Some(source.rule);
            if is_wanted && source.may_fit(&kinds) {
                rule = Some(source.rule);
                fitting.extend(source.query(language).map(|query| (source, query)));
            }
        }
        fitting
    }
}

/// What is open while a query is read: a node, a group, a choice or a predicate.
#[derive(Default)]
struct Open {
    bracket: char,
    is_predicate: bool,
    /// What each of its parts needs.
    parts: Vec<Vec<Kind>>,
}

/// By pattern of a query: the kinds that a document needs so that it fits. What is not understood needs nothing.
fn needs(query: &str, kind: impl Fn(&str, bool) -> Option<Kind>) -> Vec<Vec<Kind>> {
    let mut open = vec![Open::default()];
    let mut rest = query;
    while let Some(letter) = rest.chars().next() {
        let (length, part) = match letter {
            '(' | '[' => {
                open.push(Open::at(rest, &kind));
                (1, None)
            }
            ')' | ']' if open.len() > 1 => (1, open.pop().map(Open::close)),
            '"' => {
                let length = length_of_text(rest);
                let text = &rest[1..length.max(2) - 1];
                let token = Some(text).filter(|text| !text.contains('\\'));
                let token = token.and_then(|text| kind(text, false));
                (length, Some(token.into_iter().collect()))
            }
            '_' if length_of_name(rest) == 1 => (1, Some(Vec::new())),
            _ => (length_of_other(rest), None),
        };
        rest = &rest[length..];
        if let (Some(part), Some(outer)) = (part, open.last_mut()) {
            let part = if is_optional(rest) { Vec::new() } else { part };
            outer.parts.push(part);
        }
    }
    open.swap_remove(0).parts
}

/// Whether what stands before this may be missing: among its marks and the names of its captures there is one that says so.
fn is_optional(behind: &str) -> bool {
    let mut rest = without_gap(behind);
    loop {
        let length = match rest.chars().next() {
            Some('?' | '*') => return true,
            Some('+') => 1,
            Some('@') => 1 + length_of_name(&rest[1..]),
            _ => return false,
        };
        rest = without_gap(&rest[length..]);
    }
}

/// A text without the blanks and comments that it begins with.
fn without_gap(text: &str) -> &str {
    let mut rest = text.trim_start();
    while rest.starts_with(';') {
        rest = rest[rest.find('\n').unwrap_or(rest.len())..].trim_start();
    }
    rest
}

/// The length of what needs nothing: a comment, the name of a field or a capture, a mark.
fn length_of_other(text: &str) -> usize {
    let first = text.chars().next().map_or(0, char::len_utf8);
    match text.as_bytes().first() {
        Some(b';') => text.find('\n').unwrap_or(text.len()),
        Some(b'@' | b'#') => 1 + length_of_name(&text[1..]),
        _ => length_of_name(text).max(first),
    }
}

impl Open {
    /// What this begins with.
    fn at(text: &str, kind: impl Fn(&str, bool) -> Option<Kind>) -> Self {
        let behind = without_gap(&text[1..]);
        let bracket = text.chars().next().unwrap_or_default();
        let own = kind(&behind[..length_of_name(behind)], true).filter(|_| bracket == '(');
        Self {
            bracket,
            is_predicate: behind.starts_with(['#', '.']),
            parts: own.into_iter().map(|kind| vec![kind]).collect(),
        }
    }

    /// What all of it needs.
    fn close(self) -> Vec<Kind> {
        let mut parts = self.parts.into_iter();
        match self.bracket {
            _ if self.is_predicate => Vec::new(),
            '[' => {
                let first = parts.next().unwrap_or_default();
                parts.fold(first, |common, part| {
                    common
                        .into_iter()
                        .filter(|kind| part.contains(kind))
                        .collect()
                })
            }
            _ => parts.flatten().collect(),
        }
    }
}

fn length_of_name(text: &str) -> usize {
    let is_end = |letter: char| !(letter.is_alphanumeric() || "_-./".contains(letter));
    text.find(is_end).unwrap_or(text.len())
}

/// The length of a text in quotes, with these.
fn length_of_text(text: &str) -> usize {
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return at + 1,
            '\\' => {
                letters.next();
            }
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[track_caller]
    fn check(query: &str, expected: &[&[&str]]) {
        let language = Language::named("c").unwrap();
        let found = needs(query, |name, is_named| {
            language.kind_of_nodes(name, is_named)
        });
        let kinds = language.grammar().kinds();
        let found: Vec<Vec<&str>> = found
            .iter()
            .map(|needs| needs.iter().map(|&kind| kinds.name(kind)).collect())
            .collect();
        assert_eq!(found, expected, "{query}");
    }

    #[test]
    fn what_must_be_there_is_needed() {
        check(
            "(declaration type: (_) @a declarator: (identifier)) (for_statement \"for\" . \"(\")",
            &[
                &["declaration", "identifier"],
                &["for_statement", "for", "("],
            ],
        );
        check("((comment) @a (#eq? @a \"int\"))", &[&["comment"]]);
    }

    #[test]
    fn what_may_be_missing_is_not_needed() {
        check(
            "(declaration (identifier)? \"int\" * [(comment) (identifier)]) ; (comment)\n(_)",
            &[&["declaration"], &[]],
        );
        check("[(declaration (comment)) (comment)] @a", &[&["comment"]]);
        // No node is of a supertype's kind, nor of one of the errors.
        check(
            "(expression) (ERROR) (MISSING identifier)",
            &[&[], &[], &[]],
        );
        check("(comment", &[]);
        check(") (comment) \"\\\"", &[&["comment"], &[]]);
    }

    #[test]
    fn all_ways_to_say_that_something_may_be_missing_are_known() {
        for optional in [
            "(comment) @a ?",
            "(comment)@a?",
            "(comment)+?",
            "(comment) ; c\n ?",
            "\"int\" @a *",
        ] {
            check(&format!("(declaration {optional}) @b"), &[&["declaration"]]);
        }
        check("_ @a", &[&[]]);
        check("[_ (comment)] @a", &[&[]]);
        check(
            "(declaration [(comment) _] type: _ @a_b)",
            &[&["declaration"]],
        );
        check("((comment) @a (.not-eq? @a \"for\"))", &[&["comment"]]);
        check(
            "((comment) @a ( ; c\n #not-eq? @a \"for\"))",
            &[&["comment"]],
        );
        check("(declaration \"\\n\" \"\")", &[&["declaration"]]);
    }

    #[test]
    fn a_query_is_read_when_it_may_fit() {
        let language = Language::named("c").unwrap();
        let source = |text: &str, rule| Source::new(&language, text, 0, (When::Late, rule, 0));
        let patterns = Patterns::new(vec![
            source("(for_statement) @a", 0),
            source("(comment) @b", 1),
        ]);
        let fitting = |text: &str| {
            let document = Document::new(text.as_bytes(), Some(Arc::clone(&language)));
            patterns.fitting(&document, When::Late).len()
        };
        let read = || {
            patterns
                .sources
                .iter()
                .filter(|source| source.query.get().is_some())
                .count()
        };
        assert_eq!((fitting("int a;"), read()), (0, 0));
        assert_eq!((fitting("/* a */"), read()), (1, 1));
        assert_eq!((fitting("f() { for (;;); /* a */ }"), read()), (2, 2));
        assert_eq!((fitting("int a;"), read()), (0, 2));
    }
}
