//! Every complaint: one clear line, one hint, an exit code, and nothing lost.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::harness::TestEnv;

/// An environment with a check that accepts everything but an empty file, and a file to reduce.
fn env() -> TestEnv {
    let env = TestEnv::new();
    env.check("check.sh", "grep -q bug \"$1\"");
    env.write("bug.c", "int bug;\n");
    env
}

/// Runs, asserts the exit code, that nothing is left, and gives what was said.
#[track_caller]
fn complaint(env: &TestEnv, code: i32, args: &[&str]) -> String {
    let run = env.run(args).expect_code(code);
    env.assert_nothing_left(run.pid);
    assert_eq!(run.stdout_text(), "");
    env.filtered(&run.stderr)
}

macro_rules! says {
    ($env:expr, $code:expr, [$($arg:expr),* $(,)?]) => {
        insta::assert_snapshot!(complaint(&$env, $code, &[$($arg),*]))
    };
}

#[test]
fn no_arguments() {
    says!(env(), 2, []);
}

#[test]
fn a_command_without_a_file() {
    says!(env(), 2, ["--", "cc", "-c", "@@"]);
}

#[test]
fn a_file_after_the_dashes() {
    says!(env(), 1, ["check.sh", "--", "-bug.c"]);
}

#[test]
fn standard_input_without_a_byte() {
    says!(env(), 1, ["check.sh", "-"]);
}

#[test]
fn one_argument_only() {
    says!(env(), 2, ["check.sh"]);
}

#[test]
fn an_unknown_option() {
    says!(env(), 2, ["--fast", "check.sh", "bug.c"]);
}

#[test]
fn an_unknown_strategy() {
    says!(env(), 2, ["--strategy", "hddx", "check.sh", "bug.c"]);
}

#[test]
fn a_file_that_does_not_exist() {
    says!(env(), 1, ["check.sh", "nothing.c"]);
}

#[test]
fn an_empty_folder() {
    let env = env();
    fs::create_dir(env.path("folder")).unwrap();
    says!(env, 1, ["check.sh", "folder"]);
}

#[test]
fn a_device_as_the_file() {
    says!(env(), 1, ["check.sh", "/dev/zero"]);
}

#[test]
fn an_empty_file() {
    let env = env();
    env.write("empty.c", "");
    says!(env, 1, ["check.sh", "empty.c"]);
}

#[test]
fn a_file_that_is_given_twice() {
    says!(env(), 2, ["check.sh", "bug.c", "./bug.c"]);
}

#[test]
fn a_check_that_does_not_exist() {
    says!(env(), 1, ["chekc.sh", "bug.c"]);
}

#[test]
fn a_file_whose_name_is_not_like_any_other() {
    says!(env(), 1, ["check.sh", "something_else.py"]);
}

#[test]
fn a_check_and_a_command() {
    says!(env(), 2, ["check.sh", "bug.c", "--", "gcc", "-c", "@@"]);
}

#[test]
fn a_script_to_reduce_with_a_command_is_no_check() {
    let env = env();
    env.run(&["-q", "check.sh", "--", "grep", "-q", "bug", "@@"])
        .expect_code(0);
    assert!(env.text("check.reduced.sh").contains("bug"));
}

#[test]
fn a_number_that_is_none() {
    says!(env(), 2, ["-j", "abc", "check.sh", "bug.c"]);
}

#[test]
fn a_number_that_is_too_large() {
    says!(env(), 2, ["-j", "2000", "check.sh", "bug.c"]);
}

#[test]
fn a_time_that_is_none() {
    says!(env(), 2, ["--timeout", "soon", "check.sh", "bug.c"]);
}

#[test]
fn a_time_limit_below_a_hundredth_of_a_second() {
    let env = env();
    env.check("check.sh", "sleep 100");
    let said = env.run(&["--timeout", "0.001", "check.sh", "bug.c"]);
    let said = said.expect_code(3).stderr;
    assert!(said.contains("no answer in "), "{said}");
    assert!(
        !said.contains("0.0 s") && !said.contains("0.00 s"),
        "{said}"
    );
}

#[test]
fn a_language_by_its_extension() {
    let said = env().run(&["-l", "py", "check.sh", "bug.c"]);
    let said = said.expect_code(2).stderr;
    assert!(said.contains("a similar value exists: 'python'"), "{said}");
}

#[test]
fn a_check_that_is_not_executable() {
    let env = env();
    fs::set_permissions(env.path("check.sh"), fs::Permissions::from_mode(0o644)).unwrap();
    says!(env, 1, ["check.sh", "bug.c"]);
}

#[test]
fn check_and_file_in_the_wrong_order() {
    says!(env(), 1, ["bug.c", "check.sh"]);
}

#[test]
fn a_new_check_in_the_wrong_order() {
    let env = env();
    fs::set_permissions(env.path("check.sh"), fs::Permissions::from_mode(0o644)).unwrap();
    let said = complaint(&env, 1, &["bug.c", "check.sh"]);
    let hint = "hint: the check comes first: chmod +x check.sh && paredown check.sh bug.c\n";
    assert!(said.ends_with(hint), "{said}");
}

#[test]
fn a_check_without_a_shebang() {
    let env = env();
    env.executable("check.sh", "grep -q bug \"$1\"\n");
    says!(env, 1, ["check.sh", "bug.c"]);
}

#[test]
fn a_check_with_a_carriage_return_in_its_shebang() {
    let env = env();
    env.executable("check.sh", "#!/bin/sh\r\nexit 0\r\n");
    says!(env, 1, ["check.sh", "bug.c"]);
}

#[test]
fn a_command_that_does_not_exist() {
    says!(env(), 1, ["bug.c", "--", "no-such-compiler", "@@"]);
}

#[test]
fn a_condition_without_a_command() {
    says!(env(), 2, ["--stderr", "oops", "check.sh", "bug.c"]);
}

#[test]
fn a_result_in_a_folder_that_does_not_exist() {
    says!(env(), 1, ["-o", "no/such/folder.c", "check.sh", "bug.c"]);
}

#[test]
fn a_result_on_a_full_disk() {
    says!(
        env(),
        1,
        ["-q", "--report", "/dev/full", "check.sh", "bug.c"]
    );
}

#[test]
fn json_lines_on_a_full_disk() {
    says!(env(), 1, ["-q", "--json", "/dev/full", "check.sh", "bug.c"]);
}

/// Who passes it gets a signal that would end the process without a word.
#[test]
fn a_file_that_is_larger_than_the_shell_allows() {
    let env = env();
    env.write("bug.c", ["bug\n", &"more\n".repeat(2000)].concat());
    let binary = env.command(&["-q", "check.sh", "bug.c"]);
    let mut command = env.command_of("sh");
    command.args(["-c", r#"ulimit -f 1; exec "$0" "$@""#]);
    command.arg(binary.get_program()).args(binary.get_args());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("file too large\nhint: "), "{said}");
}

#[test]
fn a_result_that_is_read_only() {
    let env = env();
    env.write("bug.reduced.c", "mine");
    fs::set_permissions(env.path("bug.reduced.c"), fs::Permissions::from_mode(0o444)).unwrap();
    says!(env, 1, ["check.sh", "bug.c"]);
    assert_eq!(env.text("bug.reduced.c"), "mine");
}

#[test]
fn a_result_that_is_the_input() {
    says!(env(), 2, ["-o", "./bug.c", "check.sh", "bug.c"]);
}

#[test]
fn a_result_that_is_the_check() {
    says!(env(), 2, ["-o", "check.sh", "check.sh", "bug.c"]);
}

#[test]
fn one_place_for_two_results() {
    let env = env();
    env.write("b.c", "bug");
    env.write("one.c", "mine");
    says!(env, 2, ["-o", "one.c", "check.sh", "bug.c", "b.c"]);
}

#[test]
fn a_result_and_json_lines_both_on_stdout() {
    says!(env(), 2, ["-o", "-", "--json", "-", "check.sh", "bug.c"]);
}

#[test]
fn a_name_that_gets_too_long_is_refused_before_any_work() {
    let env = env();
    let name = ["x".repeat(249), ".c".to_owned()].concat();
    env.write(&name, "int bug;\n");
    let said = complaint(&env, 1, &["-i", "no-such-check", &name]);
    assert!(said.starts_with("error: no such file: no-such-check"));
    env.check("no.sh", "exit 1");
    let said = complaint(&env, 1, &["-i", "no.sh", &name]);
    assert!(said.contains(".c.orig: "), "{said}");
    assert!(said.ends_with("hint: give a shorter name\n"), "{said}");
}

#[test]
fn a_state_of_another_run_is_kept() {
    let env = env();
    env.run(&["--state", "st", "check.sh", "bug.c"])
        .expect_code(0);
    says!(env, 1, ["--state", "st", "--once", "check.sh", "bug.c"]);
    assert!(env.path("st/journal").exists());
}

#[test]
fn an_original_that_was_kept_before_is_not_overwritten() {
    let env = env();
    env.write("bug.c", "int bug;\nmore\n");
    env.write("bug.c.orig", "the first original");
    env.run(&["-i", "check.sh", "bug.c"]).expect_code(0);
    assert_eq!(env.text("bug.c.orig"), "the first original");
    assert_eq!(env.text("bug.c.orig.1"), "int bug;\nmore\n");
}

#[test]
fn what_is_in_the_way_of_the_kept_original_is_left_alone() {
    let env = env();
    fs::create_dir(env.path("bug.c.orig")).unwrap();
    says!(env, 1, ["-i", "check.sh", "bug.c"]);
    assert_eq!(env.text("bug.c"), "int bug;\n");
}
