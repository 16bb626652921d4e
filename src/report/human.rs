//! What people see while a run goes on, and at its end.

use std::fmt::Write;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::event::Event;
use super::lines::{answered, notice};
use super::milestones::Milestones;
use super::statistics::{PassStatistics, Statistics};
use super::summary::{
    FileSummary, FolderSummary, NO_LANGUAGE, Summary, count, known_number, number, percent, time,
};
use super::{say, screen, style};
use crate::cli::Progress;

/// The voice on standard error.
pub(super) struct Human {
    verbosity: u8,
    bar: ProgressBar,
    /// Where there is no terminal but progress is wished for: when a line is due.
    milestones: Option<Milestones>,
    may_go_live: bool,
    started: Instant,
    name: String,
    original: usize,
    best: usize,
}

/// Characters of a file's name in a line of progress.
const LONGEST_NAME: usize = 24;
/// Columns of the line that are not for the state: the spinner and the time.
const COLUMNS_OF_OTHERS: usize = 10;
/// So many files of a run are told about one by one.
const FILES: usize = 20;
/// Columns of the summary's text.
const WIDTH: usize = 80;

impl Human {
    pub(super) fn new(verbosity: u8, progress: Progress) -> Self {
        let bar = match progress {
            _ if verbosity == 0 => ProgressBar::hidden(),
            Progress::Never => ProgressBar::hidden(),
            _ => ProgressBar::with_draw_target(None, screen::draw_target()),
        };
        let style = ProgressStyle::with_template("{spinner} {elapsed:>3}  {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        let is_ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
        let wants_lines = match progress {
            Progress::Always => true,
            Progress::Auto => is_ci,
            Progress::Line | Progress::Never => false,
        };
        let milestones = (wants_lines && verbosity > 0 && bar.is_hidden()).then(Milestones::new);
        Self {
            verbosity,
            bar,
            milestones,
            may_go_live: verbosity == 1 && [Progress::Auto, Progress::Always].contains(&progress),
            started: Instant::now(),
            name: String::new(),
            original: 0,
            best: 0,
        }
    }

    /// Whether the live view is wished for, if the terminal can show it.
    pub(super) fn may_go_live(&self) -> bool {
        self.may_go_live
    }

    /// Hides the line of progress while there is something better, or shows it again.
    pub(super) fn hide(&self, hidden: bool) {
        self.bar.set_draw_target(if hidden {
            ProgressDrawTarget::hidden()
        } else {
            screen::draw_target()
        });
    }

    /// What would be printed because of an event that is no question.
    pub(super) fn said(&self, event: &Event) -> Option<String> {
        match event {
            Event::Warning { text } => Some(warning(text)),
            Event::TimeLimit { .. } if self.verbosity < 2 => None,
            event => Some(notice(event)).filter(|text| !text.trim().is_empty()),
        }
    }

    /// From now on it is this file that gets smaller.
    pub(super) fn file(&mut self, name: &str, original: usize, best: usize) {
        self.name = abbreviated(name);
        self.original = original;
        self.best = best;
    }

    /// From now on this is going on, until something happens.
    pub(super) fn doing(&self, what: &'static str) {
        self.bar.set_message(what);
        self.bar.enable_steady_tick(Duration::from_millis(200));
    }

    pub(super) fn event(&mut self, event: &Event, best: &[u8]) {
        match event {
            Event::Answered { pass, queries, .. } => {
                self.progress(pass, *queries);
                self.line(pass, *queries);
                self.tell(3, || answered(event, best));
            }
            Event::Improved {
                pass,
                bytes,
                queries,
                ..
            } => {
                self.best = *bytes;
                self.tell(2, || {
                    format!(
                        "{:>10} bytes  {pass}, query {}\n",
                        number(*bytes),
                        number(*queries)
                    )
                });
            }
            Event::Warning { text } => self.warn(text),
            Event::TimeLimit { .. } => self.tell(2, || notice(event)),
            _ => self.tell(1, || notice(event)),
        }
    }

    /// A sentence that is said even with `--quiet`.
    pub(super) fn warn(&self, text: &str) {
        self.print(&warning(text));
    }

    pub(super) fn finish(&self, summary: &Summary) {
        self.bar.finish_and_clear();
        self.tell(1, || end(summary, screen::room()));
    }

    fn progress(&self, pass: &str, queries: u64) {
        if !self.bar.is_hidden() {
            let room = screen::columns().saturating_sub(COLUMNS_OF_OTHERS);
            self.bar
                .set_message(fitted(&self.sizes(), &self.state(pass, queries)[1..], room));
        }
    }

    /// The sizes in ever fewer words.
    fn sizes(&self) -> [String; 5] {
        let (original, best) = (number(self.original), number(self.best));
        let left = percent(self.best, self.original);
        [
            format!("{}: {original} → {best} bytes ({left})", self.name),
            format!("{original} → {best} bytes ({left})"),
            format!("{original} → {best} bytes"),
            format!("{best} bytes"),
            best,
        ]
    }

    /// What there is to say, the most important first.
    fn state(&self, pass: &str, queries: u64) -> [String; 3] {
        let seconds = self.started.elapsed().as_secs_f64().max(0.001);
        #[expect(clippy::cast_precision_loss, reason = "a rate to look at")]
        let rate = queries as f64 / seconds;
        let [sizes, ..] = self.sizes();
        [
            sizes,
            format!("{}, {rate:.0}/s", count(queries, "query", "queries")),
            pass.to_owned(),
        ]
    }

    /// One line for each tenth of the size, and for each half minute.
    fn line(&mut self, pass: &str, queries: u64) {
        let (best, original) = (self.best, self.original);
        let is_due = |milestones: &mut Milestones| milestones.is_due(best, original);
        if self.milestones.as_mut().is_some_and(is_due) {
            self.print(&format!("{}\n", self.state(pass, queries).join("  ")));
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

fn warning(text: &str) -> String {
    let yellow = style::WARNING;
    format!("{yellow}warning:{yellow:#} {text}\n")
}

/// The first of these ways to say what matters most that there is room for, and as many of the other parts as fit behind it. A
/// line that wraps could not be replaced by the next one.
fn fitted(ways: &[String], others: &[String], room: usize) -> String {
    const GAP: &str = "  ";
    let width = |text: &String| text.chars().count();
    let Some(mut text) = ways.iter().find(|way| width(way) <= room).cloned() else {
        return String::new();
    };
    for part in others {
        if width(&text) + GAP.len() + width(part) > room {
            break;
        }
        text.push_str(GAP);
        text.push_str(part);
    }
    text
}

/// A name that leaves room for the figures, without what would disturb a terminal.
pub(super) fn abbreviated(name: &str) -> String {
    let name: Vec<char> = name.chars().filter(|c| !c.is_control()).collect();
    match name.len().checked_sub(LONGEST_NAME) {
        None | Some(0) => name.iter().collect(),
        Some(_) => {
            let half = LONGEST_NAME / 2;
            let ends = [&name[..half], &['…'], &name[name.len() - half..]];
            ends.concat().iter().collect()
        }
    }
}

/// The summary at the end, for so many columns.
fn end(summary: &Summary, room: usize) -> String {
    let mut text = summary
        .folder
        .as_ref()
        .map(folder_sizes)
        .unwrap_or_default();
    for file in summary.files.iter().take(FILES) {
        text.push_str(&sizes(file));
    }
    if let Some(more @ 1..) = summary.files.len().checked_sub(FILES) {
        let _ = writeln!(text, "and {} more", number(more));
    }
    text.push_str(&costs(summary));
    text.push_str(&given_up(&summary.statistics));
    if let Some(effort) = &summary.effort {
        let _ = writeln!(text, "effort max: {}", effort.said());
    }
    if summary
        .statistics
        .passes
        .iter()
        .any(|pass| pass.questions > 0)
    {
        text.push('\n');
        text.push_str(&table(&summary.statistics.passes, room));
    }
    text.push_str(&results(summary));
    text
}

fn folder_sizes(folder: &FolderSummary) -> String {
    let bold = style::STRONG;
    let (files, bytes, tokens) = (folder.files, folder.bytes, folder.tokens);
    let arrow = |pair: [Option<usize>; 2]| {
        let [before, after] = pair.map(known_number);
        format!("{before} → {after}")
    };
    format!(
        "{bold}{}: {} files, {} bytes{bold:#} ({}), {} tokens\n",
        folder.name,
        arrow(files.map(Some)),
        arrow(bytes.map(Some)),
        percent(bytes[1], bytes[0]),
        arrow(tokens)
    )
}

fn sizes(file: &FileSummary) -> String {
    let bold = style::STRONG;
    let (before, after) = (file.before.len(), file.after.len());
    format!(
        "{bold}{}: {} → {} bytes{bold:#} ({}), {} → {} tokens{}\n",
        file.name,
        number(before),
        number(after),
        percent(after, before),
        known_number(file.tokens_before),
        known_number(file.tokens_after),
        match &file.language {
            Some(language) => format!(", read as {language}"),
            None => format!("\n{NO_LANGUAGE}"),
        }
    )
}

fn costs(summary: &Summary) -> String {
    let statistics = &summary.statistics;
    let more = [
        (statistics.cache_hits, "answered without a run"),
        (statistics.replayed, "answered by an earlier run"),
        (statistics.timed_out, "timed out"),
        (statistics.discarded, "run ahead in vain"),
        (
            statistics.verification_queries,
            "to test original and result",
        ),
    ];
    let more = more.iter().filter(|(count, _)| *count > 0);
    let more = more.map(|(count, what)| format!("{} {what}", number(*count)));
    format!(
        "{} in {} ({} in the check, all jobs together)\n{}",
        count(statistics.queries, "query", "queries"),
        time(summary.seconds),
        time(statistics.oracle_time.as_secs_f64()),
        listed(more)
    )
}

/// What is not known because it would have taken too long.
fn given_up(statistics: &Statistics) -> String {
    if statistics.given_up == 0 {
        return String::new();
    }
    let work = statistics.work_limit.map(|limit| {
        let limit = time(limit.as_secs_f64());
        format!(" or {limit} of processor time")
    });
    let twice = match statistics.given_up_twice {
        0 => String::new(),
        all if all == statistics.given_up => ",\nnor when tried again with more".to_owned(),
        some => format!(",\n{} of them nor when tried again with more", number(some)),
    };
    format!(
        "gave up on {} that did not end in {}{}{twice}\n",
        count(statistics.given_up, "candidate", "candidates"),
        time(statistics.time_limit.as_secs_f64()),
        work.unwrap_or_default()
    )
}

/// The parts with commas between them, in lines that fit.
fn listed(parts: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    let mut column = 0;
    for part in parts {
        if column > 0 && column + part.len() + 3 > WIDTH {
            text.push_str(",\n");
            column = 0;
        }
        if column > 0 {
            text.push_str(", ");
        }
        text.push_str(&part);
        column += part.len() + 2;
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// A column of the table of passes: its title, how wide it is, what stands there, and how soon it is left out.
struct Column {
    title: &'static str,
    width: usize,
    of: fn(&PassStatistics) -> String,
    rank: u8,
}

#[rustfmt::skip]
const COLUMNS: [Column; 5] = [
    Column { title: "questions", width: 10, of: |pass| number(pass.questions), rank: 3 },
    Column { title: "queries", width: 9, of: |pass| number(pass.queries), rank: 0 },
    Column { title: "successes", width: 10, of: |pass| number(pass.successes), rank: 0 },
    Column { title: "bytes gone", width: 12, of: |pass| number(pass.bytes_removed), rank: 1 },
    Column { title: "time", width: 12, of: |pass| time(pass.oracle_time.as_secs_f64()), rank: 2 },
];

/// What became of each pass. Columns for which there is no room are left out: a table whose lines wrap cannot be read.
fn table(passes: &[PassStatistics], room: usize) -> String {
    let longest = passes.iter().map(|pass| pass.name.len()).max();
    let width = longest.unwrap_or(0).max(4);
    let needed = |most: u8| {
        let shown = COLUMNS.iter().filter(|column| column.rank <= most);
        width + shown.map(|column| 1 + column.width).sum::<usize>()
    };
    let most = (0..=3).rev().find(|&most| needed(most) <= room);
    let shown = COLUMNS
        .iter()
        .filter(|column| column.rank <= most.unwrap_or(0));
    let line = |name: &str, cell: &dyn Fn(&Column) -> String| {
        let cells = shown.clone();
        let cells = cells.map(|column| format!(" {:>1$}", cell(column), column.width));
        format!("{name:width$}{}", cells.collect::<String>())
    };
    let dim = style::DIM;
    let titles = line("pass", &|column| column.title.to_owned());
    let mut text = format!("{dim}{titles}{dim:#}\n");
    for pass in passes {
        text.push_str(&line(pass.name, &|column| (column.of)(pass)));
        text.push('\n');
    }
    text
}

fn results(summary: &Summary) -> String {
    let mut text = String::from("\n");
    let folder = summary.folder.as_ref();
    if let Some(path) = folder.and_then(|folder| folder.result.as_ref()) {
        let _ = writeln!(text, "result: {}", path.display());
    }
    let alone = summary.files.iter().filter(|_| folder.is_none());
    for file in alone {
        if file.after == file.before {
            let why = if summary.complete {
                "is as small as it gets"
            } else {
                "did not get smaller"
            };
            let _ = writeln!(text, "{} {why}", file.name);
        }
        if let Some(path) = &file.result {
            let _ = writeln!(text, "result: {}", path.display());
        }
    }
    if let Some(command) = &summary.recheck {
        let _ = writeln!(text, "to see it again: {command}");
    }
    if text == "\n" { String::new() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_terminal_gets_less_and_never_a_second_line() {
        let mut human = Human::new(1, Progress::Never);
        human.file("a_very_long_name_of_a_file.c", 123_456, 78_901);
        let others = ["9 queries", "units"].map(str::to_owned);
        let fitted = |columns: usize| fitted(&human.sizes(), &others, columns);
        let whole = "a_very_long_…_of_a_file.c: 123,456 → 78,901 bytes (63.9 %)";
        assert_eq!(fitted(100), format!("{whole}  9 queries  units"));
        assert_eq!(fitted(72), format!("{whole}  9 queries"));
        assert_eq!(fitted(60), whole);
        assert_eq!(
            fitted(50),
            "123,456 → 78,901 bytes (63.9 %)  9 queries  units"
        );
        // What a terminal of 40 columns has.
        assert_eq!(fitted(26), "123,456 → 78,901 bytes");
        assert_eq!(fitted(12), "78,901 bytes");
        assert_eq!(fitted(6), "78,901");
        assert_eq!(fitted(5), "");
    }

    #[test]
    fn a_long_name_leaves_room_for_the_figures() {
        assert_eq!(abbreviated("bug.c"), "bug.c");
        let long = "a_very_long_name_of_a_\x1b[31mgenerated_file.c";
        assert_eq!(abbreviated(long), "a_very_long_…rated_file.c");
    }

    #[test]
    fn a_list_is_broken_where_the_line_would_be_too_long() {
        let parts = ["x".repeat(60), "y".repeat(15), "z".to_owned()];
        let text = listed(parts.iter().cloned());
        assert_eq!(text, format!("{}, {},\nz\n", parts[0], parts[1]));
        assert_eq!(listed(std::iter::empty()), "");
    }

    #[test]
    fn what_was_given_up_is_said_with_the_limits() {
        let statistics = |given_up, given_up_twice, work: Option<u64>| Statistics {
            given_up,
            given_up_twice,
            time_limit: Duration::from_secs(3),
            work_limit: work.map(Duration::from_secs),
            ..Statistics::default()
        };
        for (statistics, said) in [
            (statistics(0, 0, None), ""),
            (
                statistics(1, 0, Some(2)),
                "gave up on 1 candidate that did not end in 3.00 s or 2.00 s of processor time\n",
            ),
            (
                statistics(4, 4, None),
                "gave up on 4 candidates that did not end in 3.00 s,\nnor when tried again with more\n",
            ),
            (
                statistics(4, 3, None),
                "gave up on 4 candidates that did not end in 3.00 s,\n3 of them nor when tried again with more\n",
            ),
        ] {
            assert_eq!(given_up(&statistics), said);
        }
    }

    #[test]
    fn a_file_that_stayed_as_it_was_is_named_with_the_reason() {
        let mut summary = super::super::example_summary();
        summary.files[0].after = summary.files[0].before.clone();
        assert!(results(&summary).contains("bug.c is as small as it gets\n"));
        summary.complete = false;
        summary.statistics.timed_out = 2;
        assert!(results(&summary).contains("bug.c did not get smaller\n"));
        assert!(costs(&summary).contains("6 answered without a run, 2 timed out, "));
    }

    #[test]
    fn the_summary_says_what_went_in_and_out_and_what_it_cost() {
        insta::assert_snapshot!(
            anstream::adapter::strip_str(&end(&super::super::example_summary(), usize::MAX))
                .to_string()
        );
    }

    #[test]
    fn the_table_has_the_columns_that_there_is_room_for() {
        let passes = super::super::example_summary().statistics.passes;
        let titles = |room| {
            let text = anstream::adapter::strip_str(&table(&passes, room)).to_string();
            let title = text.lines().next().unwrap().to_owned();
            assert!(text.lines().all(|line| line.chars().count() == title.len()));
            title.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let all = "pass questions queries successes bytes gone time";
        assert_eq!(titles(usize::MAX), all);
        assert_eq!(titles(80), all);
        let width = passes.iter().map(|pass| pass.name.len()).max().unwrap();
        assert_eq!(titles(width + 57), "pass queries successes bytes gone time");
        assert_eq!(titles(width + 45), "pass queries successes bytes gone");
        assert_eq!(titles(width + 33), "pass queries successes");
        assert_eq!(titles(1), "pass queries successes");
    }
}
