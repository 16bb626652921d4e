//! Runs of neighbours, from the last to the first, in halves.
//!
//! ddmin's complements over a long row: half of it, quarters, eighths …, each run asked about alone and split when it is
//! refused. What is needed in a large program stands together, and what is declared late is used least, so large runs go early
//! and a refused one says little about the next. In contrast to group testing (`splitting`) the search goes breadth first: no
//! short run is asked about while a longer one is open.

use std::{collections::VecDeque, ops::Range, sync::Arc};

/// The search over the elements `0..n` of one row. Clones copy the runs that are open.
#[derive(Clone, Debug)]
pub struct Halving {
    /// The open runs of this length, the next one first, and the halves of those that were refused.
    open: VecDeque<Run>,
    halves: VecDeque<Run>,
    testing: Option<Run>,
    /// Runs that weigh less are left alone.
    least: u64,
    successes: u32,
    asked: u32,
    /// Whether a refused run is cut into quarters as long as few runs go.
    hurries: bool,
    /// The elements that were refused alone.
    failed: Vec<u32>,
    /// By element: how bad it is to cut before it. Empty where all cuts are alike.
    seams: Arc<[u32]>,
}

#[derive(Clone, Debug)]
struct Run {
    elements: Range<u32>,
    origin: Origin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// One of the first runs.
    Whole,
    /// The half of a refused run that is asked about first.
    FirstHalf,
    /// The other half, with the number of successes when both were refused.
    OtherHalf(u32),
    /// The other half when the first has gone and nothing else has: what was refused about both holds for it.
    Culprit,
}

impl Halving {
    /// Elements with these weights, in runs of about `largest` at first, down to runs of `least`.
    pub fn new(weights: &[u32], largest: u64, least: u64) -> Self {
        let mut open = VecDeque::new();
        let mut end = weights.len();
        let mut sum = 0;
        for (element, &weight) in weights.iter().enumerate().rev() {
            sum += u64::from(weight);
            if sum >= largest || element == 0 {
                open.push_back(Run {
                    elements: narrow(element)..narrow(end),
                    origin: Origin::Whole,
                });
                (end, sum) = (element, 0);
            }
        }
        Self {
            open,
            halves: VecDeque::new(),
            testing: None,
            least,
            successes: 0,
            asked: 0,
            hurries: false,
            failed: Vec::new(),
            seams: Arc::default(),
        }
    }

    /// All elements, in runs that are not cut in the middle, but at the best seam that leaves a quarter on both sides: by element
    /// how bad it is to cut before it, less is better.
    pub fn along(weights: &[u32], seams: Arc<[u32]>) -> Self {
        Self {
            seams,
            ..Self::new(weights, u64::MAX, 1)
        }
    }

    /// The same, if it is known that not all of the elements go.
    #[must_use]
    pub fn of_needed(mut self, weights: &[u32]) -> Self {
        if self.next(weights).is_some() {
            if weights.len() > 1 {
                self.refuse(weights);
            } else {
                // Nobody has asked about it alone.
                self.skip();
            }
        }
        self
    }

    /// The same, with odds as if so many runs had been refused before.
    #[must_use]
    pub fn doubted(self, runs: u32) -> Self {
        Self {
            asked: runs,
            ..self
        }
    }

    /// The same, but as long as fewer than one run in four goes, a refused one is cut into quarters: of its halves one more
    /// would be refused, mostly both.
    #[must_use]
    pub fn hurrying(self) -> Self {
        Self {
            hurries: true,
            ..self
        }
    }

    /// The run that is asked about now, never empty; `None` at the end.
    pub fn next(&mut self, weights: &[u32]) -> Option<Range<u32>> {
        while self.testing.is_none() {
            if self.open.is_empty() {
                std::mem::swap(&mut self.open, &mut self.halves);
            }
            let run = self.open.pop_front()?;
            let is_culprit = run.origin == Origin::Culprit;
            self.testing = Some(run);
            if is_culprit {
                self.refuse(weights);
            }
        }
        self.testing.as_ref().map(|run| run.elements.clone())
    }

    /// Takes the answer to the run that [`Halving::next`] gave.
    pub fn tell(&mut self, good: bool, weights: &[u32]) {
        self.asked += 1;
        if good {
            self.successes += 1;
            let went = self.testing.take().map(|run| run.origin);
            if let (Some(Origin::FirstHalf), Some(next)) = (went, self.open.front_mut())
                && next.origin == Origin::OtherHalf(self.successes - 1)
            {
                next.origin = Origin::Culprit;
            }
        } else {
            self.refuse(weights);
        }
    }

    /// There is nothing to ask about the run that [`Halving::next`] gave.
    pub fn skip(&mut self) {
        self.testing = None;
    }

    /// Turns down the run that [`Halving::next`] gave; its halves come later.
    pub fn refuse(&mut self, weights: &[u32]) {
        let Some(Run { elements, .. }) = self.testing.take() else {
            return;
        };
        if elements.len() == 1 {
            self.failed.push(elements.start);
            return;
        }
        let middle = self.middle(&elements, weights);
        let Some(middle) = middle else {
            return;
        };
        if self.hurries && 4 * self.successes < self.asked {
            self.push_quarters(middle..elements.end, weights);
            self.push_quarters(elements.start..middle, weights);
            return;
        }
        self.halves.push_back(Run {
            elements: middle..elements.end,
            origin: Origin::FirstHalf,
        });
        self.halves.push_back(Run {
            elements: elements.start..middle,
            origin: Origin::OtherHalf(self.successes),
        });
    }

    /// Where a run is halved; `None` if it is too light or too short for that.
    fn middle(&self, elements: &Range<u32>, weights: &[u32]) -> Option<u32> {
        let weighed = &weights[elements.start as usize..elements.end as usize];
        let total: u64 = weighed.iter().map(|&weight| u64::from(weight)).sum();
        let is_divisible = weighed.len() > 1 && total >= 2 * self.least;
        is_divisible.then(|| {
            let seams = self.seams.get(elements.start as usize..);
            let seams = seams.unwrap_or_default();
            elements.start + narrow(seam(weighed, total, seams))
        })
    }

    /// The halves of a half, or the half itself where it is not divided.
    fn push_quarters(&mut self, half: Range<u32>, weights: &[u32]) {
        let quarters = match self.middle(&half, weights) {
            Some(middle) => vec![middle..half.end, half.start..middle],
            None => vec![half],
        };
        let origin = Origin::Whole;
        let runs = quarters
            .into_iter()
            .map(|elements| Run { elements, origin });
        self.halves.extend(runs);
    }

    /// The run that is asked about now.
    pub fn testing(&self) -> Option<&Range<u32>> {
        self.testing.as_ref().map(|run| &run.elements)
    }

    /// The runs that will be asked about whatever the answers are, in that order.
    pub fn open(&self) -> impl Iterator<Item = &Range<u32>> {
        let open = self.open.iter().chain(&self.halves);
        open.map(|run| &run.elements)
    }

    /// The share of runs that went.
    pub fn odds(&self) -> f64 {
        (f64::from(self.successes) + 1.0) / (f64::from(self.asked) + 2.0)
    }

    /// The elements that were refused alone.
    pub fn failed(&self) -> &[u32] {
        &self.failed
    }
}

/// How many elements stand before the best seam, of equally good ones that nearest to the middle; both sides get something.
fn seam(weights: &[u32], total: u64, seams: &[u32]) -> usize {
    let middle = half(weights, total);
    if seams.is_empty() {
        return middle;
    }
    let mut before = 0;
    let inner = (1..weights.len()).filter(|&place| {
        before += u64::from(weights[place - 1]);
        4 * before >= total && 4 * before <= 3 * total
    });
    let worth = |place: &usize| (seams.get(*place), place.abs_diff(middle));
    inner.min_by_key(worth).unwrap_or(middle)
}

/// How many of the first elements make up half of the weight; both sides get something.
fn half(weights: &[u32], total: u64) -> usize {
    let mut sum = 0;
    let middle = weights.iter().position(|&weight| {
        sum += u64::from(weight);
        2 * sum >= total
    });
    middle
        .map_or(1, |middle| middle + 1)
        .clamp(1, weights.len() - 1)
}

fn narrow(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Runs to the end with an oracle that takes a set without any of `needed`; what went, and what was asked.
    fn run(weights: &[u32], least: u64, needed: &[u32]) -> (Vec<u32>, Vec<Range<u32>>) {
        let mut halving = Halving::new(weights, u64::MAX, least);
        let (mut gone, mut asked) = (Vec::new(), Vec::new());
        while let Some(run) = halving.next(weights) {
            let good = !needed.iter().any(|element| run.contains(element));
            if good {
                gone.extend(run.clone());
            }
            asked.push(run);
            halving.tell(good, weights);
        }
        (gone, asked)
    }

    #[test]
    fn long_runs_come_first_and_late_ones_before_early_ones() {
        let (gone, asked) = run(&[1; 8], 1, &[1]);
        assert_eq!(asked, [0..8, 4..8, 2..4, 1..2, 0..1]);
        assert_eq!(gone, [4, 5, 6, 7, 2, 3, 0]);
    }

    #[test]
    fn a_run_below_the_least_weight_is_not_split() {
        let (_, asked) = run(&[1; 8], 4, &[0, 7]);
        assert_eq!(asked, [0..8, 4..8, 0..4]);
    }

    proptest! {
        #[test]
        fn what_is_not_needed_goes_and_what_is_needed_stays(
            weights in prop::collection::vec(1u32..50, 1..60),
            needed in prop::collection::vec(0u32..60, 0..12),
        ) {
            let (mut gone, asked) = run(&weights, 1, &needed);
            gone.sort_unstable();
            let all = 0..u32::try_from(weights.len()).unwrap();
            let expected: Vec<u32> = all.filter(|element| !needed.contains(element)).collect();
            // What was refused together with a needed element is asked about alone, or follows from other answers.
            prop_assert_eq!(gone, expected);
            prop_assert!(asked.len() <= 2 * weights.len());
        }
    }
}
