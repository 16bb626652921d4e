//! The default pipeline.

mod rate;
mod splitting;

use crate::{
    pass::{
        Proposal, arguments, bundle, comments, compose, hoist, layout, least, names::Names,
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
pub struct Auto {
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
    pub fn new(document: Document) -> Self {
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

    /// Whether the last sweep has shown that no single unit, hoist or token can go.
    pub fn is_certified(&self) -> bool {
        self.question.is_none()
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
                None => match self.schedule.next() {
                    Some(step) => self.start_stage(step),
                    None => return,
                },
            }
        }
    }

    fn start_stage(&mut self, step: Step) {
        let document = self.document.clone();
        let names = Arc::new(Names::of(&document));
        let (proposals, deepest) = proposals(step, &document, &names);
        if step == Step::Comments {
            self.schedule.deepest = deepest;
        }
        let certificate = step == Step::Certificate;
        let proposals: Vec<Proposal> = proposals
            .into_iter()
            .filter(|proposal| certificate || !self.failures.contains(&proposal.signature))
            .filter(|proposal| !proposal.drops.is_empty() || !proposal.edit.is_empty())
            .collect();
        let known = self
            .rates
            .iter()
            .find(|(known, _)| *known == step)
            .map(|(_, rate)| rate.chance());
        let chance = known.unwrap_or_else(|| first_chance(step, proposals.len()));
        self.stage = Some(Stage {
            step,
            splitting: Splitting::new(proposals.len(), Rate::new(chance)),
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
        self.rates.retain(|(step, _)| *step != stage.step);
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
    /// The units that lie in so many others.
    Level(u32),
    Hoist,
    Least,
    Units,
    Arguments,
    Bundles,
    Retarget,
    Window(usize),
    Layout,
    Certificate,
}

impl Step {
    fn name(self) -> &'static str {
        match self {
            Self::Comments => "comments",
            Self::Level(_) | Self::Units => "units",
            Self::Hoist => "hoist",
            Self::Least => "least",
            Self::Arguments => "arguments",
            Self::Bundles => "bundles",
            Self::Retarget => "retarget",
            Self::Window(_) => "tokens",
            Self::Layout => "layout",
            Self::Certificate => "certificate",
        }
    }
}

/// The steps of every round.
const ROUND: &[Step] = &[
    Step::Hoist,
    Step::Least,
    Step::Units,
    Step::Bundles,
    Step::Arguments,
    Step::Retarget,
    Step::Window(8),
    Step::Window(7),
    Step::Window(6),
    Step::Window(5),
    Step::Window(4),
    Step::Window(3),
    Step::Window(2),
    Step::Window(1),
];

/// Which step comes next: the levels once, then rounds until one changes nothing, then the certificate.
#[derive(Clone, Debug, Default)]
struct Schedule {
    position: usize,
    levels: u32,
    deepest: u32,
    in_rounds: bool,
    laid_out: bool,
    certifying: bool,
    changed: bool,
}

impl Schedule {
    fn next(&mut self) -> Option<Step> {
        if !self.in_rounds {
            self.position += 1;
            if self.position == 1 {
                return Some(Step::Comments);
            }
            if self.levels < self.deepest {
                self.levels += 1;
                return Some(Step::Level(self.levels - 1));
            }
            (self.in_rounds, self.position) = (true, 0);
        }
        if self.position < ROUND.len() {
            self.position += 1;
            return Some(ROUND[self.position - 1]);
        }
        if self.changed {
            self.changed = false;
            (self.position, self.laid_out, self.certifying) = (0, false, false);
            return self.next();
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

/// What a step proposes, and how many levels of units there are.
fn proposals(step: Step, document: &Document, names: &Names) -> (Vec<Proposal>, u32) {
    let units = units::units(document, names);
    let deepest = units.iter().map(|unit| unit.level + 1).max().unwrap_or(0);
    let proposals = match step {
        Step::Comments => comments::comments(document),
        Step::Level(level) => {
            let level = units.into_iter().filter(|unit| unit.level == level);
            level.map(|unit| unit.proposal).rev().collect()
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
        Step::Window(size) => tokens::windows(document, size),
        Step::Layout => layout::layout(document).into_iter().collect(),
        Step::Certificate => {
            let mut all: Vec<Proposal> = units.into_iter().map(|unit| unit.proposal).collect();
            all.extend(hoist::hoists(document));
            all = by_weight(all);
            all.extend(tokens::windows(document, 1));
            all
        }
    };
    (proposals, deepest)
}

/// The chance of success to start from.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn first_chance(step: Step, count: usize) -> f64 {
    match step {
        Step::Comments | Step::Layout => 0.98,
        Step::Level(_) => 1.0 - 1.5 / (count as f64).max(3.0),
        Step::Hoist | Step::Least | Step::Units | Step::Arguments => 0.3,
        Step::Bundles | Step::Retarget => 0.2,
        Step::Window(_) => 0.1,
        Step::Certificate => 0.03,
    }
}

fn by_weight(mut proposals: Vec<Proposal>) -> Vec<Proposal> {
    proposals.sort_by_key(|proposal| Reverse(proposal.weight));
    proposals
}

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
        let mut bytes = Vec::with_capacity(self.document.bytes().len());
        edit.render(self.document.bytes(), Joint::KeepTokensApart, &mut bytes);
        if size(&bytes) >= self.size {
            return false;
        }
        self.step == Step::Certificate
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
