//! What timed out is no fact: the candidates that would still be an improvement are tried again at the end, with more time.
//!
//! Most of them never end, and each of these costs all the time that it is given. So the newest go first, which are those
//! that the search derived from its result, a few at a time, and when all of these are slow again, the others are given up
//! on too.

use std::collections::VecDeque;
use std::sync::Arc;

use super::rendered::Rendered;
use crate::search::{Render, Search, Verdict};

/// The candidates that timed out.
#[derive(Debug, Default)]
pub(super) struct Overdue {
    /// The newest ones, with their bytes.
    once: VecDeque<Arc<Rendered>>,
    /// The lengths of those for which there was no room.
    forgotten: Vec<usize>,
    /// The lengths of those that have timed out again with more time.
    twice: Vec<usize>,
    /// Second tries that were made.
    tried: usize,
    /// Those among the last few that were slow again.
    in_vain: usize,
}

/// Candidates that are kept: more than are ever tried again, because some will not be an improvement any more.
const KEPT: usize = 2 * MOST_TRIED;
/// A longer candidate is not kept.
const LONGEST: usize = 4 << 20;
/// Second tries in one reduction.
const MOST_TRIED: usize = 20;
/// If so many are all slow again, no more are tried.
const AT_ONCE: usize = 4;

impl Overdue {
    /// It ran out of its time.
    pub(super) fn add(&mut self, candidate: &Rendered) {
        self.settle(candidate);
        if candidate.bytes.len() > LONGEST {
            self.forgotten.push(candidate.bytes.len());
            return;
        }
        if self.once.len() == KEPT
            && let Some(oldest) = self.once.pop_front()
        {
            self.forgotten.push(oldest.bytes.len());
        }
        self.once.push_back(Arc::new(candidate.copy()));
    }

    /// There is an answer now.
    pub(super) fn settle(&mut self, candidate: &Rendered) {
        self.once.retain(|late| !late.is_same(candidate));
    }

    /// The best has this length now: what is not shorter is of no use any more.
    pub(super) fn drop_useless(&mut self, best: usize) {
        self.once.retain(|late| late.bytes.len() < best);
        self.forgotten.retain(|&length| length < best);
        self.twice.retain(|&length| length < best);
    }

    /// Those that are tried again now; `None` if that has had its end.
    pub(super) fn next_try(&mut self) -> Option<SecondTry> {
        let room = AT_ONCE.min(MOST_TRIED - self.tried);
        let candidates: Vec<_> = self.once.iter().rev().take(room).cloned().collect();
        let has_hope = std::mem::take(&mut self.in_vain) < AT_ONCE;
        (has_hope && !candidates.is_empty()).then(|| SecondTry {
            candidates: candidates.into(),
            next: 0,
        })
    }

    /// It was tried again.
    pub(super) fn tried_again(&mut self, candidate: &Rendered, result: Again) {
        self.settle(candidate);
        self.tried = MOST_TRIED.min(self.tried + 1);
        self.in_vain += usize::from(result != Again::Known);
        if result == Again::TimedOut {
            self.twice.push(candidate.bytes.len());
        }
    }

    /// How many would be an improvement, for all that is known.
    pub(super) fn count(&self) -> usize {
        self.once.len() + self.forgotten.len() + self.twice.len()
    }

    /// How many of these have had more time.
    pub(super) fn count_twice(&self) -> usize {
        self.twice.len()
    }
}

/// How a second try ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Again {
    /// It timed out again.
    TimedOut,
    /// There is an answer, and it took longer than others may.
    Slow,
    /// There is an answer: it was an accident that it timed out.
    Known,
}

/// Asks about candidates that timed out, until one is interesting: then the search goes on from there.
#[derive(Clone)]
pub(super) struct SecondTry {
    candidates: Arc<[Arc<Rendered>]>,
    next: usize,
}

impl Search for SecondTry {
    type Candidate = Arc<Rendered>;
    /// The engine has it.
    type Best = ();

    fn ask(&self) -> Option<Arc<Rendered>> {
        self.candidates.get(self.next).cloned()
    }

    fn tell(&mut self, verdict: Verdict) {
        self.next = match verdict {
            Verdict::Interesting => self.candidates.len(),
            Verdict::Uninteresting => self.next + 1,
        };
    }

    fn best(&self) -> &() {
        &()
    }

    fn chance(&self) -> Option<f64> {
        /// They took so much longer than all others that few are interesting.
        const CHANCE: f64 = 0.05;
        Some(CHANCE)
    }
}

impl Render for Arc<Rendered> {
    fn render(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.bytes);
    }

    fn pass(&self) -> &'static str {
        self.pass
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(length: usize) -> Rendered {
        Rendered::of(vec![b'x'; length], "test")
    }

    fn overdue(lengths: std::ops::Range<usize>) -> Overdue {
        let mut overdue = Overdue::default();
        for length in lengths {
            overdue.add(&candidate(length));
        }
        overdue
    }

    /// Plays it to its end, whatever is asked ending like this; says how many were asked about.
    fn tries(overdue: &mut Overdue, result: Again) -> usize {
        let mut tries = 0;
        while let Some(mut search) = overdue.next_try() {
            while let Some(candidate) = search.ask() {
                tries += 1;
                overdue.tried_again(&candidate, result);
                search.tell(Verdict::Uninteresting);
            }
        }
        tries
    }

    #[test]
    fn the_newest_go_first() {
        let search = overdue(0..9).next_try().unwrap();
        assert_eq!(search.ask().unwrap().bytes.len(), 8);
    }

    #[test]
    fn some_that_are_slow_again_are_enough() {
        for result in [Again::TimedOut, Again::Slow] {
            assert_eq!(tries(&mut overdue(0..100), result), AT_ONCE);
        }
    }

    #[test]
    fn accidents_are_all_tried_again_within_bounds() {
        assert_eq!(tries(&mut overdue(0..9), Again::Known), 9);
        assert_eq!(tries(&mut overdue(0..100), Again::Known), MOST_TRIED);
    }

    #[test]
    fn only_what_would_be_an_improvement_is_counted() {
        let mut overdue = overdue(0..100);
        assert_eq!(overdue.count(), 100);
        tries(&mut overdue, Again::TimedOut);
        assert_eq!((overdue.count(), overdue.count_twice()), (100, AT_ONCE));
        overdue.settle(&candidate(80));
        overdue.drop_useless(90);
        assert_eq!((overdue.count(), overdue.count_twice()), (89, 0));
    }

    #[test]
    fn the_first_that_is_interesting_ends_it() {
        let mut search = overdue(0..9).next_try().unwrap();
        search.tell(Verdict::Uninteresting);
        search.tell(Verdict::Interesting);
        assert!(search.ask().is_none());
    }
}
