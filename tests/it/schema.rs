//! Every JSON line is as `schema/events-1.json` says. The checker knows the words of JSON Schema that stand there and no others.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::harness::TestEnv;

fn schema() -> Value {
    serde_json::from_str(include_str!("../../schema/events-1.json")).unwrap()
}

/// What is wrong with a value, if anything.
fn fault(schema: &Value, value: &Value) -> Option<String> {
    for (word, wanted) in schema.as_object().unwrap() {
        let fault = match word.as_str() {
            "$schema" | "title" | "description" => None,
            "type" => wrong_type(wanted, value),
            "const" => (value != wanted).then(|| format!("{value} is not {wanted}")),
            "enum" => {
                let known = wanted.as_array().unwrap().contains(value);
                (!known).then(|| format!("{value} is none of {wanted}"))
            }
            "minimum" => {
                let least = wanted.as_f64().unwrap();
                value
                    .as_f64()
                    .filter(|value| *value < least)
                    .map(|value| format!("{value} < {least}"))
            }
            "required" => {
                let mut names = wanted
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|name| name.as_str().unwrap());
                names
                    .find(|name| value.get(name).is_none())
                    .map(|name| format!("no {name}"))
            }
            "properties" => {
                let mut parts = wanted.as_object().unwrap().iter();
                parts.find_map(|(name, part)| fault(part, value.get(name)?))
            }
            "items" => value
                .as_array()
                .unwrap()
                .iter()
                .find_map(|item| fault(wanted, item)),
            "oneOf" => {
                let kinds = wanted.as_array().unwrap();
                let faults: Vec<_> = kinds.iter().filter_map(|kind| fault(kind, value)).collect();
                (faults.len() + 1 != kinds.len()).then(|| format!("{value}: {faults:?}"))
            }
            word => panic!("the checker does not know `{word}`"),
        };
        if fault.is_some() {
            return fault;
        }
    }
    None
}

fn wrong_type(wanted: &Value, value: &Value) -> Option<String> {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        name => panic!("the checker does not know the type {name}"),
    };
    let fits = match wanted {
        Value::Array(names) => names.iter().any(|name| is(name.as_str().unwrap())),
        name => is(name.as_str().unwrap()),
    };
    (!fits).then(|| format!("{value} is no {wanted}"))
}

/// Checks each line, and that there are no fields that the schema does not know. Gives the events.
fn check(text: &str) -> BTreeSet<String> {
    let schema = schema();
    let mut seen = BTreeSet::new();
    for (number, line) in text.lines().enumerate() {
        let value: Value = serde_json::from_str(line).unwrap();
        assert_eq!(fault(&schema, &value), None, "{line}");
        let event = value["event"].as_str().unwrap();
        assert_eq!(event == "run", number == 0, "{line}");
        let kinds = schema["oneOf"].as_array().unwrap();
        let kind = kinds.iter().find(|kind| kind["title"] == event).unwrap();
        for name in value.as_object().unwrap().keys() {
            assert!(
                kind["properties"].get(name).is_some(),
                "{name} is not in the schema: {line}"
            );
        }
        seen.insert(event.to_owned());
    }
    seen
}

#[test]
fn each_event_is_as_the_schema_says() {
    let env = TestEnv::new();
    env.write("bug.c", "int a;\nint bug;\nint c;\nslow\nsaved\n");
    env.write("plain.xyz", "bug\nmore\n");
    // Slow without `slow`, and worth keeping without `saved`.
    env.check("check.sh", "grep -q bug \"$1\" || exit 1\ngrep -q saved \"$1\" || exit 3\ngrep -q slow \"$1\" || { [ -e ../../seen ] ; sleep 100; }");
    env.check("plain.sh", "grep -q bug \"$1\"");
    env.check(
        "flaky.sh",
        &format!(
            "echo x >> {0}; [ $(($(wc -l < {0}) % 7)) != 2 ] && grep -q bug \"$1\"",
            env.path("book").display()
        ),
    );
    let mut seen = BTreeSet::new();
    for args in [
        &[
            "--also-interesting",
            "3",
            "check.sh",
            "bug.c",
            "--max-time",
            "4",
        ][..],
        &[
            "--state",
            "st",
            "--max-queries",
            "3",
            "plain.sh",
            "plain.xyz",
        ],
        &["--state", "st", "plain.sh", "plain.xyz"],
        &["--split", "3", "plain.sh", "plain.xyz"],
        &["flaky.sh", "bug.c", "plain.xyz", "--max-queries", "9"],
    ] {
        let run = env.run(&[&["-q", "--json", "events.jsonl"], args].concat());
        // A flaky check may refuse the result at the end.
        assert!(run.code < 2, "{}", run.stderr);
        seen.extend(check(&env.text("events.jsonl")));
    }
    let schema = schema();
    let kinds = schema["oneOf"].as_array().unwrap().iter();
    let all: BTreeSet<String> = kinds
        .map(|kind| kind["title"].as_str().unwrap().to_owned())
        .collect();
    let unseen: Vec<&String> = all.difference(&seen).collect();
    // Only a run of many seconds tries again.
    assert!(
        unseen
            .iter()
            .all(|kind| *kind == "retrying" || *kind == "time_limit"),
        "{unseen:?}"
    );
}

#[test]
fn the_checker_refuses_what_is_wrong() {
    let line = |text: &str| fault(&schema(), &serde_json::from_str(text).unwrap());
    assert_eq!(line(r#"{"event":"resumed","answers":1}"#), None);
    for wrong in [
        r#"{"event":"resumed","answers":-1}"#,
        r#"{"event":"resumed","answers":"1"}"#,
        r#"{"event":"resumed"}"#,
        r#"{"event":"unknown"}"#,
        r#"{"event":"stopped","reason":"bored"}"#,
    ] {
        assert!(line(wrong).is_some(), "{wrong}");
    }
}

#[test]
fn the_summary_is_a_page_for_a_ci_job() {
    let env = TestEnv::new();
    env.write("bug.c", "int a;\nint bug;\n");
    env.check("check.sh", "grep -q bug \"$1\"");
    env.run(&["-q", "--summary", "summary.md", "check.sh", "bug.c"])
        .expect_code(0);
    let page = env.text("summary.md");
    for part in [
        "## paredown: 16 → 4 bytes (25.0 %)\n",
        "| bug.c | 16 | 4 |",
        "```c\nbug\n```\n",
        " -q --summary summary.md check.sh bug.c\n",
        "- system: ",
    ] {
        assert!(page.contains(part), "`{part}` is not in:\n{page}");
    }
    let said = env
        .run(&["--summary", "bug.c", "check.sh", "bug.c"])
        .expect_code(2)
        .stderr;
    assert!(said.contains("the summary"), "{said}");
}

#[test]
fn the_report_has_each_success_with_what_it_changed() {
    let env = TestEnv::new();
    env.write("bug.c", "int a;\nint bug;\n");
    env.check("check.sh", "grep -q bug \"$1\"");
    env.run(&["-q", "--report", "report.html", "check.sh", "bug.c"])
        .expect_code(0);
    let page = env.text("report.html");
    for part in [
        "<h2>Successes</h2>",
        "<s>- int a;</s>",
        "class=\"mark\"",
        "To repeat the reduction",
        "Where it was made",
    ] {
        assert!(page.contains(part), "`{part}` is not in:\n{page}");
    }
}
