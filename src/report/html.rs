//! The report as one HTML file that needs nothing else: the curve of the size over time, the passes, the files with what went.

use std::fmt::Write;

use super::diff::{Part, compare};
use super::summary::{FileSummary, Summary, count, number, percent, time};

/// The size of all files together at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    /// Seconds since the start of the run.
    pub(super) seconds: f64,
    /// Queries until then.
    pub(super) queries: u64,
    /// The size.
    pub(super) bytes: usize,
}

/// The whole file.
pub(super) fn page(summary: &Summary, curve: &[Point]) -> String {
    let title = summary
        .files
        .iter()
        .map(|file| file.name.as_str())
        .collect::<Vec<_>>()
        .join(", ");
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{0}: {1} → {2} bytes</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
        escape(title.as_bytes()),
        number(summary.bytes_before()),
        number(summary.bytes_after())
    );
    page.push_str(&figures(summary));
    page.push_str(&section("Size over time", &curve_svg(summary, curve)));
    page.push_str(&section("Passes", &passes(summary)));
    for file in &summary.files {
        page.push_str(&section(
            &format!("What is left of {}", file.name),
            &what_is_left(file),
        ));
    }
    page.push_str("</body>\n</html>\n");
    page
}

const STYLE: &str = "
:root { color-scheme: light dark; --ink: light-dark(#1a1a1a, #e4e4e4); --soft: light-dark(#6b6b6b, #9a9a9a);
  --line: light-dark(#d8d8d8, #3d3d3d); --mark: light-dark(#0b6e4f, #5fd3a5); --back: light-dark(#fff, #161616); }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back); max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 1rem; } h2 { font-size: 1.1rem; margin: 2.5rem 0 .75rem; }
dl { display: flex; flex-wrap: wrap; gap: .75rem 2.5rem; margin: 0; }
dt { color: var(--soft); font-size: .85rem; } dd { margin: 0; font-size: 1.15rem; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .25rem 0 .25rem 1.75rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--soft); font-weight: normal; font-size: .85rem; } th:first-child, td:first-child { text-align: left; padding-left: 0; }
svg { width: 100%; height: auto; } svg text { fill: var(--soft); font-size: 12px; } svg .grid { stroke: var(--line); }
svg .curve { fill: none; stroke: var(--mark); stroke-width: 2; }
pre { font: 13px/1.5 ui-monospace, monospace; overflow-x: auto; border: 1px solid var(--line); border-radius: 4px; padding: .75rem; margin: .5rem 0; white-space: pre; }
pre mark { background: none; color: var(--mark); font-weight: bold; } pre del { color: var(--soft); text-decoration: none; opacity: .75; }
pre ins { color: var(--mark); font-weight: bold; } summary { color: var(--soft); cursor: pointer; }
";

fn section(title: &str, body: &str) -> String {
    format!(
        "<section>\n<h2>{}</h2>\n{body}</section>\n",
        escape(title.as_bytes())
    )
}

fn figures(summary: &Summary) -> String {
    let arrow = |before: usize, after: usize| format!("{} → {}", number(before), number(after));
    let minimal = if summary.one_minimal {
        "yes, proved at the end"
    } else {
        "not proved"
    };
    let ended = if summary.complete {
        "at the fixed point"
    } else {
        "early"
    };
    let figures = [
        (
            "bytes",
            arrow(summary.bytes_before(), summary.bytes_after()),
        ),
        (
            "left",
            percent(summary.bytes_after(), summary.bytes_before()),
        ),
        (
            "tokens",
            arrow(summary.tokens_before(), summary.tokens_after()),
        ),
        ("queries", number(summary.queries)),
        (
            "answered without a run",
            number(summary.cache_hits + summary.replayed),
        ),
        ("run ahead in vain", number(summary.discarded)),
        ("timed out", number(summary.timed_out)),
        ("time", time(summary.seconds)),
        (
            "in the check, all jobs together",
            time(summary.oracle_seconds),
        ),
        ("ended", ended.to_owned()),
        ("1-minimal", minimal.to_owned()),
    ];
    let mut html = String::from("<dl>\n");
    for (name, value) in figures {
        let _ = writeln!(html, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    }
    html + "</dl>\n"
}

fn passes(summary: &Summary) -> String {
    let mut html = String::from(
        "<div class=\"scroll\"><table>\n<tr><th>pass</th><th>questions</th><th>queries</th><th>successes</th>\
         <th>bytes gone</th><th>time in the check</th></tr>\n",
    );
    for pass in &summary.passes {
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(pass.name.as_bytes()),
            number(pass.questions),
            number(pass.queries),
            number(pass.successes),
            number(pass.bytes_removed),
            time(pass.oracle_seconds)
        );
    }
    html + "</table></div>\n"
}

/// The drawing's inner size; the axes' words stand around it.
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 80.0;
const TOP: f64 = 16.0;
/// More steps than the drawing has pixels cannot be seen.
const MOST_STEPS: usize = 2000;

fn curve_svg(summary: &Summary, curve: &[Point]) -> String {
    let before = summary.bytes_before();
    let seconds = curve
        .last()
        .map_or(0.0, |point| point.seconds)
        .max(summary.seconds)
        .max(1e-6);
    let scale = SizeScale::new(before, summary.bytes_after());
    let x = |at: f64| LEFT + WIDTH * at / seconds;
    let mut path = format!("M{LEFT:.1} {:.1}", scale.y(before));
    for point in thinned(curve) {
        let _ = write!(
            path,
            " H{:.1} V{:.1}",
            x(point.seconds),
            scale.y(point.bytes)
        );
    }
    let _ = write!(path, " H{:.1}", x(seconds));
    let queries = curve
        .last()
        .map_or(0, |point| point.queries)
        .max(summary.queries);
    format!(
        "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"bytes over time\">\n{}{}<path class=\"curve\" d=\"{path}\"/>\n</svg>\n",
        LEFT + WIDTH + 24.0,
        TOP + HEIGHT + 44.0,
        scale.grid(),
        time_axis(seconds, queries),
    )
}

fn thinned(curve: &[Point]) -> impl Iterator<Item = &Point> {
    let step = curve.len().div_ceil(MOST_STEPS).max(1);
    // Counted from the end, so that the last point is always there.
    curve
        .iter()
        .enumerate()
        .filter(move |(index, _)| (curve.len() - 1 - index).is_multiple_of(step))
        .map(|(_, point)| point)
}

/// Sizes are drawn by their logarithm: the last bytes of a reduction are as interesting as the first thousands.
struct SizeScale {
    high: f64,
    low: f64,
}

impl SizeScale {
    fn new(before: usize, after: usize) -> Self {
        let (high, low) = (
            logarithm(before),
            logarithm(after).min(logarithm(before) - 0.1),
        );
        Self { high, low }
    }

    fn y(&self, bytes: usize) -> f64 {
        TOP + HEIGHT * (self.high - logarithm(bytes)) / (self.high - self.low)
    }

    fn grid(&self) -> String {
        let mut svg = String::new();
        let tens =
            (0..20).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_usize.pow(power.min(18))));
        let inside = tens.filter(|&bytes| {
            (self.low - 1e-9..=self.high).contains(&logarithm(bytes)) && bytes > 0
        });
        let mut inside: Vec<usize> = inside.collect();
        if inside.len() > 8 {
            inside.retain(|bytes| bytes.to_string().starts_with('1'));
        }
        for bytes in inside {
            let y = self.y(bytes);
            let _ = writeln!(
                svg,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT + WIDTH,
                LEFT - 8.0,
                y + 4.0,
                number(bytes)
            );
        }
        svg
    }
}

#[expect(clippy::cast_precision_loss, reason = "a drawing")]
fn logarithm(bytes: usize) -> f64 {
    (bytes.max(1) as f64).log10()
}

fn time_axis(seconds: f64, queries: u64) -> String {
    let bottom = TOP + HEIGHT;
    format!(
        "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{bottom}\" y2=\"{bottom}\"/>\n\
         <text x=\"{LEFT}\" y=\"{words}\">0 s</text>\n\
         <text x=\"{right}\" y=\"{words}\" text-anchor=\"end\">{}, {}</text>\n\
         <text x=\"{label}\" y=\"{label_y}\" text-anchor=\"end\">bytes</text>\n",
        time(seconds),
        count(queries, "query", "queries"),
        right = LEFT + WIDTH,
        words = bottom + 20.0,
        label = LEFT - 8.0,
        label_y = bottom + 20.0,
    )
}

fn what_is_left(file: &FileSummary) -> String {
    let result = format!("<pre>{}</pre>\n", escape(&file.after));
    match compare(&file.before, &file.after) {
        None => result,
        Some(parts) => {
            let lines = marked_lines(file, &parts);
            format!(
                "{result}<p>In the original:</p>\n<pre>{}</pre>\n",
                folded(&lines)
            )
        }
    }
}

/// One line of the original as HTML, and whether anything of it is left.
struct Line {
    html: String,
    left: bool,
}

fn marked_lines(file: &FileSummary, parts: &[Part]) -> Vec<Line> {
    let mut lines = vec![Line {
        html: String::new(),
        left: false,
    }];
    for part in parts {
        let (tag, text, left) = match part {
            Part::Kept(range) => ("mark", &file.before[range.clone()], true),
            Part::Gone(range) => ("del", &file.before[range.clone()], false),
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
                let _ = write!(line.html, "<{tag}>{}</{tag}>", escape(piece));
                line.left |= left;
            }
        }
    }
    lines
}

/// So many lines around what is left are shown; the others only say how many they are.
const CONTEXT: usize = 2;
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
        let text = lines[index..index + run]
            .iter()
            .map(|line| line.html.as_str());
        if shown[index] {
            text.for_each(|line| {
                let _ = writeln!(html, "{line}");
            });
        } else {
            let gone: Vec<&str> = text.take(MOST_FOLDED).collect();
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
        let point = |seconds, queries, bytes| Point {
            seconds,
            queries,
            bytes,
        };
        page(
            &example_summary(),
            &[point(0.5, 10, 20), point(1.0, 20, 10)],
        )
    }

    #[test]
    fn the_page_shows_the_curve_the_passes_and_the_text() {
        insta::assert_snapshot!(example());
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
    fn any_sizes_give_a_drawing_without_nonsense() {
        for (before, after) in [(1, 1), (1, 0), (2, 1), (usize::MAX, 3)] {
            let scale = SizeScale::new(before, after);
            for bytes in [0, after, before] {
                assert!(scale.y(bytes).is_finite());
            }
            assert!(!scale.grid().contains("NaN"));
        }
    }

    #[test]
    fn a_long_curve_keeps_its_end() {
        let curve: Vec<Point> = (0..9999)
            .map(|i| Point {
                seconds: f64::from(i),
                queries: 0,
                bytes: 1,
            })
            .collect();
        let thin: Vec<&Point> = thinned(&curve).collect();
        assert!(thin.len() <= MOST_STEPS);
        assert_eq!(thin.last(), curve.last().as_ref());
    }
}
