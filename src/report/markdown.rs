//! The summary as Markdown, for the page of a CI job or an issue.

use std::fmt::Write;

use super::summary::{FileSummary, Summary, known_number, number, percent, time};

/// Larger results are only named.
const LARGEST_SHOWN: usize = 8 << 10;

/// The whole text.
pub(super) fn page(summary: &Summary, warnings: &[String]) -> String {
    let [before, after] = [summary.bytes_before(), summary.bytes_after()];
    let mut text = format!(
        "## paredown: {} → {} bytes ({})\n\n",
        number(before),
        number(after),
        percent(after, before)
    );
    for warning in warnings {
        let _ = writeln!(text, "> **Warning:** {}\n", in_line(warning));
    }
    text.push_str("| file | bytes | | tokens | | language |\n|---|--:|--:|--:|--:|---|\n");
    for file in &summary.files {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            cell(&file.name),
            number(file.before.len()),
            number(file.after.len()),
            known_number(file.tokens_before),
            known_number(file.tokens_after),
            file.language.as_deref().unwrap_or("none")
        );
    }
    let statistics = &summary.statistics;
    let ended = if summary.is_one_minimal() {
        "1-minimal"
    } else if summary.complete {
        "at the fixed point"
    } else {
        "stopped before the fixed point"
    };
    let _ = writeln!(
        text,
        "\n{} queries in {}, {ended}.\n",
        number(statistics.queries),
        time(summary.seconds)
    );
    if let Some(effort) = &summary.effort {
        let _ = writeln!(text, "Effort max: {}.\n", effort.said());
    }
    for file in &summary.files {
        text.push_str(&result(file));
    }
    let commands = [
        ("Repeat the reduction", &summary.command),
        ("See it again", &summary.recheck),
    ];
    for (title, command) in commands {
        if let Some(command) = command {
            let _ = writeln!(text, "{title}:\n\n{}", fenced("sh", command));
        }
    }
    for (name, value) in &summary.environment {
        let _ = writeln!(text, "- {name}: {}", in_line(value));
    }
    text
}

fn result(file: &FileSummary) -> String {
    if file.after.len() > LARGEST_SHOWN {
        return String::new();
    }
    let language = file.language.as_deref().unwrap_or_default();
    let body = String::from_utf8_lossy(&file.after);
    format!(
        "What is left of `{}`:\n\n{}\n",
        cell(&file.name),
        fenced(language, &body)
    )
}

/// A block between fences that are longer than any in the text.
fn fenced(language: &str, body: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for c in body.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat((longest + 1).max(3));
    let end = if body.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{language}\n{body}{end}{fence}\n")
}

fn cell(text: &str) -> String {
    in_line(text).replace('|', "\\|")
}

fn in_line(text: &str) -> String {
    let plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let text: String = plain.collect();
    text.replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_sizes_result_and_commands() {
        insta::assert_snapshot!(page(
            &super::super::example_summary(),
            &["look | <here>".into()]
        ));
    }

    #[test]
    fn the_page_says_what_an_effort_came_to() {
        let mut summary = super::super::example_summary();
        assert!(!page(&summary, &[]).contains("Effort"));
        summary.effort = Some(super::super::Effort::default());
        let said = page(&summary, &[]);
        assert!(
            said.contains("Effort max: no result was 1-minimal before, so nothing was tried behind that: nothing is left to try.\n"),
            "{said}"
        );
    }

    #[test]
    fn fences_are_longer_than_those_inside() {
        assert_eq!(fenced("md", "a\n````\n"), "`````md\na\n````\n`````\n");
    }
}
