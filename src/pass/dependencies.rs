//! Which parts of a document cannot live without which others, by names.
//!
//! A part that uses a name has lost it when every part that declares it there is gone. Removing a part together with all that
//! loses a name by it, and so on, mostly leaves a valid program (Kalhauge and Palsberg, "Binary reduction of dependency graphs",
//! 2019). A name that several parts declare is lost with the last of them only, and behind a namespace with the last that this one
//! holds; so overloads and members of equal names make the graph too sparse, hardly ever too dense.

use super::{
    names::Names,
    proposal::Proposal,
    ties::{self, OUTSIDE, Tie},
};
use crate::syntax::{Document, NodeId};
use fixedbitset::FixedBitSet;
use std::{cmp::Reverse, ops::Range, sync::Arc};

/// The names that tie the parts of one row together.
#[derive(Debug, Default)]
pub struct Dependencies {
    /// By part: the first part behind it that does not lie in it.
    ends: Vec<u32>,
    /// By part: the names that it declares for others.
    declared: Vec<Vec<u32>>,
    /// By part: the names of other parts that it uses.
    used: Vec<Vec<u32>>,
    /// By name.
    names: Vec<Tie>,
}

impl Dependencies {
    /// Of the parts that these proposals take, which are in document order and lie in each other or side by side: by the names of
    /// the language, without a grammar by rare words.
    pub fn of(document: &Document, names: &Names, row: &[Proposal]) -> Self {
        let parts = Parts::of(row);
        let ties = if document.grammar().is_some() {
            ties::by_names(document, names, &parts)
        } else {
            ties::by_words(document, &parts)
        };
        let mut dependencies = Self {
            ends: ends(row),
            declared: vec![Vec::new(); row.len()],
            used: vec![Vec::new(); row.len()],
            names: ties,
        };
        for (name, tie) in (0..).zip(&dependencies.names) {
            for part in tie.declarers() {
                dependencies.declared[part as usize].push(name);
            }
            for part in tie.users().filter(|&part| part != OUTSIDE) {
                let used = &mut dependencies.used[part as usize];
                if used.last() != Some(&name) {
                    used.push(name);
                }
            }
        }
        dependencies
    }

    /// What each part weighs without those that lie in it.
    pub fn own_weights(row: &[Proposal]) -> Arc<[u32]> {
        let ends = ends(row);
        let mut weights: Vec<u32> = row.iter().map(|part| part.weight).collect();
        // The outer ones come first, and have no more to lose than what their inner ones weigh.
        for part in (0..row.len()).rev() {
            let mut inner = part + 1;
            while inner < ends[part] as usize {
                weights[part] = weights[part].saturating_sub(row[inner].weight);
                inner = ends[inner] as usize;
            }
        }
        weights.into()
    }

    /// Whether other parts lie in this one.
    pub fn is_shell(&self, part: u32) -> bool {
        self.ends[part as usize] > part + 1
    }

    /// Whether nothing that stays uses what this part declares, or what lies in it, but what lies in it.
    pub fn is_unused(&self, part: u32, gone: &FixedBitSet) -> bool {
        let own = part..self.ends[part as usize];
        let alive = own
            .clone()
            .filter(|&it| it == part || !gone.contains(it as usize));
        let mut declared = alive.flat_map(|it| &self.declared[it as usize]);
        declared.all(|&name| {
            let mut users = self.names[name as usize].users();
            users.all(|user| own.contains(&user) || gone.contains(user as usize))
        })
    }

    /// `parts`, and all that nothing uses any more when they go; what that adds to `gone`, in order.
    pub fn with_garbage(&self, gone: &FixedBitSet, parts: &[u32]) -> Vec<u32> {
        let mut gone = gone.clone();
        let mut added: Vec<u32> = Vec::new();
        let mut open = parts.to_vec();
        while let Some(part) = open.pop() {
            if gone.put(part as usize) {
                continue;
            }
            added.push(part);
            open.extend(part + 1..self.ends[part as usize]);
            for &name in &self.used[part as usize] {
                let declarers = self.names[name as usize].declarers();
                open.extend(declarers.filter(|&it| self.is_unused(it, &gone)));
            }
        }
        added.sort_unstable();
        added
    }

    /// What each part weighs together with all that only it uses; nothing for parts that are in use, and for those around others what
    /// they weigh without them.
    pub fn loads(&self, weights: &[u32]) -> Arc<[u32]> {
        let gone = FixedBitSet::with_capacity(self.declared.len());
        let parts = 0..u32::try_from(self.declared.len()).unwrap_or(u32::MAX);
        parts
            .map(|part| {
                if !self.is_unused(part, &gone) {
                    return 0;
                }
                if self.is_shell(part) {
                    return weights[part as usize];
                }
                let all = self.with_garbage(&gone, &[part]);
                all.into_iter()
                    .map(|part| weights[part as usize])
                    .fold(0, u32::saturating_add)
            })
            .collect()
    }

    /// `gone` and all that loses a name, or what it lies in, when `parts` go too; what it adds to `gone`, in order. `None` if that
    /// is something that is `needed`, or lies in no part.
    pub fn with_dependents(
        &self,
        gone: &FixedBitSet,
        needed: &FixedBitSet,
        parts: &[u32],
    ) -> Option<Vec<u32>> {
        let mut gone = gone.clone();
        let mut added = Vec::new();
        let mut open = Vec::new();
        for &part in parts {
            if !gone.put(part as usize) {
                open.push(part);
                added.push(part);
            }
        }
        while let Some(part) = open.pop() {
            for inner in part + 1..self.ends[part as usize] {
                if !gone.put(inner as usize) {
                    open.push(inner);
                    added.push(inner);
                }
            }
            for &name in &self.declared[part as usize] {
                for user in self.names[name as usize].bereft(part, &gone) {
                    if user == OUTSIDE {
                        return None;
                    }
                    if !gone.put(user as usize) {
                        open.push(user);
                        added.push(user);
                    }
                }
            }
        }
        added.sort_unstable();
        let is_needed = |&part: &u32| needed.contains(part as usize);
        Some(added).filter(|added| !added.iter().any(is_needed))
    }
}

/// Which part each node lies in.
pub(super) struct Parts {
    /// In document order, with the first node of the part.
    nodes: Vec<(Range<NodeId>, NodeId, u32)>,
}

impl Parts {
    /// Of proposals that lie in each other or side by side: a node lies in the innermost.
    pub(super) fn of(row: &[Proposal]) -> Self {
        let each = (0..).zip(row);
        let takes = each.flat_map(|(part, proposal)| {
            let takes = proposal.takes.iter().cloned();
            takes.map(move |nodes| (nodes, part))
        });
        let mut takes: Vec<(Range<NodeId>, u32)> = takes.collect();
        takes.sort_by_key(|(nodes, _)| (nodes.start, Reverse(nodes.end)));
        let mut parts = Self { nodes: Vec::new() };
        let mut open: Vec<(Range<NodeId>, u32)> = Vec::new();
        let mut from = 0;
        for (nodes, part) in takes {
            while let Some((around, outer)) = open.pop_if(|(around, _)| around.end <= nodes.start) {
                parts.push(&mut from, around.end, around.start, outer);
            }
            if let Some((around, outer)) = open.last() {
                parts.push(&mut from, nodes.start, around.start, *outer);
            }
            from = nodes.start;
            open.push((nodes, part));
        }
        while let Some((around, outer)) = open.pop() {
            parts.push(&mut from, around.end, around.start, outer);
        }
        parts
    }

    fn push(&mut self, from: &mut NodeId, end: NodeId, start: NodeId, part: u32) {
        if *from < end {
            self.nodes.push((*from..end, start, part));
        }
        *from = end;
    }

    /// The part around a leaf, and its first node there.
    pub(super) fn around(&self, leaf: NodeId) -> Option<(NodeId, u32)> {
        let place = self.nodes.partition_point(|(nodes, ..)| nodes.end <= leaf);
        let (nodes, start, part) = self.nodes.get(place)?;
        (nodes.start <= leaf).then_some((*start, *part))
    }
}

/// By proposal, in document order: the first behind it that does not lie in it.
pub(super) fn ends(row: &[Proposal]) -> Vec<u32> {
    let count = u32::try_from(row.len()).unwrap_or(u32::MAX);
    let mut ends = vec![count; row.len()];
    let mut open: Vec<(NodeId, usize)> = Vec::new();
    let mut last = 0;
    for (next, part) in row.iter().enumerate() {
        // What takes no node, as a blank line among lines, stands behind what is before it.
        let part = if part.takes.is_empty() {
            last..last
        } else {
            part.nodes()
        };
        last = part.end;
        while let Some((_, before)) = open.pop_if(|(end, _)| *end <= part.start) {
            ends[before] = u32::try_from(next).unwrap_or(u32::MAX);
        }
        open.push((part.end, next));
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::{lines, rows, testing::sample};

    /// The declarations of a text as one row.
    fn check(text: &str, assert_about: impl Fn(&Dependencies, &FixedBitSet)) {
        check_in("c", text, assert_about);
    }

    fn check_in(language: &str, text: &str, assert_about: impl Fn(&Dependencies, &FixedBitSet)) {
        let sample = sample(language, text);
        let (document, names) = (sample.document(), sample.names());
        let row = rows::row(document, names, sample.units(), 100, 100);
        let none = FixedBitSet::with_capacity(row.len());
        assert_about(&Dependencies::of(document, names, &row), &none);
    }

    #[test]
    fn what_loses_a_name_depends_on_it() {
        check("int a; int b = a; int c = b; int d;", |found, none| {
            assert_eq!(found.with_dependents(none, none, &[0]).unwrap(), [0, 1, 2]);
            assert_eq!(found.with_dependents(none, none, &[3]).unwrap(), [3]);
        });
        // Another declaration of the same name is as good.
        check("int a; int a; int b = a;", |found, none| {
            assert_eq!(found.with_dependents(none, none, &[0]).unwrap(), [0]);
            assert_eq!(
                found.with_dependents(none, none, &[0, 1]).unwrap(),
                [0, 1, 2]
            );
        });
    }

    #[test]
    fn what_has_arguments_means_a_template_where_a_type_stands() {
        let text = "template<class T> struct a {}; template<class T> T a(T b); struct c { typedef int a; }; struct d : a<int> {}; int e = a(1);";
        check_in("cpp", text, |found, none| {
            assert_eq!(found.with_dependents(none, none, &[0]).unwrap(), [0, 3]);
            assert_eq!(found.with_dependents(none, none, &[1]).unwrap(), [1]);
        });
    }

    #[test]
    fn what_specialises_depends_on_what_it_specialises() {
        let text = "template<class T> struct a {}; template<> struct a<int> {}; template<> struct a<char> {}; a<int> b; int c;";
        check_in("cpp", text, |found, none| {
            assert_eq!(
                found.with_dependents(none, none, &[0]).unwrap(),
                [0, 1, 2, 3]
            );
            assert_eq!(found.with_dependents(none, none, &[1]).unwrap(), [1]);
            assert_eq!(found.with_dependents(none, none, &[2]).unwrap(), [2]);
        });
        let text =
            "template<class T> struct a; template<> struct a<int> { a(); a(const a &b); }; int c;";
        check_in("cpp", text, |found, none| {
            assert_eq!(found.with_dependents(none, none, &[0]).unwrap(), [0, 1]);
        });
    }

    #[test]
    fn what_says_that_there_is_a_type_for_some_arguments_goes_with_it() {
        let text = "template<class T> struct a {}; template<> struct a<int>; template<> struct a<char>; \
            template<> struct a<int > { int b; }; a<int> c;";
        check_in("cpp", text, |found, none| {
            assert_eq!(found.with_dependents(none, none, &[3]).unwrap(), [1, 3]);
            assert_eq!(found.with_dependents(none, none, &[2]).unwrap(), [2]);
        });
        let text = "namespace a { template<class T> struct h {}; template<> struct h<int>; } \
            namespace b { template<class T> struct h {}; template<> struct h<int> {}; }";
        check_in("cpp", text, |found, none| {
            assert_eq!(found.with_dependents(none, none, &[1]).unwrap(), [1]);
        });
    }

    #[test]
    fn what_a_literal_is_made_by_declares_nothing_else() {
        let text = "namespace a { int m(int); } namespace a { int operator\"\"m(long double); } int c() { return a::m(1); } int d() { return a::e(1m); }";
        check_in("cpp", text, |found, none| {
            assert_eq!(found.with_dependents(none, none, &[0]).unwrap(), [0, 2]);
            assert_eq!(found.with_dependents(none, none, &[1]).unwrap(), [1, 3]);
        });
    }

    #[test]
    fn what_a_namespace_is_named_for_is_lost_with_what_that_declares() {
        let text = "namespace a { inline namespace c { void f(int); } } namespace a { struct s { void f(int); }; } \
            namespace b { void f(int); } int g() { a::f(1); } int h() { b::f(1); f(1); }";
        check_in("cpp", text, |found, none| {
            assert_eq!(found.with_dependents(none, none, &[0]).unwrap(), [0, 3]);
            assert_eq!(found.with_dependents(none, none, &[1]).unwrap(), [1]);
            assert_eq!(found.with_dependents(none, none, &[2]).unwrap(), [2, 4]);
        });
    }

    #[test]
    fn what_is_defined_apart_depends_on_its_declaration() {
        let text =
            "struct a { int b(); int c; }; int a::b() { return 1; } int f() { return a().b(); }";
        let sample = sample("cpp", text);
        let (document, names) = (sample.document(), sample.names());
        let row = rows::row(document, names, sample.units(), 8, 8);
        let found = Dependencies::of(document, names, &row);
        let none = &FixedBitSet::with_capacity(row.len());
        assert_eq!(row.len(), 4);
        assert_eq!(found.with_dependents(none, none, &[0]).unwrap(), [0, 2, 3]);
        assert_eq!(found.with_dependents(none, none, &[2]).unwrap(), [2]);
    }

    #[test]
    fn without_a_grammar_a_declaration_goes_with_what_begins_alike() {
        let text = "proc int out is\nproc one(x: int) out int;\nproc two(x: int) out int;\nproc one(x: int) out int is\nend\n";
        let sample = sample("none", text);
        let lines = lines::lines(&sample);
        let found = Dependencies::of(sample.document(), sample.names(), &lines);
        let none = &FixedBitSet::with_capacity(lines.len());
        assert_eq!(found.with_dependents(none, none, &[3]).unwrap(), [1, 3]);
        assert_eq!(found.with_dependents(none, none, &[2]).unwrap(), [2]);
    }

    #[test]
    fn a_local_name_ties_nothing_together() {
        check(
            "int f() { int a; a = 1; } int g() { a = 2; }",
            |found, none| {
                assert_eq!(found.with_dependents(none, none, &[0]).unwrap(), [0]);
            },
        );
    }

    #[test]
    fn garbage_is_what_only_the_gone_used() {
        let text = "int a; int b; int f() { return a + b; } int g() { return b; }";
        check(text, |found, none| {
            assert!(found.is_unused(2, none) && !found.is_unused(0, none));
            assert_eq!(found.with_garbage(none, &[2]), [0, 2]);
            assert_eq!(found.with_garbage(none, &[2, 3]), [0, 1, 2, 3]);
            assert_eq!(*found.loads(&[3, 3, 11, 9]), [0, 0, 14, 9]);
        });
    }

    #[test]
    fn an_operator_is_used_where_it_is_applied_and_nothing_is_lost_without_it() {
        let text = "struct a {}; a operator+(a, a); a operator-(a, a); int f(a b) { b + b; }";
        check_in("cpp", text, |found, none| {
            assert!(!found.is_unused(1, none) && found.is_unused(2, none));
            assert_eq!(found.with_dependents(none, none, &[1]).unwrap(), [1]);
        });
    }

    #[test]
    fn what_is_around_others_is_used_where_they_are() {
        let sample = sample(
            "cpp",
            "namespace a { int b; int c; } namespace d { int e; } int f = a::b;",
        );
        let (document, names) = (sample.document(), sample.names());
        let row = rows::row(document, names, sample.units(), 1, 1);
        let row = rows::with_shells(document, sample.units(), row);
        let found = Dependencies::of(document, names, &row);
        let none = &FixedBitSet::with_capacity(row.len());
        let shells: Vec<u32> = (0..)
            .take(row.len())
            .filter(|&it| found.is_shell(it))
            .collect();
        assert_eq!(shells.len(), 2);
        assert!(!found.is_unused(shells[0], none) && found.is_unused(shells[1], none));
    }
}
