//! The text of a new check: a shell script for each of the things that commonly go wrong, with the usual traps handled.
//!
//! The traps: messages in another language; a different crash with the same exit code; endless candidates; programs that have no
//! defined meaning, which differ between two compilers for no bug; core files; machines that are busy, on which wall time says
//! little; and paths that hold in one folder only.

mod command;

use std::fmt::Write;

pub use command::Command;

/// What a check is made of.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// The command that shows it.
    pub command: Command,
    /// What must be seen.
    pub symptom: Symptom,
    /// What must succeed before.
    pub valid: Option<Command>,
}

/// What goes wrong.
#[derive(Debug, Clone)]
pub enum Symptom {
    /// This text is printed.
    Message(String),
    /// A sanitizer prints this text.
    Report(String),
    /// Another command, which is right, does something else.
    Differs(Command),
    /// It does not end within so many processor seconds.
    Hangs(u32),
    /// It exits with this code.
    ExitCode(i32),
}

/// Seconds that one step of a check may take.
const STEP: u32 = 20;

/// The whole script.
pub fn script(recipe: &Recipe) -> String {
    let Recipe {
        command,
        symptom,
        valid,
    } = recipe;
    let mut text = format!(
        "#!/bin/sh\n# Interesting: {}\n\
         # Runs in a folder of its own that holds nothing but the candidate, whose path is $1.\n\
         export LC_ALL=C    # messages in English\n\
         ulimit -c 0        # no core files\n\
         exec < /dev/null\n\n",
        described(symptom)
    );
    text.push_str(LIMITED);
    if let Some(valid) = valid {
        text.push_str("# It stays valid.\n");
        let valid = valid.shell();
        let _ = write!(
            text,
            "limited {STEP} {valid} > /dev/null 2>&1 || exit 1\n\n"
        );
    }
    text.push_str(&match symptom {
        Symptom::Message(message) => message_printed(command, message),
        Symptom::Report(message) => report(command, message),
        Symptom::Differs(right) => differs(command, right),
        Symptom::Hangs(seconds) => hangs(command, *seconds),
        Symptom::ExitCode(code) => exit_code(command, *code),
    });
    text
}

fn described(symptom: &Symptom) -> String {
    match symptom {
        Symptom::Message(_) => "the command prints the message below.".to_owned(),
        Symptom::Report(_) => "a sanitizer reports the error below.".to_owned(),
        Symptom::Differs(_) => {
            "two commands do something else, and the program has a defined meaning.".to_owned()
        }
        Symptom::Hangs(seconds) => {
            format!("the command needs more than {seconds} s of processor time.")
        }
        Symptom::ExitCode(code) => format!("the command exits with {code}."),
    }
}

/// The limit of what `timeout` and the shell can give; where there is no `timeout`, paredown's own ends what is endless.
const LIMITED: &str = "\
# limited SECONDS COMMAND...: ends what takes too long.
limited() {
  seconds=$1; shift
  if command -v timeout > /dev/null; then timeout -k 1 \"$seconds\" \"$@\"; else \"$@\"; fi
}

";

/// The message as `grep -F` needs it: one line, quoted for the shell.
fn quoted(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    format!("'{}'", line.replace('\'', r"'\''"))
}

fn message_printed(command: &Command, message: &str) -> String {
    format!(
        "limited {STEP} {} > output.txt 2>&1\n\
         [ $? -ne 124 ] || exit 1    # too long is another bug\n\
         # The text as it is, no regular expression. Leave out line numbers and names that may change.\n\
         grep -qF -e {} output.txt\n",
        command.shell(),
        quoted(message)
    )
}

fn report(command: &Command, message: &str) -> String {
    let run = if command.is_compiler() {
        format!(
            "limited {STEP} {} \"$1\" -o ./program > /dev/null 2>&1 || exit 1\n\
             limited {STEP} ./program > output.txt 2>&1\n",
            command.shell()
        )
    } else {
        format!("limited {STEP} {} > output.txt 2>&1\n", command.shell())
    };
    format!(
        "# Leaks are another error, and no core is wanted.\n\
         export ASAN_OPTIONS=detect_leaks=0:abort_on_error=0:disable_coredump=1 UBSAN_OPTIONS=print_stacktrace=0\n\
         {run}\
         [ $? -ne 124 ] || exit 1    # too long is another bug\n\
         # The kind of error, without addresses.\n\
         grep -qF -e {} output.txt\n",
        quoted(message)
    )
}

fn differs(wrong: &Command, right: &Command) -> String {
    let run = |name: &str, command: &Command| {
        if command.is_compiler() {
            format!(
                "limited {STEP} {} \"$1\" -o ./{name} > /dev/null 2>&1 || exit 1\n\
                 limited {STEP} ./{name} > {name}.txt 2> /dev/null; echo \"exit status $?\" >> {name}.txt\n",
                command.shell()
            )
        } else {
            format!(
                "limited {STEP} {} > {name}.txt 2> /dev/null; echo \"exit status $?\" >> {name}.txt\n",
                command.shell()
            )
        }
    };
    let guard = if right.is_compiler() {
        undefined_behaviour_guard(right)
    } else {
        String::new()
    };
    format!(
        "{guard}# Both run to their end, and say something else.\n{}{}\
         ! grep -qE '^exit status (124|137)$' right.txt wrong.txt || exit 1\n\
         ! cmp -s right.txt wrong.txt\n",
        run("right", right),
        run("wrong", wrong)
    )
}

/// Where a program's meaning is undefined, no output is wrong.
fn undefined_behaviour_guard(compiler: &Command) -> String {
    let cc = compiler.shell();
    format!(
        "# A program without a defined meaning shows no bug: what the compiler warns of goes first, then what the sanitizers see.\n\
         limited {STEP} {cc} -w -Werror=implicit-function-declaration -Werror=implicit-int -Werror=int-conversion \\\n  \
           -Werror=incompatible-pointer-types -Werror=return-type -Werror=uninitialized -fsyntax-only \"$1\" > /dev/null 2>&1 || exit 1\n\
         for sanitizer in undefined address; do\n  \
           if limited {STEP} {cc} -w -g -fsanitize=$sanitizer -fno-sanitize-recover=all \"$1\" -o ./guard > /dev/null 2>&1; then\n    \
             ASAN_OPTIONS=detect_leaks=0 limited {STEP} ./guard > /dev/null 2> guard.txt\n    \
             [ $? -ne 124 ] || exit 1\n    \
             ! grep -qE 'runtime error:|ERROR: .*Sanitizer' guard.txt || exit 1\n  \
           fi\n\
         done\n\n"
    )
}

fn hangs(command: &Command, seconds: u32) -> String {
    format!(
        "# Processor time does not depend on what else the machine does; what sleeps for ever is ended by the wall clock.\n\
         (ulimit -t {seconds}; limited {} {}) > /dev/null 2>&1\n\
         case $? in\n  124 | 137 | 152) exit 0 ;;    # by `timeout`, by KILL, by XCPU\nesac\nexit 1\n",
        seconds.saturating_mul(6),
        command.shell()
    )
}

fn exit_code(command: &Command, code: i32) -> String {
    format!(
        "# Many errors share a code: if others than the wanted one are found, demand its message too (paredown init --kind crash).\n\
         limited {STEP} {} > /dev/null 2>&1\n[ $? -eq {code} ]\n",
        command.shell()
    )
}

/// The line of an output that tells a crash best, as a text without what changes from run to run: the place in the file, addresses
/// and numbers of processes.
pub fn telling_message(output: &str) -> Option<String> {
    let rate = |line: &str| {
        let lower = line.to_lowercase();
        let at = SIGNS.iter().position(|sign| lower.contains(sign));
        at.map(|at| (at, line.len()))
    };
    let best = output
        .lines()
        .filter(|line| line.len() < 2000)
        .filter_map(|line| rate(line).map(|(at, _)| (at, line)))
        .min_by_key(|(at, _)| *at)?;
    Some(constant_part(best.1))
}

/// What lines of a crash have, the most telling first.
const SIGNS: [&str; 17] = [
    "internal compiler error",
    "assertion",
    "error: addresssanitizer",
    "error: memorysanitizer",
    "error: threadsanitizer",
    "error: leaksanitizer",
    "runtime error:",
    "panicked at",
    "unreachable executed",
    "fatal error: error in backend",
    "segmentation fault",
    "stack dump",
    "please submit a",
    "fatal error",
    "exception",
    "error:",
    "error",
];

/// The longest part of a line without what may change when the file gets smaller.
fn constant_part(line: &str) -> String {
    let line = match line.find("Sanitizer: ") {
        Some(_) => line.split(" on ").next().unwrap_or(line),
        None => line,
    };
    let is_number = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let hex = word
            .strip_prefix("0x")
            .is_some_and(|digits| !digits.is_empty());
        let place = word.contains(':')
            && word
                .split(':')
                .skip(1)
                .any(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
        let id = word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_digit());
        hex || place || id
    };
    // A sanitizer writes the number of its process as `==123==`.
    let is_process = |word: &str| word.len() > 2 && word.starts_with("==");
    let mut best = "";
    let mut start = 0;
    let mut at = 0;
    for word in line.split_inclusive(' ') {
        if is_number(word) || is_process(word.trim()) {
            best = longer(best, line[start..at].trim());
            start = at + word.len();
        }
        at += word.len();
    }
    longer(best, line[start..].trim()).to_owned()
}

fn longer<'t>(one: &'t str, other: &'t str) -> &'t str {
    if other.len() > one.len() { other } else { one }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_telling_line_is_found_without_what_changes() {
        for (output, message) in [
            (
                "bug.c: In function 'f':\nbug.c:3:5: internal compiler error: in expand_expr, at expr.cc:1234\n",
                "internal compiler error: in expand_expr, at",
            ),
            (
                "==123==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60200000eff4 at pc\n",
                "AddressSanitizer: heap-buffer-overflow",
            ),
            (
                "clang: lib/X.cpp:99: void f(): Assertion `a == b' failed.\nStack dump:\n",
                "void f(): Assertion `a == b' failed.",
            ),
            ("all is well\n", ""),
        ] {
            let found = telling_message(output).unwrap_or_default();
            assert_eq!(found, message);
        }
    }

    #[test]
    fn each_sign_of_a_crash_is_preferred_to_those_behind_it() {
        let cases = [
            (
                "internal compiler error",
                "bug.c: internal compiler error: in f",
            ),
            ("assertion", "f: Assertion failed"),
            (
                "error: addresssanitizer",
                "ERROR: AddressSanitizer: heap-use-after-free",
            ),
            (
                "error: memorysanitizer",
                "ERROR: MemorySanitizer: use-of-uninitialized-value",
            ),
            (
                "error: threadsanitizer",
                "ERROR: ThreadSanitizer: data race",
            ),
            (
                "error: leaksanitizer",
                "ERROR: LeakSanitizer: detected memory leaks",
            ),
            ("runtime error:", "runtime error: null pointer"),
            ("panicked at", "thread 'main' panicked at main.rs"),
            ("unreachable executed", "UNREACHABLE executed!"),
            (
                "fatal error: error in backend",
                "fatal error: error in backend: cannot select",
            ),
            ("segmentation fault", "Segmentation fault"),
            ("stack dump", "Stack dump:"),
            ("please submit a", "PLEASE submit a bug report"),
            ("fatal error", "fatal error: stop"),
            ("exception", "Exception in main"),
            ("error:", "error: wrong"),
            ("error", "there was an error"),
        ];
        assert_eq!(cases.map(|(sign, _)| sign), SIGNS);
        for at in 0..cases.len() {
            // What is more telling is found behind all the rest too.
            let rest: Vec<&str> = cases[at..].iter().rev().map(|(_, line)| *line).collect();
            let found = telling_message(&rest.join("\n")).unwrap();
            assert!(cases[at].1.contains(&found), "{found}");
        }
    }

    #[test]
    fn a_message_is_a_word_of_the_shell() {
        assert_eq!(quoted("it's\nmore"), r"'it'\''s'");
    }
}
