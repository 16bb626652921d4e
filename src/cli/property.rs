//! Options for properties that need no script: what must be seen when the COMMAND runs.

use std::time::Duration;

use clap::{Args, ValueEnum};

use super::PROPERTY;
use super::values::{number, positive_seconds};

/// See each option.
#[derive(Args, Debug, Clone, Default)]
pub struct PropertyArgs {
    /// Interesting is a COMMAND that does not end within this many seconds
    ///
    /// What it has printed by then must match --stdout and --stderr, if they are given.
    #[arg(long, value_name = "SECS", value_parser = positive_seconds, conflicts_with_all = ["timeout", "exit_code", "signal"], help_heading = PROPERTY)]
    pub timeout_is_interesting: Option<Duration>,

    /// Interesting is a COMMAND that uses more memory than this, in MiB
    ///
    /// Its processes may use four times as much and 1 GiB more, unless --memory-limit says something else.
    #[arg(long, value_name = "MIB", value_parser = number::<u64>(1..=1 << 40), help_heading = PROPERTY)]
    pub memory_is_interesting: Option<u64>,

    /// Interesting is a COMMAND that fails as it does on the original
    ///
    /// With the same exit code or signal, and with the same report: the kind and the topmost frames of a sanitizer's or another
    /// stack trace, or the first line of the message, without addresses, numbers and paths. So that one bug does not
    /// become another.
    #[arg(long, help_heading = PROPERTY)]
    pub same_crash: bool,

    /// Interesting are two COMMANDs, with --and between them, that differ: -- A @@ --and B @@
    ///
    /// Both must end with the exit codes that they have on the original, and then differ in the exit code, in standard
    /// output, or in one of both (the default).
    #[arg(long, value_name = "IN", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "both", help_heading = PROPERTY)]
    pub differs: Option<Difference>,
}

/// In what two commands differ.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// The exit code.
    ExitCode,
    /// The standard output.
    Stdout,
    /// The exit code or the standard output.
    Both,
}

impl PropertyArgs {
    /// The options that were given, with their names.
    pub fn given(&self) -> impl Iterator<Item = &'static str> {
        let all = [
            (
                "--timeout-is-interesting",
                self.timeout_is_interesting.is_some(),
            ),
            (
                "--memory-is-interesting",
                self.memory_is_interesting.is_some(),
            ),
            ("--same-crash", self.same_crash),
            ("--differs", self.differs.is_some()),
        ];
        all.into_iter()
            .filter(|(_, given)| *given)
            .map(|(name, _)| name)
    }
}
