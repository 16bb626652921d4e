//! Options about what is reduced and how the check gets it.

use clap::Args;

use super::RUNNING;

/// See each option.
#[derive(Args, Debug, Clone, Default)]
pub struct InputArgs {
    /// Give the check the candidate on its standard input; a CHECK gets no path then
    #[arg(long, help_heading = RUNNING)]
    pub stdin: bool,
}
