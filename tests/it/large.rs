//! Large and deep texts: how soon they get smaller, how soon a run over them stops, and how much memory it takes.

use std::fmt::Write;
use std::fs;
use std::process::Child;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, waitid};

use crate::harness::{Run, TestEnv, signal, wait_for};

/// Processor time: much less than reading such a text takes, and much more than a stop. On a busy machine both take any time.
const LITTLE_WORK: Duration = Duration::from_secs(3);
/// Runs of the original and of the empty file, with one job.
const FIRST_RUNS: usize = 4;

/// A program of about so many bytes, with a needle behind the middle.
fn program(bytes: usize) -> String {
    let mut text = String::new();
    let mut has_needle = false;
    while text.len() < bytes {
        let number = text.len();
        let is_needle = 2 * number > bytes && !has_needle;
        has_needle |= is_needle;
        let name = if is_needle { "needle" } else { "f" };
        let head = format!("static int {name}_{number}(int x, const char *y)");
        let body = format!("{{\n  int z = x * {number};\n  return y[z] ? f(x, y + 1) : (z);\n}}");
        let _ = writeln!(text, "{head} {body}");
    }
    text
}

/// The run, when all first runs have ended.
fn at_work(env: &TestEnv, args: &[&str]) -> Child {
    env.check("check.sh", "echo >> \"$0.runs\"; grep -q needle \"$1\"");
    let child = env.spawn(args);
    let runs = || {
        fs::read(env.path("check.sh.runs"))
            .unwrap_or_default()
            .len()
    };
    wait_for("the end of the first runs", || runs() >= FIRST_RUNS);
    child
}

#[test]
fn a_signal_is_obeyed_while_a_large_text_is_read() {
    let env = TestEnv::new();
    env.write("bug.c", program(8 << 20));
    let args = ["-j", "1", "--strategy", "hddr", "check.sh", "bug.c"];
    let child = at_work(&env, &args);
    let before = work_of(child.id());
    signal(&child, Signal::TERM);
    let work = work_at_end(&child).saturating_sub(before);
    let run = Run::finish(child).expect_code(143);
    assert!(work < LITTLE_WORK, "{work:?}");
    env.assert_nothing_left(run.pid);
}

#[test]
fn the_end_of_the_time_is_obeyed_while_a_large_text_is_read() {
    let env = TestEnv::new();
    env.write("bug.c", program(8 << 20));
    env.check("check.sh", "grep -q needle \"$1\"");
    for jobs in ["1", "3"] {
        let args = ["--strategy", "hddr", "--max-time", "0.5", "check.sh"];
        let child = env.spawn(&[&["-j", jobs, "--json", "ev"], &args[..], &["bug.c"]].concat());
        let work = work_at_end(&child);
        Run::finish(child).expect_code(0);
        assert!(work < LITTLE_WORK, "{work:?}");
        let events = env.text("ev");
        assert!(events.contains(r#"{"event":"stopped","reason":"max_time"}"#));
        assert!(events.contains(r#""tokens_before":null"#), "{events}");
    }
}

#[test]
fn a_large_text_is_small_at_once_and_takes_little_memory() {
    let env = TestEnv::new();
    let text = program(8 << 20);
    env.write("bug.c", &text);
    let mut child = at_work(&env, &["-j", "2", "check.sh", "bug.c"]);
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        peak = peak.max(peak_memory(child.id()));
        std::thread::yield_now();
    }
    Run::finish(child).expect_code(0);
    assert!(env.text("bug.reduced.c").len() < 20);
    let most = 10 * text.len() + (200 << 20);
    assert!((1 << 20..most).contains(&peak), "{peak} bytes");
}

/// The processor time of a process so far.
fn work_of(pid: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split(' ').collect();
    let ticks = |field: &&str| field.parse::<u64>().unwrap();
    Duration::from_millis(10 * fields[12..14].iter().map(ticks).sum::<u64>())
}

/// The same when it has ended, without taking it away.
fn work_at_end(child: &Child) -> Duration {
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(pid), options).unwrap();
    work_of(child.id())
}

/// In bytes; 0 when the process has ended.
fn peak_memory(pid: u32) -> usize {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|peak| peak.trim().strip_suffix(" kB"));
    1024 * peak.map_or(0, |peak| peak.parse::<usize>().unwrap())
}

#[test]
fn what_nests_without_end_gets_smaller() {
    let count = 60_000;
    for (name, text) in [
        ("a.json", "[".repeat(count)),
        ("a.xml", "<a>".repeat(count)),
        ("a.html", "<a>".repeat(count)),
        ("a.js", "[".repeat(count / 2) + &"]".repeat(count / 2)),
    ] {
        let env = TestEnv::new();
        env.write(name, &text);
        env.check("check.sh", "grep -q '[[<]' \"$1\"");
        let args = ["-j", "1", "--max-queries", "10", "check.sh", name];
        env.run(&args).expect_code(0);
        let reduced = name.replace('.', ".reduced.");
        assert!(env.read(&reduced).len() < text.len() / 2, "{name}");
    }
}
