//! The file that is run for each query. A check may take its own permissions away, which must not end the reduction.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{PoisonError, RwLock};

use super::Check;

/// The check's own file, as it was at the start.
#[derive(Debug)]
pub(super) struct Program {
    file: Option<(PathBuf, u32)>,
    /// How often it was seen without the permissions that it had.
    changes: AtomicU32,
    /// Runs share it. Who must not be disturbed by others has it alone.
    runs: RwLock<()>,
}

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
        Self {
            file: path.and_then(|path| mode_of(&path).map(|mode| (path, mode))),
            changes: AtomicU32::new(0),
            runs: RwLock::new(()),
        }
    }

    /// Gives it back the permissions that it had. Says whether it has them now. A link in its place is left alone.
    pub(super) fn mend(&self) -> bool {
        let Some((path, mode)) = &self.file else {
            return false;
        };
        let now = mode_of(path);
        if now.is_none_or(|now| now == *mode) {
            return now.is_some();
        }
        self.changes.fetch_add(1, Ordering::SeqCst);
        fs::set_permissions(path, Permissions::from_mode(*mode)).is_ok()
    }

    /// Does one run. If `is_doubtful` says so of its end, and the permissions were changed meanwhile, does it again while no
    /// other run is there: what had begun to run may not have been allowed to read itself, as a script is by its interpreter.
    pub(super) fn run<T, E>(
        &self,
        mut run: impl FnMut() -> Result<T, E>,
        is_doubtful: impl FnOnce(&T) -> bool,
    ) -> Result<T, E> {
        let before = self.changes.load(Ordering::SeqCst);
        let shared = self.runs.read().unwrap_or_else(PoisonError::into_inner);
        let ended = run()?;
        drop(shared);
        if !is_doubtful(&ended) {
            return Ok(ended);
        }
        self.mend();
        if self.changes.load(Ordering::SeqCst) == before {
            return Ok(ended);
        }
        let _alone = self.runs.write().unwrap_or_else(PoisonError::into_inner);
        self.mend();
        run()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_while_the_permissions_were_others_is_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("check");
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        let program = Program::of(&Check::Script {
            program: path.clone(),
        });
        let answers = |changes: bool| {
            let mut runs = 0;
            let run = || -> io::Result<bool> {
                runs += 1;
                let readable = mode_of(&path) == Some(0o755);
                if changes {
                    fs::set_permissions(&path, Permissions::from_mode(0o000))?;
                }
                Ok(readable && runs == 2)
            };
            let accepted = program.run(run, |accepted| !accepted).unwrap();
            (accepted, runs)
        };
        assert_eq!(answers(false), (false, 1));
        assert_eq!(answers(true), (true, 2));
    }
}
