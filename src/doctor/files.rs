//! Files that a check names and that are not in the folder in which it runs.

use std::fs;
use std::path::{Path, PathBuf};

use super::causes::Found;
use super::trials::{Circumstances, Trials, copy};
use crate::error::shell_word;
use crate::oracle::Examination;
use crate::report::Finding;

/// What is copied for one trial.
const LARGEST_COPY: u64 = 64 << 20;
/// So many files are copied.
const MOST_COPIED: usize = 12;

/// Files that the check names and that stand where the user works, but not in the check's folder.
pub(super) fn missing(trials: &mut Trials<'_>, first: &Examination) -> Found {
    for output in [&first.stdout, &first.stderr] {
        for line in output.split(|&byte| byte == b'\n').take(200) {
            for word in line.split(|byte| b" \t\"'`(),<>\xe2\x80\x98\x99".contains(byte)) {
                trials.reading.note_word(word);
            }
        }
    }
    let mut needed = found_elsewhere(trials);
    if needed.is_empty() {
        return Ok(None);
    }
    let with = |files: &[(PathBuf, PathBuf)]| Circumstances {
        before: files.iter().map(|(from, name)| copy(from, name)).collect(),
        ..Circumstances::default()
    };
    let helps = trials.helps(with(&needed))?;
    if helps {
        let mut at = 0;
        while needed.len() > 1 && at < needed.len() {
            let mut fewer = needed.clone();
            fewer.remove(at);
            if trials.helps(with(&fewer))? {
                needed = fewer;
            } else {
                at += 1;
            }
        }
    } else {
        // Only what it complains about is worth a word then.
        let said = [first.stdout.as_slice(), first.stderr.as_slice()].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        needed.retain(|(_, name)| complains_about(&said, name));
    }
    if needed.is_empty() {
        return Ok(None);
    }
    let names: Vec<String> = needed
        .iter()
        .map(|(_, name)| format!("`{}`", name.display()))
        .collect();
    let seen = if helps {
        "; with it there the original is accepted"
    } else {
        ""
    };
    let text = format!(
        "{} is not in the folder in which the check runs, which holds nothing but the candidate{seen}",
        names.join(", ")
    );
    Ok(Some(Finding::fault(text, remedy_for(trials, &needed))))
}

fn complains_about(said: &str, name: &Path) -> bool {
    let name = name.to_string_lossy();
    let mut lines = said.lines().filter(|line| line.contains(&*name));
    lines.any(|line| {
        let line = line.to_lowercase();
        MISSING.iter().any(|words| line.contains(words))
    })
}

/// What programs say about files that are not there.
const MISSING: [&str; 8] = [
    "no such file",
    "not found",
    "cannot open",
    "can't open",
    "cannot find",
    "can't find",
    "does not exist",
    "modulenotfounderror",
];

/// How to reach the first of them from any folder.
fn remedy_for(trials: &Trials<'_>, needed: &[(PathBuf, PathBuf)]) -> String {
    let Some((from, name)) = needed.first() else {
        return String::new();
    };
    let input = String::from_utf8_lossy(trials.original());
    let is_included = input.contains(&format!("\"{}\"", name.display()));
    let folder = from.ancestors().nth(name.components().count());
    let folder = folder.unwrap_or(Path::new("/"));
    if is_included && from.is_file() {
        return format!(
            "let the compiler look there: -I {}; or reduce it too: give {} as another FILE; or reduce the preprocessed file",
            shell_word(folder),
            shell_word(from)
        );
    }
    let script = trials.reading.scripts.first();
    let beside = script.and_then(|script| script.parent()) == Some(folder);
    if beside {
        format!(
            "name it by the script's own folder: \"$(dirname \"$0\")\"/{}",
            name.display()
        )
    } else {
        format!("give its absolute path: {}", shell_word(from))
    }
}

/// Whether a word is no ordinary one.
fn looks_like_a_path(name: &Path) -> bool {
    name.extension().is_some() || name.components().count() > 1
}

/// Whether the file that somebody misses has an empty name, as an argument that was not given has.
fn names_nothing(line: &str) -> bool {
    ["''", "\u{2018}\u{2019}", "\"\"", ": : "]
        .iter()
        .any(|nothing| line.contains(nothing))
}

/// The names that lead to something in one of the user's folders, and are not there in the check's.
fn found_elsewhere(trials: &Trials<'_>) -> Vec<(PathBuf, PathBuf)> {
    let folders = trials.folders();
    let is_given = |name: &Path| {
        let mut inputs = trials.inputs().iter();
        inputs.any(|input| name.as_os_str() == input.name())
    };
    let names = trials.reading.names.iter().filter(|name| !is_given(name));
    let goes_up = |name: &Path| name.components().any(|part| part.as_os_str() == "..");
    let names = names.filter(|name| !goes_up(name));
    let found = names.filter_map(|name| {
        let mut places = folders.iter().map(|folder| folder.join(name));
        let place = places.find(|place| place.exists())?;
        let is_script = trials.reading.scripts.contains(&place);
        let fits = !is_script && size(&place, LARGEST_COPY).is_some();
        fits.then(|| (place, name.clone()))
    });
    found.take(MOST_COPIED).collect()
}

/// The bytes of a file or a folder, if they are not more than this.
fn size(path: &Path, most: u64) -> Option<u64> {
    let found = fs::metadata(path).ok()?;
    if !found.is_dir() {
        return Some(found.len()).filter(|&size| found.is_file() && size <= most);
    }
    let mut sum = 0;
    for entry in fs::read_dir(path).ok()? {
        let entry = entry.ok()?;
        if !entry.file_type().ok()?.is_symlink() {
            sum += size(&entry.path(), most - sum)?;
        }
    }
    Some(sum)
}

/// A file that somebody misses and that is nowhere.
pub(super) fn nowhere(trials: &Trials<'_>, first: &Examination) -> Option<Finding> {
    let said = [first.stderr.as_slice(), first.stdout.as_slice()].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    let is_script = |name: &Path| {
        let mut scripts = trials.reading.scripts.iter();
        scripts.any(|script| script.ends_with(name))
    };
    let mut lines = said.lines().filter(|line| {
        let line = line.to_lowercase();
        MISSING.iter().any(|words| line.contains(words))
    });
    if let Some(line) = lines.clone().find(|line| names_nothing(line)) {
        return Some(Finding::fault(
            format!("a file without a name is opened: {}", line.trim()),
            "the check gets the path of each FILE as an argument and nothing else: \"$1\" is the first; give what it lacks in the check itself".to_owned(),
        ));
    }
    let missed = lines.find_map(|line| {
        let names = trials.reading.names[..trials.reading.mentioned].iter();
        let names = names.filter(|name| line.contains(&*name.to_string_lossy()));
        let names = names.filter(|name| !is_script(name));
        // A program begins its complaint with its own name.
        let speaks = |name: &Path| {
            line.trim_start()
                .starts_with(&format!("{}:", name.display()))
        };
        names
            .max_by_key(|name| {
                (
                    looks_like_a_path(name),
                    !speaks(name),
                    name.as_os_str().len(),
                )
            })
            .map(|name| (name, line))
    });
    missed.map(|(name, line)| {
        if name.file_name() == trials.input().name().file_name() {
            return Finding::fault(
                format!(
                    "`{}` is the candidate, but it is looked for where it is not: {}",
                    name.display(),
                    line.trim()
                ),
                "let it use the path that it gets as \"$1\"; or look before anything goes to another folder: the check starts where the candidate is".to_owned(),
            );
        }
        Finding::fault(
            format!("`{}` does not exist: {}", name.display(), line.trim()),
            "the check runs in a folder that holds nothing but the candidate: give absolute paths for all else".to_owned(),
        )
    })
}
