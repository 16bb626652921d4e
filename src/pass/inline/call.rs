//! A call of a function whose definition can be seen, and what it becomes with what the function does.

use super::types::{is_type, types_given, with_types};
use crate::{
    grammar::Symbol,
    pass::{
        arguments, columns,
        constructors::class_around,
        in_place::{bracketed, is_behind_mark, part_with, value_at_use},
        names::{Declaration, Names},
        proposal::{elements, has_body, surroundings},
    },
    syntax::{Document, NodeId, Role, Splice},
};
use std::ops::Range;

/// How far above a call the statement is looked for that holds it.
const HIGHEST: usize = 8;

/// One call of a function whose definition can be seen.
#[derive(Clone)]
pub(super) struct Call<'d> {
    pub(super) document: &'d Document,
    pub(super) names: &'d Names,
    /// The call.
    pub(super) node: NodeId,
    pub(super) function: NodeId,
    /// Of the function.
    pub(super) body: NodeId,
    /// By parameter, what the call gives for it.
    pub(super) given: Vec<(NodeId, NodeId)>,
    /// What a method is called on.
    pub(super) receiver: Option<NodeId>,
    /// The same as it stands before a name of a member.
    pub(super) prefix: Vec<u8>,
}

impl<'d> Call<'d> {
    /// What this leaf calls, if that is the function that is declared. Cost: the parameters and arguments.
    pub(super) fn new(
        document: &'d Document,
        names: &'d Names,
        declaration: &Declaration,
        leaf: NodeId,
    ) -> Option<Self> {
        let (function, body) = function(document, declaration)?;
        let list = arguments::list_of(document, leaf)?;
        let callee = arguments::callee(document, leaf);
        let parameters = arguments::parameters_of(document, function);
        let given = parameters.and_then(|list| arguments::given_for(document, callee, list));
        let types = types_given(document, leaf, function);
        let around = document.node(callee).parent;
        let before = document.node(around).start..document.node(callee).start;
        Some(Self {
            document,
            names,
            function,
            node: document.node(list).parent,
            body,
            given: given.into_iter().flatten().chain(types).collect(),
            receiver: document.children(around).next().filter(|&it| it != callee),
            prefix: document.bytes()[before.start as usize..before.end as usize].to_vec(),
        })
    }

    /// The value that the function returns instead of the call.
    pub(super) fn value(&self) -> Option<Splice> {
        let returned = self.returned()?;
        let text = self.text(&self.nodes(returned), self.node, Vec::new());
        let text = bracketed(self.document, returned, self.node, text);
        Some(Splice::replacement(self.range(self.node), &text))
    }

    /// The function's body in the place of the statement that calls it: its statements, or, where several cannot stand, the block.
    pub(super) fn statements(&self) -> Option<Splice> {
        let statements = elements(self.document, self.body)?;
        let all = statements[0]..self.nodes(*statements.last()?).end;
        let shapes = self.shapes(&statements);
        let block = [self.document.shape(self.body)];
        self.replaced(|fits, at| {
            let nodes = fits(&shapes).then(|| all.clone());
            let nodes = nodes.or_else(|| fits(&block).then(|| self.nodes(self.body)))?;
            Some(self.text(&nodes, at, Vec::new()))
        })
    }

    /// The function's statements, with the statement that calls it in the place of the last one, about the value that this returns.
    pub(super) fn statements_and_value(&self) -> Option<Splice> {
        let statements = elements(self.document, self.body)?;
        let &last = statements.last().filter(|_| statements.len() > 1)?;
        self.statements_around(&statements, &[last])
    }

    /// The function's statements, with the statement that calls it in the place of each `return`, where one is not the last of them.
    pub(super) fn statements_in_returns(&self) -> Option<Splice> {
        let statements = elements(self.document, self.body)?;
        let returns = self.returns();
        let is_more = !returns.is_empty() && returns[..] != statements[statements.len() - 1..];
        is_more.then(|| self.statements_around(&statements, &returns))?
    }

    /// The function's statements, with the statement that calls it in the place of each of some that return a value, about that.
    fn statements_around(&self, statements: &[NodeId], returns: &[NodeId]) -> Option<Splice> {
        let document = self.document;
        let all = statements[0]..self.nodes(*statements.last()?).end;
        self.replaced(|fits, at| {
            let shape_of =
                |it: &NodeId| document.shape(if returns.contains(it) { at } else { *it });
            let shapes: Vec<Symbol> = statements.iter().map(shape_of).collect();
            if !fits(&shapes) {
                return None;
            }
            let in_place = |&it: &NodeId| {
                let (siblings, place) = surroundings(document, it)?;
                let is_fit = siblings.can_stand_for(place..place + 1, &[document.shape(at)]);
                let value = returned_by(document, it).filter(|_| is_fit)?;
                let text = self.with_value(at, value)?;
                Some(Splice::replacement(self.range(it), &text))
            };
            let ends: Option<Vec<Splice>> = returns.iter().map(in_place).collect();
            Some(self.text(&all, at, ends?))
        })
    }

    /// The statement around the call, with a value that the function returns instead of that; nothing for one that returns it.
    fn with_value(&self, statement: NodeId, value: NodeId) -> Option<Vec<u8>> {
        let document = self.document;
        if statement == self.node || document.has_role(statement, Role::Returns) {
            return None;
        }
        let text = self.text(&self.nodes(value), self.node, Vec::new());
        let value = bracketed(document, value, self.node, text);
        let (call, all) = (self.range(self.node), self.range(statement));
        let around = [all.start..call.start, call.end..all.end];
        let [before, behind] = around.map(|range| &document.bytes()[range]);
        Some([before, &value, behind].concat())
    }

    /// Each `return` of the function itself.
    fn returns(&self) -> Vec<NodeId> {
        let document = self.document;
        let is_function = |&node: &NodeId| {
            has_body(document, node) && arguments::parameters_of(document, node).is_some()
        };
        let is_own = |node: &NodeId| {
            let around = document.around(*node).find(is_function);
            around.is_none_or(|it| it == self.function)
        };
        let returns = self
            .nodes(self.body)
            .filter(|&it| document.has_role(it, Role::Returns));
        returns.filter(is_own).collect()
    }

    /// A splice in the place of the nearest node around the call for which there is a text: `text` is told which rows of symbols fit.
    pub(super) fn replaced(
        &self,
        text: impl Fn(&dyn Fn(&[Symbol]) -> bool, NodeId) -> Option<Vec<u8>>,
    ) -> Option<Splice> {
        let mut at = self.node;
        for _ in 0..HIGHEST {
            let (siblings, place) = surroundings(self.document, at)?;
            let fits = |symbols: &[Symbol]| {
                siblings.is_accepted() && siblings.can_stand_for(place..place + 1, symbols)
            };
            if let Some(text) = text(&fits, at) {
                return Some(Splice::replacement(self.range(at), &text));
            }
            at = self.document.node(at).parent;
        }
        None
    }

    /// What the function returns: its body, or the value of its last `return`.
    fn returned(&self) -> Option<NodeId> {
        let Self { document, body, .. } = *self;
        if document.has_role(body, Role::Expressions) || document.is_leaf(body) {
            return Some(body);
        }
        let last = self
            .nodes(body)
            .rfind(|&id| document.has_role(id, Role::Returns))?;
        returned_by(document, last)
    }

    /// The text of some nodes of the function as it stands at `place`: with the arguments in the place of the parameters, and what
    /// `others` put in the place of some of them.
    pub(super) fn text(
        &self,
        nodes: &Range<NodeId>,
        place: NodeId,
        others: Vec<Splice>,
    ) -> Vec<u8> {
        let Self {
            document, names, ..
        } = *self;
        let mut splices = columns::moved(document, nodes.clone(), place);
        splices.extend(self.types_in(nodes));
        let others_given = self
            .given
            .iter()
            .filter(|given| !is_type(document, given.0));
        for &(parameter, argument) in others_given {
            let Some(declared) = names.declared_in(&self.nodes(parameter)).first() else {
                continue;
            };
            let uses = names.uses_within(declared, nodes).iter();
            splices.extend(uses.map(|&used| value_at_use(document, argument, used)));
        }
        splices.extend(self.of_receiver(nodes));
        let start = document.node(nodes.start).start as usize;
        let range = start..last_byte(document, nodes);
        let is_apart = |it: &Splice| {
            others
                .iter()
                .all(|other| it.end <= other.start || other.end <= it.start)
        };
        splices.retain(is_apart);
        splices.extend(others);
        part_with(document, &range, splices)
    }

    /// What the method is called on in the place of the words for it, and before members of its class that are named without it.
    pub(super) fn of_receiver(&self, nodes: &Range<NodeId>) -> Vec<Splice> {
        let document = self.document;
        let Some(receiver) = self.receiver else {
            return Vec::new();
        };
        let facts = document.language().map(|language| language.facts());
        let own_word = facts.map_or(&b""[..], |facts| facts.own_word.as_bytes());
        let mut splices = Vec::new();
        for leaf in nodes.clone().filter(|&it| document.is_leaf(it)) {
            if arguments::is_bound_word(document, leaf) {
                splices.push(value_at_use(document, receiver, leaf));
            } else if !own_word.is_empty() && document.text(leaf) == own_word {
                splices.push(self.instead_of_own_word(receiver, leaf));
            }
        }
        if facts.is_some_and(|facts| facts.bound_words.is_empty() && facts.receivers.is_empty()) {
            let insertion = |leaf: NodeId| {
                let start = self.range(leaf).start;
                Splice::replacement(start..start, &self.prefix)
            };
            splices.extend(self.bare_members(nodes).into_iter().map(insertion));
        }
        splices
    }

    /// What the method is called on in the place of the word for that: as it stands before a member where that does.
    fn instead_of_own_word(&self, receiver: NodeId, leaf: NodeId) -> Splice {
        let bytes = self.document.bytes();
        let Range { start, end } = self.range(leaf);
        let behind = bytes[end..].trim_ascii_start();
        let mut marks = [&b"->"[..], b"?.", b"."].into_iter();
        match marks.find(|mark| behind.starts_with(mark)) {
            Some(mark) => {
                let end = bytes.len() - behind.len() + mark.len();
                Splice::replacement(start..end, &self.prefix)
            }
            None => value_at_use(self.document, receiver, leaf),
        }
    }

    /// The leaves that name members of the method's class without what they are members of.
    fn bare_members(&self, nodes: &Range<NodeId>) -> Vec<NodeId> {
        let Self {
            document, names, ..
        } = *self;
        let class_around = |node: NodeId| class_around(document, with_types(document, node));
        let class = class_around(self.function);
        if class == 0 {
            return Vec::new();
        }
        let own = names.declared_in(&self.nodes(self.function));
        let is_hidden = |member: &Declaration| {
            own.iter()
                .any(|it| it.name == member.name && it.declarer != self.function)
        };
        let members = names.declared_in(&self.nodes(class)).iter();
        let members = members.filter(|it| class_around(it.declarer) == class && !is_hidden(it));
        let uses = members.flat_map(|it| names.uses_within(it, nodes)).copied();
        let mut bare: Vec<NodeId> = uses
            .filter(|&leaf| !is_behind_mark(document, leaf))
            .collect();
        bare.sort_unstable();
        bare.dedup();
        bare
    }

    fn shapes(&self, nodes: &[NodeId]) -> Vec<Symbol> {
        let shape = |&node: &NodeId| self.document.shape(node);
        nodes.iter().map(shape).collect()
    }

    pub(super) fn nodes(&self, node: NodeId) -> Range<NodeId> {
        node..self.document.node(node).end_id
    }

    pub(super) fn range(&self, node: NodeId) -> Range<usize> {
        self.document.node(node).range()
    }
}

/// The function that a declaration declares: the node with a body, and the body.
fn function(document: &Document, declaration: &Declaration) -> Option<(NodeId, NodeId)> {
    let body_of = |node: NodeId| document.child_in_field(node, "body");
    let value = document.child_in_field(declaration.declarer, "value");
    [Some(declaration.declarer), value]
        .into_iter()
        .flatten()
        .find_map(|node| Some((node, body_of(node)?)))
}

/// The value behind a `return`.
fn returned_by(document: &Document, statement: NodeId) -> Option<NodeId> {
    let is_return = document.has_role(statement, Role::Returns);
    let mut children = document.children(statement).filter(|_| is_return);
    children.find(|&child| document.node(child).is_named())
}

/// The end of the last of some nodes.
fn last_byte(document: &Document, nodes: &Range<NodeId>) -> usize {
    nodes
        .clone()
        .map(|id| document.node(id).end as usize)
        .max()
        .unwrap_or(0)
}
