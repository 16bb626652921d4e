//! Lists: whatever elements go, no comma stays behind.

use super::{corpus::Corpus, derive::Random};
use paredown::{
    pass::{Proposal, compose, proposal::siblings},
    syntax::{Document, Language, NodeId},
};

/// Lists of every kind that a language has.
const LISTS: &[(&str, &[&str])] = &[
    (
        "c",
        &[
            "int a, *b, c[1], d = 2; int e(int f, char g, ...);",
            "enum e { A, B = 1, C }; struct s x = { 1, .a = 2, [3] = 4 };",
            "void f(int a, int b, int c) { g(a, b + 1, (c, a)); for (a = 1, b = 2, c = 3;;) ; }",
            "#define M(a, b, c) a\nstruct t { int a, b : 2, c; };",
        ],
    ),
    (
        "cpp",
        &[
            "template <typename A, int B, class C> struct S : X, public Y, Z { S() : a(1), b(2), c{3} {} };",
            "auto l = [a, &b, c](int d, int e) { return T<int, U<a, b>, 3>{d, e, 4}; }; int m(1), n{2}, *o;",
        ],
    ),
    (
        "css",
        &[
            "a, .b, #c > d { color: rgb(1, 2, 3); font: x, y, z } @media screen, print { b { top: 0 } }",
        ],
    ),
    (
        "go",
        &[
            "package p\nfunc f(a int, b, c string) (d, e int) { x, y, z := g(a, b, c), 2, 3; return 1, 2 }\n",
            "package p\nvar a, b, c = []int{1, 2, 3}, map[string]int{`a`: 1, `b`: 2}, T[int, string, byte]{}\n",
        ],
    ),
    (
        "java",
        &[
            "class A<T, U, V> extends B<T, U> implements C, D, E { int a, b = 1, c; void f(int a, int... b) throws X, Y { g(1, 2, 3); } }",
            "enum E { A, B(1, 2), C { } } @I(a = 1, b = { 1, 2, 3 }) class F { int[] x = { 1, 2, 3 }; }",
        ],
    ),
    (
        "javascript",
        &[
            "let a = [1, 2, 3], { b, c: d, ...e } = { f, g: 1, h() {} }, [i, j = 2, k] = a",
            "function f(a, b = 1, ...c) { return g(a, ...b, c), new H(1, 2, 3), (a, b) => a }",
            "import x, { y, z as w } from 'm'\nexport { x, y as v, z }",
        ],
    ),
    (
        "json",
        &["[1, \"a\", null, {\"b\": 1, \"c\": [2, 3], \"d\": {}}]"],
    ),
    (
        "python",
        &[
            "def f(a, b=1, *c, d: int, **e): return g(a, *b, d=1)\nx, y, z = [1, 2, 3], (4, 5, 6), {7, 8}\n",
            "class A(B, C, metaclass=D): pass\nw = {1: 2, 3: 4, **e}\nfrom m import a, b as c, d\nimport n, o.p, q\nwith r as s, t as u: del v, w, x\n",
            "lambda a, b, c: a[1:2, 3, ...]\nglobal a, b, c\nassert a, b\n",
        ],
    ),
    (
        "rust",
        &[
            "use a::{b, c::{d, e}, f}; fn g<'a, T, const N: u8>(h: T, mut i: &'a U<T, N>, j: (A, B, C)) -> R<X, Y> where T: Q, X: P { k(1, 2, 3) }",
            "struct S { a: u8, b: u8, c: u8 } struct T(u8, u16, u32); enum E { A, B(u8, u8), C { d: u8, e: u8 } }",
            "fn f() { let S { a, b: c, .. } = S { a: 1, b, c }; let [x, y, z] = [1, 2, 3]; let g = |a, b: u8, c| (a, b, c); }",
        ],
    ),
    (
        "tsx",
        &["function f<A, B, C>(a: A, b?: B, ...c: C[]): [A, B, C] { return <D e={[1, 2, 3]}/> }"],
    ),
    (
        "typescript",
        &[
            "class A<T, U> extends B<T, U> implements C, D, E { f(a: T, b?: U, ...c: any[]): [T, U, T] { return g<T, U>(a, b, c) } }",
            "enum E { A, B = 1, C } type T = { a: X, b: Y, c: Z }; interface I extends J, K, L { }",
        ],
    ),
    ("xml", &["<!DOCTYPE a [<!ELEMENT a (b, c?, d, e)>]><a/>"]),
    (
        "csharp",
        &[
            "class A<T, U> : B, C, D { int a, b = 1, c; void F(int a, ref int b, params int[] c) { G(1, 2, 3); var x = new[] { 1, 2, 3 }; } }",
            "enum E { A, B = 1, C } [I(a, b), J] class F { (int, string, bool) g; }",
        ],
    ),
    (
        "glsl",
        &["int a, b[1], c = 2; void f(int a, in float b, out vec4 c) { g(a, b + 1., c); }"],
    ),
    (
        "haskell",
        &["module M (a, b, c) where\nimport D (e, F, g)\nx = [1, 2, 3]\ny = (1, 2, 3)\n"],
    ),
    (
        "kotlin",
        &[
            "class A<T, U>(val a: Int, var b: T, c: U) : B(a, b, c), C, D\nfun f(a: Int, b: Int = 1, c: Int) = g(a, b, c = 2)\n",
        ],
    ),
    (
        "llvm",
        &[
            "declare void @f(i32, i8, ptr)\ndefine void @g(i32 %a, i8 %b, ptr %c) {\n  call void @f(i32 %a, i8 %b, ptr %c)\n  ret void\n}\n",
        ],
    ),
    (
        "lua",
        &["local a, b, c = f(1, 2, 3), { 1, x = 2, 3 }, function(d, e, ...) return d, e, ... end"],
    ),
    (
        "php",
        &[
            "<?php function f(int $a, $b = 1, ...$c) { return g($a, ...$b, $c); } $x = [1, 'a' => 2, ...$c]; class A implements B, C, D { }",
        ],
    ),
    (
        "ruby",
        &[
            "def f(a, b = 1, *c, d:, **e, &g) = h(a, *b, c: 1, **d)\nx = [1, 2, 3]\ny = { a: 1, 'b' => 2, **z }\nm { |a, (b, c), d| [a, b] }\n",
        ],
    ),
    (
        "solidity",
        &[
            "contract A is B, C, D { enum E { X, Y, Z } function f(uint a, int b, bool c) public returns (uint, int) { g(a, b, c); } }",
        ],
    ),
    (
        "sql",
        &[
            "create table t (a int, b int, c int);\ninsert into t (a, b, c) values (1, 2, 3), (4, 5, 6);\nselect a from t order by a, b + 1, c;\n",
        ],
    ),
    (
        "swift",
        &[
            "func f<T, U, V>(a: Int, b: T = 1, c: U) -> (Int, T, U) { return g(a, b, c: [1, 2, 3]) }",
        ],
    ),
    ("toml", &["a = [1, 2, 3]\nb = { c = 1, d = 2, e = 3 }\n"]),
    ("yaml", &["a: [1, 2, 3]\nb: {c: 1, d: 2, e: 3}\n"]),
];

/// The named children of a row with commas, as places; empty for other rows, and for those with a comma too many already.
fn elements(document: &Document, parent: NodeId) -> Vec<usize> {
    let row = document.row(parent);
    let is_comma = |id: NodeId| document.kind_name(id) == ",";
    if !row.iter().any(|&child| is_comma(child)) || stray_commas(document, parent) > 0 {
        return Vec::new();
    }
    let beside = |place: usize| {
        let before = place.checked_sub(1).and_then(|place| row.get(place));
        [before, row.get(place + 1)]
            .into_iter()
            .flatten()
            .any(|&child| is_comma(child))
    };
    (0..row.len())
        .filter(|&place| document.node(row[place]).is_named() && beside(place))
        .collect()
}

/// Commas from a node on that have another comma, a bracket or nothing beside them although they could go.
fn stray_commas(document: &Document, root: NodeId) -> usize {
    let leaves: Vec<NodeId> = (root..document.node(root).end_id)
        .filter(|&id| document.is_leaf(id) && !document.text(id).trim_ascii().is_empty())
        .collect();
    let text = |at: usize| leaves.get(at).map(|&leaf| document.text(leaf));
    let bad_before = |text: &[u8]| [&b","[..], b"(", b"[", b"{", b"<"].contains(&text);
    let bad_behind = |text: &[u8]| [&b","[..], b")", b"]", b"}", b">", b";"].contains(&text);
    (0..leaves.len())
        .filter(|&at| text(at) == Some(b","))
        .filter(|&at| {
            text(at.wrapping_sub(1)).is_none_or(bad_before) || text(at + 1).is_none_or(bad_behind)
        })
        .filter(|&at| can_go(document, leaves[at]))
        .count()
}

/// The comma of a tuple with one element cannot.
fn can_go(document: &Document, leaf: NodeId) -> bool {
    let parent = document.node(leaf).parent;
    let row = document.row(parent);
    let place = row.iter().position(|&child| child == leaf);
    place.is_none_or(|place| {
        siblings(document, parent, &row).is_some_and(|siblings| siblings.can_drop(place..place + 1))
    })
}

/// Drops the elements at `places`; what came of it if there is more wrong with its commas or its syntax than before.
fn wrong_without(document: &Document, parent: NodeId, places: &[usize]) -> Option<String> {
    let drop = |&place: &usize| Proposal {
        drops: vec![(parent, u32::try_from(place).unwrap())],
        ..Proposal::default()
    };
    let proposals: Vec<Proposal> = places.iter().map(drop).collect();
    let edited = document.edited(&compose(document, &proposals)?);
    let wrong = edited.is_damaged() || stray_commas(&edited, 0) > stray_commas(document, 0);
    wrong.then(|| {
        format!(
            "{} without {places:?}\n   {}\n   {}",
            document.kind_name(parent),
            String::from_utf8_lossy(document.text(parent)),
            String::from_utf8_lossy(edited.bytes())
        )
    })
}

#[test]
fn no_subset_of_a_list_leaves_a_comma_behind() {
    let mut wrong = Vec::new();
    for (name, texts) in LISTS {
        let (mut lists, mut subsets) = (0, 0);
        if Language::named(name).is_none() {
            continue;
        }
        for text in *texts {
            let document = Document::new(text.as_bytes(), Language::named(name));
            if document.is_damaged() {
                wrong.push(format!("{name} has an error: {text}"));
                continue;
            }
            for (parent, _) in (0..).zip(document.nodes()) {
                let elements = elements(&document, parent);
                lists += usize::from(!elements.is_empty());
                // The automaton of XML's content models, which contain themselves, takes an empty pair of brackets for one.
                let all = usize::from(*name == "xml");
                for subset in 1..(1usize << elements.len()) - all {
                    let places: Vec<usize> = (0..elements.len())
                        .filter(|bit| subset >> bit & 1 == 1)
                        .map(|bit| elements[bit])
                        .collect();
                    subsets += 1;
                    wrong.extend(wrong_without(&document, parent, &places));
                }
            }
        }
        eprintln!("{name}: {subsets} subsets of {lists} lists");
        assert!(lists > 0);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn random_subsets_of_generated_lists_hardly_ever_leave_a_comma_behind() {
    let mut random = Random(5);
    let (mut all, mut all_wrong) = (0, Vec::new());
    for name in Language::names() {
        let (mut subsets, mut wrong) = (0, Vec::new());
        for document in Corpus::new(name, 6).files(60) {
            if document.is_damaged() {
                continue;
            }
            for (parent, _) in (0..).zip(document.nodes()) {
                let mut places = elements(&document, parent);
                places.retain(|_| random.below(2) == 0);
                if places.is_empty() {
                    continue;
                }
                subsets += 1;
                wrong.extend(wrong_without(&document, parent, &places));
            }
        }
        eprintln!("{name}: {} of {subsets} subsets wrong", wrong.len());
        all += subsets;
        all_wrong.extend(wrong);
    }
    // What a place means can depend on its neighbours, so a few derivations that nobody would write may break.
    assert!(all_wrong.len() * 30 <= all, "{}", all_wrong.join("\n"));
}
