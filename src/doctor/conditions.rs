//! Conditions of a command that do not hold for the original, though another option would.

use regex::bytes::Regex;

use super::trials::{Trials, ending};
use crate::error::shell_word;
use crate::oracle::{Check, Conditions, Examination};
use crate::report::Finding;

/// A condition that would hold with another option.
pub(super) fn other(trials: &Trials<'_>, first: &Examination) -> Option<Finding> {
    let Check::Command { conditions, .. } = trials.check() else {
        return None;
    };
    other_stream(conditions, first).or_else(|| other_exit(conditions, first))
}

fn other_stream(conditions: &Conditions, first: &Examination) -> Option<Finding> {
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

/// The pattern as the text that its writer may have meant.
fn regex_literal(pattern: &str) -> String {
    pattern.replace('\\', "")
}

/// All other conditions hold, but the exit status is another.
fn other_exit(conditions: &Conditions, first: &Examination) -> Option<Finding> {
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
