//! Group testing by generalised binary splitting, for changes of which each can be made or not.
//!
//! A group of changes is asked about as a whole. If it may be made, all of it is made for one query. If not, it holds a culprit,
//! which is found by halving: the half that goes leaves the culprit in the other, so that a group of n costs about log₂ n + 1
//! queries for each culprit, and nothing is asked about whose answer follows (F. K. Hwang, "A method for detecting all defective
//! members in a population by group testing", 1972). The size of a group comes from the rate of culprits so far: it maximises
//! the expected gain, as ProbDD and Wddmin's weights do, but a group is kept in order, so that what belongs together goes
//! together.

use super::Rate;

/// When a search gives up before it has asked about everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Patience {
    /// When hardly any change succeeds.
    pub ends_when_hopeless: bool,
    /// After a row of failures: other steps may have more to gain at the moment.
    pub ends_after_row: bool,
}

/// The search over one list of changes. Clones copy four bytes for each change that is open.
#[derive(Clone, Debug)]
pub struct Splitting {
    /// Not yet decided, the next one last.
    pending: Vec<u32>,
    /// A group of which the sum is known to fail.
    suspects: Vec<u32>,
    /// What is asked about now.
    testing: Vec<u32>,
    rate: Rate,
    /// When the search ends before all has been asked about.
    patience: Patience,
    /// Questions since the last success.
    vain: u32,
    failed: Vec<u32>,
    /// Whether the last group was turned down without asking, so that it says nothing about the rate.
    unasked: bool,
}

impl Splitting {
    /// Changes `0..count`, to be taken in that order.
    pub fn new(count: usize, rate: Rate, patience: Patience) -> Self {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        Self {
            pending: (0..count).rev().collect(),
            suspects: Vec::new(),
            testing: Vec::new(),
            rate,
            patience,
            vain: 0,
            failed: Vec::new(),
            unasked: false,
        }
    }

    /// The next group, never empty; `None` at the end. `weight` is what a change gains. `doubt` lowers the chance of a change
    /// that follows others into a group: 1 leaves it as it is, and below `PATIENCE` it is left for later.
    pub fn next(
        &mut self,
        weight: impl Fn(u32) -> u32,
        mut doubt: impl FnMut(u32) -> f64,
    ) -> Option<&[u32]> {
        while self.testing.is_empty() {
            match self.suspects.len() {
                0 => {
                    self.testing = self.most_promising(&weight, &mut doubt);
                    if self.testing.is_empty() {
                        return None;
                    }
                }
                1 => {
                    if !self.unasked {
                        self.rate.failure();
                    }
                    self.failed.append(&mut self.suspects);
                }
                _ => {
                    let half = half(&self.suspects, &weight);
                    self.testing = self.suspects.drain(..half).collect();
                }
            }
        }
        Some(&self.testing)
    }

    /// The chance that the group that [`Splitting::next`] gave can be made. Half of a group that failed is as likely good as bad.
    pub fn odds(&self) -> f64 {
        let size = i32::try_from(self.testing.len()).unwrap_or(i32::MAX);
        if self.suspects.is_empty() {
            self.rate.chance().powi(size)
        } else {
            0.5
        }
    }

    /// Takes the answer to the group that [`Splitting::next`] gave; returns the changes that are to be made.
    pub fn tell(&mut self, good: bool) -> Vec<u32> {
        if good {
            self.rate.successes(self.testing.len());
            self.vain = 0;
            return std::mem::take(&mut self.testing);
        }
        self.fail();
        self.vain += 1;
        self.unasked = false;
        Vec::new()
    }

    /// Turns down the group that [`Splitting::next`] gave, without an answer.
    pub fn reject(&mut self) {
        self.fail();
        self.unasked = true;
    }

    fn fail(&mut self) {
        let testing = std::mem::take(&mut self.testing);
        // The other half is an open question again: the culprit is in this one.
        self.pending.extend(self.suspects.drain(..).rev());
        self.suspects = testing;
    }

    /// The changes that were found to fail.
    pub fn failed(&self) -> &[u32] {
        &self.failed
    }

    /// What was learned about the rate of culprits.
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// Whether a row of failures ended the search, and not the end of its changes.
    pub fn was_short(&self) -> bool {
        self.patience.ends_after_row && self.vain >= MOST_IN_VAIN && !self.pending.is_empty()
    }

    fn gives_up(&self) -> bool {
        self.was_short() || (self.patience.ends_when_hopeless && self.rate.overall() < HOPELESS)
    }

    /// The first pending changes, as many as promise the most gain for one query.
    fn most_promising(
        &mut self,
        weight: &impl Fn(u32) -> u32,
        doubt: &mut impl FnMut(u32) -> f64,
    ) -> Vec<u32> {
        if self.gives_up() {
            return Vec::new();
        }
        let (mut gain, mut odds, mut best) = (0.0, 1.0, 0.0);
        let (mut group, mut length) = (Vec::new(), 0);
        let mut skipped = 0;
        for index in (0..self.pending.len()).rev() {
            let change = self.pending[index];
            let doubt = doubt(change);
            if doubt < PATIENCE {
                skipped += 1;
                if skipped > MOST_SKIPPED && !group.is_empty() {
                    break;
                }
                continue;
            }
            skipped = 0;
            odds *= self.rate.chance() * doubt;
            gain += f64::from(weight(change));
            group.push(index);
            if gain * odds > best {
                best = gain * odds;
                length = group.len();
            } else if gain * odds < best / 4.0 {
                break;
            }
        }
        group.truncate(length);
        // The indices fall, so each removal leaves those that follow in place.
        group
            .into_iter()
            .map(|index| self.pending.remove(index))
            .collect()
    }
}

/// Below this rate of success a search that may give up does.
const HOPELESS: f64 = 0.025;
/// So many questions without a success are a row.
const MOST_IN_VAIN: u32 = 24;
/// So many changes in a row that have to wait end a group: what nests deeply waits for what it lies in.
const MOST_SKIPPED: usize = 1000;
/// A change with less chance than this is left for later.
const PATIENCE: f64 = 0.1;

/// Where the weights of a group are halved; both sides get something.
fn half(group: &[u32], weight: &impl Fn(u32) -> u32) -> usize {
    let total: u64 = group.iter().map(|&change| u64::from(weight(change))).sum();
    let mut sum = 0;
    let middle = group.iter().position(|&change| {
        sum += u64::from(weight(change));
        2 * sum >= total
    });
    middle
        .map_or(1, |middle| middle + 1)
        .clamp(1, group.len() - 1)
}
