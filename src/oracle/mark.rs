//! A variable in the environment of all that a run starts, whose value is a folder of the run.
//!
//! It stands against what leaves its query's process group while others run, and against what goes on when paredown is
//! killed: a server that a check starts with `setsid` or `nohup` belongs to no group that we know of, but it has the environment
//! that the check was given. Whoever clears that too is found as our child only (see [`super::strays`]).
//!
//! Tests: `daemons_in_sessions_of_their_own_do_no_harm` and `killing_paredown_leaves_nothing_and_a_result_that_is_interesting`
//! in `tests/it/oracle_faults.rs`.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::process::Pid;

/// Children carry it in their environment. A paredown that finds it in its own was started by the check of another one.
pub(super) const VARIABLE: &str = "PAREDOWN_SLOT";

/// What tells the processes of a run, or of one of its slots, from all others.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    folder: PathBuf,
}

impl Mark {
    /// What all processes carry that were started with this folder, or one inside it, as the value of [`VARIABLE`].
    pub(super) fn of(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The value of [`VARIABLE`], and the folder in which all the slot's folders are.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether a process carries the mark; `None` while it becomes another program, when it shows neither the old environment nor
    /// the new one. Cost: one file of `/proc`, three where there is no environment.
    pub(super) fn is_on(&self, process: Pid) -> Option<bool> {
        let file = |name| format!("/proc/{}/{name}", process.as_raw_nonzero());
        let read = |name| fs::read(file(name)).unwrap_or_default();
        let environ = read("environ");
        if !environ.is_empty() {
            return Some(self.is_in(&environ));
        }
        if read("cmdline").is_empty() {
            // Only the dead, the kernel's own and those that are not ours to look at have no program either.
            return fs::read_link(file("exe")).is_err().then_some(false);
        }
        // It has none, or has become another program meanwhile.
        Some(self.is_in(&read("environ")))
    }

    fn is_in(&self, environ: &[u8]) -> bool {
        let folder = self.folder.as_os_str().as_bytes();
        environ.split(|&byte| byte == 0).any(|variable| {
            let rest = variable.strip_prefix(VARIABLE.as_bytes());
            let rest = rest.and_then(|rest| rest.strip_prefix(b"="));
            let rest = rest.and_then(|rest| rest.strip_prefix(folder));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_of_the_folder_or_one_inside_it_is_the_mark() {
        let is_in = |folder: &str, environ: &[u8]| Mark::of(folder.into()).is_in(environ);
        let environ = b"A=1\0PAREDOWN_SLOT=/run/p-1/0\0B=2\0";
        assert!(is_in("/run/p-1/0", environ));
        assert!(is_in("/run/p-1", environ));
        assert!(!is_in("/run/p", environ));
        assert!(!is_in("/run/p-1/1", environ));
        assert!(!is_in("/run/p-1/0", b"XPAREDOWN_SLOT=/run/p-1/0"));
    }
}
