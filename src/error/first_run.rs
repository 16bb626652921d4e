//! What is told about a check that does not accept the original.

use std::path::PathBuf;

/// What a failed first run looked like: enough to repeat it by hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstRun {
    /// The command as run, quoted for a shell.
    pub command: String,
    /// The folder it ran in; it is kept.
    pub folder: PathBuf,
    /// How it ended, in words: `exit status 1`, `killed by signal 11 (SEGV)`, `no answer in 10 s` …
    pub status: String,
    /// What would have been interesting, in words.
    pub wanted: String,
    /// Why, if that was found out.
    pub cause: Option<String>,
    /// What to change then.
    pub remedy: Option<String>,
    /// The last lines it printed, oldest first.
    pub last_lines: Vec<String>,
    /// The command to type to see it happen again.
    pub repeat: String,
}

pub(super) fn not_interesting(run: &FirstRun) -> String {
    let FirstRun {
        command,
        status,
        wanted,
        ..
    } = run;
    let folder = run.folder.display();
    let heading = if run.last_lines.is_empty() {
        "it printed nothing"
    } else {
        "the last lines it printed:"
    };
    let mut text = format!(
        "the check does not accept the original file: {status}, but wanted is {wanted}\n  \
         ran:  {command}\n  in:   {folder} (kept; nothing else was there)\n  {heading}"
    );
    for line in &run.last_lines {
        text.push_str("\n    | ");
        text.push_str(line);
    }
    if let Some(cause) = &run.cause {
        text.push_str("\n  why:  ");
        text.push_str(cause);
    }
    text
}
