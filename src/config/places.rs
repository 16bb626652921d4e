//! Where results and reports go, and whether they can be written there.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io, path};

use super::{Check, Input};
use crate::cli::Args;
use crate::error::Error;

/// A place for a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A file, replaced as a whole at every improvement.
    File(PathBuf),
    /// The input itself, replaced at every improvement; the original is kept under another name.
    InPlace {
        /// The input file.
        path: PathBuf,
        /// Where the original is kept.
        original: PathBuf,
    },
    /// Standard output, at the end.
    Stdout,
}

impl Place {
    /// The file at `path`, or standard output for `-`.
    pub(super) fn of(path: &Path) -> Result<Self, Error> {
        if [Path::new("-"), Path::new("/dev/stdout")].contains(&path) {
            return Ok(Self::Stdout);
        }
        writable(path).map(Self::File)
    }

    /// Where the result of reducing `input` goes, one of `inputs` files.
    pub(super) fn of_result(args: &Args, input: &Path, inputs: usize) -> Result<Self, Error> {
        if args.in_place {
            return in_place(input);
        }
        let Some(output) = &args.output else {
            return writable(&input.with_file_name(reduced_name(input))).map(Self::File);
        };
        if output.is_dir() {
            return writable(&output.join(reduced_name(input))).map(Self::File);
        }
        if inputs == 1 {
            return Self::of(output);
        }
        Err(Error::Usage {
            problem: format!(
                "{inputs} files are reduced, but `-o {}` is one place",
                output.display()
            ),
            hint: "give a folder that exists: -o results/".into(),
        })
    }

    /// The file that is written, when it is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) | Self::InPlace { path, .. } => Some(path),
            Self::Stdout => None,
        }
    }
}

/// `bug.c` becomes `bug.reduced.c`, and `bug` becomes `bug.reduced`.
fn reduced_name(input: &Path) -> OsString {
    let mut name = input.file_stem().unwrap_or(input.as_os_str()).to_owned();
    name.push(".reduced");
    if let Some(extension) = input.extension() {
        name.push(".");
        name.push(extension);
    }
    name
}

fn in_place(input: &Path) -> Result<Place, Error> {
    let path = writable(input)?;
    let mut original = path.clone().into_os_string();
    original.push(".orig");
    let original = PathBuf::from(original);
    // A dangling link counts as well: renaming over it would lose it.
    if fs::symlink_metadata(&original).is_ok() {
        return Err(Error::OriginalKept { path: original });
    }
    Ok(Place::InPlace { path, original })
}

/// The absolute path behind `path`, after it was tried whether a file can be made in its folder. A result is written to a new
/// file that then takes the name, so links are followed first: the file that a link names is what should change.
pub(super) fn writable(path: &Path) -> Result<PathBuf, Error> {
    let failed = |source| Error::CannotWrite {
        path: path.to_owned(),
        source,
    };
    let target = match fs::canonicalize(path) {
        Ok(target) => target,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            path::absolute(path).map_err(failed)?
        }
        Err(error) => return Err(failed(error)),
    };
    if let Ok(metadata) = fs::metadata(&target) {
        if !metadata.is_file() {
            return Err(failed(io::Error::other("it is not a file")));
        }
        if metadata.permissions().readonly() {
            return Err(failed(io::ErrorKind::PermissionDenied.into()));
        }
    }
    let folder = target.parent().unwrap_or(Path::new("/"));
    try_folder(folder).map_err(failed)?;
    Ok(target)
}

/// Makes a file and removes it again. The error is the system's own, without the name that was tried.
fn try_folder(folder: &Path) -> io::Result<()> {
    let tried = tempfile::Builder::new()
        .prefix(".paredown-")
        .tempfile_in(folder);
    tried.map(drop).map_err(|error| {
        let system = error
            .get_ref()
            .and_then(|inner| inner.source())
            .and_then(|inner| inner.downcast_ref::<io::Error>());
        system
            .and_then(io::Error::raw_os_error)
            .map_or(error.kind().into(), io::Error::from_raw_os_error)
    })
}

/// One file may not be two things: a result must not replace an input, the check or a report.
pub(super) fn refuse_clashes(
    args: &Args,
    check: &Check,
    inputs: &[Input],
    json: Option<&Place>,
    report: Option<&Path>,
) -> Result<(), Error> {
    let mut taken: Vec<(&str, PathBuf)> = Vec::new();
    for input in inputs {
        taken.push((
            "the input",
            fs::canonicalize(&input.path).unwrap_or_else(|_| input.path.clone()),
        ));
    }
    if let Check::Script(script) = check {
        taken.push((
            "the check",
            fs::canonicalize(script).unwrap_or_else(|_| script.clone()),
        ));
    }
    let results = inputs
        .iter()
        .filter(|_| !args.in_place)
        .filter_map(|input| input.place.path());
    let reports = json.and_then(Place::path).into_iter().chain(report);
    let written = results
        .map(|path| ("the result", path))
        .chain(reports.map(|path| ("a report", path)));
    for (what, path) in written {
        if let Some((other, _)) = taken.iter().find(|(_, taken)| taken == path) {
            return Err(clash(what, other, path));
        }
        taken.push((what, path.to_owned()));
    }
    let stdout_twice =
        json == Some(&Place::Stdout) && inputs.iter().any(|input| input.place == Place::Stdout);
    if stdout_twice {
        Err(clash("the result", "the JSON lines", Path::new("-")))
    } else {
        Ok(())
    }
}

fn clash(what: &str, other: &str, path: &Path) -> Error {
    let hint = match other {
        "the input" if what == "the result" => {
            "to rewrite the input itself and keep the original beside it: -i"
        }
        _ => "give each a place of its own: -o result, --json events.jsonl, --report report.html",
    };
    Error::Usage {
        problem: format!(
            "{what} and {other} would be the same file: {}",
            path.display()
        ),
        hint: hint.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_named_after_its_input() {
        for (input, result) in [
            ("a/bug.c", "bug.reduced.c"),
            ("bug", "bug.reduced"),
            (".bashrc", ".bashrc.reduced"),
            ("x.tar.gz", "x.tar.reduced.gz"),
        ] {
            assert_eq!(reduced_name(Path::new(input)), result);
        }
    }
}
