//! Where results and reports go, and that no two of them, and nothing that is read, are the same file.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io, path};

use super::Input;
use crate::cli::Args;
use crate::error::Error;

/// A place for a result. Whether it can be written there is found out when it is opened, before any work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A file, replaced as a whole at every improvement.
    File(PathBuf),
    /// The input itself, replaced at every improvement; the original is kept beside it.
    InPlace(PathBuf),
    /// Standard output, at the end.
    Stdout,
}

impl Place {
    /// The file at `path`, or standard output for `-`.
    pub(super) fn of(path: &Path) -> Result<Self, Error> {
        if [Path::new("-"), Path::new("/dev/stdout")].contains(&path) {
            return Ok(Self::Stdout);
        }
        refuse_read_only(path)?;
        Ok(Self::File(path.to_owned()))
    }

    /// Where the result of reducing `input` goes, one of `inputs` files.
    pub(super) fn of_result(args: &Args, input: &Path, inputs: usize) -> Result<Self, Error> {
        if args.in_place {
            refuse_read_only(input)?;
            return Ok(Self::InPlace(input.to_owned()));
        }
        let Some(output) = &args.output else {
            return Self::of(&input.with_file_name(reduced_name(input)));
        };
        if output.is_dir() {
            return Self::of(&output.join(reduced_name(input)));
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
            Self::File(path) | Self::InPlace(path) => Some(path),
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

/// Taking a name only needs a folder that can be written, but who made a file read-only does not want to lose it.
fn refuse_read_only(path: &Path) -> Result<(), Error> {
    let read_only = fs::metadata(path)
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().readonly());
    if read_only {
        let source = io::Error::other("it is read-only");
        return Err(Error::CannotWrite {
            path: path.to_owned(),
            source,
        });
    }
    Ok(())
}

/// One file may not be two things: a result must not replace an input, the check or a report.
pub(super) fn refuse_clashes(
    script: Option<&Path>,
    inputs: &[Input],
    json: Option<&Place>,
    report: Option<&Path>,
) -> Result<(), Error> {
    let mut taken: Vec<(&str, PathBuf)> = Vec::new();
    taken.extend(inputs.iter().map(|input| ("the input", real(&input.path))));
    taken.extend(script.map(|script| ("the check", real(script))));
    let results = inputs
        .iter()
        .filter(|input| !matches!(input.place, Place::InPlace(_)));
    let results = results
        .filter_map(|input| input.place.path())
        .map(|path| ("the result", path));
    let reports = json
        .and_then(Place::path)
        .into_iter()
        .chain(report)
        .map(|path| ("a report", path));
    for (what, path) in results.chain(reports) {
        let place = real(path);
        if let Some((other, _)) = taken
            .iter()
            .find(|(_, taken)| *taken == place && !is_stream(taken))
        {
            return Err(clash(what, other, path));
        }
        taken.push((what, place));
    }
    let stdout_twice =
        json == Some(&Place::Stdout) && inputs.iter().any(|input| input.place == Place::Stdout);
    if stdout_twice {
        Err(clash("the result", "the JSON lines", Path::new("-")))
    } else {
        Ok(())
    }
}

/// Devices and pipes, such as `/dev/null`, may be written by many.
fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

/// The same text for all names of one file.
fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path)
        .or_else(|_| path::absolute(path))
        .unwrap_or_else(|_| path.to_owned())
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
