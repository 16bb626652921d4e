//! Whatever the program reads may be anything: documents, grammars, journals, recordings, facts of languages, rewrites. No bytes make a reader
//! panic or run for ever, and what it takes for valid it gives back as it was.
//!
//! The suite reads a few of each; so many of each, with a seed that changes them,
//!
//! ```text
//! FUZZ_RUNS=1000000 FUZZ_SEED=1 cargo test --release --locked --test it readers -- --ignored --nocapture
//! ```
//!
//! These are plain loops with cargo-fuzz's kind of bodies: cargo-fuzz itself needs a nightly compiler and a folder of its own.

use crate::fuzz::{Random, SAMPLES, mutated, number};
use paredown::engine::{Identity, Journal, Recording};
use paredown::grammar::Grammar;
use paredown::oracle::Outcome;
use paredown::pass::{Context, Proposal, compose, list::PASSES};
use paredown::syntax::{Document, Edit, Joint, Language, LanguageFacts};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

/// Reads one input, and does with what it gives what the program would.
type Reader = Box<dyn Fn(&[u8], &mut Random)>;

/// One kind of input.
struct Target {
    name: &'static str,
    seeds: Vec<Vec<u8>>,
    read: Reader,
}

fn targets() -> Vec<Target> {
    let grammars = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars");
    let files_of = |name: &str| -> Vec<Vec<u8>> {
        let folders = fs::read_dir(&grammars).unwrap();
        let paths = folders.map(|folder| folder.unwrap().path().join(name));
        let mut paths: Vec<_> = paths.filter(|path| path.is_file()).collect();
        paths.sort();
        paths.iter().map(|path| fs::read(path).unwrap()).collect()
    };
    vec![
        Target {
            name: "document",
            seeds: SAMPLES
                .iter()
                .map(|(_, text)| text.as_bytes().to_vec())
                .collect(),
            read: Box::new(edit_document),
        },
        Target {
            name: "grammar.json",
            seeds: vec![GRAMMAR.into()],
            read: Box::new(|bytes, _| read_grammar(bytes)),
        },
        Target {
            name: "journal",
            seeds: vec![journal()],
            read: journal_reader(),
        },
        Target {
            name: "recording",
            seeds: vec![recording()],
            read: Box::new(read_recording),
        },
        Target {
            name: "language.toml",
            seeds: files_of("language.toml"),
            read: Box::new(|bytes, _| read_facts(bytes)),
        },
        Target {
            name: "rewrites.toml",
            seeds: files_of("rewrites.toml"),
            read: Box::new(read_rewrites),
        },
    ]
}

/// Bytes, a document, any edits that are compatible, bytes again.
fn edit_document(bytes: &[u8], random: &mut Random) {
    let language = random.one_of(SAMPLES).0;
    let document = Document::new(bytes, Language::named(language));
    let context = Context::new(document.clone());
    let proposals = random.one_of(PASSES).proposals(&context);
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

/// Reads from a folder that it has for itself.
fn journal_reader() -> Reader {
    let folder = tempfile::tempdir().unwrap();
    Box::new(move |bytes, _| {
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

/// Rewrites that are read are tried on a text.
fn read_rewrites(bytes: &[u8], random: &mut Random) {
    let (name, text) = *random.one_of(SAMPLES);
    let Some(language) = Language::named(name) else {
        return;
    };
    let rewrites = String::from_utf8_lossy(bytes);
    if let Ok(rewrites) = paredown::syntax::rewrites::Rewrites::read(&language, &rewrites) {
        let document = Document::new(text.as_bytes(), Some(language));
        let _ = rewrites.matches(&document);
    }
}

/// So many inputs of each kind. Says how many there were.
fn read_many(runs: u64, seed: u64, only: Option<&str>) -> Vec<(&'static str, u64, f64)> {
    let picked = targets()
        .into_iter()
        .filter(|target| only.is_none_or(|only| only == target.name));
    picked
        .map(|target| {
            let started = Instant::now();
            for run in 0..runs {
                let mut random = Random(seed.wrapping_mul(1 << 40).wrapping_add(run));
                let seed = random.one_of(&target.seeds);
                // Of a long one a part is enough.
                let start = random.below(seed.len().saturating_sub(400));
                let part = if run % 4 == 0 {
                    &seed[..]
                } else {
                    &seed[start..seed.len().min(start + 800)]
                };
                let input = mutated(part, &mut random);
                (target.read)(&input, &mut random);
            }
            (target.name, runs, started.elapsed().as_secs_f64())
        })
        .collect()
}

#[test]
fn no_bytes_make_a_reader_panic() {
    read_many(300, 1, None);
}

#[test]
#[ignore = "takes an hour"]
#[expect(clippy::print_stdout, reason = "says what was done")]
fn no_bytes_of_very_many_make_a_reader_panic() {
    let (runs, seed) = (number("FUZZ_RUNS", 1_000_000), number("FUZZ_SEED", 1));
    let only = std::env::var("FUZZ_TARGET").ok();
    for (name, runs, seconds) in read_many(runs, seed, only.as_deref()) {
        println!("{name}: {runs} inputs in {seconds:.0} s");
    }
}
