//! Programs that make another text of a candidate, run as a check is.

use std::ffi::OsString;
use std::time::Duration;

use super::check::Observation;
use super::observation::is_cut;
use super::script::first_query;
use super::slot::Output;
use super::{Changing, Check, Conditions, OracleError, ProcessOracle};

/// What a command has made, or why it has made nothing.
pub(super) type Made = Result<Vec<u8>, String>;

impl ProcessOracle {
    /// Runs another command than the check where the candidate stands, once, and returns what it makes of it: the file's new
    /// content, or if it left that as it was, what it printed; or why it made nothing. Of several
    /// files it is told the one that the candidate is, whatever the check is told.
    pub fn transform(
        &mut self,
        words: &[OsString],
        candidate: &[u8],
        time_limit: Duration,
    ) -> Result<Made, OracleError> {
        let command = Check::Command {
            words: words.to_vec(),
            conditions: Conditions::default(),
        };
        let check = std::mem::replace(&mut self.check, command);
        let arguments = match &self.layout.candidate {
            Changing::File { name, .. } => vec![name.clone()],
            Changing::Choice => self.layout.arguments.clone(),
        };
        let arguments = std::mem::replace(&mut self.layout.arguments, arguments);
        // What it makes is read here.
        let launching = self.launching.take();
        self.forget_slots();
        let made = self.made_of(candidate, time_limit);
        self.check = check;
        self.layout.arguments = arguments;
        self.launching = launching;
        self.forget_slots();
        made
    }

    fn made_of(&self, candidate: &[u8], time_limit: Duration) -> Result<Made, OracleError> {
        let query = first_query(candidate, Some(time_limit));
        let mut place = self.place(0);
        let done = self.run(&mut place, &query, Output::Captured, &mut || ());
        let slot = self.slot(&mut place, 0)?;
        let file = slot.workplace.candidate();
        place.clean();
        let (run, mut observed) = done?;
        let observed = observed.pop();
        if !run.outcome.is_interesting() {
            return Ok(Err(observed
                .as_ref()
                .map_or_else(|| "it could not be run".into(), failure)));
        }
        let printed = observed.map(|run| run.stdout).unwrap_or_default();
        let made = file.filter(|file| file != candidate).unwrap_or(printed);
        Ok(match () {
            () if made.is_empty() => Err("it made nothing".into()),
            () if is_cut(&made) => Err("it made too much".into()),
            () => Ok(made),
        })
    }
}

/// More of a line is not shown.
const LONGEST: usize = 200;

/// How it failed, with the last that it said.
fn failure(seen: &Observation) -> String {
    if seen.timed_out {
        return "it took too long".into();
    }
    let said = String::from_utf8_lossy(&seen.stderr);
    let last = said.lines().rfind(|line| !line.trim().is_empty());
    let plain = |line: &str| -> String {
        line.chars()
            .filter(|it| !it.is_control())
            .take(LONGEST)
            .collect()
    };
    let last = last.map_or_else(String::new, |line| format!(": {}", plain(line.trim())));
    format!("{}{last}", seen.status)
}
