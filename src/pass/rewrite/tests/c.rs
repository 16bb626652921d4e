use super::check;

#[test]
fn a_loop_becomes_its_condition_and_its_body() {
    check(
        "c",
        "int f() { while (a = g()) { h(a); } }",
        &["int f() { a = g(); { h(a); } }"],
    );
    check(
        "c",
        "int f() { if (g()) h(); else i(); }",
        &["int f() { g(); h(); }"],
    );
    check(
        "cpp",
        "int f() { while (g()) h(); }",
        &["int f() { g(); h(); }"],
    );
    check(
        "cpp",
        "int f() { if (int a = g()) h(a); }",
        &["int f() { int a = g(); h(a); }"],
    );
    check("javascript", "while (i++) f()", &["i++; f()"]);
    check(
        "java",
        "class A { void f() { while (g()) h(); } }",
        &["class A { void f() { g(); h(); } }"],
    );
}

#[test]
fn a_variable_is_declared_where_it_is_given_its_value() {
    check(
        "c",
        "int f() { struct s *a; g(); a = h(); }",
        &["int f() {  g(); struct s *a = h(); }"],
    );
    check(
        "javascript",
        "let a; f(); a = g();",
        &[" f(); let a = g();"],
    );
}

#[test]
fn a_member_is_taken_without_a_pointer() {
    check("c", "int f() { (&a)->b = 1; }", &["int f() { a.b = 1; }"]);
}

#[test]
fn a_structure_inside_of_another_becomes_its_member() {
    check(
        "c",
        "struct s { struct { char *a; } b; int c; }; int f(struct s *p) { p->b.a = 0; }",
        &["struct s { char* b; int c; }; int f(struct s *p) { p->b = 0; }"],
    );
    check(
        "c",
        "typedef struct { char *a; } t; int f(t *p) { p->a = 0; }",
        &[
            "typedef char* t; int f(t *p) { *p = 0; }",
            " int f(char* *p) { *p = 0; }",
        ],
    );
}

#[test]
fn an_array_of_a_structure_becomes_what_it_holds() {
    check(
        "c",
        "struct a { int *b[6]; }; int f(struct a *c) { return *c->b[0] + c->b[1][2]; }",
        &["struct a { int *b; }; int f(struct a *c) { return *c->b + c->b[2]; }"],
    );
}

#[test]
fn a_structure_of_an_array_or_a_function_becomes_that() {
    check(
        "c",
        "int f() { struct { char a[9]; } b; g(b.a, \"%d\", h.b); }",
        &["int f() { char b[9]; g(b, \"%d\", h.b); }"],
    );
    check(
        "c",
        "struct { int (*a)(int); } b; int f() { return b.a(1); }",
        &["int (*b)(int); int f() { return b(1); }"],
    );
}

#[test]
fn the_members_of_a_structure_with_one_object_become_variables() {
    check(
        "c",
        "int f() { struct { int a; char b; } c; g(c.a, c.b, d.a); }",
        &["int f() {   int a; char b;   g(a, b, d.a); }"],
    );
    check(
        "c",
        "struct a { int b; int c[2]; }; void f(struct a *d) { d->b++; } void g() { struct a e = { 0 }; f(&e); h(e.c); }",
        &["   int b; int c[2]; ; void f(struct a *d) { b++; } void g() {  f(0); h(c); }"],
    );
}

#[test]
fn a_declaration_becomes_the_call_that_gives_its_value() {
    check(
        "c",
        "int f() { int a = g(1); return 0; }",
        &["int f() { g(1); return 0; }"],
    );
}

#[test]
fn an_argument_that_does_something_becomes_a_statement() {
    check(
        "c",
        "void f(int); int g(int a) { f(g(a)); f(a); } void f(int a) { }",
        &["void f(); int g(int a) { g(a); f(); f(a); } void f() { }"],
    );
    check("c", "void f(int); void g(int a) { f(a); }", &[]);
}
