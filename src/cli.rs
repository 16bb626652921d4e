//! The command line as typed. Nothing here asks the system or can fail beyond the spelling of one option; the rest is
//! `Config::from_args`. This is the only file that names clap and its kin, which also writes the man page and the completions.

mod batch;
mod completion;
mod init;
mod input;
mod launch;
mod property;
mod saying;
mod task;
mod values;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use clap::{ArgAction, CommandFactory, Parser, ValueEnum, ValueHint};

pub use batch::BatchArgs;
pub use input::{InputArgs, Measure};
pub use launch::LaunchArgs;
pub use property::{Difference, PropertyArgs};

use crate::minimize::Algorithm;
use crate::strategy::{Effort, Hoist, Strategy};
pub use init::{InitArgs, Kind};
pub use saying::{Progress, SayingArgs};
pub use task::Task;
use values::{
    Languages, Signals, confidence, efforts, hoists, minimizers, number, passes, positive_seconds,
    probability, strategies,
};

/// Make a file as small as it can be while your check still accepts it.
#[derive(Parser, Debug, Clone)]
#[command(
    name = "paredown",
    version = env!("PAREDOWN_VERSION"),
    long_version = long_version(),
    max_term_width = 100,
    override_usage = "paredown [OPTIONS] <CHECK> <FILE>...\n       paredown [OPTIONS] <FILE>... -- <COMMAND>...\n       paredown doctor <CHECK> <FILE>...\n       paredown init <FILE> -- <COMMAND>...\n       paredown batch <DIR>",
    after_long_help = EXAMPLES
)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch on the command line"
)]
pub struct Args {
    /// CHECK and the FILEs to reduce; only FILEs when a COMMAND follows `--`
    ///
    /// CHECK is an executable. It runs in a fresh folder that holds the candidate under its own name, with the candidate's
    /// path as its first argument, and exits with 0 when the candidate is interesting. Several FILEs are reduced in turn
    /// until none of them gets smaller; all stand under their own names where the check runs, which gets all their paths. A
    /// FILE can be a folder: the check runs in a copy of it, files that are not needed go first, and the rest is reduced
    /// inside. A FILE - is standard input; its result goes to standard output.
    #[arg(value_name = "CHECK|FILE", value_hint = ValueHint::FilePath)]
    pub inputs: Vec<PathBuf>,

    /// The command to run instead of a CHECK; @@ stands for the path of the first FILE
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,

    /// Where the result goes: a file, a folder, or - for stdout [default: bug.reduced.c beside bug.c]
    ///
    /// The results of several FILEs keep their names in a folder, which is made if it is missing; by default it is called
    /// after the first of them: bug.reduced. So is the result of a folder. The result of a result gets a number:
    /// bug.reduced.2.c beside bug.reduced.c.
    #[arg(short, long, value_name = "PATH", help_heading = RESULT, value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// Rewrite FILE itself and keep the original as FILE.orig
    #[arg(short, long, conflicts_with = "output", help_heading = RESULT)]
    pub in_place: bool,

    /// Give names their shortest form (a, b, …) at the end
    #[arg(long, overrides_with = "keep_names", help_heading = RESULT)]
    pub rename: bool,

    /// Leave names as they are (the default)
    #[arg(long, overrides_with = "rename", help_heading = RESULT)]
    pub keep_names: bool,

    /// Keep each text of FILE that matches; may be given several times
    #[arg(long, value_name = "REGEX", help_heading = RESULT)]
    pub keep: Vec<String>,

    /// Go on when the check accepts an empty file, which mostly means that it looks at another one
    #[arg(long, help_heading = RESULT)]
    pub allow_empty: bool,

    /// Exit codes that are interesting, such as 1,2,128-255 or !0
    ///
    /// With a COMMAND and no other condition the default is 0; when --stdout, --stderr or --signal is given, any exit code.
    #[arg(long, value_name = "SET", allow_hyphen_values = true, help_heading = PROPERTY)]
    pub exit_code: Option<String>,

    /// What the COMMAND's output must match
    #[arg(long, value_name = "REGEX", allow_hyphen_values = true, help_heading = PROPERTY)]
    pub stdout: Option<String>,

    /// What the COMMAND's error output must match
    #[arg(long, value_name = "REGEX", allow_hyphen_values = true, help_heading = PROPERTY)]
    pub stderr: Option<String>,

    /// The signal that must end the COMMAND, such as SEGV or ABRT
    #[arg(long, value_name = "NAME", value_parser = Signals, hide_possible_values = true, help_heading = PROPERTY)]
    pub signal: Option<String>,

    /// What must be seen.
    #[command(flatten)]
    pub property: PropertyArgs,

    /// Checks running at a time [default: the number of cores]; never changes the result
    #[arg(short, long, value_name = "N", value_parser = number::<u32>(1..=1024), help_heading = RUNNING)]
    pub jobs: Option<u32>,

    /// Seconds that one run of the check may take [default: learned from the first runs]
    #[arg(long, value_name = "SECS", value_parser = positive_seconds, help_heading = RUNNING)]
    pub timeout: Option<Duration>,

    /// Memory that one process of the check may use, in MiB
    #[arg(long, value_name = "MIB", value_parser = number::<u64>(1..=1 << 40), help_heading = RUNNING)]
    pub memory_limit: Option<u64>,

    /// Processor seconds that one process of the check may use
    #[arg(long, value_name = "SECS", value_parser = number::<u64>(1..), help_heading = RUNNING)]
    pub cpu_limit: Option<u64>,

    /// Size of the largest file that the check may write, in MiB
    #[arg(long, value_name = "MIB", value_parser = number::<u64>(1..=1 << 40), help_heading = RUNNING)]
    pub file_limit: Option<u64>,

    /// Files that one process of the check may have open
    #[arg(long, value_name = "N", value_parser = number::<u64>(3..), help_heading = RUNNING)]
    pub open_files_limit: Option<u64>,

    /// Where the check runs.
    #[command(flatten)]
    pub launch: LaunchArgs,

    /// What the check gets.
    #[command(flatten)]
    pub input: InputArgs,

    /// Give the check an empty HOME of its own
    #[arg(long, help_heading = RUNNING)]
    pub private_home: bool,

    /// Run the check up to N times for each candidate, until one run finds it interesting
    ///
    /// For a property that shows only in some of the runs.
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..=1001), conflicts_with = "confidence", help_heading = RUNNING)]
    pub repeat: Option<u32>,

    /// Run the check as often as it takes to be this sure of each answer, such as 0.99
    ///
    /// For a check that errs both ways: a candidate counts as interesting when it shows the property about as often as the
    /// original does.
    #[arg(long, value_name = "P", value_parser = confidence, help_heading = RUNNING)]
    pub confidence: Option<f64>,

    /// Save candidates for which the check exits with CODE in a folder beside the result
    #[arg(long, value_name = "CODE", value_parser = number::<u8>(1..), help_heading = RUNNING)]
    pub also_interesting: Option<u8>,

    /// Stop after this many seconds and keep the best
    #[arg(long, value_name = "SECS", value_parser = positive_seconds, help_heading = STOPPING)]
    pub max_time: Option<Duration>,

    /// Stop after this many runs of the check and keep the best
    #[arg(long, value_name = "N", value_parser = number::<u64>(..), help_heading = STOPPING)]
    pub max_queries: Option<u64>,

    /// Stop when the result is at most this large
    #[arg(long, value_name = "N", value_parser = number::<u64>(..), help_heading = STOPPING)]
    pub target_bytes: Option<u64>,

    /// Keep a journal in this folder; the same command goes on from there
    ///
    /// Another FILE of the same kind with the same check, such as a result that was made smaller by hand, is taken up with what
    /// is known: no candidate that was refused before is run again.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = STOPPING)]
    pub state: Option<PathBuf>,

    /// The language of the FILEs [default: by extension, then by content]; none for no language, list to see all
    #[arg(short, long, value_name = "NAME", value_parser = Languages, hide_possible_values = true, help_heading = ALGORITHM)]
    pub language: Option<String>,

    /// How the candidates are made
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = strategies(), help_heading = ALGORITHM)]
    pub strategy: Strategy,

    /// The list minimiser inside the strategy [default: the strategy's own]
    #[arg(long, value_name = "NAME", value_parser = minimizers(), help_heading = ALGORITHM)]
    pub minimizer: Option<Algorithm>,

    /// When a tree strategy puts a descendant in a node's place
    #[arg(long, value_name = "WHEN", default_value = "none", value_parser = hoists(), help_heading = ALGORITHM)]
    pub hoist: Hoist,

    /// How much is asked: until the result is 1-minimal, or on until nothing is found or a limit ends it
    ///
    /// With max the default pipeline tries behind its certificate what mostly fails: two changes at once, any few tokens of a
    /// window, other parts of the text or other names in the place of a part or a name, neighbours the other way round. What is
    /// as large as before, or a little larger, is taken as far down as single changes go. After each success the pipeline goes
    /// on from there.
    #[arg(long, value_name = "HOW", default_value = "normal", value_parser = efforts(), help_heading = ALGORITHM)]
    pub effort: Effort,

    /// One round instead of going on to the fixed point
    #[arg(long, help_heading = ALGORITHM)]
    pub once: bool,

    /// Let ddmin and Wddmin also try each part alone
    #[arg(long, overrides_with = "no_subsets", help_heading = ALGORITHM)]
    pub subsets: bool,

    /// Only try to take parts away (the default)
    #[arg(long, overrides_with = "subsets", help_heading = ALGORITHM)]
    pub no_subsets: bool,

    /// Leave out the last sweep, which tries each element alone: the papers' own algorithms
    #[arg(long, help_heading = ALGORITHM)]
    pub no_sweep: bool,

    /// Try the last parts first
    #[arg(long, help_heading = ALGORITHM)]
    pub backward: bool,

    /// Into how many parts ddmin splits [default: 2]
    #[arg(long, value_name = "N", value_parser = number::<u32>(2..), help_heading = ALGORITHM)]
    pub split: Option<u32>,

    /// How many candidates GreeDDy tries on one base [default: 4]
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..), help_heading = ALGORITHM)]
    pub window: Option<u32>,

    /// ProbDD's prior: the chance of an element to stay [default: 0.1]
    #[arg(long, value_name = "P", value_parser = probability, help_heading = ALGORITHM)]
    pub p0: Option<f64>,

    /// Let WProbDD ask in waves, so that more can be asked at the same time: not the paper's way
    #[arg(long, help_heading = ALGORITHM)]
    pub waves: bool,

    /// Leave a pass of the default pipeline out; may be repeated
    #[arg(long, value_name = "PASS", value_parser = passes(), hide_possible_values = true, help_heading = ALGORITHM)]
    pub without: Vec<String>,

    /// Rewrites of your own for the default pipeline, in the format of grammars/README.md; may be repeated
    ///
    /// Each is a query over the syntax tree and what is to stand in the place of what it finds.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = ALGORITHM)]
    pub rewrites: Vec<PathBuf>,

    /// List the passes of the default pipeline and do nothing else
    #[arg(long, exclusive = true, help_heading = ALGORITHM)]
    pub help_passes: bool,

    /// Break ties by this seed instead of by input order
    #[arg(long, value_name = "N", value_parser = number::<u64>(..), help_heading = ALGORITHM)]
    pub seed: Option<u64>,

    /// Write what happens as JSON lines; - for stdout
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, help_heading = REPORTING)]
    pub json: Option<PathBuf>,

    /// Write a report as one HTML file
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, help_heading = REPORTING)]
    pub report: Option<PathBuf>,

    /// What is written about the run.
    #[command(flatten)]
    pub saying: SayingArgs,

    /// Say nothing but warnings and errors
    #[arg(short, long, conflicts_with = "verbose", help_heading = REPORTING)]
    pub quiet: bool,

    /// Say more: each improvement; twice: each question
    #[arg(short, long, action = ArgAction::Count, help_heading = REPORTING)]
    pub verbose: u8,

    /// Use colours
    #[arg(long, value_name = "WHEN", default_value = "auto", value_enum, help_heading = REPORTING)]
    pub color: When,

    /// Write a man page or a shell's completions to stdout and do nothing else
    #[arg(long, value_name = "WHAT", value_enum, exclusive = true, help_heading = REPORTING)]
    pub generate: Option<Generate>,
}

/// When something that depends on the terminal is done.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// When it is written to a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What `--generate` writes.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generate {
    /// A man page in roff.
    Man,
    /// Completions for bash.
    Bash,
    /// Completions for zsh.
    Zsh,
    /// Completions for fish.
    Fish,
    /// Completions for PowerShell.
    Powershell,
}

/// The `--language` that names all of them.
pub const LIST: &str = "list";
/// The `--language` of files that no grammar is to cut up.
pub const NO_LANGUAGE: &str = "none";

const RESULT: &str = "The result";
const PROPERTY: &str = "What is interesting, with a COMMAND";
const RUNNING: &str = "Running the check";
const STOPPING: &str = "Stopping and going on";
const ALGORITHM: &str = "The algorithm";
const REPORTING: &str = "What is said";

const EXAMPLES: &str = "\
Examples:
  paredown check.sh bug.c
  paredown -o small.c --max-time 60 check.sh bug.c
  paredown bug.c --stderr 'internal compiler error' -- gcc -O3 -c @@
  paredown app.js --exit-code '!0' --stdout TypeError -- node @@
  paredown doctor check.sh bug.c            what is wrong with this check?
  paredown init --kind crash bug.c -- gcc -O3 -c @@    write a check.sh

Exit codes:
  0    the reduction is done, or was stopped by a limit
  1    something failed
  2    the command line makes no sense
  3    the check does not accept the original file, or accepts an empty one
  130  stopped by Ctrl-C; the best so far is written (129 by a hang-up, 143 by SIGTERM)";

impl Args {
    /// Reads arguments from a list whose first element is the program's name.
    ///
    /// # Errors
    /// The message that the command line would print.
    pub fn from_words<I: IntoIterator<Item = OsString>>(words: I) -> Result<Self, String> {
        <Self as Parser>::try_parse_from(words).map_err(|error| error.to_string())
    }
}

/// Writes the man page or the completions.
///
/// # Errors
/// Those of `out`.
pub fn generate(what: Generate, out: &mut dyn Write) -> io::Result<()> {
    use clap_complete::Shell;
    let mut command = Args::command();
    let shell = match what {
        Generate::Man => return man(command, out),
        Generate::Bash => Shell::Bash,
        Generate::Zsh => Shell::Zsh,
        Generate::Fish => Shell::Fish,
        Generate::Powershell => Shell::PowerShell,
    };
    let script = completion::script(shell, &mut command, &mut InitArgs::command());
    out.write_all(script.as_bytes())
}

/// A man page in ASCII: what is not is written as roff names it, so that no locale matters.
fn man(command: clap::Command, out: &mut dyn Write) -> io::Result<()> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    let page = String::from_utf8_lossy(&page).into_owned();
    let ascii = page.chars().map(|c| match c {
        '…' => "...".to_owned(),
        '→' => "->".to_owned(),
        c if c.is_ascii() => c.to_string(),
        c => format!("\\[u{:04X}]", u32::from(c)),
    });
    out.write_all(ascii.collect::<String>().as_bytes())
}

/// The version, the commit, and the grammars that are in the program.
fn long_version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let grammars = env!("PAREDOWN_GRAMMARS").replace(',', "\n  ");
        format!("{}\ngrammars:\n  {grammars}", env!("PAREDOWN_VERSION"))
    });
    &VERSION
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_of_the_options_holds_together() {
        Args::command().debug_assert();
    }

    #[test]
    fn what_follows_the_dashes_is_the_command() {
        let words = [
            "paredown", "a.c", "--stderr", "oops", "--", "cc", "-c", "@@",
        ];
        let args = Args::from_words(words.iter().map(OsString::from)).unwrap();
        assert_eq!(args.inputs, [PathBuf::from("a.c")]);
        assert_eq!(args.command, ["cc", "-c", "@@"]);
    }
}
