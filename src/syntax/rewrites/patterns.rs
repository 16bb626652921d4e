//! The queries of rules, each read when a document has what it looks for.
//!
//! For each pattern tree-sitter first finds out whether the grammar allows it, which takes some milliseconds; all that is built in
//! for C++ takes a second, and a small document has the nodes of few of them.

use super::{When, text::needs};
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
    text: String,
    /// Where it starts in the file.
    start: usize,
    when: When,
    /// Its rule, and the part of that.
    pub(super) rule: usize,
    pub(super) part: usize,
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
            needs: needs(text, |name, is_named| {
                language.kind_of_nodes(name, is_named)
            }),
            query: OnceLock::new(),
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

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
