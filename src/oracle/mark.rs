//! By what a process is known as one of a run's: a variable in its environment, the folder in which it stands, and a limit.
//!
//! All three are inherited. A daemon leaves its folder, and some clear the environment too; the limit stays, because nothing
//! changes it: it is the one on file locks, which Linux has kept since 2.4 without looking at it. Its value is made from the
//! run's folder, whose name is random, so that the guard knows it too. This process has the run's own value, so that nothing
//! is started without it; the value of its slot is set a moment after a check was started.

use std::fs;
use std::hash::Hasher;
use std::io;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustc_hash::FxHasher;
use rustix::process::{Pid, Resource, Rlimit, setrlimit};

/// Children carry it in their environment.
pub(super) const VARIABLE: &str = "PAREDOWN_SLOT";

/// What tells the processes of a run, or of one of its slots, from all others.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    folder: PathBuf,
    /// A slot has one number, a run the numbers of all its slots and one of its own, which is the highest because a limit can
    /// only be lowered.
    limits: Range<u64>,
}

/// More than there are jobs.
const SLOTS: u64 = 1 << 16;

impl Mark {
    /// What all processes of the run in this folder carry.
    pub(super) fn of_run(run_folder: &Path) -> Self {
        let first = first_limit(run_folder);
        Self {
            folder: run_folder.to_owned(),
            limits: first..first + SLOTS,
        }
    }

    /// What the processes of one slot carry, which works in the folder of its number.
    pub(super) fn of_slot(run_folder: &Path, slot: usize) -> Self {
        let limit = first_limit(run_folder) + slot as u64 % (SLOTS - 1);
        Self {
            folder: run_folder.join(slot.to_string()),
            limits: limit..limit + 1,
        }
    }

    /// The value of [`VARIABLE`], and the folder in which all the slot's folders are.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// What a process's limit on file locks is set to.
    pub(super) fn limit(&self) -> u64 {
        self.limits.end - 1
    }

    /// Marks this process and all that it starts from now on.
    pub(super) fn take_on(&self) {
        let limit = Rlimit {
            current: Some(self.limit()),
            maximum: Some(self.limit()),
        };
        // Without it, only those are not found that hide.
        let _ = setrlimit(Resource::Locks, limit);
    }

    /// Whether a process carries the mark. Cost: up to four files of `/proc`.
    pub(super) fn is_on(&self, process: Pid) -> bool {
        let proc = Path::new("/proc").join(process.as_raw_nonzero().to_string());
        let read = |name| fs::read(proc.join(name)).unwrap_or_default();
        let stands_in_it = || fs::read_link(proc.join("cwd"));
        // The dead keep their limits until somebody reaps them. Some of the living do not let us see their program.
        let is_dead = || {
            let program = fs::read_link(proc.join("exe"));
            program.is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
        };
        stands_in_it().is_ok_and(|cwd| cwd.starts_with(&self.folder))
            || self.is_in_environment(&read("environ"))
            || (self.is_in_limits(&read("limits")) && !is_dead())
    }

    fn is_in_environment(&self, environ: &[u8]) -> bool {
        let folder = self.folder.as_os_str().as_bytes();
        environ.split(|&byte| byte == 0).any(|variable| {
            let rest = variable.strip_prefix(VARIABLE.as_bytes());
            let rest = rest.and_then(|rest| rest.strip_prefix(b"="));
            let rest = rest.and_then(|rest| rest.strip_prefix(folder));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
        })
    }

    /// The file has a line for each limit: its name, the limit that holds, the highest allowed, the unit.
    fn is_in_limits(&self, limits: &[u8]) -> bool {
        let text = String::from_utf8_lossy(limits);
        let locks = text
            .lines()
            .find_map(|line| line.strip_prefix("Max file locks"));
        let highest = locks.and_then(|line| line.split_ascii_whitespace().nth(1)?.parse().ok());
        highest.is_some_and(|highest: u64| self.limits.contains(&highest))
    }
}

/// A number that another run hardly has, below the highest ones, which mean that there is no limit.
fn first_limit(run_folder: &Path) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(run_folder.as_os_str().as_bytes());
    (hasher.finish() >> 2) / SLOTS * SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_of_the_folder_or_one_inside_it_is_the_mark() {
        let environ = b"A=1\0PAREDOWN_SLOT=/run/p-1/0\0B=2\0";
        let is_in = |mark: &Mark, environ: &[u8]| mark.is_in_environment(environ);
        let (run, slot) = (
            Path::new("/run/p-1"),
            Mark::of_slot(Path::new("/run/p-1"), 0),
        );
        assert!(is_in(&slot, environ));
        assert!(is_in(&Mark::of_run(run), environ));
        assert!(!is_in(&Mark::of_run(Path::new("/run/p")), environ));
        assert!(!is_in(&Mark::of_slot(run, 1), environ));
        assert!(!is_in(&slot, b"XPAREDOWN_SLOT=/run/p-1/0"));
    }

    #[test]
    fn a_limit_is_the_mark_of_its_slot_and_of_its_run() {
        let run = Path::new("/run/p-1");
        let (first, second) = (Mark::of_slot(run, 0), Mark::of_slot(run, 1));
        let line = |mark: &Mark| {
            format!(
                "Max cpu time 1 1 s\nMax file locks  unlimited  {}  locks\n",
                mark.limit()
            )
        };
        assert!(second.is_in_limits(line(&second).as_bytes()));
        assert!(!second.is_in_limits(line(&first).as_bytes()));
        for slot in [first, second] {
            assert!(slot.limit() < Mark::of_run(run).limit());
            assert!(Mark::of_run(run).is_in_limits(line(&slot).as_bytes()));
            assert!(!Mark::of_run(Path::new("/run/p-2")).is_in_limits(line(&slot).as_bytes()));
        }
        assert!(!Mark::of_run(run).is_in_limits(b"Max file locks  unlimited  unlimited  locks\n"));
    }
}
