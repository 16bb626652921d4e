//! What of a document is generic, by name, and where arguments are given for it.

use crate::{
    pass::{
        elements::elements_of,
        proposal::{Filler, fillers},
    },
    syntax::{Document, NodeId, Role},
};
use rustc_hash::FxHashMap;

/// Something that has parameters for types.
#[derive(Clone, Copy, Debug)]
pub(super) struct Generic {
    /// All of it, with the list.
    pub(super) node: NodeId,
    /// Its parameters.
    pub(super) list: NodeId,
}

/// All that is generic under one name.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// What is declared for any arguments.
    pub(super) declared: Vec<Generic>,
    /// The lists of what is given for its parameters.
    pub(super) lists: Vec<NodeId>,
}

/// What is generic in a document.
pub(super) struct Generics<'d> {
    pub(super) document: &'d Document,
    /// What stands for any argument that is a type.
    pub(super) types: Vec<Filler<'d>>,
    /// What stands for any other.
    pub(super) values: Vec<Filler<'d>>,
    all: Vec<Generic>,
    groups: Vec<Group>,
}

impl<'d> Generics<'d> {
    /// Nothing where the language does not say what stands for any argument. Cost: linear in the nodes.
    pub(super) fn of(document: &'d Document) -> Self {
        let facts = document.language().map(|language| language.facts());
        let known = |texts: Option<&'d Vec<_>>| texts.map(|it| fillers(document, it));
        let mut generics = Self {
            document,
            types: known(facts.map(|facts| &facts.any_type)).unwrap_or_default(),
            values: known(facts.map(|facts| &facts.any_value)).unwrap_or_default(),
            all: Vec::new(),
            groups: Vec::new(),
        };
        if generics.types.is_empty() && generics.values.is_empty() {
            return generics;
        }
        let mut by_name: FxHashMap<&[u8], Group> = FxHashMap::default();
        let mut order: Vec<&[u8]> = Vec::new();
        for list in document.ids() {
            if document.has_role(list, Role::TypeParameters) {
                let node = document.node(list).parent;
                if is_parameter(document, node) {
                    continue;
                }
                let generic = Generic { node, list };
                generics.all.push(generic);
                let name = name_of(document, generic);
                match name.filter(|name| !is_constructor(document, node, name)) {
                    Some(name) => {
                        let group = by_name.entry(name).or_default();
                        group.declared.push(generic);
                        order.push(name);
                    }
                    None if !is_for_some(document, generic) => generics.groups.push(Group {
                        declared: vec![generic],
                        lists: Vec::new(),
                    }),
                    None => {}
                }
            } else if document.has_role(list, Role::TypeArguments)
                && let Some(name) = named_before(document, list)
            {
                by_name.entry(name).or_default().lists.push(list);
            }
        }
        let named = order.into_iter().filter_map(|name| by_name.remove(name));
        generics.groups.extend(named);
        generics
    }

    /// In the order in which they are first declared; what has no name comes first.
    pub(super) fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// What is generic around a node, the innermost first.
    pub(super) fn around(&self, node: NodeId) -> impl Iterator<Item = Generic> + '_ {
        let around = self.document.around(node).skip(1);
        around.filter_map(|node| {
            // Lists come right behind what they belong to.
            let from = self.all.partition_point(|it| it.list <= node);
            self.all.get(from).filter(|it| it.node == node).copied()
        })
    }

    /// What is declared for the arguments in a list, or belongs to what is: the innermost first, without what is only around it.
    pub(super) fn headed_by(&self, list: NodeId) -> Vec<Generic> {
        let inner = self.document.node(list).parent;
        let top = top_of_head(self.document, inner);
        if top == inner {
            return Vec::new();
        }
        let mut headed: Vec<Generic> = Vec::new();
        for generic in self.around(inner) {
            let below = headed.last().map_or(top, |last| last.node);
            if self.document.node(below).parent != generic.node && below != generic.node {
                break;
            }
            headed.push(generic);
        }
        headed
    }
}

impl Group {
    /// How many parameters it has.
    pub(super) fn places(&self, document: &Document) -> usize {
        let counts = self.declared.iter();
        let counts = counts.map(|it| elements_of(document, it.list).len());
        counts.max().unwrap_or(0)
    }

    /// Whether the parameter at a place stands for any number of arguments.
    pub(super) fn has_pack_at(&self, document: &Document, place: usize) -> bool {
        let mut declared = self.declared.iter();
        declared.any(|it| {
            let parameters = elements_of(document, it.list);
            parameters
                .get(place)
                .is_some_and(|&it| is_pack(document, it))
        })
    }

    /// Whether something is declared for some arguments only, or outside of what it belongs to.
    pub(super) fn is_headed(&self, generics: &Generics) -> bool {
        let mut lists = self.lists.iter();
        lists.any(|&list| !generics.headed_by(list).is_empty())
    }

    /// What is given for the parameter at a place, if that is the same everywhere and means the same in the declaration.
    pub(super) fn given<'d>(&self, generics: &Generics<'d>, place: usize) -> Option<&'d [u8]> {
        let document = generics.document;
        let is_inside = |list: NodeId| {
            let mut declared = self.declared.iter();
            declared.any(|it| (it.node..document.node(it.node).end_id).contains(&list))
        };
        let mut given = None;
        for &list in &self.lists {
            if is_inside(list) || !generics.headed_by(list).is_empty() {
                continue;
            }
            let text = match elements_of(document, list).get(place) {
                Some(&argument) if generics.names_a_parameter(argument) => return None,
                Some(&argument) => document.text(argument),
                None => self.default(document, place)?,
            };
            if given.is_some_and(|given| given != text) || text.ends_with(b"...") {
                return None;
            }
            given = Some(text);
        }
        given
    }

    /// What stands for the parameter at a place where nothing is given for it.
    fn default<'d>(&self, document: &'d Document, place: usize) -> Option<&'d [u8]> {
        let mut declared = self.declared.iter();
        declared.find_map(|it| {
            let parameter = *elements_of(document, it.list).get(place)?;
            match document.row(parameter)[..] {
                [.., equals, value] if document.text(equals) == b"=" => Some(document.text(value)),
                _ => None,
            }
        })
    }
}

impl Generics<'_> {
    /// Whether a parameter of what is around an argument is named in it.
    fn names_a_parameter(&self, argument: NodeId) -> bool {
        let document = self.document;
        let parameters = self.around(argument);
        let parameters = parameters.flat_map(|it| elements_of(document, it.list));
        let names = parameters.filter_map(|it| name_of_parameter(document, it));
        let names: Vec<&[u8]> = names.map(|leaf| document.text(leaf)).collect();
        names.iter().any(|name| mentions(document, argument, name))
    }
}

/// The leaf that names a parameter; `None` for one without a name.
pub(in crate::pass) fn name_of_parameter(document: &Document, parameter: NodeId) -> Option<NodeId> {
    let mut node = parameter;
    while !document.is_leaf(node) {
        let own = ["declarator", "name"].into_iter();
        let mut own = own.filter_map(|field| document.child_in_field(node, field));
        let last = || {
            let named = document.children(node);
            let last = named
                .filter(|&child| document.node(child).is_named())
                .last();
            last.filter(|&child| document.field_name(child).is_none())
        };
        node = own.next().or_else(last)?;
    }
    (node != parameter).then_some(node)
}

/// Whether a node stands for any number of others, by its own mark or that of its declarator.
pub(super) fn is_pack(document: &Document, node: NodeId) -> bool {
    let declarator = |&node: &NodeId| document.child_in_field(node, "declarator");
    let mut declared = std::iter::successors(Some(node), declarator);
    declared.any(|node| {
        let mut children = document.children(node);
        children.any(|child| document.text(child) == b"...")
    })
}

/// Whether a name stands in a node.
pub(super) fn mentions(document: &Document, node: NodeId, name: &[u8]) -> bool {
    let mut inside = node..document.node(node).end_id;
    inside.any(|leaf| document.is_leaf(leaf) && document.text(leaf) == name)
}

/// Whether a node is a parameter itself.
fn is_parameter(document: &Document, node: NodeId) -> bool {
    document.has_role(document.node(node).parent, Role::TypeParameters)
}

/// What something generic declares: the last part of it that has a name.
pub(super) fn declared_by(document: &Document, generic: Generic) -> Option<NodeId> {
    let children = document.children(generic.node);
    let named = children.filter(|&child| document.node(child).is_named());
    named.filter(|&child| child > generic.list).last()
}

/// The name that something generic declares for any arguments.
fn name_of(document: &Document, generic: Generic) -> Option<&[u8]> {
    let end = end_of_head(document, generic)?;
    document.is_leaf(end).then(|| document.text(end))
}

/// Whether what has this name has it from the type that it makes.
fn is_constructor(document: &Document, node: NodeId, name: &[u8]) -> bool {
    let in_field_name = |node| document.child_in_field(node, "name");
    // The list of members, and what it belongs to.
    let around = document.around(node).nth(2);
    let around = around.filter(|&around| !document.has_role(around, Role::Namespaces));
    let own = around.and_then(in_field_name);
    let inner = own.and_then(in_field_name).or(own);
    inner.is_some_and(|own| document.text(own) == name)
}

/// Whether something generic is declared for some arguments only, or belongs to what is generic.
fn is_for_some(document: &Document, generic: Generic) -> bool {
    let Some(end) = end_of_head(document, generic) else {
        return false;
    };
    let mut inside = end..document.node(end).end_id;
    inside.any(|node| document.has_role(node, Role::TypeArguments))
}

/// What the fields for names and declarators of something generic lead to.
fn end_of_head(document: &Document, generic: Generic) -> Option<NodeId> {
    let own = document.child_in_field(generic.node, "name");
    let mut node = own.or_else(|| declared_by(document, generic))?;
    loop {
        let mut fields = ["declarator", "name"].into_iter();
        let next = fields.find_map(|field| document.child_in_field(node, field));
        let has_arguments = document
            .children(node)
            .any(|child| document.has_role(child, Role::TypeArguments));
        match next {
            Some(next) if !has_arguments && !has_scope(document, node) => node = next,
            _ => return Some(node),
        }
    }
}

fn has_scope(document: &Document, node: NodeId) -> bool {
    document.child_in_field(node, "scope").is_some()
}

/// The highest node to which the fields for names and declarators lead up from one.
fn top_of_head(document: &Document, node: NodeId) -> NodeId {
    let mut top = node;
    while let Some("name" | "scope" | "declarator") = document.field_name(top) {
        top = document.node(top).parent;
    }
    top
}

/// The word right before a list of arguments.
fn named_before(document: &Document, list: NodeId) -> Option<&[u8]> {
    let before = list.checked_sub(1)?;
    (document.is_leaf(before) && document.node(before).is_named()).then(|| document.text(before))
}
