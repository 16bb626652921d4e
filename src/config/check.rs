//! Which of the two forms the command line has, and whether what it names can be run.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::{env, path};

use regex::bytes::{Regex, RegexBuilder};

use super::inputs::refuse_other_than_file;
use crate::cli::{Args, Difference};
use crate::error::{Error, shell_word};
use crate::oracle::{Check, Conditions, Differs, ExitSet, parse_signal};

/// The form of the command line, and the files to reduce.
pub(super) fn check_and_files(args: &Args) -> Result<(Check, &[PathBuf]), Error> {
    if !args.command.is_empty() {
        if args.inputs.is_empty() {
            return Err(no_file());
        }
        refuse_both_forms(args)?;
        let (words, conditions) = command(args)?;
        return Ok((Check::Command { words, conditions }, &args.inputs));
    }
    refuse_conditions_without_command(args)?;
    match args.inputs.split_first() {
        Some((check, files)) if !files.is_empty() => Ok((
            Check::Script {
                program: runnable_script(check, files)?,
            },
            files,
        )),
        _ => Err(only_one_argument(args.inputs.first())),
    }
}

fn only_one_argument(given: Option<&PathBuf>) -> Error {
    let needed = "a check and a file to reduce are needed";
    let problem = given.map_or_else(
        || needed.to_owned(),
        |path| format!("`{}` is given, but {needed}", shell_word(path)),
    );
    let hint = "paredown check.sh bug.c, or without a script: paredown bug.c --stderr 'what it says' -- cc -c @@";
    Error::Usage {
        problem,
        hint: hint.into(),
    }
}

fn no_file() -> Error {
    Error::Usage {
        problem: "a command is given, but no file to reduce".into(),
        hint: "the file stands before the command: paredown bug.c -- cc -c @@".into(),
    }
}

/// A script in the check's place before a command is there by mistake, unless it is the only file, and so what is to be reduced.
fn refuse_both_forms(args: &Args) -> Result<(), Error> {
    let [check, files @ ..] = args.inputs.as_slice() else {
        return Ok(());
    };
    if files.is_empty() || !is_executable_script(check) {
        return Ok(());
    }
    let check = shell_word(check);
    let files: Vec<String> = files.iter().map(shell_word).collect();
    let files = files.join(" ");
    let command: Vec<String> = args.command.iter().map(shell_word).collect();
    Err(Error::Usage {
        problem: format!(
            "both are given, a check ({check}) and a command after `--` ({})",
            command.join(" ")
        ),
        hint: format!(
            "paredown {check} {files}, or paredown {files} -- {}; to reduce {check} too: chmod -x {check}",
            command.join(" ")
        ),
    })
}

fn is_executable_script(path: &Path) -> bool {
    path.is_file() && is_executable(path) && begins_as_script(path)
}

fn refuse_conditions_without_command(args: &Args) -> Result<(), Error> {
    let conditions = [
        ("--exit-code", args.exit_code.is_some()),
        ("--stdout", args.stdout.is_some()),
        ("--stderr", args.stderr.is_some()),
        ("--signal", args.signal.is_some()),
    ];
    let mut given = conditions
        .into_iter()
        .filter(|(_, given)| *given)
        .map(|(option, _)| option)
        .chain(args.property.given());
    match given.next() {
        None => Ok(()),
        Some(option) => Err(Error::Usage {
            problem: format!(
                "`{option}` says what a command must do, but there is no command after `--`"
            ),
            hint: format!("paredown bug.c {option} … -- ./check.sh @@"),
        }),
    }
}

/// The command and what must hold, the second command in it.
fn command(args: &Args) -> Result<(Vec<OsString>, Conditions), Error> {
    let mut parts = args.command.split(|word| word == AND);
    let [first, second, more] = [parts.next(), parts.next(), parts.next()];
    let differs = match (args.property.differs, second, more) {
        (None, ..) => None,
        (Some(by), Some(second), None) if !second.is_empty() => Some(Differs {
            words: runnable_command(second)?,
            in_code: by != Difference::Stdout,
            in_stdout: by != Difference::ExitCode,
        }),
        _ => {
            return Err(Error::Usage {
                problem: format!("`--differs` needs two commands with one `{AND}` between them"),
                hint: "paredown bug.c --differs -- cc -O0 -run @@ --and cc -O2 -run @@".into(),
            });
        }
    };
    let first = match differs {
        Some(_) => first.unwrap_or_default(),
        None => &args.command,
    };
    if first.is_empty() {
        return Err(Error::Usage {
            problem: format!("there is no command before `{AND}`"),
            hint: "paredown bug.c --differs -- A @@ --and B @@".into(),
        });
    }
    Ok((runnable_command(first)?, conditions(args, differs)?))
}

/// What stands between two commands.
const AND: &str = "--and";

fn conditions(args: &Args, differs: Option<Differs>) -> Result<Conditions, Error> {
    let property = &args.property;
    Ok(Conditions {
        hang: property.timeout_is_interesting,
        memory: property.memory_is_interesting.map(|most| most << 20),
        same_crash: property.same_crash,
        differs,
        exit: parsed(
            "--exit-code",
            args.exit_code.as_deref(),
            "1,2,128-255 or !0",
            str::parse::<ExitSet>,
        )?,
        signal: parsed("--signal", args.signal.as_deref(), "SEGV", parse_signal)?,
        stdout: parsed(
            "--stdout",
            args.stdout.as_deref(),
            "'a \\(fixed\\) text'",
            regex,
        )?,
        stderr: parsed(
            "--stderr",
            args.stderr.as_deref(),
            "'a \\(fixed\\) text'",
            regex,
        )?,
    })
}

/// As `grep` reads it: `^` and `$` stand for the ends of a line.
fn regex(text: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(text).multi_line(true).build()
}

/// An option's value in its own type, or what is wrong with it and what a good one looks like.
pub(super) fn parsed<T, E: std::fmt::Display>(
    option: &str,
    text: Option<&str>,
    good: &str,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<Option<T>, Error> {
    let Some(text) = text else { return Ok(None) };
    parse(text).map(Some).map_err(|error| Error::Usage {
        problem: format!("`{option} {}` is not understood: {error}", shell_word(text)),
        hint: format!("{option} {good}"),
    })
}

fn runnable_script(script: &Path, files: &[PathBuf]) -> Result<PathBuf, Error> {
    refuse_other_than_file(script)?;
    if !is_executable(script) {
        let swapped = files.first().filter(|file| file.is_file());
        let swapped = swapped.and_then(|file| {
            let words = [file.as_path(), script].map(shell_word);
            let command = format!("paredown {} {}", words[0], words[1]);
            let is_new = || begins_as_script(file) && !begins_as_script(script);
            if is_executable(file) {
                Some(command)
            } else {
                is_new().then(|| format!("chmod +x {} && {command}", words[0]))
            }
        });
        return Err(Error::CheckNotExecutable {
            path: script.to_owned(),
            swapped,
        });
    }
    refuse_unstartable(script)?;
    // The check runs in a folder of its own, so a relative path would lead elsewhere.
    path::absolute(script).map_err(|source| Error::CannotRead {
        path: script.to_owned(),
        source,
    })
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

fn begins_as_script(path: &Path) -> bool {
    let mut head = [0; 2];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head == *b"#!"
}

/// The system starts scripts by their `#!` line; what is neither text nor has one is left to the system to judge.
fn refuse_unstartable(script: &Path) -> Result<(), Error> {
    let mut head = Vec::new();
    if File::open(script)
        .and_then(|file| file.take(256).read_to_end(&mut head))
        .is_err()
    {
        return Ok(());
    }
    let Some(line) = head.strip_prefix(b"#!") else {
        let is_text = !head.contains(&0) && !head.starts_with(b"\x7fELF");
        return if is_text {
            Err(Error::CheckWithoutShebang {
                path: script.to_owned(),
            })
        } else {
            Ok(())
        };
    };
    let line = line.split(|&byte| byte == b'\n').next().unwrap_or_default();
    if line.ends_with(b"\r") {
        return Err(Error::CheckWithDosLines {
            path: script.to_owned(),
        });
    }
    let interpreter = line
        .trim_ascii_start()
        .split(|byte| b" \t".contains(byte))
        .next()
        .unwrap_or_default();
    if Path::new(OsStr::from_bytes(interpreter)).exists() {
        return Ok(());
    }
    let interpreter = interpreter.escape_ascii().to_string();
    Err(Error::NoInterpreter {
        path: script.to_owned(),
        interpreter,
    })
}

fn runnable_command(command: &[OsString]) -> Result<Vec<OsString>, Error> {
    let mut command = command.to_vec();
    let program = PathBuf::from(&command[0]);
    if program.as_os_str().as_bytes().starts_with(b"@@") {
        return Ok(command);
    }
    if program.as_os_str().as_bytes().contains(&b'/') {
        command[0] = runnable_script(&program, &[])?.into_os_string();
    } else if !is_on_path(&program) {
        return Err(Error::NoSuchCommand {
            program: program.to_string_lossy().into_owned(),
        });
    }
    Ok(command)
}

fn is_on_path(program: &Path) -> bool {
    let folders = env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into());
    env::split_paths(&folders).any(|folder| {
        let file = folder.join(program);
        file.is_file() && is_executable(&file)
    })
}
