//! What paredown is to do. Reducing is what it is for and needs no word of its own; `doctor`, `init` and `batch` are meant when exactly this
//! is the first word, so that a check of such a name is given as `./doctor`.

use std::ffi::OsString;

use clap::{Command, CommandFactory, Error, FromArgMatches};

use super::{Args, BatchArgs, InitArgs, batch};

/// One of the things that paredown can do.
#[derive(Debug)]
pub enum Task {
    /// Reduce files.
    Reduce(Box<Args>),
    /// Say what is wrong with a check.
    Doctor(Box<Args>),
    /// Write a check.
    Init(Box<InitArgs>),
    /// Reduce many bugs beside each other.
    Batch(Box<BatchArgs>),
}

impl Task {
    /// Reads the process's arguments. A misspelt option, `--help` and `--version` end the process here.
    pub fn from_command_line() -> Self {
        let words: Vec<OsString> = std::env::args_os().collect();
        Self::from_words(words).unwrap_or_else(|error| error.exit())
    }

    fn from_words(mut words: Vec<OsString>) -> Result<Self, Error> {
        let first = words.get(1).and_then(|word| word.to_str());
        if first == Some("doctor") {
            words.remove(1);
            return read(doctor(), words).map(Self::Doctor);
        }
        if first == Some("init") {
            words.remove(1);
            return read(InitArgs::command(), words).map(Self::Init);
        }
        if first == Some("batch") {
            words.remove(1);
            let args = read(batch::command(), words.clone())?;
            let words = words.split_off(1);
            return Ok(Self::Batch(Box::new(BatchArgs { args: *args, words })));
        }
        read(Args::command(), words).map(Self::Reduce)
    }
}

fn read<T: FromArgMatches>(mut command: Command, words: Vec<OsString>) -> Result<Box<T>, Error> {
    let matches = command.try_get_matches_from_mut(words)?;
    let read = T::from_arg_matches(&matches);
    read.map(Box::new)
        .map_err(|error| error.format(&mut command))
}

/// The options of a reduction that change how the check runs.
const OF_DOCTOR: [&str; 17] = [
    "stdin",
    "inputs",
    "command",
    "exit_code",
    "stdout",
    "stderr",
    "signal",
    "jobs",
    "timeout",
    "memory_limit",
    "cpu_limit",
    "file_limit",
    "open_files_limit",
    "private_home",
    "language",
    "color",
    "help",
];

/// It takes the same options as a reduction, so that the word can be put into a command line that does not work; those that make no
/// difference are not shown.
fn doctor() -> Command {
    let mut command = Args::command()
        .name("paredown doctor")
        .bin_name("paredown doctor")
        .about("Say what is wrong with a check, by running it in about forty ways")
        .long_about(None)
        .override_usage(
            "paredown doctor [OPTIONS] <CHECK> <FILE>...\n       paredown doctor [OPTIONS] <FILE>... -- <COMMAND>...",
        )
        .after_help(AFTER_DOCTOR)
        .after_long_help(AFTER_DOCTOR);
    let shown = |id: &str| OF_DOCTOR.contains(&id);
    let hidden: Vec<String> = command
        .get_arguments()
        .map(|argument| argument.get_id().to_string())
        .filter(|id| !shown(id))
        .collect();
    for id in hidden {
        command = command.mut_arg(id, |argument| argument.hide(true));
    }
    command
}

const AFTER_DOCTOR: &str = "\
What is seen is marked good, note or fault, with what to change. Nothing is reduced or written.

Exit codes: 0 nothing must be changed, 3 there is a fault, 1 and 2 as in a reduction.
A check whose own name is doctor or init is given as ./doctor or ./init.";

#[cfg(test)]
mod tests {
    use super::*;

    fn task(words: &[&str]) -> Task {
        let words = words.iter().map(OsString::from).collect();
        Task::from_words(words).unwrap()
    }

    #[test]
    fn doctor_is_a_task_as_the_first_word_only() {
        let doctor = |words: &[&str]| match task(words) {
            Task::Doctor(args) => Some(args.inputs.len()),
            _ => None,
        };
        assert_eq!(doctor(&["paredown", "doctor", "check.sh", "a.c"]), Some(2));
        assert_eq!(doctor(&["paredown", "./doctor", "a.c"]), None);
        assert_eq!(doctor(&["paredown", "check.sh", "doctor"]), None);
        assert_eq!(doctor(&["paredown", "-q", "doctor", "a.c"]), None);
    }

    #[test]
    fn the_definition_of_its_options_holds_together() {
        doctor().debug_assert();
        InitArgs::command().debug_assert();
    }
}
