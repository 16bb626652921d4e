//! What any Unix can do.

use std::fs;
use std::io;
use std::ops::RangeInclusive;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::process::{Pid, Resource, Rlimit, Signal};

use super::Seen;

/// There are none that others do not have.
pub(crate) const SIGNALS: &[(&str, Signal)] = &[];

/// Their numbers differ from system to system; plain numbers can be given.
pub(crate) const REAL_TIME_SIGNALS: Option<RangeInclusive<i32>> = None;

/// There are no handles of processes.
pub(crate) enum Handle {}

impl Handle {
    pub(crate) fn of(_process: Pid) -> Option<Self> {
        None
    }

    pub(crate) fn wait(&self) {
        match *self {}
    }

    pub(crate) fn kill(&self) -> bool {
        match *self {}
    }

    pub(crate) fn reap(&self) {
        match *self {}
    }
}

/// What loses its parent becomes the first process's child.
pub(crate) fn become_subreaper() {}

/// Nobody can limit a process that runs already.
pub(crate) fn has_limits() -> bool {
    false
}

pub(crate) fn limit(_process: Pid, _resource: Resource, _limit: Rlimit) {}

/// What is mounted somewhere is on another device than the folder above it.
pub(crate) fn look_at(path: &Path) -> io::Result<Seen> {
    let found = fs::symlink_metadata(path)?;
    let above = path.parent().map(fs::metadata).transpose()?;
    Ok(Seen {
        is_folder: found.is_dir(),
        mode: found.mode(),
        is_mounted: above.is_some_and(|above| above.dev() != found.dev()),
    })
}

/// Nobody tells.
pub(crate) fn end_with_parent() {}

/// It takes more than one step.
pub(crate) fn exchange(_one: &Path, _other: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// There is none that all systems have.
pub(crate) fn memory_folder() -> Option<PathBuf> {
    None
}

/// Notices nothing.
pub(crate) struct Watch;

impl Watch {
    pub(crate) fn on<'p>(_paths: impl Iterator<Item = &'p Path>) -> Self {
        Self
    }

    #[expect(clippy::unused_self, reason = "where it can be noticed it is needed")]
    pub(crate) fn was_opened(&self) -> bool {
        false
    }
}
