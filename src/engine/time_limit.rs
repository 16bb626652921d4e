//! How long one query may run.
//!
//! A user's limit is obeyed literally. Otherwise there are two, each a generous multiple of what runs take: of the slowest
//! recent interesting run, because those are the ones that must not be lost, and of the recent runs that ended by
//! themselves. They start from the first runs of the original and never go above what those allow, unless they are raised
//! for a second try.
//!
//! One limit is for the wall time, which says little when it is short: a machine can be busy for a moment. The other is for
//! the processor time, which hardly depends on what else runs. So what works without end, which is most of what hangs, is
//! found out soon, and only what sleeps has the longer floor.

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

impl TimeLimit {
    /// The limit that somebody has given.
    pub fn fixed(self) -> Option<Duration> {
        match self {
            Self::Fixed(limit) => Some(limit),
            Self::Adaptive | Self::Unlimited => None,
        }
    }
}

/// Keeps the limits up to date.
#[derive(Clone, Debug)]
pub(super) struct TimeKeeper {
    rule: TimeLimit,
    time: Usual,
    work: Usual,
    is_raised: bool,
}

/// Times of recent runs.
#[derive(Clone, Debug)]
struct Usual {
    /// The limit is never below this.
    floor: Duration,
    /// What the interesting runs allow.
    ceiling: Duration,
    interesting: VecDeque<Duration>,
    completed: VecDeque<Duration>,
}

const TIME_FLOOR: Duration = Duration::from_secs(5);
/// A fraction of this is what the checks of real cases used with compilers, node and xmllint. A check that
/// allows its programs a second of their own (`ulimit -t 1`) ends before us, and then its answer is a fact.
const WORK_FLOOR: Duration = Duration::from_millis(1500);
const FACTOR: u32 = 10;
/// A second try gets so many times as much.
const RAISE: u32 = 4;
const INTERESTING_KEPT: usize = 16;
const COMPLETED_KEPT: usize = 64;

impl TimeKeeper {
    /// `time` and `work` are those of the slowest of the first runs.
    pub(super) fn new(rule: TimeLimit, time: Duration, work: Duration) -> Self {
        Self {
            rule,
            time: Usual::new(TIME_FLOOR, time),
            work: Usual::new(WORK_FLOOR, work),
            is_raised: false,
        }
    }

    /// The wall time that a query gets now.
    pub(super) fn limit(&self) -> Option<Duration> {
        match self.rule {
            TimeLimit::Unlimited => None,
            TimeLimit::Fixed(limit) => Some(limit),
            TimeLimit::Adaptive => Some(self.time.limit() * self.factor()),
        }
    }

    /// The processor time that it gets now. A user's limit is meant as it stands.
    pub(super) fn work_limit(&self) -> Option<Duration> {
        (self.rule == TimeLimit::Adaptive).then(|| self.work.limit() * self.factor())
    }

    /// The one by which it is decided whether a later query gets more.
    pub(super) fn measure(&self) -> Option<Duration> {
        self.work_limit().or_else(|| self.limit())
    }

    /// Takes in a run that ended by itself.
    pub(super) fn observe(&mut self, time: Duration, work: Duration, interesting: bool) {
        self.time.observe(time, interesting);
        self.work.observe(work, interesting);
    }

    /// Whether such a run would not have ended without a raise.
    pub(super) fn is_slow(&self, time: Duration, work: Duration) -> bool {
        time > self.time.limit() || work > self.work.limit()
    }

    /// Whether what timed out may be given more time.
    pub(super) fn can_be_raised(&self) -> bool {
        self.rule == TimeLimit::Adaptive
    }

    pub(super) fn is_raised(&self) -> bool {
        self.is_raised
    }

    /// Gives queries that timed out more time, until further notice.
    pub(super) fn raise(&mut self, raised: bool) {
        self.is_raised = raised && self.can_be_raised();
    }

    fn factor(&self) -> u32 {
        if self.is_raised { RAISE } else { 1 }
    }
}

impl Usual {
    fn new(floor: Duration, first: Duration) -> Self {
        Self {
            floor,
            ceiling: first.max(floor / FACTOR),
            interesting: VecDeque::from([first]),
            completed: VecDeque::new(),
        }
    }

    fn limit(&self) -> Duration {
        let slowest = |times: &VecDeque<Duration>| times.iter().max().copied().unwrap_or_default();
        let usual = slowest(&self.interesting)
            .max(slowest(&self.completed))
            .min(self.ceiling);
        (usual * FACTOR).max(self.floor)
    }

    fn observe(&mut self, time: Duration, interesting: bool) {
        push(&mut self.completed, time, COMPLETED_KEPT);
        if interesting {
            push(&mut self.interesting, time, INTERESTING_KEPT);
            self.ceiling = self.ceiling.max(time);
        }
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

    /// Both limits, in milliseconds.
    fn limits(keeper: &TimeKeeper) -> [u128; 2] {
        [keeper.limit(), keeper.work_limit()].map(|limit| limit.unwrap().as_millis())
    }

    #[test]
    fn a_users_limit_never_changes() {
        let mut keeper = TimeKeeper::new(TimeLimit::Fixed(SECOND), 100 * SECOND, 100 * SECOND);
        keeper.observe(50 * SECOND, 50 * SECOND, true);
        keeper.raise(true);
        assert_eq!((keeper.limit(), keeper.work_limit()), (Some(SECOND), None));
    }

    #[test]
    fn the_limits_are_ten_times_the_first_run_but_not_too_short() {
        let first = |time, work| TimeKeeper::new(TimeLimit::Adaptive, time, work);
        assert_eq!(limits(&first(3 * SECOND, 2 * SECOND)), [30_000, 20_000]);
        assert_eq!(limits(&first(SECOND / 100, SECOND / 100)), [5000, 1500]);
    }

    #[test]
    fn the_limits_fall_with_the_runs_and_do_not_follow_slow_uninteresting_ones_up() {
        let mut keeper = TimeKeeper::new(TimeLimit::Adaptive, 60 * SECOND, 30 * SECOND);
        assert_eq!(limits(&keeper), [600_000, 300_000]);
        for _ in 0..COMPLETED_KEPT {
            keeper.observe(SECOND, SECOND / 2, true);
        }
        assert_eq!(limits(&keeper), [10_000, 5000]);
        keeper.observe(500 * SECOND, 500 * SECOND, false);
        assert_eq!(limits(&keeper), [600_000, 300_000]);
        keeper.observe(70 * SECOND, 40 * SECOND, true);
        assert_eq!(limits(&keeper), [700_000, 400_000]);
    }

    #[test]
    fn raising_gives_more_time_for_as_long_as_it_is_meant_to() {
        let mut keeper = TimeKeeper::new(TimeLimit::Adaptive, SECOND, SECOND / 5);
        keeper.raise(true);
        assert_eq!(limits(&keeper), [40_000, 8000]);
        keeper.raise(false);
        assert_eq!(limits(&keeper), [10_000, 2000]);
    }
}
