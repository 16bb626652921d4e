//! One stage: the proposals of one pass for one document, and the questions about them.

use super::{
    chooser::Chooser,
    classes::{Class, Classes},
    part_names,
    step::Step,
    strands,
};
use crate::{
    minimize::{Options, Patience, Rate},
    pass::{Context, Proposal, compose, ssa},
    search::{Known, Part},
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
    context: Context,
    proposals: Arc<Vec<Proposal>>,
    /// By proposal: see [`Part::name`].
    names: Arc<Vec<u64>>,
    accepted: Vec<u32>,
    /// The nodes that the accepted proposals take.
    gone: FixedBitSet,
    /// The accepted proposals as one edit.
    edit: Arc<Edit>,
    /// The tokens before it.
    before: usize,
    /// The size of what has been accepted.
    size: (usize, usize),
    errors: usize,
    /// How much of the document its language does not take, where that is known and the document is not large.
    misfits: Option<usize>,
    /// Whether what was asked last is one change that leaves more of that.
    is_misfit: bool,
    chooser: Chooser,
    /// By proposal.
    classes: Arc<Vec<Option<Class>>>,
    /// What became of changes of each class.
    seen: Arc<Classes>,
    /// The proposals that leave a name without its declaration.
    strands: Arc<FixedBitSet>,
    /// What is known of a change makes it no less likely than by this factor.
    least_factor: f64,
    /// So many failures have been noted.
    noted: usize,
    /// Whether the last answer was the check's.
    was_asked: bool,
}

impl Stage {
    /// A stage that asks about `proposals`, in that order where the `minimizer` is not chosen by the user.
    pub(super) fn new(
        step: Step,
        context: Context,
        proposals: Vec<Proposal>,
        rate: Rate,
        patience: Patience,
        minimizer: Option<&Options>,
    ) -> Self {
        let chances = (rate, patience);
        // The sweep is one change after the other, whatever the minimiser.
        let minimizer = minimizer.filter(|_| !step.is_certificate());
        let document = context.document();
        let size = size(document.bytes(), document.lexis());
        Self {
            step,
            chooser: Chooser::new(&context, &proposals, step, chances, minimizer),
            gone: FixedBitSet::with_capacity(document.nodes().len()),
            before: size.0,
            size,
            errors: document.error_count(),
            misfits: (document.bytes().len() <= LARGE)
                .then(|| ssa::misfits(document))
                .flatten(),
            is_misfit: false,
            context,
            names: Arc::new(part_names::of(&proposals)),
            proposals: Arc::new(proposals),
            accepted: Vec::new(),
            edit: Arc::default(),
            classes: Arc::default(),
            seen: Arc::default(),
            strands: Arc::default(),
            least_factor: if patience.longest_row.is_some() {
                LEAST_QUICK
            } else {
                LEAST_FACTOR
            },
            noted: 0,
            was_asked: false,
        }
    }

    /// The same with what is known of classes of changes. A thorough one does not give up what leaves names without declarations.
    pub(super) fn with_classes(mut self, seen: Arc<Classes>, is_thorough: bool) -> Self {
        let pass = self.name();
        let document = self.context.document();
        let class = |proposal| Class::of(document, pass, proposal);
        // A list minimiser does not tell what it has found to fail.
        let tells = self.chooser.rate().is_some();
        if tells && !self.step.is_certificate() {
            self.classes = Arc::new(self.proposals.iter().map(class).collect());
            if document.bytes().len() <= LARGE && !is_thorough {
                self.strands = Arc::new(strands::of(&self.context, &self.proposals));
            }
        }
        self.seen = seen;
        self
    }

    /// What became of changes of each class.
    pub(super) fn classes(&self) -> Arc<Classes> {
        Arc::clone(&self.seen)
    }

    /// Takes note of what became of a change.
    fn note(&mut self, change: u32, success: bool) {
        let class = self.classes.get(change as usize).copied().flatten();
        let seen = Arc::make_mut(&mut self.seen);
        if let Some(class) = class {
            seen.note(class, success);
        }
        if self.strands.contains(change as usize) {
            seen.note_strand(success);
        }
    }

    /// Takes note of what was found to fail. What was turned down without a question says nothing.
    fn note_failures(&mut self) {
        let culprits = self.chooser.culprits();
        let (found, new) = (culprits.len(), culprits[self.noted..].to_vec());
        self.noted = found;
        if self.was_asked {
            for change in new {
                self.note(change, false);
            }
        }
    }

    /// What it does.
    pub(super) fn step(&self) -> Step {
        self.step
    }

    /// The name of its pass.
    pub(super) fn name(&self) -> &'static str {
        self.step.pass.name
    }

    /// What it has learned about its proposals' chances, if they say something about another stage's.
    pub(super) fn rate(&self) -> Option<Rate> {
        self.chooser.rate()
    }

    /// Whether it ended early, after a row of failures.
    pub(super) fn was_short(&self) -> bool {
        self.chooser.was_short()
    }

    /// The chance that the question that was given last is answered with yes.
    pub(super) fn chance(&self, known: &Known<'_>) -> Option<f64> {
        let known = |change: u32| known(self.names[change as usize]);
        self.chooser.chance(&known)
    }

    /// The changes that are open and may be asked about as things are, the next one first.
    pub(super) fn parts(&self) -> Vec<Part> {
        let open = self.chooser.open().take(MOST_LOOKED_AT);
        let possible = open.filter(|(changes, _)| changes.iter().any(|&it| self.is_possible(it)));
        let part = |(changes, chance): (Vec<u32>, f64)| Part {
            name: self.name_of(&changes),
            chance,
        };
        possible.take(MOST_PARTS).map(part).collect()
    }

    /// What is accepted with one of the open changes.
    pub(super) fn alone(&self, part: u64) -> Option<Candidate> {
        let mut open = self.chooser.open().map(|(changes, _)| changes);
        let changes = open.find(|changes| self.name_of(changes) == part)?;
        let group = self.chooser.group_of(changes);
        let edit = self
            .with(&group)
            .filter(|edit| self.is_worth_asking(edit))?;
        Some(self.candidate(&Arc::new(edit)).of_part(Some(part)))
    }

    /// That of one change, or of a run of them.
    fn name_of(&self, changes: &[u32]) -> u64 {
        let name = |&change: &u32| self.names[change as usize];
        match changes {
            [alone] => name(alone),
            _ => part_names::together(changes.iter().map(name)),
        }
    }

    /// Whether it is not gone, and nothing that uses it is left, where that counts.
    fn is_possible(&self, change: u32) -> bool {
        let proposal = &self.proposals[change as usize];
        let waits = |&declaration: &u32| {
            strands::waits(&self.context, declaration, &self.gone, proposal.weight)
        };
        let asks_used = self.step.is_certificate() || self.step.pass.row.is_some();
        let waits = !asks_used && proposal.declares.iter().any(waits);
        !waits && !is_gone(&self.gone, proposal)
    }

    /// The signatures of what failed.
    pub(super) fn failures(&self) -> impl Iterator<Item = u64> + '_ {
        let signature = |failed: u32| self.proposals[failed as usize].signature;
        self.chooser.failed().into_iter().map(signature)
    }

    /// What was found to be needed though names do not tell, by its keys.
    pub(super) fn needed(&self) -> Vec<u64> {
        self.chooser.needed()
    }

    /// The document that it has made, and its first byte that differs; `None` if nothing was accepted.
    pub(super) fn changed_document(&self) -> Option<(Document, u32)> {
        let place = u32::try_from(self.edit.start()?).unwrap_or(u32::MAX);
        Some((self.document().edited(&self.edit), place))
    }

    fn document(&self) -> &Document {
        self.context.document()
    }

    /// What it has accepted, as a candidate.
    pub(super) fn best(&self) -> Candidate {
        self.candidate(&self.edit)
    }

    fn candidate(&self, edit: &Arc<Edit>) -> Candidate {
        Candidate::of_edit(self.name(), self.document().clone(), Arc::clone(edit))
    }

    /// Whether it has taken so much that other steps come before the rest of it.
    pub(super) fn has_taken_enough(&self) -> bool {
        let whole = self.before;
        let most = whole.checked_div(self.step.grain.enough as usize);
        most.is_some_and(|most| self.size.0 < whole - most)
    }

    /// The next question; `None` at the end of the stage.
    pub(super) fn question(&mut self) -> Option<Candidate> {
        let is_once = self.step.is_certificate() && !self.accepted.is_empty();
        if is_once || self.has_taken_enough() {
            return None;
        }
        loop {
            let group = self.next_group();
            self.note_failures();
            let group = group?;
            let edit = self.with(&group).filter(|edit| self.is_worth_asking(edit));
            if let Some(edit) = edit {
                self.is_misfit = group.len() == 1 && self.leaves_misfits(&edit);
                let part = self.chooser.asked(&group).map(|asked| self.name_of(&asked));
                return Some(self.candidate(&Arc::new(edit)).of_part(part));
            }
            let made = self.chooser.reject();
            self.was_asked = false;
            self.accept(&made);
        }
    }

    /// What has been accepted and these proposals as one edit, if they go together.
    fn with(&self, group: &[u32]) -> Option<Edit> {
        let all = self.accepted.iter().chain(group);
        compose(
            self.document(),
            all.map(|&index| &self.proposals[index as usize]),
        )
    }

    /// The proposals to be asked about next.
    fn next_group(&mut self) -> Option<Vec<u32>> {
        let Self {
            step,
            proposals,
            context,
            gone,
            chooser,
            accepted,
            classes,
            seen,
            strands,
            least_factor,
            ..
        } = self;
        let rate = chooser.rate().map_or(1.0, Rate::overall);
        let target = |index: u32| proposals[index as usize].target;
        let weight = |index: u32| proposals[index as usize].weight;
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
            let waits = |&declaration: &u32| {
                strands::waits(context, declaration, &with_group, weight(change))
            };
            if !step.is_certificate() && declares.any(waits) {
                return CHANCE_OF_USED;
            }
            let strand = strands
                .contains(change as usize)
                .then(|| seen.chance_of_strand());
            if let Some(chance) = strand.filter(|&chance| chance < CHANCE_OF_USED) {
                return chance;
            }
            let class = classes.get(change as usize).copied().flatten();
            targets.extend(target(change));
            take(&mut with_group, proposal);
            let widest_of_all = proposal.takes.iter().chain([&widest]);
            widest = widest_of_all
                .max_by_key(|range| range.len())
                .cloned()
                .unwrap_or_default();
            let by_class = class.map_or(1.0, |class| seen.chance(class, rate) / rate);
            by_class.clamp(*least_factor, MOST_FACTOR)
        };
        chooser.next(weight, doubt)
    }

    /// Whether an edit makes the document smaller without breaking its syntax. The certificate asks about all that is smaller.
    fn is_worth_asking(&self, edit: &Edit) -> bool {
        let document = self.document();
        if document.bytes().len() > LARGE {
            return edit.saved_bytes() > self.edit.saved_bytes();
        }
        let bytes = rendered(document, edit);
        if size(&bytes, document.lexis()) >= self.size {
            return false;
        }
        let may_misfit = self.step.is_certificate() || self.seen.may_misfit();
        let may_break = self.step.pass.breaks_syntax;
        let edited = || Document::new(bytes, document.language().cloned());
        let Some(most) = self.misfits.filter(|_| !may_misfit) else {
            return may_break
                || document.has_few_errors_after(edit, self.errors)
                || edited().error_count() <= self.errors;
        };
        let edited = edited();
        (may_break || edited.error_count() <= self.errors) && ssa::misfits(&edited) <= Some(most)
    }

    /// Whether an edit leaves more than before of what the language does not take.
    fn leaves_misfits(&self, edit: &Edit) -> bool {
        self.misfits.is_some() && ssa::misfits(&self.document().edited(edit)) > self.misfits
    }

    /// Takes the answer to the question that was given last; whether [`Stage::best`] is another one now.
    pub(super) fn tell(&mut self, good: bool) -> bool {
        let made = self.chooser.tell(good);
        self.was_asked = true;
        if self.is_misfit {
            Arc::make_mut(&mut self.seen).note_misfit(good);
        }
        for &change in &made {
            self.note(change, true);
        }
        self.accept(&made)
    }

    fn accept(&mut self, made: &[u32]) -> bool {
        let Some(edit) = self.with(made).filter(|_| !made.is_empty()) else {
            return false;
        };
        for &index in made {
            take(&mut self.gone, &self.proposals[index as usize]);
        }
        self.accepted.extend(made);
        let document = self.context.document();
        self.size = size(&rendered(document, &edit), document.lexis());
        self.edit = Arc::new(edit);
        true
    }
}

fn rendered(document: &Document, edit: &Edit) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(document.bytes().len());
    edit.render(document.bytes(), Joint::KeepTokensApart, &mut bytes);
    bytes
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

/// So many open changes are named at most, of so many that come next.
const MOST_PARTS: usize = 64;
const MOST_LOOKED_AT: usize = 256;
/// The chance of a proposal that excludes, or is part of, what was accepted.
const NO_CHANCE: f64 = 0.0;
/// What is known of its class changes the chance of a change by no more than these factors.
const LEAST_FACTOR: f64 = 0.2;
/// The same while a round is quick: what is less likely by far than the others waits for a thorough one.
const LEAST_QUICK: f64 = 0.02;
const MOST_FACTOR: f64 = 2.0;
/// The chance of taking a declaration away that is used.
const CHANCE_OF_USED: f64 = 0.05;
/// Larger documents are not parsed for each question: the grammar model is nearly always right, and the parser is not free.
const LARGE: usize = 50_000;

/// Tokens first, then bytes.
fn size(bytes: &[u8], lexis: &Lexis) -> (usize, usize) {
    (lexis.count(bytes), bytes.len())
}
