//! Table 7.1 of D. Vince's dissertation, measured: every tree strategy with every way to hoist, on real cases.
//!
//! `PAREDOWN_CASES=folder cargo bench --bench strategies [WORDS]...`: the folder holds one folder a case, with an `input.*` and a
//! `check.sh`. A word picks the cases whose names contain it; with a `+` before it, the rows of the table, with a `/` in it
//! one row. What the checks said is remembered in `PAREDOWN_MEMO=folder`. `PAREDOWN_MINIMIZER=name` puts one list minimiser into all
//! rows, with `-backward` behind its name from the last part on. `PAREDOWN_MOST=number` ends a reduction after so many queries, and the row says so. Prints
//! tokens, bytes and queries; a query is a run of the check, and what a reduction has asked before is not asked again. Behind
//! them, for each pass, its queries and how many were interesting.

#![expect(clippy::print_stdout, reason = "a table is what this program is for")]

use paredown::minimize::Options;
use paredown::search::{Render, Search, Verdict};
use paredown::strategy::{Hoist, Plan, Strategy, search};
use paredown::syntax::{Document, Language, count_tokens};
use sha3::{Digest, Sha3_256};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

const STRATEGIES: [Strategy; 5] = [
    Strategy::Hdd,
    Strategy::Hddr,
    Strategy::CoarseHdd,
    Strategy::CoarseHddr,
    Strategy::Quantified,
];

fn main() {
    let words: Vec<String> = env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let (rows, names): (Vec<String>, Vec<String>) =
        words.into_iter().partition(|word| word.starts_with('+'));
    let Ok(cases) = env::var("PAREDOWN_CASES") else {
        println!("PAREDOWN_CASES is not set: nothing to measure");
        return;
    };
    let entries = fs::read_dir(cases).expect("the folder of the cases");
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.expect("a case").path()).collect();
    folders.retain(|path| path.is_dir() && is_picked(&names, &path.to_string_lossy()));
    folders.sort();
    for folder in folders {
        measure(&folder, &rows);
    }
}

/// Whether a name contains one of the words, or there are none.
fn is_picked(words: &[String], name: &str) -> bool {
    words.is_empty()
        || words
            .iter()
            .map(|word| word.trim_start_matches('+'))
            .any(|word| name == word || !word.contains('/') && name.contains(word))
}

fn measure(folder: &Path, rows: &[String]) {
    let mut paths = fs::read_dir(folder)
        .expect("a case")
        .map(|entry| entry.expect("a file").path());
    let Some(input) = paths.find(|path| path.file_stem().is_some_and(|stem| stem == "input"))
    else {
        return;
    };
    let bytes = fs::read(&input).expect("the input");
    let extension = input
        .extension()
        .map(|extension| extension.to_string_lossy().into_owned());
    let language = Language::detect(extension.as_deref(), &bytes);
    let document = Document::new(bytes.clone(), language);
    println!(
        "{}: {} tokens, {} bytes",
        folder.display(),
        count_tokens(&bytes),
        bytes.len()
    );
    let mut oracle = Oracle::new(folder, &input);
    for strategy in STRATEGIES {
        for hoist in Hoist::ALL {
            let name = format!("{strategy}/{hoist}");
            let is_repeated = strategy == Strategy::Quantified && hoist != Hoist::None;
            if is_repeated || !is_picked(rows, &name) {
                continue;
            }
            let (result, passes) = reduce(
                &document,
                &Plan {
                    hoist,
                    minimizer: minimizer(),
                    ..Plan::new(strategy)
                },
                &mut oracle,
            );
            let queries: u32 = passes.values().map(|counts| counts.0).sum();
            let (tokens, bytes) = (count_tokens(&result), result.len());
            let ended = if queries < most_queries() {
                ""
            } else {
                "cut off"
            };
            println!(
                "{name:24} {tokens:6} tokens {bytes:7} bytes {queries:7} queries  {passes:?} {ended}"
            );
            if env::var_os("PAREDOWN_SHOW").is_some() {
                println!("{}", String::from_utf8_lossy(&result));
            }
        }
    }
}

/// The result, and for each pass its queries and how many were interesting.
fn reduce(
    document: &Document,
    plan: &Plan,
    oracle: &mut Oracle,
) -> (Vec<u8>, BTreeMap<&'static str, (u32, u32)>) {
    let mut reduction = search(document, plan);
    let mut known = BTreeMap::from([(digest(document.bytes()), Verdict::Interesting)]);
    let mut passes: BTreeMap<_, (u32, u32)> = BTreeMap::new();
    let mut left = most_queries();
    while let Some(candidate) = reduction.ask().filter(|_| left > 0) {
        let bytes = candidate.to_bytes();
        let counts = passes.entry(candidate.pass()).or_default();
        let verdict = *known.entry(digest(&bytes)).or_insert_with(|| {
            let verdict = oracle.ask(&bytes);
            left -= 1;
            *counts = (counts.0 + 1, counts.1 + u32::from(verdict.is_interesting()));
            verdict
        });
        reduction.tell(verdict);
    }
    (reduction.best().to_bytes(), passes)
}

/// How many queries a reduction may need.
fn most_queries() -> u32 {
    let most = env::var("PAREDOWN_MOST").ok();
    most.and_then(|most| most.parse().ok()).unwrap_or(u32::MAX)
}

/// The list minimiser that was chosen for all rows; `None` for each strategy's own.
fn minimizer() -> Option<Options> {
    let name = env::var("PAREDOWN_MINIMIZER").ok()?;
    let algorithm = name.trim_end_matches("-backward").parse();
    let mut options = Options::new(algorithm.expect("a list minimiser"));
    options.backward = name.ends_with("-backward");
    Some(options)
}

fn digest(bytes: &[u8]) -> [u8; 32] {
    Sha3_256::digest(bytes).into()
}

/// Runs a check in a folder of its own and remembers what it said.
struct Oracle {
    check: PathBuf,
    candidate: PathBuf,
    folder: tempfile::TempDir,
    known: BTreeMap<String, bool>,
    memo: Option<fs::File>,
}

impl Oracle {
    fn new(folder: &Path, input: &Path) -> Self {
        let own = tempfile::tempdir().expect("a temporary folder");
        let name = folder
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let memo = env::var("PAREDOWN_MEMO")
            .ok()
            .map(|memo| Path::new(&memo).join(name));
        let text = memo
            .as_ref()
            .and_then(|memo| fs::read_to_string(memo).ok())
            .unwrap_or_default();
        let known = text.lines().filter_map(|line| line.split_once(' '));
        Self {
            check: folder.join("check.sh"),
            candidate: own.path().join(input.file_name().expect("a name")),
            folder: own,
            known: known
                .map(|(key, verdict)| (key.to_owned(), verdict == "1"))
                .collect(),
            memo: memo.map(|memo| {
                fs::OpenOptions::new()
                    .create(true)
                    .append(true)
                    .open(memo)
                    .expect("the memo")
            }),
        }
    }

    fn ask(&mut self, bytes: &[u8]) -> Verdict {
        let key = digest(bytes).map(|byte| format!("{byte:02x}")).concat();
        if let Some(&known) = self.known.get(&key) {
            return Verdict::of(known);
        }
        let interesting = self.run(bytes);
        if let Some(memo) = &mut self.memo {
            writeln!(memo, "{key} {}", u8::from(interesting)).expect("the memo");
        }
        self.known.insert(key, interesting);
        Verdict::of(interesting)
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "a bench needs no more than the exit status"
    )]
    fn run(&self, bytes: &[u8]) -> bool {
        fs::write(&self.candidate, bytes).expect("the candidate");
        let mut command = Command::new(&self.check);
        command.arg(&self.candidate).current_dir(self.folder.path());
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }
}
