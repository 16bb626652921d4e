//! Whatever the program reads may be anything: documents, grammars, journals, recordings, facts of languages, rewrites. No bytes make a reader
//! panic or run for ever, and what it takes for valid it gives back as it was.
//!
//! The suite reads a few of each; so many of each, with a seed that changes them,
//!
//! ```text
//! FUZZ_RUNS=1000000 FUZZ_SEED=1 cargo test --release --locked --test it readers -- --ignored --nocapture
//! ```
//!
//! `FUZZ_TARGET=journal` picks one of them. Two threads share the work (`FUZZ_THREADS`), which makes no difference to
//! the inputs.
//!
//! These are plain loops with cargo-fuzz's kind of bodies: cargo-fuzz itself needs a nightly compiler and a folder of its own.

use crate::fuzz::{Random, SAMPLES, mutated, number};
use paredown::engine::{Identity, Journal, Recording};
use paredown::grammar::Grammar;
use paredown::oracle::Outcome;
use paredown::pass::{Context, Due, Pass, Proposal, compose, list::PASSES};
use paredown::syntax::rewrites::{Rewrites, When};
use paredown::syntax::{Document, Edit, Joint, Language, LanguageFacts};
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;

/// Reads one input, and does with what it gives what the program would.
type Reader = Box<dyn Fn(&[u8], &Seed, &mut Random)>;

/// What inputs are made from.
struct Seed {
    text: Vec<u8>,
    /// `None`: no grammar.
    language: Option<Arc<Language>>,
}

/// One kind of input.
struct Target {
    name: &'static str,
    seeds: Vec<Seed>,
    /// Whether half of the inputs stay in their format: only the texts between quotes change places.
    is_requoted: bool,
    read: Reader,
}

/// The languages of the samples and of the rewrites. Reading a grammar takes longer than thousands of inputs.
static LANGUAGES: LazyLock<BTreeMap<&str, Arc<Language>>> = LazyLock::new(|| {
    let named = |name| Some((name, Language::named(name)?));
    Language::names().filter_map(named).collect()
});

impl Seed {
    fn new(text: impl Into<Vec<u8>>, language: &str) -> Self {
        Self {
            text: text.into(),
            language: LANGUAGES.get(language).cloned(),
        }
    }

    fn language_name(&self) -> Option<&str> {
        self.language.as_deref().map(Language::name)
    }
}

fn targets() -> Vec<Target> {
    let plain = |text: &[u8]| vec![Seed::new(text, "none")];
    vec![
        Target {
            name: "document",
            is_requoted: false,
            seeds: SAMPLES
                .iter()
                .map(|(language, text)| Seed::new(*text, language))
                .collect(),
            read: Box::new(edit_document),
        },
        Target {
            name: "grammar.json",
            is_requoted: true,
            seeds: plain(GRAMMAR.as_bytes()),
            read: Box::new(|bytes, _, _| read_grammar(bytes)),
        },
        Target {
            name: "journal",
            is_requoted: false,
            seeds: plain(&journal()),
            read: journal_reader(),
        },
        Target {
            name: "recording",
            is_requoted: false,
            seeds: plain(&recording()),
            read: Box::new(|bytes, _, random| read_recording(bytes, random)),
        },
        Target {
            name: "language.toml",
            is_requoted: true,
            seeds: files_of("language.toml")
                .iter()
                .map(|(language, text)| Seed::new(text.as_str(), language))
                .collect(),
            read: Box::new(|bytes, _, _| read_facts(bytes)),
        },
        Target {
            name: "rewrites.toml",
            is_requoted: true,
            seeds: files_of("rewrites.toml")
                .iter()
                .flat_map(|(language, text)| rules_of(language, text))
                .collect(),
            read: Box::new(read_rewrites),
        },
    ]
}

/// The files of this name in `grammars/`, each with the name of its language.
fn files_of(name: &str) -> Vec<(String, String)> {
    let grammars = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars");
    let folders = fs::read_dir(grammars).unwrap();
    let folders = folders.map(|folder| folder.unwrap().path());
    let file = |folder: std::path::PathBuf| {
        let language = folder.file_name()?.to_str()?.to_owned();
        Some((language, fs::read_to_string(folder.join(name)).ok()?))
    };
    let mut files: Vec<_> = folders.filter_map(file).collect();
    files.sort();
    files
}

/// Each rewrite of a file as a file of its own: the queries of all of them together take long to compile.
fn rules_of(language: &str, text: &str) -> Vec<Seed> {
    let starts = text.match_indices("[[rewrite]]").map(|(start, _)| start);
    let mut starts: Vec<usize> = starts.collect();
    starts.push(text.len());
    let rules = starts.windows(2).map(|pair| &text[pair[0]..pair[1]]);
    rules.map(|rule| Seed::new(rule, language)).collect()
}

/// What is tried behind the certificate is all that the others propose and more: one of so many inputs is enough for it.
const RARELY: usize = 256;

fn picked_pass(random: &mut Random) -> &'static Pass {
    loop {
        let pass = random.one_of(PASSES);
        if pass.due != Due::Beyond || random.below(RARELY) == 0 {
            return pass;
        }
    }
}

/// Bytes, a document, any edits that are compatible, bytes again. One of eight is not what its name says.
fn edit_document(bytes: &[u8], seed: &Seed, random: &mut Random) {
    let language = match random.below(8) {
        0 => LANGUAGES.get(random.one_of(SAMPLES).0).cloned(),
        _ => seed.language.clone(),
    };
    let document = Document::new(bytes, language);
    let context = Context::new(document.clone());
    let proposals = picked_pass(random).proposals(&context);
    let mut chosen: Vec<&Proposal> = Vec::new();
    for _ in 0..random.below(4) {
        let Some(proposal) = proposals.get(random.below(proposals.len())) else {
            break;
        };
        let is_compatible = |other: &&Proposal| !proposal.edit.conflicts_with(&other.edit);
        if chosen.iter().all(is_compatible) {
            chosen.push(proposal);
        }
    }
    let Some(edit) = compose(&document, chosen.iter().copied()) else {
        return;
    };
    let edited = document.edited(&edit);
    let mut rendered = Vec::new();
    edit.render(bytes, Joint::KeepTokensApart, &mut rendered);
    assert_eq!(**edited.bytes(), *rendered);
    assert!(
        edit.splices()
            .windows(2)
            .all(|pair| pair[0].range().end <= pair[1].range().start)
    );
    // The tree of the result covers it, and an edit of nothing leaves it.
    assert!(
        edited
            .ids()
            .all(|id| edited.node(id).range().end <= rendered.len())
    );
    assert_eq!(edited.edited(&Edit::default()).bytes(), edited.bytes());
}

const GRAMMAR: &str = r#"{"name": "small", "word": "name", "rules": {
"file": {"type": "REPEAT", "content": {"type": "SYMBOL", "name": "_item"}},
"_item": {"type": "CHOICE", "members": [{"type": "SYMBOL", "name": "list"}, {"type": "SYMBOL", "name": "name"}, {"type": "BLANK"}]},
"list": {"type": "SEQ", "members": [{"type": "STRING", "value": "("}, {"type": "REPEAT1", "content": {"type": "FIELD", "name": "item", "content": {"type": "SYMBOL", "name": "_item"}}}, {"type": "STRING", "value": ")"}]},
"name": {"type": "TOKEN", "content": {"type": "PATTERN", "value": "[a-z]+"}},
"more": {"type": "PREC_LEFT", "value": 1, "content": {"type": "ALIAS", "named": true, "value": "name", "content": {"type": "IMMEDIATE_TOKEN", "content": {"type": "STRING", "value": "x"}}}}},
"extras": [{"type": "PATTERN", "value": "\\s"}], "conflicts": [["list", "name"]], "precedences": [], "externals": [{"type": "SYMBOL", "name": "more"}],
"inline": ["_item"], "supertypes": ["_item"]}"#;

fn read_grammar(bytes: &[u8]) {
    let names = ["name".to_owned()];
    if let Some(grammar) = Grammar::from_json(bytes, &BTreeMap::new(), &names) {
        assert!(grammar.kinds().all().count() < 10_000);
    }
}

fn identity() -> Identity {
    let mut identity = Identity::default();
    identity.add_input("bug.c", b"int bug;");
    identity.add("check", b"grep bug");
    identity
}

/// What a short run has written.
fn journal() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    drop(Journal::open(folder.path(), &identity(), 0o600).unwrap());
    let mut journal = fs::read(folder.path().join("journal")).unwrap();
    journal.extend([7; 64]);
    journal
}

/// Reads from a folder that it has for itself, in memory where possible. Nothing of one input is left for the next.
fn journal_reader() -> Reader {
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
    let folder = folder.unwrap();
    Box::new(move |bytes, _, _| {
        for entry in fs::read_dir(folder.path()).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
        let path = folder.path().join("journal");
        fs::write(&path, bytes).unwrap();
        let _ = Journal::foreign_in(folder.path()).unwrap();
        let _ = Journal::knows_input(folder.path(), "bug.c", bytes);
        if let Ok(journal) = Journal::open(folder.path(), &identity(), 0o600) {
            // What was kept is read again.
            let left = journal.left();
            drop(journal);
            let again = Journal::open(folder.path(), &identity(), 0o600).unwrap();
            assert_eq!(again.left(), left);
        }
    })
}

fn recording() -> Vec<u8> {
    let mut recording = Recording::of_check(b"grep bug");
    for (candidate, outcome) in [
        (&b"bug"[..], Outcome::Interesting),
        (b"", Outcome::Uninteresting),
        (b"long", Outcome::TimedOut),
    ] {
        recording.record(candidate, outcome);
    }
    recording.to_bytes()
}

/// A random change never passes for a recording, so that half of the inputs get the checksum that fits.
fn read_recording(bytes: &[u8], random: &mut Random) {
    use sha3::{Digest, Sha3_256};
    let mut bytes = bytes.to_vec();
    if random.below(2) == 0
        && let Some(content) = bytes.len().checked_sub(8)
    {
        bytes.truncate(content);
        let digest = Sha3_256::digest(&bytes);
        bytes.extend_from_slice(&digest[..8]);
    }
    if let Some(recording) = Recording::from_bytes(&bytes) {
        let written = recording.to_bytes();
        assert_eq!(Recording::from_bytes(&written), Some(recording));
    }
}

fn read_facts(bytes: &[u8]) {
    let _ = LanguageFacts::from_toml(&String::from_utf8_lossy(bytes));
}

/// Rewrites that are read are tried on a text of their language, or now and then on another one.
fn read_rewrites(bytes: &[u8], seed: &Seed, random: &mut Random) {
    let is_own = random.below(8) > 0;
    let is_wanted = |name: &str| {
        let language = LANGUAGES.get(name);
        is_own && language.is_some_and(|found| Some(found.name()) == seed.language_name())
    };
    let sample = SAMPLES.iter().find(|(name, _)| is_wanted(name));
    let (name, text) = sample.unwrap_or_else(|| random.one_of(SAMPLES));
    let Some(language) = LANGUAGES.get(name) else {
        return;
    };
    if let Ok(rewrites) = Rewrites::read(language, &String::from_utf8_lossy(bytes)) {
        let document = Document::new(text.as_bytes(), Some(language.clone()));
        for when in When::ALL {
            let _ = rewrites.matches(&document, when);
        }
    }
}

/// What was done of a target.
#[derive(Default)]
struct Done {
    name: &'static str,
    inputs: u64,
    taken: Duration,
    /// The input that took longest, and how long.
    longest: (Duration, u64),
}

/// The input of a number. Of a long seed mostly a part is enough.
fn input<'t>(target: &'t Target, run: u64, random: &mut Random) -> (Vec<u8>, &'t Seed) {
    let seed = random.one_of(&target.seeds);
    if target.is_requoted
        && run.is_multiple_of(2)
        && let Some(text) = requoted(&seed.text, random)
    {
        return (text, seed);
    }
    let start = random.below(seed.text.len().saturating_sub(400));
    let part = if run % 4 == 1 {
        &seed.text[..]
    } else {
        &seed.text[start..seed.text.len().min(start + 800)]
    };
    (mutated(part, random), seed)
}

/// A text with up to three of its quoted parts in the place of others. `None` if there are not two.
fn requoted(text: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let mut text = text.to_vec();
    for _ in 0..=random.below(3) {
        let marks = (0..text.len()).filter(|&at| text[at] == b'"');
        let marks: Vec<usize> = marks.collect();
        let quoted: Vec<_> = marks.chunks_exact(2).collect();
        if quoted.len() < 2 {
            return None;
        }
        let [one, other] = [random.one_of(&quoted), random.one_of(&quoted)];
        let part = text[other[0]..other[1]].to_vec();
        text.splice(one[0]..one[1], part);
    }
    Some(text)
}

/// Reads the inputs with these numbers. A panic says which input it was.
fn read_some(target: &Target, runs: impl Iterator<Item = u64>, seed: u64) -> Done {
    let mut done = Done {
        name: target.name,
        ..Done::default()
    };
    for run in runs {
        let mut random = Random(seed.wrapping_mul(1 << 40).wrapping_add(run));
        let (input, seed) = input(target, run, &mut random);
        let started = processor_time();
        let read = AssertUnwindSafe(|| (target.read)(&input, seed, &mut random));
        if let Err(panic) = catch_unwind(read) {
            said(&format!("{} {run}: {}", target.name, input.escape_ascii()));
            resume_unwind(panic);
        }
        let taken = processor_time().saturating_sub(started);
        done.taken += taken;
        done.inputs += 1;
        done.longest = done.longest.max((taken, run));
    }
    done
}

/// That of this thread: what else the machine does makes no difference.
fn processor_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::ThreadCPUTime).try_into().unwrap()
}

#[expect(clippy::print_stderr, reason = "says what failed")]
fn said(text: &str) {
    eprintln!("{text}");
}

/// So many inputs of each kind, or of one. Says how many there were.
fn read_many(threads: u64, runs: u64, seed: u64, only: Option<&str>) -> Vec<Done> {
    let names = targets().into_iter().map(|target| target.name);
    let picked = names.filter(|name| only.is_none_or(|only| only == *name));
    let share = |name: &str, thread: u64| {
        let targets = targets();
        let target = targets.iter().find(|target| target.name == name);
        let runs = (thread..runs).step_by(usize::try_from(threads).unwrap());
        read_some(target.unwrap(), runs, seed)
    };
    let all = picked.map(|name| {
        thread::scope(|scope| {
            let share = &share;
            let started = |thread| scope.spawn(move || share(name, thread));
            let started: Vec<_> = (0..threads).map(started).collect();
            let ended = started.into_iter().map(|thread| thread.join().unwrap());
            ended.fold(Done::default(), |done, other| done.and(&other))
        })
    });
    all.collect()
}

impl Done {
    fn and(self, other: &Self) -> Self {
        Self {
            name: other.name,
            inputs: self.inputs + other.inputs,
            taken: self.taken + other.taken,
            longest: self.longest.max(other.longest),
        }
    }
}

#[test]
fn no_bytes_make_a_reader_panic() {
    for done in read_many(1, 300, 1, None) {
        assert_eq!(done.inputs, 300, "{}", done.name);
    }
}

#[test]
#[ignore = "takes a quarter of an hour"]
#[expect(clippy::print_stdout, reason = "says what was done")]
fn no_bytes_of_very_many_make_a_reader_panic() {
    let (runs, seed) = (number("FUZZ_RUNS", 1_000_000), number("FUZZ_SEED", 1));
    let only = std::env::var("FUZZ_TARGET").ok();
    let threads = number("FUZZ_THREADS", 2);
    for done in read_many(threads, runs, seed, only.as_deref()) {
        let (longest, run) = done.longest;
        println!(
            "{}: {} inputs in {:.1} s of processor time, the longest {} ms (number {run})",
            done.name,
            done.inputs,
            done.taken.as_secs_f64(),
            longest.as_millis(),
        );
    }
}
