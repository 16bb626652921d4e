//! What the command line offers.

use crate::harness::{TestEnv, have};
use paredown::syntax::Language;

#[test]
fn the_help_says_all_of_this() {
    let run = TestEnv::new().run(&["--help"]).expect_code(0);
    insta::assert_snapshot!(run.stdout_text());
}

#[test]
fn the_short_help_says_this() {
    let run = TestEnv::new().run(&["-h"]).expect_code(0);
    insta::assert_snapshot!(run.stdout_text());
}

#[test]
fn the_version_is_the_packages() {
    let run = TestEnv::new().run(&["-V"]).expect_code(0);
    assert_eq!(
        run.stdout_text(),
        format!("paredown {}\n", paredown::report::VERSION)
    );
}

#[test]
fn the_long_version_names_commit_and_grammars() {
    let run = TestEnv::new().run(&["--version"]).expect_code(0);
    let said = run.stdout_text();
    assert!(paredown::report::VERSION.starts_with(env!("CARGO_PKG_VERSION")));
    assert!(said.starts_with(&format!(
        "paredown {}\ngrammars:\n",
        paredown::report::VERSION
    )));
    for name in Language::names() {
        assert!(
            said.contains(&format!("\n  {name}: tree-sitter-")),
            "{said}"
        );
    }
}

#[test]
fn each_shell_gets_its_completions_and_man_its_page() {
    for (what, sign) in [
        ("man", ".TH paredown"),
        ("bash", "complete -F _paredown"),
        ("zsh", "#compdef paredown"),
        ("fish", "complete -c paredown"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let run = TestEnv::new().run(&["--generate", what]).expect_code(0);
        assert!(run.stdout_text().contains(sign), "{what}");
    }
}

/// What a shell offers for the last of these words.
fn completed(env: &TestEnv, shell: &str, words: &[&str]) -> Vec<String> {
    let script = env.run(&["--generate", shell]).expect_code(0).stdout;
    env.write("completions", script);
    let mut command = env.command_of(shell);
    if shell == "bash" {
        let body = r#"source ./completions; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _paredown; printf '%s\n' "${COMPREPLY[@]}""#;
        command.args(["--norc", "-c", body, "bash"]).args(words);
    } else {
        let line = words.join(" ");
        command.args([
            "--no-config",
            "-c",
            &format!("source ./completions; complete -C '{line}'"),
        ]);
    }
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
    let offered = String::from_utf8(output.stdout).unwrap();
    let offered = offered
        .lines()
        .map(|line| line.split('\t').next().unwrap().to_owned());
    offered
        .filter(|word| !word.is_empty() && word != "completions")
        .collect()
}

#[test]
fn files_come_first_and_each_option_has_its_own_words() {
    for shell in ["bash", "fish"] {
        if !have(shell) {
            continue;
        }
        let env = TestEnv::new();
        env.write("bug.c", "");
        env.write("check.sh", "");
        env.write("sub/deep.c", "");
        env.write("init.c", "");
        let is_bash = shell == "bash";
        let offered = |words: &[&str]| completed(&env, shell, words);
        let files = offered(&["paredown", "bu"]);
        assert_eq!(files, ["bug.c"], "{shell}");
        let first = offered(&["paredown", ""]);
        for file in ["bug.c", "check.sh"] {
            assert!(first.contains(&file.to_owned()), "{shell}: {first:?}");
        }
        assert!(first.iter().all(|word| !word.starts_with('-')), "{first:?}");
        let second = offered(&["paredown", "check.sh", "i"]);
        assert_eq!(second, ["init.c"], "{shell}");
        for (begun, task) in [("do", "doctor"), ("in", "init"), ("ba", "batch")] {
            let offered = offered(&["paredown", begun]);
            assert!(offered.contains(&task.to_owned()), "{shell}: {offered:?}");
        }
        assert_eq!(
            offered(&["paredown", "--language", "py"]),
            ["python"],
            "{shell}"
        );
        assert_eq!(
            offered(&["paredown", "-l", "typ"]),
            ["typescript"],
            "{shell}"
        );
        assert_eq!(
            offered(&["paredown", "x", "--signal", "SEG"]),
            ["SEGV"],
            "{shell}"
        );
        assert_eq!(
            offered(&["paredown", "init", "--kind", "ha"]),
            ["hang"],
            "{shell}"
        );
        assert_eq!(offered(&["paredown", "--max-t"]), ["--max-time"], "{shell}");
        if is_bash {
            assert_eq!(offered(&["paredown", "--language", "=", "py"]), ["python"]);
            assert_eq!(offered(&["paredown", "--state", ""]), ["sub"]);
            assert_eq!(offered(&["paredown", "--jobs", ""]), [""; 0]);
            let programs = offered(&["paredown", "bug.c", "--", "cat"]);
            assert!(programs.contains(&"cat".to_owned()), "{programs:?}");
            assert_eq!(offered(&["paredown", "bug.c", "--", "cat", "b"]), ["bug.c"]);
            assert_eq!(offered(&["paredown", "init", "--kin"]), ["--kind"]);
        }
    }
}

#[test]
fn the_scripts_for_zsh_and_bash_can_be_read() {
    for shell in ["zsh", "bash"] {
        if !have(shell) {
            continue;
        }
        let env = TestEnv::new();
        let script = env.run(&["--generate", shell]).expect_code(0).stdout;
        env.write("completions", &script);
        let output = env.command_of(shell).args(["-n", "completions"]).output();
        assert_eq!(String::from_utf8_lossy(&output.unwrap().stderr), "");
        assert!(String::from_utf8_lossy(&script).contains("doctor"));
    }
}

#[test]
fn the_man_page_has_no_warnings() {
    let run = TestEnv::new().run(&["--generate", "man"]).expect_code(0);
    assert!(run.stdout.is_ascii());
    if !have("groff") {
        return;
    }
    let env = TestEnv::new();
    env.write("paredown.1", &run.stdout);
    let mut groff = env.command_of("groff");
    let output = groff
        .args(["-man", "-ww", "-Tascii", "-z", "paredown.1"])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn the_list_of_languages_has_names_and_extensions() {
    let env = TestEnv::new();
    let run = env.run(&["--language", "list"]).expect_code(0);
    let list = run.stdout_text();
    assert_eq!(list.lines().count(), Language::names().count());
    for line in ["c           .c .h .i", "json        .json"] {
        assert!(list.lines().any(|known| known.starts_with(line)), "{list}");
    }
    let run = env.run(&["--generate", "bash"]).expect_code(0);
    let completions = run.stdout_text();
    for name in Language::names() {
        assert!(completions.contains(name), "{name}");
    }
}

#[test]
fn an_unknown_language_is_refused_with_the_known_ones() {
    let run = TestEnv::new().run(&["--language", "cobol", "check.sh", "a.cob"]);
    let run = run.expect_code(2);
    for name in Language::names().chain(["none", "list"]) {
        assert!(run.stderr.contains(name), "{name}: {}", run.stderr);
    }
}

#[test]
fn what_is_said_names_the_language_or_that_there_is_none() {
    for (name, said, language) in [
        ("a.c", "tokens, read as c\n", serde_json::json!("c")),
        (
            "a.unknown",
            "tokens\nno language is known for it: cut by brackets, lines and bytes (see --language list)\n",
            serde_json::Value::Null,
        ),
    ] {
        let env = TestEnv::new();
        env.check("check.sh", "grep -q a \"$1\"");
        env.write(name, "int a;\nint b;\n");
        let options = ["--json", "events.json", "--report", "report.html"];
        let run = env.run(&[&options[..], &["check.sh", name]].concat());
        assert!(run.expect_code(0).stderr.contains(said), "{name}");
        let events = env.text("events.json");
        let file: serde_json::Value = serde_json::from_str(events.lines().nth(1).unwrap()).unwrap();
        assert_eq!(file["language"], language);
        let in_report = match language.as_str() {
            Some(language) => format!("<p>read as {language}</p>"),
            None => "<p>no language is known for it".to_owned(),
        };
        assert!(env.text("report.html").contains(&in_report), "{name}");
    }
}

#[test]
fn a_full_standard_output_is_an_error_and_no_panic() {
    let env = TestEnv::new();
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = env.command(&["--generate", "man"]);
    let output = command
        .stdout(full)
        .stderr(std::process::Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&output.stderr).starts_with("error: cannot write standard output")
    );
}
