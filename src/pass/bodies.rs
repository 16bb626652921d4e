//! Function bodies: each as the least that may stand for it whatever the function has to return.
//!
//! Which text that is cannot be read from a grammar, so the language says it: a declaration without a body in C, an endless
//! loop in Rust, a thrown value in Java. Nothing depends on a body but the calls that it makes, so all of them often go at once,
//! and what only they used is then free to go.

use super::{
    Context,
    combined::LARGE,
    early::early,
    proposal::{Proposal, fingerprint, only},
    rows,
    unended::is_closed,
};
use crate::syntax::{Document, Edit, LanguageFacts, NodeId, Role, Splice, count_tokens};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{collections::BTreeMap, ops::Range};

/// The replacement of the outermost bodies, in document order, but for those that others perhaps look into. Cost: linear.
pub fn bodies(context: &Context) -> Vec<Proposal> {
    of(context, |functions, removals| {
        let is_plain = |it: &&Function| it.known == Known::No || removals.contains_key(&it.node);
        let plain = functions.iter().filter(is_plain);
        plain.map(|function| function.node).collect()
    })
}

/// The same for those of them that are not run while the program is compiled.
pub fn late_bodies(context: &Context) -> Vec<Proposal> {
    of(context, |functions, removals| {
        let mut bodies = perhaps_known(functions, removals);
        let early: FxHashSet<NodeId> = early(context, &bodies).into_iter().collect();
        bodies.retain(|function| !early.contains(function));
        bodies
    })
}

/// The same for all of them, in the order of `early`: whether a body is needed then depends on what the function is called by, and
/// the further it is from where a constant is wanted the less likely it is. Behind them in a large document: all other functions, since
/// a program runs without what it does not call.
pub fn bold_bodies(context: &Context) -> Vec<Proposal> {
    let mut order = Vec::new();
    let mut bodies = with_nodes(
        context,
        |facts| &facts.bodies,
        |functions, removals| {
            let bodies = perhaps_known(functions, removals);
            order = early(context, &bodies);
            bodies
        },
    );
    let rank: FxHashMap<NodeId, usize> = order.into_iter().zip(0..).collect();
    bodies.sort_by_key(|(function, _)| rank.get(function).copied().unwrap_or(usize::MAX));
    if context.document().node(0).tokens >= LARGE {
        let others = with_nodes(
            context,
            |facts| &facts.bodies_in_much,
            |functions, _| functions.iter().map(|function| function.node).collect(),
        );
        bodies.extend(others);
    }
    bodies.into_iter().map(|(_, proposal)| proposal).collect()
}

/// Those of [`bodies`] that are one token more than what may stand for them: a definition as a declaration, where it does nothing.
pub fn nearly_empty(context: &Context) -> Vec<Proposal> {
    let mut proposals = bodies(context);
    proposals.retain(|proposal| proposal.weight == 1);
    proposals
}

fn perhaps_known(functions: &[Function], removals: &Removals) -> Vec<NodeId> {
    let is_one = |it: &&Function| it.known == Known::Perhaps && !removals.contains_key(&it.node);
    let functions = functions.iter().filter(is_one);
    functions.map(|function| function.node).collect()
}

/// By the kind of function: what may stand for its body.
type Fillers = BTreeMap<String, String>;

/// The removals of functions by their nodes.
type Removals<'c> = FxHashMap<NodeId, &'c Proposal>;

/// The replacement of the outermost of these bodies, which are in document order.
fn of(
    context: &Context,
    wanted: impl FnOnce(&[Function], &Removals) -> Vec<NodeId>,
) -> Vec<Proposal> {
    let bodies = with_nodes(context, |facts| &facts.bodies, wanted).into_iter();
    bodies.map(|(_, proposal)| proposal).collect()
}

/// The same with the functions, for some of the fillers that their language has.
fn with_nodes(
    context: &Context,
    fillers: impl Fn(&LanguageFacts) -> &Fillers,
    wanted: impl FnOnce(&[Function], &Removals) -> Vec<NodeId>,
) -> Vec<(NodeId, Proposal)> {
    let document = context.document();
    let Some(language) = document.language().filter(|_| document.grammar().is_some()) else {
        return Vec::new();
    };
    let fillers = fillers(language.facts());
    let removals = removals(context, fillers);
    let functions = functions(document, fillers);
    let wanted = wanted(&functions, &removals);
    // What is around the program itself gives way to its functions.
    let main = rows::main_body(document);
    let mut next = 0;
    let proposals = functions.iter().filter_map(|function| {
        if function.node < next
            || rows::is_around(document, function.node, main)
            || wanted.binary_search(&function.node).is_err()
        {
            return None;
        }
        let removal = removals.get(&function.node).map(|&removal| removal.clone());
        let proposal = removal.or_else(|| without_body(document, function))?;
        next = document.node(function.node).end_id;
        Some((function.node, proposal))
    });
    proposals.collect()
}

/// A function with a body, and what may stand for that.
struct Function<'f> {
    node: NodeId,
    body: NodeId,
    filler: &'f [u8],
    known: Known,
}

/// Whether what a function is to others depends on its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    No,
    /// If it is run while the program is compiled.
    Perhaps,
    Yes,
}

/// All functions, in document order: some lie in others.
fn functions<'f>(document: &Document, fillers: &'f Fillers) -> Vec<Function<'f>> {
    let ids = document.ids();
    ids.filter_map(|node| function(document, fillers, node))
        .collect()
}

/// The function that a node is.
fn function<'f>(document: &Document, fillers: &'f Fillers, node: NodeId) -> Option<Function<'f>> {
    let own = document.kind_name(node);
    let usual = fillers.get(own).filter(|_| !document.is_leaf(node))?;
    let parent = document.node(node).parent;
    let around = fillers.get(&format!("{} {own}", document.kind_name(parent)));
    let head = around.map_or(node, |_| parent);
    let body = body(document, fillers, node).filter(|&body| is_closed(document, body))?;
    let leaves = document.children(node).filter(|&it| document.is_leaf(it));
    let mut by_word = leaves.filter_map(|leaf| {
        let word = std::str::from_utf8(document.text(leaf)).ok()?;
        let is_name = document.field_name(leaf) == Some("name");
        let called = if is_name { "called " } else { "" };
        fillers.get(&format!("{own} {called}{word}"))
    });
    let filler = around.or_else(|| by_word.next()).unwrap_or(usual);
    Some(Function {
        node,
        body,
        filler: filler.as_bytes(),
        known: known(document, head..body),
    })
}

/// The body of a function; of what is only a body, and has a filler for its kind, itself: that is not told of what it belongs to.
fn body(document: &Document, fillers: &Fillers, node: NodeId) -> Option<NodeId> {
    let Some(body) = document.child_in_field(node, "body") else {
        let is_body = ["body", "value"].contains(&document.field_name(node)?);
        return is_body.then_some(node);
    };
    let is_told_alone = fillers.contains_key(document.kind_name(body))
        && document.child_in_field(body, "body").is_none();
    (!is_told_alone).then_some(body)
}

/// The removals of the functions that are declared elsewhere, by their nodes: their heads have no use without their bodies.
fn removals<'c>(context: &'c Context, fillers: &Fillers) -> Removals<'c> {
    let (document, names) = (context.document(), context.names());
    let declarations = names.declarations.iter();
    let elsewhere = declarations.filter(|declaration| {
        document.has_role(document.node(declaration.leaf).parent, Role::Elsewhere)
    });
    let elsewhere = elsewhere.map(|declaration| declaration.declarer);
    // What has no name of its own is known by what it belongs to.
    let owners = names.heads.iter().filter(|&&head| names.is_owner(head));
    let owned = owners.filter_map(|&head| {
        let is_function = |&node: &NodeId| fillers.contains_key(document.kind_name(node));
        let function = document.around(head).find(is_function)?;
        let body = document.child_in_field(function, "body");
        body.filter(|&body| head < body).map(|_| function)
    });
    // What stands before a function makes it a template, or a template of a template.
    let functions = elsewhere.chain(owned).flat_map(|function| {
        let end = document.node(function).end_id;
        let is_whole = move |&node: &NodeId| node != 0 && document.node(node).end_id == end;
        let whole = document.around(function).take_while(is_whole);
        whole.map(move |node| (node, function))
    });
    let functions: FxHashMap<NodeId, NodeId> = functions.collect();
    let units = context.units().iter();
    let removals = units.filter_map(|unit| Some((*functions.get(&unit.node)?, &unit.proposal)));
    removals.collect()
}

/// Whether a node lies in the body of a function that others perhaps look into.
pub(super) fn is_looked_into(document: &Document, node: NodeId) -> bool {
    let Some(language) = document.language() else {
        return false;
    };
    let fillers = &language.facts().bodies;
    let has_in_body = |&around: &NodeId| {
        let body = document.child_in_field(around, "body");
        body.is_some_and(|body| body <= node)
    };
    let mut around = document.around(node).skip(1).filter(has_in_body);
    let nearest = around.find_map(|around| function(document, fillers, around));
    nearest.is_some_and(|function| function.known != Known::No)
}

fn without_body(document: &Document, function: &Function) -> Option<Proposal> {
    let Function {
        node, body, filler, ..
    } = *function;
    // What stands between the head and the body (a constructor's initialisers) goes with the body.
    let head = document.child_in_field(node, "declarator");
    let first = head.map_or(body, |head| document.node(head).end_id);
    let range = document.node(first).range().start..document.node(body).range().end;
    let tokens = document
        .children(document.node(body).parent)
        .filter(|&child| child >= first && child <= body);
    let tokens: u32 = tokens.map(|child| document.node(child).tokens).sum();
    let saved = tokens.saturating_sub(u32::try_from(count_tokens(filler)).unwrap_or(u32::MAX));
    let mut splices = head_alone(document, (node + 1).min(first)..first);
    splices.push(Splice::replacement(range, filler));
    (saved > 0).then(|| Proposal {
        edit: Edit::new(splices),
        weight: saved,
        takes: only(first..document.node(body).end_id),
        signature: fingerprint(&[b"body", &document.fingerprint(body).to_le_bytes()]),
        ..Proposal::default()
    })
}

/// What a head cannot keep, or has to say in another way, without its body.
fn head_alone(document: &Document, head: Range<NodeId>) -> Vec<Splice> {
    let mut splices = Vec::new();
    let Some(language) = document.language() else {
        return splices;
    };
    let instead = &language.facts().heads_alone;
    let mut next = head.start;
    while next < head.end && !instead.is_empty() {
        let kind = document.kind_name(next);
        let word = document.text(next).split(u8::is_ascii_whitespace).next();
        let word = String::from_utf8_lossy(word.unwrap_or_default());
        let text = instead.get(kind);
        let Some(text) = text.or_else(|| instead.get(&format!("{kind} {word}"))) else {
            next += 1;
            continue;
        };
        let range = document.node(next).range();
        splices.push(Splice::replacement(range, text.as_bytes()));
        next = document.node(next).end_id;
    }
    splices
}

/// By the words of its head, but for those of its parameters.
fn known(document: &Document, head: Range<NodeId>) -> Known {
    let Some(language) = document.language() else {
        return Known::No;
    };
    let facts = language.facts();
    let mut known = Known::No;
    let mut has_no_result = false;
    let mut next = head.start;
    while next < head.end {
        let is_one = |words: &[String]| is_one_of_words(document, next, words);
        let says_result = |kind: &String| kind == document.kind_name(next);
        let is_result = facts.result_behind.iter().any(says_result);
        has_no_result = !is_result && (has_no_result || is_one(&facts.result_by_body));
        known = match known {
            _ if is_one(&facts.known_by_body) => Known::Yes,
            Known::No if is_one(&facts.perhaps_known_by_body) => Known::Perhaps,
            known => known,
        };
        next = if is_result || document.has_role(next, Role::Parameters) {
            document.node(next).end_id
        } else {
            next + 1
        };
    }
    if has_no_result { Known::Yes } else { known }
}

/// Whether a node is a leaf whose text is one of some words.
pub(super) fn is_one_of_words(document: &Document, node: NodeId, words: &[String]) -> bool {
    let mut words = words.iter();
    document.is_leaf(node) && words.any(|word| word.as_bytes() == document.text(node))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{pass::testing::offered, syntax::Language};

    #[test]
    fn the_outermost_bodies_give_way_to_what_their_language_says() {
        for (language, text, wanted) in [
            ("c", "int f() { return 1; }", "int f() ;"),
            (
                "cpp",
                "struct s { s() : a(1) { b(); } int a; };",
                "struct s { s() ; int a; };",
            ),
            (
                "cpp",
                "struct s { [[nodiscard]] friend bool f(s a) { return a.b == a.c && a.d; } };",
                "struct s { [[nodiscard]] friend bool f(s a) { __builtin_unreachable(); } };",
            ),
            (
                "cpp",
                "struct s { constexpr friend int f(s) { return 1; } friend int g(s) { int a = 1; return a * a; } };",
                "struct s { constexpr friend int f(s) { return 1; } friend int g(s) { __builtin_unreachable(); } };",
            ),
            (
                "llvm",
                "define internal dso_local fastcc i32 @f(i32 %0) #0 personality ptr @p !dbg !1 {\n ret i32 %0\n}",
                "declare   fastcc i32 @f(i32 %0) #0   ",
            ),
            (
                "llvm",
                "define linkonce_odr void @f() #0 comdat align 2 {\n ret void\n}",
                "declare  void @f() #0  align 2 ",
            ),
            (
                "rust",
                "fn f() -> u8 { fn g() { 1; } 2 }",
                "fn f() -> u8 {loop{}}",
            ),
            (
                "java",
                "class A { int f() { int a = 1; return a; } }",
                "class A { int f() {throw null;} }",
            ),
            (
                "go",
                "package a\nfunc f() int { g(); h(); return 1 }",
                "package a\nfunc f() int {panic(0)}",
            ),
            ("python", "def f():\n  a()\n  b()\n", "def f():\n  ...\n"),
            (
                "java",
                "class A { A(int a) { b = a; c = a; } }",
                "class A { A(int a) {throw null;} }",
            ),
            (
                "typescript",
                "class A { a() { b(); c(); d(); } }",
                "class A { a() {return 0 as any} }",
            ),
            (
                "typescript",
                "class A { constructor() { b(); c(); } }",
                "class A { constructor() {throw 0} }",
            ),
            (
                "typescript",
                "class A { static set a(d) { b(); c(); } }",
                "class A { static set a(d) {} }",
            ),
            (
                "typescript",
                "class A { set(a) { b(); c(); d(); } }",
                "class A { set(a) {return 0 as any} }",
            ),
        ] {
            let found = offered(language, text, bodies);
            assert_eq!(found, [wanted], "{language}");
        }
    }

    #[test]
    fn a_body_that_is_written_in_another_way_has_its_own_filler() {
        if Language::named("csharp").is_none() {
            return;
        }
        let text =
            "class A { int b => c(1, 2); A() => d(1, 2); int e { get { int f = 1; return f; } } }";
        let found = offered("csharp", text, bodies);
        let wanted = [
            ("c(1, 2)", "throw null"),
            ("d(1, 2)", "throw null"),
            ("{ int f = 1; return f; }", "{throw null;}"),
        ];
        let wanted = wanted.map(|(body, filler)| text.replace(body, filler));
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_body_that_the_parser_does_not_close_stays() {
        let offered = |text: &str| {
            let document = Document::new(text.as_bytes(), Language::named("c"));
            bodies(&Context::new(document)).len()
        };
        assert_eq!(offered("int f() { if (a) { b(); c(); d(); }"), 0);
        assert_eq!(offered("int f() { a('{'); @ b(); c(); }"), 1);
    }

    #[test]
    fn a_function_that_is_declared_elsewhere_goes_as_a_whole() {
        let text =
            "struct s { int f(); }; template<class T> int s::f() { return 1; } int s::g = 2;";
        let found = offered("cpp", text, bodies);
        assert_eq!(found, ["struct s { int f(); };  int s::g = 2;"]);
        for member in [
            "s<T>::~s() { f(); }",
            "int s<T>::operator()(int a) { return a; }",
            "s<T>::operator int() const { return 1; }",
            "inline s<T>::operator T*() const { return 0; }",
            "inline s<T>::operator float() const { return static_cast<float>(a) + 1; }",
            "int n::s<T>::f(int a) { return a; }",
            "template<class U> U s<T>::f(U a) { return a; }",
        ] {
            let text = format!("template<class T> struct s; template<class T> {member}");
            let found = offered("cpp", &text, bodies);
            assert_eq!(found, ["template<class T> struct s; "], "{member}");
        }
    }

    #[test]
    fn a_body_that_says_what_the_type_is_stays() {
        let text = "auto f() { return 1; } constexpr int g() { return 2; }";
        assert!(offered("cpp", text, bodies).is_empty());
    }

    #[test]
    fn a_body_as_small_as_its_replacement_stays() {
        let found = offered("rust", "fn f() {loop{}}", bodies);
        assert!(found.is_empty());
        let found = offered("json", "[1, 2]", bodies);
        assert!(found.is_empty());
    }

    #[test]
    fn what_a_constant_does_not_ask_for_comes_before_what_it_asks_for() {
        let text = "constexpr int f() { return 1; } constexpr int g() { return 2; } auto h() { return 3; }\n\
            auto i() -> int { return 4; } int j[f()];";
        let late = offered("cpp", text, late_bodies);
        let without = |body: &str| text.replacen(body, ";", 1);
        assert_eq!(late, [without("{ return 2; }")]);
        let bold = offered("cpp", text, bold_bodies);
        assert_eq!(bold, [without("{ return 1; }"), without("{ return 2; }")]);
        assert_eq!(offered("cpp", text, bodies), [without("{ return 4; }")]);
    }

    #[test]
    fn in_a_large_document_functions_may_be_empty() {
        let function = "var a = (b) => { c(b); d(b); }; ";
        let bold = |count| offered("javascript", &function.repeat(count), bold_bodies);
        assert!(bold(10).is_empty());
        let large = bold(LARGE as usize / 20);
        assert_eq!(large.len(), LARGE as usize / 20);
        assert!(large[0].starts_with("var a = (b) => {}; var a = (b) => { c(b);"));
        let all = function.repeat(LARGE as usize / 20);
        let around = format!("(function(e) {{ {all} }})(window);");
        assert_eq!(
            offered("javascript", &around, bold_bodies).len(),
            large.len()
        );
    }

    #[test]
    fn the_further_a_body_is_from_a_constant_the_later_it_stands() {
        let text = "constexpr int a() { return 1; } constexpr int b() { return a(); } constexpr int c() { return 3; }\n\
            constexpr int d() { return b(); } int e[d()];";
        let without = |body: &str| text.replacen(body, ";", 1);
        let bodies = [
            "{ return b(); }",
            "{ return a(); }",
            "{ return 1; }",
            "{ return 3; }",
        ];
        assert_eq!(offered("cpp", text, bold_bodies), bodies.map(without));
    }
}
