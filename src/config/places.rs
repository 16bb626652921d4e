//! Every place that a run writes to: decided once, before anything is written, as one value.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::clashes::{self, Named};
use super::inputs::{Input, Inputs};
use crate::cli::Args;
use crate::engine::Journal;
use crate::error::{Error, shell_word};
use crate::folder::Entry;
use crate::oracle::Check;
use crate::output::real_path;

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

/// Where a run writes. None of these places is one that the run reads from, and no two are the same.
#[derive(Debug)]
pub struct Places {
    files: Vec<FilePlaces>,
    /// Where the results of several inputs go together.
    folder: Option<PathBuf>,
    json: Option<Place>,
    report: Option<PathBuf>,
    summary: Option<PathBuf>,
    state: Option<PathBuf>,
    recording: Option<PathBuf>,
}

/// Where one file's results go.
#[derive(Debug)]
pub struct FilePlaces {
    result: Place,
    finds: Option<PathBuf>,
}

impl Place {
    /// The file at `path`, or standard output for `-`.
    ///
    /// # Errors
    /// It may not be written.
    pub fn of(path: &Path) -> Result<Self, Error> {
        if [Path::new("-"), Path::new("/dev/stdout")].contains(&path) {
            return Ok(Self::Stdout);
        }
        refuse_read_only(path)?;
        Ok(Self::File(path.to_owned()))
    }

    /// Where the JSON lines of a batch go that reads these files in its folder.
    ///
    /// # Errors
    /// It may not be written.
    pub fn of_batch(args: &Args, folder: &Path, read: &[&Path]) -> Result<Option<Self>, Error> {
        let Some(json) = args.json.as_deref() else {
            return Ok(None);
        };
        let place = Self::of(json)?;
        if let Some(path) = place.path() {
            clashes::refuse_in_batch(args, folder, read, path)?;
        }
        Ok(Some(place))
    }

    /// Where the result of reducing `input` goes. `folder` is the place of the results of several inputs.
    fn of_result(args: &Args, input: &Input, folder: Option<&Path>) -> Result<Self, Error> {
        let path = input.path();
        if args.in_place {
            refuse_read_only(path)?;
            return Ok(Self::InPlace(path.to_owned()));
        }
        if let Some(folder) = folder {
            return Self::of(&folder.join(input.name()));
        }
        match &args.output {
            Some(output) if output.is_dir() && input.is_stdin() => {
                Self::of(&output.join(input.name()))
            }
            Some(output) if output.is_dir() => Self::of(&output.join(reduced_name(path))),
            Some(output) => Self::of(output),
            None if input.is_stdin() => Ok(Self::Stdout),
            None => Self::of(&path.with_file_name(reduced_name(path))),
        }
    }

    /// The file that is written, when it is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) | Self::InPlace(path) => Some(path),
            Self::Stdout => None,
        }
    }
}

impl Places {
    /// Decides where everything goes.
    ///
    /// # Errors
    /// A place is one that the run reads from, by whatever name: an input, what `-i` keeps of it, the check, a file that the
    /// check's command names. Or two places are the same, or lie in a folder that is for one thing only. Or the state is to go
    /// into a folder that no run has made.
    pub(super) fn decide(
        args: &Args,
        check: &Check,
        paths: &[PathBuf],
        inputs: &Inputs,
    ) -> Result<Self, Error> {
        let folder = result_folder(args, inputs)?;
        let files = inputs.files.iter();
        let files = files.map(|input| FilePlaces::of(args, input, folder.as_deref()));
        let places = Self {
            files: files.collect::<Result<_, _>>()?,
            folder,
            json: args.json.as_deref().map(Place::of).transpose()?,
            report: args.report.clone(),
            summary: args.saying.summary.clone(),
            state: args.state.clone(),
            recording: args.saying.record.clone(),
        };
        args.report.as_deref().map_or(Ok(()), refuse_read_only)?;
        for path in [&args.saying.summary, &args.saying.record] {
            path.as_deref().map_or(Ok(()), refuse_read_only)?;
        }
        let written = places.written(inputs.folder.is_some());
        clashes::refuse(&clashes::read(args, check, inputs), &written)?;
        let folders = paths.iter().map(PathBuf::as_path);
        let folders: Vec<&Path> = folders.filter(|path| path.is_dir()).collect();
        clashes::refuse_parts(&folders, inputs, &written)?;
        places.state.as_deref().map_or(Ok(()), refuse_foreign)?;
        Ok(places)
    }

    /// Where the results of several inputs go together, under their own names.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Where the file's results go; the files are those of the command line, in its order.
    pub fn file(&self, index: usize) -> &FilePlaces {
        &self.files[index]
    }

    /// Where the JSON lines go.
    pub fn json(&self) -> Option<&Place> {
        self.json.as_ref()
    }

    /// Where the summary goes.
    pub fn summary(&self) -> Option<&Path> {
        self.summary.as_deref()
    }

    /// Where the HTML report goes.
    pub fn report(&self) -> Option<&Path> {
        self.report.as_deref()
    }

    /// The folder of the journal.
    pub fn state(&self) -> Option<&Path> {
        self.state.as_deref()
    }

    /// The file of the recording.
    pub fn recording(&self) -> Option<&Path> {
        self.recording.as_deref()
    }

    fn written(&self, is_whole_folder: bool) -> Vec<Named> {
        let mut written = Vec::new();
        let json = self.json.as_ref();
        written.extend(json.map(|place| of_place("the JSON lines", place)));
        let report = self.report.as_deref();
        written.extend(report.map(|path| Named::file("the report", path)));
        let summary = self.summary();
        written.extend(summary.map(|path| Named::file("the summary", path)));
        let recording = self.recording();
        written.extend(recording.map(|path| Named::file("the recording", path)));
        written.extend(self.state().map(Named::state_folder));
        if let (Some(folder), true) = (&self.folder, is_whole_folder) {
            written.push(Named::result_folder(folder));
            return written;
        }
        for file in &self.files {
            written.push(of_place("the result", &file.result));
            written.extend(file.finds().map(Named::folder_of_finds));
        }
        written
    }
}

fn of_place(what: &'static str, place: &Place) -> Named {
    match place {
        Place::File(path) => Named::file(what, path),
        Place::InPlace(path) => Named::rewritten_input(path),
        Place::Stdout => Named::stdout(what),
    }
}

impl FilePlaces {
    fn of(args: &Args, input: &Input, folder: Option<&Path>) -> Result<Self, Error> {
        let result = Place::of_result(args, input, folder)?;
        let beside = result.path().unwrap_or(input.name());
        let finds = args.also_interesting.map(|_| {
            let mut folder = beside.to_owned();
            folder.as_mut_os_string().push(".also-interesting");
            folder
        });
        Ok(Self { result, finds })
    }

    /// Where the result goes.
    pub fn result(&self) -> &Place {
        &self.result
    }

    /// The folder beside the result where candidates are saved that are also interesting, if they are wanted.
    pub fn finds(&self) -> Option<&Path> {
        self.finds.as_deref()
    }
}

/// Where the results of several inputs, or of a folder, go together; `None` for one file, and when each is rewritten.
fn result_folder(args: &Args, inputs: &Inputs) -> Result<Option<PathBuf>, Error> {
    let count = inputs.files.len();
    if args.in_place || (count == 1 && inputs.folder.is_none()) {
        return Ok(None);
    }
    let Some(output) = &args.output else {
        let first = inputs.files.first().map(Input::path);
        let folder = inputs.folder.as_ref();
        let named = folder.map(|folder| real_path(folder.path()));
        let first = named.as_deref().or(first).unwrap_or(Path::new("folder"));
        return Ok(Some(reduced_folder(first, folder.is_some())));
    };
    let is_other = fs::symlink_metadata(output).is_ok() && !output.is_dir();
    if output == Path::new("-") || is_other {
        let what = match inputs.folder {
            Some(_) => "a folder is reduced".to_owned(),
            None => format!("{count} files are reduced"),
        };
        return Err(Error::Usage {
            problem: format!("{what}, but `-o {}` is no folder", output.display()),
            hint: "give a folder, which is made if it is missing: -o results/".into(),
        });
    }
    if let Some(folder) = &inputs.folder {
        refuse_others_in(output, folder.entries())?;
    }
    Ok(Some(output.clone()))
}

/// A folder takes the place of what is there, so that may only be the result of an earlier run: nothing but names that the
/// original has too.
fn refuse_others_in(output: &Path, entries: &[Entry]) -> Result<(), Error> {
    let mut open = vec![PathBuf::new()];
    while let Some(folder) = open.pop() {
        for item in fs::read_dir(output.join(&folder))
            .into_iter()
            .flatten()
            .flatten()
        {
            let name = folder.join(item.file_name());
            if item.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(name);
            } else if entries
                .binary_search_by(|entry| entry.name.cmp(&name))
                .is_err()
            {
                return Err(Error::Usage {
                    problem: format!(
                        "the result would take the place of {}, but `{}` in it is not from an earlier run",
                        output.display(),
                        name.display()
                    ),
                    hint: "give a folder that does not exist yet: -o small/".into(),
                });
            }
        }
    }
    Ok(())
}

/// `bug.c` becomes `bug.reduced.c`, and `bug` becomes `bug.reduced`. What is a result itself gets the next number, so that it stays:
/// `bug.reduced.c` becomes `bug.reduced.2.c`.
fn reduced_name(input: &Path) -> OsString {
    let whole = input.file_name().unwrap_or(input.as_os_str());
    if let Some(next) = next_result(whole) {
        return next;
    }
    let stem = input.file_stem().unwrap_or(input.as_os_str());
    let mut name = next_result(stem).unwrap_or_else(|| with_result(stem));
    if let Some(extension) = input.extension() {
        name.push(".");
        name.push(extension);
    }
    name
}

/// The folder for the results of several files of which this is the first, or of a folder.
fn reduced_folder(first: &Path, is_folder: bool) -> PathBuf {
    let stem = if is_folder {
        first.file_name()
    } else {
        first.file_stem()
    };
    let stem = stem.unwrap_or(first.as_os_str());
    // The files of a result: the next one stands beside its folder.
    let folder = first.parent().filter(|_| !is_folder);
    let next =
        folder.and_then(|folder| Some(folder.with_file_name(next_result(folder.file_name()?)?)));
    next.unwrap_or_else(|| {
        let name = next_result(stem).unwrap_or_else(|| with_result(stem));
        first.with_file_name(name)
    })
}

fn with_result(stem: &OsStr) -> OsString {
    let mut name = stem.to_owned();
    name.push(RESULT);
    name
}

/// What a result's name has between that of the original and a number.
const RESULT: &str = ".reduced";

/// The name of the next result, if this is one: `bug.reduced` and `bug.reduced.2` become `bug.reduced.2` and `bug.reduced.3`.
fn next_result(name: &OsStr) -> Option<OsString> {
    let text = name.to_str()?;
    let (rest, number) = match text.rsplit_once('.') {
        Some((rest, digits)) => match digits.parse::<u32>() {
            Ok(number) if number > 1 => (rest, number),
            _ => (text, 1),
        },
        None => (text, 1),
    };
    let is_result = rest
        .strip_suffix(RESULT)
        .is_some_and(|original| !original.is_empty());
    let next = is_result.then(|| number.checked_add(1))??;
    Some(format!("{rest}.{next}").into())
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

/// The files of a state have names that others use too, so they go only where nothing is, or where a run has put them.
fn refuse_foreign(folder: &Path) -> Result<(), Error> {
    let foreign = Journal::foreign_in(folder).map_err(|source| Error::CannotWrite {
        path: folder.to_owned(),
        source,
    })?;
    foreign.map_or(Ok(()), |name| {
        Err(Error::Usage {
            problem: format!(
                "{} is no folder for a state: paredown did not make `{}`, which is in it",
                folder.display(),
                name.display()
            ),
            hint: format!(
                "give a folder that does not exist yet: --state {}",
                shell_word(folder.join("paredown-state"))
            ),
        })
    })
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

    #[test]
    fn the_result_of_a_result_has_the_next_number() {
        for (input, result) in [
            ("a/bug.reduced.c", "bug.reduced.2.c"),
            ("bug.reduced.2.c", "bug.reduced.3.c"),
            ("bug.reduced", "bug.reduced.2"),
            ("bug.reduced.2", "bug.reduced.3"),
            ("bug.2.c", "bug.2.reduced.c"),
            (".reduced", ".reduced.reduced"),
        ] {
            assert_eq!(reduced_name(Path::new(input)), result, "{input}");
        }
        for (first, is_folder, result) in [
            ("a/main.c", false, "a/main.reduced"),
            ("main.reduced/main.c", false, "main.reduced.2"),
            ("a/main.reduced.2/util.c", false, "a/main.reduced.3"),
            ("main.reduced.c", false, "main.reduced.2"),
            ("project", true, "project.reduced"),
            ("a/project.reduced", true, "a/project.reduced.2"),
            ("a.reduced/project", true, "a.reduced/project.reduced"),
        ] {
            assert_eq!(
                reduced_folder(Path::new(first), is_folder),
                Path::new(result),
                "{first}"
            );
        }
    }
}
