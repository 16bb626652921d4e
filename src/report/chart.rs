//! The curve of the size over time, as a drawing for the report.

use std::fmt::Write;

use super::summary::{Summary, number};

/// The size of all files together at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    /// Seconds since the start of the run.
    pub(super) seconds: f64,
    /// The size.
    pub(super) bytes: usize,
}

/// The drawing's inner size; the axes' words stand around it.
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 80.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = TOP + HEIGHT;
/// More steps than the drawing has pixels cannot be seen.
const MOST_STEPS: usize = 2000;
/// More lines of the grid than this only disturb.
const MOST_LINES: usize = 8;

/// The drawing as SVG in HTML.
pub(super) fn chart(summary: &Summary, curve: &[Point]) -> String {
    let (before, after) = (summary.bytes_before(), summary.bytes_after());
    let last = curve.last().map_or(0.0, |point| point.seconds);
    let seconds = last.max(summary.seconds).max(1e-6);
    let scale = SizeScale::new(before, after);
    let mut path = format!("M{LEFT:.1} {:.1}", scale.y(before));
    for point in thinned(curve) {
        let x = LEFT + WIDTH * point.seconds / seconds;
        let _ = write!(path, " H{x:.1} V{:.1}", scale.y(point.bytes));
    }
    let mut dots = String::new();
    for point in thinned(curve) {
        let x = LEFT + WIDTH * point.seconds / seconds;
        let y = scale.y(point.bytes);
        let _ = writeln!(
            dots,
            "<circle class=\"mark\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\"><title>{} bytes</title></circle>",
            number(point.bytes)
        );
    }
    let right = LEFT + WIDTH;
    let _ = write!(path, " H{right:.1}");
    format!(
        "<div class=\"scroll\"><svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"bytes over time\">\n\
         {}{}<path class=\"curve\" d=\"{path}\"/>\n{dots}{}{}</svg></div>\n",
        right + 24.0,
        BOTTOM + 28.0,
        size_axis(&scale),
        time_axis(seconds),
        words(
            "value",
            LEFT + 4.0,
            scale.y(before) - 8.0,
            "start",
            &number(before)
        ),
        words("value", right, scale.y(after) - 8.0, "end", &number(after)),
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
        let high = logarithm(before);
        let low = logarithm(after).min(high - 0.1);
        Self { high, low }
    }

    fn y(&self, bytes: usize) -> f64 {
        TOP + HEIGHT * (self.high - logarithm(bytes)) / (self.high - self.low)
    }

    /// The round sizes between the two ends: 1, 2, 5, 10, …, or only the powers of ten when those are many.
    fn round_sizes(&self) -> Vec<usize> {
        let round = (0..19).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_usize.pow(power)));
        let is_inside = |bytes: &usize| (self.low - 1e-9..=self.high).contains(&logarithm(*bytes));
        let mut sizes: Vec<usize> = round.filter(is_inside).collect();
        if sizes.len() > MOST_LINES {
            sizes.retain(|bytes| bytes.to_string().starts_with('1'));
        }
        sizes
    }
}

#[expect(clippy::cast_precision_loss, reason = "a drawing")]
fn logarithm(bytes: usize) -> f64 {
    (bytes.max(1) as f64).log10()
}

fn size_axis(scale: &SizeScale) -> String {
    let right = LEFT + WIDTH;
    let mut svg = words("", LEFT - 8.0, TOP - 8.0, "end", "bytes");
    for bytes in scale.round_sizes() {
        let y = scale.y(bytes);
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>"
        );
        svg.push_str(&words("", LEFT - 8.0, y + 4.0, "end", &number(bytes)));
    }
    svg
}

fn time_axis(seconds: f64) -> String {
    let right = LEFT + WIDTH;
    let mut svg = format!(
        "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{BOTTOM}\" y2=\"{BOTTOM}\"/>\n"
    );
    let step = time_step(seconds);
    let mut tick = 0_u32;
    while f64::from(tick) * step <= seconds {
        let at = f64::from(tick) * step;
        let x = LEFT + WIDTH * at / seconds;
        let end = BOTTOM + 4.0;
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{BOTTOM}\" y2=\"{end}\"/>"
        );
        svg.push_str(&words(
            "",
            x,
            BOTTOM + 20.0,
            "middle",
            &tick_label(at, step),
        ));
        tick += 1;
    }
    svg
}

/// The smallest round time of which at most so many fit into all.
fn time_step(seconds: f64) -> f64 {
    let decimal = |unit: f64| [1.0, 2.0, 5.0].map(|digit| digit * unit);
    let below_a_minute = (-6..2).flat_map(|power| decimal(10_f64.powi(power)));
    let minutes = [1.0, 2.0, 5.0, 10.0, 20.0, 30.0].map(|minutes| 60.0 * minutes);
    let hours = (0..9).flat_map(|power| decimal(3600.0 * 10_f64.powi(power)));
    let mut steps = below_a_minute
        .filter(|step| *step < 60.0)
        .chain(minutes)
        .chain(hours);
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    let most = MOST_LINES as f64;
    steps.find(|step| seconds / step < most).unwrap_or(seconds)
}

fn tick_label(at: f64, step: f64) -> String {
    let (unit, name) = match step {
        3600.0.. => (3600.0, "h"),
        60.0.. => (60.0, "min"),
        _ => (1.0, "s"),
    };
    let number = format!("{:.6}", at / unit);
    let number = number.trim_end_matches('0').trim_end_matches('.');
    format!("{number} {name}")
}

fn words(class: &str, x: f64, y: f64, anchor: &str, text: &str) -> String {
    let class = if class.is_empty() {
        String::new()
    } else {
        format!(" class=\"{class}\"")
    };
    format!("<text{class} x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_sizes_give_a_drawing_without_nonsense() {
        for (before, after) in [(1, 1), (1, 0), (2, 1), (usize::MAX, 3)] {
            let scale = SizeScale::new(before, after);
            for bytes in [0, after, before] {
                assert!(scale.y(bytes).is_finite());
            }
            assert!(!size_axis(&scale).contains("NaN"));
        }
    }

    #[test]
    fn any_time_has_a_few_ticks() {
        for seconds in [1e-6, 0.4, 1.0, 59.0, 119.0, 4000.0, 1e6, 1e12] {
            let ticks = time_axis(seconds).matches("<text").count();
            assert!((1..=MOST_LINES).contains(&ticks), "{seconds}: {ticks}");
        }
        assert_eq!(tick_label(0.05, 0.05), "0.05 s");
        assert_eq!(tick_label(40.0, 20.0), "40 s");
        assert_eq!(tick_label(600.0, 300.0), "10 min");
        assert_eq!(tick_label(7200.0, 3600.0), "2 h");
    }

    #[test]
    fn a_long_curve_keeps_its_end() {
        let curve: Vec<Point> = (0..9999)
            .map(|i| Point {
                seconds: f64::from(i),
                bytes: 1,
            })
            .collect();
        let thin: Vec<&Point> = thinned(&curve).collect();
        assert!(thin.len() <= MOST_STEPS);
        assert_eq!(thin.last(), curve.last().as_ref());
    }
}
