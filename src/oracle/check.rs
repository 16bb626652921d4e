//! What is run for each query, and which ends of the run are interesting.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use regex::bytes::Regex;

use super::crash::Crash;

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
    /// It does not end within this time.
    pub hang: Option<Duration>,
    /// One of its processes uses more memory than this, in bytes.
    pub memory: Option<u64>,
    /// It fails as it did on the original.
    pub same_crash: bool,
    /// It differs from another command.
    pub differs: Option<Differs>,
}

/// A second command that is run on each candidate, and in what it must differ from the first.
#[derive(Clone, Debug)]
pub struct Differs {
    /// The program and its arguments; `@@` is the candidate's path.
    pub words: Vec<OsString>,
    /// Whether a difference of the exit statuses counts.
    pub in_code: bool,
    /// Whether a difference of the standard outputs counts.
    pub in_stdout: bool,
}

/// How a run of one command ended.
#[derive(Clone, Debug)]
pub(crate) struct Observation {
    pub(crate) status: ExitStatus,
    /// Whether it was killed at the time limit.
    pub(crate) timed_out: bool,
    /// The most memory that one of its processes had, bytes.
    pub(crate) memory: u64,
    /// What it printed; empty unless [`Check::needs_output`].
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

/// How the commands ended on the original.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    codes: Vec<i32>,
    crash: Option<Crash>,
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
        self.conditions().is_some_and(Conditions::need_output)
    }

    /// What must hold; `None` for a script, whose exit status says it.
    pub(crate) fn conditions(&self) -> Option<&Conditions> {
        match self {
            Self::Script { .. } => None,
            Self::Command { conditions, .. } => Some(conditions),
        }
    }

    /// The second command's words, if there is one; see [`Check::words`].
    pub(crate) fn second_words(&self, paths: &[PathBuf]) -> Option<Vec<OsString>> {
        let differs = self.conditions()?.differs.as_ref()?;
        let first = paths.first().map_or(Path::new(""), PathBuf::as_path);
        let words = differs.words.iter().map(|word| fill_in(word, first));
        Some(words.collect())
    }

    /// Whether candidates are compared with the original.
    pub(crate) fn needs_reference(&self) -> bool {
        let compares =
            |conditions: &Conditions| conditions.same_crash || conditions.differs.is_some();
        self.conditions().is_some_and(compares)
    }

    /// Whether a run of the commands that ended like this is interesting; `None`: nothing is known, because it took too long.
    pub(crate) fn accepts(
        &self,
        observed: &[Observation],
        reference: Option<&Reference>,
    ) -> Option<bool> {
        let first = observed.first()?;
        match self.conditions() {
            _ if first.is_unknown(self.conditions()) => None,
            None => Some(first.status.success()),
            Some(conditions) => conditions.hold(observed, reference),
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
            && self.hang.is_none()
            && self.memory.is_none()
            && !self.same_crash
            && self.differs.is_none()
    }

    fn need_output(&self) -> bool {
        self.stdout.is_some() || self.stderr.is_some() || self.same_crash || self.differs.is_some()
    }

    fn hold(&self, observed: &[Observation], reference: Option<&Reference>) -> Option<bool> {
        let first = observed.first()?;
        let crash = || Crash::of(shell_code(first.status), &first.stdout, &first.stderr);
        let is_same_crash = || {
            let theirs = reference.and_then(|reference| reference.crash.as_ref());
            let both = theirs.zip(crash());
            both.is_some_and(|(theirs, ours)| theirs.is_same(&ours))
        };
        let differ = match &self.differs {
            Some(differs) => differs.hold(observed, reference)?,
            None => true,
        };
        Some(
            differ
                && self.hang.is_none_or(|_| first.timed_out)
                && self.memory.is_none_or(|most| first.memory > most)
                && (!self.same_crash || is_same_crash())
                && self.hold_for_one(first.status, &first.stdout, &first.stderr),
        )
    }

    fn hold_for_one(&self, status: ExitStatus, stdout: &[u8], stderr: &[u8]) -> bool {
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

impl Differs {
    /// Whether the two commands end as they did on the original, and differ; `None`: the second took too long.
    fn hold(&self, observed: &[Observation], reference: Option<&Reference>) -> Option<bool> {
        let [first, second] = observed else {
            return Some(false);
        };
        if second.timed_out {
            return None;
        }
        let codes = [first, second].map(|run| shell_code(run.status));
        let is_as_before = reference.is_some_and(|reference| reference.codes == codes);
        let differ =
            self.in_code && codes[0] != codes[1] || self.in_stdout && first.stdout != second.stdout;
        Some(is_as_before && differ)
    }
}

impl Observation {
    /// Whether it was killed before anything could be known.
    fn is_unknown(&self, conditions: Option<&Conditions>) -> bool {
        let is_wanted = conditions.is_some_and(|conditions| {
            let is_large = conditions.memory.is_some_and(|most| self.memory > most);
            conditions.hang.is_some() || is_large
        });
        self.timed_out && !is_wanted
    }
}

impl Reference {
    pub(crate) fn of(observed: &[Observation]) -> Self {
        let first = observed.first();
        Self {
            codes: observed.iter().map(|run| shell_code(run.status)).collect(),
            crash: first
                .and_then(|run| Crash::of(shell_code(run.status), &run.stdout, &run.stderr)),
        }
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
        assert!(conditions.hold_for_one(died, b"", b"an ICE: \xff in foo"));
        assert!(conditions.hold_for_one(ExitStatus::from_raw(139 << 8), b"", b"ICE: \xff"));
        assert!(!conditions.hold_for_one(died, b"ICE: \xff", b""));
        assert!(!conditions.hold_for_one(ExitStatus::from_raw(0), b"", b"ICE: \xff"));
        assert!(Conditions::default().hold_for_one(ExitStatus::from_raw(0), b"", b""));
        assert!(!Conditions::default().hold_for_one(died, b"", b""));
    }
}
