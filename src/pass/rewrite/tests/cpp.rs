use super::check;

#[test]
fn templates_become_what_they_are_for_int() {
    check(
        "cpp",
        "template<class T> T f(T a) { return a; } int b = f<long>(1);",
        &["int f(int a) { return a; } int b = f(1);"],
    );
    check(
        "cpp",
        "template<class T> struct s { T a; }; s<long> b;",
        &["struct s { int a; }; s b;"],
    );
    check(
        "cpp",
        "template<class T, class U> struct s { T a; U b; }; s<long, char> c;",
        &["template< class U> struct s { int a; U b; }; s< char> c;"],
    );
    check(
        "cpp",
        "template<class T, class U> struct s { T a; }; s<long, char> c;",
        &["template<class T> struct s { T a; }; s<long> c;"],
    );
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
fn an_empty_class_becomes_its_base() {
    check(
        "cpp",
        "template<class T> struct s : public r<T> { }; s<int> a;",
        &[" r<int> a;"],
    );
    check("cpp", "struct s : r<int> { }; s a;", &[" r<int> a;"]);
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
