//! The report as one HTML file that needs nothing else: the curve of the size over time, the passes, the files with what went.

use std::fmt::Write;

use super::chart::{Point, chart};
use super::diff::{Part, compare};
use super::marks::{Mark, Marks};
use super::summary::{
    FileSummary, NO_LANGUAGE, Summary, count, known_number, number, percent, time,
};

/// The whole file.
pub(super) fn page(
    summary: &Summary,
    curve: &[Point],
    marks: &Marks,
    warnings: &[String],
) -> String {
    let names: Vec<&str> = summary
        .files
        .iter()
        .map(|file| file.name.as_str())
        .collect();
    let title = escape(names.join(", ").as_bytes());
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n\
         <meta name=\"generator\" content=\"paredown\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}: {} → {} bytes</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n",
        number(summary.bytes_before()),
        number(summary.bytes_after())
    );
    for warning in warnings {
        let _ = writeln!(
            page,
            "<p class=\"warning\">{}</p>",
            escape(warning.as_bytes())
        );
    }
    page.push_str(&figures(summary));
    for file in &summary.files {
        let title = format!("What is left of {}", file.name);
        let body = language(file) + &text(&file.after);
        page.push_str(&section(&title, &body));
    }
    let commands = [
        ("To see it again", &summary.recheck),
        ("To repeat the reduction", &summary.command),
    ];
    for (title, command) in commands {
        if let Some(command) = command {
            let command = escape(command.as_bytes());
            let command = format!("<pre class=\"command\">{command}</pre>\n");
            page.push_str(&section(title, &command));
        }
    }
    page.push_str(&section("Size over time", &chart(summary, curve)));
    page.push_str(&section("Passes", &passes(summary)));
    if marks.count() > 0 {
        page.push_str(&section("Successes", &successes(marks)));
    }
    for file in &summary.files {
        if let Some(parts) = compare(&file.before, &file.after, &file.lexis) {
            let title = format!("Where it was in {}", file.name);
            page.push_str(&section(&title, &original(file, &parts)));
        }
    }
    if !summary.environment.is_empty() {
        page.push_str(&section("Where it was made", &environment(summary)));
    }
    let _ = writeln!(
        page,
        "<footer>paredown {}</footer>",
        env!("CARGO_PKG_VERSION")
    );
    page.push_str("</body>\n</html>\n");
    page
}

const STYLE: &str = "
:root { color-scheme: light dark; --ink: light-dark(#1a1a1a, #e4e4e4); --soft: light-dark(#6b6b6b, #9a9a9a);
  --line: light-dark(#d8d8d8, #3d3d3d); --mark: light-dark(#0b6e4f, #5fd3a5); --gone: light-dark(#a3302a, #f0938b); --back: light-dark(#fff, #161616); }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back); max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 1rem; } h2 { font-size: 1.1rem; margin: 2.5rem 0 .75rem; }
dl { display: flex; flex-wrap: wrap; gap: .75rem 2.5rem; margin: 0; }
dt { color: var(--soft); font-size: .85rem; } dd { margin: 0; font-size: 1.15rem; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .25rem 0 .25rem 1.75rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--soft); font-weight: normal; font-size: .85rem; } th:first-child, td:first-child { text-align: left; padding-left: 0; }
svg { width: 100%; min-width: 30rem; height: auto; } .small { font-size: .9rem; overflow-wrap: anywhere; }
ol.successes { padding-left: 2.5rem; } ol.successes s, ol.successes ins { text-decoration: none; font-weight: normal; } ol.successes s { color: var(--gone); } ol.successes li::marker { color: var(--soft); }
svg text { fill: var(--soft); font-size: 12px; } svg .grid { stroke: var(--line); }
svg .value { fill: var(--ink); stroke: var(--back); stroke-width: 4px; paint-order: stroke; }
svg .mark { fill: var(--mark); } svg .curve { fill: none; stroke: var(--mark); stroke-width: 2; }
pre { font: 13px/1.5 ui-monospace, monospace; overflow-x: auto; border: 1px solid var(--line); border-radius: 4px; padding: .75rem; margin: .5rem 0; white-space: pre; tab-size: 4; }
pre.command { white-space: pre-wrap; overflow-wrap: anywhere; }
pre mark { background: none; color: var(--mark); font-weight: bold; } pre del { color: var(--soft); text-decoration: none; } pre s { color: var(--soft); }
pre ins { color: var(--mark); font-weight: bold; } summary { color: var(--soft); cursor: pointer; }
.warning { border-left: 3px solid light-dark(#b45309, #fbbf24); padding-left: .75rem; } footer { color: var(--soft); font-size: .85rem; margin: 2.5rem 0; }
@media (max-width: 600px) { body { margin: 1rem auto; } dl { gap: .5rem 1.5rem; } svg { min-width: 0; } svg text { font-size: 19px; }
  table { font-size: .8rem; } th { font-size: .75rem; white-space: normal; vertical-align: bottom; } th, td { padding-left: .6rem; } ol.successes { padding-left: 1.75rem; } }
";

fn section(title: &str, body: &str) -> String {
    format!(
        "<section>\n<h2>{}</h2>\n{body}</section>\n",
        escape(title.as_bytes())
    )
}

/// Says in which language a file was read.
fn language(file: &FileSummary) -> String {
    let said = match &file.language {
        Some(language) => format!("read as {language}"),
        None => NO_LANGUAGE.to_owned(),
    };
    format!("<p>{}</p>\n", escape(said.as_bytes()))
}

fn text(bytes: &[u8]) -> String {
    format!("<pre>{}</pre>\n", escape(bytes))
}

fn figures(summary: &Summary) -> String {
    let arrow = |before: String, after: String| format!("{before} → {after}");
    let ended = if summary.complete {
        "at the fixed point"
    } else {
        "before the fixed point"
    };
    let mut figures = vec![
        (
            "bytes",
            arrow(
                number(summary.bytes_before()),
                number(summary.bytes_after()),
            ),
        ),
        (
            "left",
            percent(summary.bytes_after(), summary.bytes_before()),
        ),
        (
            "tokens",
            arrow(
                known_number(summary.tokens_before()),
                known_number(summary.tokens_after()),
            ),
        ),
        ("time", time(summary.seconds)),
        (
            "in the check, all jobs together",
            time(summary.statistics.oracle_time.as_secs_f64()),
        ),
        ("ended", ended.to_owned()),
    ];
    if summary.is_one_minimal() {
        figures.push(("1-minimal", format!("in {}", summary.swept.join(", "))));
    }
    if let Some(effort) = &summary.effort {
        figures.push(("effort max", effort.said()));
    }
    figures.push(("queries", number(summary.statistics.queries)));
    let more = [
        ("answered without a run", summary.statistics.cache_hits),
        ("answered by an earlier run", summary.statistics.replayed),
        ("run ahead in vain", summary.statistics.discarded),
        ("timed out", summary.statistics.timed_out),
        (
            "given up on, without an answer",
            summary.statistics.given_up,
        ),
        (
            "to test the original and the result",
            summary.statistics.verification_queries,
        ),
    ];
    let more = more.into_iter().filter(|(_, value)| *value > 0);
    figures.extend(more.map(|(name, value)| (name, number(value))));
    let mut html = String::from("<dl>\n");
    for (name, value) in figures {
        let _ = writeln!(html, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    }
    html + "</dl>\n"
}

fn environment(summary: &Summary) -> String {
    let mut html = String::from("<dl>\n");
    for (name, value) in &summary.environment {
        let value = escape(value.as_bytes());
        let _ = writeln!(
            html,
            "<div><dt>{name}</dt><dd class=\"small\">{value}</dd></div>"
        );
    }
    html + "</dl>\n"
}

/// Each with what it changed, to be opened.
fn successes(marks: &Marks) -> String {
    let largest = marks.largest();
    let mut html = String::new();
    if largest.len() < marks.count() {
        let _ = writeln!(
            html,
            "<p>the {} largest of {}</p>",
            number(largest.len()),
            number(marks.count())
        );
    }
    html.push_str("<ol class=\"successes\">\n");
    for mark in largest {
        let _ = writeln!(
            html,
            "<li><details><summary>{}, query {}, {}: {} {} → {} bytes, line {}</summary><pre>{}{}</pre></details></li>",
            time(mark.seconds),
            number(mark.queries),
            escape(mark.pass.as_bytes()),
            escape(mark.name.as_bytes()),
            number(mark.bytes[0]),
            number(mark.bytes[1]),
            number(mark.line),
            side("s", '-', mark, 0),
            side("ins", '+', mark, 1)
        );
    }
    html + "</ol>\n"
}

/// The lines of one side of a change.
fn side(tag: &str, sign: char, mark: &Mark, which: usize) -> String {
    let mut html = String::new();
    let lines = &mark.lines[which];
    if lines.is_empty() && mark.cut[which] == 0 {
        return html;
    }
    for line in lines.split(|&byte| byte == b'\n') {
        let _ = writeln!(html, "<{tag}>{sign} {}</{tag}>", shortened(line));
    }
    if mark.cut[which] > 0 {
        let _ = writeln!(html, "{sign} … {} bytes", number(mark.cut[which]));
    }
    html
}

fn passes(summary: &Summary) -> String {
    let mut html = String::from(
        "<div class=\"scroll\"><table>\n<tr><th>pass</th><th>questions</th><th>queries</th><th>successes</th>\
         <th>bytes gone</th><th>time in the check</th></tr>\n",
    );
    for pass in &summary.statistics.passes {
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(pass.name.as_bytes()),
            number(pass.questions),
            number(pass.queries),
            number(pass.successes),
            number(pass.bytes_removed),
            time(pass.oracle_time.as_secs_f64())
        );
    }
    html + "</table></div>\n"
}

fn original(file: &FileSummary, parts: &[Part]) -> String {
    format!("<pre>{}</pre>\n", folded(&marked_lines(file, parts)))
}

/// One line of the original as HTML, and whether anything of it is left.
struct Line {
    html: String,
    left: bool,
}

impl Line {
    /// What went is struck out beside what is left; in a line of which nothing is left it need not be.
    fn shown(&self) -> String {
        if self.left || self.html.is_empty() {
            self.html.clone()
        } else {
            let plain = self.html.replace("<s>", "").replace("</s>", "");
            format!("<del>{plain}</del>")
        }
    }
}

fn marked_lines(file: &FileSummary, parts: &[Part]) -> Vec<Line> {
    let mut lines = vec![Line {
        html: String::new(),
        left: false,
    }];
    for part in parts {
        let (tag, text, left) = match part {
            Part::Kept(range) => ("mark", &file.before[range.clone()], true),
            Part::Gone(range) => ("s", &file.before[range.clone()], false),
            Part::New(range) => ("ins", &file.after[range.clone()], true),
        };
        for (index, piece) in text.split(|&byte| byte == b'\n').enumerate() {
            if index > 0 {
                lines.push(Line {
                    html: String::new(),
                    left: false,
                });
            }
            if let Some(line) = lines.last_mut().filter(|_| !piece.is_empty()) {
                let piece = if left {
                    escape(piece)
                } else {
                    shortened(piece)
                };
                // A line through blanks looks like a sign of its own.
                let _ = if piece.trim_ascii().is_empty() {
                    write!(line.html, "{piece}")
                } else {
                    write!(line.html, "<{tag}>{piece}</{tag}>")
                };
                line.left |= left;
            }
        }
    }
    lines
}

/// Text that went, without its middle when it is long: a file may be one line.
fn shortened(text: &[u8]) -> String {
    match text.len().checked_sub(LONGEST_GONE) {
        None | Some(0) => escape(text),
        Some(_) => {
            let (start, end) = (
                &text[..LONGEST_GONE / 2],
                &text[text.len() - LONGEST_GONE / 4..],
            );
            let between = text.len() - start.len() - end.len();
            format!(
                "{} … {} bytes … {}",
                escape(start),
                number(between),
                escape(end)
            )
        }
    }
}

/// So many lines around what is left are shown; the others only say how many they are.
const CONTEXT: usize = 2;
/// So many bytes of one line that went are shown.
const LONGEST_GONE: usize = 120;
/// So many lines that went are shown at most when the reader opens them.
const MOST_FOLDED: usize = 400;

fn folded(lines: &[Line]) -> String {
    let near = |index: usize| {
        let around = index.saturating_sub(CONTEXT)..(index + CONTEXT + 1).min(lines.len());
        lines[around].iter().any(|line| line.left)
    };
    let shown: Vec<bool> = (0..lines.len()).map(near).collect();
    let mut html = String::new();
    let mut index = 0;
    while index < lines.len() {
        let run = shown[index..]
            .iter()
            .take_while(|&&other| other == shown[index])
            .count();
        let text = lines[index..index + run].iter().map(Line::shown);
        if shown[index] {
            text.for_each(|line| {
                let _ = writeln!(html, "{line}");
            });
        } else {
            let gone: Vec<String> = text.take(MOST_FOLDED).collect();
            let more = if run > MOST_FOLDED { "\n…" } else { "" };
            let _ = writeln!(
                html,
                "<details><summary>{} gone</summary>{}{more}</details>",
                count(run as u64, "line", "lines"),
                gone.join("\n")
            );
        }
        index += run;
    }
    html
}

/// Text for HTML. What is no UTF-8 and what would not be seen is shown by a substitute.
fn escape(bytes: &[u8]) -> String {
    let mut html = String::new();
    for c in String::from_utf8_lossy(bytes).chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\n' | '\t' => html.push(c),
            c if c.is_control() => html.push('\u{fffd}'),
            c => html.push(c),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::super::example_summary;
    use super::*;

    fn example() -> String {
        let point = |seconds, bytes| Point { seconds, bytes };
        let curve = [point(0.5, 20), point(1.0, 10)];
        let mut marks = Marks::default();
        marks.begin("bug.c", &b"int a;\nint b<c>;\n"[..].into(), 17);
        marks.add("units", &b"int b<c>;\n"[..].into(), 10, 0.5, 1);
        page(
            &example_summary(),
            &curve,
            &marks,
            &["take <care>".to_owned()],
        )
    }

    #[test]
    fn the_page_shows_the_curve_the_passes_and_the_text() {
        insta::assert_snapshot!(example());
    }

    #[test]
    fn figures_that_are_not_zero_are_shown() {
        let mut summary = example_summary();
        summary.statistics.timed_out = 3;
        summary.statistics.given_up = 2;
        let page = page(&summary, &[], &Marks::default(), &[]);
        for figure in [
            "<dt>timed out</dt><dd>3</dd>",
            "<dt>given up on, without an answer</dt><dd>2</dd>",
        ] {
            assert!(page.contains(figure), "{figure}");
        }
    }

    #[test]
    fn of_many_successes_the_largest_are_shown() {
        let mut marks = Marks::default();
        let text = |length: usize| -> std::sync::Arc<[u8]> { vec![b'a'; length].into() };
        marks.begin("bug.c", &text(1000), 1000);
        for at in 1..1000 {
            marks.add("units", &text(1000 - at), 1000 - at, 0.5, 1);
        }
        let shown = marks.largest().len();
        let said = format!("<p>the {shown} largest of 999</p>");
        assert!(successes(&marks).starts_with(&said), "{shown}");
    }

    #[test]
    fn the_page_loads_nothing_and_runs_nothing() {
        let page = example();
        for word in ["http", "src=", "href=", "url(", "<script", "@import"] {
            assert!(!page.contains(word), "{word}");
        }
    }

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(
            escape(b"<a b=\"&\">\x07\xff"),
            "&lt;a b=&quot;&amp;&quot;&gt;\u{fffd}\u{fffd}"
        );
    }

    #[test]
    fn a_long_line_that_went_loses_its_middle() {
        let line = [b"a".repeat(400), b"z".repeat(400)].concat();
        let text = shortened(&line);
        assert!(text.starts_with("aaa") && text.ends_with("zzz"));
        assert!(text.contains(" … 710 bytes … "), "{text}");
        assert_eq!(shortened(b"<a>"), "&lt;a&gt;");
    }
}
