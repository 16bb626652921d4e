//! What is kept beside the result: the journal of `--state`, and the finds of `--also-interesting`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::config::{Config, Input};
use crate::engine::{Finds, Identity, Journal};
use crate::error::Error;
use crate::oracle::Check;

/// Opens the journal that the user asked for.
///
/// # Errors
/// The state cannot be written, or is of a run that would give other answers or ask other questions.
pub(super) fn journal(config: &Config) -> Result<Option<Journal>, Error> {
    let journal = config
        .state()
        .map(|folder| Journal::open(folder, &identity(config)));
    Ok(journal.transpose()?)
}

/// The folder beside the result where a file's finds are kept, if they are wanted.
pub(super) fn finds(config: &Config, input: &Input) -> Option<Finds> {
    config.process_options().also_interesting?;
    let mut folder = input
        .place()
        .path()
        .map_or_else(|| PathBuf::from(input.name()), Path::to_owned);
    folder.as_mut_os_string().push(".also-interesting");
    Some(Finds::new(&folder, &input.name().to_string_lossy()))
}

/// Everything that decides which questions are asked and how they are answered.
fn identity(config: &Config) -> Identity {
    let mut identity = Identity::default();
    identity.add("version of paredown", env!("CARGO_PKG_VERSION").as_bytes());
    for input in config.inputs() {
        identity.add(
            &format!("input {}", input.name().to_string_lossy()),
            input.bytes(),
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
fn check_files(check: &Check) -> Vec<PathBuf> {
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
