//! Severing: what a declaration is used for becomes something of any type, and the declaration goes.
//!
//! Where all types must fit, a declaration cannot go as long as something is made of it, and that cannot become anything else as long
//! as it is passed on. What fits everywhere in the place of each use cuts the declaration off in one edit, and what only it or its
//! uses needed goes along. Which texts fit everywhere says the language (`any` and `<any>[]` in TypeScript).

mod cut;
mod parameters;
mod places;

use super::{
    Context, Proposal, bodies,
    names::Manner,
    proposal::{Filler, fillers, siblings},
    retarget,
};
use crate::{
    grammar::Siblings,
    syntax::{Document, NodeId},
};
use cut::Cut;
use parameters::{Parameter, parameters};
use places::Place;
use rustc_hash::{FxHashMap, FxHashSet};
use std::{cell::RefCell, rc::Rc};

/// Larger documents have shorter ways to become smaller.
const LARGEST: u32 = 10_000;
/// In the rounds smaller documents are left to other changes.
const MUCH: u32 = 150;

/// What [`severed`] proposes, where there is so much that single changes would take long.
pub(super) fn severed_in_much(context: &Context) -> Vec<Proposal> {
    if context.document().node(0).tokens < MUCH {
        return Vec::new();
    }
    severed(context)
}

/// Each declaration that is used, with something of any type in the place of its uses, if that takes as many tokens as the grain
/// says. Members of one name go together.
pub(super) fn severed(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let fillers = Fillers::of(document).filter(|_| document.node(0).tokens < LARGEST);
    let Some(fillers) = fillers else {
        return Vec::new();
    };
    let facts = Facts::of(context, fillers);
    let least = context.grain.least.max(1);
    let is_enough = |proposal: &Proposal| proposal.weight >= least;
    let mut members: FxHashSet<u32> = FxHashSet::default();
    let mut proposals = Vec::new();
    for declaration in &context.names().declarations {
        if declaration.manner == Manner::Member && !members.insert(declaration.name) {
            continue;
        }
        let cut = Cut::new(&facts);
        proposals.extend(cut.off(declaration).filter(is_enough));
    }
    let bodies = bodies::bodies(context);
    for body in &bodies {
        let cut = Cut::new(&facts);
        proposals.extend(cut.off_body(body).filter(is_enough));
    }
    for parameter in &facts.parameters {
        let cut = Cut::new(&facts);
        proposals.extend(cut.off_parameter(parameter).filter(is_enough));
    }
    proposals
}

/// What has any type in the language of a document.
struct Fillers<'c> {
    /// What a class is made from.
    bases: Vec<Filler<'c>>,
    /// Values and types.
    others: Vec<Filler<'c>>,
}

impl<'c> Fillers<'c> {
    fn of(document: &'c Document) -> Option<Self> {
        let facts = document.language()?.facts();
        let found = Self {
            bases: fillers(document, &facts.any_base),
            others: fillers(document, &facts.anything),
        };
        (!found.others.is_empty()).then_some(found)
    }
}

/// What is found out once for all declarations.
struct Facts<'c> {
    fillers: Fillers<'c>,
    parameters: Vec<Parameter>,
    /// By value: the declaration, among all, that gives it to a name without a type.
    given: FxHashMap<NodeId, usize>,
    /// By name: its declarations, in document order.
    declarations: Vec<Vec<usize>>,
    /// By leaf that uses a name: which.
    used: FxHashMap<NodeId, u32>,
    /// By leaf that uses parameters: which of them.
    parameters_of: FxHashMap<NodeId, Vec<usize>>,
    /// By use, once it was asked for: what it can become.
    places: RefCell<FxHashMap<NodeId, Option<Place<'c>>>>,
    context: &'c Context,
    /// By parent, once it was asked for.
    rows: RefCell<FxHashMap<NodeId, Rc<Row<'c>>>>,
}

/// The children of a node, and what its grammar says of them.
struct Row<'c> {
    nodes: Vec<NodeId>,
    siblings: Option<Siblings<'c>>,
}

impl<'c> Facts<'c> {
    fn of(context: &'c Context, fillers: Fillers<'c>) -> Self {
        let names = context.names();
        let mut declarations = vec![Vec::new(); names.texts.len()];
        for (index, declaration) in names.declarations.iter().enumerate() {
            declarations[declaration.name as usize].push(index);
        }
        let used = (0..).zip(&names.uses);
        let used = used.flat_map(|(name, uses)| uses.iter().map(move |&leaf| (leaf, name)));
        let parameters = parameters(context);
        let mut parameters_of: FxHashMap<NodeId, Vec<usize>> = FxHashMap::default();
        for (index, parameter) in parameters.iter().enumerate() {
            for &leaf in &parameter.uses {
                parameters_of.entry(leaf).or_default().push(index);
            }
        }
        Self {
            fillers,
            parameters,
            parameters_of,
            places: RefCell::default(),
            given: given(context),
            declarations,
            used: used.collect(),
            context,
            rows: RefCell::default(),
        }
    }

    fn declarations_of(&self, name: u32) -> impl Iterator<Item = usize> + '_ {
        self.declarations[name as usize].iter().copied()
    }

    /// The row below a node. Cost: linear in it, once.
    fn row(&self, parent: NodeId) -> Rc<Row<'c>> {
        let mut rows = self.rows.borrow_mut();
        let row = rows.entry(parent).or_insert_with(|| {
            let document = self.context.document();
            let nodes = document.row(parent);
            let siblings = siblings(document, parent, &nodes);
            Rc::new(Row { nodes, siblings })
        });
        Rc::clone(row)
    }
}

fn given(context: &Context) -> FxHashMap<NodeId, usize> {
    let document = context.document();
    let declarations = context.names().declarations.iter().enumerate();
    let untyped = declarations.filter(|(_, it)| {
        it.manner == Manner::Bare && document.child_in_field(it.declarer, "type").is_none()
    });
    let given =
        untyped.filter_map(|(index, it)| Some((retarget::given_value(document, it)?, index)));
    given.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::assert_offers;

    #[test]
    fn what_is_used_becomes_something_of_any_type() {
        for (language, text, wanted) in [
            (
                "typescript",
                "class A { f() {} }\nfunction g(a: A) { h(new A().f(), 1) }",
                "\nfunction g(a: any) { h(<any>[], 1) }",
            ),
            (
                "typescript",
                "class A { f() {} }\nclass B extends A { constructor() { super(1); h(this) } }",
                "\nclass B extends (<any>Object) { constructor() { super(1); h(this) } }",
            ),
            (
                "typescript",
                "interface A { a: number; b: string }\nfunction g(c: A) { c.a = 1; h(c.b); return { a: 2 } }",
                "interface A {  b: string }\nfunction g(c: A) {  h(c.b); return {  } }",
            ),
            (
                "typescript",
                "function f(a: A, b: number) { return a.c + b }\nf(g(), 1)",
                "function f( b: number) { return <any>[] + b }\nf( 1)",
            ),
            (
                "typescript",
                "class A<T, U> { a: T; b: U }\nlet c = new A<number, any>(), d: A<A<1, 2>, 0>",
                "class A< U> { a: any; b: U }\nlet c = new A< any>(), d: A< 0>",
            ),
            (
                "typescript",
                "class A { f() {} }\nlet a = (b: A) => { b.f() }\ng((c, d) => { new A().f(d) })",
                "\nlet a = () => {  }\ng((c) => {  })",
            ),
            (
                "typescript",
                "function f(a: A, b: number) { return h(a) }\nfunction h(a: any) {}\nf(g(), 1)",
                "function f() {return 0 as any}\n\nf()",
            ),
            (
                "typescript",
                "function f() { return g }\ntype T = A<number>[] | 0\ntype A<B> = B\nlet a = f()",
                "function f() { return g }\ntype T = any | 0\n\nlet a = f()",
            ),
            (
                "tsx",
                "f(new A(1).b); class A { b: any }",
                "f(([] as any)); ",
            ),
            (
                "java",
                "class A { B b; void f() { g(new B().h()); } }\nclass B { int h() { return 1; } }",
                "class A { Object b; void f() { g(null); } }\n",
            ),
        ] {
            assert_offers(language, text, wanted, severed);
        }
    }

    #[test]
    fn a_language_that_fits_nothing_everywhere_has_nothing_to_sever() {
        let context = crate::pass::testing::sample("c", "int f() { return 1; } int g() { f(); }");
        assert!(severed(&context).is_empty());
    }
}
