//! `paredown doctor` names what is wrong with a check, and the first failure of an ordinary run says the same.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::harness::{TestEnv, have};

/// A file in whose comment stands `note`, and whose second line has the `bug`.
const INPUT: &str = "int a; /* note */\nint bug = 1;\nint b;\n";

fn env(check: &str) -> TestEnv {
    let env = TestEnv::new();
    env.write("bug.c", INPUT);
    env.check("check.sh", check);
    env
}

/// What the doctor says, with the exit code.
#[track_caller]
fn diagnosis(env: &TestEnv, code: i32, args: &[&str]) -> String {
    let words = [&["doctor", "--timeout", "20"], args].concat();
    let run = env.run(&words);
    assert_eq!(run.code, code, "{}\n{}", run.stdout_text(), run.stderr);
    env.assert_nothing_left(run.pid);
    env.filtered(&run.stdout_text())
}

/// The check is broken, and the doctor says so with these words.
#[track_caller]
fn broken(env: &TestEnv, args: &[&str], words: &[&str]) {
    let said = diagnosis(env, 3, args);
    for word in words {
        assert!(said.contains(word), "`{word}` is not in:\n{said}");
    }
}

/// As [`broken`], and an ordinary run fails with the same.
#[track_caller]
fn broken_from_the_start(env: &TestEnv, args: &[&str], words: &[&str]) {
    broken(env, args, words);
    let run = env.run(args).expect_code(3);
    for word in words {
        assert!(
            run.stderr.contains(word),
            "`{word}` is not in:\n{}",
            run.stderr
        );
    }
}

const SCRIPT: [&str; 2] = ["check.sh", "bug.c"];

#[test]
fn a_good_check_gets_no_fault() {
    let env = env("grep -q bug \"$1\" && ! grep -q '[)]]' \"$1\"");
    let said = diagnosis(&env, 0, &SCRIPT);
    for word in [
        "it accepts the original",
        "a run takes ",
        "10 runs gave the same answer",
        "it reads the candidate by the path that is its argument\n",
        "it refuses an empty file",
        "it refuses the file with a syntax error in it",
        "it accepts the file without its comments",
        "at once do not disturb each other",
        "it leaves no process running",
        "it leaves nothing outside its own folder",
    ] {
        assert!(said.contains(word), "`{word}` is not in:\n{said}");
    }
    assert!(!said.contains("fault") && !said.contains("note"), "{said}");
    assert_eq!(env.text("bug.c"), INPUT);
}

#[test]
fn a_check_that_reads_by_name_is_good_too() {
    let env = env("grep -q bug bug.c");
    let said = diagnosis(&env, 0, &SCRIPT);
    assert!(
        said.contains("by its name in the folder in which it runs"),
        "{said}"
    );
}

#[test]
fn broken_01_it_reads_standard_input() {
    let env = env("grep -q bug");
    broken_from_the_start(
        &env,
        &SCRIPT,
        &[
            "reads the candidate from its standard input",
            "exec < \"$1\"",
        ],
    );
}

#[test]
fn broken_02_it_reads_a_file_of_another_name() {
    let env = env("grep -q bug test.c");
    let words = [
        "reads `test.c`, but the candidate is called `bug.c`",
        "write \"$1\" instead of test.c",
    ];
    broken_from_the_start(&env, &SCRIPT, &words);
}

#[test]
fn broken_03_the_command_has_no_marker() {
    let env = env("exit 0");
    let words = ["there is no `@@` in it", "-- grep -q bug @@"];
    broken_from_the_start(&env, &["bug.c", "--", "grep", "-q", "bug"], &words);
}

#[test]
fn broken_04_it_reads_the_original_by_an_absolute_path() {
    let env = TestEnv::new();
    let path = env.write("bug.c", INPUT);
    env.check("check.sh", &format!("grep -q bug {}", path.display()));
    broken(
        &env,
        &SCRIPT,
        &["it opens the original by an absolute path ([WORK]/bug.c)"],
    );
    let run = env.run(&SCRIPT).expect_code(3);
    assert!(
        run.stderr
            .contains("let it use the path that it gets as \"$1\""),
        "{}",
        run.stderr
    );
}

#[test]
fn broken_05_it_goes_to_its_own_folder() {
    let env = env("cd \"$(dirname \"$0\")\" && grep -q bug bug.c");
    broken(
        &env,
        &SCRIPT,
        &[
            "it opens the original by an absolute path",
            "do not `cd` away",
        ],
    );
}

#[test]
fn broken_06_a_relative_include_is_missing() {
    if !have("cc") {
        return;
    }
    let env = env("cc -fsyntax-only \"$1\"");
    env.write("types.h", "typedef int number;\n");
    env.write("bug.c", "#include \"types.h\"\nnumber bug;\n");
    let words = [
        "`types.h` is not in the folder in which the check runs",
        "with it there the original is accepted",
        "-I ",
    ];
    broken_from_the_start(&env, &SCRIPT, &words);
}

#[test]
fn broken_07_a_helper_script_is_missing() {
    let env = env("./tools/look.sh \"$1\" || exit 1");
    fs::create_dir(env.path("tools")).unwrap();
    env.check("tools/look.sh", "grep -q bug \"$1\"");
    let words = [
        "`tools/look.sh` is not in the folder",
        "\"$(dirname \"$0\")\"/tools/look.sh",
    ];
    broken_from_the_start(&env, &SCRIPT, &words);
}

#[test]
fn broken_08_its_answer_is_the_wrong_way_round() {
    let env = env("! grep -q bug \"$1\"");
    broken_from_the_start(
        &env,
        &SCRIPT,
        &[
            "the wrong way round",
            "exit with 0 when the file is interesting",
        ],
    );
}

#[test]
fn broken_09_it_accepts_everything() {
    let env = env("grep -q bug \"$1\"; exit 0");
    broken(
        &env,
        &SCRIPT,
        &["it does not look at the candidate", "\"$1\""],
    );
}

#[test]
fn broken_10_its_answers_change() {
    let env = TestEnv::new();
    env.write("bug.c", INPUT);
    let book = env.write("book", "");
    let count = format!(
        "echo x >> {0}; [ $(($(wc -l < {0}) % 3)) != 0 ] && grep -q bug \"$1\"",
        book.display()
    );
    env.check("check.sh", &count);
    broken(
        &env,
        &SCRIPT,
        &[
            "it accepted the original in ",
            "of 10 runs only",
            "--confidence 0.99",
        ],
    );
}

#[test]
fn broken_11_it_writes_to_a_fixed_place() {
    let env = TestEnv::new();
    env.write("bug.c", INPUT);
    let place = env.path("fixed.txt");
    env.check(
        "check.sh",
        &format!("cp \"$1\" {0}; sleep 0.1; grep -q bug {0}", place.display()),
    );
    let words = [
        "at once disturb each other",
        "it writes outside its own folder: [WORK]/fixed.txt",
    ];
    broken(&env, &SCRIPT, &words);
}

#[test]
fn broken_12_it_leaves_a_process() {
    let env = env("sleep 1000 & grep -q bug \"$1\"");
    let said = diagnosis(&env, 0, &SCRIPT);
    assert!(
        said.contains("it leaves processes running: sleep"),
        "{said}"
    );
}

#[test]
fn broken_13_it_never_ends() {
    let env = env("sleep 1000");
    let words = ["the check does not end within ", "timeout 10 program"];
    let run = env.run(&["doctor", "--timeout", "0.5", "check.sh", "bug.c"]);
    let said = run.expect_code(3).stdout_text();
    for word in words {
        assert!(said.contains(word), "{said}");
    }
}

#[test]
fn broken_14_a_program_does_not_exist() {
    let env = env("clangg-99 -c \"$1\" 2>&1 | grep -q error || { clangg-99 -c \"$1\"; exit 1; }");
    broken_from_the_start(
        &env,
        &SCRIPT,
        &["a program of the check does not exist", "clangg-99"],
    );
}

#[test]
fn broken_15_the_message_is_on_the_other_stream() {
    let env = env("exit 0");
    let args = ["bug.c", "--stderr", "bug", "--", "cat", "@@"];
    broken_from_the_start(
        &env,
        &args,
        &[
            "what --stderr wants is printed, but on standard output",
            "--stdout bug",
        ],
    );
}

#[test]
fn broken_16_the_exit_code_is_another() {
    let env = env("exit 0");
    let args = ["bug.c", "--", "grep", "-q", "nothing", "@@"];
    broken_from_the_start(&env, &args, &["ends with exit status 1", "--exit-code 1"]);
}

#[test]
fn broken_17_one_of_its_steps_fails() {
    let env = env("grep -q bug \"$1\" || exit 1\nwc -l \"$1\" > lines\ngrep -q 999 lines");
    broken_from_the_start(
        &env,
        &SCRIPT,
        &["the last step of the script was `grep -q 999 lines`"],
    );
}

#[test]
fn broken_18_its_pattern_means_something_else() {
    let env = env("exit 0");
    env.write("bug.c", "int f(int bug) { return a[1]; }\n");
    let args = ["bug.c", "--stdout", "a[1]", "--", "cat", "@@"];
    broken_from_the_start(
        &env,
        &args,
        &[
            "as a regular expression it means something else",
            r"--stdout 'a\[1\]'",
        ],
    );
}

#[test]
fn broken_19_it_changes_the_original() {
    let env = TestEnv::new();
    let path = env.write("bug.c", INPUT);
    env.check(
        "check.sh",
        &format!("grep -q bug \"$1\" && echo >> {}", path.display()),
    );
    broken(&env, &SCRIPT, &["it changes the original"]);
}

#[test]
fn broken_20_a_helper_may_not_be_run() {
    let env = env("exec ./helper \"$1\"");
    env.write("helper", "#!/bin/sh\ngrep -q bug \"$1\"\n");
    fs::set_permissions(env.path("helper"), fs::Permissions::from_mode(0o644)).unwrap();
    let said = diagnosis(&env, 3, &SCRIPT);
    assert!(said.contains("helper"), "{said}");
}

#[test]
fn broken_21_it_looks_for_the_candidate_in_another_folder() {
    let env = env("cd / && grep -q bug bug.c");
    broken_from_the_start(
        &env,
        &SCRIPT,
        &[
            "`bug.c` is the candidate, but it is looked for where it is not: grep: bug.c",
            "look before anything goes to another folder: the check starts where the candidate is",
        ],
    );
}

#[test]
fn broken_22_it_makes_another_name_of_the_candidates() {
    let env = env("cat \"${1%.c}.i\" > text && grep -q bug text");
    broken_from_the_start(
        &env,
        &SCRIPT,
        &["the check reads `bug.i`, but the candidate is called `bug.c`"],
    );
}

#[test]
fn broken_23_a_command_inside_of_a_step_fails() {
    let env = env("set -e\nn=$(grep -c nothing \"$1\")\ngrep -q bug \"$1\"");
    broken_from_the_start(
        &env,
        &SCRIPT,
        &[
            "the last steps of the script were `grep -c nothing ",
            "` and `n=0`",
        ],
    );
}

/// A trial that accepts by chance would be taken for the cause.
#[test]
fn broken_24_its_first_answer_is_chance() {
    let env = TestEnv::new();
    env.write("bug.c", INPUT);
    let book = env.write("book", "");
    let count = format!(
        "echo x >> {0}; [ $(($(wc -l < {0}) % 3)) != 1 ] && grep -q bug \"$1\"",
        book.display()
    );
    env.check("check.sh", &count);
    let words = [
        "it refused the original and accepted it when it was run again",
        "--confidence 0.99",
    ];
    broken(&env, &SCRIPT, &words);
}

#[test]
fn weak_checks_get_a_note() {
    let env = env("grep -q bug \"$1\"");
    let said = diagnosis(&env, 0, &SCRIPT);
    assert!(
        said.contains("it accepts the file with a syntax error in it"),
        "{said}"
    );
    assert!(said.contains("cc -fsyntax-only \"$1\" || exit 1"), "{said}");
    env.check("check.sh", "grep -q note \"$1\"");
    let said = diagnosis(&env, 0, &SCRIPT);
    assert!(
        said.contains("it refuses the file without its comments"),
        "{said}"
    );
}

#[test]
fn what_cannot_be_run_at_all_is_an_error_here_too() {
    let env = env("exit 0");
    for (name, text, said) in [
        ("plain.sh", "exit 0\n", "a script without a `#!` line"),
        ("dos.sh", "#!/bin/sh\r\nexit 0\r\n", "DOS line ends"),
        (
            "lost.sh",
            "#!/no/such/shell\nexit 0\n",
            "`/no/such/shell`, which does not exist",
        ),
    ] {
        env.executable(name, text);
        let run = env.run(&["doctor", name, "bug.c"]).expect_code(1);
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
}

#[test]
fn a_check_called_doctor_is_given_with_its_folder() {
    let env = env("exit 0");
    env.check("doctor", "grep -q bug \"$1\"");
    env.run(&["-q", "./doctor", "bug.c"]).expect_code(0);
    assert!(env.text("bug.reduced.c").contains("bug"));
}

#[test]
fn the_doctor_has_a_help_of_its_own() {
    let run = TestEnv::new().run(&["doctor", "--help"]).expect_code(0);
    insta::assert_snapshot!(run.stdout_text());
}
