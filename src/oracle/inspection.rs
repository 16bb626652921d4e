//! A folder that stays, so that the user can repeat a run by hand. Only the newest stays: the older ones go when a new one is
//! made, unless somebody has worked in them.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::layout::{Changing, Layout};
use super::removal::{OURS_ALONE, make_folder};

const PREFIX: &str = "paredown-failed-";
/// They tell our folders from what users name like that.
const RANDOM_LETTERS: usize = 12;

/// Makes a folder with the candidate and its companions, with the permissions that they have in a run. Returns where the
/// check is to be run.
pub(super) fn keep(layout: &Layout, candidate: &[u8]) -> io::Result<PathBuf> {
    let base = std::env::temp_dir();
    let folder = tempfile::Builder::new()
        .prefix(PREFIX)
        .rand_bytes(RANDOM_LETTERS)
        .permissions(Permissions::from_mode(OURS_ALONE))
        .tempdir_in(&base)?;
    let work = layout.work(folder.path());
    make_folder(&work)?;
    layout.place(&work, candidate)?;
    let mut files = layout.placed(&work, candidate);
    files.insert(work.clone());
    if let Changing::File { name, .. } = &layout.candidate {
        files.insert(work.join(name));
    }
    // What is in a folder before the folder.
    seal(folder.path(), &files.into_iter().rev().collect::<Vec<_>>())?;
    remove_older(&base, folder.path());
    let _ = folder.keep();
    Ok(work)
}

/// Gives all the same time, which shows that nobody has changed anything since.
fn seal(folder: &Path, files: &[PathBuf]) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, utimensat};
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let now = now.unwrap_or_default();
    let time = Timespec {
        tv_sec: now.as_secs().cast_signed(),
        tv_nsec: now.subsec_nanos().into(),
    };
    let times = Timestamps {
        last_access: time,
        last_modification: time,
    };
    for path in files.iter().map(PathBuf::as_path).chain([folder]) {
        utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW)?;
    }
    Ok(())
}

/// That one cannot be removed is no reason to stop.
fn remove_older(base: &Path, newest: &Path) {
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        let path = entry.path();
        if path != newest && is_ours(&path) && is_untouched(&path).unwrap_or(false) {
            let _ = fs::remove_dir_all(&path);
        }
    }
}

fn is_ours(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default();
    let random = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
    let is_name = random.is_some_and(|random| {
        random.len() == RANDOM_LETTERS && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    is_name
        && fs::symlink_metadata(folder).is_ok_and(|found| {
            let is_private = found.mode() & 0o7777 == OURS_ALONE;
            found.is_dir() && is_private && found.uid() == rustix::process::geteuid().as_raw()
        })
}

fn is_untouched(folder: &Path) -> io::Result<bool> {
    let sealed = fs::symlink_metadata(folder)?.modified()?;
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let found = entry.metadata()?;
            if found.modified()? != sealed {
                return Ok(false);
            }
            if found.is_dir() {
                open.push(entry.path());
            }
        }
    }
    Ok(true)
}
