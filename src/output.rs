//! The result file: at every moment the original or a test case that the oracle accepted.
//!
//! Each improvement is written to a new file in the same folder, which then takes the result's name in one step. The result
//! keeps the original's permissions. Nothing here overwrites an `.orig`.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Where the best test case goes.
#[derive(Debug)]
pub struct ResultFile {
    target: Target,
}

#[derive(Debug)]
enum Target {
    Nowhere,
    /// Standard output, a pipe or a device: written once, at the end.
    Stream(Option<PathBuf>),
    File(Replaced),
}

#[derive(Debug)]
struct Replaced {
    path: PathBuf,
    fresh: PathBuf,
    permissions: Permissions,
    /// The original and under what name it stays when it is replaced for the first time.
    backup: Option<Backup>,
    synced: Instant,
}

#[derive(Debug)]
struct Backup {
    path: PathBuf,
    original: Vec<u8>,
}

/// Why the result cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The copy of the original is in the way.
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

/// File names may have 255 bytes; the rest is for the suffix.
const LONGEST_NAME_KEPT: usize = 200;

/// A disk is told to keep what it got at most this often.
const SYNC_INTERVAL: Duration = Duration::from_secs(2);

impl ResultFile {
    /// Keeps nothing: the caller takes the best from the engine.
    pub fn nowhere() -> Self {
        Self {
            target: Target::Nowhere,
        }
    }

    /// Standard output, which gets the best once, in [`ResultFile::finish`].
    pub fn stdout() -> Self {
        Self {
            target: Target::Stream(None),
        }
    }

    /// A file beside the original, with the given permissions (the original's). Checks now, before any work, that it can
    /// be written; changes nothing yet. A device or a pipe of that name is written once, at the end.
    pub fn at(path: &Path, permissions: Permissions) -> Result<Self, OutputError> {
        if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            return Ok(Self {
                target: Target::Stream(Some(path.to_owned())),
            });
        }
        let replaced = Replaced::new(path, permissions, None)?;
        Ok(Self {
            target: Target::File(replaced),
        })
    }

    /// The original's own file. It stays as `NAME.orig`, which must not exist yet, or be
    /// the same original.
    pub fn in_place(path: &Path, original: &[u8]) -> Result<Self, OutputError> {
        let path = fs::canonicalize(path).map_err(|source| write_error(path, source))?;
        let permissions = fs::metadata(&path)
            .map_err(|e| write_error(&path, e))?
            .permissions();
        let backup = Backup {
            path: backup_path(&path),
            original: original.to_vec(),
        };
        let replaced = Replaced::new(&path, permissions, backup.if_needed()?)?;
        Ok(Self {
            target: Target::File(replaced),
        })
    }

    /// The file that is used while a new best is being written: whoever cleans up after a killed run removes it.
    pub fn fresh_path(&self) -> Option<&Path> {
        match &self.target {
            Target::File(replaced) => Some(&replaced.fresh),
            Target::Nowhere | Target::Stream(_) => None,
        }
    }

    /// Puts a better test case under the result's name, in one step. Cost: writing the bytes once.
    pub fn save(&mut self, best: &[u8]) -> Result<(), OutputError> {
        match &mut self.target {
            Target::File(replaced) => replaced.save(best),
            Target::Nowhere | Target::Stream(_) => Ok(()),
        }
    }

    /// The end of the run: a stream gets the best now, a file is forced to the disk.
    pub fn finish(&mut self, best: &[u8]) -> Result<(), OutputError> {
        match &mut self.target {
            Target::Nowhere => Ok(()),
            Target::File(replaced) => replaced.sync(),
            Target::Stream(Some(path)) => {
                let written = OpenOptions::new().write(true).open(&path);
                written
                    .and_then(|mut file| file.write_all(best))
                    .map_err(|e| write_error(path, e))
            }
            Target::Stream(None) => {
                let mut out = io::stdout().lock();
                let written = out.write_all(best).and_then(|()| out.flush());
                written.map_err(|source| write_error(Path::new("standard output"), source))
            }
        }
    }
}

impl Backup {
    /// Nothing when the original is kept already, which an earlier run may have done that was killed.
    fn if_needed(self) -> Result<Option<Self>, OutputError> {
        match fs::symlink_metadata(&self.path) {
            Ok(_) if fs::read(&self.path).is_ok_and(|kept| kept == self.original) => Ok(None),
            Ok(_) => Err(OutputError::BackupExists(self.path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Some(self)),
            Err(error) => Err(write_error(&self.path, error)),
        }
    }
}

impl Replaced {
    fn new(
        path: &Path,
        permissions: Permissions,
        backup: Option<Backup>,
    ) -> Result<Self, OutputError> {
        // A link stays a link: what it points to is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let fresh = fresh_path(&path);
        let replaced = Self {
            path,
            fresh,
            permissions,
            backup,
            synced: Instant::now(),
        };
        replaced.check()?;
        Ok(replaced)
    }

    /// Makes the fresh file and removes it again.
    fn check(&self) -> Result<(), OutputError> {
        if self.path.is_dir() {
            let source = io::Error::from(io::ErrorKind::IsADirectory);
            return Err(write_error(&self.path, source));
        }
        let made = File::create(&self.fresh).and_then(|_| fs::remove_file(&self.fresh));
        made.map_err(|source| write_error(&self.path, source))
    }

    fn save(&mut self, best: &[u8]) -> Result<(), OutputError> {
        if let Some(backup) = self.backup.take() {
            keep_original(&self.path, &backup, &self.permissions)?;
        }
        let written = self.replace(best);
        written.map_err(|source| {
            // The old result is still there; only the attempt goes.
            let _ = fs::remove_file(&self.fresh);
            write_error(&self.path, source)
        })
    }

    fn replace(&mut self, best: &[u8]) -> io::Result<()> {
        let mut file = File::create(&self.fresh)?;
        file.write_all(best)?;
        file.set_permissions(self.permissions.clone())?;
        if self.synced.elapsed() > SYNC_INTERVAL {
            file.sync_data()?;
            self.synced = Instant::now();
        }
        fs::rename(&self.fresh, &self.path)
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
            done => done.map_err(|source| write_error(&self.path, source)),
        }
    }
}

/// Gives the original a second name, which is done as a whole or not at all; where there is no such thing, a copy is made.
fn keep_original(
    path: &Path,
    backup: &Backup,
    permissions: &Permissions,
) -> Result<(), OutputError> {
    let is_unchanged = fs::read(path).is_ok_and(|bytes| bytes == backup.original);
    if is_unchanged && fs::hard_link(path, &backup.path).is_ok() {
        return Ok(());
    }
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&backup.path);
    let written = file.and_then(|mut file| {
        file.write_all(&backup.original)?;
        file.set_permissions(permissions.clone())?;
        file.sync_data()
    });
    written.map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => OutputError::BackupExists(backup.path.clone()),
        _ => write_error(&backup.path, source),
    })
}

/// Where the original stays when it is replaced: `bug.c` becomes `bug.c.orig`.
pub fn backup_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".orig");
    name.into()
}

/// A hidden name in the same folder, so that taking the result's name stays one step, and with our process number, so that
/// two runs do not write the same file.
fn fresh_path(path: &Path) -> PathBuf {
    let own = path.file_name().unwrap_or_default().as_bytes();
    let mut name = OsString::from(".");
    name.push(OsStr::from_bytes(&own[..own.len().min(LONGEST_NAME_KEPT)]));
    name.push(format!(".paredown-{}", std::process::id()));
    path.with_file_name(name)
}

fn write_error(path: &Path, source: io::Error) -> OutputError {
    OutputError::Write {
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

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

    #[test]
    fn in_place_keeps_the_original_and_refuses_to_lose_an_older_one() {
        let folder = folder();
        let path = folder.path().join("bug.c");
        fs::write(&path, "original").unwrap();
        let mut result = ResultFile::in_place(&path, b"original").unwrap();
        result.save(b"less").unwrap();
        result.save(b"le").unwrap();
        assert_eq!(
            fs::read(folder.path().join("bug.c.orig")).unwrap(),
            b"original"
        );
        assert_eq!(fs::read(&path).unwrap(), b"le");
        let again = ResultFile::in_place(&path, b"le").unwrap_err();
        assert!(matches!(again, OutputError::BackupExists(_)), "{again}");
        assert_eq!(
            fs::read(folder.path().join("bug.c.orig")).unwrap(),
            b"original"
        );
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
