//! What is wrong with a check, found by running it under changed circumstances.
//!
//! Two questions are answered. *Why does it not accept the original?* ([`why_refused`], which the first failure of a reduction
//! asks too): one circumstance after the other is made as the check may expect it (the candidate on standard input, under
//! another name, with the files beside it that it names), and what makes it accept the original is the cause. *How does it
//! behave when it does?* ([`examine`], for `paredown doctor`): what it reads, how steady it is, what it leaves, and what it accepts
//! that it should not. Every cause is seen in a run, not guessed from the text of the script, which only says where to look.

mod causes;
mod conditions;
mod files;
mod habits;
mod places;
mod reading;
mod trials;

use std::path::PathBuf;
use std::time::Duration;

use crate::config::Input;
use crate::error::Error;
use crate::oracle::{Check, Examination, Layout, ProcessOracle};
use crate::report::{Finding, Grade};
use trials::Trials;
pub use trials::{ending, last_line};

/// A check with all that is needed to run it.
pub struct Subject<'a> {
    /// Runs it; its check and its layout are changed.
    pub oracle: &'a mut ProcessOracle,
    /// The check as given.
    pub check: &'a Check,
    /// The files to reduce.
    pub inputs: &'a [Input],
    /// What stands in its folder.
    pub layout: Layout,
    /// How long one run may take.
    pub time_limit: Duration,
    /// The folder in which the command line was typed.
    pub folder: PathBuf,
}

/// Why the check did not accept the original in its `first` run, with what to change. `None` if no reason is found in about
/// `patience`. Nothing is written outside the check's folder.
///
/// # Errors
/// The check cannot be run any more.
pub fn why_refused(
    subject: Subject<'_>,
    first: &Examination,
    patience: Duration,
) -> Result<Option<Finding>, Error> {
    causes::find(&mut Trials::new(subject, Some(patience)), first)
}

/// Why the check accepts an empty file, if it does not look at the candidate at all. Costs one run.
///
/// # Errors
/// The check cannot be run any more.
pub fn why_empty_is_accepted(subject: Subject<'_>) -> Result<Option<Finding>, Error> {
    habits::looks_elsewhere(&mut Trials::new(subject, None))
}

/// Runs the check in all ways and tells what is seen as soon as it is. Costs about forty runs of the check. Says whether
/// something must be changed.
///
/// # Errors
/// The check cannot be run.
pub fn examine(subject: Subject<'_>, tell: &mut dyn FnMut(&Finding)) -> Result<bool, Error> {
    let mut trials = Trials::new(subject, None);
    let mut has_fault = false;
    let mut tell = |finding: Finding| {
        has_fault |= finding.grade == Grade::Fault;
        tell(&finding);
    };
    let before = places::Snapshot::take(&trials);
    let first = trials.usual(trials.original())?;
    if trials::accepts(&first) {
        tell(Finding::good("it accepts the original".to_owned()));
        habits::tell_all(&mut trials, &before, &mut tell)?;
    } else {
        tell(refusal(&first));
        let cause = causes::find(&mut trials, &first)?;
        tell(cause.unwrap_or_else(|| causes::unknown(&trials, &first)));
    }
    Ok(has_fault)
}

fn refusal(first: &Examination) -> Finding {
    let printed = trials::last_line(first);
    let printed = printed.map_or_else(
        || "it printed nothing".to_owned(),
        |line| format!("the last line it printed: {line}"),
    );
    let text = format!(
        "it does not accept the original: {}; {printed}",
        ending(first)
    );
    Finding::fault(text, None)
}
