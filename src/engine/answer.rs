//! The answer about one candidate, and where it came from: from one run of the oracle, from several when the oracle is flaky,
//! or without one.

use std::time::Duration;

use crate::oracle::{Oracle, OracleError, Outcome, Query};
use crate::report::Source;
use crate::search::Verdict;

/// How often a candidate is run before it is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Repeat {
    /// One run.
    Once,
    /// Interesting as soon as one of at most so many runs is (the property shows only sometimes).
    Any(u32),
    /// A sequential test; see [`Wald`].
    Confidence(Wald),
}

/// Wald's sequential probability ratio test: does the candidate show the property about as often as the original does, or
/// at most a quarter as often? It stops as soon as the runs say which with the wanted confidence, so a clear case costs
/// one or two runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wald {
    /// Added for an interesting run.
    gain: f64,
    /// Added (it is negative) for an uninteresting one.
    loss: f64,
    bound: f64,
    most_runs: u32,
}

impl Wald {
    /// `original` is how often the original was interesting, between 0 and 1; `confidence` the probability of a right
    /// answer, in (0.5, 1); `most_runs` ends a test that stays undecided, in favour of what is more likely then.
    pub fn new(original: f64, confidence: f64, most_runs: u32) -> Self {
        // A rate of 0 or 1 would make one run a proof.
        let usual = original.clamp(0.02, 0.98);
        let rare = usual / 4.0;
        let confidence = confidence.clamp(0.5 + f64::EPSILON, 1.0 - 1e-9);
        Self {
            gain: (usual / rare).ln(),
            loss: ((1.0 - usual) / (1.0 - rare)).ln(),
            bound: (confidence / (1.0 - confidence)).ln(),
            most_runs: most_runs.max(1),
        }
    }

    /// The verdict after so many runs, of which so many were interesting; `None`: run again.
    pub fn decide(&self, runs: u32, interesting: u32) -> Option<Verdict> {
        let evidence =
            f64::from(interesting) * self.gain + f64::from(runs - interesting) * self.loss;
        let decided = evidence.abs() >= self.bound || runs >= self.most_runs;
        decided.then(|| Verdict::of(evidence > 0.0))
    }
}

impl Repeat {
    fn decide(&self, runs: u32, interesting: u32) -> Option<Verdict> {
        match self {
            Self::Once => Some(Verdict::of(interesting > 0)),
            Self::Any(_) if interesting > 0 => Some(Verdict::Interesting),
            Self::Any(most) => (runs >= *most).then_some(Verdict::Uninteresting),
            Self::Confidence(test) => test.decide(runs, interesting),
        }
    }
}

/// What is known about one candidate, whence, and what that cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub(super) outcome: Outcome,
    pub(super) source: Source,
    /// 0, and no time, if the oracle was not needed.
    pub(super) runs: u32,
    /// Of all runs together.
    pub(super) time: Duration,
    /// Of the slowest run that ended by itself.
    pub(super) slowest: Duration,
    /// The processor time of the run that used most of it.
    pub(super) work: Duration,
    /// What it was allowed, by the measure of [`super::time_limit::TimeKeeper::measure`].
    pub(super) limit: Option<Duration>,
}

impl Answer {
    /// What is known without the oracle.
    pub(super) fn known(outcome: Outcome, source: Source) -> Self {
        Self {
            outcome,
            source,
            runs: 0,
            time: Duration::ZERO,
            slowest: Duration::ZERO,
            work: Duration::ZERO,
            limit: None,
        }
    }

    /// What the search is told: whatever is not known to be interesting is not.
    pub(super) fn verdict(&self) -> Verdict {
        Verdict::of(self.outcome.is_interesting())
    }

    /// Whether it ran out of its time: nothing is known then.
    pub(super) fn timed_out(&self) -> bool {
        self.outcome == Outcome::TimedOut
    }
}

/// Runs the oracle until there is a verdict. `beside` is called when each run has started. A run
/// that times out or is cancelled decides.
pub(super) fn try_candidate(
    oracle: &dyn Oracle,
    query: &Query<'_>,
    repeat: Repeat,
    beside: &mut dyn FnMut(),
) -> Result<Answer, OracleError> {
    let (mut runs, mut interesting, mut marked) = (0, 0, false);
    let [mut time, mut slowest, mut work] = [Duration::ZERO; 3];
    loop {
        let run = oracle.test(query, beside)?;
        runs += 1;
        time += run.time;
        let ended = match run.outcome {
            cut_short @ (Outcome::TimedOut | Outcome::Cancelled) => Some(cut_short),
            own_end => {
                slowest = slowest.max(run.time);
                work = work.max(run.work);
                interesting += u32::from(own_end.is_interesting());
                marked |= own_end == Outcome::AlsoInteresting;
                let verdict = repeat.decide(runs, interesting);
                verdict.map(|verdict| outcome(verdict, marked))
            }
        };
        if let Some(outcome) = ended {
            let source = match outcome {
                Outcome::TimedOut => Source::TimedOut,
                _ => Source::Query,
            };
            return Ok(Answer {
                outcome,
                source,
                runs,
                time,
                slowest,
                work,
                limit: query.work_limit.or(query.time_limit),
            });
        }
    }
}

/// What the runs say together. `marked` is whether one of them was not interesting but worth keeping.
fn outcome(verdict: Verdict, marked: bool) -> Outcome {
    match verdict {
        Verdict::Interesting => Outcome::Interesting,
        Verdict::Uninteresting if marked => Outcome::AlsoInteresting,
        Verdict::Uninteresting => Outcome::Uninteresting,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs_until_decided(test: Wald, interesting: bool) -> (u32, Verdict) {
        let mut runs = 0;
        loop {
            runs += 1;
            if let Some(verdict) = test.decide(runs, if interesting { runs } else { 0 }) {
                return (runs, verdict);
            }
        }
    }

    #[test]
    fn a_clear_case_needs_few_runs() {
        let test = Wald::new(0.5, 0.95, 100);
        assert_eq!(runs_until_decided(test, true), (3, Verdict::Interesting));
        assert_eq!(runs_until_decided(test, false), (6, Verdict::Uninteresting));
    }

    #[test]
    fn more_confidence_needs_more_runs() {
        let runs = |confidence| runs_until_decided(Wald::new(0.5, confidence, 100), false).0;
        assert!(runs(0.9) < runs(0.99) && runs(0.99) < runs(0.999));
    }

    #[test]
    fn an_undecided_test_ends() {
        let test = Wald::new(0.5, 0.999_999, 7);
        assert_eq!(runs_until_decided(test, false), (7, Verdict::Uninteresting));
        assert_eq!(test.decide(6, 2), None);
    }
}
