//! Every strategy that has a choice, measured on real cases: table 7.1 of D. Vince's dissertation (each tree strategy with each way
//! to hoist), and the default pipeline with each list minimiser in the place of its own ways to choose.
//!
//! `cargo bench --bench strategies [WORDS]...`, see `cases`. A word with a `+` before it picks the rows of
//! the table whose names contain it, with a `/` in it one row. `PAREDOWN_MINIMIZER=name` puts one list minimiser into all rows of
//! the tree strategies, with `-backward` behind its name from the last part on. `PAREDOWN_SHOW=1` prints the results. Prints tokens, bytes and
//! queries, and behind them, for each pass, its queries and how many were interesting.

#![expect(clippy::print_stdout, reason = "a table is what this program is for")]

mod cases;

use cases::{Case, most_queries};
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

fn main() {
    let words = env::args().skip(1).filter(|word| !word.starts_with('-'));
    let (rows, names): (Vec<String>, Vec<String>) = words.partition(|word| word.starts_with('+'));
    for mut case in cases::picked(&names) {
        let bytes = case.document.bytes();
        let tokens = count_tokens(bytes);
        println!("{}: {tokens} tokens, {} bytes", case.name, bytes.len());
        for (name, plan) in plans() {
            if is_picked(&rows, &name) {
                measure(&mut case, &name, &plan);
            }
        }
    }
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
    plans.push(("auto/own".to_owned(), Plan::new(Strategy::Auto)));
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

fn measure(case: &mut Case, name: &str, plan: &Plan) {
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
}

/// The list minimiser that was chosen for all rows; `None` for each strategy's own.
fn minimizer() -> Option<Options> {
    let name = env::var("PAREDOWN_MINIMIZER").ok()?;
    let algorithm = name.trim_end_matches("-backward").parse();
    let mut options = Options::new(algorithm.expect("a list minimiser"));
    options.backward = name.ends_with("-backward");
    Some(options)
}
