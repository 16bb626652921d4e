//! What the doctor says about broken checks, word for word: the fault and what to change.

use std::fmt::Write;

use crate::harness::TestEnv;

/// A broken check of a file.
#[derive(Clone, Copy)]
struct Broken {
    name: &'static str,
    /// The script's text, unless the check is a command.
    script: &'static str,
    file: (&'static str, &'static str),
    /// What stands before the file and behind it.
    args: (&'static [&'static str], &'static [&'static str]),
}

const FILE: (&str, &str) = (
    "bug.c",
    "#include \"types.h\"\nint a; /* note */\nint bug = 1;\n",
);

const fn script(name: &'static str, script: &'static str) -> Broken {
    let args: (&[&str], &[&str]) = (&["check.sh"], &[]);
    Broken {
        name,
        script,
        file: FILE,
        args,
    }
}

const fn of_file(file: (&'static str, &'static str), broken: Broken) -> Broken {
    Broken { file, ..broken }
}

const fn command(name: &'static str, behind: &'static [&'static str]) -> Broken {
    Broken {
        name,
        script: "",
        file: FILE,
        args: (&[], behind),
    }
}

/// `{WORK}` is the folder with the file and the check.
const BROKEN: &[Broken] = &[
    script("standard input", "grep -q bug"),
    command(
        "standard input of a command",
        &["--", "sh", "-c", "grep -q bug", "@@"],
    ),
    script("another name", "grep -q bug test.c"),
    command("no marker", &["--", "grep", "-q", "bug"]),
    command("no marker, and wrong", &["--", "grep", "-q", "nothing"]),
    script("a relative include", "[ -f types.h ] && grep -q bug \"$1\""),
    script("a helper beside it", "grep -qf pattern.txt \"$1\""),
    Broken {
        args: (&["checks/check.sh"], &[]),
        ..script("a helper elsewhere", "grep -qf pattern.txt \"$1\"")
    },
    script("a lost file", "echo 'tool: cannot find lost.txt'; exit 1"),
    // What dash and bash say.
    script(
        "a program that is not there",
        "echo 'sh: 1: clangg-99: not found' >&2; exit 127",
    ),
    script(
        "the same in another shell",
        "echo 'sh: line 1: clangg-99: command not found' >&2; exit 127",
    ),
    script(
        "a helper that may not be run",
        "echo 'sh: 1: /opt/helper: Permission denied' >&2; exit 126",
    ),
    script("an argument that is not given", "cat \"$2\""),
    of_file(
        ("my bug.c", "int bug;\n"),
        script("a path that is not quoted", "grep -q bug $1"),
    ),
    script("an end before its beginning", "exit 1\ngrep -q bug \"$1\""),
    script("the wrong way round", "! grep -q bug \"$1\""),
    script("its last step", "echo done; grep -q 999 bug.c"),
    script(
        "its last step before it cleans up",
        "mkdir folder; trap 'rm -rf folder' EXIT; grep -q 999 bug.c || exit 3",
    ),
    script(
        "a crash of its own",
        "echo begin >&2; sh -c 'kill -SEGV $$'",
    ),
    command("no known cause", &["--stdout", "zzz", "--", "cat", "@@"]),
    command(
        "no known cause at all",
        &["--", "sh", "-c", "exit 127", "sh", "@@"],
    ),
    command("the other stream", &["--stderr", "bug", "--", "cat", "@@"]),
    command(
        "the other stream, the other way",
        &[
            "--stdout",
            "bug",
            "--",
            "sh",
            "-c",
            "cat \"$1\" >&2",
            "sh",
            "@@",
        ],
    ),
    of_file(
        ("bug.c", "int f(int bug) { return a[1]; }\n"),
        command(
            "a pattern that means something else",
            &["--stdout", "a[1]", "--", "cat", "@@"],
        ),
    ),
    command("another exit status", &["--", "grep", "-q", "zzz", "@@"]),
    command(
        "another exit status than the wanted",
        &["--exit-code", "7", "--", "grep", "-q", "bug", "@@"],
    ),
    script("it accepts everything", "grep -q bug \"$1\"; exit 0"),
    command("a command that accepts everything", &["--", "true"]),
    command(
        "a command that accepts everything it gets",
        &["--", "true", "@@"],
    ),
    script("the original alone", "grep -q bug {WORK}/bug.c"),
    script(
        "the original too",
        "grep -q bug {WORK}/bug.c && grep -q bug \"$1\"",
    ),
    script("an empty file", "[ -f bug.c ]"),
    script("the comment", "grep -q note \"$1\""),
    script("a process", "sleep 1000 & grep -q bug \"$1\""),
    script(
        "a file outside",
        "grep -q bug \"$1\" && cp \"$1\" {WORK}/outside.txt",
    ),
    script(
        "the original changed",
        "grep -q bug \"$1\" && echo >> {WORK}/bug.c",
    ),
    of_file(
        ("bug.js", "bug();\n"),
        script("a weak check of JavaScript", "grep -q bug \"$1\""),
    ),
    of_file(
        ("bug.json", "[\"bug\"]\n"),
        script("a weak check of JSON", "grep -q bug \"$1\""),
    ),
    of_file(
        ("bug.py", "bug()\n"),
        script("a weak check of Python", "grep -q bug \"$1\""),
    ),
    of_file(
        ("bug.cpp", "int bug;\n"),
        script("a weak check of C++", "grep -q bug \"$1\""),
    ),
    of_file(
        ("bug.bash", "bug\n"),
        script("a weak check of Bash", "grep -q bug \"$1\""),
    ),
    of_file(
        ("bug.txt", "bug\n"),
        script("a weak check of text", "grep -q bug \"$1\""),
    ),
];

/// Faults and notes of one check, without what differs from machine to machine.
fn said(broken: &Broken) -> String {
    let env = TestEnv::new();
    let (file, text) = broken.file;
    env.write(file, text);
    env.write("types.h", "int c;\n");
    env.write("pattern.txt", "bug\n");
    let work = env.path("");
    let work = work.to_str().unwrap().trim_end_matches('/');
    let (before, behind) = broken.args;
    if let [check] = before {
        let text = broken.script.replace("{WORK}", work);
        std::fs::create_dir_all(env.path(check).parent().unwrap()).unwrap();
        env.check(check, &text);
    }
    let words = [&["doctor", "--timeout", "20"], before, &[file], behind].concat();
    let run = env.run(&words);
    env.assert_nothing_left(run.pid);
    let path = std::env::var("PATH").unwrap_or_default();
    let out = env.filtered(&run.stdout_text()).replace(&path, "[PATH]");
    let mut lines = String::new();
    let mut is_bad = false;
    for line in out.lines() {
        is_bad = line.starts_with("fault")
            || line.starts_with("note")
            || is_bad && line.starts_with(' ');
        if is_bad {
            let _ = writeln!(lines, "{line}");
        }
    }
    format!("exit {}\n{lines}{}", run.code, run.stderr)
}

#[test]
fn each_broken_check_is_told_what_to_change() {
    let mut all = String::new();
    for broken in BROKEN {
        let _ = writeln!(
            all,
            "== {}: {}\n{}",
            broken.name,
            broken.script,
            said(broken)
        );
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_lost_file_is_known_by_all_that_programs_say() {
    for words in [
        "No such file or directory",
        "not found",
        "cannot open",
        "can't open",
        "cannot find",
        "can't find",
        "does not exist",
        "ModuleNotFoundError",
    ] {
        let env = TestEnv::new();
        env.write("bug.c", "int bug;\n");
        env.check(
            "check.sh",
            &format!("echo \"tool: lost.txt: {words}\"; exit 1"),
        );
        let run = env.run(&["doctor", "check.sh", "bug.c"]).expect_code(3);
        let said = "fault  `lost.txt` does not exist: tool: lost.txt: ";
        let out = run.stdout_text();
        assert!(out.contains(said), "{words}: {out}");
    }
}
