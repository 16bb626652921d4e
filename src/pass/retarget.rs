//! Retargeting: all uses of a name become something else, and its declaration goes.
//!
//! The something else is another name (Vulcan's identifier replacement), which is the pass `replace-identifier`, or the text that
//! the declaration gives it (its initial value, the type behind an alias, the body of a macro), which is a part of the pass `inline`.
//! One edit for all uses and the declaration, so that no step in between has to be interesting.

use super::{
    Context,
    in_place::{is_behind_mark, value_at_use, without_unit},
    names::{Declaration, Names},
    proposal::Proposal,
};
use crate::syntax::{Document, NodeId, Role, Splice};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// How many other names are tried for one.
const MOST_NAMES: usize = 3;
/// What is declared in so few tokens is seldom worth asking about twice.
const A_FEW: u32 = 3;

/// Another name for every name that is declared once and used.
pub fn retargets(context: &Context) -> Vec<Proposal> {
    let (document, names) = (context.document(), context.names());
    let others = |declaration: &Declaration| other_names(document, names, declaration);
    retargeted(context, others, |text, leaf| {
        Splice::replacement(document.node(leaf).range(), text)
    })
}

/// The same for declarations that name nothing besides what they declare, in more than a few tokens: whether these can go depends on all
/// that stands around their uses.
pub fn of_nothing_else(context: &Context) -> Vec<Proposal> {
    let names = context.names();
    let mut uses: Vec<NodeId> = names.uses.iter().flatten().copied().collect();
    uses.sort_unstable();
    let uses_others = |proposal: &Proposal| {
        let first = |taken: &Range<NodeId>| uses.partition_point(|&leaf| leaf < taken.start);
        let mut takes = proposal.takes.iter();
        takes.any(|taken| uses.get(first(taken)).is_some_and(|&leaf| leaf < taken.end))
    };
    let mut proposals = retargets(context);
    proposals.retain(|proposal| proposal.weight > A_FEW && !uses_others(proposal));
    proposals
}

/// The value that its declaration gives it for every name that is declared once and used.
pub fn values(context: &Context) -> Vec<Proposal> {
    let (document, names) = (context.document(), context.names());
    let given = |declaration: &Declaration| {
        // Behind a path stands nothing but a name.
        let mut uses = names.uses_in_scope(declaration).iter();
        if is_type_alias(document, declaration) && uses.any(|&leaf| is_behind_mark(document, leaf))
        {
            return Vec::new();
        }
        given_value(document, declaration).into_iter().collect()
    };
    retargeted(context, given, |&value, leaf| {
        value_at_use(document, value, leaf)
    })
}

/// For every declared name each of the `others` at its uses, as `at_use` puts it there.
fn retargeted<T>(
    context: &Context,
    others: impl Fn(&Declaration) -> Vec<T>,
    at_use: impl Fn(&T, NodeId) -> Splice,
) -> Vec<Proposal> {
    let (document, units) = (context.document(), context.unit_map());
    let mut proposals = Vec::new();
    let shadows = Shadows::new(context.names());
    for (declaration, unit) in replaceable(context) {
        let uses: Vec<NodeId> = uses_outside(context, declaration, unit)
            .filter(|&leaf| !shadows.hide(declaration, leaf))
            .collect();
        if uses.is_empty() {
            continue;
        }
        for other in others(declaration) {
            let splices = uses.iter().map(|&leaf| at_use(&other, leaf)).collect();
            proposals.extend(without_unit(document, units, unit, splices));
        }
    }
    proposals
}

/// Where names are declared that others of the same text are declared around.
struct Shadows<'n> {
    by_name: FxHashMap<u32, Vec<&'n Declaration>>,
}

/// A name that is declared more often is not looked at so closely.
const MOST_NAMESAKES: usize = 50;

impl<'n> Shadows<'n> {
    fn new(names: &'n Names) -> Self {
        let mut by_name: FxHashMap<u32, Vec<&Declaration>> = FxHashMap::default();
        for declaration in &names.declarations {
            by_name
                .entry(declaration.name)
                .or_default()
                .push(declaration);
        }
        by_name.retain(|_, all| (2..=MOST_NAMESAKES).contains(&all.len()));
        Self { by_name }
    }

    /// Whether a use of the name of a declaration means another one, whose scope lies inside.
    fn hide(&self, declaration: &Declaration, leaf: NodeId) -> bool {
        let (outer, all) = (&declaration.scope, self.by_name.get(&declaration.name));
        let lies_inside = |inner: &Range<NodeId>| {
            outer.start <= inner.start && inner.end <= outer.end && outer != inner
        };
        let mut all = all.into_iter().flatten();
        all.any(|other| {
            other.manner == declaration.manner
                && other.scope.contains(&leaf)
                && lies_inside(&other.scope)
        })
    }
}

/// The declarations of one name that is used, each with the unit that goes when something else stands in the place of its uses.
pub(super) fn replaceable(context: &Context) -> Vec<(&Declaration, NodeId)> {
    let (document, names, units) = (context.document(), context.names(), context.unit_map());
    let mut found = Vec::new();
    for declaration in &names.declarations {
        if names.uses_in_scope(declaration).is_empty()
            || declaration.imports
            || names.is_common_member(declaration)
        {
            continue;
        }
        let Some(unit) = units.around(document, declaration.declarer) else {
            continue;
        };
        let taken = unit..document.node(unit).end_id;
        let declared = names.declared_in(&taken).iter();
        if declared.filter(|other| other.scope.start < unit).count() <= 1 {
            found.push((declaration, unit));
        }
    }
    found
}

/// The uses of a declared name that do not go with the unit that declares it.
pub(super) fn uses_outside<'c>(
    context: &'c Context,
    declaration: &Declaration,
    unit: NodeId,
) -> impl Iterator<Item = NodeId> + 'c {
    let taken = unit..context.document().node(unit).end_id;
    let uses = context.names().uses_in_scope(declaration).iter();
    uses.copied().filter(move |leaf| !taken.contains(leaf))
}

/// Other names of the same kind that could stand for a name, the nearest first; before them `int` for a type, and for a class what it
/// is made from.
fn other_names(document: &Document, names: &Names, declaration: &Declaration) -> Vec<Vec<u8>> {
    let uses = names.uses_in_scope(declaration);
    let ends = [uses.first(), uses.last()];
    let reaches_uses = |other: &Declaration| {
        let mut ends = ends.iter().flatten();
        ends.all(|leaf| other.scope.contains(leaf))
    };
    let mut texts: Vec<Vec<u8>> = Vec::new();
    if is_type_alias(document, declaration) {
        texts.push(b"int".to_vec());
    }
    texts.extend(base(document, declaration));
    let own = &names.texts[declaration.name as usize];
    let kind = document.node(declaration.leaf).kind;
    let mut others: Vec<(u32, &Declaration)> = names
        .declarations
        .iter()
        .filter(|other| other.name != declaration.name && document.node(other.leaf).kind == kind)
        .filter(|other| reaches_uses(other) && other.manner == declaration.manner)
        .map(|other| (other.leaf.abs_diff(declaration.leaf), other))
        .collect();
    others.sort_by_key(|(distance, _)| *distance);
    for (_, other) in others {
        if texts.len() == MOST_NAMES {
            break;
        }
        let text = &names.texts[other.name as usize];
        if text != own && !texts.iter().any(|known| **known == **text) {
            texts.push(text.to_vec());
        }
    }
    texts
}

/// The name of the first base of a class.
fn base(document: &Document, declaration: &Declaration) -> Option<Vec<u8>> {
    let mut children = document.children(declaration.declarer);
    let bases = children.find(|&child| document.has_role(child, Role::Bases))?;
    let kind = document.node(declaration.leaf).kind;
    let mut below = bases..document.node(bases).end_id;
    let name = below.find(|&node| document.node(node).kind == kind)?;
    Some(document.text(name).to_vec())
}

/// The node that holds what a declaration gives its name: an initial value, or the type behind an alias.
pub(super) fn given_value(document: &Document, declaration: &Declaration) -> Option<NodeId> {
    let mut at = declaration.leaf;
    while at != declaration.declarer && at != 0 {
        // Which of several values belongs to which of several names, nobody knows here.
        let is_list = |&child: &NodeId| document.kind_name(child).ends_with("_list");
        if is_list(&at) && document.children(at).nth(1).is_some() {
            return None;
        }
        let above = document.node(at).parent;
        for field in ["value", "default_value", "right", "init"] {
            let value = document.child_in_field(above, field);
            if let Some(value) = value.filter(|&value| value != at) {
                return Some(value);
            }
        }
        let mut lists = document
            .children(above)
            .filter(|child| *child != at && is_list(child));
        if let Some(value) = lists.find_map(|list| document.child_in_field(list, "value")) {
            return Some(value);
        }
        at = above;
    }
    let is_alias = is_type_alias(document, declaration);
    let typed = || document.child_in_field(declaration.declarer, "type");
    if is_alias { typed() } else { None }
}

/// Whether a declaration gives another name to a type, and not to types that parameters make of it.
fn is_type_alias(document: &Document, declaration: &Declaration) -> bool {
    let above = document.node(declaration.declarer).parent;
    document.has_role(declaration.declarer, Role::TypeAliases)
        && document.kind_name(above) != "template_declaration"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::{
        names::Manner,
        testing::{assert_offers, offered, sample},
    };

    #[test]
    fn all_uses_become_something_else_and_the_declaration_goes() {
        for (language, text, wanted) in [
            (
                "c",
                "typedef int t; int g; t f() { t a = g; return a; }",
                " int g; int f() { int a = g; return a; }",
            ),
            (
                "c",
                "typedef int t; int g; t f() { t a = g; return a; }",
                "typedef int t; int g; t f() {  return g; }",
            ),
            ("cpp", "using a = b<int>; a c; a d;", " b<int> c; b<int> d;"),
            (
                "rust",
                "type A = [u8; 2]; fn f(a: A) {}",
                " fn f(a: [u8; 2]) {}",
            ),
            (
                "go",
                "package a\ntype B = []C\nvar d B\n",
                "package a\n\nvar d []C\n",
            ),
            (
                "javascript",
                "let a = 1, b = 2; f(a, b)",
                "let  b = 2; f(b, b)",
            ),
            ("lua", "local a = b\nf(a)\n", "\nf(b)\n"),
            ("python", "a = b\nf(a)\n", "\nf(b)\n"),
            ("php", "<?php $a = b(); f($a);", "<?php  f(b());"),
            ("php", "<?php $a=new B; $a->c();", "<?php  (new B)->c();"),
            (
                "php",
                "<?php class A {} class B {} class C {} class D {} class E extends A {} new E;",
                "<?php class A {} class B {} class C {} class D {}  new A;",
            ),
            (
                "javascript",
                "const xs = A(i => i); P.q(xs)",
                " P.q(A(i => i))",
            ),
            (
                "ruby",
                "def f(x)\n x\nend\nx=g(1)\nh(x)\n",
                "def f(x)\n x\nend\n\nh(g(1))\n",
            ),
            (
                "python",
                "def f(x): x\nx=g(1)\nh(x)\n",
                "def f(x): x\n\nh(g(1))\n",
            ),
        ] {
            let all = |context: &Context| [values(context), retargets(context)].concat();
            assert_offers(language, text, wanted, all);
        }
    }

    #[test]
    fn what_declares_little_or_uses_others_is_not_asked_about_again() {
        let text = "class A {} let b = c; let d; f(A, b, d)";
        let found = offered("javascript", text, of_nothing_else);
        assert!(!found.is_empty());
        let goes = |found: &String| !found.contains("class A");
        assert!(found.iter().all(goes), "{found:?}");
    }

    #[test]
    fn a_type_does_not_come_behind_a_path() {
        for (language, text) in [
            ("cpp", "struct a { using b = int; }; a::b c;"),
            ("rust", "impl I for A { type B = u8; } fn f(a: A::B) {}"),
        ] {
            assert_eq!(offered(language, text, values), [""; 0]);
        }
    }

    #[test]
    fn a_member_that_many_types_have_means_none_of_them() {
        let text = |count: usize| {
            let classes = (0..count).map(|class| format!("struct S{class} {{ f: u8 }} "));
            format!("{} fn g() {{ a.f }}", classes.collect::<String>())
        };
        let members = |count| {
            let sample = sample("rust", &text(count));
            let found = replaceable(&sample);
            let members = found.iter().filter(|(it, _)| it.manner == Manner::Member);
            members.count()
        };
        assert!(members(2) > 0);
        assert_eq!(members(20), 0);
    }
}
