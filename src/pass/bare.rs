//! Bare expressions: a statement gives way to an expression in it, as a statement of its own.
//!
//! `int a = b();` becomes `b();`, `if (c()) d();` becomes `c();`, `return e();` becomes `e();`. No hoist does this, since an
//! expression alone cannot stand where a statement stands.

use super::{
    Context,
    proposal::{Proposal, for_each_place},
};
use crate::{
    grammar::{Around, Part},
    syntax::{Document, NodeId, Role},
};
use std::collections::VecDeque;

/// Larger statements are left to simpler changes.
const LARGEST: u32 = 200;
/// How many expressions are tried in the place of one statement.
const MOST_CANDIDATES: usize = 2;

/// All statements as the nearest expressions in them that are more than a name.
pub fn expressions(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let Some(grammar) = document.grammar() else {
        return Vec::new();
    };
    let language = document.language();
    let statements = language.map(|language| language.kinds_of(Role::ExpressionStatement));
    let Some(&statement) = statements.and_then(<[_]>::first) else {
        return Vec::new();
    };
    let mut around = Around::new(grammar);
    let mut proposals = Vec::new();
    for_each_place(document, |siblings, place, node| {
        let whole = document.node(node);
        if document.is_leaf(node)
            || whole.tokens > LARGEST
            || whole.kind == statement
            || !siblings.can_stand(place, statement)
        {
            return;
        }
        let mut as_statement = |inner: NodeId| {
            if document.has_role(inner, Role::Brackets) {
                return None;
            }
            let (kind, text) = (document.node(inner).kind, document.text(inner));
            let text = around.least(statement, &[Part { kind, text }])?;
            let lexis = document.lexis();
            // Anything but the end of a statement would be a guess.
            let fits = lexis.count(&text) <= lexis.count(document.text(inner)) + 1;
            fits.then_some(text)
        };
        for text in nearest(document, node, &mut as_statement) {
            proposals.extend(Proposal::replacement(document, b"bare", node, &text).if_smaller());
        }
    });
    proposals
}

/// The expressions below a node, breadth first, as statements.
fn nearest(
    document: &Document,
    node: NodeId,
    as_statement: &mut impl FnMut(NodeId) -> Option<Vec<u8>>,
) -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    let mut open = VecDeque::from([node]);
    while let Some(above) = open.pop_front() {
        for child in document.children(above) {
            if document.is_leaf(child) || texts.len() == MOST_CANDIDATES {
                continue;
            }
            let text = document
                .node(child)
                .is_named()
                .then(|| as_statement(child))
                .flatten();
            match text {
                Some(text) => texts.push(text),
                None => open.push_back(child),
            }
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{assert_offers, offered};

    #[test]
    fn a_statement_becomes_an_expression_in_it() {
        for (language, text, wanted) in [
            ("c", "int f() { int a = b(1); }", "int f() { b(1); }"),
            ("c", "int f() { return g(3); }", "int f() { g(3); }"),
            ("javascript", "if (c(2)) d()", "c(2)"),
            ("python", "return f(1)", "f(1)"),
        ] {
            assert_offers(language, text, wanted, expressions);
        }
    }

    #[test]
    fn a_language_without_such_statements_has_none() {
        let found = offered("css", "a { b: c(d) }", expressions);
        assert!(found.is_empty());
    }
}
