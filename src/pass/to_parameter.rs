//! What becomes a parameter of the function that uses it.
//!
//! Where every value has a type, a local variable needs one to begin with, and the call of a function one that it returns. A
//! parameter needs none: with `f(x)` for `f()`, what made the value is needed no longer. How a parameter is written says the language
//! (`parameter`).

use super::{
    Context, arguments,
    bundle::UnitMap,
    elements::elements_of,
    names::{Declaration, Names},
    proposal::{Proposal, fingerprint, has_body, only},
};
use crate::syntax::{Document, Edit, NodeId, Splice};

/// Fields that hold the type of a variable, or of what a function returns.
const TYPES: [&str; 3] = ["type", "return_type", "result"];

/// Each local variable with a type, and each function without parameters that is called in one other, as a parameter of the function
/// around it or its calls, if nothing calls that. Cost: linear in the declarations and their uses, times the depth of the nodes.
pub(super) fn parameters(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let language = document.language();
    let form = language.map_or("", |language| &language.facts().parameter);
    if form.is_empty() {
        return Vec::new();
    }
    let (names, units) = (context.names(), context.unit_map());
    let declarations = names.declarations.iter();
    declarations
        .filter_map(|declaration| parameter(document, names, units, declaration, form))
        .collect()
}

/// What is declared, as a parameter of the function around it or its calls.
fn parameter(
    document: &Document,
    names: &Names,
    units: &UnitMap,
    declaration: &Declaration,
    form: &str,
) -> Option<Proposal> {
    let unit = units.around(document, declaration.declarer)?;
    let inside = unit..document.node(unit).end_id;
    let uses = names.dependents_of(declaration);
    let uses: Vec<NodeId> = uses.filter(|leaf| !inside.contains(leaf)).collect();
    let calls = calls(document, declaration, &uses)?;
    let place = calls.first().copied().unwrap_or(unit);
    let (function, list) = arguments::function_around(document, place)?;
    let around = function..document.node(function).end_id;
    let is_local = uses.iter().all(|leaf| around.contains(leaf)) && !inside.contains(&function);
    if !is_local || is_used(document, names, function) {
        return None;
    }
    let name = document.text(declaration.leaf);
    let written = form
        .replace("{name}", std::str::from_utf8(name).ok()?)
        .replace("{type}", type_of(document, declaration.declarer, unit)?);
    let (end, written) = arguments::one_more(document, list, written.as_bytes());
    let at_call = |&call: &NodeId| Splice::replacement(document.node(call).range(), name);
    let splices = calls.iter().map(at_call);
    let splices = splices.chain([Splice::replacement(end..end, &written)]);
    let called = calls.iter().map(|&call| document.node(call).tokens - 1);
    let added = u32::try_from(document.lexis().count(&written)).ok()?;
    Proposal {
        drops: units.drops_of(unit)?.to_vec(),
        edit: Edit::new(splices.collect()),
        weight: (document.node(unit).tokens + called.sum::<u32>()).saturating_sub(added),
        takes: only(inside),
        signature: fingerprint(&[b"parameter", document.text(unit), document.text(list)]),
        ..Proposal::default()
    }
    .if_smaller()
}

/// The calls of a function without parameters, if there are any and its uses are nothing else; none of a variable.
fn calls(document: &Document, declaration: &Declaration, uses: &[NodeId]) -> Option<Vec<NodeId>> {
    if !has_body(document, declaration.declarer) {
        return Some(Vec::new());
    }
    let own = arguments::parameters_of(document, declaration.declarer)?;
    let calls = uses
        .iter()
        .map(|&leaf| call_without_arguments(document, leaf));
    let calls: Vec<NodeId> = calls.collect::<Option<_>>()?;
    (elements_of(document, own).is_empty() && !calls.is_empty()).then_some(calls)
}

/// The call that a leaf names the function of, if it gives nothing.
fn call_without_arguments(document: &Document, leaf: NodeId) -> Option<NodeId> {
    let call = document.node(leaf).parent;
    let written = document.text(call).iter();
    let written = written.filter(|it| !it.is_ascii_whitespace());
    let wanted = document.text(leaf).iter().chain(b"()");
    written.eq(wanted).then_some(call)
}

/// Whether the name of a function is used outside of it.
fn is_used(document: &Document, names: &Names, function: NodeId) -> bool {
    let inside = function..document.node(function).end_id;
    let mut own = names.declared_in(&inside).iter();
    own.any(|it| {
        let uses = names.uses_of(it);
        it.declarer == function && uses.iter().any(|leaf| !inside.contains(leaf))
    })
}

/// The type that a declaration is written with.
fn type_of(document: &Document, declarer: NodeId, unit: NodeId) -> Option<&str> {
    let nodes = [declarer, document.node(declarer).parent, unit];
    let mut types = nodes.iter().flat_map(|&node| {
        TYPES
            .iter()
            .filter_map(move |field| document.child_in_field(node, field))
    });
    let text = std::str::from_utf8(document.text(types.next()?)).ok()?;
    // Some grammars count the mark before a type as a part of it.
    let text = text.trim_start_matches([':', '-', '>']).trim_start();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{assert_offers, offered};

    #[test]
    fn what_a_function_returns_becomes_a_parameter_of_what_calls_it() {
        for (language, text, wanted) in [
            (
                "rust",
                "fn a() -> Vec<b> { loop {} } fn c(d: e) { d(a()) }",
                " fn c(d: e, a: Vec<b>) { d(a) }",
            ),
            (
                "go",
                "package p; func a() []b { return nil }; func c() { d(a()) }",
                "package p;  func c(a []b) { d(a) }",
            ),
            (
                "typescript",
                "function a(): b { throw 0 } function c() { d(a()) }",
                " function c(a: b) { d(a) }",
            ),
            (
                "java",
                "class e { b a() { return null; } void c() { d(a()); } }",
                "class e {  void c(b a) { d(a); } }",
            ),
        ] {
            assert_offers(language, text, wanted, parameters);
        }
    }

    #[test]
    fn a_local_variable_becomes_a_parameter() {
        for (language, text, wanted) in [
            (
                "rust",
                "fn a() { let b: c = d(); b.e }",
                "fn a(b: c) {  b.e }",
            ),
            (
                "go",
                "package p; func a() { var b c = d(); e(b) }",
                "package p; func a(b c) {  e(b) }",
            ),
            (
                "typescript",
                "function a() { let b: c = d(); b.e }",
                "function a(b: c) {  b.e }",
            ),
            (
                "java",
                "class f { void a() { c b = d(); e(b); } }",
                "class f { void a(c b) {  e(b); } }",
            ),
        ] {
            assert_offers(language, text, wanted, parameters);
        }
    }

    #[test]
    fn what_is_called_keeps_its_parameters() {
        let text = "fn a() -> b { loop {} } fn c() { a(); } fn d() { c() }";
        assert!(offered("rust", text, parameters).is_empty());
    }
}
