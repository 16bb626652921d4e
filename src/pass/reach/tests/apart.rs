//! Languages whose members are declared apart from what they belong to, or used without its name, and what is imported one by one.

use super::{check_members, left, words};
use crate::pass::{
    reach::{Meant, Reach},
    rows,
    testing::sample,
};
use crate::syntax::Language;
use fixedbitset::FixedBitSet;

/// What stays of a text with what its last declaration reaches.
#[track_caller]
fn check(language: &str, text: &str, meant: Meant, expected: &str) {
    if Language::named(language).is_none() {
        return;
    }
    let sample = sample(language, text);
    let row = rows::declarations(sample.document(), sample.units(), 100);
    assert_eq!(left(&sample, &row, meant), words(expected), "{text}");
}

const GO: &str = "package p\n";

#[test]
fn a_method_is_reached_by_its_name_if_its_type_is() {
    let text = |rest: &str| {
        format!(
            "{GO} type A int\n type B int\n func (a A) f() {{ }}\n {rest} func g(a A) {{ a.f() }}\n"
        )
    };
    let others = "func (b *B) f() { }\n func (a *A) h() { }\n func f() { }\n";
    let left = format!("{GO} type A int func (a A) f() {{ }} func g(a A) {{ a.f() }}");
    check("go", &text(others), Meant::ByHeads, &left);
}

#[test]
fn what_an_interface_asks_for_stays_with_each_type_that_stays() {
    let text = |rest: &str| {
        format!(
            "{GO} type I interface {{ f() }}\n type A int\n type B int\n func (a A) f() {{ }}\n {rest} func h(a A) I {{ return a }}\n"
        )
    };
    let others = "func (a A) g() { }\n func (b B) f() { }\n";
    let left = format!(
        "{GO} type I interface {{ f() }} type A int func (a A) f() {{ }} func h(a A) I {{ return a }}"
    );
    check("go", &text(others), Meant::ByHeads, &left);
    let text = |rest: &str| {
        format!(
            "{GO} type A int\n func (a A) Error() string {{ }}\n {rest} func f() error {{ return A(1) }}\n"
        )
    };
    check(
        "go",
        &text("func (a A) error() { }\n"),
        Meant::ByHeads,
        &text(""),
    );
}

#[test]
fn an_import_stays_with_its_uses_whatever_stands_beside_it() {
    let text = |others: &str, user: &str| {
        format!("{GO} import ( \"a/b\" {others})\n {user} func f() {{ b.g() }}\n")
    };
    let user = "func h() { c.g(); d.g() }\n";
    let left = text("", "");
    check(
        "go",
        &text("\n\"a/c\"\n d \"a/b\"\n", user),
        Meant::Least,
        &left,
    );
    let text = |others: &str| {
        format!(
            "mod a {{ pub struct A; pub struct B; pub struct C; }} pub use crate::{{a::{{A{others}}}}}; fn f(a: A) {{}}"
        )
    };
    let left = "mod a { pub struct A; } pub use crate::{a::{A}}; fn f(a: A) {}";
    check(
        "rust",
        &text(", B, C as D, E"),
        Meant::Least,
        &left.replace("A}}", "A, E}}"),
    );
}

#[test]
fn what_is_written_in_the_place_of_a_name_is_no_use_of_another_one() {
    let text = format!("{GO} var _ = 1\n func f(a int) {{ _ = a }}\n");
    check(
        "go",
        &text,
        Meant::Most,
        &format!("{GO} func f(a int) {{ _ = a }}"),
    );
}

#[test]
fn what_may_not_stay_without_a_use_is_told() {
    if Language::named("go").is_none() {
        return;
    }
    let text = format!(
        "{GO} import (\n\"a\"\n\"b\"\n)\n func f() {{ a.g() }}\n func h() {{ b.g(); a.g() }}\n"
    );
    let sample = sample("go", &text);
    let row = rows::declarations(sample.document(), sample.units(), 100);
    let reach = Reach::of(&sample, &row);
    let idle = |gone: &[usize]| {
        let mut bits = FixedBitSet::with_capacity(row.len());
        bits.extend(gone.iter().copied());
        reach.idle(&bits)
    };
    assert_eq!(row.len(), 4);
    assert_eq!(idle(&[]), [0_usize; 0]);
    assert_eq!(idle(&[3]), [1]);
    assert_eq!(idle(&[1, 3]), [0_usize; 0]);
    assert_eq!(idle(&[2, 3]), [0, 1]);
}

#[test]
fn a_method_makes_its_trait_and_its_implementation_known() {
    let text = |others: &str| {
        format!(
            "struct S; trait T {{ fn f(&self); }} impl T for S {{ fn f(&self) {{}} }} impl S {{ fn g(&self) {{}} }} {others} fn h(s: S) {{ s.f(); s.g() }}"
        )
    };
    let others = "struct U; trait V { fn w(&self); } impl V for S { fn w(&self) {} } impl T for U { fn f(&self) {} } impl S { fn i(&self) {} }";
    check("rust", &text(others), Meant::ByHeads, &text(""));
    check("rust", &text(others), Meant::Least, &text(""));
}

#[test]
fn what_is_imported_from_elsewhere_may_act_without_its_name() {
    let text =
        |others: &str| format!("use std::fmt::Write; struct A; {others} fn f(a: A) {{ a.b() }}");
    check(
        "rust",
        &text("struct B; mod c { pub struct D; } use c::D;"),
        Meant::Least,
        &text("mod c { }"),
    );
}

#[test]
fn a_constant_makes_its_implementation_known() {
    let text = |others: &str| {
        format!(
            "struct S; impl S {{ const N: usize = 3; fn f(&self) {{}} }} {others} fn main() {{ S::N; }}"
        )
    };
    check(
        "rust",
        &text("impl S { const M: usize = 4; }"),
        Meant::Least,
        &text(""),
    );
}

#[test]
fn what_is_known_by_another_name_than_it_says_stays() {
    let imports = "import (\n\"a/v2\"\n\"b\"\n\"c\"\n)\n";
    let text = format!("{GO} {imports} func g() {{ c.d() }}\n func f() {{ a.d(); b.d() }}\n");
    let left = format!("{GO} import (\n\"a/v2\"\n\"b\"\n)\n func f() {{ a.d(); b.d() }}");
    check("go", &text, Meant::Least, &left);
}

#[test]
fn a_signature_that_is_no_member_asks_for_none() {
    let text = |others: &str| {
        format!(
            "declare function get(a: string): any; class B {{ put() {{}} }} class A extends B {{ a = 1; {others} }} new A(); get(\"\");"
        )
    };
    if Language::named("typescript").is_none() {
        return;
    }
    let sample = sample("typescript", &text("get() { return 1 }"));
    let row = rows::members(sample.document(), sample.units());
    assert!(!left(&sample, &row, Meant::Least).contains("get()"));
}

#[test]
fn a_name_in_parentheses_is_what_it_is_without_them() {
    let text = "struct a { static constexpr int (b)() { return 1; } int (*c)(); }; struct d; struct e; \
        template<class T> inline T (f)(const T& g) { return g; } template<class T> inline d (h)(T); d (i)(e, int); \
        inline const a::d<e> (j)(int) { } template<class T> d (k)(T) -> d; int main() { f(1); a::b(); i(0, 1); }";
    check_members(
        text,
        Meant::ByHeads,
        "struct a { static constexpr int (b)() { return 1; } }; struct d; struct e; \
        template<class T> inline T (f)(const T& g) { return g; } d (i)(e, int); int main() { f(1); a::b(); i(0, 1); }",
    );
}
