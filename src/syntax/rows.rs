//! Rows of children as the grammar sees them: which rules made them, and what ends them.

use super::{Document, NodeId};
use crate::grammar::{Grammar, Kind, PreparedRow, Siblings, Symbol, Variants};
use std::sync::OnceLock;

/// Which rules can have made each node, for kinds that stand for several.
#[derive(Debug, Default)]
pub(super) struct Rules {
    /// By the nodes' children.
    shaped: OnceLock<Vec<Variants>>,
    /// By their places.
    placed: OnceLock<Vec<Variants>>,
}

impl Document {
    /// A node by its place: what its children could become. The first call costs the size of the document.
    pub fn symbol(&self, id: NodeId) -> Symbol {
        let kind = self.node(id).kind;
        let Some(grammar) = self.grammar().filter(|grammar| grammar.is_ambiguous(kind)) else {
            return Symbol::of(kind);
        };
        let placed = self.rules.placed.get_or_init(|| by_place(self, grammar));
        let variants = placed[id as usize];
        Symbol { kind, variants }
    }

    /// A node by its own children: where it could stand. The first call costs the size of the document.
    pub fn shape(&self, id: NodeId) -> Symbol {
        let kind = self.node(id).kind;
        let Some(grammar) = self.grammar().filter(|grammar| grammar.is_ambiguous(kind)) else {
            return Symbol::of(kind);
        };
        let shaped = self.rules.shaped.get_or_init(|| by_shape(self, grammar));
        let variants = shaped[id as usize];
        Symbol { kind, variants }
    }

    /// The children of a node that its grammar counts: all but comments and other extras.
    pub fn row(&self, parent: NodeId) -> Vec<NodeId> {
        self.children(parent)
            .filter(|&child| !self.node(child).is_extra())
            .collect()
    }

    /// What the grammar says about the row below a node; `None` without a grammar. Cost: linear in the row.
    pub fn prepared(&self, parent: NodeId, row: &[NodeId]) -> Option<PreparedRow> {
        let grammar = self.grammar()?;
        let prepared = PreparedRow::new(grammar, self.symbol(parent), kinds(self, row));
        let bound = row.iter().enumerate();
        let bound = bound.filter(|&(_, &child)| self.is_bound_by(child));
        Some(prepared.bound_by(bound.map(|(place, _)| place)))
    }

    /// Whether a node ends something that nothing else would end: what the layout can replace, on a line that goes on.
    fn is_bound_by(&self, id: NodeId) -> bool {
        let node = self.node(id);
        if node.is_named() || !self.is_terminator(node.kind) {
            return false;
        }
        let behind = &self.bytes()[node.end as usize..];
        let rest = behind.trim_ascii_start();
        let is_last_of_line = behind[..behind.len() - rest.len()].contains(&b'\n');
        match rest.first() {
            None | Some(b'}') => false,
            // A line that begins like this can go on with the one before.
            Some(byte) => !is_last_of_line || b"([`*/%<>=,.?|&^+-;!".contains(byte),
        }
    }

    fn is_terminator(&self, kind: Kind) -> bool {
        let language = self.language().filter(|_| self.grammar().is_some());
        language.is_some_and(|language| language.terminators().contains(&kind))
    }
}

fn kinds(document: &Document, row: &[NodeId]) -> Vec<Kind> {
    row.iter().map(|&child| document.node(child).kind).collect()
}

/// From the leaves to the root: the rules that can have made the children of a node.
fn by_shape(document: &Document, grammar: &Grammar) -> Vec<Variants> {
    let mut shaped = vec![Variants::ALL; document.nodes().len()];
    for id in document.ids().rev() {
        let node = document.node(id);
        if !grammar.is_ambiguous(node.kind) || document.is_leaf(id) {
            continue;
        }
        let row = document.row(id).into_iter().map(|child| Symbol {
            kind: document.node(child).kind,
            variants: shaped[child as usize],
        });
        shaped[id as usize] = grammar.variants_with(node.kind, &row.collect::<Vec<_>>());
    }
    shaped
}

/// From the root to the leaves: the rules that the place of a node allows.
fn by_place(document: &Document, grammar: &Grammar) -> Vec<Variants> {
    let mut placed = vec![Variants::ALL; document.nodes().len()];
    for (id, node) in (0..).zip(document.nodes()) {
        let is_ambiguous = |child: NodeId| grammar.is_ambiguous(document.node(child).kind);
        if !document.children(id).any(is_ambiguous) {
            continue;
        }
        let row = document.row(id);
        let parent = Symbol {
            kind: node.kind,
            variants: placed[id as usize],
        };
        let siblings = Siblings::new(grammar, parent, kinds(document, &row));
        for (place, &child) in row.iter().enumerate() {
            if is_ambiguous(child) {
                placed[child as usize] = siblings.variants(place);
            }
        }
    }
    placed
}
