//! Where the parts of a document stand, and what they declare for others.

use crate::{
    pass::{
        Context, Proposal,
        dependencies::Parts,
        exports::is_exported,
        names::{Declaration, Manner},
        walls::walls_above,
    },
    syntax::{NodeId, Role},
};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The parts of a document, and what they stand in.
pub(super) struct Place<'a> {
    pub(super) context: &'a Context,
    pub(super) parts: Parts,
    walls: Vec<u32>,
    /// Whether all that follows the name of a namespace lies in it.
    lies_behind_namespace: bool,
}

impl<'a> Place<'a> {
    /// Of the parts that these proposals take, which are in document order. Cost: linear in the document.
    pub(super) fn of(context: &'a Context, row: &[Proposal]) -> Self {
        let document = context.document();
        let is_name_only = |child: NodeId| {
            document.has_role(child, Role::BeforeDots)
                && document.child_in_field(child, "body").is_none()
        };
        Self {
            context,
            parts: Parts::of(row),
            walls: walls_above(document),
            lies_behind_namespace: document.children(0).any(is_name_only),
        }
    }

    pub(super) fn walls_around(&self, node: NodeId) -> u32 {
        self.walls[self.context.document().node(node).parent as usize]
    }

    /// Whether a node lies in a namespace whose declarations are named behind a dot.
    pub(super) fn is_named_behind_dot(&self, node: NodeId) -> bool {
        let document = self.context.document();
        let mut around = document.around(node).skip(1);
        self.lies_behind_namespace || around.any(|node| document.has_role(node, Role::BeforeDots))
    }

    /// The part around a leaf.
    pub(super) fn part_around(&self, leaf: NodeId) -> Option<u32> {
        self.parts.around(leaf).map(|(_, part)| part)
    }

    /// Whether a node stands in no body but those around its part.
    pub(super) fn is_own(&self, node: NodeId) -> bool {
        let part = self.parts.around(node);
        part.is_some_and(|(start, _)| self.walls_around(node) == self.walls_around(start))
    }

    /// By name and how it is used: where something inside of a part has it, so that nothing else is meant by it alone; from its
    /// declaration on where that has to come first. In order, apart from each other. The members of a type in a function are parts:
    /// where one has the name, that may be meant.
    pub(super) fn inner_scopes(&self) -> FxHashMap<(u32, Manner), Vec<Range<NodeId>>> {
        let mut scopes: FxHashMap<(u32, Manner), Vec<Range<NodeId>>> = FxHashMap::default();
        let mut leaves: FxHashMap<u32, Vec<NodeId>> = FxHashMap::default();
        let is_in_order = self
            .context
            .document()
            .language()
            .is_some_and(|it| it.is_declared_first());
        for declaration in &self.context.names().declarations {
            if self.exported(declaration).is_some() {
                leaves
                    .entry(declaration.name)
                    .or_default()
                    .push(declaration.leaf);
            } else if declaration.scope.start > 0 {
                let key = (declaration.name, declaration.manner);
                let mut scope = declaration.scope.clone();
                if is_in_order {
                    scope.start = scope.start.max(declaration.leaf);
                }
                scopes.entry(key).or_default().push(scope);
            }
        }
        for ((name, _), scopes) in &mut scopes {
            let leaves = leaves.get(name).map_or(&[][..], Vec::as_slice);
            scopes.retain(|scope| {
                let first = leaves.partition_point(|&leaf| leaf < scope.start);
                leaves.get(first).is_none_or(|&leaf| leaf >= scope.end)
            });
            scopes.sort_unstable_by_key(|scope| scope.start);
            scopes.dedup_by(|next, last| {
                let is_part = next.start < last.end;
                last.end = last.end.max(if is_part { next.end } else { 0 });
                is_part
            });
        }
        scopes
    }

    /// The part that declares something for others.
    pub(super) fn exported(&self, declaration: &Declaration) -> Option<u32> {
        let (start, part) = self.parts.around(declaration.leaf)?;
        let known = (self.context.document(), self.context.names());
        is_exported(known, &self.walls, start, declaration).then_some(part)
    }
}
