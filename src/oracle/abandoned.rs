//! The folders of runs that were killed together with their guard.
//!
//! `killall -9 paredown` and a kernel short of memory leave nobody who could clean up: what is in memory-backed storage would stay
//! there until the machine is started again. A run holds a lock on its folder, which the kernel lets go however the run ends, so
//! the next run sees which folders nobody has any more. It ends what those runs' checks left running, and takes the folders away.
//!
//! Only in memory, which no other machine can share: on storage in a network a lock may be known to one machine alone.
//!
//! Test: `what_was_killed_with_its_guard_is_cleaned_up_by_the_next_run` in `tests/it/kills.rs`.

use std::fs::{self, DirEntry};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
use rustix::process::{Signal, geteuid, kill_process};

use super::guard::processes;
use super::mark::Mark;
use super::removal::remove_run_folder;
use crate::platform::memory_folder;

/// What the names of all run folders begin with.
pub(super) const PREFIX: &str = "paredown-";
/// A younger folder may have been made and not been locked yet.
const YOUNGEST: Duration = Duration::from_secs(60);

/// Says for as long as the value lives that somebody works in this folder; nothing where the file system has no locks.
pub(super) fn occupy(folder: &Path) -> Option<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY;
    let folder = open(folder, flags, Mode::empty()).ok()?;
    flock(&folder, FlockOperation::NonBlockingLockExclusive).ok()?;
    Some(folder)
}

/// Cleans up after the runs of this user that have left a folder in memory. Cost: one listing of that, mostly.
pub(super) fn clean_up() {
    let Some(memory) = memory_folder() else {
        return;
    };
    let entries = fs::read_dir(memory).into_iter().flatten().flatten();
    for entry in entries.filter(may_be_abandoned) {
        let folder = entry.path();
        if let Some(_lock) = occupy(&folder) {
            end_all_of(&folder);
            remove_run_folder(&folder);
        }
    }
}

fn may_be_abandoned(entry: &DirEntry) -> bool {
    let is_run = entry
        .file_name()
        .as_encoded_bytes()
        .starts_with(PREFIX.as_bytes());
    let is_old =
        |modified: std::time::SystemTime| modified.elapsed().is_ok_and(|age| age > YOUNGEST);
    is_run
        && entry.metadata().is_ok_and(|found| {
            found.is_dir()
                && found.uid() == geteuid().as_raw()
                && found.modified().is_ok_and(is_old)
        })
}

fn end_all_of(folder: &Path) {
    let mark = Mark::of(folder.to_owned());
    for process in processes().filter(|&process| mark.is_on(process) == Some(true)) {
        let _ = kill_process(process, Signal::KILL);
    }
}
