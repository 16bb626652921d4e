//! By what it is seen that a file has changed.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

/// Which file it is, how long, and when it was written. Renaming it changes nothing of that.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    file: (u64, u64),
    length: u64,
    written: (i64, i64),
}

impl Stamp {
    pub(super) fn of(found: &Metadata) -> Self {
        Self {
            file: (found.dev(), found.ino()),
            length: found.len(),
            written: (found.mtime(), found.mtime_nsec()),
        }
    }
}
