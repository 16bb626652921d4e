//! Brackets: what a document without a grammar shows of its structure.
//!
//! The same element of all lists that belong together (a column of a table, an argument of a function), and brackets that give
//! their place to what they hold. Single elements, statements and clauses are nodes of the tree, and so units.

use super::{
    Context, mentions,
    proposal::{Proposal, before, fingerprint, without_blanks},
};
use crate::syntax::{Document, Edit, NodeId, Splice};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// The longest list that whole columns are taken from.
const MOST_COLUMNS: usize = 24;
/// Columns are not looked for in documents of more nodes: it takes a look at all of them for every name.
const LARGE: usize = 20_000;

/// All the proposals; none for a document with a grammar.
pub fn brackets(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    if document.grammar().is_some() || document.bytes().contains(&0) {
        return Vec::new();
    }
    let outline = Outline::of(document);
    let mut proposals = Vec::new();
    for group in &outline.groups {
        proposals.extend(outline.zeros(&group.elements));
        proposals.extend(outline.unwrapped(group));
    }
    proposals.extend(outline.opened());
    if document.nodes().len() <= LARGE {
        proposals.extend(outline.columns());
    }
    proposals
}

/// One name for two elements of a list: an element goes, and where else it is named stands its neighbour's name. None for a
/// document with a grammar.
pub fn mergers(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    if document.grammar().is_some() || document.nodes().len() > LARGE {
        return Vec::new();
    }
    let outline = Outline::of(document);
    let groups = outline.groups.iter();
    groups.flat_map(|group| outline.merged(group)).collect()
}

/// A bracket, its counterpart, and what stands between the separators inside.
#[derive(Clone, Debug)]
struct Group {
    node: NodeId,
    open: NodeId,
    close: NodeId,
    /// The nodes of each element, without its separators.
    elements: Vec<Range<NodeId>>,
    /// The token before the bracket, if it is a word.
    name: Option<NodeId>,
}

/// The groups and statements of a document.
struct Outline<'d> {
    document: &'d Document,
    groups: Vec<Group>,
    /// From behind one semicolon outside of brackets to the end of the next.
    statements: Vec<Range<NodeId>>,
}

impl<'d> Outline<'d> {
    fn of(document: &'d Document) -> Self {
        let end = document.node(0).end_id;
        let mut outline = Self {
            document,
            groups: Vec::new(),
            statements: split(document, 1..end, b";"),
        };
        let mut before = None;
        for id in 1..end {
            if document.kind_name(id) == "group" {
                outline.groups.extend(group(document, id, before));
            }
            if document.is_leaf(id) {
                before = Some(id);
            }
        }
        outline
    }

    /// The least that can stand for each element of a list.
    fn zeros(&self, elements: &[Range<NodeId>]) -> Vec<Proposal> {
        elements
            .iter()
            .filter(|element| element.len() > 1)
            .map(|element| Splice::replacement(self.range(element), b"0"))
            .map(|splice| self.proposal(b"zero", vec![splice]))
            .collect()
    }

    /// Each element of a named list taken out, with the name of the one beside it wherever its own name stands.
    fn merged(&self, group: &Group) -> Vec<Proposal> {
        let first = |element: &Range<NodeId>| self.leaves_in(&self.range(element)).first().copied();
        let names: Vec<NodeId> = group.elements.iter().filter_map(first).collect();
        let are_names = names
            .iter()
            .all(|&name| starts_with_letter(self.document, name));
        if group.name.is_none() || !are_names || names.len() < group.elements.len() {
            return Vec::new();
        }
        let pairs = (1..names.len()).flat_map(|place| [(place, place - 1), (place - 1, place)]);
        let merged = pairs.filter_map(|(gone, kept)| {
            let deletion = self.with_separator(&group.elements, gone..gone + 1);
            self.named_like(deletion, names[gone], names[kept])
        });
        merged.collect()
    }

    /// A deletion, with one name for another wherever that still stands; `None` if it does not.
    fn named_like(&self, deletion: Splice, old: NodeId, new: NodeId) -> Option<Proposal> {
        let document = self.document;
        let (old, new) = (document.text(old), document.text(new));
        let gone = deletion.range();
        let uses: Vec<Splice> = document
            .leaves()
            .filter(|&leaf| document.text(leaf) == old)
            .map(|leaf| document.node(leaf).range())
            .filter(|range| range.end <= gone.start || gone.end <= range.start)
            .map(|range| Splice::replacement(range, new))
            .collect();
        let proposal = self.proposal(b"merged", vec![deletion.clone()]);
        (old != new && !uses.is_empty()).then(|| Proposal {
            signature: fingerprint(&[b"merged", &proposal.signature.to_le_bytes(), new]),
            edit: Edit::new([vec![deletion], uses].concat()),
            ..proposal
        })
    }

    /// Without the brackets, without what they belong to, and each element in the place of the whole.
    fn unwrapped(&self, group: &Group) -> Vec<Proposal> {
        let document = self.document;
        let whole = document.node(group.node).range();
        let inside =
            document.node(group.open).range().end..document.node(group.close).range().start;
        let line = document.node(document.node(group.node).parent).range();
        let name = group.name.map(|name| document.node(name).range());
        let mut starts = vec![whole.start];
        starts.extend(name.map(|name| name.start));
        starts.push(line.start.min(whole.start));
        starts.dedup();
        let mut proposals = Vec::new();
        for &start in &starts {
            let mut kept = vec![inside.clone()];
            if group.elements.len() > 1 {
                kept.extend(group.elements.iter().map(|element| self.range(element)));
            }
            for kept in kept.into_iter().filter(|kept| !kept.is_empty()) {
                let splices = vec![
                    Splice::deletion(start..kept.start),
                    Splice::deletion(kept.end..whole.end),
                ];
                let proposal = self.proposal(b"unwrapped", splices);
                proposals.push(Proposal {
                    target: Some(group.node),
                    ..proposal
                });
            }
        }
        proposals.push(self.proposal(b"emptied", vec![Splice::deletion(inside)]));
        proposals
    }

    /// Deeper lines in the place of what they stand in: without the line above them, and the line that ends them. Where other lines
    /// divide them, what stands between two of these.
    fn opened(&self) -> Vec<Proposal> {
        let document = self.document;
        let is_end = |&id: &NodeId| document.kind_name(id) == "end";
        let ends = document.ids().filter(is_end);
        let opened = ends.flat_map(|end| {
            let node = document.node(end).parent;
            let whole = document.node(node).range();
            let kept = self.between_middles(node, end).into_iter();
            let opened = kept.filter(|kept| !kept.is_empty()).map(move |kept| {
                let splices = vec![
                    Splice::deletion(whole.start..kept.start),
                    Splice::deletion(kept.end..whole.end),
                ];
                Proposal {
                    target: Some(node),
                    ..self.proposal(b"opened", splices)
                }
            });
            opened.collect::<Vec<_>>()
        });
        opened.collect()
    }

    /// What stands below a line and before its end, between the lines that divide it.
    fn between_middles(&self, node: NodeId, end: NodeId) -> Vec<Range<usize>> {
        let document = self.document;
        let is_middle = |id: &NodeId| document.kind_name(*id) == "middle";
        let middles: Vec<NodeId> = document.children(node).filter(is_middle).collect();
        let starts = std::iter::once(node).chain(middles.iter().copied());
        let ends = middles.iter().copied().chain(std::iter::once(end));
        let between = starts.zip(ends).map(|(start, end)| {
            // The line itself is the first child of what has lines below it.
            let mut below = document.children(start).skip(1);
            let has_lines = below.any(|child| mentions::is_line(document, child));
            let head = if has_lines { start + 1 } else { start };
            let head = document.node(head).range().end;
            head..document.node(end).range().start.max(head)
        });
        between.collect()
    }

    /// The same element of all lists that belong to one name: those right behind it, and those in the statements that name it.
    fn columns(&self) -> Vec<Proposal> {
        let mut names: BTreeMap<&[u8], Vec<&Group>> = BTreeMap::new();
        for group in self.groups.iter().filter(|group| group.elements.len() > 1) {
            if let Some(name) = group.name {
                names
                    .entry(self.document.text(name))
                    .or_default()
                    .push(group);
            }
        }
        let mut seen = BTreeSet::new();
        let mut proposals = Vec::new();
        for (name, heads) in names {
            let near = self.lists_near(name);
            let arities: BTreeSet<usize> = near.iter().map(|list| list.elements.len()).collect();
            let mut sets = vec![heads.clone()];
            sets.extend(arities.iter().map(|&arity| {
                let same = near.iter().filter(|list| list.elements.len() == arity);
                heads.iter().chain(same).copied().collect()
            }));
            for set in sets {
                let columns = set
                    .iter()
                    .map(|list| list.elements.len())
                    .min()
                    .unwrap_or(0);
                for column in 0..columns.min(MOST_COLUMNS) {
                    let cuts: Vec<Splice> = set
                        .iter()
                        .map(|list| self.with_separator(&list.elements, column..column + 1))
                        .collect();
                    let edit = Edit::new(cuts.clone());
                    if edit.splices().len() > 1 && seen.insert(edit.splices().to_vec()) {
                        proposals.push(self.proposal(b"column", cuts));
                    }
                }
            }
        }
        proposals
    }

    /// The lists without a name of their own in the statements that mention `name`.
    fn lists_near(&self, name: &[u8]) -> Vec<&Group> {
        let document = self.document;
        let mentions = |statement: &&Range<NodeId>| {
            (statement.start..statement.end)
                .any(|id| document.is_leaf(id) && document.text(id) == name)
        };
        let near: Vec<&Range<NodeId>> = self.statements.iter().filter(mentions).collect();
        self.groups
            .iter()
            .filter(|group| group.elements.len() > 1)
            .filter(|group| near.iter().any(|statement| statement.contains(&group.node)))
            .collect()
    }

    /// The deletion of neighbouring elements with the separator before them, or behind them if they are the first.
    fn with_separator(&self, elements: &[Range<NodeId>], places: Range<usize>) -> Splice {
        let start = |place: usize| self.range(&elements[place]).start;
        let end = |place: usize| self.range(&elements[place]).end;
        if places.start > 0 {
            Splice::deletion(end(places.start - 1)..end(places.end - 1))
        } else if places.end < elements.len() {
            Splice::deletion(start(0)..start(places.end))
        } else {
            Splice::deletion(start(0)..end(places.end - 1))
        }
    }

    /// From the first to the last byte of neighbouring nodes.
    fn range(&self, nodes: &Range<NodeId>) -> Range<usize> {
        let start = self.document.node(nodes.start).range().start;
        start..self.document.node(nodes.end - 1).range().end.max(start)
    }

    fn proposal(&self, idea: &[u8], splices: Vec<Splice>) -> Proposal {
        let edit = Edit::new(splices);
        // Known again when the blanks between have gone.
        let mut parts = vec![idea.to_vec()];
        let (mut takes, mut weight) = (Vec::new(), 0);
        for splice in edit.splices() {
            parts.push(without_blanks(&self.document.bytes()[splice.range()]));
            parts.push(splice.text.to_vec());
            let leaves = self.leaves_in(&splice.range());
            weight += u32::try_from(leaves.len()).unwrap_or(u32::MAX);
            takes.extend(leaves.into_iter().map(|leaf| leaf..leaf + 1));
        }
        let first = edit
            .splices()
            .first()
            .map_or(0, |splice| splice.start as usize);
        parts.push(before(self.document.bytes(), first));
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        let signature = fingerprint(&parts);
        Proposal {
            edit: edit.clone(),
            weight: weight.max(1),
            takes,
            signature,
            ..Proposal::default()
        }
    }

    /// The tokens that lie in a range of bytes.
    fn leaves_in(&self, range: &Range<usize>) -> Vec<NodeId> {
        let nodes = self.document.nodes();
        let first = nodes.partition_point(|node| (node.start as usize) < range.start);
        (first..nodes.len())
            .take_while(|&id| (nodes[id].start as usize) < range.end)
            .filter_map(|id| u32::try_from(id).ok())
            .filter(|&id| self.document.is_leaf(id))
            .collect()
    }
}

/// The group of a node; `None` if it is not closed.
fn group(document: &Document, node: NodeId, before: Option<NodeId>) -> Option<Group> {
    let (open, close) = (node + 1, document.node(node).end_id - 1);
    let closed = close > open && document.is_leaf(close) && !document.node(close).is_named();
    let is_word = |id: &NodeId| {
        document
            .text(*id)
            .iter()
            .all(|&byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let inside = open + 1..close;
    closed.then(|| {
        let by_comma = split(document, inside.clone(), b",");
        let by_semicolon = || split(document, inside.clone(), b";");
        Group {
            node,
            open,
            close,
            elements: if by_comma.len() > 1 {
                by_comma
            } else {
                by_semicolon()
            },
            name: before.filter(is_word),
        }
    })
}

fn starts_with_letter(document: &Document, leaf: NodeId) -> bool {
    let first = document.text(leaf).first();
    first.is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
}

/// The parts of a range of nodes between the tokens `separator` that lie in no bracket of their own.
fn split(document: &Document, nodes: Range<NodeId>, separator: &[u8]) -> Vec<Range<NodeId>> {
    let (mut parts, mut start, mut id) = (Vec::new(), nodes.start, nodes.start);
    while id < nodes.end {
        if document.kind_name(id) == "group" {
            id = document.node(id).end_id;
            continue;
        }
        if document.is_leaf(id) && document.text(id) == separator {
            parts.push(start..id);
            start = id + 1;
        }
        id += 1;
    }
    parts.push(start..nodes.end);
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{pass::testing::results, syntax::Language};

    /// Blanks do not count.
    #[track_caller]
    fn offers(text: &str, wanted: &[&str]) {
        let squeezed = |text: &str| -> String { text.split_whitespace().collect() };
        let document = Document::new(text.as_bytes(), None);
        let results = results(&document, &brackets(&Context::new(document.clone())));
        let results: Vec<String> = results.iter().map(|text| squeezed(text)).collect();
        for wanted in wanted {
            assert!(
                results.contains(&squeezed(wanted)),
                "{wanted}: {results:#?}"
            );
        }
    }

    #[test]
    fn a_zero_can_stand_for_an_element() {
        offers("f(a, b + 1, c)", &["f(a, 0, c)"]);
    }

    #[test]
    fn brackets_give_their_place_to_what_they_hold() {
        offers("if (a) { b }", &["if a { b }", "a { b }", "b", "if (a) {}"]);
        offers("max(f(x), y)", &["f(x)", "y"]);
    }

    #[test]
    fn deeper_lines_stand_for_what_they_stand_in() {
        offers("if a\n  b\n  c\nend if\nd\n", &["b c d"]);
        let text = "if a\n  b\nelse c\n  d\nelse\n  e\nend\nf\n";
        offers(text, &["b f", "d f", "e f"]);
    }

    #[test]
    fn a_column_goes_from_the_table_and_all_its_rows() {
        let text =
            "create t (a, b, c);\ninsert into t values (1, 2, 3), (4, 5, 6);\nselect a, b from t;";
        offers(
            text,
            &["create t (a, b);\ninsert into t values (1, 2), (4, 5);\nselect a, b from t;"],
        );
        offers(
            "define f(a, b) { a }\nf(1, 2)",
            &["define f(b) { a }\nf(2)"],
        );
    }

    #[test]
    fn two_columns_share_a_name() {
        let text = "create table t (a, b); select a, max(b) from t";
        let document = Document::new(text.as_bytes(), None);
        let found = results(&document, &mergers(&Context::new(document.clone())));
        let wanted = [
            "create table t (a); select a, max(a) from t",
            "create table t (b); select b, max(b) from t",
        ];
        let squeezed: Vec<String> = found.iter().map(|text| text.replace("( ", "(")).collect();
        assert_eq!(squeezed, wanted);
    }

    #[test]
    fn a_document_with_a_grammar_has_better_passes() {
        let language = Language::named("c");
        assert_eq!(
            brackets(&Context::new(Document::new(
                &b"int f(int a, int b);"[..],
                language
            ))),
            []
        );
    }
}
