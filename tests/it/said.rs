//! What is said in the course of a run, each in a situation that has it.

use std::process::Stdio;

use crate::harness::{Run, TestEnv, have};

const FILE: &str = "int a;\nint bug;\nint b;\n";

fn env(check: &str) -> TestEnv {
    let env = TestEnv::new();
    env.write("bug.c", FILE);
    env.check("check.sh", check);
    env
}

/// What a run with these arguments says to people.
fn said(env: &TestEnv, code: i32, args: &[&str]) -> String {
    let run = env.run(args).expect_code(code);
    env.assert_nothing_left(run.pid);
    run.stderr
}

#[track_caller]
fn says(said: &str, words: &[&str]) {
    for words in words {
        assert!(said.contains(words), "`{words}` is not in:\n{said}");
    }
}

#[test]
fn a_check_that_refuses_the_result_at_the_end() {
    let env = TestEnv::new();
    env.write("bug.c", FILE);
    let seen = env.path("seen");
    // It accepts the smallest file once.
    let body = format!(
        "grep -q bug \"$1\" && {{ [ $(wc -c < \"$1\") -gt 4 ] || mkdir {}; }}",
        seen.display()
    );
    env.check("check.sh", &body);
    let said = said(&env, 1, &["-j1", "check.sh", "bug.c"]);
    says(
        &said,
        &[
            "the check accepted the result in 0 of ",
            " runs at the end, though it had accepted it before",
        ],
    );
}

#[test]
fn a_check_that_refuses_the_original_now_and_then() {
    let env = TestEnv::new();
    env.write("bug.c", FILE);
    let book = env.write("book", "");
    let body = format!(
        "echo x >> {0}; [ $(wc -l < {0}) != 2 ] && grep -q bug \"$1\"",
        book.display()
    );
    env.check("check.sh", &body);
    let said = said(&env, 0, &["-j1", "check.sh", "bug.c"]);
    says(
        &said,
        &[
            "the check accepted the original in ",
            " runs only; to be surer of each answer: --confidence 0.99",
        ],
    );
}

#[test]
fn what_differs_from_the_run_of_a_state_is_named() {
    let env = env("grep -q bug \"$1\"");
    let args = ["-q", "--state", "state", "check.sh", "bug.c"];
    said(&env, 0, &args);
    // What the state remembers in so many words.
    let journal = env.read("state/journal");
    says(
        &String::from_utf8_lossy(&journal),
        &["version of paredown", "content of "],
    );
    let timed = [&["--timeout", "7"], &args[..]].concat();
    says(&said(&env, 1, &timed), &["different limits or repetitions"]);
    env.check("check.sh", "grep -q bug \"$1\" # changed");
    says(&said(&env, 1, &args), &["different content of "]);
}

#[test]
fn what_a_property_wants_is_said_when_the_original_does_not_have_it() {
    let env = env("exit 1");
    for (option, words) in [
        (
            &["--memory-is-interesting", "4000"][..],
            "more than 4000 MiB of memory",
        ),
        (&["--same-crash"], "a crash, the same each time"),
        (&["--timeout-is-interesting", "9"], "no end within 9 s"),
    ] {
        let args = [&["bug.c"], option, &["--", "true", "@@"]].concat();
        says(&env.run(&args).expect_code(3).stderr, &[words]);
    }
}

/// In a shell that lets a process have few files open.
fn with_few_files(env: &TestEnv, most: u32, args: &str) -> Run {
    let binary = env!("CARGO_BIN_EXE_paredown");
    let mut command = env.command_of("sh");
    command.args(["-c", &format!("ulimit -n {most}; exec {binary} {args}")]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    Run::finish(child.spawn().unwrap())
}

#[test]
fn few_open_files_are_few_jobs() {
    let env = env("grep -q bug \"$1\"");
    let run = with_few_files(&env, 32, "-j 16 check.sh bug.c").expect_code(0);
    says(
        &run.stderr,
        &[
            "the limit of open files is too low for -j 16, so it is -j ",
            "; to allow more: ulimit -n 1024",
        ],
    );
}

#[test]
fn where_signals_cannot_be_heard_nothing_is_begun() {
    let env = env("grep -q bug \"$1\"");
    for task in ["", "doctor "] {
        let said: Vec<String> = (3..9)
            .map(|most| with_few_files(&env, most, &format!("{task}check.sh bug.c")).stderr)
            .collect();
        let words = "error: cannot listen to signals: ";
        assert!(said.iter().any(|said| said.contains(words)), "{said:#?}");
        assert_eq!(env.text("bug.c"), FILE);
    }
}

#[test]
fn without_open_files_the_guard_cannot_be_started() {
    let env = env("grep -q bug \"$1\"");
    let said: Vec<String> = (3..20)
        .map(|most| with_few_files(&env, most, "-q check.sh bug.c").stderr)
        .collect();
    let words = "error: cannot start the guard process: too many open files";
    assert!(said.iter().any(|said| said.contains(words)), "{said:#?}");
    assert_eq!(env.text("bug.c"), FILE);
}

#[test]
fn a_pool_that_is_not_there_is_an_error() {
    let env = env("grep -q bug \"$1\"");
    let said = said(&env, 1, &["--pool", "nowhere", "check.sh", "bug.c"]);
    says(&said, &["cannot use the pool of jobs: "]);
}

#[test]
fn a_find_that_cannot_be_saved_is_a_warning() {
    let env = TestEnv::new();
    env.write("bug.c", FILE);
    // Where the folder of finds would be made there is a file meanwhile.
    let body = format!(
        "grep -q bug \"$1\" && exit 0; : > {}; exit 3",
        env.path("bug.reduced.c.also-interesting").display()
    );
    env.check("check.sh", &body);
    let said = said(&env, 0, &["--also-interesting", "3", "check.sh", "bug.c"]);
    says(
        &said,
        &["warning: cannot save a candidate that is also interesting: "],
    );
    assert_eq!(env.text("bug.reduced.c"), "bug\n");
}

#[test]
fn what_is_left_out_of_a_folder_is_named() {
    if !have("mkfifo") {
        return;
    }
    let env = TestEnv::new();
    env.write("p/main.c", FILE);
    env.write("p/data.bin", b"a\0b");
    env.check("check.sh", "grep -q bug \"$1/main.c\"");
    let made = env.command_of("mkfifo").arg(env.path("p/pipe")).status();
    assert!(made.unwrap().success());
    let said = said(&env, 0, &["-o", "small", "check.sh", "p"]);
    says(
        &said,
        &[
            "neither a file nor a folder nor a link, so left out: p/pipe",
            "; to reduce one inside too, name it beside its folder: p/data.bin",
        ],
    );
}

#[test]
fn a_view_says_when_the_result_is_tested() {
    let env = env("sleep 0.3; grep -q bug \"$1\"");
    env.write("bug.c", "bug");
    let binary = env!("CARGO_BIN_EXE_paredown");
    // A terminal that is recorded.
    let mut command = env.command_of("script");
    let line = format!("{binary} --progress line -j1 check.sh bug.c");
    command.args(["-qec", &line, "typescript"]);
    if !have("script") {
        return;
    }
    let status = command.stdout(Stdio::null()).status().unwrap();
    assert!(status.success());
    says(&env.text("typescript"), &["testing the result once more"]);
}

#[test]
fn what_others_write_during_a_run_in_place_is_kept() {
    for (moment, at_most) in [("before the first success", 999), ("in the middle", 12)] {
        let env = TestEnv::new();
        env.write("bug.c", FILE);
        let body = format!(
            "grep -q bug \"$1\" || exit 1
            if [ $(wc -c < \"$1\") -le {at_most} ] && mkdir {}; then echo 'my bug' > {}; fi",
            env.path("done").display(),
            env.path("bug.c").display()
        );
        env.check("check.sh", &body);
        let said = said(&env, 0, &["-q", "-j1", "-i", "check.sh", "bug.c"]);
        says(
            &said,
            &[" was written to during the run, not by paredown: what that was is kept in "],
        );
        assert_eq!(env.text("bug.c"), "bug\n", "{moment}");
        let mut kept = vec![env.text("bug.c.orig"), env.text("bug.c.orig.1")];
        kept.sort();
        assert_eq!(kept, [FILE, "my bug\n"], "{moment}");
    }
}
