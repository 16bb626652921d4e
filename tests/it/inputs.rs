//! What can be reduced beside one file, and how the check gets it: several files, folders, standard input.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Stdio;

use crate::harness::{Run, TestEnv};

fn reduce(env: &TestEnv, args: &[&str]) -> Run {
    let run = env.run(args).expect_code(0);
    env.assert_nothing_left(run.pid);
    run
}

/// The finished event of a run with `--json -`.
fn finished(run: &Run) -> serde_json::Value {
    let text = run.stdout_text();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let is_last = |line: &serde_json::Value| line["event"] == "finished";
    lines.into_iter().find(is_last).unwrap()
}

/// All files below a folder with their texts.
fn tree(env: &TestEnv, folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(env.path(&folder)).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{folder}/{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                open.push(name);
            } else {
                found.push((name.clone(), env.text(&name)));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn several_files_keep_their_names_and_folders_for_the_check_and_in_the_result() {
    let env = TestEnv::new();
    env.write(
        "src/main.c",
        "#include \"lib/util.h\"\nint bug;\nint more;\n",
    );
    env.write("src/lib/util.h", "int needed;\nint other;\n");
    let script = "cd \"$(dirname \"$1\")\" && test \"$PWD/main.c $PWD/lib/util.h\" = \"$*\" &&
        grep -q 'lib/util.h' main.c && grep -q bug main.c && grep -q needed lib/util.h";
    env.check("check.sh", script);
    let args = [
        "-o",
        "new/results",
        "check.sh",
        "src/main.c",
        "src/lib/util.h",
    ];
    reduce(&env, &args);
    let found = tree(&env, "new/results");
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["new/results/lib/util.h", "new/results/main.c"]);
    assert_eq!(found[0].1, "needed\n");
    // By default they go to a folder beside the first.
    reduce(&env, &["check.sh", "src/main.c", "src/lib/util.h"]);
    assert_eq!(env.text("src/main.reduced/lib/util.h"), "needed\n");
}

#[test]
fn the_command_that_shows_several_results_again_works() {
    let env = TestEnv::new();
    env.write("a/one.txt", "x\nkeep\n");
    env.write("b/two.txt", "y\nkeep\n");
    env.check(
        "check.sh",
        "grep -q keep \"$1\" && grep -q keep \"$2\" && grep -q keep a/one.txt",
    );
    let run = reduce(&env, &["check.sh", "a/one.txt", "b/two.txt"]);
    let again = run
        .stderr
        .lines()
        .find_map(|line| line.strip_prefix("to see it again: "));
    let again = env
        .command_of("sh")
        .args(["-c", again.unwrap()])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&again.stdout), "0\n");
}

#[test]
fn a_folder_of_results_that_stays_empty_is_not_left_behind() {
    let env = TestEnv::new();
    env.write("a.txt", "a\n");
    env.write("b.txt", "b\n");
    env.check("check.sh", "exit 1");
    env.run(&["-o", "new/results", "check.sh", "a.txt", "b.txt"])
        .expect_code(3);
    assert!(!env.path("new").exists());
}

#[test]
fn a_check_can_read_the_candidate_from_its_standard_input() {
    let env = TestEnv::new();
    env.write("bug.c", "int a;\nint bug;\nint c;\n");
    env.check("check.sh", "test $# = 0 && grep -q bug");
    for jobs in ["-j1", "-j3"] {
        reduce(&env, &[jobs, "--stdin", "check.sh", "bug.c"]);
        assert_eq!(env.text("bug.reduced.c"), "bug\n");
    }
    reduce(
        &env,
        &["--stdin", "-o", "small.c", "bug.c", "--", "grep", "bug"],
    );
    assert_eq!(env.text("small.c"), "bug\n");
    env.check("check.sh", "cat; exit 1");
    let run = env.run(&["--stdin", "check.sh", "bug.c"]).expect_code(3);
    let hint = run
        .stderr
        .lines()
        .find_map(|line| line.strip_prefix("hint: run it yourself: "));
    let again = env
        .command_of("sh")
        .args(["-c", hint.unwrap()])
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8_lossy(&again.stdout),
        "int a;\nint bug;\nint c;\n1\n"
    );
}

#[test]
fn standard_input_is_reduced_to_standard_output_or_a_file() {
    let env = TestEnv::new();
    env.check("check.sh", "grep -q bug \"$1\"");
    let piped = |args: &[&str]| {
        let mut child = env
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // Who refuses the command line reads nothing.
        let _ = stdin.write_all(b"{\"a\": [1, 2], \"bug\": 3}\n");
        drop(stdin);
        Run::finish(child)
    };
    let run = piped(&["check.sh", "-"]).expect_code(0);
    assert_eq!(run.stdout_text(), "bug\n");
    assert!(run.stderr.contains("input.json"), "{}", run.stderr);
    piped(&["-o", "small", "check.sh", "-"]).expect_code(0);
    assert_eq!(env.text("small"), "bug\n");
    let run = piped(&[
        "-l",
        "c",
        "-",
        "--",
        "sh",
        "-c",
        "test -e input.c && grep bug @@",
    ]);
    run.expect_code(0);
    for args in [&["-i", "check.sh", "-"][..], &["check.sh", "-", "a.c"]] {
        piped(args).expect_code(2);
    }
    let run = env.run(&["check.sh", "-"]).expect_code(1);
    assert!(
        run.stderr.contains("standard input is empty"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_check_that_never_looks_at_the_candidate_is_told_so() {
    let env = TestEnv::new();
    let path = env.write("bug.c", "int bug;\nint c;\n");
    let path = path.to_str().unwrap();
    let reads_original = format!("reads the original, {path}");
    for (script, said) in [
        (format!("grep -q bug {path}"), reads_original.as_str()),
        ("true".to_owned(), "never looks at the candidate"),
    ] {
        env.check("check.sh", &script);
        let run = env.run(&["check.sh", "bug.c"]).expect_code(3);
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
    let run = env
        .run(&["bug.c", "--", "grep", "-q", "bug", path])
        .expect_code(3);
    assert!(run.stderr.contains(&reads_original), "{}", run.stderr);
    // Of several files none is looked at.
    env.write("other.c", "int other;\n");
    env.check("check.sh", "true");
    let run = env.run(&["check.sh", "bug.c", "other.c"]).expect_code(3);
    assert!(
        run.stderr.contains("never looks at the candidate"),
        "{}",
        run.stderr
    );
}

/// Three hundred files in thirty folders, of which three are needed.
fn large_folder(env: &TestEnv) {
    for number in 0..300 {
        let name = format!("project/part{}/file{number}.c", number / 10);
        let text =
            format!("int value_{number};\nint other_{number}(void) {{ return {number}; }}\n");
        env.write(&name, text);
    }
    let script = r#"cd "$1" || exit 1
        for number in 17 144 291; do grep -qs "value_$number" part*/file$number.c || exit 1; done"#;
    env.check("check.sh", script);
}

#[test]
fn three_files_of_three_hundred_are_found_in_less_than_sixty_queries() {
    let env = TestEnv::new();
    large_folder(&env);
    let mut results = Vec::new();
    for jobs in ["-j1", "-j3"] {
        let run = reduce(
            &env,
            &[
                jobs,
                "--json",
                "-",
                "-o",
                &jobs[1..],
                "check.sh",
                "project/",
            ],
        );
        let finished = finished(&run);
        let passes = finished["passes"].as_array().unwrap();
        let files = passes.iter().find(|pass| pass["name"] == "files").unwrap();
        let first_round = files["queries"].as_u64().unwrap();
        assert!(first_round < 60, "{files}");
        assert_eq!(finished["one_minimal"], true);
        results.push((tree(&env, &jobs[1..]), finished["queries"].as_u64()));
    }
    let names: Vec<&str> = results[0].0.iter().map(|(name, _)| &name[3..]).collect();
    assert_eq!(
        names,
        ["part1/file17.c", "part14/file144.c", "part29/file291.c"]
    );
    assert!(
        results[0].0.iter().all(|(_, text)| text.len() < 20),
        "{results:?}"
    );
    assert_eq!(results[0].1, results[1].1);
    let texts = |run: usize| results[run].0.iter().map(|(_, text)| text.clone());
    assert!(texts(0).eq(texts(1)));
}

#[test]
fn the_check_runs_in_the_folder_that_is_reduced_and_finds_all_as_it_was() {
    let env = TestEnv::new();
    let run = env.write("p/bin/run.sh", "#!/bin/sh\n# comment\necho ran\n");
    fs::set_permissions(&run, fs::Permissions::from_mode(0o755)).unwrap();
    env.write("p/empty", "");
    env.write("p/logo.bin", [b'x', 0, 1, 2]);
    fs::create_dir(env.path("p/nothing")).unwrap();
    symlink("bin/run.sh", env.path("p/start")).unwrap();
    symlink("../outside", env.path("p/out")).unwrap();
    env.write("p/.git/HEAD", "ref");
    let script = "test \"$PWD\" = \"$1\" && test \"${PWD##*/}\" = p && test -L start &&
        test \"$(./start)\" = ran && test -x bin/run.sh && test -d nothing && test ! -e .git &&
        cmp -s logo.bin ORIGINAL/p/logo.bin";
    let script = script.replace("ORIGINAL", env.path("").to_str().unwrap());
    env.check("check.sh", &script);
    let run = reduce(&env, &["check.sh", "p"]);
    for said in [
        "of version control, so left out, for the check and in the result: p/.git",
        "links out of the folder, which lead nowhere where the check runs: out",
        "removed as a whole or not at all: p/logo.bin",
        "p: 5 → 3 files",
        "result: p.reduced",
    ] {
        let plain = run.stderr.replace(env.path("").to_str().unwrap(), "");
        assert!(plain.contains(said), "{said} is not in:\n{plain}");
    }
    assert!(env.path("p.reduced/start").is_symlink() && env.path("p.reduced/nothing").is_dir());
    assert_eq!(env.text("p.reduced/bin/run.sh"), "echo ran\n");
    let mode = fs::metadata(env.path("p.reduced/bin/run.sh"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o755);
    let again = run
        .stderr
        .lines()
        .find_map(|line| line.strip_prefix("to see it again: "));
    let again = env
        .command_of("sh")
        .args(["-c", again.unwrap()])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&again.stdout), "0\n");
    // A second run takes the place of the first one's result.
    env.run(&["-q", "check.sh", "p"]).expect_code(0);
}

#[test]
fn nothing_of_the_users_is_lost_when_the_result_would_take_its_place() {
    let env = TestEnv::new();
    env.write("p/a.txt", "bug\n");
    env.write("mine/other.txt", "mine\n");
    env.check("check.sh", "grep -qs bug a.txt");
    for place in ["mine", ".", "p"] {
        let run = env.run(&["-o", place, "check.sh", "p"]).expect_code(2);
        assert_eq!(env.text("mine/other.txt"), "mine\n", "{}", run.stderr);
    }
    for option in ["-i", "--stdin", "--also-interesting=3", "--output=-"] {
        let run = env.run(&[option, "check.sh", "p"]).expect_code(2);
        assert!(run.stderr.contains("a folder is"), "{}", run.stderr);
    }
    assert_eq!(env.text("p/a.txt"), "bug\n");
}

#[test]
fn files_and_folders_can_be_mixed_and_what_is_named_stays() {
    let env = TestEnv::new();
    env.write("main.c", "#include \"needed.h\"\nint bug;\nint other;\n");
    env.write("include/needed.h", "int needed;\n#define X 1\n");
    env.write("include/unused.h", "int unused;\n");
    let script = "test \"$1 $2\" = \"$PWD/main.c $PWD/include\" &&
        grep -q needed.h main.c && grep -q bug main.c && grep -q 'int needed' include/needed.h";
    env.check("check.sh", script);
    reduce(&env, &["-o", "small", "check.sh", "main.c", "include"]);
    let found = tree(&env, "small");
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["small/include/needed.h", "small/main.c"]);
    assert_eq!(found[0].1, "int needed\n");
}

#[test]
fn texts_that_are_kept_and_a_state_work_with_folders() {
    let env = TestEnv::new();
    env.write("p/a.txt", "one\nbug\n");
    env.write("p/b.txt", "two\nCopyright me\n");
    env.write("p/c.txt", "three\n");
    env.check(
        "check.sh",
        "echo >> COUNT; grep -qs bug a.txt"
            .replace("COUNT", env.path("count").to_str().unwrap())
            .as_str(),
    );
    let args = [
        "-q",
        "-j1",
        "--keep",
        "Copyright.*",
        "--state",
        "state",
        "-o",
        "small",
        "check.sh",
        "p",
    ];
    reduce(&env, &args);
    let expected = [("small/a.txt", "bug"), ("small/b.txt", "Copyright me")];
    let found = tree(&env, "small");
    let found: Vec<_> = found
        .iter()
        .map(|(name, text)| (name.as_str(), text.trim_end()))
        .collect();
    assert_eq!(found, expected);
    let first = env.read("count").len();
    fs::remove_file(env.path("count")).unwrap();
    reduce(&env, &args);
    let second = env.read("count").len();
    assert!(second < 8 && second < first, "{second} of {first}");
    env.write("p/c.txt", "four\n");
    let run = env.run(&args).expect_code(1);
    assert!(
        run.stderr.contains("different input c.txt"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_folder_that_is_not_interesting_is_kept_to_look_at() {
    let env = TestEnv::new();
    env.write("p/d/a.txt", "bug\n");
    env.check("check.sh", "ls d; exit 1");
    let run = env.run(&["check.sh", "p"]).expect_code(3);
    let hint = run
        .stderr
        .lines()
        .find_map(|line| line.strip_prefix("hint: run it yourself: "));
    let again = env
        .command_of("sh")
        .args(["-c", hint.unwrap()])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&again.stdout), "a.txt\n1\n");
    assert!(!env.path("p.reduced").exists());
    env.check("check.sh", "exit 0");
    let run = env.run(&["check.sh", "p"]).expect_code(3);
    assert!(
        run.stderr.contains("nothing of p would be left"),
        "{}",
        run.stderr
    );
}

#[test]
fn what_another_program_makes_is_kept_if_it_is_smaller_and_interesting() {
    let env = TestEnv::new();
    env.write("bug.txt", "wanted_longer\nneeded\n");
    env.check(
        "check.sh",
        "grep -q '^wanted' \"$1\" && grep -q needed \"$1\" && test $(wc -l < \"$1\") = 2",
    );
    let by_lines = ["--strategy", "lines", "-q", "-o", "small"];
    let mut results = Vec::new();
    for (jobs, program) in [
        ("-j1", "sed s/_longer// @@"),
        ("-j2", "sed -i s/_longer// '@@'"),
        ("-j1", "sed s/_longer//"),
    ] {
        let args = [
            &by_lines[..],
            &[jobs, "--transform", program, "check.sh", "bug.txt"],
        ]
        .concat();
        reduce(&env, &args);
        results.push(env.text("small"));
    }
    assert_eq!(results, ["wanted\nneeded\n"; 3]);
    // What is not interesting, not smaller, or no output at all, is left out.
    let programs = [
        "true",
        "echo x",
        "cat @@ @@",
        "exit 3",
        "yes needed | head -n 6000000",
        "sleep 0; sed s/wanted/w/ @@",
    ];
    let programs = programs.iter().flat_map(|program| ["--transform", program]);
    let args: Vec<&str> = by_lines
        .into_iter()
        .chain(programs)
        .chain(["check.sh", "bug.txt"])
        .collect();
    let run = reduce(&env, &args);
    assert_eq!(env.text("small"), "wanted_longer\nneeded\n");
    for said in [
        "did not work (it made nothing), so its output is left out: true",
        "did not work (exit status 3), so its output is left out: exit 3",
        "did not work (it made too much), so its output is left out: yes needed",
    ] {
        assert!(run.stderr.contains(said), "{said}: {}", run.stderr);
    }
}

#[test]
fn what_another_program_makes_of_a_file_is_there_when_the_next_one_is_reduced() {
    let env = TestEnv::new();
    env.write("p/a.txt", "long\n");
    env.write("p/b.txt", "need\nkeep\n");
    let script = "grep -q keep b.txt &&
        { grep -q long a.txt || { grep -q ^s a.txt && grep -q need b.txt; }; }";
    env.check("check.sh", script);
    let args = ["--strategy", "lines", "--transform", "sed s/long/s/ @@"];
    let of_folder = [&args[..], &["-o", "q", "check.sh", "p"]].concat();
    // The second of two files is told to the program, too.
    let of_files = [&args[..], &["-o", "q", "c.sh", "p/b.txt", "p/a.txt"]].concat();
    let script = "grep -q need \"$1\" && grep -q keep \"$1\" && grep -q -e long -e ^s \"$2\"";
    env.check("c.sh", script);
    for args in [of_folder, of_files] {
        let run = reduce(&env, &args);
        assert_eq!(env.text("q/a.txt"), "s\n", "{}", run.stderr);
        assert_eq!(env.text("q/b.txt"), "need\nkeep\n", "{}", run.stderr);
        fs::remove_dir_all(env.path("q")).unwrap();
    }
}

#[test]
fn the_measure_says_what_smaller_is() {
    let env = TestEnv::new();
    env.write("bug.txt", "a b\nc\n");
    env.check(
        "check.sh",
        "grep -q a \"$1\" && grep -q c \"$1\" && grep -q b \"$1\"",
    );
    let joined = "tr '\\n' ' ' < @@ | sed 's/$/    /'";
    for (measure, expected) in [
        ("lines", "a b c     "),
        ("bytes", "a b\nc\n"),
        ("tokens", "a b\nc\n"),
    ] {
        let args = [
            "--strategy",
            "lines",
            "--once",
            "-q",
            "-o",
            "small",
            "--measure",
            measure,
        ];
        let args = [&args[..], &["--transform", joined, "check.sh", "bug.txt"]].concat();
        reduce(&env, &args);
        assert_eq!(env.text("small"), expected, "{measure}");
    }
}

/// The text in UTF-16 with its mark.
fn utf_16(text: &str) -> Vec<u8> {
    let marked = format!("\u{feff}{text}");
    marked.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn a_text_of_another_encoding_stays_one() {
    let env = TestEnv::new();
    env.write("bug.c", utf_16("int a;\r\nint wanted;\r\nint é;\r\n"));
    env.check("check.sh", "iconv -f UTF-16 -t UTF-8 \"$1\" | grep -q 'int wanted;' && test \"$(head -c 2 \"$1\" | od -An -tx1)\" = ' ff fe'");
    reduce(&env, &["-q", "check.sh", "bug.c"]);
    assert_eq!(env.read("bug.reduced.c"), utf_16("int wanted;\n"));
    // A mark that may go does, and so do the returns.
    env.write("bug.c", "\u{feff}int a;\r\nint wanted;\r\nint more;\r\n");
    env.check(
        "check.sh",
        "grep -q wanted \"$1\" && grep -q 'int more' \"$1\"",
    );
    let run = reduce(&env, &["check.sh", "bug.c"]);
    assert!(run.stderr.contains("\nform "), "{}", run.stderr);
    let small = env.text("bug.reduced.c");
    assert!(!small.contains(['\u{feff}', '\r']), "{small:?}");
    // Lines that must end with both keep both.
    let keeps = "grep -q wanted \"$1\" && test $(grep -c . \"$1\") = $(grep -c \"$(printf '\\r')$\" \"$1\")";
    env.check("check.sh", keeps);
    reduce(&env, &["-q", "check.sh", "bug.c"]);
    assert_eq!(env.text("bug.reduced.c"), "wanted\r\n");
    // Bytes of Latin-1 are tokens like others.
    env.write("bug.c", b"int caf\xe9;\nchar *s = \"\xe4\xf6\";\n");
    env.check(
        "check.sh",
        "LC_ALL=C grep -q \"$(printf '\\344\\366')\" \"$1\"",
    );
    reduce(&env, &["-q", "check.sh", "bug.c"]);
    let small = env.read("bug.reduced.c");
    assert!(small.starts_with(b"\xe4\xf6") || small.windows(2).any(|two| two == b"\xe4\xf6"));
    assert!(small.len() <= 6, "{small:?}");
}
