//! Implied types: where a function has none before its name, which C took for `int`.
//!
//! The parser takes such a definition apart: a call, perhaps declarations, a block. So it is shown the text with the type put in,
//! and the type's node is left without a text.

use super::document::{Node, NodeId, Nodes};
use crate::grammar::Grammar;

/// Where definitions without a type begin, in order. Cost: linear in the nodes.
pub(super) fn places(nodes: &Nodes, grammar: &Grammar, bytes: &[u8]) -> Vec<usize> {
    let tree = Tree {
        nodes: nodes.all(),
        grammar,
        bytes,
    };
    let mut places = Vec::new();
    for parent in 0..tree.nodes.len() {
        if parent != 0 && tree.kind(parent) != "compound_statement" {
            continue;
        }
        let row = tree.row(parent);
        for (place, &child) in row.iter().enumerate() {
            if tree.begins_like_a_call(child) && tree.lacks_type(child, &row[place + 1..]) {
                places.push(tree.nodes[child].start as usize);
            }
        }
    }
    places.sort_unstable();
    places.dedup();
    places
}

struct Tree<'t> {
    nodes: &'t [Node],
    grammar: &'t Grammar,
    bytes: &'t [u8],
}

impl Tree<'_> {
    fn kind(&self, id: usize) -> &str {
        self.grammar.kinds().name(self.nodes[id].kind)
    }

    /// The children of a node without comments, but with what was not understood.
    fn row(&self, parent: usize) -> Vec<usize> {
        let end = self.nodes[parent].end_id as usize;
        let first = Some(parent + 1).filter(|&child| child < end);
        let next = |&child: &usize| Some(self.nodes[child].end_id as usize).filter(|&id| id < end);
        std::iter::successors(first, next)
            .filter(|&child| !self.nodes[child].is_extra() || self.nodes[child].is_error())
            .collect()
    }

    /// Whether a node begins with a name and a round bracket.
    fn begins_like_a_call(&self, node: usize) -> bool {
        let inside = node..self.nodes[node].end_id as usize;
        let is_leaf = |&id: &NodeId| self.nodes[id as usize].end_id == id + 1;
        let ids = inside.filter_map(|id| NodeId::try_from(id).ok());
        let mut leaves = ids.filter(is_leaf).map(|leaf| &self.nodes[leaf as usize]);
        let name = leaves.next().is_some_and(Node::is_named);
        let bracket = leaves.next().map(|leaf| &self.bytes[leaf.range()]);
        name && bracket == Some(b"(")
    }

    /// Whether a node that begins like a call, or what follows it, shows that it is the head of a definition.
    fn lacks_type(&self, node: usize, behind: &[usize]) -> bool {
        let has = |kind: &str| self.row(node).iter().any(|&child| self.kind(child) == kind);
        let block = behind
            .iter()
            .position(|&other| self.kind(other) == "compound_statement");
        let between = block.map(|block| &behind[..block]);
        let is_head = |others: &[usize]| {
            let mut others = others.iter();
            others.all(|&other| self.kind(other) == "declaration")
        };
        match self.kind(node) {
            "function_definition" => has("parenthesized_declarator"),
            "expression_statement" => {
                let row = self.row(node);
                let is_open = row.last().is_some_and(|&end| self.nodes[end].is_missing());
                is_open && between == Some(&[])
            }
            "declaration" => has("macro_type_specifier") && between.is_some_and(is_head),
            "ERROR" => between.is_some_and(is_head),
            _ => false,
        }
    }
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
