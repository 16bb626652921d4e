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
