//! The main job on small inputs, with checks that are plain shell.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use crate::harness::{Run, TestEnv};

const BUG: &str = "int a;\nint bug;\nint b;\n";

/// An environment with a file of three lines and a check that wants the word in the second one.
fn env() -> TestEnv {
    let env = TestEnv::new();
    env.check("check.sh", "grep -q bug \"$1\"");
    env.write("bug.c", BUG);
    env
}

/// A run with a strategy whose result is known, which must end well and leave nothing.
#[track_caller]
fn reduce(env: &TestEnv, args: &[&str]) -> Run {
    let run = env
        .run(&[&["--strategy", "lines"], args].concat())
        .expect_code(0);
    env.assert_nothing_left(run.pid);
    run
}

/// The text without what differs from run to run: times, and what was run ahead.
macro_rules! snapshot {
    ($text:expr) => {
        insta::with_settings!({ filters => vec![
            (r#""(seconds|oracle_seconds)":[0-9.e-]+"#, r#""$1":[TIME]"#),
            (r"[0-9.]+ s\b", "[TIME]"),
            (r"[0-9]+ run ahead in vain, ", ""),
            (r"paredown-failed-\w+", "paredown-failed-[RANDOM]"),
        ] }, { insta::assert_snapshot!($text) })
    };
}

#[test]
fn the_result_stands_beside_the_original() {
    let env = env();
    reduce(&env, &["check.sh", "bug.c"]);
    assert_eq!(env.text("bug.reduced.c"), "int bug;\n");
    assert_eq!(env.text("bug.c"), BUG);
}

#[test]
fn the_summary_says_what_was_done() {
    let env = env();
    let run = reduce(&env, &["-j1", "check.sh", "bug.c"]);
    snapshot!(env.filtered(&run.stderr));
}

#[test]
fn the_command_in_the_summary_shows_that_the_result_is_interesting() {
    for name in ["it's.c", "-x.c"] {
        let env = TestEnv::new();
        env.check(
            "my check.sh",
            r#"for file in *; do cmp -s "./$file" "$1" && grep -q bug "./$file"; exit; done"#,
        );
        env.write(name, BUG);
        let run = reduce(&env, &["my check.sh", &["./", name].concat()]);
        let command = run
            .stderr
            .lines()
            .find_map(|line| line.strip_prefix("to see it again: "))
            .unwrap();
        let output = Command::new("sh").args(["-c", command]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "0\n", "{command}");
    }
}

/// A full disk or a service that went away: before any success, and after some.
#[test]
fn a_check_that_breaks_on_the_way_is_told_of_and_proves_nothing() {
    for (runs, smaller) in [(5, false), (8, true)] {
        let env = TestEnv::new();
        let count = env.path("count");
        let body = format!(
            "echo >> {0}; test $(wc -l < {0}) -le {runs} && grep -q bug \"$1\"",
            count.display()
        );
        env.check("check.sh", &body);
        env.write("bug.c", "bug\none\ntwo\nthree\nfour\nfive\n");
        let args = [
            "-j1",
            "--strategy",
            "lines",
            "--json",
            "-",
            "check.sh",
            "bug.c",
        ];
        let run = env.run(&args).expect_code(1);
        let warning = "warning: the check accepted the result in 0 of 1 runs at the end";
        assert!(run.stderr.contains(warning), "{}", run.stderr);
        let told = run.stdout_text();
        assert!(told.contains(r#""one_minimal":false"#), "{told}");
        assert_eq!(env.read("bug.reduced.c") != env.read("bug.c"), smaller);
    }
}

/// `//`, `#` and `--` start comments in some languages and nothing in others.
#[test]
fn what_is_a_comment_in_another_language_swallows_nothing() {
    let lines = [
        (
            "a.md",
            "See [it](http://example.org/needle/of/all \"x\"), and more # here -- there\n",
        ),
        ("a.yaml", "a: http://example.org/needle/of/all # b\nc: 1\n"),
        (
            "a.html",
            "<a href=\"x\">http://example.org/needle of all</a> <!-- b -->\n",
        ),
        (
            "a.sql",
            "select 'a', b /* http://needle of all */ from c; -- d\n",
        ),
        ("a.py", "a = 1 // needle + 3\nb = 2\n"),
    ];
    for (name, text) in lines {
        let env = TestEnv::new();
        env.check("check.sh", "grep -q needle \"$1\"");
        env.write(name, text);
        let args = ["--json", "events.json", "-o", "out", "check.sh", name];
        env.run(&args).expect_code(0);
        assert_eq!(env.text("out").trim(), "needle", "{name}");
        let events = env.text("events.json");
        let finished: serde_json::Value =
            serde_json::from_str(events.lines().last().unwrap()).unwrap();
        assert_eq!(finished["tokens_after"], 1, "{name}");
        assert_ne!(finished["tokens_before"], 1, "{name}");
    }
}

/// The last JSON line of a run on a file with a check and more options.
fn finished(name: &str, text: &[u8], check: &str, args: &[&str]) -> (Vec<u8>, serde_json::Value) {
    let env = TestEnv::new();
    env.check("check.sh", check);
    env.write(name, text);
    let files = ["--json", "events.json", "-o", "out", "check.sh", name];
    env.run(&[args, &files].concat()).expect_code(0);
    let events = env.text("events.json");
    let last = serde_json::from_str(events.lines().last().unwrap()).unwrap();
    (env.read("out"), last)
}

#[test]
fn a_result_is_called_one_minimal_when_the_written_bytes_are() {
    let greeddy = ["--strategy", "lines", "--minimizer", "greeddy"];
    let check = "grep -q -e A -e B \"$1\"";
    let text = b"B\nx\nAAAA\ny\n";
    // It goes on from the other half, which has more bytes.
    let (result, end) = finished("a.txt", text, check, &[&greeddy[..], &["--once"]].concat());
    assert_eq!(result, b"B\nx\n");
    assert_eq!(end["one_minimal"], false);
    assert_eq!(end["swept"], serde_json::json!([]));
    let (result, end) = finished("a.txt", text, check, &greeddy);
    assert_eq!(result, b"B\n");
    assert_eq!(end["one_minimal"], true);
    assert_eq!(end["swept"], serde_json::json!(["lines"]));
}

#[test]
fn the_largest_effort_goes_on_behind_the_certificate_and_says_so() {
    // Two elements that stand far apart go together only.
    let check = "tr -d ' \\n' <\"$1\" >text; grep -qE '^\\[[a-f](,[a-f])*]$' text || exit 1
for e in b c d e; do grep -q $e text || exit 1; done
grep -q a text; a=$?; grep -q f text; test $? = $a";
    let text = b"[a,b,c,d,e,f]";
    let (result, end) = finished("a.js", text, check, &[]);
    assert_eq!(result, b"[a,b,c,d,e,f]");
    assert!(end.get("effort").is_none());
    let mut seen = Vec::new();
    for jobs in ["-j1", "-j3"] {
        let (result, mut end) = finished("a.js", text, check, &["--effort", "max", jobs]);
        assert_eq!(result, b"[b,c,d,e]");
        assert_eq!(
            (&end["complete"], &end["one_minimal"]),
            (&true.into(), &true.into())
        );
        assert_eq!(end["effort"]["bytes_gone"], 4);
        assert_eq!(end["effort"]["stopped"], serde_json::Value::Null);
        for pass in end["passes"].as_array_mut().unwrap() {
            pass.as_object_mut().unwrap().remove("oracle_seconds");
        }
        seen.push((
            end["queries"].clone(),
            end["effort"].clone(),
            end["passes"].clone(),
        ));
    }
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn more_effort_goes_on_from_the_state_of_less() {
    let env = env();
    let run = |effort| {
        let args = ["--effort", effort, "--state", "state", "check.sh", "bug.c"];
        env.run(&args).expect_code(0)
    };
    run("normal");
    let more = run("max");
    assert!(
        more.stderr.contains("answered by an earlier run"),
        "{}",
        more.stderr
    );
    assert!(more.stderr.contains("effort max: "), "{}", more.stderr);
}

#[test]
fn a_limit_that_ends_the_largest_effort_leaves_the_certificate() {
    let env = env();
    env.check("check.sh", "grep -q 'bug' \"$1\" && grep -q 'int' \"$1\"");
    let args = [
        "--effort",
        "max",
        "--json",
        "events.json",
        "check.sh",
        "bug.c",
    ];
    let queries = |env: &TestEnv| {
        let events = env.text("events.json");
        let end: serde_json::Value = serde_json::from_str(events.lines().last().unwrap()).unwrap();
        (end["queries"].as_u64().unwrap(), end)
    };
    let run = env.run(&args).expect_code(0);
    assert!(run.stderr.contains("effort max: "), "{}", run.stderr);
    assert!(
        run.stderr.contains(": nothing is left to try\n"),
        "{}",
        run.stderr
    );
    let (all, end) = queries(&env);
    assert!(end["effort"]["queries"].as_u64().unwrap() > 1);
    let most = (all - 1).to_string();
    let run = env
        .run(&[&["--max-queries", &most], &args[..]].concat())
        .expect_code(0);
    assert!(
        run.stderr.contains(": --max-queries ended it\n"),
        "{}",
        run.stderr
    );
    let (_, end) = queries(&env);
    assert_eq!(
        (&end["complete"], &end["one_minimal"]),
        (&false.into(), &true.into())
    );
    let run = env
        .run(&[&["--max-queries", "1"], &args[..]].concat())
        .expect_code(0);
    assert!(
        run.stderr
            .contains("nothing was tried behind that: --max-queries ended it"),
        "{}",
        run.stderr
    );
}

#[test]
fn the_pipeline_takes_single_bytes_out_of_what_no_grammar_explains() {
    let binary: Vec<u8> = (0..999_u32)
        .map(|n| (n * n % 251).to_le_bytes()[0])
        .collect();
    let cases: [(&str, &[u8], &str, &[u8]); 4] = [
        (
            "a.xml",
            b"<a><![CDATA[ z ]]>t</a>",
            "grep -q ']' \"$1\"",
            b"]",
        ),
        ("a.bin", &binary, "test -s \"$1\"", b""),
        (
            "a.txt",
            b"it's a 'needle in it\n",
            "grep -q needle \"$1\"",
            b"needle",
        ),
        (
            "a.c",
            b"int a; /* xyz */\n",
            "grep -q '/[*].*y.*[*]/' \"$1\"",
            b"/*y*/\n",
        ),
    ];
    for (name, text, check, expected) in cases {
        let (result, end) = finished(name, text, check, &[]);
        if expected.is_empty() {
            assert_eq!(result.len(), 1, "{name}");
        } else {
            assert_eq!(
                result.escape_ascii().to_string(),
                expected.escape_ascii().to_string()
            );
        }
        assert_eq!(
            end["swept"],
            serde_json::json!(["units", "hoists", "tokens", "bytes"])
        );
    }
}

#[test]
fn a_run_that_a_limit_ends_has_no_empty_lines_left() {
    use std::fmt::Write;
    let mut text = String::new();
    let mut check = String::from("cat \"$1\" > all");
    for number in 0..200 {
        let _ = write!(text, "int a{number};\n\n\n\n");
        if number % 9 == 0 {
            let _ = write!(check, " && grep -q 'int a{number};' all");
        }
    }
    for limit in ["--max-queries=60", "--target-bytes=700"] {
        let mut results = Vec::new();
        for jobs in ["-j1", "-j3"] {
            let (result, end) = finished("a.c", text.as_bytes(), &check, &[limit, jobs]);
            assert_eq!(end["complete"], false, "{limit}");
            let queries = end["queries"].as_u64().unwrap();
            assert!(queries <= 60 || limit != "--max-queries=60", "{queries}");
            let result = String::from_utf8(result).unwrap();
            assert!(!result.contains("\n\n"), "{limit}: {result}");
            results.push((result, end["queries"].clone()));
        }
        assert_eq!(results[0], results[1], "{limit}");
    }
}

#[test]
fn quiet_says_nothing() {
    let env = env();
    let run = reduce(&env, &["-q", "check.sh", "bug.c"]);
    assert_eq!((run.stderr.as_str(), run.stdout_text().as_str()), ("", ""));
}

#[test]
fn verbose_names_each_improvement_and_twice_each_question() {
    let env = env();
    let run = reduce(&env, &["-j1", "-vv", "check.sh", "bug.c"]);
    snapshot!(env.filtered(&run.stderr));
}

#[test]
fn the_json_lines_tell_the_same_story_for_any_number_of_jobs() {
    let env = env();
    let lines = |jobs: &str| {
        let text = reduce(&env, &[jobs, "--json", "-", "check.sh", "bug.c"]).stdout_text();
        let lines: Vec<String> = text.lines().map(without_times).collect();
        lines.join("\n")
    };
    let alone = lines("-j1");
    assert_eq!(alone, lines("-j4"));
    snapshot!(alone);
}

/// What may differ between two numbers of jobs.
fn without_times(line: &str) -> String {
    let mut value: serde_json::Value = serde_json::from_str(line).unwrap();
    remove_times(&mut value);
    value.to_string()
}

fn remove_times(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(fields) => {
            fields.retain(|name, _| !name.ends_with("seconds") && name != "discarded");
            fields.values_mut().for_each(remove_times);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(remove_times),
        _ => {}
    }
}

#[test]
fn json_lines_and_the_page_go_to_files() {
    let env = env();
    reduce(
        &env,
        &[
            "--json",
            "events.jsonl",
            "--report",
            "report.html",
            "check.sh",
            "bug.c",
        ],
    );
    let last: serde_json::Value =
        serde_json::from_str(env.text("events.jsonl").lines().last().unwrap()).unwrap();
    assert_eq!(last["event"], "finished");
    assert_eq!(
        (&last["bytes_before"], &last["bytes_after"]),
        (&23.into(), &9.into())
    );
    assert_eq!(
        (&last["tokens_before"], &last["tokens_after"]),
        (&9.into(), &3.into())
    );
    assert!(env.text("report.html").contains("23 → 9"));
}

#[test]
fn the_result_can_go_to_standard_output() {
    let env = env();
    let run = reduce(&env, &["-o", "-", "check.sh", "bug.c"]);
    assert_eq!(run.stdout_text(), "int bug;\n");
    assert!(!env.path("bug.reduced.c").exists());
}

#[test]
fn the_result_can_go_into_a_folder_or_under_a_name() {
    let env = env();
    fs::create_dir(env.path("results")).unwrap();
    reduce(&env, &["-o", "results", "check.sh", "bug.c"]);
    reduce(&env, &["-o", "small.c", "check.sh", "bug.c"]);
    assert_eq!(env.text("results/bug.reduced.c"), "int bug;\n");
    assert_eq!(env.text("small.c"), "int bug;\n");
}

#[test]
fn in_place_keeps_the_original_beside_it() {
    let env = env();
    reduce(&env, &["-i", "check.sh", "bug.c"]);
    assert_eq!(env.text("bug.c"), "int bug;\n");
    assert_eq!(env.text("bug.c.orig"), BUG);
}

#[test]
fn in_place_goes_on_from_the_kept_original_with_a_state() {
    let env = env();
    let args = ["-i", "--state", "st", "check.sh", "bug.c"];
    reduce(&env, &[&["--max-queries", "1"], &args[..]].concat());
    assert_eq!(env.text("bug.c.orig"), BUG);
    let run = reduce(&env, &args);
    assert!(
        run.stderr.contains("going on from an earlier run"),
        "{}",
        run.stderr
    );
    assert_eq!(env.text("bug.c"), "int bug;\n");
    assert_eq!(env.text("bug.c.orig"), BUG);
}

#[test]
fn a_second_run_replaces_the_result_even_of_a_read_only_original() {
    let env = env();
    fs::set_permissions(env.path("bug.c"), fs::Permissions::from_mode(0o444)).unwrap();
    for _ in 0..2 {
        reduce(&env, &["check.sh", "bug.c"]);
        assert_eq!(env.text("bug.reduced.c"), "int bug;\n");
    }
}

#[test]
fn a_file_that_is_as_small_as_it_gets_is_copied() {
    let env = TestEnv::new();
    env.check("check.sh", "grep -q b \"$1\"");
    env.write("b.c", "b");
    env.write("b.reduced.c", "an older result");
    let run = reduce(&env, &["check.sh", "b.c"]);
    assert_eq!(env.text("b.reduced.c"), "b");
    assert!(
        run.stderr
            .contains("b.c is as small as it gets\nresult: b.reduced.c\n")
    );
}

#[test]
fn the_json_lines_of_several_files_count_on() {
    let env = TestEnv::new();
    env.check("check.sh", "grep -q bug a.c && grep -q bug b.c");
    env.write("a.c", BUG);
    env.write("b.c", BUG);
    let text = reduce(&env, &["--json", "-", "-j1", "check.sh", "a.c", "b.c"]).stdout_text();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<serde_json::Value> = lines.collect();
    let of = |event: &str| {
        lines
            .iter()
            .filter(|line| line["event"] == event)
            .collect::<Vec<_>>()
    };
    let names: Vec<_> = of("reducing")
        .iter()
        .map(|line| line["name"].clone())
        .collect();
    assert_eq!(names[..2], ["a.c", "b.c"]);
    let queries: Vec<_> = of("answered")
        .iter()
        .map(|line| line["queries"].as_u64().unwrap())
        .collect();
    assert!(queries.is_sorted(), "{queries:?}");
    assert_eq!(
        of("finished")[0]["queries"].as_u64(),
        queries.last().copied()
    );
}

#[test]
fn the_result_keeps_the_permissions_and_so_does_the_candidate() {
    let env = TestEnv::new();
    env.check("check.sh", "test -x \"$1\" && grep -q bug \"$1\"");
    env.write("bug.sh", BUG);
    fs::set_permissions(env.path("bug.sh"), fs::Permissions::from_mode(0o750)).unwrap();
    reduce(&env, &["check.sh", "bug.sh"]);
    let mode = fs::metadata(env.path("bug.reduced.sh"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o750);
}

#[test]
fn an_older_result_is_replaced_even_when_nothing_can_go() {
    let env = env();
    env.check("all.sh", "cmp -s \"$1\" \"$(dirname \"$0\")/bug.c\"");
    env.write("bug.reduced.c", "something older");
    reduce(&env, &["all.sh", "bug.c"]);
    assert_eq!(env.text("bug.reduced.c"), BUG);
}

#[test]
fn any_bytes_can_be_reduced() {
    let env = TestEnv::new();
    env.check("check.sh", r#"LC_ALL=C grep -qa "$(printf 'x\377')" "$1""#);
    let mut bytes: Vec<u8> = (0..=255).cycle().take(2000).collect();
    bytes.extend(b"\nx\xff\nrest");
    env.write("input", bytes);
    reduce(&env, &["check.sh", "input"]);
    assert_eq!(env.read("input.reduced"), b"x\xff\n");
}

#[test]
fn odd_file_names_are_only_names() {
    for name in ["a b.c", "it's.c", "new\nline.c", "$HOME.c", "*.c"] {
        let env = env();
        env.write(name, BUG);
        reduce(&env, &["check.sh", name]);
        let (stem, _) = name.rsplit_once('.').unwrap();
        assert_eq!(env.text(&format!("{stem}.reduced.c")), "int bug;\n");
    }
    let env = env();
    env.write("-v.c", BUG);
    reduce(&env, &["check.sh", "./-v.c"]);
    assert_eq!(env.text("-v.reduced.c"), "int bug;\n");
}

#[test]
fn a_check_finds_the_candidate_under_its_own_name_in_a_private_folder() {
    let env = TestEnv::new();
    let body = r#"cmp -s bug.c "$1" && test "$TMPDIR" != "$OUTER" && grep -q bug bug.c && touch "$TMPDIR/x" "x$$""#;
    env.check("check.sh", body);
    env.write("bug.c", BUG);
    reduce(&env, &["check.sh", "bug.c"]);
    assert_eq!(env.text("bug.reduced.c"), "int bug;\n");
}

#[test]
fn kept_text_stays_and_costs_no_query() {
    let env = env();
    let queries = |args: &[&str]| {
        let run = reduce(
            &env,
            &[&["--json", "-"], args, &["check.sh", "bug.c"]].concat(),
        );
        let last: serde_json::Value =
            serde_json::from_str(run.stdout_text().lines().last().unwrap()).unwrap();
        last["queries"].as_u64().unwrap()
    };
    let without = queries(&[]);
    let with = queries(&["--keep", "^int [a-z];$"]);
    assert_eq!(env.text("bug.reduced.c"), BUG);
    assert!(with < without, "{with} and {without}");
}

#[test]
fn names_get_short_only_where_that_is_wanted_and_does_no_harm() {
    let env = TestEnv::new();
    let wanted = r"keep_me\(int ([a-z_]+)\) ?\{ ?return \1";
    env.check("check.sh", &format!("grep -Eq '{wanted}' \"$1\""));
    env.write(
        "bug.c",
        "int other;\nint keep_me(int argument) { return argument; }\n",
    );
    for strategy in ["lines", "hddr", "auto"] {
        let result = |args: &[&str]| {
            let args = [&["--strategy", strategy], args, &["check.sh", "bug.c"]].concat();
            env.run(&args).expect_code(0);
            env.text("bug.reduced.c")
        };
        let plain = result(&[]);
        let renamed = result(&["--rename"]);
        assert!(plain.contains("keep_me(int argument)"), "{plain}");
        assert!(renamed.contains("keep_me(int "), "{renamed}");
        assert_eq!(renamed.len(), plain.len() - 2 * ("argument".len() - 1));
    }
}

#[test]
fn the_text_of_a_string_is_reduced_as_code_and_as_words() {
    let env = TestEnv::new();
    env.check(
        "check.sh",
        r#"grep -q 'run(".*bug(.*")' "$1" && grep -q 'sql(".*where.*by.*")' "$1""#,
    );
    env.write(
        "bug.js",
        "run(\"first(1); if (true) { bug(2, 3) } last()\")\nsql(\"select a, b from t where c = 1 order by d\")\n",
    );
    env.run(&["check.sh", "bug.js"]).expect_code(0);
    let result: String = env.text("bug.reduced.js").split_whitespace().collect();
    assert_eq!(result, "run(\"bug(\")sql(\"whereby\")");
}

/// A program that behaves as a compiler does: it complains about what it does not like and dies of it.
fn fake_compiler(env: &TestEnv) {
    let body = r#"
case "$(cat "$2")" in
  *bug*) echo compiling; echo 'internal compiler error: in foo' >&2; exit 4;;
  *crash*) kill -SEGV $$;;
esac"#;
    env.check("compiler", body);
}

#[test]
fn a_command_with_conditions_needs_no_check() {
    for conditions in [
        &["--stderr", "compiler error: in \\w+"][..],
        &["--stdout", "^compiling$"],
        &["--exit-code", "1-10"],
        &["--exit-code", "!0"],
        &["--exit-code", "4", "--stdout", "comp", "--stderr", "in foo"],
    ] {
        let env = env();
        fake_compiler(&env);
        let command = ["bug.c", "--", "./compiler", "-c", "@@"];
        reduce(&env, &[conditions, &command].concat());
        assert_eq!(env.text("bug.reduced.c"), "int bug;\n", "{conditions:?}");
    }
}

#[test]
fn a_command_may_have_to_die_of_a_signal() {
    let env = env();
    fake_compiler(&env);
    env.write("crash.c", "int a;\ncrash\nint b;\n");
    reduce(
        &env,
        &[
            "--signal",
            "SEGV",
            "crash.c",
            "--",
            "./compiler",
            "-c",
            "@@",
        ],
    );
    assert_eq!(env.text("crash.reduced.c"), "crash\n");
}

#[test]
fn several_files_are_reduced_until_none_gets_smaller() {
    // While a.txt has its second line, b.txt needs two lines; a.txt can only lose it when b.txt has lost its first.
    let env = TestEnv::new();
    let script = r"
grep -q keep a.txt && grep -q keep b.txt || exit 1
if grep -q first b.txt; then grep -q second a.txt; else true; fi";
    env.check("check.sh", script);
    env.write("a.txt", "second\nkeep\n");
    env.write("b.txt", "first\nkeep\n");
    reduce(&env, &["check.sh", "a.txt", "b.txt"]);
    assert_eq!(env.text("a.reduced/a.txt"), "keep\n");
    assert_eq!(env.text("a.reduced/b.txt"), "keep\n");
}

#[test]
fn a_limit_ends_the_run_early_and_well() {
    for (limit, most) in [
        ("--max-queries=1", 23),
        ("--target-bytes=15", 15),
        ("--max-time=0.000001", 23),
    ] {
        let env = env();
        let run = reduce(&env, &[limit, "--json", "-", "check.sh", "bug.c"]);
        let last: serde_json::Value =
            serde_json::from_str(run.stdout_text().lines().last().unwrap()).unwrap();
        assert_eq!(last["complete"], false, "{limit}");
        let result = env.text("bug.reduced.c");
        assert!(
            result.contains("bug") && result.len() <= most,
            "{limit}: {result}"
        );
    }
}

#[test]
fn an_original_that_is_not_interesting_is_explained() {
    let env = env();
    env.check(
        "check.sh",
        "echo looking at \"${1##*/}\"; echo oops >&2; exit 7",
    );
    let run = env.run(&["check.sh", "bug.c"]).expect_code(3);
    assert!(!env.path("bug.reduced.c").exists());
    let command = run
        .stderr
        .lines()
        .find_map(|line| line.strip_prefix("hint: run it yourself: "))
        .unwrap();
    let again = Command::new("sh")
        .args(["-c", command])
        .stderr(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8_lossy(&again.stdout),
        "looking at bug.c\n7\n"
    );
    snapshot!(env.filtered(&run.stderr));
}

#[test]
fn a_command_that_does_not_do_what_is_wanted_is_explained() {
    let env = env();
    fake_compiler(&env);
    let run = env
        .run(&[
            "--stderr",
            "in bar",
            "bug.c",
            "--",
            "./compiler",
            "-c",
            "@@",
        ])
        .expect_code(3);
    snapshot!(env.filtered(&run.stderr));
}

#[test]
fn a_check_that_accepts_the_empty_file_is_refused_unless_that_is_wanted() {
    for check in ["exit 0", "test -e bug.c", "! grep -q other \"$1\""] {
        let env = env();
        env.check("check.sh", check);
        let args = ["-q", "check.sh", "bug.c"];
        let run = env.run(&args).expect_code(3);
        assert!(
            run.stderr.contains("accepts an empty file too"),
            "{}",
            run.stderr
        );
        assert!(run.stderr.contains("--allow-empty"), "{}", run.stderr);
        assert!(!env.path("bug.reduced.c").exists());
        let run = reduce(&env, &[&["--allow-empty"], &args[..]].concat());
        assert_eq!(run.stderr, "");
        assert_eq!(env.text("bug.reduced.c"), "");
        let run = reduce(&env, &[&["--keep", "bug"], &args[..]].concat());
        assert_eq!(run.stderr, "");
        assert!(env.text("bug.reduced.c").contains("bug"));
    }
}

#[test]
fn of_several_files_one_may_be_empty() {
    let env = env();
    env.check("check.sh", "grep -q bug bug.c");
    env.write("empty.c", "nothing\n");
    let run = reduce(&env, &["-q", "check.sh", "empty.c", "bug.c"]);
    assert!(
        run.stderr.contains("also when empty.c is empty"),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("result"), "{}", run.stderr);
    assert_eq!(env.text("empty.reduced/bug.c"), "int bug;\n");
    assert_eq!(env.text("empty.reduced/empty.c"), "");
}

/// Each tenth run shows the property. The original gets twice as many as a candidate.
#[test]
fn the_original_is_run_as_often_as_wanted() {
    let env = env();
    let body =
        "grep -q bug \"$1\" || exit 1; echo >> count; test $(wc -l < count) -ge 10 && rm count";
    env.check(
        "check.sh",
        &body.replace("count", env.path("count").to_str().unwrap()),
    );
    let args = ["-q", "-j1", "check.sh", "bug.c"];
    env.run(&[&["--repeat", "4"], &args[..]].concat())
        .expect_code(3);
    let _ = fs::remove_file(env.path("count"));
    let args = [&["--repeat", "10", "--strategy", "lines"], &args[..]].concat();
    env.run(&args).expect_code(0);
    assert_eq!(env.text("bug.reduced.c"), "int bug;\n");
}

#[test]
fn options_without_effect_are_named() {
    for (args, said) in [
        (&["--p0", "0.2"][..], "`--p0` has no effect"),
        (
            &["--minimizer", "cdd", "--split", "3"],
            "`--split` has no effect",
        ),
        (&["--keep", "nothing like it"], "matches nothing"),
    ] {
        let env = env();
        let run = reduce(&env, &[args, &["-q", "check.sh", "bug.c"]].concat());
        assert!(run.stderr.starts_with("warning: "), "{}", run.stderr);
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
    let env = env();
    let run = env.run(&["-q", "--hoist", "both", "check.sh", "bug.c"]);
    let run = run.expect_code(0);
    assert!(
        run.stderr.contains("`--hoist` has no effect"),
        "{}",
        run.stderr
    );
    let run = reduce(&env, &["-q", "--keep", "bug", "check.sh", "bug.c"]);
    assert_eq!(run.stderr, "");
}

#[test]
fn a_check_that_answers_by_chance_is_warned_about() {
    let env = TestEnv::new();
    let counter = env.write("count", "");
    // Every third run says no.
    let body = format!(
        "printf x >> {0}; test $(( $(wc -c < {0}) % 3 )) -ne 0 && grep -q bug \"$1\"",
        counter.display()
    );
    env.check("check.sh", &body);
    env.write("bug.c", BUG);
    let run = env.run(&["-j1", "--strategy", "lines", "check.sh", "bug.c"]);
    assert!(
        run.stderr
            .contains("warning: the check accepted the original in"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("--confidence 0.99"), "{}", run.stderr);
    assert!(env.text("bug.reduced.c").contains("bug"));
}

#[test]
fn a_pipe_as_the_json_place_that_is_closed_loses_no_result() {
    let env = env();
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = env.command(&["--json", "-", "--strategy", "lines", "check.sh", "bug.c"]);
    let output = command
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(env.text("bug.reduced.c"), "int bug;\n");
}

#[test]
fn the_result_of_a_result_has_a_number_and_takes_nothings_place() {
    let env = TestEnv::new();
    env.check("check.sh", "grep -q bug \"$1\"");
    env.write("x.c", "int a;\nint bug;\n");
    env.run(&["--strategy", "lines", "check.sh", "x.c"])
        .expect_code(0);
    let first = env.read("x.reduced.c");
    assert_eq!(first, b"int bug;\n");
    let run = env.run(&["check.sh", "x.reduced.c"]).expect_code(0);
    assert!(
        run.stderr.contains("result: x.reduced.2.c"),
        "{}",
        run.stderr
    );
    assert_eq!(env.read("x.reduced.c"), first);
    assert_eq!(env.text("x.reduced.2.c"), "bug\n");
    env.write("other.h", "int b;\n");
    env.run(&["check.sh", "x.c", "other.h"]).expect_code(0);
    env.run(&["check.sh", "x.reduced/x.c", "x.reduced/other.h"])
        .expect_code(0);
    assert_eq!(env.text("x.reduced.2/x.c"), "bug\n");
}
