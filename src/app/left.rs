//! What to say about files that the check left in its folders and that we may not or cannot remove.

use std::io;
use std::path::Path;

use crate::error::{plain, shell_word};
use crate::oracle::Left;

/// So many mounts fit on a command line that people want to read.
const MOUNTS_NAMED: usize = 10;

/// Names the first of them and gives the command that removes all; `None` when nothing is left.
pub(super) fn warning(run_folder: &Path, left: &[Left]) -> Option<String> {
    let first = left.first()?;
    let others = match left.len() - 1 {
        0 => String::new(),
        1 => " and 1 other".to_owned(),
        others => format!(" and {others} others"),
    };
    Some(format!(
        "the check left {}{others}, which cannot be removed ({}); {}",
        shell_word(&first.path),
        plain(&first.source),
        what_to_do(run_folder, left)
    ))
}

/// What is mounted must be gone before anything is removed: it may be a folder of the user's.
fn what_to_do(run_folder: &Path, left: &[Left]) -> String {
    let is_mount = |left: &&Left| !matches!(left.source.kind(), io::ErrorKind::PermissionDenied);
    let mounts: Vec<String> = left
        .iter()
        .filter(is_mount)
        .map(|left| shell_word(&left.path))
        .collect();
    let folder = shell_word(run_folder);
    let remove = format!("rm -r {folder}");
    if mounts.len() > MOUNTS_NAMED {
        return format!("unmount all that is mounted in {folder}, and then, as root: {remove}");
    }
    let unmount = format!("umount {} && ", mounts.join(" "));
    let unmount = if mounts.is_empty() { "" } else { &unmount };
    let is_immutable = |left: &Left| left.source.raw_os_error() == Some(EPERM);
    let remove = if left.iter().any(is_immutable) {
        format!("(chattr -R -ia {folder}; {remove})")
    } else {
        remove
    };
    format!("as root: {unmount}{remove}")
}

/// The system's number for an operation that even the owner may not do.
const EPERM: i32 = 1;

#[cfg(test)]
mod tests {
    use super::*;

    fn left(path: &str, error: i32) -> Left {
        Left {
            path: path.into(),
            source: io::Error::from_raw_os_error(error),
        }
    }

    #[test]
    fn nothing_left_is_nothing_to_say() {
        assert_eq!(warning(Path::new("/run"), &[]), None);
    }

    #[test]
    fn mounts_go_first_and_flags_before_files() {
        const EACCES: i32 = 13;
        const EBUSY: i32 = 16;
        let command = |left: &[Left]| {
            let warning = warning(Path::new("/run"), left).unwrap();
            warning.split_once("; ").unwrap().1.to_owned()
        };
        let mount = || left("/run/0/a b", EBUSY);
        let (immutable, foreign) = (left("/run/0/c", EPERM), left("/run/0/d", EACCES));
        assert_eq!(command(&[foreign]), "as root: rm -r /run");
        assert_eq!(
            command(&[immutable, mount()]),
            "as root: umount '/run/0/a b' && (chattr -R -ia /run; rm -r /run)"
        );
        assert_eq!(
            warning(Path::new("/run"), &[left("/run/0/c", EPERM), mount()]).unwrap(),
            "the check left /run/0/c and 1 other, which cannot be removed (operation not permitted); as root: umount '/run/0/a b' && (chattr -R -ia /run; rm -r /run)"
        );
        let many: Vec<Left> = (0..11).map(|_| mount()).collect();
        assert_eq!(
            command(&many),
            "unmount all that is mounted in /run, and then, as root: rm -r /run"
        );
    }
}
