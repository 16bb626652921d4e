//! Real reduction cases for the benches: a folder each, with an `input.*` and a `check.sh`. Those in `examples` are always there;
//! `PAREDOWN_CASES=folder` holds more. Words on the command line pick those whose names contain one of them.
//!
//! The checks are not run: `benches/cases` has a recording of what each of them said, so that a table comes out in minutes,
//! without compilers, the same on every machine. A reduction that asks about something else ends there, and is told as such. With
//! `PAREDOWN_RECORD=1` the checks are run for it, and the answers added to the recordings. `PAREDOWN_MOST=number` ends a
//! reduction after so many queries.

use paredown::engine::Recording;
use paredown::oracle::Outcome as Answer;
use paredown::search::{Render, Search, Verdict};
use paredown::strategy::{Plan, search};
use paredown::syntax::{Document, Language};
use sha3::{Digest, Sha3_256};
use std::collections::BTreeMap;
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
    /// How many queries it took: runs of the check, or of what is recorded of it.
    pub(crate) queries: u32,
    /// Whether it came to its own end.
    pub(crate) ending: Ending,
}

/// How far a reduction came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// To its own end.
    Complete,
    /// To the number of queries that it may need.
    CutOff,
    /// To a candidate that is not recorded.
    NotRecorded,
}

impl Ending {
    /// Behind a number of queries: whether they are all.
    pub(crate) fn note(self) -> &'static str {
        match self {
            Self::Complete => "",
            Self::CutOff => "cut off",
            Self::NotRecorded => "not recorded: set PAREDOWN_RECORD=1",
        }
    }
}

/// The cases whose names contain one of the words, or all without a word, in the order of their names.
pub(crate) fn picked(words: &[String]) -> Vec<Case> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let more = env::var_os("PAREDOWN_CASES").map(PathBuf::from);
    let mut folders: Vec<PathBuf> = [Some(examples), more]
        .into_iter()
        .flatten()
        .flat_map(|folder| fs::read_dir(folder).expect("the folder of the cases"))
        .map(|entry| entry.expect("a case").path())
        .collect();
    let is_picked = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        words.is_empty() || words.iter().any(|word| name.contains(word))
    };
    folders.retain(|path| path.is_dir() && is_picked(path));
    folders.sort_by_key(|path| path.file_name().map(ToOwned::to_owned));
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
        let name = folder.file_name().expect("a name").to_string_lossy();
        Some(Self {
            oracle: Oracle::new(folder, &name, &input),
            name: name.into_owned(),
            document: Document::new(bytes, language),
        })
    }

    /// Reduces the input by a plan, with so many queries at most.
    pub(crate) fn reduce(&mut self, plan: &Plan, most: u32) -> Outcome {
        let mut reduction = search(&self.document, plan);
        let original = digest(self.document.bytes());
        let mut known = BTreeMap::from([(original, Verdict::Interesting)]);
        let mut passes: BTreeMap<_, (u32, u32)> = BTreeMap::new();
        let (mut queries, mut bytes, mut ending) = (0, Vec::new(), Ending::Complete);
        while let Some(candidate) = reduction.ask() {
            bytes.clear();
            candidate.render(&mut bytes);
            let key = digest(&bytes);
            let verdict = if let Some(&verdict) = known.get(&key) {
                verdict
            } else if queries >= most {
                ending = Ending::CutOff;
                break;
            } else if let Some(verdict) = self.oracle.ask(&bytes) {
                queries += 1;
                let counts = passes.entry(candidate.pass()).or_default();
                *counts = (counts.0 + 1, counts.1 + u32::from(verdict.is_interesting()));
                known.insert(key, verdict);
                verdict
            } else {
                ending = Ending::NotRecorded;
                break;
            };
            reduction.tell(verdict);
        }
        Outcome {
            result: reduction.best().to_bytes(),
            passes,
            queries,
            ending,
        }
    }
}

/// How many queries a reduction may need: what `PAREDOWN_MOST` says, or else so many.
pub(crate) fn most_queries(default: u32) -> u32 {
    let most = env::var("PAREDOWN_MOST").ok();
    most.and_then(|most| most.parse().ok()).unwrap_or(default)
}

fn digest(bytes: &[u8]) -> [u8; 32] {
    Sha3_256::digest(bytes).into()
}

/// Knows what a check said, or runs it in a folder of its own.
pub(crate) struct Oracle {
    check: PathBuf,
    candidate: PathBuf,
    folder: tempfile::TempDir,
    recorded: Recording,
    recording: PathBuf,
    is_recording: bool,
    /// Answers that are not in the file.
    unsaved: usize,
}

/// So many new answers are lost at most when a bench is killed.
const SAVED_AT_ONCE: usize = 200;

impl Oracle {
    fn new(folder: &Path, name: &str, input: &Path) -> Self {
        let own = tempfile::tempdir().expect("a temporary folder");
        let check = folder.join("check.sh");
        let text = fs::read(&check).expect("the check");
        let recordings = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/cases");
        let recording = recordings.join(format!("{name}.recording"));
        let recorded = fs::read(&recording).ok();
        let recorded = recorded.and_then(|bytes| Recording::from_bytes(&bytes));
        let recorded = recorded.filter(|recorded| recorded.is_of_check(&text));
        Self {
            check,
            candidate: own.path().join(input.file_name().expect("a name")),
            folder: own,
            recorded: recorded.unwrap_or_else(|| Recording::of_check(&text)),
            recording,
            is_recording: env::var_os("PAREDOWN_RECORD").is_some(),
            unsaved: 0,
        }
    }

    /// What the check said, or says now if that is to be recorded.
    pub(crate) fn ask(&mut self, bytes: &[u8]) -> Option<Verdict> {
        if let Some(answer) = self.recorded.answer(bytes) {
            return Some(Verdict::of(answer == Answer::Interesting));
        }
        let answer = self.is_recording.then(|| self.run(bytes))?;
        self.recorded.record(bytes, answer);
        self.unsaved += 1;
        if self.unsaved >= SAVED_AT_ONCE {
            self.save();
        }
        Some(Verdict::of(answer == Answer::Interesting))
    }

    fn save(&mut self) {
        let saved = fs::write(&self.recording, self.recorded.to_bytes());
        saved.expect("the recording can be written");
        self.unsaved = 0;
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "a bench needs no more than the exit status"
    )]
    fn run(&self, bytes: &[u8]) -> Answer {
        fs::write(&self.candidate, bytes).expect("the candidate");
        let mut command = Command::new("timeout");
        command.args(["-k", "1", "20"]).arg(&self.check);
        command.arg(&self.candidate).current_dir(self.folder.path());
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let is_interesting = command.status().is_ok_and(|status| status.success());
        if is_interesting {
            Answer::Interesting
        } else {
            Answer::Uninteresting
        }
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        if self.unsaved > 0 {
            self.save();
        }
    }
}
