//! Rewrites of the user's own.

use crate::harness::TestEnv;

/// What no built-in pass does.
const DOUBLE: &str = "[[rewrite]]
name = 'sum-to-product'
about = 'Makes a sum of equal parts a product.'
query = '((binary_expression left: (_) @left \"+\" right: (_) @right) @sum (#eq? @left @right))'
replace = { sum = '2*@left' }
";

fn environment() -> TestEnv {
    let env = TestEnv::new();
    env.write("bug.c", "int f(int a) { int b; return g(a) + g(a); }\n");
    env.check(
        "check.sh",
        "grep -qF 'g(a) + g(a)' \"$1\" || grep -qF '2*g(a)' \"$1\"",
    );
    env
}

#[test]
fn a_rewrite_of_the_users_is_tried() {
    let env = environment();
    env.run(&["-o", "small", "check.sh", "bug.c"])
        .expect_code(0);
    assert_eq!(env.text("small").trim(), "g(a) + g(a)");
    env.write("own.toml", DOUBLE);
    env.run(&["--rewrites", "own.toml", "-o", "small", "check.sh", "bug.c"])
        .expect_code(0);
    assert_eq!(env.text("small").trim(), "2*g(a)");
}

#[test]
fn a_mistake_is_named_with_its_place() {
    let env = environment();
    env.write("own.toml", DOUBLE.replace("(_) @right", "(_) @other"));
    let run = env.run(&["--rewrites", "own.toml", "-o", "small", "check.sh", "bug.c"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("own.toml:4:"), "{}", run.stderr);
    assert!(run.stderr.contains("`right`"), "{}", run.stderr);
    let run = env.run(&[
        "--rewrites",
        "none.toml",
        "-o",
        "small",
        "check.sh",
        "bug.c",
    ]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("none.toml"), "{}", run.stderr);
}

#[test]
fn rewrites_belong_to_what_a_state_is_of() {
    let env = environment();
    env.write("own.toml", DOUBLE);
    let with_state = |env: &TestEnv| {
        env.run(&[
            "--rewrites",
            "own.toml",
            "--state",
            "state",
            "-o",
            "small",
            "check.sh",
            "bug.c",
        ])
    };
    with_state(&env).expect_code(0);
    with_state(&env).expect_code(0);
    env.write("own.toml", DOUBLE.replace("2*", "2 * "));
    let run = with_state(&env);
    assert!(run.stderr.contains("is of another run"), "{}", run.stderr);
}

#[test]
fn the_list_of_passes_names_the_rewrites() {
    let run = TestEnv::new().run(&["--help-passes"]).expect_code(0);
    let text = run.stdout_text();
    for words in [
        "rewrite ",
        "Rewrites of c:",
        "Rewrites of javascript:",
        "drop-dimension",
    ] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn who_closes_the_pipe_has_read_enough() {
    let env = TestEnv::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = env.command(&["--help-passes"]);
    let output = command.stdout(writer).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{output:?}");
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = command.stdout(full).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot write standard output"), "{said}");
}
