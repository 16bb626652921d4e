//! What happened, told to people and to programs. Standard output is for data only; everything else goes to standard error.

mod batch;
mod change;
mod chart;
mod diff;
mod environment;
mod event;
mod finding;
mod html;
mod human;
mod json;
mod lines;
mod live;
mod markdown;
mod marks;
mod milestones;
mod screen;
mod statistics;
mod summary;

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use batch::{BugStage, BugState};
pub use environment::{VERSION, environment};
pub use event::{Event, Source, Stop};
pub use finding::{Finding, Grade, finding};
pub use statistics::{PassStatistics, Statistics};
pub use summary::{Effort, FileSummary, FolderSummary, Summary, duration};

use crate::cli::{Progress, When};
use crate::interrupt::Interrupt;
use chart::Point;
use human::Human;
use json::Json;
use live::{Live, View};
use marks::Marks;

/// Passes on what happens to everyone who wants to know.
pub struct Reporter {
    human: Human,
    live: Option<Live>,
    /// What each pass does.
    about: Vec<(&'static str, &'static str)>,
    json: Option<Json>,
    curve: Vec<Point>,
    marks: Marks,
    warnings: Vec<String>,
    started: Instant,
    /// Bytes of all that is not being reduced now.
    beside: usize,
    /// Queries before the file that is being reduced.
    queries_before: u64,
}

impl Reporter {
    /// A reporter that says this much (see `Config::verbosity`) and writes JSON lines to `json`.
    pub fn new(verbosity: u8, progress: Progress, json: Option<Box<dyn Write>>) -> Self {
        Self {
            human: Human::new(verbosity, progress),
            live: None,
            about: Vec::new(),
            json: json.map(Json::new),
            curve: Vec::new(),
            marks: Marks::default(),
            warnings: Vec::new(),
            started: Instant::now(),
            beside: 0,
            queries_before: 0,
        }
    }

    /// Shows the live view if the terminal can and nothing else is wished for. `passes` are their names with what they do;
    /// what is changed of the terminal is noted in the file `note`.
    pub fn go_live(
        &mut self,
        limits: (Option<Duration>, Option<u64>),
        may_skip: bool,
        passes: Vec<(&'static str, &'static str)>,
        note: PathBuf,
        interrupt: &Interrupt,
    ) {
        if !self.human.may_go_live() || !live::is_possible() {
            return;
        }
        let mut view = View::new();
        (view.max_time, view.max_queries) = limits;
        view.may_skip = may_skip;
        self.about = passes;
        self.live = Live::start(view, note, interrupt);
        self.human.hide(self.live.is_some());
    }

    /// The files of the run with their sizes and languages, once, before anything else.
    pub fn files<'a>(
        &mut self,
        files: impl Iterator<Item = (Cow<'a, str>, usize, Option<&'a str>)>,
    ) {
        let Some(json) = &mut self.json else { return };
        for (name, bytes, language) in files {
            json.file(&name, bytes, language);
        }
    }

    /// From now on the events are about this file or folder, which had so many bytes and has so many now: this `text`. All else has
    /// `beside` bytes; so many queries came before.
    pub fn reducing(
        &mut self,
        name: &str,
        text: &Arc<[u8]>,
        [original, now, beside]: [usize; 3],
        queries: u64,
    ) {
        self.marks.begin(name, text, now);
        self.queries_before = queries;
        self.beside = beside;
        self.human.file(name, original, now);
        if let Some(live) = &self.live {
            let best = Arc::clone(self.marks.best());
            let total = now + beside;
            live.update(|view| {
                view.name = human::abbreviated(name);
                (view.original, view.size, view.best) = (original, now, best);
                view.total = view.total.max(total);
            });
        }
        if let Some(json) = &mut self.json {
            json.reducing(name, now);
        }
    }

    /// From now on this is going on, until the next event.
    pub fn doing(&mut self, what: &'static str) {
        self.human.doing(what);
        if let Some(live) = &self.live {
            live.update(|view| view.doing = what);
        }
    }

    /// Something happened. The engine counts for the file that it reduces; what is told is about the whole run.
    pub fn event(&mut self, event: &Event) {
        let mut event = event.clone();
        match &mut event {
            Event::Answered { queries, .. } => *queries += self.queries_before,
            Event::Improved {
                queries, seconds, ..
            } => {
                *queries += self.queries_before;
                *seconds = self.started.elapsed().as_secs_f64();
            }
            _ => {}
        }
        self.tell(&event);
    }

    fn tell(&mut self, event: &Event) {
        if self.live.as_ref().is_some_and(Live::has_gone) {
            self.end_live();
        }
        if self.live.is_none() {
            self.human.event(event, self.marks.best());
        }
        if let Some(json) = &mut self.json {
            json.event(event);
        }
        if let Event::Improved {
            pass,
            bytes,
            queries,
            seconds,
            text,
        } = event
        {
            self.marks.add(pass, text, *bytes, *seconds, *queries);
            self.curve.push(Point {
                seconds: *seconds,
                bytes: self.beside + bytes,
            });
        }
        self.show(event);
        if let Event::Warning { text } = event {
            self.warnings.push(text.clone());
        }
    }

    /// On the live view.
    fn show(&mut self, event: &Event) {
        let Some(live) = &self.live else { return };
        match event {
            Event::Answered {
                pass,
                interesting,
                queries,
                ..
            } => live.update(|view| {
                if *pass != view.pass {
                    let known = self.about.iter().find(|(name, _)| name == pass);
                    view.about = known.map_or("", |(_, about)| *about);
                }
                view.answered(pass, *interesting, *queries);
            }),
            Event::Improved { bytes, text, .. } => {
                let (Some(&point), last) = (self.curve.last(), self.marks.last().cloned()) else {
                    return;
                };
                live.update(|view| view.improved(point, *bytes, Arc::clone(text), last));
            }
            event => {
                let said = self.human.said(event);
                live.update(|view| view.messages.extend(said));
            }
        }
    }

    /// Gives the terminal back.
    fn end_live(&mut self) {
        if let Some(mut live) = self.live.take() {
            for message in live.end() {
                say(&message);
            }
            self.human.hide(false);
        }
    }

    /// Something the user should know, even with `--quiet`.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.event(&Event::Warning { text: text.into() });
    }

    /// The end of the run.
    ///
    /// # Errors
    /// The first failure of writing JSON lines.
    pub fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        self.end_live();
        self.human.finish(summary);
        self.json
            .as_mut()
            .map_or(Ok(()), |json| json.finish(summary))
    }

    /// The HTML report.
    pub fn html(&self, summary: &Summary) -> String {
        html::page(summary, &self.curve, &self.marks, &self.warnings)
    }

    /// The summary as Markdown.
    pub fn markdown(&self, summary: &Summary) -> String {
        markdown::page(summary, &self.warnings)
    }
}

/// Decides once for the whole process whether colours are written; `NO_COLOR` and the terminal decide when it is left open.
pub fn set_colors(when: When) {
    match when {
        When::Auto => anstream::ColorChoice::Auto,
        When::Always => anstream::ColorChoice::AlwaysAnsi,
        When::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Says what went wrong and what to type, on standard error.
pub fn error(error: &dyn fmt::Display, hint: &str) {
    let (red, bold) = (style::ERROR, style::HINT);
    say(&format!(
        "{red}error:{red:#} {error}\n{bold}hint:{bold:#} {hint}\n"
    ));
}

/// Says something that the user should know, on standard error.
pub fn warning(text: &str) {
    let yellow = style::WARNING;
    say(&format!("{yellow}warning:{yellow:#} {text}\n"));
}

/// Says one line on standard error.
pub fn say_line(text: &str) {
    say(&format!("{text}\n"));
}

/// Puts a question on standard error.
pub fn ask(question: &str) {
    let bold = style::HINT;
    say(&format!("{bold}{question}{bold:#} "));
}

/// Writes to standard error. That it may be closed is no reason to stop a reduction.
fn say(text: &str) {
    let _ = anstream::stderr().write_all(text.as_bytes());
}

mod style {
    use anstyle::{AnsiColor, Style};

    pub(super) const ERROR: Style = AnsiColor::Red.on_default().bold();
    pub(super) const HINT: Style = AnsiColor::Cyan.on_default().bold();
    pub(super) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
    pub(super) const GOOD: Style = AnsiColor::Green.on_default();
    pub(super) const STRONG: Style = Style::new().bold();
    pub(super) const DIM: Style = Style::new().dimmed();
}

#[cfg(test)]
fn example_summary() -> Summary {
    use std::time::Duration;

    let pass = |name, queries, successes, bytes_removed| PassStatistics {
        name,
        questions: queries + 3,
        queries,
        successes,
        bytes_removed,
        oracle_time: Duration::from_millis(750),
    };
    Summary {
        folder: None,
        files: vec![FileSummary {
            language: Some("c".into()),
            lexis: crate::syntax::Lexis::default(),
            name: "bug.c".into(),
            result: Some("bug.reduced.c".into()),
            before: (*b"int a;\n\n\n\n\n\nint b<c>;\nint d;\n").into(),
            after: (*b"int b<0>;\n").into(),
            tokens_before: Some(12),
            tokens_after: Some(6),
        }],
        statistics: Statistics {
            passes: vec![pass("lines", 1, 1, 15), pass("hddr", 1234, 2, 3)],
            queries: 1235,
            cache_hits: 6,
            discarded: 2,
            verification_queries: 3,
            oracle_time: Duration::from_millis(1250),
            ..Statistics::default()
        },
        seconds: 1.5,
        complete: true,
        swept: &["units", "hoists", "tokens", "bytes"],
        effort: None,
        recheck: Some("./check.sh bug.reduced.c".into()),
        command: Some("paredown check.sh bug.c".into()),
        environment: vec![("system", "Linux 6.1".into())],
    }
}
