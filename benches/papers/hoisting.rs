//! Chapter 7 of D. Vince's dissertation: four hosts, each with four ways to hoist.

#![expect(clippy::print_stdout, reason = "tables are what this program is for")]

use super::cases::Ending;
use super::runs::{Run, Runs, name_of};
use super::statistics::{count, spearman};
use paredown::minimize::Algorithm;
use paredown::strategy::{Hoist, Strategy};

/// Each host with the paper's changes in percent: of size, of queries; before, interlaced, both.
const HOSTS: [(Strategy, [&str; 3], [&str; 3]); 4] = [
    (
        Strategy::Hdd,
        ["−27.5", "−28.3", "−29.1"],
        ["+43.3", "−5.6", "+47.2"],
    ),
    (
        Strategy::Hddr,
        ["−29.4", "−31.4", "−32.4"],
        ["+33.2", "−12.8", "+34.6"],
    ),
    (
        Strategy::CoarseHdd,
        ["−37.6", "+0.1", "−37.6"],
        ["+134.2", "+0.1", "+134.1"],
    ),
    (
        Strategy::CoarseHddr,
        ["−36.8", "+0.6", "−36.1"],
        ["+64.6", "−0.0", "+73.6"],
    ),
];
pub(crate) const WAYS: [Hoist; 3] = [Hoist::Before, Hoist::Interlaced, Hoist::Both];

pub(crate) fn print(runs: &Runs) {
    println!(
        "\n## Dissertation, tables 7.2 to 7.10: hoisting in HDD\n\nddmin is the list minimiser everywhere. Changes against the same host without hoisting, means over the cases.\n"
    );
    println!(
        "| host | hoisting | theirs: characters | queries | ours: bytes | tokens | queries | cases |\n|---|---|---|---|---|---|---|---|"
    );
    for (host, sizes, queries) in HOSTS {
        for (place, way) in WAYS.into_iter().enumerate() {
            let ours = runs.compare(&plain(host), &name_of(host, Algorithm::Ddmin, way));
            println!(
                "| {host} | {way} | {} % | {} % | {} | {} | {} | {} |",
                sizes[place],
                queries[place],
                ours.bytes.with_p(),
                ours.tokens.text(),
                ours.queries.with_p(),
                ours.cases
            );
        }
    }
    for (host, ..) in HOSTS {
        print_host(runs, host);
    }
    print_reason(runs);
    let ours = runs.compare(&plain(Strategy::Hdd), &plain(Strategy::Hddr));
    println!(
        "\nHDDr against HDD, both with ddmin: {} queries, {} bytes, {} cases.",
        ours.queries.with_p(),
        ours.bytes.with_p(),
        ours.cases
    );
    print_shapes(runs);
    print_restarts(runs);
}

fn plain(host: Strategy) -> String {
    name_of(host, Algorithm::Ddmin, Hoist::None)
}

/// Tables 7.3 to 7.10: tokens / queries.
fn print_host(runs: &Runs, host: Strategy) {
    println!(
        "\n| {host}: tokens / queries | none | before | interlaced | both |\n|---|---|---|---|---|"
    );
    for case in &runs.0 {
        let cells =
            Hoist::ALL.map(|way| cell(case.runs.get(&name_of(host, Algorithm::Ddmin, way))));
        println!("| {} | {} |", case.name, cells.join(" | "));
    }
}

/// Why hoisting inside costs queries where the paper saves them: what hoisting asks, what of it succeeds, and what it saves elsewhere.
fn print_reason(runs: &Runs) {
    println!(
        "\nInterlaced, what hoisting asks itself and what the list minimiser asks beside it:\n"
    );
    println!(
        "| case | height | host | hoists asked | succeeded | list minimiser without | with | queries |\n|---|---|---|---|---|---|---|---|"
    );
    let mut heights = Vec::new();
    for (host, ..) in HOSTS {
        for (case, plain, interlaced) in runs.pairs(
            &plain(host),
            &name_of(host, Algorithm::Ddmin, Hoist::Interlaced),
        ) {
            let (asked, succeeded) = interlaced.passes.get("hoist").copied().unwrap_or_default();
            let change =
                100.0 * (f64::from(interlaced.queries) / f64::from(plain.queries.max(1)) - 1.0);
            heights.push((count(case.height), change));
            println!(
                "| {} | {} | {host} | {asked} | {succeeded} | {} | {} | {change:+.1} % |",
                case.name,
                case.height,
                plain.queries,
                interlaced.queries - asked
            );
        }
    }
    let rho = spearman(&heights).map_or("undefined".into(), |rho| format!("{rho:.2}"));
    println!("\nSpearman's ρ of the height of the tree and the change in queries: {rho}.");
}

/// What it costs that ddmin begins with the first part again after each success, where a level has thousands of nodes.
fn print_restarts(runs: &Runs) {
    let one_pass = name_of(Strategy::Hdd, Algorithm::Opdd, Hoist::None);
    println!(
        "\n| case | HDD with ddmin: tokens / queries | HDD with OPDD | HDDr with ddmin | HDDr with OPDD backward |\n|---|---|---|---|---|"
    );
    for case in &runs.0 {
        let names = [
            &plain(Strategy::Hdd),
            &one_pass,
            &plain(Strategy::Hddr),
            "hddr/own",
        ];
        let cells = names.map(|name| cell(case.runs.get(name)));
        println!("| {} | {} |", case.name, cells.join(" | "));
    }
}

/// Tokens / queries, and whether that is all.
fn cell(run: Option<&Run>) -> String {
    run.map_or("–".to_owned(), |run| match run.ending {
        Ending::Complete => format!("{} / {}", run.tokens, run.queries),
        _ => format!("{} / {}, cut off", run.tokens, run.queries),
    })
}

/// Where HDDr asks less than HDD, and where not.
fn print_shapes(runs: &Runs) {
    println!(
        "\n| case | bytes | HDD: queries | HDDr: queries | of HDD's | HDDr with OPDD backward | of HDD's |\n|---|---|---|---|---|---|---|"
    );
    for (case, hdd, hddr) in runs.pairs(&plain(Strategy::Hdd), &plain(Strategy::Hddr)) {
        let part = |queries: u32| {
            format!(
                "{:.1} %",
                100.0 * f64::from(queries) / f64::from(hdd.queries.max(1))
            )
        };
        let own = case
            .runs
            .get("hddr/own")
            .filter(|run| run.ending == Ending::Complete);
        let own = own.map_or("– | –".into(), |run| {
            format!("{} | {}", run.queries, part(run.queries))
        });
        println!(
            "| {} | {} | {} | {} | {} | {own} |",
            case.name,
            case.bytes,
            hdd.queries,
            hddr.queries,
            part(hddr.queries)
        );
    }
    let sum = |pairs: &[(&super::runs::CaseRuns, &super::runs::Run, &super::runs::Run)]| {
        let all = pairs
            .iter()
            .map(|(_, hdd, hddr)| (f64::from(hdd.queries), f64::from(hddr.queries)));
        let (hdd, hddr) = all.fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        100.0 * hddr / f64::max(hdd, 1.0)
    };
    let ddmin = sum(&runs.pairs(&plain(Strategy::Hdd), &plain(Strategy::Hddr)));
    let own = sum(&runs.pairs(&plain(Strategy::Hdd), "hddr/own"));
    println!("| **sum** | | | | {ddmin:.1} % | | {own:.1} % |");
}
