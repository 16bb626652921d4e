//! No place that is written to is one that is read from, and nothing that a run writes can be read by more people than its
//! input.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::harness::TestEnv;

const BUG: &str = "int a;\nint bug;\nint b;\n";

fn env() -> TestEnv {
    let env = TestEnv::new();
    env.check("check.sh", "grep -q bug \"$1\"");
    env.write("bug.c", BUG);
    env
}

/// What stands in the folder that the binary runs in, with permissions; links are not followed.
fn world(folder: &Path) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
    let mut world = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let (path, found) = (entry.path(), entry.metadata().unwrap());
        let content = if found.is_file() {
            fs::read(&path).unwrap()
        } else {
            Vec::new()
        };
        if found.is_dir() {
            world.extend(self::world(&path));
        }
        world.insert(path, (found.permissions().mode(), content));
    }
    world
}

/// Runs, expects a refusal of the command line, and that nothing at all has changed.
#[track_caller]
fn refused(env: &TestEnv, args: &[&str]) {
    let before = world(&env.path(""));
    let run = env.run(&[&["-q"], args].concat()).expect_code(2);
    assert!(run.stderr.contains("\nhint: "), "{args:?}: {}", run.stderr);
    assert_eq!(world(&env.path("")), before, "{args:?}: {}", run.stderr);
    env.assert_nothing_left(run.pid);
}

/// Another path to `bug.c`.
fn spelled(env: &TestEnv, spelling: &str) -> String {
    match spelling {
        "absolute" => return env.path("bug.c").to_str().unwrap().into(),
        "link.c" => symlink("bug.c", env.path("link.c")).unwrap(),
        "hard.c" => fs::hard_link(env.path("bug.c"), env.path("hard.c")).unwrap(),
        "here/bug.c" => symlink(".", env.path("here")).unwrap(),
        _ => fs::create_dir(env.path("folder")).unwrap(),
    }
    spelling.into()
}

#[test]
fn a_place_that_is_read_is_refused_whatever_its_spelling() {
    for spelling in [
        "./bug.c",
        "folder/.././bug.c",
        "absolute",
        "link.c",
        "hard.c",
        "here/bug.c",
    ] {
        for option in ["-o", "--json", "--report", "--state"] {
            let env = env();
            let place = spelled(&env, spelling);
            refused(&env, &[option, &place, "check.sh", "bug.c"]);
            refused(&env, &[option, "bug.c", "check.sh", &place]);
        }
    }
}

#[test]
fn the_check_and_what_its_command_names_are_not_written() {
    for option in ["-o", "--json", "--report"] {
        let env = env();
        let reference = env.write("ref.txt", "bug");
        symlink("check.sh", env.path("link.sh")).unwrap();
        let reference = reference.to_str().unwrap();
        refused(&env, &[option, "./link.sh", "check.sh", "bug.c"]);
        for command in [
            &["grep", "-qf", reference, "@@"][..],
            &["grep", "-q", &format!("--file={reference}"), "@@"],
            &[
                "sh",
                "-c",
                &format!("grep -qf '{reference}' \"$1\""),
                "-",
                "@@",
            ],
            &["grep", "-qf", "ref.txt", "@@"],
        ] {
            refused(
                &env,
                &[&[option, "ref.txt", "bug.c", "--"], command].concat(),
            );
        }
        refused(
            &env,
            &[option, "check.sh", "bug.c", "--", "./check.sh", "@@"],
        );
    }
}

/// A command may name the file by the name that the candidate has where it runs.
#[test]
fn a_command_may_name_its_input() {
    let env = env();
    env.run(&["-qi", "bug.c", "--", "grep", "-q", "bug", "bug.c"])
        .expect_code(0);
    assert_eq!(env.text("bug.c.orig"), BUG);
}

#[test]
fn what_in_place_keeps_is_not_written() {
    for kept in [false, true] {
        for args in [
            &["-i", "--report", "bug.c.orig"][..],
            &["-i", "--json", "./bug.c.orig"],
            &["--json", "bug.c.orig"],
            &["-o", "bug.c.orig"],
            &["-o", "bug.c.orig.1"],
            &["-i", "--state", "bug.c.orig"],
        ] {
            let env = env();
            if kept {
                env.write("bug.c.orig", "the first original");
            }
            refused(&env, &[args, &["check.sh", "bug.c"]].concat());
        }
    }
    let env = env();
    env.write("bug.c.orig", "the first original");
    fs::hard_link(env.path("bug.c.orig"), env.path("hard")).unwrap();
    refused(&env, &["-i", "--json", "hard", "check.sh", "bug.c"]);
}

#[test]
fn two_results_do_not_share_a_place() {
    for args in [
        &["-o", "x", "--report", "x"][..],
        &["-o", "x", "--json", "./x"],
        &["-o", "x", "--json", "missing/../x"],
        &["--report", "x", "--json", "x"],
        &["-o", "here/x", "--json", "x"],
        &["-o", "nowhere", "--json", "target"],
        &["--state", "x", "--json", "x"],
        &["--state", "st", "-o", "st/best"],
        &["--state", "st", "--report", "here/st/journal"],
        &[
            "--also-interesting",
            "3",
            "-o",
            "x",
            "--json",
            "x.also-interesting",
        ],
        &[
            "--also-interesting",
            "3",
            "-o",
            "x",
            "--state",
            "x.also-interesting",
        ],
    ] {
        let env = env();
        symlink(".", env.path("here")).unwrap();
        symlink("target", env.path("nowhere")).unwrap();
        refused(&env, &[args, &["check.sh", "bug.c"]].concat());
    }
}

#[test]
fn standard_output_may_not_be_the_input_either() {
    for args in [["-o", "-"], ["--json", "-"]] {
        let env = env();
        let file = fs::OpenOptions::new()
            .append(true)
            .open(env.path("bug.c"))
            .unwrap();
        let args = [&args[..], &["check.sh", "bug.c"]].concat();
        let output = env.command(&args).stdout(file).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(env.text("bug.c"), BUG);
    }
}

#[test]
fn a_folder_that_no_run_has_made_is_no_state() {
    for (name, content) in [
        ("best", "mine"),
        ("journal", "mine"),
        ("journal", "paredown"),
        ("notes.txt", ""),
        (".hidden", "mine"),
        ("sub/journal", "paredown state 1\n"),
    ] {
        let env = env();
        env.write(&format!("st/{name}"), content);
        if content == "paredown" {
            env.write("st/best", "mine");
        }
        refused(&env, &["--state", "st", "check.sh", "bug.c"]);
        refused(
            &env,
            &["--state", "st/.", "--json", "events", "check.sh", "bug.c"],
        );
    }
}

#[test]
fn parts_of_a_state_that_are_no_plain_files_are_neither_read_nor_followed() {
    let traps: &[fn(&Path)] = &[
        |path| symlink("/dev/zero", path).unwrap(),
        |path| symlink("../bug.c", path).unwrap(),
        |path| fs::create_dir(path).unwrap(),
        |path| {
            use rustix::fs::{CWD, Mode, mkfifoat};
            mkfifoat(CWD, path, Mode::RWXU).unwrap();
        },
    ];
    for trap in traps {
        for part in ["st/journal", "st/best"] {
            let env = env();
            env.run(&["-q", "--state", "st", "check.sh", "bug.c"])
                .expect_code(0);
            fs::remove_file(env.path(part)).unwrap();
            trap(&env.path(part));
            refused(&env, &["--state", "st", "check.sh", "bug.c"]);
        }
    }
}

#[test]
fn an_empty_folder_and_a_state_are_states() {
    let env = env();
    fs::create_dir(env.path("st")).unwrap();
    symlink("st", env.path("link")).unwrap();
    for place in ["st", "./link/", "new/folder/./"] {
        for _ in 0..2 {
            env.run(&["-q", "--state", place, "check.sh", "bug.c"])
                .expect_code(0);
        }
    }
}

/// It is told from what the user has put there by its name, and only one process has the folder.
#[test]
fn what_a_killed_run_has_not_finished_goes_from_the_state() {
    let env = env();
    let args = ["-q", "--state", "st", "check.sh", "bug.c"];
    env.run(&args).expect_code(0);
    env.write("st/.best.paredown-abc123", "half");
    env.write("st/.best.paredown", "mine");
    env.run(&args).expect_code(0);
    let names: Vec<PathBuf> = world(&env.path("st")).into_keys().collect();
    let wanted = ["st/.best.paredown", "st/best", "st/journal"].map(|name| env.path(name));
    assert_eq!(names, wanted);
}

#[test]
fn nothing_that_is_written_can_be_read_by_more_people_than_the_input() {
    for args in [&["-i"][..], &["-o", "result.c"]] {
        let env = env();
        env.check(
            "check.sh",
            "grep -q bug \"$1\" || { test -s \"$1\" && exit 42; exit 1; }",
        );
        fs::set_permissions(env.path("bug.c"), fs::Permissions::from_mode(0o600)).unwrap();
        fs::set_permissions(env.path("check.sh"), fs::Permissions::from_mode(0o700)).unwrap();
        let all = [
            "-q",
            "--strategy",
            "lines",
            "--state",
            "state",
            "--report",
            "report.html",
            "--json",
            "events.jsonl",
            "--also-interesting",
            "42",
            "./check.sh",
            "bug.c",
        ];
        env.run(&[args, &all].concat()).expect_code(0);
        let world = world(&env.path(""));
        let open = world.iter().filter(|(_, (mode, _))| mode & 0o077 != 0);
        assert_eq!(
            open.map(|(path, _)| path).collect::<Vec<_>>(),
            <[&PathBuf; 0]>::default()
        );
        let finds = world.keys().filter(|path| {
            let name = path.to_string_lossy();
            name.contains(".also-interesting/")
        });
        assert!(finds.count() > 0, "{:?}", world.keys());
    }
}

#[test]
fn of_failed_first_runs_the_newest_folder_stays_and_what_somebody_worked_in() {
    let env = env();
    env.check("check.sh", "exit 1");
    env.write("other.h", "other");
    fs::set_permissions(env.path("bug.c"), fs::Permissions::from_mode(0o600)).unwrap();
    let folders = || -> Vec<PathBuf> {
        let entries = fs::read_dir(env.path("../tmp")).unwrap().flatten();
        entries.map(|entry| entry.path()).collect()
    };
    let fail = || {
        let before = folders();
        env.run(&["-q", "check.sh", "bug.c", "other.h"])
            .expect_code(3);
        let mut after = folders();
        after.retain(|folder| !before.contains(folder));
        assert_eq!(after.len(), 1);
        after.remove(0)
    };
    for name in ["paredown-failed-mine", "paredown-failed-123456789abc"] {
        env.write(&format!("../tmp/{name}/bug.c"), "mine");
    }
    fail();
    let worked_in = fail();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&worked_in), 0o700);
    assert_eq!(mode(&worked_in.join("bug.c")), 0o600);
    fs::write(worked_in.join("notes"), "mine").unwrap();
    let edited = fail();
    fs::write(edited.join("bug.c"), "mine").unwrap();
    fail();
    let newest = fail();
    let left = folders();
    assert!(
        [&worked_in, &edited, &newest]
            .iter()
            .all(|folder| left.contains(folder))
    );
    assert_eq!(left.len(), 5, "{left:?}");
}

#[test]
fn in_place_goes_on_a_second_time_and_keeps_the_original() {
    let env = env();
    let args = ["-q", "-i", "--strategy", "lines", "check.sh", "bug.c"];
    env.run(&[&["--max-queries", "1"], &args[..]].concat())
        .expect_code(0);
    let first = env.text("bug.c");
    for _ in 0..2 {
        env.run(&args).expect_code(0);
        assert_eq!(env.text("bug.c"), "int bug;\n");
        assert_eq!(env.text("bug.c.orig"), BUG);
        assert_eq!(env.text("bug.c.orig.1"), first);
        assert!(!env.path("bug.c.orig.2").exists());
    }
}

/// What is left of a long text by taking parts away may have been written by somebody.
#[test]
fn in_place_keeps_a_new_text_whose_bytes_are_all_in_the_original() {
    let env = env();
    let args = ["-q", "-i", "--strategy", "lines", "check.sh", "bug.c"];
    env.run(&args).expect_code(0);
    env.write("bug.c", "bug\nint\n");
    env.run(&args).expect_code(0);
    assert_eq!(env.text("bug.c"), "bug\n");
    assert_eq!(env.text("bug.c.orig.1"), "bug\nint\n");
}

#[test]
fn in_place_loses_no_other_text_of_the_file() {
    let env = env();
    let args = ["-q", "-i", "--strategy", "lines", "check.sh", "bug.c"];
    env.run(&args).expect_code(0);
    let other = "int bug;\nsomething new\n";
    env.write("bug.c", other);
    env.run(&args).expect_code(0);
    assert_eq!(env.text("bug.c"), "int bug;\n");
    assert_eq!(env.text("bug.c.orig"), BUG);
    assert_eq!(env.text("bug.c.orig.1"), other);
}

/// The state is of the text that the file had, which is not the one that an earlier run has kept.
#[test]
fn in_place_goes_on_from_a_state_that_was_begun_beside_an_older_original() {
    let env = env();
    env.write("bug.c.orig", ["int first;\n", BUG].concat());
    let args = [
        "-i",
        "--state",
        "st",
        "--strategy",
        "lines",
        "check.sh",
        "bug.c",
    ];
    env.run(&[&["--max-queries", "1"], &args[..]].concat())
        .expect_code(0);
    assert_eq!(env.text("bug.c.orig.1"), BUG);
    let run = env.run(&args).expect_code(0);
    assert!(
        run.stderr.contains("going on from an earlier run"),
        "{}",
        run.stderr
    );
    assert_eq!(env.text("bug.c"), "int bug;\n");
    assert_eq!(env.text("bug.c.orig.1"), BUG);
    assert!(!env.path("bug.c.orig.2").exists());
}

#[test]
fn a_result_for_a_closed_standard_output_is_an_error() {
    for args in ["-o -", "--json -", "-o /dev/stdout"] {
        let env = env();
        let binary = env.command(&["-q", "check.sh", "bug.c"]);
        let mut command = env.command_of("sh");
        command.args(["-c", &format!(r#"exec "$0" {args} "$@" >&-"#)]);
        command.arg(binary.get_program()).args(binary.get_args());
        let output = command.stderr(Stdio::piped()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(
            said.contains("standard output: it is closed\nhint: "),
            "{said}"
        );
    }
}

#[test]
fn few_open_files_mean_fewer_jobs() {
    let env = env();
    env.write("bug.c", ["int bug;\n", &"int a;\n".repeat(60)].concat());
    let args =
        "-j16 --strategy tokens --state st --report r.html --json e --stdout bug bug.c -- cat @@";
    let args: Vec<&str> = args.split(' ').collect();
    let binary = env.command(&args);
    let mut command = env.command_of("sh");
    command.args(["-c", r#"ulimit -n 32; exec "$0" "$@""#]);
    command.arg(binary.get_program()).args(binary.get_args());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("too low for -j 16"), "{said}");
    assert_eq!(env.text("bug.reduced.c"), "bug");
}

#[test]
fn a_missing_folder_for_temporary_files_is_named() {
    let env = env();
    env.check("check.sh", "exit 1");
    let missing = env.path("missing");
    let output = env
        .command(&["-q", "check.sh", "bug.c"])
        .env("TMPDIR", &missing)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let hint = format!("hint: make it: mkdir -p {}", missing.display());
    assert!(said.contains(&hint), "{said}");
}
