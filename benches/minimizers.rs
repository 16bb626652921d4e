//! What the list minimisers themselves cost for each query, without an oracle: 20 needed elements among 10^3 to 10^6.
//!
//! `cargo bench --bench minimizers` first runs each search once to its end and prints the totals; then Criterion measures a query: to ask
//! and to tell, alone and with a clone for each as the engine makes when it works ahead.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use paredown::minimize::{Algorithm, Cut, Minimizer, Options, Runs, Weights};
use paredown::search::{Search, Verdict};

const LENGTHS: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
const NEEDED: usize = 20;

criterion_group!(benches, print_totals, measure_queries);
criterion_main!(benches);

fn print_totals(_: &mut Criterion) {
    println!(
        "{:<9} {:>9} {:>9} {:>10} {:>12} {:>14}",
        "minimizer", "elements", "queries", "seconds", "ns per query", "peak MiB so far"
    );
    for algorithm in Algorithm::ALL {
        for len in LENGTHS {
            let start = Instant::now();
            let queries = run_to_its_end(algorithm, len);
            let seconds = start.elapsed();
            let per_query = seconds.as_nanos() / u128::from(queries);
            let name = algorithm.name();
            let (seconds, peak) = (seconds.as_secs_f64(), peak_memory_in_mib());
            println!("{name:<9} {len:>9} {queries:>9} {seconds:>10.3} {per_query:>12} {peak:>14}");
        }
    }
}

fn run_to_its_end(algorithm: Algorithm, len: usize) -> u64 {
    let mut minimizer = search(algorithm, len);
    let needed = needed(len);
    let mut queries = 0;
    while let Some(cut) = minimizer.ask() {
        queries += 1;
        minimizer.tell(answer(&cut, &needed));
    }
    assert!(
        minimizer.best().iter().eq(needed.iter().copied()),
        "{algorithm} left something else"
    );
    queries
}

fn measure_queries(criterion: &mut Criterion) {
    for (group, clones) in [("query", false), ("query and clone", true)] {
        let mut group = criterion.benchmark_group(group);
        group
            .sample_size(10)
            .warm_up_time(Duration::from_millis(200))
            .measurement_time(Duration::from_millis(600));
        for algorithm in Algorithm::ALL {
            for len in LENGTHS {
                let (fresh, needed) = (search(algorithm, len), needed(len));
                group.bench_function(BenchmarkId::new(algorithm.name(), len), |bencher| {
                    bencher.iter_custom(|queries| time_queries(&fresh, &needed, queries, clones));
                });
            }
        }
        group.finish();
    }
}

/// The time of so many queries, in as many searches as that takes.
fn time_queries(fresh: &Minimizer, needed: &[usize], queries: u64, clones: bool) -> Duration {
    let start = Instant::now();
    let mut minimizer = fresh.clone();
    let mut before = fresh.clone();
    for _ in 0..queries {
        match minimizer.ask() {
            Some(cut) => minimizer.tell(answer(&cut, needed)),
            None => minimizer = fresh.clone(),
        }
        if clones {
            before = minimizer.clone();
        }
    }
    black_box(before);
    start.elapsed()
}

fn search(algorithm: Algorithm, len: usize) -> Minimizer {
    let weights = (0..len)
        .map(|element| 1 + (element as u64 * 2_654_435_761 % 97) as u32)
        .collect();
    Minimizer::new(
        &Weights::Each(weights),
        &Options {
            subsets: true,
            ..Options::new(algorithm)
        },
    )
}

fn needed(len: usize) -> Vec<usize> {
    (0..NEEDED)
        .map(|index| (2 * index + 1) * len / (2 * NEEDED) + index % 7)
        .collect()
}

/// The verdict of a monotone oracle, without looking at what stays.
fn answer(cut: &Cut, needed: &[usize]) -> Verdict {
    let has = |set: &Runs| {
        needed
            .iter()
            .filter(|&&element| set.contains(element))
            .count()
    };
    Verdict::of(match cut {
        Cut::Drop(dropped) => has(dropped) == 0,
        Cut::Keep(rest) => has(rest) == needed.len(),
    })
}

/// The most memory that the process ever had, on systems that tell; else 0.
fn peak_memory_in_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap_or_default();
    line.trim()
        .trim_end_matches(" kB")
        .parse::<u64>()
        .map_or(0, |kib| kib / 1024)
}
