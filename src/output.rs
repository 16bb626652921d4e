//! The result file: at every moment the original or a test case that the oracle accepted.
//!
//! Each improvement is written to a new file in the same folder, which then takes the result's name in one step. The new file
//! has a random name and is never one that is there already. The result keeps the original's permissions. Nothing here
//! overwrites an `.orig`.

mod backup;
mod fresh;
mod owners;
mod real_path;
mod stamp;
mod stream;
mod tree;

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use backup::Backup;
use fresh::Fresh;
use stamp::Stamp;
use stream::Stream;
use tree::Tree;

pub use backup::{backups, is_backup_of};
pub use owners::mode_for_copies;
pub use real_path::real_path;
pub use stream::{note_what_is_closed, open_lines, stdout};
pub use tree::MadeFolders;

use crate::folder::Entry;

/// Where the best test case goes.
#[derive(Debug)]
pub struct ResultFile {
    target: Target,
}

#[derive(Debug)]
enum Target {
    Nowhere,
    /// Written once, at the end.
    Stdout(io::Stdout),
    /// A pipe or a device, written once, at the end.
    Stream(Stream),
    File(Replaced),
    Folder(Tree),
}

#[derive(Debug)]
struct Replaced {
    path: PathBuf,
    /// The path as it was given, for messages.
    given: PathBuf,
    fresh: Fresh,
    permissions: Permissions,
    /// The group that they are meant for.
    group: u32,
    /// What stays under another name when it is replaced for the first time.
    backup: Option<Backup>,
    /// What somebody else has written in its place since it was seen last stays too; `None`: it is a place for results only.
    seen: Option<Stamp>,
    is_written: bool,
    /// Where that stays.
    of_others: Vec<PathBuf>,
    synced: Instant,
}

/// What of a file that is rewritten in place is kept beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Its content, unless a copy of an earlier run has it byte for byte.
    Original,
    /// Nothing: it is known to be a result of the run that goes on.
    Nothing,
}

/// Why the result cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// Something else is in the way of the copy of the original.
    #[error("`{0}` already exists")]
    BackupExists(PathBuf),
    /// The system refused.
    #[error("cannot write `{path}`: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// The next run must be able to replace a result.
const OWNER_MAY_WRITE: u32 = 0o200;

/// A disk is told to keep what it got at most this often.
const SYNC_INTERVAL: Duration = Duration::from_secs(2);

impl ResultFile {
    /// Keeps nothing: the caller takes the best from the engine.
    pub fn nowhere() -> Self {
        Self {
            target: Target::Nowhere,
        }
    }

    /// Standard output, which gets the best once, in [`ResultFile::finish`]. An error if it is closed.
    pub fn stdout() -> Result<Self, OutputError> {
        Ok(Self {
            target: Target::Stdout(stdout()?),
        })
    }

    /// A file beside the original, with the given permissions (the original's). Checks now, before any work, that it can
    /// be written; changes nothing yet. A device or a pipe of that name is opened now and written once, at the end; a pipe that
    /// nobody reads is an error after some seconds.
    pub fn at(path: &Path, permissions: Permissions) -> Result<Self, OutputError> {
        let target = if is_stream(path) {
            Target::Stream(Stream::open(path)?)
        } else {
            Target::File(Replaced::new(path, permissions, None)?)
        };
        Ok(Self { target })
    }

    /// A folder with these permission bits that gets some of these entries: a best is a listing of them; see [`crate::folder`]. It takes the place of what is
    /// there. Checks now that it can be written; changes nothing yet.
    pub fn folder(path: &Path, entries: Vec<Entry>, mode: u32) -> Result<Self, OutputError> {
        let target = Target::Folder(Tree::new(path, entries, mode)?);
        Ok(Self { target })
    }

    /// From now on this is the content of an entry of a folder's result.
    pub fn set_entry(&mut self, number: usize, bytes: Arc<[u8]>) {
        if let Target::Folder(tree) = &mut self.target {
            tree.set_entry(number, bytes);
        }
    }

    /// An entry of a folder's result, which must have been saved, as a result of its own.
    #[must_use]
    pub fn entry(&self, number: usize) -> Self {
        let Target::Folder(tree) = &self.target else {
            return Self::nowhere();
        };
        let Some(entry) = tree.entry(number) else {
            return Self::nowhere();
        };
        let path = tree.path().join(&entry.name);
        let target = Target::File(Replaced {
            fresh: Fresh::at(&path, tree.fresh_path()),
            given: path.clone(),
            path,
            permissions: Permissions::from_mode(entry.mode | OWNER_MAY_WRITE),
            group: owners::own_group(),
            backup: None,
            seen: None,
            is_written: false,
            of_others: Vec::new(),
            synced: Instant::now(),
        });
        Self { target }
    }

    /// The original's own file. Its content stays as `NAME.orig`, or beside the originals of earlier runs as `NAME.orig.1` and
    /// so on; which contents need no copy is said by `keep`. If somebody writes to it during the run, that stays in the same way.
    pub fn in_place(path: &Path, keep: Keep) -> Result<Self, OutputError> {
        let path = fs::canonicalize(path).map_err(|source| write_error(path, source))?;
        let error = |source| write_error(&path, source);
        let found = fs::metadata(&path).map_err(error)?;
        let mode = found.permissions().mode();
        let backup = if keep == Keep::Nothing {
            None
        } else {
            let content = fs::read(&path).map_err(error)?;
            Backup::if_needed(&path, content)?
        };
        // Bits that let a program run as its owner are for a file that its owner has made.
        let permissions = Permissions::from_mode(mode & 0o777);
        let mut replaced = Replaced::new(&path, permissions, backup)?;
        replaced.group = found.gid();
        replaced.seen = Some(Stamp::of(&found));
        Ok(Self {
            target: Target::File(replaced),
        })
    }

    /// The file that is used while a new best is being written: whoever cleans up after a killed run removes it.
    pub fn fresh_path(&self) -> Option<&Path> {
        match &self.target {
            Target::File(replaced) => Some(replaced.fresh.path()),
            Target::Folder(tree) => Some(tree.fresh_path()),
            Target::Nowhere | Target::Stdout(_) | Target::Stream(_) => None,
        }
    }

    /// The copies of what somebody else has written in its place during the run.
    pub fn of_others(&self) -> &[PathBuf] {
        match &self.target {
            Target::File(replaced) => &replaced.of_others,
            _ => &[],
        }
    }

    /// Puts a better test case under the result's name, in one step. Cost: writing the bytes once.
    pub fn save(&mut self, best: &[u8]) -> Result<(), OutputError> {
        match &mut self.target {
            Target::File(replaced) => replaced.save(best),
            Target::Folder(tree) => tree.save(best),
            Target::Nowhere | Target::Stdout(_) | Target::Stream(_) => Ok(()),
        }
    }

    /// All that this file is ever to hold, at the end of the run.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        self.save(bytes)?;
        self.finish(bytes)
    }

    /// The end of the run: a stream gets the best now, a file is forced to the disk.
    pub fn finish(&mut self, best: &[u8]) -> Result<(), OutputError> {
        match &mut self.target {
            Target::Nowhere | Target::Folder(_) => Ok(()),
            Target::File(replaced) => replaced.finish(best),
            Target::Stream(stream) => stream.write(best),
            Target::Stdout(out) => {
                let written = out.write_all(best).and_then(|()| out.flush());
                written.map_err(|source| write_error(Path::new("standard output"), source))
            }
        }
    }
}

/// Whether something is there that can only be written to, not replaced.
fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

impl Replaced {
    fn new(
        path: &Path,
        permissions: Permissions,
        backup: Option<Backup>,
    ) -> Result<Self, OutputError> {
        let error = |source| write_error(path, source);
        owners::refuse_trap(path).map_err(error)?;
        // A link stays a link: what it points to is replaced.
        let real = real_path(path);
        if real.is_dir() {
            return Err(error(io::ErrorKind::IsADirectory.into()));
        }
        Ok(Self {
            fresh: Fresh::beside(&real).map_err(error)?,
            path: real,
            given: path.to_owned(),
            permissions,
            group: owners::own_group(),
            backup,
            seen: None,
            is_written: false,
            of_others: Vec::new(),
            synced: Instant::now(),
        })
    }

    fn save(&mut self, best: &[u8]) -> Result<(), OutputError> {
        if let Some(backup) = self.backup.take() {
            backup.make(&self.path, &self.permissions, self.group)?;
        }
        if self.is_of_others() {
            self.keep_for_others()?;
        }
        let written = self.replace(best);
        written.map_err(|source| write_error(&self.given, source))
    }

    /// Whether somebody else has written to it since it was seen last.
    fn is_of_others(&self) -> bool {
        let found = fs::metadata(&self.path).ok().filter(fs::Metadata::is_file);
        let now = found.as_ref().map(Stamp::of);
        self.seen.is_some() && now.is_some() && now != self.seen
    }

    fn keep_for_others(&mut self) -> Result<(), OutputError> {
        let content = fs::read(&self.path).map_err(|source| write_error(&self.given, source))?;
        if let Some(copy) = Backup::if_needed(&self.path, content)? {
            copy.make(&self.path, &self.permissions, self.group)?;
            self.of_others.push(copy.path().to_owned());
        }
        Ok(())
    }

    /// What others have written in the place of the last result does not stay there, and does not get lost.
    fn finish(&mut self, best: &[u8]) -> Result<(), OutputError> {
        if self.is_written && self.is_of_others() {
            self.save(best)?;
        }
        self.sync()
    }

    fn replace(&mut self, best: &[u8]) -> io::Result<()> {
        let mut file = self.fresh.create()?;
        let replaced = self.fill(&mut file, best);
        if replaced.is_err() {
            // The old result is still there; only the attempt goes.
            let _ = fs::remove_file(self.fresh.path());
        }
        replaced
    }

    fn fill(&mut self, file: &mut File, best: &[u8]) -> io::Result<()> {
        file.write_all(best)?;
        owners::set_permissions(file, &self.permissions, self.group)?;
        if self.synced.elapsed() > SYNC_INTERVAL {
            file.sync_data()?;
            self.synced = Instant::now();
        }
        let stamp = Stamp::of(&file.metadata()?);
        fs::rename(self.fresh.path(), &self.path)?;
        self.is_written = true;
        self.seen = self.seen.as_ref().map(|_| stamp);
        Ok(())
    }

    fn sync(&self) -> Result<(), OutputError> {
        match File::open(&self.path).and_then(|file| file.sync_data()) {
            // No improvement was found, or the original cannot be read by us any more: nothing to force.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied
                ) =>
            {
                Ok(())
            }
            done => done.map_err(|source| write_error(&self.given, source)),
        }
    }
}

/// What went wrong when a file, or standard output, was written.
pub fn write_error(path: &Path, source: io::Error) -> OutputError {
    OutputError::Write {
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn nothing_is_written_before_the_first_improvement() {
        let folder = folder();
        let path = folder.path().join("out.c");
        let mut result = ResultFile::at(&path, Permissions::from_mode(0o644)).unwrap();
        result.finish(b"original").unwrap();
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn the_result_replaces_the_old_one_and_keeps_the_permissions() {
        let folder = folder();
        let path = folder.path().join("out.c");
        fs::write(&path, "old").unwrap();
        let mut result = ResultFile::at(&path, Permissions::from_mode(0o750)).unwrap();
        result.save(b"new").unwrap();
        result.save(b"newer").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"newer");
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o750
        );
        assert_eq!(names(folder.path()), ["out.c"]);
    }

    /// Rewrites `bug.c` and says what stands beside it then.
    fn rewritten(folder: &Path, keep: Keep, best: &str) -> Vec<(String, String)> {
        let path = folder.join("bug.c");
        let mut result = ResultFile::in_place(&path, keep).unwrap();
        result.save(b"something").unwrap();
        result.save(best.as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), best);
        let others = names(folder).into_iter().filter(|name| name != "bug.c");
        others
            .map(|name| (name.clone(), fs::read_to_string(folder.join(name)).unwrap()))
            .collect()
    }

    #[test]
    fn in_place_loses_no_content() {
        let folder = folder();
        let kept = |copies: &[(&str, &str)]| -> Vec<(String, String)> {
            let owned = |&(name, text): &(&str, &str)| (name.to_owned(), text.to_owned());
            copies.iter().map(owned).collect()
        };
        fs::write(folder.path().join("bug.c"), "original").unwrap();
        let once = kept(&[("bug.c.orig", "original")]);
        assert_eq!(rewritten(folder.path(), Keep::Original, "orig"), once);
        assert_eq!(rewritten(folder.path(), Keep::Nothing, "original"), once);
        assert_eq!(rewritten(folder.path(), Keep::Original, "or"), once);
        // A part of the first copy, but another text.
        let twice = kept(&[("bug.c.orig", "original"), ("bug.c.orig.1", "or")]);
        assert_eq!(rewritten(folder.path(), Keep::Original, "o"), twice);
        assert_eq!(rewritten(folder.path(), Keep::Nothing, "or"), twice);
        assert_eq!(rewritten(folder.path(), Keep::Original, "r"), twice);
    }

    #[test]
    fn what_stands_in_the_way_of_the_copy_is_left_alone() {
        let folder = folder();
        let path = folder.path().join("bug.c");
        fs::write(&path, "original").unwrap();
        let way = folder.path().join("bug.c.orig");
        for make in [
            |way: &Path| fs::create_dir(way),
            |way: &Path| std::os::unix::fs::symlink("nowhere", way),
            |way: &Path| std::os::unix::fs::symlink("/dev/zero", way),
        ] {
            make(&way).unwrap();
            let refused = ResultFile::in_place(&path, Keep::Original).unwrap_err();
            assert!(matches!(refused, OutputError::BackupExists(_)), "{refused}");
            fs::remove_dir(&way)
                .or_else(|_| fs::remove_file(&way))
                .unwrap();
        }
    }

    /// Somebody who can write to the folder puts a link under the name of the next file.
    #[test]
    fn a_link_under_the_name_of_the_next_file_is_not_followed() {
        let folder = folder();
        let precious = folder.path().join("precious");
        fs::write(&precious, "precious").unwrap();
        let path = folder.path().join("out.c");
        let mut result = ResultFile::at(&path, Permissions::from_mode(0o644)).unwrap();
        let trap = result.fresh_path().unwrap().to_owned();
        std::os::unix::fs::symlink(&precious, &trap).unwrap();
        result.save(b"less").unwrap();
        assert_eq!(fs::read(&precious).unwrap(), b"precious");
        assert_eq!(fs::read(&path).unwrap(), b"less");
        assert!(!fs::symlink_metadata(&path).unwrap().is_symlink());
        assert!(fs::symlink_metadata(&trap).unwrap().is_symlink());
        assert_ne!(result.fresh_path().unwrap(), trap);
    }

    #[test]
    fn the_next_file_has_another_name_in_each_run() {
        let folder = folder();
        let name = || {
            let path = folder.path().join("out.c");
            let result = ResultFile::at(&path, Permissions::from_mode(0o644)).unwrap();
            result.fresh_path().unwrap().to_owned()
        };
        assert_ne!(name(), name());
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn a_pipe_that_nobody_reads_is_refused_and_one_that_is_read_is_written() {
        let folder = folder();
        let path = folder.path().join("pipe");
        let made = rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RWXU);
        made.unwrap();
        let read = |path: PathBuf| std::thread::spawn(move || fs::read(path).unwrap());
        let reader = read(path.clone());
        let mut result = ResultFile::at(&path, Permissions::from_mode(0o644)).unwrap();
        result.finish(b"less").unwrap();
        drop(result);
        assert_eq!(reader.join().unwrap(), b"less");
        assert!(Stream::open_within(&path, Duration::ZERO).is_err());
    }

    #[test]
    fn a_path_that_cannot_be_written_is_refused_at_once() {
        let folder = folder();
        let missing = folder.path().join("no/such/out.c");
        assert!(ResultFile::at(&missing, Permissions::from_mode(0o644)).is_err());
        assert!(ResultFile::at(folder.path(), Permissions::from_mode(0o644)).is_err());
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = folder();
        let real = folder.path().join("real.c");
        let link = folder.path().join("link.c");
        fs::write(&real, "original").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let mut result = ResultFile::at(&link, Permissions::from_mode(0o644)).unwrap();
        result.save(b"less").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"less");
    }

    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        let mut result =
            ResultFile::at(Path::new("/dev/null"), Permissions::from_mode(0o644)).unwrap();
        result.save(b"less").unwrap();
        result.finish(b"less").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
