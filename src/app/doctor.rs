//! `paredown doctor`: what is wrong with a check.

use std::env;
use std::time::Duration;

use super::{left, system};
use crate::cli::Args;
use crate::config::{Config, Input};
use crate::doctor::{Subject, examine};
use crate::error::{Error, exit};
use crate::folder::Entry;
use crate::interrupt::Interrupt;
use crate::oracle::{Layout, ProcessOptions, ProcessOracle};
use crate::report;

/// Without `--timeout`, what takes longer counts as endless.
const LONGEST: Duration = Duration::from_secs(60);
/// So many run at once to see whether they disturb each other.
const LEAST_JOBS: usize = 4;

/// Runs the check in many ways and says what is seen. The exit code says whether something must be changed.
///
/// # Errors
/// The check or the files cannot be used at all, or nothing can be said.
pub(super) fn doctor(args: Args) -> Result<u8, Error> {
    let config = Config::from_args(args)?;
    let interrupt = Interrupt::install().map_err(system("cannot listen to signals"))?;
    if config.folder().is_some() {
        return Err(Error::Usage {
            problem: "paredown doctor looks at checks of files, but a folder is given".into(),
            hint: "run the reduction itself: it says what the check of a folder did".into(),
        });
    }
    let layout = layout(&config);
    let options = config.process_options();
    let options = ProcessOptions {
        jobs: options.jobs.max(LEAST_JOBS),
        // It looks at what the check does on this machine.
        launcher: None,
        ..options
    };
    let check = config.check().clone();
    let mut oracle = ProcessOracle::new(check, layout.clone(), options, &interrupt)?;
    let limit = config.time_limit().fixed().unwrap_or(LONGEST);
    oracle.learn(config.inputs()[0].bytes(), Some(limit))?;
    let subject = Subject {
        oracle: &mut oracle,
        check: config.check(),
        inputs: config.inputs(),
        layout,
        time_limit: config.time_limit().fixed().unwrap_or(LONGEST),
        folder: env::current_dir().unwrap_or_default(),
    };
    let mut told = Ok(());
    let has_fault = examine(subject, &mut |finding| {
        // After a signal each run seems to refuse.
        if told.is_ok() && interrupt.signal().is_none() {
            told = report::finding(finding);
        }
    });
    let remains = oracle.clean_up();
    if let Some(warning) = left::warning(oracle.run_folder(), &remains) {
        report::warning(&warning);
    }
    super::printed(told)?;
    let has_fault = has_fault?;
    Ok(match interrupt.exit_code() {
        Some(code) => code,
        None if has_fault => exit::NOT_INTERESTING,
        None => exit::DONE,
    })
}

/// The first file as the candidate, the others beside it.
fn layout(config: &Config) -> Layout {
    let inputs = config.inputs();
    let companion = |input: &Input| Entry::file(input.name(), input.mode(), input.bytes().clone());
    Layout {
        companions: inputs[1..].iter().map(companion).collect(),
        arguments: config.arguments().to_vec(),
        ..Layout::of_file(inputs[0].name(), inputs[0].mode())
    }
}
