//! One query: its commands, one after the other, here or where a launcher brings them, and what they come to.

use std::fs::File;
use std::io;
use std::process::Command;
use std::time::Instant;

use super::check::{Observation, shell_code};
use super::launch::{Asked, Attempt, Ran};
use super::observation::observe;
use super::process;
use super::script::{Place, ProcessOracle, folder_error};
use super::share::LOOK;
use super::slot::{Output, Slot};
use super::watchdog::{Deadlines, Killed};
use super::{OracleError, Outcome, Query, Run};

impl ProcessOracle {
    pub(super) fn run(
        &self,
        place: &mut Place,
        query: &Query<'_>,
        output: Output,
        started: &mut dyn FnMut(),
    ) -> Result<(Run, Vec<Observation>), OracleError> {
        if !self.watchdog.announce(query.slot, query.id) {
            return Ok((Run::in_no_time(Outcome::Cancelled), Vec::new()));
        }
        let done = match self.wait_for_place(query) {
            Ok(_held) => self.run_announced(place, query, output, started),
            Err(cancelled) => Ok((cancelled, Vec::new())),
        };
        self.watchdog.retire(query.slot);
        if let Some(slot) = &place.slot {
            self.strays.sweep(&slot.mark, &self.watchdog);
        }
        done
    }

    /// Waits until there is room beside the other runs that share places with this one. The place is held as long as the file is
    /// open. An error is the answer to a query that nobody wants any more.
    fn wait_for_place(&self, query: &Query<'_>) -> Result<Option<File>, Run> {
        let Some(share) = &self.share else {
            return Ok(None);
        };
        loop {
            if let Some(held) = share.take(query.slot) {
                return Ok(Some(held));
            }
            let is_over = query.stop_at.is_some_and(|at| at <= Instant::now());
            if is_over || !self.watchdog.pause(query.slot, LOOK) {
                return Err(Run::in_no_time(Outcome::Cancelled));
            }
        }
    }

    fn run_announced(
        &self,
        place: &mut Place,
        query: &Query<'_>,
        output: Output,
        started: &mut dyn FnMut(),
    ) -> Result<(Run, Vec<Observation>), OracleError> {
        let query = &self.limited(query);
        let mut run = Run::in_no_time(Outcome::Uninteresting);
        let mut observed = Vec::new();
        let mut number = 0;
        let mut lost = (0, Instant::now());
        loop {
            if self.prepare(place, query, output).is_err() {
                place.give_up();
                self.prepare(place, query, output)?;
            }
            let slot = self.slot(place, query.slot)?;
            if number == slot.commands.len() {
                break;
            }
            let launched = self.launching.as_ref();
            let ran = match launched {
                None => Some(self.run_here(slot, number, query, output, started)?),
                Some(launching) => {
                    let asked = self.asked(slot, number, output, lost);
                    match launching.attempt(slot, query, &asked, &self.watchdog, started)? {
                        Attempt::Ended(ran) => Some(ran),
                        Attempt::Cancelled => None,
                        Attempt::Lost => {
                            lost.0 += 1;
                            place.abandon();
                            continue;
                        }
                    }
                }
            };
            let Some(ran) = ran else {
                place.abandon();
                run.outcome = Outcome::Cancelled;
                return Ok((run, observed));
            };
            run.time += ran.time;
            run.work += ran.work;
            let killed = ran.killed;
            observed.push(ran.observation);
            number += 1;
            if killed == Some(Killed::Cancelled) {
                run.outcome = Outcome::Cancelled;
                return Ok((run, observed));
            }
            let is_last = self.slot(place, query.slot)?.commands.len() == number;
            if killed.is_some() || is_last {
                break;
            }
            // The next command finds what the first one found.
            place.clean();
        }
        run.outcome = self.judge(&observed);
        Ok((run, observed))
    }

    /// Runs one of the slot's commands on this machine.
    fn run_here(
        &self,
        slot: &mut Slot,
        number: usize,
        query: &Query<'_>,
        output: Output,
        started: &mut dyn FnMut(),
    ) -> Result<Ran, OracleError> {
        let command = &mut slot.commands[number];
        let deadlines = |start: Instant| Deadlines::of(query, start);
        let (restraints, watchdog) = (&slot.restraints, &self.watchdog);
        let ended = process::run(
            command, restraints, watchdog, query.slot, deadlines, started,
        );
        let ended = ended.map_err(|source| start_error(command, source))?;
        Ok(Ran {
            observation: observe(&slot.workplace, &ended, output),
            time: ended.time,
            work: ended.work,
            killed: ended.killed,
        })
    }

    /// What a launcher must know of one of the slot's commands. `lost`: how many jobs were, and since when.
    fn asked(&self, slot: &Slot, number: usize, output: Output, lost: (u32, Instant)) -> Asked<'_> {
        let arguments = slot.workplace.arguments();
        let words = match number {
            0 => self.check.words(&arguments, self.options.stdin),
            _ => self.check.second_words(&arguments).unwrap_or_default(),
        };
        Asked {
            check: &self.check,
            words,
            keeps_output: output == Output::Captured,
            lost: lost.0,
            since: lost.1,
        }
    }

    /// A hang is seen when its time is over, however much time others get.
    fn limited<'q>(&self, query: &Query<'q>) -> Query<'q> {
        let hang = self
            .check
            .conditions()
            .and_then(|conditions| conditions.hang);
        match hang {
            Some(_) => Query {
                time_limit: hang,
                work_limit: None,
                ..*query
            },
            None => *query,
        }
    }

    fn prepare(
        &self,
        place: &mut Place,
        query: &Query<'_>,
        output: Output,
    ) -> Result<(), OracleError> {
        let slot = self.slot(place, query.slot)?;
        let prepared = slot.prepare(query.candidate, output, &self.inherited.null);
        prepared.map_err(|source| folder_error(slot.workplace.root(), source))
    }

    fn judge(&self, observed: &[Observation]) -> Outcome {
        let code = observed.first().map(|run| shell_code(run.status));
        match self.check.accepts(observed, self.reference.as_ref()) {
            None => Outcome::TimedOut,
            Some(true) => Outcome::Interesting,
            Some(false) if code.is_some() && self.options.also_interesting == code => {
                Outcome::AlsoInteresting
            }
            Some(false) => Outcome::Uninteresting,
        }
    }
}

fn start_error(command: &Command, source: io::Error) -> OracleError {
    let program = command.get_program().to_string_lossy().into_owned();
    OracleError::Start { program, source }
}
