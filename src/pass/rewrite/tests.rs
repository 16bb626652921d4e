use super::*;
use crate::pass::testing::{offered, results};
use crate::syntax::Language;
use std::sync::Arc;

mod bases;
mod c;
mod classes;
mod cpp;
mod lists;
mod llvm;
mod rust;
mod sql;

fn all(context: &Context) -> Vec<Proposal> {
    [first_in_rounds(context), in_rounds(context), late(context)].concat()
}

/// Asserts that the rewrites of a language make all of `wanted`, perhaps among others.
#[track_caller]
fn check(language: &str, text: &str, wanted: &[&str]) {
    let found = offered(language, text, all);
    for wanted in wanted {
        assert!(found.iter().any(|found| found == wanted), "{found:#?}");
    }
}

#[test]
fn a_rule_that_is_due_everywhere_changes_all_that_it_finds_at_once() {
    let one = "class A { public: int a; private: int b; }; class B;";
    let changed = "struct A {  int a;  int b; }; class B;";
    let many = MANY.div_ceil(3);
    assert_eq!(
        offered("cpp", &one.repeat(many), everywhere),
        [changed.repeat(many)]
    );
    assert!(offered("cpp", one, everywhere).is_empty());
}

#[test]
fn matches_that_overlap_go_one_by_one() {
    let rewrites = "[[rewrite]]\nname = 'plain'\nabout = 'Opens brackets.'\nwhen = 'everywhere'\n\
        query = '(parenthesized_expression (_) @in) @all'\nreplace = { all = '@in' }\n";
    let one = "int f() { return ((1)); }";
    let document = with_own(rewrites, &one.repeat(MANY));
    let found = results(&document, &everywhere(&Context::new(document.clone())));
    assert_eq!(found, ["int f() { return (1); }".repeat(MANY)]);
    let document = with_own(rewrites, one);
    let found = results(&document, &late(&Context::new(document.clone())));
    assert!(
        found.contains(&"int f() { return (1); }".to_owned()),
        "{found:?}"
    );
}

#[test]
fn c_loses_dimensions_and_returned_values() {
    check(
        "c",
        "int a[2][3] = { { 1 } }; int f() { return a[0][1]; }",
        &["int a[3] = { 1 }; int f() { return a[1]; }"],
    );
    check(
        "c",
        "int *p; int f() { *p = 1; return p[0]; }",
        &["int p; int f() { p = 1; return p; }"],
    );
    check(
        "c",
        "int f() { return 1; }",
        &[" f() { return ; }", "void f() { return ; }"],
    );
}

#[test]
fn a_loop_becomes_its_first_time() {
    check(
        "c",
        "int f() { int i; for (i = 2; i < 3; i++) g(a[i], i); }",
        &["int f() { int i; g(a[2], 2); }"],
    );
    check(
        "javascript",
        "for (let i = 0; i < 3; i++) { g(i) }",
        &["{ g(0) }"],
    );
    check(
        "javascript",
        "for (const a of [b, c]) { g(a) } for (a in [ 6 ]) g(a);",
        &[
            "{ g(b) } for (a in [ 6 ]) g(a);",
            "for (const a of [b, c]) { g(a) } g(6);",
        ],
    );
}

#[test]
fn a_loop_becomes_one_over_a_value() {
    check(
        "javascript",
        "for (let i = 0; i < 3; i++) { f(i); g(); }",
        &["for (let i of g()) f(i);", "for (let i of f(i)) g();"],
    );
    check(
        "javascript",
        "f(); const a = () => a; for (;;) g();",
        &["f();  for (const a of g()) () => a"],
    );
}

#[test]
fn types_of_typescript_become_plainer_together_with_values() {
    for (text, wanted) in [
        ("let a: A<B>[] = [];", "let a: any = [];"),
        ("let a: A[] = [b];", "let a: A = b;"),
        ("let a: Array<A> = [b];", "let a: A = b;"),
        ("a.b().c(d)", "[].c(d)"),
        (
            "interface A { b: C }\nlet a: A = { b: 1 }, d: A = { b }; f(a.b)",
            "\nlet a: C = 1, d: C = b; f(a)",
        ),
        (
            "interface A<T> { b: (a: T) => U }\nlet a: A<C>; f(a.b)",
            "\nlet a: (a: C) => U; f(a)",
        ),
        ("type A<T> = [T, 0]\nlet a: A<C>", "\nlet a: [C, 0]"),
    ] {
        check("typescript", text, &[wanted]);
    }
}

#[test]
fn blocks_of_llvm_lose_choices() {
    if Language::named("llvm").is_none() {
        return;
    }
    let text = "define i32 @f(i1 %a, i32 %b) {\n  br i1 %a, label %c, label %d\nc:\n  %e = add i32 %b, 1\n  ret i32 %e\nd:\n  ret i32 2\n}";
    let found = offered("llvm", text, all);
    let found: Vec<String> = found
        .iter()
        .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    let chain = "define i32 @f(i32 %a) {\n  br label %b\nb:\n  %c = add i32 %a, 1\n  br label %d\nd:\n  ret i32 %c\n}";
    let joined = offered("llvm", chain, in_rounds);
    let wanted = [
        "br label %b\nb:\n\n  br label %d\nd:\n  ret i32 %a\n}",
        "br label %b\nb:\n\n  br label %d\nd:\n  ret i32 1\n}",
    ];
    for wanted in wanted {
        assert!(joined.iter().any(|it| it.ends_with(wanted)), "{joined:#?}");
    }
    assert_eq!(joined.len(), 4, "{joined:#?}");
    for wanted in [
        "define i32 @f(i1 %a, i32 %b) { br label %d d: ret i32 2 }",
        "define i32 @f(i1 %a, i32 %b) { br label %c c: %e = add i32 %b, 1 ret i32 %e }",
    ] {
        assert!(found.iter().any(|text| text == wanted), "{found:#?}");
    }
}

#[test]
fn structures_lose_members() {
    check(
        "c",
        "struct s { int a; int b; } g = { 1, 2 }; struct s h = { 3, 4 };",
        &["struct s {  int b; } g = {  2 }; struct s h = {  4 };"],
    );
    check(
        "c",
        "struct { int a; int b; } g[] = { { 1, 2 }, { 3, 4 } };",
        &["struct { int a;  } g[] = { { 1 }, { 3 } };"],
    );
    check(
        "c",
        "struct { int a; } g = { 1 }, *p; int f() { return g.a + p->a; }",
        &["int g = { 1 }, *p; int f() { return g + *p; }"],
    );
    check(
        "c",
        "struct s { int a; }; struct s g; int f() { g.a = 1; }",
        &[" int g; int f() { g = 1; }"],
    );
    check(
        "c",
        "typedef struct { int a; } s; s g, *p; int f() { return g.a + p->a; }",
        &[" int g, *p; int f() { return g + *p; }"],
    );
    check("c", "int f(a) { return *&a; }", &["int f(a) { return a; }"]);
}

#[test]
fn a_call_becomes_what_the_macro_says() {
    let text = "#define A(x, y) (x + y * 2)\nint a = A(2, b(3));\n";
    check("c", text, &["int a = (2 + b(3) * 2);\n"]);
    let text = "#define A(x, y) x y\nint a = A(2);\n";
    assert!(offered("c", text, late).is_empty());
}

#[test]
fn methods_become_functions() {
    check(
        "javascript",
        "class A extends B { async *m(x) { this.k(); } k() {} }\nlet a = new A(1);\na.m(2);",
        &[
            "async function* m(x) { this.k(); }\nlet a = 0;\nm(2);",
            "function k() {}\nlet a = 0;\na.m(2);",
        ],
    );
    check(
        "javascript",
        "class A { constructor(x) { f(x); } }\nnew A(1);",
        &["function A(x) { f(x); }\nnew A(1);"],
    );
    check(
        "javascript",
        "A.prototype.m = function (x) { x.m(); };\na.m();",
        &["function m(x) { m(); }\nm();"],
    );
    check(
        "javascript",
        "o = { m: async x => x };\no.m(1);",
        &["async function m(x) {return x}\nm(1);"],
    );
    check(
        "rust",
        "impl<S> A<S> { fn m(self, x: S) { A::m(x); } } fn g(a: A) { a.m(1) }",
        &["fn m<S>( x: S) { m(x); } fn g(a: A) { m(1) }"],
    );
    check(
        "rust",
        "impl A<u8> { fn m<T>(self, x: T) { A::m(x); } }",
        &["fn m<T>( x: T) { m(x); }"],
    );
    check(
        "rust",
        "impl<'a, S: B> A<S> { fn m<T>(&self, x: T) { self.m(x); } }",
        &["fn m<'a, S: B, T>( x: T) { m(x); }"],
    );
    check(
        "python",
        "class A:\n  def m(self, x):\n    self.m(1)\n",
        &["def m( x):\n    m(1)\n"],
    );
    check(
        "go",
        "func (s *S) m(x int) { s.k() }\nfunc f() { a.m(1) }",
        &[
            "func  m(x int) { s.k() }\nfunc f() { m(1) }",
            "func   m(s *S, x int) { s.k() }\nfunc f() { m(a, 1) }",
        ],
    );
    check(
        "ruby",
        "class A\n  def m(x)\n    k\n  end\nend\na.m(1)\n",
        &["def m(x)\n    k\n  end\nm(1)\n"],
    );
    check(
        "lua",
        "local a\nfunction A:m(x) end\na:m(1)\n",
        &["local a\nfunction m(x) end\nm(1)\n"],
    );
    check(
        "php",
        "<?php class A { public function m($x) { } } $a = new A(); $a->m(1);",
        &["<?php function m($x){ }  m(1);"],
    );
}

#[test]
fn a_module_becomes_its_members() {
    check(
        "ruby",
        "module M\n  class A; end\nend\nM::A.new\n",
        &["class A; end\nA.new\n"],
    );
}

#[test]
fn a_mark_goes_with_what_it_allows() {
    check(
        "javascript",
        "async function f() { await a; b(await c) }",
        &[" function f() { a; b(c) }"],
    );
    check(
        "javascript",
        "function* g() { yield b; yield* c; yield }",
        &["function g() { b; c; 0 }"],
    );
    check(
        "python",
        "async def f():\n  await a\n",
        &[" def f():\n  a\n"],
    );
    let text = "async function f() { async () => await a }";
    assert_eq!(
        offered("javascript", text, late),
        ["async function f() {  () => a }"]
    );
}

#[test]
fn an_object_needs_less_around_it() {
    for (text, wanted) in [
        ("a.b = { ...c }", "({ ...c })"),
        ("const f = function () { }", "(function () { })"),
        ("f({ a: b, c, ...d })", "f([  b, c, ...d ])"),
        ("f({ c, a: b })", "f(c)"),
        ("const { a } = b", "const a = b"),
        ("const f = async (a) => { b }", "async function f(a) { b }"),
        ("let f = function* (a) { b }", "function* f(a) { b }"),
    ] {
        check("javascript", text, &[wanted]);
    }
}

#[test]
fn names_of_several_words_keep_one() {
    check(
        "css",
        "@keyframes slide-far-in {} a { animation-name: slide-far-in }",
        &[
            "@keyframes slide {} a { animation-name: slide }",
            "@keyframes in {} a { animation-name: in }",
        ],
    );
    assert!(offered("c", "int slide_in = slide_in;", late).is_empty());
}

#[test]
fn tags_lose_prefixes_and_parents() {
    check(
        "xml",
        "<a xmlns:m='u' b='1'><m:c m:d='2'/></a>",
        &[
            "<a  b='1'><c d='2'/></a>",
            "<a xmlns='u' b='1'><c d='2'/></a>",
        ],
    );
    check(
        "xml",
        "<a b='1'><c d='2'>e</c></a>",
        &["<c b='1' d='2'>e</c>"],
    );
}

#[test]
fn a_value_goes_with_the_type_that_it_has() {
    check(
        "rust",
        "fn f() -> u8 { g(); 1 + 2 }",
        &["fn f()  { g();  }"],
    );
    check(
        "typescript",
        "function f(): A { return a }",
        &["function f() { return  }"],
    );
    check(
        "java",
        "class A { int m() { return 1; } void n() { int a = m(); } }",
        &["class A { void m() { return ; } void n() { m(); } }"],
    );
}

/// A text in C with rewrites of the user's.
fn with_own(rewrites: &str, text: &str) -> Document {
    let mut own = Language::unshared("c").unwrap();
    own.add_rewrites(rewrites).unwrap();
    Document::new(text.as_bytes(), Some(Arc::new(own)))
}

#[test]
fn rewrites_of_the_user_are_made_too() {
    let rewrites = "[[rewrite]]\nname = 'twice'\nabout = 'Adds.'\nreplace = { all = '2*@left' }\n\
        query = '((binary_expression left: (_) @left right: (_) @right) @all (#eq? @left @right))'";
    let document = with_own(rewrites, "int f(a, b) { g(a + b, (h(1)) + (h(1))); }");
    let found = late(&Context::new(document.clone()));
    assert_eq!(
        results(&document, &found),
        ["int f(a, b) { g(a + b, 2*(h(1))); }"]
    );
}

#[test]
fn many_uses_of_many_things_are_not_all_looked_at() {
    let text = format!(
        "int a[1];\n{}",
        "int f() { int a[1]; a[0]; }\n".repeat(3000)
    );
    let rewrites = "[[rewrite]]\nname = 'all'\nabout = 'All.'\nreplace = { outer = '@name' }\n\
        query = '(array_declarator declarator: (_) @name) @outer'\n[[rewrite.uses]]\n\
        query = '(subscript_expression argument: (_) @name) @use'\nreplace = { use = '@name' }";
    let found = late(&Context::new(with_own(rewrites, &text)));
    assert!(found.len() < 1000, "{}", found.len());
}

#[test]
fn a_class_loses_its_base_and_what_it_says_of_it() {
    check(
        "javascript",
        "class A extends B { constructor() { super(1); super.f() } }",
        &["class A  { constructor() { this; this.f() } }"],
    );
}

#[test]
fn a_member_is_named_without_quotes() {
    check("javascript", "a['b'] = c['d e']", &["a.b = c['d e']"]);
}

#[test]
fn types_with_parameters_become_what_they_stand_for() {
    check(
        "rust",
        "type R<T> = a::R<T, E>; fn f() -> R<()> { }",
        &[" fn f() -> a::R<(), E> { }"],
    );
    check(
        "typescript",
        "function f<T, K extends keyof A>(a: B[K]) { }",
        &["function f<T>(a: B[keyof A]) { }"],
    );
}
