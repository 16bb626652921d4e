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
use std::sync::{Arc, Mutex, PoisonError};

/// All queries of some rules.
#[derive(Debug, Default)]
pub(super) struct Patterns {
    sources: Vec<Source>,
    read: Mutex<Read>,
}

/// The text of one query.
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
}

/// What has been read.
#[derive(Debug, Default)]
struct Read {
    sources: FixedBitSet,
    chunks: Vec<Arc<Chunk>>,
}

/// Some of the queries, as one: a document is searched for all of them at once.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) query: Query,
    /// By pattern: its source.
    owners: Vec<usize>,
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
        }
    }

    /// The name of this capture, as it is known to the rule.
    pub(super) fn name(&self, capture: &str) -> &str {
        let known = self.names.iter().find(|name| *name == capture);
        known.map_or("", String::as_str)
    }

    fn may_fit(&self, kinds: &FixedBitSet) -> bool {
        let is_there = |kind: &Kind| kinds.contains(kind.0.into());
        self.needs.iter().any(|kinds| kinds.iter().all(is_there))
    }
}

impl Patterns {
    pub(super) fn new(sources: Vec<Source>) -> Self {
        Self {
            sources,
            read: Mutex::default(),
        }
    }

    /// Whether some are due at a time.
    pub(super) fn are_due(&self, when: When) -> bool {
        self.sources.iter().any(|source| source.when == when)
    }

    /// Reads all that has not been read.
    ///
    /// # Errors
    /// The first mistake in a query, with where it is in the file.
    pub(super) fn read_all(&self, language: &Language) -> Result<(), (usize, QueryMistake)> {
        for when in When::ALL {
            let is_due = |it: &usize| self.sources[*it].when == when;
            self.add((0..self.sources.len()).filter(is_due).collect(), language)?;
        }
        Ok(())
    }

    /// Those that are due at a time and may fit in a document.
    pub(super) fn fitting(&self, document: &Document, when: When) -> Vec<Arc<Chunk>> {
        let Some(language) = document.language().filter(|_| self.are_due(when)) else {
            return Vec::new();
        };
        let mut kinds = FixedBitSet::with_capacity(language.grammar().kinds().len());
        kinds.extend(
            document
                .ids()
                .map(|node| usize::from(document.node(node).kind.0)),
        );
        let mut rule = None;
        let mut wanted = Vec::new();
        for (it, source) in self.sources.iter().enumerate() {
            // What goes with a rewrite elsewhere is of no use without it, and stands behind it.
            let is_wanted = source.when == when
                && (source.part == 0 || rule == Some(source.rule))
                && source.may_fit(&kinds);
            if is_wanted {
                rule = Some(source.rule);
                wanted.push(it);
            }
        }
        // A mistake in what is built in is found by its tests.
        let _ = self.add(wanted.clone(), language);
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let is_wanted = |chunk: &&Arc<Chunk>| {
            let mut owners = chunk.owners.iter();
            owners.any(|owner| wanted.binary_search(owner).is_ok())
        };
        read.chunks.iter().filter(is_wanted).cloned().collect()
    }

    /// Reads those of these sources that have not been read.
    fn add(
        &self,
        mut sources: Vec<usize>,
        language: &Language,
    ) -> Result<(), (usize, QueryMistake)> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        sources.retain(|&it| !read.sources.contains(it));
        if sources.is_empty() {
            return Ok(());
        }
        let chunk = self.chunk(&sources, language)?;
        read.chunks.push(Arc::new(chunk));
        read.sources.grow(self.sources.len());
        read.sources.extend(sources);
        Ok(())
    }

    fn chunk(
        &self,
        sources: &[usize],
        language: &Language,
    ) -> Result<Chunk, (usize, QueryMistake)> {
        let mut text = String::new();
        let mut starts: Vec<(usize, usize)> = Vec::new();
        for &source in sources {
            starts.push((text.len(), source));
            text.push_str(&self.sources[source].text);
            text.push('\n');
        }
        let source_at = |offset: usize| {
            let next = starts.partition_point(|&(start, _)| start <= offset);
            starts[next.saturating_sub(1)]
        };
        let query = Query::new(language, &text).map_err(|mistake| {
            let (start, source) = source_at(mistake.offset);
            let at = mistake.offset.saturating_sub(start);
            (self.sources[source].start + at, mistake)
        })?;
        let owner = |pattern| source_at(query.start_of(pattern)).1;
        let owners = (0..query.patterns()).map(owner).collect();
        Ok(Chunk { query, owners })
    }

    /// The source of a pattern.
    pub(super) fn owner(&self, chunk: &Chunk, pattern: usize) -> &Source {
        &self.sources[chunk.owners[pattern]]
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
                let behind = rest[1..].trim_start();
                let name = &behind[..length_of_name(behind)];
                let own = kind(name, true).filter(|_| letter == '(');
                open.push(Open {
                    bracket: letter,
                    is_predicate: behind.starts_with('#'),
                    parts: own.into_iter().map(|kind| vec![kind]).collect(),
                });
                (1, None)
            }
            ')' | ']' if open.len() > 1 => (1, open.pop().map(Open::close)),
            '"' => {
                let length = length_of_text(rest);
                let text = rest[1..length].trim_end_matches('"');
                (length, Some(kind(text, false).into_iter().collect()))
            }
            ';' => (rest.find('\n').unwrap_or(rest.len()), None),
            _ => (letter.len_utf8(), None),
        };
        rest = &rest[length..];
        if let (Some(part), Some(outer)) = (part, open.last_mut()) {
            let is_optional = rest.trim_start().starts_with(['?', '*']);
            outer
                .parts
                .push(if is_optional { Vec::new() } else { part });
        }
    }
    open.swap_remove(0).parts
}

impl Open {
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
        assert_eq!(fitting("int a;"), 0);
        assert_eq!(fitting("/* a */"), 1);
        assert_eq!(fitting("f() { for (;;); /* a */ }"), 2);
        assert_eq!(fitting("int a;"), 0);
        assert_eq!(patterns.read.lock().unwrap().chunks.len(), 2);
    }
}
