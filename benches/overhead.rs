//! What a query costs beside the check itself: `cargo bench --bench overhead`.
//!
//! A check that does nothing, a file of 50 KB. Each round runs a minimal C loop (`spawn_loop.c`), the engine with one job and
//! the engine with two, one after the other, so that the ratios are of the same moments of a noisy machine; the medians of
//! the rounds are printed.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use paredown::engine::{Engine, Settings, StopLimits};
use paredown::interrupt::Interrupt;
use paredown::oracle::{Check, Layout, ProcessOptions, ProcessOracle};
use paredown::output::ResultFile;
use paredown::search::{Render, Search, Verdict};

const BYTES: usize = 50_000;
const RUNS: u64 = 600;
const ROUNDS: usize = 9;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    println!(
        "a check that does nothing, {BYTES} bytes, queries per second (medians of {ROUNDS} rounds)"
    );
    println!(
        "{:10} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>9}",
        "check", "C loop", "C loop 2", "-j 1", "-j 2", "-j 1 / C", "-j 2 / 1", "C 2 / C 1"
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

fn measure(name: &str, spawn_loop: &Path, check: &Path) {
    let round = |_| {
        let c = |workers| c_loop(spawn_loop, check, workers);
        [c(1), engine(check, 1), engine(check, 2), c(2)]
    };
    let rounds: Vec<[f64; 4]> = (0..ROUNDS).map(round).collect();
    let median = |of: fn(&[f64; 4]) -> f64| {
        let mut values: Vec<f64> = rounds.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[ROUNDS / 2]
    };
    println!(
        "{name:10} {:8.0} {:8.0} {:8.0} {:8.0} {:9.2} {:9.2} {:9.2}",
        median(|r| r[0]),
        median(|r| r[3]),
        median(|r| r[1]),
        median(|r| r[2]),
        median(|r| r[1] / r[0]),
        median(|r| r[2] / r[1]),
        median(|r| r[3] / r[0]),
    );
}

fn c_loop(spawn_loop: &Path, check: &Path, workers: u32) -> f64 {
    let file = format!("/dev/shm/paredown-bench-{}", std::process::id());
    let numbers = [BYTES.to_string(), RUNS.to_string(), workers.to_string()];
    let output = run(spawn_loop).arg(check).arg(file).args(numbers).output();
    let output = output.expect("the C loop runs").stdout;
    String::from_utf8_lossy(&output)
        .trim()
        .parse()
        .expect("the C loop prints a number")
}

fn engine(check: &Path, jobs: usize) -> f64 {
    let interrupt = Interrupt::new();
    let layout = Layout {
        name: OsString::from("bug.c"),
        mode: 0o644,
        companions: Vec::new(),
    };
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
    let start = Instant::now();
    engine.run(OneByte { at: 0 }).expect("a run");
    let seconds = start.elapsed().as_secs_f64();
    let queries = u32::try_from(engine.statistics().queries).expect("a few hundred");
    f64::from(queries) / seconds
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
