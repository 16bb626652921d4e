//! Everything that can go wrong, as one closed set: what happened to which thing and why, one hint with the thing to type,
//! and one exit code for each outcome that a script would tell apart.

mod first_run;

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

pub use first_run::{Blind, FirstRun};

use first_run::{blind, not_interesting};

use crate::engine::{EngineError, JournalError};
use crate::oracle::{NoVerdict, OracleError};
use crate::output::OutputError;

/// The exit codes of the binary; they are part of its interface.
pub mod exit {
    /// The reduction is done, or was stopped early by a limit that the user set.
    pub const DONE: u8 = 0;
    /// Something failed.
    pub const FAILURE: u8 = 1;
    /// The command line makes no sense.
    pub const USAGE: u8 = 2;
    /// The check does not accept the original file, or accepts an empty one.
    pub const NOT_INTERESTING: u8 = 3;
}

/// A failure of paredown. Its `Display` says what, which and why; [`Error::hint`] says what to type.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input file, a check or a folder that does not exist.
    #[error("no such file: {}", path.display())]
    NoSuchFile {
        /// What was given.
        path: PathBuf,
        /// A file that may be meant.
        similar: Option<PathBuf>,
    },
    /// A folder, a pipe or a device was given as the file to reduce or as the check.
    #[error("{} is {kind}, not a file", path.display())]
    NotAFile {
        /// What was given.
        path: PathBuf,
        /// What it is: `a folder`, `a pipe`, `standard input` …
        kind: &'static str,
    },
    /// The file to reduce has no bytes.
    #[error("{} is empty: there is nothing to reduce", path.display())]
    EmptyFile {
        /// The file.
        path: PathBuf,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {}", path.display(), plain(source))]
    CannotRead {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The check exists but may not be run.
    #[error("the check {} is not executable", path.display())]
    CheckNotExecutable {
        /// The check.
        path: PathBuf,
        /// The command line with check and file swapped, where that would work.
        swapped: Option<String>,
    },
    /// The check is a text without `#!` in its first line, which the system cannot start.
    #[error("the check {} is a script without a `#!` line, so the system cannot run it", path.display())]
    CheckWithoutShebang {
        /// The check.
        path: PathBuf,
    },
    /// The `#!` line names a program that is not there.
    #[error("the `#!` line of the check {} names `{interpreter}`, which does not exist", path.display())]
    NoInterpreter {
        /// The check.
        path: PathBuf,
        /// What its first line names.
        interpreter: String,
    },
    /// The `#!` line ends with a carriage return, which the system takes as part of it.
    #[error("the check {} has DOS line ends, which the system takes as a part of its `#!` line", path.display())]
    CheckWithDosLines {
        /// The check.
        path: PathBuf,
    },
    /// The program of the command form is not found.
    #[error("the command `{program}` does not exist")]
    NoSuchCommand {
        /// The first word after `--`.
        program: String,
    },
    /// A result, a report or a list of events cannot be written.
    #[error("cannot write {}: {}", path.display(), plain(source))]
    CannotWrite {
        /// Where to.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The copy of the original that `--in-place` would make already exists.
    #[error("{} exists already and is never overwritten", path.display())]
    OriginalKept {
        /// The `.orig` file.
        path: PathBuf,
    },
    /// The command line is well formed but makes no sense.
    #[error("{problem}")]
    Usage {
        /// What does not fit, and why.
        problem: String,
        /// What to type instead.
        hint: String,
    },
    /// The original does not have the property.
    #[error("{}", not_interesting(.0))]
    NotInteresting(Box<FirstRun>),
    /// The check could not be started at all.
    #[error("cannot run `{command}`: {}", plain(source))]
    CannotRun {
        /// The command, quoted for a shell.
        command: String,
        /// What the system said.
        source: io::Error,
    },
    /// A state folder belongs to another run.
    #[error("the state in {} is of another run: {difference}", path.display())]
    OtherState {
        /// The state folder.
        path: PathBuf,
        /// Which of input, check and options differs, and how.
        difference: String,
    },
    /// Another process works with a state folder.
    #[error("the state in {} is in use by a run that goes on now", path.display())]
    StateInUse {
        /// The state folder.
        path: PathBuf,
    },
    /// Nothing can be made in the folder for temporary files.
    #[error("cannot make a folder for temporary files in {}: {}", path.display(), plain(source))]
    NoTemporaryFolder {
        /// Where, mostly TMPDIR.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The check accepts a file without any bytes, so that nothing would be left.
    #[error("the check accepts an empty file too, {}: nothing of {} would be left", blind(why), path.display())]
    EmptyAccepted {
        /// The file or the folder to reduce.
        path: PathBuf,
        /// What is known about the reason.
        why: Blind,
        /// What to change, if it was found out what the check looks at.
        remedy: Option<String>,
    },
    /// Jobs of a launcher end without a verdict.
    #[error(transparent)]
    Launcher(NoVerdict),
    /// A system call failed where it should not.
    #[error("{doing}: {}", plain(source))]
    System {
        /// What was being done, to what.
        doing: String,
        /// What the system said.
        source: io::Error,
    },
}

impl From<OracleError> for Error {
    fn from(error: OracleError) -> Self {
        match error {
            OracleError::Start { program, source } => Self::CannotRun {
                command: program,
                source,
            },
            OracleError::Folder { folder, source } => Self::System {
                doing: format!("cannot prepare the folder {folder} for the check"),
                source,
            },
            OracleError::Temporary { folder, source } => Self::NoTemporaryFolder {
                path: folder,
                source,
            },
            OracleError::Launcher(why) => Self::Launcher(why),
            OracleError::System { action, source } => Self::System {
                doing: format!("cannot {action}"),
                source,
            },
        }
    }
}

impl From<OutputError> for Error {
    fn from(error: OutputError) -> Self {
        match error {
            OutputError::BackupExists(path) => Self::OriginalKept { path },
            OutputError::Write { path, source } => Self::CannotWrite { path, source },
        }
    }
}

impl From<EngineError> for Error {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Oracle(error) => error.into(),
            EngineError::Output(error) => error.into(),
            EngineError::Journal(error) => error.into(),
        }
    }
}

impl From<JournalError> for Error {
    fn from(error: JournalError) -> Self {
        match error {
            JournalError::Differs { folder, parts } => Self::OtherState {
                path: folder,
                difference: format!("different {parts}"),
            },
            JournalError::Unknown(path) => Self::OtherState {
                path,
                difference: "not written by this version".to_owned(),
            },
            JournalError::InUse(path) => Self::StateInUse { path },
            JournalError::System { path, source } => Self::CannotWrite { path, source },
        }
    }
}

impl Error {
    /// The exit code of the process that ends with this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage { .. } => exit::USAGE,
            Self::NotInteresting(_) | Self::EmptyAccepted { .. } => exit::NOT_INTERESTING,
            _ => exit::FAILURE,
        }
    }

    /// What to do about it: mostly a command to type.
    pub fn hint(&self) -> String {
        match self {
            Self::NoSuchFile { path, similar } => missing_file_hint(path, similar.as_deref()),
            Self::NotAFile {
                kind: "a folder", ..
            } => "give the file to reduce: paredown check.sh bug.c".into(),
            Self::NotAFile { .. } => {
                "put into a file what is to be reduced: cat > bug.c, then paredown check.sh bug.c"
                    .into()
            }
            Self::EmptyFile { path } if path == Path::new("standard input") => {
                "send something: cat bug.c | paredown check.sh -".into()
            }
            Self::EmptyFile { path } => format!("look at it: ls -l {}", quote(path)),
            Self::CannotRead { path, source } => match source.kind() {
                io::ErrorKind::PermissionDenied => {
                    format!("make it readable: chmod u+r {}", quote(path))
                }
                _ => format!("look at it: ls -l {}", quote(path)),
            },
            Self::CheckNotExecutable {
                swapped: Some(command),
                ..
            } => {
                format!("the check comes first: {command}")
            }
            Self::CheckNotExecutable { path, .. } => format!("chmod +x {}", quote(path)),
            Self::CheckWithoutShebang { path } => format!("sed -i '1i #!/bin/sh' {}", quote(path)),
            Self::NoInterpreter { path, .. } => {
                format!("look at its first line: head -n 1 {} | cat -A", quote(path))
            }
            Self::CheckWithDosLines { path } => {
                format!(r"take them away: sed -i 's/\r$//' {}", quote(path))
            }
            Self::NoSuchCommand { program } if program.starts_with('-') => format!(
                "after `--` stands the command; to reduce a file of that name: {}",
                shell_word(["./", program].concat())
            ),
            Self::NoSuchCommand { program } => {
                format!(
                    "see whether it is installed: command -v {}",
                    shell_word(program)
                )
            }
            Self::CannotWrite { path, source } => cannot_write_hint(path, source),
            Self::OriginalKept { path } => format!("move it away: mv -n {0} {0}.old", quote(path)),
            Self::Usage { hint, .. } => hint.clone(),
            Self::NotInteresting(run) => match &run.remedy {
                Some(remedy) => remedy.clone(),
                None => format!("run it yourself: {}", run.repeat),
            },
            Self::CannotRun { command, .. } => format!("run it yourself: {command}"),
            Self::OtherState { path, .. } => format!(
                "give this run a folder of its own, or forget the other one: rm -r {}",
                quote(path)
            ),
            Self::StateInUse { .. } => {
                "wait for its end, or give this run a folder of its own: --state other-folder"
                    .into()
            }
            Self::NoTemporaryFolder { path, source } => temporary_hint(path, source),
            Self::EmptyAccepted { remedy, .. } => {
                let look =
                    "look whether the check uses the path that it gets as $1 (@@ in a command)";
                let change = remedy.as_deref().unwrap_or(look);
                format!("{change}; if an empty file is wanted: --allow-empty")
            }
            Self::Launcher(NoVerdict {
                has_worked: true, ..
            }) => "look at the cluster; the best so far is written, and with --state the same command goes on from here"
                .into(),
            Self::Launcher(_) => {
                "see that the nodes can run it and see the folder of --work-dir; an example is in examples/cluster"
                    .into()
            }
            Self::System { source, .. } => system_hint(source).into(),
        }
    }
}

/// A path or an argument as a shell reads it back.
pub fn shell_word(word: impl AsRef<OsStr>) -> String {
    let word = word.as_ref();
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"@%+=:,./_-".contains(byte);
    match word.to_str() {
        Some(text) if !text.is_empty() && text.bytes().all(|byte| plain(&byte)) => text.to_owned(),
        Some(text) if !text.chars().any(char::is_control) => {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
        _ => {
            let bytes = word.as_bytes().iter().map(|byte| match byte {
                b' ' => " ".to_owned(),
                byte if plain(byte) => char::from(*byte).to_string(),
                byte => format!("\\{byte:03o}"),
            });
            format!("$'{}'", bytes.collect::<String>())
        }
    }
}

/// What the system said without its number, which helps nobody.
pub(crate) fn plain(source: &io::Error) -> String {
    let text = source.to_string();
    match text.split_once(" (os error ") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}

fn quote(path: &Path) -> String {
    let word = shell_word(path);
    if word.starts_with('-') {
        format!("./{word}")
    } else {
        word
    }
}

/// So many letters of a task's word may be wrong.
const MOST_SLIPS: usize = 2;

fn missing_file_hint(path: &Path, similar: Option<&Path>) -> String {
    if let Some(similar) = similar {
        return format!("did you mean {}?", quote(similar));
    }
    // Where a check may stand there may be the word for another task.
    let task = ["doctor", "init", "batch"].into_iter().find(|task| {
        path.to_str()
            .is_some_and(|word| strsim::damerau_levenshtein(word, task) <= MOST_SLIPS)
    });
    if let Some(task) = task {
        return format!("did you mean paredown {task}?");
    }
    format!("see what is there: ls {}", quote(folder_of(path)))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn cannot_write_hint(path: &Path, source: &io::Error) -> String {
    match source.kind() {
        io::ErrorKind::NotFound => {
            format!("make the folder first: mkdir -p {}", quote(folder_of(path)))
        }
        io::ErrorKind::StorageFull => {
            format!("make room there: df -h {}", quote(folder_of(path)))
        }
        io::ErrorKind::InvalidFilename => "give a shorter name".into(),
        _ if path == Path::new("standard output") => {
            "give it a file instead: -o result, or --json events.jsonl".into()
        }
        io::ErrorKind::FileTooLarge => "allow larger files: ulimit -f unlimited".into(),
        _ => "choose another place for it, such as one in /tmp".into(),
    }
}

/// `EMFILE`.
const TOO_MANY_OPEN_FILES: i32 = 24;

fn temporary_hint(path: &Path, source: &io::Error) -> String {
    match source.kind() {
        io::ErrorKind::NotFound => format!(
            "make it: mkdir -p {}; or choose another one with --work-dir, or: export TMPDIR=/tmp",
            quote(path)
        ),
        io::ErrorKind::NotADirectory => {
            "choose a folder with --work-dir, or: export TMPDIR=/tmp".into()
        }
        _ => system_hint(source).into(),
    }
}

fn system_hint(source: &io::Error) -> &'static str {
    use io::ErrorKind::{
        FileTooLarge, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
    };
    match source.kind() {
        StorageFull | QuotaExceeded => {
            "make room, or choose a larger place for temporary files with --work-dir, or: export TMPDIR=/var/tmp"
        }
        PermissionDenied | ReadOnlyFilesystem => {
            "choose a place for temporary files that can be written with --work-dir, or: export TMPDIR=/var/tmp"
        }
        FileTooLarge => "allow larger files: ulimit -f unlimited",
        _ if source.raw_os_error() == Some(TOO_MANY_OPEN_FILES) => {
            "allow more open files: ulimit -n 1024"
        }
        _ => "ask less of the system at a time: -j 1",
    }
}

#[cfg(test)]
mod tests;
