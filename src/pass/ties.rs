//! What ties the parts of a row together: which of them declare a name, and which use it.

use super::{
    dependencies::Parts,
    names::{Declaration, Names},
    namespaces,
    walls::{is_open, walls_above},
};
use crate::syntax::{Document, NodeId, Role};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::{collections::BTreeMap, ops::Range};

/// Stands for what lies in no part.
pub(super) const OUTSIDE: u32 = u32::MAX;
/// A word in more parts of a text without a grammar is one of the language.
const MOST_USERS: usize = 16;
/// A name with more declarations is not looked at: it would take longer than the questions that it saves.
const MOST_DECLARERS: usize = 2000;
/// Stands for no list of members.
const NOWHERE: NodeId = 0;

/// One name.
#[derive(Debug, Default)]
pub(super) struct Tie {
    declarers: Vec<Declarer>,
    users: Vec<User>,
    /// Whether nothing is lost without it: a word of the language, or one with too many meanings.
    is_kept: bool,
}

/// What declares a name.
#[derive(Debug)]
struct Declarer {
    part: u32,
    leaf: NodeId,
    /// Where it is known.
    scope: Range<NodeId>,
    /// The list of members that it stands in.
    home: NodeId,
    /// Where it is not known yet: what stands before its body, but for types.
    head: Range<NodeId>,
    /// Whether it only says what the name means for some arguments, or says more of what is declared elsewhere.
    is_further: bool,
    /// Whether what it declares can have arguments where a type stands.
    is_template: bool,
}

/// What uses a name.
#[derive(Debug)]
struct User {
    part: u32,
    leaf: NodeId,
    /// The place from which it looks the name up.
    from: NodeId,
    /// The nearest list of members around it in which the name is declared, if nothing is written before the name.
    home: NodeId,
    /// Whether it gives arguments where a type stands.
    is_instance: bool,
}

impl Tie {
    /// The parts that declare it.
    pub(super) fn declarers(&self) -> impl Iterator<Item = u32> + '_ {
        let parts = self.declarers.iter().map(|declarer| declarer.part);
        parts.filter(|&part| part != OUTSIDE)
    }

    /// The parts that use it, and [`OUTSIDE`].
    pub(super) fn users(&self) -> impl Iterator<Item = u32> + '_ {
        self.users.iter().map(|user| user.part)
    }

    /// The parts that knew the name from `part`, and know it from nowhere else, with [`OUTSIDE`].
    pub(super) fn bereft(&self, part: u32, gone: &FixedBitSet) -> Vec<u32> {
        if self.is_kept {
            return Vec::new();
        }
        let has_template = self.declarers.iter().any(|it| it.is_template);
        let has_general = self.declarers.iter().any(|declarer| !declarer.is_further);
        let own: Vec<&Declarer> = self
            .declarers
            .iter()
            .filter(|declarer| declarer.part == part)
            .collect();
        let alive: Vec<&Declarer> = self
            .declarers
            .iter()
            .filter(|declarer| !gone.contains(declarer.part as usize))
            .collect();
        let is_bereft = |user: &User, is_other: &dyn Fn(&Declarer) -> bool| {
            let is_of_a_kind = |it: &Declarer| it.is_template || !user.is_instance || !has_template;
            let is_meant =
                |declarer: &Declarer| declarer.can_be_meant_by(user) && is_of_a_kind(declarer);
            let is_enough =
                |declarer: &Declarer| !declarer.is_further || !has_general || user.home != NOWHERE;
            !gone.contains(user.part as usize)
                && own.iter().any(|declarer| is_meant(declarer))
                && !alive
                    .iter()
                    .any(|it| is_enough(it) && is_meant(it) && is_other(it))
        };
        let further = self.declarers.iter().filter(|declarer| declarer.is_further);
        // What a class of its own name has in it does not declare it for others.
        let further = further
            .map(Declarer::as_user)
            .filter(|user| is_bereft(user, &|it| it.part != user.part));
        let users = self.users.iter().filter(|user| is_bereft(user, &|_| true));
        users
            .map(|user| user.part)
            .chain(further.map(|user| user.part))
            .collect()
    }
}

impl Declarer {
    fn of(
        (document, names): (&Document, &Names),
        declaration: &Declaration,
        part: u32,
        home: NodeId,
    ) -> Self {
        Self {
            part,
            leaf: declaration.leaf,
            scope: declaration.scope.clone(),
            home,
            head: head(document, declaration),
            is_further: declaration.specialises
                || declaration.imports
                || declaration.is_elsewhere(document),
            is_template: names.is_template(document, declaration),
        }
    }

    fn can_be_meant_by(&self, user: &User) -> bool {
        let is_local = self.scope.start != 0;
        let is_near = is_local || user.home == NOWHERE || self.home == user.home;
        is_near && self.scope.contains(&user.from) && !self.head.contains(&user.leaf)
    }

    /// What says more of a name needs what says the rest.
    fn as_user(&self) -> User {
        User {
            part: self.part,
            leaf: self.leaf,
            from: self.leaf,
            home: NOWHERE,
            is_instance: false,
        }
    }
}

/// By name, with a grammar. Cost: linear in the document, and in the uses of a name times its declarations in lists of members.
pub(super) fn by_names(document: &Document, names: &Names, parts: &Parts) -> Vec<Tie> {
    let homes = homes(document);
    let spaces = namespaces::names(document);
    let mut ties = Vec::new();
    ties.resize_with(names.texts.len(), Tie::default);
    for declaration in &names.declarations {
        let part = match parts.around(declaration.leaf) {
            Some((start, part)) if declaration.scope.start < start => part,
            // Known inside of one part only.
            Some(_) => continue,
            None => OUTSIDE,
        };
        let is_local = declaration.scope.start != 0;
        let tie: &mut Tie = &mut ties[declaration.name as usize];
        let home = if is_local {
            NOWHERE
        } else {
            homes[declaration.declarer as usize]
        };
        tie.declarers
            .push(Declarer::of((document, names), declaration, part, home));
    }
    for (tie, uses) in ties.iter_mut().zip(&names.uses) {
        if tie.declarers().next().is_none() {
            continue;
        }
        let known: FxHashSet<NodeId> = tie.declarers.iter().map(|it| it.home).collect();
        let user = |&leaf: &NodeId| {
            let part = parts.around(leaf).map_or(OUTSIDE, |(_, part)| part);
            let qualifier = namespaces::qualifier(document, leaf);
            let is_outer = qualifier.is_some_and(|name| spaces.contains(name));
            let is_known = |home: &NodeId| known.contains(home);
            let around = around(document, &homes, leaf).find(is_known);
            User {
                part,
                leaf,
                from: if is_outer { 0 } else { leaf },
                home: around.filter(|_| qualifier.is_none()).unwrap_or(NOWHERE),
                is_instance: names.is_instance(leaf),
            }
        };
        tie.users = uses.iter().map(user).collect();
        tie.is_kept = tie.declarers.len() > MOST_DECLARERS;
    }
    ties.extend(by_operators(document, names, parts));
    ties.extend(by_spaces(document, names, parts, &spaces));
    ties.extend(by_type_arguments(document, names, parts));
    ties
}

/// By what a type is for some arguments: one that is declared but not defined goes with its definition, since alone it would hide what
/// the type is for any arguments. Cost: linear in such declarations.
fn by_type_arguments(document: &Document, names: &Names, parts: &Parts) -> Vec<Tie> {
    let mut ties: BTreeMap<(u32, Vec<&[u8]>), Tie> = BTreeMap::new();
    let declarations = names.declarations.iter();
    for declaration in declarations.filter(|it| it.specialises && it.is_type) {
        let [name, body] =
            ["name", "body"].map(|field| document.child_in_field(declaration.declarer, field));
        let (Some(name), Some((_, part))) = (name, parts.around(declaration.leaf)) else {
            continue;
        };
        let leaves = (name..document.node(name).end_id).filter(|&leaf| document.is_leaf(leaf));
        let words = leaves.map(|leaf| document.text(leaf)).collect();
        let tie = ties.entry((declaration.name, words)).or_default();
        if body.is_some() {
            let declarer = Declarer::known_everywhere(part, declaration.leaf, document);
            tie.declarers.push(declarer);
        } else {
            tie.users.push(User::anywhere(part, declaration.leaf));
        }
    }
    let ties = ties.into_values();
    let is_tied = |tie: &Tie| !tie.declarers.is_empty() && !tie.users.is_empty();
    ties.filter(|tie| is_tied(tie) && tie.declarers.len() <= MOST_DECLARERS)
        .collect()
}

/// By name and the namespace that is written before it: what is declared elsewhere by that name is not meant there. Cost: linear in
/// the uses of names, and in what declares them times its depth.
fn by_spaces(
    document: &Document,
    names: &Names,
    parts: &Parts,
    spaces: &FxHashSet<&[u8]>,
) -> Vec<Tie> {
    let mut ties: BTreeMap<(u32, &[u8]), Tie> = BTreeMap::new();
    let mut is_named_so = FixedBitSet::with_capacity(names.uses.len());
    for (name, uses) in (0..).zip(&names.uses) {
        for &leaf in uses {
            let qualifier = namespaces::qualifier(document, leaf);
            let Some(space) = qualifier.filter(|it| spaces.contains(it)) else {
                continue;
            };
            is_named_so.insert(name as usize);
            let tie = ties.entry((name, space)).or_default();
            tie.users.push(User {
                part: parts.around(leaf).map_or(OUTSIDE, |(_, part)| part),
                leaf,
                from: 0,
                home: NOWHERE,
                is_instance: names.is_instance(leaf),
            });
        }
    }
    let walls = walls_above(document);
    let is_meant = |it: &&Declaration| is_named_so.contains(it.name as usize);
    for declaration in names.declarations.iter().filter(is_meant) {
        let Some(space) = namespaces::innermost(document, declaration.leaf) else {
            continue;
        };
        let around = parts.around(declaration.leaf);
        let is_inner = around.is_some_and(|(start, _)| declaration.scope.start >= start);
        let tie = ties.get_mut(&(declaration.name, space));
        if let Some(tie) = tie.filter(|_| !is_inner && is_open(document, &walls, declaration.leaf))
        {
            let part = around.map_or(OUTSIDE, |(_, part)| part);
            tie.declarers
                .push(Declarer::of((document, names), declaration, part, NOWHERE));
        }
    }
    let ties = ties.into_values();
    let ties =
        ties.filter(|tie| !tie.declarers.is_empty() && tie.declarers.len() <= MOST_DECLARERS);
    ties.collect()
}

/// By operator that the document declares for types of its own. What applies one may mean another, so nothing is lost without it.
fn by_operators(document: &Document, names: &Names, parts: &Parts) -> Vec<Tie> {
    let declarer = |&leaf: &NodeId| {
        let (_, part) = parts.around(leaf)?;
        Some(Declarer::known_everywhere(part, leaf, document))
    };
    let user = |&leaf: &NodeId| User {
        part: parts.around(leaf).map_or(OUTSIDE, |(_, part)| part),
        leaf,
        from: leaf,
        home: NOWHERE,
        is_instance: false,
    };
    let operators = names.declared_operators(document).into_iter();
    let ties = operators.map(|[own, applied]| Tie {
        declarers: own.iter().filter_map(declarer).collect(),
        users: applied.iter().map(user).collect(),
        is_kept: true,
    });
    ties.collect()
}

/// Where a declaration does not mean itself.
fn head(document: &Document, declaration: &Declaration) -> Range<NodeId> {
    let declarer = declaration.declarer;
    if declaration.is_type && !document.has_role(declarer, Role::TypeAliases) {
        return 0..0;
    }
    let body = document.child_in_field(declarer, "body");
    declarer..body.unwrap_or(document.node(declarer).end_id)
}

/// By node: the nearest list of members around it whose names are known inside.
fn homes(document: &Document) -> Vec<NodeId> {
    let mut homes: Vec<NodeId> = Vec::with_capacity(document.nodes().len());
    for (id, node) in (0..).zip(document.nodes()) {
        let is_home = document.has_role(id, Role::Members)
            && !document.has_role(node.parent, Role::Namespaces);
        let home = match id {
            _ if is_home => id,
            0 => NOWHERE,
            _ => homes[node.parent as usize],
        };
        homes.push(home);
    }
    homes
}

/// The lists of members around a node, the nearest first.
fn around<'a>(
    document: &'a Document,
    homes: &'a [NodeId],
    node: NodeId,
) -> impl Iterator<Item = NodeId> + 'a {
    let first = homes[node as usize];
    let next =
        |&home: &NodeId| (home != NOWHERE).then(|| homes[document.node(home).parent as usize]);
    std::iter::successors(Some(first), next).take_while(|&home| home != NOWHERE)
}

impl Declarer {
    /// What is known wherever it stands: a word of a text without a grammar, an operator, what a type is for some arguments.
    fn known_everywhere(part: u32, leaf: NodeId, document: &Document) -> Self {
        Self {
            part,
            leaf,
            scope: document.ids(),
            home: NOWHERE,
            head: 0..0,
            is_further: false,
            is_template: true,
        }
    }
}

impl User {
    fn anywhere(part: u32, leaf: NodeId) -> Self {
        Self {
            part,
            leaf,
            from: leaf,
            home: NOWHERE,
            is_instance: false,
        }
    }
}

/// Without a grammar a word counts as declared where it comes first, if few parts have it.
pub(super) fn by_words(document: &Document, parts: &Parts) -> Vec<Tie> {
    let mut numbers: FxHashMap<&[u8], usize> = FxHashMap::default();
    let mut ties: Vec<Tie> = Vec::new();
    for leaf in document.leaves() {
        let word = document.text(leaf);
        let is_name = word.len() > 1 && word[0].is_ascii_alphabetic();
        let Some((_, part)) = parts.around(leaf).filter(|_| is_name) else {
            continue;
        };
        let number = *numbers.entry(word).or_insert(ties.len());
        if let Some(tie) = ties.get_mut(number) {
            tie.users.push(User::anywhere(part, leaf));
        } else {
            let mut tie = Tie::default();
            tie.declarers
                .push(Declarer::known_everywhere(part, leaf, document));
            ties.push(tie);
        }
    }
    for tie in &mut ties {
        let first = tie.declarers[0].part;
        tie.users.retain(|user| user.part != first);
        let mut users: Vec<u32> = tie.users().collect();
        users.dedup();
        tie.is_kept = users.len() > MOST_USERS;
    }
    ties.extend(by_heads(document, parts));
    ties
}

/// Of two lines that say the same but for their ends, as a declaration and what defines it, the first goes with the second.
fn by_heads(document: &Document, parts: &Parts) -> Vec<Tie> {
    let mut lines: Vec<(u32, NodeId, Vec<&[u8]>)> = Vec::new();
    for leaf in document.leaves() {
        let Some((_, part)) = parts.around(leaf) else {
            continue;
        };
        match lines.last_mut() {
            Some((last, _, words)) if *last == part => words.push(document.text(leaf)),
            _ => lines.push((part, leaf, vec![document.text(leaf)])),
        }
    }
    let is_word = |word: &&[u8]| word.iter().any(u8::is_ascii_alphanumeric);
    let length = |words: &[&[u8]]| words.iter().rposition(is_word).map_or(0, |last| last + 1);
    let mut heads: FxHashMap<&[&[u8]], Vec<usize>> = FxHashMap::default();
    for (place, (_, _, words)) in lines.iter().enumerate() {
        let head = &words[..length(words)];
        if head.len() >= SHORTEST_HEAD {
            heads.entry(head).or_default().push(place);
        }
    }
    let mut ties = Vec::new();
    for (place, (part, leaf, words)) in lines.iter().enumerate() {
        let head = &words[..length(words)];
        // Behind what is declared may stand one more word, as `is`.
        let shorter = &head[..head.len().saturating_sub(1)];
        let first = [head, shorter].into_iter().find_map(|head| {
            let same = heads.get(head)?;
            same.first()
                .filter(|&&first| first < place && same.len() <= 2)
        });
        if let Some(&first) = first {
            let (user, from, _) = lines[first];
            let mut tie = Tie::default();
            tie.declarers
                .push(Declarer::known_everywhere(*part, *leaf, document));
            tie.users.push(User::anywhere(user, from));
            ties.push(tie);
        }
    }
    ties
}

/// Lines of fewer tokens are alike by chance.
const SHORTEST_HEAD: usize = 4;
