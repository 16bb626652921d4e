//! What may not stay without a use, and what is made known from elsewhere and acts without one.

use super::Reach;
use crate::{
    pass::Proposal,
    syntax::{Document, Role},
};
use fixedbitset::FixedBitSet;

impl Reach {
    /// What is declared somewhere else altogether may promise members, and gives its methods to all where it is made known.
    pub(super) fn note_acting_imports(&mut self, document: &Document) {
        let facts = document.language().map(|language| language.facts());
        if facts.is_none_or(|facts| facts.promise_field.is_empty()) {
            return;
        }
        let is_declared = |&name: &u32| {
            let mut declarers = self.declarers[name as usize].iter();
            declarers.any(|&part| !self.is_import.contains(part as usize))
        };
        let imports = self.is_import.ones();
        let acting = imports.filter(|&part| !self.used[part].iter().any(is_declared));
        let acting: Vec<usize> = acting.collect();
        self.staying.extend(acting);
    }

    /// Notes what makes a name known and may not stay without a use. One that has none is known by another name than it says.
    pub(super) fn note_held(&mut self, document: &Document, row: &[Proposal]) {
        let is_held = |part: &usize| {
            let node = row[*part].nodes().start;
            self.is_named[*part] && document.has_role(node, Role::HeldByUses)
        };
        let held: FixedBitSet = self.is_import.ones().filter(is_held).collect();
        self.held.union_with(&held);
        for part in self.idle(&FixedBitSet::default()) {
            self.held.remove(part);
            self.staying.insert(part);
        }
    }

    /// The parts that may not stay without a use, and have none when these go.
    pub fn idle(&self, gone: &FixedBitSet) -> Vec<usize> {
        let mut is_used = FixedBitSet::with_capacity(self.used.len());
        if self.held.is_clear() {
            return Vec::new();
        }
        let mut note = |name: u32, user: Option<usize>| {
            let declarers = &self.declarers[self.name_of(name) as usize];
            let others = declarers.iter().map(|&part| part as usize);
            is_used.extend(others.filter(|&part| Some(part) != user));
        };
        for &name in &self.always {
            note(name, None);
        }
        let stays = (0..self.used.len()).filter(|&part| !gone.contains(part));
        for part in stays {
            for &name in &self.used[part] {
                note(name, Some(part));
            }
        }
        let is_idle = |part: &usize| !is_used.contains(*part) && !gone.contains(*part);
        self.held.ones().filter(is_idle).collect()
    }
}
