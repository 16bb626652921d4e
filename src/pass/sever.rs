//! Severing: what a declaration is used for becomes something of any type, and the declaration goes.
//!
//! Where all types must fit, a declaration cannot go as long as something is made of it, and that cannot become anything else as long as
//! it is passed on. What fits everywhere (`null!` and `any` in TypeScript) in the place of each use cuts the declaration off in one
//! edit, and what only it or its uses needed goes along. Which texts fit everywhere says the language.

use super::{
    Context,
    names::{Declaration, Manner},
    proposal::{Proposal, fingerprint, surroundings},
};
use crate::{
    grammar::Kind,
    syntax::{Document, Edit, NodeId, Role, Splice},
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
/// A part of the document of this share, or of so many tokens, does not go because of one use in it.
const LARGEST_SHARE: u32 = 8;
const LARGEST_AROUND: u32 = 40;

/// Each declaration that is used, with something of any type in the place of its uses, if that takes as many tokens as the grain
/// says. Members of one name go together.
pub(super) fn severed(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let fillers = fillers(document);
    if fillers.is_empty() || document.node(0).tokens >= LARGEST {
        return Vec::new();
    }
    let mut members: FxHashSet<u32> = FxHashSet::default();
    let mut proposals = Vec::new();
    for declaration in &context.names().declarations {
        if declaration.manner == Manner::Member && !members.insert(declaration.name) {
            continue;
        }
        let cut = Cut::new(context, &fillers);
        proposals.extend(cut.off(declaration));
    }
    proposals.retain(|proposal| proposal.weight >= context.grain.least.max(1));
    proposals
}

/// A kind, and a text of that kind.
type Filler<'c> = (Kind, &'c [u8]);

/// What has any type in the language of a document.
fn fillers(document: &Document) -> Vec<Filler<'_>> {
    let (Some(language), Some(grammar)) = (document.language(), document.grammar()) else {
        return Vec::new();
    };
    let texts = language.facts().anything.iter();
    let fillers = texts.filter_map(|it| Some((grammar.kinds().find(&it.kind, true)?, &*it.text)));
    fillers
        .map(|(kind, text)| (kind, text.as_bytes()))
        .collect()
}

/// A declaration on the way out.
struct Cut<'c> {
    context: &'c Context,
    document: &'c Document,
    fillers: &'c [Filler<'c>],
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
    fn new(context: &'c Context, fillers: &'c [Filler<'c>]) -> Self {
        let document = context.document();
        Self {
            context,
            document,
            fillers,
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
        if self.parts.len() < 2 {
            return None;
        }
        let count = u32::try_from(self.parts.len()).unwrap_or(u32::MAX);
        let own = declaration.declarer..self.document.node(declaration.declarer).end_id;
        self.take_unused();
        let name = &names.texts[declaration.name as usize];
        let text = self.document.text(own.start);
        self.proposal(fingerprint(&[b"sever", name, text, &count.to_le_bytes()]))
    }

    /// The unit that declares a name and nothing else for others. What stands in a list of parameters goes with its arguments only.
    fn unit_of(&self, declaration: &Declaration) -> Option<NodeId> {
        let (document, units) = (self.document, self.context.unit_map());
        let above = document.node(declaration.declarer).parent;
        let is_parameter = [declaration.declarer, above].into_iter().any(|node| {
            document.has_role(node, Role::Parameters)
                || document.kind_name(node).contains("type_param")
        });
        let unit = units
            .around(document, declaration.declarer)
            .filter(|_| !is_parameter)?;
        let taken = unit..document.node(unit).end_id;
        let declared = self.context.names().declared_in(&taken).iter();
        let others = declared.filter(|it| it.scope.start < unit && it.leaf != declaration.leaf);
        (taken.contains(&declaration.leaf) && others.count() == 0).then_some(unit)
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
                self.cut_words_of_base(unit)?;
            }
        }
        Some(())
    }

    /// Where a class has lost its base, the words for that mean nothing.
    fn cut_words_of_base(&mut self, unit: NodeId) -> Option<()> {
        let document = self.document;
        let above = |&node: &NodeId| (node != 0).then(|| document.node(node).parent);
        let bases = std::iter::successors(Some(unit), above)
            .take(HIGHEST)
            .find(|&node| document.has_role(node, Role::Bases));
        let (Some(bases), Some(language)) = (bases, document.language()) else {
            return Some(());
        };
        let class = document.node(bases).parent;
        let words = &language.facts().base_words;
        let is_word = |leaf: &NodeId| {
            document.is_leaf(*leaf)
                && words
                    .iter()
                    .any(|word| word.as_bytes() == document.text(*leaf))
        };
        for leaf in (class..document.node(class).end_id).filter(is_word) {
            self.cut_use(leaf)?;
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
        let mut around = std::iter::successors(Some(first), above).take(HIGHEST);
        let is_base = around
            .clone()
            .any(|node| document.has_role(node, Role::Bases));
        let filled = around.find_map(|node| Some((node, self.filler_for(node)?)));
        let Some((mut node, mut text)) = filled.filter(|_| !is_base) else {
            return self.dropped(leaf);
        };
        while let Some(above) = self.goes_on(node) {
            let Some(filler) = self.filler_for(above) else {
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
    fn filler_for(&self, node: NodeId) -> Option<&'c [u8]> {
        let (siblings, place) = surroundings(self.document, node)?;
        let mut fillers = self.fillers.iter();
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

    /// Takes the units that declare only what nothing uses any more.
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
            if self.parts.len() == before {
                break;
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
                "\nfunction g(a: any) { h(null!, 1) }",
            ),
            (
                "typescript",
                "class A { f() {} }\nclass B extends A { constructor() { super(1); h(this) } }",
                "\nclass B  { constructor() {  h(this) } }",
            ),
            (
                "typescript",
                "interface A { a: number; b: string }\nfunction g(c: A) { c.a = 1; h(c.b); return { a: 2 } }",
                "interface A { b: string }\nfunction g(c: A) {  h(c.b); return { } }",
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
