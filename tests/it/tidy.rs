//! The shape of the source: which room may use which, and where each foreign library is named.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms that each room may use. A room that is not listed may use nothing of the crate.
const MAY_USE: &[(&str, &str)] = &[
    ("main", "app cli oracle output report"),
    (
        "app",
        "cli config doctor engine error folder init interrupt minimize oracle output report search strategy syntax",
    ),
    ("init", "error"),
    ("doctor", "config error oracle report syntax"),
    (
        "config",
        "cli engine error folder minimize oracle output strategy syntax",
    ),
    ("cli", "minimize oracle strategy syntax"),
    ("error", "engine oracle output"),
    ("report", "cli error syntax"),
    ("engine", "folder interrupt oracle output report search"),
    ("oracle", "folder interrupt"),
    ("output", "folder"),
    ("strategy", "folder grammar minimize pass search syntax"),
    ("pass", "grammar minimize search syntax"),
    ("grammar", "syntax"),
    ("syntax", "grammar"),
    ("minimize", "search"),
];

/// The rooms that may name a foreign library.
const FOREIGN: &[(&str, &[&str])] = &[
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("tree_sitter", &["syntax"]),
    ("indicatif", &["report"]),
    ("console", &["report"]),
    ("anstream", &["report"]),
    ("anstyle", &["report"]),
    ("sha3", &["engine"]),
    ("regex", &["config", "doctor", "oracle"]),
    ("signal_hook", &["interrupt", "oracle"]),
];

/// Lines a file may have without its tests.
const LONGEST: usize = 450;

struct Source {
    path: PathBuf,
    room: String,
    /// The code lines, without comments and without the tests at the end.
    lines: Vec<String>,
    length: usize,
}

fn sources() -> Vec<Source> {
    let mut files = Vec::new();
    collect(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut files,
    );
    files.sort();
    let sources: Vec<Source> = files.into_iter().map(read).collect();
    assert!(
        sources.len() > 5,
        "the sources are not where they are looked for"
    );
    sources
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn read(path: PathBuf) -> Source {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let relative = path.strip_prefix(&sources).unwrap().with_extension("");
    let room = relative.iter().next().unwrap().to_str().unwrap().to_owned();
    let text = fs::read_to_string(&path).unwrap();
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap();
    let comment = |line: &str| line.trim_start().starts_with("//");
    let lines = code
        .lines()
        .filter(|line| !comment(line))
        .map(str::to_owned)
        .collect();
    Source {
        length: code.lines().count(),
        path,
        room,
        lines,
    }
}

/// The names that follow `prefix` in the code.
fn named(source: &Source, prefix: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in &source.lines {
        for (at, _) in line.match_indices(prefix) {
            let rest = &line[at + prefix.len()..];
            names.extend(first_names(rest));
        }
    }
    names
}

/// `engine::x` is `engine`; `{cli, report::y}` is `cli` and `report`.
fn first_names(rest: &str) -> Vec<String> {
    let word = |text: &str| {
        let text = text.trim_start();
        text.chars()
            .take_while(|&c| c.is_alphanumeric() || c == '_')
            .collect::<String>()
    };
    match rest.strip_prefix('{') {
        None => vec![word(rest)],
        Some(list) => list
            .split(['}', '\n'])
            .next()
            .unwrap()
            .split(',')
            .map(word)
            .filter(|word| !word.is_empty())
            .collect(),
    }
}

fn names_library(source: &Source, library: &str) -> bool {
    let used = format!("{library}::");
    source.lines.iter().any(|line| {
        line.match_indices(&used).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':')
        })
    })
}

#[test]
fn imports_point_one_way() {
    let mut wrong = Vec::new();
    for source in sources() {
        let allowed = MAY_USE
            .iter()
            .find(|(room, _)| *room == source.room)
            .map_or("", |(_, rooms)| rooms);
        let allowed: Vec<&str> = allowed.split(' ').collect();
        let used = named(&source, "crate::")
            .into_iter()
            .chain(named(&source, "paredown::"));
        for name in used.filter(|name| *name != source.room && !allowed.contains(&name.as_str())) {
            if name.starts_with(char::is_lowercase) {
                wrong.push(format!(
                    "{}: {} may not use {name}",
                    source.path.display(),
                    source.room
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn each_foreign_library_is_named_in_its_rooms_only() {
    let mut wrong = Vec::new();
    for source in sources() {
        for (library, rooms) in FOREIGN {
            if !rooms.contains(&source.room.as_str()) && names_library(&source, library) {
                wrong.push(format!(
                    "{}: {library} belongs to {rooms:?}",
                    source.path.display()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_file_is_too_long_to_read() {
    let long = |source: &Source| source.length > LONGEST;
    let wrong: Vec<String> = sources()
        .iter()
        .filter(|source| long(source))
        .map(|source| format!("{}: {} lines", source.path.display(), source.length))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_main_file_is_short() {
    let main = sources()
        .into_iter()
        .find(|source| source.room == "main")
        .unwrap();
    assert!(main.length <= 30, "{} lines", main.length);
}
