//! Disbanding: a class or an object gives way to one of its methods, as a function.
//!
//! `class A { async m() {} }` becomes `async function m() {}`, `a.m()` becomes `m()`, and what made an `A` makes nothing: one
//! edit, so that no step in between has to be interesting. The same for `A.prototype.m = function () {}`.

use super::{
    Context,
    proposal::{Proposal, fingerprint},
};
use crate::syntax::{Document, Edit, Joint, NodeId, Splice};
use std::ops::Range;

/// Where statements stand.
const BODIES: &[&str] = &["program", "statement_block"];
/// Functions without a name of their own.
const VALUES: &[&str] = &[
    "function_expression",
    "generator_function",
    "arrow_function",
];

/// A method, the name that it is called by, and the statement that it is a part of.
struct Method {
    node: NodeId,
    name: NodeId,
    statement: NodeId,
}

/// Every method in the place of the statement around it.
pub fn functions(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    document
        .ids()
        .filter_map(|node| method(document, node))
        .filter_map(|method| freed(document, &method))
        .collect()
}

fn method(document: &Document, node: NodeId) -> Option<Method> {
    let name = match document.kind_name(node) {
        "method_definition" => document.child_in_field(node, "name")?,
        kind if VALUES.contains(&kind) => {
            let parent = document.node(node).parent;
            let left = document
                .child_in_field(parent, "left")
                .filter(|&left| left != node);
            match left {
                Some(left) => document.child_in_field(left, "property")?,
                None => document.child_in_field(parent, "key")?,
            }
        }
        _ => return None,
    };
    let is_word = document.kind_name(name).ends_with("property_identifier");
    let statement = statement_around(document, node)?;
    is_word.then_some(Method {
        node,
        name,
        statement,
    })
}

/// The nearest statement above a node in a list of statements.
fn statement_around(document: &Document, node: NodeId) -> Option<NodeId> {
    let mut at = node;
    while at != 0 {
        let parent = document.node(at).parent;
        if BODIES.contains(&document.kind_name(parent)) {
            return Some(at);
        }
        at = parent;
    }
    None
}

fn freed(document: &Document, method: &Method) -> Option<Proposal> {
    let name = word(document, method.name);
    let is_constructor = name == b"constructor";
    let class = document
        .child_in_field(method.statement, "name")
        .map(|class| document.text(class));
    let name = if is_constructor { class? } else { name };
    let mut changes = calls(document, method, name);
    if !is_constructor {
        changes.extend(
            class
                .map(|class| makers(document, class))
                .unwrap_or_default(),
        );
    }
    let function = function(document, method, name, &changes)?;
    let whole = document.node(method.statement).range();
    let before = document.node(method.statement).tokens as usize;
    changes
        .retain(|splice| splice.end as usize <= whole.start || splice.start as usize >= whole.end);
    let saved: usize = changes
        .iter()
        .map(|splice| {
            let lexis = document.lexis();
            let before = lexis.count(&document.bytes()[splice.range()]);
            before.saturating_sub(lexis.count(&splice.text))
        })
        .sum();
    changes.push(Splice::replacement(whole, &function));
    let weight = (before + saved).checked_sub(document.lexis().count(&function))?;
    Some(Proposal {
        edit: Edit::new(changes),
        weight: u32::try_from(weight.max(1)).ok()?,
        target: Some(method.statement),
        signature: fingerprint(&[b"disband", document.text(method.statement), name]),
        ..Proposal::default()
    })
}

/// The members that a method is called as, each as its name.
fn calls(document: &Document, method: &Method, name: &[u8]) -> Vec<Splice> {
    let is_call = |&node: &NodeId| {
        document.kind_name(node) == "member_expression"
            && document
                .child_in_field(node, "property")
                .is_some_and(|property| property != method.name && word(document, property) == name)
    };
    document
        .ids()
        .filter(is_call)
        .map(|node| Splice::replacement(document.node(node).range(), name))
        .collect()
}

/// What makes an object of a class, or a class from it: nothing, in the end.
fn makers(document: &Document, class: &[u8]) -> Vec<Splice> {
    let about = |node: NodeId| {
        document
            .children(node)
            .any(|child| document.is_leaf(child) && document.text(child) == class)
    };
    document
        .ids()
        .filter(|&node| about(node))
        .filter_map(|node| match document.kind_name(node) {
            "new_expression" => Some(Splice::replacement(document.node(node).range(), b"0")),
            "class_heritage" => Some(Splice::deletion(document.node(node).range())),
            _ => None,
        })
        .collect()
}

/// The text of a method as a function, with the changes of what lies inside it.
fn function(
    document: &Document,
    method: &Method,
    name: &[u8],
    changes: &[Splice],
) -> Option<Vec<u8>> {
    let own = |text: &[u8]| {
        document
            .children(method.node)
            .any(|child| document.is_leaf(child) && document.text(child) == text)
    };
    let parameters = document
        .child_in_field(method.node, "parameters")
        .or_else(|| document.child_in_field(method.node, "parameter"))?;
    let body = document.child_in_field(method.node, "body")?;
    let (bare, returns) = (
        document.kind_name(parameters) == "identifier",
        document.kind_name(body) != "statement_block",
    );
    let mut text: Vec<u8> = Vec::new();
    text.extend_from_slice(if own(b"async") {
        b"async function"
    } else {
        b"function"
    });
    text.extend_from_slice(if own(b"*") { b"*" } else { b" " });
    text.extend_from_slice(name);
    for (node, wrap, before, after) in [
        (parameters, bare, "(", ")"),
        (body, returns, "{return ", "}"),
    ] {
        let inner = rendered(document, document.node(node).range(), changes);
        text.extend_from_slice(if wrap { before.as_bytes() } else { b"" });
        text.extend_from_slice(&inner);
        text.extend_from_slice(if wrap { after.as_bytes() } else { b"" });
    }
    Some(text)
}

/// The text of a range with the changes in it made.
fn rendered(document: &Document, range: Range<usize>, changes: &[Splice]) -> Vec<u8> {
    let inside =
        |splice: &&Splice| range.start <= splice.start as usize && splice.end as usize <= range.end;
    let mut splices: Vec<Splice> = changes.iter().filter(inside).cloned().collect();
    splices.push(Splice::deletion(0..range.start));
    splices.push(Splice::deletion(range.end..document.bytes().len()));
    let mut text = Vec::new();
    Edit::new(splices).render(document.bytes(), Joint::KeepTokensApart, &mut text);
    text.trim_ascii().to_vec()
}

/// A name without the mark of a private one.
fn word(document: &Document, name: NodeId) -> &[u8] {
    let text = document.text(name);
    text.strip_prefix(b"#").unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{offered, sample};

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found = offered("javascript", text, functions);
        assert_eq!(found, expected);
        for text in &found {
            sample("javascript", text);
        }
    }

    #[test]
    fn a_class_gives_way_to_its_method() {
        check(
            "class A extends B { async *m(x) { this.#k(); } #k() {} }\nlet a = new A(1);\na.m(2);",
            &[
                "async function*m(x){ this.#k(); }\nlet a = 0;\nm(2);",
                "function k(){}\nlet a = 0;\na.m(2);",
            ],
        );
        check(
            "class A extends B {}\nclass B { m() {} }",
            &["class A  {}\nfunction m(){}"],
        );
    }

    #[test]
    fn a_constructor_takes_the_name_of_its_class() {
        check(
            "class A { constructor(x) { f(x); } }\nnew A(1);",
            &["function A(x){ f(x); }\nnew A(1);"],
        );
    }

    #[test]
    fn a_function_that_is_a_member_gets_a_name() {
        check(
            "A.prototype.m = function (x) { x.m(); };\na.m();",
            &["function m(x){ m(); }\nm();"],
        );
        check(
            "o = { m: async x => x };\no.m(1);",
            &["async function m(x){return x}\nm(1);"],
        );
    }
}
