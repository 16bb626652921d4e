//! What is run for each query, and which ends of the run are interesting.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use regex::bytes::Regex;

/// The user's check, in one of its two forms.
#[derive(Clone, Debug)]
pub enum Check {
    /// A program that gets the paths of the inputs as its arguments; exit status 0 is interesting.
    Script {
        /// The program.
        program: PathBuf,
    },
    /// A command; `@@` in it stands for the path of the first input, also inside an argument.
    Command {
        /// The program and its arguments.
        words: Vec<OsString>,
        /// What must hold after it has run.
        conditions: Conditions,
    },
}

/// What must hold after a command has run, all of it. With nothing given: exit status 0.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// The exit status is in this set.
    pub exit: Option<ExitSet>,
    /// The command died of this signal, or exited with 128 + its number as a shell does.
    pub signal: Option<i32>,
    /// Found in what it wrote to its standard output.
    pub stdout: Option<Regex>,
    /// Found in what it wrote to its standard error.
    pub stderr: Option<Regex>,
}

/// Exit statuses, written like `1,2,128-255,!0`: what is listed, without what has a `!`; with only `!` items, all others.
/// Death by signal N counts as 128 + N, as in a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExitSet {
    contains: Vec<bool>,
}

/// Why a part of the check is not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// A piece of an exit status set.
    #[error("`{0}` is no exit status from 0 to 255, no range of them, and no `!` before one")]
    ExitSet(String),
    /// A signal's name.
    #[error("`{0}` is no signal: give a name such as SIGSEGV or RTMIN+1, or a number")]
    Signal(String),
}

impl Check {
    /// The program and its arguments. `paths` are those of the inputs; the first stands for `@@`. A script that gets the
    /// candidate on its standard input gets no path.
    pub(crate) fn words(&self, paths: &[PathBuf], on_stdin: bool) -> Vec<OsString> {
        match self {
            Self::Script { program } => {
                let paths = if on_stdin { &[] } else { paths };
                let paths = paths.iter().map(|path| path.as_os_str().to_owned());
                std::iter::once(program.as_os_str().to_owned())
                    .chain(paths)
                    .collect()
            }
            Self::Command { words, .. } => {
                let first = paths.first().map_or(Path::new(""), PathBuf::as_path);
                words.iter().map(|word| fill_in(word, first)).collect()
            }
        }
    }

    /// Whether the property can be seen in the output only.
    pub(crate) fn needs_output(&self) -> bool {
        matches!(self, Self::Command { conditions, .. }
            if conditions.stdout.is_some() || conditions.stderr.is_some())
    }

    /// Whether a run that ended like this is interesting. The outputs are empty unless [`Check::needs_output`].
    pub(crate) fn accepts(&self, status: ExitStatus, stdout: &[u8], stderr: &[u8]) -> bool {
        match self {
            Self::Script { .. } => status.success(),
            Self::Command { conditions, .. } => conditions.hold(status, stdout, stderr),
        }
    }
}

impl Conditions {
    /// Whether nothing was asked for, so that exit status 0 counts.
    fn is_empty(&self) -> bool {
        self.exit.is_none()
            && self.signal.is_none()
            && self.stdout.is_none()
            && self.stderr.is_none()
    }

    fn hold(&self, status: ExitStatus, stdout: &[u8], stderr: &[u8]) -> bool {
        if self.is_empty() {
            return status.success();
        }
        let code = shell_code(status);
        self.exit.as_ref().is_none_or(|set| set.contains(code))
            && self.signal.is_none_or(|signal| code == 128 + signal)
            && self
                .stdout
                .as_ref()
                .is_none_or(|regex| regex.is_match(stdout))
            && self
                .stderr
                .as_ref()
                .is_none_or(|regex| regex.is_match(stderr))
    }
}

impl ExitSet {
    /// Whether this status, 0 to 255, is in the set.
    pub fn contains(&self, code: i32) -> bool {
        usize::try_from(code).is_ok_and(|code| self.contains.get(code) == Some(&true))
    }
}

impl std::str::FromStr for ExitSet {
    type Err = CheckError;

    fn from_str(text: &str) -> Result<Self, CheckError> {
        let items: Vec<(bool, u8, u8)> = text
            .split(',')
            .map(|item| parse_item(item.trim()))
            .collect::<Result<_, _>>()?;
        let only_exclusions = items.iter().all(|&(included, ..)| !included);
        let mut contains = vec![only_exclusions; 256];
        // Exclusions win wherever they stand.
        for wanted in [true, false] {
            for &(_, from, to) in items.iter().filter(|&&(included, ..)| included == wanted) {
                contains[usize::from(from)..=usize::from(to)].fill(wanted);
            }
        }
        Ok(Self { contains })
    }
}

/// The status that a shell would show: 128 + N for death by signal N.
pub(crate) fn shell_code(status: ExitStatus) -> i32 {
    status
        .code()
        .or_else(|| status.signal().map(|signal| 128 + signal))
        .unwrap_or(255)
}

fn parse_item(item: &str) -> Result<(bool, u8, u8), CheckError> {
    let error = || CheckError::ExitSet(item.to_owned());
    let (included, range) = match item.strip_prefix('!') {
        Some(rest) => (false, rest),
        None => (true, item),
    };
    let (from, to) = range.split_once('-').unwrap_or((range, range));
    let from: u8 = from.trim().parse().map_err(|_| error())?;
    let to: u8 = to.trim().parse().map_err(|_| error())?;
    if from > to {
        Err(error())
    } else {
        Ok((included, from, to))
    }
}

/// A word of a command with the path in for every `@@`.
pub fn fill_in(word: &OsStr, candidate: &Path) -> OsString {
    let mut filled = Vec::new();
    let mut rest = word.as_bytes();
    while let Some(at) = rest.windows(2).position(|pair| pair == b"@@") {
        filled.extend_from_slice(&rest[..at]);
        filled.extend_from_slice(candidate.as_os_str().as_bytes());
        rest = &rest[at + 2..];
    }
    filled.extend_from_slice(rest);
    OsString::from_vec(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> ExitSet {
        text.parse().unwrap()
    }

    #[test]
    fn an_exit_set_is_its_items_without_its_exclusions() {
        let some = set("1,2,128-255,!130");
        for (code, expected) in [
            (0, false),
            (1, true),
            (2, true),
            (3, false),
            (200, true),
            (130, false),
            (256, false),
        ] {
            assert_eq!(some.contains(code), expected, "{code}");
        }
    }

    #[test]
    fn only_exclusions_mean_all_others() {
        assert!(!set("!0").contains(0));
        assert!(set("!0").contains(139));
    }

    #[test]
    fn nonsense_is_no_exit_set() {
        for text in ["", "x", "256", "5-1", "1,,2", "!", "-1", "1-2-3"] {
            assert!(text.parse::<ExitSet>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_path_takes_the_place_of_every_marker() {
        let filled = fill_in(OsStr::new("-I@@:@@@"), Path::new("/a/b.c"));
        assert_eq!(filled, "-I/a/b.c:/a/b.c@");
    }

    #[test]
    fn all_conditions_must_hold() {
        let conditions = Conditions {
            signal: Some(11),
            stderr: Some(Regex::new("(?-u)ICE: \\xff").unwrap()),
            ..Conditions::default()
        };
        let died = ExitStatus::from_raw(11);
        assert!(conditions.hold(died, b"", b"an ICE: \xff in foo"));
        assert!(conditions.hold(ExitStatus::from_raw(139 << 8), b"", b"ICE: \xff"));
        assert!(!conditions.hold(died, b"ICE: \xff", b""));
        assert!(!conditions.hold(ExitStatus::from_raw(0), b"", b"ICE: \xff"));
        assert!(Conditions::default().hold(ExitStatus::from_raw(0), b"", b""));
        assert!(!Conditions::default().hold(died, b"", b""));
    }
}
