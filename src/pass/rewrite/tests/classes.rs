//! What the rules of several languages make of classes.

use super::check;

#[test]
fn a_class_is_dissolved_with_its_object() {
    check(
        "javascript",
        "class A extends B { m(x) { this.n(x); } *n() { } } const a = new A; a.m(1);",
        &["    function m(x) { n(x); } function* n() { }   m(1);"],
    );
    check(
        "typescript",
        "class A { m(x: B) { this.n(x); } n() { } } new A().m(1);",
        &["   function m(x: B) { n(x); } function n() { }  m(1);"],
    );
    check(
        "php",
        "<?php class A extends B { private function m($x) { $this->n(); } static function n() { A::m(1); } } $a = new A; $a->m(1);",
        &["<?php      function m($x) { n(); }  function n() { m(1); }   m(1);"],
    );
    check(
        "php",
        "<?php class A { function m() { } } (new A)->m();",
        &["<?php    function m() { }  m();"],
    );
    check(
        "python",
        "class A(B):\n def m(self, x):\n  self.n(x)\n def n(self): pass\na = A(2)\na.m(1)\n",
        &["if 1:\n def m( x):\n  n(x)\n def n(): pass\n\nm(1)\n"],
    );
    check(
        "python",
        "class A:\n def m(self): pass\nA().m()\n",
        &["if 1:\n def m(): pass\nm()\n"],
    );
    check(
        "ruby",
        "class A\n def m\n end\n def n\n end\nend\na = A.new(1)\na.m\n",
        &["def m\n end\n def n\n end\n\nm\n"],
    );
    check(
        "ruby",
        "class A\n def m\n end\n def n\n end\nend\nA.new.m\n",
        &["def m\n end\n def n\n end\nm\n"],
    );
    check(
        "lua",
        "A = {}\nfunction A:m() self:n() end\nfunction A.n() self.x = 1 end\nA:m()\n",
        &["\nfunction m() n() end\nfunction n() x = 1 end\nm()\n"],
    );
}

#[test]
fn a_field_becomes_what_it_is_given() {
    for (language, text, wanted) in [
        (
            "javascript",
            "class A { f() { this.b = [] } g() { this.b.c() } }",
            "class A { f() {  } g() { [].c() } }",
        ),
        (
            "javascript",
            "class A { b = 1; g() { this.b } }",
            "class A {  g() { 1 } }",
        ),
        (
            "typescript",
            "class A { private b: C = 1; g() { this.b } }",
            "class A {  g() { 1 } }",
        ),
        (
            "python",
            "class A:\n def f(self):\n  self.b = []\n  c\n def g(self): self.b.c()\n",
            "class A:\n def f(self):\n  0\n  c\n def g(self): [].c()\n",
        ),
        (
            "ruby",
            "class A\n def f\n  @b = 1\n end\n def g\n  @b.c\n end\nend\n",
            "class A\n def f\n\n end\n def g\n  1 .c\n end\nend\n",
        ),
        (
            "ruby",
            "class A\n attr_reader :b\n def g\n  b.c\n end\nend\n",
            "class A\n\n def g\n  @b.c\n end\nend\n",
        ),
        (
            "php",
            "<?php class A { function f() { $this->b = 1; } function g() { $this->b; } }",
            "<?php class A { function f() {  } function g() { 1; } }",
        ),
        (
            "php",
            "<?php class A { public $b = 1; function g() { $this->b; } }",
            "<?php class A {  function g() { 1; } }",
        ),
        (
            "php",
            "<?php class A { function __construct(public $b) {} } new A(2);",
            "<?php class A { public $b = 2; } new A();",
        ),
        ("lua", "a.b = c\nd(e.b)\n", "\nd(c)\n"),
        (
            "lua",
            "a = { b = 1, c = 2 }\nd(a.b)\n",
            "a = {  c = 2 }\nd(1)\n",
        ),
    ] {
        check(language, text, &[wanted]);
    }
}

#[test]
fn objects_of_one_field_become_it() {
    for (language, text, wanted) in [
        (
            "python",
            "class A:\n def __init__(self):\n  self.b = [1]\ndef f(a): a.b.c()\nf(A())\n",
            "\ndef f(a): a.c()\nf([1])\n",
        ),
        (
            "javascript",
            "class A { constructor() { this.b = [1] } } function f(a) { a.b.c() } f(new A)",
            " function f(a) { a.c() } f([1])",
        ),
        ("javascript", "class A { b = 1 } f(new A().b)", " f(1)"),
        (
            "javascript",
            "function A() { this.b = 1 } f(new A)",
            " f(1)",
        ),
        (
            "javascript",
            "f({ a: 1 }, { a: g() }); x => x.a; ({ a }) => a",
            "f(1, g()); x => x; (a) => a",
        ),
        (
            "php",
            "<?php class A { public $b; function __construct() { $this->b = [1]; } } f((new A)->b);",
            "<?php  f(([1]));",
        ),
        (
            "ruby",
            "class A\n attr_reader :b\n def initialize\n  @b = [1]\n end\nend\nf(A.new.b)\n",
            "\nf([1])\n",
        ),
        (
            "lua",
            "local a = { b = { 1 } }\nf(a.b, #a.b)\n",
            "local a = { 1 }\nf(a, #a)\n",
        ),
    ] {
        check(language, text, &[wanted]);
    }
}

#[test]
fn what_is_only_named_becomes_a_number() {
    check(
        "php",
        "<?php enum A { case B; } function f(A $a) { return $a == A::B; }",
        &["<?php  function f(int $a) { return $a == 0; }"],
    );
}

#[test]
fn what_is_declared_stands_where_it_is_used() {
    check(
        "javascript",
        "class A extends B {} new A",
        &[" new class A extends B {}"],
    );
    check(
        "typescript",
        "function f(a: B) { g(a) } b.map(f)",
        &[" b.map(function f(a: B) { g(a) })"],
    );
}

#[test]
fn a_field_becomes_a_parameter_of_the_method_that_uses_it() {
    check(
        "typescript",
        "class A { constructor(private b: C) {} d(e: F) { this.b(e) } }",
        &["class A { constructor() {} d(b: C, e: F) { b(e) } }"],
    );
    check(
        "typescript",
        "class A { b: C; d() { this.b() } }",
        &["class A {  d(b: C, ) { b() } }"],
    );
    check(
        "java",
        "class A { private B c; void d(E f) { c.g(f); } void h() { this.c.g(); } }",
        &[
            "class A {  void d(B c, E f) { c.g(f); } void h() { this.c.g(); } }",
            "class A {  void d(E f) { c.g(f); } void h(B c) { c.g(); } }",
        ],
    );
    check(
        "python",
        "class A:\n  def b(self):\n    self.c: D\n  def e(self):\n    self.c.f()\n",
        &["class A:\n  def b(self):\n    0\n  def e(self, c: D):\n    c.f()\n"],
    );
}

#[test]
fn a_method_becomes_a_function_with_what_decorates_it() {
    check(
        "python",
        "class a:\n  @b\n  def c(self):\n    d()\na().c()\n",
        &["@b\n  def c():\n    d()\nc()\n"],
    );
}

#[test]
fn what_an_object_begins_with_stands_where_it_is_made() {
    check(
        "ruby",
        "class A\ndef initialize(b)\n@c = b\nend\ndef f(d)\n@c[d]\nend\nend\na = A.new(g)\na.f(1)\n",
        &["\ndef f(d)\n@c[d]\nend\n@c = g\nf(1)\n"],
    );
}

#[test]
fn a_list_becomes_what_it_holds_with_its_uses() {
    check(
        "typescript",
        "class A { f(): B[] { return [] } } new A().f()[0].c;",
        &["class A { f(): B { return [] } } new A().f().c;"],
    );
    check(
        "typescript",
        "function f(a: B[][]) { return a[1][2]; }",
        &["function f(a: B[]) { return a[2]; }"],
    );
}

#[test]
fn a_field_that_the_constructor_fills_becomes_what_the_object_is_made_of() {
    check(
        "cpp",
        "struct A { A(B &c) : b(c) {} B &b; }; void f(B *d) { A a(*d); a.b.g(1); }",
        &["struct A { A(B &c) : b(c) {} B &b; }; void f(B *d) {  (*d).g(1); }"],
    );
}

#[test]
fn a_member_of_the_object_itself_needs_no_object() {
    check(
        "cpp",
        "struct A { void f() { (*this).g(1); this->b = 1; } };",
        &[
            "struct A { void f() { g(1); this->b = 1; } };",
            "struct A { void f() { (*this).g(1); b = 1; } };",
        ],
    );
}

#[test]
fn a_class_of_one_method_template_is_that_template() {
    check(
        "cpp",
        "struct A { template<class T> void f(T *a) { g(a); } }; void h(A a) { A().f(&a); }",
        &["template<class T> void f(T *a) { g(a); }; void h(int a) { f(&a); }"],
    );
}

#[test]
fn a_class_of_one_member_that_is_made_becomes_it_too() {
    check(
        "cpp",
        "struct A { B b; }; A c = A(); int d = c.b.e;",
        &[" B c = B(); int d = c.e;"],
    );
}

#[test]
fn a_constructor_that_is_called_becomes_a_function() {
    check(
        "cpp",
        "struct A { A(int b) { c = b; } int c; }; int d() { A(1); }",
        &["    int c; void A(int b) { c = b; }; int d() { A(1); }"],
    );
}
