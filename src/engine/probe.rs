//! Checks around the search: is the original interesting, always, and is the result?

use std::time::Duration;

use crate::oracle::{Oracle, OracleError, Outcome, Query, Ticket};

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

    /// How often the original was interesting.
    pub fn rate(&self) -> f64 {
        f64::from(self.interesting) / f64::from(self.runs.max(1))
    }
}

/// Runs the original `runs` times, more if the answers differ, and the empty file once. `time_limit` is the user's, if any.
/// `None`: somebody interrupted it.
pub fn probe(
    oracle: &dyn Oracle,
    original: &[u8],
    runs: u32,
    time_limit: Option<Duration>,
) -> Result<Option<Probe>, OracleError> {
    let mut probe = Probe {
        runs: 0,
        interesting: 0,
        slowest: Duration::ZERO,
        most_work: Duration::ZERO,
        accepts_empty: false,
    };
    let mut wanted = runs.max(1);
    while probe.runs < wanted {
        let answer = oracle.test(&query(original, time_limit), &mut || ())?;
        if answer.outcome == Outcome::Cancelled {
            return Ok(None);
        }
        probe.runs += 1;
        probe.interesting += u32::from(answer.outcome == Outcome::Interesting);
        probe.slowest = probe.slowest.max(answer.time);
        probe.most_work = probe.most_work.max(answer.work);
        // The rate is worth knowing better once it is neither 0 nor 1.
        if probe.is_flaky() {
            wanted = wanted.max(FLAKY_RUNS);
        }
    }
    let limit = time_limit.or(Some((probe.slowest * 10).max(EMPTY_FLOOR)));
    let empty = oracle.test(&query(b"", limit), &mut || ())?;
    probe.accepts_empty = empty.outcome == Outcome::Interesting;
    Ok((empty.outcome != Outcome::Cancelled).then_some(probe))
}

/// Runs the result `runs` times.
pub fn verify(
    oracle: &dyn Oracle,
    best: &[u8],
    runs: u32,
    time_limit: Option<Duration>,
) -> Result<Verification, OracleError> {
    let mut verification = Verification {
        runs: 0,
        interesting: 0,
    };
    for _ in 0..runs {
        let answer = oracle.test(&query(best, time_limit), &mut || ())?;
        verification.runs += 1;
        verification.interesting += u32::from(answer.outcome == Outcome::Interesting);
    }
    Ok(verification)
}

const FLAKY_RUNS: u32 = 20;
const EMPTY_FLOOR: Duration = Duration::from_secs(5);

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

    #[test]
    fn a_steady_oracle_is_asked_as_often_as_wanted() {
        let oracle = |bytes: &[u8]| !bytes.is_empty();
        let probe = probe(&oracle, b"a", 2, None).unwrap().unwrap();
        assert_eq!(
            (probe.runs, probe.interesting, probe.accepts_empty),
            (2, 2, false)
        );
        assert!(!probe.is_flaky());
        assert_eq!(probe.queries(), 3);
    }

    #[test]
    fn a_flaky_oracle_is_measured_more_closely() {
        let calls = AtomicU32::new(0);
        let oracle = |_: &[u8]| !calls.fetch_add(1, Ordering::Relaxed).is_multiple_of(4);
        let probe = probe(&oracle, b"a", 3, None).unwrap().unwrap();
        assert!(probe.is_flaky());
        assert_eq!((probe.runs, probe.interesting), (20, 15));
    }

    #[test]
    fn the_verification_counts_both_answers() {
        let calls = AtomicU32::new(0);
        let oracle = |_: &[u8]| calls.fetch_add(1, Ordering::Relaxed).is_multiple_of(2);
        let found = verify(&oracle, b"a", 5, None).unwrap();
        assert_eq!((found.runs, found.interesting), (5, 3));
    }
}
