//! Freeing: a method becomes a function, and what it was a part of goes.
//!
//! `impl<S> A<S> { fn m(self, x: S) {} }` becomes `fn m<S>(x: S) {}`, and `a.m(y)` becomes `m(y)`.

use super::{
    Context, arguments,
    names::{Declaration, Names},
    proposal::{Proposal, fingerprint, surroundings},
};
use crate::syntax::{Document, Edit, Joint, NodeId, Splice};

/// How far above a method the type is looked for that it is a part of.
const HIGHEST: usize = 4;

/// All methods as functions in the place of what they are a part of.
pub fn functions(context: &Context) -> Vec<Proposal> {
    let (document, names) = (context.document(), context.names());
    names
        .declarations
        .iter()
        .filter_map(|declaration| freed(document, names, declaration))
        .collect()
}

fn freed(document: &Document, names: &Names, declaration: &Declaration) -> Option<Proposal> {
    let method = declaration.declarer;
    let parameters = arguments::parameters_of(document, method)?;
    let whole = around(document, method)?;
    let calls = calls(document, names, declaration, whole);
    let text = as_function(document, declaration, parameters, whole, &calls);
    let before = document.node(whole).tokens as usize
        + calls
            .iter()
            .map(|&call| document.node(call).tokens as usize)
            .sum::<usize>();
    let after = document.lexis().count(&text) + calls.len();
    let name = document.text(declaration.leaf);
    let mut splices: Vec<Splice> = calls
        .iter()
        .filter(|&&call| !(whole..document.node(whole).end_id).contains(&call))
        .map(|&call| Splice::replacement(document.node(call).range(), name))
        .collect();
    splices.push(Splice::replacement(document.node(whole).range(), &text));
    Some(Proposal {
        edit: Edit::new(splices),
        weight: u32::try_from(before.checked_sub(after)?.max(1)).ok()?,
        target: Some(whole),
        signature: fingerprint(&[b"free", document.text(whole)]),
        ..Proposal::default()
    })
}

/// The nearest node around a method, not its own body, in whose place it can stand.
fn around(document: &Document, method: NodeId) -> Option<NodeId> {
    let mut at = document.node(method).parent;
    for _ in 0..HIGHEST {
        if at == 0 || document.kind_name(at).contains("func") {
            return None;
        }
        let (siblings, place) = surroundings(document, at)?;
        let stands = siblings.is_accepted() && siblings.can_stand(place, document.shape(method));
        // A mere list of members is no type.
        if stands && document.node(at).tokens > document.node(method).tokens + 2 {
            return Some(at);
        }
        at = document.node(at).parent;
    }
    None
}

/// The callees that name the method as a member of something.
fn calls(
    document: &Document,
    names: &Names,
    declaration: &Declaration,
    whole: NodeId,
) -> Vec<NodeId> {
    let uses = names.uses[declaration.name as usize].iter();
    uses.filter_map(|&leaf| {
        let member = document.node(leaf).parent;
        let is_last = document.children(member).last() == Some(leaf);
        let list = arguments::argument_list(document, leaf)?;
        let is_callee = document.node(member).parent == document.node(list).parent;
        let outside = member != document.node(list).parent && member != whole;
        (is_last && is_callee && outside).then_some(member)
    })
    .collect()
}

/// The text of the method as a function: without `self`, with the type parameters of what it was a part of, its own calls free.
fn as_function(
    document: &Document,
    declaration: &Declaration,
    parameters: NodeId,
    whole: NodeId,
    calls: &[NodeId],
) -> Vec<u8> {
    let method = document.node(declaration.declarer);
    let name = document.text(declaration.leaf);
    let mut splices = vec![
        Splice::deletion(0..method.start as usize),
        Splice::deletion(method.end as usize..document.bytes().len()),
    ];
    splices.extend(
        calls
            .iter()
            .filter(|&&call| (declaration.declarer..method.end_id).contains(&call))
            .map(|&call| Splice::replacement(document.node(call).range(), name)),
    );
    splices.extend(without_self(document, parameters));
    let type_parameters = |node: NodeId| {
        document
            .children(node)
            .find(|&child| document.kind_name(child) == "type_parameters")
    };
    if let (Some(own), None) = (
        type_parameters(whole),
        type_parameters(declaration.declarer),
    ) {
        let at = document.node(declaration.leaf).end as usize;
        splices.push(Splice::replacement(at..at, document.text(own)));
    }
    let mut text = Vec::new();
    Edit::new(splices).render(document.bytes(), Joint::KeepTokensApart, &mut text);
    text.trim_ascii().to_vec()
}

/// The deletion of a parameter that stands for the object, with the comma behind it.
fn without_self(document: &Document, parameters: NodeId) -> Option<Splice> {
    let first = *arguments::elements_of(document, parameters).first()?;
    let is_self = document.kind_name(first).contains("self") || document.text(first) == b"self";
    is_self.then(|| {
        let range = document.node(first).range();
        let behind = &document.bytes()[range.end..];
        let blanks = behind.len() - behind.trim_ascii_start().len();
        let comma = usize::from(behind[blanks..].starts_with(b","));
        let end = if comma == 1 {
            range.end + blanks + 1
        } else {
            range.end
        };
        Splice::deletion(range.start..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::offered;

    #[track_caller]
    fn check(language: &str, text: &str, expected: &[&str]) {
        let found = offered(language, text, functions);
        assert_eq!(found, expected);
    }

    #[test]
    fn a_method_becomes_a_function() {
        check(
            "rust",
            "impl<S> A<S> { fn m(self, x: S) { A::m(x); } } fn g(a: A) { a.m(1) }",
            &["fn m<S>( x: S) { m(x); } fn g(a: A) { m(1) }"],
        );
        check(
            "python",
            "class A:\n  def m(self, x):\n    self.m(1)\n",
            &["def m( x):\n    m(1)\n"],
        );
        check("javascript", "function f() { }", &[]);
    }
}
