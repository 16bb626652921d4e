//! What Linux can do.

use std::io;
use std::mem::MaybeUninit;
use std::ops::RangeInclusive;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};
use rustix::fs::{
    Access, AtFlags, CWD, FileType, RenameFlags, StatVfsMountFlags, StatxAttributes, StatxFlags,
    access, renameat_with, statvfs, statx,
};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitId, WaitIdOptions, getpid, pidfd_open,
    pidfd_send_signal, prlimit, set_child_subreaper, set_parent_process_death_signal, waitid,
};

use super::Seen;

/// Signals that others do not have.
pub(crate) const SIGNALS: &[(&str, Signal)] = &[("STKFLT", Signal::STKFLT), ("PWR", Signal::POWER)];

/// The real-time signals, as the C library numbers them: it keeps the first two for itself.
pub(crate) const REAL_TIME_SIGNALS: Option<RangeInclusive<i32>> = Some(34..=64);

/// A handle of a process, which stays good when its number is somebody else's.
pub(crate) struct Handle(OwnedFd);

impl Handle {
    /// `None` where there are no such handles (before Linux 5.4), or no such process.
    pub(crate) fn of(process: Pid) -> Option<Self> {
        pidfd_open(process, PidfdFlags::empty()).ok().map(Self)
    }

    /// Returns when the process has ended.
    pub(crate) fn wait(&self) {
        let mut ended = [PollFd::new(&self.0, PollFlags::IN)];
        while poll(&mut ended, None) == Err(Errno::INTR) {}
    }

    /// Kills it. Says whether that is allowed.
    pub(crate) fn kill(&self) -> bool {
        pidfd_send_signal(&self.0, Signal::KILL) != Err(Errno::PERM)
    }

    /// Waits for the end of a child and reaps it, if nobody else does.
    pub(crate) fn reap(&self) {
        let _ = waitid(WaitId::PidFd(self.0.as_fd()), WaitIdOptions::EXITED);
    }
}

/// From now on what loses its parent below this process becomes its child. Older kernels do not know this; then such processes
/// are not found, which is what every other reducer lives with.
pub(crate) fn become_subreaper() {
    let _ = set_child_subreaper(Some(getpid()));
}

/// This process is asked to stop when the one that started it ends.
pub(crate) fn end_with_parent() {
    let _ = set_parent_process_death_signal(Some(Signal::TERM));
}

/// Whether [`limit`] does something.
pub(crate) fn has_limits() -> bool {
    true
}

/// Limits another process. One that has ended already needs no limit, so failure is no error.
pub(crate) fn limit(process: Pid, resource: Resource, limit: Rlimit) {
    let _ = prlimit(Some(process), resource, limit);
}

/// Looks at a path, which must not be a link's.
pub(crate) fn look_at(path: &Path) -> io::Result<Seen> {
    let wanted = StatxFlags::TYPE | StatxFlags::MODE;
    let found = statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW, wanted)?;
    Ok(Seen {
        is_folder: FileType::from_raw_mode(found.stx_mode.into()) == FileType::Directory,
        mode: found.stx_mode.into(),
        is_mounted: found.stx_attributes.contains(StatxAttributes::MOUNT_ROOT),
    })
}

/// Gives two files or folders each other's names in one step, if the file system can.
pub(crate) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

/// A folder in memory where programs can be run and there is room, if there is one.
///
/// A check may compile the candidate and run it, which a place without programs would silently make uninteresting; and a
/// place that is nearly full (containers give 64 MiB) is no place to work in.
pub(crate) fn memory_folder() -> Option<PathBuf> {
    const ROOM: u64 = 1 << 30;
    let folder = Path::new("/dev/shm");
    access(folder, Access::WRITE_OK | Access::EXEC_OK).ok()?;
    let found = statvfs(folder).ok()?;
    let is_usable = !found
        .f_flag
        .intersects(StatVfsMountFlags::NOEXEC | StatVfsMountFlags::RDONLY)
        && found.f_bavail.saturating_mul(found.f_frsize) >= ROOM;
    is_usable.then(|| folder.to_owned())
}

/// Notices who opens files.
pub(crate) struct Watch(Option<OwnedFd>);

impl Watch {
    /// That a file cannot be watched only means that nothing is noticed.
    pub(crate) fn on<'p>(paths: impl Iterator<Item = &'p Path>) -> Self {
        let queue = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok();
        if let Some(queue) = &queue {
            for path in paths {
                let _ = add_watch(queue, path, WatchFlags::OPEN | WatchFlags::ACCESS);
            }
        }
        Self(queue)
    }

    /// Whether one was opened since this was asked last.
    pub(crate) fn was_opened(&self) -> bool {
        let Some(queue) = &self.0 else { return false };
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut reader = Reader::new(queue, &mut buffer);
        let mut opened = false;
        while let Ok(event) = reader.next() {
            opened |= event
                .events()
                .intersects(ReadFlags::OPEN | ReadFlags::ACCESS);
        }
        opened
    }
}
