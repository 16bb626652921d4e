//! Which transformations the passes know: each of these is a single proposal of one of them.

use crate::pass::{
    Due, Pass,
    list::PASSES,
    testing::{results, sample},
};

/// The passes that propose `wanted` for `text`, whatever the blanks.
fn makers(language: &str, text: &str, wanted: &str) -> Vec<&'static str> {
    let context = sample(language, text);
    let document = context.document();
    let words = |text: &str| -> Vec<Vec<u8>> {
        let bytes = text.as_bytes();
        let tokens = document.lexis().tokens(bytes);
        tokens
            .into_iter()
            .map(|range| bytes[range].to_vec())
            .collect()
    };
    let makes = |pass: &&Pass| {
        let proposals = pass.proposals(&context);
        let texts = results(document, &proposals);
        texts.iter().any(|found| words(found) == words(wanted))
    };
    let is_late = |pass: &&Pass| matches!(pass.due, Due::First | Due::Round | Due::Late(_));
    let passes = PASSES.iter().filter(is_late).filter(makes);
    passes.map(|pass| pass.name).collect()
}

/// Cases: what it is, a text, and what one pass has to make of it.
#[track_caller]
fn check(language: &str, cases: &[(&str, &str, &str)]) {
    let missing: Vec<_> = cases
        .iter()
        .filter(|(_, text, wanted)| makers(language, text, wanted).is_empty())
        .collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn each_transformation_of_c_is_one_proposal() {
    check("c", C);
}

#[test]
fn each_transformation_of_javascript_is_one_proposal() {
    check("javascript", JAVASCRIPT);
}

const C: &[(&str, &str, &str)] = &[
    (
        "field with uses",
        "struct s { int a; int b; } g; int f() { g.a = 1; g.b = 2; }",
        "struct s { int b; } g; int f() { ; g.b = 2; }",
    ),
    (
        "declaration with uses",
        "int a, b; int f() { a = 1; b = 2; }",
        "int b; int f() { ; b = 2; }",
    ),
    (
        "switch",
        "int f() { switch (a) { case 1: b(); } }",
        "int f() { { b(); } }",
    ),
    (
        "left operand",
        "int f() { return a + b; }",
        "int f() { return a; }",
    ),
    (
        "right operand",
        "int f() { return a + b; }",
        "int f() { return b; }",
    ),
    (
        "branch",
        "int f() { return a ? b : c; }",
        "int f() { return c; }",
    ),
    (
        "then",
        "int f() { if (a) { b(); c(); } }",
        "int f() { b(); c(); }",
    ),
    (
        "then block",
        "int f() { if (a) { b(); c(); } }",
        "int f() { { b(); c(); } }",
    ),
    (
        "else",
        "int f() { if (a) b(); else c(); }",
        "int f() { c(); }",
    ),
    ("for", "int f() { for (;;) b(); }", "int f() { b(); }"),
    (
        "while",
        "int f() { while (a) { b(); } }",
        "int f() { b(); }",
    ),
    ("do", "int f() { do b(); while (a); }", "int f() { b(); }"),
    ("block", "int f() { { b(); } }", "int f() { b(); }"),
    ("label", "int f() { l: b(); }", "int f() { b(); }"),
    (
        "call to argument",
        "int f() { a = g(b, c); }",
        "int f() { a = c; }",
    ),
    (
        "call to literal",
        "int f() { a = g(b, c); }",
        "int f() { a = 0; }",
    ),
    ("cast", "int f() { a = (long)b; }", "int f() { a = b; }"),
    ("element", "int a[] = { 1, 2, 3 };", "int a[] = { 1, 3 };"),
    ("modifier", "static const int a;", "const int a;"),
    (
        "attribute",
        "__attribute__((noinline)) int f();",
        "int f();",
    ),
    (
        "member chain",
        "int f() { a.b.c = 1; }",
        "int f() { a.b = 1; }",
    ),
    (
        "member to object",
        "int f() { return a->b; }",
        "int f() { return a; }",
    ),
    (
        "name for name",
        "int a; int b; int f() { return a + b; }",
        "int b; int f() { return b + b; }",
    ),
    ("merge", "int a; int b;", "int a, b;"),
    (
        "parameter with arguments",
        "int f(int a, int b) { } int g() { f(1, 2); }",
        "int f(int b) { } int g() { f(2); }",
    ),
    (
        "inline returned expression",
        "int f(int a) { return a * 2; } int g() { return f(3); }",
        "int g() { return 3 * 2; }",
    ),
    (
        "call to its argument",
        "int f(int a) { } int g() { return f(3); }",
        "int f(int a) { } int g() { return 3; }",
    ),
    (
        "inline body",
        "int f() { a = 1; b = 2; } int g() { f(); }",
        "int g() { a = 1; b = 2; }",
    ),
    (
        "inline variable",
        "int f() { int a = b * 2; return a; }",
        "int f() { return b * 2; }",
    ),
    (
        "inline typedef",
        "typedef unsigned char t; t a; t b;",
        "unsigned char a; unsigned char b;",
    ),
    (
        "typedef to int",
        "typedef unsigned char t; t a; t b;",
        "int a; int b;",
    ),
    ("inline macro", "#define A 12\nint a = A;\n", "int a = 12;"),
    (
        "inline macro with parameters",
        "#define A(x) (x + 1)\nint a = A(2);\n",
        "int a = (2 + 1);",
    ),
    (
        "field with initialisers",
        "struct s { int a; int b; } g = { 1, 2 };",
        "struct s { int b; } g = { 2 };",
    ),
    (
        "one-field struct",
        "struct s { int a; } g; int f() { g.a = 1; }",
        "int g; int f() { g = 1; }",
    ),
    (
        "one-field struct by tag",
        "struct s { int a; }; struct s g; int f() { g.a = 1; }",
        "int g; int f() { g = 1; }",
    ),
    (
        "return type",
        "int f() { a = 1; return 1; }",
        "void f() { a = 1; return; }",
    ),
    (
        "local to global",
        "int f() { int a; a = 1; }",
        "a; int f() { a = 1; }",
    ),
    (
        "pointer",
        "int f() { int *p; *p = 1; }",
        "int f() { int p; p = 1; }",
    ),
    (
        "pointers",
        "int **p; int f() { **p = 1; }",
        "int *p; int f() { *p = 1; }",
    ),
    (
        "dimension",
        "int a[2][3]; int f() { a[1][2] = 1; }",
        "int a[3]; int f() { a[2] = 1; }",
    ),
    ("type", "unsigned long long a;", "int a;"),
    ("calculation", "int a[4 * sizeof(int)];", "int a[16];"),
    (
        "struct type",
        "struct s { int a; }; struct s g;",
        "struct s { int a; }; int g;",
    ),
    ("address", "int f() { g(&a); }", "int f() { g(a); }"),
    (
        "subscript",
        "int f() { return a[b]; }",
        "int f() { return a; }",
    ),
];

const JAVASCRIPT: &[(&str, &str, &str)] = &[
    ("export default", "export default a()", "a()"),
    (
        "function to arrow",
        "f(function (a) { b(a) })",
        "f(a => { b(a) })",
    ),
    (
        "async",
        "async function f() { await a }",
        "function f() { a }",
    ),
    ("handler", "try { a() } catch (e) { b() }", "{ b() }"),
    (
        "try block",
        "try { a(); c() } catch (e) { b() }",
        "{ a(); c() }",
    ),
    ("try", "try { a() } catch (e) { b() }", "{ a() }"),
    (
        "binding of catch",
        "try { a() } catch (e) { b() }",
        "try { a() } catch { b() }",
    ),
    ("for of", "for (const a of b) c()", "c()"),
    ("chain", "a.b().c().d()", "a.b().d()"),
    ("chain from the front", "a.b().c().d()", "a.b().c()"),
    ("optional", "a?.b", "a.b"),
    ("element", "f([1, 2, 3])", "f([1, 3])"),
    ("pair", "f({ a: 1, b: 2 })", "f({ b: 2 })"),
    ("neighbours", "f({ a: 1 }, { b: 2 })", "f({ a: 1, b: 2 })"),
    (
        "object destructuring",
        "const { a } = b; c(a)",
        "const a = b; c(a)",
    ),
    (
        "array destructuring",
        "const [a] = b; c(a)",
        "const a = b; c(a)",
    ),
    (
        "destructured parameter",
        "function f({ a, b }) { a }",
        "function f(a) { a }",
    ),
    (
        "default value",
        "function f(a = 1) { a }",
        "function f(a) { a }",
    ),
    ("rest", "function f(...a) { a }", "function f(a) { a }"),
    (
        "class to function",
        "class A { m(a) { return a } }",
        "function m(a) { return a }",
    ),
    (
        "constructor to function",
        "class A { constructor(a) { this.a = a } } new A(1)",
        "function A(a) { this.a = a } new A(1)",
    ),
    ("base class", "class A extends B { }", "class A { }"),
    (
        "static",
        "class A { static m() { } }",
        "class A { m() { } }",
    ),
    (
        "async alone",
        "async function f() { a }",
        "function f() { a }",
    ),
    ("async arrow", "f(async () => a)", "f(() => a)"),
    (
        "generator",
        "function* f() { yield a }",
        "function f() { a }",
    ),
    (
        "generator alone",
        "function* f() { a }",
        "function f() { a }",
    ),
    (
        "arrow to function",
        "const f = (a) => { b(a) }",
        "function f(a) { b(a) }",
    ),
    ("body of an arrow", "f(() => { return a })", "f(() => a)"),
    ("template to its value", "f(`a${b}c`)", "f(b)"),
    ("export", "export const a = 1", "const a = 1"),
    (
        "export of a function",
        "export default function f() { }",
        "function f() { }",
    ),
    ("import", "import { a } from 'b'; a(); c()", "a(); c()"),
    (
        "import to a name",
        "import { a, b } from 'c'",
        "import { b } from 'c'",
    ),
    (
        "import for its effect",
        "import { a, b } from 'c'",
        "import 'c'",
    ),
    ("new to call", "new A(1)", "A(1)"),
    ("spread", "f(...a)", "f(a)"),
    ("await", "async () => { await a }", "async () => { a }"),
    (
        "inline function",
        "function f(a) { return a + 1 }\nb(f(2))",
        "b(2 + 1)",
    ),
    ("inline variable", "const a = b + 1; c(a)", "c(b + 1)"),
    ("var", "let a = 1", "a = 1"),
    ("getter", "f({ get a() { } })", "f({ a() { } })"),
    ("labelled", "a: b()", "b()"),
    ("not", "if (!a) b()", "if (a) b()"),
    ("typeof", "f(typeof a)", "f(a)"),
    ("void statement", "return_(void 0)", "return_(0)"),
];
