//! What a cluster would give: the real engine and real answers, over a clock that is only reckoned.
//!
//! `PAREDOWN_CASES=folder PAREDOWN_MEMO=folder cargo bench --bench cluster [WORDS]...`, see `cases`; without them there is
//! nothing to measure. For each case, by the time that a check takes (each candidate's own is between half and one and
//! a half of that) and the time that a query waits in the scheduler's queue: how many times as fast so many workers are as one, and
//! what share of the queries nobody needed in the end. The last column is the limit for who guesses nothing: the answers between
//! two successes do not change the text and could all be asked at once, so that the successes are the longest chain of answers
//! that depend on each other. Working ahead of successes goes beyond it.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod cases;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use cases::Case;
use paredown::engine::{Cluster, Engine, Settings, TimeLimit};
use paredown::interrupt::Interrupt;
use paredown::output::ResultFile;
use paredown::report::{Event, Source, Statistics};
use paredown::search::Verdict;
use paredown::strategy::{Plan, Strategy, search};

const WORKERS: [usize; 6] = [2, 8, 32, 128, 512, 1000];
/// The check's time and the queue's, seconds.
const TIMES: [(f64, f64); 6] = [
    (0.1, 0.0),
    (0.2, 0.0),
    (2.0, 0.0),
    (2.0, 1.0),
    (60.0, 5.0),
    (1800.0, 60.0),
];

fn main() {
    let numbers = |name| std::env::var(name).ok();
    let workers: Vec<usize> = numbers("PAREDOWN_WORKERS").map_or(WORKERS.to_vec(), |text| {
        text.split(',')
            .map(|word| word.parse().expect("a number"))
            .collect()
    });
    let times: Vec<(f64, f64)> = numbers("PAREDOWN_TIMES").map_or(TIMES.to_vec(), |text| {
        let pair = |word: &str| {
            let (check, queue) = word.split_once('+').expect("check+queue");
            (
                check.parse().expect("seconds"),
                queue.parse().expect("seconds"),
            )
        };
        text.split(',').map(pair).collect()
    });
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    for mut case in cases::picked(&words) {
        print(&mut case, &workers, &times);
    }
}

fn print(case: &mut Case, workers: &[usize], times: &[(f64, f64)]) {
    let whole = case.reduce(&Plan::new(Strategy::Auto));
    let successes: u32 = whole.passes.values().map(|pass| pass.1).sum();
    println!(
        "\n{}: {} queries {}, {successes} interesting",
        case.name,
        whole.queries,
        whole.ending()
    );
    print!("{:>8} {:>8}", "check s", "queue s");
    for workers in workers {
        print!(" {:>13}", format!("-j {workers}"));
    }
    println!(" {:>9}", "no guess");
    for &(check, queue) in times {
        print!("{check:>8} {queue:>8}");
        let mut limit = 0.0;
        for &jobs in workers {
            let run = simulate(case, jobs, check, queue);
            assert!(run.best == whole.result, "another result with {jobs} jobs");
            let wasted = 100.0
                * ratio(
                    run.statistics.discarded,
                    run.statistics.queries + run.statistics.discarded,
                );
            print!(" {:>7.1} {wasted:>4.0}%", run.speedup);
            limit = run.limit;
        }
        println!(" {limit:>9.1}");
    }
}

struct Run {
    best: Vec<u8>,
    statistics: Statistics,
    speedup: f64,
    limit: f64,
}

fn simulate(case: &mut Case, jobs: usize, check: f64, queue: f64) -> Run {
    let cluster = Cluster::new(
        Duration::from_secs_f64(check),
        Duration::from_secs_f64(queue),
    );
    let document = case.document.clone();
    let answers = Mutex::new((&mut case.oracle, BTreeMap::new()));
    let oracle = |bytes: &[u8]| {
        let mut answers = answers.lock().expect("one thread");
        let (oracle, known) = &mut *answers;
        *known
            .entry(bytes.to_vec())
            .or_insert_with(|| oracle.ask(bytes))
            == Verdict::Interesting
    };
    // The slowest answer since the last success, and the sum of those before.
    let (mut slowest, mut chain, mut alone) = (0.0_f64, 0.0, 0.0);
    let mut events = |event: &Event| {
        let Event::Answered {
            interesting,
            source: Source::Query,
            oracle_seconds,
            ..
        } = event
        else {
            return;
        };
        alone += oracle_seconds + queue;
        slowest = slowest.max(oracle_seconds + queue);
        if *interesting {
            chain += std::mem::take(&mut slowest);
        }
    };
    let settings = Settings {
        jobs,
        time_limit: TimeLimit::Unlimited,
        cluster: Some(cluster.clone()),
        ..Settings::default()
    };
    let mut output = ResultFile::nowhere();
    let interrupt = Interrupt::new();
    let mut engine = Engine::new(
        document.bytes(),
        &oracle,
        settings,
        &mut output,
        &interrupt,
        &mut events,
    );
    let plan = Plan::new(Strategy::Auto);
    engine
        .run(search(&document, &plan))
        .expect("nothing can fail");
    let (best, statistics) = engine.finish();
    Run {
        best,
        statistics,
        speedup: alone / cluster.elapsed().as_secs_f64(),
        limit: alone / (chain + slowest),
    }
}

#[expect(clippy::cast_precision_loss, reason = "printed with a few digits")]
fn ratio(one: u64, two: u64) -> f64 {
    one as f64 / two.max(1) as f64
}
