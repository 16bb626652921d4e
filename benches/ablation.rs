//! What each pass of the default pipeline is worth: real cases without each pass in turn.
//!
//! `cargo bench --bench ablation [WORDS]...`, see `cases`. A word with a `+` before it picks
//! the passes whose names contain it. Prints, for each pass and case, how many tokens and queries more or fewer there are without it, what
//! it asked and how often that succeeded; and the sums, without what did not come to its end. A pass that gains nothing anywhere should go.

#![expect(clippy::print_stdout, reason = "a table is what this program is for")]

mod cases;

use cases::{Case, Ending, Outcome, most_queries};
use paredown::strategy::{Plan, Strategy, passes};
use paredown::syntax::count_tokens;
use std::env;

fn main() {
    let words = env::args().skip(1).filter(|word| !word.starts_with('-'));
    let (rows, names): (Vec<String>, Vec<String>) = words.partition(|word| word.starts_with('+'));
    let mut cases = cases::picked(&names);
    let whole: Vec<Outcome> = cases.iter_mut().map(|case| reduce(case, None)).collect();
    println!("| pass | case | asked | succeeded | tokens without | queries without |");
    println!("|---|---|---|---|---|---|");
    for (pass, _) in passes() {
        if rows.is_empty() || rows.iter().any(|row| pass.contains(&row[1..])) {
            measure(pass, &mut cases, &whole);
        }
    }
}

/// The rows of one pass.
fn measure(pass: &str, cases: &mut [Case], whole: &[Outcome]) {
    let mut sums = [0i64; 4];
    for (case, whole) in cases.iter_mut().zip(whole) {
        let (asked, succeeded) = whole.passes.get(pass).copied().unwrap_or_default();
        if asked == 0 {
            continue;
        }
        let without = reduce(case, Some(pass));
        let row = [
            i64::from(asked),
            i64::from(succeeded),
            tokens(&without) - tokens(whole),
            i64::from(without.queries) - i64::from(whole.queries),
        ];
        print(
            pass,
            &format!("{} {}", case.name, without.ending.note()),
            row,
        );
        if without.ending == Ending::Complete && whole.ending == Ending::Complete {
            sums = std::array::from_fn(|place| sums[place] + row[place]);
        }
    }
    print(pass, "all", sums);
}

fn print(pass: &str, case: &str, [asked, succeeded, tokens, queries]: [i64; 4]) {
    println!("| {pass} | {case} | {asked} | {succeeded} | {tokens:+} | {queries:+} |");
}

fn reduce(case: &mut Case, without: Option<&str>) -> Outcome {
    let plan = Plan {
        without: without.map(str::to_owned).into_iter().collect(),
        ..Plan::new(Strategy::Auto)
    };
    case.reduce(&plan, most_queries(u32::MAX))
}

fn tokens(outcome: &Outcome) -> i64 {
    i64::try_from(count_tokens(&outcome.result)).unwrap_or(i64::MAX)
}
