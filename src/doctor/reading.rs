//! What the text of a check says about where to look: which files it names, and how. Nothing here is taken for a fact.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::config::Input;
use crate::oracle::Check;

/// Larger files are programs, not scripts.
const LARGEST_SCRIPT: u64 = 1 << 20;
/// So many names are looked at.
const MOST_NAMES: usize = 300;

/// What a check's scripts and command name.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// The scripts that belong to the check, absolute.
    pub(super) scripts: Vec<PathBuf>,
    /// Whether the candidate's path is asked for: by `$1` and the like, or by `@@`.
    pub(super) asks_for_path: bool,
    /// Relative names of files, in the order of their first mention.
    pub(super) names: Vec<PathBuf>,
    /// So many of them are in the texts; the others were printed in a run.
    pub(super) mentioned: usize,
    /// Absolute paths.
    pub(super) absolute: Vec<PathBuf>,
}

impl Reading {
    /// Reads the check's scripts, its command, and what the inputs include.
    pub(super) fn of(check: &Check, inputs: &[Input]) -> Self {
        let mut reading = Self::default();
        match check {
            Check::Script { program } => reading.read_script(program),
            Check::Command { words, .. } => {
                reading.asks_for_path = words
                    .iter()
                    .any(|word| word.as_bytes().windows(2).any(|pair| pair == b"@@"));
                for word in words {
                    if interpreter(Path::new(word)).is_some() {
                        reading.read_script(Path::new(word));
                    }
                    reading.note_word(word.as_bytes());
                }
            }
        }
        for input in inputs {
            reading.note_includes(input.bytes());
        }
        reading.mentioned = reading.names.len();
        reading
    }

    fn read_script(&mut self, path: &Path) {
        let small = fs::metadata(path).is_ok_and(|found| found.len() <= LARGEST_SCRIPT);
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let text = if small {
            fs::read(&path).unwrap_or_default()
        } else {
            Vec::new()
        };
        self.scripts.push(path);
        if text.contains(&0) {
            // A program may do anything with its argument.
            self.asks_for_path = true;
            return;
        }
        let lines = text.split(|&byte| byte == b'\n');
        for line in lines.filter(|line| !line.trim_ascii_start().starts_with(b"#")) {
            self.asks_for_path |= ASKING.iter().any(|word| contains(line, word.as_bytes()));
            for word in line.split(|byte| b" \t\"'`;|&<>()=,{}[]".contains(byte)) {
                self.note_word(word);
            }
        }
    }

    /// Remembers a word that may be a file's name, also behind an option such as `-I`.
    pub(super) fn note_word(&mut self, word: &[u8]) {
        let word = word.trim_ascii().strip_suffix(b":").unwrap_or(word);
        for prefix in PREFIXES {
            if let Some(rest) = word.strip_prefix(prefix) {
                self.note_name(rest);
            }
        }
        self.note_name(word);
    }

    fn note_name(&mut self, name: &[u8]) {
        let name = name.strip_prefix(b"./").unwrap_or(name);
        let odd = |byte: &u8| b"$*?!@~\\%^".contains(byte) || byte.is_ascii_control();
        let is_name = !name.is_empty() && name.len() < 256 && !name.iter().any(odd);
        if !is_name || name.starts_with(b"-") || self.names.len() > MOST_NAMES {
            return;
        }
        let path = PathBuf::from(OsString::from_vec(name.to_vec()));
        if path.is_absolute() {
            push_new(&mut self.absolute, path);
        } else if name.iter().any(u8::is_ascii_alphabetic) {
            push_new(&mut self.names, path);
        }
    }

    fn note_includes(&mut self, bytes: &[u8]) {
        for line in bytes.split(|&byte| byte == b'\n') {
            let line = line.trim_ascii_start();
            let Some(rest) = line.strip_prefix(b"#") else {
                continue;
            };
            let rest = rest.trim_ascii_start().strip_prefix(b"include");
            let Some(rest) = rest.and_then(|rest| rest.trim_ascii().strip_prefix(b"\"")) else {
                continue;
            };
            if let Some(name) = rest.split(|&byte| byte == b'"').next() {
                self.note_name(name);
            }
        }
    }
}

/// How programs ask for their arguments.
const ASKING: [&str; 9] = [
    "$1", "${1", "$@", "$*", "argv", "ARGV", "args", "@ARG", "shift",
];

/// What may stand before a name in one word.
const PREFIXES: [&[u8]; 6] = [b"-I", b"-L", b"-include", b"-isystem", b"@", b"file:"];

fn push_new(paths: &mut Vec<PathBuf>, path: PathBuf) {
    if !paths.contains(&path) {
        paths.push(path);
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// The words of a script's `#!` line, without `env`.
pub(super) fn interpreter(script: &Path) -> Option<Vec<OsString>> {
    let small =
        fs::metadata(script).is_ok_and(|found| found.is_file() && found.len() <= LARGEST_SCRIPT);
    if !small {
        return None;
    }
    let text = fs::read(script).ok()?;
    let line = text.strip_prefix(b"#!")?;
    let line = line.split(|&byte| byte == b'\n').next()?;
    let words = line.split(u8::is_ascii_whitespace);
    let words = words.filter(|word| !word.is_empty());
    let words = words.map(|word| OsStr::from_bytes(word).to_owned());
    let is_env = |word: &OsString| Path::new(word).file_name() == Some(OsStr::new("env"));
    let words: Vec<OsString> = words.filter(|word| !is_env(word) && word != "-S").collect();
    (!words.is_empty()).then_some(words)
}
