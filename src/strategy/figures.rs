//! The programs of the figures in D. Vince's dissertation, ch. 7, with oracles that only look at the text.

use super::laws::{reduce, run};
use super::{Hoist, Plan, Strategy};

const TREES: [Strategy; 4] = [
    Strategy::Hdd,
    Strategy::Hddr,
    Strategy::CoarseHdd,
    Strategy::CoarseHddr,
];

const IF_ONE: &str = "int main() {\n    if (1) {\n        printf(\"Hello world!\\n\");\n    }\n}\n";

/// Whether a program greets: it calls `printf` in `main`, and the brackets pair up.
fn greets(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let words: String = text.split_whitespace().collect();
    let greeting = "printf(\"Helloworld!\\n\");";
    let taken = words
        .strip_prefix("intmain(){")
        .and_then(|rest| rest.strip_suffix('}'));
    taken.is_some_and(|body| {
        body == greeting
            || body == format!("if(1){{{greeting}}}")
            || body == format!("{{{greeting}}}")
            || body == format!("if(1){greeting}")
    })
}

#[test]
fn only_hoisting_takes_the_condition_away() {
    for strategy in TREES {
        let plan = Plan::new(strategy);
        assert!(
            reduce(IF_ONE, Some("c"), &plan, greets).contains("if"),
            "{strategy}"
        );
        for hoist in [Hoist::Before, Hoist::Interlaced, Hoist::Both] {
            let result = reduce(
                IF_ONE,
                Some("c"),
                &Plan {
                    hoist,
                    ..plan.clone()
                },
                greets,
            );
            let words: Vec<&str> = result.split_whitespace().collect();
            assert_eq!(
                words.join(" "),
                "int main() { printf(\"Hello world!\\n\"); }",
                "{strategy} {hoist}"
            );
        }
    }
}

#[test]
fn the_questions_about_the_condition_are_these() {
    let mut log = Vec::new();
    for hoist in [Hoist::None, Hoist::Interlaced] {
        let plan = Plan {
            hoist,
            ..Plan::new(Strategy::Hddr)
        };
        log.push(format!("hoist {hoist}"));
        for (candidate, verdict) in run(IF_ONE.as_bytes(), Some("c"), &plan, &mut greets).log {
            let mark = if verdict.is_interesting() { '+' } else { '-' };
            log.push(format!("{mark} {:?}", String::from_utf8_lossy(&candidate)));
        }
    }
    let log = log.join("\n");
    insta::assert_snapshot!(log);
}
