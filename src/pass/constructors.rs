//! Where what makes the objects of a class is called: by the name of the class, by words for it or for a base, and by its objects.

use super::names::{Declaration, Names};
use crate::syntax::{Document, LanguageFacts, NodeId, Role};

/// How far above a name it is said that it is that of a base.
const HIGHEST_BASES: usize = 4;
/// How far above a name it is said that it is that of a type, or a part of it.
const HIGHEST_TYPES: usize = 4;
/// Where so many calls of a constructor are known, it is not looked for those of classes made from its own.
const MOST_CALLS: usize = 200;

/// Whether a declaration is that of what makes the objects of a class, under a name that all classes have for it.
pub(super) fn is_constructor(document: &Document, declaration: &Declaration) -> bool {
    let Some(language) = document.language() else {
        return false;
    };
    let name = &language.facts().constructor;
    !name.is_empty() && name.as_bytes() == document.text(declaration.leaf)
}

/// The leaves that name what a constructor makes where that is made: the name of its class, and the words for that in classes made
/// from it. Nothing for another function, or where a constructor has the name of its class.
pub(super) fn calls_of_constructor(
    document: &Document,
    names: &Names,
    declaration: &Declaration,
) -> Vec<NodeId> {
    let mut leaves = Vec::new();
    if !is_constructor(document, declaration) {
        return leaves;
    }
    let mut classes = vec![class_around(document, declaration.declarer)];
    while let Some(class) = classes.pop() {
        let Some(declared) = declaration_of(document, names, class) else {
            continue;
        };
        for &leaf in names.uses_in_scope(declared) {
            leaves.push(leaf);
            let Some(heir) = heir(document, leaf).filter(|_| leaves.len() < MOST_CALLS) else {
                continue;
            };
            // What has no constructor of its own has the one of its base.
            let inner = names.declared_in(&(heir..document.node(heir).end_id));
            let is_own = |it: &&Declaration| {
                is_constructor(document, it) && class_around(document, it.declarer) == heir
            };
            match inner.iter().find(is_own) {
                Some(own) => leaves.extend(words_of_base(document, own.declarer)),
                None => classes.push(heir),
            }
        }
    }
    leaves
}

/// The words by which one that has the name of its class is called: those for the base in classes made from it, those for itself in
/// its own class, and the names of its objects. They stand directly before what they give.
pub(super) fn chained_calls(
    document: &Document,
    names: &Names,
    declaration: &Declaration,
) -> Vec<NodeId> {
    let class = class_around(document, declaration.declarer);
    let name = document.child_in_field(class, "name");
    let is_named = |leaf: NodeId| document.text(leaf) == document.text(declaration.leaf);
    if !name.is_some_and(|leaf| leaf != declaration.leaf && is_named(leaf)) {
        return Vec::new();
    }
    let Some(of_class) = declaration_of(document, names, class) else {
        return Vec::new();
    };
    let uses = names.uses_in_scope(of_class).iter();
    let heirs = uses.filter_map(|&leaf| heir(document, leaf));
    let base = heirs.flat_map(|heir| words_of_base(document, heir));
    let own = words_below(document, class, |facts| &facts.own_words);
    let objects = objects(document, names, of_class);
    let gives = |leaf: &NodeId| {
        let mut beside = document.children(document.node(*leaf).parent);
        beside.find(|child| child == leaf);
        let next = beside.next();
        next.is_some_and(|next| document.has_role(next, Role::Arguments))
    };
    let words = base.chain(own).chain(objects);
    words.filter(gives).collect()
}

/// The leaves that name objects of a class where these are declared, or made with what holds them.
fn objects(document: &Document, names: &Names, of_class: &Declaration) -> Vec<NodeId> {
    let uses = names.uses_in_scope(of_class).iter();
    let is_type = |&leaf: &NodeId| document.field_name(leaf) == Some("type");
    let declarers =
        uses.filter_map(|leaf| document.around(*leaf).take(HIGHEST_TYPES).find(is_type));
    let declarers = declarers.map(|declared| document.node(declared).parent);
    let declared = declarers.flat_map(|node| {
        let inside = names
            .declared_in(&(node..document.node(node).end_id))
            .iter();
        inside.filter(move |it| it.declarer == node && !is_indirect(document, it))
    });
    let leaves = declared.flat_map(|it| std::iter::once(&it.leaf).chain(names.uses_in_scope(it)));
    let is_called = |leaf: NodeId| document.field_name(leaf) == Some("function");
    leaves.copied().filter(|&leaf| !is_called(leaf)).collect()
}

/// Whether a mark before its name makes what is declared a pointer or a reference.
fn is_indirect(document: &Document, declaration: &Declaration) -> bool {
    let start = document.node(declaration.declarer).range().start;
    let before = &document.bytes()[start..document.node(declaration.leaf).range().start];
    before.iter().any(|byte| matches!(byte, b'*' | b'&'))
}

/// What declares the name of a class.
fn declaration_of<'n>(
    document: &Document,
    names: &'n Names,
    class: NodeId,
) -> Option<&'n Declaration> {
    let all = class..document.node(class).end_id;
    names
        .declared_in(&all)
        .iter()
        .find(|it| it.declarer == class)
}

/// Whether the word stands beside this leaf that makes an object, if the language has one that stands behind the class.
pub(super) fn makes(document: &Document, leaf: NodeId) -> bool {
    let language = document.language();
    let maker = language.map_or("", |language| &language.facts().maker);
    let mut beside = document.children(document.node(leaf).parent);
    maker.is_empty()
        || is_base_word(document, leaf)
        || beside.any(|child| document.text(child) == maker.as_bytes())
}

/// What a member belongs to.
pub(super) fn class_around(document: &Document, member: NodeId) -> NodeId {
    document.node(document.node(member).parent).parent
}

/// The class that is made from what this leaf names; `None` for a leaf that does something else.
pub(super) fn heir(document: &Document, leaf: NodeId) -> Option<NodeId> {
    let facts = document.language()?.facts();
    let mut around = document.around(leaf).skip(1).take(HIGHEST_BASES);
    let bases = around.find(|&node| {
        let parent = document.node(node).parent;
        let is_named =
            !facts.bases_field.is_empty() && document.field_name(node) == Some(&*facts.bases_field);
        is_named || document.has_role(node, Role::Bases) && !document.has_role(parent, Role::Bases)
    });
    bases.map(|bases| document.node(bases).parent)
}

/// The words for what a class is made from, below a node.
pub(super) fn words_of_base(document: &Document, node: NodeId) -> Vec<NodeId> {
    words_below(document, node, |facts| &facts.base_words)
}

/// The leaves below a node that are some words of the language.
fn words_below(
    document: &Document,
    node: NodeId,
    words: fn(&LanguageFacts) -> &[String],
) -> Vec<NodeId> {
    let below = node..document.node(node).end_id;
    below
        .filter(|&leaf| is_word(document, leaf, words))
        .collect()
}

/// Whether a leaf is a word for what a class is made from.
pub(super) fn is_base_word(document: &Document, leaf: NodeId) -> bool {
    is_word(document, leaf, |facts| &facts.base_words)
}

/// Whether a leaf is one of some words of the language.
pub(super) fn is_word(
    document: &Document,
    leaf: NodeId,
    words: fn(&LanguageFacts) -> &[String],
) -> bool {
    let language = document.language();
    let words = language.map_or(&[][..], |language| words(language.facts()));
    let mut words = words.iter().map(String::as_bytes);
    document.is_leaf(leaf) && words.any(|word| word == document.text(leaf))
}
