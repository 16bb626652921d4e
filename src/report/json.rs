//! What happens as JSON lines, for programs: one object a line, named by its `event`. The lines are the same for every number
//! of jobs, except for times and for what was thrown away.

use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;

use super::event::Event;
use super::statistics::Statistics;
use super::summary::{Effort, Summary};

/// Writes the lines. The first failure ends the writing and is given back at the end.
pub(super) struct Json {
    out: Box<dyn Write>,
    failed: Option<io::Error>,
}

/// The version of the format; `schema/events-1.json` describes it.
const FORMAT: u32 = 1;

/// A line that the application writes, beside the engine's events.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line<'a> {
    /// The first line: the version of the format, which grows when a field changes its meaning or goes.
    Run { format: u32, paredown: &'a str },
    /// A file of the run, its size, and the language whose grammar cuts it up; these lines come first.
    File {
        name: &'a str,
        bytes: usize,
        language: Option<&'a str>,
    },
    /// What follows is about this file, whose size is this by now.
    Reducing { name: &'a str, bytes: usize },
    /// The end.
    Finished(Finished<'a>),
}

#[derive(Serialize)]
struct Finished<'a> {
    bytes_before: usize,
    bytes_after: usize,
    /// `None`: the run was stopped, and counting would have taken too long.
    tokens_before: Option<usize>,
    tokens_after: Option<usize>,
    seconds: f64,
    complete: bool,
    one_minimal: bool,
    /// The kinds of single change that this is about.
    swept: &'a [&'a str],
    /// With `--effort max`.
    #[serde(skip_serializing_if = "Option::is_none")]
    effort: Option<&'a Effort>,
    results: Vec<Option<String>>,
    #[serde(flatten)]
    statistics: &'a Statistics,
}

impl Json {
    pub(super) fn new(out: Box<dyn Write>) -> Self {
        let mut json = Self { out, failed: None };
        json.line(&Line::Run {
            format: FORMAT,
            paredown: env!("CARGO_PKG_VERSION"),
        });
        json
    }

    pub(super) fn file(&mut self, name: &str, bytes: usize, language: Option<&str>) {
        self.line(&Line::File {
            name,
            bytes,
            language,
        });
    }

    pub(super) fn reducing(&mut self, name: &str, bytes: usize) {
        self.line(&Line::Reducing { name, bytes });
    }

    pub(super) fn event(&mut self, event: &Event) {
        self.line(event);
        // Whoever follows the lines wants to see an improvement when it happens, and every line of a killed run up to it.
        if !matches!(event, Event::Answered { .. }) {
            self.keep(|out| out.flush());
        }
    }

    pub(super) fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        self.line(&Line::Finished(finished(summary)));
        self.keep(|out| out.flush());
        self.failed.take().map_or(Ok(()), Err)
    }

    fn line(&mut self, line: &impl Serialize) {
        self.keep(|out| {
            serde_json::to_writer(&mut *out, line)?;
            out.write_all(b"\n")
        });
    }

    fn keep(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        if self.failed.is_none() {
            self.failed = write(&mut *self.out).err();
        }
    }
}

fn finished(summary: &Summary) -> Finished<'_> {
    let results: Vec<&Option<PathBuf>> = match &summary.folder {
        Some(folder) => vec![&folder.result],
        None => summary.files.iter().map(|file| &file.result).collect(),
    };
    Finished {
        bytes_before: summary.bytes_before(),
        bytes_after: summary.bytes_after(),
        tokens_before: summary.tokens_before(),
        tokens_after: summary.tokens_after(),
        seconds: summary.seconds,
        complete: summary.complete,
        one_minimal: summary.is_one_minimal(),
        swept: summary.swept,
        effort: summary.effort.as_ref(),
        results: results
            .into_iter()
            .map(|path| path.as_ref().map(|path| path.display().to_string()))
            .collect(),
        statistics: &summary.statistics,
    }
}
