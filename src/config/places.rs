//! Every place that a run writes to: decided once, before anything is written, as one value.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Input;
use super::clashes::{self, Named};
use crate::cli::Args;
use crate::engine::Journal;
use crate::error::{Error, shell_word};
use crate::oracle::Check;

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
    json: Option<Place>,
    report: Option<PathBuf>,
    state: Option<PathBuf>,
}

/// Where one file's results go.
#[derive(Debug)]
pub struct FilePlaces {
    result: Place,
    finds: Option<PathBuf>,
}

impl Place {
    /// The file at `path`, or standard output for `-`.
    fn of(path: &Path) -> Result<Self, Error> {
        if [Path::new("-"), Path::new("/dev/stdout")].contains(&path) {
            return Ok(Self::Stdout);
        }
        refuse_read_only(path)?;
        Ok(Self::File(path.to_owned()))
    }

    /// Where the result of reducing `input` goes, one of `inputs` files.
    fn of_result(args: &Args, input: &Path, inputs: usize) -> Result<Self, Error> {
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

impl Places {
    /// Decides where everything goes.
    ///
    /// # Errors
    /// A place is one that the run reads from, by whatever name: an input, what `-i` keeps of it, the check, a file that the
    /// check's command names. Or two places are the same, or lie in a folder that is for one thing only. Or the state is to go
    /// into a folder that no run has made.
    pub(super) fn decide(args: &Args, check: &Check, inputs: &[Input]) -> Result<Self, Error> {
        let files = inputs
            .iter()
            .map(|input| FilePlaces::of(args, input, inputs.len()));
        let places = Self {
            files: files.collect::<Result<_, _>>()?,
            json: args.json.as_deref().map(Place::of).transpose()?,
            report: args.report.clone(),
            state: args.state.clone(),
        };
        args.report.as_deref().map_or(Ok(()), refuse_read_only)?;
        clashes::refuse(&clashes::read(check, inputs), &places.written())?;
        places.state.as_deref().map_or(Ok(()), refuse_foreign)?;
        Ok(places)
    }

    /// Where the file's results go; the files are those of the command line, in its order.
    pub fn file(&self, index: usize) -> &FilePlaces {
        &self.files[index]
    }

    /// Where the JSON lines go.
    pub fn json(&self) -> Option<&Place> {
        self.json.as_ref()
    }

    /// Where the HTML report goes.
    pub fn report(&self) -> Option<&Path> {
        self.report.as_deref()
    }

    /// The folder of the journal.
    pub fn state(&self) -> Option<&Path> {
        self.state.as_deref()
    }

    fn written(&self) -> Vec<Named> {
        let mut written = Vec::new();
        let json = self.json.as_ref();
        written.extend(json.map(|place| of_place("the JSON lines", place)));
        let report = self.report.as_deref();
        written.extend(report.map(|path| Named::file("the report", path)));
        for file in &self.files {
            written.push(of_place("the result", &file.result));
            written.extend(file.finds().map(Named::folder_of_finds));
        }
        written.extend(self.state().map(Named::state_folder));
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
    fn of(args: &Args, input: &Input, inputs: usize) -> Result<Self, Error> {
        let result = Place::of_result(args, input.path(), inputs)?;
        let beside = result.path().unwrap_or(Path::new(input.name()));
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
}
