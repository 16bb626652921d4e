//! The real oracle: runs the user's check in a folder of its own.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::check::shell_code;
use super::guard::{GROUPS, Guard};
use super::inspection;
use super::layout::Layout;
use super::mark::Mark;
use super::process::{self, Ended};
use super::removal::Left;
use super::slot::{Inherited, Output, Slot};
use super::strays::Strays;
use super::watchdog::{Deadlines, Killed, Watchdog, WatchdogThread};
use super::workplace::{RunFolder, Workplace};
use super::{Answer, Check, Limits, Oracle, OracleError, Outcome, Query, Ticket};
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
    check: Check,
    options: ProcessOptions,
    layout: Layout,
    places: Vec<Mutex<Place>>,
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
struct Place {
    slot: Option<Slot>,
    /// How many slots were given up, because their check left there what cannot be removed.
    given_up: usize,
}

/// A run that is looked at closely: the first run of the original.
#[derive(Clone, Debug)]
pub struct Examination {
    /// What the oracle made of it.
    pub answer: Answer,
    /// The exit status, 128 + N for death by signal N.
    pub code: i32,
    /// The end of its standard output.
    pub stdout: Vec<u8>,
    /// The end of its standard error.
    pub stderr: Vec<u8>,
}

/// As much of an output is searched for the user's regular expressions: its beginning and its end.
const SEARCHED: u64 = 32 << 20;
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
        for place in &mut self.places {
            let place = place.get_mut().unwrap_or_else(PoisonError::into_inner);
            place.slot = None;
        }
    }

    /// Runs another check from now on.
    pub fn replace_check(&mut self, check: Check) {
        self.check = check;
        for place in &mut self.places {
            let place = place.get_mut().unwrap_or_else(PoisonError::into_inner);
            place.slot = None;
        }
    }

    /// How many can run at the same time.
    pub fn slots(&self) -> usize {
        self.places.len()
    }

    /// Runs the check once, in slot 0, and keeps the end of what it printed.
    pub fn examine(
        &self,
        candidate: &[u8],
        time_limit: Option<Duration>,
    ) -> Result<Examination, OracleError> {
        let query = Query {
            slot: 0,
            ticket: Ticket::fresh(),
            candidate,
            time_limit,
            work_limit: None,
            stop_at: None,
        };
        let mut place = self.place(0);
        let (answer, status) = self.run(&mut place, &query, Output::Captured, &mut || ())?;
        let slot = self.slot(&mut place, 0)?;
        let shown = |mut file: &File| ends_of(&mut file, SHOWN).unwrap_or_default();
        let (stdout, stderr) = (shown(&slot.workplace.stdout), shown(&slot.workplace.stderr));
        place.clean();
        Ok(Examination {
            answer,
            code: status.map_or(255, shell_code),
            stdout,
            stderr,
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

    fn place(&self, number: usize) -> MutexGuard<'_, Place> {
        self.places[number]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The place's slot, made when there is none.
    fn slot<'s>(&self, place: &'s mut Place, number: usize) -> Result<&'s mut Slot, OracleError> {
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

    fn run(
        &self,
        place: &mut Place,
        query: &Query<'_>,
        output: Output,
        started: &mut dyn FnMut(),
    ) -> Result<(Answer, Option<ExitStatus>), OracleError> {
        if !self.watchdog.announce(query.slot, query.ticket) {
            let answer = Answer {
                outcome: Outcome::Cancelled,
                time: Duration::ZERO,
                work: Duration::ZERO,
            };
            return Ok((answer, None));
        }
        let done = self.run_announced(place, query, output, started);
        self.watchdog.retire(query.slot);
        if let Some(slot) = &place.slot {
            self.strays.sweep(&slot.mark, &self.watchdog);
        }
        let (answer, status) = done?;
        Ok((answer, Some(status)))
    }

    fn run_announced(
        &self,
        place: &mut Place,
        query: &Query<'_>,
        output: Output,
        started: &mut dyn FnMut(),
    ) -> Result<(Answer, ExitStatus), OracleError> {
        if self.prepare(place, query, output).is_err() {
            place.give_up();
            self.prepare(place, query, output)?;
        }
        let slot = self.slot(place, query.slot)?;
        let deadlines = |start: Instant| Deadlines::of(query, start);
        let ended = process::run(
            &mut slot.command,
            &slot.restraints,
            &self.watchdog,
            query.slot,
            deadlines,
            started,
        );
        let ended = ended.map_err(|source| Self::start_error(slot, source))?;
        Ok((self.judge(&slot.workplace, &ended), ended.status))
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

    fn judge(&self, workplace: &Workplace, ended: &Ended) -> Answer {
        let outcome = match ended.killed {
            Some(Killed::TimedOut) => Outcome::TimedOut,
            Some(Killed::Cancelled) => Outcome::Cancelled,
            None if self.accepts(workplace, ended.status) => Outcome::Interesting,
            None if self.options.also_interesting == Some(shell_code(ended.status)) => {
                Outcome::AlsoInteresting
            }
            None => Outcome::Uninteresting,
        };
        Answer {
            outcome,
            time: ended.time,
            work: ended.work,
        }
    }

    fn accepts(&self, workplace: &Workplace, status: ExitStatus) -> bool {
        if !self.check.needs_output() {
            return self.check.accepts(status, b"", b"");
        }
        let read = |mut file: &File| ends_of(&mut file, SEARCHED).unwrap_or_default();
        self.check
            .accepts(status, &read(&workplace.stdout), &read(&workplace.stderr))
    }

    fn start_error(slot: &Slot, source: io::Error) -> OracleError {
        let program = slot.command.get_program().to_string_lossy().into_owned();
        OracleError::Start { program, source }
    }
}

impl Oracle for ProcessOracle {
    fn test(&self, query: &Query<'_>, started: &mut dyn FnMut()) -> Result<Answer, OracleError> {
        let mut place = self.place(query.slot);
        let output = if self.check.needs_output() {
            Output::Captured
        } else {
            Output::Discarded
        };
        let done = self.run(&mut place, query, output, started);
        place.clean();
        done.map(|(answer, _)| answer)
    }

    fn cancel(&self, slot: usize, ticket: Ticket) {
        self.watchdog.cancel(slot, ticket);
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
    fn clean(&mut self) {
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

fn folder_error(root: &Path, source: io::Error) -> OracleError {
    OracleError::Folder {
        folder: root.display().to_string(),
        source,
    }
}

/// The first and the last half of `limit` bytes, or everything if it is less.
fn ends_of(file: &mut (impl Read + Seek), limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let length = file.seek(SeekFrom::End(0))?;
    file.rewind()?;
    if length <= limit {
        file.take(limit).read_to_end(&mut bytes)?;
    } else {
        file.take(limit / 2).read_to_end(&mut bytes)?;
        file.seek(SeekFrom::Start(length - limit / 2))?;
        file.take(limit / 2).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}
