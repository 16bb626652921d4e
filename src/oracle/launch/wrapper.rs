//! What runs on the other side of a launcher: a script for one query, which runs the check and writes its verdict to a file. Only
//! that file is believed: a launcher's exit code may be its own.
//!
//! The script finds its folder by its own path, so that the folder may stand elsewhere than here.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use crate::oracle::Limits;

/// What the script is made of.
pub(super) struct Wrapper<'w> {
    /// The query's number, which no other one of the run has.
    pub(super) number: u64,
    /// The folder that holds all else, without a slash at its end.
    pub(super) root: &'w Path,
    pub(super) work: &'w Path,
    /// The candidate and its length, if it is one file.
    pub(super) candidate: Option<(&'w Path, usize)>,
    pub(super) words: &'w [OsString],
    pub(super) stdin: bool,
    pub(super) private_home: bool,
    /// Whether somebody reads what the check prints.
    pub(super) keeps_output: bool,
    pub(super) limits: Limits,
    pub(super) time_limit: Option<Duration>,
}

/// What the script says: how the check ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Verdict {
    /// The exit status, 128 + N for death by signal N; `None`: it was killed at the time limit.
    pub(super) code: Option<i32>,
    /// How long it ran there, if the system told.
    pub(super) time: Option<Duration>,
}

const TEMPLATE: &str = include_str!("wrapper.sh");
/// As long as a run without a limit may take, milliseconds.
const FOREVER: u128 = 1 << 50;

impl Wrapper<'_> {
    /// The text of the script.
    pub(super) fn script(&self) -> Vec<u8> {
        let null = || b"/dev/null".to_vec();
        let candidate = self.candidate.map(|(path, length)| {
            let path = self.quoted(path.as_os_str());
            let mut test = b"[ \"$(wc -c < ".to_vec();
            test.extend(path);
            test.extend(
                format!(")\" -eq {length} ] 2> /dev/null || fail \"cannot see the candidate\"")
                    .bytes(),
            );
            test
        });
        let words: Vec<_> = self.words.iter().map(|word| self.quoted(word)).collect();
        let capture = |name: &str| {
            if self.keeps_output {
                format!("\"$here/{name}\"").into_bytes()
            } else {
                null()
            }
        };
        let stdin = self.candidate.filter(|_| self.stdin);
        let limit = self
            .time_limit
            .map_or(FOREVER, |limit| limit.as_millis().max(1));
        let home = if self.private_home {
            " HOME=\"$here/tmp\""
        } else {
            ""
        };
        let values = [
            ("@NUMBER@", self.number.to_string().into_bytes()),
            ("@MILLISECONDS@", limit.to_string().into_bytes()),
            ("@CANDIDATE@", candidate.unwrap_or_default()),
            ("@PROGRAM@", words.first().cloned().unwrap_or_default()),
            ("@WORK@", self.quoted(self.work.as_os_str())),
            ("@HOME@", home.as_bytes().to_vec()),
            ("@LIMITS@", self.limits().into_bytes()),
            ("@WORDS@", words.join(&b' ')),
            (
                "@STDIN@",
                stdin.map_or_else(null, |(path, _)| self.quoted(path.as_os_str())),
            ),
            ("@STDOUT@", capture("stdout")),
            ("@STDERR@", capture("stderr")),
        ];
        fill(TEMPLATE, &values)
    }

    /// A word as a shell reads it back. The folder in it is wherever the script stands.
    fn quoted(&self, word: &OsStr) -> Vec<u8> {
        let (mut rest, root) = (word.as_bytes(), self.root.as_os_str().as_bytes());
        let mut quoted = vec![b'\''];
        while let Some(&first) = rest.first() {
            if let Some(after) = rest.strip_prefix(root) {
                quoted.extend(b"'\"$here\"'");
                rest = after;
                continue;
            }
            match first {
                b'\'' => quoted.extend(br"'\''"),
                other => quoted.push(other),
            }
            rest = &rest[1..];
        }
        quoted.push(b'\'');
        quoted
    }

    /// A shell knows them in units of its own.
    fn limits(&self) -> String {
        let Limits {
            memory,
            cpu,
            file_size,
            files,
        } = self.limits;
        let limits = [
            ('v', memory.map(|bytes| bytes >> 10)),
            ('t', cpu),
            ('f', file_size.map(|bytes| bytes >> 9)),
            ('n', files),
            ('c', Some(0)),
        ];
        let given = limits
            .into_iter()
            .filter_map(|(letter, limit)| Some((letter, limit?)));
        let lines =
            given.map(|(letter, limit)| format!("  ulimit -{letter} {limit} 2> /dev/null\n"));
        lines.collect::<String>().trim_end().to_owned()
    }
}

/// The template with the values in their places. What stands in a value is not looked at.
fn fill(template: &str, values: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut rest = template;
    while let Some(at) = rest.find('@') {
        text.extend(&rest.as_bytes()[..at]);
        rest = &rest[at..];
        let found = values.iter().find(|(name, _)| rest.starts_with(name));
        let (length, value) = match found {
            Some((name, value)) => (name.len(), value.as_slice()),
            None => (1, &b"@"[..]),
        };
        text.extend(value);
        rest = &rest[length..];
    }
    text.extend(rest.as_bytes());
    text
}

impl Verdict {
    /// What the file says, if it is whole and about this query.
    pub(super) fn parse(text: &str, number: u64) -> Option<Self> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let ["paredown", of, status, start, end, "end"] = words[..] else {
            return None;
        };
        if of.parse() != Ok(number) {
            return None;
        }
        let code = match status {
            "late" => None,
            code => Some(code.parse().ok().filter(|code| (0..=255).contains(code))?),
        };
        let seconds = |text: &str| text.parse::<f64>().ok().filter(|&seconds| seconds > 0.0);
        let taken = seconds(start)
            .zip(seconds(end))
            .map(|(start, end)| end - start);
        let time = taken.and_then(|taken| Duration::try_from_secs_f64(taken).ok());
        Some(Self { code, time })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_believed_if_it_is_whole_and_of_this_query() {
        let verdict = |text| Verdict::parse(text, 7);
        let seconds = Some(Duration::from_millis(1250));
        assert_eq!(
            verdict("paredown 7 1 10.00 11.25 end\n"),
            Some(Verdict {
                code: Some(1),
                time: seconds
            })
        );
        assert_eq!(
            verdict("paredown 7 late 0 0 end\n"),
            Some(Verdict {
                code: None,
                time: None
            })
        );
        for other in [
            "",
            "paredown 8 0 1 2 end",
            "paredown 7 0 1 2",
            "paredown 7 0 1 2 en",
            "paredown 7 999 1 2 end",
        ] {
            assert_eq!(verdict(other), None, "{other}");
        }
    }

    #[test]
    fn words_are_quoted_and_follow_the_folder() {
        let root = Path::new("/run/0");
        let wrapper = Wrapper {
            number: 1,
            root,
            work: root,
            candidate: None,
            words: &[],
            stdin: false,
            private_home: false,
            keeps_output: false,
            limits: Limits::default(),
            time_limit: None,
        };
        let quoted = |word: &str| String::from_utf8(wrapper.quoted(OsStr::new(word))).unwrap();
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted("-I/run/0/work"), "'-I'\"$here\"'/work'");
    }
}
