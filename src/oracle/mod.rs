//! One run of the user's check on one candidate. The only room that starts programs.
//!
//! [`Oracle`] is a trait because a test plays it with a closure; the real one is [`ProcessOracle`]. A query occupies a *slot*
//! (a number below the number of jobs): each slot has its own folder, so that queries of different slots cannot meet.

mod abandoned;
mod check;
mod crash;
mod guard;
mod inspection;
mod launch;
mod layout;
mod load;
mod mark;
mod nested;
mod observation;
mod process;
mod removal;
mod run;
mod script;
mod share;
mod signals;
mod slot;
mod strays;
mod transform;
mod watchdog;
mod workplace;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub use check::{Check, CheckError, Conditions, Differs, ExitSet, fill_in};
pub use crash::Crash;
pub use guard::serve_as_guard;
pub use launch::{Launcher, Lost, READY_MADE};
pub use layout::{Changing, Layout};
pub use nested::Nested;
pub use process::{Limits, jobs_that_fit};
pub use removal::Left;
pub use script::{Examination, ProcessOptions, ProcessOracle};
pub use share::{hold, make_places};
pub use signals::{parse_signal, signal_names};
pub use transform::Unmade;

/// What is asked of an oracle.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The place where it runs, below the number of jobs. At most one query at a time runs in a slot.
    pub slot: usize,
    /// Names this query for [`Oracle::cancel`].
    pub id: QueryId,
    /// The candidate's bytes.
    pub candidate: &'a [u8],
    /// How long it may run.
    pub time_limit: Option<Duration>,
    /// How much processor time all its processes together may use. With such a limit a query that is ready to run but does
    /// not get the processors may go on past its time limit.
    pub work_limit: Option<Duration>,
    /// When the whole reduction must stop: a query that is still running then is cancelled, not timed out.
    pub stop_at: Option<Instant>,
}

/// Names one query for as long as the process lives. A kill that comes late finds no other query of that name, also when
/// several reductions use the same oracle one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct QueryId(u64);

impl QueryId {
    /// One that was never given out before.
    pub fn fresh() -> Self {
        static GIVEN_OUT: AtomicU64 = AtomicU64::new(0);
        Self(GIVEN_OUT.fetch_add(1, Ordering::Relaxed))
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The candidate has the property.
    Interesting,
    /// It does not.
    Uninteresting,
    /// It does not, but the check marked it as worth keeping (`--also-interesting`).
    AlsoInteresting,
    /// It was killed at the time limit: nothing is known.
    TimedOut,
    /// It was killed because nobody wants the answer any more.
    Cancelled,
}

impl Outcome {
    /// Whether this is [`Outcome::Interesting`].
    pub fn is_interesting(self) -> bool {
        self == Self::Interesting
    }
}

/// One run of the check, as a [`Query`] asked for it: how it ended and what it cost.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// Wall time of the run, from the start of the process to its end.
    pub time: Duration,
    /// Processor time of its processes.
    pub work: Duration,
}

impl Run {
    /// One that ended in this way and took no time: nothing was started, or it is only reckoned with.
    pub fn in_no_time(outcome: Outcome) -> Self {
        Self {
            outcome,
            time: Duration::ZERO,
            work: Duration::ZERO,
        }
    }
}

/// Decides whether candidates are interesting.
pub trait Oracle: Sync {
    /// Tests one candidate and blocks until it is known. While the main thread runs a query, no other thread may: the
    /// system hands the main thread the processes that a check leaves behind. `started` is called once, as early as the caller's own
    /// work can be done beside the oracle's. Fails only when the check cannot be run at all.
    fn test(&self, query: &Query<'_>, started: &mut dyn FnMut()) -> Result<Run, OracleError>;

    /// Ends the query with this id, if it is running or about to run in this slot; its `test` then answers
    /// [`Outcome::Cancelled`]. May be called from any thread, and does nothing for a query that has ended.
    fn cancel(&self, _slot: usize, _id: QueryId) {}
}

/// A closure is an oracle: `true` is interesting.
impl<F: Fn(&[u8]) -> bool + Sync> Oracle for F {
    fn test(&self, query: &Query<'_>, started: &mut dyn FnMut()) -> Result<Run, OracleError> {
        started();
        let outcome = if self(query.candidate) {
            Outcome::Interesting
        } else {
            Outcome::Uninteresting
        };
        Ok(Run::in_no_time(outcome))
    }
}

/// Jobs of a launcher end without a verdict.
#[derive(Debug, thiserror::Error)]
#[error("the launcher `{launcher}` gave no verdict in {attempts} attempts; it said: {said}")]
pub struct NoVerdict {
    /// As it was given.
    pub launcher: String,
    /// How often it was tried for one candidate.
    pub attempts: u32,
    /// Its last words.
    pub said: String,
    /// Whether it gave a verdict about another candidate.
    pub has_worked: bool,
}

/// Why the check could not be run.
#[derive(Debug, thiserror::Error)]
pub enum OracleError {
    /// The program does not start.
    #[error("cannot start `{program}`: {source}")]
    Start {
        /// What was to be started.
        program: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The folder in which it runs cannot be made or cleaned.
    #[error("cannot prepare the folder `{folder}` for the check: {source}")]
    Folder {
        /// The folder.
        folder: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// Nothing can be made in the folder for temporary files.
    #[error("cannot make a folder in `{folder}`: {source}")]
    Temporary {
        /// The folder for temporary files.
        folder: std::path::PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A launcher gave no verdict, again and again.
    #[error(transparent)]
    Launcher(NoVerdict),
    /// The system refused something else.
    #[error("cannot {action}: {source}")]
    System {
        /// What was tried.
        action: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
}

#[cfg(test)]
mod tests;
