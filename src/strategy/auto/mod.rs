//! The default pipeline.

mod rate;
mod splitting;

use crate::{
    pass::{
        Proposal, arguments, bundle, comments, compose, hoist, inline, layout, least, names::Names,
        retarget, tokens, units,
    },
    search::{Search, Verdict},
    strategy::Candidate,
    syntax::{Document, Edit, Joint},
};
use fixedbitset::FixedBitSet;
use rate::Rate;
use rustc_hash::FxHashSet;
use splitting::Splitting;
use std::{cmp::Reverse, sync::Arc};

/// The pipeline as a search.
#[derive(Clone, Debug)]
pub(super) struct Auto {
    /// The document that the next stage starts from.
    document: Document,
    best: Candidate,
    /// What failed, by signature: not asked again before the certificate.
    failures: Arc<FxHashSet<u64>>,
    rates: Vec<(Step, Rate)>,
    stage: Option<Stage>,
    schedule: Schedule,
    /// What is asked now: the edit of the stage's document, and the candidate that it makes.
    question: Option<(Arc<Edit>, Candidate)>,
}

impl Auto {
    /// The pipeline over a document that is known to be interesting.
    pub(super) fn new(document: Document) -> Self {
        let best = Candidate::of_edit("original", document.clone(), Arc::default());
        let mut auto = Self {
            document,
            best,
            failures: Arc::default(),
            rates: Vec::new(),
            stage: None,
            schedule: Schedule::default(),
            question: None,
        };
        auto.advance();
        auto
    }

    /// Goes on to the next question, through as many stages as it takes.
    fn advance(&mut self) {
        while self.question.is_none() {
            match &mut self.stage {
                Some(stage) => {
                    self.question = stage.question();
                    if self.question.is_none() {
                        self.end_stage();
                    }
                }
                None => match self.schedule.next(self.document.node(0).tokens) {
                    Some(step) => self.start_stage(step),
                    None => return,
                },
            }
        }
    }

    fn start_stage(&mut self, step: Step) {
        let document = self.document.clone();
        let names = Arc::new(Names::of(&document));
        let proposals = proposals(step, &document, &names);
        let certificate = step == Step::Certificate;
        let proposals: Vec<Proposal> = proposals
            .into_iter()
            .filter(|proposal| certificate || !self.failures.contains(&proposal.signature))
            .filter(|proposal| !proposal.drops.is_empty() || !proposal.edit.is_empty())
            .collect();
        let known = self
            .rates
            .iter()
            .find(|(known, _)| known.name() == step.name() && !matches!(step, Step::Cut(_)))
            .map(|(_, rate)| rate.overall().max(LEAST_CHANCE));
        let chance = known.unwrap_or_else(|| first_chance(step, proposals.len()));
        self.stage = Some(Stage {
            step,
            splitting: Splitting::new(proposals.len(), Rate::new(chance), step.may_give_up()),
            gone: FixedBitSet::with_capacity(document.nodes().len()),
            size: size(document.bytes()),
            errors: document.error_count(),
            document,
            names,
            proposals: Arc::new(proposals),
            accepted: Vec::new(),
            edit: Arc::default(),
        });
    }

    fn end_stage(&mut self) {
        let Some(stage) = self.stage.take() else {
            return;
        };
        let failures = Arc::make_mut(&mut self.failures);
        for &failed in stage.splitting.failed() {
            failures.insert(stage.proposals[failed as usize].signature);
        }
        self.rates
            .retain(|(step, _)| step.name() != stage.step.name());
        self.rates.push((stage.step, stage.splitting.rate()));
        if !stage.edit.is_empty() {
            self.schedule.changed = true;
            self.document = stage.document.edited(&stage.edit);
        }
    }
}

/// One stage of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Comments,
    /// The units of so many tokens or more, wherever they lie.
    Cut(u32),
    Hoist,
    Least,
    Units,
    Arguments,
    Bundles,
    Retarget,
    Inline,
    Alternatives,
    Tokens,
    Windows,
    Layout,
    Certificate,
}

impl Step {
    /// Whether its changes can be left unasked when hardly any of them succeeds.
    fn may_give_up(self) -> bool {
        !matches!(self, Self::Certificate | Self::Comments | Self::Cut(_))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Comments => "comments",
            Self::Cut(_) | Self::Units => "units",
            Self::Hoist => "hoist",
            Self::Least => "least",
            Self::Arguments => "arguments",
            Self::Bundles => "bundles",
            Self::Retarget => "retarget",
            Self::Inline => "inline",
            Self::Alternatives => "alternatives",
            Self::Tokens => "tokens",
            Self::Windows => "windows",
            Self::Layout => "layout",
            Self::Certificate => "certificate",
        }
    }
}

/// The steps of every round.
const ROUND: &[Step] = &[
    Step::Bundles,
    Step::Retarget,
    Step::Inline,
    Step::Arguments,
    Step::Hoist,
    Step::Units,
    Step::Least,
    Step::Alternatives,
    Step::Tokens,
    Step::Windows,
];

/// Which step comes next: cuts from large units to small ones, then rounds until one changes nothing, then the certificate.
#[derive(Clone, Debug, Default)]
struct Schedule {
    began: bool,
    /// The least weight of the last cut; 0 before the first.
    cut: u32,
    position: usize,
    laid_out: bool,
    certifying: bool,
    changed: bool,
}

/// The first cut takes units of at least this part of the document.
const FIRST_CUT: u32 = 16;
/// By how much the units of the next cut may be smaller.
const NEXT_CUT: u32 = 4;

impl Schedule {
    /// The step after the last one, for a document of so many tokens; `None` at the end.
    fn next(&mut self, tokens: u32) -> Option<Step> {
        if !self.began {
            self.began = true;
            return Some(Step::Comments);
        }
        if self.cut != 1 {
            let next = if self.cut == 0 {
                u32::MAX
            } else {
                self.cut / NEXT_CUT
            };
            self.cut = next.min(tokens / FIRST_CUT).max(1);
            return Some(Step::Cut(self.cut));
        }
        if self.position < ROUND.len() {
            self.position += 1;
            return Some(ROUND[self.position - 1]);
        }
        if self.changed {
            self.changed = false;
            (self.position, self.laid_out, self.certifying) = (0, false, false);
            return self.next(tokens);
        }
        if self.certifying {
            return None;
        }
        if !self.laid_out {
            self.laid_out = true;
            return Some(Step::Layout);
        }
        self.certifying = true;
        Some(Step::Certificate)
    }
}

/// What a step proposes.
fn proposals(step: Step, document: &Document, names: &Names) -> Vec<Proposal> {
    let units = units::units(document, names);
    match step {
        Step::Comments => comments::comments(document),
        Step::Cut(least) => {
            // Uses stand behind declarations, so the last goes first; an outer unit goes before the inner ones.
            let mut large: Vec<_> = units
                .into_iter()
                .filter(|unit| unit.proposal.weight >= least)
                .collect();
            large.sort_by_key(|unit| (unit.level, Reverse(unit.node)));
            large.into_iter().map(|unit| unit.proposal).collect()
        }
        Step::Hoist => by_weight(hoist::hoists(document)),
        Step::Least => by_weight(least::replacements(document)),
        Step::Units => by_weight(units.into_iter().map(|unit| unit.proposal).collect()),
        Step::Arguments => by_weight(arguments::arguments(document, names)),
        Step::Bundles => {
            let map = bundle::UnitMap::of(&units);
            let mut changes: Vec<Proposal> = units.into_iter().map(|unit| unit.proposal).collect();
            changes.extend(hoist::hoists(document));
            by_weight(
                changes
                    .iter()
                    .filter_map(|change| bundle::bundle(document, names, &map, change))
                    .collect(),
            )
        }
        Step::Retarget => {
            let map = bundle::UnitMap::of(&units);
            by_weight(retarget::retargets(document, names, &map))
        }
        Step::Alternatives => by_weight(least::alternatives(document)),
        Step::Inline => {
            let map = bundle::UnitMap::of(&units);
            by_weight(inline::inlinings(document, names, &map))
        }
        Step::Tokens => tokens::windows(document, 1),
        Step::Windows => (2..=LONGEST_WINDOW)
            .rev()
            .flat_map(|size| tokens::windows(document, size))
            .collect(),
        Step::Layout => layout::layout(document).into_iter().collect(),
        Step::Certificate => {
            let mut all: Vec<Proposal> = units.into_iter().map(|unit| unit.proposal).collect();
            all.extend(hoist::hoists(document));
            all = by_weight(all);
            all.extend(tokens::windows(document, 1));
            all
        }
    }
}

/// A step that has come down to this chance is given a few questions in every round.
const LEAST_CHANCE: f64 = 0.05;

/// The chance of success to start from.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn first_chance(step: Step, count: usize) -> f64 {
    match step {
        Step::Comments | Step::Layout => 0.98,
        Step::Cut(_) => 1.0 - 1.5 / (count as f64).max(3.0),
        Step::Hoist | Step::Least | Step::Units | Step::Arguments => 0.3,
        Step::Bundles | Step::Retarget | Step::Inline => 0.2,
        Step::Tokens | Step::Alternatives => 0.1,
        Step::Windows => 0.08,
        Step::Certificate => 0.03,
    }
}

fn by_weight(mut proposals: Vec<Proposal>) -> Vec<Proposal> {
    proposals.sort_by_key(|proposal| Reverse(proposal.weight));
    proposals
}

/// The most tokens that are taken out in a row without regard to the tree.
const LONGEST_WINDOW: usize = 8;

/// Larger documents are not parsed for each question: the grammar model is nearly always right, and the parser is not free.
const LARGE: usize = 50_000;

/// Tokens first, then bytes.
fn size(bytes: &[u8]) -> (usize, usize) {
    (crate::syntax::count_tokens(bytes), bytes.len())
}

#[derive(Clone, Debug)]
struct Stage {
    step: Step,
    document: Document,
    names: Arc<Names>,
    proposals: Arc<Vec<Proposal>>,
    accepted: Vec<u32>,
    gone: FixedBitSet,
    edit: Arc<Edit>,
    size: (usize, usize),
    errors: usize,
    splitting: Splitting,
}

impl Stage {
    fn question(&mut self) -> Option<(Arc<Edit>, Candidate)> {
        loop {
            let Self {
                step,
                proposals,
                names,
                gone,
                splitting,
                accepted,
                document,
                ..
            } = self;
            let mut with_group = gone.clone();
            let mut targets: FxHashSet<u32> = accepted
                .iter()
                .filter_map(|&index| proposals[index as usize].target)
                .collect();
            let group = splitting.next(
                |change| proposals[change as usize].weight,
                |change| {
                    let proposal = &proposals[change as usize];
                    if proposal
                        .target
                        .is_some_and(|target| targets.contains(&target))
                    {
                        return 0.0;
                    }
                    let used = *step != Step::Certificate
                        && proposal
                            .declares
                            .iter()
                            .any(|&declaration| names.is_used(declaration, &with_group));
                    if used {
                        return 0.05;
                    }
                    targets.extend(proposal.target);
                    take(&mut with_group, proposal);
                    1.0
                },
            )?;
            let all = accepted
                .iter()
                .chain(group)
                .map(|&index| &proposals[index as usize]);
            let edit = compose(document, all).map(Arc::new);
            let Some(edit) = edit.filter(|edit| self.is_worth_asking(edit)) else {
                self.splitting.tell(false);
                continue;
            };
            if edit == self.edit {
                self.take_answer(true, &edit);
                continue;
            }
            let candidate =
                Candidate::of_edit(self.step.name(), self.document.clone(), Arc::clone(&edit));
            return Some((edit, candidate));
        }
    }

    /// Whether an edit makes the document smaller without breaking its syntax. The certificate asks about all that is smaller.
    fn is_worth_asking(&self, edit: &Edit) -> bool {
        if self.document.bytes().len() > LARGE {
            return edit.saved_bytes() > self.edit.saved_bytes();
        }
        let mut bytes = Vec::with_capacity(self.document.bytes().len());
        edit.render(self.document.bytes(), Joint::KeepTokensApart, &mut bytes);
        if size(&bytes) >= self.size {
            return false;
        }
        matches!(self.step, Step::Certificate | Step::Tokens)
            || Document::new(bytes, self.document.language().cloned()).error_count() <= self.errors
    }

    fn take_answer(&mut self, good: bool, edit: &Arc<Edit>) {
        let made = self.splitting.tell(good);
        for &index in &made {
            take(&mut self.gone, &self.proposals[index as usize]);
        }
        if good {
            self.accepted.extend(made);
            self.edit = Arc::clone(edit);
            let mut bytes = Vec::new();
            edit.render(self.document.bytes(), Joint::KeepTokensApart, &mut bytes);
            self.size = size(&bytes);
        }
    }
}

fn take(gone: &mut FixedBitSet, proposal: &Proposal) {
    for range in &proposal.takes {
        gone.insert_range(range.start as usize..range.end as usize);
    }
}

impl Search for Auto {
    type Candidate = Candidate;
    type Best = Candidate;

    fn ask(&self) -> Option<Candidate> {
        self.question
            .as_ref()
            .map(|(_, candidate)| candidate.clone())
    }

    fn tell(&mut self, verdict: Verdict) {
        let Some((edit, candidate)) = self.question.take() else {
            return;
        };
        if let Some(stage) = &mut self.stage {
            stage.take_answer(verdict.is_interesting(), &edit);
            if verdict.is_interesting() {
                self.best = candidate;
            }
        }
        self.advance();
    }

    fn best(&self) -> &Candidate {
        &self.best
    }
}
