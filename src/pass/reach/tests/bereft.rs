//! What loses a name when others go.

use super::*;
use std::borrow::Cow;

/// What goes with a part when nothing is reached, by the text that each begins with.
#[track_caller]
fn check_bereft(text: &str, gone: u32, expected: &[&str]) {
    let sample = sample("cpp", text);
    let row = rows::members(sample.document(), sample.units());
    let reach = Reach::of(&sample, &row);
    let members = reach.members(gone as usize).map(narrow);
    let gone: Vec<u32> = std::iter::once(gone).chain(members).collect();
    let bereft = reach.bereft(&gone, &reach.lost(&gone), |_| false);
    let text = |part: u32| sample.document().text(row[part as usize].takes[0].start);
    let found = bereft.into_iter().filter(|part| !gone.contains(part));
    let found: Vec<_> = found
        .map(|part| String::from_utf8_lossy(text(part)))
        .collect();
    let begins = |(found, expected): (&Cow<str>, &&str)| found.starts_with(expected);
    assert!(
        found.len() == expected.len() && found.iter().zip(expected).all(begins),
        "{found:?}"
    );
}

#[test]
fn what_only_says_more_of_a_type_loses_its_name_with_it() {
    let guide =
        "template<class T> struct a { a(T); }; struct b {}; template<class T> a(T *) -> a<T>; b c;";
    check_bereft(guide, 0, &["template<class T> a(T *)"]);
    let forward =
        "struct b; template<class T> struct a; template<class T> struct a { int c; }; a<b> *d;";
    check_bereft(forward, 2, &["a<b>"]);
    let apart =
        "namespace n { void f(int); } void n::f(int) { } void g() { n::f(1); } int main() { }";
    check_bereft(apart, 0, &["void n::f", "void g"]);
    let alias = "struct a { int b; }; struct c { using a = ::a; int d; };";
    check_bereft(alias, 0, &["using a"]);
}

#[test]
fn what_is_taken_over_goes_with_the_member_that_it_may_mean() {
    let text = "void f(); struct a { void f(); int b; }; struct c : a { using a::f; int d; };";
    check_bereft(text, 2, &["using a::f"]);
}

#[test]
fn what_is_declared_all_the_same_is_not_lost() {
    // A specialisation does not define what it specialises.
    let special =
        "struct b; template<class T> struct a; template<> struct a<int> { int c; }; a<b> *d;";
    check_bereft(special, 1, &["template<> struct a<int>", "a<b>"]);
    check_bereft("struct s { int x; }; typedef struct s s; s *p;", 0, &[]);
    let local = "int g(); int f() { struct a { int b; } e; return e.b; } int main() { }";
    check_bereft(local, 0, &[]);
}
