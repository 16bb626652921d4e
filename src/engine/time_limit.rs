//! How long one query may run.
//!
//! A user's limit is obeyed literally. Otherwise the limit is a generous multiple of what runs take: of the slowest recent
//! interesting run, because those are the ones that must not be lost, and of the recent runs that ended by themselves. It
//! starts from the first runs of the original and never goes above what those allow, unless it is raised for a second try.

use std::collections::VecDeque;
use std::time::Duration;

/// How the limit is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// This much, always.
    Fixed(Duration),
    /// From what the runs take.
    Adaptive,
    /// None: a check that hangs stops everything.
    Unlimited,
}

/// Keeps the limit up to date.
#[derive(Clone, Debug)]
pub(super) struct TimeKeeper {
    rule: TimeLimit,
    /// What the first runs allow.
    ceiling: Duration,
    interesting: VecDeque<Duration>,
    completed: VecDeque<Duration>,
    factor: u32,
}

/// No limit is below this: a machine can be busy for a moment.
const FLOOR: Duration = Duration::from_secs(5);
const FACTOR: u32 = 10;
/// Each further try gets this much more.
const RAISE: u32 = 6;
/// Two raises: up to 36 times what was generous before.
const HIGHEST_FACTOR: u32 = FACTOR * RAISE * RAISE;
const INTERESTING_KEPT: usize = 16;
const COMPLETED_KEPT: usize = 64;

impl TimeKeeper {
    /// `first` is the slowest of the first runs.
    pub(super) fn new(rule: TimeLimit, first: Duration) -> Self {
        let ceiling = first.max(FLOOR / FACTOR);
        let interesting = VecDeque::from([first]);
        Self {
            rule,
            ceiling,
            interesting,
            completed: VecDeque::new(),
            factor: FACTOR,
        }
    }

    /// What a query gets now.
    pub(super) fn limit(&self) -> Option<Duration> {
        match self.rule {
            TimeLimit::Unlimited => None,
            TimeLimit::Fixed(limit) => Some(limit),
            TimeLimit::Adaptive => Some(self.adapted()),
        }
    }

    /// A limit that we made up must not depend on how busy the machine is; a user's is meant as it stands.
    pub(super) fn is_patient(&self) -> bool {
        self.rule == TimeLimit::Adaptive
    }

    /// Takes in a run that ended by itself.
    pub(super) fn observe(&mut self, time: Duration, interesting: bool) {
        if self.rule != TimeLimit::Adaptive {
            return;
        }
        push(&mut self.completed, time, COMPLETED_KEPT);
        if interesting {
            push(&mut self.interesting, time, INTERESTING_KEPT);
            self.ceiling = self.ceiling.max(time);
        }
    }

    /// Gives queries that timed out more time. `false`: they have had the most they get.
    pub(super) fn raise(&mut self) -> bool {
        if self.rule != TimeLimit::Adaptive || self.factor >= HIGHEST_FACTOR {
            return false;
        }
        let before = self.adapted();
        self.factor *= RAISE;
        self.adapted() > before
    }

    fn adapted(&self) -> Duration {
        let slowest = |times: &VecDeque<Duration>| times.iter().max().copied().unwrap_or_default();
        let usual = slowest(&self.interesting)
            .max(slowest(&self.completed))
            .min(self.ceiling);
        // For a check that takes milliseconds the floor is generous enough to be raised once only: what hangs is waited for
        // at every raise.
        let floor = FLOOR * (self.factor / FACTOR).min(RAISE);
        (usual * self.factor).max(floor)
    }
}

fn push(times: &mut VecDeque<Duration>, time: Duration, kept: usize) {
    if times.len() == kept {
        times.pop_front();
    }
    times.push_back(time);
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_users_limit_never_changes() {
        let mut keeper = TimeKeeper::new(TimeLimit::Fixed(SECOND), 100 * SECOND);
        keeper.observe(50 * SECOND, true);
        assert!(!keeper.raise());
        assert_eq!(keeper.limit(), Some(SECOND));
    }

    #[test]
    fn the_limit_is_ten_times_the_first_run_but_not_too_short() {
        assert_eq!(
            TimeKeeper::new(TimeLimit::Adaptive, 3 * SECOND).limit(),
            Some(30 * SECOND)
        );
        assert_eq!(
            TimeKeeper::new(TimeLimit::Adaptive, SECOND / 1000).limit(),
            Some(5 * SECOND)
        );
    }

    #[test]
    fn the_limit_falls_with_the_runs_and_does_not_follow_slow_uninteresting_ones_up() {
        let mut keeper = TimeKeeper::new(TimeLimit::Adaptive, 60 * SECOND);
        assert_eq!(keeper.limit(), Some(600 * SECOND));
        for _ in 0..COMPLETED_KEPT {
            keeper.observe(SECOND, true);
        }
        assert_eq!(keeper.limit(), Some(10 * SECOND));
        keeper.observe(500 * SECOND, false);
        assert_eq!(keeper.limit(), Some(600 * SECOND));
        keeper.observe(70 * SECOND, true);
        assert_eq!(keeper.limit(), Some(700 * SECOND));
    }

    #[test]
    fn a_fast_check_is_given_more_time_once() {
        let mut keeper = TimeKeeper::new(TimeLimit::Adaptive, SECOND / 100);
        assert!(keeper.raise());
        assert_eq!(keeper.limit(), Some(30 * SECOND));
        assert!(!keeper.raise());
    }

    #[test]
    fn raising_gives_more_time_and_ends() {
        let mut keeper = TimeKeeper::new(TimeLimit::Adaptive, SECOND);
        let mut limits = vec![keeper.limit().unwrap()];
        while keeper.raise() {
            limits.push(keeper.limit().unwrap());
        }
        assert_eq!(limits, [10 * SECOND, 60 * SECOND, 360 * SECOND]);
    }
}
