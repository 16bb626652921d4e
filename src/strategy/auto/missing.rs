//! What stays though nothing seems to reach it: a few declarations are missed by names, and one of them refuses all the others.
//!
//! The parts that are not reached are searched by halves, depth first: of a half that was refused the later half is asked about, and
//! where that goes the other one is known to hold what is needed. So one needed part is found in as many questions as halves, and each
//! of these that succeeds takes a run of what is not needed along. From then on it counts as reached, with all that it reaches, and
//! the rest is asked about again: Kalhauge and Palsberg, "Binary reduction of dependency graphs" (2019), over the complement.

use crate::pass::reach::{Meant, Reach};
use fixedbitset::FixedBitSet;
use std::{ops::Range, sync::Arc};

/// After so many parts were found one by one, runs are asked about as they are.
const MOST_FOUND: usize = 12;
/// And after so many if less than this part has gone: then names tell little here.
const FEW_FOUND: usize = 2;
const LITTLE: u64 = 8;

/// The search. Clones copy the open runs and a bit a part.
#[derive(Clone, Debug)]
pub(super) struct Missing {
    weights: Arc<[u32]>,
    /// The parts that nothing reached at first, in the order of [`Reach::order`], and those that only go with what needs them.
    unreached: Arc<[u32]>,
    bound: Arc<[u32]>,
    /// Runs of these that are not decided, the next one last.
    open: Vec<Run>,
    testing: Testing,
    gone: FixedBitSet,
    /// What was found to be needed, and what is reached with that.
    found: Vec<usize>,
    stays: FixedBitSet,
    /// How that is told.
    meant: Meant,
    /// Less than this is worth no question.
    least: u64,
}

#[derive(Clone, Debug)]
struct Run {
    parts: Range<usize>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Unknown,
    /// The later half of one that was refused: if it goes, the run that is open behind it holds what is needed.
    LaterHalf,
    /// Something in it is needed.
    Refused,
}

/// What is asked about.
#[derive(Clone, Debug)]
enum Testing {
    Nothing,
    Run(Run),
    /// All that is still open.
    Rest,
    /// That was accepted.
    End,
}

impl Missing {
    /// Over all that does not stay, which was refused together; `least` is worth a question.
    pub(super) fn new(
        reach: &Reach,
        weights: &Arc<[u32]>,
        (stays, meant): (FixedBitSet, Meant),
        least: u64,
    ) -> Self {
        let all = reach.order().into_iter();
        let all = all.filter(|&part| !stays.contains(part as usize));
        let (bound, unreached): (Vec<u32>, Vec<u32>) =
            all.partition(|&part| reach.is_bound(part as usize));
        Self {
            weights: Arc::clone(weights),
            open: vec![Run {
                parts: 0..unreached.len(),
                kind: Kind::Refused,
            }],
            unreached: Arc::from(unreached),
            bound: Arc::from(bound),
            testing: Testing::Nothing,
            gone: FixedBitSet::with_capacity(weights.len()),
            found: Vec::new(),
            stays,
            meant,
            least,
        }
    }

    /// The parts that are asked about now, in order and never empty; `None` at the end.
    pub(super) fn next(&mut self, reach: &Reach, roots: &Range<usize>) -> Option<Vec<u32>> {
        match self.testing {
            Testing::End => return None,
            Testing::Rest => {
                let mut rest = self.alive(0..self.unreached.len());
                rest.extend(self.bound.iter().filter(|&&part| self.is_open(part)));
                rest.sort_unstable();
                return Some(rest).filter(|rest| self.weight(rest) >= self.least);
            }
            Testing::Run(_) | Testing::Nothing => {}
        }
        while let Some(run) = self.open.pop() {
            let parts = self.alive(run.parts.clone());
            if parts.is_empty() {
                continue;
            }
            match run.kind {
                Kind::Refused if self.is_over() => {}
                Kind::Refused if parts.len() == 1 => {
                    self.found.push(parts[0] as usize);
                    let from = roots.clone().chain(self.found.iter().copied());
                    let reached = reach.closure(from, self.meant);
                    self.stays.union_with(&reached);
                    self.testing = Testing::Rest;
                    return self.next(reach, roots);
                }
                Kind::Refused => self.split(&run.parts),
                Kind::Unknown | Kind::LaterHalf => {
                    if self.is_over() {
                        continue;
                    }
                    self.testing = Testing::Run(run);
                    return Some(self.with_company(&parts, reach));
                }
            }
        }
        None
    }

    /// Whether what was refused is left alone.
    fn is_over(&self) -> bool {
        let gone = self.gone.ones().map(|part| u64::from(self.weights[part]));
        let is_little = || LITTLE * gone.sum::<u64>() < self.weight(&self.unreached);
        self.found.len() >= MOST_FOUND || self.found.len() >= FEW_FOUND && is_little()
    }

    /// Those of a run that are not decided.
    fn alive(&self, run: Range<usize>) -> Vec<u32> {
        let run = self.unreached[run].iter().copied();
        run.filter(|&part| self.is_open(part)).collect()
    }

    fn weight(&self, parts: &[u32]) -> u64 {
        let weights = parts.iter().map(|&part| self.weights[part as usize]);
        weights.map(u64::from).sum()
    }

    /// With what loses a name by it, of what nothing reaches, and what may not stay without it.
    fn with_company(&self, parts: &[u32], reach: &Reach) -> Vec<u32> {
        let mut all = self.gone.clone();
        let members = parts.iter().flat_map(|&part| reach.members(part as usize));
        all.extend(members.chain(parts.iter().map(|&part| part as usize)));
        loop {
            let gone: Vec<u32> = all.ones().map(narrow).collect();
            let bereft = reach.bereft(&gone, &reach.lost(&gone), |part| {
                self.stays.contains(part as usize)
            });
            let bereft = bereft.into_iter().map(|part| part as usize);
            let bereft = bereft.chain(reach.idle(&all));
            let bereft: Vec<usize> = bereft
                .filter(|&part| !all.contains(part) && !self.stays.contains(part))
                .collect();
            if bereft.is_empty() {
                break;
            }
            for part in bereft {
                all.insert(part);
                all.extend(reach.members(part));
            }
        }
        all.difference(&self.gone).map(narrow).collect()
    }

    /// Opens the halves of a run by weight, the later one first.
    fn split(&mut self, run: &Range<usize>) {
        let is_open = |place: &usize| self.is_open(self.unreached[*place]);
        let open: Vec<usize> = run.clone().filter(is_open).collect();
        let weight = |&it: &usize| u64::from(self.weights[self.unreached[it] as usize]);
        let total: u64 = open.iter().map(weight).sum();
        let mut sum = 0;
        let middle = open.iter().position(|it| {
            sum += weight(it);
            2 * sum >= total
        });
        let middle = middle.map_or(1, |middle| middle + 1).min(open.len() - 1);
        self.open.push(Run {
            parts: run.start..open[middle],
            kind: Kind::Unknown,
        });
        self.open.push(Run {
            parts: open[middle]..run.end,
            kind: Kind::LaterHalf,
        });
    }

    fn is_open(&self, part: u32) -> bool {
        !self.gone.contains(part as usize) && !self.stays.contains(part as usize)
    }

    /// Takes the answer to these parts.
    pub(super) fn tell(&mut self, good: bool, group: &[u32]) {
        if good {
            self.gone.extend(group.iter().map(|&part| part as usize));
        }
        match std::mem::replace(&mut self.testing, Testing::Nothing) {
            Testing::Run(run) if !good => self.open.push(Run {
                kind: Kind::Refused,
                ..run
            }),
            Testing::Run(run) if run.kind == Kind::LaterHalf => {
                if let Some(other) = self.open.last_mut() {
                    other.kind = Kind::Refused;
                }
            }
            Testing::Rest if good => self.testing = Testing::End,
            // All that is not decided holds something that is needed.
            Testing::Rest if self.open.iter().all(|run| run.kind != Kind::Refused) => {
                self.open = vec![Run {
                    parts: 0..self.unreached.len(),
                    kind: Kind::Refused,
                }];
            }
            Testing::Run(_) | Testing::Rest | Testing::Nothing | Testing::End => {}
        }
    }

    /// The parts that were found to be needed.
    pub(super) fn found(&self) -> &[usize] {
        &self.found
    }
}

fn narrow(part: usize) -> u32 {
    u32::try_from(part).unwrap_or(u32::MAX)
}
