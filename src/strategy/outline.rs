//! The tree that the strategies see: the parse tree after squeezing and flattening.
//!
//! **Squeeze.** A node that is the only child of its parent and has the same text is one unit with it; the unit is named by its
//! outermost node, its *top*, and its children are those of its innermost node, its *body*.
//!
//! **Flatten.** A nest of one kind that leans to one side, such as the one of `a + b + c`, is one list (Hodován, Kiss and
//! Gyimóthy, "Tree preprocessing and test outcome caching for efficient hierarchical delta debugging", 2017).

use crate::grammar::Kind;
use crate::syntax::{Document, NodeId};
use std::{collections::BTreeMap, ops::Range, sync::OnceLock};

/// A document during one round, with the indexes that hoisting needs.
#[derive(Debug)]
pub(super) struct Outline {
    document: Document,
    depths: OnceLock<Vec<u32>>,
    by_kind: OnceLock<BTreeMap<Kind, Vec<NodeId>>>,
}

impl Outline {
    pub(super) fn new(document: Document) -> Self {
        Self {
            document,
            depths: OnceLock::new(),
            by_kind: OnceLock::new(),
        }
    }

    pub(super) fn document(&self) -> &Document {
        &self.document
    }

    /// A node's bytes, as numbers of a splice.
    pub(super) fn span(&self, node: NodeId) -> Range<u32> {
        self.document.node(node).start..self.document.node(node).end
    }

    /// The innermost node of the unit with this top.
    pub(super) fn body(&self, top: NodeId) -> NodeId {
        let mut body = top;
        loop {
            let child = body + 1;
            let end = self.document.node(body).end_id;
            let is_only = child < end && self.document.node(child).end_id == end;
            if !is_only || self.span(child) != self.span(body) {
                return body;
            }
            body = child;
        }
    }

    /// Whether a unit has no units below it.
    pub(super) fn is_leaf(&self, top: NodeId) -> bool {
        self.document.is_leaf(self.body(top))
    }

    /// The elements of a nest of three or more that leans to one side; `None` for other nodes.
    pub(super) fn flattened(&self, body: NodeId) -> Option<Vec<NodeId>> {
        self.document.grammar()?;
        let left = self.nest(body, |(first, last)| (first, last));
        if left.len() > 2 {
            return Some(left.into_iter().rev().collect());
        }
        let right = self.nest(body, |(first, last)| (last, first));
        (right.len() > 2).then_some(right)
    }

    /// How deep each node lies. Computed once.
    pub(super) fn depths(&self) -> &[u32] {
        self.depths.get_or_init(|| {
            let mut depths: Vec<u32> = Vec::with_capacity(self.document.nodes().len());
            for (id, node) in self.document.nodes().iter().enumerate() {
                let depth = if id == 0 {
                    0
                } else {
                    depths[node.parent as usize] + 1
                };
                depths.push(depth);
            }
            depths
        })
    }

    /// The named nodes of each kind in document order. Computed once.
    pub(super) fn by_kind(&self) -> &BTreeMap<Kind, Vec<NodeId>> {
        self.by_kind.get_or_init(|| {
            let mut by_kind: BTreeMap<Kind, Vec<NodeId>> = BTreeMap::new();
            for (id, node) in (0..).zip(self.document.nodes()) {
                if node.is_named() && !node.is_extra() && node.end > node.start {
                    by_kind.entry(node.kind).or_default().push(id);
                }
            }
            by_kind
        })
    }

    /// Follows a nest downwards: the elements beside the path, then the two at its end.
    fn nest(
        &self,
        body: NodeId,
        sides: impl Fn((NodeId, NodeId)) -> (NodeId, NodeId),
    ) -> Vec<NodeId> {
        let kind = self.document.node(body).kind;
        let mut elements = Vec::new();
        let mut path = body;
        while let Some((next, beside)) = self.operands(path).map(&sides) {
            elements.push(beside);
            path = next;
            if self.document.node(path).kind != kind {
                break;
            }
        }
        if !elements.is_empty() {
            elements.push(path);
        }
        elements
    }

    /// The two named nodes around the one token of a node without other children.
    fn operands(&self, node: NodeId) -> Option<(NodeId, NodeId)> {
        let mut children = self.document.children(node);
        let (first, token, last) = (children.next()?, children.next()?, children.next()?);
        let is_operand =
            |id| self.document.node(id).is_named() && !self.document.node(id).is_extra();
        let is_token = self.document.is_leaf(token) && !self.document.node(token).is_named();
        let fits = children.next().is_none() && is_token && is_operand(first) && is_operand(last);
        fits.then_some((first, last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Language;

    fn outline(text: &str) -> Outline {
        Outline::new(Document::new(
            text.as_bytes(),
            Language::named("javascript"),
        ))
    }

    fn find(outline: &Outline, text: &str) -> NodeId {
        let mut ids = (0..).take(outline.document.nodes().len());
        ids.find(|&id| outline.document.text(id) == text.as_bytes())
            .unwrap()
    }

    #[track_caller]
    fn check_flat(expression: &str, expected: Option<&[&str]>) {
        let outline = outline(&format!("({expression})"));
        let body = outline.body(find(&outline, expression));
        let texts = outline.flattened(body).map(|elements| {
            let text = |id| String::from_utf8(outline.document.text(id).to_vec()).unwrap();
            elements.into_iter().map(text).collect::<Vec<_>>()
        });
        let expected = expected.map(|texts| texts.iter().map(ToString::to_string).collect());
        assert_eq!(texts, expected);
    }

    #[test]
    fn nests_that_lean_to_one_side_are_lists() {
        check_flat("a + b - c * d + e", Some(&["a", "b", "c * d", "e"]));
        check_flat("a = b = c", Some(&["a", "b", "c"]));
        check_flat("a.b.c.d", Some(&["a", "b", "c", "d"]));
        check_flat("a + b", None);
        check_flat("f(a, b)", None);
    }

    #[test]
    fn single_children_are_squeezed() {
        let outline = outline("x");
        assert_eq!(outline.body(0), find(&outline, "x") + 2);
        assert!(outline.is_leaf(0));
    }
}
