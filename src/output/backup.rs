//! What stands under the name of a file that is rewritten in place stays beside it.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::{OutputError, fresh, owners, write_error};

/// A content that is to be kept before its file is replaced for the first time.
#[derive(Debug)]
pub(super) struct Backup {
    path: PathBuf,
    content: Vec<u8>,
}

/// More copies than that are a mistake.
const MOST: u32 = 1000;

/// Where the original stays when it is replaced: `bug.c` becomes `bug.c.orig`.
fn backup_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".orig");
    name.into()
}

/// Where the originals of `path` stay that earlier runs have kept: `bug.c.orig`, `bug.c.orig.1` …, as far as they are there.
pub fn backups(path: &Path) -> Vec<PathBuf> {
    let is_there = |name: &PathBuf| fs::symlink_metadata(name).is_ok();
    names(path).take_while(is_there).collect()
}

/// Whether `path` may be one of these names, whatever is there.
pub fn is_backup_of(path: &Path, original: &Path) -> bool {
    let first = backup_path(original).into_os_string().into_encoded_bytes();
    let rest = path.as_os_str().as_encoded_bytes().strip_prefix(&*first);
    let is_number = |digits: &[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix(b".").is_some_and(is_number))
}

fn names(path: &Path) -> impl Iterator<Item = PathBuf> {
    let first = backup_path(path);
    let numbered = move |number: u32| {
        let mut name = first.as_os_str().to_owned();
        if number > 0 {
            name.push(format!(".{number}"));
        }
        PathBuf::from(name)
    };
    (0..MOST).map(numbered)
}

impl Backup {
    /// What must be kept of the file at `path`, which has this content now: nothing when a copy has it. That it could be made from
    /// a copy by taking parts away does not tell that a run has made it: nearly every short text can be made so from a long one.
    pub(super) fn if_needed(path: &Path, content: Vec<u8>) -> Result<Option<Self>, OutputError> {
        for name in names(path) {
            match fs::metadata(&name) {
                Ok(found) if found.is_file() => {
                    let copy = fs::read(&name).map_err(|source| write_error(&name, source))?;
                    if copy == content {
                        return Ok(None);
                    }
                }
                Ok(_) => return Err(OutputError::BackupExists(name)),
                Err(_) if fs::symlink_metadata(&name).is_ok() => {
                    return Err(OutputError::BackupExists(name));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Ok(Some(Self {
                        path: name,
                        content,
                    }));
                }
                Err(error) => return Err(write_error(&name, error)),
            }
        }
        Err(OutputError::BackupExists(backup_path(path)))
    }

    /// Where it will be.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file a second name, which is done as a whole or not at all; where there is no such thing, a copy is made.
    pub(super) fn make(
        &self,
        path: &Path,
        permissions: &Permissions,
        group: u32,
    ) -> Result<(), OutputError> {
        if has_content(path, &self.content) && fs::hard_link(path, &self.path).is_ok() {
            return Ok(());
        }
        let written = fresh::create(&self.path).and_then(|mut file| {
            io::Write::write_all(&mut file, &self.content)?;
            let permissions = Permissions::from_mode(permissions.mode() & 0o777);
            owners::set_permissions(&file, &permissions, group)?;
            file.sync_data()
        });
        written.map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => OutputError::BackupExists(self.path.clone()),
            _ => write_error(&self.path, source),
        })
    }
}

/// Whether a plain file has this content. Nothing else is read: a pipe would block, and a device has no end.
fn has_content(path: &Path, content: &[u8]) -> bool {
    let is_as_long = |found: fs::Metadata| found.is_file() && found.len() == content.len() as u64;
    fs::metadata(path).is_ok_and(is_as_long) && fs::read(path).is_ok_and(|bytes| bytes == content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_copies_are_told_from_others() {
        let of = |name: &str| is_backup_of(Path::new(name), Path::new("/a/bug.c"));
        assert!(of("/a/bug.c.orig") && of("/a/bug.c.orig.12"));
        assert!(!of("/a/bug.c") && !of("/a/bug.c.original") && !of("/a/bug.c.orig.html"));
    }
}
