//! Which of the two forms the command line has, and whether what it names can be run.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::{env, path};

use super::refuse_other_than_file;
use crate::cli::Args;
use crate::error::{Error, shell_word};

/// What is run to test a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// An executable that gets the candidate's path and exits with 0 when it is interesting; an absolute path.
    Script(PathBuf),
    /// A command with `@@` for the candidate's path; the conditions are options of their own.
    Command(Vec<OsString>),
}

impl Check {
    /// The form of the command line, and the files to reduce.
    pub(super) fn from_args(args: &Args) -> Result<(Self, &[PathBuf]), Error> {
        if !args.command.is_empty() {
            return Ok((
                Self::Command(runnable_command(&args.command)?),
                &args.inputs,
            ));
        }
        refuse_conditions_without_command(args)?;
        match args.inputs.split_first() {
            Some((check, files)) if !files.is_empty() => {
                Ok((Self::Script(runnable_script(check, files)?), files))
            }
            _ => Err(only_one_argument(args.inputs.first())),
        }
    }
}

fn only_one_argument(given: Option<&PathBuf>) -> Error {
    let given = given.map_or(String::new(), |path| shell_word(&path.to_string_lossy()));
    Error::Usage {
        problem: format!("`{given}` is given, but a check and a file to reduce are needed"),
        hint: "paredown check.sh bug.c, or without a script: paredown bug.c --stderr 'what it says' -- cc -c @@".into(),
    }
}

fn refuse_conditions_without_command(args: &Args) -> Result<(), Error> {
    let conditions = [
        ("--exit-code", args.exit_code.is_some()),
        ("--stdout", !args.stdout.is_empty()),
        ("--stderr", !args.stderr.is_empty()),
        ("--signal", args.signal.is_some()),
    ];
    match conditions.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((option, _)) => Err(Error::Usage {
            problem: format!(
                "`{option}` says what a command must do, but there is no command after `--`"
            ),
            hint: format!("paredown bug.c {option} … -- ./check.sh @@"),
        }),
    }
}

fn runnable_script(script: &Path, files: &[PathBuf]) -> Result<PathBuf, Error> {
    refuse_other_than_file(script)?;
    if !is_executable(script) {
        let swapped = files
            .first()
            .filter(|file| file.is_file() && is_executable(file))
            .map(|file| {
                format!(
                    "paredown {} {}",
                    shell_word(&file.to_string_lossy()),
                    shell_word(&script.to_string_lossy())
                )
            });
        return Err(Error::CheckNotExecutable {
            path: script.to_owned(),
            swapped,
        });
    }
    refuse_unstartable(script)?;
    absolute(script)
}

/// The check runs in a folder of its own, so a relative path would lead elsewhere.
fn absolute(path: &Path) -> Result<PathBuf, Error> {
    path::absolute(path).map_err(|source| Error::CannotRead {
        path: path.to_owned(),
        source,
    })
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

/// The system starts scripts by their `#!` line; what is neither text nor has one is left to the system to judge.
fn refuse_unstartable(script: &Path) -> Result<(), Error> {
    let mut head = Vec::new();
    let read = File::open(script).and_then(|file| file.take(256).read_to_end(&mut head));
    if read.is_err() {
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
    if program.as_os_str().as_bytes().contains(&b'/') {
        command[0] = runnable_script(&program, &[])?.into_os_string();
    } else if program.as_os_str() != "@@" && !is_on_path(&program) {
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
