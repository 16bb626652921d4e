//! Wrapping: an object in brackets of another sort or in none, so that less is needed around it.
//!
//! `x = { ...a };` becomes `({ ...a })`, since a statement cannot begin with the bracket of an object, and `{ a: b, c }` becomes
//! `[b, c]`, an array of its values, or `c`. `const { a } = b` becomes `const a = b`, and `const f = (a) => { b }` becomes
//! `function f(a) { b }`.

use super::{
    Context,
    proposal::{Proposal, surroundings},
};
use crate::syntax::{Document, NodeId};

/// What cannot begin a statement as it is.
const WRAPPED: &[&str] = &[
    "object",
    "function_expression",
    "generator_function",
    "class",
];
/// How many of them are tried in the place of one statement.
const MOST_CANDIDATES: usize = 3;
/// Larger statements are left to simpler changes.
const LARGEST: u32 = 500;

/// All statements as what is in them in brackets, and all objects as arrays.
pub fn wrappings(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let mut proposals = Vec::new();
    for id in document.ids() {
        let kind = document.kind_name(id);
        if kind.ends_with("_statement") || kind.ends_with("_declaration") {
            proposals.extend(inner_in_brackets(document, id));
            proposals.extend(as_function(document, id));
        } else if kind == "object" && document.node(id).is_named() {
            proposals.extend(as_array(document, id));
            proposals.extend(as_name(document, id));
        } else if kind == "object_pattern" {
            proposals.extend(as_name(document, id));
        }
    }
    proposals
}

/// A statement as one of the nodes of it that need brackets.
fn inner_in_brackets(document: &Document, statement: NodeId) -> Vec<Proposal> {
    let whole = document.node(statement);
    let expression = document
        .grammar()
        .and_then(|grammar| grammar.kinds().find("expression_statement", true));
    let takes = |kind| {
        surroundings(document, statement).is_some_and(|(siblings, place)| {
            siblings.is_accepted() && siblings.can_stand(place, kind)
        })
    };
    if whole.tokens > LARGEST || !expression.is_some_and(takes) {
        return Vec::new();
    }
    let mut found: Vec<NodeId> = Vec::new();
    for inner in statement + 1..whole.end_id {
        let nested = found
            .last()
            .is_some_and(|&last| inner < document.node(last).end_id);
        if !nested && WRAPPED.contains(&document.kind_name(inner)) && !document.is_leaf(inner) {
            found.push(inner);
        }
    }
    let wrapped = found.iter().take(MOST_CANDIDATES).map(|&inner| {
        let text = [b"(", document.text(inner), b")"].concat();
        wrapping(document, statement, &text)
    });
    wrapped.flatten().collect()
}

/// The values of an object in the brackets of an array; `None` with methods, which are no values.
fn as_array(document: &Document, object: NodeId) -> Option<Proposal> {
    let mut values: Vec<&[u8]> = Vec::new();
    for member in document.children(object) {
        match document.kind_name(member) {
            "pair" => {
                let value = document.child_in_field(member, "value")?;
                values.push(document.text(value));
            }
            "spread_element" | "shorthand_property_identifier" => {
                values.push(document.text(member));
            }
            _ if document.node(member).is_named() => return None,
            _ => {}
        }
    }
    wrapping(
        document,
        object,
        &[b"[", &values.join(&b", "[..])[..], b"]"].concat(),
    )
}

/// An object, or a pattern for one, as the first name in it that stands for itself.
fn as_name(document: &Document, object: NodeId) -> Option<Proposal> {
    let name = document
        .children(object)
        .find(|&member| document.kind_name(member).starts_with("shorthand_property"))?;
    wrapping(document, object, document.text(name))
}

/// A declaration of nothing but a name for a function, as a declaration of the function.
fn as_function(document: &Document, declaration: NodeId) -> Option<Proposal> {
    let mut named = document
        .children(declaration)
        .filter(|&child| document.node(child).is_named());
    let (Some(declarator), None) = (named.next(), named.next()) else {
        return None;
    };
    let (name, value) = (
        document.child_in_field(declarator, "name")?,
        document.child_in_field(declarator, "value")?,
    );
    let is_function = [
        "arrow_function",
        "function_expression",
        "generator_function",
    ]
    .contains(&document.kind_name(value));
    let body = document
        .child_in_field(value, "body")
        .filter(|&body| document.kind_name(body) == "statement_block")?;
    let parameters = match document.child_in_field(value, "parameters") {
        Some(parameters) => document.text(parameters).to_vec(),
        None => [
            b"(",
            document.text(document.child_in_field(value, "parameter")?),
            b")",
        ]
        .concat(),
    };
    let has = |mark: &[u8]| {
        document
            .children(value)
            .any(|child| document.text(child) == mark)
    };
    let parts: [&[u8]; 6] = [
        if has(b"async") { b"async " } else { b"" },
        if has(b"*") {
            b"function* "
        } else {
            b"function "
        },
        document.text(name),
        &parameters,
        b" ",
        document.text(body),
    ];
    wrapping(document, declaration, &parts.concat()).filter(|_| is_function)
}

fn wrapping(document: &Document, node: NodeId, text: &[u8]) -> Option<Proposal> {
    Proposal::replacement(document, b"wrap", node, text).if_smaller()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{assert_offers, offered};

    #[test]
    fn an_object_needs_less_around_it_in_brackets() {
        for (text, wanted) in [
            ("a.b = { ...c }", "({ ...c })"),
            ("const f = function () { }", "(function () { })"),
            ("f({ a: b, c, ...d })", "f([b, c, ...d])"),
            ("f({ a: b, c })", "f(c)"),
            ("const { a } = b", "const a = b"),
            ("const f = async (a) => { b }", "async function f(a) { b }"),
            ("let f = function* (a) { b }", "function* f(a) { b }"),
        ] {
            assert_offers("javascript", text, wanted, wrappings);
        }
    }

    #[test]
    fn what_would_not_save_a_token_is_not_proposed() {
        for text in ["({ ...c })", "f([b])", "({ a: b, m() { } })"] {
            let found = offered("javascript", text, wrappings);
            assert!(found.is_empty(), "{found:?}");
        }
    }
}
