//! Whether files are opened that a check should not need: the originals, where the user has them.
//!
//! Only Linux tells; elsewhere nothing is seen, and what is said about absolute paths rests on the text of the check alone.

use std::path::Path;

#[cfg(target_os = "linux")]
pub(super) use linux::Watch;
#[cfg(not(target_os = "linux"))]
pub(super) use portable::Watch;

#[cfg(target_os = "linux")]
mod linux {
    use std::mem::MaybeUninit;
    use std::os::fd::OwnedFd;

    use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};

    use super::Path;

    /// Notices who opens the files.
    pub(in crate::doctor) struct Watch(Option<OwnedFd>);

    impl Watch {
        /// That a file cannot be watched only means that nothing is noticed.
        pub(in crate::doctor) fn on<'p>(paths: impl Iterator<Item = &'p Path>) -> Self {
            let queue = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok();
            if let Some(queue) = &queue {
                for path in paths {
                    let _ = add_watch(queue, path, WatchFlags::OPEN | WatchFlags::ACCESS);
                }
            }
            Self(queue)
        }

        /// Whether one was opened since this was asked last.
        pub(in crate::doctor) fn was_opened(&self) -> bool {
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
}

#[cfg(not(target_os = "linux"))]
mod portable {
    use super::Path;

    /// Notices nothing.
    pub(in crate::doctor) struct Watch;

    impl Watch {
        pub(in crate::doctor) fn on<'p>(_paths: impl Iterator<Item = &'p Path>) -> Self {
            Self
        }

        pub(in crate::doctor) fn was_opened(&self) -> bool {
            false
        }
    }
}
