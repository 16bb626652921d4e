//! What is kept beside the result: the journal of `--state`, the recording of `--record`, and the finds of `--also-interesting`.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::OWNER_MAY_WRITE;
use crate::config::{Config, Folder};
use crate::engine::{Engine, Finds, Identity, Journal, Recording};
use crate::error::Error;
use crate::oracle::Check;
use crate::output::{OutputError, ResultFile};

/// The answers of the check that outlive the run.
pub(super) struct Answers {
    /// Those of `--state`.
    journal: Option<Journal>,
    /// Those of `--record`, and where they go.
    recording: Option<(Recording, ResultFile)>,
}

impl Answers {
    /// # Errors
    /// What the user asked for cannot be written, or is of another run or check.
    pub(super) fn open(config: &Config) -> Result<Self, Error> {
        Ok(Self {
            journal: journal(config)?,
            recording: recording(config)?,
        })
    }

    /// Whether answers of an earlier run decide what is asked.
    pub(super) fn has_journal(&self) -> bool {
        self.journal.is_some()
    }

    /// What is there only since this run has begun.
    pub(super) fn fresh_paths(&self) -> impl Iterator<Item = &Path> {
        let recording = self.recording.iter();
        let recording = recording.filter_map(|(_, file)| file.fresh_path());
        recording.chain(self.journal.as_ref().and_then(Journal::fresh_path))
    }

    /// An engine that takes answers from the journal and adds its own.
    pub(super) fn for_search<'a>(&'a mut self, engine: Engine<'a>) -> Engine<'a> {
        let engine = match &mut self.journal {
            Some(journal) => engine.with_journal(journal),
            None => engine,
        };
        match &mut self.recording {
            Some((recording, _)) => engine.with_recording(recording),
            None => engine,
        }
    }

    /// Writes the recording.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn finish(&mut self) -> Result<(), OutputError> {
        match &mut self.recording {
            Some((recording, file)) => file.write(&recording.to_bytes()),
            None => Ok(()),
        }
    }
}

/// Opens the journal that the user asked for.
///
/// # Errors
/// The state cannot be written, or is of a run that would give other answers or ask other questions.
fn journal(config: &Config) -> Result<Option<Journal>, Error> {
    let journal = config
        .places()
        .state()
        .map(|folder| Journal::open(folder, &identity(config), config.mode_of_copies()));
    Ok(journal.transpose()?)
}

/// The recording that the user asked for, with the answers that it has already.
///
/// # Errors
/// It cannot be read or written, or is none of this check. Or there are several files: an answer depends on all of them.
fn recording(config: &Config) -> Result<Option<(Recording, ResultFile)>, Error> {
    let Some(path) = config.places().recording() else {
        return Ok(None);
    };
    let refuse = |problem: String| Error::Usage {
        problem,
        hint: "give a file that does not exist yet: --record new.recording".into(),
    };
    if config.inputs().len() > 1 || config.folder().is_some() {
        return Err(Error::Usage {
            problem: "`--record` is for one file: of several, an answer depends on them all".into(),
            hint: "give the file alone, or leave `--record` out".into(),
        });
    }
    let check = check_text(config.check());
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(refuse(format!("{} is no file", path.display())));
    }
    let recording = match fs::read(path) {
        Ok(bytes) => Recording::from_bytes(&bytes).ok_or_else(|| {
            refuse(format!(
                "{} is no recording of this version",
                path.display()
            ))
        })?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Recording::of_check(&check),
        Err(source) => {
            let path = path.to_owned();
            return Err(Error::CannotRead { path, source });
        }
    };
    if !recording.is_of_check(&check) {
        let path = path.display();
        return Err(refuse(format!(
            "the recording in {path} is of another check"
        )));
    }
    let mode = Permissions::from_mode(config.mode_of_copies() | OWNER_MAY_WRITE);
    Ok(Some((recording, ResultFile::at(path, mode)?)))
}

/// What a check is told by: the content of a script, wherever it lies; of a command its words, too.
fn check_text(check: &Check) -> Vec<u8> {
    let mut text = match check {
        Check::Script { .. } => Vec::new(),
        Check::Command { .. } => format!("{check:?}").into_bytes(),
    };
    for path in check_files(check) {
        text.extend(fs::read(&path).unwrap_or_default());
    }
    text
}

/// What is saved of a file's candidates that are also interesting, if that is wanted.
pub(super) fn finds(config: &Config, index: usize) -> Option<Finds> {
    let folder = config.places().file(index).finds()?;
    let input = &config.inputs()[index];
    let name = input.name().to_string_lossy();
    Some(Finds::new(folder, &name, input.mode()))
}

/// Everything that decides which questions are asked and how they are answered.
pub(super) fn identity(config: &Config) -> Identity {
    let mut identity = Identity::default();
    identity.add("version of paredown", env!("CARGO_PKG_VERSION").as_bytes());
    for input in config.inputs() {
        identity.add_input(&input.name().to_string_lossy(), input.bytes());
    }
    for entry in config.folder().into_iter().flat_map(Folder::entries) {
        identity.add(
            &format!("entry {}", entry.name.display()),
            format!("{:o} {:?}", entry.mode, entry.content).as_bytes(),
        );
    }
    identity.add("check", format!("{:?}", config.check()).as_bytes());
    for path in check_files(config.check()) {
        let content = fs::read(&path).unwrap_or_default();
        identity.add(&format!("content of {}", path.display()), &content);
    }
    identity.add("algorithm options", config.result_options().as_bytes());
    let limits = (
        config.time_limit(),
        config.process_options().limits,
        config.trust(),
    );
    identity.add("limits or repetitions", format!("{limits:?}").as_bytes());
    identity
}

/// The files that the check consists of, as far as its command line shows them.
pub(super) fn check_files(check: &Check) -> Vec<PathBuf> {
    /// Larger ones are compilers, not checks.
    const LARGEST: u64 = 1 << 20;
    let words: Vec<PathBuf> = match check {
        Check::Script { program } => vec![program.clone()],
        Check::Command { words, .. } => words.iter().map(PathBuf::from).collect(),
    };
    let is_file = |path: &PathBuf| {
        fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() <= LARGEST)
    };
    words.into_iter().filter(is_file).collect()
}
