//! Objects that are called as if they were functions: the calls of the method that is meant.

use super::{call::Call, types::with_types};
use crate::{
    pass::{
        arguments, constructors,
        names::{Declaration, Names},
    },
    syntax::{Document, NodeId},
};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Between the name of an operator and the function that has it are no more nodes than this.
const DEEPEST: usize = 5;

/// Each method by which objects are called, with the calls of all objects of its class. Cost: linear in the document.
pub(super) fn called_objects<'d>(
    document: &'d Document,
    names: &'d Names,
) -> Vec<(NodeId, Vec<Call<'d>>)> {
    let mut methods = methods(document);
    if methods.is_empty() {
        return Vec::new();
    }
    for object in &names.declarations {
        let class = type_of(document, object).map(|leaf| document.text(leaf));
        if let Some(method) = class.and_then(|class| methods.get_mut(class)) {
            let uses = names.uses_of(object).iter();
            let calls = uses.filter_map(|&leaf| call(document, names, &method.function, leaf));
            method.calls.extend(calls);
        }
    }
    let mut methods: Vec<Method> = methods.into_values().collect();
    methods.retain(|method| method.is_alone && !method.calls.is_empty());
    methods.sort_unstable_by_key(|method| method.function.start);
    let parts = methods.into_iter();
    parts.map(|it| (it.function.start, it.calls)).collect()
}

/// A method by which objects are called.
struct Method<'d> {
    /// From the function to its body.
    function: Range<NodeId>,
    /// Whether its class has no other.
    is_alone: bool,
    calls: Vec<Call<'d>>,
}

/// By the name of a class.
fn methods(document: &Document) -> FxHashMap<&[u8], Method<'_>> {
    let mut methods: FxHashMap<&[u8], Method> = FxHashMap::default();
    let facts = document.language().map(|language| language.facts());
    let Some(operator) = facts.and_then(|facts| facts.call_operator.as_ref()) else {
        return methods;
    };
    let is_operator = |&id: &NodeId| {
        let text = document
            .text(id)
            .iter()
            .filter(|it| !it.is_ascii_whitespace());
        document.kind_name(id) == operator.kind && text.eq(operator.text.as_bytes())
    };
    for id in document.ids().filter(is_operator) {
        let Some((class, function)) = method(document, id) else {
            continue;
        };
        methods
            .entry(class)
            .and_modify(|other| other.is_alone = false)
            .or_insert(Method {
                function,
                is_alone: true,
                calls: Vec::new(),
            });
    }
    methods
}

/// The name of the class whose method has this name, and the method.
fn method(document: &Document, name: NodeId) -> Option<(&[u8], Range<NodeId>)> {
    let mut around = document.around(name).skip(1).take(DEEPEST);
    let (function, body) =
        around.find_map(|it| Some((it, document.child_in_field(it, "body")?)))?;
    let class = constructors::class_around(document, with_types(document, function));
    let tag = document.child_in_field(class, "name")?;
    (body > name).then(|| (document.text(tag), function..body))
}

/// The last name in the type of a variable or a parameter.
fn type_of(document: &Document, object: &Declaration) -> Option<NodeId> {
    let mut at = document.child_in_field(object.declarer, "type")?;
    while let Some(name) = document.child_in_field(at, "name") {
        at = name;
    }
    document.is_leaf(at).then_some(at)
}

/// The call of the object that this leaf names; `None` where something else is done with it.
fn call<'d>(
    document: &'d Document,
    names: &'d Names,
    function: &Range<NodeId>,
    leaf: NodeId,
) -> Option<Call<'d>> {
    let list = arguments::list_of(document, leaf)?;
    let node = document.node(list).parent;
    let callee = document.children(node).next()?;
    let is_whole = document.node(callee).end == document.node(leaf).end;
    let parameters = arguments::parameters_of(document, function.start)?;
    let given = arguments::given_for(document, leaf, parameters);
    is_whole.then(|| Call {
        document,
        names,
        node,
        function: function.start,
        body: function.end,
        given: given.unwrap_or_default(),
        receiver: Some(callee),
        prefix: [document.text(callee), b"."].concat(),
    })
}
