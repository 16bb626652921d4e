//! `paredown batch`: many bugs with one pool of jobs, a table of their states, duplicates, and going on after a kill.

use std::fs;

use rustix::process::Signal;
use serde_json::Value;

use crate::harness::{Run, TestEnv, signal, wait_for};

const LINES: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n";

/// A check that notes when it runs beside so many others.
const COUNTING: &str = "mkdir @COUNT@/$$; n=0; for run in @COUNT@/*; do kill -0 ${run##*/} && n=$((n + 1)); done; echo $n >> @PEAK@; sleep 0.05; rmdir @COUNT@/$$; grep -q bug \"$1\"";

fn states(text: &str) -> Vec<(String, String)> {
    let lines = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    lines
        .map(|line| (word(&line["bug"]), word(&line["state"])))
        .collect()
}

fn last_states(text: &str) -> Vec<(String, String)> {
    let all = states(text);
    let is_last = |at: usize| all[at + 1..].iter().all(|other| other.0 != all[at].0);
    let mut last: Vec<_> = (0..all.len())
        .filter(|&at| is_last(at))
        .map(|at| all[at].clone())
        .collect();
    last.sort();
    last
}

/// By lines, with a table as JSON.
const TWO_JOBS: [&str; 8] = [
    "batch",
    "--strategy",
    "lines",
    "-j",
    "2",
    "--json",
    "table.json",
    "bugs",
];

/// Whether a check is at its `sleep 100`.
fn hangs(env: &TestEnv) -> bool {
    let mut processes = env.processes().into_iter();
    processes.any(|process| process.contains("sleep 100"))
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected
        .iter()
        .map(|(bug, state)| ((*bug).to_owned(), (*state).to_owned()))
        .collect()
}

#[test]
fn all_bugs_share_one_pool_of_jobs() {
    let env = TestEnv::new();
    fs::create_dir(env.path("count")).unwrap();
    let check = COUNTING.replace("@COUNT@", &env.path("count").display().to_string());
    let check = check.replace("@PEAK@", &env.path("peak").display().to_string());
    for bug in ["a", "b", "c"] {
        env.write(&format!("bugs/{bug}/in.txt"), format!("{LINES}bug {bug}\n"));
        env.check(&format!("bugs/{bug}/check.sh"), &check);
    }
    env.write("bugs/none/in.txt", LINES);
    env.write("bugs/two/in.txt", LINES);
    env.write("bugs/two/other.txt", LINES);
    env.check("bugs/two/check.sh", "true");
    fs::create_dir(env.path("bugs/empty")).unwrap();
    let run = env.run(&TWO_JOBS).expect_code(1);
    for bug in ["a", "b", "c"] {
        assert_eq!(
            env.text(&format!("bugs/{bug}/in.reduced.txt")),
            format!("bug {bug}\n")
        );
    }
    let most = env
        .text("peak")
        .lines()
        .map(|line| line.trim().parse::<u32>().unwrap())
        .max();
    assert_eq!(most, Some(2));
    let expected = [
        ("a", "done"),
        ("b", "done"),
        ("c", "done"),
        ("empty", "failed"),
        ("none", "failed"),
        ("two", "failed"),
    ];
    assert_eq!(last_states(&env.text("table.json")), pairs(&expected));
    assert!(
        run.stderr.contains("no input in its folder"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr
            .contains("no check in its folder: an executable whose name begins with check"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr
            .contains("more than one input in its folder, such as other.txt"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains(" -> 6 bytes"), "{}", run.stderr);
    assert!(run.stderr.contains(" queries"), "{}", run.stderr);
    env.assert_nothing_left(run.pid);
    // What is done is not done again.
    fs::remove_file(env.path("peak")).unwrap();
    env.run(&TWO_JOBS).expect_code(1);
    assert!(!env.path("peak").exists());
}

#[test]
fn bugs_that_fail_in_the_same_way_are_reduced_once() {
    let env = TestEnv::new();
    env.check("tool.sh", "grep -q seven \"$1\" || exit 0; echo \"ERROR: AddressSanitizer: $(head -n 1 \"$1\" | cut -c1)\" >&2; exit 1");
    for (bug, first) in [("a", "x1"), ("b", "x2"), ("c", "y1")] {
        env.write(&format!("bugs/{bug}/in.txt"), format!("{first}\n{LINES}"));
    }
    let arguments = [
        "batch",
        "--strategy",
        "lines",
        "--json",
        "table.json",
        "--same-crash",
        "bugs",
        "--",
        "./tool.sh",
        "@@",
    ];
    let run = env.run(&arguments).expect_code(0);
    let expected = [("a", "done"), ("b", "duplicate"), ("c", "done")];
    assert_eq!(last_states(&env.text("table.json")), pairs(&expected));
    assert!(run.stderr.contains("b  fails as a does"), "{}", run.stderr);
    assert_eq!(env.text("bugs/c/in.reduced.txt"), "y1\nseven\n");
    env.assert_nothing_left(run.pid);
}

#[test]
fn a_batch_that_is_killed_leaves_nothing_and_goes_on() {
    let env = TestEnv::new();
    let flag = env.path("flag");
    let check = format!(
        "grep -q bug \"$1\" || exit 1; test -e {0} || grep -q seven \"$1\" || sleep 100",
        flag.display()
    );
    for bug in ["a", "b"] {
        env.write(&format!("bugs/{bug}/in.txt"), format!("{LINES}bug {bug}\n"));
        env.check(&format!("bugs/{bug}/check.sh"), &check);
    }
    for sent in [Signal::KILL, Signal::TERM] {
        let child = env.spawn(&TWO_JOBS);
        wait_for("a check that hangs", || hangs(&env));
        let pid = child.id();
        signal(&child, sent);
        Run::finish(child);
        env.assert_nothing_left(pid);
    }
    env.write("flag", "");
    env.run(&TWO_JOBS).expect_code(0);
    assert_eq!(
        last_states(&env.text("table.json")),
        pairs(&[("a", "done"), ("b", "done")])
    );
}

#[test]
fn a_bug_is_done_for_the_check_that_was_asked() {
    let env = TestEnv::new();
    let check = |word: &str| {
        let body = format!(
            "echo >> {}; grep -q {word} \"$1\"",
            env.path("runs").display()
        );
        env.check("bugs/a/check.sh", &body);
    };
    env.write("bugs/a/in.txt", LINES);
    check("seven");
    env.run(&TWO_JOBS).expect_code(0);
    let runs = env.text("runs");
    env.run(&TWO_JOBS).expect_code(0);
    assert_eq!(env.text("runs"), runs, "nothing is asked again");
    assert_eq!(
        last_states(&env.text("table.json")),
        pairs(&[("a", "done")])
    );
    check("eight");
    env.run(&TWO_JOBS).expect_code(1);
    assert_eq!(
        last_states(&env.text("table.json")),
        pairs(&[("a", "failed")])
    );
    let log = env.text("bugs/a/paredown.log");
    assert!(
        log.contains("different content of ") && log.contains("bugs/a/check.sh"),
        "{log}"
    );
    let command = [&TWO_JOBS[..], &["--", "grep", "-q", "nine", "@@"]].concat();
    env.run(&command).expect_code(1);
    assert_eq!(
        last_states(&env.text("table.json")),
        pairs(&[("a", "failed")])
    );
}

#[test]
fn a_second_batch_in_the_same_folder_is_refused() {
    let env = TestEnv::new();
    env.write("bugs/a/in.txt", LINES);
    env.check("bugs/a/check.sh", "grep -q two \"$1\" && sleep 100");
    let child = env.spawn(&["batch", "-q", "bugs"]);
    wait_for("a check that hangs", || hangs(&env));
    let said = env.run(&["batch", "-q", "bugs"]).expect_code(2).stderr;
    assert!(said.contains("another batch works in bugs"), "{said}");
    assert!(
        said.contains("wait for its end, or stop it: the same command goes on where it was"),
        "{said}"
    );
    assert!(hangs(&env));
    let pid = child.id();
    signal(&child, Signal::TERM);
    Run::finish(child);
    env.assert_nothing_left(pid);
}

#[test]
fn the_batch_has_a_help_of_its_own() {
    let run = TestEnv::new().run(&["batch", "--help"]).expect_code(0);
    insta::assert_snapshot!(run.stdout_text());
}

#[test]
fn a_batch_needs_a_folder_of_folders() {
    let env = TestEnv::new();
    fs::create_dir(env.path("bugs")).unwrap();
    let said = |arguments: &[&str], code| env.run(arguments).expect_code(code).stderr;
    let text = said(&["batch"], 2);
    assert!(
        text.contains("a batch is one folder, with a folder in it for each bug"),
        "{text}"
    );
    assert!(
        text.contains(
            "paredown batch crashes/, or paredown batch crashes/ --same-crash -- ./target @@"
        ),
        "{text}"
    );
    let text = said(&["batch", "-o", "here", "bugs"], 2);
    assert!(text.contains("each bug of a batch has its result and its state in its own folder, so -o, -i, --state, --report and --summary have no place"), "{text}");
    let text = said(&["batch", "bugs"], 2);
    assert!(text.contains("there is no folder in bugs"), "{text}");
    assert!(
        text.contains("one for each bug: mkdir bugs/bug-1"),
        "{text}"
    );
    let text = said(&["batch", "nowhere"], 1);
    assert!(text.contains("no such file: nowhere"), "{text}");
}
