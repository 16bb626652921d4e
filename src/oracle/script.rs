//! The real oracle: runs the user's check in a folder of its own.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::check::{Observation, Reference, shell_code};
use super::guard::{GROUPS, Guard};
use super::inspection;
use super::launch::{Launcher, Launching, Lost};
use super::layout::Layout;
use super::mark::Mark;
use super::observation::ends_of;
use super::process;
use super::removal::{Left, remove_run_folder};
use super::share::Share;
use super::slot::{Inherited, Output, Slot};
use super::strays::Strays;
use super::watchdog::{Watchdog, WatchdogThread};
use super::workplace::RunFolder;
use super::{Check, Limits, Oracle, OracleError, Query, QueryId, Run, abandoned};
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
    /// What brings the checks to where they run, if that is not here.
    pub launcher: Option<Launcher>,
    /// Where the run's folder is made; by default in memory-backed storage, or with a launcher where temporary files go.
    pub work_dir: Option<PathBuf>,
    /// A folder of places that several runs share: see [`super::make_places`]. The run ends with the process that started it.
    pub pool: Option<PathBuf>,
    /// Where it is kept what takes a launcher's jobs away, so that the next run can do it after a crash of the machine.
    pub undo: Option<PathBuf>,
}

/// Runs a [`Check`]; see the module. When it is dropped, nothing that it started runs any more and its folders are gone.
pub struct ProcessOracle {
    pub(super) check: Check,
    pub(super) options: ProcessOptions,
    pub(super) layout: Layout,
    places: Vec<Mutex<Place>>,
    /// How the check ended on the original, if candidates are compared with that.
    pub(super) reference: Option<Reference>,
    pub(super) inherited: Inherited,
    pub(super) strays: Strays,
    pub(super) watchdog: Watchdog,
    #[expect(dead_code, reason = "it only has to live as long")]
    watchdog_thread: WatchdogThread,
    /// What brings the checks to where they run, if that is not here.
    pub(super) launching: Option<Launching>,
    pub(super) share: Option<Share>,
    run_folder: RunFolder,
    /// The last field: it is dismissed when all else is gone.
    #[expect(dead_code, reason = "it only has to live longest")]
    guard: Option<Guard>,
}

/// Where one query at a time runs.
#[derive(Default)]
pub(super) struct Place {
    pub(super) slot: Option<Slot>,
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

impl Examination {
    /// Of what was seen of the commands of a run.
    pub(super) fn of(run: Run, observed: &[Observation]) -> Self {
        let shown = |of: fn(&Observation) -> &Vec<u8>| {
            let all: Vec<u8> = observed.iter().flat_map(of).copied().collect();
            ends_of(&mut io::Cursor::new(all), SHOWN).unwrap_or_default()
        };
        Self {
            run,
            code: observed.first().map_or(255, |run| shell_code(run.status)),
            stdout: shown(|run| &run.stdout),
            stderr: shown(|run| &run.stderr),
        }
    }
}

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
        abandoned::clean_up();
        let strays = Strays::new();
        let temporary = || options.launcher.as_ref().map(|_| std::env::temp_dir());
        let below = options.work_dir.clone().or_else(temporary);
        let place = RunFolder::choose(below.as_deref());
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
        let share = options.pool.as_deref().map(|pool| {
            crate::platform::end_with_parent();
            Share::open(pool)
        });
        let share = share.transpose();
        let share = share.map_err(system("use the pool of jobs"))?;
        let launching = options.launcher.as_ref().map(|launcher| {
            Launching::new(launcher, run_folder.path(), jobs, options.undo.as_deref())
        });
        let launching = launching.transpose()?;
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
            launching,
            share,
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
        if let Some(mut launching) = self.launching.take() {
            launching.close();
        }
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

    /// The launcher's jobs that ended without a verdict so far; to be asked before [`ProcessOracle::clean_up`].
    pub fn lost(&self) -> Lost {
        self.launching
            .as_ref()
            .map(Launching::lost)
            .unwrap_or_default()
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
        Ok(Examination::of(run, &observed))
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

    /// What ran here may not have ended: the next query gets other folders.
    pub(super) fn abandon(&mut self) {
        if let Some(slot) = &self.slot {
            remove_run_folder(slot.workplace.root());
        }
        self.give_up();
    }

    /// What is left in the slot's folders is tried again at the end.
    pub(super) fn give_up(&mut self) {
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

pub(super) fn folder_error(root: &Path, source: io::Error) -> OracleError {
    OracleError::Folder {
        folder: root.display().to_string(),
        source,
    }
}
