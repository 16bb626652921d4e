//! Checks around the search: is the original interesting, always, and is the result?

use std::panic::resume_unwind;
use std::thread::ScopedJoinHandle;
use std::time::Duration;

use super::answer::{Repeat, try_candidate};
use crate::oracle::{Oracle, OracleError, Outcome, Query, QueryId, Run};

/// What the first runs showed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Probe {
    /// All runs.
    pub queries: u64,
    /// Runs of the original.
    pub runs: u32,
    /// Those that were interesting.
    pub interesting: u32,
    /// Wall time of the slowest of them but the first, which had to load what others find in memory.
    pub slowest: Duration,
    /// The most processor time that one of these used.
    pub most_work: Duration,
    /// Whether the empty file is interesting too: then there is nothing to reduce to. `None`: nobody asked.
    pub accepts_empty: Option<bool>,
}

/// What the last runs showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verification {
    /// Runs of the result.
    pub runs: u32,
    /// Those that were interesting.
    pub interesting: u32,
}

impl Probe {
    /// Whether the runs of the original differed.
    pub fn is_flaky(&self) -> bool {
        self.interesting > 0 && self.interesting < self.runs
    }

    /// Says whether it is worth going on.
    fn count_first(&mut self, run: &Run, runs: Runs) -> bool {
        self.count_run(run);
        match run.outcome {
            Outcome::Interesting | Outcome::Uninteresting => true,
            // Each further run may take as long, so only somebody who asks for many gets them.
            Outcome::TimedOut | Outcome::AlsoInteresting => runs.attempts > ATTEMPTS,
            Outcome::Cancelled => false,
        }
    }

    fn count(&mut self, run: &Run) {
        self.count_run(run);
        self.slowest = self.slowest.max(run.time);
        self.most_work = self.most_work.max(run.work);
    }

    fn count_run(&mut self, run: &Run) {
        self.queries += 1;
        self.runs += 1;
        self.interesting += u32::from(run.outcome.is_interesting());
    }

    /// Says whether none was cancelled.
    fn take_in(
        &mut self,
        asked: &[Query<'_>],
        done: &[Run],
        original: &[u8],
        limit: Option<Duration>,
    ) -> bool {
        for (query, run) in asked.iter().zip(done) {
            if run.outcome == Outcome::Cancelled {
                return false;
            }
            if query.candidate == original {
                self.count(run);
                continue;
            }
            self.queries += 1;
            // Beside the first run nobody knew how long it would take.
            let was_too_short = run.outcome == Outcome::TimedOut && query.time_limit < limit;
            self.accepts_empty = (!was_too_short).then_some(run.outcome.is_interesting());
        }
        true
    }

    /// What is to be asked next.
    fn next<'q>(
        &self,
        original: &'q [u8],
        runs: Runs,
        limit_for_empty: Option<Duration>,
    ) -> Vec<Query<'q>> {
        let wanted = match self.interesting {
            0 => runs.attempts.max(ATTEMPTS),
            // The rate is worth knowing better once it is neither 0 nor 1.
            _ if self.is_flaky() => FLAKY_RUNS.max(runs.count),
            _ => runs.count,
        };
        let missing = wanted.saturating_sub(self.runs) as usize;
        let mut queries = vec![query(original, runs.time_limit); missing];
        let is_accepted = self.interesting > 0 && missing == 0;
        if is_accepted && self.accepts_empty.is_none() && !original.is_empty() {
            queries.push(query(b"", limit_for_empty));
        }
        queries
    }

    /// How often the original was interesting.
    pub fn rate(&self) -> f64 {
        f64::from(self.interesting) / f64::from(self.runs.max(1))
    }
}

/// How the runs around the search are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs {
    /// So many.
    pub count: u32,
    /// So many at most until the original is interesting once.
    pub attempts: u32,
    /// So many at a time.
    pub jobs: usize,
    /// The user's time limit, if there is one.
    pub time_limit: Option<Duration>,
}

/// Runs the original as often as wanted, more often if the answers differ, and the empty file once. `first` is the first of
/// the runs of the original, in the first slot; what fits into the other jobs runs beside it. Ends early if the original is
/// never interesting. `None`: somebody interrupted it.
pub fn probe<E>(
    oracle: &dyn Oracle,
    original: &[u8],
    runs: Runs,
    first: impl FnOnce() -> Result<Run, E> + Send,
) -> Result<Option<Probe>, E>
where
    E: From<OracleError> + Send,
{
    let limit_for_empty = |first| Some(limit_for_empty(runs.time_limit, first));
    let mut asked = Vec::new();
    if !original.is_empty() {
        asked.push(query(b"", limit_for_empty(Duration::ZERO)));
    }
    asked.resize(runs.count as usize, query(original, runs.time_limit));
    asked.truncate(runs.jobs.saturating_sub(1));
    let (first, done) = test_beside(oracle, &asked, first);
    let (first, mut done) = (first?, done?);
    let mut probe = Probe::default();
    if !probe.count_first(&first, runs) {
        return Ok((first.outcome != Outcome::Cancelled).then_some(probe));
    }
    let limit = limit_for_empty(first.time);
    while probe.take_in(&asked, &done, original, limit) {
        asked = probe.next(original, runs, limit);
        if asked.is_empty() {
            return Ok(Some(probe));
        }
        done = test_all(oracle, &asked, runs.jobs)?;
    }
    Ok(None)
}

/// Whether the empty file is interesting, which the probe has seen in one run: runs it as often as a candidate, and, where that
/// is once, again when it was accepted. Also gives the number of these runs. `None`: nobody knows.
pub fn accepts_empty(
    oracle: &dyn Oracle,
    probe: &Probe,
    repeat: Repeat,
    time_limit: Option<Duration>,
) -> Result<(Option<bool>, u32), OracleError> {
    match (repeat, probe.accepts_empty) {
        (_, None) => return Ok((None, 0)),
        (Repeat::Once, Some(false)) => return Ok((Some(false), 0)),
        (Repeat::Any(_), Some(true)) => return Ok((Some(true), 0)),
        _ => {}
    }
    let limit = limit_for_empty(time_limit, probe.slowest);
    let answer = try_candidate(oracle, &query(b"", Some(limit)), repeat, &mut || ())?;
    let accepts = match answer.outcome {
        Outcome::Cancelled => None,
        outcome => Some(outcome.is_interesting()),
    };
    Ok((accepts, answer.runs))
}

/// The user's limit, or one that leaves the empty file much more time than the original needed.
fn limit_for_empty(users: Option<Duration>, original: Duration) -> Duration {
    users.unwrap_or((original * 10).max(EMPTY_FLOOR))
}

/// Runs the result as often as wanted.
pub fn verify(oracle: &dyn Oracle, best: &[u8], runs: Runs) -> Result<Verification, OracleError> {
    let mut verification = Verification {
        runs: 0,
        interesting: 0,
    };
    let queries = vec![query(best, runs.time_limit); runs.count as usize];
    for run in test_all(oracle, &queries, runs.jobs)? {
        verification.runs += 1;
        verification.interesting += u32::from(run.outcome.is_interesting());
    }
    Ok(verification)
}

/// A check that may err gets so many runs to accept the original before it is taken at its word.
const ATTEMPTS: u32 = 3;
const FLAKY_RUNS: u32 = 20;
const EMPTY_FLOOR: Duration = Duration::from_secs(5);

/// The runs in the order of the queries. They do not depend on each other, so they are tested `jobs` at a time.
fn test_all(
    oracle: &dyn Oracle,
    queries: &[Query<'_>],
    jobs: usize,
) -> Result<Vec<Run>, OracleError> {
    if jobs <= 1 {
        let test = |query: &Query<'_>| oracle.test(query, &mut || ());
        return queries.iter().map(test).collect();
    }
    let mut done = Vec::new();
    for some in queries.chunks(jobs) {
        done.extend(test_at_once(oracle, some, 0)?);
    }
    Ok(done)
}

/// Tests all at once, beside something else that uses the first slot.
fn test_beside<T: Send>(
    oracle: &dyn Oracle,
    queries: &[Query<'_>],
    first: impl FnOnce() -> T + Send,
) -> (T, Result<Vec<Run>, OracleError>) {
    if queries.is_empty() {
        return (first(), Ok(Vec::new()));
    }
    std::thread::scope(|scope| {
        let first = scope.spawn(first);
        let done = test_at_once(oracle, queries, 1);
        (joined(first), done)
    })
}

/// Tests all at once, in the slots from `slot` on. None runs on this thread: strays are found among the main thread's
/// children, and what others run must not be there.
fn test_at_once(
    oracle: &dyn Oracle,
    queries: &[Query<'_>],
    slot: usize,
) -> Result<Vec<Run>, OracleError> {
    std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for (slot, &query) in (slot..).zip(queries) {
            let id = QueryId::fresh();
            let query = Query { slot, id, ..query };
            threads.push(scope.spawn(move || oracle.test(&query, &mut || ())));
        }
        threads.into_iter().map(joined).collect()
    })
}

fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

fn query(candidate: &[u8], time_limit: Option<Duration>) -> Query<'_> {
    Query {
        slot: 0,
        id: QueryId::fresh(),
        candidate,
        time_limit,
        work_limit: None,
        stop_at: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Wald;
    use std::sync::atomic::{AtomicU32, Ordering};

    fn runs(count: u32, jobs: usize) -> Runs {
        Runs {
            count,
            attempts: 1,
            jobs,
            time_limit: None,
        }
    }

    fn probe_of(oracle: &dyn Oracle, original: &[u8], runs: Runs) -> Probe {
        let first = || oracle.test(&query(original, None), &mut || ());
        probe(oracle, original, runs, first).unwrap().unwrap()
    }

    #[test]
    fn a_steady_oracle_is_asked_as_often_as_wanted() {
        let oracle = |bytes: &[u8]| !bytes.is_empty();
        for jobs in [0, 1, 2, 3, 8] {
            let probe = probe_of(&oracle, b"a", runs(3, jobs));
            let known = (probe.runs, probe.interesting, probe.accepts_empty);
            assert_eq!(known, (3, 3, Some(false)));
            assert!(!probe.is_flaky());
            assert_eq!(probe.queries, 4);
        }
    }

    #[test]
    fn a_flaky_oracle_is_measured_more_closely() {
        for jobs in [1, 3] {
            let calls = AtomicU32::new(0);
            let oracle = |bytes: &[u8]| {
                !bytes.is_empty() && !calls.fetch_add(1, Ordering::Relaxed).is_multiple_of(4)
            };
            let probe = probe_of(&oracle, b"a", runs(3, jobs));
            assert_eq!((probe.runs, probe.interesting), (20, 15));
            assert_eq!((probe.queries, probe.accepts_empty), (21, Some(false)));
        }
    }

    #[test]
    fn what_is_never_accepted_is_tried_three_times() {
        let oracle = |_: &[u8]| false;
        for (jobs, queries) in [(1, 3), (2, 4), (9, 9)] {
            let probe = probe_of(&oracle, b"a", runs(21, jobs));
            assert_eq!((probe.interesting, probe.queries), (0, queries), "{jobs}");
        }
    }

    #[test]
    fn who_wants_many_attempts_gets_them() {
        for jobs in [1, 3] {
            let calls = AtomicU32::new(0);
            // Only the eleventh run shows it.
            let oracle = |_: &[u8]| calls.fetch_add(1, Ordering::Relaxed) == 10;
            let runs = |attempts| Runs {
                attempts,
                ..runs(3, jobs)
            };
            assert_eq!(probe_of(&oracle, b"a", runs(8)).interesting, 0);
            calls.store(0, Ordering::Relaxed);
            assert_eq!(probe_of(&oracle, b"a", runs(12)).interesting, 1);
        }
    }

    #[test]
    fn the_empty_file_is_run_as_often_as_a_candidate() {
        let accepts = |repeat, seen, accepted: u32| {
            let calls = AtomicU32::new(0);
            let oracle = |_: &[u8]| calls.fetch_add(1, Ordering::Relaxed) == accepted;
            let probe = Probe {
                accepts_empty: Some(seen),
                ..Probe::default()
            };
            accepts_empty(&oracle, &probe, repeat, None).unwrap()
        };
        assert_eq!(accepts(Repeat::Once, true, 0), (Some(true), 1));
        assert_eq!(accepts(Repeat::Once, true, 5), (Some(false), 1));
        assert_eq!(accepts(Repeat::Once, false, 0), (Some(false), 0));
        assert_eq!(accepts(Repeat::Any(8), true, 9), (Some(true), 0));
        assert_eq!(accepts(Repeat::Any(8), false, 5), (Some(true), 6));
        assert_eq!(accepts(Repeat::Any(8), false, 9), (Some(false), 8));
        let confidence = Repeat::Confidence(Wald::new(1.0, 0.99, 100));
        assert_eq!(accepts(confidence, true, 0).0, Some(false));
    }

    #[test]
    fn an_empty_original_is_no_reason_to_wait() {
        let probe = probe_of(&|_: &[u8]| true, b"", runs(3, 2));
        assert_eq!((probe.runs, probe.queries), (3, 3));
    }

    #[test]
    fn what_has_its_own_job_does_not_wait_for_the_first_run() {
        let barrier = std::sync::Barrier::new(4);
        let oracle = |bytes: &[u8]| {
            // Were there fewer at a time, they would wait for ever.
            barrier.wait();
            !bytes.is_empty()
        };
        assert_eq!(probe_of(&oracle, b"a", runs(3, 4)).queries, 4);
    }

    /// The original takes a minute, the empty file needs half of that and is accepted.
    struct Slow;

    impl Oracle for Slow {
        fn test(&self, query: &Query<'_>, _: &mut dyn FnMut()) -> Result<Run, OracleError> {
            let seconds = if query.candidate.is_empty() { 30 } else { 60 };
            let time = Duration::from_secs(seconds);
            let outcome = match query.time_limit {
                Some(limit) if limit < time => Outcome::TimedOut,
                _ => Outcome::Interesting,
            };
            let work = Duration::ZERO;
            Ok(Run {
                outcome,
                time,
                work,
            })
        }
    }

    #[test]
    fn the_empty_file_gets_the_time_that_the_original_needs() {
        for jobs in [1, 4] {
            let probe = probe_of(&Slow, b"a", runs(3, jobs));
            assert_eq!(probe.accepts_empty, Some(true), "{jobs}");
        }
    }

    #[test]
    fn the_verification_counts_both_answers() {
        let calls = AtomicU32::new(0);
        let oracle = |_: &[u8]| calls.fetch_add(1, Ordering::Relaxed).is_multiple_of(2);
        let found = verify(&oracle, b"a", runs(5, 2)).unwrap();
        assert_eq!((found.runs, found.interesting), (5, 3));
    }

    #[test]
    fn several_runs_are_made_at_a_time() {
        let barrier = std::sync::Barrier::new(2);
        let oracle = |_: &[u8]| {
            // Were there only one at a time, it would wait for ever.
            barrier.wait();
            true
        };
        assert_eq!(verify(&oracle, b"a", runs(4, 2)).unwrap().interesting, 4);
    }
}
