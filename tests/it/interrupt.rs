//! The first signal stops and keeps the best, the second one ends at once.

use std::process::{Child, Command, Stdio};

use rustix::process::Signal;

use crate::harness::{Run, TestEnv, signal, wait_for};

const ARGS: [&str; 6] = ["--strategy", "lines", "-j", "2", "./check.sh", "bug.c"];

/// Hangs at the first candidate without the second line, when there is a result. `on_term` is its trap.
fn hanging(env: &TestEnv, on_term: &str) -> Child {
    hanging_when(env, on_term, env.command(&ARGS))
}

/// The same, started by a command that ends up as the binary.
fn hanging_when(env: &TestEnv, on_term: &str, mut command: Command) -> Child {
    let up = env.path("up");
    let body = format!(
        "trap '{on_term}' TERM
        grep -q bug \"$1\" || exit 1; grep -q two \"$1\" && exit 0
        test $(wc -l < \"$1\") -gt 3 && exit 1
        until test -e {}; do sleep 0.01; done; : > {}; while :; do sleep 1000 & wait; done",
        env.path("bug.reduced.c").display(),
        up.display()
    );
    env.check("check.sh", &body);
    env.write("bug.c", "one\nbug\ntwo\nthree\nfour\nfive\n");
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for("what is waited for", || up.exists());
    child
}

/// Starts the binary without what the tests themselves may have been told to ignore, as `nohup` tells them for the hang-up.
fn hearing_all(env: &TestEnv) -> Command {
    let binary = env.command(&ARGS);
    let mut command = env.command_of("env");
    command.arg("--default-signal=HUP,INT,TERM");
    command.arg(binary.get_program()).args(binary.get_args());
    command
}

#[test]
fn an_interrupt_leaves_the_best_so_far_and_nothing_else() {
    for (sent, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let env = TestEnv::new();
        let child = hanging_when(&env, "exit 1", hearing_all(&env));
        signal(&child, sent);
        let run = Run::finish(child).expect_code(code);
        let best = env.text("bug.reduced.c");
        assert!(best.contains("bug") && best.lines().count() < 6, "{best}");
        env.assert_nothing_left(run.pid);
    }
}

#[test]
fn an_interrupt_before_any_success_leaves_an_older_result_alone() {
    let env = TestEnv::new();
    let up = env.path("up");
    let body = format!(": > {}; sleep 1000 & wait", up.display());
    env.check("check.sh", &body);
    env.write("bug.c", "bug\n");
    env.write("bug.reduced.c", "an older result");
    let child = env.spawn(&["check.sh", "bug.c"]);
    wait_for("what is waited for", || up.exists());
    signal(&child, Signal::INT);
    let run = Run::finish(child).expect_code(130);
    assert_eq!(env.text("bug.reduced.c"), "an older result");
    assert!(!run.stderr.contains("result:"), "{}", run.stderr);
    env.assert_nothing_left(run.pid);
}

#[test]
fn a_hang_up_that_is_ignored_from_the_start_stays_ignored() {
    let env = TestEnv::new();
    let binary = env.command(&ARGS);
    let mut command = env.command_of("sh");
    command.args(["-c", r#"trap "" HUP; exec "$0" "$@""#]);
    command.arg(binary.get_program()).args(binary.get_args());
    let child = hanging_when(&env, "exit 1", command);
    signal(&child, Signal::HUP);
    signal(&child, Signal::INT);
    let run = Run::finish(child).expect_code(130);
    // It was the first signal that it heard of.
    assert!(
        run.stderr.contains("result: bug.reduced.c"),
        "{}",
        run.stderr
    );
    env.assert_nothing_left(run.pid);
}

/// `timeout` sends its signal to the process and to its group.
#[test]
fn the_same_signal_twice_at_once_is_one_wish() {
    let env = TestEnv::new();
    let child = hanging(&env, "exit 1");
    signal(&child, Signal::TERM);
    signal(&child, Signal::TERM);
    let run = Run::finish(child).expect_code(143);
    assert!(
        run.stderr.contains("result: bug.reduced.c"),
        "{}",
        run.stderr
    );
    env.assert_nothing_left(run.pid);
}

#[test]
fn a_check_that_ignores_the_interrupt_is_killed() {
    let env = TestEnv::new();
    let child = hanging(&env, "");
    signal(&child, Signal::INT);
    let run = Run::finish(child).expect_code(130);
    env.assert_nothing_left(run.pid);
}

#[test]
fn the_second_signal_ends_at_once_and_the_guard_cleans_up() {
    let env = TestEnv::new();
    let child = hanging(&env, "");
    signal(&child, Signal::INT);
    signal(&child, Signal::TERM);
    let run = Run::finish(child);
    // The first one may have done its work before the second came.
    assert!([130, 143].contains(&run.code), "{}", run.code);
    env.assert_nothing_left(run.pid);
}

#[test]
fn files_that_belong_together_have_results_together() {
    for killed in [Signal::TERM, Signal::KILL] {
        let env = TestEnv::new();
        let up = env.path("up");
        let body = format!(
            "grep -q bug a.txt && grep -q two b.txt || exit 1
            test -e {} || exit 0
            : > {}; sleep 1000 & wait",
            env.path("out/a.txt").display(),
            up.display()
        );
        env.check("check.sh", &body);
        env.write("a.txt", "one\nbug\nthree\nfour\nfive\n");
        env.write("b.txt", "one\ntwo\n");
        // A result of another run, which does not go with that of this one.
        env.write("out/b.txt", "of another run\n");
        let args = ["-j", "1", "--strategy", "lines", "-o", "out"];
        let child = env.spawn(&[&args[..], &["check.sh", "a.txt", "b.txt"]].concat());
        wait_for("what is waited for", || up.exists());
        signal(&child, killed);
        let run = Run::finish(child);
        assert!(env.text("out/a.txt").contains("bug"));
        assert_eq!(env.text("out/b.txt"), "one\ntwo\n", "{killed:?}");
        env.assert_nothing_left(run.pid);
    }
}
