//! Options about what is reduced and how the check gets it.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::{ALGORITHM, RUNNING};

/// See each option.
#[derive(Args, Debug, Clone, Default)]
pub struct InputArgs {
    /// Give the check the candidate on its standard input; a CHECK gets no path then
    #[arg(long, help_heading = RUNNING)]
    pub stdin: bool,

    /// A grammar of your own: a folder with grammar.json, node-types.json and the parser's library, as `tree-sitter generate`
    /// and `tree-sitter build` make them
    ///
    /// With several FILEs it is for those with the extensions that tree-sitter.json names. What the grammar cannot say may stand
    /// in paredown.toml there, in the format of the files in grammars/. The library's code is run.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "language", help_heading = ALGORITHM)]
    pub grammar: Option<PathBuf>,
}
