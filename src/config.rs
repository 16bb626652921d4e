//! What a run works with: the command line turned into paths that exist, bytes that were read and values that fit together.
//!
//! Everything that can fail or ask the system before the first run of the check happens here, so that a run which would end in
//! a complaint complains before any work is done and before anything is written.

mod check;
mod places;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

pub use check::Check;
pub use places::Place;

use crate::cli::{Args, When};
use crate::error::Error;

/// A run's settings; made by [`Config::from_args`] only.
#[derive(Debug)]
pub struct Config {
    check: Check,
    inputs: Vec<Input>,
    jobs: usize,
    json: Option<Place>,
    report: Option<PathBuf>,
    args: Args,
}

/// One file to reduce.
#[derive(Debug, Clone)]
pub struct Input {
    path: PathBuf,
    name: PathBuf,
    bytes: Vec<u8>,
    place: Place,
}

impl Input {
    /// The path as the user gave it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file's own name, under which the check finds the candidate.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// The original.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where the result goes.
    pub fn place(&self) -> &Place {
        &self.place
    }
}

impl Config {
    /// Turns what was typed into what can be done.
    ///
    /// # Errors
    /// [`Error::Usage`] for options that do not fit together; otherwise whatever is wrong with the check, the files or the
    /// places for the results.
    pub fn from_args(args: Args) -> Result<Self, Error> {
        let (check, files) = Check::from_args(&args)?;
        let inputs = read_inputs(&args, files)?;
        let json = args.json.as_deref().map(Place::of).transpose()?;
        let report = args.report.as_deref().map(places::writable).transpose()?;
        places::refuse_clashes(&args, &check, &inputs, json.as_ref(), report.as_deref())?;
        let jobs = args.jobs.map_or_else(cores, |jobs| jobs as usize);
        Ok(Self {
            check,
            inputs,
            jobs,
            json,
            report,
            args,
        })
    }

    /// What is run to test a candidate.
    pub fn check(&self) -> &Check {
        &self.check
    }

    /// The files to reduce; at least one.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// How many checks run at a time.
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// Where the JSON lines go.
    pub fn json(&self) -> Option<&Place> {
        self.json.as_ref()
    }

    /// Where the HTML report goes.
    pub fn report(&self) -> Option<&Path> {
        self.report.as_deref()
    }

    /// When to stop: time, queries, bytes.
    pub fn limits(&self) -> (Option<Duration>, Option<u64>, Option<u64>) {
        (
            self.args.max_time,
            self.args.max_queries,
            self.args.target_bytes,
        )
    }

    /// How much is said: 0 with `--quiet`, 1 by default, one more for each `-v`.
    pub fn verbosity(&self) -> u8 {
        if self.args.quiet {
            0
        } else {
            1 + self.args.verbose
        }
    }

    /// Whether a progress bar is wished for.
    pub fn progress(&self) -> When {
        self.args.progress
    }

    /// The options that are plain values, as typed.
    pub(crate) fn args(&self) -> &Args {
        &self.args
    }
}

fn read_inputs(args: &Args, files: &[PathBuf]) -> Result<Vec<Input>, Error> {
    let mut inputs: Vec<Input> = Vec::new();
    for path in files {
        let bytes = read_file(path)?;
        let name = PathBuf::from(path.file_name().unwrap_or(path.as_os_str()));
        if let Some(other) = inputs.iter().find(|input| input.name == name) {
            return Err(same_name(&other.path, path));
        }
        let place = Place::of_result(args, path, files.len())?;
        inputs.push(Input {
            path: path.clone(),
            name,
            bytes,
            place,
        });
    }
    Ok(inputs)
}

fn same_name(one: &Path, other: &Path) -> Error {
    Error::Usage {
        problem: format!(
            "{} and {} have the same name, but the check finds all files in one folder",
            one.display(),
            other.display()
        ),
        hint: "give each file a name of its own".into(),
    }
}

fn read_file(path: &Path) -> Result<Vec<u8>, Error> {
    refuse_other_than_file(path)?;
    let bytes = fs::read(path).map_err(|source| Error::CannotRead {
        path: path.to_owned(),
        source,
    })?;
    if bytes.is_empty() {
        Err(Error::EmptyFile {
            path: path.to_owned(),
        })
    } else {
        Ok(bytes)
    }
}

/// Reading a pipe or a device could block or never end, so only files pass.
fn refuse_other_than_file(path: &Path) -> Result<(), Error> {
    use std::os::unix::fs::FileTypeExt;
    let metadata = fs::metadata(path).map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => Error::NoSuchFile {
            path: path.to_owned(),
        },
        _ => Error::CannotRead {
            path: path.to_owned(),
            source,
        },
    })?;
    let kind = match metadata.file_type() {
        kind if kind.is_file() => return Ok(()),
        kind if kind.is_dir() => "a folder",
        kind if kind.is_fifo() => "a pipe",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    };
    Err(Error::NotAFile {
        path: path.to_owned(),
        kind,
    })
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
