//! Members that have places of their own, and what is no member where it stands.

use super::{ALL, check_members};
use crate::pass::reach::Meant;

/// What stays of a text with what is reached from the last part, where more stays if members keep their places.
#[track_caller]
pub(super) fn check_places(text: &str, expected: &str, with_places: &str) {
    for meant in ALL {
        let expected = if meant.keeps_places() {
            with_places
        } else {
            expected
        };
        check_members(text, meant, expected);
    }
}

#[test]
fn what_tells_data_by_their_places_keeps_all_of_them() {
    let text = "struct a { int b; int c; }; struct d { int e; void f(); }; a g = {1, 2}; d h; int main() { g; h; }";
    check_places(
        text,
        "struct a { int b; int c; }; struct d { }; a g = {1, 2}; d h; int main() { g; h; }",
        &text.replace(" void f();", ""),
    );
}

#[test]
fn what_has_a_place_in_an_object_stays_with_its_type() {
    let text = "struct a { static int s; static void f(); int *p; int q[2], &r; void (*g)(int); union { int i; }; \
        virtual void v(); void w(); int *h(); virtual ~a(); }; int main() { a b; }";
    check_places(
        text,
        "struct a { union { int i; }; virtual ~a(); }; int main() { a b; }",
        "struct a { int *p; int q[2], &r; void (*g)(int); union { int i; }; virtual void v(); virtual ~a(); }; \
        int main() { a b; }",
    );
}

#[test]
fn what_is_known_beside_its_type_is_reached_by_its_name_alone() {
    let text = "class a { int c; void d(); friend void f(int b) { } friend void g(a) { } }; void f(int); void g(int); \
        class b { friend void h(b) { } }; void h(int); int main() { f(1); h(1); }";
    check_members(
        text,
        Meant::ByHeads,
        "class a { friend void f(int b) { } }; void f(int); void h(int); int main() { f(1); h(1); }",
    );
}
