//! The one spelling of a path, also of a path to what does not exist yet.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::path::{self, Component, Path, PathBuf};

/// As many links in a row are followed, as the system does.
const MOST_LINKS: u32 = 40;

/// The path with all links followed and without `.` and `..`: what opening `path` for writing would reach. Unlike
/// [`fs::canonicalize`] it answers for what does not exist too, also behind a link that leads nowhere.
pub fn real_path(path: &Path) -> PathBuf {
    if let Ok(real) = fs::canonicalize(path) {
        return real;
    }
    let absolute = path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut left: VecDeque<OsString> = words(&absolute).collect();
    let (mut real, mut links) = (PathBuf::from("/"), 0);
    while let Some(word) = left.pop_front() {
        if word == ".." {
            real.pop();
            continue;
        }
        let next = real.join(&word);
        match fs::read_link(&next) {
            Ok(target) if links < MOST_LINKS => {
                links += 1;
                if target.is_absolute() {
                    real = PathBuf::from("/");
                }
                for word in words(&target).rev() {
                    left.push_front(word);
                }
            }
            _ => real = next,
        }
    }
    real
}

/// The names and the `..` of a path.
fn words(path: &Path) -> impl DoubleEndedIterator<Item = OsString> {
    let named = |part: &Component<'_>| matches!(part, Component::Normal(_) | Component::ParentDir);
    path.components()
        .filter(named)
        .map(|part| part.as_os_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn all_spellings_of_one_place_are_one() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir_all(root.join("real/deep")).unwrap();
        fs::write(root.join("real/there"), "").unwrap();
        symlink("real", root.join("link")).unwrap();
        symlink("link/missing", root.join("dangling")).unwrap();
        symlink(root.join("dangling"), root.join("twice")).unwrap();
        for (spelling, meant) in [
            ("real/there", "real/there"),
            ("link/./there", "real/there"),
            ("link/deep/../there", "real/there"),
            ("link/missing", "real/missing"),
            ("dangling", "real/missing"),
            ("twice", "real/missing"),
            ("link/no/such", "real/no/such"),
            ("no/../real/missing", "real/missing"),
        ] {
            assert_eq!(
                real_path(&root.join(spelling)),
                root.join(meant),
                "{spelling}"
            );
        }
    }

    #[test]
    fn links_in_a_circle_have_an_end() {
        let folder = tempfile::tempdir().unwrap();
        let circle = folder.path().join("circle");
        symlink("circle", &circle).unwrap();
        assert_eq!(real_path(&circle).file_name(), circle.file_name());
    }
}
