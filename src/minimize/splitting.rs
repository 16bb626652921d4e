//! Group testing by generalised binary splitting, for changes of which each can be made or not.
//!
//! A group of changes is asked about as a whole. If it may be made, all of it is made for one query. If not, it holds a culprit,
//! which is found by halving: the half that goes leaves the culprit in the other, so that a group of n costs about log₂ n + 1
//! queries for each culprit, and nothing is asked about whose answer follows (F. K. Hwang, "A method for detecting all defective
//! members in a population by group testing", 1972). The size of a group comes from the rate of culprits so far: it maximises
//! the expected gain, as ProbDD and Wddmin's weights do, but a group is kept in order, so that what belongs together goes
//! together.

use super::{Rate, probability::all_can_go};

/// When a search gives up before it has asked about everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Patience {
    /// When hardly any change succeeds.
    pub ends_when_hopeless: bool,
    /// After so many failures in a row, if it is said: other steps may have more to gain at the moment.
    pub longest_row: Option<u32>,
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

    /// The next group, never empty; `None` at the end. `weight` is what a change gains. `doubt` is by how much the chance
    /// of a change that follows others into a group is lower, or higher: 1 leaves it as it is, and below `PATIENCE` it is left for
    /// later.
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

    /// The chance that the group that [`Splitting::next`] gave can be made, by what is known of the chances of its changes.
    pub fn odds(&self, known: impl Fn(u32) -> Option<f64>) -> f64 {
        let testing = self.chance_of(&self.testing, &known);
        if self.suspects.is_empty() {
            return testing;
        }
        // It is known that the two do not go together.
        let rest = self.chance_of(&self.suspects, &known);
        testing * (1.0 - rest) / (1.0 - testing * rest).max(f64::MIN_POSITIVE)
    }

    /// The chance that all of a group can be made, if nothing is known of the others.
    fn chance_of(&self, group: &[u32], known: &impl Fn(u32) -> Option<f64>) -> f64 {
        let (mut all, mut worst) = (1.0, 1.0_f64);
        for &change in group {
            match known(change) {
                // Several that are refused alone often need each other, so that they count once.
                Some(chance) if chance < 0.5 => worst = worst.min(chance),
                chance => all *= chance.unwrap_or(self.rate.chance()),
            }
        }
        all * worst
    }

    /// The changes that are not decided yet, the next one first, and the chance of each.
    pub fn open(&self) -> impl Iterator<Item = (u32, f64)> {
        let (chance, tested) = (self.rate.chance(), self.chance_of_tested());
        let with = |chance| move |&change: &u32| (change, chance);
        let first = self.testing.iter().chain(&self.suspects).map(with(tested));
        first.chain(self.pending.iter().rev().map(with(chance)))
    }

    /// The chance of a change of the group that is asked about, or that holds a culprit together with that.
    fn chance_of_tested(&self) -> f64 {
        let chance = self.rate.chance();
        if self.suspects.is_empty() {
            return chance;
        }
        let all = all_can_go(1.0 - chance, self.testing.len() + self.suspects.len());
        (chance - all) / (1.0 - all).max(f64::MIN_POSITIVE)
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
        let is_row = |longest| self.vain >= longest;
        self.patience.longest_row.is_some_and(is_row) && !self.pending.is_empty()
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
            let usual = self.rate.chance();
            odds *= (usual * doubt).min(MOST_CERTAIN.max(usual));
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

/// No change becomes more certain than this by what is known of it.
const MOST_CERTAIN: f64 = 0.995;
/// Below this rate of success a search that may give up does.
const HOPELESS: f64 = 0.025;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn splitting() -> Splitting {
        let mut splitting = Splitting::new(8, Rate::new(0.8), Patience::default());
        splitting.next(|_| 1, |_| 1.0);
        splitting
    }

    #[test]
    fn what_is_known_of_changes_tells_what_becomes_of_a_group() {
        let splitting = splitting();
        let unknown = splitting.odds(|_| None);
        assert!(splitting.testing.len() > 2);
        assert!(splitting.odds(|_| Some(0.95)) > unknown);
        let one = splitting.odds(|change| (change == 0).then_some(0.03));
        let two = splitting.odds(|change| (change < 2).then_some(0.03));
        assert!(one < unknown / 4.0);
        assert!(two >= one);
    }

    #[test]
    fn half_of_a_refused_group_is_more_likely_bad_than_good() {
        let mut splitting = splitting();
        let before = splitting.odds(|_| None);
        let open: Vec<u32> = splitting.open().map(|open| open.0).collect();
        assert_eq!(open, [0, 1, 2, 3, 4, 5, 6, 7]);
        splitting.tell(false);
        splitting.next(|_| 1, |_| 1.0);
        assert!(splitting.odds(|_| None) < 0.5 && before < 0.5);
        // The culprit is known to be in the other half.
        let rest = splitting.suspects.clone();
        let known = |change| Some(if rest.contains(&change) { 0.03 } else { 0.95 });
        assert!(splitting.odds(known) > 0.8);
        let open: Vec<_> = splitting.open().collect();
        assert!(open[0].1 < open[7].1);
    }
}
