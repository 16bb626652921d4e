//! Options about what is reduced and how the check gets it.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::{ALGORITHM, RUNNING};

/// See each option.
#[derive(Args, Debug, Clone, Default)]
pub struct InputArgs {
    /// Give the check the candidate on its standard input; a CHECK gets no path then
    #[arg(long, help_heading = RUNNING)]
    pub stdin: bool,

    /// A program whose output is tried when nothing else gets smaller; @@ stands for the file; may be given several times
    ///
    /// What counts is the file if the program changes that, else what it prints: 'clang-format @@', 'prettier --write @@', 'opt -S @@'.
    /// Without @@ it reads the file from its standard input. It is kept if it is interesting and smaller by --measure.
    #[arg(long, value_name = "CMD", help_heading = ALGORITHM)]
    pub transform: Vec<String>,

    /// By what the output of a --transform must be smaller
    #[arg(long, value_name = "UNIT", value_enum, default_value = "bytes", help_heading = ALGORITHM)]
    pub measure: Measure,

    /// A grammar of your own: a folder with grammar.json, node-types.json and the parser's library, as `tree-sitter generate`
    /// and `tree-sitter build` make them
    ///
    /// With several FILEs it is for those with the extensions that tree-sitter.json names. What the grammar cannot say may stand
    /// in paredown.toml there, in the format of the files in grammars/. The library's code is run.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "language", help_heading = ALGORITHM)]
    pub grammar: Option<PathBuf>,
}

/// What the size of a text is counted in.
#[derive(ValueEnum, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Measure {
    /// Words, numbers, strings and operators, without comments.
    Tokens,
    /// Bytes.
    #[default]
    Bytes,
    /// Lines.
    Lines,
}
