//! What ties a part to others although no name in its text says so.

use super::*;

#[test]
fn what_the_parser_does_not_see_may_be_a_use() {
    let text = "struct aa {}; struct b {}; int f(int (aa::*)(), int c) { return c; } int main() { return f(0, 1); }";
    check(text, &[0, 2, 3]);
}

#[test]
fn what_is_declared_with_its_type_is_made_by_that() {
    let text = "struct a { a(int); }; struct b { struct c : a { c() : a(1) { } } d; int e(); }; int main() { b f; f.d; }";
    check_members(text, Meant::ByHeads, &text.replace(" int e();", ""));
    let text = "int f() { struct a { int b; a(int c) : b(c) { } int d(); } e(1); return e.b; } int main() { f(); }";
    check_members(text, Meant::ByHeads, &text.replace(" int d();", ""));
}

#[test]
fn a_type_with_what_is_declared_together_with_it_is_no_other_of_its_name() {
    let text = "struct c { }; struct b { struct c { int e; } d; }; int main() { b x; }";
    check(text, &[1, 2]);
    let text = "struct c { c(); }; struct b { struct c { c(int); } d; int e(); }; int main() { b x; x.d; }";
    let left = "struct b { struct c { c(int); } d; }; int main() { b x; x.d; }";
    check_members(text, Meant::ByHeads, left);
}

#[test]
fn an_operator_that_takes_what_is_calculated_comes_along_with_what_it_mentions() {
    let text = "struct s {}; struct z {}; template<class T> z operator+(typename T::v, int); s operator+(s, s); int main() { s a; a + a; }";
    check(text, &[0, 3, 4]);
}

#[test]
fn pointers_to_functions_are_data() {
    let text = "struct a { int (*b)(); int (*c)(int); }; int f(); int g(int); a h = { f, g }; int main() { h.b(); }";
    check_all_members(text, text);
}

#[test]
fn the_only_member_of_its_name_may_take_what_nobody_knows() {
    let text = "struct i { i(...); }; template<class T> struct a { static int b(i, T); int c(i); }; struct d { int b(int, int); }; \
        int main() { d e; e.b(1, 2); a<int>::b(1, 2); }";
    check_members(text, Meant::Widely, &text.replace(" int c(i);", ""));
}

#[test]
fn a_conversion_that_is_defined_apart_belongs_to_what_is_known() {
    let text = "struct t { }; struct a { operator t() const; }; struct b { operator t() const; }; \
        a::operator t() const { return t(); } b::operator t() const { return t(); } int main() { t c = a(); }";
    for meant in ALL {
        check_with(&sample("cpp", text), meant, &[0, 1, 3, 5]);
    }
}

#[test]
fn an_operator_that_takes_anything_comes_along_where_it_is_applied() {
    let text = "struct a {}; template<class T> struct b {}; template<class T> struct c {}; \
        template<class T> b<T> operator+(T&&, T&&); template<class T> c<T> operator-(T&&, T&&); int main() { a x; x + x; }";
    for meant in [Meant::Least, Meant::ByHeads] {
        check_with(&sample("cpp", text), meant, &[0, 1, 3, 5]);
    }
}
