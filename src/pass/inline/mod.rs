//! Inlining: what a declaration declares takes the place of its use, and the declaration goes.
//!
//! - A definition that is used as the same kind of thing (`struct s { … }; struct s v;`) moves to its only use, without its name.
//! - A call becomes what the function returns, with the arguments in the place of the parameters.
//! - A statement that calls becomes the statements of the function's body, or these with the call's value in the place of the call,
//!   or these with that statement in the place of each `return`, about what that returns. What a parameter is given is a variable
//!   there, where it is more than a name, and takes the place of the parameter otherwise. A call of an object is one of the method
//!   by which its class says what that does.

mod call;
mod called;
mod types;
mod variables;

use super::{
    Context,
    arguments::{function_around, list_of, parameter_list},
    bundle::UnitMap,
    elements::elements,
    in_place::without_unit,
    names::{Declaration, Names},
    proposal::{Proposal, fingerprint, only},
};
use crate::syntax::{Document, NodeId, Splice};
use call::Call;
use called::called_objects;
use rustc_hash::FxHashMap;

/// The inlinings of every declaration that has uses, and of every method by which objects are called.
pub fn inlinings(context: &Context) -> Vec<Proposal> {
    let (document, names, units) = (context.document(), context.names(), context.unit_map());
    let overloads = Overloads::of(document, names);
    let declarations = names.declarations.iter();
    let declarations = declarations.filter(|declaration| !names.is_common_member(declaration));
    let mut proposals: Vec<Proposal> = declarations
        .flat_map(|declaration| of_declaration(context, &overloads, declaration))
        .collect();
    for (method, calls) in called_objects(document, names) {
        let unit = units.around(document, method);
        let texts = instead_of(&calls).into_iter();
        let texts = texts.filter_map(|splices| without_unit(document, units, unit?, splices));
        proposals.extend(texts);
    }
    proposals
}

/// The inlinings of what a declaration declares.
fn of_declaration(
    context: &Context,
    overloads: &Overloads,
    declaration: &Declaration,
) -> Vec<Proposal> {
    let (document, names, units) = (context.document(), context.names(), context.unit_map());
    let own = declaration.declarer..document.node(declaration.declarer).end_id;
    // A method is used outside of the scope that declares it, so all uses of the text count.
    let uses = names.uses_of(declaration).iter().copied();
    let uses = uses.filter(|leaf| !own.contains(leaf));
    let uses = uses.filter(|&leaf| overloads.can_mean(document, declaration, leaf));
    let uses: Vec<NodeId> = uses.collect();
    let unit = units.around(document, declaration.declarer);
    let Some(unit) = unit.filter(|_| !uses.is_empty()) else {
        return Vec::new();
    };
    let mut texts = definition_at_use(document, declaration, &uses);
    let calls = uses
        .iter()
        .map(|&leaf| Call::new(document, names, declaration, leaf));
    let calls: Option<Vec<Call>> = calls.collect();
    texts.extend(calls.iter().flat_map(|calls| instead_of(calls)));
    let object = calls.as_deref().and_then(object_in_vain);
    let object = object.and_then(|it| units.around(document, it.declarer));
    let mut proposals = Vec::new();
    for splices in texts {
        let Some(proposal) = without_unit(document, units, unit, splices) else {
            continue;
        };
        let with_object = object.and_then(|object| and_without(document, units, &proposal, object));
        proposals.extend(with_object);
        proposals.push(proposal);
    }
    proposals
}

/// What stands in the place of all calls of a function, each way.
fn instead_of(calls: &[Call]) -> Vec<Vec<Splice>> {
    let ways = [
        Call::value,
        Call::statements,
        Call::statements_and_value,
        Call::statements_in_returns,
        Call::body_with_variables,
        Call::body_with_words,
    ];
    let texts = ways.iter();
    texts
        .filter_map(|way| calls.iter().map(way).collect())
        .collect()
}

/// The variable that a method is called on for nothing, where that is its only use: the method's body does not ask for it.
fn object_in_vain<'d>(calls: &[Call<'d>]) -> Option<&'d Declaration> {
    let [call] = calls else {
        return None;
    };
    let leaf = call.receiver?;
    let leaf = call.nodes(leaf).find(|&it| call.document.is_leaf(it))?;
    let (function, _) = function_around(call.document, call.node)?;
    let declared = call.names.declared_in(&call.nodes(function)).iter();
    let mut declared = declared.filter(|it| call.names.uses_in_scope(it) == [leaf]);
    declared.find(|_| call.of_receiver(&call.nodes(call.body)).is_empty())
}

/// A proposal that takes a unit more out; `None` where it takes that already.
fn and_without(
    document: &Document,
    units: &UnitMap,
    proposal: &Proposal,
    unit: NodeId,
) -> Option<Proposal> {
    let own = document.node(unit);
    if proposal.takes.iter().any(|nodes| nodes.contains(&unit)) {
        return None;
    }
    let more = Proposal {
        drops: units.drops_of(unit)?.to_vec(),
        weight: own.tokens,
        takes: only(unit..own.end_id),
        ..Proposal::default()
    };
    let signature = fingerprint(&[&proposal.signature.to_le_bytes(), document.text(unit)]);
    let all = Proposal::together([proposal, &more], signature);
    Some(Proposal {
        target: proposal.target,
        ..all
    })
}

/// By the name of functions, the numbers of parameters that they have, where these differ.
struct Overloads(FxHashMap<u32, Vec<usize>>);

impl Overloads {
    /// Of all functions that share a name. Cost: linear in the declarations and their parameters.
    fn of(document: &Document, names: &Names) -> Self {
        let mut counts: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for declaration in &names.declarations {
            let list = parameter_list(document, declaration);
            let list = list.filter(|_| names.has_several(declaration));
            let Some(count) = list.map(|list| elements(document, list).len()) else {
                continue;
            };
            let known = counts.entry(declaration.name).or_default();
            if !known.contains(&count) {
                known.push(count);
            }
        }
        counts.retain(|_, counts| counts.len() > 1);
        Self(counts)
    }

    /// Whether a use can mean a function: a call that gives another number of arguments means another one of that name.
    fn can_mean(&self, document: &Document, declaration: &Declaration, leaf: NodeId) -> bool {
        if !self.0.contains_key(&declaration.name) {
            return true;
        }
        let own = parameter_list(document, declaration);
        let given = list_of(document, leaf);
        let [own, given] = [own, given].map(|list| list.map(|list| elements(document, list).len()));
        own.is_none() || given.is_none() || own == given
    }
}

/// The definition in the place of the only node of the same kind that means it: with its name, and without.
fn definition_at_use(
    document: &Document,
    declaration: &Declaration,
    uses: &[NodeId],
) -> Vec<Vec<Splice>> {
    let definition = document.node(declaration.declarer);
    let place = document.node(uses[0]).parent;
    if document.node(place).kind != definition.kind {
        return Vec::new();
    }
    let range = document.node(place).range();
    let named = document.text(declaration.declarer).to_vec();
    let name = document.node(declaration.leaf).range();
    let mut nameless = named.clone();
    nameless.drain(name.start - definition.start as usize..name.end - definition.start as usize);
    let splice = |text: &[u8]| vec![Splice::replacement(range.clone(), text)];
    if uses.len() == 1 {
        vec![splice(&nameless), splice(&named)]
    } else {
        vec![splice(&named)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::assert_offers;

    #[test]
    fn a_definition_takes_the_place_of_its_use() {
        for (language, text, wanted) in [
            (
                "c",
                "struct s { int a; }; struct s v;",
                " struct  { int a; } v;",
            ),
            (
                "c",
                "int f(int a) { return a + 1; } int g() { return f(2); }",
                " int g() { return 2 + 1; }",
            ),
            (
                "javascript",
                "function f(a) { g(a); h() } f(1)",
                " g(1); h()",
            ),
            (
                "c",
                "int f(int a) { g(a); return a + 1; } int h() { int b = f(2); }",
                " int h() { g(2); int b = 2 + 1; }",
            ),
            (
                "c",
                "void f(struct s *p, int a) { p->m = a; } void g() { struct s b; f(&b, 1); }",
                " void g() { struct s b; (&b)->m = 1; }",
            ),
            (
                "c",
                "int f(int a) { return a + 1; } int g() { return f(2) * 3; }",
                " int g() { return (2 + 1) * 3; }",
            ),
            (
                "python",
                "class A:\n  k = 1\n  def f(self, a):\n    self.g()\n    self.h(a)\nx.f(1)\n",
                "class A:\n  k = 1\n\nx.g()\nx.h(1)\n",
            ),
            (
                "javascript",
                "class A { k() {} f(a) { this.b = a; this.k() } } x.f(1)",
                "class A { k() {}  } x.b = 1; x.k()",
            ),
            (
                "php",
                "<?php class A { function f($a) { $this->b = $a; } } $x->f(new B);",
                "<?php class A {  } $x->b = new B;",
            ),
            (
                "cpp",
                "struct A { int b; A *c; void f(int a) { b = a + c->b; } }; void g(A x) { x.f(1); }",
                "struct A { int b; A *c;  }; void g(A x) { x.b = 1 + x.c->b; }",
            ),
            (
                "cpp",
                "struct A { int b; int f() { return g(b); } }; int h(A *x) { return x->f(); }",
                "struct A { int b;  }; int h(A *x) { return g(x->b); }",
            ),
            (
                "cpp",
                "struct A { int b; template<class T> void f(T a) { this->b = a + b; } }; void g(A x, int y) { x.f(y); }",
                "struct A { int b;  }; void g(A x, int y) { x.b = y + x.b; }",
            ),
            (
                "cpp",
                "struct A { int b; template<class T> int operator()(T a) { return a + b; } }; struct C { A d; }; int f(C c, A e, int g) { return c.d(g) + e(1); }",
                "struct A { int b;  }; struct C { A d; }; int f(C c, A e, int g) { return (g + c.d.b) + (1 + e.b); }",
            ),
            (
                "cpp",
                "struct A { void f(int a) { g(a); } }; void h() { A b(1); b.f(2); }",
                "struct A {  }; void h() {  g(2); }",
            ),
            (
                "java",
                "class A { int b; void f() { b = 1; } void g(A x) { x.f(); } }",
                "class A { int b;  void g(A x) { x.b = 1; } }",
            ),
            (
                "lua",
                "function A:f(a) self:g(a) end\nx.b:f(1)\n",
                "\nx.b:g(1)\n",
            ),
            (
                "javascript",
                "function f(a) { try { g(a) } catch (e) { return e.b } } h(f(1), 2)",
                " try { g(1) } catch (e) { h(e.b, 2) }",
            ),
            (
                "python",
                "def f(a):\n    for b in a:\n        if g(b):\n            return b\nh(f(1))\n",
                "\nfor b in 1:\n    if g(b):\n        h(b)\n",
            ),
            (
                "python",
                "def f(a):\n    g(a)\n    return a\nif b:\n  x = f(1)\n",
                "\nif b:\n  g(1)\n  x = 1\n",
            ),
        ] {
            assert_offers(language, text, wanted, inlinings);
        }
    }

    #[test]
    fn a_body_takes_the_place_of_its_call_with_variables() {
        for (language, text, wanted) in [
            (
                "cpp",
                "struct A { void f(B a) { a.b(); } void f(int, int); }; void g(A x) { x.f(1, 2); } void h(A x) { x.f(0); }",
                "struct A {  void f(int, int); }; void g(A x) { x.f(1, 2); } void h(A x) { {B a = 0; a.b(); } }",
            ),
            (
                "cpp",
                "template<int n, class T> void f(T a, g<n> b, T c) { h<n>(a, b, c); } void k(int d) { f<3>(d, {}, 1); }",
                " void k(int d) { {g<3> b = {}; auto c = 1; h<3>(d, b, c); } }",
            ),
            (
                "cpp",
                "template<class T> void f(T, int) { g(); } void h() { f(new A, 1); }",
                " void h() { {new A; g(); } }",
            ),
            (
                "cpp",
                "void f(int *a, B b) { g(a, b, b); } void h() { f(0, B()); }",
                " void h() { {int *a = 0; g(a, B(), B()); } }",
            ),
            (
                "javascript",
                "function f(a, b) { g(a, b) } function h(c) { f(c, 1) }",
                " function h(c) { {let b = 1; g(c, b) } }",
            ),
        ] {
            assert_offers(language, text, wanted, inlinings);
        }
    }
}
