//! One declaration, parameter or body on its way out, with all that goes or changes with it.

use super::{Facts, Parameter, places::Place};
use crate::{
    pass::{
        Proposal, constructors,
        elements::elements_of,
        names::{Declaration, Manner},
        proposal::fingerprint,
    },
    syntax::{Document, Edit, NodeId, Role, Splice},
};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;
use std::{cmp::Reverse, ops::Range};

/// How often it is looked for what goes with what has gone.
const MOST_LAYERS: usize = 8;
/// So many tokens around a declaration are words and marks that belong to it.
const MOST_WORDS_AROUND: u32 = 4;

/// A declaration on the way out.
pub(super) struct Cut<'c> {
    document: &'c Document,
    facts: &'c Facts<'c>,
    /// What goes: its nodes, and what stands in their place if anything does.
    parts: Vec<(Range<NodeId>, Option<&'c [u8]>)>,
    gone: FixedBitSet,
}

impl<'c> Cut<'c> {
    pub(super) fn new(facts: &'c Facts<'c>) -> Self {
        let document = facts.context.document();
        Self {
            document,
            facts,
            parts: Vec::new(),
            gone: FixedBitSet::with_capacity(document.nodes().len()),
        }
    }

    /// The declaration with its uses; `None` where one of them can neither be anything else nor go.
    pub(super) fn off(mut self, declaration: &Declaration) -> Option<Proposal> {
        let names = self.facts.context.names();
        let is_member = declaration.manner == Manner::Member;
        let is_same = |other: &&Declaration| {
            let is_namesake =
                is_member && other.name == declaration.name && other.manner != Manner::Bare;
            is_namesake || other.leaf == declaration.leaf
        };
        let namesakes = self.facts.declarations_of(declaration.name);
        let namesakes = namesakes.map(|index| &names.declarations[index]);
        for each in namesakes.filter(is_same) {
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
    pub(super) fn off_body(mut self, body: &'c Proposal) -> Option<Proposal> {
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
    pub(super) fn off_parameter(mut self, parameter: &Parameter) -> Option<Proposal> {
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
        let (document, units) = (self.document, self.facts.context.unit_map());
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
        let declared = self.facts.context.names().declared_in(&taken).iter();
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
        match self.facts.place_of(leaf)? {
            Place::Filled(node, text) => self.take(node, Some(text)),
            Place::Dropped(unit) => {
                self.drop(unit);
                // Where a class has lost its base, the words for that mean nothing.
                let heir = constructors::heir(self.document, leaf);
                let words = heir.map(|heir| constructors::words_of_base(self.document, heir));
                for word in words.into_iter().flatten() {
                    self.cut_use(word)?;
                }
            }
        }
        Some(())
    }

    /// What stands for nothing but a filler is one in all of its uses.
    fn cut_filled(&mut self) {
        let names = self.facts.context.names();
        let mut next = 0;
        while let Some((nodes, text)) = self.parts.get(next) {
            next += 1;
            let given = self.facts.given.get(&nodes.start);
            let Some(&index) = given.filter(|_| text.is_some()) else {
                continue;
            };
            let declaration = &names.declarations[index];
            let uses = names.uses_in_scope(declaration);
            let can_be = |&leaf: &NodeId| self.is_gone(leaf) || self.facts.place_of(leaf).is_some();
            let Some(unit) = self.unit_of(declaration) else {
                continue;
            };
            if uses.iter().all(can_be) {
                self.drop(unit);
                for &leaf in uses {
                    let _ = self.cut_use(leaf);
                }
            }
        }
    }

    /// Takes the units that declare only what nothing uses any more, and such parameters with their arguments.
    fn take_unused(&mut self) {
        let mut seen = 0;
        for _ in 0..MOST_LAYERS {
            let before = self.parts.len();
            let freed = self.named_in(seen..before);
            for declaration in &freed {
                let uses = self.facts.context.names().uses_of(declaration);
                let is_free = !self.is_gone(declaration.leaf) && self.are_gone(uses);
                let unit = is_free.then(|| self.unit_of(declaration)).flatten();
                if let Some(unit) = unit {
                    self.drop(unit);
                }
            }
            for parameter in self.parameters_in(seen..before) {
                if self.are_gone(&parameter.uses) {
                    for &place in &parameter.places {
                        self.drop(place);
                    }
                }
            }
            self.take_last_parameters(&freed);
            if self.parts.len() == before {
                break;
            }
            seen = before;
        }
    }

    /// Whether these are some, and none of them is left.
    fn are_gone(&self, uses: &[NodeId]) -> bool {
        !uses.is_empty() && uses.iter().all(|&leaf| self.is_gone(leaf))
    }

    /// The declarations of the names that are used in these parts, in document order.
    fn named_in(&self, parts: Range<usize>) -> Vec<&'c Declaration> {
        let leaves = self.nodes_in(parts);
        let names: FxHashSet<u32> = leaves
            .filter_map(|leaf| self.facts.used.get(&leaf).copied())
            .collect();
        let all = &self.facts.context.names().declarations;
        let mut found = FixedBitSet::with_capacity(all.len());
        found.extend(
            names
                .iter()
                .flat_map(|&name| self.facts.declarations_of(name)),
        );
        found.ones().map(|index| &all[index]).collect()
    }

    /// The parameters that are used in these parts.
    fn parameters_in(&self, parts: Range<usize>) -> Vec<&'c Parameter> {
        let used = self.nodes_in(parts);
        let used = used.filter_map(|leaf| self.facts.parameters_of.get(&leaf));
        let all = &self.facts.parameters;
        let mut found = FixedBitSet::with_capacity(all.len());
        found.extend(used.flatten().copied());
        found.ones().map(|index| &all[index]).collect()
    }

    fn nodes_in(&self, parts: Range<usize>) -> impl Iterator<Item = NodeId> + '_ {
        let parts = self.parts[parts].iter();
        parts.flat_map(|(nodes, _)| nodes.clone())
    }

    /// Takes what of these stands last in lists of parameters and is not used any more, where a function with fewer parameters does
    /// as well: one without a name, and one of several of a name.
    fn take_last_parameters(&mut self, freed: &[&Declaration]) {
        let (document, names) = (self.document, self.facts.context.names());
        for declaration in freed.iter().rev() {
            let uses = names.uses_in_scope(declaration);
            if self.is_gone(declaration.leaf) || !self.are_gone(uses) {
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
            let own = own.find(|it| it.declarer == function);
            // The calls of a name with one declaration are known: there its arguments go along.
            let is_one =
                own.is_some_and(|own| self.facts.declarations_of(own.name).nth(1).is_none());
            if is_one || !document.has_role(list, Role::Parameters) {
                continue;
            }
            let mut elements = elements_of(document, list);
            elements.retain(|&it| !self.is_gone(it));
            if elements.last() == Some(&declaration.declarer) {
                self.drop(declaration.declarer);
            }
        }
    }

    fn proposal(mut self, signature: u64) -> Option<Proposal> {
        self.parts
            .sort_by_key(|(nodes, _)| (nodes.start, Reverse(nodes.end)));
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
                let drops = self.facts.context.unit_map().drops_of(nodes.start)?;
                proposal.drops.extend_from_slice(drops);
            }
            proposal.takes.push(nodes);
        }
        proposal.edit = Edit::new(splices);
        proposal.weight = before.checked_sub(after)?;
        proposal.if_smaller()
    }
}
