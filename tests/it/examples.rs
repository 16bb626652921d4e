//! The folders in `examples/`: each has an input, a check, and for some ways to reduce it the result that must come out.

use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::{TestEnv, have};

/// The compiler or interpreter that the check needs, the example, the options, and the file with the result.
const CASES: &[(&str, &str, &[&str], &str)] = &[
    (
        "cc",
        "sum-and-product",
        &["--strategy", "lines", "--once"],
        "expected-lines-once.c",
    ),
    (
        "cc",
        "sum-and-product",
        &["--strategy", "lines"],
        "expected-lines.c",
    ),
    (
        "cc",
        "conflicting-types",
        &["--strategy", "lines"],
        "expected-lines.c",
    ),
    (
        "cc",
        "conflicting-types",
        &["--strategy", "hddr"],
        "expected-hddr.c",
    ),
    ("cc", "if-one", &["--strategy", "hddr"], "expected-hddr.c"),
    (
        "cc",
        "if-one",
        &["--strategy", "hddr", "--hoist", "before"],
        "expected-hoisted.c",
    ),
    (
        "node",
        "shopping-cart",
        &["--strategy", "hddr"],
        "expected-hddr.js",
    ),
];

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples")
        .join(name)
}

/// The example's input and its check.
fn parts(folder: &Path) -> (PathBuf, PathBuf) {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let input = entries
        .into_iter()
        .find(|path| path.file_stem().unwrap() == "input")
        .unwrap();
    (folder.join("check.sh"), input)
}

/// The result and the last JSON line.
fn reduce(name: &str, options: &[&str]) -> (String, serde_json::Value) {
    let env = TestEnv::new();
    let (check, input) = parts(&example(name));
    let words = [
        check.to_str().unwrap(),
        input.to_str().unwrap(),
        "-o",
        "result",
        "--json",
        "-",
    ];
    let run = env.run(&[options, &words].concat()).expect_code(0);
    env.assert_nothing_left(run.pid);
    let last = serde_json::from_str(run.stdout_text().lines().last().unwrap()).unwrap();
    (env.text("result"), last)
}

#[test]
fn the_examples_give_what_their_folders_say() {
    for (program, name, options, expected) in CASES {
        if have(program) {
            let (result, _) = reduce(name, options);
            let expected = fs::read_to_string(example(name).join(expected)).unwrap();
            assert_eq!(result, expected, "{name} with {options:?}");
        }
    }
}

#[test]
fn every_expected_result_is_tested() {
    for folder in fs::read_dir(example(""))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
    {
        for file in fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
        {
            let file = file.to_str().unwrap();
            let name = folder.file_name().unwrap().to_str().unwrap();
            let tested = CASES
                .iter()
                .any(|(_, case, _, expected)| *case == name && *expected == file);
            assert!(tested || !file.starts_with("expected"), "{name}/{file}");
        }
    }
}

#[test]
fn the_number_of_jobs_changes_neither_the_result_nor_the_queries() {
    for (program, name) in [
        ("cc", "conflicting-types"),
        ("cc", "if-one"),
        ("node", "shopping-cart"),
    ] {
        if !have(program) {
            continue;
        }
        for strategy in ["auto", "hddr"] {
            let run = |jobs| {
                let (result, last) = reduce(name, &["--strategy", strategy, "-j", jobs]);
                (result, last["queries"].clone())
            };
            let alone = run("1");
            for jobs in ["2", "5"] {
                assert_eq!(run(jobs), alone, "{name} by {strategy} with -j {jobs}");
            }
        }
    }
}
