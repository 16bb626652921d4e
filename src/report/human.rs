//! What people see while a run goes on, and at its end. The only file that names indicatif.

use std::fmt::Write;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::event::{Event, Source, Stop};
use super::summary::{FileSummary, PassSummary, Summary, count, number, percent, time};
use super::{say, style};
use crate::cli::When;

/// The voice on standard error.
pub(super) struct Human {
    verbosity: u8,
    bar: ProgressBar,
    /// Where there is no terminal but progress is wished for, lines take the place of the bar.
    lines: Option<Instant>,
    name: String,
    original: usize,
    best: usize,
}

/// A line of progress at most this often.
const LINE_INTERVAL: Duration = Duration::from_secs(1);

impl Human {
    pub(super) fn new(verbosity: u8, progress: When) -> Self {
        let bar = match progress {
            _ if verbosity == 0 => ProgressBar::hidden(),
            When::Never => ProgressBar::hidden(),
            When::Auto | When::Always => {
                ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::stderr())
            }
        };
        let template = "{spinner} {bar:20} {msg} {elapsed}";
        bar.set_style(
            ProgressStyle::with_template(template)
                .unwrap_or_else(|_| ProgressStyle::default_bar())
                .progress_chars("━╸─"),
        );
        let lines =
            (progress == When::Always && verbosity > 0 && bar.is_hidden()).then(Instant::now);
        Self {
            verbosity,
            bar,
            lines,
            name: String::new(),
            original: 0,
            best: 0,
        }
    }

    /// From now on it is this file that gets smaller.
    pub(super) fn file(&mut self, name: &str, original: usize, best: usize) {
        name.clone_into(&mut self.name);
        self.original = original;
        self.best = best;
        self.bar.set_length(original as u64);
        self.bar.enable_steady_tick(Duration::from_millis(200));
    }

    pub(super) fn event(&mut self, event: &Event) {
        match event {
            Event::Answered { pass, queries, .. } => {
                self.progress(pass, *queries);
                self.tell(3, || answered(event));
            }
            Event::Improved {
                pass,
                bytes,
                queries,
                ..
            } => {
                self.best = *bytes;
                self.bar
                    .set_position(self.original.saturating_sub(*bytes) as u64);
                self.tell(2, || {
                    format!(
                        "{:>10} bytes  {pass}, query {}\n",
                        number(*bytes),
                        number(*queries)
                    )
                });
                self.line(pass, *queries);
            }
            Event::Warning { text } => self.warn(text),
            Event::TimeLimit { .. } => self.tell(2, || notice(event)),
            _ => self.tell(1, || notice(event)),
        }
    }

    /// A sentence that is said even with `--quiet`.
    pub(super) fn warn(&self, text: &str) {
        let yellow = style::WARNING;
        self.print(&format!("{yellow}warning:{yellow:#} {text}\n"));
    }

    pub(super) fn finish(&self, summary: &Summary) {
        self.bar.finish_and_clear();
        self.tell(1, || end(summary));
    }

    fn progress(&self, pass: &str, queries: u64) {
        if !self.bar.is_hidden() {
            self.bar.set_message(self.state(pass, queries));
        }
    }

    fn state(&self, pass: &str, queries: u64) -> String {
        let seconds = self.bar.elapsed().as_secs_f64().max(0.001);
        #[expect(clippy::cast_precision_loss, reason = "a rate to look at")]
        let rate = queries as f64 / seconds;
        format!(
            "{}: {} → {} bytes ({})  {}, {rate:.0}/s  {pass}",
            self.name,
            number(self.original),
            number(self.best),
            percent(self.best, self.original),
            count(queries, "query", "queries"),
        )
    }

    fn line(&mut self, pass: &str, queries: u64) {
        if self
            .lines
            .is_some_and(|last| last.elapsed() >= LINE_INTERVAL)
        {
            self.lines = Some(Instant::now());
            self.print(&format!("{}\n", self.state(pass, queries)));
        }
    }

    fn tell(&self, verbosity: u8, text: impl FnOnce() -> String) {
        if self.verbosity >= verbosity {
            self.print(&text());
        }
    }

    /// Above the bar, when there is one.
    fn print(&self, text: &str) {
        self.bar.suspend(|| say(text));
    }
}

fn answered(event: &Event) -> String {
    let Event::Answered {
        pass,
        bytes,
        interesting,
        source,
        ..
    } = event
    else {
        return String::new();
    };
    let verdict = if *interesting {
        "interesting"
    } else {
        "not interesting"
    };
    let source = match source {
        Source::Query => "",
        Source::TimedOut => " (timed out)",
        Source::Cache => " (asked before)",
        Source::Best => " (the best itself)",
        Source::Journal => " (from the state folder)",
    };
    format!("{:>10} bytes  {pass}: {verdict}{source}\n", number(*bytes))
}

fn notice(event: &Event) -> String {
    let text = match event {
        Event::AlsoInteresting { path } => format!("also interesting: {}", path.display()),
        Event::TimeLimit { seconds } => {
            format!("a run of the check may now take {}", time(*seconds))
        }
        Event::Retrying { timed_out, seconds } => format!(
            "{} timed out; trying again with {} each",
            count(*timed_out, "candidate", "candidates"),
            time(*seconds)
        ),
        Event::Resumed { answers } => {
            format!(
                "going on from an earlier run with {}",
                count(*answers, "answer", "answers")
            )
        }
        Event::Stopped { reason } => {
            format!("stopped by {}; keeping the best so far", stop(*reason))
        }
        _ => return String::new(),
    };
    format!("{text}\n")
}

fn stop(reason: Stop) -> &'static str {
    match reason {
        Stop::Interrupted => "a signal",
        Stop::MaxTime => "--max-time",
        Stop::MaxQueries => "--max-queries",
        Stop::TargetBytes => "--target-bytes",
    }
}

/// The summary at the end.
pub(super) fn end(summary: &Summary) -> String {
    let mut text = String::new();
    for file in &summary.files {
        text.push_str(&sizes(file));
    }
    text.push_str(&costs(summary));
    if summary.passes.iter().any(|pass| pass.questions > 0) {
        text.push('\n');
        text.push_str(&table(&summary.passes));
    }
    text.push_str(&results(summary));
    text
}

fn sizes(file: &FileSummary) -> String {
    let bold = style::STRONG;
    let (before, after) = (file.before.len(), file.after.len());
    format!(
        "{bold}{}: {} → {} bytes{bold:#} ({}), {} → {} tokens\n",
        file.name,
        number(before),
        number(after),
        percent(after, before),
        number(file.tokens_before),
        number(file.tokens_after)
    )
}

fn costs(summary: &Summary) -> String {
    let mut parts = vec![count(summary.queries, "query", "queries")];
    let more = [
        (summary.cache_hits, "answered without a run"),
        (summary.replayed, "answered by an earlier run"),
        (summary.timed_out, "timed out"),
        (summary.discarded, "run ahead in vain"),
        (
            summary.verification_queries,
            "to check the original and the result",
        ),
    ];
    parts.extend(
        more.iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{} {what}", number(*count))),
    );
    format!(
        "{}; {}, {} of it in the check\n",
        parts.join(", "),
        time(summary.seconds),
        percent_of_time(summary.oracle_seconds, summary.seconds)
    )
}

/// Several checks at a time give more than 100 %, which is told as it is.
fn percent_of_time(part: f64, whole: f64) -> String {
    format!("{:.0} %", 100.0 * part / whole.max(1e-9))
}

fn table(passes: &[PassSummary]) -> String {
    let width = passes
        .iter()
        .map(|pass| pass.name.len())
        .max()
        .unwrap_or(0)
        .max(4);
    let dim = style::DIM;
    let mut text = format!(
        "{dim}{:width$} {:>10} {:>9} {:>10} {:>12} {:>12}{dim:#}\n",
        "pass", "questions", "queries", "successes", "bytes gone", "time"
    );
    for pass in passes {
        let _ = writeln!(
            text,
            "{:width$} {:>10} {:>9} {:>10} {:>12} {:>12}",
            pass.name,
            number(pass.questions),
            number(pass.queries),
            number(pass.successes),
            number(pass.bytes_removed),
            time(pass.oracle_seconds)
        );
    }
    text
}

fn results(summary: &Summary) -> String {
    let mut text = String::new();
    for file in &summary.files {
        match &file.result {
            Some(path) if file.after == file.before => {
                let _ = writeln!(
                    text,
                    "\n{} is as small as it gets; {} is not written",
                    file.name,
                    path.display()
                );
            }
            Some(path) => {
                let _ = writeln!(text, "\nresult: {}", path.display());
            }
            None => {}
        }
    }
    for command in &summary.recheck {
        let _ = writeln!(text, "to see it again: {command}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_says_what_went_in_and_out_and_what_it_cost() {
        insta::assert_snapshot!(
            anstream::adapter::strip_str(&end(&super::super::example_summary())).to_string()
        );
    }
}
