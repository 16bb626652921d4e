//! What happens as JSON lines, for programs: one object a line, named by its `event`. The lines are the same for every number
//! of jobs, except for times and for what was thrown away.

use std::io::{self, Write};

use serde::Serialize;

use super::event::Event;
use super::summary::{PassSummary, Summary};

/// Writes the lines. The first failure ends the writing and is given back at the end.
pub(super) struct Json {
    out: Box<dyn Write>,
    failed: Option<io::Error>,
}

/// A line that the application writes, beside the engine's events.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line<'a> {
    /// A file of the run and its size; these lines come first.
    File { name: &'a str, bytes: usize },
    /// What follows is about this file, whose size is this by now.
    Reducing { name: &'a str, bytes: usize },
    /// The end.
    Finished(Finished<'a>),
}

#[derive(Serialize)]
struct Finished<'a> {
    queries: u64,
    cache_hits: u64,
    cache_peak_entries: usize,
    cache_peak_bytes: usize,
    bytes_before: usize,
    bytes_after: usize,
    tokens_before: usize,
    tokens_after: usize,
    seconds: f64,
    oracle_seconds: f64,
    verification_queries: u64,
    complete: bool,
    one_minimal: bool,
    replayed: u64,
    timed_out: u64,
    given_up: u64,
    discarded: u64,
    results: Vec<Option<String>>,
    passes: Vec<Pass<'a>>,
}

#[derive(Serialize)]
struct Pass<'a> {
    name: &'a str,
    questions: u64,
    queries: u64,
    successes: u64,
    bytes_removed: u64,
    oracle_seconds: f64,
}

impl Json {
    pub(super) fn new(out: Box<dyn Write>) -> Self {
        Self { out, failed: None }
    }

    pub(super) fn file(&mut self, name: &str, bytes: usize) {
        self.line(&Line::File { name, bytes });
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
    Finished {
        queries: summary.queries,
        cache_hits: summary.cache_hits,
        cache_peak_entries: summary.cache_peak_entries,
        cache_peak_bytes: summary.cache_peak_bytes,
        bytes_before: summary.bytes_before(),
        bytes_after: summary.bytes_after(),
        tokens_before: summary.tokens_before(),
        tokens_after: summary.tokens_after(),
        seconds: summary.seconds,
        oracle_seconds: summary.oracle_seconds,
        verification_queries: summary.verification_queries,
        complete: summary.complete,
        one_minimal: summary.one_minimal,
        replayed: summary.replayed,
        timed_out: summary.timed_out,
        given_up: summary.given_up,
        discarded: summary.discarded,
        results: summary
            .files
            .iter()
            .map(|file| file.result.as_ref().map(|path| path.display().to_string()))
            .collect(),
        passes: summary.passes.iter().map(pass).collect(),
    }
}

fn pass(pass: &PassSummary) -> Pass<'_> {
    Pass {
        name: &pass.name,
        questions: pass.questions,
        queries: pass.queries,
        successes: pass.successes,
        bytes_removed: pass.bytes_removed,
        oracle_seconds: pass.oracle_seconds,
    }
}
