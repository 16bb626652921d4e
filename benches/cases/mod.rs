//! Real reduction cases for the benches: a folder each, with an `input.*` and a `check.sh`.
//!
//! `PAREDOWN_CASES=folder` holds them; words on the command line pick those whose names contain one of them. What the checks said
//! is remembered in `PAREDOWN_MEMO=folder`. `PAREDOWN_MOST=number` ends a reduction after so many queries.

use paredown::search::{Render, Search, Verdict};
use paredown::strategy::{Plan, search};
use paredown::syntax::{Document, Language};
use sha3::{Digest, Sha3_256};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

/// One case.
pub(crate) struct Case {
    /// The name of its folder.
    pub(crate) name: String,
    /// Its input, in the language that the program would take it for.
    pub(crate) document: Document,
    /// Its check.
    pub(crate) oracle: Oracle,
}

/// How a reduction ended.
pub(crate) struct Outcome {
    /// What is left.
    pub(crate) result: Vec<u8>,
    /// By pass: its queries, and how many were interesting.
    pub(crate) passes: BTreeMap<&'static str, (u32, u32)>,
    /// How many queries it took: runs of the check, or of what is remembered of it.
    pub(crate) queries: u32,
}

impl Outcome {
    /// Behind a number of queries: whether they are all.
    pub(crate) fn ending(&self) -> &'static str {
        if self.queries < most_queries() {
            ""
        } else {
            "cut off"
        }
    }
}

/// The cases whose names contain one of the words, or all without a word, in the order of their names.
pub(crate) fn picked(words: &[String]) -> Vec<Case> {
    let Ok(cases) = env::var("PAREDOWN_CASES") else {
        return Vec::new();
    };
    let entries = fs::read_dir(cases).expect("the folder of the cases");
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.expect("a case").path()).collect();
    let is_picked = |path: &Path| {
        let name = path.to_string_lossy();
        words.is_empty() || words.iter().any(|word| name.contains(word))
    };
    folders.retain(|path| path.is_dir() && is_picked(path));
    folders.sort();
    folders.iter().filter_map(|path| Case::open(path)).collect()
}

impl Case {
    fn open(folder: &Path) -> Option<Self> {
        let entries = fs::read_dir(folder).expect("a case");
        let mut paths = entries.map(|entry| entry.expect("a file").path());
        let input = paths.find(|path| path.file_stem().is_some_and(|stem| stem == "input"))?;
        let bytes = fs::read(&input).expect("the input");
        let extension = input.extension();
        let extension = extension.map(|extension| extension.to_string_lossy().into_owned());
        let language = Language::detect(extension.as_deref(), &bytes);
        let name = folder.file_name().expect("a name");
        Some(Self {
            name: name.to_string_lossy().into_owned(),
            document: Document::new(bytes, language),
            oracle: Oracle::new(folder, &input),
        })
    }

    /// Reduces the input by a plan. What a reduction has asked before is not asked again.
    pub(crate) fn reduce(&mut self, plan: &Plan) -> Outcome {
        let mut reduction = search(&self.document, plan);
        let original = digest(self.document.bytes());
        let mut known = BTreeMap::from([(original, Verdict::Interesting)]);
        let mut passes: BTreeMap<_, (u32, u32)> = BTreeMap::new();
        let mut queries = 0;
        while let Some(candidate) = reduction.ask().filter(|_| queries < most_queries()) {
            let bytes = candidate.to_bytes();
            let counts = passes.entry(candidate.pass()).or_default();
            let verdict = *known.entry(digest(&bytes)).or_insert_with(|| {
                let verdict = self.oracle.ask(&bytes);
                queries += 1;
                *counts = (counts.0 + 1, counts.1 + u32::from(verdict.is_interesting()));
                verdict
            });
            reduction.tell(verdict);
        }
        Outcome {
            result: reduction.best().to_bytes(),
            passes,
            queries,
        }
    }
}

/// How many queries a reduction may need.
fn most_queries() -> u32 {
    let most = env::var("PAREDOWN_MOST").ok();
    most.and_then(|most| most.parse().ok()).unwrap_or(u32::MAX)
}

fn digest(bytes: &[u8]) -> [u8; 32] {
    Sha3_256::digest(bytes).into()
}

/// Runs a check in a folder of its own and remembers what it said.
pub(crate) struct Oracle {
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

    pub(crate) fn ask(&mut self, bytes: &[u8]) -> Verdict {
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
