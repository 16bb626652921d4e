//! What is reached in small programs, part by part and member by member.

mod apart;
mod bases;
mod bereft;
mod imports;
mod places;
mod ties;

use super::*;
use crate::pass::{Context, Proposal, compose, rows, testing::sample};
use crate::syntax::{Document, Language};
use proptest::prelude::*;

#[track_caller]
pub(super) fn check(text: &str, expected: &[usize]) {
    check_in(&sample("cpp", text), expected);
}

#[track_caller]
fn check_in(sample: &Context, expected: &[usize]) {
    check_with(sample, Meant::ByHeads, expected);
}

#[track_caller]
pub(super) fn check_with(sample: &Context, meant: Meant, expected: &[usize]) {
    let row = rows::declarations(sample.document(), sample.units(), 100);
    let row: Vec<Proposal> = row.into_iter().filter(|part| part.weight > 1).collect();
    let last = row.len() - 1;
    let reach = Reach::of(sample, &row);
    let closure = reach.closure(std::iter::once(last), meant);
    assert_eq!(closure.ones().collect::<Vec<_>>(), expected);
}

/// What stays of a text with what is reached from the last part, member by member.
#[track_caller]
pub(super) fn check_members(text: &str, meant: Meant, expected: &str) {
    let sample = sample("cpp", text);
    let row = rows::members(sample.document(), sample.units());
    assert_eq!(left(&sample, &row, meant), words(expected));
}

/// What stays of a sample with what is reached from the last part of a row.
pub(super) fn left(sample: &Context, row: &[Proposal], meant: Meant) -> String {
    let reach = Reach::of(sample, row);
    let closure = reach.closure(reach.last(1), meant);
    let unreached = (0..row.len()).filter(|&part| !closure.contains(part));
    let unreached: Vec<&Proposal> = unreached.map(|part| &row[part]).collect();
    let edit = compose(sample.document(), unreached).unwrap();
    words(&String::from_utf8_lossy(
        sample.document().edited(&edit).bytes(),
    ))
}

pub(super) fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

const ALL: [Meant; 5] = [
    Meant::Least,
    Meant::ByHeads,
    Meant::Widely,
    Meant::Placed,
    Meant::Most,
];

#[track_caller]
fn check_all_members(text: &str, expected: &str) {
    for meant in ALL {
        check_members(text, meant, expected);
    }
}

#[test]
fn members_are_reached_one_by_one() {
    let text = "namespace n { class o { int v; int w; void x(); public: static const o less; static const o more; }; \
        inline constexpr o o::less(1); inline constexpr o o::more(1); int f() { return n::o::less.v; } } int main() { f(); }";
    let expected = "namespace n { class o { int v; public: static const o less; }; inline constexpr o o::less(1); \
        int f() { return n::o::less.v; } } int main() { f(); }";
    places::check_places(text, expected, &expected.replace("int v;", "int v; int w;"));
    let text = "template<class T> struct v { typedef T t; v(t a) { b(a); } void b(t); void c(t); ~v(); }; int main() { v<int> a(1); }";
    check_all_members(text, &text.replace(" void c(t);", ""));
}

#[test]
fn the_members_of_the_last_parts_stay() {
    check_all_members(
        "int a; struct b { int c; void d(); };",
        "struct b { int c; void d(); };",
    );
}

#[test]
fn members_without_a_name_stay_with_what_uses_them_unseen() {
    let text = "struct r { template<class T> int operator()(T t) const { return h(t); } int h(int); int i(); }; \
        struct t : r { using r::operator(); }; int main() { return t()(1); }";
    check_all_members(text, &text.replace(" int i();", ""));
    let text = "struct m { m(int); int x; int y() { return x; } \
        friend bool operator<(const m& a, const m& b) { return a.y() < b.y(); } \
        friend bool operator>(const m& a, const m& b) { return b < a; } }; int main() { m a(1), b(2); return a > b; }";
    check_all_members(text, text);
    let text = "struct m { int x; m(int); int operator<=>(const m&) const; }; int main() { return m(1) < m(2); }";
    places::check_places(text, &text.replace(" int x;", ""), text);
}

#[test]
fn what_the_language_uses_itself_stays() {
    let text =
        "struct r { int *begin(); int *end(); int size(); }; int main() { for (int a : r()) ; }";
    check_all_members(text, &text.replace(" int size();", ""));
    check(
        "struct partial_ordering { static const partial_ordering less; }; const partial_ordering partial_ordering::less; \
        int main() { partial_ordering a; }",
        &[0, 1, 2],
    );
}

#[test]
fn what_is_meant_without_being_said_stays() {
    let text = "template<class T> struct coroutine_traits { }; struct r { }; r f() { co_return; }";
    check(text, &[0, 1, 2]);
    check(&text.replace("co_return", "return"), &[1, 2]);
    let text = "template<class T> struct tuple_size; struct r { }; int f(r a) { auto [b] = a; }";
    check(text, &[0, 1, 2]);
}

#[test]
fn a_call_means_what_takes_as_many_arguments() {
    let text = "void a(); void b(); template<class T> T f(T c) { return c; } template<class T> T f(T c, T d, int e = 1) { a(); } \
        template<class... T> int f(int c, int d, int e, T... g) { b(); } int f(); int f(int, int, int, int, int *); \
        int f(int *, int *, int *, int *, int *, int *); int main() { return f(1); }";
    check(text, &[2, 8]);
    check(&text.replace("f(1)", "f(1, 2)"), &[0, 3, 8]);
    check(&text.replace("f(1)", "f(1, 2, 3)"), &[0, 1, 3, 4, 8]);
    let passed_on = "template<class... T> int h(T... i) { f(i...); }";
    let text = text.replace("int main() { return f(1); }", passed_on);
    check(&text, &[0, 1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn a_friend_that_is_made_from_a_template_needs_it() {
    check(
        "template<class T> struct a; template<class T> int f(a<T>); \
        template<class T> struct a { friend int f<>(a); }; int main() { a<int> b; }",
        &[0, 1, 2, 3],
    );
    check(
        "template<class T> struct a; namespace n { template<class T> int f(a<T>); } \
        template<class T> struct a { friend int n::f<>(a); }; int main() { a<int> b; }",
        &[0, 1, 2, 3],
    );
}

#[test]
fn a_member_of_what_stands_for_any_type_needs_no_declaration() {
    let text = "template<class T> struct u { typename T::p q; }; struct v { typedef int p; }; int main() { u<int> a; }";
    check(text, &[0, 2]);
    let member = "struct v { typedef int p; };";
    check_members(text, Meant::ByHeads, &text.replace(member, ""));
    check_members(text, Meant::Widely, text);
}

#[test]
fn a_name_that_stands_for_an_argument_is_no_other() {
    check_all_members(
        "struct T { }; struct N { }; template<class T, int N> struct u { T a[N]; }; int main() { u<int, 1> b; }",
        "template<class T, int N> struct u { T a[N]; }; int main() { u<int, 1> b; }",
    );
}

#[test]
fn a_name_of_a_function_s_own_is_no_other_but_of_what_it_belongs_to() {
    let text = "int a; int b; struct s { int b; }; int main() { int a = 1; s c; return a + c.b; }";
    check_all_members(text, &text.replacen("int a; int b; ", "int b; ", 1));
    let text =
        "int main() { int a = 1; struct s { int &a; int f() { return a; } }; return s{a}.f(); }";
    check_all_members(text, text);
}

#[test]
fn an_operand_that_looks_like_a_parameter_is_a_use() {
    let text = "const int n = 1; template<class T> struct t { typedef u<bool(v<T>::f & n)> w; }; int main() { t<int>::w a; }";
    check_all_members(text, text);
}

#[test]
fn a_conversion_is_meant_when_its_type_is_known() {
    let text = "struct t { }; int h(); struct s { operator t() const { return h(), t(); } }; void f(t); int main() { f(s()); }";
    check_members(text, Meant::Least, text);
}

proptest! {
    #[test]
    fn what_is_reached_finds_all_its_names(
        types in prop::collection::vec(prop::collection::vec((0usize..6, 0usize..6), 0..5), 1..6),
        root in (0usize..6, 0usize..6),
    ) {
        let member = |(name, (of, used)): (usize, &(usize, usize))| {
            format!("int m{name}() {{ return t{of}().m{used}() + a{used}; }} ")
        };
        let body = |members: &Vec<(usize, usize)>| members.iter().enumerate().map(member).collect::<Vec<_>>().concat();
        let types: Vec<String> = types.iter().enumerate().map(|(number, members)| {
            format!("int a{number}; struct t{number} {{ {}}};", body(members))
        }).collect();
        let types = types.join(" ");
        let (of, used) = root;
        let text = format!("{types} int main() {{ return t{of}().m{used}(); }}");
        let sample = sample("cpp", &text);
        let row = rows::members(sample.document(), sample.units());
        let reach = Reach::of(&sample, &row);
        for meant in ALL {
            let closure = reach.closure(reach.last(1), meant);
            for part in closure.ones() {
                prop_assert!(reach.outer[part].is_none_or(|outer| closure.contains(outer as usize)));
                for &name in &reach.used[part] {
                    let declarers = reach.declarers[name as usize].iter().map(|&it| it as usize);
                    let is_outer_known =
                        |it: usize| reach.outer[it].is_none_or(|outer| closure.contains(outer as usize));
                    let is_wide = matches!(meant, Meant::Widely | Meant::Placed | Meant::Most);
                    let mut meant = declarers.filter(|&it| is_wide || is_outer_known(it)).peekable();
                    let is_any = meant.peek().is_some();
                    prop_assert!(!is_any || meant.any(|it| closure.contains(it)), "{text}");
                }
            }
        }
    }
}

#[test]
fn a_part_reaches_what_it_uses_and_so_on() {
    check(
        "int a; int b = a; int c; int main() { return b; }",
        &[0, 1, 3],
    );
    check("int f(int); int f(long); int main() { f(1); }", &[0, 1, 2]);
}

#[test]
fn what_is_used_stands_before_what_uses_it_in_their_order() {
    let text = "int f() { return g() + h(); } int i; int g() { return h(); } int h() { return f() + i; } int j; int main() { j = g(); }";
    let sample = sample("c", text);
    let row = rows::declarations(sample.document(), sample.units(), 100);
    let order = Reach::of(&sample, &row).order();
    assert_eq!(order, [1, 3, 2, 0, 4, 5]);
}

#[test]
fn the_suffix_of_a_literal_is_the_name_of_its_operator() {
    let operators = "namespace n { int operator\"\"_a(char); int operator\"\" _b(char); } using n::operator\"\"_a; using n::operator\"\" _b;";
    check(
        &format!("{operators} int main() {{ return 'c'_b; }}"),
        &[1, 3, 4],
    );
    check(&format!("{operators} int main() {{ return 0; }}"), &[4]);
}

#[test]
fn what_was_found_to_be_needed_for_its_own_sake_is_where_all_begins() {
    let sample = sample("cpp", "int a; int b = a; int c; int main() { }");
    let row = rows::declarations(sample.document(), sample.units(), 100);
    let key = Reach::of(&sample, &row).key_as_end(1);
    let needed = [key].into_iter().collect();
    check_in(&sample.with_needed(std::sync::Arc::new(needed)), &[0, 1, 3]);
}

#[test]
fn templates_are_reached() {
    let text = "template<bool> struct cond { template<class T, class> using type = T; }; template<> struct cond<false> { template<class, class T> using type = T; }; template<bool C, class A, class B> using cond_t = typename cond<C>::template type<A, B>; int main() { cond_t<true, int, long> x; }";
    check(text, &[0, 1, 2, 3]);
    let text = "template<class T> struct a; template<class T> struct b { enum { v = a<T>::v }; }; \
        template<class T> struct a {}; struct c; int main() { b<int> x; }";
    check(text, &[0, 1, 2, 3, 4]);
}

#[test]
fn what_looks_like_a_declaration_of_what_is_elsewhere_is_a_use() {
    let text = "namespace a { int f(int); } int g(int h) { return __decltype(a::f(h)) (1); } int main() { g(1); }";
    check(text, &[0, 1, 2]);
}

#[test]
fn what_does_not_end_stays() {
    let text = "namespace n {\n  extern \"C\" __typeof(uselocale) __uselocale;\n  int f();\n}\nint main() { }";
    let document = Document::new(text.as_bytes(), Language::named("cpp"));
    check_in(&Context::new(document), &[0, 1, 3]);
}

#[test]
fn what_is_no_part_of_the_row_stays_with_all_that_it_uses() {
    let members = "int d; ".repeat(50);
    let text = format!(
        "struct a {{}}; struct b {{}}; template<> struct c<a> {{ {members} }}; int main() {{ }}"
    );
    check(&text, &[0, 52]);
}

#[test]
fn parameters_are_known_to_nobody_else() {
    let text =
        "void f(int n); template<int n> struct s; int g(int n) { return n; } int main() { g(1); }";
    check(text, &[2, 3]);
}

#[test]
fn members_are_reached_through_what_they_belong_to() {
    let text = "struct a { int size; }; int size(); struct b { int size; }; int main() { a x; return x.size; }";
    check(text, &[0, 3]);
}

#[test]
fn an_operator_comes_along_with_its_parameters() {
    let text = "struct a {}; int f(); int operator+(a, a) { return f(); } struct b {}; int operator+(b, a); int main() { a x; }";
    check(text, &[0, 1, 2, 5]);
}

#[test]
fn an_operator_that_is_used_comes_along_with_what_it_mentions() {
    let text = "struct a {}; struct b {}; b operator+(a, a) { return b(); } b operator-(a, a) { return b(); } \
        struct c {}; c operator*(a, a) { return c(); } int main() { a x; x + x; }";
    check_with(&sample("cpp", text), Meant::Least, &[0, 1, 2, 3, 6]);
    check_with(
        &sample("cpp", &text.replace("x + x", "return x * x")),
        Meant::Least,
        &[0, 4, 5, 6],
    );
}

#[test]
fn what_has_no_name_comes_along_with_all_that_it_mentions() {
    let text = "struct a {}; struct b {}; static_assert(sizeof(a)); static_assert(sizeof(b)); int main() { a x; }";
    check(text, &[0, 2, 4]);
}

#[test]
fn an_overload_is_meant_when_its_types_are_known() {
    let text = "struct a {}; struct b {}; int f(a); int f(b); int f(int, a); int main() { f(a()); f(1, a()); }";
    check(text, &[0, 2, 4, 5]);
    // What else could be called stays.
    check(
        "struct a { a(int); }; int f(a); int main() { f(1); }",
        &[0, 1, 2],
    );
}

#[test]
fn a_specialisation_is_meant_when_its_arguments_are_known() {
    let text = "template<class T> struct hash; struct a {}; struct b {}; template<> struct hash<a> {}; \
        template<> struct hash<b> {}; template<class T> struct hash<T *> {}; int main() { hash<a> x; }";
    check(text, &[0, 1, 3, 5, 6]);
    let text = "template<class T> inline constexpr bool is_view = false; struct a {}; template<class T> struct b {}; \
        template<class T> inline constexpr bool is_view<b<T>> = true; int main() { is_view<a>; }";
    check(text, &[0, 1, 4]);
}

#[test]
fn what_is_calculated_need_not_be_known() {
    let text = "template<class...> using void_t = void; template<class T, class = void> struct s {}; struct a { typedef int type; }; \
        template<class T> struct s<T, void_t<typename T::type>> {}; int main() { s<a> x; }";
    check(text, &[0, 1, 2, 3, 4]);
    let text = "template<class T> struct is { enum { value = 1 }; }; template<bool> struct when; template<class T, class = when<1>> struct s {}; \
        template<class T> struct s<T, when<is<T>::value>> {}; int main() { s<int> x; }";
    check(text, &[0, 1, 2, 3, 4]);
}

#[test]
fn a_member_that_is_defined_apart_belongs_to_what_is_known() {
    let text = "template<class T> struct a { void move(); }; template<class T> struct b { void move(); }; \
        template<class T> void a<T>::move() {} template<class T> void b<T>::move() {} int main() { a<int> x; move(x); }";
    check(text, &[0, 2, 4]);
}

#[test]
fn a_member_without_a_name_of_its_own_belongs_to_what_is_known() {
    let text = "struct f { int operator()(int); } a; struct g { int operator()(int); } b; struct h {}; int i(); \
        int f::operator()(int c) { return i(); } int g::operator()(int c) { return i(); } \
        int operator+(h, int) { return j(); } int j(); int main() { a(1); h(); }";
    let parts = [0, 2, 3, 4, 8];
    check_with(&sample("cpp", text), Meant::Least, &parts);
}

#[test]
fn a_parameter_is_not_meant_before_its_place() {
    let text = "struct p; int f(p *p) { return *p; } int main() { f(0); }";
    check(text, &[0, 1, 2]);
    let text = "int p; int f(int p) { return p; } int main() { f(0); }";
    check(text, &[1, 2]);
}

#[test]
fn an_object_of_a_class_is_made_though_nothing_uses_it() {
    let text = "struct a { a(); }; static a b; extern a c; const a d; int e; typedef int f; f g; int main() { }";
    let sample = sample("cpp", text);
    check_with(&sample, Meant::Least, &[7]);
    check_with(&sample, Meant::ByHeads, &[0, 1, 5, 6, 7]);
}

#[test]
fn references_have_names() {
    let text = "int a; const int &b = a; int &c = a; int main() { return b; }";
    check(text, &[0, 1, 3]);
}

#[test]
fn values_of_an_enumeration_in_a_class_are_reached_through_it() {
    let text = "struct a { enum { value }; }; enum { other }; int main() { return other + sizeof(value); }";
    check(text, &[1, 2]);
}

#[test]
fn what_is_of_another_language_is_no_part_of_its_own() {
    let text = "extern \"C++\" { namespace std { struct a; } namespace std { struct b; } } int main() { std::b *x; }";
    let sample = sample("cpp", text);
    let row = rows::declarations(sample.document(), sample.units(), 100);
    let is_b = |part: &Proposal| {
        sample
            .document()
            .text(part.takes[0].start)
            .starts_with(b"struct b")
    };
    assert!(row.iter().any(is_b));
}
