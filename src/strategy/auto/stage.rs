//! One stage: the proposals of one pass for one document, and the questions about them.

use super::{
    rate::Rate,
    runs::Runs,
    splitting::{Patience, Splitting},
    step::Step,
};
use crate::{
    pass::{Proposal, compose, names::Names},
    strategy::Candidate,
    syntax::{Document, Edit, Joint, Lexis, NodeId},
};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;
use std::{ops::Range, sync::Arc};

/// A stage at work.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    step: Step,
    document: Document,
    names: Arc<Names>,
    proposals: Arc<Vec<Proposal>>,
    accepted: Vec<u32>,
    /// The nodes that the accepted proposals take.
    gone: FixedBitSet,
    /// The accepted proposals as one edit.
    edit: Arc<Edit>,
    /// The size of what has been accepted.
    size: (usize, usize),
    errors: usize,
    search: GroupSearch,
}

/// Which of the proposals are tried together.
#[derive(Clone, Debug)]
enum GroupSearch {
    Splitting(Splitting),
    Runs(Runs),
}

impl Stage {
    /// A stage that asks about `proposals` in that order.
    pub(super) fn new(
        step: Step,
        document: Document,
        names: Arc<Names>,
        proposals: Vec<Proposal>,
        rate: Rate,
        patience: Patience,
    ) -> Self {
        let search = match step.walk() {
            Some(walk) => GroupSearch::Runs(Runs::new(&document, &names, &proposals, walk)),
            None => GroupSearch::Splitting(Splitting::new(proposals.len(), rate, patience)),
        };
        Self {
            step,
            search,
            gone: FixedBitSet::with_capacity(document.nodes().len()),
            size: size(document.bytes(), document.lexis()),
            errors: document.error_count(),
            document,
            names,
            proposals: Arc::new(proposals),
            accepted: Vec::new(),
            edit: Arc::default(),
        }
    }

    /// What it does.
    pub(super) fn step(&self) -> Step {
        self.step
    }

    /// The name of its step.
    pub(super) fn name(&self) -> &'static str {
        self.step.name()
    }

    /// What it has learned about its proposals' chances, if they say something about another stage's.
    pub(super) fn rate(&self) -> Option<Rate> {
        match &self.search {
            GroupSearch::Splitting(splitting) => Some(splitting.rate()),
            GroupSearch::Runs(_) => None,
        }
    }

    /// Whether it ended early, after a row of failures.
    pub(super) fn was_short(&self) -> bool {
        matches!(&self.search, GroupSearch::Splitting(splitting) if splitting.was_short())
    }

    /// The chance that the question that was given last is answered with yes.
    pub(super) fn odds(&self) -> f64 {
        match &self.search {
            GroupSearch::Splitting(splitting) => splitting.odds(),
            GroupSearch::Runs(runs) => runs.odds(),
        }
    }

    /// The signatures of what failed.
    pub(super) fn failures(&self) -> impl Iterator<Item = u64> + '_ {
        let failed = match &self.search {
            GroupSearch::Splitting(splitting) => splitting.failed(),
            GroupSearch::Runs(runs) => runs.failed(),
        };
        let signature = |&failed: &u32| self.proposals[failed as usize].signature;
        failed.iter().map(signature)
    }

    /// The document that it has made, and its first byte that differs; `None` if nothing was accepted.
    pub(super) fn changed_document(&self) -> Option<(Document, u32)> {
        let place = u32::try_from(self.edit.start()?).unwrap_or(u32::MAX);
        Some((self.document.edited(&self.edit), place))
    }

    /// The next question; `None` at the end of the stage.
    pub(super) fn question(&mut self) -> Option<(Arc<Edit>, Candidate)> {
        if self.step.is_certificate() && !self.accepted.is_empty() {
            return None;
        }
        loop {
            let group = self.next_group()?;
            let all = self
                .accepted
                .iter()
                .chain(&group)
                .map(|&index| &self.proposals[index as usize]);
            let edit = compose(&self.document, all).filter(|edit| self.is_worth_asking(edit));
            if let Some(edit) = edit.map(Arc::new) {
                let candidate =
                    Candidate::of_edit(self.step.name(), self.document.clone(), Arc::clone(&edit));
                return Some((edit, candidate));
            }
            match &mut self.search {
                GroupSearch::Splitting(splitting) => splitting.reject(),
                GroupSearch::Runs(runs) => runs.reject(),
            }
        }
    }

    /// The proposals to be asked about next.
    fn next_group(&mut self) -> Option<Vec<u32>> {
        let Self {
            step,
            proposals,
            names,
            gone,
            search,
            accepted,
            ..
        } = self;
        let splitting = match search {
            GroupSearch::Splitting(splitting) => splitting,
            GroupSearch::Runs(runs) => return runs.next().map(<[u32]>::to_vec),
        };
        let target = |index: u32| proposals[index as usize].target;
        let mut with_group = gone.clone();
        let mut targets: FxHashSet<NodeId> =
            accepted.iter().filter_map(|&index| target(index)).collect();
        // What nests deeply in the group need not be looked up node by node.
        let mut widest: Range<NodeId> = 0..0;
        let doubt = |change: u32| {
            let proposal = &proposals[change as usize];
            if target(change).is_some_and(|target| targets.contains(&target))
                || lies_in(&widest, proposal)
                || is_gone(&with_group, proposal)
            {
                return NO_CHANCE;
            }
            let mut declares = proposal.declares.iter();
            if !step.is_certificate()
                && declares.any(|&declaration| names.is_used(declaration, &with_group))
            {
                return CHANCE_OF_USED;
            }
            targets.extend(target(change));
            take(&mut with_group, proposal);
            let widest_of_all = proposal.takes.iter().chain([&widest]);
            widest = widest_of_all
                .max_by_key(|range| range.len())
                .cloned()
                .unwrap_or_default();
            1.0
        };
        splitting
            .next(|change| proposals[change as usize].weight, doubt)
            .map(<[u32]>::to_vec)
    }

    /// Whether an edit makes the document smaller without breaking its syntax. The certificate asks about all that is smaller.
    fn is_worth_asking(&self, edit: &Edit) -> bool {
        if self.document.bytes().len() > LARGE {
            return edit.saved_bytes() > self.edit.saved_bytes();
        }
        let mut bytes = Vec::with_capacity(self.document.bytes().len());
        edit.render(self.document.bytes(), Joint::KeepTokensApart, &mut bytes);
        if size(&bytes, self.document.lexis()) >= self.size {
            return false;
        }
        self.step.ignores_syntax()
            || Document::new(bytes, self.document.language().cloned()).error_count() <= self.errors
    }

    /// Takes the answer to the question that made `edit`.
    pub(super) fn take_answer(&mut self, good: bool, edit: &Arc<Edit>) {
        let made = match &mut self.search {
            GroupSearch::Splitting(splitting) => splitting.tell(good),
            GroupSearch::Runs(runs) => runs.tell(good),
        };
        for &index in &made {
            take(&mut self.gone, &self.proposals[index as usize]);
        }
        if good {
            self.accepted.extend(made);
            self.edit = Arc::clone(edit);
            let mut bytes = Vec::new();
            edit.render(self.document.bytes(), Joint::KeepTokensApart, &mut bytes);
            self.size = size(&bytes, self.document.lexis());
        }
    }
}

/// Whether all that a proposal takes is part of a range.
fn lies_in(whole: &Range<NodeId>, proposal: &Proposal) -> bool {
    let is_part = |range: &Range<NodeId>| whole.start <= range.start && range.end <= whole.end;
    !proposal.takes.is_empty() && proposal.takes.iter().all(is_part)
}

/// Whether all that a proposal takes has gone already.
fn is_gone(gone: &FixedBitSet, proposal: &Proposal) -> bool {
    let all_gone = |range: &Range<NodeId>| {
        gone.contains_all_in_range(range.start as usize..range.end as usize)
    };
    !proposal.takes.is_empty() && proposal.takes.iter().all(all_gone)
}

fn take(gone: &mut FixedBitSet, proposal: &Proposal) {
    for range in &proposal.takes {
        gone.insert_range(range.start as usize..range.end as usize);
    }
}

/// The chance of a proposal that excludes, or is part of, what was accepted.
const NO_CHANCE: f64 = 0.0;
/// The chance of taking a declaration away that is used.
const CHANCE_OF_USED: f64 = 0.05;
/// Larger documents are not parsed for each question: the grammar model is nearly always right, and the parser is not free.
const LARGE: usize = 50_000;

/// Tokens first, then bytes.
fn size(bytes: &[u8], lexis: &Lexis) -> (usize, usize) {
    (lexis.count(bytes), bytes.len())
}
