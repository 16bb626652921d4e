use super::*;
use crate::pass::testing::{assert_offers, offered};

#[track_caller]
fn check(text: &str, expected: &[&str], propose: impl Fn(&Context) -> Vec<Proposal>) {
    for wanted in expected {
        assert_offers("cpp", text, wanted, &propose);
    }
}

#[test]
fn templates_become_what_they_are_for_any_argument() {
    check(
        "template<class T> T f(T a) { return a; } int b = f<long>(1);",
        &["int f(int a) { return a; } int b = f(1);"],
        parameters,
    );
    check(
        "template<class T> struct s { T a; }; s<long> b;",
        &["struct s { int a; }; s b;"],
        parameters,
    );
    check(
        "template<class T, class U> struct s { T a; U b; }; s<long, char> c;",
        &["template< class U> struct s { int a; U b; }; s< char> c;"],
        parameters,
    );
    check(
        "template<class T, class U> struct s { T a; }; s<long, char> c;",
        &["template<class T> struct s { T a; }; s<long> c;"],
        parameters,
    );
}

#[test]
fn the_last_places_come_first_where_the_end_is_asked_about() {
    let text = "template<class T> struct a {}; template<class T> struct b {}; a<b<int>> c;";
    let found = offered("cpp", text, last_parameters);
    assert_eq!(
        found,
        [
            "template<class T> struct a {}; struct b {}; a<b> c;",
            "struct a {}; template<class T> struct b {}; a c;",
        ]
    );
}

#[test]
fn a_parameter_goes_with_its_arguments_and_what_only_they_tell() {
    check(
        "template<int N, class T> struct A { T t; }; A<1, X> a; A<2, Y> b;",
        &[
            "template< class T> struct A { T t; }; A< X> a; A< Y> b;",
            "template<int N> struct A { int t; }; A<1> a; A<2> b;",
            "struct A { int t; }; A a; A b;",
        ],
        parameters,
    );
    check(
        "template<class T, int N> struct A; template<class U, int N> struct A<U*, N> { U u[N]; }; A<X*, 1> a;",
        &[
            "template< int N> struct A; template< int N> struct A< N> { int u[N]; }; A< 1> a;",
            "template<class T> struct A; template<class U> struct A<U* > { U u[1]; }; A<X* > a;",
        ],
        parameters,
    );
    check(
        "template<class T> struct A { T f(); }; template<class T> T A<T>::f() { return T(); }",
        &["struct A { int f(); }; int A::f() { return int(); }"],
        parameters,
    );
}

#[test]
fn what_is_looked_up_in_a_parameter_goes_with_its_name() {
    check(
        "template<class T> struct A { T t; typename T::a b; int c = T::d; A<T> e; }; A<X> a; A<Y> b;",
        &["struct A { int t; int b; int c = 0; A e; }; A a; A b;"],
        parameters,
    );
    check(
        "template<class T> requires C<T> void f(T t) { f<T>(t); g<T>(); }",
        &["void f(int t) { f(t); g<int>(); }"],
        parameters,
    );
}

#[test]
fn a_parameter_for_any_number_takes_all_that_is_left() {
    check(
        "template<class T, class... U> struct A { B<T, U...> b; int c = sizeof...(U); }; A<X, Y, Z> a; A<X> b;",
        &["template<class T> struct A { B<T> b; int c = 0; }; A<X> a; A<X> b;"],
        parameters,
    );
}

#[test]
fn what_is_repeated_for_a_pack_is_repeated_for_the_parameter_before_it() {
    check(
        "template<class T, int... N> struct A { B<C<T, D<N>>::e...> b; int c = sizeof...(N); }; A<X, 1, 2> a; A<Y> c;",
        &["template<class ...T> struct A { B<C<T, D<0>>::e...> b; int c = 0; }; A<X> a; A<Y> c;"],
        parameters,
    );
    check(
        "template<class, class...> struct A; template<class T, class... U> struct A { B<C<T, U>...> b; };",
        &["template<class... > struct A; template<class ...T> struct A { B<C<T, int>...> b; };"],
        parameters,
    );
    for text in [
        "template<class T, class... U> struct A { T a; B<C<T, U>...> b; };",
        "template<class T, class... U> struct A { B<U...> b; };",
        "template<class T = X, class... U> struct A { B<C<T, U>...> b; };",
        "template<class T, T... N> struct A { int a = sizeof...(N); };",
        "template<class T, class... U> struct A { void f(T a, ...); B<C<T, U>...> b; };",
        "template<class T, class U> struct A { template<class... V> void f(B<T, V>... v); };",
        "template<class T, class... U> struct A { void f(); }; template<class T, class... U> void A<T, U...>::f() { B<C<T, U>...> b; }",
        "template<class T, class U> struct A { B<C<T, U>> b; };",
    ] {
        let found = offered("cpp", text, parameters);
        assert!(found.iter().all(|it| !it.contains("...T")), "{found:?}");
    }
}

#[test]
fn parameters_of_a_function_for_a_pack_go_where_nothing_names_them() {
    check(
        "template<class T, class... U> void f(T t, U... a) { g(t); } ",
        &["template<class T> void f(T t) { g(t); } "],
        parameters,
    );
    let text = "template<class... U> void f(U... a) { g(a...); }";
    let found = offered("cpp", text, parameters);
    assert!(found.iter().all(|it| !it.contains("f()")), "{found:?}");
}

#[test]
fn what_stands_for_a_parameter_that_nothing_is_given_for_is_known() {
    check(
        "template<class T, class U = B> struct A; template<class T, class U> struct A { U u; }; A<X> a;",
        &["template<class T> struct A; template<class T> struct A { B u; }; A<X> a;"],
        parameters,
    );
}

#[test]
fn a_specialisation_becomes_the_template() {
    check(
        "template<class> struct F; template<class R, class... A> struct F<R(A...)> { R f(A...); }; F<int(B, C)> a; F<void()> b;",
        &[" template<class R, class... A> struct F { R f(A...); }; F<int, B, C> a; F<void> b;"],
        specialisations,
    );
    check(
        "template<class T> struct F; template<class T> struct F<T*> { T f(); }; F<int*> a; F<B> b;",
        &[
            " template<class T> struct F { T f(); }; F<int> a; F<B> b;",
            " template<class T> struct F { T f(); }; F<int*> a; F<B> b;",
            " template<class T> struct F { T f(); }; F<int*> a; F<B> b;",
        ],
        specialisations,
    );
    check(
        "template<class T, class U> struct F {}; template<class T> struct F<T, T> { T f(); }; F<int, int> a; F<B> b;",
        &[" template<class T, class> struct F { T f(); }; F<int, int> a; F<B> b;"],
        specialisations,
    );
}

#[test]
fn a_parameter_becomes_all_that_it_stands_in_for_a_specialisation() {
    check(
        "template<class> struct F; template<class T> struct F<G<T>> { G<T> f(H<G<T>>); }; template<class U> void g() { F<U>(); }",
        &[
            " template<class T> struct F { G<T> f(H<G<T>>); }; template<class U> void g() { F<U>(); }",
            " template<class T> struct F { T f(H<T>); }; template<class U> void g() { F<U>(); }",
            " template<class T> struct F { G<T> f(H<G<T>>); }; template<class U> void g() { F<U>(); }",
        ],
        specialisations,
    );
}

#[test]
fn what_makes_objects_of_a_template_is_no_other_template() {
    check(
        "template<class> struct F; template<class R> struct F<R()> { template<class T> F(T); }; F<int()> a;",
        &[" template<class R> struct F { template<class T> F(T); }; F<int> a;"],
        specialisations,
    );
}

#[test]
fn uses_are_stripped_beside_arguments_that_are_parameters() {
    check(
        "template<class, class> struct F; template<class T, class U> struct F<T, U*> { U f(T); }; F<A, B*> a;",
        &[" template<class T, class U> struct F { U f(T); }; F<A, B> a;"],
        specialisations,
    );
}

#[test]
fn what_is_named_before_its_specialisation_stays_known() {
    check(
        "template<class T> struct F; F<int*> *a; template<class T> struct F<T*> { T f(); };",
        &["template<class T> struct F; F<int> *a; template<class T> struct F { T f(); };"],
        specialisations,
    );
    check(
        "template<class T, class = int> struct F; F<A, B> *a; template<class T> struct F<T*> { T f(); };",
        &[
            "template<class T, class = int> struct F; F<A, B> *a; template<class T, class> struct F { T f(); };",
        ],
        specialisations,
    );
    check(
        "template<class T, class = int> struct F; F<A> *a; template<class T> struct F<T> { T f(); };",
        &["template<class T> struct F; F<A> *a; template<class T> struct F { T f(); };"],
        specialisations,
    );
}

#[test]
fn a_language_that_does_not_say_what_stands_for_any_argument_is_left_alone() {
    let text = "class A<T> { T t; } class B { A<B> a; }";
    assert!(offered("java", text, parameters).is_empty());
}

#[test]
fn what_is_given_by_an_expansion_may_stand_for_all_that_is_left() {
    check(
        "template<class T, class U, class... V> void f() { f<V...>(); } void g() { f<a, b, c>(); }",
        &["template<class T,  class... V> void f() { f<V...>(); } void g() { f<a,  c>(); }"],
        parameters,
    );
    let text = "template<class T, class U, class... V> void f() { f<V..., b>(); }";
    let found = offered("cpp", text, parameters);
    assert!(
        found
            .iter()
            .all(|it| !it.contains("<class T,  class... V>")),
        "{found:?}"
    );
}
