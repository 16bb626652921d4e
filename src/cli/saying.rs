//! What is said, beside the options that are as old as the program.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::REPORTING;

/// What is written about a run.
#[derive(Args, Debug, Clone)]
pub struct SayingArgs {
    /// Write a summary as Markdown, for the page of a CI job
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, help_heading = REPORTING)]
    pub summary: Option<PathBuf>,
}
