//! `paredown init`: writes a check and tries it.

use std::env;
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{doctor, system};
use crate::cli::{Args, InitArgs, Kind};
use crate::error::{Error, shell_word};
use crate::init::{Command, Recipe, Symptom, script, telling_message};
use crate::interrupt::Interrupt;
use crate::oracle::{Check, Conditions, Examination, Layout, ProcessOptions, ProcessOracle};
use crate::report;

/// The command is run once to see what it does; what takes longer counts as endless.
const LONGEST: Duration = Duration::from_secs(30);
const ENDLESS: u32 = 10;

/// Asks for what is missing, writes the check and lets the doctor look at it.
///
/// # Errors
/// Something is missing and nobody answers, or the check cannot be written or run.
pub(super) fn init(args: &InitArgs) -> Result<u8, Error> {
    refuse_existing(&args.output)?;
    let file = file(args)?;
    let kind = kind(args)?;
    let makes_program = matches!(kind, Kind::WrongOutput | Kind::Sanitizer);
    let command = match args.command.as_slice() {
        [] => {
            let text = answer(
                "the command that shows it, with @@ for the file:",
                "-- gcc -O2 -c @@",
            )?;
            Command::from_text(&text, &file, makes_program, outside)
        }
        words => Command::from_words(words, &file, makes_program, outside),
    };
    let recipe = Recipe {
        symptom: symptom(args, kind, &command, &file)?,
        valid: args
            .valid
            .as_deref()
            .map(|text| Command::from_text(text, &file, false, outside)),
        command,
    };
    write(&args.output, &script(&recipe))?;
    report::say_line(&format!(
        "{} is written; it is tried now:",
        args.output.display()
    ));
    let check = with_folder(&args.output);
    let words = [
        "paredown".into(),
        check.clone().into_os_string(),
        file.clone().into_os_string(),
    ];
    let words = Args::from_words(words).map_err(|problem| usage(&problem, "paredown --help"))?;
    let code = doctor::doctor(words)?;
    let words = [check, file].map(shell_word).join(" ");
    report::say_line(&if code == 0 {
        format!("next: paredown {words}")
    } else {
        format!(
            "change {}, and look again: paredown doctor {words}",
            args.output.display()
        )
    });
    Ok(code)
}

/// Nothing that somebody wrote is lost.
fn refuse_existing(path: &Path) -> Result<(), Error> {
    if fs::symlink_metadata(path).is_err() {
        return Ok(());
    }
    Err(usage(
        &format!("{} exists already and is never overwritten", path.display()),
        "give another name: -o check2.sh",
    ))
}

fn usage(problem: &str, hint: &str) -> Error {
    Error::Usage {
        problem: problem.to_owned(),
        hint: hint.to_owned(),
    }
}

fn file(args: &InitArgs) -> Result<PathBuf, Error> {
    let file = match &args.file {
        Some(file) => file.clone(),
        None => answer(
            "the file that shows it:",
            "paredown init bug.c -- gcc -c @@",
        )?
        .into(),
    };
    crate::config::refuse_other_than_file(&file)?;
    Ok(file)
}

fn kind(args: &InitArgs) -> Result<Kind, Error> {
    if let Some(kind) = args.kind {
        return Ok(kind);
    }
    let question = "what goes wrong?\n  1  a compiler or program crashes or fails with a message\n  2  a program prints or returns something wrong\n  3  a compiler or program does not end\n  4  a sanitizer reports an error\n  5  a command exits with a certain code\n1 to 5:";
    loop {
        let given = answer(
            question,
            "--kind crash, wrong-output, hang, sanitizer or exit-code",
        )?;
        match given.as_str() {
            "1" | "crash" => return Ok(Kind::Crash),
            "2" | "wrong-output" => return Ok(Kind::WrongOutput),
            "3" | "hang" => return Ok(Kind::Hang),
            "4" | "sanitizer" => return Ok(Kind::Sanitizer),
            "5" | "exit-code" => return Ok(Kind::ExitCode),
            _ => {}
        }
    }
}

fn symptom(args: &InitArgs, kind: Kind, command: &Command, file: &Path) -> Result<Symptom, Error> {
    Ok(match kind {
        Kind::Crash => Symptom::Message(message(args, command, file)?),
        Kind::Sanitizer => Symptom::Report(message(args, command, file)?),
        Kind::WrongOutput => {
            let question = "the command that is right, such as gcc -O0:";
            let right = match &args.versus {
                Some(text) => text.clone(),
                None => answer(question, "--versus 'gcc -O0'")?,
            };
            Symptom::Differs(Command::from_text(&right, file, true, outside))
        }
        Kind::Hang => Symptom::Hangs(args.seconds.unwrap_or(ENDLESS)),
        Kind::ExitCode => {
            let code = match args.code {
                Some(code) => i32::from(code),
                None => tried(command, file)?.code,
            };
            Symptom::ExitCode(code)
        }
    })
}

/// The text to look for: given, or seen when the command is run, and confirmed if there is somebody to ask.
fn message(args: &InitArgs, command: &Command, file: &Path) -> Result<String, Error> {
    if let Some(message) = &args.message {
        return Ok(message.clone());
    }
    let run = tried(command, file)?;
    let said = [run.stderr, run.stdout].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    let Some(found) = telling_message(&said) else {
        let shown = said.lines().last().unwrap_or("nothing");
        report::say_line(&format!(
            "the command ended with {} and printed: {shown}",
            run.code
        ));
        return answer(
            "the text that is printed when it goes wrong:",
            "--message 'the text'",
        );
    };
    report::say_line(&format!("the text to look for: {found}"));
    Ok(found)
}

/// One run of the command, as the check would do it.
fn tried(command: &Command, file: &Path) -> Result<Examination, Error> {
    let interrupt = Interrupt::new();
    let run = if command.is_compiler() {
        format!("{} \"$1\" -o ./program && ./program", command.shell())
    } else {
        command.shell().to_owned()
    };
    let words = ["/bin/sh", "-c", &run, "sh", "@@"]
        .map(OsString::from)
        .to_vec();
    let check = Check::Command {
        words,
        conditions: Conditions::default(),
    };
    let read = |source| Error::CannotRead {
        path: file.to_owned(),
        source,
    };
    let bytes = fs::read(file).map_err(read)?;
    let mode = fs::metadata(file).map_err(read)?.permissions().mode() & 0o777;
    let layout = Layout::of_file(file.file_name().unwrap_or_default(), mode);
    let options = ProcessOptions {
        jobs: 1,
        guard: env::current_exe().ok(),
        ..ProcessOptions::default()
    };
    let oracle = ProcessOracle::new(check, layout, options, &interrupt)?;
    Ok(oracle.examine(&bytes, Some(LONGEST))?)
}

/// The absolute path of something that is there, when it was given by a relative one.
fn outside(path: &Path) -> Option<PathBuf> {
    let is_path = path.components().count() > 1 || path.starts_with(".") || path.is_dir();
    let is_relative = path.is_relative() && path.as_os_str() != "." && is_path;
    let real = is_relative.then(|| fs::canonicalize(path).ok()).flatten();
    real.filter(|_| path.exists())
}

/// A name without a folder would be looked for among the commands.
fn with_folder(path: &Path) -> PathBuf {
    if path.components().count() == 1 && path.is_relative() {
        Path::new(".").join(path)
    } else {
        path.to_owned()
    }
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    let cannot = |source| Error::CannotWrite {
        path: path.to_owned(),
        source,
    };
    let mut options = OpenOptions::new();
    let made = options.write(true).create_new(true).mode(0o777).open(path);
    made.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(cannot)
}

/// One line from whoever started us. `instead` is the option that makes the question needless.
fn answer(question: &str, instead: &str) -> Result<String, Error> {
    report::ask(question);
    let mut line = String::new();
    let read = io::stdin().read_line(&mut line);
    read.map_err(system("cannot read the answer"))?;
    let line = line.trim();
    if line.is_empty() {
        let first = question.lines().next().unwrap_or_default();
        let first = first.trim_end_matches([':', '?']);
        return Err(usage(&format!("this is not given: {first}"), instead));
    }
    Ok(line.to_owned())
}
