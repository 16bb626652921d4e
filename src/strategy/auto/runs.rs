//! Runs over a long row of parts, each with what has to go, or is free to go, together with it.

use super::{blame::Blame, elements::Elements, leftover::Leftover};
use crate::{
    minimize::Halving,
    pass::{Company, Context, Grain, Proposal, dependencies::Dependencies},
};
use fixedbitset::FixedBitSet;
use std::{ops::Range, sync::Arc};

/// The search over one row. Clones copy the open runs and a bit a part.
#[derive(Clone, Debug)]
pub(super) struct Runs {
    halving: Halving,
    company: Company,
    dependencies: Arc<Dependencies>,
    /// By proposal: its weight without what lies in it.
    weights: Arc<[u32]>,
    /// How many of the proposals are parts of the row; the others are declarations.
    parts: usize,
    /// By what is halved: its weight, and in the search for garbage that of all that goes with it.
    loads: Arc<[u32]>,
    elements: Elements,
    gone: FixedBitSet,
    /// The parts that were refused with no others but those that depend on them, and what would take one of them.
    needed: FixedBitSet,
    /// Less than this is worth no question, though it is all that is left of a run.
    least: u64,
    /// The first of these.
    refused: Vec<u32>,
    /// Where parts go with what depends on them.
    blame: Option<Blame>,
    /// Where what nothing reaches any more can be told.
    leftover: Option<Arc<Leftover>>,
    /// Whether that may have become more since it was told.
    may_have_more: bool,
    /// What it weighed when it was refused.
    refused_leftover: u64,
    /// Groups that took much more than their runs, and how many of those went.
    heavy: (u32, u32),
    /// What is asked about now.
    group: Vec<u32>,
    sake: Sake,
    /// Questions since the last success.
    vain: u32,
}

/// Why a group is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sake {
    /// For the run that is halved next.
    Run,
    /// For one part that may hold the others.
    Suspect(u32),
    /// Nothing reaches it any more.
    Leftover,
}

/// How many of these are parts of the row: behind it those that stand first in the document come again.
fn length_of_row(proposals: &[Proposal]) -> usize {
    let begins_again = |pair: &[Proposal]| pair[1].nodes().start < pair[0].nodes().start;
    let last = proposals.windows(2).position(begins_again);
    last.map_or(proposals.len(), |last| last + 1)
}

/// The weights of the parts: what is around others goes only where they do.
fn loads_of_single(dependencies: &Dependencies, weights: &[u32]) -> Arc<[u32]> {
    let is_shell = |part| dependencies.is_shell(part);
    let loads = (0..).zip(weights);
    let loads = loads.map(|(part, &weight)| if is_shell(part) { 0 } else { weight });
    loads.collect()
}

/// A run that was worth a question is worth one as long as this part of it is left.
const LEFT_OF_RUN: u32 = 4;
/// Larger groups that take much more than their runs are hopeless.
const MOST_OF_LEFT: u64 = 3;
/// So many groups that take much more than their runs are asked about whatever becomes of them.
const MOST_HEAVY: u32 = 4;
/// After so many questions in vain other steps have more to gain.
const MOST_IN_VAIN: u32 = 40;

impl Runs {
    /// Over these parts, which are in document order and lie in each other or side by side; behind parts that go with what depends
    /// on them may stand, in document order again, the declarations of the document and their members. Cost: linear; for garbage,
    /// times what a part frees.
    pub(super) fn new(
        context: &Context,
        proposals: &[Proposal],
        company: Company,
        grain: Grain,
    ) -> Self {
        let is_bound = company == Company::Dependents;
        let length = if is_bound {
            length_of_row(proposals)
        } else {
            proposals.len()
        };
        let (row, declarations) = proposals.split_at(length);
        let dependencies = match company {
            Company::None => Dependencies::default(),
            Company::Dependents | Company::Garbage => {
                Dependencies::of(context.document(), context.names(), row)
            }
        };
        let weights = match company {
            Company::None => row.iter().map(|part| part.weight).collect(),
            Company::Dependents | Company::Garbage => Dependencies::own_weights(row),
        };
        let loads = match company {
            Company::None => Arc::clone(&weights),
            Company::Dependents => loads_of_single(&dependencies, &weights),
            Company::Garbage => dependencies.loads(&weights),
        };
        let leftover = is_bound.then(|| {
            let is_single = |part| !dependencies.is_shell(part);
            Arc::new(Leftover::new(context, row, is_single, declarations))
        });
        let elements = leftover.as_ref().map_or(Elements::Parts, |leftover| {
            Elements::in_bands(&leftover.steps(row.len()), &loads)
        });
        let loads = elements.weights(loads);
        let halving = Halving::new(&loads, grain.largest.into(), grain.least.into());
        Self {
            halving: halving.hurrying(),
            company,
            weights: [&*weights, &*Dependencies::own_weights(declarations)]
                .concat()
                .into(),
            parts: row.len(),
            loads,
            elements,
            gone: FixedBitSet::with_capacity(proposals.len()),
            needed: FixedBitSet::with_capacity(row.len()),
            refused: Vec::new(),
            least: u64::from(grain.least / LEFT_OF_RUN),
            blame: is_bound.then(|| Blame::new(row.len())),
            leftover,
            may_have_more: false,
            refused_leftover: 0,
            heavy: (0, 0),
            group: Vec::new(),
            sake: Sake::Run,
            vain: 0,
            dependencies: Arc::new(dependencies),
        }
    }

    /// The parts that are asked about now, never empty; `None` at the end.
    pub(super) fn next(&mut self) -> Option<&[u32]> {
        while self.group.is_empty() {
            if self.vain >= MOST_IN_VAIN {
                return None;
            }
            if self.try_leftover() {
                break;
            }
            if let Some(suspect) = self.next_suspect() {
                self.group = self.with_company(vec![suspect]);
                if self.group.is_empty() {
                    // What cannot go as things are is as good as refused.
                    self.needed.insert(suspect as usize);
                } else {
                    self.sake = Sake::Suspect(suspect);
                }
                continue;
            }
            let run = self.halving.next(&self.loads)?;
            let parts = self.parts(run);
            let is_alive = |&part: &u32| !self.gone.contains(part as usize);
            let can_be_split = parts.len() > 1 && parts.iter().any(is_alive);
            self.group = self.with_company(parts);
            if self.group.is_empty() && self.is_bound() && can_be_split {
                self.halving.refuse(&self.loads);
            } else if self.group.is_empty() || self.weight(&self.group) < self.least {
                self.group.clear();
                self.halving.skip();
            }
        }
        Some(&self.group)
    }

    /// Turns to what nothing reaches any more, if that has become much.
    fn try_leftover(&mut self) -> bool {
        let Some(leftover) = self.leftover.as_ref().filter(|_| self.may_have_more) else {
            return false;
        };
        let is_all_of_needed = |declaration| {
            let part = leftover.part_of(declaration);
            part.is_some_and(|part| {
                self.needed.contains(part as usize)
                    && self.weight(&[declaration]) >= self.weight(&[part])
            })
        };
        self.group = leftover.unreached(&self.gone, is_all_of_needed);
        self.may_have_more = false;
        let weight = self.weight(&self.group);
        let is_worth_asking = weight >= 2 * self.refused_leftover
            && !self.group.is_empty()
            && Leftover::is_worth_asking(weight, self.left());
        if is_worth_asking {
            self.sake = Sake::Leftover;
        } else {
            self.group.clear();
        }
        is_worth_asking
    }

    /// What is asked about alone because it was in the company of much that was refused.
    fn next_suspect(&mut self) -> Option<u32> {
        let mut blame = self.blame.take()?;
        let (gone, needed) = (&self.gone, &self.needed);
        let is_open = |part: u32| !gone.contains(part as usize) && !needed.contains(part as usize);
        let weight = |part: u32| {
            let all = self.dependencies.with_dependents(gone, needed, &[part]);
            all.map_or(0, |all| self.weight(&all))
        };
        let suspect = blame.suspect(is_open, weight);
        self.blame = Some(blame);
        suspect
    }

    /// The parts of a run of what is halved.
    fn parts(&self, run: Range<u32>) -> Vec<u32> {
        let mut parts = self.elements.parts(run);
        if self.is_bound() {
            parts.retain(|&part| !self.dependencies.is_shell(part));
        }
        parts
    }

    /// These parts and what goes with them; nothing if that is too much to be worth a question.
    pub(super) fn with_company(&self, mut run: Vec<u32>) -> Vec<u32> {
        run.retain(|&part| !self.gone.contains(part as usize));
        match self.company {
            Company::None => run,
            Company::Dependents => {
                let Some(all) = self
                    .dependencies
                    .with_dependents(&self.gone, &self.needed, &run)
                else {
                    return Vec::new();
                };
                let (weight, of_run) = (self.weight(&all), self.weight(&run));
                let is_little = 2 * weight <= 3 * of_run;
                let is_worth_asking =
                    || MOST_OF_LEFT * weight <= self.left() && self.is_heavy_worth_asking();
                if is_little || is_worth_asking() {
                    all
                } else {
                    Vec::new()
                }
            }
            Company::Garbage => {
                run.retain(|&part| self.dependencies.is_unused(part, &self.gone));
                self.dependencies.with_garbage(&self.gone, &run)
            }
        }
    }

    /// Whether groups that take much more than their runs have gone often enough.
    fn is_heavy_worth_asking(&self) -> bool {
        let (asked, gone) = self.heavy;
        asked < MOST_HEAVY || 4 * gone >= asked
    }

    /// What all parts that have not gone weigh.
    fn left(&self) -> u64 {
        let weights = self.weights[..self.parts].iter().enumerate();
        let left = weights.filter(|&(part, _)| !self.gone.contains(part));
        left.map(|(_, &weight)| u64::from(weight)).sum()
    }

    fn weight(&self, parts: &[u32]) -> u64 {
        let weights = parts.iter().map(|&part| self.weights[part as usize]);
        weights.map(u64::from).sum()
    }

    /// Takes the answer to the parts that [`Runs::next`] gave; returns what goes.
    pub(super) fn tell(&mut self, good: bool) -> Vec<u32> {
        let group = std::mem::take(&mut self.group);
        let asked = self.asked();
        let sake = std::mem::replace(&mut self.sake, Sake::Run);
        if sake == Sake::Leftover {
            return self.tell_leftover(good, group);
        }
        if self.is_bound() && 2 * self.weight(&group) > 3 * self.weight(&asked) {
            self.heavy.0 += 1;
            self.heavy.1 += u32::from(good);
        }
        if sake == Sake::Run {
            self.halving.tell(good, &self.loads);
            self.vain += u32::from(!good);
        }
        if !good {
            self.note_refused(&asked, &group);
            return Vec::new();
        }
        self.vain = 0;
        self.may_have_more = true;
        self.gone.extend(group.iter().map(|&part| part as usize));
        group
    }

    /// Takes the answer to what nothing reaches any more.
    fn tell_leftover(&mut self, good: bool, group: Vec<u32>) -> Vec<u32> {
        if !good {
            self.refused_leftover = self.weight(&group);
            return Vec::new();
        }
        self.refused_leftover = 0;
        self.gone.extend(group.iter().map(|&part| part as usize));
        self.lighten(&group);
        group
    }

    /// The parts in which these declarations stood weigh less, and those that held nothing else have gone.
    fn lighten(&mut self, declarations: &[u32]) {
        let Some(leftover) = self.leftover.clone() else {
            return;
        };
        let mut weights = self.weights.to_vec();
        for &declaration in declarations {
            if let Some(part) = leftover.part_of(declaration) {
                let weight = weights[declaration as usize];
                let left = &mut weights[part as usize];
                *left = left.saturating_sub(weight);
                if *left == 0 {
                    self.gone.insert(part as usize);
                }
            }
        }
        let loads = loads_of_single(&self.dependencies, &weights[..self.parts]);
        self.loads = self.elements.weights(loads);
        self.weights = weights.into();
    }

    /// Learns from a group that was refused, and what of it was not there for the sake of the rest.
    fn note_refused(&mut self, asked: &[u32], group: &[u32]) {
        if let ([alone], true) = (asked, self.is_bound()) {
            self.needed.insert(*alone as usize);
            self.refused.push(*alone);
        }
        if let Some(blame) = &mut self.blame {
            let company = group.iter().copied();
            blame.note(company.filter(|part| asked.binary_search(part).is_err()));
        }
    }

    /// Turns down the parts that [`Runs::next`] gave, without an answer.
    pub(super) fn reject(&mut self) {
        let group = std::mem::take(&mut self.group);
        match std::mem::replace(&mut self.sake, Sake::Run) {
            Sake::Run => self.halving.refuse(&self.loads),
            Sake::Suspect(suspect) => self.needed.insert(suspect as usize),
            Sake::Leftover => self.refused_leftover = self.weight(&group),
        }
    }

    /// The parts of the run that is asked about, without its company; none of what nothing reaches any more.
    pub(super) fn asked(&self) -> Vec<u32> {
        match self.sake {
            Sake::Run => {
                let run = self.halving.testing().cloned();
                run.map(|run| self.parts(run)).unwrap_or_default()
            }
            Sake::Suspect(suspect) => vec![suspect],
            Sake::Leftover => Vec::new(),
        }
    }

    /// The parts of each open run, without their company.
    pub(super) fn open(&self) -> impl Iterator<Item = Vec<u32>> {
        let runs = self.halving.open().cloned();
        runs.map(|run| self.parts(run))
    }

    /// Whether a part cannot stay without a name that it uses.
    fn is_bound(&self) -> bool {
        self.company == Company::Dependents
    }

    /// The chance that what [`Runs::next`] gave can go.
    pub(super) fn odds(&self) -> f64 {
        self.halving.odds()
    }

    /// The parts that were refused alone.
    pub(super) fn failed(&self) -> Vec<u32> {
        let parts = |&element: &u32| self.parts(element..element + 1);
        let failed = self.halving.failed().iter().map(parts);
        let failed = failed.filter(|parts| parts.len() == 1).flatten();
        let mut failed: Vec<u32> = failed.chain(self.refused.iter().copied()).collect();
        failed.sort_unstable();
        failed.dedup();
        failed
    }
}
