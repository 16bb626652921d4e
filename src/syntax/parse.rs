//! From tree-sitter's tree to our own nodes.

use super::{
    Document, Language, columns,
    document::{ERROR, EXTRA, MISSING, NAMED},
    document::{Node, NodeId, Nodes},
    segments::{self, Trees},
    shown::Shown,
    tags,
};
use std::{cell::Cell, ops::ControlFlow};
use tree_sitter::{ParseOptions, ParseState, Parser, Range, Tree, TreeCursor};

/// Parses `bytes` in `language`; `None` when the parser refuses (the input is too large), gets nowhere, could not hold all that the
/// text opens, or makes a tree that is too deep.
pub(super) fn parse(bytes: &[u8], language: &Language) -> Option<Nodes> {
    let facts = language.facts();
    let has_many_blocks = |most| columns::count(bytes) > most;
    let has_many_elements = |most| tags::most_open(bytes) > most;
    if facts.most_columns.is_some_and(has_many_blocks)
        || facts.most_elements.is_some_and(has_many_elements)
    {
        return None;
    }
    let nodes = read(bytes, language)?
        .completed(bytes, language)
        .into_nodes();
    if !language.facts().cuts.never && segments::is_needed(&nodes) {
        return Some(in_segments(bytes, language, nodes));
    }
    Some(nodes)
}

/// The same for a text of whose tree the parser knows all but some places; `None` where it must be shown something else, or all.
pub(super) fn parse_after(bytes: &[u8], language: &Language, known: &Tree) -> Option<Nodes> {
    if Shown::without_unseen(bytes, language).is_some() {
        return None;
    }
    let tree = tree_after(bytes, language, known)?;
    let nodes = Reading::of(tree, language, Shown::default())?
        .completed(bytes, language)
        .into_nodes();
    let is_cut = !language.facts().cuts.never && segments::is_needed(&nodes);
    (!is_cut).then_some(nodes)
}

/// What the parser makes of a text as it is, or without what the language lists as unseen if that leaves fewer errors. A large text
/// that has any of that is nearly always damaged, so it is read only once.
fn read(bytes: &[u8], language: &Language) -> Option<Reading> {
    let unseen = || Shown::without_unseen(bytes, language);
    let is_large = bytes.len() > LARGE;
    if let Some(shown) = is_large.then(unseen).flatten() {
        return Reading::new(bytes, language, shown);
    }
    let plain = Reading::new(bytes, language, Shown::default())?;
    let is_damaged = plain.nodes.errors() > 0;
    Some(match is_damaged.then(unseen).flatten() {
        Some(shown) => plain.or_if(|new, old| new < old, Reading::new(bytes, language, shown)),
        None => plain,
    })
}

/// A text of so many bytes is large.
pub(super) const LARGE: usize = 1 << 17;

/// What the parser made of a text that was shown to it in some way.
struct Reading {
    nodes: Nodes,
    tree: Tree,
}

impl Reading {
    fn new(bytes: &[u8], language: &Language, shown: Shown) -> Option<Self> {
        let tree = tree(&shown.applied(bytes, language), language, &[])?;
        Self::of(tree, language, shown)
    }

    fn of(tree: Tree, language: &Language, shown: Shown) -> Option<Self> {
        let nodes = Nodes::with_capacity(tree.root_node().descendant_count());
        let mut nodes = convert(&mut tree.walk(), nodes, language, &shown)?;
        nodes.shown = shown;
        Some(Self { nodes, tree })
    }

    /// The nodes, with the tree for what asks about it later.
    fn into_nodes(self) -> Nodes {
        let mut nodes = self.nodes;
        nodes.parsed = Some(self.tree);
        nodes
    }

    /// The same with what the text leaves out, if that leaves no more errors.
    fn completed(self, bytes: &[u8], language: &Language) -> Self {
        let shown = &self.nodes.shown;
        let places = incomplete(&self.tree, &shown.applied(bytes, language), language);
        if places.is_empty() {
            return self;
        }
        let complete = Self::new(bytes, language, shown.with_implied(places));
        self.or_if(|new, old| new <= old, complete)
    }

    /// The other one, if its errors are fewer.
    fn or_if(self, is_fewer: fn(usize, usize) -> bool, other: Option<Self>) -> Self {
        let is_better = |other: &Self| is_fewer(other.nodes.errors(), self.nodes.errors());
        other.filter(is_better).unwrap_or(self)
    }
}

/// Where a tree lacks what the language implies, in order. Cost: linear in its nodes.
fn incomplete(tree: &Tree, bytes: &[u8], language: &Language) -> Vec<usize> {
    let mut places = Vec::new();
    if let Some(query) = language.implied_places() {
        query.each(tree, bytes, |_, captures| {
            places.extend(captures.iter().map(|(_, node)| node.start_byte()));
        });
    }
    places.sort_unstable();
    places.dedup();
    places
}

/// The nodes of the text in segments, if fewer tokens are in errors then.
fn in_segments(bytes: &[u8], language: &Language, whole: Nodes) -> Nodes {
    let shown = Shown::without_unseen(bytes, language).unwrap_or_default();
    let segments = segments::parse(&shown.applied(bytes, language), language);
    let is_better = |segments: &Nodes| segments.stray_tokens() < whole.stray_tokens();
    match segments.filter(is_better) {
        Some(mut segments) => {
            segments.shown = shown;
            segments
        }
        None => whole,
    }
}

/// Calls `each` with the trees that the nodes of a document were made from, one after the other, each with the text that the parser was shown and a way from a node's
/// number in the tree to its number in the document.
pub(super) fn for_each_tree(
    document: &Document,
    mut each: impl FnMut(&Tree, &[u8], &dyn Fn(u32) -> Option<NodeId>),
) {
    let Some(language) = document.language().filter(|_| document.grammar().is_some()) else {
        return;
    };
    let bytes = document.shown().applied(document.bytes(), language);
    if document.segments().is_empty() {
        if let Some(tree) = document.parsed() {
            each(tree, &bytes, &Some);
        }
        return;
    }
    let mut trees = Trees::new(&bytes, language);
    for segment in document.segments() {
        if let Some(tree) = trees.parsed(&segment.ranges) {
            each(&tree, &bytes, &|node| segment.in_document(node));
        }
    }
}

/// The parser's tree over these ranges of a text, or over all of it if there are none.
pub(super) fn tree(bytes: &[u8], language: &Language, ranges: &[Range]) -> Option<Tree> {
    tree_from(bytes, language, ranges, None)
}

/// The parser's tree over a text, which takes over what it can from an edited tree of the text before.
pub(super) fn tree_after(bytes: &[u8], language: &Language, before: &Tree) -> Option<Tree> {
    tree_from(bytes, language, &[], Some(before))
}

fn tree_from(
    bytes: &[u8],
    language: &Language,
    ranges: &[Range],
    before: Option<&Tree>,
) -> Option<Tree> {
    if u32::try_from(bytes.len()).is_err() {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(language.parser()).ok()?;
    parser.set_included_ranges(ranges).ok()?;
    // Some scanners go round in circles on damaged input, and some look at all that follows at each token of it. The bounds are
    // counts, not times, so that a run can be repeated.
    let mut checks = bytes.len() / 2 + LEAST_CHECKS;
    let left = Cell::new(bytes.len().max(CHUNK).saturating_mul(MOST_READINGS));
    let mut progress = |_: &ParseState| {
        checks = checks.saturating_sub(1);
        if checks == 0 || left.get() == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut read = |offset: usize, _| {
        let rest = bytes.get(offset..).unwrap_or_default();
        let chunk = &rest[..rest.len().min(CHUNK)];
        left.set(left.get().saturating_sub(chunk.len()));
        chunk
    };
    parser.parse_with_options(&mut read, before, Some(options))
}

/// The parser gets so many bytes at a time.
const CHUNK: usize = 1 << 12;
/// As many times the length of a text, or of a chunk if that is longer, it may read; a chunk counts each time that it is given.
const MOST_READINGS: usize = 256;
/// The parser looks in every hundred steps; it takes a few steps for a token.
const LEAST_CHECKS: usize = 100;

/// What asks about the ancestors of each node takes the square of the depth.
pub(super) const DEEPEST: usize = 5000;

/// Walks the whole tree without recursion; `None` if it is too deep.
fn convert(
    cursor: &mut TreeCursor,
    mut nodes: Nodes,
    language: &Language,
    shown: &Shown,
) -> Option<Nodes> {
    loop {
        nodes.open(node_at(cursor, language, shown));
        if nodes.depth() > DEEPEST {
            return None;
        }
        if cursor.goto_first_child() {
            continue;
        }
        nodes.close();
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Some(nodes);
            }
            nodes.close();
        }
    }
}

pub(super) fn node_at(cursor: &TreeCursor, language: &Language, shown: &Shown) -> Node {
    let node = cursor.node();
    let field = cursor.field_id().map_or(0, u16::from);
    let flags = (u8::from(node.is_named()) * NAMED)
        | (u8::from(node.is_extra()) * EXTRA)
        | (u8::from(node.is_error()) * ERROR)
        | (u8::from(node.is_missing()) * MISSING);
    let range = node.byte_range();
    let position = |shown_at| shown.position_without(shown_at, language);
    let range = position(range.start)..position(range.end);
    Node::new(range, language.kind(node.kind_id()), field).flagged(flags)
}

/// The number of a node of the tree that the nodes of a document were made from one to one, by its place and kind; `None` if other
/// nodes have these, too. Cost: that of a search.
pub(super) fn number_of(document: &Document, node: &tree_sitter::Node) -> Option<NodeId> {
    let language = document.language()?;
    let position = |shown_at| document.shown().position_without(shown_at, language);
    let narrow = |at| u32::try_from(position(at)).ok();
    let (start, end) = (narrow(node.start_byte())?, narrow(node.end_byte())?);
    let kind = language.kind(node.kind_id());
    let all = document.nodes();
    let first = all.partition_point(|node| node.start < start);
    let here = all[first..].iter().take_while(|node| node.start == start);
    let mut alike = (first..)
        .zip(here)
        .filter(|(_, node)| node.end == end && node.kind == kind);
    let (number, _) = alike.next()?;
    let is_only = alike.next().is_none();
    NodeId::try_from(number).ok().filter(|_| is_only)
}

#[cfg(test)]
mod tests {
    use crate::syntax::{Document, Language};

    /// The kinds of what stands at the top, and whether all was understood.
    fn top(text: &str) -> (Vec<String>, bool) {
        let document = Document::new(text.as_bytes(), Language::named("c"));
        let kinds = document.children(0).map(|id| document.kind_name(id).into());
        (kinds.collect(), document.is_damaged())
    }

    #[test]
    fn a_function_without_a_type_is_a_function() {
        for text in [
            "f() { g(); }",
            "f(a) { return a; }",
            "f(a, b) char *a, *b; { return 0; }",
            "f(a) register char *a; { return 0; }",
            "f(a, b) int *a; { h() { } return 0; }",
        ] {
            assert_eq!(
                top(text),
                (vec!["function_definition".into()], false),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_definition_stays_as_it_is() {
        assert_eq!(
            top("f(); int a;").0,
            ["expression_statement", "declaration"]
        );
        assert!(top("int f() { g() h(); { } }").1);
    }

    #[cfg(feature = "lang-lua")]
    #[test]
    fn a_scanner_that_looks_far_ahead_at_each_token_does_not_take_for_ever() {
        let lua = Language::named("lua");
        let words = "w ".repeat(10_000);
        assert!(
            Document::new(words.as_bytes(), lua.clone())
                .grammar()
                .is_none()
        );
        let calls = "w(1) ".repeat(10_000);
        assert!(Document::new(calls.as_bytes(), lua).grammar().is_some());
    }

    #[test]
    fn nodes_cover_what_they_cover_in_the_text() {
        let text = "int a; f(x) { return x; } g() { f(1); }";
        let document = Document::new(text.as_bytes(), Language::named("c"));
        let texts: Vec<&[u8]> = document.children(0).map(|id| document.text(id)).collect();
        assert_eq!(
            texts,
            [&b"int a;"[..], b"f(x) { return x; }", b"g() { f(1); }"]
        );
        let tokens: Vec<&[u8]> = document.leaves().map(|id| document.text(id)).collect();
        assert_eq!(tokens.concat(), text.replace(' ', "").as_bytes());
    }
}
