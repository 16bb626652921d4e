//! The options of `paredown init`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, ValueEnum, ValueHint};

use super::When;
use super::values::number;

/// Write a check for what goes wrong, and try it
///
/// What is not given is asked for. Nothing that exists is overwritten.
#[derive(Parser, Debug, Clone)]
#[command(
    name = "paredown init",
    bin_name = "paredown init",
    max_term_width = 100,
    override_usage = "paredown init [OPTIONS] <FILE> -- <COMMAND>...",
    after_long_help = EXAMPLES
)]
pub struct InitArgs {
    /// The file that shows it
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,

    /// The command that shows it; @@ stands for the file, also where its name stands
    ///
    /// For wrong output and a sanitizer's report a C or C++ compiler with its options will do: what it makes is run.
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,

    /// What goes wrong
    #[arg(short, long, value_name = "WHAT", value_enum)]
    pub kind: Option<Kind>,

    /// For crash and sanitizer: the text that is printed then [default: found by running the COMMAND]
    #[arg(short, long, value_name = "TEXT")]
    pub message: Option<String>,

    /// For wrong-output: the command that is right, as one word, such as 'gcc -O0'
    #[arg(long, value_name = "COMMAND")]
    pub versus: Option<String>,

    /// For hang: longer than this many processor seconds is endless [default: 10]
    #[arg(long, value_name = "SECS", value_parser = number::<u32>(1..=86_400))]
    pub seconds: Option<u32>,

    /// For exit-code: the code [default: found by running the COMMAND]
    #[arg(long, value_name = "N", value_parser = number::<u8>(0..=255))]
    pub code: Option<u8>,

    /// A command that must succeed with the file, so that it stays valid, such as 'clang -fsyntax-only @@'
    #[arg(long, value_name = "COMMAND")]
    pub valid: Option<String>,

    /// Where the check goes
    #[arg(short, long, value_name = "PATH", default_value = "check.sh", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,

    /// Use colours
    #[arg(long, value_name = "WHEN", default_value = "auto", value_enum)]
    pub color: When,
}

/// What can go wrong.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A compiler or program crashes, or fails, with a message.
    Crash,
    /// A program prints or returns something else than it should.
    WrongOutput,
    /// A compiler or program does not end.
    Hang,
    /// A sanitizer reports an error.
    Sanitizer,
    /// A command exits with a certain code.
    ExitCode,
}

const EXAMPLES: &str = "\
Examples:
  paredown init --kind crash bug.c -- gcc -O3 -c @@
  paredown init --kind wrong-output --versus 'gcc -O0' bug.c -- gcc -O2
  paredown init --kind wrong-output --versus 'node --jitless @@' bug.js -- node @@
  paredown init --kind sanitizer bug.c -- clang -g -fsanitize=address
  paredown init --kind hang --seconds 5 bug.c -- gcc -O2 -c @@

Exit codes: 0 the check is written and good, 3 it is written but has a fault, 1 and 2 as in a reduction.";
