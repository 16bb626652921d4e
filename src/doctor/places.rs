//! What a check leaves or changes outside its own folders.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::trials::Trials;

/// Entries of one folder that are looked at.
const MOST_ENTRIES: usize = 20_000;

/// The files where a check may leave something, with the times of their last change and their sizes.
pub(super) struct Snapshot(BTreeMap<PathBuf, (SystemTime, u64)>);

impl Snapshot {
    /// The entries of the user's folders, and what the check's text names.
    pub(super) fn take(trials: &Trials<'_>) -> Self {
        let mut files = BTreeMap::new();
        for folder in trials.folders() {
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
            for entry in entries.take(MOST_ENTRIES) {
                note(&mut files, entry.path());
            }
        }
        let named = trials.reading.absolute.iter();
        for path in named.filter(|path| !is_of_the_system(path)) {
            note(&mut files, path.clone());
            // A name may be made longer by the check: `/tmp/out.$$`.
            let entries = path.parent().map(fs::read_dir);
            let entries = entries.into_iter().flatten().flatten().flatten();
            let start = path.as_os_str().to_string_lossy().into_owned();
            for entry in entries.take(MOST_ENTRIES) {
                if entry.path().to_string_lossy().starts_with(&start) {
                    note(&mut files, entry.path());
                }
            }
        }
        Self(files)
    }

    /// The files that are new or another since `before`.
    pub(super) fn changes_since(&self, before: &Self) -> Vec<PathBuf> {
        let changed = self.0.iter();
        let changed = changed.filter(|(path, state)| before.0.get(*path) != Some(state));
        changed.map(|(path, _)| path.clone()).collect()
    }
}

fn note(files: &mut BTreeMap<PathBuf, (SystemTime, u64)>, path: PathBuf) {
    let Ok(found) = fs::symlink_metadata(&path) else {
        return;
    };
    if found.is_dir() && !path.starts_with("/tmp") {
        // Only that it is there counts: others may work in it.
        files.insert(path, (SystemTime::UNIX_EPOCH, 0));
        return;
    }
    let time = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    files.insert(path, (time, found.len()));
}

/// Whether nobody but the administrator writes there, or nobody keeps what is written.
fn is_of_the_system(path: &Path) -> bool {
    const SYSTEM: [&str; 9] = [
        "/dev", "/proc", "/sys", "/usr", "/bin", "/sbin", "/lib", "/etc", "/opt",
    ];
    path.parent().is_none() || SYSTEM.iter().any(|folder| path.starts_with(folder))
}
