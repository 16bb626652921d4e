//! The command line of `paredown batch`: that of a reduction, with a folder of folders in the place of the check and the files.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use clap::{Command, CommandFactory};

use super::Args;

/// What was typed behind `paredown batch`.
#[derive(Debug, Clone)]
pub struct BatchArgs {
    /// The options, read as those of a reduction.
    pub args: Args,
    /// All words, so that they can be passed on.
    pub words: Vec<OsString>,
}

impl BatchArgs {
    /// The options for each reduction: without those that are the batch's own, the folder, and the command.
    pub fn passed_on(&self) -> Vec<OsString> {
        const OWN: [&str; 3] = ["--json", "--jobs", "-j"];
        let folder = self.args.inputs.first().map(|folder| folder.as_os_str());
        let end = self.words.iter().position(|word| word == "--");
        let mut words = self.words[..end.unwrap_or(self.words.len())].iter();
        let mut kept = Vec::new();
        while let Some(word) = words.next() {
            if OWN.contains(&word.to_string_lossy().as_ref()) {
                words.next();
            } else if !is_own(word) && Some(word.as_os_str()) != folder {
                kept.push(word.clone());
            }
        }
        kept
    }
}

/// Whether an option of the batch stands in one word with its value.
fn is_own(word: &OsStr) -> bool {
    let bytes = word.as_bytes();
    let is_short = bytes.starts_with(b"-j") && bytes.get(2).is_some_and(u8::is_ascii_digit);
    is_short
        || bytes.starts_with(b"-j=")
        || bytes.starts_with(b"--json=")
        || bytes.starts_with(b"--jobs=")
}

/// It takes the options of a reduction.
pub(super) fn command() -> Command {
    const HIDDEN: [&str; 7] = [
        "output",
        "in_place",
        "state",
        "report",
        "summary",
        "generate",
        "help_passes",
    ];
    let mut command = Args::command()
        .name("paredown batch")
        .bin_name("paredown batch")
        .about("Reduce many bugs, each in a folder of its own, with one pool of jobs")
        .long_about(None)
        .override_usage(
            "paredown batch [OPTIONS] <DIR>\n       paredown batch [OPTIONS] <DIR> -- <COMMAND>...",
        )
        .after_help(AFTER)
        .after_long_help(AFTER);
    for id in HIDDEN {
        command = command.mut_arg(id, |argument| argument.hide(true));
    }
    command
}

const AFTER: &str = "\
Each folder in DIR is a bug: an input, and a check (an executable whose name begins with check) unless a COMMAND is given.
The result stands beside the input: bug.reduced.c. The same command goes on where it was stopped or killed, and takes up
new folders. With --same-crash, bugs that fail in the same way are reduced once. --jobs is for all of them together;
--json writes one line for each change of a bug's state.

Exit codes: 0 all are reduced, 1 some could not be, 2 and 130 as in a reduction.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_the_batchs_own_is_not_passed_on() {
        let words = [
            "-j4",
            "--json",
            "out",
            "--timeout",
            "3",
            "-j",
            "2",
            "--jobs=3",
            "--same-crash",
            "bugs",
            "--",
            "cc",
            "-j",
        ];
        let args = Args {
            inputs: vec!["bugs".into()],
            ..Args::from_words(["paredown".into()]).unwrap()
        };
        let batch = BatchArgs {
            args,
            words: words.iter().map(OsString::from).collect(),
        };
        assert_eq!(batch.passed_on(), ["--timeout", "3", "--same-crash"]);
    }

    #[test]
    fn the_definition_of_its_options_holds_together() {
        command().debug_assert();
    }
}
