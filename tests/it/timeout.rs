//! What is slow is killed, and is no fact.

use crate::harness::TestEnv;

fn finished(env: &TestEnv) -> serde_json::Value {
    let text = env.text("events.json");
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

#[test]
fn a_candidate_that_hangs_counts_as_uninteresting() {
    let env = TestEnv::new();
    env.check(
        "check.sh",
        "grep -q bug \"$1\" || exit 1; grep -q end \"$1\" || sleep 1000",
    );
    env.write("bug.c", "one\nbug\ntwo\nend\n");
    let args = [
        "--strategy",
        "lines",
        "--timeout",
        "2",
        "--json",
        "events.json",
        "./check.sh",
        "bug.c",
    ];
    let run = env.run(&args).expect_code(0);
    assert_eq!(env.text("bug.reduced.c"), "bug\nend\n");
    assert_eq!(finished(&env)["event"], "finished");
    env.assert_nothing_left(run.pid);
}

#[test]
fn an_endless_loop_is_given_up_on_after_a_second_try_and_the_result_is_still_proved_minimal() {
    let env = TestEnv::new();
    env.check(
        "check.sh",
        "grep -q bug \"$1\" || exit 1; grep -q end \"$1\" || while :; do :; done",
    );
    env.write("bug.c", "bug\nend\n");
    let args = [
        "--json",
        "events.json",
        "--strategy",
        "lines",
        "./check.sh",
        "bug.c",
    ];
    let run = env.run(&args).expect_code(0);
    let finished = finished(&env);
    assert_eq!(finished["given_up"], 1);
    assert_eq!(finished["timed_out"], 2);
    assert_eq!(finished["one_minimal"], true);
    assert!(
        run.stderr
            .contains("gave up on 1 candidate that did not end in ")
    );
    env.assert_nothing_left(run.pid);
}

#[test]
fn an_original_that_hangs_is_not_interesting() {
    let env = TestEnv::new();
    env.check("check.sh", "sleep 1000");
    env.write("bug.c", "bug\n");
    let run = env
        .run(&["--timeout", "0.3", "./check.sh", "bug.c"])
        .expect_code(3);
    assert!(env.processes().is_empty());
    assert!(run.stderr.contains("no answer"), "{}", run.stderr);
}

#[test]
fn the_whole_run_ends_at_its_time_even_if_a_query_does_not() {
    for jobs in ["1", "2"] {
        let env = TestEnv::new();
        env.check(
            "check.sh",
            "grep -q end \"$1\" || test ! -s \"$1\" || sleep 1000; grep -q bug \"$1\"",
        );
        env.write("bug.c", "one\nbug\ntwo\nend\n");
        let args = [
            "--strategy",
            "lines",
            "-j",
            jobs,
            "--max-time",
            "1",
            "--json",
            "events.json",
            "./check.sh",
            "bug.c",
        ];
        let run = env.run(&args).expect_code(0);
        assert_eq!(finished(&env)["complete"], false);
        assert!(env.text("bug.reduced.c").contains("bug"));
        env.assert_nothing_left(run.pid);
    }
}
