//! Which file may be meant by a name that does not exist.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Entries of a folder that are looked at: a guess must not take time.
const MOST_ENTRIES: usize = 10_000;

/// The file with the most similar name in the same folder; if no name is similar, one of exactly this name in a folder beside,
/// above or below it.
pub(super) fn file(missing: &Path) -> Option<PathBuf> {
    let name = missing.file_name()?;
    let folder = missing.parent()?;
    similar_in(folder, name).or_else(|| same_name_near(folder, name))
}

fn similar_in(folder: &Path, name: &OsStr) -> Option<PathBuf> {
    let wanted = name.to_string_lossy();
    // One slip for three letters, and what is only written in other capitals.
    let most = wanted.chars().count().div_ceil(3).min(3);
    let files = entries(folder).filter(|path| path.is_file());
    let rated = files.filter_map(|path| {
        let found = path.file_name()?.to_string_lossy().into_owned();
        let distance = if found.to_lowercase() == wanted.to_lowercase() {
            0
        } else {
            strsim::damerau_levenshtein(&found, &wanted)
        };
        (distance <= most).then_some((distance, path))
    });
    rated.min().map(|(_, path)| path)
}

fn same_name_near(folder: &Path, name: &OsStr) -> Option<PathBuf> {
    let above = folder.join("..").join(name);
    let below = entries(folder).map(|path| path.join(name));
    let mut near = below.filter(|path| path.is_file()).collect::<Vec<_>>();
    near.sort();
    near.into_iter()
        .next()
        .or_else(|| Some(above).filter(|path| path.is_file()))
}

/// The paths as the user would type them.
fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let here = if folder == Path::new("") {
        Path::new(".")
    } else {
        folder
    };
    let entries = fs::read_dir(here).into_iter().flatten().flatten();
    let entries = entries.take(MOST_ENTRIES);
    entries.map(|entry| folder.join(entry.file_name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_another_capital_and_another_folder_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("src")).unwrap();
        for name in ["check.sh", "Bug.c", "zz.c", "src/far_away.c"] {
            fs::write(root.join(name), "x").unwrap();
        }
        for (typed, meant) in [
            ("chekc.sh", Some("check.sh")),
            ("bug.c", Some("Bug.c")),
            ("far_away.c", Some("src/far_away.c")),
            ("src/check.sh", Some("src/../check.sh")),
            ("nothing_like_it.c", None),
            ("no/such/folder.c", None),
        ] {
            let meant = meant.map(|meant| root.join(meant));
            assert_eq!(file(&root.join(typed)), meant, "{typed}");
        }
    }
}
