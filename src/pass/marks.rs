//! What a language's `locals.scm` says of the nodes of a document: what declares a name, uses it, or opens a scope.

use super::combined::LARGE;
use crate::syntax::{Document, NodeId, Query};
use fixedbitset::FixedBitSet;
use std::ops::Range;

/// How a name is used: what is declared to be named in one way is not meant by a use in the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Manner {
    /// Either way, or the language does not say.
    #[default]
    Any,
    /// Without anything before it, as a variable.
    Bare,
    /// As a member of something: behind a dot, in a path, or as a key.
    Member,
}

/// The nodes that the query of a language captures, by what it calls them.
pub(super) struct Marks {
    /// What is declared: a name, or a declarator or pattern that holds names.
    pub(super) definition: FixedBitSet,
    /// What holds names that its parent declares.
    pub(super) name: FixedBitSet,
    /// Of what is declared: what is declared elsewhere, too.
    pub(super) import: FixedBitSet,
    /// Of what is declared: types, and those that are calculated from others.
    pub(super) types: FixedBitSet,
    pub(super) calculated: FixedBitSet,
    /// Of what is declared: what is declared by a value that it is given.
    pub(super) assigned: FixedBitSet,
    /// The same, seen everywhere.
    pub(super) global: FixedBitSet,
    /// Of what is declared: members that are given a value apart from what they belong to.
    pub(super) given: FixedBitSet,
    /// Of what is declared: members by which what they belong to is used although it is not named.
    pub(super) through: FixedBitSet,
    /// Of what is declared: what is seen only in what the list that it stands in belongs to.
    pub(super) within: FixedBitSet,
    /// What declares itself.
    pub(super) declaration: FixedBitSet,
    pub(super) reference: FixedBitSet,
    pub(super) scope: FixedBitSet,
    /// What stands in a name for a declaration that says what it means for some arguments.
    pub(super) special: FixedBitSet,
    /// What must be known for a declaration to be meant.
    pub(super) head: FixedBitSet,
    /// Of those: what a member belongs to.
    pub(super) owner: FixedBitSet,
    /// The same, where nothing in that says so.
    pub(super) receiver: FixedBitSet,
    /// What is an operator, and what declares one.
    pub(super) operator: FixedBitSet,
    pub(super) own_operator: FixedBitSet,
    /// What makes one known that is declared elsewhere.
    pub(super) imported_operator: FixedBitSet,
    /// What is calculated from what it mentions.
    pub(super) calculation: FixedBitSet,
    /// Where a constant is wanted.
    pub(super) early: FixedBitSet,
    /// What is only looked at there, but never run.
    pub(super) unevaluated: FixedBitSet,
    /// What does something when the program starts, whether or not it is used.
    pub(super) acting: FixedBitSet,
    /// What is defined among the members of a type, but belongs to what is around that.
    pub(super) beside: FixedBitSet,
    /// What has a place of its own in what it is a member of.
    pub(super) placed: FixedBitSet,
    /// Names that have arguments where a type stands, those of them that are called, and what declares such names.
    pub(super) instance: FixedBitSet,
    pub(super) called: FixedBitSet,
    pub(super) template: FixedBitSet,
    /// The names of literals' suffixes: others than the same text elsewhere.
    pub(super) suffix: FixedBitSet,
    pub(super) uses: Manners,
    pub(super) definitions: Manners,
}

/// What is named bare, and what is named as a member: both, or neither, is either, if it does not stand behind a dot.
pub(super) struct Manners {
    bare: FixedBitSet,
    member: FixedBitSet,
    dotted: FixedBitSet,
}

impl Manners {
    fn note(&mut self, node: NodeId, capture: &str) {
        match capture.rsplit('.').next() {
            Some("bare") => self.bare.insert(node as usize),
            Some("member" | "given" | "through") => self.member.insert(node as usize),
            Some("dotted") => self.dotted.insert(node as usize),
            _ => {}
        }
    }

    pub(super) fn of(&self, node: NodeId) -> Manner {
        let node = node as usize;
        if self.dotted.contains(node) {
            return Manner::Member;
        }
        match (self.bare.contains(node), self.member.contains(node)) {
            (true, false) => Manner::Bare,
            (false, true) => Manner::Member,
            _ => Manner::Any,
        }
    }
}

impl Marks {
    pub(super) fn of(document: &Document, query: &Query) -> Self {
        let none = || FixedBitSet::with_capacity(document.nodes().len());
        let mut marks = Self {
            definition: none(),
            name: none(),
            import: none(),
            types: none(),
            calculated: none(),
            assigned: none(),
            global: none(),
            given: none(),
            through: none(),
            within: none(),
            declaration: none(),
            reference: none(),
            scope: none(),
            special: none(),
            head: none(),
            owner: none(),
            receiver: none(),
            operator: none(),
            own_operator: none(),
            imported_operator: none(),
            calculation: none(),
            early: none(),
            unevaluated: none(),
            acting: none(),
            beside: none(),
            placed: none(),
            instance: none(),
            called: none(),
            template: none(),
            suffix: none(),
            uses: Manners {
                bare: none(),
                member: none(),
                dotted: none(),
            },
            definitions: Manners {
                bare: none(),
                member: none(),
                dotted: none(),
            },
        };
        let mut mistaken = Vec::new();
        let is_large = document.node(0).tokens >= LARGE;
        for found in query.matches(document) {
            for (capture, node) in found.captures {
                let name = query.captures()[capture as usize];
                let last = name.rsplit('.').next();
                // In a small document what gives a member its value is a use of it, as other languages have it.
                if last == Some("given") && !is_large {
                    continue;
                }
                let sort = match last {
                    Some("import") => Some(&mut marks.import),
                    Some("type") => Some(&mut marks.types),
                    Some("calculated") => Some(&mut marks.calculated),
                    Some("assigned") => Some(&mut marks.assigned),
                    Some("global") => Some(&mut marks.global),
                    Some("given") => Some(&mut marks.given),
                    Some("through") => Some(&mut marks.through),
                    Some("within") => Some(&mut marks.within),
                    Some("owner") => Some(&mut marks.owner),
                    Some("receiver") => Some(&mut marks.receiver),
                    _ => None,
                };
                if let Some(sort) = sort {
                    sort.insert(node as usize);
                }
                match role(name) {
                    "definition" => marks.definitions.note(node, name),
                    "reference" => marks.uses.note(node, name),
                    "mistaken" => mistaken.push(node),
                    _ => {}
                }
                if let Some(mark) = marks.of_role(name) {
                    mark.insert(node as usize);
                }
            }
        }
        marks.instance.difference_with(&marks.called);
        for node in mistaken {
            marks.forget_mistaken(document, node);
        }
        marks
    }

    /// What holds the nodes of a capture, by what that says of them.
    fn of_role(&mut self, name: &str) -> Option<&mut FixedBitSet> {
        Some(match role(name) {
            "definition" => &mut self.definition,
            "name" => &mut self.name,
            "declaration" => &mut self.declaration,
            "reference" => &mut self.reference,
            "scope" => &mut self.scope,
            "special" => &mut self.special,
            "head" => &mut self.head,
            "operator" if name.ends_with(".definition") => &mut self.own_operator,
            "operator" if name.ends_with(".import") => &mut self.imported_operator,
            "operator" => &mut self.operator,
            "calculation" => &mut self.calculation,
            "early" => &mut self.early,
            "unevaluated" => &mut self.unevaluated,
            "acting" => &mut self.acting,
            "beside" => &mut self.beside,
            "placed" => &mut self.placed,
            "instance" => &mut self.instance,
            "called" => &mut self.called,
            "template" => &mut self.template,
            "suffix" => &mut self.suffix,
            _ => return None,
        })
    }

    /// What was taken for a name, and so for what a name means for some arguments or belongs to, says nothing about what is declared.
    fn forget_mistaken(&mut self, document: &Document, mistaken: NodeId) {
        let node = document.node(mistaken);
        let nodes = mistaken as usize..node.end_id as usize;
        let marks = [
            &mut self.name,
            &mut self.special,
            &mut self.head,
            &mut self.owner,
        ];
        for marks in marks {
            marks.set_range(nodes.clone(), false);
        }
        // What its result stands behind is no guide to the arguments of a type.
        let whole = document.node(node.parent).parent;
        self.special.set(whole as usize, false);
    }

    /// What is declared around the name at `leaf`; `None` when this is a use.
    pub(super) fn definition(&self, document: &Document, leaf: NodeId) -> Option<NodeId> {
        let mut at = leaf;
        while !self.definition.contains(at as usize) {
            if !self.name.contains(at as usize) || at == 0 {
                return None;
            }
            at = document.node(at).parent;
        }
        Some(at)
    }

    /// Whether what `leaf` declares holds for some arguments only.
    pub(super) fn specialises(
        &self,
        document: &Document,
        leaf: NodeId,
        definition: NodeId,
    ) -> bool {
        let mut at = leaf;
        while at != definition && !self.special.contains(at as usize) {
            at = document.node(at).parent;
        }
        self.special.contains(at as usize)
    }

    /// The node that declares what `definition` holds.
    pub(super) fn declarer(&self, document: &Document, definition: NodeId) -> NodeId {
        if self.declaration.contains(definition as usize) {
            definition
        } else {
            document.node(definition).parent
        }
    }

    /// Whether what is declared is a type, and not calculated from others.
    pub(super) fn is_type(&self, definition: NodeId) -> bool {
        let definition = definition as usize;
        self.types.contains(definition) && !self.calculated.contains(definition)
    }

    /// Whether what is declared is declared by a value that it is given.
    pub(super) fn is_assigned(&self, definition: NodeId) -> bool {
        let definition = definition as usize;
        self.assigned.contains(definition) || self.global.contains(definition)
    }

    /// The nodes below the nearest node above that opens a scope; all nodes for what is seen everywhere.
    pub(super) fn scope(
        &self,
        document: &Document,
        definition: NodeId,
        declarer: NodeId,
    ) -> Range<NodeId> {
        if self.within.contains(definition as usize) {
            let list = document.node(declarer).parent;
            let whole = document.node(list).parent;
            return whole..document.node(whole).end_id;
        }
        let mut everywhere = [&self.global, &self.given].into_iter();
        let is_global = everywhere.any(|it| it.contains(definition as usize));
        let mut at = if is_global { 0 } else { declarer };
        while at != 0 {
            at = document.node(at).parent;
            if self.scope.contains(at as usize) {
                break;
            }
        }
        at..document.node(at).end_id
    }
}

/// What a capture stands for: `definition` for `@local.definition.function` and for `@definition`.
fn role(capture: &str) -> &str {
    let capture = capture.strip_prefix("local.").unwrap_or(capture);
    capture.split('.').next().unwrap_or(capture)
}
