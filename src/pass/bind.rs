//! Binding: what a name always stands for takes the place of its uses, and the name goes.
//!
//! - A parameter for which all calls give the same goes with these arguments, and what they gave stands in the function. What the
//!   function gives for it when it calls itself is the parameter again.
//! - A variable of several uses becomes 0 in all of them, with its declaration: one use alone may have to be what the others are.

use super::{
    Context, arguments,
    bundle::UnitMap,
    elements::{Place, places_of},
    in_place::value_at_use,
    least::takes_number,
    names::{Declaration, Names},
    own_types::OwnTypes,
    proposal::{Proposal, fingerprint, only},
};
use crate::syntax::{Document, Edit, NodeId, Splice};

/// What has more tokens stays an argument where the parameter is used more than once.
const LARGEST: u32 = 4;

/// All parameters as what is given for them, and all variables of several uses as 0.
pub fn bindings(context: &Context) -> Vec<Proposal> {
    let (document, names, units) = (context.document(), context.names(), context.unit_map());
    let own_types = OwnTypes::of(document);
    let mut proposals = Vec::new();
    for declaration in &names.declarations {
        proposals.extend(parameters(document, names, &own_types, declaration));
        proposals.extend(zero(document, names, units, declaration));
    }
    proposals
}

/// The parameters of a function as their arguments.
fn parameters(
    document: &Document,
    names: &Names,
    own_types: &OwnTypes,
    declaration: &Declaration,
) -> Vec<Proposal> {
    let Some((list, calls)) = arguments::calls(document, names, declaration) else {
        return Vec::new();
    };
    let own = places_of(document, list);
    let bound = |(index, &(place, parameter)): (usize, &(u32, NodeId))| {
        let inside = parameter..document.node(parameter).end_id;
        let [declared] = names.declared_in(&inside) else {
            return None;
        };
        let uses = names.uses_in_scope(declared);
        let given = |call: &Vec<Option<Place>>| call.get(index).copied().flatten();
        let given: Option<Vec<Place>> = calls.iter().map(given).collect();
        let mut given = given?;
        let is_passed_on = |&(.., argument): &Place| uses.contains(&only_leaf(document, argument));
        let mut arguments = given.iter().filter(|it| !is_passed_on(it));
        let &(.., argument) = arguments.next()?;
        let text = document.text(argument);
        if arguments.any(|&(.., other)| document.text(other) != text) {
            return None;
        }
        let tokens = u32::try_from(document.lexis().count(text)).unwrap_or(u32::MAX);
        let in_given = |leaf: NodeId| {
            let mut given = given.iter();
            given.any(|&(.., node)| (node..document.node(node).end_id).contains(&leaf))
        };
        let uses: Vec<NodeId> = uses
            .iter()
            .copied()
            .filter(|&leaf| !in_given(leaf))
            .collect();
        if uses.is_empty() || tokens > LARGEST && uses.len() > 1 {
            return None;
        }
        given.push((list, place, parameter));
        given.extend(own_types.of_all(document, &given));
        let splice = |&leaf: &NodeId| value_at_use(document, argument, leaf);
        let removed = arguments::removal(document, &given)?;
        let more = (tokens - 1).saturating_mul(u32::try_from(uses.len()).unwrap_or(u32::MAX));
        Some(Proposal {
            edit: Edit::new(uses.iter().map(splice).collect()),
            weight: removed
                .weight
                .checked_sub(more)
                .filter(|&saved| saved > 0)?,
            signature: fingerprint(&[b"bind", &removed.signature.to_le_bytes(), text]),
            ..removed
        })
    };
    own.iter().enumerate().filter_map(bound).collect()
}

/// A node, or the leaf that is all of it.
fn only_leaf(document: &Document, node: NodeId) -> NodeId {
    let range = node..document.node(node).end_id;
    let mut leaves = range.filter(|&id| document.is_leaf(id));
    leaves
        .next()
        .filter(|_| leaves.next().is_none())
        .unwrap_or(node)
}

/// 0 in the place of all uses of a name.
fn zero(
    document: &Document,
    names: &Names,
    units: &UnitMap,
    declaration: &Declaration,
) -> Option<Proposal> {
    let unit = units.around(document, declaration.declarer)?;
    let taken = unit..document.node(unit).end_id;
    let uses = names.uses_in_scope(declaration).iter().copied();
    let uses: Vec<NodeId> = uses.filter(|leaf| !taken.contains(leaf)).collect();
    let can_be_zero = |&leaf: &NodeId| {
        takes_number(document, leaf) && arguments::argument_list(document, leaf).is_none()
    };
    let is_alone = names.declared_in(&taken).len() == 1;
    if uses.len() < 2 || declaration.is_type || !is_alone || !uses.iter().all(can_be_zero) {
        return None;
    }
    let splice = |&leaf: &NodeId| Splice::replacement(document.node(leaf).range(), b"0");
    Some(Proposal {
        drops: units.drops_of(unit)?.to_vec(),
        edit: Edit::new(uses.iter().map(splice).collect()),
        weight: document.node(unit).tokens,
        takes: only(taken),
        target: Some(unit),
        signature: fingerprint(&[b"zero", document.text(unit)]),
        ..Proposal::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{assert_offers, offered};

    #[test]
    fn a_parameter_becomes_what_is_always_given_for_it() {
        for (language, text, wanted) in [
            (
                "javascript",
                "function f(a, b) { g(a, b) } f('x', 1)",
                "function f( b) { g('x', b) } f( 1)",
            ),
            (
                "javascript",
                "const a = 1; class B { constructor(a) { this.b = a } } new B(a); class C { constructor() {} }",
                "const a = 1; class B { constructor() { this.b = a } } new B(); class C { constructor() {} }",
            ),
            (
                "cpp",
                "template <class A, class F> void f(A a, F g) { g(a); } void h() { f(1, [](int) { j(); }); }",
                "template <class A> void f(A a) { [](int) { j(); }(a); } void h() { f(1); }",
            ),
            (
                "javascript",
                "function f(a) { try { a() } catch (b) {} } f(() => { c })",
                "function f() { try { (() => { c })() } catch (b) {} } f()",
            ),
            (
                "php",
                "<?php class B { function __construct($a) { $a->c(); } } new B($d);",
                "<?php class B { function __construct() { $d->c(); } } new B();",
            ),
            (
                "c",
                "int f(int a, int b) { return b ? a : f(a, b - 1); } int c = f(7, 2);",
                "int f( int b) { return b ? 7 : f( b - 1); } int c = f( 2);",
            ),
        ] {
            assert_offers(language, text, wanted, bindings);
        }
        let text = "function f(a) { g(a) } f(1); f(2)";
        assert!(offered("javascript", text, bindings).is_empty());
    }

    #[test]
    fn a_variable_of_several_uses_becomes_nothing_in_all_of_them() {
        let text = "int a; int f() { return a + g(a); }";
        assert_offers("c", text, " int f() { return 0 + g(0); }", bindings);
        assert!(offered("c", "int a; int f() { return a; }", bindings).is_empty());
    }
}
