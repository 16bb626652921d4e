//! What the inputs make of the differences: two of the papers' own inputs are among ours, and small ones differ from large ones in theirs
//! as in ours.

#![expect(clippy::print_stdout, reason = "tables are what this program is for")]

use super::hoisting::WAYS;
use super::runs::{CaseRuns, Run, Runs, change_of_sums, mean_change, name_of};
use paredown::minimize::Algorithm;
use paredown::strategy::{Hoist, Strategy};

/// The papers' names of the two inputs, and the beginnings of ours. The bytes are the same, what is asked of them is not.
const SAME: [(&str, &[&str]); 2] = [("clang-23353", &["b01", "b03"]), ("clang-26760", &["x01"])];

/// A comparison of two ways: the table, what is compared, the names of both, and what the paper counted for the first and for the second
/// on each of the two inputs. Queries, but seconds in the WDD paper.
type Theirs = (&'static str, &'static str, [&'static str; 2], [[u32; 2]; 2]);

const THEIRS: &[Theirs] = &[
    (
        "5.2",
        "lines: ddmin\\* against ddmin",
        ["lines/once", "lines/again"],
        [[6117, 12243], [35647, 42565]],
    ),
    (
        "7.4, 7.6",
        "HDDr against HDD",
        ["hdd/ddmin/none", "hddr/ddmin/none"],
        [[14598, 5087], [12957, 4254]],
    ),
    (
        "7.4",
        "HDD, before",
        ["hdd/ddmin/none", "hdd/ddmin/before"],
        [[14598, 30114], [12957, 11808]],
    ),
    (
        "7.4",
        "HDD, interlaced",
        ["hdd/ddmin/none", "hdd/ddmin/interlaced"],
        [[14598, 14662], [12957, 11884]],
    ),
    (
        "7.4",
        "HDD, both",
        ["hdd/ddmin/none", "hdd/ddmin/both"],
        [[14598, 30182], [12957, 11835]],
    ),
    (
        "7.6",
        "HDDr, before",
        ["hddr/ddmin/none", "hddr/ddmin/before"],
        [[5087, 4848], [4254, 9805]],
    ),
    (
        "7.6",
        "HDDr, interlaced",
        ["hddr/ddmin/none", "hddr/ddmin/interlaced"],
        [[5087, 3976], [4254, 3426]],
    ),
    (
        "7.6",
        "HDDr, both",
        ["hddr/ddmin/none", "hddr/ddmin/both"],
        [[5087, 4900], [4254, 4382]],
    ),
    (
        "7.8",
        "coarse HDD, before",
        ["coarse-hdd/ddmin/none", "coarse-hdd/ddmin/before"],
        [[50489, 26543], [4916, 8849]],
    ),
    (
        "7.8",
        "coarse HDD, interlaced",
        ["coarse-hdd/ddmin/none", "coarse-hdd/ddmin/interlaced"],
        [[50489, 50489], [4916, 4916]],
    ),
    (
        "7.10",
        "coarse HDDr, before",
        ["coarse-hddr/ddmin/none", "coarse-hddr/ddmin/before"],
        [[3587, 4363], [2952, 3047]],
    ),
    (
        "7.10",
        "coarse HDDr, interlaced",
        ["coarse-hddr/ddmin/none", "coarse-hddr/ddmin/interlaced"],
        [[3587, 3587], [2952, 2952]],
    ),
    (
        "CDD IV",
        "HDD: ProbDD against ddmin",
        ["hdd/ddmin/none", "hdd/probdd/none"],
        [[11719, 5757], [30063, 9261]],
    ),
    (
        "CDD IV",
        "HDD: CDD against ddmin",
        ["hdd/ddmin/none", "hdd/cdd/none"],
        [[11719, 4492], [30063, 9792]],
    ),
    (
        "WDD I",
        "HDD: wddmin against ddmin",
        ["hdd/ddmin/none", "hdd/wddmin/none"],
        [[61023, 38212], [37413, 11487]],
    ),
    (
        "WDD I",
        "HDD: wprobdd against probdd",
        ["hdd/probdd/none", "hdd/wprobdd/none"],
        [[3252, 2814], [3678, 2901]],
    ),
    (
        "WDD I",
        "quantified: wddmin against ddmin",
        ["quantified/ddmin/none", "quantified/wddmin/none"],
        [[3868, 3005], [4543, 3989]],
    ),
    (
        "WDD I",
        "quantified: wprobdd against probdd",
        ["quantified/probdd/none", "quantified/wprobdd/none"],
        [[1261, 1240], [2129, 1922]],
    ),
];

pub(crate) fn print(runs: &Runs) {
    print_same(runs);
    print_by_size(runs);
}

fn print_same(runs: &Runs) {
    println!(
        "\n## The same inputs in the papers\n\nThe bytes of b01 and b03 are those of the papers' clang-23353, the bytes of x01 those of clang-26760; what the checks ask for is \
         something else. Queries of the first and of the second (in the WDD paper seconds).\n"
    );
    let names: Vec<&str> = SAME.iter().flat_map(|(_, ours)| *ours).copied().collect();
    println!(
        "| table | | {}: theirs | {}: theirs | ours: {} |\n|---|---|---|---|{}",
        SAME[0].0,
        SAME[1].0,
        names.join(" | "),
        "---|".repeat(names.len())
    );
    for (table, what, ways, counts) in THEIRS {
        let theirs = counts.map(|[from, to]| change(from, to));
        let pairs = runs.pairs(ways[0], ways[1]);
        let ours = names.iter().map(|name| {
            let pair = pairs.iter().find(|(case, ..)| case.name.starts_with(name));
            pair.map_or("–".into(), |(_, one, other)| {
                change(one.queries, other.queries)
            })
        });
        let ours: Vec<String> = ours.collect();
        println!(
            "| {} | {} | {} | {} |",
            table,
            what,
            theirs.join(" | "),
            ours.join(" | ")
        );
    }
}

fn change(from: u32, to: u32) -> String {
    let percent = mean_change(&[(f64::from(from), f64::from(to))]);
    format!("{from} → {to}, {percent:+.1} %")
}

/// Programs of 0.5 to 6.6 kB (`JerryScript` Reduction Test Suite) and of 19 to 793 kB (Perses Test Suite).
const SMALLER: usize = 50_000;

/// The changes of queries that tables 7.4, 7.6, 7.8 and 7.10 have in the mean, by test suite: before, interlaced, both.
const BY_SUITE: [(Strategy, [&str; 3], [&str; 3]); 4] = [
    (
        Strategy::Hdd,
        ["+116.7", "+4.4", "+126.0"],
        ["−5.8", "−12.3", "−5.6"],
    ),
    (
        Strategy::Hddr,
        ["+96.1", "+8.1", "+105.7"],
        ["−9.8", "−27.1", "−14.2"],
    ),
    (
        Strategy::CoarseHdd,
        ["+258.6", "+0.0", "+258.6"],
        ["+49.0", "+0.2", "+48.9"],
    ),
    (
        Strategy::CoarseHddr,
        ["+175.8", "+0.0", "+175.8"],
        ["−11.6", "−0.0", "+3.7"],
    ),
];

fn print_by_size(runs: &Runs) {
    println!(
        "\n## Small and large inputs: the change of queries by hoisting\n\nTheir small inputs have 0.5 to 6.6 kB (JerryScript), their large ones 19 to 793 kB (Perses): the means of tables 7.4, 7.6, 7.8 and \
         7.10 for each. Ours are those below and above 50 kB.\n"
    );
    println!(
        "| host | hoisting | small: theirs | ours: mean | sum | cases | large: theirs | ours: mean | sum | cases |\n|---|---|---|---|---|---|---|---|---|---|"
    );
    for (host, small, large) in BY_SUITE {
        for ((way, small), large) in WAYS.into_iter().zip(small).zip(large) {
            let of = |hoist| name_of(host, Algorithm::Ddmin, hoist);
            let row = Row::of(runs, &of(Hoist::None), &of(way), [small, large]);
            println!("| {host} | {way} | {} |", row.0.join(" | "));
        }
    }
    let of = |host| name_of(host, Algorithm::Ddmin, Hoist::None);
    let hosts = [of(Strategy::Hdd), of(Strategy::Hddr)];
    let row = Row::of(runs, &hosts[0], &hosts[1], ["−23.2", "−65.7"]);
    println!("| hddr against hdd | none | {} |", row.0.join(" | "));
}

/// What stands behind the name of a comparison: the small inputs and the large ones.
struct Row(Vec<String>);

impl Row {
    fn of(runs: &Runs, one: &str, other: &str, theirs: [&str; 2]) -> Self {
        let (small, large): (Vec<_>, Vec<_>) = runs
            .pairs(one, other)
            .into_iter()
            .partition(|(case, ..)| case.bytes < SMALLER);
        let cells = [small, large].into_iter().zip(theirs);
        Self(
            cells
                .flat_map(|(pairs, theirs)| group(&pairs, theirs))
                .collect(),
        )
    }
}

fn group(pairs: &[(&CaseRuns, &Run, &Run)], theirs: &str) -> [String; 4] {
    let queries = pairs
        .iter()
        .map(|(_, one, other)| (f64::from(one.queries), f64::from(other.queries)));
    let queries: Vec<(f64, f64)> = queries.collect();
    [
        format!("{theirs} %"),
        format!("{:+.1} %", mean_change(&queries)),
        format!("{:+.1} %", change_of_sums(&queries)),
        pairs.len().to_string(),
    ]
}
