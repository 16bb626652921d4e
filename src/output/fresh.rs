//! New files: never one that is there already, never through a link, and nobody else's to read while they grow.

use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// File names may have 255 bytes; the rest is for the suffix.
const LONGEST_NAME_KEPT: usize = 200;

/// As many random letters as nobody tries out.
const RANDOM_LETTERS: usize = 16;

/// Before it gets the permissions that it is to have.
const OURS_ALONE: u32 = 0o600;

/// A hidden name beside a file, under which its next content is written, so that taking the file's own name is one step.
#[derive(Debug)]
pub(super) struct Fresh {
    target: PathBuf,
    path: PathBuf,
}

impl Fresh {
    /// Chooses the name. Finds out that files can be made there.
    pub(super) fn beside(target: &Path) -> io::Result<Self> {
        Ok(Self {
            target: target.to_owned(),
            path: name_beside(target)?,
        })
    }

    /// Takes a name that nothing has and that is on the same file system.
    pub(super) fn at(target: &Path, path: &Path) -> Self {
        Self {
            target: target.to_owned(),
            path: path.to_owned(),
        }
    }

    /// Where the next file will be, or is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the file. What somebody else has put under the name is left alone: the name is another one then.
    pub(super) fn create(&mut self) -> io::Result<File> {
        match create(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let (file, path) = make(&self.target)?.keep().map_err(|kept| kept.error)?;
                self.path = path;
                Ok(file)
            }
            made => made,
        }
    }
}

/// Makes a file that does not exist yet.
pub(super) fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(OURS_ALONE);
    options.open(path)
}

fn make(target: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = target.parent().unwrap_or(Path::new("/"));
    tempfile::Builder::new()
        .prefix(&prefix(target))
        .rand_bytes(RANDOM_LETTERS)
        .tempfile_in(folder)
}

/// A hidden name beside `target` that nothing has, in a folder where files can be made: one without a name is, where the system
/// has such files, because this comes before there is a guard, and a kill must not leave it.
pub(super) fn name_beside(target: &Path) -> io::Result<PathBuf> {
    let folder = target.parent().unwrap_or(Path::new("/"));
    tempfile::tempfile_in(folder)?;
    let named = tempfile::Builder::new()
        .prefix(&prefix(target))
        .rand_bytes(RANDOM_LETTERS)
        .make_in(folder, |path| match path.symlink_metadata() {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => Ok(()),
        })?;
    // Nothing is there, so nothing is to be removed.
    named.into_temp_path().keep().map_err(|kept| kept.error)
}

fn prefix(target: &Path) -> OsString {
    let own = target.file_name().unwrap_or_default().as_bytes();
    let mut prefix = OsString::from(".");
    prefix.push(OsStr::from_bytes(&own[..own.len().min(LONGEST_NAME_KEPT)]));
    prefix.push(".paredown-");
    prefix
}
