//! Types of one name in several namespaces, told apart.
//!
//! Names mean what has the same text, which is too much where a library and the standard library both have a `pair`: neither can go
//! then without the other. A type is found in the namespace that is written before it, or else in the nearest one around, where one
//! that is opened into what is around it counts as that, and what has to be declared first is not found before its declaration.
//! Functions are also found by their arguments, so their names are left alone, and so is a name with one use that tells nothing.

use super::walls::{is_open, walls_above};
use crate::syntax::{Document, NodeId, Role};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What is known of a declaration here.
pub(super) struct Declared {
    pub leaf: NodeId,
    pub name: u32,
    pub is_type: bool,
    /// Whether it says what its name means for some arguments only, or that it is declared elsewhere.
    pub is_further: bool,
}

/// A name that means several types.
pub(super) struct Split {
    pub name: u32,
    /// By each of them but the first: the leaves that mean it.
    pub others: Vec<Vec<NodeId>>,
}

/// The names that mean several types, of which each leaf tells which it means. `uses`: by name. Cost: linear in the document and in
/// the leaves of such names, times the types of one name.
pub(super) fn told_apart(
    document: &Document,
    declared: &[Declared],
    uses: &[Vec<NodeId>],
) -> Vec<Split> {
    let spaces = Spaces::of(document);
    if spaces.paths.len() <= 2 {
        return Vec::new();
    }
    let walls = walls_above(document);
    let is_outer = |declared: &&Declared| {
        let is_first = !declared.is_further && qualifier(document, declared.leaf).is_none();
        is_first && is_open(document, &walls, declared.leaf)
    };
    let outer = declared.iter().filter(is_outer);
    let (types, mut others): (Vec<&Declared>, Vec<&Declared>) = outer.partition(|it| it.is_type);
    // What a type is made by has its name.
    let place = |it: &Declared| (it.name, spaces.around(it.leaf));
    let places: FxHashSet<(u32, u32)> = types.iter().map(|it| place(it)).collect();
    others.retain(|it| !places.contains(&place(it)));
    let shared = shared(&spaces, &types, &others);
    // What is written before a name and is no type may be a namespace under another name.
    let others = others.iter().map(|it| document.text(it.leaf)).collect();
    let mut leaves: BTreeMap<u32, Vec<NodeId>> = BTreeMap::new();
    for declared in declared.iter().filter(|it| shared.contains_key(&it.name)) {
        leaves.entry(declared.name).or_default().push(declared.leaf);
    }
    let splits = shared.into_iter().filter_map(|(name, groups)| {
        let declared = leaves.get(&name).map_or(&[][..], Vec::as_slice);
        let mut by_group: Vec<Vec<NodeId>> = vec![Vec::new(); groups.len()];
        let mut has_members = vec![false; groups.len()];
        for &leaf in declared {
            let group = spaces.meant(document, leaf, &groups, &others)?;
            by_group[group].push(leaf);
            has_members[group] |= !is_open(document, &walls, leaf);
        }
        for &leaf in &uses[name as usize] {
            let group = spaces.meant(document, leaf, &groups, &others)?;
            let is_of_member = !has_members[group] && spaces.is_behind_type(document, leaf);
            let group = if is_of_member {
                only(&has_members, group)?
            } else {
                group
            };
            by_group[group].push(leaf);
        }
        by_group.remove(0);
        Some(Split {
            name,
            others: by_group,
        })
    });
    splits.collect()
}

/// A namespace that declares a type of some name.
struct Group {
    /// Its place among the paths.
    path: u32,
    /// The first leaf that declares the type there.
    first: NodeId,
}

/// The only group that has members of some name, or `other` where none has; `None` if several have.
fn only(has_members: &[bool], other: usize) -> Option<usize> {
    let mut with = (0..has_members.len()).filter(|&group| has_members[group]);
    match (with.next(), with.next()) {
        (Some(group), None) => Some(group),
        (None, _) => Some(other),
        _ => None,
    }
}

/// The names that only types have, of more than one namespace, with these namespaces.
fn shared(spaces: &Spaces, types: &[&Declared], others: &[&Declared]) -> BTreeMap<u32, Vec<Group>> {
    let others: FxHashSet<u32> = others.iter().map(|it| it.name).collect();
    let mut shared: BTreeMap<u32, Vec<Group>> = BTreeMap::new();
    for declared in types.iter().filter(|it| !others.contains(&it.name)) {
        let groups = shared.entry(declared.name).or_default();
        groups.push(Group {
            path: spaces.around(declared.leaf),
            first: declared.leaf,
        });
    }
    for groups in shared.values_mut() {
        groups.sort_unstable_by_key(|group| (group.path, group.first));
        groups.dedup_by_key(|group| group.path);
    }
    shared.retain(|_, groups| groups.len() > 1);
    shared
}

/// The namespaces of a document.
struct Spaces<'d> {
    /// By node: its place among the paths.
    around: Vec<u32>,
    /// The names of the namespaces around something, outermost first.
    paths: Vec<Vec<&'d [u8]>>,
    /// The same without the namespaces that are opened into what is around them.
    open_paths: Vec<Vec<&'d [u8]>>,
    /// By path: so many of its last names are opened.
    opened_last: Vec<usize>,
    names: FxHashSet<&'d [u8]>,
    /// Whether a type has to be declared before it is used.
    is_in_order: bool,
}

impl<'d> Spaces<'d> {
    fn of(document: &'d Document) -> Self {
        let mut numbers: FxHashMap<Vec<&[u8]>, u32> = FxHashMap::from_iter([(Vec::new(), 0)]);
        let mut spaces = Self {
            around: Vec::with_capacity(document.nodes().len()),
            paths: vec![Vec::new()],
            open_paths: Vec::new(),
            opened_last: Vec::new(),
            names: FxHashSet::default(),
            is_in_order: document.language().is_some_and(|it| it.is_declared_first()),
        };
        let mut opened: FxHashSet<u32> = FxHashSet::default();
        for (id, node) in (0..).zip(document.nodes()) {
            let above = if id == 0 {
                0
            } else {
                spaces.around[node.parent as usize]
            };
            let name = document
                .has_role(node.parent, Role::Namespaces)
                .then(|| document.child_in_field(node.parent, "name"))
                .flatten();
            let inside = name.filter(|_| document.field_name(id) == Some("body"));
            let own = inside.map_or(above, |name| {
                let mut path = spaces.paths[above as usize].clone();
                path.extend(words(document.text(name)));
                spaces.names.extend(words(document.text(name)));
                let next = u32::try_from(spaces.paths.len()).unwrap_or(u32::MAX);
                let number = *numbers.entry(path.clone()).or_insert(next);
                if number == next {
                    spaces.paths.push(path);
                }
                opened.extend(is_opened(document, node.parent).then_some(number));
                number
            });
            spaces.around.push(own);
        }
        spaces.open(&opened, &numbers);
        spaces
    }

    /// Notes which names of the paths are `opened`, which may be said of only one of several parts of a namespace.
    fn open(&mut self, opened: &FxHashSet<u32>, numbers: &FxHashMap<Vec<&'d [u8]>, u32>) {
        let is_closed = |path: &[&'d [u8]]| {
            let number = numbers.get(path);
            number.is_none_or(|number| !opened.contains(number))
        };
        for path in &self.paths {
            let ends = (1..=path.len()).filter(|&end| is_closed(&path[..end]));
            let last = ends.clone().next_back().unwrap_or(0);
            self.opened_last.push(path.len() - last);
            self.open_paths
                .push(ends.map(|end| path[end - 1]).collect());
        }
    }

    fn around(&self, leaf: NodeId) -> u32 {
        self.around[leaf as usize]
    }

    /// Which of these paths, by its place, holds what a leaf means; `None` if that cannot be told.
    fn meant(
        &self,
        document: &Document,
        leaf: NodeId,
        groups: &[Group],
        others: &FxHashSet<&[u8]>,
    ) -> Option<usize> {
        let path = |group: &Group| self.paths[group.path as usize].as_slice();
        let qualifier = qualifier(document, leaf);
        match qualifier {
            // Where no such type is declared, none of them is meant.
            Some(_) if is_global(document, leaf) => {
                let global = groups.iter().position(|group| path(group).is_empty());
                global.or(Some(0))
            }
            Some(name) if self.names.contains(name) => {
                // The one of that name is meant if all others lie in it; what is opened into it may stand for it.
                let mut within: Vec<usize> = (0..groups.len())
                    .filter(|&place| path(&groups[place]).contains(&name))
                    .collect();
                within.sort_by_key(|&place| path(&groups[place]).len());
                let outermost = path(&groups[*within.first()?]);
                let is_inside = |&place: &usize| path(&groups[place]).starts_with(outermost);
                let is_named = outermost.last() == Some(&name) && within.iter().all(is_inside);
                (within.len() == 1 || is_named).then(|| within[0])
            }
            Some(name) if others.contains(name) => None,
            _ => {
                let nearest = self.nearest(document, leaf, groups, qualifier.is_none());
                // A member of a class means none of them.
                nearest.or(qualifier.map(|_| 0))
            }
        }
    }

    /// Whether the nearest namespace around a leaf has this name, or one that it is opened into.
    fn is_in(&self, leaf: NodeId, name: &[u8]) -> bool {
        let place = self.around(leaf) as usize;
        let names = self.paths[place].iter().rev();
        names
            .take(self.opened_last[place] + 1)
            .any(|it| *it == name)
    }

    /// Whether a name stands behind something that is no namespace, whose member it is.
    fn is_behind_type(&self, document: &Document, leaf: NodeId) -> bool {
        let before = qualifier(document, leaf);
        before.is_some_and(|name| !self.names.contains(name)) && !is_global(document, leaf)
    }

    /// The nearest namespace around a leaf, by its place among these. `is_bare`: whether nothing is written before the name.
    fn nearest(
        &self,
        document: &Document,
        leaf: NodeId,
        groups: &[Group],
        is_bare: bool,
    ) -> Option<usize> {
        let place = self.around(leaf) as usize;
        let (own, open) = (&self.paths[place], &self.open_paths[place]);
        let is_below_alias = is_bare && is_in_own_alias(document, leaf);
        let nearness = |group: &Group| {
            let path = &self.paths[group.path as usize];
            let outer = &self.open_paths[group.path as usize];
            let is_here = own == path;
            let is_around = open.starts_with(outer) && !(is_below_alias && is_here);
            is_around.then_some((outer.len(), own.starts_with(path)))
        };
        let around = || {
            let around = (0..).zip(groups);
            around.filter_map(|(place, group)| Some((nearness(group)?, place, group.first)))
        };
        let known = around().filter(|&(.., first)| !self.is_in_order || first <= leaf);
        let nearest = known.max().or_else(|| around().max());
        nearest.map(|(_, place, _)| place)
    }
}

/// The last name of the nearest namespace around a leaf that has to be named. Cost: linear in its depth.
pub(super) fn innermost(document: &Document, leaf: NodeId) -> Option<&[u8]> {
    let is_space =
        |&node: &NodeId| document.has_role(node, Role::Namespaces) && !is_opened(document, node);
    let mut spaces = document.around(leaf).filter(is_space);
    let name = spaces.find_map(|space| document.child_in_field(space, "name"))?;
    words(document.text(name)).last()
}

/// Whether what a namespace holds is known in what is around it, too.
fn is_opened(document: &Document, space: NodeId) -> bool {
    let facts = document.language().map(|language| language.facts());
    let mut words = facts.iter().flat_map(|facts| &facts.namespace_opened_by);
    words.any(|word| document.text(space).starts_with(word.as_bytes()))
}

/// The names of all namespaces of a document. Cost: linear in the document.
pub(super) fn names(document: &Document) -> FxHashSet<&[u8]> {
    let all = (0..).zip(document.nodes()).map(|(id, _)| id);
    let spaces = all.filter(|&id| document.has_role(id, Role::Namespaces));
    let names = spaces.filter_map(|id| document.child_in_field(id, "name"));
    names.flat_map(|name| words(document.text(name))).collect()
}

/// What is known of one name that is imported: the leaves that do so, and those that declare it.
#[derive(Default)]
pub(super) struct Named {
    pub imports: Vec<NodeId>,
    pub declared: Vec<NodeId>,
}

/// By import, as a leaf: the leaves that declare its name where it says, or import it there, before it where that has to be so; all
/// that declare it where that cannot be told. Cost: linear in the document, and in the imports of a name times its leaves.
pub(super) fn meant_by_imports<'n>(
    document: &Document,
    named: impl Iterator<Item = &'n Named>,
) -> FxHashMap<NodeId, Vec<NodeId>> {
    let spaces = Spaces::of(document);
    let meant = |named: &'n Named, import: NodeId| {
        let space = qualifier(document, import).filter(|name| spaces.names.contains(name));
        let is_there = |leaf: &&NodeId| match space {
            Some(name) => spaces.is_in(**leaf, name),
            None => spaces.paths[spaces.around(**leaf) as usize].is_empty(),
        };
        let before = |leaves: &'n [NodeId]| {
            let is_before = |&leaf: &NodeId| !spaces.is_in_order || leaf < import;
            &leaves[..leaves.partition_point(is_before)]
        };
        // What is imported from a namespace may have been imported into that.
        let may_go_on = spaces.is_in_order && space.is_some();
        let others = before(if may_go_on { &named.imports } else { &[] });
        let there = before(&named.declared).iter().chain(others);
        let there: Vec<NodeId> = there.filter(is_there).copied().collect();
        if there.is_empty() {
            named.declared.clone()
        } else {
            there
        }
    };
    let all = named.flat_map(|named| named.imports.iter().map(move |&import| (named, import)));
    all.map(|(named, import)| (import, meant(named, import)))
        .collect()
}

/// Whether a name stands in what it is to become another name for, where it means what had that name before.
fn is_in_own_alias(document: &Document, leaf: NodeId) -> bool {
    let alias = document
        .around(leaf)
        .skip(1)
        .take_while(|&node| !document.has_role(node, Role::Namespaces))
        .find(|&node| document.has_role(node, Role::TypeAliases));
    let name = alias.and_then(|alias| {
        let declared = document.child_in_field(alias, "name");
        declared.or_else(|| document.child_in_field(alias, "declarator"))
    });
    name.is_some_and(|name| name != leaf && document.text(name) == document.text(leaf))
}

/// Whether that is written as something from elsewhere.
pub(super) fn is_other_in_own_alias(document: &Document, leaf: NodeId) -> bool {
    let is_written = || qualifier(document, leaf).is_some() || is_global(document, leaf);
    is_in_own_alias(document, leaf) && is_written()
}

/// The names in a path.
pub(super) fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_part = |byte: &u8| !byte.is_ascii_alphanumeric() && *byte != b'_';
    text.split(is_part).filter(|word| !word.is_empty())
}

/// Whether nothing is written before the tie in front of a name, so that it is looked up outside of all namespaces: `::name`.
fn is_global(document: &Document, leaf: NodeId) -> bool {
    leaf_before(document, leaf).is_some_and(|tie| {
        let path = document.node(tie).parent;
        let is_tie = [&b"::"[..], b"\\"].contains(&document.text(tie));
        is_tie && document.node(path).start == document.node(tie).start
    })
}

/// What is written before a name and what ties both together.
pub(super) fn qualifier(document: &Document, leaf: NodeId) -> Option<&[u8]> {
    let tie = leaf_before(document, leaf)?;
    let is_tie = [&b"::"[..], b".", b"->", b"\\"].contains(&document.text(tie));
    let name = leaf_before(document, tie).filter(|_| is_tie)?;
    Some(document.text(name))
}

fn leaf_before(document: &Document, node: NodeId) -> Option<NodeId> {
    (0..node).rev().find(|&node| document.is_leaf(node))
}

#[cfg(test)]
mod tests {
    use crate::pass::testing::sample;

    /// By name with this text: how often it is declared and used.
    #[track_caller]
    fn check(text: &str, word: &[u8], expected: &[(usize, usize)]) {
        let sample = sample("cpp", text);
        let names = sample.names();
        let numbers = (0..).zip(&names.texts).filter(|(_, text)| ***text == *word);
        let count = |(number, _): (u32, _)| {
            let declared = names.declarations.iter().filter(|it| it.name == number);
            (declared.count(), names.uses[number as usize].len())
        };
        let mut found: Vec<(usize, usize)> = numbers.map(count).collect();
        found.sort_unstable();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_type_is_that_of_the_nearest_namespace_or_of_the_one_before_it() {
        let text = "namespace a { struct t {}; t u; } namespace b { template<class> struct t; template<class> struct t {}; \
            namespace c { t<int> v; a::t w; } } namespace b { t<b::t<int>> x; a::t y; }";
        check(text, b"t", &[(1, 3), (2, 3)]);
    }

    #[test]
    fn an_alias_is_not_what_its_own_name_means_in_it() {
        let text = "namespace a { template<class> struct t; namespace b { template<class T> using t = t<T>; t<int> u; } \
            namespace c { typedef t<int> t; t v; } }";
        check(text, b"t", &[(1, 1), (1, 1), (1, 2)]);
    }

    #[test]
    fn a_namespace_that_is_named_is_none_of_those_within_it() {
        let text = "namespace a { struct t {}; namespace b { struct t {}; t u; } a::t v; } a::t w; a::b::t x;";
        check(text, b"t", &[(1, 2), (1, 2)]);
        // What is opened into it stands for it.
        let text = "namespace a { inline namespace c { struct t {}; } } namespace b { struct t {}; } a::t v; b::t w;";
        check(text, b"t", &[(1, 1), (1, 1)]);
        // Two of that name cannot be told apart.
        let text = "namespace a { inline namespace c { struct t {}; } } namespace b { namespace a { struct t {}; } } a::t v; b::a::t w;";
        check(text, b"t", &[(2, 2)]);
    }

    #[test]
    fn what_no_namespace_is_written_before_is_in_none() {
        let text = "typedef int t; namespace a { using t = ::t; t u; ::t v; } namespace b { }";
        check(text, b"t", &[(1, 1), (1, 2)]);
        let text = "namespace a { struct t {}; t u; ::t v; } namespace b { struct t {}; t u; }";
        check(text, b"t", &[(1, 1), (1, 2)]);
    }

    #[test]
    fn a_specialisation_belongs_to_what_it_specialises() {
        let text = "namespace a { template<class> struct h; } namespace b { struct h {}; h i; } template<> struct a::h<int> {};";
        check(text, b"h", &[(1, 1), (2, 0)]);
    }

    #[test]
    fn what_a_type_is_made_by_has_its_name() {
        let text = "namespace a { template<class T> struct t { t(T); }; template<class T> t(T *) -> t<T>; } \
            namespace b { struct t {}; t u; } namespace a { t v(1); }";
        check(text, b"t", &[(1, 1), (3, 2)]);
    }

    #[test]
    fn what_is_opened_into_a_namespace_is_known_there() {
        let text = "namespace a { inline namespace b { struct t {}; } namespace c { t u; } } namespace d { struct t {}; t u; }";
        check(text, b"t", &[(1, 1), (1, 1)]);
        // One part says it for all.
        let text = "namespace a { inline namespace b { } namespace b { struct t {}; } t u; } struct t {}; t v; a::t w;";
        check(text, b"t", &[(1, 1), (1, 2)]);
    }

    #[test]
    fn what_stands_behind_a_type_is_a_member_of_one() {
        let text = "namespace a { struct t {}; template<class> struct u { static int t; }; } namespace b { struct t {}; t w; \
            int x = a::u<int>::t; }";
        check(text, b"t", &[(1, 1), (2, 1)]);
        // Whose member cannot be told.
        let text = "namespace a { struct t {}; struct u { static int t; }; } namespace b { struct t {}; t w; struct v { int t; }; } \
            namespace c { struct t {}; int x = u::t; }";
        check(text, b"t", &[(5, 2)]);
    }

    #[test]
    fn what_is_declared_later_is_not_meant_yet() {
        let text = "namespace a { struct t {}; namespace b { t u; t w; struct t {}; t v; } }";
        check(text, b"t", &[(1, 1), (1, 2)]);
    }

    #[test]
    fn names_that_tell_nothing_are_left_alone() {
        let types = "namespace a { struct t {}; } namespace b { struct t {}; b::t u; }";
        check(types, b"t", &[(1, 0), (1, 1)]);
        check(&format!("{types} using namespace a; t v;"), b"t", &[(2, 2)]);
        check(
            &format!("{types} namespace c = a; c::t v;"),
            b"t",
            &[(2, 2)],
        );
        // A function is found by its arguments, too.
        check(
            "namespace a { struct s {}; void f(s); } namespace b { void f(int); void g() { f(a::s()); } }",
            b"f",
            &[(2, 1)],
        );
    }
}
