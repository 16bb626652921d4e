//! Every message has a test: of what the source says to people a part that tells it from others is named in a test, or stands in a
//! snapshot of one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::TestEnv;
use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

/// The rooms and files whose texts are for people.
const ROOMS: &[&str] = &[
    "error.rs",
    "error",
    "config.rs",
    "config",
    "app.rs",
    "app",
    "doctor",
    "init",
    "report/human.rs",
    "report/lines.rs",
    "report/live",
    "report/mod.rs",
    "report/summary.rs",
    "report/html.rs",
    "report/markdown.rs",
    "cli/values.rs",
    "oracle/check.rs",
    "oracle/mod.rs",
    "output.rs",
    "output",
    "engine/journal.rs",
    "library.rs",
    "syntax/rewrites",
    "syntax/query.rs",
    "syntax/own.rs",
    "engine/outlets.rs",
    "engine/recording.rs",
    "minimize/options.rs",
    "strategy/plan.rs",
    "oracle/script.rs",
    "oracle/launch",
    "report/batch.rs",
    "report/finding.rs",
    "cli/batch.rs",
    "cli/task.rs",
];

/// What is said when the system gives no thread any more, which cannot be brought about here.
const UNTESTED: &[&str] = &["start a thread"];

/// Shorter pieces of a text would be found anywhere.
const SHORTEST: usize = 9;
/// A test names so many words of a message in a row,
const WORDS: usize = 3;
/// which together are so long.
const LONG_ENOUGH: usize = 14;

/// The texts of a file's code outside of its tests.
#[derive(Default)]
struct Texts(Vec<String>);

impl Texts {
    fn add(&mut self, literal: &syn::LitStr) {
        self.0.push(literal.value());
    }

    fn add_tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.add_tokens(group.stream()),
                TokenTree::Literal(literal) => {
                    if let Ok(syn::Lit::Str(text)) = syn::parse_str(&literal.to_string()) {
                        self.add(&text);
                    }
                }
                _ => {}
            }
        }
    }
}

impl<'a> Visit<'a> for Texts {
    fn visit_lit_str(&mut self, literal: &'a syn::LitStr) {
        self.add(literal);
    }

    fn visit_macro(&mut self, it: &'a syn::Macro) {
        self.add_tokens(it.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'a syn::Attribute) {
        if attribute.path().is_ident("error")
            && let syn::Meta::List(list) = &attribute.meta
        {
            self.add_tokens(list.tokens.clone());
        }
    }

    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        let is_test = module.attrs.iter().any(|it| it.path().is_ident("cfg"));
        if !is_test {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'a syn::ItemFn) {
        if !function.attrs.iter().any(|it| it.path().is_ident("cfg")) {
            visit::visit_item_fn(self, function);
        }
    }
}

fn files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            files(&entry.unwrap().path(), found);
        }
    } else {
        found.push(path.to_owned());
    }
}

/// Several blanks or line ends are one blank: texts are wrapped in tests and on terminals. Quotes may be those of a shell.
fn flat(text: &str) -> String {
    let text = text.replace('"', "");
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// The longest piece of a text between what is put into it, if it looks like words for people.
fn piece(text: &str) -> Option<String> {
    let mut pieces = vec![String::new()];
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '{' => {
                depth += 1;
                pieces.push(String::new());
            }
            '}' => depth = (depth - 1).max(0),
            '\n' => pieces.push(String::new()),
            c if depth == 0 => pieces.last_mut().unwrap().push(c),
            _ => {}
        }
    }
    let longest = pieces
        .into_iter()
        .map(|piece| flat(&piece))
        .max_by_key(String::len)?;
    let words = longest.split(' ').filter(|word| {
        word.len() > 1
            && word
                .chars()
                .all(|c| c.is_alphabetic() || ",.;:'`".contains(c))
    });
    (words.count() >= 2 && longest.len() >= SHORTEST).then_some(longest)
}

/// What is said in tests: their files, the snapshots, and the tests beside the source.
fn said_in_tests() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    files(&root.join("tests/it"), &mut all);
    files(&root.join("src"), &mut all);
    let mut said = String::new();
    for path in all {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let is_test = is_tests(&path)
            || path.starts_with(root.join("tests"))
            || path.extension().is_some_and(|it| it == "snap");
        let part = if is_test {
            Some(text.as_str())
        } else {
            text.split_once("#[cfg(test)]").map(|(_, tests)| tests)
        };
        if let Some(part) = part {
            // A text that is wrapped in a test has a backslash before the line's end.
            said.push_str(&flat(&part.replace("\\\n", " ").replace("\\\"", "\"")));
            said.push('\n');
        }
    }
    said
}

/// A file of tests beside the source.
fn is_tests(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "tests.rs")
}

/// Whether a part of the text that nothing else has is said.
fn is_named(piece: &str, said: &str) -> bool {
    let words: Vec<&str> = piece.split(' ').collect();
    let parts = words.windows(WORDS).map(|words| words.join(" "));
    let mut parts = parts.filter(|part| part.len() >= LONG_ENOUGH);
    said.contains(piece) || parts.any(|part| said.contains(&part))
}

#[test]
fn every_message_is_in_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    for room in ROOMS {
        files(&root.join(room), &mut sources);
    }
    let said = said_in_tests();
    let mut missing = BTreeSet::new();
    sources.retain(|path| !is_tests(path));
    for path in sources
        .iter()
        .filter(|path| path.extension().is_some_and(|it| it == "rs"))
    {
        let mut texts = Texts::default();
        texts.visit_file(&syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap());
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        for piece in texts.0.iter().filter_map(|text| piece(text)) {
            if !is_named(&piece, &said) && !UNTESTED.contains(&&*piece) {
                missing.insert(format!("{name}: {piece}"));
            }
        }
    }
    let missing = Vec::from_iter(missing).join("\n");
    assert!(missing.is_empty(), "these texts are in no test:\n{missing}");
}

/// What is said about a command line that makes no sense, for each way in which it can.
#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn each_wrong_command_line_is_answered() {
    let env = TestEnv::new();
    env.check("check.sh", "grep -q bug \"$1\"");
    env.write("bug.c", "int bug;\n");
    env.write("b.c", "int b;\n");
    env.write("folder/a.c", "int bug;\n");
    env.write("mine/notes", "mine");
    env.write("empty-grammar/src/grammar.json", "{}");
    env.write("a.out", "a");
    env.write("kept.c", "int bug;\n");
    env.write("kept.c.orig", "int bug; // kept\n");
    std::fs::hard_link(env.path("kept.c.orig"), env.path("hard")).unwrap();
    env.write("r.c.also-interesting/x", "a");
    for (name, facts) in [("bad-grammar", None), ("bad-facts", Some("nonsense = 1\n"))] {
        env.write(
            &format!("{name}/grammar.json"),
            "{\"name\": \"x\", \"rules\": {}}",
        );
        env.write(&format!("{name}/node-types.json"), "[]");
        env.write(&format!("{name}/x.so"), "no library");
        if let Some(facts) = facts {
            env.write(&format!("{name}/paredown.toml"), facts);
        }
    }
    let mut wrong = Vec::new();
    for (code, args, said) in [
        (
            2,
            &["--timeout", "0", "check.sh", "bug.c"][..],
            "must be more than 0",
        ),
        (
            2,
            &[
                "--minimizer",
                "wddmin",
                "--strategy",
                "lines",
                "--hoist",
                "both",
                "check.sh",
                "bug.c",
            ],
            "` needs a tree, but `--strategy",
        ),
        (
            2,
            &["--stderr", "(", "bug.c", "--", "cc", "@@"],
            "` is not understood:",
        ),
        (
            2,
            &["--stderr", "(", "bug.c", "--", "cc", "@@"],
            r"'a \(fixed\) text'",
        ),
        (
            2,
            &["--differs", "bug.c", "--", "cc", "@@"],
            "`--differs` needs two commands with one `",
        ),
        (
            2,
            &["--differs", "bug.c", "--", "--and", "cc", "@@"],
            "there is no command before `",
        ),
        (
            2,
            &["--exit-code", "300", "bug.c", "--", "cc", "@@"],
            "` is no exit status from 0 to 255, no range of them, and no `!` before one",
        ),
        (
            2,
            &["--signal", "NOPE", "bug.c", "--", "cc", "@@"],
            "` is no signal: give a name such as SIGSEGV or RTMIN+1, or a number",
        ),
        (
            2,
            &["check.sh", "-", "bug.c"],
            "`-` is standard input, which is reduced alone",
        ),
        (
            2,
            &["check.sh", "-", "bug.c"],
            "put it into a file first: cat > bug.c",
        ),
        (
            2,
            &["-i", "check.sh", "-"],
            "standard input cannot be rewritten in place",
        ),
        (
            2,
            &["-o", "b.c", "check.sh", "folder"],
            "a folder is reduced",
        ),
        (
            2,
            &["--state", "mine", "check.sh", "bug.c"],
            "is no folder for a state: paredown did not make `",
        ),
        (
            2,
            &["-i", "check.sh", "folder"],
            "` is for files, but a folder is to be reduced",
        ),
        (
            2,
            &["--report", "bug.c.orig", "-i", "check.sh", "bug.c"],
            "what -i keeps of the input",
        ),
        (
            2,
            &["--report", "bug.reduced.c", "check.sh", "bug.c"],
            "the report",
        ),
        (
            2,
            &["doctor", "check.sh", "folder"],
            "paredown doctor looks at checks of files, but a folder is given",
        ),
        (
            2,
            &["doctor", "check.sh", "folder"],
            "run the reduction itself: it says what the check of a folder did",
        ),
        (2, &["init", "-o", "new.sh", "bug.c"], "this is not given:"),
        (
            1,
            &["doctr", "check.sh", "bug.c"],
            "did you mean paredown doctor?",
        ),
        (
            2,
            &["--differs", "bug.c", "--", "cc", "@@"],
            "paredown bug.c --differs -- cc -O0 -run @@ --and cc -O2 -run @@",
        ),
        (
            2,
            &["--differs", "bug.c", "--", "--and", "cc", "@@"],
            "paredown bug.c --differs -- A @@ --and B @@",
        ),
        (
            2,
            &["--json", "b.c", "bug.c", "--", "grep", "-qf", "b.c", "@@"],
            "the JSON lines and a file that the command names would be the same file: b.c",
        ),
        (
            2,
            &["--json", "hard", "-i", "check.sh", "kept.c"],
            "the JSON lines and a kept original would be the same file: hard",
        ),
        (
            2,
            &["--json", "bug.c.orig", "check.sh", "bug.c"],
            "the JSON lines would take a name that is for what -i keeps of the input: bug.c.orig",
        ),
        (
            2,
            &["--json", "bug.c.orig", "check.sh", "bug.c"],
            "choose a name that does not end with .orig",
        ),
        (
            2,
            &[
                "--state",
                "new",
                "--json",
                "new/events",
                "check.sh",
                "bug.c",
            ],
            "is for the state alone, but the JSON lines is in it: new/events",
        ),
        (
            2,
            &[
                "--also-interesting",
                "9",
                "-o",
                "r.c",
                "--json",
                "r.c.also-interesting/e",
                "check.sh",
                "bug.c",
            ],
            "is for what is also interesting alone, but",
        ),
        (
            2,
            &["-i", "check.sh", "folder"],
            "leave it out and take a new folder: -o small/",
        ),
        (
            2,
            &["--stdin", "check.sh", "folder"],
            "leave it out and take the files one by one",
        ),
        (
            2,
            &["--grammar", "folder", "check.sh", "bug.c"],
            "`--grammar folder`: there is no grammar.json in it",
        ),
        (
            2,
            &["--grammar", "folder", "check.sh", "bug.c"],
            "give the folder of a grammar in which this was run: tree-sitter generate && tree-sitter build",
        ),
        (
            2,
            &["--grammar", "bad-grammar", "check.sh", "bug.c"],
            "`--grammar bad-grammar` cannot be used: ",
        ),
        (
            2,
            &["--grammar", "bad-grammar", "check.sh", "bug.c"],
            "make it anew with a tree-sitter of this time: tree-sitter generate && tree-sitter build",
        ),
        (
            2,
            &["--grammar", "bad-facts", "check.sh", "bug.c"],
            "its keys are those of the files in the folder grammars/ of paredown's sources",
        ),
    ] {
        let run = env.run(args);
        if run.code != code || !run.stderr.contains(said) {
            wrong.push((args, said, run));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let run = env.run(&["-q", "--keep", "nothing", "check.sh", "bug.c"]);
    let said = "` matches nothing, so it keeps nothing";
    assert!(run.expect_code(0).stderr.contains(said));
}
