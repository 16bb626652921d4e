//! What the cache needs under each proposal of Vince's dissertation (tables 4.2 and 4.3), for our own runs:
//! `cargo bench --bench cache [-- FILE WORD...]`.
//!
//! Each line switches one more proposal on: all outcomes with the full text as the key; only uninteresting ones; dropping what
//! is longer than a success; SHA-3 keys. The queries must be the same in every line. The oracle runs in this process: brackets
//! balance and some words are there. With a FILE, the words default to a few of its own.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::collections::BTreeSet;
use std::fmt::Write as _;

use paredown::engine::{CacheOptions, Engine, Eviction, KeptOutcomes, KeyKind, Settings};
use paredown::interrupt::Interrupt;
use paredown::output::ResultFile;
use paredown::report::Statistics;
use paredown::strategy::{Plan, Strategy, search};
use paredown::syntax::{Document, Language};

const STEPS: [(&str, CacheOptions); 4] = [
    (
        "all outcomes, text",
        options(KeptOutcomes::All, Eviction::Never, KeyKind::Text),
    ),
    (
        "+ uninteresting only",
        options(KeptOutcomes::Uninteresting, Eviction::Never, KeyKind::Text),
    ),
    (
        "+ drop longer ones",
        options(
            KeptOutcomes::Uninteresting,
            Eviction::LongerThanSuccess,
            KeyKind::Text,
        ),
    ),
    (
        "+ SHA-3 keys",
        options(
            KeptOutcomes::Uninteresting,
            Eviction::LongerThanSuccess,
            KeyKind::Sha3,
        ),
    ),
];

const fn options(outcomes: KeptOutcomes, eviction: Eviction, keys: KeyKind) -> CacheOptions {
    CacheOptions {
        outcomes,
        eviction,
        keys,
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .collect();
    let input = arguments.first().map_or_else(
        || program(300).into_bytes(),
        |path| std::fs::read(path).expect("the file can be read"),
    );
    let words = match arguments.get(1..) {
        Some(words) if !words.is_empty() => words.iter().cloned().collect(),
        _ => some_words(&input),
    };
    println!("{} bytes; needed: {words:?}", input.len());
    for (name, strategy) in [
        ("ddmin, lines", Strategy::Lines),
        ("ddmin, tokens", Strategy::Tokens),
        ("HDD", Strategy::Hdd),
        ("HDDr", Strategy::Hddr),
    ] {
        println!(
            "\n{name:22} {:>9} {:>9} {:>13} {:>13} {:>9}",
            "queries", "hits", "peak entries", "peak bytes", "of first"
        );
        let mut first = None;
        for (step, cache) in STEPS {
            let found = run(&input, strategy, cache, &words);
            let whole = *first.get_or_insert(found.cache_peak_bytes.max(1));
            println!(
                "{step:22} {:9} {:9} {:13} {:13} {:8.1} %",
                found.queries,
                found.cache_hits,
                found.cache_peak_entries,
                found.cache_peak_bytes,
                percent(found.cache_peak_bytes, whole)
            );
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "it is printed with one digit behind the point"
)]
fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole as f64
}

fn run(
    input: &[u8],
    strategy: Strategy,
    cache: CacheOptions,
    words: &BTreeSet<String>,
) -> Statistics {
    let oracle = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        balanced(bytes) && words.iter().all(|word| text.contains(word.as_str()))
    };
    let (mut output, interrupt) = (ResultFile::nowhere(), Interrupt::new());
    let mut ignore = |_: &_| ();
    let settings = Settings {
        cache,
        ..Settings::default()
    };
    let mut engine = Engine::new(
        input,
        &oracle,
        settings,
        &mut output,
        &interrupt,
        &mut ignore,
    );
    let plan = Plan::new(strategy);
    let build = move |best: &[u8]| search(&Document::new(best, Language::named("c")), &plan);
    engine
        .run_until_known(build)
        .expect("a closure does not fail");
    engine.finish().1
}

fn balanced(bytes: &[u8]) -> bool {
    let mut open = Vec::new();
    bytes.iter().all(|byte| match byte {
        b'(' | b'[' | b'{' => {
            open.push(*byte);
            true
        }
        b')' => open.pop() == Some(b'('),
        b']' => open.pop() == Some(b'['),
        b'}' => open.pop() == Some(b'{'),
        _ => true,
    }) && open.is_empty()
}

/// Eight words from all over the file.
fn some_words(input: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(input);
    let is_word = |word: &&str| word.len() > 3;
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(is_word)
        .collect();
    (1..=8)
        .filter_map(|part| words.get(words.len() * part / 9))
        .map(|&word| word.into())
        .collect()
}

/// A C program of so many functions.
fn program(functions: usize) -> String {
    let mut text = String::from("#include <stdio.h>\n");
    for n in 0..functions {
        let _ = writeln!(
            text,
            "static int value{n}(int left, int right) {{\n    int sum{n} = left * {n} + right;\n    if (sum{n} > {}) {{\n        printf(\"%d\\n\", sum{n});\n    }}\n    return sum{n};\n}}",
            n * 7 % 13
        );
    }
    text + "int main(void) { return value0(1, 2); }\n"
}
