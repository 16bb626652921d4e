//! What a run reads besides its inputs, what stands in a folder that is reduced, and what others have put where a run writes:
//! none of it is written to, waited for without end, or followed.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::{PermissionsExt, chown, lchown, symlink};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, Mode, mkfifoat};

use crate::harness::{PATIENCE, Run, TestEnv, have, skipped};

const BUG: &str = "int a;\nint bug;\nint b;\n";
const NOBODY: u32 = 65534;

fn env() -> TestEnv {
    let env = TestEnv::new();
    env.check("check.sh", "grep -qr bug ${1:-.}");
    env.write("bug.c", BUG);
    env
}

/// Ends with this code, and soon, where a fault would wait for ever.
#[track_caller]
fn ends(env: &TestEnv, args: &[&str], code: i32) -> Run {
    let mut child = env.spawn(args);
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{args:?} does not end");
        }
        std::thread::park_timeout(Duration::from_millis(1));
    }
    Run::finish(child).expect_code(code)
}

fn pipe(env: &TestEnv, name: &str) {
    mkfifoat(CWD, env.path(name), Mode::RWXU).unwrap();
}

#[test]
fn files_that_options_name_are_not_written() {
    let env = env();
    env.write("rewrites.toml", "");
    env.write("launcher.toml", "run = \"env\"\n");
    env.write("style", "mine");
    let style = format!("cat @@; : {}", env.path("style").display());
    for (option, value, file, mine) in [
        ("--rewrites", "rewrites.toml", "./rewrites.toml", ""),
        (
            "--launcher",
            "launcher.toml",
            "launcher.toml",
            "run = \"env\"\n",
        ),
        ("--transform", &style, "style", "mine"),
    ] {
        for place in ["--json", "--report", "--summary", "-o"] {
            env.run(&["-q", option, value, place, file, "check.sh", "bug.c"])
                .expect_code(2);
            assert_eq!(env.text(file), mine, "{option} {place}");
        }
    }
}

#[test]
fn a_file_on_standard_input_is_not_written() {
    for option in ["-o", "--json", "--report"] {
        let env = env();
        let mut command = env.command(&["-q", option, "bug.c", "check.sh", "-"]);
        command.stdin(fs::File::open(env.path("bug.c")).unwrap());
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{option}");
        assert_eq!(env.text("bug.c"), BUG, "{option}");
    }
    let env = env();
    let mut command = env.command(&["-q", "check.sh", "-"]);
    command.stdin(fs::File::open(env.path("bug.c")).unwrap());
    let file = OpenOptions::new().append(true).open(env.path("bug.c"));
    assert_eq!(
        command
            .stdout(file.unwrap())
            .output()
            .unwrap()
            .status
            .code(),
        Some(2)
    );
    assert_eq!(env.text("bug.c"), BUG);
}

/// What an earlier run has written there is written again.
#[test]
fn parts_of_a_folder_that_is_reduced_are_not_written() {
    let env = env();
    for name in ["project/main.c", "project/other.c", "project/.git/config"] {
        env.write(name, BUG);
    }
    symlink("project/main.c", env.path("link")).unwrap();
    fs::hard_link(env.path("project/main.c"), env.path("hard")).unwrap();
    for option in ["--json", "--report", "--summary", "--record"] {
        for place in ["project/main.c", "project/.git/config", "link", "hard"] {
            let run = env.run(&["-q", option, place, "check.sh", "project"]);
            let run = run.expect_code(2);
            let said = "would take the place of a part of the input: ";
            assert!(run.stderr.contains(said), "{}", run.stderr);
            let hint = "hint: choose a name that nothing has yet, or one outside of the folder";
            assert!(run.stderr.contains(hint), "{}", run.stderr);
            assert_eq!(env.text(place), BUG, "{option} {place}");
        }
    }
    for _ in 0..2 {
        env.run(&[
            "-q",
            "--strategy",
            "lines",
            "--json",
            "project/events",
            "--report",
            "project/report.html",
            "--summary",
            "project/summary.md",
            "check.sh",
            "project",
        ])
        .expect_code(0);
        let names = fs::read_dir(env.path("project.reduced")).unwrap();
        assert_eq!(names.count(), 1);
    }
}

#[test]
fn a_batch_writes_to_nothing_of_the_users() {
    let env = env();
    env.write("bugs/a/bug.c", BUG);
    let check = env.check("bugs/a/check.sh", "grep -q bug \"$1\"");
    let check_text = fs::read_to_string(&check).unwrap();
    for json in [
        "bugs/a/bug.c",
        "bugs/a/check.sh",
        "bugs/a/new",
        "bugs/a/paredown.json",
    ] {
        env.run(&["batch", "--json", json, "bugs"]).expect_code(2);
        assert_eq!(env.text("bugs/a/bug.c"), BUG);
        assert_eq!(fs::read_to_string(&check).unwrap(), check_text);
        assert!(!env.path("bugs/a/new").exists());
    }
    env.write("bugs/paredown-pool/notes", "mine");
    let run = env.run(&["batch", "bugs"]).expect_code(2);
    let said =
        "error: no batch has made what is in bugs/paredown-pool\nhint: give it another name: mv ";
    assert!(run.stderr.starts_with(said), "{}", run.stderr);
    assert_eq!(env.text("bugs/paredown-pool/notes"), "mine");
    fs::remove_dir_all(env.path("bugs/paredown-pool")).unwrap();
    for name in ["paredown.log", "paredown.json"] {
        env.write("precious", "precious");
        let path = env.path(&format!("bugs/a/{name}"));
        let traps: [&dyn Fn(&Path); 3] = [
            &|path| symlink("../../precious", path).unwrap(),
            &|path| fs::hard_link(env.path("precious"), path).unwrap(),
            &|path| mkfifoat(CWD, path, Mode::RWXU).unwrap(),
        ];
        for trap in traps {
            trap(&path);
            let run = ends(&env, &["batch", "bugs"], 1);
            let said = format!("{name} is a link or no file");
            assert!(run.stderr.contains(&said), "{}", run.stderr);
            assert_eq!(env.text("precious"), "precious", "{name}");
            fs::remove_file(&path).unwrap();
        }
    }
    fs::set_permissions(env.path("bugs/a/bug.c"), fs::Permissions::from_mode(0o600)).unwrap();
    for _ in 0..2 {
        env.run(&["batch", "--json", "bugs/table", "bugs"])
            .expect_code(0);
    }
    let log = fs::metadata(env.path("bugs/a/paredown.log")).unwrap();
    assert_eq!(log.permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_pipe_that_an_option_names_is_not_waited_for() {
    let env = env();
    for name in ["pipe", "pipe.toml", "grammar/tree-sitter.json"] {
        fs::create_dir_all(env.path("grammar")).unwrap();
        pipe(&env, name);
    }
    for part in ["grammar.json", "node-types.json"] {
        env.write(&format!("grammar/{part}"), "{\"name\": \"x\"}");
    }
    for (option, value, code, said) in [
        ("--record", "pipe", 2, "error: pipe is no file"),
        ("--record", "/dev/zero", 2, "error: /dev/zero is no file"),
        ("--rewrites", "pipe", 1, "a pipe"),
        ("--rewrites", "/dev/zero", 1, "a device"),
        ("--launcher", "pipe.toml", 1, "a pipe"),
        ("--grammar", "grammar", 2, "no parser library"),
    ] {
        let args = ["-q", option, value, "check.sh", "bug.c"];
        let run = ends(&env, &args, code);
        assert!(run.stderr.contains(said), "{option}: {}", run.stderr);
    }
}

/// Whether files can be given to other users here; a test that needs that says so and passes.
fn may_be_others() -> bool {
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        skipped("only root can be another user");
    }
    is_root && have("setpriv")
}

/// The binary, run by a user who is in this group, too.
fn run_by_nobody(env: &TestEnv, group: &str, args: &[&str]) -> Run {
    let root = env.path("..");
    fs::set_permissions(&root, fs::Permissions::from_mode(0o755)).unwrap();
    for folder in ["", "../tmp", "../home"] {
        chown(env.path(folder), Some(NOBODY), Some(NOBODY)).unwrap();
    }
    let id = NOBODY.to_string();
    let mut command = env.command_of("setpriv");
    command.args(["--reuid", &id, "--regid", &id, "--groups", group]);
    let binary = env.command(args);
    command.arg(binary.get_program()).args(binary.get_args());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    Run::finish(command.spawn().unwrap())
}

#[test]
fn a_link_of_another_user_in_a_shared_folder_is_not_followed() {
    const STRANGER: u32 = 12345;
    if !may_be_others() {
        return;
    }
    for option in ["-o", "--report", "--json"] {
        let env = env();
        env.write("shared/bug.c", BUG);
        let precious = env.write("precious", "precious");
        chown(&precious, Some(NOBODY), Some(NOBODY)).unwrap();
        fs::set_permissions(env.path("shared"), fs::Permissions::from_mode(0o1777)).unwrap();
        let link = env.path("shared/out");
        symlink("../precious", &link).unwrap();
        lchown(&link, Some(STRANGER), Some(STRANGER)).unwrap();
        let args = ["-q", option, "shared/out", "./check.sh", "shared/bug.c"];
        let run = run_by_nobody(&env, "0", &args).expect_code(1);
        let said = "it is a link that another user has put there";
        assert!(run.stderr.contains(said), "{}", run.stderr);
        assert_eq!(env.text("precious"), "precious", "{option}");
        // One's own is meant.
        lchown(&link, Some(NOBODY), Some(NOBODY)).unwrap();
        run_by_nobody(&env, "0", &args).expect_code(0);
        assert_ne!(env.text("precious"), "precious", "{option}");
    }
}

/// What a group may read is not for the group of whoever reduces it.
#[test]
fn copies_are_not_for_another_group() {
    const GROUP: u32 = 4242;
    if !may_be_others() {
        return;
    }
    let env = env();
    let input = env.path("bug.c");
    chown(&input, Some(NOBODY), Some(GROUP)).unwrap();
    fs::set_permissions(&input, fs::Permissions::from_mode(0o640)).unwrap();
    let args = [
        "-q",
        "--report",
        "report",
        "--state",
        "state",
        "-o",
        "out",
        "./check.sh",
        "bug.c",
    ];
    run_by_nobody(&env, "4242", &args).expect_code(0);
    let access = |name: &str| {
        use std::os::unix::fs::MetadataExt;
        let found = fs::metadata(env.path(name)).unwrap();
        (found.permissions().mode() & 0o777, found.gid())
    };
    for name in ["out", "report", "state/best"] {
        assert_eq!(access(name), (0o600, NOBODY), "{name}");
    }
    run_by_nobody(&env, "4242", &["-qi", "./check.sh", "bug.c"]).expect_code(0);
    assert_eq!(access("bug.c"), (0o640, GROUP));
    assert_eq!(access("bug.c.orig"), (0o640, GROUP));
}

#[test]
fn a_folder_of_results_is_written_by_its_owner_alone_whatever_is_masked() {
    let env = env();
    env.write("other.c", "int other;\n");
    env.executable(
        "both.sh",
        "#!/bin/sh\ngrep -q bug bug.c && test -e other.c\n",
    );
    let mut command = env.command_of("sh");
    command.args(["-c", "umask 000; exec \"$@\"", "sh"]);
    command.arg(env!("CARGO_BIN_EXE_paredown"));
    command.args(["-q", "-o", "new/small", "./both.sh", "bug.c", "other.c"]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    for folder in ["new", "new/small"] {
        let mode = fs::metadata(env.path(folder)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755, "{folder}");
    }
}
