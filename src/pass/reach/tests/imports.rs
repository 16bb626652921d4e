//! What makes a name known that is declared elsewhere.

use super::*;

#[test]
fn a_namespace_made_known_stays_so() {
    let text = "namespace a { namespace b { struct c; struct d; } } using namespace a::b; using a::b::d; int main() { c *e; }";
    check_with(&sample("cpp", text), Meant::Least, &[0, 2, 4]);
}

#[test]
fn what_only_makes_a_name_known_does_not_declare_it() {
    let text = "typedef int time_t; time_t time(time_t *); namespace std { using ::time; } int main() { std::time(0); }";
    check(text, &[0, 1, 2, 3]);
}

#[test]
fn what_makes_a_name_known_goes_with_what_it_means() {
    let text = "namespace a { struct s {}; int f(s); } int f(int); namespace b { using a::f; } int main() { f(1); }";
    check(text, &[2, 4]);
}

#[test]
fn what_makes_a_name_known_may_mean_what_does_the_same() {
    let text = "namespace a { struct s {}; int f(s); } namespace b { using a::f; } namespace c { using b::f; } int f(int); \
        int main() { f(1); }";
    check(text, &[4, 5]);
    let text = "namespace a { struct s {}; int operator+(s, s); } namespace b { using a::operator+; } \
        namespace c { using b::operator+; } struct t {}; int operator+(t, t); int main() { t u; u + u; }";
    check(text, &[4, 5, 6]);
    let used = text.replace("t u", "a::s u");
    check(&used, &[0, 1, 2, 3, 6]);
}

#[test]
fn what_lies_deeper_than_an_import_says_is_not_meant_by_it() {
    let text = "namespace a { struct s {}; void f(s); namespace b { void f(int); } } using a::f; int main() { a::b::f(1); }";
    check(text, &[2, 4]);
}

#[test]
fn what_is_opened_into_a_namespace_is_imported_from_it() {
    let text = "namespace a { inline namespace b { inline namespace c { struct s {}; void f(s); } } } namespace d { void f(int); } \
        using a::b::f; int main() { d::f(1); }";
    check(text, &[2, 4]);
}

#[test]
fn an_import_does_not_mean_what_is_declared_behind_it() {
    let text = "namespace a { struct s {}; void f(s); } using a::f; namespace a { void f(int); } int main() { a::f(1); }";
    check(text, &[3, 4]);
}

#[test]
fn what_a_class_takes_over_is_not_made_known_by_it() {
    let text = "struct a { void f(); }; template<class T> struct b : T { using T::f; }; template<class T> struct b<T *> {}; \
        void f(); int main() { b<int> x; }";
    check(text, &[1, 2, 3, 4]);
}

#[test]
fn what_makes_an_operator_known_goes_with_it() {
    let text = "namespace a { struct s {}; int operator+(s, s); } namespace b { struct t {}; int operator+(t, t); } \
        using a::operator+; using b::operator+; int main() { b::t c; c + c; }";
    check(text, &[2, 3, 5, 6]);
}

#[test]
fn what_makes_an_operator_known_inside_of_something_is_a_part_of_that() {
    let text = "struct r { int operator()(int); }; template<class> struct t; \
        template<class T> struct t : r { using r::operator(); }; int main() { t<int> x; x(1); }";
    check(text, &[0, 1, 2, 3]);
    let text = "namespace a { struct s {}; int operator+(s, s); } int f(int) { using a::operator+; return 1; } \
        int f(int *); int main() { f(1); }";
    check(text, &[2, 3, 4]);
}
