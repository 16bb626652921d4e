//! What can happen during a run: one closed set, so that every reporter says what it does with each.

use std::sync::Arc;

use serde::Serialize;

/// Something that happened. Serialised as one JSON object with a tag `event`.
///
/// The engine's events come in the order in which questions are consumed, so they are the same for every number of jobs,
/// except for times.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// A question was answered.
    Answered {
        /// The pass that asked.
        pass: &'static str,
        /// The candidate's length.
        bytes: usize,
        /// Whether it is interesting.
        interesting: bool,
        /// Where the answer came from.
        source: Source,
        /// Queries of the search so far, this one included.
        queries: u64,
        /// Wall time of the oracle for this question.
        oracle_seconds: f64,
        /// The candidate, if it was asked for.
        #[serde(skip)]
        text: Option<Arc<[u8]>>,
    },
    /// A candidate became the best so far; the result file has it.
    Improved {
        /// The pass that found it.
        pass: &'static str,
        /// Its length.
        bytes: usize,
        /// Queries of the search so far.
        queries: u64,
        /// Wall time since the beginning.
        seconds: f64,
        /// The candidate.
        #[serde(skip)]
        text: Arc<[u8]>,
    },
    /// An uninteresting candidate that the check marked as worth keeping was saved.
    AlsoInteresting {
        /// Where it is.
        path: std::path::PathBuf,
    },
    /// The limit for one query changed.
    TimeLimit {
        /// The new limit.
        seconds: f64,
    },
    /// Questions that timed out are asked again with more time.
    Retrying {
        /// How many.
        timed_out: u64,
        /// The new limit.
        seconds: f64,
    },
    /// An earlier run's answers are being used.
    Resumed {
        /// How many answers there are.
        answers: u64,
    },
    /// The search was stopped before its end.
    Stopped {
        /// Why.
        reason: Stop,
    },
    /// Something the user should know.
    Warning {
        /// One sentence.
        text: String,
    },
}

/// Where an answer came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The oracle was run.
    Query,
    /// The oracle was run and killed at the time limit.
    TimedOut,
    /// The same bytes were uninteresting before.
    Cache,
    /// The same bytes are the best so far.
    Best,
    /// An earlier run of the same command was told so (`--state`).
    Journal,
}

/// Why a search was stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// A signal came.
    Interrupted,
    /// `--max-time` is over.
    MaxTime,
    /// `--max-queries` were asked.
    MaxQueries,
    /// The best is as small as `--target-bytes` asks.
    TargetBytes,
    /// A pass is to be left out from now on. The search goes on without it, so nobody is told.
    Skipped,
}
