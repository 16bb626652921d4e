//! Taking away what a check left in its folders, whatever it is.
//!
//! Any of them may be something else by then, such as a link to a folder of the user's or a place where one is mounted, so
//! nothing is entered or changed before it was seen to be a folder itself.
//!
//! A check may leave what cannot be removed: a mount, an immutable file, a folder that a container made as another user. All
//! else is removed then, and the caller is told what is [`Left`].

use std::fs::{self, DirEntry, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::io::Errno;

use crate::platform::look_at;

/// The permission bits of our folders.
pub(super) const OURS_ALONE: u32 = 0o700;

/// What a check left and we cannot remove.
#[derive(Debug)]
pub struct Left {
    /// Where it is.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// The first of what is left as an error.
pub(super) fn refuse(left: Vec<Left>) -> io::Result<()> {
    left.into_iter().next().map_or(Ok(()), |left| {
        let why = format!("cannot remove {}: {}", left.path.display(), left.source);
        Err(io::Error::new(left.source.kind(), why))
    })
}

/// Removes whatever has this name, as far as possible. When nothing is left, nothing has the name any more.
pub(super) fn discard(path: &Path, trash: &Path) -> Vec<Left> {
    let left = |source| {
        let path = path.to_owned();
        vec![Left { path, source }]
    };
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => left(error),
        Ok(found) if !found.is_dir() => fs::remove_file(path).map_or_else(left, |()| Vec::new()),
        Ok(_) => {
            let inside = empty(path, trash);
            if !inside.is_empty() {
                return inside;
            }
            fs::remove_dir(path).map_or_else(left, |()| Vec::new())
        }
    }
}

/// Removes all entries of a folder, as far as possible. Folders inside are first moved up to `trash`, so that neither the depth
/// of the tree nor the length of its paths matters, and links are never followed.
pub(super) fn empty(folder: &Path, trash: &Path) -> Vec<Left> {
    let mut left = Vec::new();
    let mut moved = vec![folder.to_owned()];
    while let Some(dir) = moved.pop() {
        let left_before = left.len();
        let mut keep = |path: PathBuf, source| left.push(Left { path, source });
        match entries_of(&dir) {
            Err(source) => keep(dir.clone(), source),
            Ok(entries) => {
                for entry in entries {
                    match remove_or_move(&entry, trash) {
                        Ok(place) => moved.extend(place),
                        Err(source) => keep(entry.path(), source),
                    }
                }
            }
        }
        if dir != folder
            && left.len() == left_before
            && let Err(source) = fs::remove_dir(&dir)
        {
            left.push(Left { path: dir, source });
        }
    }
    left
}

fn entries_of(folder: &Path) -> io::Result<Vec<DirEntry>> {
    open_up(folder)?;
    fs::read_dir(folder)?.collect()
}

/// Removes what is no folder. A folder goes to `trash`; returns where it is then.
fn remove_or_move(entry: &DirEntry, trash: &Path) -> io::Result<Option<PathBuf>> {
    let path = entry.path();
    if !entry.file_type()?.is_dir() {
        return fs::remove_file(path).map(|()| None);
    }
    // Who may not look into a folder of somebody else's may still remove an empty one.
    let Err(error) = open_up(&path) else {
        let place = trash.join(name_of_trash());
        return fs::rename(path, &place).map(|()| Some(place));
    };
    fs::remove_dir(path).map(|()| None).map_err(|_| error)
}

/// One that was never given out before, and that no check uses by chance.
fn name_of_trash() -> String {
    static GIVEN_OUT: AtomicU64 = AtomicU64::new(0);
    let number = GIVEN_OUT.fetch_add(1, Ordering::Relaxed);
    format!("paredown-trash-{number}")
}

/// Makes a folder of ours alone, or takes the one that is there. An error if something else is there.
pub(super) fn make_folder(path: &Path) -> io::Result<()> {
    match fs::DirBuilder::new().mode(OURS_ALONE).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => open_up(path),
        made => made,
    }
}

/// Gives us all permissions for a folder. An error for anything else: a link would be followed, and what is mounted in a
/// folder's place belongs to somebody else.
fn open_up(folder: &Path) -> io::Result<()> {
    let found = look_at(folder)?;
    if !found.is_folder {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    if found.is_mounted {
        return Err(Errno::BUSY.into());
    }
    if found.mode & 0o7777 == OURS_ALONE {
        return Ok(());
    }
    fs::set_permissions(folder, Permissions::from_mode(OURS_ALONE))
}

/// Removes a run's folder with all that is in it, as far as possible, and returns what is left. The check may have left folders
/// that a plain removal cannot enter. It may even have put something else in its place, which is none of our business.
pub(super) fn remove_run_folder(folder: &Path) -> Vec<Left> {
    let Ok(entries) = entries_of(folder) else {
        return Vec::new();
    };
    let left: Vec<Left> = entries
        .iter()
        .flat_map(|entry| discard(&entry.path(), folder))
        .collect();
    let _ = fs::remove_dir(folder);
    left
}
