//! A grammar that is not built in, loaded at run time. The one of XML's document types comes with the crate of XML's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::harness::{TestEnv, have};

/// The sources of a parser that the program does not link.
fn sources() -> PathBuf {
    // Without a platform it wants the packages of all of them, which no build has fetched.
    let version = Command::new("rustc").arg("-vV").output().unwrap().stdout;
    let version = String::from_utf8(version).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--format-version", "1"])
        .args(["--filter-platform", host.unwrap()])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let xml = packages
        .iter()
        .find(|package| package["name"] == "tree-sitter-xml")
        .unwrap();
    let manifest = Path::new(xml["manifest_path"].as_str().unwrap());
    manifest.parent().unwrap().join("dtd")
}

/// A folder as `tree-sitter generate` and `tree-sitter build` leave it; `None`, with a word, where nothing can be built.
fn environment() -> Option<TestEnv> {
    if !have("cc") {
        return None;
    }
    let env = TestEnv::new();
    let sources = sources();
    for name in ["grammar.json", "node-types.json"] {
        env.write(
            &format!("dtd/src/{name}"),
            fs::read(sources.join("src").join(name)).unwrap(),
        );
    }
    let library = env.path("dtd/dtd.so");
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-O0", "-w", "-I"])
        .arg(sources.join("src"));
    cc.arg("-o").arg(&library).arg(sources.join("src/parser.c"));
    let scanner = sources.join("src/scanner.c");
    if scanner.exists() {
        cc.arg(scanner);
    }
    assert!(cc.status().unwrap().success());
    env.write("bug.dtd", DOCUMENT);
    env.check("check.sh", "grep -q 'wanted' \"$1\" && grep -q '<!ELEMENT' \"$1\" && ! grep -q '<!ELEMENT[^>]*$' \"$1\"");
    Some(env)
}

const DOCUMENT: &str = "<!-- a comment -->
<!ELEMENT note (to, from, heading, body)>
<!ELEMENT wanted (#PCDATA)>
<!ATTLIST note id CDATA #REQUIRED kind (a | b) \"a\">
<!ENTITY writer \"somebody\">
<!ELEMENT other (to | from)*>
";

#[test]
fn a_grammar_of_the_users_own_cuts_the_file_up() {
    let Some(env) = environment() else { return };
    let run = env
        .run(&["--grammar", "dtd", "-o", "small", "check.sh", "bug.dtd"])
        .expect_code(0);
    assert!(run.stderr.contains("read as dtd"), "{}", run.stderr);
    let small = env.text("small");
    assert!(small.contains("wanted") && small.len() < 30, "{small}");
    let json = env.run(&[
        "--grammar",
        "dtd",
        "-o",
        "small",
        "--json",
        "-",
        "check.sh",
        "bug.dtd",
    ]);
    assert!(
        json.stdout_text().contains("\"language\":\"dtd\""),
        "{}",
        json.stdout_text()
    );
    // What stands in its own folder about it is used: the comment is one.
    let facts = "extensions = [\"dtd\"]\n[lexis]\nblocks = [[\"<!--\", \"-->\"]]\n";
    env.write("dtd/paredown.toml", facts);
    let run = env.run(&["--grammar", "dtd", "-o", "small", "check.sh", "bug.dtd"]);
    if run.code != 0 {
        assert!(
            run.stderr.contains("paredown.toml is not understood"),
            "{}",
            run.stderr
        );
    }
    env.write("dtd/paredown.toml", "extensions = 7\n");
    let run = env
        .run(&["--grammar", "dtd", "check.sh", "bug.dtd"])
        .expect_code(2);
    assert!(
        run.stderr.contains("paredown.toml is not understood"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_folder_that_is_no_whole_grammar_is_refused_with_what_is_missing() {
    let Some(env) = environment() else { return };
    let refused = |said: &str| {
        let run = env
            .run(&["--grammar", "dtd", "check.sh", "bug.dtd"])
            .expect_code(2);
        assert!(run.stderr.contains(said), "{said}: {}", run.stderr);
    };
    let types = env.read("dtd/src/node-types.json");
    env.write(
        "dtd/src/node-types.json",
        r#"[{"type": "banana", "named": true}]"#,
    );
    refused("does not know the node type `banana`");
    fs::remove_file(env.path("dtd/src/node-types.json")).unwrap();
    refused("there is no node-types.json in it");
    env.write("dtd/src/node-types.json", types);
    let grammar = env.text("dtd/src/grammar.json");
    env.write(
        "dtd/src/grammar.json",
        grammar.replacen("\"name\": \"dtd\"", "\"name\": \"other\"", 1),
    );
    refused("tree_sitter_other");
    env.write("dtd/src/grammar.json", &grammar[1..]);
    refused("not what tree-sitter generate writes");
    env.write("dtd/src/grammar.json", grammar);
    env.write("dtd/dtd.so", "no library");
    refused("cannot be used");
    fs::remove_file(env.path("dtd/dtd.so")).unwrap();
    refused("there is no parser library in it");
    refused("cc -shared -fPIC");
    let run = env.run(&["--grammar", "dtd", "-l", "xml", "check.sh", "bug.dtd"]);
    run.expect_code(2);
}
