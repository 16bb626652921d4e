//! What the first runs of the check have shown, in words.

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

/// Why a check accepts a file without any bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blind {
    /// It names the original, by this path.
    ReadsOriginal(PathBuf),
    /// It accepts other texts as well.
    NeverLooks,
    /// Perhaps it wants something not to be there.
    Unknown,
}

pub(super) fn blind(why: &Blind) -> String {
    match why {
        Blind::ReadsOriginal(path) => format!(
            "because it reads the original, {}, and never looks at the candidate",
            path.display()
        ),
        Blind::NeverLooks => "and one with another text, so it never looks at the candidate".into(),
        Blind::Unknown => "so it does not see what is wanted".into(),
    }
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
