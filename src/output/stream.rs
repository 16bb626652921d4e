//! What can only be written to: standard output, a pipe, a device.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;

use super::{OutputError, is_stream, owners, write_error};

/// An open stream.
#[derive(Debug)]
pub(super) struct Stream {
    path: PathBuf,
    file: File,
}

/// Whoever reads a pipe may be started after us.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(10);

static STDOUT_WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Remembers whether standard output is closed. To be called before the runtime begins, which opens `/dev/null` in the place of
/// what is closed: then a result for standard output would be lost without a word.
pub extern "C" fn note_what_is_closed() {
    let closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()) == Err(Errno::BADF);
    STDOUT_WAS_CLOSED.store(closed, Ordering::Relaxed);
}

/// Standard output. An error if it was closed when the process began.
pub fn stdout() -> Result<io::Stdout, OutputError> {
    if STDOUT_WAS_CLOSED.load(Ordering::Relaxed) {
        let source = io::Error::other("it is closed");
        return Err(write_error(Path::new("standard output"), source));
    }
    Ok(io::stdout())
}

/// A file, a pipe or a device for lines that somebody may read while they are written. A file is emptied; a new one gets these
/// permissions, as far as the user's mask lets it.
pub fn open_lines(path: &Path, mode: u32) -> Result<File, OutputError> {
    if is_stream(path) {
        return Ok(Stream::open(path)?.file);
    }
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(mode);
    let file = owners::refuse_trap(path).and_then(|()| options.open(path));
    file.map_err(|source| write_error(path, source))
}

impl Stream {
    /// Opens a pipe or a device. A pipe's reader is waited for.
    pub(super) fn open(path: &Path) -> Result<Self, OutputError> {
        let file = Self::open_within(path, PATIENCE);
        Ok(Self {
            file: file.map_err(|source| write_error(path, source))?,
            path: path.to_owned(),
        })
    }

    pub(super) fn open_within(path: &Path, patience: Duration) -> io::Result<File> {
        let is_pipe = fs::metadata(path)?.file_type().is_fifo();
        let mut options = OpenOptions::new();
        options.write(true);
        // Without it the call would wait for a reader for ever.
        options.custom_flags(OFlags::NONBLOCK.bits().cast_signed());
        let start = Instant::now();
        let file = loop {
            match options.open(path) {
                Err(error)
                    if is_pipe && error.raw_os_error() == Some(Errno::NXIO.raw_os_error()) =>
                {
                    if start.elapsed() >= patience {
                        return Err(io::Error::other("it is a pipe that nobody reads"));
                    }
                    std::thread::park_timeout(PAUSE);
                }
                opened => break opened?,
            }
        };
        fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
        Ok(file)
    }

    pub(super) fn write(&mut self, best: &[u8]) -> Result<(), OutputError> {
        let written = self.file.write_all(best);
        written.map_err(|source| write_error(&self.path, source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_that_nobody_reads_is_not_waited_for_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RWXU).unwrap();
        let refused = Stream::open_within(&path, Duration::ZERO).unwrap_err();
        assert_eq!(refused.to_string(), "it is a pipe that nobody reads");
        let said = write_error(&path, refused).to_string();
        assert!(said.starts_with("cannot write `"), "{said}");
        let said = OutputError::BackupExists("bug.c.orig".into()).to_string();
        assert_eq!(said, "`bug.c.orig` already exists");
    }
}
