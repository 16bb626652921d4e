//! How small the best file is after so many runs of the check, ours and each peer's, as a picture: `benches/anytime.svg`.
//!
//! `cargo bench --bench anytime` draws what `benches/peers.py --curves benches/anytime.tsv` has measured of two examples. One field
//! for each case; both axes grow by factors, so that the beginning shows as well as the end.

#![expect(clippy::print_stdout, reason = "says where the picture is")]

use plotters::prelude::*;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

/// Of one reducer: after which run, and how many bytes the best had from there on.
type Curve = Vec<(f64, f64)>;

const SIZE_OF_FIELD: (u32, u32) = (760, 420);
const COLORS: [RGBColor; 6] = [
    RGBColor(213, 94, 0),
    RGBColor(0, 114, 178),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(120, 120, 120),
];

fn main() -> Result<(), Box<dyn Error>> {
    let benches = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches");
    let cases = read(&fs::read_to_string(benches.join("anytime.tsv"))?);
    let picture = benches.join("anytime.svg");
    let count = u32::try_from(cases.len())?;
    let area =
        SVGBackend::new(&picture, (SIZE_OF_FIELD.0, SIZE_OF_FIELD.1 * count)).into_drawing_area();
    area.fill(&WHITE)?;
    let fields = area.split_evenly((cases.len(), 1));
    for ((case, curves), field) in cases.iter().zip(fields) {
        draw(case, curves, &field)?;
    }
    area.present()?;
    println!("{}", picture.display());
    Ok(())
}

/// By case, the curves of the reducers in the order of the file.
fn read(text: &str) -> BTreeMap<String, Vec<(String, Curve)>> {
    let mut cases: BTreeMap<String, Vec<(String, Curve)>> = BTreeMap::new();
    for line in text.lines() {
        let [case, tool, run, bytes] = line.split('\t').collect::<Vec<_>>()[..] else {
            continue;
        };
        let (Ok(run), Ok(bytes)) = (run.parse::<f64>(), bytes.parse::<f64>()) else {
            continue;
        };
        let curves = cases.entry(case.to_owned()).or_default();
        if curves.last().is_none_or(|(last, _)| last != tool) {
            curves.push((tool.to_owned(), Vec::new()));
        }
        if let Some((_, curve)) = curves.last_mut() {
            curve.push((run.max(1.0), bytes.max(1.0)));
        }
    }
    cases
}

fn draw(
    case: &str,
    curves: &[(String, Curve)],
    field: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
) -> Result<(), Box<dyn Error>> {
    let points = || curves.iter().flat_map(|(_, curve)| curve);
    let most_runs = points().map(|point| point.0).fold(1.0, f64::max);
    let most_bytes = points().map(|point| point.1).fold(1.0, f64::max);
    let least_bytes = points().map(|point| point.1).fold(most_bytes, f64::min);
    let mut chart = ChartBuilder::on(field)
        .caption(
            format!("{case}: bytes of the best after so many runs of the check"),
            ("sans-serif", 17),
        )
        .margin(12)
        .x_label_area_size(38)
        .y_label_area_size(60)
        .build_cartesian_2d(
            (1.0..most_runs * 1.1).log_scale().base(2.0),
            (least_bytes.log2().floor().exp2()..most_bytes.log2().ceil().exp2())
                .log_scale()
                .base(2.0),
        )?;
    let whole = |value: &f64| format!("{value:.0}");
    chart
        .configure_mesh()
        .x_desc("runs of the check")
        .y_desc("bytes")
        .x_label_formatter(&whole)
        .y_label_formatter(&whole)
        .light_line_style(WHITE)
        .draw()?;
    for ((tool, curve), color) in curves.iter().zip(COLORS.iter().cycle()) {
        chart
            .draw_series(LineSeries::new(stairs(curve), color.stroke_width(2)))?
            .label(tool)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
        // Where it came to its end: one curve can hide another.
        let end = curve.iter().copied().skip(curve.len() - 1);
        chart.draw_series(end.map(|point| Circle::new(point, 4, color.filled())))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE)
        .border_style(RGBColor(180, 180, 180))
        .draw()?;
    Ok(())
}

/// The size stays until the run that makes it smaller.
fn stairs(curve: &Curve) -> Curve {
    let mut stairs: Curve = Vec::new();
    for &(run, bytes) in curve {
        if let Some(&(_, before)) = stairs.last() {
            stairs.push((run, before));
        }
        stairs.push((run, bytes));
    }
    stairs
}
