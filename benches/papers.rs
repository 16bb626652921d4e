//! The tables of the papers, theirs beside ours: `benches/papers.md` is what this printed, with its command.
//!
//! `PAREDOWN_CASES=folder cargo bench --bench papers [WORDS]...`: see `cases` for the words, the recordings and how to make them; words
//! with a slash, such as `hddr/ddmin/none`, pick reductions instead of cases. Sizes are those of the result, queries are runs of the
//! check. A reduction that was cut off after the most queries (`PAREDOWN_MOST`, or `MOST`) or at a question that is not recorded is
//! in no mean, and the other one of its pair neither.

#![expect(clippy::print_stdout, reason = "tables are what this program is for")]

#[path = "papers/caches.rs"]
mod caches;
mod cases;
#[path = "papers/hoisting.rs"]
mod hoisting;
#[path = "papers/inputs.rs"]
mod inputs;
#[path = "papers/lists.rs"]
mod lists;
#[path = "papers/runs.rs"]
mod runs;
#[path = "papers/statistics.rs"]
mod statistics;
#[path = "papers/weights.rs"]
mod weights;

use runs::Runs;
use std::env;

fn main() {
    statistics::check();
    let words = env::args().skip(1).filter(|word| !word.starts_with('-'));
    let (names, words): (Vec<String>, Vec<String>) = words.partition(|word| word.contains('/'));
    let runs = Runs::of(cases::picked(&words), &names);
    println!("## The cases\n");
    runs.print_cases();
    runs.print_cut_off();
    caches::print(&runs);
    lists::print_fixed_point(&runs);
    lists::print_two_pass_beside_trees(&runs);
    lists::print_greeddy(&runs);
    hoisting::print(&runs);
    weights::print_probabilistic(&runs);
    weights::print_weighted(&runs);
    weights::print_correlations(&runs);
    inputs::print(&runs);
}
