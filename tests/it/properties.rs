//! Properties that need no script: hangs, memory, crashes that stay the same, and commands that differ.

use crate::harness::{TestEnv, have};

/// The result of a reduction by lines.
#[track_caller]
fn reduced(env: &TestEnv, args: &[&str]) -> String {
    let common = ["--strategy", "lines", "-q", "-o", "small"];
    let run = env.run(&[&common[..], args].concat()).expect_code(0);
    env.assert_nothing_left(run.pid);
    env.text("small")
}

#[test]
fn a_program_that_does_not_end_is_interesting() {
    let env = TestEnv::new();
    env.write("bug.txt", "a\nloop\nb\nsay\nc\n");
    env.executable(
        "tool",
        "#!/bin/sh\ngrep -q say \"$1\" && echo hello\ngrep -q loop \"$1\" && sleep 1000\nexit 0\n",
    );
    let hang = ["--timeout-is-interesting", "1"];
    let command = ["bug.txt", "--", "./tool", "@@"];
    for jobs in ["-j1", "-j2"] {
        let args = [&[jobs], &hang[..], &command].concat();
        assert_eq!(reduced(&env, &args), "loop\n");
    }
    let args = [&hang[..], &["--stdout", "hello"], &command].concat();
    assert_eq!(reduced(&env, &args), "loop\nsay\n");
    env.write("bug.txt", "a\n");
    let run = env.run(&[&hang[..], &command].concat()).expect_code(3);
    assert!(
        run.stderr.contains("wanted is no end within 1 s"),
        "{}",
        run.stderr
    );
    // It is about a command.
    env.check("check.sh", "exit 0");
    env.run(&[&hang[..], &["check.sh", "bug.txt"]].concat())
        .expect_code(2);
}

#[test]
fn a_program_that_takes_too_much_memory_is_interesting() {
    if !have("python3") {
        return;
    }
    let env = TestEnv::new();
    env.write("bug.py", "a = 1\nb = bytearray(700 << 20)\nc = 2\n");
    let args = [
        "--memory-is-interesting",
        "500",
        "bug.py",
        "--",
        "python3",
        "@@",
    ];
    assert_eq!(reduced(&env, &args), "b = bytearray(700 << 20)\n");
}

/// A program that crashes in two ways, and prints what nobody can foretell around it.
fn crashing_tool(env: &TestEnv) {
    let script = r#"#!/bin/sh
grep -q first "$1" && {
    echo "==$$==ERROR: AddressSanitizer: heap-use-after-free on address 0x60$$" >&2
    printf '    #0 0x%s in parse %s/p.c:%s\n    #1 0x1 in main m.c:1\n' $$ "$PWD" "$(wc -l < "$1")" >&2
    exit 1
}
grep -q second "$1" && {
    echo "==$$==ERROR: AddressSanitizer: heap-use-after-free on address 0x60$$" >&2
    printf '    #0 0x%s in print %s/p.c:9\n    #1 0x1 in main m.c:1\n' $$ "$PWD" >&2
    exit 1
}
exit 0
"#;
    env.executable("tool", script);
}

#[test]
fn a_crash_stays_the_same_one() {
    let env = TestEnv::new();
    crashing_tool(&env);
    env.write("bug.txt", "x\nsecond\ny\nfirst\nz\n");
    let args = ["--same-crash", "bug.txt", "--", "./tool", "@@"];
    assert_eq!(reduced(&env, &args), "first\n");
    // Without it the last one that stays is another one.
    let args = [
        "--exit-code",
        "1",
        "--backward",
        "bug.txt",
        "--",
        "./tool",
        "@@",
    ];
    assert_eq!(reduced(&env, &args), "second\n");
    env.write("bug.txt", "fine\n");
    let run = env
        .run(&["--same-crash", "bug.txt", "--", "./tool", "@@"])
        .expect_code(3);
    assert!(run.stderr.contains("wanted is a crash"), "{}", run.stderr);
}

#[test]
fn two_commands_differ_in_the_exit_code_or_in_the_output() {
    let env = TestEnv::new();
    env.write("bug.txt", "a\nonly\nb\nfail\nboth\nc\n");
    // Both fail alike on a file without `both`.
    let body = |own: &str| format!("#!/bin/sh\ngrep -q both \"$1\" || exit 7\n{own}\nexit 0\n");
    env.executable("old", &body(""));
    env.executable(
        "new",
        &body("grep only \"$1\"; grep -q fail \"$1\" && exit 3"),
    );
    let commands = ["bug.txt", "--", "./old", "@@", "--and", "./new", "@@"];
    for (differs, left) in [
        ("--differs=exit-code", "fail\nboth\n"),
        ("--differs=stdout", "only\nfail\nboth\n"),
        ("--differs", "fail\nboth\n"),
    ] {
        for jobs in ["-j1", "-j2"] {
            let args = [&[differs, jobs], &commands[..]].concat();
            assert_eq!(reduced(&env, &args), left, "{differs}");
        }
    }
    for wrong in [
        &commands[..4],
        &commands[..5],
        &["bug.txt", "--", "--and", "./new"],
    ] {
        env.run(&[&["--differs"], wrong].concat()).expect_code(2);
    }
    env.write("bug.txt", "both\n");
    let run = env
        .run(&[&["--differs"], &commands[..]].concat())
        .expect_code(3);
    assert!(
        run.stderr.contains("a difference between the two commands"),
        "{}",
        run.stderr
    );
}
