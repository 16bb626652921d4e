//! What a type owes to the types that it is made from.

use super::{ALL, Meant, left, words};
use crate::{
    pass::{Context, Proposal, rows, testing::sample},
    syntax::Language,
};

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

/// What stays of a text in C# with its last part, member by member.
#[track_caller]
fn check_csharp(text: &str, expected: &str) {
    if Language::named("csharp").is_none() {
        return;
    }
    let sample = sample("csharp", text);
    let row = rows::members(sample.document(), sample.units());
    for meant in [Meant::Least, Meant::ByHeads] {
        assert_eq!(left(&sample, &row, meant), words(expected), "{meant:?}");
    }
}

#[test]
fn what_overrides_needs_what_it_overrides() {
    let base = "abstract class A { public virtual int m() { return 1; } public abstract int p { get; } int q { get; } }";
    let heir = "class B : A { public override int m() { return 2; } public override int p { get { return 3; } } int o { get; } }";
    let end = "class C { object r() { return new B(); } }";
    check_csharp(
        &format!("{base} {heir} {end}"),
        &format!(
            "{} {} {end}",
            base.replace(" int q { get; }", ""),
            heir.replace(" int o { get; }", "")
        ),
    );
}

#[test]
fn what_is_said_of_a_value_is_reached_in_csharp() {
    let types = "using System.Text; namespace N { static class T { public static int a = 1; int b() { return 1; } } \
        class P { int Text { get; } int u() { return 1; } } class U { int a; int m() { return 1; } } }";
    let left = "using System.Text; namespace N { static class T { public static int a = 1; } }";
    let end = "class C { int r() { int d = N.T.a; foreach (int m in f) { } return d; } }";
    check_csharp(&format!("{types} {end}"), &format!("{left} {end}"));
}

#[test]
fn how_a_name_is_written_tells_what_is_meant_in_csharp() {
    for (types, end) in [
        (
            "class N { public int x; }",
            "class C { object r(int x) { return new N { x = x }; } }",
        ),
        (
            "namespace N; class T { public static int a; }",
            "class C { int r() { return N.T.a; } }",
        ),
        (
            "class D { static int x; }",
            "class C { int r() { D d = null; f(x => x + 1); return d.x; } }",
        ),
        (
            "abstract class A { public abstract int p { get; } } class B : A { public override int p => 3; }",
            "class C { object r() { return new B(); } }",
        ),
        ("record R(int P);", "class C { int r(R a) { return a.P; } }"),
    ] {
        let text = format!("{types} {end}");
        check_csharp(&text, &text);
        let others = "class U { int m() { return 1; } }";
        let text = format!("{types} {others} {end}");
        check_csharp(&text, &format!("{types} {end}"));
    }
}

#[test]
fn a_method_of_its_first_parameter_is_named_without_its_class() {
    if Language::named("csharp").is_none() {
        return;
    }
    let text = "static class E { static int e(this int c) { return c; } } class F { int f() { return 1; } } class C { int r() { return d.e(); } }";
    let sample = sample("csharp", text);
    let row = rows::members(sample.document(), sample.units());
    let left = left(&sample, &row, Meant::Widely);
    assert!(
        left.contains("class E") && !left.contains("class F"),
        "{left}"
    );
}
