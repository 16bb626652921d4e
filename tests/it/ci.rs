//! What `examples/ci` says works as it stands there.

use std::path::Path;

use crate::harness::TestEnv;

/// A folder with the scripts, a compiler that crashes for files with the word `bug`, and files.
fn env() -> TestEnv {
    let env = TestEnv::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/ci");
    for name in ["reduce-crash.sh", "pipeline.sh"] {
        env.executable(name, &std::fs::read_to_string(examples.join(name)).unwrap());
    }
    env.check("compiler", "for word; do case $word in *.c) grep -q bug \"$word\" && { echo 'internal compiler error: in f' >&2; exit 4; }; esac; done; exit 0");
    env.write("good.c", "int a;\n");
    env.write("bad.c", "int a;\nint bug;\nint c;\n");
    env
}

#[test]
fn the_pipeline_reduces_what_crashes_and_fails() {
    let env = env();
    let output = env
        .command_of("./pipeline.sh")
        .args(["good.c", "bad.c"])
        .env("CC", env.path("compiler"))
        .env("PAREDOWN", env!("CARGO_BIN_EXE_paredown"))
        .env("GITHUB_STEP_SUMMARY", env.path("page.md"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert_eq!(env.text("reduced/bad.c"), "bug\n", "{said}");
    assert!(env.text("reduced/report.html").contains("bad.c"));
    assert!(env.text("page.md").starts_with("## paredown: "));
    assert_eq!(env.text("page.md"), env.text("reduced/summary.md"));
    assert!(!env.path("reduced/good.c").exists());
}

#[test]
fn the_workflows_command_runs_as_written() {
    let env = env();
    let workflow = include_str!("../../examples/ci/workflow.yml");
    let line = workflow
        .lines()
        .find_map(|line| line.trim().strip_prefix("run: ci/"));
    let line = line.expect("the workflow runs the script");
    let output = env
        .command_of("sh")
        .args(["-c", &format!("./{line}")])
        .env("FILE", "bad.c")
        .env("MESSAGE", "internal compiler error")
        .env(
            "COMMAND",
            format!("{} -O2 -c @@", env.path("compiler").display()),
        )
        .env("PAREDOWN", env!("CARGO_BIN_EXE_paredown"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!(env.text("reduced/bad.c"), "bug\n");
}
