//! The real oracle: runs the user's check in a folder of its own.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::check::{Observation, Reference, shell_code};
use super::guard::{GROUPS, Guard};
use super::inspection;
use super::layout::Layout;
use super::mark::Mark;
use super::observation::{ends_of, observe};
use super::process;
use super::removal::Left;
use super::slot::{Inherited, Output, Slot};
use super::strays::Strays;
use super::watchdog::{Deadlines, Killed, Watchdog, WatchdogThread};
use super::workplace::RunFolder;
use super::{Check, Limits, Oracle, OracleError, Outcome, Query, QueryId, Run};
use crate::interrupt::Interrupt;

/// How checks are run.
#[derive(Clone, Debug, Default)]
pub struct ProcessOptions {
    /// How many may run at the same time; 0 counts as 1.
    pub jobs: usize,
    /// What one of them may use.
    pub limits: Limits,
    /// The exit status of a script that marks an uninteresting candidate as worth keeping.
    pub also_interesting: Option<i32>,
    /// Gives the check the candidate on its standard input too; a script gets no path then.
    pub stdin: bool,
    /// Gives the check an empty folder as HOME.
    pub private_home: bool,
    /// The paredown program, to be started once more as the guard that cleans up if this process is killed. It must
    /// call [`super::serve_as_guard`] first. `None` for a library's use: no guard.
    pub guard: Option<PathBuf>,
    /// Files that the guard removes too, such as [`crate::output::ResultFile::fresh_path`].
    pub remove_if_killed: Vec<PathBuf>,
}

/// Runs a [`Check`]; see the module. When it is dropped, nothing that it started runs any more and its folders are gone.
pub struct ProcessOracle {
    pub(super) check: Check,
    options: ProcessOptions,
    layout: Layout,
    places: Vec<Mutex<Place>>,
    /// How the check ended on the original, if candidates are compared with that.
    reference: Option<Reference>,
    inherited: Inherited,
    strays: Strays,
    watchdog: Watchdog,
    #[expect(dead_code, reason = "it only has to live as long")]
    watchdog_thread: WatchdogThread,
    run_folder: RunFolder,
    /// The last field: it is dismissed when all else is gone.
    #[expect(dead_code, reason = "it only has to live longest")]
    guard: Option<Guard>,
}

/// Where one query at a time runs.
#[derive(Default)]
pub(super) struct Place {
    slot: Option<Slot>,
    /// How many slots were given up, because their check left there what cannot be removed.
    given_up: usize,
}

/// A run that is looked at closely: the first run of the original.
#[derive(Clone, Debug)]
pub struct Examination {
    /// What the oracle made of it.
    pub run: Run,
    /// The exit status, 128 + N for death by signal N.
    pub code: i32,
    /// The end of its standard output.
    pub stdout: Vec<u8>,
    /// The end of its standard error.
    pub stderr: Vec<u8>,
}

/// As much of an output is shown to the user.
const SHOWN: u64 = 8 << 10;

impl ProcessOracle {
    /// Prepares the run's folder, in memory-backed storage where there is some, and the watchdog. Relative program paths
    /// must have been resolved before. Nothing is run yet.
    pub fn new(
        check: Check,
        layout: Layout,
        options: ProcessOptions,
        interrupt: &Interrupt,
    ) -> Result<Self, OracleError> {
        let system = |action| move |source| OracleError::System { action, source };
        crate::interrupt::keep_children_waitable();
        let strays = Strays::new();
        let place = RunFolder::choose();
        let guard = |program: &PathBuf| Guard::start(program, &place, &options.remove_if_killed);
        let guard = options.guard.as_ref().map(guard).transpose();
        let guard = guard.map_err(system("start the guard process"))?;
        let base = place.parent().unwrap_or(&place).to_owned();
        let run_folder = RunFolder::make(place).map_err(|source| OracleError::Temporary {
            folder: base,
            source,
        })?;
        let null = File::options().read(true).write(true).open("/dev/null");
        let null = null.map_err(system("open /dev/null"))?;
        let jobs = options.jobs.max(1);
        let inherited = Inherited {
            null,
            files: process::make_room_for_files(jobs),
        };
        let book = File::create(run_folder.path().join(GROUPS)).ok();
        let watchdog = Watchdog::start(jobs, book).map_err(system("start a thread"))?;
        let (watchdog, watchdog_thread) = watchdog;
        let stopper = watchdog.clone();
        interrupt.on_signal(move || stopper.interrupt());
        let places = (0..jobs).map(|_| Mutex::default()).collect();
        Ok(Self {
            check,
            options,
            layout,
            places,
            reference: None,
            inherited,
            strays,
            watchdog,
            watchdog_thread,
            run_folder,
            guard,
        })
    }

    /// The folder of everything that the checks see and leave; gone after [`ProcessOracle::clean_up`].
    pub fn run_folder(&self) -> &Path {
        self.run_folder.path()
    }

    /// The end, to be called when nothing more is asked: kills what still runs and removes the folders. Returns what the checks
    /// left there and we may not or cannot remove. Dropping the oracle does the same and says nothing.
    pub fn clean_up(&mut self) -> Vec<Left> {
        self.places.clear();
        let all = Mark::of(self.run_folder.path().to_owned());
        self.strays.sweep(&all, &self.watchdog);
        self.run_folder.remove()
    }

    /// Changes what stands in the working directory, for the next of several inputs.
    pub fn rearrange(&mut self, layout: Layout) {
        self.layout = layout;
        self.forget_slots();
    }

    pub(super) fn forget_slots(&mut self) {
        for place in &mut self.places {
            let place = place.get_mut().unwrap_or_else(PoisonError::into_inner);
            place.slot = None;
        }
    }

    /// Runs another check from now on.
    pub fn replace_check(&mut self, check: Check) {
        self.check = check;
        self.forget_slots();
    }

    /// How many can run at the same time.
    pub fn slots(&self) -> usize {
        self.places.len()
    }

    /// Runs the check once on the original, if candidates are compared with that. Says how many runs it was.
    pub fn learn(
        &mut self,
        original: &[u8],
        time_limit: Option<Duration>,
    ) -> Result<u32, OracleError> {
        if !self.check.needs_reference() {
            return Ok(0);
        }
        let query = first_query(original, time_limit);
        let mut place = self.place(0);
        let done = self.run(&mut place, &query, Output::Captured, &mut || ());
        place.clean();
        drop(place);
        let (_, observed) = done?;
        self.reference = Some(Reference::of(&observed));
        Ok(1)
    }

    /// Runs the check once, in slot 0, and keeps the end of what it printed.
    pub fn examine(
        &self,
        candidate: &[u8],
        time_limit: Option<Duration>,
    ) -> Result<Examination, OracleError> {
        let query = first_query(candidate, time_limit);
        let mut place = self.place(0);
        let done = self.run(&mut place, &query, Output::Captured, &mut || ());
        place.clean();
        let (run, observed) = done?;
        let shown = |of: fn(&Observation) -> &Vec<u8>| {
            let all: Vec<u8> = observed.iter().flat_map(of).copied().collect();
            ends_of(&mut io::Cursor::new(all), SHOWN).unwrap_or_default()
        };
        Ok(Examination {
            run,
            code: observed.first().map_or(255, |run| shell_code(run.status)),
            stdout: shown(|run| &run.stdout),
            stderr: shown(|run| &run.stderr),
        })
    }

    /// Puts the candidate and its companions into a new folder that stays, and returns the folder and the words of the
    /// command that repeats the query by hand there.
    pub fn keep_for_inspection(
        &self,
        candidate: &[u8],
    ) -> Result<(PathBuf, Vec<OsString>), OracleError> {
        let kept = inspection::keep(&self.layout, candidate);
        let work = kept.map_err(|source| OracleError::Temporary {
            folder: std::env::temp_dir(),
            source,
        })?;
        let arguments = self.layout.absolute_arguments(&work);
        let words = self.check.words(&arguments, self.options.stdin);
        Ok((work, words))
    }

    pub(super) fn place(&self, number: usize) -> MutexGuard<'_, Place> {
        self.places[number]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The place's slot, made when there is none.
    pub(super) fn slot<'s>(
        &self,
        place: &'s mut Place,
        number: usize,
    ) -> Result<&'s mut Slot, OracleError> {
        let slot = match place.slot.take() {
            Some(slot) => slot,
            None => self.new_slot(place.folder_name(number))?,
        };
        Ok(place.slot.insert(slot))
    }

    fn new_slot(&self, folder_name: String) -> Result<Slot, OracleError> {
        let mark = Mark::of(self.run_folder.path().join(folder_name));
        let made = Slot::new(
            mark.clone(),
            &self.layout,
            &self.check,
            &self.options,
            &self.inherited,
        );
        made.map_err(|source| folder_error(mark.folder(), source))
    }

    pub(super) fn run(
        &self,
        place: &mut Place,
        query: &Query<'_>,
        output: Output,
        started: &mut dyn FnMut(),
    ) -> Result<(Run, Vec<Observation>), OracleError> {
        if !self.watchdog.announce(query.slot, query.id) {
            let run = Run {
                outcome: Outcome::Cancelled,
                time: Duration::ZERO,
                work: Duration::ZERO,
            };
            return Ok((run, Vec::new()));
        }
        let done = self.run_announced(place, query, output, started);
        self.watchdog.retire(query.slot);
        if let Some(slot) = &place.slot {
            self.strays.sweep(&slot.mark, &self.watchdog);
        }
        done
    }

    fn run_announced(
        &self,
        place: &mut Place,
        query: &Query<'_>,
        output: Output,
        started: &mut dyn FnMut(),
    ) -> Result<(Run, Vec<Observation>), OracleError> {
        let query = &self.limited(query);
        let mut run = Run {
            outcome: Outcome::Uninteresting,
            time: Duration::ZERO,
            work: Duration::ZERO,
        };
        let mut observed = Vec::new();
        let mut number = 0;
        loop {
            if self.prepare(place, query, output).is_err() {
                place.give_up();
                self.prepare(place, query, output)?;
            }
            let slot = self.slot(place, query.slot)?;
            let Some(command) = slot.commands.get_mut(number) else {
                break;
            };
            let ended = process::run(
                command,
                &slot.restraints,
                &self.watchdog,
                query.slot,
                |start: Instant| Deadlines::of(query, start),
                started,
            );
            let ended = ended.map_err(|source| start_error(command, source))?;
            run.time += ended.time;
            run.work += ended.work;
            observed.push(observe(&slot.workplace, &ended, output));
            number += 1;
            if ended.killed == Some(Killed::Cancelled) {
                run.outcome = Outcome::Cancelled;
                return Ok((run, observed));
            }
            if ended.killed.is_some() || number == slot.commands.len() {
                break;
            }
            // The next command finds what the first one found.
            place.clean();
        }
        run.outcome = self.judge(&observed);
        Ok((run, observed))
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

impl Oracle for ProcessOracle {
    fn test(&self, query: &Query<'_>, started: &mut dyn FnMut()) -> Result<Run, OracleError> {
        let mut place = self.place(query.slot);
        let output = if self.check.needs_output() {
            Output::Captured
        } else {
            Output::Discarded
        };
        let done = self.run(&mut place, query, output, started);
        place.clean();
        done.map(|(run, _)| run)
    }

    fn cancel(&self, slot: usize, id: QueryId) {
        self.watchdog.cancel(slot, id);
    }
}

impl Drop for ProcessOracle {
    fn drop(&mut self) {
        self.clean_up();
    }
}

impl Place {
    /// A name that no slot had before.
    fn folder_name(&self, number: usize) -> String {
        match self.given_up {
            0 => number.to_string(),
            before => format!("{number}-{before}"),
        }
    }

    /// The folders as they were before the check ran, or others.
    pub(super) fn clean(&mut self) {
        if self.slot.as_mut().is_some_and(|slot| slot.clean().is_err()) {
            self.give_up();
        }
    }

    /// What is left in the slot's folders is tried again at the end.
    fn give_up(&mut self) {
        self.slot = None;
        self.given_up += 1;
    }
}

pub(super) fn first_query(candidate: &[u8], time_limit: Option<Duration>) -> Query<'_> {
    Query {
        slot: 0,
        id: QueryId::fresh(),
        candidate,
        time_limit,
        work_limit: None,
        stop_at: None,
    }
}

fn start_error(command: &Command, source: io::Error) -> OracleError {
    let program = command.get_program().to_string_lossy().into_owned();
    OracleError::Start { program, source }
}

fn folder_error(root: &Path, source: io::Error) -> OracleError {
    OracleError::Folder {
        folder: root.display().to_string(),
        source,
    }
}
