//! Real runs of the binary, killed in all ways at all moments: no process and no folder is left, what stands under the result's
//! name is always a test case that the check accepts, and a resumed run gives the bytes of an undisturbed one.
//!
//! `PAREDOWN_KILLS=1000 cargo test --test it kills` does so many of them; each is decided by its number alone.

use std::fs;
use std::os::unix::process::CommandExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::harness::{TestEnv, skipped, wait_for};

/// So many in an ordinary run of the tests.
const FEW: u64 = 40;
/// So many at a time, which makes the moments less regular.
const AT_A_TIME: usize = 4;
const LINES: usize = 400;
const LATEST: Duration = Duration::from_millis(400);

#[test]
fn kills_in_all_ways_at_all_moments_leave_nothing_and_lose_nothing() {
    let kills = std::env::var("PAREDOWN_KILLS").map_or(FEW, |kills| kills.parse().unwrap());
    let expected = undisturbed();
    let (next, failures) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::SeqCst);
                    if number >= kills {
                        return;
                    }
                    let plan = Plan::of(number);
                    let done = catch_unwind(AssertUnwindSafe(|| plan.carry_out(&expected)));
                    if done.is_err() {
                        failures.lock().unwrap().push((number, plan));
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    let count = failures.len();
    assert!(failures.is_empty(), "{count} of {kills}: {failures:#?}");
}

/// The one that runs the check kills it without a word to what it runs.
#[test]
fn a_run_inside_a_check_leaves_nothing_when_its_query_is_killed() {
    for jobs in ["1", "3"] {
        let env = TestEnv::new();
        env.check("inner.sh", "test -s \"$1\" && sleep 1000");
        let body = format!(
            "grep -q bug \"$1\" || exit 1; grep -q two \"$1\" && exit 0
            {} -q -o out.c {} \"$1\" & echo $! >> {}; wait $!",
            env!("CARGO_BIN_EXE_paredown"),
            env.path("inner.sh").display(),
            env.path("inner-pids").display()
        );
        env.check("check.sh", &body);
        env.write("bug.c", "one\nbug\ntwo\nthree\n");
        let arguments = [
            "--strategy",
            "lines",
            "-j",
            jobs,
            "--timeout",
            "2",
            "./check.sh",
            "bug.c",
        ];
        let run = env.run(&arguments).expect_code(0);
        assert_eq!(env.text("bug.reduced.c"), "bug\ntwo\n");
        env.assert_nothing_left(run.pid);
        assert!(env.text("inner-pids").lines().count() > 0);
        check_nothing_left_inside(&env);
    }
}

/// Nothing but the folder that it works in tells whose it is.
#[test]
fn what_has_cleared_its_environment_and_left_its_group_is_killed_with_paredown() {
    let env = TestEnv::new();
    let up = env.path("up");
    // So long sleeps no other test.
    let seconds = format!("10{}", std::process::id());
    let body = format!(
        "env -i setsid sleep {seconds} & : > {}; sleep 1000",
        up.display()
    );
    env.check("hangs.sh", &body);
    env.write("bug.c", "bug\n");
    let mut child = quiet(&mut env.command(&["./hangs.sh", "bug.c"]))
        .spawn()
        .unwrap();
    wait_for("the first query", || up.exists());
    let sleeps = || {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let mut lines = processes.filter_map(|it| fs::read(it.path().join("cmdline")).ok());
        lines.any(|line| line == format!("sleep\0{seconds}\0").as_bytes())
    };
    wait_for("it to sleep", sleeps);
    child.kill().unwrap();
    child.wait().unwrap();
    wait_for("its end", || !sleeps());
    env.assert_nothing_left(child.id());
}

/// Nobody is left who could do it at once. Other tests' runs may be the next one.
#[test]
fn what_was_killed_with_its_guard_is_cleaned_up_by_the_next_run() {
    let env = TestEnv::new();
    let up = env.path("up");
    let body = format!(": > {}; setsid sleep 1000 & sleep 1000", up.display());
    env.check("hangs.sh", &body);
    env.check("check.sh", "grep -q bug \"$1\"");
    env.write("bug.c", "bug\n");
    let mut child = quiet(&mut env.command(&["./hangs.sh", "bug.c"]))
        .spawn()
        .unwrap();
    wait_for("the first query", || up.exists());
    let guard = guard_of(child.id()).expect("it has a guard");
    let run = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    for signal in [Signal::STOP, Signal::KILL] {
        for process in [run, guard] {
            kill_process(process, signal).unwrap();
        }
    }
    child.wait().unwrap();
    let Some(folder) = env
        .left(child.id())
        .into_iter()
        .find(|left| left.starts_with("/dev/shm"))
    else {
        skipped("there is no memory-backed storage to work in");
        return;
    };
    assert!(!env.processes().is_empty());
    let touched = Command::new("touch")
        .args(["-d", "1 hour ago", &folder])
        .status()
        .unwrap();
    assert!(touched.success());
    env.run(&["./check.sh", "bug.c"]).expect_code(0);
    env.assert_nothing_left(child.id());
}

fn check_nothing_left_inside(env: &TestEnv) {
    let pids = fs::read_to_string(env.path("inner-pids")).unwrap_or_default();
    for pid in pids.lines() {
        env.assert_nothing_left(pid.parse().unwrap());
    }
}

fn undisturbed() -> Vec<u8> {
    let env = TestEnv::new();
    let plan = Plan {
        checks: Checks::Plain,
        ..Plan::of(0)
    };
    plan.furnish(&env);
    env.run(&plan.arguments()).expect_code(0);
    env.read("bug.reduced.c")
}

/// One kill.
#[derive(Debug)]
struct Plan {
    way: Way,
    checks: Checks,
    jobs: &'static str,
    with_state: bool,
    /// In a session of its own there is nobody who would wake up what is stopped.
    own_session: bool,
    after_first_query: bool,
    delay: Duration,
}

#[derive(Clone, Copy, Debug)]
enum Way {
    Signal(Signal),
    SignalTwice(Signal),
    KillGroup,
    StopThenKill,
    StopGroupThenKill,
    StopGroupThenKillGroup,
    GuardFirst,
}

/// What the check does besides looking at the candidate.
#[derive(Clone, Copy, Debug)]
enum Checks {
    /// Nothing: then paredown is mostly busy with starting it.
    Plain,
    Children,
    Setsid,
    Nohup,
    DoubleFork,
    Nested,
}

impl Plan {
    fn of(number: u64) -> Self {
        const WAYS: [Way; 10] = [
            Way::Signal(Signal::KILL),
            Way::Signal(Signal::TERM),
            Way::Signal(Signal::INT),
            Way::Signal(Signal::HUP),
            Way::SignalTwice(Signal::INT),
            Way::KillGroup,
            Way::StopThenKill,
            Way::StopGroupThenKill,
            Way::StopGroupThenKillGroup,
            Way::GuardFirst,
        ];
        const CHECKS: [Checks; 6] = [
            Checks::Plain,
            Checks::Children,
            Checks::Setsid,
            Checks::Nohup,
            Checks::DoubleFork,
            Checks::Nested,
        ];
        let mut random = Random(number);
        let micros = u64::try_from(LATEST.as_micros()).unwrap();
        Self {
            way: random.one_of(&WAYS),
            checks: random.one_of(&CHECKS),
            jobs: random.one_of(&["1", "2", "5"]),
            with_state: random.one_of(&[false, true]),
            own_session: random.one_of(&[false, true]),
            after_first_query: random.one_of(&[false, true, true]),
            delay: Duration::from_micros(random.below(micros)),
        }
    }

    fn carry_out(&self, expected: &[u8]) {
        let env = TestEnv::new();
        self.furnish(&env);
        let mut child = self.start(&env);
        if self.after_first_query {
            wait_for("the first query", || {
                env.path("up").exists() || has_ended(&child)
            });
        }
        std::thread::park_timeout(self.delay);
        self.kill(&child);
        let status = end_of(&mut child);
        self.check_status(status);
        env.assert_nothing_left(child.id());
        Self::check_files(&env);
        if self.with_state {
            env.run(&self.arguments()).expect_code(0);
            assert_eq!(env.read("bug.reduced.c"), expected, "after resuming");
            Self::check_files(&env);
        }
    }

    fn furnish(&self, env: &TestEnv) {
        let lines = (0..LINES).map(|line| format!("line {line}\n"));
        env.write("bug.c", lines.collect::<String>());
        env.check("inner.sh", "sleep 0.01; grep -q line \"$1\"");
        let more = match self.checks {
            Checks::Plain => String::new(),
            Checks::Children => "sleep 1000 & sleep 1000 & sleep 0.01".to_owned(),
            Checks::Setsid => "(setsid sleep 1000 &) & sleep 0.01".to_owned(),
            Checks::Nohup => "nohup sleep 1000 >/dev/null 2>&1 & sleep 0.01".to_owned(),
            Checks::DoubleFork => {
                "( (cd / && setsid nohup sh -c 'sleep 1000; :' >/dev/null 2>&1 &) & ) & sleep 0.01"
                    .to_owned()
            }
            Checks::Nested => format!(
                "{} -q -j2 --strategy lines --max-queries 3 -o out.c {} \"$1\" & echo $! >> {}; wait $!",
                env!("CARGO_BIN_EXE_paredown"),
                env.path("inner.sh").display(),
                env.path("inner-pids").display()
            ),
        };
        let up = env.path("up");
        let body = format!(
            "test -e {up} || : > {up}\n{PROPERTY} || exit 1\n{more}\nexit 0",
            up = up.display()
        );
        env.check("check.sh", &body);
    }

    fn arguments(&self) -> Vec<&'static str> {
        let mut arguments = vec!["-q", "--strategy", "lines", "-j", self.jobs];
        if self.with_state {
            arguments.extend(["--state", "state"]);
        }
        arguments.extend(["./check.sh", "bug.c"]);
        arguments
    }

    fn start(&self, env: &TestEnv) -> Child {
        let binary = env.command(&self.arguments());
        let mut command = if self.own_session {
            let mut command = env.command_of("setsid");
            command.arg(binary.get_program()).args(binary.get_args());
            command
        } else {
            let mut command = binary;
            command.process_group(0);
            command
        };
        quiet(&mut command).spawn().unwrap()
    }

    /// It may have ended before, but nobody has its number yet.
    fn kill(&self, child: &Child) {
        let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
        let process = |signal| {
            let _ = kill_process(pid, signal);
        };
        // Not before `setsid` has made it.
        let group = |signal| {
            let _ = kill_process_group(pid, signal);
        };
        match self.way {
            Way::Signal(signal) => process(signal),
            Way::SignalTwice(signal) => {
                process(signal);
                process(Signal::TERM);
            }
            Way::KillGroup => group(Signal::KILL),
            Way::StopThenKill => {
                process(Signal::STOP);
                process(Signal::KILL);
            }
            Way::StopGroupThenKill => {
                group(Signal::STOP);
                process(Signal::KILL);
            }
            Way::StopGroupThenKillGroup => {
                group(Signal::STOP);
                group(Signal::KILL);
            }
            Way::GuardFirst => {
                if let Some(guard) = guard_of(child.id()) {
                    let _ = kill_process(guard, Signal::KILL);
                    wait_for("another guard", || {
                        guard_of(child.id()).is_some_and(|other| other != guard) || has_ended(child)
                    });
                }
            }
        }
        process(match self.way {
            Way::Signal(_) | Way::SignalTwice(_) => return,
            _ => Signal::KILL,
        });
    }

    fn check_status(&self, status: ExitStatus) {
        use std::os::unix::process::ExitStatusExt;
        let seen = status.code().or(status.signal().map(|signal| 128 + signal));
        let signal = match self.way {
            Way::Signal(signal) | Way::SignalTwice(signal) => signal,
            _ => Signal::KILL,
        };
        let at_once = matches!(self.way, Way::SignalTwice(_)) && seen == Some(143);
        let expected = 128 + signal.as_raw();
        // 0: it was done before.
        assert!(
            at_once || seen == Some(0) || seen == Some(expected),
            "{status:?}"
        );
    }

    fn check_files(env: &TestEnv) {
        assert_eq!(env.text("bug.c").lines().count(), LINES);
        for result in ["bug.reduced.c", "state/best"] {
            if env.path(result).exists() {
                check_accepted(&env.path(result));
            }
        }
        let own = [
            "bug.c",
            "bug.reduced.c",
            "check.sh",
            "inner.sh",
            "state",
            "up",
            "inner-pids",
        ];
        for entry in fs::read_dir(env.path("")).unwrap() {
            let name = entry.unwrap().file_name();
            assert!(
                own.iter().any(|own| name == *own),
                "left: {}",
                name.display()
            );
        }
        check_nothing_left_inside(env);
    }
}

const PROPERTY: &str = "{ grep -q 'line 7$' \"$1\" && grep -q 'line 31$' \"$1\"; }";

fn check_accepted(result: &Path) {
    let text = fs::read_to_string(result).unwrap();
    let has = |wanted| text.lines().any(|line| line == wanted);
    assert!(
        has("line 7") && has("line 31"),
        "{}: {text}",
        result.display()
    );
}

/// The process that would clean up after this run.
fn guard_of(run: u32) -> Option<Pid> {
    let wanted = format!("\0__guard\0{run}\0").into_bytes();
    let is_guard = |pid: &i32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line.windows(wanted.len()).any(|part| part == wanted)
    };
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(is_guard).find_map(Pid::from_raw)
}

fn quiet(command: &mut Command) -> &mut Command {
    command.stdout(Stdio::null()).stderr(Stdio::null())
}

fn has_ended(child: &Child) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
    stat.rsplit(')')
        .next()
        .is_none_or(|rest| rest.starts_with(" Z"))
}

fn end_of(child: &mut Child) -> ExitStatus {
    wait_for("the end", || has_ended(child));
    child.wait().unwrap()
}

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        let index = self.below(all.len() as u64);
        all[usize::try_from(index).unwrap()]
    }
}
