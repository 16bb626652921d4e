//! What the rules of several languages make of lists of one element, and of what holds one value.

use super::check;

#[test]
fn a_loop_over_one_element_becomes_its_body() {
    for (language, text, wanted) in [
        (
            "python",
            "for a in [b]:\n  f(a)\n  g(a)\n",
            "if 1  :\n  f(b)\n  g(b)\n",
        ),
        ("python", "c = [f(a) for a in [b]]\n", "c = [f(b)]\n"),
        ("ruby", "[b].each do |a| f(a) end\n", "f(b)\n"),
        ("ruby", "[b, c].map { |a| f(a) }\n", "f(b)\n"),
        (
            "rust",
            "fn f() { for a in [b] { g(a) } }",
            "fn f() { { g(b) } }",
        ),
        (
            "go",
            "package a\nfunc f() { for _, a := range []int{b, c} { g(a) } }\n",
            "package a\nfunc f() { { g(b) } }\n",
        ),
        (
            "php",
            "<?php foreach ([$b] as $a) { g($a); }",
            "<?php { g($b); }",
        ),
        ("lua", "for _, a in ipairs{b} do a:f() end\n", "b:f()\n"),
        ("javascript", "c = [b].map(a => f(a))", "c = [f(b)]"),
        ("javascript", "c = [b].map((a) => f(a))", "c = [f(b)]"),
        ("javascript", "c = [b].map(f)", "c = [f(b)]"),
        (
            "java",
            "class A { int f() { return 1; } int g() { return f(); } }",
            "class A { int f  = 1;  int g() { return f; } }",
        ),
        (
            "rust",
            "fn f() -> Result<u8, E> { g(f()?); Ok(1) }",
            "fn f() -> u8 { g(f()); 1 }",
        ),
        ("rust", "use a::{ B};", "use a::B;"),
    ] {
        check(language, text, &[wanted]);
    }
}

#[test]
fn a_list_begins_with_what_is_added_to_it() {
    for (language, text, wanted) in [
        (
            "javascript",
            "let a = []; a.push(f(b)); g(a)",
            "let a = [f(b)];  g(a)",
        ),
        (
            "typescript",
            "class A { a = []; m(b) { this.a.push(b); } }",
            "class A { a = [b]; m(b) {  } }",
        ),
        (
            "python",
            "a = []\na.append(f(b))\ng(a)\n",
            "a = [f(b)]\n0\ng(a)\n",
        ),
        (
            "php",
            "<?php $a = []; $a[] = f($b); g($a);",
            "<?php $a = [f($b)];  g($a);",
        ),
        (
            "php",
            "<?php class A { public $a = []; function m() { $this->a[] = 1; } }",
            "<?php class A { public $a = [1]; function m() {  } }",
        ),
        (
            "ruby",
            "@a = []\n@a << f(b)\ng(@a)\n",
            "@a = [f(b)]\n\ng(@a)\n",
        ),
        (
            "lua",
            "local a = {}\ntable.insert(a, f(b))\ng(a)\n",
            "local a = {f(b)}\n\ng(a)\n",
        ),
        (
            "lua",
            "local a = {}\na[#a + 1] = b\ng(a)\n",
            "local a = {b}\n\ng(a)\n",
        ),
    ] {
        check(language, text, &[wanted]);
    }
}

#[test]
fn what_is_called_for_each_element_stands_for_the_first() {
    check(
        "javascript",
        "[b].forEach(a => { f(a); g(a) })",
        &["{ f(b); g(b) }"],
    );
}

#[test]
fn what_a_loop_or_a_choice_calls_stands_in_its_place() {
    for (language, text, wanted) in [
        ("python", "def f():\n if g(): pass\n", "def f():\n g()\n"),
        ("python", "with g() as a:\n pass\n", "g()\n"),
        (
            "go",
            "package a\nfunc f() { for range g() { h() } }\n",
            "package a\nfunc f() { g() }\n",
        ),
        (
            "go",
            "package a\nfunc f() { _, b := g(); if b != nil {} }\n",
            "package a\nfunc f() { g();  }\n",
        ),
        (
            "c",
            "int f() { for (; g(); a++) b; }",
            "int f() { g(); b; }",
        ),
    ] {
        check(language, text, &[wanted]);
    }
}

#[test]
fn a_choice_that_returns_is_returned_itself() {
    for (language, text, wanted) in [
        (
            "javascript",
            "function f() { if (a) { return 1 } }",
            "function f() { return a; }",
        ),
        (
            "python",
            "def f():\n if a: return 1\n",
            "def f():\n return a\n",
        ),
        (
            "php",
            "<?php function f() { if ($a) return 1; }",
            "<?php function f() { return $a; }",
        ),
        (
            "java",
            "class A { int f() { if (a) { return 1; } } }",
            "class A { int f() { return a; } }",
        ),
        ("c", "int f() { if (a) return 1; }", "int f() { return a; }"),
        (
            "cpp",
            "int f() { if (a) { return 1; } }",
            "int f() { return a; }",
        ),
        (
            "go",
            "package a\nfunc f() int { if b { return 1 } }\n",
            "package a\nfunc f() int { return b }\n",
        ),
    ] {
        check(language, text, &[wanted]);
    }
}

#[test]
fn what_is_made_of_many_is_made_of_one() {
    check("python", "f([a for b in c])\n", &["f([a])\n"]);
    check("python", "f(a for b in c)\n", &["f([a])\n"]);
    check("javascript", "(() => { f() })()", &["{ f() }"]);
}

#[test]
fn go_has_one_result_for_two_and_functions_for_methods() {
    check(
        "go",
        "package a\nfunc f() (b, c) { return 1, nil }\nfunc g() { d, _ := f(); d() }\n",
        &["package a\nfunc f() b  { return 1  }\nfunc g() { d  := f(); d() }\n"],
    );
    check(
        "go",
        "package a\nfunc (b c) f() {}\nfunc g() { h(c.f) }\n",
        &["package a\nfunc   f(b c, ) {}\nfunc g() { h(f) }\n"],
    );
    check(
        "go",
        "package a\nfunc f() { b = g() }\n",
        &["package a\nfunc f() { g() }\n"],
    );
}

#[test]
fn an_interface_is_written_where_it_is_named() {
    check(
        "typescript",
        "interface A { b: c; d: e } let f: A",
        &[" let f: { b: c; d: e }"],
    );
    check(
        "typescript",
        "interface A<T> { b: T; c: d } let e: A<f>",
        &[" let e: { b: f; c: d }"],
    );
}

#[test]
fn a_loop_over_what_something_holds_becomes_its_body() {
    check(
        "cpp",
        "void f() { for (a &b : c) { d(b); } }",
        &["void f() { a &b; { d(b); } }"],
    );
    check(
        "java",
        "class e { void f() { for (a b : c) d(b); } }",
        &["class e { void f() { a b; d(b); } }"],
    );
}

#[test]
fn what_is_given_and_returned_is_returned_at_once() {
    for (language, text, wanted) in [
        (
            "javascript",
            "function f() { a.b = c(); return a.b }",
            "function f() {  return c() }",
        ),
        (
            "python",
            "def f(a):\n a.b = c()\n return a.b\n",
            "def f(a):\n\n return c()\n",
        ),
        (
            "php",
            "<?php function f() { A::$b = c(); return A::$b; }",
            "<?php function f() {  return c(); }",
        ),
        (
            "java",
            "class A { int f() { this.b = c(); return this.b; } }",
            "class A { int f() {  return c(); } }",
        ),
        (
            "c",
            "int f() { a->b = c(); return a->b; }",
            "int f() {  return c(); }",
        ),
    ] {
        check(language, text, &[wanted]);
    }
}

#[test]
fn an_attribute_goes_with_its_declaration() {
    check(
        "xml",
        "<!DOCTYPE a [<!ATTLIST b c CDATA #IMPLIED>]><a c=\"1\"><b c=\"2\"/></a>",
        &["<!DOCTYPE a ><a c=\"1\"><b /></a>"],
    );
}

#[test]
fn the_type_of_a_document_is_named_by_its_root() {
    check(
        "xml",
        "<!DOCTYPE a [<!ELEMENT b ANY>]><a><b><c/></b></a>",
        &["<!DOCTYPE b [<!ELEMENT b ANY>]> <b><c/></b>"],
    );
}

#[test]
fn a_loop_over_a_parameter_becomes_its_body() {
    check(
        "go",
        "package p\nfunc f(a []T) { for _, b := range a { g(b) } }\n",
        &["package p\nfunc f(_ int, b T) { { g(b) } }\n"],
    );
    check(
        "go",
        "package p\nfunc f(a ...T) { for i, b := range a { g(i, b) } }\n",
        &["package p\nfunc f(i int, b T) { { g(i, b) } }\n"],
    );
}

#[test]
fn a_loop_over_two_elements_becomes_its_body_for_each() {
    for (language, text, wanted) in [
        (
            "javascript",
            "for (const a of [b, c]) f(a.d)",
            "f(b.d)\nf(c.d)",
        ),
        ("python", "for a in [1, 2]:\n  f(a)\n", "f(1); f(2)\n"),
        ("lua", "for _, a in ipairs{1, 2} do f(a) end", "f(1) f(2)"),
        ("ruby", "[1, 2].each { |a| f(a) }", "f(1)\nf(2)"),
        (
            "go",
            "package p\nfunc f() { for _, a := range []int{1, 2} { g(a) } }\n",
            "package p\nfunc f() { { g(1) }\n{ g(2) } }\n",
        ),
        (
            "cpp",
            "void f() { for (int a : {1, 2}) g(a); }",
            "void f() { g(1); g(2); }",
        ),
        (
            "rust",
            "fn f() { for a in [1, 2] { g(a) } }",
            "fn f() { { g(1) } { g(2) } }",
        ),
    ] {
        check(language, text, &[wanted]);
    }
}

#[test]
fn rows_of_which_one_place_is_used_become_what_stands_there() {
    for (language, text, wanted) in [
        (
            "javascript",
            "for (const a of [[1, b], [, [3]]]) f(a[1])",
            "for (const a of [b, [3]]) f(a)",
        ),
        (
            "python",
            "for a in [(1, 2), [3]]:\n  f(a[0])\n",
            "for a in [1, 3]:\n  f(a)\n",
        ),
        (
            "lua",
            "for _, a in ipairs{{1, 2}, {3, 4}} do f(a[2]) end",
            "for _, a in ipairs{2, 4} do f(a) end",
        ),
        (
            "ruby",
            "[[1, 2], [3]].each { |a| f(a[0]) }",
            "[1, 3].each { |a| f(a) }",
        ),
    ] {
        check(language, text, &[wanted]);
    }
}

#[test]
fn what_something_is_filled_with_stands_where_it_is_made() {
    for (language, text, wanted) in [
        (
            "javascript",
            "const a = {}; a.b = c; f(a)",
            "const a = {b: c, };  f(a)",
        ),
        (
            "python",
            "a = {1: 2}\na[3] = 4\nf(a)\n",
            "a = {3: 4, 1: 2}\n\nf(a)\n",
        ),
        (
            "ruby",
            "@a = {}\n@a[1] = 2\nf(@a)\n",
            "@a = {1 => 2, }\n\nf(@a)\n",
        ),
        ("lua", "A = {} A.b = c f(A)", "A = {b = c, }  f(A)"),
        (
            "php",
            "<?php $a = []; $a['b'] = 1; f($a);",
            "<?php $a = ['b' => 1, ];  f($a);",
        ),
    ] {
        check(language, text, &[wanted]);
    }
}
