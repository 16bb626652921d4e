//! What a query costs beside the check itself: `cargo bench --bench overhead`.
//!
//! A check that does nothing, a file of 50 KB. Each round runs a minimal C loop (`spawn_loop.c`), the engine with one job and
//! the engine with two, one after the other, so that the ratios are of the same moments of a noisy machine; the medians of
//! the rounds are printed. The last columns are the processor time of a query, with that of the check, in microseconds: it
//! hardly depends on what else runs, and with as many jobs as processors it is what the rate comes from.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use paredown::engine::{Engine, Settings, StopLimits};
use paredown::interrupt::Interrupt;
use paredown::oracle::{Check, Layout, ProcessOptions, ProcessOracle};
use paredown::output::ResultFile;
use paredown::search::{Render, Search, Verdict};
use rustix::time::{ClockId, clock_gettime};

const BYTES: usize = 50_000;
const RUNS: u64 = 600;
const ROUNDS: usize = 9;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    println!(
        "a check that does nothing, {BYTES} bytes, queries per second (medians of {ROUNDS} rounds)"
    );
    println!(
        "{:10} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>9} {:>7} {:>7} {:>7}",
        "check",
        "C loop",
        "C loop 2",
        "-j 1",
        "-j 2",
        "-j 1 / C",
        "-j 2 / 1",
        "C 2 / C 1",
        "C 2 us",
        "-j 1 us",
        "-j 2 us"
    );
    let spawn_loop = compile(
        folder.path(),
        "spawn_loop",
        include_str!("spawn_loop.c"),
        &[],
    );
    let nothing = "int main(void) { return 1; }";
    for (name, check) in [
        (
            "static C",
            compile(folder.path(), "static", nothing, &["-static"]),
        ),
        ("dynamic C", compile(folder.path(), "dynamic", nothing, &[])),
        ("sh script", script(folder.path())),
    ] {
        measure(name, &spawn_loop, &check);
    }
}

/// What a row of queries took.
#[derive(Clone, Copy)]
struct Pace {
    per_second: f64,
    /// Processor time of one query.
    microseconds: f64,
}

fn measure(name: &str, spawn_loop: &Path, check: &Path) {
    let round = |_| {
        let c = |workers| c_loop(spawn_loop, check, workers);
        [c(1), engine(check, 1), engine(check, 2), c(2)]
    };
    let rounds: Vec<[Pace; 4]> = (0..ROUNDS).map(round).collect();
    let median = |of: &dyn Fn([f64; 4]) -> f64, measure: fn(&Pace) -> f64| {
        let mut values: Vec<f64> = rounds
            .iter()
            .map(|round| of(round.each_ref().map(measure)))
            .collect();
        values.sort_by(f64::total_cmp);
        values[ROUNDS / 2]
    };
    let rate = |of: &dyn Fn([f64; 4]) -> f64| median(of, |pace| pace.per_second);
    let time = |of: &dyn Fn([f64; 4]) -> f64| median(of, |pace| pace.microseconds);
    println!(
        "{name:10} {:8.0} {:8.0} {:8.0} {:8.0} {:9.2} {:9.2} {:9.2} {:7.0} {:7.0} {:7.0}",
        rate(&|[c, _, _, _]| c),
        rate(&|[_, _, _, c2]| c2),
        rate(&|[_, one, _, _]| one),
        rate(&|[_, _, two, _]| two),
        rate(&|[c, one, _, _]| one / c),
        rate(&|[_, one, two, _]| two / one),
        rate(&|[c, _, _, c2]| c2 / c),
        time(&|[_, _, _, c2]| c2),
        time(&|[_, one, _, _]| one),
        time(&|[_, _, two, _]| two),
    );
}

fn c_loop(spawn_loop: &Path, check: &Path, workers: u32) -> Pace {
    let file = format!("/dev/shm/paredown-bench-{}", std::process::id());
    let numbers = [BYTES.to_string(), RUNS.to_string(), workers.to_string()];
    let output = run(spawn_loop).arg(check).arg(file).args(numbers).output();
    let output = output.expect("the C loop runs").stdout;
    let output = String::from_utf8_lossy(&output);
    let mut numbers = output.split_whitespace().map(|number| {
        let number: f64 = number.parse().expect("the C loop prints numbers");
        number
    });
    let mut next = || numbers.next().expect("the C loop prints two numbers");
    Pace {
        per_second: next(),
        microseconds: next(),
    }
}

fn engine(check: &Path, jobs: usize) -> Pace {
    let interrupt = Interrupt::new();
    let layout = Layout::of_file("bug.c", 0o644);
    let options = ProcessOptions {
        jobs,
        ..ProcessOptions::default()
    };
    let check = Check::Script {
        program: check.to_owned(),
    };
    let oracle = ProcessOracle::new(check, layout, options, &interrupt).expect("an oracle");
    let stop = StopLimits {
        max_queries: Some(RUNS),
        ..StopLimits::default()
    };
    let settings = Settings {
        jobs,
        stop,
        ..Settings::default()
    };
    let original = vec![b'x'; BYTES];
    let (mut output, mut ignore) = (ResultFile::nowhere(), |_: &_| ());
    let mut engine = Engine::new(
        &original,
        &oracle,
        settings,
        &mut output,
        &interrupt,
        &mut ignore,
    );
    let (start, start_time) = (Instant::now(), processor_time());
    engine.run(OneByte { at: 0 }).expect("a run");
    let seconds = start.elapsed().as_secs_f64();
    let queries = f64::from(u32::try_from(engine.statistics().queries).expect("a few hundred"));
    Pace {
        per_second: queries / seconds,
        microseconds: (processor_time() - start_time) / queries,
    }
}

/// That of this process and of those that it has waited for, in microseconds.
fn processor_time() -> f64 {
    const TICK: f64 = 1e4;
    let own = Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).expect("a time");
    let stat = std::fs::read_to_string("/proc/self/stat").expect("this process is listed");
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(13).take(2);
    let ticks: f64 = ticks.filter_map(|field| field.parse::<f64>().ok()).sum();
    own.as_secs_f64() * 1e6 + ticks * TICK
}

/// Asks about the file with one byte changed, each time another.
#[derive(Clone)]
struct OneByte {
    at: usize,
}

struct Changed(usize);

impl Search for OneByte {
    type Candidate = Changed;
    type Best = ();

    fn ask(&self) -> Option<Changed> {
        Some(Changed(self.at))
    }

    fn tell(&mut self, _: Verdict) {
        self.at += 1;
    }

    fn best(&self) -> &() {
        &()
    }
}

impl Render for Changed {
    fn render(&self, out: &mut Vec<u8>) {
        out.resize(BYTES, b'x');
        out[self.0 % BYTES] = b'y';
    }

    fn pass(&self) -> &'static str {
        "bench"
    }
}

fn compile(folder: &Path, name: &str, source: &str, options: &[&str]) -> PathBuf {
    let (input, output) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&input, source).expect("the source is written");
    let status = run("cc")
        .args(["-O2", "-o"])
        .arg(&output)
        .arg(&input)
        .args(options)
        .status();
    assert!(
        status.expect("a C compiler").success(),
        "{name} does not compile"
    );
    output
}

fn script(folder: &Path) -> PathBuf {
    let path = folder.join("check.sh");
    std::fs::write(&path, "#!/bin/sh\nexit 1\n").expect("the script is written");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, mode).expect("the script becomes executable");
    path
}

#[expect(
    clippy::disallowed_methods,
    reason = "a benchmark may start what it compares with"
)]
fn run(program: impl AsRef<OsStr>) -> Command {
    Command::new(program)
}
