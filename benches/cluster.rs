//! What a cluster would give: the real engine and real answers, over a clock that is only reckoned.
//!
//! `cargo bench --bench cluster [WORDS]...`, see `cases`; what is asked ahead and not recorded counts as uninteresting. For each
//! case, by the time that a check takes, how far the candidates' own times are apart (100 %: half to one and a half of it) and the
//! time that a query waits in the scheduler's queue: how many times as fast so many workers are as one, and what share of the
//! queries nobody needed in the end. The last column is the limit for who guesses nothing: the answers between
//! two successes do not change the text and could all be asked at once, so that the successes are the longest chain of answers
//! that depend on each other. Working ahead of successes goes beyond it. `PAREDOWN_WORKERS=8,32` and
//! `PAREDOWN_TIMES=0.2+0,2+1+0` (check and queue in seconds, the spread in percent) pick columns and lines. With
//! `PAREDOWN_REAL=1` nothing is reckoned: checks sleep, threads wait for them, and the engine's own work counts.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod cases;

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use cases::{Case, Ending, most_queries};
use paredown::engine::{Cluster, Engine, Settings, TimeLimit};
use paredown::interrupt::Interrupt;
use paredown::oracle::{self, Oracle, OracleError, Outcome, Query, QueryId};
use paredown::output::ResultFile;
use paredown::report::{Event, Source, Statistics};
use paredown::search::Verdict;
use paredown::strategy::{Plan, Strategy, search};

const WORKERS: [usize; 6] = [2, 8, 32, 128, 512, 1000];

/// How long things take.
#[derive(Clone, Copy)]
struct Times {
    /// A check, in seconds.
    check: f64,
    /// Waiting in the scheduler's queue, in seconds.
    queue: f64,
    /// How far checks are apart, in percent of `check`.
    spread: u32,
}

const TIMES: [Times; 7] = [
    times(0.1, 0.0, 100),
    times(0.2, 0.0, 0),
    times(0.2, 0.0, 100),
    times(2.0, 0.0, 100),
    times(2.0, 1.0, 100),
    times(60.0, 5.0, 100),
    times(1800.0, 60.0, 100),
];

const fn times(check: f64, queue: f64, spread: u32) -> Times {
    Times {
        check,
        queue,
        spread,
    }
}

fn main() {
    let numbers = |name| std::env::var(name).ok();
    let workers: Vec<usize> = numbers("PAREDOWN_WORKERS").map_or(WORKERS.to_vec(), |text| {
        text.split(',')
            .map(|word| word.parse().expect("a number"))
            .collect()
    });
    let times: Vec<Times> = numbers("PAREDOWN_TIMES").map_or(TIMES.to_vec(), |text| {
        text.split(',').map(Times::read).collect()
    });
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    for mut case in cases::picked(&words) {
        print(&mut case, &workers, &times);
    }
}

impl Times {
    fn read(text: &str) -> Self {
        let (check, rest) = text
            .split_once('+')
            .expect("check+queue or check+queue+spread");
        let (queue, spread) = rest.split_once('+').unwrap_or((rest, "100"));
        times(
            check.parse().expect("seconds"),
            queue.parse().expect("seconds"),
            spread.parse().expect("percent"),
        )
    }
}

fn print(case: &mut Case, workers: &[usize], times: &[Times]) {
    let whole = case.reduce(&Plan::new(Strategy::Auto), most_queries(u32::MAX));
    let successes: u32 = whole.passes.values().map(|pass| pass.1).sum();
    println!(
        "\n{}: {} queries {}, {successes} interesting",
        case.name,
        whole.queries,
        whole.ending.note()
    );
    if whole.ending != Ending::Complete {
        return;
    }
    print!("{:>8} {:>8} {:>8}", "check s", "queue s", "spread %");
    for workers in workers {
        print!(" {:>13}", format!("-j {workers}"));
    }
    println!(" {:>9}", "no guess");
    for &times in times {
        print!("{:>8} {:>8} {:>8}", times.check, times.queue, times.spread);
        let mut limit = 0.0;
        for &jobs in workers {
            let run = simulate(case, jobs, times);
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

fn simulate(case: &mut Case, jobs: usize, times: Times) -> Run {
    let queue = times.queue;
    let cluster = Cluster::new(
        Duration::from_secs_f64(times.check),
        Duration::from_secs_f64(queue),
        times.spread,
    );
    let is_real = std::env::var_os("PAREDOWN_REAL").is_some();
    let document = case.document.clone();
    let oracle = Sleeping {
        answers: Mutex::new((&mut case.oracle, BTreeMap::new())),
        cluster: cluster.clone(),
        is_real,
        cancelled: Mutex::default(),
        changed: Condvar::new(),
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
        cluster: (!is_real).then(|| cluster.clone()),
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
    let started = Instant::now();
    engine
        .run(search(&document, &plan))
        .expect("nothing can fail");
    let (best, statistics) = engine.finish();
    let elapsed = if is_real {
        started.elapsed()
    } else {
        cluster.elapsed()
    };
    Run {
        best,
        statistics,
        speedup: alone / elapsed.as_secs_f64(),
        limit: alone / (chain + slowest),
    }
}

/// What was recorded, as a check that takes its time, if that is not only reckoned.
struct Sleeping<'c> {
    answers: Mutex<(&'c mut cases::Oracle, BTreeMap<Vec<u8>, Verdict>)>,
    cluster: Cluster,
    is_real: bool,
    cancelled: Mutex<Vec<QueryId>>,
    changed: Condvar,
}

impl Oracle for Sleeping<'_> {
    fn test(
        &self,
        query: &Query<'_>,
        started: &mut dyn FnMut(),
    ) -> Result<oracle::Run, OracleError> {
        started();
        let time = self.cluster.time_of(query.candidate);
        let run = |outcome| oracle::Run {
            outcome,
            time,
            work: time,
        };
        if self.is_real {
            let until = self.cluster.queue + time;
            let is_wanted = |cancelled: &mut Vec<QueryId>| !cancelled.contains(&query.id);
            let cancelled = self.cancelled.lock().expect("nobody panics");
            let waited = self.changed.wait_timeout_while(cancelled, until, is_wanted);
            if !waited.expect("nobody panics").1.timed_out() {
                return Ok(run(Outcome::Cancelled));
            }
        }
        let mut answers = self.answers.lock().expect("nobody panics");
        let (oracle, known) = &mut *answers;
        let verdict = *known
            .entry(query.candidate.to_vec())
            .or_insert_with(|| oracle.ask(query.candidate).unwrap_or_default());
        Ok(run(if verdict == Verdict::Interesting {
            Outcome::Interesting
        } else {
            Outcome::Uninteresting
        }))
    }

    fn cancel(&self, _: usize, id: QueryId) {
        self.cancelled.lock().expect("nobody panics").push(id);
        self.changed.notify_all();
    }
}

#[expect(clippy::cast_precision_loss, reason = "printed with a few digits")]
fn ratio(one: u64, two: u64) -> f64 {
    one as f64 / two.max(1) as f64
}
