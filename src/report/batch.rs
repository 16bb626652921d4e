//! The table of a batch: one line for each change of a bug's state, and one for each bug at the end.

use std::io::{self, Write};

use serde_json::json;

use super::style;

/// How far a bug of a batch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BugStage {
    /// Its turn has not come yet.
    Waiting,
    /// It is being reduced.
    Running,
    /// It is reduced.
    Done,
    /// Its reduction was stopped before its end.
    Stopped,
    /// It fails as another bug does, so it is not reduced.
    Duplicate,
    /// It cannot be reduced, or its reduction failed.
    Failed,
}

impl BugStage {
    /// Its word in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Done => "done",
            Self::Stopped => "stopped",
            Self::Duplicate => "duplicate",
            Self::Failed => "failed",
        }
    }
}

/// A bug of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BugState {
    /// The name of its folder.
    pub bug: String,
    /// How far it is.
    pub state: BugStage,
    /// Of which other bug it is a duplicate, or why it failed.
    pub note: Option<String>,
    /// Bytes of the input and of the result so far.
    pub bytes: Option<(u64, u64)>,
    /// Queries of its last run.
    pub queries: Option<u64>,
}

impl BugState {
    /// Writes it as a line for people, to standard error, with the bug's name as it can be shown to them.
    pub fn print(&self, shown_name: &str) {
        let color = match self.state {
            BugStage::Done | BugStage::Duplicate => style::GOOD,
            BugStage::Failed => style::ERROR,
            BugStage::Waiting | BugStage::Running | BugStage::Stopped => style::HINT,
        };
        let bytes = self
            .bytes
            .map(|(before, after)| format!("  {before} -> {after} bytes"));
        let queries = self.queries.map(|queries| format!("  {queries} queries"));
        let note = self.note.as_ref().map(|note| format!("  {note}"));
        let rest: String = [bytes, queries, note].into_iter().flatten().collect();
        let _ = writeln!(
            anstream::stderr().lock(),
            "{color}{:<9}{color:#}  {}{rest}",
            self.state.name(),
            shown_name
        );
    }

    /// The same as one line of JSON.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let (before, after) = self.bytes.unzip();
        let line = json!({
            "bug": self.bug, "state": self.state.name(), "note": self.note,
            "bytes_before": before, "bytes_after": after, "queries": self.queries,
        });
        writeln!(out, "{line}")?;
        out.flush()
    }
}
