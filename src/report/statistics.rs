//! What a run cost and what it brought, in total and for each pass.

use std::time::Duration;

use serde::{Serialize, Serializer};

/// Counts of one run. All but `discarded` and the times are the same for every number of jobs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Statistics {
    /// Oracle runs whose answer the search used. A repeated run of a flaky oracle counts each time.
    pub queries: u64,
    /// Questions that were answered by the cache or by being the best so far.
    pub cache_hits: u64,
    /// Questions that an earlier run's journal answered.
    pub replayed: u64,
    /// Queries that were killed at the time limit.
    pub timed_out: u64,
    /// Candidates shorter than the result that timed out and were not answered later.
    pub given_up: u64,
    /// Those of them that were tried again with more time.
    #[serde(skip)]
    pub given_up_twice: u64,
    /// The wall time that a query gets at the end; zero for none.
    #[serde(skip)]
    pub time_limit: Duration,
    /// The processor time that it gets, if that is limited.
    #[serde(skip)]
    pub work_limit: Option<Duration>,
    /// Oracle runs that were started ahead and that nobody needed in the end.
    pub discarded: u64,
    /// Runs that checked the original, measured flakiness or verified the result.
    pub verification_queries: u64,
    /// The most entries that the cache had.
    pub cache_peak_entries: usize,
    /// The most bytes that the cache needed.
    pub cache_peak_bytes: usize,
    /// Wall time of the oracle runs that count as queries; with several jobs more than the wall time of the run.
    #[serde(rename = "oracle_seconds", serialize_with = "in_seconds")]
    pub oracle_time: Duration,
    /// For each pass, in the order of their first questions.
    pub passes: Vec<PassStatistics>,
}

/// What one pass cost and brought.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PassStatistics {
    /// Its name.
    pub name: &'static str,
    /// Questions it asked, however they were answered.
    pub questions: u64,
    /// Those that needed oracle runs: how many runs.
    pub queries: u64,
    /// Interesting answers.
    pub successes: u64,
    /// Bytes by which the best became smaller.
    pub bytes_removed: u64,
    /// Wall time of its oracle runs.
    #[serde(rename = "oracle_seconds", serialize_with = "in_seconds")]
    pub oracle_time: Duration,
}

impl Statistics {
    /// The line of this pass, made if it is new. Passes are few, so a search is cheaper than a map.
    pub(crate) fn pass(&mut self, name: &'static str) -> &mut PassStatistics {
        let found = self.passes.iter().position(|pass| pass.name == name);
        let at = found.unwrap_or_else(|| {
            self.passes.push(PassStatistics {
                name,
                ..PassStatistics::default()
            });
            self.passes.len() - 1
        });
        &mut self.passes[at]
    }
}

fn in_seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}
