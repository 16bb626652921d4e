//! What the rules of C++ make of classes and what is derived from them.

use super::check;

#[test]
fn an_empty_class_becomes_its_base() {
    check(
        "cpp",
        "template<class T> struct s : public r<T> { }; s<int> a;",
        &[" r<int> a;"],
    );
    check("cpp", "struct s : r<int> { }; s a;", &[" r<int> a;"]);
    check(
        "cpp",
        "struct s : r { }; int a = f(s());",
        &[" int a = f(r());"],
    );
}

#[test]
fn an_empty_class_becomes_its_base_whose_method_gets_a_body() {
    check(
        "cpp",
        "struct r { virtual int f(); int a; }; struct s : r { int b; }; struct t : s { }; struct u : r { }; u a;",
        &[
            "struct r { virtual int f(){} int a; }; struct s : r { int b; }; struct t : s { };  r a;",
        ],
    );
}

#[test]
fn the_members_of_a_base_keep_its_constructors() {
    check(
        "cpp",
        "struct r { r(); ~r(); int a; }; r::r() { } struct s : r { int b; };",
        &[" s::s() { } struct s  {  s(); ~s(); int a; int b; };"],
    );
}

#[test]
fn the_members_of_a_base_go_into_the_class_made_from_it() {
    check(
        "cpp",
        "struct A { int a; }; struct B : A { int b; }; A *c;",
        &[" struct B  {  int a; int b; }; B *c;"],
    );
}

#[test]
fn the_members_of_a_base_template_go_into_the_class_made_from_it() {
    check(
        "cpp",
        "template<class T> struct A : E { T a; }; struct B : A<int> { int b; };",
        &[" struct B : E {  int a; int b; };"],
    );
    check(
        "cpp",
        "template<class T> struct A { T a; }; template<class U> struct B : A<U> { U b; };",
        &[" template<class U> struct B  {  U a; U b; };"],
    );
}

#[test]
fn a_class_without_members_is_its_base_before_a_member_too() {
    check(
        "cpp",
        "struct A { typedef int t; }; struct B : A {}; B::t b; B *c;",
        &["struct A { typedef int t; };  A::t b; A *c;"],
    );
}

#[test]
fn a_base_that_stands_elsewhere_goes_into_what_is_derived_from_it() {
    check(
        "cpp",
        "namespace n { struct A { int a; }; } struct B : n::A { int b; };",
        &["namespace n {  } struct B  {  int a; int b; };"],
    );
}
