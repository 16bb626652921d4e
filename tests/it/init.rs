//! `paredown init` writes a check that can be used at once.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use paredown::init::{Command, Recipe, Symptom, script};

use crate::harness::{Run, TestEnv, have};

/// A compiler that crashes with a message for files with the word `bug`, and says something harmless for others.
const COMPILER: &str = "for last; do :; done
if grep -q bug \"$last\"; then
  echo \"$last:12:3: internal compiler error: in fold, at fold.c:345\" >&2
  exit 4
fi
echo compiled";

fn env() -> TestEnv {
    let env = TestEnv::new();
    env.write("bug.c", "int a;\nint bug;\nint c;\n");
    env.check("compiler", COMPILER);
    env
}

/// Writes a check, sees that the doctor finds no fault, and reduces with it.
#[track_caller]
fn writes_a_check_that_works(env: &TestEnv, file: &str, args: &[&str]) -> String {
    let run = env.run(&[&["init"], args].concat());
    assert_eq!(run.code, 0, "{}\n{}", run.stdout_text(), run.stderr);
    assert!(
        run.stderr
            .contains(&format!("next: paredown ./check.sh {file}")),
        "{}",
        run.stderr
    );
    env.assert_nothing_left(run.pid);
    env.run(&["-q", "./check.sh", file]).expect_code(0);
    env.text("check.sh")
}

#[test]
fn a_crash_is_known_by_its_message_without_places() {
    let env = env();
    let args = [
        "--kind",
        "crash",
        "bug.c",
        "--",
        "./compiler",
        "-c",
        "bug.c",
    ];
    let check = writes_a_check_that_works(&env, "bug.c", &args);
    assert!(
        check.contains("grep -qF -e 'internal compiler error: in fold, at' output.txt"),
        "{check}"
    );
    assert!(check.contains("/compiler -c \"$1\""), "{check}");
    assert_eq!(env.text("bug.reduced.c"), "bug\n");
}

#[test]
fn an_exit_code_is_found_by_running_the_command() {
    let env = env();
    let args = ["--kind", "exit-code", "bug.c", "--", "./compiler", "@@"];
    let check = writes_a_check_that_works(&env, "bug.c", &args);
    assert!(check.contains("[ $? -eq 4 ]"), "{check}");
}

#[test]
fn two_commands_that_differ() {
    let env = env();
    env.write("in.txt", "b\na\n");
    let args = [
        "--kind",
        "wrong-output",
        "--versus",
        "sort @@",
        "in.txt",
        "--",
        "cat",
        "@@",
    ];
    let run = env.run(&[&["init"], &args[..]].concat()).expect_code(0);
    assert!(run.stdout_text().contains("it accepts the original"));
    env.run(&["-q", "./check.sh", "in.txt"]).expect_code(0);
    let left = env.text("in.reduced.txt");
    assert!(left.lines().count() > 1, "{left}");
}

#[test]
fn two_optimisation_levels_need_a_program_with_a_meaning() {
    if !have("cc") {
        return;
    }
    let env = env();
    let text = "#include <stdio.h>\nint main(void) {\n#ifdef __OPTIMIZE__\n  puts(\"fast\");\n#endif\n  int a = 1;\n  printf(\"%d\\n\", a);\n  return 0;\n}\n";
    env.write("bug.c", text);
    let args = [
        "--kind",
        "wrong-output",
        "--versus",
        "cc -O0",
        "bug.c",
        "--",
        "cc",
        "-O2",
    ];
    env.run(&[&["init"], &args[..]].concat()).expect_code(0);
    // What is not defined differs for no bug of the compiler.
    let undefined = text.replace("int a = 1", "int a; a += 2147483647; a += 2147483647");
    env.write("undefined.c", undefined);
    let run = env.run(&["./check.sh", "undefined.c"]);
    run.expect_code(3);
}

#[test]
fn a_sanitizers_report_is_known_by_its_kind() {
    if !have("cc") {
        return;
    }
    let env = env();
    let text = "int main(int c, char **v) {\n  int a[3] = {1};\n  c += 2147483647;\n  return a[0] * 0 + (c == 5);\n}\n";
    env.write("bug.c", text);
    let probe = env
        .command_of("cc")
        .args(["-fsanitize=undefined", "bug.c", "-o", "probe"])
        .status();
    if !probe.is_ok_and(|status| status.success()) {
        eprintln!("skipped: cc has no sanitizers on this machine");
        return;
    }
    let args = [
        "--kind",
        "sanitizer",
        "bug.c",
        "--",
        "cc",
        "-fsanitize=undefined",
    ];
    let check = writes_a_check_that_works(&env, "bug.c", &args);
    assert!(
        check.contains("runtime error: signed integer overflow"),
        "{check}"
    );
}

#[test]
fn a_hang_is_known_by_its_processor_time() {
    let env = env();
    let work = |text: &str| {
        let command = Command::from_text(text, Path::new("bug.c"), false, |_| None);
        let recipe = Recipe {
            command,
            symptom: Symptom::Hangs(1),
            valid: None,
        };
        env.executable("hang.sh", &script(&recipe));
        let status = env.command_of("./hang.sh").arg("bug.c").status();
        status.unwrap().success()
    };
    assert!(work("sh -c 'while :; do :; done' @@"));
    assert!(!work("cat @@"));
    assert!(!work("false @@"));
}

#[test]
fn what_is_missing_is_asked_for() {
    let env = env();
    let mut command = env.command(&["init"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut answers = child.stdin.take().unwrap();
    answers
        .write_all(b"bug.c\n9\n1\n./compiler -c @@\n")
        .unwrap();
    drop(answers);
    let run = Run::finish(child).expect_code(0);
    for question in [
        "the file that shows it:",
        "what goes wrong?",
        "the command that shows it",
    ] {
        assert!(run.stderr.contains(question), "{}", run.stderr);
    }
    assert!(
        env.text("check.sh")
            .contains("internal compiler error: in fold, at")
    );
}

#[test]
fn what_nobody_answers_is_an_error_with_the_option() {
    let env = env();
    let run = env.run(&["init", "bug.c"]).expect_code(2);
    assert!(
        run.stderr
            .ends_with("hint: --kind crash, wrong-output, hang, sanitizer or exit-code\n"),
        "{}",
        run.stderr
    );
}

#[test]
fn what_exists_is_never_overwritten() {
    let env = env();
    env.write("check.sh", "mine");
    let run = env.run(&["init", "--kind", "crash", "bug.c", "--", "./compiler", "@@"]);
    let said = run.expect_code(2).stderr;
    assert!(
        said.contains("check.sh exists already") && said.contains("-o check2.sh"),
        "{said}"
    );
    assert_eq!(env.text("check.sh"), "mine");
}

#[test]
fn a_file_stays_valid_if_a_command_says_so() {
    let env = env();
    env.check("valid", "grep -q 'int a' \"$1\"");
    let args = [
        "--kind",
        "crash",
        "--valid",
        "./valid @@",
        "bug.c",
        "--",
        "./compiler",
        "@@",
    ];
    writes_a_check_that_works(&env, "bug.c", &args);
    assert!(env.text("bug.reduced.c").contains("int a"));
}

#[test]
fn init_has_a_help_of_its_own() {
    let run = TestEnv::new().run(&["init", "--help"]).expect_code(0);
    insta::assert_snapshot!(run.stdout_text());
}

/// Each kind of check, for a compiler whose program is to be run and for another command.
#[test]
fn each_script_is_this() {
    let command = |text: &str, makes_program: bool| {
        Command::from_text(text, Path::new("bug.c"), makes_program, |_| None)
    };
    let recipe = |command: &Command, symptom| Recipe {
        command: command.clone(),
        symptom,
        valid: None,
    };
    let (gcc, other) = (command("gcc -O2", true), command("tool --check @@", false));
    let right = command("gcc -O0", true);
    let message = || "it's wrong".to_owned();
    let mut recipes = [
        recipe(&other, Symptom::Message(message())),
        recipe(&gcc, Symptom::Report(message())),
        recipe(&other, Symptom::Report(message())),
        recipe(&gcc, Symptom::Differs(right)),
        recipe(&other, Symptom::Differs(command("sort @@", false))),
        recipe(&other, Symptom::Hangs(10)),
        recipe(&other, Symptom::ExitCode(4)),
    ];
    recipes[0].valid = Some(command("gcc -fsyntax-only @@", false));
    let scripts: Vec<String> = recipes.iter().map(script).collect();
    insta::assert_snapshot!(scripts.join("-----\n"));
}

#[test]
fn what_init_says_on_its_way() {
    let env = env();
    let run = env.run(&["init"]).expect_code(2);
    assert!(
        run.stderr
            .ends_with("hint: paredown init bug.c -- gcc -c @@\n"),
        "{}",
        run.stderr
    );
    let run = env.run(&["init", "--kind", "crash", "bug.c", "--", "true", "@@"]);
    let said = run.expect_code(2).stderr;
    for words in [
        "the command ended with 0 and printed: nothing",
        "the text that is printed when it goes wrong:",
        "hint: --message 'the text'",
    ] {
        assert!(said.contains(words), "{said}");
    }
    let args = ["init", "--kind", "crash", "bug.c", "--", "./compiler", "@@"];
    let said = env.run(&args).expect_code(0).stderr;
    for words in [
        "the text to look for: internal compiler error: in fold, at",
        "check.sh is written; it is tried now:",
    ] {
        assert!(said.contains(words), "{said}");
    }
    let said = env.run(&args).expect_code(2).stderr;
    assert!(
        said.ends_with("hint: give another name: -o check2.sh\n"),
        "{said}"
    );
    let other = [
        &args[..3],
        &["-o", "other.sh", "--message", "zzz"],
        &args[3..],
    ]
    .concat();
    let said = env.run(&other).expect_code(3).stderr;
    let words = "change other.sh, and look again: paredown doctor ./other.sh bug.c";
    assert!(said.contains(words), "{said}");
}

#[test]
fn an_answer_that_cannot_be_read_is_an_error() {
    let env = env();
    let mut command = env.command(&["init"]);
    let folder = std::fs::File::open(env.path("")).unwrap();
    let child = command
        .stdin(folder)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let said = Run::finish(child).expect_code(1).stderr;
    assert!(said.contains("error: cannot read the answer: "), "{said}");
}
