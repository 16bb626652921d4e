//! What was found out about a check: one thing seen, and what to change.

use super::style;
use std::io::Write;

/// How much something seen matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// As it should be.
    Good,
    /// Worth knowing.
    Note,
    /// Must be changed.
    Fault,
}

/// One thing seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How much it matters.
    pub grade: Grade,
    /// What was seen.
    pub text: String,
    /// What to change.
    pub remedy: Option<String>,
}

impl Finding {
    /// Something that is as it should be.
    pub fn good(text: String) -> Self {
        Self {
            grade: Grade::Good,
            text,
            remedy: None,
        }
    }

    /// Something worth knowing, with what to change if one wants to.
    pub fn note(text: String, remedy: impl Into<Option<String>>) -> Self {
        Self {
            grade: Grade::Note,
            text,
            remedy: remedy.into(),
        }
    }

    /// Something that must be changed, and how.
    pub fn fault(text: String, remedy: impl Into<Option<String>>) -> Self {
        Self {
            grade: Grade::Fault,
            text,
            remedy: remedy.into(),
        }
    }
}

/// Writes a finding to standard output, at once.
///
/// # Errors
/// Standard output cannot be written.
pub fn finding(finding: &Finding) -> std::io::Result<()> {
    let (word, color) = match finding.grade {
        Grade::Good => ("good ", style::GOOD),
        Grade::Note => ("note ", style::WARNING),
        Grade::Fault => ("fault", style::ERROR),
    };
    let mut out = anstream::stdout().lock();
    writeln!(out, "{color}{word}{color:#}  {}", indented(&finding.text))?;
    if let Some(remedy) = &finding.remedy {
        let bold = style::HINT;
        writeln!(out, "       {bold}change:{bold:#} {}", indented(remedy))?;
    }
    out.flush()
}

/// Further lines stand below the first.
fn indented(text: &str) -> String {
    text.replace('\n', "\n       ")
}
