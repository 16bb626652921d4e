//! No place that is written to may be one that is read from, or another one that is written to, whatever its spelling.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::inputs::{Input, Inputs};
use crate::error::Error;
use crate::oracle::Check;
use crate::output::{backups, is_backup_of, real_path};

/// A place and what it is for.
#[derive(Debug)]
pub(super) struct Named {
    what: &'static str,
    path: PathBuf,
    real: PathBuf,
    /// Device and inode, which all names of a file share.
    id: Option<(u64, u64)>,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    /// An input that is its own result.
    Rewritten,
    /// An input: what `-i` keeps of it stands beside it.
    Input,
    /// What an earlier `-i` has kept of an input.
    Backup,
    /// Nothing else may be in it.
    Folder,
    /// New files are put into it, and nothing that is there is ever touched.
    FolderOfFinds,
}

impl Named {
    pub(super) fn file(what: &'static str, path: &Path) -> Self {
        Self::new(what, path, Kind::File)
    }

    pub(super) fn rewritten_input(path: &Path) -> Self {
        Self::new("the result", path, Kind::Rewritten)
    }

    pub(super) fn state_folder(path: &Path) -> Self {
        Self::new("the state", path, Kind::Folder)
    }

    /// The results of a folder, which takes the place of all that is there.
    pub(super) fn result_folder(path: &Path) -> Self {
        Self::new("the result", path, Kind::Folder)
    }

    pub(super) fn folder_of_finds(path: &Path) -> Self {
        Self::new("what is also interesting", path, Kind::FolderOfFinds)
    }

    /// Standard output, which may be any file.
    pub(super) fn stdout(what: &'static str) -> Self {
        let copy = io::stdout().as_fd().try_clone_to_owned();
        let found = copy.and_then(|copy| File::from(copy).metadata()).ok();
        let id = found.filter(|found| found.is_file() || found.file_type().is_fifo());
        Self {
            what,
            path: "-".into(),
            real: "-".into(),
            id: id.map(|found| (found.dev(), found.ino())),
            kind: Kind::File,
        }
    }

    fn new(what: &'static str, path: &Path, kind: Kind) -> Self {
        let found = fs::metadata(path).ok();
        Self {
            what,
            path: path.to_owned(),
            real: real_path(path),
            id: found.map(|found| (found.dev(), found.ino())),
            kind,
        }
    }

    /// Devices, such as `/dev/null`, may be written by many.
    fn is_device(&self) -> bool {
        let kind = fs::metadata(&self.path).map(|found| found.file_type());
        kind.is_ok_and(|kind| kind.is_char_device() || kind.is_block_device())
    }

    fn is_same(&self, other: &Self) -> bool {
        let same_file = self.id.is_some() && self.id == other.id;
        (self.real == other.real || same_file) && !self.is_device()
    }

    fn contains(&self, other: &Self) -> bool {
        other.real != self.real && other.real.starts_with(&self.real)
    }
}

/// What a run reads.
pub(super) fn read(check: &Check, inputs: &Inputs) -> Vec<Named> {
    let named = |path: &Path| Named::new("the input", path, Kind::Input);
    let is_in_folder = |input: &&Input| {
        let folder = inputs.folder.as_ref();
        folder.is_some_and(|folder| input.path().starts_with(folder.path()))
    };
    let files = || {
        let files = inputs.files.iter().filter(|input| !input.is_stdin());
        files.filter(|input| !is_in_folder(input))
    };
    let folder = inputs.folder.as_ref();
    let mut read: Vec<Named> = files().map(|input| named(input.path())).collect();
    read.extend(folder.map(|folder| named(folder.path())));
    let kept = |input: &Input| {
        let copies = backups(&real_path(input.path()));
        copies
            .into_iter()
            .map(|path| Named::new("a kept original", &path, Kind::Backup))
    };
    read.extend(files().flat_map(kept));
    match check {
        Check::Script { program } => read.push(Named::file("the check", program)),
        Check::Command { words, conditions } => {
            let second = conditions.differs.as_ref();
            let second = second
                .into_iter()
                .flat_map(|differs| differs.words.iter().skip(1));
            let words: Vec<&OsString> = words.iter().chain(second).collect();
            let named = words.into_iter().enumerate().flat_map(|(index, word)| {
                let is_looked_for = index == 0 && !word.as_bytes().contains(&b'/');
                let paths = if is_looked_for {
                    vec![]
                } else {
                    paths_in(word)
                };
                paths.into_iter()
            });
            let named = named.map(|path| Named::file("a file that the command names", path));
            // The candidate stands under its own name where the command runs.
            let is_input = |file: &Named| read.iter().any(|input| file.is_same(input));
            let others: Vec<Named> = named.filter(|file| !is_input(file)).collect();
            read.extend(others);
        }
    }
    read
}

/// A word of a command, and the absolute paths in it: `--config=/etc/x`, `-I/usr/include`, a whole script for `sh -c`. Where
/// the check runs no relative path leads to a file of the user's.
fn paths_in(word: &OsStr) -> Vec<&Path> {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`=,:;|&<>()${}".contains(byte);
    let pieces = word.as_bytes().split(ends);
    let absolute = pieces.filter_map(|piece| {
        let slash = piece.iter().position(|&byte| byte == b'/')?;
        Some(&piece[slash..])
    });
    std::iter::once(word.as_bytes())
        .filter(|word| !word.is_empty())
        .chain(absolute)
        .map(|bytes| Path::new(OsStr::from_bytes(bytes)))
        .collect()
}

/// # Errors
/// [`Error::Usage`] for the first two that are the same.
pub(super) fn refuse(read: &[Named], written: &[Named]) -> Result<(), Error> {
    for (index, place) in written.iter().enumerate() {
        for other in read {
            refuse_one(place, other)?;
        }
        for other in &written[..index] {
            refuse_one(place, other)?;
        }
    }
    Ok(())
}

fn refuse_one(place: &Named, other: &Named) -> Result<(), Error> {
    use Kind::{Backup, Folder, FolderOfFinds, Input, Rewritten};
    let is_own = match (place.kind, other.kind) {
        (Rewritten, Input) => place.path == other.path,
        // A run that was killed may have left two names of one file.
        (Rewritten, Backup) => place.real != other.real,
        _ => false,
    };
    if is_own {
        return Ok(());
    }
    if place.is_same(other) {
        return Err(clash(place, other));
    }
    // What `-i` keeps of the input, whether or not this run has `-i`.
    if other.kind == Input && is_backup_of(&place.real, &other.real) {
        return Err(is_for("what -i keeps of the input", place));
    }
    let is_written = !matches!(other.kind, Input | Backup);
    for (folder, inside) in [(place, other), (other, place)] {
        let is_closed = folder.kind == Folder || folder.kind == FolderOfFinds && is_written;
        if is_closed && folder.contains(inside) {
            return Err(lies_in(inside, folder));
        }
    }
    Ok(())
}

fn clash(place: &Named, other: &Named) -> Error {
    let hint = match other.kind {
        Kind::Input if place.what == "the result" => {
            "to rewrite the input itself and keep the original beside it: -i"
        }
        _ => "give each a place of its own: -o result, --json events.jsonl, --report report.html",
    };
    Error::Usage {
        problem: format!(
            "{} and {} would be the same file: {}",
            place.what,
            other.what,
            place.path.display()
        ),
        hint: hint.into(),
    }
}

fn is_for(what: &str, place: &Named) -> Error {
    Error::Usage {
        problem: format!(
            "{} would take a name that is for {what}: {}",
            place.what,
            place.path.display()
        ),
        hint: "choose a name that does not end with .orig".into(),
    }
}

fn lies_in(inside: &Named, folder: &Named) -> Error {
    Error::Usage {
        problem: format!(
            "the folder {} is for {} alone, but {} is in it: {}",
            folder.path.display(),
            folder.what,
            inside.what,
            inside.path.display()
        ),
        hint: "give each a place of its own: -o result, --json events.jsonl, --state new-folder"
            .into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_and_the_absolute_paths_in_it_are_found() {
        for (word, paths) in [
            ("ref.txt", &["ref.txt"][..]),
            ("--config=/etc/x", &["--config=/etc/x", "/etc/x"]),
            ("-I/usr/include", &["-I/usr/include", "/usr/include"]),
            ("cmp /a/b '/c'", &["cmp /a/b '/c'", "/a/b", "/c"]),
            ("a:/b:c/d", &["a:/b:c/d", "/b", "/d"]),
        ] {
            let found: Vec<&Path> = paths_in(OsStr::new(word));
            assert_eq!(found, paths.iter().map(Path::new).collect::<Vec<_>>());
        }
    }
}
