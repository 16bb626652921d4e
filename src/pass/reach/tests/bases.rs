//! What a type owes to the types that it is made from.

use super::{ALL, Meant, left, words};
use crate::pass::{Context, Proposal, rows, testing::sample};

/// What stays with the last part of a row.
#[track_caller]
fn check(text: &str, row: impl Fn(&Context) -> Vec<Proposal>, expected: &str) {
    let sample = sample("java", text);
    for meant in ALL {
        let left = left(&sample, &row(&sample), meant);
        assert_eq!(left, words(expected), "{meant:?}");
    }
}

#[test]
fn what_a_base_may_ask_for_stays_while_its_type_does() {
    let types = "class B extends X implements Y { public int m() { return 1; } protected int n() { return 2; } int o() { return 3; } \
        @Override int p() { return 4; } private int q() { return 5; } } class C { public int m() { return 1; } int o() { return 3; } } \
        class E extends X { public int m() { return 6; } }";
    let left = "class B extends X implements Y { public int m() { return 1; } protected int n() { return 2; } \
        @Override int p() { return 4; } }";
    let members = |sample: &Context| rows::members(sample.document(), sample.units());
    let last = "class D { Object r() { return new B(); } }";
    check(
        &format!("{types} {last}"),
        members,
        &format!("{left} {last}"),
    );
    // In one that has to stay itself.
    let opened = |sample: &Context| rows::declarations(sample.document(), sample.units(), 50);
    let last = "Object r() { return new B(); }";
    let around = |types| format!("class A {{ {types} {last} }}");
    check(&around(types), opened, &around(left));
}

#[test]
fn what_has_no_name_is_made_from_something() {
    let text = "class A { static Object o = new X() { public int m() { return 1; } int n() { return 2; } }; int s; } \
        class B { Object r() { return A.o; } }";
    let members = |sample: &Context| rows::members(sample.document(), sample.units());
    let left = "class A { static Object o = new X() { public int m() { return 1; } }; } class B { Object r() { return A.o; } }";
    check(text, members, left);
}

#[test]
fn values_of_an_enumeration_are_made_from_it_and_its_methods_are_members() {
    let text = "enum E implements I { A { public int m() { return 1; } int n() { return 2; } }; public int o() { return 3; } \
        int p() { return 4; } enum F { C; public int q() { return 5; } } } interface J extends I { default int s() { return 6; } } \
        class B { Object r(J j) { return E.A + E.F.C; } }";
    let members = |sample: &Context| rows::members(sample.document(), sample.units());
    let left = "enum E implements I { A { public int m() { return 1; } }; public int o() { return 3; } \
        enum F { C; } } interface J extends I { default int s() { return 6; } } class B { Object r(J j) { return E.A + E.F.C; } }";
    check(text, members, left);
}

#[test]
fn only_methods_are_asked_for() {
    let text = "class A extends X { public int a; public A(int b) { } public class C { } public int d() { return 1; } } \
        class B { Object r() { A a; } }";
    let members = |sample: &Context| rows::members(sample.document(), sample.units());
    let left = "class A extends X { public A(int b) { } public int d() { return 1; } } class B { Object r() { A a; } }";
    check(text, members, left);
}

/// What stays of a text in TypeScript with its last part, member by member.
fn left_of(text: &str) -> String {
    let sample = sample("typescript", text);
    let row = rows::members(sample.document(), sample.units());
    left(&sample, &row, Meant::Least)
}

#[test]
fn what_a_signature_asks_for_stays_while_its_type_does() {
    let types = "abstract class A { abstract m(): number; } interface I { n: number } class B extends A implements I { n = 1; \
        m() { return 1; } o() { return 2; } } class C { m() { return 3; } }";
    let left = left_of(&format!("{types} function r() {{ return new B(); }}"));
    assert!(left.contains("{ n = 1; m() { return 1; } }"), "{left}");
    assert!(!left.contains("return 3"), "{left}");
}

#[test]
fn what_makes_objects_stays_while_its_type_does() {
    let text = "class A { a: number; constructor(a: number) { this.a = a; } b() { } } class B { constructor() { } } \
        function r() { return new A(1); }";
    let left = "class A { a: number; constructor(a: number) { this.a = a; } } function r() { return new A(1); }";
    assert_eq!(left_of(text), left);
}

#[test]
fn a_member_is_not_meant_by_a_bare_name() {
    let text = "const v = 1; class A { v = 2; f() { return v; } } new A();";
    let sample = sample("typescript", text);
    let row = rows::declarations(sample.document(), sample.units(), 100);
    assert_eq!(left(&sample, &row, Meant::Least), text);
}

#[test]
fn behind_several_dots_stands_no_member() {
    let text = "function f() { return {}; } class A { a() { return { ...f() }; } } function g() { return A.a; }";
    assert_eq!(left_of(text), text);
}

#[test]
fn a_signature_needs_what_it_is_one_of() {
    let text = "type T = number; function f(a: T): void; function f(a: B): void; function f(a: C) { } class A { m(): void; m(a?: T) { } } \
        function g() { return f(1) + new A().m(); }";
    let left = left_of(text);
    assert!(left.contains("function f(a: C) { }"), "{left}");
    assert!(left.contains("m(a?: T) { }"), "{left}");
}
