//! Which parts of a document cannot live without which others, by names.
//!
//! A part that uses a name has lost it when every part that declares it there is gone. Removing a part together with all that
//! loses a name by it, and so on, mostly leaves a valid program (Kalhauge and Palsberg, "Binary reduction of dependency graphs",
//! 2019). A name that several parts declare is lost with the last of them only, so overloads and members of equal names make
//! the graph too sparse, never too dense.

use super::{names::Names, namespaces, proposal::Proposal};
use crate::syntax::{Document, NodeId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
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

/// One name.
#[derive(Debug, Default)]
struct Tie {
    /// The parts that declare it, and where it is known.
    declarers: Vec<(u32, Range<NodeId>)>,
    /// Those of them that only say what it means for some arguments, and the leaves that do.
    specialisers: Vec<(u32, NodeId)>,
    /// The parts that use it, and from where they look it up.
    users: Vec<(u32, NodeId)>,
    /// Whether something outside of all parts declares it.
    is_kept: bool,
}

/// Stands for what lies in no part.
const OUTSIDE: u32 = u32::MAX;
/// What more parts declare is not followed: it is a word of the library, not the name of one thing.
const MOST_DECLARERS: usize = 32;
/// A word in more parts of a text without a grammar is one of the language.
const MOST_USERS: usize = 16;

impl Dependencies {
    /// Of the parts that these proposals take, which are in document order and lie in each other or side by side: by the names of
    /// the language, without a grammar by rare words.
    pub fn of(document: &Document, names: &Names, row: &[Proposal]) -> Self {
        let parts = Parts::of(row);
        let ties = if document.grammar().is_some() {
            by_names(document, names, &parts)
        } else {
            by_words(document, &parts)
        };
        let mut dependencies = Self {
            ends: ends(row),
            declared: vec![Vec::new(); row.len()],
            used: vec![Vec::new(); row.len()],
            names: ties,
        };
        for (name, tie) in (0..).zip(&dependencies.names) {
            for &(part, _) in &tie.declarers {
                dependencies.declared[part as usize].push(name);
            }
            for &(part, _) in tie.users.iter().filter(|&&(part, _)| part != OUTSIDE) {
                let used = &mut dependencies.used[part as usize];
                if used.last() != Some(&name) {
                    used.push(name);
                }
            }
        }
        dependencies
    }

    /// What each part weighs without those that lie in it.
    pub fn own_weights(&self, row: &[Proposal]) -> Arc<[u32]> {
        let mut weights: Vec<u32> = row.iter().map(|part| part.weight).collect();
        // The outer ones come first, and have no more to lose than what their inner ones weigh.
        for part in (0..row.len()).rev() {
            let mut inner = part + 1;
            while inner < self.ends[part] as usize {
                weights[part] = weights[part].saturating_sub(row[inner].weight);
                inner = self.ends[inner] as usize;
            }
        }
        weights.into()
    }

    /// Whether other parts lie in this one.
    pub fn is_shell(&self, part: u32) -> bool {
        self.ends[part as usize] > part + 1
    }

    /// Whether nothing that stays uses what this part declares, but what lies in it.
    pub fn is_unused(&self, part: u32, gone: &FixedBitSet) -> bool {
        let own = part..self.ends[part as usize];
        let mut declared = self.declared[part as usize].iter();
        declared.all(|&name| {
            let mut users = self.names[name as usize].users.iter();
            users.all(|&(user, _)| own.contains(&user) || gone.contains(user as usize))
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
                let declarers = self.names[name as usize].declarers.iter();
                let declarers = declarers.map(|&(declarer, _)| declarer);
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

    /// `gone` and all that loses a name, or what it lies in, when `parts` go too; what it adds to `gone`, in order.
    pub fn with_dependents(&self, gone: &FixedBitSet, parts: &[u32]) -> Vec<u32> {
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
                    if !gone.put(user as usize) {
                        open.push(user);
                        added.push(user);
                    }
                }
            }
        }
        added.sort_unstable();
        added
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
fn ends(row: &[Proposal]) -> Vec<u32> {
    let nodes = |part: &Proposal| {
        let start = part.takes.first().map_or(0, |nodes| nodes.start);
        start..part.takes.last().map_or(0, |nodes| nodes.end)
    };
    let count = u32::try_from(row.len()).unwrap_or(u32::MAX);
    let mut ends = vec![count; row.len()];
    let mut open: Vec<(NodeId, usize)> = Vec::new();
    for (next, part) in row.iter().map(nodes).enumerate() {
        while let Some((_, before)) = open.pop_if(|(end, _)| *end <= part.start) {
            ends[before] = u32::try_from(next).unwrap_or(u32::MAX);
        }
        open.push((part.end, next));
    }
    ends
}

fn by_names(document: &Document, names: &Names, parts: &Parts) -> Vec<Tie> {
    let spaces = namespaces::names(document);
    let mut ties = Vec::new();
    ties.resize_with(names.texts.len(), Tie::default);
    for declaration in &names.declarations {
        let tie: &mut Tie = &mut ties[declaration.name as usize];
        match parts.around(declaration.leaf) {
            Some((start, part)) if declaration.scope.start < start => {
                tie.declarers.push((part, declaration.scope.clone()));
                if declaration.specialises {
                    tie.specialisers.push((part, declaration.leaf));
                }
            }
            // Known inside of one part only.
            Some(_) => {}
            None => tie.is_kept = true,
        }
    }
    for (tie, uses) in ties.iter_mut().zip(&names.uses) {
        if !tie.declarers.is_empty() {
            let users = uses.iter();
            let users = users.map(|&leaf| {
                let part = parts.around(leaf).map_or(OUTSIDE, |(_, part)| part);
                (part, looked_up_from(document, &spaces, leaf))
            });
            tie.users = users.collect();
        }
    }
    ties
}

/// The place from which a name is looked up: where it stands, or the outermost if a namespace is written before it.
fn looked_up_from(document: &Document, spaces: &FxHashSet<&[u8]>, leaf: NodeId) -> NodeId {
    let qualifier = namespaces::qualifier(document, leaf);
    let is_outer = qualifier.is_some_and(|name| spaces.contains(name));
    if is_outer { 0 } else { leaf }
}

/// Without a grammar a word counts as declared where it comes first, if few parts have it.
fn by_words(document: &Document, parts: &Parts) -> Vec<Tie> {
    let everywhere = document.ids();
    let mut numbers: FxHashMap<&[u8], usize> = FxHashMap::default();
    let mut ties: Vec<Tie> = Vec::new();
    for leaf in document.leaves() {
        let word = document.text(leaf);
        let is_name = word.len() > 1 && word[0].is_ascii_alphabetic();
        let Some((_, part)) = parts.around(leaf).filter(|_| is_name) else {
            continue;
        };
        let number = *numbers.entry(word).or_insert(ties.len());
        match ties.get_mut(number) {
            Some(tie) => tie.users.push((part, leaf)),
            None => ties.push(Tie {
                declarers: vec![(part, everywhere.clone())],
                ..Tie::default()
            }),
        }
    }
    for tie in &mut ties {
        let first = tie.declarers[0].0;
        tie.users.retain(|&(part, _)| part != first);
        let mut users: Vec<u32> = tie.users.iter().map(|&(part, _)| part).collect();
        users.dedup();
        tie.is_kept = users.len() > MOST_USERS;
    }
    ties
}

impl Tie {
    /// The parts that knew the name from `part`, and know it from nowhere else.
    fn bereft(&self, part: u32, gone: &FixedBitSet) -> Vec<u32> {
        let general = self.declarers.len() - self.specialisers.len();
        if self.is_kept || general > MOST_DECLARERS {
            return Vec::new();
        }
        let knew = |leaf: &NodeId| {
            let mut own = self
                .declarers
                .iter()
                .filter(|(declarer, _)| *declarer == part);
            own.any(|(_, scope)| scope.contains(leaf))
        };
        let is_bereft = |&&(user, leaf): &&(u32, NodeId)| {
            let mut declarers = self.declarers.iter();
            // They are in the order of the parts, as what is declared is.
            let place = |part| {
                self.specialisers
                    .binary_search_by_key(&part, |&(part, _)| part)
            };
            let is_special = |part| general > 0 && place(part).is_ok();
            let is_alive = |declarer: &&(u32, Range<NodeId>)| {
                !gone.contains(declarer.0 as usize) && !is_special(declarer.0)
            };
            user != OUTSIDE
                && !gone.contains(user as usize)
                && knew(&leaf)
                && !declarers.any(|declarer| is_alive(&declarer) && declarer.1.contains(&leaf))
        };
        let bereft = self
            .users
            .iter()
            .chain(&self.specialisers)
            .filter(is_bereft);
        bereft.map(|&(user, _)| user).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::{rows, testing::sample};

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
            assert_eq!(found.with_dependents(none, &[0]), [0, 1, 2]);
            assert_eq!(found.with_dependents(none, &[3]), [3]);
        });
        // Another declaration of the same name is as good.
        check("int a; int a; int b = a;", |found, none| {
            assert_eq!(found.with_dependents(none, &[0]), [0]);
            assert_eq!(found.with_dependents(none, &[0, 1]), [0, 1, 2]);
        });
    }

    #[test]
    fn what_specialises_depends_on_what_it_specialises() {
        let text = "template<class T> struct a {}; template<> struct a<int> {}; template<> struct a<char> {}; a<int> b; int c;";
        check_in("cpp", text, |found, none| {
            assert_eq!(found.with_dependents(none, &[0]), [0, 1, 2, 3]);
            assert_eq!(found.with_dependents(none, &[1]), [1]);
            assert_eq!(found.with_dependents(none, &[2]), [2]);
        });
    }

    #[test]
    fn a_local_name_ties_nothing_together() {
        check(
            "int f() { int a; a = 1; } int g() { a = 2; }",
            |found, none| {
                assert_eq!(found.with_dependents(none, &[0]), [0]);
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
}
