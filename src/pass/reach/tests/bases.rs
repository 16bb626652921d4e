//! What a type owes to the types that it is made from.

use super::{ALL, left, words};
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
        @Override int p() { return 4; } private int q() { return 5; } } class C { public int m() { return 1; } int o() { return 3; } }";
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
