//! Checks around the search: is the original interesting, always, and is the result?

use std::panic::resume_unwind;
use std::thread::ScopedJoinHandle;
use std::time::Duration;

use crate::oracle::{Answer, Oracle, OracleError, Outcome, Query, Ticket};

/// What the first runs showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Runs of the original.
    pub runs: u32,
    /// Those that were interesting.
    pub interesting: u32,
    /// Wall time of the slowest of them.
    pub slowest: Duration,
    /// The most processor time that one of them used.
    pub most_work: Duration,
    /// Whether the empty file is interesting too: then there is nothing to reduce to.
    pub accepts_empty: bool,
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

    /// All runs, the one of the empty file included.
    pub fn queries(&self) -> u64 {
        u64::from(self.runs) + 1
    }

    fn count(&mut self, answer: &Answer) {
        self.runs += 1;
        self.interesting += u32::from(answer.outcome == Outcome::Interesting);
        self.slowest = self.slowest.max(answer.time);
        self.most_work = self.most_work.max(answer.work);
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
    /// So many at a time.
    pub jobs: usize,
    /// The user's time limit, if there is one.
    pub time_limit: Option<Duration>,
}

/// Runs the original as often as wanted, more often if the answers differ, and the empty file once. `first` is how long the
/// first run of the original took. `None`: somebody interrupted it.
pub fn probe(
    oracle: &dyn Oracle,
    original: &[u8],
    runs: Runs,
    first: Duration,
) -> Result<Option<Probe>, OracleError> {
    let mut probe = Probe {
        runs: 0,
        interesting: 0,
        slowest: Duration::ZERO,
        most_work: Duration::ZERO,
        accepts_empty: false,
    };
    let usual = query(original, runs.time_limit);
    let limit_for_empty = runs.time_limit.or(Some((first * 10).max(EMPTY_FLOOR)));
    let mut queries = vec![usual; runs.count.max(1) as usize];
    queries.push(query(b"", limit_for_empty));
    while !queries.is_empty() {
        for (query, answer) in queries.iter().zip(test_all(oracle, &queries, runs.jobs)?) {
            match answer.outcome {
                Outcome::Cancelled => return Ok(None),
                outcome if query.candidate.is_empty() && !original.is_empty() => {
                    probe.accepts_empty = outcome == Outcome::Interesting;
                }
                _ => probe.count(&answer),
            }
        }
        // The rate is worth knowing better once it is neither 0 nor 1.
        let wanted = if probe.is_flaky() { FLAKY_RUNS } else { 0 };
        queries = vec![usual; wanted.saturating_sub(probe.runs) as usize];
    }
    Ok(Some(probe))
}

/// Runs the result as often as wanted.
pub fn verify(oracle: &dyn Oracle, best: &[u8], runs: Runs) -> Result<Verification, OracleError> {
    let mut verification = Verification {
        runs: 0,
        interesting: 0,
    };
    let queries = vec![query(best, runs.time_limit); runs.count as usize];
    for answer in test_all(oracle, &queries, runs.jobs)? {
        verification.runs += 1;
        verification.interesting += u32::from(answer.outcome == Outcome::Interesting);
    }
    Ok(verification)
}

const FLAKY_RUNS: u32 = 20;
const EMPTY_FLOOR: Duration = Duration::from_secs(5);

/// The answers in the order of the queries. They do not depend on each other, so they are tested `jobs` at a time.
fn test_all(
    oracle: &dyn Oracle,
    queries: &[Query<'_>],
    jobs: usize,
) -> Result<Vec<Answer>, OracleError> {
    let test = |(slot, query): (usize, &Query<'_>)| {
        let ticket = Ticket::fresh();
        let query = Query {
            slot,
            ticket,
            ..*query
        };
        oracle.test(&query, &mut || ())
    };
    if jobs <= 1 {
        return queries.iter().map(|query| test((0, query))).collect();
    }
    let mut answers = Vec::new();
    for some in queries.chunks(jobs) {
        // None runs on this thread: strays are found among the main thread's children, and what others run must not be there.
        let found: Result<Vec<Answer>, OracleError> = std::thread::scope(|scope| {
            let threads = some.iter().enumerate();
            let threads: Vec<_> = threads.map(|one| scope.spawn(move || test(one))).collect();
            let ends = threads.into_iter().map(ScopedJoinHandle::join);
            let ends = ends.map(|end| end.unwrap_or_else(|panic| resume_unwind(panic)));
            ends.collect()
        });
        answers.extend(found?);
    }
    Ok(answers)
}

fn query(candidate: &[u8], time_limit: Option<Duration>) -> Query<'_> {
    Query {
        slot: 0,
        ticket: Ticket::fresh(),
        candidate,
        time_limit,
        work_limit: None,
        stop_at: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    fn runs(count: u32, jobs: usize) -> Runs {
        Runs {
            count,
            jobs,
            time_limit: None,
        }
    }

    #[test]
    fn a_steady_oracle_is_asked_as_often_as_wanted() {
        let oracle = |bytes: &[u8]| !bytes.is_empty();
        for jobs in [0, 1, 2, 8] {
            let probe = probe(&oracle, b"a", runs(2, jobs), Duration::ZERO);
            let probe = probe.unwrap().unwrap();
            assert_eq!(
                (probe.runs, probe.interesting, probe.accepts_empty),
                (2, 2, false)
            );
            assert!(!probe.is_flaky());
            assert_eq!(probe.queries(), 3);
        }
    }

    #[test]
    fn a_flaky_oracle_is_measured_more_closely() {
        let calls = AtomicU32::new(0);
        let oracle = |bytes: &[u8]| {
            !bytes.is_empty() && !calls.fetch_add(1, Ordering::Relaxed).is_multiple_of(4)
        };
        for jobs in [1, 3] {
            let probe = probe(&oracle, b"a", runs(3, jobs), Duration::ZERO);
            let probe = probe.unwrap().unwrap();
            assert!(probe.is_flaky());
            assert_eq!((probe.runs, probe.interesting), (20, 15));
        }
    }

    #[test]
    fn an_empty_original_is_no_reason_to_wait() {
        let probe = probe(&|_: &[u8]| true, b"", runs(2, 2), Duration::ZERO);
        assert_eq!(probe.unwrap().unwrap().runs, 3);
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
