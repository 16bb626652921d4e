//! No place that is written to may be one that is read from, or another one that is written to, whatever its spelling.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::inputs::{Input, Inputs};
use super::{grammar, launcher};
use crate::cli::Args;
use crate::error::Error;
use crate::oracle::Check;
use crate::output::{backups, is_backup_of, real_path};

/// What the files begin with that runs write: JSON lines, those of a batch, report, summary, recording.
const BEGINNINGS: [&[u8]; 5] = [
    b"{\"event\":\"run\",",
    b"{\"bug\":",
    b"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta name=\"generator\" content=\"paredown\">\n",
    b"## paredown: ",
    b"paredown recording ",
];
const LONGEST_BEGINNING: u64 = 100;

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
        Self {
            what,
            path: "-".into(),
            real: "-".into(),
            id: id_of_stream(&io::stdout()),
            kind: Kind::File,
        }
    }

    /// Standard input, which may be any file.
    fn stdin() -> Self {
        Self {
            what: "standard input",
            path: "-".into(),
            real: "standard input".into(),
            id: id_of_stream(&io::stdin()),
            kind: Kind::File,
        }
    }

    /// A file that has other names.
    fn is_linked(&self) -> bool {
        fs::metadata(&self.path).is_ok_and(|found| found.is_file() && found.nlink() > 1)
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

/// Device and inode of a file or a pipe that the process was started with. Terminals and devices are for many.
fn id_of_stream(stream: &impl AsFd) -> Option<(u64, u64)> {
    let copy = stream.as_fd().try_clone_to_owned();
    let found = copy.and_then(|copy| File::from(copy).metadata()).ok();
    let found = found.filter(|found| found.is_file() || found.file_type().is_fifo());
    found.map(|found| (found.dev(), found.ino()))
}

/// What a run reads.
pub(super) fn read(args: &Args, check: &Check, inputs: &Inputs) -> Vec<Named> {
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
    if inputs.files.iter().any(Input::is_stdin) {
        read.push(Named::stdin());
    }
    read.extend(of_options(args));
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

/// The files that options name.
fn of_options(args: &Args) -> Vec<Named> {
    let mut read = Vec::new();
    let mut add = |what, path: &Path| read.push(Named::file(what, path));
    for path in &args.rewrites {
        add("a file of rewrites", path);
    }
    let grammar = args.input.grammar.as_deref().map(grammar::files);
    for path in grammar.iter().flatten() {
        add("a file of the grammar", path);
    }
    let launcher = args.launch.launcher.as_deref();
    if let Some(path) = launcher.and_then(launcher::file) {
        add("the launcher", path);
    }
    let commands = args.input.transform.iter().map(String::as_str);
    for path in commands
        .chain(launcher)
        .flat_map(|text| paths_in(text.as_ref()))
    {
        add("a file that a command names", path);
    }
    read
}

/// What stands in a folder that is reduced belongs to the input, unless an earlier run has written it there.
///
/// # Errors
/// [`Error::Usage`] for the first place that is such a file.
pub(super) fn refuse_parts(
    folders: &[&Path],
    inputs: &Inputs,
    written: &[Named],
) -> Result<(), Error> {
    let folders: Vec<Named> = folders
        .iter()
        .map(|path| Named::new("the input", path, Kind::Input))
        .collect();
    for place in written.iter().filter(|place| place.kind == Kind::File) {
        let is_inside = folders.iter().any(|folder| folder.contains(place));
        if is_inside && is_of_user(&place.path) {
            return Err(part_of_input(place));
        }
        let is_part = |input: &Input| place.is_same(&Named::file("the input", input.path()));
        if !folders.is_empty() && place.is_linked() && inputs.files.iter().any(is_part) {
            return Err(part_of_input(place));
        }
    }
    Ok(())
}

/// Whether something is there that no run has written.
pub(super) fn is_of_user(path: &Path) -> bool {
    let Ok(found) = fs::metadata(path) else {
        return false;
    };
    if !found.is_file() {
        return found.is_dir();
    }
    let mut begin = Vec::new();
    let read =
        File::open(path).and_then(|file| file.take(LONGEST_BEGINNING).read_to_end(&mut begin));
    let is_ours = BEGINNINGS.iter().any(|ours| begin.starts_with(ours));
    read.is_err() || !begin.is_empty() && !is_ours
}

fn part_of_input(place: &Named) -> Error {
    Error::Usage {
        problem: format!(
            "{} would take the place of a part of the input: {}",
            place.what,
            place.path.display()
        ),
        hint: "choose a name that nothing has yet, or one outside of the folder".into(),
    }
}

/// Where the lines of a batch go: to no file that it reads, and to nothing of the user's in its folder.
///
/// # Errors
/// [`Error::Usage`] otherwise.
pub(super) fn refuse_in_batch(
    args: &Args,
    folder: &Path,
    read: &[&Path],
    json: &Path,
) -> Result<(), Error> {
    let place = Named::file("the JSON lines", json);
    let inputs = read
        .iter()
        .map(|path| Named::new("the input", path, Kind::Input));
    let words = args.command.iter().flat_map(|word| paths_in(word));
    let words = words.map(|path| Named::file("a file that the command names", path));
    let read: Vec<Named> = inputs.chain(words).chain(of_options(args)).collect();
    refuse(&read, std::slice::from_ref(&place))?;
    let folder = real_path(folder);
    let is_in_bug = place.real.starts_with(&folder) && place.real.parent() != Some(&*folder);
    if is_in_bug || place.real.starts_with(&folder) && is_of_user(json) {
        return Err(part_of_input(&place));
    }
    Ok(())
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
    fn files_that_options_name_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let grammar = folder.path().join("src/grammar.json");
        let style = folder.path().join("style");
        fs::create_dir(folder.path().join("src")).unwrap();
        fs::write(&grammar, "{}").unwrap();
        fs::write(&style, "mine").unwrap();
        let transform = format!("format --style={} @@", style.display());
        let words = ["paredown", "--transform", &transform, "--grammar"].map(OsString::from);
        let words = words.into_iter().chain([folder.path().into()]);
        let read = of_options(&Args::from_words(words).unwrap());
        for (path, said) in [
            (
                &grammar,
                "the result and a file of the grammar would be the same",
            ),
            (
                &style,
                "the result and a file that a command names would be the same",
            ),
        ] {
            let refused = refuse(&read, &[Named::file("the result", path)]).unwrap_err();
            assert!(refused.to_string().starts_with(said), "{refused}");
        }
    }

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
