//! The queries of rules, read when a document has what they look for.
//!
//! To read a query tree-sitter goes through all that the grammar allows, once for the query and again for each pattern: the 161 that
//! are built in for C++ take a second and a half one by one, half of it when they are read together, and a small document has the
//! nodes of few of them. So all that a document wants and nobody has read is read as one query, which is also looked for in one walk.

use super::{
    When,
    text::{captures_in, needs},
};
use crate::{
    grammar::Kind,
    syntax::{Document, Language, NodeId, Query, QueryMistake, query::Matches},
};
use fixedbitset::FixedBitSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// All queries of some rules.
#[derive(Debug, Default)]
pub(super) struct Patterns {
    sources: Vec<Source>,
    /// What was read together.
    batches: Mutex<Vec<Arc<Batch>>>,
}

/// One query as it was written.
#[derive(Debug)]
pub(super) struct Source {
    text: String,
    /// The names of its captures.
    pub(super) captures: Vec<String>,
    /// Where it starts in the file.
    start: usize,
    when: When,
    /// Its rule, and the part of that.
    pub(super) rule: usize,
    pub(super) part: usize,
    /// By pattern: the kinds of nodes without which it fits nowhere.
    needs: Vec<Vec<Kind>>,
    /// Read for itself; `None` where it is wrong, which the tests of what is built in do not let happen.
    query: OnceLock<Option<Query>>,
}

/// Queries that were read as one.
#[derive(Debug)]
struct Batch {
    query: Query,
    /// The number of the source of each pattern.
    sources: Vec<usize>,
}

/// The captures of one match, each with its node.
pub(super) type Bound<'p> = Vec<(&'p str, NodeId)>;

impl Source {
    pub(super) fn new(
        language: &Language,
        text: &str,
        start: usize,
        (when, rule, part): (When, usize, usize),
    ) -> Self {
        Self {
            text: text.to_owned(),
            captures: captures_in(text),
            start,
            when,
            rule,
            part,
            needs: needs(text, |name, is_named| {
                language.kind_of_nodes(name, is_named)
            }),
            query: OnceLock::new(),
        }
    }

    /// Its own query. Cost: some milliseconds for the first who asks, whom others wait for.
    fn query(&self, language: &Language) -> Option<&Query> {
        let read = || Query::new(language, &self.text).ok();
        self.query.get_or_init(read).as_ref()
    }

    fn may_fit(&self, kinds: &FixedBitSet) -> bool {
        let is_there = |kind: &Kind| kinds.contains(kind.0.into());
        self.needs.iter().any(|kinds| kinds.iter().all(is_there))
    }

    /// A match of a query that has its patterns, by its own names.
    fn bound(&self, names: &[&str], captures: Vec<(u32, NodeId)>) -> Bound<'_> {
        let captures = captures.into_iter().filter_map(|(name, node)| {
            let is_it = |own: &&String| *own == names[name as usize];
            Some((self.captures.iter().find(is_it)?.as_str(), node))
        });
        captures.collect()
    }
}

impl Patterns {
    pub(super) fn new(sources: Vec<Source>) -> Self {
        Self {
            sources,
            batches: Mutex::default(),
        }
    }

    /// Whether some are due at a time.
    pub(super) fn are_due(&self, when: When) -> bool {
        self.sources.iter().any(|source| source.when == when)
    }

    /// Reads all of them, each for itself.
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

    /// What those that are due at a time find in a document, in the order of the text for each. Cost: linear in the document, a walk
    /// for all that were read together; and what it takes to read those that were not wanted before.
    pub(super) fn matches(&self, document: &Document, when: When) -> Vec<(&Source, Bound<'_>)> {
        let Some(language) = document.language().filter(|_| self.are_due(when)) else {
            return Vec::new();
        };
        let mut wanted = self.fitting(document, language, when);
        let batches = self.batches(language, &wanted);
        let queries: Vec<&Query> = batches.iter().map(|batch| &batch.query).collect();
        let mut found = Vec::new();
        for (batch, matches) in batches.iter().zip(Query::all_matches(&queries, document)) {
            // The places that may be open at a time are shared by all patterns of a query. What is found must not depend on which were
            // read together, so then each is looked for alone, and is from now on.
            if !matches.is_cut {
                self.add(
                    &batch.query,
                    matches,
                    |pattern| batch.sources[pattern],
                    &wanted,
                    &mut found,
                );
                for &source in &batch.sources {
                    wanted.set(source, false);
                }
            }
        }
        let alone: Vec<(usize, &Query)> = wanted
            .ones()
            .filter_map(|source| Some((source, self.sources[source].query(language)?)))
            .collect();
        let queries: Vec<&Query> = alone.iter().map(|&(_, query)| query).collect();
        for (&(source, query), matches) in alone.iter().zip(Query::all_matches(&queries, document))
        {
            self.add(query, matches, |_| source, &wanted, &mut found);
        }
        found
    }

    /// Adds the matches of a query, whose patterns are those of some sources, as far as these are wanted.
    fn add<'p>(
        &'p self,
        query: &Query,
        matches: Matches,
        source: impl Fn(usize) -> usize,
        wanted: &FixedBitSet,
        found: &mut Vec<(&'p Source, Bound<'p>)>,
    ) {
        let names = query.captures();
        for matched in matches.all {
            let number = source(matched.pattern);
            if wanted.contains(number) {
                let source = &self.sources[number];
                found.push((source, source.bound(names, matched.captures)));
            }
        }
    }

    /// The numbers of those that are due at a time and may fit in a document. Cost: linear in the document.
    fn fitting(&self, document: &Document, language: &Language, when: When) -> FixedBitSet {
        let mut kinds = FixedBitSet::with_capacity(language.grammar().kinds().len());
        let kind = |node| usize::from(document.node(node).kind.0);
        kinds.extend(document.ids().map(kind));
        let mut rule = None;
        let mut fitting = FixedBitSet::with_capacity(self.sources.len());
        for (number, source) in self.sources.iter().enumerate() {
            // What goes with a rewrite elsewhere is of no use without it, and stands behind it.
            let is_wanted = source.part == 0 || rule == Some(source.rule);
            if source.when == when && is_wanted && source.may_fit(&kinds) {
                rule = Some(source.rule);
                fitting.insert(number);
            }
        }
        fitting
    }

    /// The queries in which those that are wanted were read together; what nobody has read is now. Who asks meanwhile waits.
    fn batches(&self, language: &Language, wanted: &FixedBitSet) -> Vec<Arc<Batch>> {
        let mut batches = self.batches.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rest = wanted.clone();
        for source in wanted.ones() {
            rest.set(source, self.sources[source].query.get().is_none());
        }
        let mut holding: Vec<Arc<Batch>> = Vec::new();
        for batch in batches.iter() {
            let mut sources = batch.sources.iter();
            if sources.any(|&source| rest.contains(source)) {
                batch
                    .sources
                    .iter()
                    .for_each(|&source| rest.set(source, false));
                holding.push(Arc::clone(batch));
            }
        }
        let new = (!rest.is_clear())
            .then(|| self.read(language, &rest))
            .flatten();
        if let Some(new) = new.map(Arc::new) {
            batches.push(Arc::clone(&new));
            holding.push(new);
        }
        holding
    }

    /// Reads some of them as one query; `None` where one of them is wrong.
    fn read(&self, language: &Language, sources: &FixedBitSet) -> Option<Batch> {
        let mut text = String::new();
        let mut starts = Vec::new();
        for number in sources.ones() {
            starts.push((text.len(), number));
            text.push_str(&self.sources[number].text);
            text.push('\n');
        }
        let query = Query::new(language, &text).ok()?;
        let source = |start| {
            let before = starts.partition_point(|&(first, _)| first <= start);
            starts[before.saturating_sub(1)].1
        };
        let sources = query.pattern_starts().map(source).collect();
        Some(Batch { query, sources })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(language: &Language, texts: &[&str]) -> Patterns {
        let source =
            |(rule, text): (usize, &&str)| Source::new(language, text, 0, (When::Late, rule, 0));
        Patterns::new(texts.iter().enumerate().map(source).collect())
    }

    fn document(language: &Arc<Language>, text: &str) -> Document {
        Document::new(text.as_bytes(), Some(Arc::clone(language)))
    }

    #[test]
    fn a_query_is_read_when_it_may_fit() {
        let language = Language::named("c").unwrap();
        let patterns = patterns(
            &language,
            &["(for_statement) @a", "(comment) @b", "(goto_statement) @c"],
        );
        let check = |text: &str, found: usize, read: &[&[usize]]| {
            let matches = patterns.matches(&document(&language, text), When::Late);
            assert_eq!(matches.len(), found, "{text}");
            let batches = patterns.batches.lock().unwrap();
            let sources: Vec<&[usize]> = batches.iter().map(|batch| &batch.sources[..]).collect();
            assert_eq!(sources, read, "{text}");
        };
        check("int a;", 0, &[]);
        check("/* a */", 1, &[&[1]]);
        check("f() { for (;;) goto a; /* a */ }", 3, &[&[1], &[0, 2]]);
        check("/* a */ f() { goto a; }", 2, &[&[1], &[0, 2]]);
    }

    #[test]
    fn what_is_found_does_not_depend_on_what_was_read_together() {
        let language = Language::named("c").unwrap();
        let texts = [
            "((comment) @a (#eq? @a \"/* a */\"))",
            "(argument_list (identifier) @a (number_literal) @b) @c",
            "(argument_list (identifier) @a (char_literal) @b) @c",
        ];
        // Each name is open in both rows until what it waits for comes: more than may be in one query, and not in two.
        for (count, is_cut) in [(5, false), (200, true)] {
            let text = format!("/* a */ int a = f({} 1, '2');", "a, ".repeat(count));
            let document = document(&language, &text);
            let together = patterns(&language, &texts);
            let by_source = |patterns: &Patterns| {
                let matches = patterns.matches(&document, When::Late).into_iter();
                let mut found: Vec<Vec<Vec<(String, NodeId)>>> = vec![Vec::new(); texts.len()];
                for (source, bound) in matches {
                    let bound = bound.into_iter();
                    let bound = bound.map(|(name, node)| (name.to_owned(), node));
                    found[source.rule].push(bound.collect());
                }
                found
            };
            let found = by_source(&together);
            let alone = patterns(&language, &texts);
            alone.read_all(&language).unwrap();
            assert_eq!(found, by_source(&alone));
            let counts: Vec<usize> = found.iter().map(Vec::len).collect();
            assert_eq!(counts, [1, count, count]);
            let is_alone = together.sources[0].query.get().is_some();
            assert_eq!(is_alone, is_cut);
        }
    }
}
