//! Chains: nests that lean to the left and grow by the same few nodes again and again, as the one of `x.a().b(1).c()` does by a
//! call and the name that it calls.

use super::{Document, NodeId};

/// A link of more nodes than this is none.
const LONGEST_LINK: usize = 4;

impl Document {
    /// What a node is without the last link of its chain: `x.a()` for `x.a().b(1)`, and `x` for that. `None` where the node is
    /// no chain of at least two links nor the start of one. Cost: constant.
    pub fn without_last_link(&self, node: NodeId) -> Option<NodeId> {
        let length = self.link_below(node).or_else(|| self.link_above(node))?;
        std::iter::successors(Some(node), |&node| self.leftmost(node)).nth(length)
    }

    /// How many steps down to the left the next node of the same kind is.
    fn link_below(&self, node: NodeId) -> Option<usize> {
        let kind = self.node(node).kind;
        let mut below = std::iter::successors(self.leftmost(node), |&node| self.leftmost(node));
        let step = below
            .by_ref()
            .take(LONGEST_LINK)
            .position(|node| self.node(node).kind == kind)?;
        Some(step + 1)
    }

    /// How many steps above a node one of the same kind is that it is the left end of.
    fn link_above(&self, node: NodeId) -> Option<usize> {
        let mut above = node;
        for step in 1..=LONGEST_LINK {
            let parent = self.node(above).parent;
            if parent == above || self.leftmost(parent) != Some(above) {
                return None;
            }
            if self.node(parent).kind == self.node(node).kind {
                return Some(step);
            }
            above = parent;
        }
        None
    }

    /// The first child, where it has a name and others follow it.
    fn leftmost(&self, node: NodeId) -> Option<NodeId> {
        let child = node + 1;
        let has_more = child < self.node(node).end_id && self.node(child).end < self.node(node).end;
        let is_element = || self.node(child).is_named() && !self.node(child).is_extra();
        (has_more && is_element()).then_some(child)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Language;

    #[track_caller]
    fn check(language: &str, text: &str, chain: &str, expected: Option<&str>) {
        let document = Document::new(text.as_bytes(), Language::named(language));
        assert!(!document.is_damaged());
        let nodes = (0..).take(document.nodes().len());
        let node = nodes
            .filter(|&id| document.text(id) == chain.as_bytes())
            .last();
        let rest = document.without_last_link(node.unwrap());
        let rest = rest.map(|rest| String::from_utf8_lossy(document.text(rest)).into_owned());
        assert_eq!(rest.as_deref(), expected);
    }

    #[test]
    fn a_chain_has_links_down_to_its_start() {
        for (language, text) in [
            ("javascript", "x.a().b(1).c();"),
            ("python", "x.a().b(1).c()"),
            ("rust", "fn f() { x.a().b(1).c(); }"),
            ("java", "class A { void f() { x.a().b(1).c(); } }"),
        ] {
            check(language, text, "x.a().b(1).c()", Some("x.a().b(1)"));
            check(language, text, "x.a().b(1)", Some("x.a()"));
            check(language, text, "x.a()", Some("x"));
        }
        check("rust", "fn f() { x.a()?.b()?; }", "x.a()?", Some("x"));
    }

    #[test]
    fn what_is_no_chain_has_no_links() {
        check("javascript", "f(g(h));", "f(g(h))", None);
        check("javascript", "x.a();", "x.a()", None);
        check("c", "int i = a ? b : c;", "a ? b : c", None);
    }
}
