//! Chapters 5 and 6 of D. Vince's dissertation: ddmin to the fixed point, in two passes, and GreeDDy.

#![expect(clippy::print_stdout, reason = "tables are what this program is for")]

use super::runs::{Comparison, Run, Runs, name_of};
use paredown::minimize::Algorithm;
use paredown::strategy::{Hoist, Strategy};

/// Tables 5.1 to 5.3.
pub(crate) fn print_fixed_point(runs: &Runs) {
    println!("\n## Dissertation, tables 5.1 to 5.3: ddmin\\* against one ddmin\n");
    println!(
        "| | theirs: queries | size | ours: queries | bytes | cases |\n|---|---|---|---|---|---|"
    );
    for (what, strategy, queries, size) in [
        ("characters (5.1)", "chars", "+111.4 %", "−67.9 %"),
        ("lines (5.2)", "lines", "+66.1 %", "−48.1 %"),
        (
            "lines, then characters (5.3)",
            "two-pass",
            "+96.4 %",
            "−45.8 %",
        ),
    ] {
        let ours = runs.compare(&format!("{strategy}/once"), &format!("{strategy}/again"));
        let Comparison {
            cases,
            queries: more,
            bytes,
            ..
        } = &ours;
        println!(
            "| {what} | {queries} | {size} | {} | {} | {cases} |",
            more.text(),
            bytes.text()
        );
    }
    print_cases(runs, "lines/once", "lines/again");
    print_cases(runs, "chars/once", "chars/again");
    print_cases(runs, "two-pass/once", "two-pass/again");
}

/// Table 5.4.
pub(crate) fn print_two_pass_beside_trees(runs: &Runs) {
    println!("\n## Dissertation, table 5.4: ddmin\\* in two passes against HDD\\*\n");
    println!(
        "Theirs: the result is 139 % larger in the mean, with 4 to 60 times the queries on large inputs.\n"
    );
    print_cases(
        runs,
        &name_of(Strategy::Hdd, Algorithm::Ddmin, Hoist::None),
        "two-pass/again",
    );
}

/// Table 6.1.
pub(crate) fn print_greeddy(runs: &Runs) {
    println!("\n## Dissertation, table 6.1: GreeDDy\\* (T = 4) against ddmin\\*, lines\n");
    println!(
        "Theirs: −30.7 % queries, −2.1 % characters. Their window starts 4 queries at a time and counts those that were started.\n"
    );
    print_cases(runs, "lines/again", "lines/greeddy");
    print_successes(runs, "lines/again", "lines/greeddy");
}

/// How many questions come to one that succeeds: what GreeDDy asks beside the success that ddmin would go on with is lost, unless
/// the successes of a window go together.
fn print_successes(runs: &Runs, one: &str, other: &str) {
    println!("\n| case | {one}: successes | of | {other}: successes | of |\n|---|---|---|---|---|");
    for (case, first, second) in runs.pairs(one, other) {
        let successes = |run: &Run| run.passes.values().map(|counts| counts.1).sum::<u32>();
        println!(
            "| {} | {} | {} | {} | {} |",
            case.name,
            successes(first),
            first.queries,
            successes(second),
            second.queries
        );
    }
}

/// A row for each case and one for the mean.
pub(super) fn print_cases(runs: &Runs, one: &str, other: &str) {
    println!(
        "\n| case | {one}: queries | bytes | {other}: queries | | bytes | |\n|---|---|---|---|---|---|---|"
    );
    for (case, first, second) in runs.pairs(one, other) {
        let change =
            |one: f64, other: f64| format!("{:+.1} %", 100.0 * (other - one) / one.max(1.0));
        let queries = change(f64::from(first.queries), f64::from(second.queries));
        let size = |bytes| super::statistics::count(bytes);
        let bytes = change(size(first.bytes), size(second.bytes));
        println!(
            "| {} | {} | {} | {} | {queries} | {} | {bytes} |",
            case.name, first.queries, first.bytes, second.queries, second.bytes
        );
    }
    let mean = runs.compare(one, other);
    println!(
        "| **mean** | | | | {} | | {} |",
        mean.queries.with_p(),
        mean.bytes.with_p()
    );
}
