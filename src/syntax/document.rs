//! A document: bytes and the tree over them, both immutable and shared.

use super::{
    Language, Lexis,
    facts::{LanguageFacts, Role},
    parse, plain,
    prefixes::Prefixes,
    rows::Rules,
    segments::Segment,
    shown::Shown,
};
use crate::grammar::{Grammar, Kind};
use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

/// The number of a node: its place in document order, parents before their children.
pub type NodeId = u32;

/// One node of the tree, 28 bytes. The descendants of node `n` are the nodes `n + 1 .. end_id`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// First byte.
    pub start: u32,
    /// First byte behind it.
    pub end: u32,
    /// The node above; the root is its own parent.
    pub parent: NodeId,
    /// First node behind its descendants.
    pub end_id: NodeId,
    /// Leaves with text below it, itself included if it is one.
    pub tokens: u32,
    /// What it is, in the grammar's numbering.
    pub kind: Kind,
    /// The parser's number of the field that holds it in its parent; 0 for none.
    pub field: u16,
    flags: u8,
}

/// The nodes of a tree in document order.
#[derive(Clone, Debug, Default)]
pub struct Nodes {
    all: Vec<Node>,
    open: Vec<NodeId>,
    /// What the parser was shown.
    pub(super) shown: Shown,
    /// The parser's tree that they come from, one to one: to parse a large text once more takes longer than to keep it.
    pub(super) parsed: Option<tree_sitter::Tree>,
    /// The trees that they come from, if the text was parsed in segments.
    pub(super) segments: Vec<Segment>,
}

/// Bytes, their language and their tree, which is made when somebody asks for it. A clone shares everything.
#[derive(Clone, Debug)]
pub struct Document {
    bytes: Arc<[u8]>,
    language: Option<Arc<Language>>,
    tree: Arc<OnceLock<Tree>>,
    pub(super) rules: Arc<Rules>,
    prefixes: Arc<OnceLock<Prefixes>>,
    /// The language of its comments, also where the text is read without its grammar.
    dialect: Option<Arc<Language>>,
}

#[derive(Debug)]
struct Tree {
    nodes: Nodes,
    /// Whether the nodes are those of the language's parser.
    follows_grammar: bool,
}

pub(super) const NAMED: u8 = 1;
pub(super) const EXTRA: u8 = 2;
pub(super) const ERROR: u8 = 4;
pub(super) const MISSING: u8 = 8;
const DAMAGED: u8 = 16;

impl Node {
    pub(super) fn new(range: Range<usize>, kind: Kind, field: u16) -> Self {
        let narrow = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self {
            start: narrow(range.start),
            end: narrow(range.end),
            parent: 0,
            end_id: 0,
            tokens: 0,
            kind,
            field,
            flags: 0,
        }
    }

    /// It, with these of the flags below.
    pub(super) fn flagged(mut self, flags: u8) -> Self {
        self.flags = flags;
        self
    }

    /// The bytes that it covers.
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether it has a name in the grammar (an identifier, not a comma).
    pub fn is_named(&self) -> bool {
        self.flags & NAMED != 0
    }

    /// Whether it may stand anywhere: comments, mostly, and what the parser did not understand.
    pub fn is_extra(&self) -> bool {
        self.flags & EXTRA != 0
    }

    /// Whether it is a comment, or what the grammar allows anywhere besides.
    pub fn is_comment(&self) -> bool {
        self.is_extra() && !self.is_error() && !self.is_missing()
    }

    /// Whether the parser did not understand it.
    pub fn is_error(&self) -> bool {
        self.flags & ERROR != 0
    }

    /// Whether the parser made it up; it has no text.
    pub fn is_missing(&self) -> bool {
        self.flags & MISSING != 0
    }

    /// Whether it, or something below it, is an error or missing.
    pub fn is_damaged(&self) -> bool {
        self.flags & (ERROR | MISSING | DAMAGED) != 0
    }
}

impl Nodes {
    /// No nodes, with room for so many.
    pub(super) fn with_capacity(count: usize) -> Self {
        Self {
            all: Vec::with_capacity(count),
            ..Self::default()
        }
    }

    /// The number of the node that is added next.
    pub(super) fn next_id(&self) -> NodeId {
        NodeId::try_from(self.all.len()).unwrap_or(NodeId::MAX)
    }

    /// Adds a node below the one that is open, and opens it.
    pub(super) fn open(&mut self, mut node: Node) {
        node.parent = self.open.last().copied().unwrap_or(0);
        self.open.push(self.next_id());
        self.all.push(node);
    }

    /// Closes the node that was opened last. Its tokens and damage count for its parent.
    pub(super) fn close(&mut self) {
        let Some(id) = self.open.pop() else { return };
        let end_id = self.next_id();
        let node = &mut self.all[id as usize];
        node.end_id = end_id;
        if end_id == id + 1 && node.end > node.start {
            node.tokens = 1;
        }
        let (tokens, damaged) = (node.tokens, node.is_damaged());
        if let Some(&parent) = self.open.last() {
            let parent = &mut self.all[parent as usize];
            parent.tokens += tokens;
            parent.flags |= u8::from(damaged) * DAMAGED;
        }
    }

    /// All of them.
    pub(super) fn all(&self) -> &[Node] {
        &self.all
    }

    /// How many are errors or missing.
    pub(super) fn errors(&self) -> usize {
        let is_error = |node: &&Node| node.is_error() || node.is_missing();
        self.all.iter().filter(is_error).count()
    }

    /// How many tokens stand directly in errors.
    pub(super) fn stray_tokens(&self) -> u32 {
        let leaves = (0..)
            .zip(&self.all)
            .filter(|(id, node)| node.end_id == id + 1);
        let stray = leaves.filter(|(_, node)| self.all[node.parent as usize].is_error());
        stray.map(|(_, node)| node.tokens).sum()
    }

    /// How many nodes are open.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }
}

impl Document {
    /// A document of any bytes. The first question about its tree parses them. Cost: linear.
    pub fn new(bytes: impl Into<Arc<[u8]>>, language: Option<Arc<Language>>) -> Self {
        Self::read(bytes.into(), language.clone(), language)
    }

    /// To be parsed in `language`, with the comments of `dialect`.
    fn read(
        bytes: Arc<[u8]>,
        language: Option<Arc<Language>>,
        dialect: Option<Arc<Language>>,
    ) -> Self {
        Self {
            bytes,
            language,
            tree: Arc::default(),
            rules: Arc::default(),
            prefixes: Arc::default(),
            dialect,
        }
    }

    fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| {
            let language = self.language.as_deref();
            let parsed = language.and_then(|language| parse::parse(&self.bytes, language));
            Tree {
                follows_grammar: parsed.is_some(),
                nodes: parsed.unwrap_or_else(|| plain::parse(&self.bytes, self.lexis())),
            }
        })
    }

    /// The language, if its parser made the tree.
    fn parsed_in(&self) -> Option<&Language> {
        let language = self.language.as_deref();
        language.filter(|_| self.tree().follows_grammar)
    }

    /// Other bytes in the same language, with their nodes if they are known.
    pub(super) fn with_bytes(&self, bytes: Arc<[u8]>, nodes: Option<Nodes>) -> Self {
        let document = Self::read(bytes, self.language.clone(), self.dialect.clone());
        if let Some(nodes) = nodes {
            let _ = document.tree.set(Tree {
                nodes,
                follows_grammar: true,
            });
        }
        document
    }

    /// Whether it was parsed before anybody asked for its tree.
    #[cfg(test)]
    pub(super) fn tree_is_known(&self) -> bool {
        self.tree.get().is_some()
    }

    /// The same text, with a tree of brackets, lines and separators.
    #[must_use]
    pub fn without_grammar(&self) -> Self {
        Self::read(Arc::clone(&self.bytes), None, self.dialect.clone())
    }

    /// How many tokens the parser has put into no place at all.
    pub fn stray_tokens(&self) -> u32 {
        self.tree().nodes.stray_tokens()
    }

    /// The whole text.
    pub fn bytes(&self) -> &Arc<[u8]> {
        &self.bytes
    }

    /// The language it was parsed in.
    pub fn language(&self) -> Option<&Arc<Language>> {
        self.language.as_ref()
    }

    /// What its comments look like.
    pub fn lexis(&self) -> &Lexis {
        Lexis::of(self.dialect.as_deref())
    }

    /// The grammar of its language; `None` when its parser gave up and the tree is one of brackets and lines.
    pub fn grammar(&self) -> Option<&Grammar> {
        self.parsed_in().map(Language::grammar)
    }

    /// All nodes in document order. The first is the root.
    pub fn nodes(&self) -> &[Node] {
        self.tree().nodes.all()
    }

    /// The numbers of all nodes.
    pub fn ids(&self) -> Range<NodeId> {
        0..NodeId::try_from(self.nodes().len()).unwrap_or(NodeId::MAX)
    }

    /// A node and all that is around it, from the inside out.
    pub fn around(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let parent = |&node: &NodeId| (node != 0).then(|| self.node(node).parent);
        std::iter::successors(Some(node), parent)
    }

    /// The nodes that begin in a range of bytes. Cost: logarithmic.
    pub fn nodes_in(&self, bytes: Range<usize>) -> Range<NodeId> {
        let first_from = |start: usize| {
            self.nodes()
                .partition_point(|node| node.range().start < start)
        };
        let narrow = |place| NodeId::try_from(place).unwrap_or(NodeId::MAX);
        narrow(first_from(bytes.start))..narrow(first_from(bytes.end))
    }

    /// The leaves that have a text, in document order.
    pub fn leaves(&self) -> impl Iterator<Item = NodeId> + '_ {
        let has_text = |id: NodeId| self.node(id).end > self.node(id).start;
        self.ids()
            .filter(move |&id| self.is_leaf(id) && has_text(id))
    }

    /// One node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes()[id as usize]
    }

    /// The text of a node.
    pub fn text(&self, id: NodeId) -> &[u8] {
        &self.bytes[self.node(id).range()]
    }

    /// A number that is equal for nodes of any documents with the same text but for blanks and, as good as always, for no others. The
    /// first call costs the size of the document, every other one next to nothing.
    pub fn fingerprint(&self, id: NodeId) -> u64 {
        let prefixes = self.prefixes.get_or_init(|| Prefixes::of(&self.bytes));
        prefixes.fingerprint(self.node(id).range())
    }

    /// The children of a node in order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.node(id).end_id;
        let first = Some(id + 1).filter(|&child| child < end);
        std::iter::successors(first, move |&child| {
            Some(self.node(child).end_id).filter(|&next| next < end)
        })
    }

    /// The first child of a node that stands in this field.
    pub fn child_in_field(&self, id: NodeId, field: &str) -> Option<NodeId> {
        self.children(id)
            .find(|&child| self.field_name(child) == Some(field))
    }

    /// Whether a node has no children.
    pub fn is_leaf(&self, id: NodeId) -> bool {
        self.node(id).end_id == id + 1
    }

    /// Whether a leaf holds code that the grammar does not take apart: what a macro stands for.
    pub fn is_opaque(&self, id: NodeId) -> bool {
        self.is_one_of(id, |facts| &facts.opaque)
    }

    /// Whether the grammar says nothing about the text of a node between its children: a comment, character data, or what was not
    /// understood.
    pub fn is_free(&self, id: NodeId) -> bool {
        let node = self.node(id);
        node.is_error() || node.is_comment() || self.is_one_of(id, |facts| &facts.free)
    }

    /// Whether a node is of a kind whose text is prose or a number, not code.
    pub fn is_literal(&self, id: NodeId) -> bool {
        self.is_one_of(id, |facts| &facts.literals)
    }

    /// Whether a node is of a kind with this role in its language.
    pub fn has_role(&self, id: NodeId, role: Role) -> bool {
        self.parsed_in()
            .is_some_and(|language| language.is_role_of(role, self.node(id).kind))
    }

    /// Whether a node stands in a list of the members of a type.
    pub fn is_member(&self, id: NodeId) -> bool {
        self.has_role(self.node(id).parent, Role::Members)
    }

    /// Whether a node declares something without a body or value, which something else has.
    pub fn is_signature(&self, id: NodeId) -> bool {
        self.is_one_of(id, |facts| &facts.signatures)
    }

    /// Whether a node is a statement that says something to a reader only.
    pub fn is_remark(&self, id: NodeId) -> bool {
        let (first, end) = (id + 1, self.node(id).end_id);
        first < end
            && self.has_role(id, Role::ExpressionStatement)
            && self.has_role(first, Role::Remarks)
            && self.node(first).end_id == end
    }

    /// Whether its language lists the kind of a node.
    fn is_one_of(&self, id: NodeId, list: impl Fn(&LanguageFacts) -> &[String]) -> bool {
        self.parsed_in().is_some_and(|language| {
            let mut kinds = list(language.facts()).iter();
            kinds.any(|kind| kind == self.kind_name(id))
        })
    }

    /// The name of a node's kind ("identifier", ",", "ERROR").
    pub fn kind_name(&self, id: NodeId) -> &str {
        match self.grammar() {
            Some(grammar) => grammar.kinds().name(self.node(id).kind),
            None => plain::kind_name(self.node(id).kind),
        }
    }

    /// The name of the field that holds a node in its parent.
    pub fn field_name(&self, id: NodeId) -> Option<&str> {
        self.parsed_in()?.field_name(self.node(id).field)
    }

    /// Whether something could not be parsed.
    pub fn is_damaged(&self) -> bool {
        let gave_up = self.language.is_some() && self.parsed_in().is_none();
        gave_up || self.nodes().first().is_some_and(Node::is_damaged)
    }

    /// What its parser was shown.
    pub(super) fn shown(&self) -> &Shown {
        &self.tree().nodes.shown
    }

    /// The parser's tree that its nodes come from, one to one, if there is one.
    pub(super) fn parsed(&self) -> Option<&tree_sitter::Tree> {
        self.tree().nodes.parsed.as_ref()
    }

    /// The trees that its nodes come from, if it was parsed in segments.
    pub(super) fn segments(&self) -> &[Segment] {
        &self.tree().nodes.segments
    }

    /// How many nodes are errors or missing.
    pub fn error_count(&self) -> usize {
        self.tree().nodes.errors()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn c(text: &str) -> Document {
        Document::new(text.as_bytes(), Language::named("c"))
    }

    #[test]
    fn children_and_fields_are_those_of_the_parser() {
        let document = c("int f(void) { return 1; }");
        let names = |id| {
            document
                .children(id)
                .map(|child| document.kind_name(child))
                .collect::<Vec<_>>()
        };
        assert_eq!(names(0), ["function_definition"]);
        assert_eq!(
            names(1),
            [
                "primitive_type",
                "function_declarator",
                "compound_statement"
            ]
        );
        let body = document.children(1).last().unwrap();
        assert_eq!(document.field_name(body), Some("body"));
        assert_eq!(document.text(body), b"{ return 1; }");
    }

    #[test]
    fn tokens_are_leaves_with_text() {
        assert_eq!(c("int x;").node(0).tokens, 3);
        assert_eq!(c("").node(0).tokens, 0);
    }

    #[test]
    fn damage_is_seen_at_the_root() {
        assert!(c("int f( {").is_damaged());
        assert!(!c("int f(void) {}").is_damaged());
    }

    #[test]
    fn damage_has_places() {
        assert!(c("int a; int b;").damaged_places().is_empty());
        let document = c("int a; @ ) ] @ int b; int c;");
        let places = document.damaged_places();
        assert_eq!(places.len(), 1, "{places:?}");
        assert!(
            places[0].contains(&9) && !places[0].contains(&26),
            "{places:?}"
        );
        assert!(document.stray_tokens() >= 3);
        assert_eq!(document.without_grammar().stray_tokens(), 0);
    }

    #[test]
    fn any_bytes_make_a_document() {
        for bytes in [&b"\0\xff\xfe{("[..], b"", b"\"", b"/*", b"}}}}"] {
            for language in [
                None,
                Language::named("c"),
                Language::named("xml"),
                Language::named("python"),
            ] {
                let document = Document::new(bytes, language);
                assert!(document.node(0).end as usize <= bytes.len());
            }
        }
    }

    #[test]
    fn deep_nesting_does_not_overflow_the_stack() {
        let text = "(".repeat(100_000) + &")".repeat(100_000);
        for language in [None, Language::named("javascript")] {
            let document = Document::new(text.as_bytes(), language);
            assert!(document.nodes().len() > 100_000);
        }
    }
}
