//! `--record`: what a run leaves is what it asked, for any number of jobs, and answers the same search again.

use crate::harness::TestEnv;
use paredown::engine::{Engine, Recording, Settings};
use paredown::interrupt::Interrupt;
use paredown::oracle::Outcome;
use paredown::output::ResultFile;
use paredown::strategy::{Plan, Strategy, search};
use paredown::syntax::{Document, Language};
use std::fs;

const INPUT: &str = "int a;\nint f(int b) { return a + b; }\nint bug;\nint c;\n";

fn env() -> TestEnv {
    let env = TestEnv::new();
    env.write("bug.c", INPUT);
    env.check("check.sh", "grep -q bug \"$1\"");
    env
}

fn recorded(env: &TestEnv, args: &[&str]) -> Recording {
    let common = ["-q", "--record", "answers", "-o", "small.c"];
    env.run(&[&common[..], args, &["check.sh", "bug.c"]].concat())
        .expect_code(0);
    Recording::from_bytes(&env.read("answers")).unwrap()
}

/// The search of the strategy, with the recording as its check; the error if it does not know an answer.
fn replay(recording: &Recording, strategy: Strategy) -> Result<Vec<u8>, String> {
    let (mut nowhere, interrupt) = (ResultFile::nowhere(), Interrupt::new());
    let mut silent = |_: &_| {};
    let settings = Settings::default();
    let mut engine = Engine::new(
        INPUT.as_bytes(),
        recording,
        settings,
        &mut nowhere,
        &interrupt,
        &mut silent,
    );
    let plan = Plan::new(strategy);
    let build = move |best: &[u8]| search(&Document::new(best, Language::named("c")), &plan);
    let run = engine.run_until_known(build);
    run.map_err(|error| error.to_string())?;
    Ok(engine.finish().0)
}

#[test]
fn a_recording_answers_the_search_that_it_was_made_of() {
    let env = env();
    let recording = recorded(&env, &["--strategy", "hdd"]);
    assert_eq!(
        replay(&recording, Strategy::Hdd).unwrap(),
        env.read("small.c")
    );
    let refused = replay(&recording, Strategy::Bytes).unwrap_err();
    assert!(
        refused.contains("it does not know this candidate"),
        "{refused}"
    );
}

#[test]
fn several_searches_add_to_a_recording_and_jobs_make_no_difference() {
    let bytes = ["-j1", "-j3"].map(|jobs| {
        let env = env();
        let first = recorded(&env, &[jobs, "--strategy", "lines"]);
        let both = recorded(&env, &[jobs, "--strategy", "bytes"]);
        assert!(first.len() < both.len());
        assert_eq!(both.answer(b"int bug;\n"), Some(Outcome::Interesting));
        for strategy in [Strategy::Lines, Strategy::Bytes] {
            replay(&both, strategy).unwrap();
        }
        env.read("answers")
    });
    assert_eq!(bytes[0], bytes[1]);
}

#[test]
fn what_is_no_recording_of_this_check_is_left_alone() {
    let env = env();
    let refused = |words: &str, args: &[&str]| {
        let common = ["-q", "--record", "answers"];
        let run = env.run(&[&common[..], args].concat()).expect_code(2);
        assert!(run.stderr.contains(words), "{}", run.stderr);
    };
    env.write("answers", "dear diary");
    refused("is no recording", &["check.sh", "bug.c"]);
    assert_eq!(env.text("answers"), "dear diary");
    fs::remove_file(env.path("answers")).unwrap();
    recorded(&env, &[]);
    let before = env.read("answers");
    env.check("other.sh", "grep -q 'bug;' \"$1\"");
    refused("is of another check", &["other.sh", "bug.c"]);
    refused("is of another check", &["bug.c", "--", "grep", "bug", "@@"]);
    assert_eq!(env.read("answers"), before);
    env.write("more.c", "int more;\n");
    refused(
        "of several, an answer depends on them all",
        &["check.sh", "bug.c", "more.c"],
    );
    let run = env
        .run(&["-q", "--record", "answers", "check.sh", "bug.c", "more.c"])
        .expect_code(2);
    let hint = "give the file alone, or leave `--record` out";
    assert!(run.stderr.contains(hint), "{}", run.stderr);
    let run = env
        .run(&["-q", "--record", "check.sh", "check.sh", "bug.c"])
        .expect_code(2);
    assert!(run.stderr.contains("the recording"), "{}", run.stderr);
}

#[test]
fn a_resumed_run_records_what_the_first_one_asked_too() {
    let env = env();
    let args = ["--strategy", "bytes", "--state", "state"];
    let common = ["-q", "-o", "small.c", "check.sh", "bug.c"];
    env.run(&[&args[..], &["--max-queries", "5"], &common].concat())
        .expect_code(0);
    let resumed = recorded(&env, &args);
    replay(&resumed, Strategy::Bytes).unwrap();
}
