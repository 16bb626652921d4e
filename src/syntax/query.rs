//! Queries: patterns in tree-sitter's query language, searched for in the tree of a document.

use super::{Document, Language, NodeId, parse};
use rustc_hash::FxHashMap;
use tree_sitter::{Node, QueryCursor, QueryErrorKind, StreamingIterator, Tree};

/// Some patterns over one language.
#[derive(Debug)]
pub struct Query {
    query: tree_sitter::Query,
}

/// One place where a pattern fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Which of the query's patterns it is.
    pub pattern: usize,
    /// The captured nodes, each with the number of the capture's name.
    pub captures: Vec<(u32, NodeId)>,
}

/// What a query has found in a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matches {
    /// Each match after those that end before it.
    pub all: Vec<Match>,
    /// Whether too many places were open at a time, so that some matches may be missing.
    pub is_cut: bool,
}

/// What is wrong with the text of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryMistake {
    /// At which byte of the text.
    pub offset: usize,
    /// What is wrong there.
    pub message: String,
}

/// So many places may be open at a time: each node looks at all of them, and in a text that nests without end there are ever more.
const MOST_OPEN: u32 = if cfg!(test) { 1 << 8 } else { 1 << 12 };

impl Query {
    /// Reads patterns.
    ///
    /// # Errors
    /// Where the text is no query, or names something that the grammar does not have.
    pub fn new(language: &Language, text: &str) -> Result<Self, QueryMistake> {
        match tree_sitter::Query::new(language.parser(), text) {
            Ok(query) => Ok(Self { query }),
            Err(error) => {
                let name = error.message.trim_matches('"');
                let message = match error.kind {
                    QueryErrorKind::NodeType => {
                        format!("the grammar has no node `{name}`")
                    }
                    QueryErrorKind::Field => {
                        format!("the grammar has no field `{name}`")
                    }
                    QueryErrorKind::Capture => {
                        format!("no pattern captures `{name}`")
                    }
                    QueryErrorKind::Structure => {
                        String::from("this pattern never fits: the grammar has no such nodes there")
                    }
                    QueryErrorKind::Predicate => error.message,
                    QueryErrorKind::Syntax | QueryErrorKind::Language => {
                        String::from("this is no query")
                    }
                };
                Err(QueryMistake {
                    offset: error.offset,
                    message,
                })
            }
        }
    }

    /// The names of the captures, by their numbers.
    pub fn captures(&self) -> &[&str] {
        self.query.capture_names()
    }

    /// Where each of its patterns starts in the text that it was read from.
    pub(super) fn pattern_starts(&self) -> impl Iterator<Item = usize> {
        (0..self.query.pattern_count()).map(|pattern| self.query.start_byte_for_pattern(pattern))
    }

    /// All places where a pattern fits, each after those that end before it; none for a document without a grammar. Cost: linear in
    /// the document; what was parsed in segments is parsed once more.
    pub fn matches(&self, document: &Document) -> Vec<Match> {
        Self::all_matches(&[self], document).swap_remove(0).all
    }

    /// The same for each of some queries.
    pub fn all_matches(queries: &[&Self], document: &Document) -> Vec<Matches> {
        let mut matches: Vec<Matches> = vec![Matches::default(); queries.len()];
        if queries.is_empty() {
            return matches;
        }
        parse::for_each_tree(document, |tree, bytes, in_document| {
            for (query, matches) in queries.iter().zip(&mut matches) {
                query.add_matches(document, (tree, bytes), in_document, matches);
            }
        });
        matches
    }

    /// Adds the matches in one tree of a document all of whose captures are nodes of the document.
    fn add_matches(
        &self,
        document: &Document,
        (tree, bytes): (&Tree, &[u8]),
        in_document: &dyn Fn(u32) -> Option<NodeId>,
        matches: &mut Matches,
    ) {
        let is_whole = document.segments().is_empty();
        let mut numbers: FxHashMap<usize, NodeId> = FxHashMap::default();
        let mut found: Vec<(usize, Vec<(u32, usize)>)> = Vec::new();
        let mut is_known = true;
        matches.is_cut |= self.each(tree, bytes, |pattern, captures| {
            let nodes = captures.iter().map(|&(name, node)| (name, node.id()));
            found.push((pattern, nodes.collect()));
            for (_, node) in captures {
                let number = numbers.entry(node.id()).or_insert_with(|| {
                    let number = is_whole.then(|| parse::number_of(document, node)).flatten();
                    number.unwrap_or(NodeId::MAX)
                });
                is_known &= *number != NodeId::MAX;
            }
        });
        if !is_known {
            number(tree, &mut numbers);
        }
        let each = found.into_iter().filter_map(|(pattern, captures)| {
            let captures = captures.into_iter();
            let captures = captures.map(|(name, id)| Some((name, in_document(numbers[&id])?)));
            let captures = captures.collect::<Option<_>>()?;
            Some(Match { pattern, captures })
        });
        matches.all.extend(each);
    }

    /// Calls `each` with the pattern and the captures of every match in a tree, in the order of the text. Whether too many places
    /// were open at a time.
    pub(super) fn each<'t>(
        &self,
        tree: &'t Tree,
        bytes: &[u8],
        mut each: impl FnMut(usize, &[(u32, Node<'t>)]),
    ) -> bool {
        let mut cursor = QueryCursor::new();
        cursor.set_match_limit(MOST_OPEN);
        let mut matches = cursor.matches(&self.query, tree.root_node(), bytes);
        while let Some(found) = matches.next() {
            let captures = found.captures().iter();
            let captures: Vec<_> = captures.map(|found| (found.index, found.node)).collect();
            each(found.pattern_index, &captures);
        }
        drop(matches);
        cursor.did_exceed_match_limit()
    }
}

/// Finds out the number of each of these nodes: its place in the order of the tree.
fn number(tree: &Tree, numbers: &mut FxHashMap<usize, NodeId>) {
    if numbers.is_empty() {
        return;
    }
    let mut cursor = tree.walk();
    let mut next: NodeId = 0;
    loop {
        if let Some(number) = numbers.get_mut(&cursor.node().id()) {
            *number = next;
        }
        next += 1;
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, query: &str, expected: &[&[&str]]) {
        let language = Language::named("c").unwrap();
        let document = Document::new(text.as_bytes(), Some(language.clone()));
        let query = Query::new(&language, query).unwrap();
        let matches = query.matches(&document);
        let texts = |found: &Match| -> Vec<String> {
            let nodes = found.captures.iter();
            nodes
                .map(|&(_, node)| String::from_utf8_lossy(document.text(node)).into_owned())
                .collect()
        };
        let found: Vec<Vec<String>> = matches.iter().map(texts).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn captures_are_nodes_of_the_document() {
        check(
            "int a, *b; int f(int c) { }",
            "(declaration declarator: (_) @a)",
            &[&["a"], &["*b"]],
        );
        check(
            "f(a) { return (a); } g() { return ((b)); }",
            "(parenthesized_expression (identifier) @a (#eq? @a \"b\")) @b",
            &[&["(b)", "b"]],
        );
    }

    #[test]
    fn every_node_is_found_where_it_is() {
        let language = Language::named("c").unwrap();
        let text = "int a; f(b) { return (b) + g((int) b, ); } @ int";
        let document = Document::new(text.as_bytes(), Some(language.clone()));
        let query = Query::new(&language, "(_) @a").unwrap();
        let matches = query.matches(&document).into_iter();
        let mut found: Vec<NodeId> = matches.map(|found| found.captures[0].1).collect();
        found.sort_unstable();
        let node = |id: NodeId| document.node(id);
        let is_named = |&id: &NodeId| node(id).is_named() && !node(id).is_error();
        let named: Vec<NodeId> = document.ids().filter(is_named).collect();
        assert_eq!(found, named);
    }

    #[test]
    fn a_mistake_has_a_place() {
        let language = Language::named("c").unwrap();
        for (text, offset, part) in [
            ("(declaration) (decl)", 15, "`decl`"),
            ("(declaration declarator)", 13, "no query"),
            ("(declaration wrong: (_))", 13, "`wrong`"),
            (
                "(declaration (#eq? @a \"b\"))",
                20,
                "no pattern captures `a`",
            ),
        ] {
            let mistake = Query::new(&language, text).unwrap_err();
            assert_eq!(mistake.offset, offset, "{mistake:?}");
            assert!(mistake.message.contains(part), "{mistake:?}");
        }
    }
}
