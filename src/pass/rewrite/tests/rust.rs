//! What the rules of Rust make.

use super::check;

#[test]
fn a_structure_of_one_field_becomes_it() {
    check(
        "rust",
        "struct A { b: Vec<u8> } fn f(a: A) -> Option<A> { a.b; A { b: c } }",
        &[" fn f(a: Vec<u8>) -> Option<Vec<u8> > { a; c }"],
    );
    check(
        "rust",
        "struct A<'a, T> { b: &'a T } fn f(a: A<'x, u8>) { a.b; g(A { b }) }",
        &[" fn f(a: &'x u8) { a; g(b) }"],
    );
    check(
        "rust",
        "struct A(B); impl C for A { fn f(a: A) { a.0; A(d); a.1 } }",
        &[" impl C for B { fn f(a: B) { a; d; a.1 } }"],
    );
}

#[test]
fn a_method_becomes_a_function_of_its_object() {
    check(
        "rust",
        "struct A { b: u8 } impl A { fn m(&mut self, x: u8) { self.b = x; self.m(2) } } fn g(mut a: A) { a.m(1); A::m(&mut a, 3) }",
        &[
            "struct A { b: u8 } fn m(this: &mut A, x: u8) { this.b = x; m(this, 2) } fn g(mut a: A) { m(&mut a, 1); m(&mut a, 3) }",
        ],
    );
    check(
        "rust",
        "impl A { fn m(mut self) -> Self { self } } fn m(a: A) { a.m(); }",
        &["fn b(mut  this: A) -> A { this } fn m(a: A) { b(a, ); }"],
    );
}

#[test]
fn a_call_becomes_what_it_borrows() {
    check(
        "rust",
        "impl A { fn f(&mut self) { } fn g(&self) { } } fn h(a: A) { a.f(); a.g() }",
        &[
            "impl A {  fn g(&self) { } } fn h(a: A) { &mut a; a.g() }",
            "impl A { fn f(&mut self) { }  } fn h(a: A) { a.f(); &a }",
        ],
    );
}

#[test]
fn what_a_loop_or_a_choice_is_about_stands_in_its_place() {
    for (text, wanted) in [
        ("fn f() { if a.b() > 0 {} }", "fn f() { a.b() > 0; }"),
        ("fn f() { for _ in a {} }", "fn f() { a; }"),
        (
            "fn f() { while let Some(_) = a.b() {} }",
            "fn f() { a.b(); }",
        ),
    ] {
        check("rust", text, &[wanted]);
    }
}

#[test]
fn a_field_that_borrows_goes_with_the_lifetime() {
    check(
        "rust",
        "struct A<'a> { b: u8, c: &'a u8 } impl<'a> A<'a> { fn n(c: &'a u8) -> A<'a> { A { b: 1, c } } }",
        &["struct A { b: u8 } impl A { fn n(c: &'a u8) -> A { A { b: 1 } } }"],
    );
}
