//! Names: where they are declared, where they are used, by the simplest sound approximation of scopes.
//!
//! Which leaves are names, what declares them and what opens a scope says the language's `locals.scm`. A name that is not declared
//! is used. What gives a value to a name declares it where nothing else does, if the language says so (`.assigned`; `.global` when
//! it is seen everywhere). The scope of a name is the nearest node above its declaration that opens one. Uses are found by text
//! inside that scope, so shadowing makes a name look used that is not; this only delays a question, since names decide order and
//! bundles, never what is kept (what takes the place of all uses looks closer: [`super::retarget`]). A language can tell members, which are named behind a dot, from what is named bare: a method and a
//! variable of one name have nothing to do with each other then.

mod finding;

pub use super::marks::Manner;
use crate::syntax::{Document, NodeId, Role};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// What is said of all members of a name holds for so many at most: the cost is their number times their uses.
const MOST_ALIKE: u32 = 16;

/// A declaration of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The leaf that names it.
    pub leaf: NodeId,
    /// The node that declares it: the declaration, function, parameter.
    pub declarer: NodeId,
    /// The nodes in which it can be meant.
    pub scope: Range<NodeId>,
    /// Which name: the same number for the same text, but for types that namespaces tell apart and the suffixes of literals.
    pub name: u32,
    /// Whether it only makes a name known that is declared elsewhere.
    pub imports: bool,
    /// Whether it says what a name means for some arguments only, which something else declares.
    pub specialises: bool,
    /// Whether it declares a type, and not one that is calculated from others.
    pub is_type: bool,
    /// How it can be named.
    pub manner: Manner,
}

impl Declaration {
    /// Whether it says more of what is declared elsewhere, in what stands before its name.
    pub fn is_elsewhere(&self, document: &Document) -> bool {
        document.has_role(document.node(self.leaf).parent, Role::Elsewhere)
    }
}

/// All names of a document.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// In document order of their leaves.
    pub declarations: Vec<Declaration>,
    /// By name: the leaves that use it, in document order.
    pub uses: Vec<Vec<NodeId>>,
    /// By name: its text.
    pub texts: Vec<Box<[u8]>>,
    /// In document order: see [`super::heads`].
    pub heads: Vec<NodeId>,
    owners: FixedBitSet,
    receivers: FixedBitSet,
    through: FixedBitSet,
    /// The leaves that are an operator in an expression, in document order.
    operators: Vec<NodeId>,
    /// The leaves that say which operator is declared, in document order.
    pub own_operators: Vec<NodeId>,
    /// The leaves that say which operator is made known that is declared elsewhere.
    pub imported_operators: Vec<NodeId>,
    calculations: FixedBitSet,
    early: FixedBitSet,
    unevaluated: FixedBitSet,
    /// What does something when the program starts, in document order.
    pub acting: Vec<NodeId>,
    beside: FixedBitSet,
    /// What has a place of its own in what it is a member of, in document order.
    pub placed: Vec<NodeId>,
    /// The leaves that name what has arguments where a type stands, in document order.
    instances: Vec<NodeId>,
    /// The nodes that declare such a name, in document order.
    templates: Vec<NodeId>,
    /// By name: the leaves that specialise it.
    specialisations: FxHashMap<u32, Vec<NodeId>>,
    /// Of names that are used in more than one manner: the uses that a declaration of this manner can mean.
    told_apart: FxHashMap<(u32, Manner), Vec<NodeId>>,
    /// By name: how many declarations have it.
    counts: Vec<u32>,
    /// How many declarations share their uses, without those that specialise another.
    sharing: FxHashMap<(u32, Option<NodeId>), u32>,
}

impl Names {
    /// Whether a head is what a member belongs to that is declared there as well, and defined apart.
    pub fn is_owner(&self, head: NodeId) -> bool {
        self.owners.contains(head as usize)
    }

    /// Whether a head is what a member belongs to that is declared apart, and only there.
    pub fn is_receiver(&self, head: NodeId) -> bool {
        self.receivers.contains(head as usize)
    }

    /// Whether what a member belongs to is used by the name of that member, which the leaf declares.
    pub fn is_used_through(&self, leaf: NodeId) -> bool {
        self.through.contains(leaf as usize)
    }

    /// Whether what declares a name stands among the members of a type, but is none, and what is around the type declares the name, too.
    pub fn is_beside(&self, declarer: NodeId) -> bool {
        self.beside.contains(declarer as usize)
    }

    /// Whether a leaf names what has arguments where a type stands: no function and no variable, if there is a template of that name.
    pub fn is_instance(&self, leaf: NodeId) -> bool {
        self.instances.binary_search(&leaf).is_ok()
    }

    /// Whether there is any of these.
    pub fn has_instances(&self) -> bool {
        !self.instances.is_empty()
    }

    /// Whether what a declaration declares can have such arguments. Their parameters stand around what declares it.
    pub fn is_template(&self, document: &Document, declaration: &Declaration) -> bool {
        let around = document.node(declaration.declarer).parent;
        let mut both = [declaration.declarer, around].into_iter();
        declaration.imports
            || declaration.specialises
            || both.any(|node| self.templates.binary_search(&node).is_ok())
    }

    /// What declares a member apart from what it belongs to, and only there. Cost: linear in the declarations, and the depth of each
    /// such member.
    pub fn received(&self, document: &Document) -> FxHashSet<NodeId> {
        if self.receivers.is_clear() {
            return FxHashSet::default();
        }
        let declarers: FxHashSet<NodeId> = self.declarations.iter().map(|it| it.declarer).collect();
        let heads = self.heads.iter().filter(|&&head| self.is_receiver(head));
        // What has a name of its own, and is not only in the body of something that has one.
        let is_head = |&node: &NodeId| document.field_name(node) != Some("body");
        let declarer = |&head: &NodeId| {
            let mut around = document.around(head).skip(1).take_while(is_head);
            around.find(|node| declarers.contains(node))
        };
        heads.filter_map(declarer).collect()
    }

    /// Whether a node stands for a type that is calculated from what it mentions.
    pub fn is_calculation(&self, node: NodeId) -> bool {
        self.calculations.contains(node as usize)
    }

    /// By operator that the document declares for types of its own: the leaves that say so, and those that apply it.
    pub fn declared_operators(&self, document: &Document) -> Vec<[Vec<NodeId>; 2]> {
        let mut numbers: FxHashMap<&[u8], usize> = FxHashMap::default();
        let mut operators: Vec<[Vec<NodeId>; 2]> = Vec::new();
        for &leaf in &self.own_operators {
            let number = *numbers
                .entry(document.text(leaf))
                .or_insert(operators.len());
            if number == operators.len() {
                operators.push([Vec::new(), Vec::new()]);
            }
            operators[number][0].push(leaf);
        }
        let facts = document.language().map(|language| language.facts());
        let stands_for = |text: &[u8]| {
            let mut others = facts.iter().flat_map(|facts| &facts.operators_by_others);
            let others = others.find(|(_, of)| of.iter().any(|it| it.as_bytes() == text));
            others.map(|(own, _)| own.as_bytes())
        };
        for &leaf in &self.operators {
            let text = document.text(leaf);
            let all = [Some(text), stands_for(text)].into_iter().flatten();
            for number in all.filter_map(|text| numbers.get(text)) {
                operators[*number][1].push(leaf);
            }
        }
        operators
    }

    /// Whether a node is only looked at, but never run, where a constant is wanted.
    pub fn is_unevaluated(&self, node: NodeId) -> bool {
        self.unevaluated.contains(node as usize)
    }

    /// The places where a constant is wanted, in document order: some lie in others.
    pub fn early(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.early
            .ones()
            .map(|node| NodeId::try_from(node).unwrap_or(NodeId::MAX))
    }

    /// The declarations below a node that are seen from outside of it, as indices.
    pub fn exported_by(&self, document: &Document, node: NodeId) -> Vec<u32> {
        let end = document.node(node).end_id;
        let first = self
            .declarations
            .partition_point(|declaration| declaration.leaf < node);
        (first..self.declarations.len())
            .take_while(|&index| self.declarations[index].leaf < end)
            .filter(|&index| self.declarations[index].scope.start < node)
            .map(|index| u32::try_from(index).unwrap_or(u32::MAX))
            .collect()
    }

    /// The declarations whose leaves lie in a range of nodes.
    pub fn declared_in(&self, nodes: &Range<NodeId>) -> &[Declaration] {
        let start = self
            .declarations
            .partition_point(|declaration| declaration.leaf < nodes.start);
        let end = self
            .declarations
            .partition_point(|declaration| declaration.leaf < nodes.end);
        &self.declarations[start..end]
    }

    /// Whether the same name is declared in the same scope, for all arguments, by a leaf that is not `gone`.
    pub fn has_other_declaration(&self, declaration: &Declaration, gone: &FixedBitSet) -> bool {
        self.declared_in(&declaration.scope).iter().any(|other| {
            other.name == declaration.name
                && other.manner == declaration.manner
                && other.scope == declaration.scope
                && !other.specialises
                && !gone.contains(other.leaf as usize)
        })
    }

    /// Whether more than one declaration has the name of this one.
    pub fn has_several(&self, declaration: &Declaration) -> bool {
        self.counts[declaration.name as usize] > 1
    }

    /// Whether a member shares its name with so many others that little can be said of its uses.
    pub fn is_common_member(&self, declaration: &Declaration) -> bool {
        let is_member = declaration.manner == Manner::Member;
        is_member && self.counts[declaration.name as usize] > MOST_ALIKE
    }

    /// Whether other declarations, for all arguments, may be meant by the uses of one: those of the same name in its scope, and of a
    /// member all of its name.
    pub fn has_namesakes(&self, declaration: u32) -> bool {
        let declaration = &self.declarations[declaration as usize];
        let count = self.sharing.get(&sharing(declaration)).copied();
        count.unwrap_or_default() > u32::from(!declaration.specialises)
    }

    /// Whether a declared name is used in its scope by a leaf that is not `gone`.
    pub fn is_used(&self, declaration: u32, gone: &FixedBitSet) -> bool {
        let declaration = &self.declarations[declaration as usize];
        self.uses_in_scope(declaration)
            .iter()
            .any(|&leaf| !gone.contains(leaf as usize))
    }

    /// The numbers of those of some words that are names here. Cost: linear in all names.
    pub fn numbers_of(&self, words: &[String]) -> Vec<u32> {
        let is_one = |text: &[u8]| words.iter().any(|word| word.as_bytes() == text);
        let all = (0..).zip(&self.texts);
        all.filter(|(_, text)| is_one(text))
            .map(|(number, _)| number)
            .collect()
    }

    /// The uses that can mean a declaration, inside of its scope and elsewhere.
    pub fn uses_of(&self, declaration: &Declaration) -> &[NodeId] {
        let told_apart = self.told_apart.get(&(declaration.name, declaration.manner));
        told_apart.unwrap_or(&self.uses[declaration.name as usize])
    }

    /// Whether a use of a name can mean a declaration of this manner. Cost: logarithmic in its uses.
    pub fn can_mean(&self, name: u32, manner: Manner, leaf: NodeId) -> bool {
        let told_apart = self.told_apart.get(&(name, manner));
        told_apart.is_none_or(|meant| meant.binary_search(&leaf).is_ok())
    }

    /// The leaves that mean nothing without a declaration: its uses in its scope, and what specialises it.
    pub fn dependents_of(&self, declaration: &Declaration) -> impl Iterator<Item = NodeId> + '_ {
        let specialisations = self.specialisations.get(&declaration.name);
        let specialisations = specialisations.filter(|_| !declaration.specialises);
        let specialisations = specialisations.into_iter().flatten();
        let uses = self.uses_in_scope(declaration).iter();
        uses.chain(specialisations).copied()
    }

    /// The uses of a declared name in its scope.
    pub fn uses_in_scope(&self, declaration: &Declaration) -> &[NodeId] {
        self.uses_within(declaration, &declaration.scope)
    }

    /// The uses that can mean a declaration, among these nodes.
    pub fn uses_within(&self, declaration: &Declaration, nodes: &Range<NodeId>) -> &[NodeId] {
        let uses = self.uses_of(declaration);
        let start = uses.partition_point(|&leaf| leaf < nodes.start);
        let end = uses.partition_point(|&leaf| leaf < nodes.end);
        &uses[start..end]
    }
}

/// What declarations have in common whose uses may mean any of them: the name, and the scope if it is no member.
fn sharing(declaration: &Declaration) -> (u32, Option<NodeId>) {
    let is_member = declaration.manner == Manner::Member;
    let scope = (!is_member).then_some(declaration.scope.start);
    (declaration.name, scope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{pass::combined::LARGE, syntax::Language};

    #[track_caller]
    fn check(language: &str, text: &str, expected: &[(&str, usize)]) {
        let document = Document::new(text.as_bytes(), Language::named(language));
        assert!(!document.is_damaged());
        let names = Names::of(&document);
        let found: Vec<(&str, usize)> = names
            .declarations
            .iter()
            .map(|declaration| {
                let text = std::str::from_utf8(&names.texts[declaration.name as usize]).unwrap();
                (text, names.uses_in_scope(declaration).len())
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn declarations_are_told_from_uses() {
        check(
            "c",
            "int a, *b = &a; int f(int c) { return a + c; }",
            &[("a", 2), ("b", 0), ("f", 0), ("c", 1)],
        );
        check(
            "c",
            "struct s { int x; }; struct s v; int g(void) { return v.x; }",
            &[("s", 1), ("x", 1), ("v", 1), ("g", 0)],
        );
        check(
            "cpp",
            "template<class T> struct s {}; template<> struct s<int> { s<T> *p; }; s<int> v; int w = f<s<int>>();",
            &[("T", 0), ("s", 3), ("s", 3), ("p", 0), ("v", 0), ("w", 0)],
        );
        check(
            "javascript",
            "function f(a) { let b = a; return b }\nf(1)",
            &[("f", 1), ("a", 1), ("b", 1)],
        );
        check(
            "rust",
            "fn f(a: u8) -> u8 { let b = a; b }",
            &[("f", 0), ("a", 1), ("b", 1)],
        );
        check(
            "java",
            "class A { int f(int a) { return g(a); } }",
            &[("A", 0), ("f", 0), ("a", 1)],
        );
    }

    #[test]
    fn what_is_imported_is_declared() {
        check(
            "python",
            "import a.b\nfrom c import d, e as f\na.b(d, f)",
            &[("a", 1), ("d", 1), ("f", 1)],
        );
        check(
            "javascript",
            "import a, { b, c as d } from 'e'; import * as f from 'g'; a(b, d, f)",
            &[("a", 1), ("b", 1), ("d", 1), ("f", 1)],
        );
        check(
            "java",
            "import a.b.C; import a.*; class D { C c; }",
            &[("C", 1), ("D", 0), ("c", 0)],
        );
    }

    #[test]
    fn languages_that_are_built_on_demand_have_names_too() {
        if Language::named("kotlin").is_none() || Language::named("swift").is_none() {
            return;
        }
        check(
            "kotlin",
            "import a.b.C\nfun f(d: C) { val (e, g) = d\nfor (h in e) g(h) }\n",
            &[("C", 1), ("f", 0), ("d", 1), ("e", 1), ("g", 1), ("h", 1)],
        );
        check(
            "swift",
            "func f(a: B) { let c = a; for d in c { g { e in e + d } } }",
            &[("f", 0), ("a", 1), ("c", 1), ("d", 1), ("e", 1)],
        );
        check(
            "kotlin",
            "typealias A = B\nclass C<D>(val e: D) { val k = { l: A -> l + e } }\n",
            &[("A", 1), ("C", 0), ("D", 1), ("e", 1), ("k", 0), ("l", 1)],
        );
    }

    #[test]
    fn a_value_declares_a_name_that_nothing_else_declares() {
        check(
            "python",
            "a = 1\ndef f(b):\n  b = a\n  c = b\n  d = 1\n  d = c\n",
            &[("a", 1), ("f", 0), ("b", 2), ("c", 1)],
        );
        check(
            "python",
            "for a, b in c:\n  with a as d: d(b)\n",
            &[("a", 1), ("b", 1), ("d", 1)],
        );
        check(
            "ruby",
            "a = 1\ndef f\n  b = 2\n  b\nend\nc = a\nc = 2\n",
            &[("a", 1), ("f", 0), ("b", 1)],
        );
        check(
            "lua",
            "local a, b = 1, 2\nb = a\nc = b\nfor d in c() do e = d end",
            &[("a", 1), ("b", 2), ("c", 1), ("d", 1), ("e", 0)],
        );
        check(
            "php",
            "<?php function f($a) { $a = 1; $b = $a; return $b; }",
            &[("f", 0), ("a", 2), ("b", 1)],
        );
        check(
            "javascript",
            "let a; a = 1; function f() { b = a; for (c of b) c() }; b",
            &[("a", 2), ("f", 0), ("b", 2), ("c", 1)],
        );
        check(
            "typescript",
            "type a = (b: c) => d; type e = { (f: g): h }; b + f",
            &[("a", 0), ("b", 0), ("e", 0), ("f", 0)],
        );
        check(
            "javascript",
            "for (const a of b) a(); for (const a in b) { a() }",
            &[("a", 1), ("a", 1)],
        );
    }

    #[test]
    fn a_scope_ends_where_its_block_ends() {
        check(
            "c",
            "void f() { int a; a; } void g() { int a; a; a; }",
            &[("f", 0), ("a", 1), ("g", 0), ("a", 2)],
        );
    }

    #[test]
    fn a_parameter_is_seen_in_the_body() {
        check("python", "lambda a: a\n", &[("a", 1)]);
        check("rust", "const A: B = |a| a;", &[("A", 0), ("a", 1)]);
        check(
            "ruby",
            "def f(a)\n  a.g { |b| b }\n  ->(c) { c }\nend\n",
            &[("f", 0), ("a", 1), ("b", 1), ("c", 1)],
        );
    }

    #[test]
    fn a_parameter_of_a_type_is_seen_in_that_type_only() {
        let rust = "struct S<T>(T); impl<T: A> S<T> {} fn f<T>(t: T) {}";
        check(
            "rust",
            rust,
            &[("S", 1), ("T", 1), ("T", 1), ("f", 0), ("T", 1), ("t", 0)],
        );
        let typescript = "class A<T> { b: T; } function f<T>(c: T) {}";
        check(
            "typescript",
            typescript,
            &[("A", 0), ("T", 1), ("b", 0), ("f", 0), ("T", 1), ("c", 0)],
        );
    }

    #[test]
    fn what_stands_behind_a_dot_does_not_mean_a_variable() {
        check(
            "python",
            "class A:\n  def f(self): pass\ndef g(a, b):\n  b.a = a.f()\n",
            &[
                ("A", 0),
                ("f", 1),
                ("self", 0),
                ("g", 0),
                ("a", 1),
                ("b", 1),
            ],
        );
    }

    #[test]
    fn uses_may_mean_any_of_several_members_of_a_name() {
        let shared = |language: &str, text: &str| {
            let document = Document::new(text.as_bytes(), Language::named(language));
            let names = Names::of(&document);
            let all = (0..).take(names.declarations.len());
            let shared = all.filter(|&declaration| names.has_namesakes(declaration));
            shared.count()
        };
        let two = "impl A { fn f() {} } impl B { fn f() {} fn g() {} }";
        assert_eq!(shared("rust", two), 2);
        assert_eq!(
            shared("rust", "fn f() { let a = 1; let a = 2; { let a = 3; } }"),
            2
        );
        assert_eq!(shared("c", "int f(); int f() {}"), 2);
    }

    #[test]
    fn members_are_told_from_what_is_named_bare() {
        check(
            "rust",
            "impl S { fn f(&self) { self.f(); S::f(self); } } fn g(f: u8) { f; h!(f); s.f = S { f }; }",
            &[("f", 5), ("g", 0), ("f", 3)],
        );
        check(
            "rust",
            "struct S { f: u8 } fn f() { f(); s.f; }",
            &[("S", 0), ("f", 1), ("f", 2)],
        );
        check(
            "javascript",
            "class A { f() { this.f() } } function g(f) { f(); A.f(); h({ f }); h({ f: 1 }) }",
            &[("A", 1), ("f", 1), ("g", 0), ("f", 2)],
        );
    }

    #[test]
    fn a_member_that_is_given_a_value_is_declared_by_it_in_a_large_document() {
        let text = |rest: &str| {
            format!("function f(a) {{ a.b = 1; }} function g(c) {{ c.b(); b(); }} {rest}")
        };
        let small = [("f", 0), ("a", 1), ("g", 0), ("c", 1)];
        check("javascript", &text(""), &small);
        let large = text(&"1; ".repeat(LARGE as usize));
        let with_member = [("f", 0), ("a", 1), ("b", 1), ("g", 0), ("c", 1)];
        check("javascript", &large, &with_member);
    }
}
