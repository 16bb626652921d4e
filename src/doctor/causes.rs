//! Why a check does not accept the original: each cause that is commonly met, the cheapest to find first.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::habits::UNSTEADY;
use super::trials::{Circumstances, Trials, accepts, ending, last_line};
use super::{conditions, files};
use crate::error::{Error, shell_word};
use crate::oracle::{Check, Examination, Outcome};
use crate::report::{Finding, duration};

/// A check that refuses the original is run again so often, or once if that takes long.
const RUNS_AGAIN: u32 = 4;
const QUICK: Duration = Duration::from_secs(1);
/// So many names of a file are tried.
const MOST_TRIED: usize = 12;

pub(super) type Found = Result<Option<Finding>, Error>;

/// The cause, if it is one of those.
pub(super) fn find(trials: &mut Trials<'_>, first: &Examination) -> Found {
    if first.run.outcome == Outcome::TimedOut {
        return Ok(Some(no_answer(trials, first)));
    }
    let causes: [fn(&mut Trials<'_>, &Examination) -> Found; 13] = [
        chance,
        missing_marker,
        |trials, first| Ok(conditions::other_stream(trials, first)),
        |trials, _| blanks_in_the_name(trials),
        files::missing,
        |_, first| Ok(missing_program(first)),
        standard_input,
        other_name,
        |trials, first| Ok(files::nowhere(trials, first)),
        |trials, first| Ok(conditions::other_exit(trials, first)),
        wrong_way_round,
        last_step,
        |trials, first| Ok(conditions::not_printed(trials, first)),
    ];
    for cause in causes {
        if let Some(finding) = cause(trials, first)? {
            return Ok(Some(finding));
        }
    }
    Ok(None)
}

/// What is said when there is no known cause.
pub(super) fn unknown(trials: &Trials<'_>, first: &Examination) -> Finding {
    let input = shell_word(trials.input().path());
    Finding::note(
        format!("why is not known; it ended with {}", ending(first)),
        format!(
            "run its steps one by one in an empty folder that holds a copy of {input} only, with the copy's absolute path"
        ),
    )
}

fn no_answer(trials: &Trials<'_>, first: &Examination) -> Finding {
    let limit = duration(trials.time_limit().min(first.run.time));
    Finding::fault(
        format!("the check does not end within {limit}"),
        "if it needs longer, give it more time: --timeout 600; if the file makes a program run for ever, end that inside the check: timeout 10 program".to_owned(),
    )
}

/// It accepts the original when it is run again. What a trial under other circumstances accepts would be no cause then.
fn chance(trials: &mut Trials<'_>, first: &Examination) -> Found {
    let runs = if first.run.time < QUICK {
        RUNS_AGAIN
    } else {
        1
    };
    for _ in 0..runs {
        if accepts(&trials.usual(trials.original())?) {
            let text = "it refused the original and accepted it when it was run again: its answer is not always the same";
            return Ok(Some(Finding::fault(text.to_owned(), UNSTEADY.to_owned())));
        }
    }
    Ok(None)
}

/// A command that names neither the candidate nor its file.
fn missing_marker(trials: &mut Trials<'_>, _: &Examination) -> Found {
    let Check::Command { words, .. } = trials.check() else {
        return Ok(None);
    };
    if trials.reading.asks_for_path {
        return Ok(None);
    }
    let input = trials.input();
    let is_input = |word: &OsString| {
        Path::new(word) == input.path() || Path::new(word).file_name() == input.name().file_name()
    };
    let mut with_marker = words.clone();
    match with_marker.iter_mut().skip(1).find(|word| is_input(word)) {
        Some(word) => *word = "@@".into(),
        None => with_marker.push("@@".into()),
    }
    let told = with_marker.iter().map(shell_word);
    let told = told.collect::<Vec<_>>().join(" ");
    let helps = trials.helps(Circumstances {
        words: Some(with_marker),
        ..Circumstances::default()
    })?;
    let sure = if helps {
        "with `@@` it accepts the original"
    } else {
        "so it cannot see what changes"
    };
    let text = format!("the command does not name the candidate: there is no `@@` in it; {sure}");
    let change = format!("put @@ where the file's path belongs: -- {told}");
    Ok(Some(Finding::fault(text, change)))
}

/// A path with a blank falls into two words where a script does not quote it.
fn blanks_in_the_name(trials: &mut Trials<'_>) -> Found {
    let name = trials.input().name().to_string_lossy().into_owned();
    if !name.contains(char::is_whitespace) {
        return Ok(None);
    }
    let without: String = name.split_whitespace().collect::<Vec<_>>().join("_");
    let helps = trials.helps(Circumstances {
        name: Some(without.into()),
        ..Circumstances::default()
    })?;
    Ok(helps.then(|| {
        Finding::fault(
            format!(
                "the check takes the path of `{name}` for several words: without a blank in the name it accepts the original"
            ),
            "put it in double quotes wherever it is used: \"$1\"".to_owned(),
        )
    }))
}

/// A program that the script calls is not there, or may not be run.
fn missing_program(first: &Examination) -> Option<Finding> {
    let said = String::from_utf8_lossy(&first.stderr).into_owned();
    let is_missing = |line: &&str| {
        line.ends_with(": not found")
            || line.contains("command not found")
            || line.ends_with(": Permission denied") && first.code == 126
    };
    let line = said.lines().find(is_missing)?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    Some(if line.contains("ermission denied") {
        Finding::fault(
            format!("a program of the check may not be run: {line}"),
            "make it executable: chmod +x, or name its interpreter: sh helper.sh".to_owned(),
        )
    } else {
        Finding::fault(
            format!("a program of the check does not exist: {line}"),
            format!(
                "install it, correct its name, or give its absolute path; looked for in {}",
                path.display()
            ),
        )
    })
}

/// It reads standard input, where other reducers put the candidate.
fn standard_input(trials: &mut Trials<'_>, _: &Examination) -> Found {
    let helps = trials.helps(Circumstances {
        on_stdin: true,
        ..Circumstances::default()
    })?;
    Ok(helps.then(|| {
        let change = match trials.check() {
            Check::Script { .. } => {
                "give it the candidate there: --stdin, or put `exec < \"$1\"` below the script's first line".to_owned()
            }
            Check::Command { .. } => "give it the candidate there: --stdin".to_owned(),
        };
        let text = "the check reads the candidate from its standard input, which is empty: the candidate is a file, and its path the first argument";
        Finding::fault(text.to_owned(), change)
    }))
}

/// It reads a file of a name that the candidate does not have.
fn other_name(trials: &mut Trials<'_>, _: &Examination) -> Found {
    let input = trials.input();
    let is_other = |name: &&PathBuf| {
        let flat = name.components().count() == 1;
        flat && name.as_path() != input.name() && looks_like_a_file(name)
    };
    let written = trials.reading.names.iter().filter(is_other).cloned();
    // As a script makes one: `${1%.c}.i`. It comes to light where a program complains about the whole path.
    let made = trials.reading.absolute.iter().filter(|path| {
        path.file_stem() == input.name().file_stem() && path.extension() != input.name().extension()
    });
    let made = made.filter_map(|path| path.file_name().map(PathBuf::from));
    let mut names: Vec<PathBuf> = written.chain(made).collect();
    let extension = input.name().extension();
    names.sort_by_key(|name| name.extension() != extension);
    for name in names.into_iter().take(MOST_TRIED) {
        let helps = trials.helps(Circumstances {
            before: format!("cp \"$c\" ./{} || exit 99\n", shell_word(&name)),
            ..Circumstances::default()
        })?;
        if helps {
            let (name, own) = (name.display(), input.name().display());
            return Ok(Some(Finding::fault(
                format!("the check reads `{name}`, but the candidate is called `{own}`"),
                format!("write \"$1\" instead of {name} in the check, or call the file {name}"),
            )));
        }
    }
    Ok(None)
}

fn looks_like_a_file(name: &Path) -> bool {
    let extension = name.extension().and_then(OsStr::to_str).unwrap_or_default();
    !extension.is_empty()
        && extension.chars().all(char::is_alphanumeric)
        && name
            .as_os_str()
            .as_bytes()
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._-+".contains(byte))
}

/// It accepts what it should refuse.
fn wrong_way_round(trials: &mut Trials<'_>, first: &Examination) -> Found {
    let Some(run) = trials.under(b"", Circumstances::default())? else {
        return Ok(None);
    };
    Ok(accepts(&run).then(|| {
        Finding::fault(
            format!(
                "the check accepts an empty file and refuses the original ({}): its answer seems to be the wrong way round",
                ending(first)
            ),
            "exit with 0 when the file is interesting and with something else when it is not; `grep -q` alone at the end does that, `! grep -q` the opposite".to_owned(),
        )
    }))
}

/// The step of a shell script at which it ended.
fn last_step(trials: &mut Trials<'_>, first: &Examination) -> Found {
    let Some(words) = trials.traced_words() else {
        return Ok(None);
    };
    let run = trials.under(
        trials.original(),
        Circumstances {
            words: Some(words),
            ..Circumstances::default()
        },
    )?;
    let Some(run) = run else { return Ok(None) };
    let traced = String::from_utf8_lossy(&run.stderr).into_owned();
    let mut steps = traced.lines().filter_map(|line| {
        let step = line.trim_start_matches('+');
        (step.len() < line.len()).then(|| step.trim())
    });
    // A script that begins with its end has no other step.
    let ends: Vec<&str> = steps.clone().collect();
    let traps: Vec<&str> = ends.iter().filter_map(|step| trapped(step)).collect();
    let is_end = |step: &&str| {
        step.starts_with("exit")
            || traps
                .iter()
                .any(|trap| step.split(' ').next() == Some(trap))
    };
    let Some(step) = steps.rfind(|step| !is_end(step)).or(ends.last().copied()) else {
        return Ok(None);
    };
    let cut = |step: &str| step.chars().take(160).collect::<String>();
    let before = steps.next_back().filter(|_| is_assignment(step));
    let shown = before.map_or_else(
        || format!("step of the script was `{}`", cut(step)),
        |before| {
            format!(
                "steps of the script were `{}` and `{}`",
                cut(before),
                cut(step)
            )
        },
    );
    let printed = last_line(first).map_or_else(
        || "it printed nothing".to_owned(),
        |line| format!("it printed: {line}"),
    );
    Ok(Some(Finding::fault(
        format!(
            "the last {shown}, after which it ended with {}; {printed}",
            ending(first)
        ),
        None,
    )))
}

/// The program that a step has run at the end of the script: `trap 'rm -r "$folder"' EXIT`, which shells show with or without quotes.
fn trapped(step: &str) -> Option<&str> {
    let command = step
        .strip_prefix("trap ")?
        .trim_start_matches(['\'', '"', '-']);
    command
        .split([' ', '\'', '"'])
        .next()
        .filter(|word| !word.is_empty())
}

/// Whether a step only gives a variable a value, which is that of the step before or comes from it: `n=$(command)`, `code=$?`.
fn is_assignment(step: &str) -> bool {
    let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    step.split_once('=').is_some_and(|(name, value)| {
        !name.is_empty() && is_name(name) && !value.contains(char::is_whitespace)
    })
}
