//! What is said, beside the options that are as old as the program.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::REPORTING;

/// What is written about a run.
#[derive(Args, Debug, Clone)]
pub struct SayingArgs {
    /// Write a summary as Markdown, for the page of a CI job
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, help_heading = REPORTING)]
    pub summary: Option<PathBuf>,

    /// Add what the check said about each candidate to this file, for comparisons of searches without the check
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = REPORTING)]
    pub record: Option<PathBuf>,

    /// Show how far the reduction is
    #[arg(long, value_name = "HOW", default_value = "auto", value_enum, help_heading = REPORTING)]
    pub progress: Progress,
}

/// How progress is shown.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// On a terminal with a live view of the best test case, its size over time, and keys; in a CI job with some lines.
    Auto,
    /// On a terminal with one line.
    Line,
    /// As auto, and with lines where there is neither: for each tenth of the size, and each half minute.
    Always,
    /// Not at all.
    Never,
}
