//! Who runs the queries that work ahead: threads, or a cluster that is only reckoned.

use std::thread::Scope;
use std::time::{Duration, Instant};

use super::Settings;
use super::pool::{Closer, Ended, Pool, Queued};
use super::virtual_time::Simulation;
use crate::oracle::{Oracle, QueryId};

/// The workers of one search, and their clock.
pub(super) enum Workers<'a> {
    Threads { pool: Pool<'a>, started: Instant },
    Simulated(Box<Simulation<'a>>),
}

impl<'a> Workers<'a> {
    pub(super) fn new(oracle: &'a dyn Oracle, settings: &Settings) -> Self {
        match &settings.cluster {
            Some(cluster) => Self::Simulated(Box::new(Simulation::new(oracle, settings, cluster))),
            None => Self::Threads {
                pool: Pool::new(oracle, settings.repeat, settings.jobs),
                started: Instant::now(),
            },
        }
    }

    /// They end when the returned value is dropped, which cancels what they run.
    pub(super) fn start<'s>(&'s self, scope: &'s Scope<'s, '_>) -> Option<Closer<'s, 'a>> {
        match self {
            Self::Threads { pool, .. } => Some(pool.start(scope)),
            Self::Simulated(_) => None,
        }
    }

    /// The time since they began.
    pub(super) fn now(&self) -> Duration {
        match self {
            Self::Threads { started, .. } => started.elapsed(),
            Self::Simulated(simulation) => simulation.now(),
        }
    }

    /// See [`Pool::send`].
    pub(super) fn send(&self, query: Queued) {
        match self {
            Self::Threads { pool, .. } => pool.send(query),
            Self::Simulated(simulation) => simulation.send(query),
        }
    }

    /// See [`Pool::hurry`].
    pub(super) fn hurry(&self, id: QueryId) {
        match self {
            Self::Threads { pool, .. } => pool.hurry(id),
            Self::Simulated(simulation) => simulation.hurry(id),
        }
    }

    /// See [`Pool::cancel`].
    pub(super) fn cancel(&self, id: QueryId) -> bool {
        match self {
            Self::Threads { pool, .. } => pool.cancel(id),
            Self::Simulated(simulation) => simulation.cancel(id),
        }
    }

    /// See [`Pool::finished`].
    pub(super) fn finished(&self, patience: Duration) -> Vec<Ended> {
        match self {
            Self::Threads { pool, .. } => pool.finished(patience),
            Self::Simulated(simulation) => simulation.finished(patience),
        }
    }
}
