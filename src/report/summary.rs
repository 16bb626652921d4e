//! What a run came to: the one value that the people's summary, the last JSON line and the HTML report are made of.

use super::event::Stop;
use super::statistics::Statistics;
use crate::syntax::Lexis;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A finished or stopped run.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    /// Each file, in the order of the command line; of a folder those that are left.
    pub files: Vec<FileSummary>,
    /// The whole of a run that reduced a folder.
    pub folder: Option<FolderSummary>,
    /// What it cost and what each pass brought, over all files.
    pub statistics: Statistics,
    /// Wall time of the whole run.
    pub seconds: f64,
    /// Whether the search came to its own end.
    pub complete: bool,
    /// The kinds of single change of the results that were all refused; none when that is not known of each.
    pub swept: &'static [&'static str],
    /// What was asked behind the certificate, where that was wanted.
    pub effort: Option<Effort>,
    /// The command that shows that the results are interesting.
    pub recheck: Option<String>,
    /// The command line of the run.
    pub command: Option<String>,
    /// Where it took place; see [`super::environment()`].
    pub environment: Vec<(&'static str, String)>,
}

/// What `--effort max` came to.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Effort {
    /// Whether a result was 1-minimal, so that it began.
    pub has_begun: bool,
    /// Queries from then on, those of the pipeline that goes on from what is found included.
    pub queries: u64,
    /// Bytes gone since.
    pub bytes_gone: u64,
    /// What ended it; `None`: nothing was left to try.
    pub stopped: Option<Stop>,
}

impl Effort {
    /// In words, for a summary.
    pub(super) fn said(&self) -> String {
        let end = match self.stopped {
            None => "nothing is left to try",
            Some(Stop::MaxTime) => "--max-time ended it",
            Some(Stop::MaxQueries) => "--max-queries ended it",
            Some(Stop::TargetBytes) => "--target-bytes ended it",
            Some(Stop::Interrupted | Stop::Skipped) => "a signal ended it",
        };
        if !self.has_begun {
            return format!(
                "no result was 1-minimal before, so nothing was tried behind that: {end}"
            );
        }
        format!(
            "{} behind the 1-minimal result, {} gone by them: {end}",
            count(self.queries, "query", "queries"),
            count(self.bytes_gone, "byte", "bytes")
        )
    }
}

/// What became of a folder.
#[derive(Debug, Clone, Default)]
pub struct FolderSummary {
    /// Its name.
    pub name: String,
    /// Where the result is; `None` when nothing was written.
    pub result: Option<PathBuf>,
    /// How many files there were, and how many are left.
    pub files: [usize; 2],
    /// Their bytes, before and after.
    pub bytes: [usize; 2],
    /// Their tokens, before and after; only of texts, and `None` if nobody had the time to count them.
    pub tokens: [Option<usize>; 2],
}

/// One file's part in a [`Summary`].
#[derive(Debug, Clone, Default)]
pub struct FileSummary {
    /// The file's own name.
    pub name: String,
    /// Where the result is; `None` for standard output, and when nothing was written.
    pub result: Option<PathBuf>,
    /// The language whose grammar cut it up; `None` when it was cut up without one.
    pub language: Option<String>,
    /// What the comments of its language look like.
    pub lexis: Lexis,
    /// The original.
    pub before: Arc<[u8]>,
    /// The result.
    pub after: Arc<[u8]>,
    /// Tokens of the original; `None` if nobody had the time to count them.
    pub tokens_before: Option<usize>,
    /// Tokens of the result, likewise.
    pub tokens_after: Option<usize>,
}

/// What it means for a file that its language is not known.
pub(super) const NO_LANGUAGE: &str =
    "no language is known for it: cut by brackets, lines and bytes (see --language list)";

impl Summary {
    /// Whether the check refused each single change of the results.
    pub fn is_one_minimal(&self) -> bool {
        !self.swept.is_empty()
    }

    /// Bytes of all originals.
    pub fn bytes_before(&self) -> usize {
        if let Some(folder) = &self.folder {
            return folder.bytes[0];
        }
        self.files.iter().map(|file| file.before.len()).sum()
    }

    /// Bytes of all results.
    pub fn bytes_after(&self) -> usize {
        if let Some(folder) = &self.folder {
            return folder.bytes[1];
        }
        self.files.iter().map(|file| file.after.len()).sum()
    }

    /// Tokens of all originals; `None` if they were not counted.
    pub fn tokens_before(&self) -> Option<usize> {
        if let Some(folder) = &self.folder {
            return folder.tokens[0];
        }
        self.files.iter().map(|file| file.tokens_before).sum()
    }

    /// Tokens of all results; `None` if they were not counted.
    pub fn tokens_after(&self) -> Option<usize> {
        if let Some(folder) = &self.folder {
            return folder.tokens[1];
        }
        self.files.iter().map(|file| file.tokens_after).sum()
    }
}

/// `12345` as `12,345`.
pub(super) fn number(value: impl TryInto<u64>) -> String {
    let digits = value.try_into().unwrap_or(u64::MAX).to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number that may not be known.
pub(super) fn known_number(value: Option<usize>) -> String {
    value.map_or_else(|| "?".to_owned(), number)
}

/// A number with its noun: `1 query`, `2 queries`.
pub(super) fn count(value: u64, one: &str, many: &str) -> String {
    format!("{} {}", number(value), if value == 1 { one } else { many })
}

/// A time as people say it: `0.25 s`, `12.3 s`, `3 min 20 s`, `2 h 5 min`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole seconds of a run, never negative"
)]
pub(super) fn time(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..10 => format!("{seconds:.2} s"),
        10..120 => format!("{seconds:.1} s"),
        120..7200 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole / 60 % 60),
    }
}

/// A time as `time` says it, but never as nothing: `0.4 ms`, `12 ms`, `0.25 s`.
pub fn duration(time_taken: Duration) -> String {
    let milliseconds = time_taken.as_secs_f64() * 1000.0;
    match milliseconds {
        0.1..10.0 => {
            let text = format!("{milliseconds:.1}");
            format!("{} ms", text.trim_end_matches(".0"))
        }
        10.0..100.0 => format!("{milliseconds:.0} ms"),
        ..0.1 => "less than 0.1 ms".to_owned(),
        _ => time(milliseconds / 1000.0),
    }
}

/// How much of `before` is left: `5.5 %`.
#[expect(clippy::cast_precision_loss, reason = "one decimal of a percentage")]
pub(super) fn percent(after: usize, before: usize) -> String {
    format!("{:.1} %", 100.0 * after as f64 / before.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_groups_of_three() {
        for (value, text) in [
            (0_u64, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn a_short_duration_is_not_said_to_be_nothing() {
        for (microseconds, text) in [
            (0, "less than 0.1 ms"),
            (1000, "1 ms"),
            (1700, "1.7 ms"),
            (45_200, "45 ms"),
            (254_000, "0.25 s"),
            (75_000_000, "75.0 s"),
        ] {
            assert_eq!(duration(Duration::from_micros(microseconds)), text);
        }
    }

    #[test]
    fn an_effort_says_what_it_brought_and_what_ended_it() {
        let effort = |has_begun, stopped| {
            let (queries, bytes_gone) = (1200, 1);
            Effort {
                has_begun,
                queries,
                bytes_gone,
                stopped,
            }
        };
        for (effort, said) in [
            (
                effort(true, None),
                "1,200 queries behind the 1-minimal result, 1 byte gone by them: nothing is left to try",
            ),
            (
                effort(true, Some(Stop::MaxTime)),
                "1,200 queries behind the 1-minimal result, 1 byte gone by them: --max-time ended it",
            ),
            (
                effort(true, Some(Stop::Interrupted)),
                "1,200 queries behind the 1-minimal result, 1 byte gone by them: a signal ended it",
            ),
            (
                effort(false, Some(Stop::MaxQueries)),
                "no result was 1-minimal before, so nothing was tried behind that: --max-queries ended it",
            ),
            (
                effort(false, Some(Stop::TargetBytes)),
                "no result was 1-minimal before, so nothing was tried behind that: --target-bytes ended it",
            ),
        ] {
            assert_eq!(effort.said(), said);
        }
    }

    #[test]
    fn times_are_as_exact_as_they_are_of_use() {
        for (seconds, text) in [
            (0.254, "0.25 s"),
            (12.34, "12.3 s"),
            (200.0, "3 min 20 s"),
            (7500.0, "2 h 5 min"),
        ] {
            assert_eq!(time(seconds), text);
        }
    }
}
