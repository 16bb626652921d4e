//! A run that was killed goes on where it was, to the same bytes.

use std::process::Stdio;

use crate::harness::{TestEnv, wait_for};

const ARGS: [&str; 9] = [
    "--strategy",
    "lines",
    "--state",
    "state",
    "--json",
    "events.json",
    "./check.sh",
    "bug.c",
    "-q",
];

const NEVER: u32 = 100_000;

fn env() -> TestEnv {
    let env = TestEnv::new();
    env.write(
        "bug.c",
        (0..40)
            .map(|line| format!("line {line}\n"))
            .collect::<Vec<_>>()
            .concat(),
    );
    check_that_kills_at(&env, NEVER);
    env
}

/// Counts its runs in a file; from run number `at` on it says so and hangs.
fn check_that_kills_at(env: &TestEnv, at: u32) {
    let count = env.path("count");
    let (count, up) = (count.display(), env.path("up"));
    let body = format!(
        "echo >> {count}
        test $(wc -l < {count}) -ge {at} && {{ : > {}; sleep 1000; }}
        grep -q 'line 7$' \"$1\" && grep -q 'line 31' \"$1\" && test $(($(wc -l < \"$1\") % 2)) = 0",
        up.display()
    );
    // Its text is a part of the identity, so the number comes from a file that is none.
    let wrapper = format!("exec sh {} \"$1\"", env.write("body.sh", body).display());
    env.check("check.sh", &wrapper);
}

fn queries(env: &TestEnv) -> u64 {
    let text = env.text("events.json");
    let last: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    last["queries"].as_u64().unwrap()
}

fn count(env: &TestEnv) -> u64 {
    env.text("count").lines().count() as u64
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes_without_asking_again() {
    let undisturbed = env();
    undisturbed.run(&ARGS).expect_code(0);
    let (expected, all) = (undisturbed.read("bug.reduced.c"), queries(&undisturbed));
    for at in [10, 17, 26] {
        let env = env();
        check_that_kills_at(&env, at);
        let mut child = env
            .command(&ARGS)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_for(&format!("run {at}"), || env.path("up").exists());
        child.kill().unwrap();
        let pid = child.id();
        child.wait().unwrap();
        env.assert_nothing_left(pid);
        let before = count(&env);
        check_that_kills_at(&env, NEVER);
        env.run(&ARGS).expect_code(0);
        assert_eq!(env.read("bug.reduced.c"), expected, "killed at run {at}");
        // Before: at least the checks of the original are no queries.
        assert!(
            queries(&env) + before.saturating_sub(3) <= all + 20,
            "killed at run {at}"
        );
        assert!(queries(&env) < all, "killed at run {at}");
    }
}

#[test]
fn a_run_stopped_by_its_limit_goes_on_with_the_same_command() {
    let undisturbed = env();
    undisturbed.run(&ARGS).expect_code(0);
    let env = env();
    let mut asked = 0;
    for _ in 0..100 {
        let args = [&["--max-queries", "7", "-j", "2"], &ARGS[..]].concat();
        env.run(&args).expect_code(0);
        asked += queries(&env);
        if queries(&env) < 7 {
            break;
        }
    }
    assert_eq!(env.read("bug.reduced.c"), undisturbed.read("bug.reduced.c"));
    assert_eq!(asked, queries(&undisturbed));
}

#[test]
fn a_finished_run_is_repeated_without_a_query() {
    let env = env();
    env.run(&ARGS).expect_code(0);
    let result = env.read("bug.reduced.c");
    env.run(&ARGS).expect_code(0);
    assert_eq!(queries(&env), 0);
    assert_eq!(env.read("bug.reduced.c"), result);
    assert_eq!(env.read("state/best"), result);
}

#[test]
fn another_input_check_or_option_is_refused_by_name() {
    let env = env();
    env.run(&ARGS).expect_code(0);
    let run = env.run(&[&["--once"], &ARGS[..]].concat()).expect_code(1);
    assert!(run.stderr.contains("algorithm options"), "{}", run.stderr);
    env.check("check.sh", "true");
    let run = env.run(&ARGS).expect_code(1);
    assert!(run.stderr.contains("check.sh"), "{}", run.stderr);
    env.write("bug.c", "other\n");
    let run = env.run(&ARGS).expect_code(1);
    assert!(run.stderr.contains("input bug.c"), "{}", run.stderr);
}

#[test]
fn a_smaller_file_made_by_hand_is_taken_up_with_the_old_answers() {
    for jobs in ["1", "3"] {
        let args = [&["-j", jobs], &ARGS[..]].concat();
        let fresh = env();
        let by_hand = "line 6\nline 7\nline 31\nline 32\n";
        fresh.write("bug.c", by_hand);
        fresh.run(&args).expect_code(0);
        let env = env();
        env.run(&args).expect_code(0);
        env.write("bug.c", by_hand);
        let run = env.run(&args).expect_code(0);
        assert_eq!(env.read("bug.reduced.c"), fresh.read("bug.reduced.c"));
        assert!(queries(&env) < queries(&fresh), "{}", run.stderr);
        // Killed or not: all that is known by now needs no run.
        env.run(&args).expect_code(0);
        assert_eq!(queries(&env), 0);
        env.write("bug.c", "line 7\nline 31\nmore\nmore\n");
        env.run(&args).expect_code(0);
        env.write("bug.c", by_hand);
        env.run(&args).expect_code(0);
        assert!(queries(&env) <= 3, "only what is accepted is asked again");
    }
}

#[test]
fn what_was_changed_by_hand_in_place_is_not_taken_back() {
    let env = env();
    let args = [&["-i"], &ARGS[..]].concat();
    env.run(&args).expect_code(0);
    let (original, result) = (env.read("bug.c.orig"), env.read("bug.c"));
    // Goes on from the original, of which nothing is left to ask.
    env.run(&args).expect_code(0);
    assert_eq!((queries(&env), env.read("bug.c")), (0, result));
    env.write("bug.c", "by\nhand\nline 7\nline 31\n");
    let run = env.run(&args).expect_code(0);
    assert!(!run.stderr.contains("hint"), "{}", run.stderr);
    assert_eq!(env.text("bug.c"), "line 7\nline 31\n");
    assert_eq!(env.read("bug.c.orig"), original);
    assert_eq!(env.text("bug.c.orig.1"), "by\nhand\nline 7\nline 31\n");
}

#[test]
fn a_state_of_another_kind_of_file_is_refused() {
    let env = env();
    env.run(&ARGS).expect_code(0);
    std::fs::rename(env.path("bug.c"), env.path("bug.py")).unwrap();
    let args = ARGS.map(|word| if word == "bug.c" { "bug.py" } else { word });
    let run = env.run(&args).expect_code(1);
    assert!(
        run.stderr.contains("different input bug.c, input bug.py"),
        "{}",
        run.stderr
    );
}

#[test]
fn what_is_also_interesting_is_saved_once_and_changes_nothing() {
    let env = env();
    env.check(
        "check.sh",
        "grep -q 'line 7$' \"$1\" || { grep -q 'line 9$' \"$1\" && exit 42; exit 1; }",
    );
    let args = ["--strategy", "lines", "./check.sh", "bug.c"];
    env.run(&args).expect_code(0);
    let plain = env.read("bug.reduced.c");
    env.run(&[&["--also-interesting", "42", "-j", "2"], &args[..]].concat())
        .expect_code(0);
    assert_eq!(env.read("bug.reduced.c"), plain);
    let folder = env.path("bug.reduced.c.also-interesting");
    let mut saved: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    let all = saved.len();
    saved.sort();
    saved.dedup();
    assert!(all > 0 && saved.len() == all);
    assert!(
        saved
            .iter()
            .all(|text| text.contains("line 9\n") && !text.contains("line 7\n"))
    );
}
