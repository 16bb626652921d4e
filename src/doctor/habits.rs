//! How a check behaves that accepts the original: what it reads, how steady it is, what it leaves, what it accepts.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::places::Snapshot;
use super::trials::{Circumstances, Trials, accepts};
use crate::error::{Error, shell_word};
use crate::oracle::{Check, Oracle, Query, QueryId};
use crate::report::{Finding, duration};
use crate::syntax::Document;

/// The original is run so often to see whether it is always accepted.
const RUNS: u32 = 10;
/// So often if that takes long.
const RUNS_IF_SLOW: u32 = 3;
/// Rounds in which several run at once.
const ROUNDS: usize = 4;
/// A check that takes longer makes a reduction slow.
const SLOW: Duration = Duration::from_secs(5);

/// What to change if the same file gets other answers.
pub(super) const UNSTEADY: &str = "remove what differs from run to run (time, random numbers, addresses, the network); or let each candidate be run several times: --confidence 0.99, or --repeat 5 if one run of five is enough";

type Tell<'t> = &'t mut dyn FnMut(Finding);

/// All that is seen, in the order in which people would ask.
pub(super) fn tell_all(
    trials: &mut Trials<'_>,
    before: &Snapshot,
    tell: Tell<'_>,
) -> Result<(), Error> {
    let is_steady = steadiness(trials, tell)?;
    let looks_at_the_file = what_it_reads(trials, tell)?;
    if looks_at_the_file {
        what_it_accepts(trials, tell)?;
        if is_steady {
            several_at_once(trials, tell)?;
        }
    }
    what_it_leaves_running(trials, tell)?;
    what_it_leaves(trials, before, tell);
    Ok(())
}

/// Whether ten runs say the same, and how long they take.
fn steadiness(trials: &mut Trials<'_>, tell: Tell<'_>) -> Result<bool, Error> {
    let mut times = Vec::new();
    let mut yes = 0;
    let first = trials.usual(trials.original())?;
    let runs = if first.run.time < SLOW {
        RUNS
    } else {
        RUNS_IF_SLOW
    };
    for _ in 0..runs {
        let seen = trials.usual(trials.original())?;
        times.push(seen.run.time);
        yes += u32::from(accepts(&seen));
    }
    times.sort_unstable();
    let (Some(&least), Some(&most)) = (times.first(), times.last()) else {
        return Ok(true);
    };
    let median = times[times.len() / 2];
    tell(pace([least, median, most], runs));
    if yes < runs {
        tell(Finding::fault(
            format!("it accepted the original in {yes} of {runs} runs only"),
            UNSTEADY.to_owned(),
        ));
    } else {
        tell(Finding::good(format!("{runs} runs gave the same answer")));
    }
    Ok(yes == runs)
}

/// How long so many runs took: the shortest, the one in the middle and the longest.
fn pace([least, median, most]: [Duration; 3], runs: u32) -> Finding {
    let text = format!(
        "a run takes {} ({} to {} in {runs} runs)",
        duration(median),
        duration(least),
        duration(most)
    );
    if median < SLOW {
        return Finding::good(text);
    }
    Finding::note(
        text,
        "make it quicker if that can be: a reduction needs hundreds of runs; test what is cheap first, and leave out what the property does not need (-O3, linking)".to_owned(),
    )
}

/// What the check looks at if it needs no candidate. Nothing stands in its folder then, and the path leads to an empty file.
pub(super) fn looks_elsewhere(trials: &mut Trials<'_>) -> Result<Option<Finding>, Error> {
    let elsewhere = folder_elsewhere()?;
    let empty = put(elsewhere.path(), "empty", trials, b"");
    without_candidate(trials, empty)
}

fn without_candidate(
    trials: &mut Trials<'_>,
    empty: Option<PathBuf>,
) -> Result<Option<Finding>, Error> {
    trials.watch.was_opened();
    let nothing = trials.under(
        b"",
        Circumstances {
            name: Some(OTHER_NAME.into()),
            path: empty,
            ..Circumstances::default()
        },
    )?;
    let accepted = nothing.is_some_and(|run| accepts(&run));
    Ok(accepted.then(|| accepts_nothing(trials)))
}

/// The name of an empty file in the check's folder when the candidate is not to be there.
const OTHER_NAME: &str = "paredown-doctor";

fn folder_elsewhere() -> Result<tempfile::TempDir, Error> {
    let made = tempfile::Builder::new()
        .prefix("paredown-doctor-")
        .tempdir();
    made.map_err(|source| Error::NoTemporaryFolder {
        path: std::env::temp_dir(),
        source,
    })
}

/// Writes a file of the candidate's name.
fn put(folder: &Path, name: &str, trials: &Trials<'_>, bytes: &[u8]) -> Option<PathBuf> {
    let folder = folder.join(name);
    let path = folder.join(trials.input().name());
    fs::create_dir_all(path.parent()?).ok()?;
    fs::write(&path, bytes).ok()?;
    Some(path)
}

/// By which way the candidate gets into the check. Says whether it looks at the candidate at all.
fn what_it_reads(trials: &mut Trials<'_>, tell: Tell<'_>) -> Result<bool, Error> {
    let elsewhere = folder_elsewhere()?;
    let full = put(elsewhere.path(), "full", trials, trials.original());
    let empty = put(elsewhere.path(), "empty", trials, b"");
    if let Some(finding) = without_candidate(trials, empty.clone())? {
        tell(finding);
        return Ok(false);
    }
    let by_argument = trials.under(
        b"",
        Circumstances {
            name: Some(OTHER_NAME.into()),
            path: full,
            ..Circumstances::default()
        },
    )?;
    let by_name = trials.under(
        trials.original(),
        Circumstances {
            path: empty.clone(),
            ..Circumstances::default()
        },
    )?;
    let ways = [
        (by_argument, "by the path that is its argument"),
        (by_name, "by its name in the folder in which it runs"),
    ];
    let ways = ways.into_iter();
    let ways: Vec<&str> = ways
        .filter(|(run, _)| run.as_ref().is_some_and(accepts))
        .map(|(_, way)| way)
        .collect();
    tell(Finding::good(if ways.is_empty() {
        "it reads the candidate both by its path and by its name".to_owned()
    } else {
        format!("it reads the candidate {}", ways.join(", or "))
    }));
    if trials.watch.was_opened() {
        tell(opens_the_original(trials, false));
    }
    Ok(true)
}

/// Accepted without a file.
fn accepts_nothing(trials: &Trials<'_>) -> Finding {
    if trials.watch.was_opened() || names_the_original(trials) {
        return opens_the_original(trials, true);
    }
    let text = "it accepts the original, an empty file and no file at all: it does not look at the candidate";
    let change = match trials.check() {
        Check::Script { .. } => {
            "let it use the path that it gets as \"$1\", and end with the exit status of the test: 0 for interesting, another one for not"
        }
        Check::Command { .. } if trials.reading.asks_for_path => {
            "say what is interesting: --exit-code, --stdout, --stderr or --signal"
        }
        Check::Command { .. } => "put @@ where the file's path belongs",
    };
    Finding::fault(text.to_owned(), change.to_owned())
}

fn opens_the_original(trials: &Trials<'_>, only: bool) -> Finding {
    let path = std::path::absolute(trials.input().path());
    let path = path.unwrap_or_else(|_| trials.input().path().to_owned());
    let text = format!(
        "it opens the original by an absolute path ({}){}",
        path.display(),
        if only {
            " and not the candidate, so it accepts everything"
        } else {
            ", not the candidate alone"
        }
    );
    Finding::fault(
        text,
        "let it use the path that it gets as \"$1\" (@@ in a command), or the file's name without a folder; do not `cd` away from the folder in which it is started".to_owned(),
    )
}

fn names_the_original(trials: &Trials<'_>) -> bool {
    let path = std::path::absolute(trials.input().path());
    path.is_ok_and(|path| trials.reading.absolute.contains(&path))
}

/// Files that most checks should refuse, and one that they should accept.
fn what_it_accepts(trials: &mut Trials<'_>, tell: Tell<'_>) -> Result<(), Error> {
    if accepts(&trials.usual(b"")?) {
        tell(Finding::fault(
            "it accepts an empty file: nothing would be left".to_owned(),
            "demand something that only the wanted file shows, such as the message of the error"
                .to_owned(),
        ));
    } else {
        tell(Finding::good("it refuses an empty file".to_owned()));
    }
    if accepts(&trials.usual(&with_syntax_error(trials.original()))?) {
        tell(Finding::note(
            "it accepts the file with a syntax error in it".to_owned(),
            format!(
                "if the file must stay valid, let the check demand that first{}",
                validity_example(trials.input().language().map(|language| language.name()))
            ),
        ));
    } else {
        tell(Finding::good(
            "it refuses the file with a syntax error in it".to_owned(),
        ));
    }
    let Some(bare) = without_comments(trials) else {
        return Ok(());
    };
    if accepts(&trials.usual(&bare)?) {
        tell(Finding::good(
            "it accepts the file without its comments".to_owned(),
        ));
    } else {
        tell(Finding::note(
            "it refuses the file without its comments, though each line stays where it is".to_owned(),
            "if no comment is wanted, look what depends on them: a message with the column, a pattern that matches inside a comment, the size of the file".to_owned(),
        ));
    }
    Ok(())
}

fn validity_example(language: Option<&str>) -> &'static str {
    match language {
        Some("c") => ": cc -fsyntax-only \"$1\" || exit 1",
        Some("cpp") => ": c++ -fsyntax-only \"$1\" || exit 1",
        Some("python") => ": python3 -m py_compile \"$1\" || exit 1",
        Some("javascript") => ": node --check \"$1\" || exit 1",
        Some("json") => ": python3 -m json.tool \"$1\" > /dev/null || exit 1",
        Some("bash") => ": bash -n \"$1\" || exit 1",
        _ => "",
    }
}

/// Brackets that no language closes like that, behind the original, in a line of their own.
fn with_syntax_error(original: &[u8]) -> Vec<u8> {
    [original, b"\n)]}({[ ;; )]}\n"].concat()
}

/// Blanks in place of the comments; `None` when there are none.
fn without_comments(trials: &Trials<'_>) -> Option<Vec<u8>> {
    let language = trials.input().language()?;
    let document = Document::new(trials.original(), Some(language.clone()));
    let mut bytes = trials.original().to_vec();
    let comments = document.nodes().iter().filter(|node| node.is_comment());
    for comment in comments {
        for byte in &mut bytes[comment.range()] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    (bytes != trials.original()).then_some(bytes)
}

/// Whether runs at the same time change each other's answers.
fn several_at_once(trials: &mut Trials<'_>, tell: Tell<'_>) -> Result<(), Error> {
    // It leaves the oracle with the check as it was given.
    let accepts_empty = accepts(&trials.usual(b"")?);
    let original = trials.original();
    let limit = trials.time_limit();
    let is_disturbed = AtomicBool::new(false);
    let slots = trials.oracle().slots();
    let oracle = trials.oracle();
    std::thread::scope(|scope| {
        for slot in 0..slots {
            let is_disturbed = &is_disturbed;
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    let is_original = (slot + round) % 2 == 0;
                    let query = Query {
                        slot,
                        id: QueryId::fresh(),
                        candidate: if is_original { original } else { b"" },
                        time_limit: Some(limit),
                        work_limit: None,
                        stop_at: None,
                    };
                    let run = oracle.test(&query, &mut || ());
                    let accepted = run.map(|run| run.outcome.is_interesting());
                    let expected = is_original || accepts_empty;
                    if accepted.is_ok_and(|accepted| accepted != expected) {
                        is_disturbed.store(true, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    tell(if is_disturbed.into_inner() {
        Finding::fault(
            format!("{slots} at once disturb each other: the answers are others than one after the other"),
            "let each run write in the folder in which it is started or in \"$TMPDIR\", and use no fixed port, lock or name; or allow one at a time: -j 1".to_owned(),
        )
    } else {
        Finding::good(format!("{slots} at once do not disturb each other"))
    });
    Ok(())
}

/// Processes that go on when the check has ended.
fn what_it_leaves_running(trials: &mut Trials<'_>, tell: Tell<'_>) -> Result<(), Error> {
    /// Runs the check and then lists who is in its group, or became a child of the process that started it.
    const LIST: &str = include_str!("left_running.sh");
    let Some(run) = trials.under(
        trials.original(),
        Circumstances {
            before: LIST.to_owned(),
            ..Circumstances::default()
        },
    )?
    else {
        return Ok(());
    };
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    let left: Vec<&str> = said
        .lines()
        .filter_map(|line| line.strip_prefix("left: "))
        .filter(|name| *name != "paredown")
        .collect();
    tell(if left.is_empty() {
        Finding::good("it leaves no process running".to_owned())
    } else {
        Finding::note(
            format!(
                "it leaves processes running: {}; they are killed when a run ends",
                left.join(", ")
            ),
            "end in the check what it starts: kill it, and `wait` for it".to_owned(),
        )
    });
    Ok(())
}

/// Files outside the check's folders.
fn what_it_leaves(trials: &Trials<'_>, before: &Snapshot, tell: Tell<'_>) {
    let changed = Snapshot::take(trials).changes_since(before);
    let is_input = |path: &Path| {
        let mut inputs = trials.inputs().iter();
        inputs.any(|input| std::path::absolute(input.path()).is_ok_and(|input| input == path))
    };
    if changed.iter().any(|path| is_input(path)) {
        tell(Finding::fault(
            "it changes the original".to_owned(),
            "let it write to files in the folder in which it is started; get the original back before you go on".to_owned(),
        ));
    }
    let left: Vec<String> = changed
        .iter()
        .filter(|path| !is_input(path))
        .map(shell_word)
        .collect();
    tell(if left.is_empty() {
        Finding::good("it leaves nothing outside its own folder".to_owned())
    } else {
        Finding::fault(
            format!(
                "it writes outside its own folder: {}; runs at the same time meet there",
                left.join(", ")
            ),
            "write in the folder in which the check is started, or in \"$TMPDIR\"; both are emptied after each run".to_owned(),
        )
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_check_gets_advice() {
        let seconds = |times: [u64; 3]| times.map(Duration::from_secs);
        assert_eq!(
            pace(seconds([1, 4, 9]), 10).text,
            "a run takes 4.00 s (1.00 s to 9.00 s in 10 runs)"
        );
        let remedy = pace(seconds([4, 5, 9]), 3).remedy.unwrap();
        assert!(remedy.starts_with("make it quicker if that can be"));
    }
}
