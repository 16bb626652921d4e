//! The file that is run for each query. A check may take its own permissions away, which must not end the reduction.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::Check;

/// The check's own file, as it was at the start.
#[derive(Debug)]
pub(super) struct Program(Option<(PathBuf, u32)>);

impl Program {
    /// Nothing for a command that is looked for in `PATH`: it belongs to the system.
    pub(super) fn of(check: &Check) -> Self {
        let path = match check {
            Check::Script { program } => Some(program.clone()),
            Check::Command { words, .. } => words.first().map(PathBuf::from),
        };
        let path = path.filter(|path| path.is_absolute());
        // Where links lead to at the start, not where they lead to when the check has changed them.
        let path = path.and_then(|path| fs::canonicalize(path).ok());
        Self(path.and_then(|path| mode_of(&path).map(|mode| (path, mode))))
    }

    /// Gives it back the permissions that it had. Says whether it has them now. A link in its place is left alone.
    pub(super) fn mend(&self) -> bool {
        self.0.as_ref().is_some_and(|(path, mode)| {
            mode_of(path).is_some_and(|now| {
                now == *mode || fs::set_permissions(path, Permissions::from_mode(*mode)).is_ok()
            })
        })
    }

    /// Starts it with `start`, again when it was refused for permissions that it had before: several queries at a time may
    /// take them away from each other.
    pub(super) fn start<T>(&self, mut start: impl FnMut() -> io::Result<T>) -> io::Result<T> {
        const ATTEMPTS: u32 = 20;
        for _ in 1..ATTEMPTS {
            match start() {
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied && self.mend() => {}
                done => return done,
            }
        }
        start()
    }
}

fn mode_of(path: &Path) -> Option<u32> {
    let found = fs::symlink_metadata(path).ok()?;
    found.is_file().then(|| found.permissions().mode() & 0o7777)
}
