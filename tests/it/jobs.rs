//! The number of jobs changes how long it takes and nothing else.

use crate::harness::TestEnv;

/// The JSON lines without what is a time or depends on what was asked ahead.
fn events(env: &TestEnv, jobs: &str, check: &str, strategy: &str) -> (Vec<u8>, Vec<String>) {
    env.check("check.sh", check);
    let json = format!("events-{jobs}.json");
    let args = [
        "--strategy",
        strategy,
        "-j",
        jobs,
        "--json",
        &json,
        "./check.sh",
        "bug.c",
    ];
    env.run(&args).expect_code(0);
    let text = env.text(&json);
    (
        env.read("bug.reduced.c"),
        text.lines().map(without_times).collect(),
    )
}

fn without_times(line: &str) -> String {
    let mut value: serde_json::Value = serde_json::from_str(line).unwrap();
    drop_times(&mut value);
    value.to_string()
}

fn drop_times(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(fields) => {
            fields.retain(|name, _| {
                !name.contains("seconds") && name != "discarded" && name != "jobs"
            });
            fields.values_mut().for_each(drop_times);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(drop_times),
        _ => {}
    }
}

fn original() -> String {
    (0..60)
        .map(|line| format!("int v{line} = {};\n", line * 37 % 11))
        .collect::<Vec<_>>()
        .concat()
}

#[test]
fn the_result_the_events_and_the_counts_are_the_same_for_every_number_of_jobs() {
    // Neither monotone nor predictable: an odd number of lines and three that are needed.
    let check =
        "test $(($(wc -l < \"$1\") % 3)) != 1 && grep -q 'v7 ' \"$1\" && grep -q 'v31 ' \"$1\"";
    for strategy in ["lines", "tokens"] {
        let env = TestEnv::new();
        env.write("bug.c", original());
        let alone = events(&env, "1", check, strategy);
        for jobs in ["2", "5"] {
            assert_eq!(
                events(&env, jobs, check, strategy),
                alone,
                "{strategy}, {jobs} jobs"
            );
        }
    }
}

/// Each job needs some open files, and 1,024 of them are what a shell usually allows.
#[test]
fn many_jobs_do_not_run_out_of_open_files() {
    let env = TestEnv::new();
    env.check("check.sh", "grep -q bug \"$1\"");
    env.write("bug.c", "one\nbug\ntwo\nthree\n".repeat(20));
    let binary = env.command(&["--strategy", "lines", "-j", "60", "check.sh", "bug.c"]);
    let mut command = env.command_of("sh");
    command.args(["-c", r#"ulimit -Sn 100; exec "$0" "$@""#]);
    command.arg(binary.get_program()).args(binary.get_args());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!(env.text("bug.reduced.c"), "bug\n");
}
