//! Programs that make another text of a candidate, run as a check is.

use std::ffi::OsString;
use std::time::Duration;

use super::observation::is_cut;
use super::script::first_query;
use super::slot::Output;
use super::{Changing, Check, Conditions, Examination, OracleError, ProcessOracle};

/// Why a command has made nothing that can be used.
#[derive(Debug)]
pub enum Unmade {
    /// It failed, or took too long.
    Failed(Examination),
    /// It printed nothing and left the file as it was, or made it empty.
    Nothing,
    /// A part of it would be missing.
    TooMuch,
}

impl ProcessOracle {
    /// Runs another command than the check where the candidate stands, once, and returns what it makes of it: the file's new
    /// content, or if it left that as it was, what it printed; or why it made nothing. Of several files it is told the one that the
    /// candidate is, whatever the check is told.
    pub fn transform(
        &mut self,
        words: &[OsString],
        candidate: &[u8],
        time_limit: Duration,
    ) -> Result<Result<Vec<u8>, Unmade>, OracleError> {
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

    fn made_of(
        &self,
        candidate: &[u8],
        time_limit: Duration,
    ) -> Result<Result<Vec<u8>, Unmade>, OracleError> {
        let query = first_query(candidate, Some(time_limit));
        let mut place = self.place(0);
        let done = self.run(&mut place, &query, Output::Captured, &mut || ());
        let slot = self.slot(&mut place, 0)?;
        let file = slot.workplace.candidate();
        place.clean();
        let (run, mut observed) = done?;
        if !run.outcome.is_interesting() {
            return Ok(Err(Unmade::Failed(Examination::of(run, &observed))));
        }
        let printed = observed.pop().map(|run| run.stdout).unwrap_or_default();
        let made = file.filter(|file| file != candidate).unwrap_or(printed);
        Ok(if made.is_empty() {
            Err(Unmade::Nothing)
        } else if is_cut(&made) {
            Err(Unmade::TooMuch)
        } else {
            Ok(made)
        })
    }
}
