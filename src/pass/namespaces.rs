//! Types of one name in several namespaces, told apart.
//!
//! Names mean what has the same text, which is too much where a library and the standard library both have a `pair`: neither can go
//! then without the other. A type is found in the namespace that is written before it, or else in the nearest one around. Functions
//! are also found by their arguments, so their names are left alone, and so is a name with one use that tells nothing.

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
        let declared = leaves.get(&name).into_iter().flatten();
        let mut by_group: Vec<Vec<NodeId>> = vec![Vec::new(); groups.len()];
        for &leaf in declared.chain(&uses[name as usize]) {
            let group = spaces.meant(document, leaf, &groups, &others)?;
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

/// The names that only types have, of more than one namespace, with these namespaces.
fn shared(spaces: &Spaces, types: &[&Declared], others: &[&Declared]) -> BTreeMap<u32, Vec<u32>> {
    let others: FxHashSet<u32> = others.iter().map(|it| it.name).collect();
    let mut shared: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for declared in types.iter().filter(|it| !others.contains(&it.name)) {
        let groups = shared.entry(declared.name).or_default();
        groups.push(spaces.around(declared.leaf));
    }
    for groups in shared.values_mut() {
        groups.sort_unstable();
        groups.dedup();
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
    names: FxHashSet<&'d [u8]>,
}

impl<'d> Spaces<'d> {
    fn of(document: &'d Document) -> Self {
        let mut numbers: FxHashMap<Vec<&[u8]>, u32> = FxHashMap::from_iter([(Vec::new(), 0)]);
        let mut spaces = Self {
            around: Vec::with_capacity(document.nodes().len()),
            paths: vec![Vec::new()],
            names: FxHashSet::default(),
        };
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
                number
            });
            spaces.around.push(own);
        }
        spaces
    }

    fn around(&self, leaf: NodeId) -> u32 {
        self.around[leaf as usize]
    }

    /// Which of these paths, by its place, holds what a leaf means; `None` if that cannot be told.
    fn meant(
        &self,
        document: &Document,
        leaf: NodeId,
        groups: &[u32],
        others: &FxHashSet<&[u8]>,
    ) -> Option<usize> {
        let path = |&group: &u32| self.paths[group as usize].as_slice();
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
                let own = path(&self.around(leaf));
                let is_below_alias = qualifier.is_none() && is_in_own_alias(document, leaf);
                let reaches = |group: &[&[u8]]| {
                    own.starts_with(group) && !(is_below_alias && own.len() == group.len())
                };
                let around = (0..).zip(groups).filter(|(_, group)| reaches(path(group)));
                let nearest = around.max_by_key(|(_, group)| path(group).len());
                // A member of a class means none of them.
                nearest.map(|(place, _)| place).or(qualifier.map(|_| 0))
            }
        }
    }
}

/// The last name of the nearest namespace around a leaf that has to be named. Cost: linear in its depth.
pub(super) fn innermost(document: &Document, leaf: NodeId) -> Option<&[u8]> {
    let facts = document.language().map(|language| language.facts());
    let is_opened = |space: NodeId| {
        let mut words = facts.iter().flat_map(|facts| &facts.namespace_opened_by);
        words.any(|word| document.text(space).starts_with(word.as_bytes()))
    };
    let is_space = |&node: &NodeId| document.has_role(node, Role::Namespaces) && !is_opened(node);
    let mut spaces = document.around(leaf).filter(is_space);
    let name = spaces.find_map(|space| document.child_in_field(space, "name"))?;
    words(document.text(name)).last()
}

/// The names of all namespaces of a document. Cost: linear in the document.
pub(super) fn names(document: &Document) -> FxHashSet<&[u8]> {
    let all = (0..).zip(document.nodes()).map(|(id, _)| id);
    let spaces = all.filter(|&id| document.has_role(id, Role::Namespaces));
    let names = spaces.filter_map(|id| document.child_in_field(id, "name"));
    names.flat_map(|name| words(document.text(name))).collect()
}

/// Which leaves that declare a name stand where an import of it says, by its import, both as leaves; all where that cannot be told.
/// Cost: linear in the document, and in the imports of a name times its declarations.
pub(super) fn meant_by_imports(
    document: &Document,
    imports: impl Iterator<Item = (NodeId, Vec<NodeId>)>,
) -> FxHashMap<NodeId, Vec<NodeId>> {
    let spaces = Spaces::of(document);
    let targets = |(import, declared): (NodeId, Vec<NodeId>)| {
        let name = qualifier(document, import).filter(|name| spaces.names.contains(name));
        let is_there = |leaf: &&NodeId| {
            let path = &spaces.paths[spaces.around(**leaf) as usize];
            name.map_or(path.is_empty(), |name| path.contains(&name))
        };
        let there: Vec<NodeId> = declared.iter().filter(is_there).copied().collect();
        let is_told = !there.is_empty();
        (import, if is_told { there } else { declared })
    };
    imports.map(targets).collect()
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
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
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
