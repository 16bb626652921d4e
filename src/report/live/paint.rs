//! How the live view is laid out: three ways, for wide, usual and narrow terminals.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Axis, Block, Borders, Chart, Dataset, GraphType, Paragraph};

use super::super::summary::{number, percent, time};
use super::view::{Shown, View};

/// From here on the test case stands beside the curve.
const WIDE: u16 = 100;
/// Below this the facts are in short words.
const NARROW: u16 = 60;

/// With fewer rows, its title and what is below it take three, there is no curve.
const LEAST_ROWS: u16 = 5;
/// The curve needs so many rows to have three sizes beside it.
const ROWS_OF_THREE_SIZES: u16 = 6;

const DIM: Style = Style::new().add_modifier(Modifier::DIM);
const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);

/// Draws all of it.
pub(super) fn paint(frame: &mut Frame<'_>, view: &View) {
    let area = frame.area();
    let facts = facts(view, usize::from(area.width));
    #[expect(clippy::cast_possible_truncation, reason = "a handful of lines")]
    let height = facts.len() as u16;
    let rows = Layout::vertical([
        Constraint::Length(height),
        Constraint::Min(3),
        Constraint::Length(1),
    ]);
    let [top, middle, bottom] = rows.areas(area);
    frame.render_widget(Paragraph::new(facts), top);
    frame.render_widget(Paragraph::new(keys(view, area.width)), bottom);
    let curve_rows = Some((middle.height / 3).min(12)).filter(|&rows| rows >= LEAST_ROWS);
    let curve_rows = curve_rows.unwrap_or(0);
    let [text, curve] = if area.width >= WIDE {
        let columns = [Constraint::Percentage(60), Constraint::Percentage(40)];
        Layout::horizontal(columns).areas(middle)
    } else {
        let rows = [Constraint::Min(3), Constraint::Length(curve_rows)];
        Layout::vertical(rows).areas(middle)
    };
    frame.render_widget(test_case(view, text), text);
    if curve.height >= LEAST_ROWS {
        draw_curve(frame, view, curve);
    }
}

/// What there is to say, in as many lines as it takes.
fn facts(view: &View, columns: usize) -> Vec<Line<'static>> {
    let is_narrow = columns < usize::from(NARROW);
    let left = percent(view.size, view.original);
    let sizes = format!("{} → {} bytes", number(view.original), number(view.size));
    let seconds = view.started.elapsed().as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "figures to look at")]
    let (rate, yes) = (
        view.queries as f64 / seconds.max(0.001),
        100.0 * view.answers[1] as f64 / view.answers[0].max(1) as f64,
    );
    let last = match view.last_success {
        Some(last) => format!("last success {} ago", whole(last.elapsed().as_secs_f64())),
        None => "no success yet".to_owned(),
    };
    let rates = format!(
        "{} queries, {rate:.1}/s, {yes:.0} % yes",
        number(view.queries)
    );
    let clock = match view.max_time {
        Some(most) => {
            let left = most.as_secs_f64() - seconds;
            format!("{}, {} left", whole(seconds), whole(left.max(0.0)))
        }
        None => whole(seconds),
    };
    let budget = view.max_queries.map(|most| {
        let left = most.saturating_sub(view.queries);
        format!(", {} queries left", number(left))
    });
    let clock = clock + &budget.unwrap_or_default();
    let doing = pass(view, is_narrow);
    let lines = if is_narrow {
        vec![
            format!("{} {left}", view.name),
            sizes,
            rates,
            clock,
            last,
            doing,
        ]
    } else {
        vec![
            format!("{}: {sizes} ({left})", view.name),
            format!("{clock} · {rates} · {last}"),
            doing,
        ]
    };
    let lines = lines.into_iter().map(|line| Line::from(cut(line, columns)));
    let mut lines: Vec<Line<'static>> = lines.collect();
    lines[0] = lines[0].clone().style(BOLD);
    if let Some(message) = view.messages.last() {
        let text = anstream::adapter::strip_str(message).to_string();
        lines.push(Line::styled(
            cut(text.trim_end().to_owned(), columns),
            Style::new().fg(Color::Yellow),
        ));
    }
    lines
}

/// As much of a line as there is room for, with a sign where something is missing.
fn cut(line: String, columns: usize) -> String {
    if line.chars().count() <= columns {
        return line;
    }
    let kept: String = line.chars().take(columns.saturating_sub(1)).collect();
    // Not in the middle of a word, if that leaves something.
    let end = kept.rfind(' ').filter(|end| 2 * end > kept.len());
    let kept = end.map_or(&*kept, |end| &kept[..end]);
    format!("{}…", kept.trim_end())
}

/// The pass and why it is there.
fn pass(view: &View, is_narrow: bool) -> String {
    let state = match (view.is_paused, view.skipping) {
        (true, _) => "PAUSED · ",
        (_, true) => "skipping · ",
        _ => "",
    };
    if !view.doing.is_empty() || view.pass.is_empty() {
        return format!("{state}{}", view.doing);
    }
    let [asked, yes] = view.asked;
    let (pass, yes, asked) = (view.pass, number(yes), number(asked));
    if is_narrow {
        return format!("{state}{pass} {yes}/{asked} yes");
    }
    let about = Some(view.about).filter(|about| !about.is_empty());
    let about = about.map_or_else(String::new, |about| format!(" · {about}"));
    format!("{state}{pass}: {yes} of {asked} said yes{about}")
}

/// A time in whole seconds, as it changes on a clock.
fn whole(seconds: f64) -> String {
    if seconds < 120.0 {
        format!("{seconds:.0} s")
    } else {
        time(seconds)
    }
}

/// The keys, in shorter words where there is less room.
fn keys(view: &View, columns: u16) -> Line<'static> {
    let is_narrow = columns < NARROW;
    let pause = if view.is_paused { "go on" } else { "pause" };
    let diff = match (view.shown, is_narrow) {
        (Shown::Best, false) => "last success as diff",
        (Shown::Change, false) => "best test case",
        (Shown::Best, true) => "diff",
        (Shown::Change, true) => "best",
    };
    let [skip, quit] = if is_narrow {
        ["skip", "quit"]
    } else {
        ["skip this pass", "save and quit"]
    };
    let keys = [("p", pause), ("s", skip), ("d", diff), ("q", quit)];
    let keys = keys
        .into_iter()
        .filter(|(key, _)| *key != "s" || view.may_skip);
    let spans = keys.flat_map(|(key, word)| {
        [
            Span::styled(key, BOLD),
            Span::styled(format!(" {word}  "), DIM),
        ]
    });
    Line::from(spans.collect::<Vec<_>>())
}

/// The beginning of the best test case, or the last success.
fn test_case(view: &View, area: Rect) -> Paragraph<'static> {
    let rows = usize::from(area.height);
    let columns = usize::from(area.width);
    let (title, lines) = match (view.shown, &view.last) {
        (Shown::Change, Some(mark)) => {
            let title = format!(
                " {}: -{} bytes, line {} ",
                mark.pass,
                number(mark.gone()),
                number(mark.line)
            );
            let half = rows.saturating_sub(1) / 2;
            let mut lines = shown(&mark.lines[0], "- ", half.max(1), columns);
            for line in &mut lines {
                line.style = Style::new().fg(Color::Red);
            }
            let mut new = shown(&mark.lines[1], "+ ", half.max(1), columns);
            for line in &mut new {
                line.style = Style::new().fg(Color::Green);
            }
            lines.extend(new);
            (title, lines)
        }
        (Shown::Change, None) => (" no success yet ".to_owned(), Vec::new()),
        (Shown::Best, _) => (
            " best so far ".to_owned(),
            shown(&view.best, "", rows.saturating_sub(1), columns),
        ),
    };
    let block = Block::new()
        .borders(Borders::TOP)
        .title(title)
        .border_style(DIM);
    Paragraph::new(lines).block(block)
}

/// So many lines of a text, without what would disturb a terminal.
fn shown(text: &[u8], sign: &str, rows: usize, columns: usize) -> Vec<Line<'static>> {
    if text.is_empty() {
        return Vec::new();
    }
    let all = text.split(|&byte| byte == b'\n');
    let lines = all.take(rows).map(|line| {
        let line = String::from_utf8_lossy(&line[..line.len().min(4 * columns)]).into_owned();
        let line = line.replace('\t', "    ");
        let plain = line.chars().filter(|c| !c.is_control());
        Line::from(format!("{sign}{}", plain.take(columns).collect::<String>()))
    });
    lines.collect()
}

/// The size over time, by its logarithm.
fn draw_curve(frame: &mut Frame<'_>, view: &View, area: Rect) {
    let seconds = view.started.elapsed().as_secs_f64().max(1.0);
    #[expect(clippy::cast_precision_loss, reason = "a drawing")]
    let height = |bytes: usize| (bytes.max(1) as f64).log10();
    let top = height(view.total);
    let mut points = vec![(0.0, top)];
    for point in &view.curve {
        let before = points.last().map_or(top, |(_, y)| *y);
        points.push((point.seconds, before));
        points.push((point.seconds, height(point.bytes)));
    }
    let now = points.last().map_or(top, |(_, y)| *y);
    points.push((seconds, now));
    let bottom = (now - 0.2).min(top - 1.0).max(0.0);
    let data = Dataset::default()
        .marker(Marker::Braille)
        .graph_type(GraphType::Line)
        .style(Style::new().fg(Color::Cyan))
        .data(&points);
    let middle = 10_f64.powf(f64::midpoint(bottom, top));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a size in between"
    )]
    let mut sizes = vec![10_f64.powf(bottom) as u64, middle as u64, view.total as u64];
    // In fewer rows the one in the middle would stand at the bottom.
    if area.height < ROWS_OF_THREE_SIZES {
        sizes.remove(1);
    }
    let chart = Chart::new(vec![data])
        .block(
            Block::new()
                .borders(Borders::TOP)
                .title(" bytes over time (log) ")
                .border_style(DIM),
        )
        .legend_position(None)
        .x_axis(
            Axis::default()
                .style(DIM)
                .bounds([0.0, seconds])
                .labels(["0 s".to_owned(), whole(seconds)]),
        )
        .y_axis(
            Axis::default()
                .style(DIM)
                .bounds([bottom, top.max(bottom + 0.1)])
                .labels(sizes.into_iter().map(number)),
        );
    frame.render_widget(chart, area);
}

#[cfg(test)]
mod tests {
    use super::super::super::chart::Point;
    use super::*;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use std::time::Duration;

    fn view() -> View {
        let mut view = View::new();
        view.name = "bug.c".into();
        (view.original, view.total, view.size) = (123_456, 123_456, 123_456);
        view.may_skip = true;
        view.max_time = Some(Duration::from_secs(60));
        view.about = "each unit that the grammar can do without";
        for at in 0..20_u32 {
            view.answered("units", at % 2 == 0, u64::from(at));
            let bytes = 123_456 >> (at / 2);
            let point = Point {
                seconds: f64::from(at) / 20.0,
                bytes,
            };
            view.improved(
                point,
                bytes,
                b"int bug(void)\n{\n\treturn 1;\n}\n"[..].into(),
                None,
            );
        }
        view
    }

    fn screen(view: &View, columns: u16, rows: u16) -> Vec<String> {
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        terminal.draw(|frame| paint(frame, view)).unwrap();
        let buffer = terminal.backend().buffer().clone();
        let cells = buffer.content().chunks(usize::from(columns));
        cells
            .map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect())
            .collect()
    }

    #[test]
    fn everything_is_there_at_40_80_and_200_columns() {
        for (columns, rows) in [(40, 24), (80, 24), (200, 50)] {
            let screen = screen(&view(), columns, rows).join("\n");
            for word in [
                "bug.c",
                "123,456 → 241 bytes",
                "19 queries",
                "50 % yes",
                "left",
                "last success",
                "units",
                "int bug(void)",
                "p pause",
                "s skip",
                "d ",
                "q ",
            ] {
                assert!(screen.contains(word), "{word} at {columns}:\n{screen}");
            }
            assert!(screen.contains("bytes over time"), "{screen}");
        }
    }

    #[test]
    fn a_wide_screen_names_the_keys_in_full_and_what_is_left() {
        let mut view = view();
        view.max_queries = Some(100);
        let screen = screen(&view, 120, 24).join("\n");
        for words in [
            "81 queries left",
            "p pause",
            "s skip this pass",
            "d last success as diff",
            "q save and quit",
        ] {
            assert!(screen.contains(words), "{words}:\n{screen}");
        }
    }

    #[test]
    fn the_keys_change_what_is_said() {
        let mut view = view();
        view.is_paused = true;
        view.may_skip = false;
        view.shown = Shown::Change;
        let screen = screen(&view, 80, 24).join("\n");
        assert!(screen.contains("PAUSED"), "{screen}");
        assert!(screen.contains("p go on"), "{screen}");
        assert!(!screen.contains("skip"), "{screen}");
        assert!(screen.contains("no success yet"), "{screen}");
    }

    /// The smallest size stands at the bottom, however low the curve is.
    #[test]
    fn the_curve_is_labelled_from_its_top_to_its_bottom() {
        for (columns, rows) in [(40, 22), (40, 24), (80, 24), (200, 24), (200, 50)] {
            let screen = screen(&view(), columns, rows);
            let labels: Vec<&str> = screen
                .iter()
                .filter_map(|row| row.split_once('│'))
                .map(|(left, _)| left.split_whitespace().last().unwrap_or_default())
                .filter(|label| !label.is_empty())
                .collect();
            assert_eq!(labels.first(), Some(&"123,456"), "{screen:#?}");
            assert_eq!(labels.last(), Some(&"152"), "{screen:#?}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_says_so() {
        assert_eq!(cut("ab cd".into(), 5), "ab cd");
        assert_eq!(cut("takes some neighbours".into(), 14), "takes some…");
        assert_eq!(cut("neighbourhoods".into(), 5), "neig…");
        assert_eq!(cut("äöü äöü äöü".into(), 9), "äöü äöü…");
        assert_eq!(cut("ab".into(), 0), "…");
    }

    #[test]
    fn no_size_is_too_small_to_be_drawn() {
        for (columns, rows) in [(1, 1), (20, 8), (3, 40), (400, 2)] {
            screen(&view(), columns, rows);
            screen(&View::new(), columns, rows);
        }
    }
}
