//! The figures of D. Vince's dissertation that need the grammar, through the binary; `examples/` holds their programs.

use std::path::Path;

use crate::harness::{TestEnv, have};

const HOSTS: [&str; 4] = ["hdd", "hddr", "coarse-hdd", "coarse-hddr"];
const WITH_HOISTING: [&str; 3] = ["before", "interlaced", "both"];

/// What a host makes of an example, with the blanks between the words made equal.
fn reduce(example: &str, input: &str, strategy: &str, hoist: &str) -> String {
    let env = TestEnv::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples")
        .join(example);
    let (check, input) = (folder.join("check.sh"), folder.join(input));
    let (check, input) = (check.to_str().unwrap(), input.to_str().unwrap());
    let options = ["--strategy", strategy, "--hoist", hoist, "-o", "result"];
    env.run(&[&options[..], &[check, input]].concat())
        .expect_code(0);
    env.text("result")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn figure_7_2_comes_out_of_figure_7_1_only_with_hoisting() {
    if !have("cc") {
        return;
    }
    for host in HOSTS {
        let plain = reduce("if-one", "input.c", host, "none");
        assert_eq!(
            plain, r#"int main() { if (1) { printf("Hello world!\n"); } }"#,
            "{host}"
        );
        for hoist in WITH_HOISTING {
            let hoisted = reduce("if-one", "input.c", host, hoist);
            assert_eq!(
                hoisted, r#"int main() { printf("Hello world!\n"); }"#,
                "{host} {hoist}"
            );
        }
    }
}

#[test]
fn figure_7_4_b_comes_out_of_figure_7_3_only_with_hoisting() {
    if !have("node") {
        return;
    }
    for host in ["hddr", "coarse-hdd"] {
        let plain = reduce("localized-pi", "input.java", host, "none");
        for needed in [
            "formatParts(String intPart, String fracPart, String decSep)",
            r#"= formatParts("", "", decSeparator(args[0]));"#,
        ] {
            assert!(plain.contains(needed), "{host}: {plain}");
        }
        let hoisted = reduce("localized-pi", "input.java", host, "before");
        assert!(!hoisted.contains("formatParts"), "{host}: {hoisted}");
        assert!(
            hoisted.contains("= decSeparator(args[0]);"),
            "{host}: {hoisted}"
        );
        assert!(hoisted.len() < plain.len(), "{host}: {hoisted}");
    }
}

#[test]
fn the_quantified_host_hoists_by_itself() {
    if !have("node") {
        return;
    }
    let result = reduce("localized-pi", "input.java", "quantified", "none");
    assert!(!result.contains("formatParts"), "{result}");
}
