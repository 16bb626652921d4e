//! GreeDDy, greedy Delta Debugging: ddmin that uses every success of a window of tests.
//!
//! **Idea.** Ask about a window of T complements of the same list before deciding. If several are interesting, try to take all
//! their parts away at once; if that fails, take the first away and try to add the others one by one.
//!
//! **Paper.** Vince, "Improvements to test case reduction", 2024, chapter 6; Vince and Kiss, "GreeDDy: accelerate parallel ddmin", 2024.
//! There T is the number of processes; here it is a parameter, so that the result does not depend on the machine. In the subset
//! phase there is nothing to combine (the parts have no element in common), so the first interesting one is taken.
//!
//! **Laws.** The result is 1-minimal for any deterministic oracle. With T = 1 it asks what ddmin asks. At most quadratic: each
//! success costs at most one more question than in ddmin and is followed by the same walk.

use super::parts::{part, turn};
use super::{Cut, Options, Runs};
use crate::search::{Search, Verdict};

#[derive(Clone, Debug)]
pub(super) struct Greeddy {
    /// The list that the parts divide.
    base: Runs,
    kept: Runs,
    /// How many parts the base is divided into; 0 when the search has ended.
    parts: usize,
    step: Step,
    /// The turn of the part that is asked about.
    index: usize,
    /// The turns in this window whose complements are interesting.
    hits: Runs,
    window: usize,
    subsets: bool,
    backward: bool,
    split: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Is the part alone interesting?
    Subset,
    /// Is the base without the part?
    Window,
    /// Is the base without all the hits?
    Together,
    /// Without the hits that were taken so far (a number) and one more?
    OneByOne(usize),
}

impl Greeddy {
    pub(super) fn new(kept: Runs, options: &Options) -> Self {
        let mut greeddy = Self {
            base: kept.clone(),
            kept,
            parts: 0,
            step: Step::Window,
            index: 0,
            hits: Runs::empty(),
            window: options.window.max(1) as usize,
            subsets: options.subsets,
            backward: options.backward,
            split: options.split_factor(),
        };
        greeddy.divide(greeddy.split);
        greeddy
    }

    fn divide(&mut self, parts: usize) {
        self.base = self.kept.clone();
        self.parts = parts.min(self.base.len());
        self.step = if self.subsets && self.parts > 1 {
            Step::Subset
        } else {
            Step::Window
        };
        self.index = 0;
        self.hits = Runs::empty();
    }

    fn part(&self, index: usize) -> Runs {
        part(&self.base, self.parts, index)
    }

    fn complemented_part(&self, index: usize) -> Runs {
        self.part(turn(self.backward, self.parts, index))
    }

    fn all_hits(&self) -> Runs {
        self.hits.iter().fold(Runs::empty(), |all, hit| {
            all.union(&self.complemented_part(hit))
        })
    }

    fn tell_subset(&mut self, interesting: bool) {
        if interesting {
            self.kept = self.part(self.index);
            self.divide(self.split);
            return;
        }
        self.index += 1;
        if self.index == self.parts {
            (self.step, self.index) = (Step::Window, 0);
        }
    }

    fn tell_window(&mut self, interesting: bool) {
        if interesting {
            self.hits = self
                .hits
                .union(&Runs::from_range(self.index..self.index + 1));
        }
        self.index += 1;
        if self.index < self.parts && !self.index.is_multiple_of(self.window) {
            return;
        }
        match self.hits.len() {
            0 if self.index < self.parts => {}
            0 if self.parts < self.base.len() => self.divide(self.parts.saturating_mul(self.split)),
            0 => self.parts = 0,
            1 => self.take_first_hit(),
            _ => self.step = Step::Together,
        }
    }

    fn tell_together(&mut self, interesting: bool) {
        if interesting {
            self.kept = self.base.subtract(&self.all_hits());
            self.end_window(self.hits.len());
        } else {
            self.take_first_hit();
        }
    }

    fn tell_one_by_one(&mut self, interesting: bool, taken: usize) {
        if interesting {
            self.kept = self.kept.subtract(&self.complemented_part(self.index));
        }
        self.next_hit(taken + usize::from(interesting));
    }

    fn take_first_hit(&mut self) {
        self.index = self.hits.first().unwrap_or_default();
        self.kept = self.base.subtract(&self.complemented_part(self.index));
        self.next_hit(1);
    }

    /// Goes on to the hit after the current one, with so many taken until now.
    fn next_hit(&mut self, taken: usize) {
        let next = self.hits.rank(self.index + 1);
        // If all hits but the last are taken, the last was already asked about: it is all of them together.
        let known = taken + 1 == self.hits.len();
        match self.hits.select(next) {
            Some(index) if !known => (self.step, self.index) = (Step::OneByOne(taken), index),
            _ => self.end_window(taken),
        }
    }

    fn end_window(&mut self, taken: usize) {
        self.divide(self.parts.saturating_sub(taken).max(2));
    }
}

impl Search for Greeddy {
    type Candidate = Cut;
    type Best = Runs;

    fn ask(&self) -> Option<Cut> {
        (self.parts > 0).then(|| match self.step {
            Step::Subset => Cut::Keep(self.part(self.index)),
            Step::Window | Step::OneByOne(_) => Cut::Drop(self.complemented_part(self.index)),
            Step::Together => Cut::Drop(self.all_hits()),
        })
    }

    fn tell(&mut self, verdict: Verdict) {
        let interesting = verdict.is_interesting();
        match self.step {
            _ if self.parts == 0 => {}
            Step::Subset => self.tell_subset(interesting),
            Step::Window => self.tell_window(interesting),
            Step::Together => self.tell_together(interesting),
            Step::OneByOne(taken) => self.tell_one_by_one(interesting, taken),
        }
    }

    fn best(&self) -> &Runs {
        &self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial::{needs, run};
    use super::super::{Algorithm, Options, Weights};

    fn queries(window: u32, oracle: impl Fn(&super::Runs) -> bool) -> (Vec<usize>, usize) {
        let options = Options {
            window,
            ..Options::new(Algorithm::Greeddy)
        };
        let trial = run(&Weights::Uniform(256), &options, oracle);
        (trial.result, trial.queries)
    }

    #[test]
    fn asks_less_than_ddmin_when_several_complements_are_interesting() {
        let needed = [3, 41, 42, 100, 170, 251];
        assert_eq!(queries(4, needs(&needed)).0, needed);
        assert!(queries(4, needs(&needed)).1 < queries(1, needs(&needed)).1);
    }

    #[test]
    fn adds_the_other_hits_one_by_one_when_they_cannot_all_go() {
        // At least three of the four quarters must keep an element, so two hits of a window never go together.
        let three_quarters = |kept: &super::Runs| {
            (0..4)
                .filter(|quarter| kept.iter().any(|element| element / 64 == *quarter))
                .count()
                >= 3
        };
        assert_eq!(queries(4, three_quarters).0.len(), 3);
    }
}
