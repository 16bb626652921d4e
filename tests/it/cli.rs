//! What the command line offers.

use crate::harness::TestEnv;

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
    let run = TestEnv::new().run(&["--version"]).expect_code(0);
    assert_eq!(
        run.stdout_text(),
        format!("paredown {}\n", env!("CARGO_PKG_VERSION"))
    );
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

#[test]
fn a_closed_standard_output_is_an_error_and_no_panic() {
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
        String::from_utf8_lossy(&output.stderr)
            .starts_with("error: cannot write to standard output")
    );
}
