//! Whose a file is: copies are for nobody who may not read the original, and links of other users are not followed.

use std::fs::{self, File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::Path;

use rustix::process::{getegid, geteuid};

const STICKY: u32 = 0o1000;
const OTHERS_MAY_WRITE: u32 = 0o022;

/// The permission bits for copies of a file. Our files belong to our group: where the original belongs to another, the group
/// gets what everybody has.
pub fn mode_for_copies(original: &Metadata) -> u32 {
    let mode = original.permissions().mode() & 0o777;
    if original.gid() == getegid().as_raw() {
        mode
    } else {
        for_another_group(mode)
    }
}

fn for_another_group(mode: u32) -> u32 {
    let everybody = (mode & 0o007) << 3;
    mode & (0o707 | everybody)
}

/// Gives a new file these permissions, which are meant for this group: the folder may have given the file another one.
pub(super) fn set_permissions(
    file: &File,
    permissions: &Permissions,
    group: u32,
) -> io::Result<()> {
    let is_of_group = || file.metadata().map(|found| found.gid() == group);
    let mode = permissions.mode();
    let mode = if is_of_group()? || fchown(file, None, Some(group)).is_ok() && is_of_group()? {
        mode
    } else {
        for_another_group(mode)
    };
    file.set_permissions(Permissions::from_mode(mode))
}

/// The group that our files are made for.
pub(super) fn own_group() -> u32 {
    getegid().as_raw()
}

/// In a folder where everybody may put files, such as `/tmp`, a link of somebody else is a trap. Some systems refuse to open it,
/// but a file is replaced by its name.
pub(super) fn refuse_trap(path: &Path) -> io::Result<()> {
    let Ok(link) = fs::symlink_metadata(path) else {
        return Ok(());
    };
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let folder = fs::metadata(folder)?;
    let bits = folder.permissions().mode();
    let is_shared = bits & STICKY != 0 && bits & OTHERS_MAY_WRITE != 0;
    let is_trusted = [geteuid().as_raw(), folder.uid()].contains(&link.uid());
    if link.is_symlink() && is_shared && !is_trusted {
        return Err(io::Error::other(
            "it is a link that another user has put there",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_group_gets_what_everybody_has() {
        for (mode, left) in [
            (0o640, 0o600),
            (0o664, 0o644),
            (0o751, 0o711),
            (0o604, 0o604),
        ] {
            assert_eq!(for_another_group(mode), left, "{mode:o}");
        }
    }

    #[test]
    fn a_file_that_cannot_get_its_group_is_for_fewer() {
        let file = tempfile::tempfile().unwrap();
        let mode = |group| {
            set_permissions(&file, &Permissions::from_mode(0o640), group).unwrap();
            file.metadata().unwrap().permissions().mode() & 0o777
        };
        assert_eq!(mode(file.metadata().unwrap().gid()), 0o640);
        // No group has this number, and to change to it is to change nothing.
        assert_eq!(mode(u32::MAX), 0o600);
    }
}
