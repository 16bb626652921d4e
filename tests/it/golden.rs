//! What each strategy asks on the examples, question for question: a change of the program that changes any of it is seen here.
//!
//! The checks are not run: `tests/golden` has a recording of what each said, and for each strategy how it came out and the digest of its
//! questions in their order. After a change that is meant, one command runs the checks where the recordings do not know the answer,
//! writes both anew and prints what has become of queries and sizes:
//!
//! ```text
//! PAREDOWN_ACCEPT=1 cargo test --locked --all-features --test it golden -- --nocapture
//! ```

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use paredown::engine::{Engine, Recording, Settings};
use paredown::interrupt::Interrupt;
use paredown::minimize::{Algorithm, Options};
use paredown::oracle::Outcome;
use paredown::output::ResultFile;
use paredown::report::{Event, Source};
use paredown::strategy::{Hoist, Plan, Strategy, search};
use paredown::syntax::{Document, Language, count_tokens};
use sha3::{Digest, Sha3_256};

const HOW_TO_ACCEPT: &str = "if the change is meant: PAREDOWN_ACCEPT=1 cargo test --locked --all-features --test it golden -- --nocapture";

/// The examples with what they are written in; the others have candidates that run for ever, which takes long to record.
const EXAMPLES: [(&str, &str); 3] = [
    ("conflicting-types", "c"),
    ("if-one", "c"),
    ("localized-pi", "java"),
];

/// Those that go on down to the tokens or characters ask so much that they have a small example only.
const FINE: [Strategy; 4] = [
    Strategy::Tokens,
    Strategy::Chars,
    Strategy::Bytes,
    Strategy::TwoPass,
];
const FINE_EXAMPLE: &str = "if-one";

const WITH_HOISTING: [Strategy; 4] = [
    Strategy::Hdd,
    Strategy::Hddr,
    Strategy::CoarseHdd,
    Strategy::CoarseHddr,
];

/// The default pipeline and what the papers have, each with its name.
fn plans(example: &str) -> Vec<(String, Plan)> {
    let mut plans = Vec::new();
    for strategy in Strategy::ALL {
        let hoists = match strategy {
            _ if WITH_HOISTING.contains(&strategy) => &Hoist::ALL[..],
            _ if FINE.contains(&strategy) && example != FINE_EXAMPLE => &[],
            _ => &[Hoist::None],
        };
        plans.extend(hoists.iter().map(|&hoist| {
            let plan = Plan {
                hoist,
                ..Plan::new(strategy)
            };
            (format!("{strategy}/{hoist}"), plan)
        }));
    }
    for algorithm in Algorithm::ALL {
        let plan = Plan {
            minimizer: Some(Options::new(algorithm)),
            ..Plan::new(Strategy::Hdd)
        };
        plans.push((format!("hdd/{algorithm}"), plan));
    }
    plans
}

/// An example with what its check has said.
struct Example {
    folder: PathBuf,
    name: String,
    original: Vec<u8>,
    language: &'static str,
    recorded: Recording,
    /// What was asked now.
    asked: Mutex<Recording>,
    /// Whether the check is run for what is not recorded.
    is_accepting: bool,
}

impl Example {
    fn open(example: &str, extension: &'static str, is_accepting: bool) -> Self {
        let folder = root().join("examples").join(example);
        let name = format!("input.{extension}");
        let check = fs::read(folder.join("check.sh")).unwrap();
        let known = fs::read(recording_of(example)).ok();
        let known = known.and_then(|bytes| Recording::from_bytes(&bytes));
        let known = known.filter(|known| known.is_of_check(&check));
        assert!(
            known.is_some() || is_accepting,
            "the check of {example} is another one; {HOW_TO_ACCEPT}"
        );
        Self {
            original: fs::read(folder.join(&name)).unwrap(),
            folder,
            name,
            language: if extension == "js" {
                "javascript"
            } else {
                extension
            },
            recorded: known.unwrap_or_else(|| Recording::of_check(&check)),
            asked: Mutex::new(Recording::of_check(&check)),
            is_accepting,
        }
    }

    /// One line about a reduction: how it came out, and the digest of all that was asked.
    fn line(&self, name: &str, plan: &Plan) -> String {
        let (mut nowhere, interrupt) = (ResultFile::nowhere(), Interrupt::new());
        let mut questions = Sha3_256::new();
        let mut events = |event: &Event| {
            if let Event::Answered {
                pass,
                text,
                source: Source::Query,
                ..
            } = event
            {
                let candidate = text.as_deref().unwrap_or_default();
                questions.update(format!("{pass} {}\n", candidate.len()));
                questions.update(candidate);
            }
        };
        let oracle = |candidate: &[u8]| self.answers(candidate);
        let settings = Settings {
            shows_candidates: true,
            ..Settings::default()
        };
        let mut engine = Engine::new(
            &self.original,
            &oracle,
            settings,
            &mut nowhere,
            &interrupt,
            &mut events,
        );
        let (language, plan) = (self.language, plan.clone());
        let build =
            move |best: &[u8]| search(&Document::new(best, Language::named(language)), &plan);
        engine.run_until_known(build).unwrap();
        let (best, statistics) = engine.finish();
        let digest: [u8; 32] = questions.finalize().into();
        let [a, b, c, d, ..] = digest;
        let (queries, tokens) = (statistics.queries, count_tokens(&best));
        format!(
            "{name:24} {queries:5} queries {tokens:4} tokens {:5} bytes  {a:02x}{b:02x}{c:02x}{d:02x}",
            best.len()
        )
    }

    fn answers(&self, candidate: &[u8]) -> bool {
        let known = self.recorded.answer(candidate);
        let outcome = known.unwrap_or_else(|| {
            assert!(
                self.is_accepting,
                "the recording of {} does not know a candidate of {} bytes; {HOW_TO_ACCEPT}",
                self.folder.display(),
                candidate.len()
            );
            self.run(candidate)
        });
        self.asked.lock().unwrap().record(candidate, outcome);
        outcome == Outcome::Interesting
    }

    fn run(&self, candidate: &[u8]) -> Outcome {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(&self.name);
        fs::write(&path, candidate).unwrap();
        let mut check = Command::new(self.folder.join("check.sh"));
        check
            .arg(&path)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if check.status().unwrap().success() {
            Outcome::Interesting
        } else {
            Outcome::Uninteresting
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn recording_of(example: &str) -> PathBuf {
    root()
        .join("tests/golden")
        .join(format!("{example}.recording"))
}

fn log_of(example: &str) -> PathBuf {
    root().join("tests/golden").join(format!("{example}.txt"))
}

#[test]
#[expect(clippy::print_stdout, reason = "says what has changed")]
fn each_strategy_asks_what_it_asked_before() {
    let is_accepting = std::env::var_os("PAREDOWN_ACCEPT").is_some();
    let mut changed = String::new();
    for (name, extension) in EXAMPLES {
        let example = Example::open(name, extension, is_accepting);
        let lines: Vec<String> = plans(name)
            .iter()
            .map(|(name, plan)| example.line(name, plan))
            .collect();
        let log = lines.join("\n") + "\n";
        let before = fs::read_to_string(log_of(name)).unwrap_or_default();
        changed += &changes(name, &before, &log);
        if is_accepting {
            fs::create_dir_all(log_of(name).parent().unwrap()).unwrap();
            fs::write(
                recording_of(name),
                example.asked.into_inner().unwrap().to_bytes(),
            )
            .unwrap();
            fs::write(log_of(name), log).unwrap();
        }
    }
    if is_accepting {
        println!(
            "{}",
            if changed.is_empty() {
                "nothing has changed"
            } else {
                &changed
            }
        );
    } else {
        assert!(changed.is_empty(), "\n{changed}{HOW_TO_ACCEPT}");
    }
}

/// The lines that differ, each with what it was before.
fn changes(example: &str, before: &str, after: &str) -> String {
    let name = |line: &str| line.split(' ').next().map(str::to_owned);
    let mut changes = String::new();
    for line in after.lines() {
        let old = before.lines().find(|old| name(old) == name(line));
        if old != Some(line) {
            let _ = writeln!(
                changes,
                "{example}\n    before {}\n    now    {line}",
                old.unwrap_or("nothing")
            );
        }
    }
    changes
}

#[test]
fn a_change_is_told_with_the_line_before_it() {
    let told = changes(
        "if-one",
        "a/none 3 queries\nb/none 4 queries\n",
        "a/none 3 queries\nb/none 5 queries\n",
    );
    assert_eq!(
        told,
        "if-one\n    before b/none 4 queries\n    now    b/none 5 queries\n"
    );
}

/// The program runs the check a few times more: on the original, on the result, and on what tells whether it believes anything.
const RUNS_BESIDE_QUERIES: std::ops::RangeInclusive<usize> = 2..=8;

#[test]
fn the_queries_in_readme_and_in_the_comparison_are_those_of_the_logs() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let comparison = fs::read_to_string(root().join("benches/comparison.md")).unwrap();
    for (name, _) in EXAMPLES {
        let log = fs::read_to_string(log_of(name)).unwrap();
        let words: Vec<&str> = log.split_whitespace().collect();
        assert_eq!((words[0], words[2]), ("auto/none", "queries"));
        let queries: usize = words[1].parse().unwrap();
        if name == "conflicting-types" {
            assert!(readme.contains(&format!("\n{queries} queries in ")));
        }
        let mut rows = comparison.lines().map(|line| line.split(" | "));
        let mut row = rows
            .find(|row| {
                row.clone()
                    .next()
                    .unwrap()
                    .starts_with(&format!("| {name},"))
            })
            .unwrap();
        let (_, runs) = row.nth(1).unwrap().split_once(" / ").unwrap();
        let runs: usize = runs.replace(',', "").parse().unwrap();
        assert!(
            RUNS_BESIDE_QUERIES.contains(&(runs.saturating_sub(queries))),
            "{name}: {runs} runs of the check in benches/comparison.md, but {queries} queries; benches/README.md says what to run"
        );
    }
}
