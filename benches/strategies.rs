//! Every strategy that has a choice, measured on real cases: table 7.1 of D. Vince's dissertation (each tree strategy with each way
//! to hoist), and the default pipeline with each list minimiser in the place of its own ways to choose. A last table says what each of
//! them makes of the pipeline, over the cases in which both came to their end.
//!
//! `cargo bench --bench strategies [WORDS]...`, see `cases`. A word with a `+` before it picks the rows of
//! the table whose names contain it, with a `/` in it one row. `PAREDOWN_MINIMIZER=name` puts one list minimiser into all rows of
//! the tree strategies, with `-backward` behind its name from the last part on. `PAREDOWN_SHOW=1` prints the results. Prints tokens, bytes and
//! queries, and behind them, for each pass, its queries and how many were interesting.

#![expect(clippy::print_stdout, reason = "a table is what this program is for")]

mod cases;

use cases::{Case, Ending, Outcome, most_queries};
use paredown::minimize::{Algorithm, Options};
use paredown::strategy::{Hoist, Plan, Strategy};
use paredown::syntax::count_tokens;
use std::env;

const STRATEGIES: [Strategy; 5] = [
    Strategy::Hdd,
    Strategy::Hddr,
    Strategy::CoarseHdd,
    Strategy::CoarseHddr,
    Strategy::Quantified,
];

/// The row of the pipeline as it is.
const OWN: &str = "auto/own";

fn main() {
    let words = env::args().skip(1).filter(|word| !word.starts_with('-'));
    let (rows, names): (Vec<String>, Vec<String>) = words.partition(|word| word.starts_with('+'));
    let mut pipelines = Vec::new();
    for mut case in cases::picked(&names) {
        let bytes = case.document.bytes();
        let tokens = count_tokens(bytes);
        println!("{}: {tokens} tokens, {} bytes", case.name, bytes.len());
        for (name, plan) in plans() {
            if is_picked(&rows, &name) {
                let outcome = measure(&mut case, &name, &plan);
                if plan.strategy == Strategy::Auto && outcome.ending == Ending::Complete {
                    let size = count_tokens(&outcome.result);
                    pipelines.push((case.name.clone(), name, [size, outcome.queries as usize]));
                }
            }
        }
    }
    compare(&pipelines);
}

/// Of a case and a row: how many tokens are left, after how many queries.
type Pipeline = (String, String, [usize; 2]);

/// Each list minimiser in the pipeline against the pipeline's own ways to choose.
fn compare(pipelines: &[Pipeline]) {
    println!("\n| minimiser in `auto` | cases | tokens | own | queries | own | geometric mean |");
    println!("|---|---|---|---|---|---|---|");
    for algorithm in Algorithm::ALL {
        let row = format!("auto/{algorithm}");
        let theirs = pipelines.iter().filter(|(_, name, _)| *name == row);
        let pairs = theirs.filter_map(|(case, _, theirs)| {
            let is_own = |(other, name, _): &&Pipeline| other == case && name == OWN;
            let (_, _, own) = pipelines.iter().find(is_own)?;
            Some((*theirs, *own))
        });
        let pairs: Vec<([usize; 2], [usize; 2])> = pairs.collect();
        if !pairs.is_empty() {
            print_comparison(algorithm, &pairs);
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts are far smaller")]
fn print_comparison(algorithm: Algorithm, pairs: &[([usize; 2], [usize; 2])]) {
    let sums = pairs.iter().fold([0; 4], |[a, b, c, d], (theirs, own)| {
        [a + theirs[0], b + own[0], c + theirs[1], d + own[1]]
    });
    let [tokens, own_tokens, queries, own_queries] = sums;
    let logarithms = pairs
        .iter()
        .map(|(theirs, own)| (theirs[1] as f64 / own[1] as f64).ln());
    let mean = (logarithms.sum::<f64>() / pairs.len() as f64).exp() - 1.0;
    println!(
        "| {algorithm} | {} | {tokens} | {own_tokens} | {queries} | {own_queries} | {:+.1} % |",
        pairs.len(),
        100.0 * mean
    );
}

/// The rows of the table.
fn plans() -> Vec<(String, Plan)> {
    let mut plans = Vec::new();
    for strategy in STRATEGIES {
        for hoist in Hoist::ALL {
            if strategy == Strategy::Quantified && hoist != Hoist::None {
                continue;
            }
            let plan = Plan {
                hoist,
                minimizer: minimizer(),
                ..Plan::new(strategy)
            };
            plans.push((format!("{strategy}/{hoist}"), plan));
        }
    }
    plans.push((OWN.to_owned(), Plan::new(Strategy::Auto)));
    for algorithm in Algorithm::ALL {
        let plan = Plan {
            minimizer: Some(Options::new(algorithm)),
            ..Plan::new(Strategy::Auto)
        };
        plans.push((format!("auto/{algorithm}"), plan));
    }
    plans
}

/// Whether a row is one of the words' or there are none.
fn is_picked(words: &[String], name: &str) -> bool {
    let mut words_alone = words.iter().map(|word| word.trim_start_matches('+'));
    words.is_empty()
        || words_alone.any(|word| name == word || !word.contains('/') && name.contains(word))
}

fn measure(case: &mut Case, name: &str, plan: &Plan) -> Outcome {
    let outcome = case.reduce(plan, most_queries(u32::MAX));
    let (tokens, bytes) = (count_tokens(&outcome.result), outcome.result.len());
    let (queries, passes) = (outcome.queries, &outcome.passes);
    let ending = outcome.ending.note();
    println!(
        "{name:24} {tokens:6} tokens {bytes:7} bytes {queries:7} queries  {passes:?} {ending}"
    );
    if env::var_os("PAREDOWN_SHOW").is_some() {
        println!("{}", String::from_utf8_lossy(&outcome.result));
    }
    outcome
}

/// The list minimiser that was chosen for all rows; `None` for each strategy's own.
fn minimizer() -> Option<Options> {
    let name = env::var("PAREDOWN_MINIMIZER").ok()?;
    let algorithm = name.trim_end_matches("-backward").parse();
    let mut options = Options::new(algorithm.expect("a list minimiser"));
    options.backward = name.ends_with("-backward");
    Some(options)
}
