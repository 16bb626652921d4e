//! Names: where they are declared, where they are used, by the simplest sound approximation of scopes.
//!
//! A name is a leaf of one of the language's identifier kinds. It is declared where it is reached from above through fields that
//! hold what is being declared (`declarator`, `name`, `pattern`, `parameter`), and used everywhere else. Its scope is the nearest
//! node above the declaration that opens one. Uses are found by text inside that scope, so shadowing makes a name look used that
//! is not; this only delays a question, since names decide order and bundles, never what is kept.

use crate::syntax::{Document, NodeId};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A declaration of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The leaf that names it.
    pub leaf: NodeId,
    /// The node that declares it: the declaration, function, parameter.
    pub declarer: NodeId,
    /// The nodes in which it can be meant.
    pub scope: Range<NodeId>,
    /// Which name: the same number for the same text.
    pub name: u32,
}

/// All names of a document.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// In document order of their leaves.
    pub declarations: Vec<Declaration>,
    /// By name: the leaves that use it, in document order.
    pub uses: Vec<Vec<NodeId>>,
    /// By name: its text.
    pub texts: Vec<Box<[u8]>>,
}

/// Fields through which a declared name is reached.
const DECLARING_FIELDS: &[&str] = &["declarator", "name", "pattern", "parameter", "label"];
/// Kinds that have a `name` but do not declare it.
const REFERRING_KINDS: &[&str] = &[
    "scoped",
    "qualified",
    "call",
    "invocation",
    "access",
    "argument",
    "generic",
    "expression",
    "reference",
    "value",
];
/// Parts of the names of kinds that open a scope.
const SCOPE_KINDS: &[&str] = &[
    "block",
    "body",
    "compound_statement",
    "translation_unit",
    "program",
    "source_file",
    "document",
    "module",
    "function_definition",
    "function_declaration",
    "function_item",
    "method",
    "lambda",
    "arrow_function",
    "closure",
    "function_expression",
    "for_statement",
    "for_in_statement",
    "catch_clause",
    "stylesheet",
];

impl Names {
    /// Finds the names of a document. Cost: linear in its nodes times the depth of declarators.
    pub fn of(document: &Document) -> Self {
        let mut names = Self::default();
        let Some(language) = document.language() else {
            return names;
        };
        let facts = language.facts();
        let is_name = |kind: &str| {
            facts
                .identifiers
                .iter()
                .chain(&facts.sometimes_names)
                .any(|name| name == kind)
        };
        let mut numbers: FxHashMap<&[u8], u32> = FxHashMap::default();
        for id in document.ids() {
            if !document.is_leaf(id) || !is_name(document.kind_name(id)) {
                continue;
            }
            let number = *numbers.entry(document.text(id)).or_insert_with(|| {
                names.texts.push(document.text(id).into());
                names.uses.push(Vec::new());
                u32::try_from(names.texts.len() - 1).unwrap_or(u32::MAX)
            });
            match declarer(document, id) {
                Some(declarer) => names.declarations.push(Declaration {
                    leaf: id,
                    declarer,
                    scope: scope(document, declarer),
                    name: number,
                }),
                None => names.uses[number as usize].push(id),
            }
        }
        names
    }

    /// The declarations below a node that are seen from outside of it, as indices.
    pub fn exported_by(&self, document: &Document, node: NodeId) -> Vec<u32> {
        let end = document.node(node).end_id;
        let first = self
            .declarations
            .partition_point(|declaration| declaration.leaf < node);
        (first..self.declarations.len())
            .take_while(|&index| self.declarations[index].leaf < end)
            .filter(|&index| self.declarations[index].scope.start < node)
            .map(|index| u32::try_from(index).unwrap_or(u32::MAX))
            .collect()
    }

    /// The declarations whose leaves lie in a range of nodes.
    pub fn declared_in(&self, nodes: &Range<NodeId>) -> &[Declaration] {
        let start = self
            .declarations
            .partition_point(|declaration| declaration.leaf < nodes.start);
        let end = self
            .declarations
            .partition_point(|declaration| declaration.leaf < nodes.end);
        &self.declarations[start..end]
    }

    /// Whether the same name is declared in the same scope by a leaf that is not `gone`.
    pub fn has_other_declaration(&self, declaration: &Declaration, gone: &FixedBitSet) -> bool {
        self.declared_in(&declaration.scope).iter().any(|other| {
            other.name == declaration.name
                && other.scope == declaration.scope
                && !gone.contains(other.leaf as usize)
        })
    }

    /// Whether a declared name is used in its scope by a leaf that is not `gone`.
    pub fn is_used(&self, declaration: u32, gone: &FixedBitSet) -> bool {
        let declaration = &self.declarations[declaration as usize];
        self.uses_in_scope(declaration)
            .iter()
            .any(|&leaf| !gone.contains(leaf as usize))
    }

    /// The uses of a declared name in its scope.
    pub fn uses_in_scope(&self, declaration: &Declaration) -> &[NodeId] {
        let uses = &self.uses[declaration.name as usize];
        let start = uses.partition_point(|&leaf| leaf < declaration.scope.start);
        let end = uses.partition_point(|&leaf| leaf < declaration.scope.end);
        &uses[start..end]
    }
}

/// The node that declares the name at `leaf`; `None` when this is a use.
fn declarer(document: &Document, leaf: NodeId) -> Option<NodeId> {
    let mut at = leaf;
    loop {
        let above = document.node(at).parent;
        let kind = document.kind_name(above);
        if kind.contains("parameters") {
            // A bare name in a list of parameters.
            return Some(at);
        }
        let field = document
            .field_name(at)
            .is_some_and(|field| DECLARING_FIELDS.contains(&field));
        // Declarators and patterns have links without a field: parentheses, elements.
        let link = kind.contains("declarator") && at != leaf && field_is_free(document, at);
        let pattern = kind.ends_with("_pattern") && field_is_free(document, at);
        if !field && !link && !pattern {
            break;
        }
        at = above;
    }
    let kind = document.kind_name(at);
    let refers =
        REFERRING_KINDS.iter().any(|part| kind.contains(part)) && !kind.starts_with("function");
    // A tag without a body (`struct s x;`) means one that is declared elsewhere.
    let tag = kind.ends_with("_specifier");
    let has_body = || document.child_in_field(at, "body").is_some();
    (at != leaf && !refers && (!tag || has_body())).then_some(at)
}

/// Whether a node stands in its parent without a field (a default value stands in one).
fn field_is_free(document: &Document, node: NodeId) -> bool {
    document.field_name(node).is_none()
}

/// The nodes below the nearest node above that opens a scope.
fn scope(document: &Document, declarer: NodeId) -> Range<NodeId> {
    let mut at = declarer;
    while at != 0 {
        at = document.node(at).parent;
        let kind = document.kind_name(at);
        if SCOPE_KINDS.iter().any(|part| kind.contains(part)) && !kind.ends_with("_call") {
            break;
        }
    }
    at..document.node(at).end_id
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Language;

    #[track_caller]
    fn check(language: &str, text: &str, expected: &[(&str, usize)]) {
        let document = Document::new(text.as_bytes(), Language::named(language));
        assert!(!document.is_damaged());
        let names = Names::of(&document);
        let found: Vec<(&str, usize)> = names
            .declarations
            .iter()
            .map(|declaration| {
                let text = std::str::from_utf8(&names.texts[declaration.name as usize]).unwrap();
                (text, names.uses_in_scope(declaration).len())
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn declarations_are_told_from_uses() {
        check(
            "c",
            "int a, *b = &a; int f(int c) { return a + c; }",
            &[("a", 2), ("b", 0), ("f", 0), ("c", 1)],
        );
        check(
            "c",
            "struct s { int x; }; struct s v; int g(void) { return v.x; }",
            &[("s", 1), ("x", 1), ("v", 1), ("g", 0)],
        );
        check(
            "javascript",
            "function f(a) { let b = a; return b }\nf(1)",
            &[("f", 1), ("a", 1), ("b", 1)],
        );
        check(
            "rust",
            "fn f(a: u8) -> u8 { let b = a; b }",
            &[("f", 0), ("a", 1), ("b", 1)],
        );
        check(
            "java",
            "class A { int f(int a) { return g(a); } }",
            &[("A", 0), ("f", 0), ("a", 1)],
        );
    }

    #[test]
    fn a_scope_ends_where_its_block_ends() {
        check(
            "c",
            "void f() { int a; a; } void g() { int a; a; a; }",
            &[("f", 0), ("a", 1), ("g", 0), ("a", 2)],
        );
    }
}
