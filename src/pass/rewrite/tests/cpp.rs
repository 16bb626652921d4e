use super::check;

#[test]
fn generic_classes_become_plain_ones() {
    check(
        "java",
        "class A<T> { T a; } class B { A<C> b; }",
        &["class A { Object a; } class B { A b; }"],
    );
    check(
        "typescript",
        "class A<T, U> { a: T } let b: A<C, D> = new A<C, D>();",
        &["class A { a: any } let b: A = new A();"],
    );
}

#[test]
fn an_alias_template_becomes_what_it_stands_for() {
    check(
        "cpp",
        "template<class T, int N = 3> using s = r<T, N>; s<int> a; s<char, 2> b;",
        &[" r<int, 3> a; r<char, 2> b;"],
    );
    check(
        "cpp",
        "template<class... U> using s = r<int, U...>; s<char, long> a; s<V...> b;",
        &[" r<int, char, long> a; r<int, V...> b;"],
    );
}

#[test]
fn a_default_is_said_with_the_definition() {
    check(
        "cpp",
        "template<class = int> struct s; template<class T> struct s { T a; };",
        &[" template<class T = int> struct s { T a; };"],
    );
}

#[test]
fn a_class_that_is_defined_apart_becomes_its_members() {
    check(
        "cpp",
        "struct s { int f(); int a; }; int s::f() { return a; }",
        &["   int f(); int a; ; int f() { return a; }"],
    );
}

#[test]
fn an_operator_becomes_a_method() {
    check(
        "cpp",
        "struct s { int operator==(s); int operator!(); }; int s::operator==(s) { }",
        &[
            "struct s { int operator_(s); int operator!(); }; int s::operator_(s) { }",
            "struct s { int operator==(s); int operator_(); }; int s::operator==(s) { }",
        ],
    );
}

#[test]
fn cpp_says_less_of_classes_and_requirements() {
    check(
        "cpp",
        "class A { public: int a; };",
        &["struct A {  int a; };"],
    );
    check(
        "cpp",
        "template<class T> concept c = requires (T a) { { a.b() } -> d; };",
        &["template<class T> concept c = requires (T a) { a.b(); };"],
    );
}

#[test]
fn members_that_are_types_or_values_become_what_they_stand_for() {
    check(
        "cpp",
        "template<class T> struct A { typedef T b; }; typedef typename A<C>::b d; A<E>::b e;",
        &["template<class T> struct A {  }; typedef C d; E e;"],
    );
    check(
        "cpp",
        "template<class T> struct A { using b = T; }; A<C>::b::d a;",
        &["template<class T> struct A {  }; C::d a;"],
    );
    check(
        "cpp",
        "struct A { using b = C; static const int d = 2; }; A::b a; int e = A::d;",
        &[
            "struct A {  static const int d = 2; }; C a; int e = A::d;",
            "struct A { using b = C;  }; A::b a; int e = 2;",
        ],
    );
}

#[test]
fn a_class_template_of_one_member_becomes_that() {
    check(
        "cpp",
        "template<class T, class U = int> struct A { B<T> a; }; C<A<D>> c; int f(A<E, F> *b) { return b->a; }",
        &[" C<B<D> > c; int f(B<E> *b) { return *b; }"],
    );
}

#[test]
fn a_class_of_one_member_becomes_that() {
    check(
        "cpp",
        "struct A { int a; }; int f(A b) { return b.a; }",
        &[" int f(int b) { return b; }"],
    );
    check(
        "cpp",
        "struct A { static int f() { return 1; } }; int b = A::f();",
        &["static int f() { return 1; }; int b = f();"],
    );
}

#[test]
fn a_method_that_is_defined_apart_goes_into_its_class() {
    check(
        "cpp",
        "struct A { int f(int a); }; int A::f(int a) { return a; }",
        &["struct A { int  f(int a) { return a; } }; "],
    );
    check(
        "cpp",
        "struct A { template<class T> A f(T); }; struct B { A f(int); }; template<class T> A A::f(T) { }",
        &["struct A { template<class T> A  f(T) { } }; struct B { A f(int); }; "],
    );
    check(
        "cpp",
        "template<class T> struct A { template<class U> A f(U); }; template<class T> template<class U> A<T> A<T>::f(U) { }",
        &["template<class T> struct A { template<class U> A<T>  f(U) { } }; "],
    );
}

#[test]
fn types_stand_in_front_and_without_questions_for_them() {
    check("cpp", "auto f(int a) -> b<c>;", &["b<c> f(int a) ;"]);
    check(
        "cpp",
        "int f(long a) { decltype(a) b = a; }",
        &["int f(long a) { long b = a; }"],
    );
    check(
        "cpp",
        "template<class T> c<T> d; template<class T> T f(); decltype(d<int>) a; decltype(f<int>()) b;",
        &[
            "template<class T> c<T> d;  decltype(d<int>) a; decltype(int()) b;",
            " template<class T> T f(); c<int> a; decltype(f<int>()) b;",
            "template<class T> c<T> d;  decltype(d<int>) a; int b;",
            "template<class T> c<T> d; template<class T> T f(); decltype(d<int>) a; f<int> b;",
        ],
    );
}

#[test]
fn a_call_becomes_a_value_of_the_type_that_the_function_returns() {
    check(
        "cpp",
        "A f(int); int g(A a) { return a.b + f(1).b; }",
        &[" int g(A a) { return a.b + A().b; }"],
    );
    check(
        "cpp",
        "template<class T> T f(); int b = f<int>()(1);",
        &[" int b = int()(1);"],
    );
}

#[test]
fn a_concept_holds_for_everything_or_nothing() {
    check(
        "cpp",
        "template<class T> concept c = a<T> && b<T>;",
        &[
            "template<class T> concept c = true;",
            "template<class T> concept c = false;",
        ],
    );
}

#[test]
fn an_object_that_is_only_called_becomes_a_function() {
    check(
        "cpp",
        "struct A { template<class T> int operator()(T) const; }; const A f;",
        &["template<class T> int f(T) ;; "],
    );
}

#[test]
fn a_class_becomes_an_arithmetic_type_or_its_method() {
    check(
        "cpp",
        "class A { int a; int b; }; void f(A *a);",
        &[" void f(int *a);"],
    );
    check(
        "cpp",
        "struct { f(int a) { g(a); } };",
        &["void f(int a) { g(a); };"],
    );
}

#[test]
fn packs_become_parameters() {
    check(
        "cpp",
        "template<class... T> void f(T... a) { g<T...>(a...); }",
        &["template<class T> void f(T a) { g<T>(a); }"],
    );
}

#[test]
fn types_of_functions_stand_where_their_names_are_used() {
    check(
        "cpp",
        "using A = int (*)(long); A a = f;",
        &[" int (*a)(long) = f;"],
    );
    check(
        "c",
        "typedef int (*A)(long); struct { A a; } b;",
        &[" struct { int (*a)(long); } b;"],
    );
    check(
        "c",
        "typedef char *pointer; pointer f(pointer a, pointer) { pointer b = (pointer)a; }",
        &[" char *f(char *a, char*) { char *b = (char*)a; }"],
    );
}

#[test]
fn what_stands_behind_a_namespace_goes_into_it() {
    check(
        "cpp",
        "namespace n { struct A {}; } int a; int f() { return n::A().b + n::c; }",
        &["namespace n { struct A {};  int a; int f() { return A().b + c; } }"],
    );
    check(
        "cpp",
        "namespace n { int a; } main() { n::a; }",
        &["namespace n { int a;  int main() { a; } }"],
    );
}

#[test]
fn another_name_for_a_namespace_goes() {
    check(
        "cpp",
        "namespace a { namespace b { int c; } } namespace b = a::b; int d = b::c;",
        &["namespace a { namespace b { int c; } }  int d = a::b::c;"],
    );
}

#[test]
fn an_operator_becomes_a_value_of_what_it_returns() {
    check(
        "cpp",
        "struct A { B operator==(int); }; void f() { A() == 1; }",
        &["struct A {  }; void f() { B(); }"],
    );
    check(
        "cpp",
        "struct A { template<class T> B operator==(T); template<class T> B f(T) {} }; int a = A() == 1, b = f(1);",
        &[
            "struct A {  template<class T> B f(T) {} }; int a = B(), b = f(1);",
            "struct A { template<class T> B operator==(T);  }; int a = A() == 1, b = B();",
        ],
    );
}

#[test]
fn what_only_asks_a_member_to_do_it_goes() {
    check(
        "cpp",
        "struct A { int g(int a) { return b.h(a); } }; int f(A *a) { return a->g(2); }",
        &["struct A {  }; int f(A *a) { return a->b.h(2); }"],
    );
    check(
        "cpp",
        "struct A { void g() { b.h().i(); } }; int f(A a) { a.g(); }",
        &["struct A {  }; int f(A a) { a.b.h().i(); }"],
    );
    check(
        "cpp",
        "struct A { int operator[](int a) { return b(a); } }; int f(A a) { return a[2]; }",
        &["struct A {  }; int f(A a) { return a.b(2); }"],
    );
    check(
        "cpp",
        "struct A { A &operator=(int) { h(0); } }; void f(A a) { a = 2; }",
        &["struct A {  }; void f(A a) { a.h(0); }"],
    );
}

#[test]
fn objects_that_are_called_lose_parameters() {
    check(
        "cpp",
        "struct A { template<class T> int operator()(int a, T b) const; } ; const A f; int c = n::f(1, 2);",
        &[
            "struct A { template<class T> int operator()( T b) const; } ; const A f; int c = n::f( 2);",
            "struct A { template<class T> int operator()(int a) const; } ; const A f; int c = n::f(1);",
        ],
    );
}

#[test]
fn objects_are_made_from_nothing() {
    check(
        "cpp",
        "struct A { A(int, int) {} }; void f() { A a(1, 2); n::A b = 3; A c(d[4]); g(A(4, 5), new A(6, 7)); }",
        &["struct A { A() {} }; void f() { A a; n::A b; A c; g(A(), new A()); }"],
    );
}

#[test]
fn a_class_with_one_object_becomes_its_members() {
    check(
        "cpp",
        "struct A { B b; int f() { return b.c(); } }; int g() { A a; return a.f() + a.b; }",
        &["   B b; int f() { return b.c(); } ; int g() {  return f() + b; }"],
    );
    check(
        "cpp",
        "struct A { B b; }; int g(A a) { return a.b; }",
        &["   B b; ; int g() { return b; }"],
    );
}

#[test]
fn what_a_parameter_tells_a_template_is_given_to_it() {
    check(
        "cpp",
        "template<int... I> int f(s<I...>) { } int g() { f(s<0, 1>()); }",
        &["template<int... I> int f() { } int g() { f<0, 1>(); }"],
    );
    check(
        "cpp",
        "template<class T, int... I> int f(T, s<I...>) { } int g() { n::f<int>(a, s<0>{}); }",
        &["template<class T, int... I> int f(T) { } int g() { n::f<int, 0>(a); }"],
    );
}

#[test]
fn a_class_of_one_function_becomes_it() {
    check(
        "cpp",
        "struct A { int f(); }; struct B { A *a; B() { a->f(); } };",
        &["int f();; struct B { int *a; B() { f(); } };"],
    );
    check(
        "cpp",
        "struct A { A(int a) { f(a); } }; struct B { B(A); };",
        &["   void A(int a) { f(a); } ; struct B { B(int); };"],
    );
    check(
        "cpp",
        "struct A { ~A() { b.f(); } C b; }; struct B { A a; };",
        &["   void A() { b.f(); } C b; ; struct B { int a; };"],
    );
}

#[test]
fn a_pack_becomes_a_parameter_where_it_is_folded() {
    check(
        "cpp",
        "template <int... I> void f(A<I...>) { (g(I), ...); (0 + ... + I); }",
        &["template <int I> void f(A<I>) { (g(I) ); (0   + I); }"],
    );
}

#[test]
fn a_template_without_members_becomes_its_argument() {
    check(
        "cpp",
        "template <class T> class A {}; void f(A<B> a, A<A<int>> b);",
        &[" void f(B a, int b);"],
    );
    check(
        "cpp",
        "template <class T, class U> class A; void f(A<int, char> a);",
        &[" void f(int a);"],
    );
}

#[test]
fn what_is_called_at_once_is_what_it_does() {
    check(
        "cpp",
        "void f() { [](auto a) { g(a); }(b); h([] { return 1; }()); }",
        &[
            "void f() { { g(b); } h([] { return 1; }()); }",
            "void f() { [](auto a) { g(a); }(b); h(1); }",
        ],
    );
}

#[test]
fn a_class_is_dissolved_with_its_operators() {
    check(
        "cpp",
        "struct A { int f(); int operator[](int); int &operator()(); }; void g(A a) { a.f(); a[1] = a(); }",
        &["   int f(); int a(int); int &a(); ; void g() { f(); a(1) = a(); }"],
    );
}

#[test]
fn a_pack_is_expanded_with_what_is_around_it() {
    let check_type = |value: &str, arguments: &str, expected: &str| {
        let text = |value, uses: &str| format!("{value}{uses} a;");
        let template = format!("template <class T, class... U> using A = {value};");
        check(
            "cpp",
            &text(template, &format!("A<{arguments}>")),
            &[&text(String::new(), expected)],
        );
    };
    check_type("B<U...>", "x, y, z", "B<y, z>");
    check_type("B<C<U>...>", "x, y, z", "B<C<y>, C<z>>");
    check_type("B<C<U>...>", "x, y...", "B<C<y>...>");
    check_type("B<C<U>...>", "x", "B<>");
    check_type(
        "B<T, C<T, D<U>>...>",
        "x, y, z...",
        "B<x, C<x, D<y>>, C<x, D<z>>...>",
    );
    check_type("B<(C<U> && ...)>", "x, y, z", "B<(C<y> && C<z>)>");
    check_type("B<(C<U> && ...)>", "x, y...", "B<(C<y> && ...)>");
    check_type("B<(C<U> && ...)>", "x", "B<(true)>");
    check_type("B<(... || C<U>)>", "x, y, z", "B<(C<y> || C<z>)>");
    check_type("B<U&&...>", "x, y, z", "B<y&&, z&&>");
    check_type("B<C, U*...>", "x", "B<C>");
    check_type("B<U..., C>", "x", "B< C>");
    check_type("B<C(U&&...)>", "x, y, z", "B<C(y&&, z&&)>");
    check_type("B<sizeof...(U)>", "x, y, z", "B<2>");
    check_type("B<sizeof...(U)>", "x, y...", "B<sizeof...(y)>");
}
