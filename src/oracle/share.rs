//! Places that several runs of paredown share, so that together they run no more checks at a time than one would.
//!
//! Each place is a file in one folder, locked by whoever uses it. A lock goes with its process, so none is lost when a run is
//! killed. Who finds none free looks again soon; all do that equally often, so that each run gets about the same.
//!
//! Test: `all_bugs_share_one_pool_of_jobs` in `tests/it/batch.rs`.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use super::removal::make_folder;

/// How long before one looks again.
pub(super) const LOOK: Duration = Duration::from_millis(10);

/// The places in one folder.
#[derive(Debug)]
pub(super) struct Share(Vec<PathBuf>);

impl Share {
    /// Those that [`make_places`] has made.
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        let entries = fs::read_dir(folder)?;
        let files = entries.map(|entry| entry.map(|entry| entry.path()));
        files.collect::<Result<_, _>>().map(Self)
    }

    /// A place that is free, as long as the file is open. `seed` spreads those who look.
    pub(super) fn take(&self, seed: usize) -> Option<File> {
        let count = self.0.len().max(1);
        let mut files = (0..self.0.len()).map(|at| &self.0[(at + seed) % count]);
        files.find_map(|path| {
            let file = OpenOptions::new().write(true).open(path).ok()?;
            let locked = flock(&file, FlockOperation::NonBlockingLockExclusive);
            locked.is_ok().then_some(file)
        })
    }
}

/// The folder, which is held as long as the file is open; `None`: somebody else holds it. Where folders cannot be locked, nobody
/// is kept out.
///
/// # Errors
/// It cannot be opened.
pub fn hold(folder: &Path) -> io::Result<Option<File>> {
    /// A child that is just being started has copies of our open files for a moment, also of those of a run that has ended.
    const ATTEMPTS: u32 = 25;
    let file = File::open(folder)?;
    for _ in 0..ATTEMPTS {
        if flock(&file, FlockOperation::NonBlockingLockExclusive) != Err(Errno::WOULDBLOCK) {
            return Ok(Some(file));
        }
        std::thread::park_timeout(LOOK);
    }
    Ok(None)
}

/// Makes a folder with so many places. It is for its owner alone: who else could take places could hold them all.
///
/// # Errors
/// They cannot be made.
pub fn make_places(folder: &Path, count: usize) -> io::Result<()> {
    make_folder(folder)?;
    (0..count).try_for_each(|number| File::create(folder.join(number.to_string())).map(drop))
}
