//! Inlining: what a declaration declares takes the place of its use, and the declaration goes.
//!
//! - A definition that is used as the same kind of thing (`struct s { … }; struct s v;`) moves to its only use, without its name.
//! - A call becomes what the function returns, with the arguments in the place of the parameters.
//! - A statement that calls becomes the statements of the function's body, or these with the call's value in the place of the call,
//!   or these with that statement in the place of each `return`, about what that returns.

use super::{
    Context,
    arguments::{self, class_around},
    columns,
    in_place::{bracketed, is_behind_mark, part_with, value_at_use, without_unit},
    names::{Declaration, Names},
    proposal::{Proposal, elements, has_body, surroundings},
};
use crate::{
    grammar::Symbol,
    syntax::{Document, NodeId, Role, Splice},
};
use std::ops::Range;

/// How far above a call the statement is looked for that holds it.
const HIGHEST: usize = 8;

/// The inlinings of every declaration that has uses.
pub fn inlinings(context: &Context) -> Vec<Proposal> {
    let (document, names, units) = (context.document(), context.names(), context.unit_map());
    let mut proposals = Vec::new();
    for declaration in &names.declarations {
        // A method is used outside of the scope that declares it, so all uses of the text count.
        let uses: Vec<NodeId> = names
            .uses_of(declaration)
            .iter()
            .copied()
            .filter(|leaf| {
                !(declaration.declarer..document.node(declaration.declarer).end_id).contains(leaf)
            })
            .collect();
        let Some(unit) = units.around(document, declaration.declarer) else {
            continue;
        };
        if uses.is_empty() {
            continue;
        }
        let mut texts = definition_at_use(document, declaration, &uses);
        let calls = uses
            .iter()
            .map(|&leaf| Call::new(document, names, declaration, leaf));
        if let Some(calls) = calls.collect::<Option<Vec<_>>>() {
            let ways = [
                Call::value,
                Call::statements,
                Call::statements_and_value,
                Call::statements_in_returns,
            ];
            texts.extend(
                ways.iter()
                    .filter_map(|way| calls.iter().map(way).collect()),
            );
        }
        for splices in texts {
            proposals.extend(without_unit(document, units, unit, splices));
        }
    }
    proposals
}

/// The definition in the place of the only node of the same kind that means it: with its name, and without.
fn definition_at_use(
    document: &Document,
    declaration: &Declaration,
    uses: &[NodeId],
) -> Vec<Vec<Splice>> {
    let definition = document.node(declaration.declarer);
    let place = document.node(uses[0]).parent;
    if document.node(place).kind != definition.kind {
        return Vec::new();
    }
    let range = document.node(place).range();
    let named = document.text(declaration.declarer).to_vec();
    let name = document.node(declaration.leaf).range();
    let mut nameless = named.clone();
    nameless.drain(name.start - definition.start as usize..name.end - definition.start as usize);
    let splice = |text: &[u8]| vec![Splice::replacement(range.clone(), text)];
    if uses.len() == 1 {
        vec![splice(&nameless), splice(&named)]
    } else {
        vec![splice(&named)]
    }
}

/// One call of a function whose definition can be seen.
struct Call<'d> {
    document: &'d Document,
    names: &'d Names,
    /// The name of what is called.
    leaf: NodeId,
    node: NodeId,
    function: NodeId,
    /// Of the function.
    body: NodeId,
    /// By parameter, what the call gives for it.
    given: Vec<(NodeId, NodeId)>,
    /// What a method is called on.
    receiver: Option<NodeId>,
}

impl<'d> Call<'d> {
    fn new(
        document: &'d Document,
        names: &'d Names,
        declaration: &Declaration,
        leaf: NodeId,
    ) -> Option<Self> {
        let (function, body) = function(document, declaration)?;
        let list = arguments::argument_list(document, leaf)?;
        let parameters = arguments::parameters_of(document, function);
        let given = parameters.and_then(|list| arguments::given_for(document, leaf, list));
        Some(Self {
            document,
            names,
            leaf,
            function,
            node: document.node(list).parent,
            body,
            given: given.unwrap_or_default(),
            receiver: document
                .children(document.node(leaf).parent)
                .next()
                .filter(|&it| it != leaf),
        })
    }

    /// The value that the function returns instead of the call.
    fn value(&self) -> Option<Splice> {
        let returned = self.returned()?;
        let text = self.text(&self.nodes(returned), self.node, Vec::new());
        let text = bracketed(self.document, returned, self.node, text);
        Some(Splice::replacement(self.range(self.node), &text))
    }

    /// The function's body in the place of the statement that calls it: its statements, or, where several cannot stand, the block.
    fn statements(&self) -> Option<Splice> {
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
    fn statements_and_value(&self) -> Option<Splice> {
        let statements = elements(self.document, self.body)?;
        let &last = statements.last().filter(|_| statements.len() > 1)?;
        self.statements_around(&statements, &[last])
    }

    /// The function's statements, with the statement that calls it in the place of each `return`, where one is not the last of them.
    fn statements_in_returns(&self) -> Option<Splice> {
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
    fn replaced(
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
    fn text(&self, nodes: &Range<NodeId>, place: NodeId, others: Vec<Splice>) -> Vec<u8> {
        let Self {
            document, names, ..
        } = *self;
        let mut splices = columns::moved(document, nodes.clone(), place);
        for &(parameter, argument) in &self.given {
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
    fn of_receiver(&self, nodes: &Range<NodeId>) -> Vec<Splice> {
        let document = self.document;
        let Some(receiver) = self.receiver else {
            return Vec::new();
        };
        let bound = nodes
            .clone()
            .filter(|&leaf| arguments::is_bound_word(document, leaf));
        let mut splices: Vec<Splice> = bound
            .map(|leaf| value_at_use(document, receiver, leaf))
            .collect();
        let facts = document.language().map(|language| language.facts());
        if facts.is_some_and(|facts| facts.bound_words.is_empty() && facts.receivers.is_empty()) {
            let before =
                self.range(document.node(self.leaf).parent).start..self.range(self.leaf).start;
            let text = &document.bytes()[before];
            let insertion = |leaf: NodeId| {
                let start = self.range(leaf).start;
                Splice::replacement(start..start, text)
            };
            splices.extend(self.bare_members(nodes).into_iter().map(insertion));
        }
        splices
    }

    /// The leaves that name members of the method's class without what they are members of.
    fn bare_members(&self, nodes: &Range<NodeId>) -> Vec<NodeId> {
        let Self {
            document, names, ..
        } = *self;
        let class = class_around(document, self.function);
        if class == 0 {
            return Vec::new();
        }
        let own = names.declared_in(&self.nodes(self.function));
        let is_hidden = |member: &Declaration| {
            own.iter()
                .any(|it| it.name == member.name && it.declarer != self.function)
        };
        let members = names.declared_in(&self.nodes(class)).iter();
        let members =
            members.filter(|it| class_around(document, it.declarer) == class && !is_hidden(it));
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

    fn nodes(&self, node: NodeId) -> Range<NodeId> {
        node..self.document.node(node).end_id
    }

    fn range(&self, node: NodeId) -> Range<usize> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::assert_offers;

    #[test]
    fn a_definition_takes_the_place_of_its_use() {
        for (language, text, wanted) in [
            (
                "c",
                "struct s { int a; }; struct s v;",
                " struct  { int a; } v;",
            ),
            (
                "c",
                "int f(int a) { return a + 1; } int g() { return f(2); }",
                " int g() { return 2 + 1; }",
            ),
            (
                "javascript",
                "function f(a) { g(a); h() } f(1)",
                " g(1); h()",
            ),
            (
                "c",
                "int f(int a) { g(a); return a + 1; } int h() { int b = f(2); }",
                " int h() { g(2); int b = 2 + 1; }",
            ),
            (
                "c",
                "void f(struct s *p, int a) { p->m = a; } void g() { struct s b; f(&b, 1); }",
                " void g() { struct s b; (&b)->m = 1; }",
            ),
            (
                "c",
                "int f(int a) { return a + 1; } int g() { return f(2) * 3; }",
                " int g() { return (2 + 1) * 3; }",
            ),
            (
                "python",
                "class A:\n  k = 1\n  def f(self, a):\n    self.g()\n    self.h(a)\nx.f(1)\n",
                "class A:\n  k = 1\n\nx.g()\nx.h(1)\n",
            ),
            (
                "javascript",
                "class A { k() {} f(a) { this.b = a; this.k() } } x.f(1)",
                "class A { k() {}  } x.b = 1; x.k()",
            ),
            (
                "php",
                "<?php class A { function f($a) { $this->b = $a; } } $x->f(new B);",
                "<?php class A {  } $x->b = new B;",
            ),
            (
                "cpp",
                "struct A { int b; A *c; void f(int a) { b = a + c->b; } }; void g(A x) { x.f(1); }",
                "struct A { int b; A *c;  }; void g(A x) { x.b = 1 + x.c->b; }",
            ),
            (
                "cpp",
                "struct A { int b; int f() { return g(b); } }; int h(A *x) { return x->f(); }",
                "struct A { int b;  }; int h(A *x) { return g(x->b); }",
            ),
            (
                "java",
                "class A { int b; void f() { b = 1; } void g(A x) { x.f(); } }",
                "class A { int b;  void g(A x) { x.b = 1; } }",
            ),
            (
                "lua",
                "function A:f(a) self:g(a) end\nx.b:f(1)\n",
                "\nx.b:g(1)\n",
            ),
            (
                "javascript",
                "function f(a) { try { g(a) } catch (e) { return e.b } } h(f(1), 2)",
                " try { g(1) } catch (e) { h(e.b, 2) }",
            ),
            (
                "python",
                "def f(a):\n    for b in a:\n        if g(b):\n            return b\nh(f(1))\n",
                "\nfor b in 1:\n    if g(b):\n        h(b)\n",
            ),
            (
                "python",
                "def f(a):\n    g(a)\n    return a\nif b:\n  x = f(1)\n",
                "\nif b:\n  g(1)\n  x = 1\n",
            ),
        ] {
            assert_offers(language, text, wanted, inlinings);
        }
    }
}
