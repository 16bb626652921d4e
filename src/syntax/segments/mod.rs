//! Parsing in segments: what the grammar does not know costs the element that it stands in, and not the whole text.
//!
//! A parser that meets a construct which its grammar does not have recovers near it, or not at all: then the whole text is one
//! error, and everything in it a row of stray tokens. Such a text is cut in two at the end of a declaration or a statement, outside
//! of brackets, and each half is parsed on its own, until what is left of the error is a single element. An element with a block is
//! parsed without what is in the block, and the inside in segments again, between the head and the end of the element: so members
//! are parsed as members, and statements as statements. The parser reads all of it as ranges of the one text, so every node keeps
//! its place.

mod cuts;
mod trees;

use super::{
    Language, NodeId,
    document::{ERROR, EXTRA, NAMED, Node, Nodes},
    parse,
    shown::Shown,
};
use cuts::Elements;
use std::ops::Range;
use tree_sitter::Tree;
pub(super) use trees::Trees;
use trees::{Brackets, Walk, holder, is_good};

/// A tree over ranges of a text, and which of its nodes are nodes of the document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Segment {
    /// What the parser reads, in order.
    pub(super) ranges: Vec<Range<usize>>,
    runs: Vec<Run>,
}

/// Nodes that follow each other in a tree and in the document, by their numbers in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    in_tree: u32,
    in_document: NodeId,
    length: u32,
}

impl Segment {
    /// The number in the document of a node of the tree, if it is one. The root is always that of the document.
    pub(super) fn in_document(&self, in_tree: u32) -> Option<NodeId> {
        if in_tree == 0 {
            return Some(0);
        }
        let behind = self.runs.partition_point(|run| run.in_tree <= in_tree);
        let run = self.runs[..behind].last()?;
        let place = in_tree - run.in_tree;
        (place < run.length).then_some(run.in_document + place)
    }

    /// Adds a node that follows all others in the tree and in the document.
    fn push(&mut self, in_tree: u32, in_document: NodeId) {
        match self.runs.last_mut() {
            Some(run)
                if run.in_tree + run.length == in_tree
                    && run.in_document + run.length == in_document =>
            {
                run.length += 1;
            }
            _ => self.runs.push(Run {
                in_tree,
                in_document,
                length: 1,
            }),
        }
    }
}

/// So many blocks are opened inside of each other.
const DEEPEST: usize = 16;
/// A text is better read in segments if of so many tokens one has no place in its tree.
const STRAY: u32 = 16;

/// Whether so much of a text has no place in its tree that it is better read in segments. Cost: linear in the nodes, if one is damaged.
pub(super) fn is_needed(nodes: &Nodes) -> bool {
    let all = nodes.all();
    let Some(root) = all.first().filter(|root| root.is_damaged()) else {
        return false;
    };
    root.is_error() || nodes.stray_tokens().saturating_mul(STRAY) > root.tokens
}

/// The nodes of a text, parsed in segments; `None` if the parser refuses. Cost: as parsing it, a few times.
pub(super) fn parse(bytes: &[u8], language: &Language) -> Option<Nodes> {
    let mut builder = Builder {
        language,
        trees: Trees::new(bytes, language),
        elements: Elements::of(bytes, language.lexis(), &language.facts().cuts),
        nodes: Nodes::default(),
        segments: Vec::new(),
        is_too_deep: false,
    };
    let root = parse::tree(b"", language, &[])?.root_node().kind_id();
    let root = Node::new(0..bytes.len(), language.kind(root), 0);
    builder.nodes.open(root.flagged(NAMED));
    let all = builder.elements.all();
    builder.build(&Place::default(), Part::new(0..bytes.len(), all));
    builder.nodes.close();
    builder.nodes.segments = builder.segments;
    Some(builder.nodes).filter(|_| !builder.is_too_deep)
}

/// What stands around a run of elements: the heads of the elements that hold it, up to their opening brackets, and their ends
/// from their closing brackets on.
#[derive(Clone, Debug, Default)]
struct Place {
    heads: Vec<Range<usize>>,
    tails: Vec<Range<usize>>,
}

impl Place {
    fn inside(&self, head: Range<usize>, tail: Range<usize>) -> Self {
        let mut inside = self.clone();
        inside.heads.push(head);
        inside.tails.push(tail);
        inside
    }

    /// What the parser reads for a text at this place.
    fn around(&self, inner: &[Range<usize>]) -> Vec<Range<usize>> {
        let heads = self.heads.iter().cloned();
        let tails = self.tails.iter().rev().cloned();
        heads.chain(inner.iter().cloned()).chain(tails).collect()
    }

    fn brackets(&self) -> Brackets {
        let (head, tail) = (self.heads.last()?, self.tails.last()?);
        Some((head.end - 1, tail.start))
    }
}

/// A run of elements: its bytes, and the tokens in them.
#[derive(Clone, Debug)]
struct Part {
    bytes: Range<usize>,
    tokens: Range<usize>,
}

impl Part {
    fn new(bytes: Range<usize>, tokens: Range<usize>) -> Self {
        Self { bytes, tokens }
    }
}

/// The inside of a block, which is parsed on its own.
struct Inside {
    place: Place,
    part: Part,
}

struct Builder<'t> {
    language: &'t Language,
    trees: Trees<'t>,
    elements: Elements<'t>,
    nodes: Nodes,
    segments: Vec<Segment>,
    is_too_deep: bool,
}

impl Builder<'_> {
    /// Adds the nodes of a part of the text.
    fn build(&mut self, place: &Place, part: Part) {
        let ranges = place.around(std::slice::from_ref(&part.bytes));
        let Some(tree) = self.trees.parsed(&ranges) else {
            return;
        };
        let is_final = is_good(&tree, place.brackets(), &part.bytes) || self.trees.is_spent();
        if is_final {
            return self.add_whole(&tree, ranges, place, &part);
        }
        if let Some(middle) = self.elements.middle(&part.tokens) {
            drop(tree);
            let seam = self.seam(middle);
            let (bytes, tokens) = (part.bytes, part.tokens);
            let first = Part::new(bytes.start..seam, tokens.start..middle);
            self.build(place, first);
            self.build(place, Part::new(seam..bytes.end, middle..tokens.end));
            return;
        }
        let block = self.elements.block(&part.tokens);
        match block.filter(|_| place.heads.len() < DEEPEST) {
            Some(block) => self.open(place, part, block),
            None => self.add_whole(&tree, ranges, place, &part),
        }
    }

    /// Where the text before a token is cut: at the end of a line, if one ends there.
    fn seam(&self, token: usize) -> usize {
        let end = self.elements.token(token - 1).end;
        let gap = &self.trees.bytes[end..self.elements.token(token).start];
        let line = gap.iter().position(|&byte| byte == b'\n');
        end + line.map_or(0, |line| line + 1)
    }

    /// Adds an element with a block, whose inside is parsed on its own.
    fn open(&mut self, place: &Place, element: Part, (open, close): (usize, usize)) {
        let (bytes, tokens) = (element.bytes, element.tokens);
        let head = bytes.start..self.elements.token(open).end;
        let tail = self.elements.token(close).start..bytes.end;
        let inside = Part::new(head.end..tail.start, open + 1..close);
        let ranges = place.around(&[head.clone(), tail.clone()]);
        let Some(tree) = self.trees.parsed(&ranges) else {
            return;
        };
        let is_block = holder(&tree, Some((head.end - 1, tail.start))).is_some();
        if is_block && is_good(&tree, place.brackets(), &bytes) {
            let place_inside = place.inside(head, tail);
            let inside = Inside {
                place: place_inside,
                part: inside,
            };
            return self.add(&tree, ranges, place, &bytes, Some(inside));
        }
        // What stands around the block is what the parser does not know.
        drop(tree);
        self.build(place, Part::new(head, tokens.start..open));
        self.build(place, inside);
        self.build(place, Part::new(tail, close + 1..tokens.end));
    }

    /// Adds what a tree says of a part, or an error if it has no place in it.
    fn add_whole(&mut self, tree: &Tree, ranges: Vec<Range<usize>>, place: &Place, part: &Part) {
        if holder(tree, place.brackets()).is_some() {
            return self.add(tree, ranges, place, &part.bytes, None);
        }
        let ranges = vec![part.bytes.clone()];
        let Some(tree) = self.trees.parsed(&ranges) else {
            return;
        };
        let root = tree.root_node();
        if !root.is_error() {
            return self.add(&tree, ranges, &Place::default(), &part.bytes, None);
        }
        let error = Node::new(root.byte_range(), self.language.kind(root.kind_id()), 0);
        self.nodes.open(error.flagged(NAMED | EXTRA | ERROR));
        self.add(&tree, ranges, &Place::default(), &part.bytes, None);
        self.nodes.close();
    }

    /// Adds the nodes of a tree that stand at a place and in these bytes, with what is inside of a block of them.
    fn add(
        &mut self,
        tree: &Tree,
        ranges: Vec<Range<usize>>,
        place: &Place,
        bytes: &Range<usize>,
        mut inside: Option<Inside>,
    ) {
        let holder = holder(tree, place.brackets()).unwrap_or(tree.root_node());
        let mut segment = Segment {
            ranges,
            runs: Vec::new(),
        };
        let mut walk = Walk::new(tree);
        let base = self.nodes.depth();
        // How deep the holder lies in the tree, and what of it is being added.
        let (mut of_holder, mut of_part): (Option<usize>, Option<usize>) = (None, None);
        while let Some(node) = walk.next() {
            let depth = walk.depth;
            of_part = of_part.filter(|&part| depth > part);
            if of_part.is_none() {
                self.close_down_to(base);
                let range = node.byte_range();
                let is_part = || bytes.start <= range.start && range.end <= bytes.end;
                if of_holder == Some(depth.wrapping_sub(1)) && is_part() {
                    of_part = Some(depth);
                } else if node.id() == holder.id() {
                    of_holder = Some(depth);
                }
            }
            let Some(part) = of_part else { continue };
            self.close_down_to(base + depth - part);
            let is_end = |inside: &mut Inside| inside.part.bytes.end == node.start_byte();
            if let Some(inside) = inside.take_if(|inside| node.child_count() == 0 && is_end(inside))
            {
                self.build(&inside.place, inside.part);
            }
            segment.push(walk.number, self.nodes.next_id());
            let shown = Shown::default();
            let node = parse::node_at(walk.cursor(), self.language, &shown);
            self.nodes.open(node);
            self.is_too_deep |= self.nodes.depth() > parse::DEEPEST;
        }
        self.close_down_to(base);
        self.segments.push(segment);
    }

    fn close_down_to(&mut self, depth: usize) {
        while self.nodes.depth() > depth {
            self.nodes.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::syntax::{Document, Language, Query};

    /// The text with what is wrong in it in the place of `@`, its document, and the texts of its errors.
    #[track_caller]
    fn check(language: &str, text: &str, wrong: &str) -> Document {
        let text = text.replace('@', wrong);
        let document = Document::new(text.as_bytes(), Language::named(language));
        assert!(!document.segments().is_empty(), "{text}");
        assert_eq!(document.node(0).range(), 0..text.len());
        for id in document.ids() {
            let children: Vec<_> = document
                .children(id)
                .map(|child| document.node(child).range())
                .collect();
            assert!(children.is_sorted_by(|one, next| one.end <= next.start));
            if let (Some(first), Some(last)) = (children.first(), children.last()) {
                let range = document.node(id).range();
                assert!(range.start <= first.start && last.end <= range.end);
            }
        }
        let errors = document.ids().filter(|&id| document.node(id).is_error());
        let strays: Vec<_> = errors
            .map(|id| String::from_utf8_lossy(document.text(id)).into_owned())
            .collect();
        assert!(!strays.is_empty());
        for stray in strays {
            assert!(stray.len() < 4 * wrong.len(), "{stray}");
        }
        document
    }

    fn count(document: &Document, kind: &str) -> usize {
        document
            .ids()
            .filter(|&id| document.kind_name(id) == kind)
            .count()
    }

    #[test]
    fn what_is_unknown_costs_its_own_declaration() {
        let functions = |count, function: &str| -> String {
            (0..count)
                .map(|index| function.replace('N', &index.to_string()))
                .collect()
        };
        let few = functions(6, "int fN(int a) {\n  return a + N;\n}\n");
        let text = format!("{few}namespace a {{\n{few}@\n{few}}}\nnamespace b {{ {few} }}\n{few}");
        let document = check("cpp", &text, "concept ( } ( x ] = } ) > { { [ ( 5 ;");
        let functions_found = count(&document, "function_definition");
        assert!(functions_found >= 20, "{functions_found}");
        let query = Query::new(document.language().unwrap(), "(function_definition) @a").unwrap();
        let matches = query.matches(&document);
        assert_eq!(matches.len(), functions_found);
        for found in matches {
            assert_eq!(
                document.kind_name(found.captures[0].1),
                "function_definition"
            );
        }
        let document = check(
            "javascript",
            &(functions(20, "function fN(a) { return a }\n")
                + "@\n"
                + &functions(20, "let gN = fN(1)\n")),
            "let { ] ) = ( [ } # # ( [ {",
        );
        assert_eq!(count(&document, "function_declaration"), 20);
    }

    #[test]
    fn a_text_without_errors_is_read_as_a_whole() {
        let document = Document::new(&b"int a; int b;"[..], Language::named("c"));
        assert!(document.segments().is_empty());
    }
}
