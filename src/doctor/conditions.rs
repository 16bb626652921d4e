//! Conditions of a command that do not hold for the original, though another option would.

use regex::bytes::Regex;

use super::trials::{Trials, ending};
use crate::error::shell_word;
use crate::oracle::{Check, Conditions, Examination};
use crate::report::Finding;

/// What must hold of a command.
fn conditions<'a>(trials: &Trials<'a>) -> Option<&'a Conditions> {
    match trials.check() {
        Check::Command { conditions, .. } => Some(conditions),
        Check::Script { .. } => None,
    }
}

/// A text that is printed, but not where or not as it is looked for.
pub(super) fn other_stream(trials: &Trials<'_>, first: &Examination) -> Option<Finding> {
    let conditions = conditions(trials)?;
    let streams = [
        (
            "--stdout",
            &conditions.stdout,
            &first.stdout,
            "--stderr",
            "standard error",
            &first.stderr,
        ),
        (
            "--stderr",
            &conditions.stderr,
            &first.stderr,
            "--stdout",
            "standard output",
            &first.stdout,
        ),
    ];
    for (option, pattern, own, right, name, other) in streams {
        let Some(pattern) = pattern.as_ref().filter(|pattern| !pattern.is_match(own)) else {
            continue;
        };
        let wanted = shell_word(pattern.as_str());
        if pattern.is_match(other) {
            return Some(Finding::fault(
                format!("what {option} wants is printed, but on {name}"),
                format!("{right} {wanted}"),
            ));
        }
        let literal = regex_literal(pattern.as_str());
        let contains = |text: &[u8]| {
            let window = literal.len().max(1);
            text.windows(window).any(|part| part == literal.as_bytes())
        };
        if contains(own) || contains(other) {
            let option = if contains(own) { option } else { right };
            let escaped = regex::escape(&literal);
            return Some(Finding::fault(
                "the text is printed, but as a regular expression it means something else"
                    .to_owned(),
                format!("{option} {}", shell_word(escaped)),
            ));
        }
    }
    None
}

/// What is wanted is printed nowhere.
pub(super) fn not_printed(trials: &Trials<'_>, first: &Examination) -> Option<Finding> {
    let conditions = conditions(trials)?;
    let wanted = [
        ("--stdout", &conditions.stdout, &first.stdout),
        ("--stderr", &conditions.stderr, &first.stderr),
    ];
    let (option, pattern, _) = wanted.into_iter().find(|(_, pattern, printed)| {
        pattern
            .as_ref()
            .is_some_and(|pattern| !pattern.is_match(printed))
    })?;
    let pattern = shell_word(pattern.as_ref()?.as_str());
    Some(Finding::fault(
        format!("what `{option} {pattern}` wants is printed nowhere"),
        "take a part of what the command does print for this file, without what changes from run to run".to_owned(),
    ))
}

/// The pattern as the text that its writer may have meant.
fn regex_literal(pattern: &str) -> String {
    pattern.replace('\\', "")
}

/// All other conditions hold, but the exit status is another.
pub(super) fn other_exit(trials: &Trials<'_>, first: &Examination) -> Option<Finding> {
    let conditions = conditions(trials)?;
    let printed = |pattern: &Option<Regex>, output: &[u8]| {
        pattern
            .as_ref()
            .is_none_or(|pattern| pattern.is_match(output))
    };
    if !printed(&conditions.stdout, &first.stdout) || !printed(&conditions.stderr, &first.stderr) {
        return None;
    }
    if first.code == 127 || first.code == 126 {
        return None;
    }
    let asked = conditions.exit.is_some() || conditions.signal.is_some();
    let change = match first.code {
        code @ 129..=192 => format!("--signal {}", code - 128),
        code => format!("--exit-code {code}"),
    };
    let text = if asked {
        format!(
            "only the end differs from what is wanted: {}",
            ending(first)
        )
    } else {
        format!(
            "a command without conditions is interesting when it exits with 0, but this one ends with {}",
            ending(first)
        )
    };
    let with = if asked {
        ""
    } else {
        ", or what it prints: --stderr 'a message'"
    };
    Some(Finding::fault(
        text,
        format!("say what is wanted: {change}{with}"),
    ))
}
