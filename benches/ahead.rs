//! What working ahead buys: `cargo bench --bench ahead [-- WORD...]`, with words such as `hddr/-j8/50ms` or `auto`.
//!
//! Reductions of two generated programs by a check that sleeps and then knows a property that holds together as programs do: the
//! text parses, some names are there, and each name that is used is declared. Each line has a strategy, a number of jobs and how
//! long a check sleeps; then the queries, the time of the reduction as a share of what the checks of all queries sleep one after the
//! other, and how many runs were thrown away for each query. Short checks measure the machine more than the
//! search: with those of 500 ms the shares are nearly those of an idle one.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use paredown::engine::{Engine, Settings};
use paredown::interrupt::Interrupt;
use paredown::output::ResultFile;
use paredown::strategy::{Plan, Strategy, search};
use paredown::syntax::{Document, Language};

const JOBS: [usize; 3] = [2, 8, 32];
const MILLISECONDS: [u64; 3] = [5, 50, 500];
const FUNCTIONS: usize = 24;

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    for strategy in [Strategy::Auto, Strategy::Hddr] {
        for jobs in JOBS {
            for pause in MILLISECONDS {
                let name = format!("{strategy}/-j{jobs}/{pause}ms");
                if words.is_empty() || words.iter().any(|word| name.contains(word.as_str())) {
                    println!("{name:20} {}", measure(strategy, jobs, pause));
                }
            }
        }
    }
}

/// Reduces all programs.
#[expect(clippy::cast_precision_loss, reason = "counts are far smaller")]
#[expect(clippy::disallowed_methods, reason = "the check is a sleep")]
fn measure(strategy: Strategy, jobs: usize, pause: u64) -> String {
    let (mut queries, mut discarded, mut seconds) = (0, 0, 0.0);
    for seed in 0..2 {
        let text = program(seed);
        let needed = [3, 11, 17].map(|n| format!("value{}", (n + 5 * seed) % FUNCTIONS));
        let oracle = |candidate: &[u8]| {
            std::thread::sleep(Duration::from_millis(pause));
            holds_together(candidate, &needed)
        };
        let (mut output, interrupt) = (ResultFile::nowhere(), Interrupt::new());
        let mut silent = |_: &_| ();
        let settings = Settings {
            jobs,
            ..Settings::default()
        };
        let start = Instant::now();
        let mut engine = Engine::new(
            text.as_bytes(),
            &oracle,
            settings,
            &mut output,
            &interrupt,
            &mut silent,
        );
        let plan = Plan::new(strategy);
        let build = move |best: &[u8]| search(&Document::new(best, Language::named("c")), &plan);
        engine
            .run_until_known(build)
            .expect("a closure does not fail");
        let statistics = engine.finish().1;
        seconds += start.elapsed().as_secs_f64();
        queries += statistics.queries;
        discarded += statistics.discarded;
    }
    let checks = queries as f64 * pause as f64 / 1000.0;
    format!(
        "{queries:5} queries {:6.3} of their time, {:5.2} thrown away for each",
        seconds / checks,
        discarded as f64 / queries as f64
    )
}

/// Whether a text parses, has the needed names, and declares what it calls and reads.
fn holds_together(candidate: &[u8], needed: &[String]) -> bool {
    let text = String::from_utf8_lossy(candidate);
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .collect();
    if !needed.iter().all(|name| words.contains(&name.as_str())) {
        return false;
    }
    let declared: BTreeSet<&str> = words
        .windows(2)
        .filter(|pair| pair[0] == "int")
        .map(|pair| pair[1])
        .collect();
    let is_name = |word: &&&str| {
        word.ends_with(|c: char| c.is_ascii_digit())
            && word.starts_with(|c: char| c.is_alphabetic())
    };
    words
        .iter()
        .filter(is_name)
        .all(|name| declared.contains(*name))
        && Document::new(candidate.to_vec(), Language::named("c")).error_count() == 0
}

/// A C program whose functions call each other.
fn program(seed: usize) -> String {
    let mut text = String::from("#include <stdio.h>\n");
    for n in 0..FUNCTIONS {
        let (other, weight) = (n * (7 + seed) / 11, 3 + n * (seed + 3) % 7);
        let _ = writeln!(
            text,
            "static int value{n}(int left{n}, int right{n}) {{\n    int sum{n} = left{n} * {weight} + right{n};"
        );
        for step in 0..weight {
            let _ = writeln!(
                text,
                "    if (sum{n} > {step}) {{\n        printf(\"%d\\n\", sum{n});\n        right{n} += {step};\n    }}"
            );
        }
        let _ = match n {
            0 => writeln!(text, "    return sum{n};\n}}"),
            _ => writeln!(
                text,
                "    return value{other}(sum{n}, right{n}) + sum{n};\n}}"
            ),
        };
    }
    text + "int main(void) { return value23(1, 2) + value17(3, 4); }\n"
}
