//! Severing: what a declaration is used for becomes something of any type, and the declaration goes.
//!
//! Where all types must fit, a declaration cannot go as long as something is made of it, and that cannot become anything else as long as
//! it is passed on. What fits everywhere (`null!` and `any` in TypeScript) in the place of each use cuts the declaration off in one
//! edit, and what only it or its uses needed goes along. Which texts fit everywhere says the language.

use super::{
    Context, arguments, bodies,
    names::{Declaration, Manner, Names},
    proposal::{Proposal, fingerprint, surroundings},
    retarget,
};
use crate::{
    grammar::Kind,
    syntax::{Anything, Document, Edit, NodeId, Role, Splice},
};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Larger documents have shorter ways to become smaller.
const LARGEST: u32 = 20_000;
/// How often it is looked for what goes with what has gone.
const MOST_LAYERS: usize = 8;
/// How far above a name a place is looked for where something else can stand.
const HIGHEST: usize = 3;
/// So many tokens around a declaration are words and marks that belong to it.
const MOST_WORDS_AROUND: u32 = 4;
/// A part of the document of this share, or of so many tokens, does not go because of one use in it.
const LARGEST_SHARE: u32 = 8;
const LARGEST_AROUND: u32 = 40;

/// Each declaration that is used, with something of any type in the place of its uses, if that takes as many tokens as the grain
/// says. Members of one name go together.
pub(super) fn severed(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let fillers = Fillers::of(document).filter(|_| document.node(0).tokens < LARGEST);
    let Some(fillers) = fillers else {
        return Vec::new();
    };
    let mut members: FxHashSet<u32> = FxHashSet::default();
    let parameters = parameters(context);
    let mut proposals = Vec::new();
    for declaration in &context.names().declarations {
        if declaration.manner == Manner::Member && !members.insert(declaration.name) {
            continue;
        }
        let cut = Cut::new(context, &fillers, &parameters);
        proposals.extend(cut.off(declaration));
    }
    let bodies = bodies::bodies(context);
    for body in &bodies {
        let cut = Cut::new(context, &fillers, &parameters);
        proposals.extend(cut.off_body(body));
    }
    for parameter in &parameters {
        let cut = Cut::new(context, &fillers, &parameters);
        proposals.extend(cut.off_parameter(parameter));
    }
    proposals.retain(|proposal| proposal.weight >= context.grain.least.max(1));
    proposals
}

/// A kind, and a text of that kind.
type Filler<'c> = (Kind, &'c [u8]);

/// What has any type in the language of a document.
struct Fillers<'c> {
    /// What a class is made from.
    bases: Vec<Filler<'c>>,
    /// Values and types.
    others: Vec<Filler<'c>>,
}

impl<'c> Fillers<'c> {
    fn of(document: &'c Document) -> Option<Self> {
        let (language, grammar) = (document.language()?, document.grammar()?);
        let fillers = |texts: &'c [Anything]| -> Vec<Filler<'c>> {
            let found = texts.iter();
            let found =
                found.filter_map(|it| Some((grammar.kinds().find(&it.kind, true)?, &*it.text)));
            found.map(|(kind, text)| (kind, text.as_bytes())).collect()
        };
        let facts = language.facts();
        let found = Self {
            bases: fillers(&facts.any_base),
            others: fillers(&facts.anything),
        };
        (!found.others.is_empty()).then_some(found)
    }
}

/// A parameter with its arguments.
struct Parameter {
    /// The parameter, and what each call gives for it.
    places: Vec<NodeId>,
    /// The names that stand for it.
    uses: Vec<NodeId>,
    signature: u64,
}

/// The parameters of functions that are called, those of equal names together.
fn parameters(context: &Context) -> Vec<Parameter> {
    let (document, names) = (context.document(), context.names());
    let is_declared = |it: &&Declaration| {
        let above = document.node(it.declarer).parent;
        document.has_role(above, Role::Parameters)
    };
    let parameter = |proposal: Proposal| {
        let places: Vec<NodeId> = proposal.takes.iter().map(|nodes| nodes.start).collect();
        let declared = proposal.takes.iter().map(|nodes| names.declared_in(nodes));
        let declared = declared.flatten().filter(is_declared);
        let uses = declared.flat_map(|it| match it.manner {
            Manner::Bare => names.uses_in_scope(it),
            _ => names.uses_of(it),
        });
        Parameter {
            uses: uses.copied().collect(),
            places,
            signature: proposal.signature,
        }
    };
    let proposals = arguments::arguments(context).into_iter();
    let parameters = proposals.map(parameter);
    let mut parameters: Vec<Parameter> = parameters.filter(|it| !it.uses.is_empty()).collect();
    let declarations = names.declarations.iter();
    parameters.extend(declarations.filter_map(|it| type_parameter(document, names, it)));
    parameters
}

/// A type parameter with what is given for it wherever what it belongs to is named.
fn type_parameter(
    document: &Document,
    names: &Names,
    declaration: &Declaration,
) -> Option<Parameter> {
    let list = document.node(declaration.declarer).parent;
    let place = place_in(document, list, Role::TypeParameters, declaration.declarer)?;
    let owner = document.node(list).parent;
    let mut owners = names.declared_in(&(owner..list)).iter();
    let owner = owners.find(|it| it.declarer == owner)?;
    let given = |&leaf: &NodeId| {
        let parent = document.node(leaf).parent;
        let lists = [parent, document.node(parent).parent].into_iter();
        let lists = lists.flat_map(|node| document.children(node));
        let mut lists = lists.filter(|&child| document.has_role(child, Role::TypeArguments));
        let arguments = arguments::elements_of(document, lists.find(|&list| list > leaf)?);
        arguments.get(place).copied()
    };
    let given = names.uses_of(owner).iter().filter_map(given);
    let places: Vec<NodeId> = std::iter::once(declaration.declarer).chain(given).collect();
    let count = u32::try_from(places.len()).unwrap_or(u32::MAX);
    let own = document.fingerprint(declaration.declarer).to_le_bytes();
    Some(Parameter {
        uses: names.uses_in_scope(declaration).to_vec(),
        places,
        signature: fingerprint(&[b"type", &own, &count.to_le_bytes()]),
    })
}

/// The place of an element in a list of this role.
fn place_in(document: &Document, list: NodeId, role: Role, element: NodeId) -> Option<usize> {
    let elements = document
        .has_role(list, role)
        .then(|| arguments::elements_of(document, list));
    elements?.iter().position(|&it| it == element)
}

/// A declaration on the way out.
struct Cut<'c> {
    context: &'c Context,
    document: &'c Document,
    fillers: &'c Fillers<'c>,
    parameters: &'c [Parameter],
    /// What goes: its nodes, and what stands in their place if anything does.
    parts: Vec<(Range<NodeId>, Option<&'c [u8]>)>,
    gone: FixedBitSet,
}

/// What happens to a use.
enum Place<'c> {
    Filled(NodeId, &'c [u8]),
    Dropped(NodeId),
}

impl<'c> Cut<'c> {
    fn new(context: &'c Context, fillers: &'c Fillers<'c>, parameters: &'c [Parameter]) -> Self {
        let document = context.document();
        Self {
            context,
            document,
            fillers,
            parameters,
            parts: Vec::new(),
            gone: FixedBitSet::with_capacity(document.nodes().len()),
        }
    }

    /// The declaration with its uses; `None` where one of them can neither be anything else nor go.
    fn off(mut self, declaration: &Declaration) -> Option<Proposal> {
        let names = self.context.names();
        let is_member = declaration.manner == Manner::Member;
        let is_same = |other: &&Declaration| {
            let is_namesake =
                is_member && other.name == declaration.name && other.manner != Manner::Bare;
            is_namesake || other.leaf == declaration.leaf
        };
        for each in names.declarations.iter().filter(is_same) {
            let unit = self.unit_of(each)?;
            self.drop(unit);
        }
        let uses = if is_member {
            names.uses_of(declaration)
        } else {
            names.uses_in_scope(declaration)
        };
        for &leaf in uses {
            self.cut_use(leaf)?;
        }
        self.cut_filled();
        let count = u32::try_from(self.parts.len()).unwrap_or(u32::MAX);
        self.take_unused();
        // What nothing used goes alone in other passes.
        if self.parts.len() < 2 {
            return None;
        }
        let name = &names.texts[declaration.name as usize];
        let text = self.document.text(declaration.declarer);
        self.proposal(fingerprint(&[b"sever", name, text, &count.to_le_bytes()]))
    }

    /// A body with what only that used, such as the parameters.
    fn off_body(mut self, body: &'c Proposal) -> Option<Proposal> {
        let ([nodes], [splice]) = (&body.takes[..], body.edit.splices()) else {
            return None;
        };
        if self.document.node(nodes.start).range() != splice.range() {
            return None;
        }
        self.take(nodes.start, Some(&splice.text));
        self.take_unused();
        if self.parts.len() < 2 {
            return None;
        }
        self.proposal(fingerprint(&[b"sever", &body.signature.to_le_bytes()]))
    }

    /// A parameter with its arguments and its uses.
    fn off_parameter(mut self, parameter: &Parameter) -> Option<Proposal> {
        for &place in &parameter.places {
            self.drop(place);
        }
        for &leaf in &parameter.uses {
            self.cut_use(leaf)?;
        }
        self.take_unused();
        self.proposal(fingerprint(&[b"sever", &parameter.signature.to_le_bytes()]))
    }

    /// The unit that declares a name and nothing else for others. What stands in a list of parameters goes with its arguments only.
    fn unit_of(&self, declaration: &Declaration) -> Option<NodeId> {
        let (document, units) = (self.document, self.context.unit_map());
        let above = document.node(declaration.declarer).parent;
        let is_parameter = [declaration.declarer, above].into_iter().any(|node| {
            [Role::Parameters, Role::TypeParameters]
                .iter()
                .any(|&role| document.has_role(node, role))
        });
        // Of what is handed to a block, or to a function without brackets, only the name could go.
        let field = document.field_name(declaration.leaf);
        let is_parameter = is_parameter || field == Some("parameter");
        let inner = units.around(document, declaration.leaf);
        let unit = match inner.filter(|&unit| self.is_in_pattern(unit, declaration)) {
            Some(unit) => unit,
            None => units
                .around(document, declaration.declarer)
                .filter(|_| !is_parameter)?,
        };
        let taken = unit..document.node(unit).end_id;
        let declared = self.context.names().declared_in(&taken).iter();
        let others = declared.filter(|it| it.scope.start < unit && it.leaf != declaration.leaf);
        let own = document.node(declaration.declarer).tokens;
        let is_own = document.node(unit).tokens <= own + MOST_WORDS_AROUND;
        (is_own && taken.contains(&declaration.leaf) && others.count() == 0).then_some(unit)
    }

    /// Whether a unit is a part of what is declared together, and not all of it.
    fn is_in_pattern(&self, unit: NodeId, declaration: &Declaration) -> bool {
        let above = self.document.node(unit).parent;
        unit > declaration.declarer
            && !self.document.has_role(above, Role::Parameters)
            && above != declaration.declarer
    }

    fn is_unit(&self, node: NodeId) -> bool {
        self.context.unit_map().drops_of(node).is_some()
    }

    fn is_gone(&self, node: NodeId) -> bool {
        self.gone.contains(node as usize)
    }

    fn drop(&mut self, unit: NodeId) {
        self.take(unit, None);
    }

    fn take(&mut self, node: NodeId, text: Option<&'c [u8]>) {
        let nodes = node..self.document.node(node).end_id;
        if !self.is_gone(node) {
            self.gone
                .insert_range(nodes.start as usize..nodes.end as usize);
            self.parts.push((nodes, text));
        }
    }

    fn cut_use(&mut self, leaf: NodeId) -> Option<()> {
        if self.is_gone(leaf) {
            return Some(());
        }
        match self.place_of(leaf)? {
            Place::Filled(node, text) => self.take(node, Some(text)),
            Place::Dropped(unit) => {
                self.drop(unit);
                // Where a class has lost its base, the words for that mean nothing.
                let heir = arguments::heir(self.document, leaf);
                let words = heir.map(|heir| arguments::words_of_base(self.document, heir));
                for word in words.into_iter().flatten() {
                    self.cut_use(word)?;
                }
            }
        }
        Some(())
    }

    /// What a use becomes: the largest thing that stands or falls with it.
    fn place_of(&self, leaf: NodeId) -> Option<Place<'c>> {
        let document = self.document;
        let first = if is_member_of_another(document, leaf) {
            document.node(leaf).parent
        } else {
            leaf
        };
        let above = |&node: &NodeId| (node != 0).then(|| document.node(node).parent);
        let around = std::iter::successors(Some(first), above).take(HIGHEST);
        if arguments::heir(document, leaf).is_some() {
            let base = self.filler_of(leaf, &self.fillers.bases);
            let base = base.map(|text| Place::Filled(leaf, text));
            return base.or_else(|| self.dropped(leaf));
        }
        let mut found = None;
        for node in around {
            let filler = self.filler_of(node, &self.fillers.others);
            if found.is_none() && filler.is_none() && self.is_unit(node) {
                break;
            }
            found = found.or_else(|| Some((node, filler?)));
        }
        let Some((mut node, mut text)) = found else {
            return self.dropped(leaf);
        };
        while let Some(above) = self.goes_on(node) {
            let Some(filler) = self.filler_of(above, &self.fillers.others) else {
                break;
            };
            (node, text) = (above, filler);
        }
        let statement = document.node(node).parent;
        if document.has_role(statement, Role::ExpressionStatement) {
            return self.dropped(statement);
        }
        Some(Place::Filled(node, text))
    }

    /// The smallest unit around a use, if it is small.
    fn dropped(&self, node: NodeId) -> Option<Place<'c>> {
        let unit = self.context.unit_map().around(self.document, node)?;
        let most = (self.document.node(0).tokens / LARGEST_SHARE).max(LARGEST_AROUND);
        let is_small = self.document.node(unit).tokens <= most;
        is_small.then_some(Place::Dropped(unit))
    }

    /// What of any type can stand in the place of a node.
    fn filler_of(&self, node: NodeId, fillers: &[Filler<'c>]) -> Option<&'c [u8]> {
        let (siblings, place) = surroundings(self.document, node)?;
        let mut fillers = fillers.iter();
        fillers
            .find(|&&(kind, _)| siblings.can_stand(place, kind))
            .map(|&(_, text)| text)
    }

    /// The node around one that is made of it: a member of it, its call, what is given to it.
    fn goes_on(&self, node: NodeId) -> Option<NodeId> {
        let document = self.document;
        let above = document.node(node).parent;
        let row = document.row(above);
        let goes_on = match row[..] {
            [first, second, ..] if first == node => {
                let text = document.text(second);
                let is_given = text.ends_with(b"=")
                    && !text.ends_with(b"==")
                    && ![&b"<="[..], b">=", b"!="].contains(&text);
                is_given
                    || document.has_role(second, Role::Arguments)
                    || document.has_role(second, Role::Brackets)
                    || BEHIND.contains(&text)
            }
            [first, second, ..] if second == node => {
                let is_word =
                    |text: &[u8]| text.iter().all(u8::is_ascii_lowercase) && !text.is_empty();
                !document.node(first).is_named() && is_word(document.text(first))
            }
            _ => false,
        };
        (goes_on && above != 0).then_some(above)
    }

    /// What stands for nothing but a filler is one in all of its uses.
    fn cut_filled(&mut self) {
        let (document, names) = (self.document, self.context.names());
        for _ in 0..MOST_LAYERS {
            let before = self.parts.len();
            for declaration in &names.declarations {
                let is_typed = document
                    .child_in_field(declaration.declarer, "type")
                    .is_some();
                let is_open = declaration.manner == Manner::Bare && !self.is_gone(declaration.leaf);
                let value = retarget::given_value(document, declaration);
                if is_typed || !is_open || !value.is_some_and(|value| self.is_filled(value)) {
                    continue;
                }
                let uses = names.uses_in_scope(declaration).iter();
                let all_can: bool = uses
                    .clone()
                    .all(|&leaf| self.is_gone(leaf) || self.place_of(leaf).is_some());
                if let Some(unit) = self.unit_of(declaration).filter(|_| all_can) {
                    self.drop(unit);
                    for &leaf in uses {
                        let _ = self.cut_use(leaf);
                    }
                }
            }
            if self.parts.len() == before {
                break;
            }
        }
    }

    fn is_filled(&self, node: NodeId) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|(nodes, text)| nodes.start == node && text.is_some())
    }

    /// Takes the units that declare only what nothing uses any more, and such parameters with their arguments.
    fn take_unused(&mut self) {
        let names = self.context.names();
        for _ in 0..MOST_LAYERS {
            let before = self.parts.len();
            for declaration in &names.declarations {
                let uses = names.uses_of(declaration);
                let is_free = !uses.is_empty()
                    && !self.is_gone(declaration.leaf)
                    && uses.iter().all(|&leaf| self.is_gone(leaf));
                if let Some(unit) = self.unit_of(declaration).filter(|_| is_free) {
                    self.drop(unit);
                }
            }
            for parameter in self.parameters {
                let is_free = !parameter.uses.is_empty()
                    && parameter.uses.iter().all(|&leaf| self.is_gone(leaf));
                for &place in parameter.places.iter().filter(|_| is_free) {
                    self.drop(place);
                }
            }
            self.take_last_parameters();
            if self.parts.len() == before {
                break;
            }
        }
    }

    /// Takes what stands last in lists of parameters and is not used any more, where a function with fewer parameters does as well:
    /// one without a name, and one of several of a name.
    fn take_last_parameters(&mut self) {
        let (document, names) = (self.document, self.context.names());
        for declaration in names.declarations.iter().rev() {
            let uses = names.uses_in_scope(declaration);
            let is_free = !uses.is_empty() && uses.iter().all(|&leaf| self.is_gone(leaf));
            if !is_free || self.is_gone(declaration.leaf) {
                continue;
            }
            if document.field_name(declaration.leaf) == Some("parameter")
                && document.row(declaration.declarer).first() == Some(&declaration.leaf)
            {
                self.take(declaration.leaf, Some(b"()"));
                continue;
            }
            let list = document.node(declaration.declarer).parent;
            let function = document.node(list).parent;
            let mut own = names.declared_in(&(function..list)).iter();
            let is_called = own.find(|it| it.declarer == function);
            let is_called = is_called.is_some_and(|own| !names.has_several(own));
            if is_called || !document.has_role(list, Role::Parameters) {
                continue;
            }
            let mut elements = arguments::elements_of(document, list);
            elements.retain(|&it| !self.is_gone(it));
            if elements.last() == Some(&declaration.declarer) {
                self.drop(declaration.declarer);
            }
        }
    }

    fn proposal(mut self, signature: u64) -> Option<Proposal> {
        self.parts
            .sort_by_key(|(nodes, _)| (nodes.start, std::cmp::Reverse(nodes.end)));
        let mut end = 0;
        let mut outermost = Vec::new();
        for (nodes, text) in self.parts {
            if nodes.end > end {
                end = nodes.end;
                outermost.push((nodes, text));
            }
        }
        let mut proposal = Proposal {
            signature,
            ..Proposal::default()
        };
        let (mut before, mut after) = (0, 0);
        let mut splices = Vec::new();
        for (nodes, text) in outermost {
            let node = self.document.node(nodes.start);
            before += node.tokens;
            if let Some(text) = text {
                after += u32::try_from(self.document.lexis().count(text)).unwrap_or(u32::MAX);
                splices.push(Splice::replacement(node.range(), text));
            } else {
                let drops = self.context.unit_map().drops_of(nodes.start)?;
                proposal.drops.extend_from_slice(drops);
            }
            proposal.takes.push(nodes);
        }
        proposal.edit = Edit::new(splices);
        proposal.weight = before.checked_sub(after)?;
        proposal.if_smaller()
    }
}

/// What stands behind something that is looked into, or asked for something.
const BEHIND: &[&[u8]] = &[b".", b"?.", b"->", b"::", b"[", b"!", b"!!", b"++", b"--"];

/// Whether a name is that of a member of what stands before it.
fn is_member_of_another(document: &Document, leaf: NodeId) -> bool {
    let bytes = document.bytes();
    let before = bytes[..document.node(leaf).range().start].trim_ascii_end();
    let parent = document.node(document.node(leaf).parent).range();
    let behind = [&b"."[..], b"->", b"::"];
    before.len() > parent.start && behind.iter().any(|mark| before.ends_with(mark))
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
                "function f( b: number) {throw 0}\n\nf( 1)",
            ),
            (
                "typescript",
                "function f() { return g }\ntype T = A<number>[] | 0\ntype A<B> = B\nlet a = f()",
                "function f() { return g }\ntype T = any | 0\n\nlet a = f()",
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
