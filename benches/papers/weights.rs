//! Tables IV and V of the CDD paper, and table I and figure 4 of the WDD paper: the list minimisers in tree hosts.

#![expect(clippy::print_stdout, reason = "tables are what this program is for")]

use super::cases::Case;
use super::lists::print_cases;
use super::runs::{Runs, name_of};
use super::statistics::{count, spearman};
use paredown::minimize::Runs as Kept;
use paredown::minimize::{Algorithm, Minimizer, Options, Weights};
use paredown::search::Search;
use paredown::strategy::{Hoist, Strategy};
use paredown::syntax::{Document, Edit, Joint, NodeId, Splice};
use std::collections::BTreeMap;

fn hdd(algorithm: Algorithm) -> String {
    name_of(Strategy::Hdd, algorithm, Hoist::None)
}

/// CDD, tables IV and V.
pub(crate) fn print_probabilistic(runs: &Runs) {
    println!("\n## CDD paper, tables IV and V: ddmin, ProbDD and CDD in HDD\\*\n");
    println!(
        "Theirs are changes of geometric means over 76 benchmarks. So are ours; the last column is our mean of the changes.\n\n\
         | | theirs: queries | size | ours: queries | tokens | cases | queries, mean |\n|---|---|---|---|---|---|---|"
    );
    for (one, other, queries, size) in [
        (Algorithm::Ddmin, Algorithm::Probdd, "−52.4 %", "+0.9 %"),
        (Algorithm::Ddmin, Algorithm::Cdd, "−52.0 %", "+1.7 %"),
        (
            Algorithm::Probdd,
            Algorithm::Cdd,
            "+0.8 % (p = 0.70)",
            "+0.9 % (p = 0.42)",
        ),
    ] {
        let ours = runs.compare(&hdd(one), &hdd(other));
        println!(
            "| {other} against {one} | {queries} | {size} | {} | {} | {} | {} |",
            ours.queries.beside_p(ours.queries.of_geometric_means),
            ours.tokens.beside_p(ours.tokens.of_geometric_means),
            ours.cases,
            ours.queries.text()
        );
    }
    print_cases(runs, &hdd(Algorithm::Ddmin), &hdd(Algorithm::Cdd));
    print_cases(runs, &hdd(Algorithm::Probdd), &hdd(Algorithm::Cdd));
}

/// WDD, table I.
pub(crate) fn print_weighted(runs: &Runs) {
    println!(
        "\n## WDD paper, table I: by weight, in HDD\\* and in the quantified host\n\nTheirs are seconds, ours are queries. Theirs are changes of sums, as the rows of their table \
         show. So are ours; the last column is our mean of the changes.\n"
    );
    println!(
        "| | theirs: time | size | ours: queries | tokens | cases | queries, mean |\n|---|---|---|---|---|---|---|"
    );
    for (host, one, other, time, size) in [
        (
            Strategy::Hdd,
            Algorithm::Ddmin,
            Algorithm::Wddmin,
            "−51.3 %",
            "−9.1 %",
        ),
        (
            Strategy::Hdd,
            Algorithm::Probdd,
            Algorithm::Wprobdd,
            "−12.0 %",
            "−13.4 %",
        ),
        (
            Strategy::Quantified,
            Algorithm::Ddmin,
            Algorithm::Wddmin,
            "−7.5 %",
            "about 0 (p = 0.53)",
        ),
        (
            Strategy::Quantified,
            Algorithm::Probdd,
            Algorithm::Wprobdd,
            "−9.7 %",
            "−2.2 % (p = 0.42)",
        ),
    ] {
        let name = |algorithm| name_of(host, algorithm, Hoist::None);
        let ours = runs.compare(&name(one), &name(other));
        println!(
            "| {host}: {other} against {one} | {time} | {size} | {} | {} | {} | {} |",
            ours.queries.beside_p(ours.queries.of_sums),
            ours.tokens.beside_p(ours.tokens.of_sums),
            ours.cases,
            ours.queries.text()
        );
    }
    for host in [Strategy::Hdd, Strategy::Quantified] {
        for (one, other) in [
            (Algorithm::Ddmin, Algorithm::Wddmin),
            (Algorithm::Probdd, Algorithm::Wprobdd),
        ] {
            let name = |algorithm| name_of(host, algorithm, Hoist::None);
            print_cases(runs, &name(one), &name(other));
        }
    }
}

/// WDD, figure 4.
pub(crate) fn print_correlations(runs: &Runs) {
    println!(
        "\n## WDD paper, figure 4: Spearman's ρ of weight and removal in the lists of an HDD with ddmin\n"
    );
    println!(
        "Theirs, means: −0.41 (C), −0.83 (XML). Ours: one HDD that only deletes, so that weights and removals can be seen from outside.\n"
    );
    println!("| case | mean ρ | lists in which something went |\n|---|---|---|");
    let mut means = Vec::new();
    for case in runs.0.iter().filter(|case| !case.correlations.is_empty()) {
        let mean = case.correlations.iter().sum::<f64>() / count(case.correlations.len());
        means.push(mean);
        println!(
            "| {} | {mean:.2} | {} |",
            case.name,
            case.correlations.len()
        );
    }
    println!(
        "| **mean** | {:.2} | |",
        means.iter().sum::<f64>() / count(means.len()).max(1.0)
    );
}

/// ρ for each level of an HDD in which ddmin removed some of the nodes; of those until the most queries, or a question that is not recorded.
pub(crate) fn correlations(case: &mut Case, most: u32) -> Vec<f64> {
    let document = case.document.clone();
    let (mut level, mut gone, mut found) = (vec![0], Vec::new(), Vec::new());
    let mut left = most;
    loop {
        level = level
            .iter()
            .flat_map(|&node| document.children(node))
            .collect::<Vec<NodeId>>();
        let weights: Vec<u32> = level.iter().map(|&node| weight(&document, node)).collect();
        if level.is_empty() {
            return found;
        }
        let mut ddmin = Minimizer::new(
            &Weights::Each(weights.clone().into()),
            &Options::new(Algorithm::Ddmin),
        );
        let mut known = BTreeMap::new();
        while let Some(cut) = ddmin.ask() {
            let bytes = without(&document, &gone, &level, &cut.kept_of(ddmin.best()));
            let verdict = known.get(&bytes).copied().or_else(|| {
                left = left.checked_sub(1)?;
                case.oracle.ask(&bytes)
            });
            let Some(verdict) = verdict else { return found };
            known.insert(bytes, verdict);
            ddmin.tell(verdict);
        }
        let kept = ddmin.best();
        found.extend(correlation(&weights, kept));
        let removed = (0..level.len()).filter(|&place| !kept.contains(place));
        gone.extend(removed.map(|place| level[place]));
        level = kept.iter().map(|place| level[place]).collect();
    }
}

/// ρ of the weights and, for each, the part of the elements with it that went. `None` where nothing went.
fn correlation(weights: &[u32], kept: &Kept) -> Option<f64> {
    let mut counts: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for (place, &weight) in weights.iter().enumerate() {
        let (all, gone) = counts.entry(weight).or_default();
        *all += 1;
        *gone += usize::from(!kept.contains(place));
    }
    let pairs = counts
        .iter()
        .map(|(&weight, &(all, gone))| (f64::from(weight), count(gone) / count(all)));
    spearman(&pairs.collect::<Vec<_>>()).filter(|_| kept.len() < weights.len())
}

/// The tokens below a node.
fn weight(document: &Document, node: NodeId) -> u32 {
    let below: u32 = document
        .children(node)
        .map(|child| weight(document, child))
        .sum();
    below.max(1)
}

fn without(document: &Document, gone: &[NodeId], level: &[NodeId], kept: &Kept) -> Vec<u8> {
    let dropped = (0..level.len())
        .filter(|&place| !kept.contains(place))
        .map(|place| level[place]);
    let nodes = gone.iter().copied().chain(dropped);
    let splices = nodes.map(|node| Splice::deletion(document.node(node).range()));
    let mut bytes = Vec::new();
    Edit::new(splices.collect()).render(document.bytes(), Joint::KeepTokensApart, &mut bytes);
    bytes
}
