//! `paredown batch`: many reductions beside each other, each a process of its own, with one pool of jobs.
//!
//! Each bug's folder has its state, so that whatever stops or kills the batch, the same command goes on. A bug is done when the
//! last line of its events says so, and its state is of the input, the check and the options that are there.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rustix::fs::OFlags;
use serde_json::Value;

use super::pool::Pool;
use super::state::identity;
use super::{json_lines, system};
use crate::cli::{Args, BatchArgs};
use crate::config::{Config, Place, cores};
use crate::engine::Journal;
use crate::error::{Error, exit, shell_word};
use crate::interrupt::Interrupt;
use crate::oracle::{Crash, Layout, Nested, ProcessOptions, ProcessOracle, hold};
use crate::output::mode_for_copies;
use crate::report::{BugStage, BugState};
use crate::strategy::Effort;

/// What we write into a bug's folder begins with this.
const OURS: &str = "paredown";
/// What fails.
const BATCH: &str = "paredown batch";
/// More reductions beside each other only take memory.
const MOST_AT_A_TIME: usize = 16;
/// How often it is looked whether one has ended.
const LOOK: Duration = Duration::from_millis(50);
/// So long a crash may take when it is looked at.
const LONGEST_CRASH: Duration = Duration::from_secs(60);

/// One folder.
struct Bug {
    folder: PathBuf,
    state: BugState,
    input: PathBuf,
    check: Option<PathBuf>,
    running: Option<Nested>,
}

/// All of them.
struct Batch {
    args: BatchArgs,
    jobs: usize,
    pool: Pool,
    json: Option<Box<dyn Write>>,
    /// The crashes that are known, and whose they are.
    crashes: Vec<(Crash, String)>,
    interrupt: Interrupt,
}

/// Reduces all bugs.
///
/// # Errors
/// The folder or the options cannot be used, or nothing can be started.
pub(super) fn batch(args: BatchArgs) -> Result<u8, Error> {
    let folder = folder_of(&args)?;
    let mut bugs = bugs(&folder, !args.args.command.is_empty())?;
    let Some(_held) = hold(&folder).map_err(system(BATCH))? else {
        return Err(Error::Usage {
            problem: format!("another batch works in {}", folder.display()),
            hint: "wait for its end, or stop it: the same command goes on where it was".into(),
        });
    };
    let jobs = args.args.jobs.map_or_else(cores, |jobs| jobs as usize);
    let read = bugs.iter().flat_map(Bug::files);
    let json = Place::of_batch(&args.args, &folder, &read.collect::<Vec<_>>())?;
    let pool = Pool::make(folder.join(format!("{OURS}-pool")), jobs)?;
    let json = json.map(|place| json_lines(&place, 0o644)).transpose()?;
    let interrupt = Interrupt::install().map_err(system(BATCH))?;
    let mut batch = Batch {
        args,
        jobs,
        pool,
        json,
        crashes: Vec::new(),
        interrupt,
    };
    batch.work(&mut bugs)?;
    for bug in &bugs {
        bug.print();
    }
    let failed = bugs.iter().any(|bug| bug.state.state == BugStage::Failed);
    let code = if failed { exit::FAILURE } else { exit::DONE };
    Ok(batch.interrupt.exit_code().unwrap_or(code))
}

fn folder_of(args: &BatchArgs) -> Result<PathBuf, Error> {
    let own = &args.args;
    let usage = |problem: String| Error::Usage {
        problem,
        hint: "paredown batch crashes/, or paredown batch crashes/ --same-crash -- ./target @@"
            .into(),
    };
    let [folder] = own.inputs.as_slice() else {
        return Err(usage(
            "a batch is one folder, with a folder in it for each bug".into(),
        ));
    };
    let is_placed = own.output.is_some()
        || own.in_place
        || own.state.is_some()
        || own.report.is_some()
        || own.saying.summary.is_some();
    if is_placed {
        return Err(usage("each bug of a batch has its result and its state in its own folder, so -o, -i, --state, --report and --summary have no place".into()));
    }
    if !folder.is_dir() {
        return Err(if folder.exists() {
            usage(format!("{} is no folder", folder.display()))
        } else {
            Error::NoSuchFile {
                path: folder.clone(),
                similar: None,
            }
        });
    }
    Ok(folder.clone())
}

/// The bugs in the order of their names.
fn bugs(folder: &Path, has_command: bool) -> Result<Vec<Bug>, Error> {
    let read = |source| Error::CannotRead {
        path: folder.to_owned(),
        source,
    };
    let entries = fs::read_dir(folder)
        .map_err(read)?
        .collect::<Result<Vec<_>, _>>();
    let mut folders: Vec<PathBuf> = entries
        .map_err(read)?
        .iter()
        .map(fs::DirEntry::path)
        .collect();
    let is_ours = |path: &Path| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with(OURS))
    };
    folders.retain(|path| path.is_dir() && !is_ours(path));
    folders.sort();
    if folders.is_empty() {
        return Err(Error::Usage {
            problem: format!("there is no folder in {}", folder.display()),
            hint: format!(
                "one for each bug: mkdir {}",
                shell_word(folder.join("bug-1"))
            ),
        });
    }
    Ok(folders
        .into_iter()
        .map(|folder| Bug::open(folder, has_command))
        .collect())
}

/// A place for what we write under a name that the user has not chosen: a link may lead to a file of the user's.
fn is_plain_if_there(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Err(_) => true,
        Ok(found) => found.is_file() && found.nlink() == 1,
    }
}

impl Bug {
    fn open(folder: PathBuf, has_command: bool) -> Self {
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries
            .map(|entry| entry.path())
            .filter(|path| path.is_file())
            .collect();
        files.sort();
        let name = |path: &Path| {
            path.file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        };
        let is_check = |path: &PathBuf| {
            let may_run = path
                .metadata()
                .is_ok_and(|found| found.permissions().mode() & 0o111 != 0);
            name(path).starts_with("check") && may_run
        };
        let check = files.iter().find(|path| is_check(path)).cloned();
        let is_input = |path: &&PathBuf| {
            Some(*path) != check.as_ref()
                && !name(path).starts_with(OURS)
                && !name(path).contains(".reduced")
        };
        let mut inputs = files.iter().filter(is_input);
        let (input, other) = (inputs.next().cloned(), inputs.next());
        let foreign = [".log", ".json"].map(|what| folder.join(format!("{OURS}{what}")));
        let foreign = foreign.iter().find(|path| !is_plain_if_there(path));
        let problem = match (&input, &check) {
            _ if foreign.is_some() => {
                foreign.map(|path| format!("{} is a link or no file", name(path)))
            }
            (None, _) => Some("no input in its folder".to_owned()),
            (Some(_), None) if !has_command => Some(
                "no check in its folder: an executable whose name begins with check".to_owned(),
            ),
            _ => other
                .map(|other| format!("more than one input in its folder, such as {}", name(other))),
        };
        let state = BugState {
            bug: name(&folder),
            state: if problem.is_some() {
                BugStage::Failed
            } else {
                BugStage::Waiting
            },
            note: problem,
            bytes: None,
            queries: None,
        };
        Self {
            folder,
            state,
            input: input.unwrap_or_default(),
            check,
            running: None,
        }
    }

    /// What is read of it.
    fn files(&self) -> impl Iterator<Item = &Path> {
        let files = [Some(&self.input), self.check.as_ref()];
        files.into_iter().flatten().map(PathBuf::as_path)
    }

    /// What is said goes behind what earlier runs have said. Who may not read the input may not read that either.
    fn log(&self) -> Result<File, Error> {
        let path = self.ours(".log");
        let mode = fs::metadata(&self.input).map_or(0, |found| mode_for_copies(&found));
        let mut options = OpenOptions::new();
        options.append(true).create(true).mode(0o600 | mode & 0o066);
        options.custom_flags(OFlags::NOFOLLOW.bits().cast_signed());
        options
            .open(&path)
            .map_err(|source| Error::CannotWrite { path, source })
    }

    fn ours(&self, what: &str) -> PathBuf {
        self.folder.join(format!("{OURS}{what}"))
    }

    fn print(&self) {
        self.state.print(&shell_word(&self.state.bug));
    }

    /// Takes over what the events of the last run say. Says whether that came to its end.
    fn read_events(&mut self) -> bool {
        let events = fs::read_to_string(self.ours(".json")).unwrap_or_default();
        let last = events
            .lines()
            .last()
            .and_then(|line| serde_json::from_str::<Value>(line).ok());
        let Some(last) = last.filter(|last| last["event"] == "finished") else {
            return false;
        };
        let number = |name: &str| last[name].as_u64();
        self.state.bytes = number("bytes_before").zip(number("bytes_after"));
        self.state.queries = number("queries");
        let is_same = fs::metadata(&self.input)
            .is_ok_and(|found| Some(found.len()) == number("bytes_before"));
        is_same && last["complete"] == true
    }
}

impl Batch {
    /// Starts one after the other as there is room, until all have ended.
    fn work(&mut self, bugs: &mut [Bug]) -> Result<(), Error> {
        let most = self.jobs.clamp(1, MOST_AT_A_TIME);
        let mut next = 0;
        let mut is_stopping = false;
        loop {
            let is_over = self.interrupt.signal().is_some();
            let running = bugs.iter().filter(|bug| bug.running.is_some()).count();
            if (is_over || next == bugs.len()) && running == 0 {
                return Ok(());
            }
            if !is_over && running < most && next < bugs.len() {
                self.begin(&mut bugs[next])?;
                next += 1;
                continue;
            }
            if is_over && !is_stopping {
                is_stopping = true;
                bugs.iter()
                    .filter_map(|bug| bug.running.as_ref())
                    .for_each(Nested::stop);
            }
            thread::park_timeout(LOOK);
            for bug in bugs.iter_mut() {
                self.look_at(bug)?;
            }
        }
    }

    /// Starts a bug's reduction, unless it is done, a duplicate, or no bug.
    fn begin(&mut self, bug: &mut Bug) -> Result<(), Error> {
        if bug.state.state == BugStage::Failed {
            return self.tell(bug);
        }
        let crash = if self.args.args.property.same_crash {
            self.crash_of(bug)?
        } else {
            None
        };
        if let Some(crash) = crash {
            let known = self.crashes.iter().find(|(known, _)| known.is_same(&crash));
            if let Some((_, other)) = known {
                bug.state.note = Some(format!("fails as {other} does"));
                bug.state.state = BugStage::Duplicate;
                return self.tell(bug);
            }
            self.crashes.push((crash, bug.state.bug.clone()));
        }
        if bug.read_events() && self.is_state_of(bug) {
            bug.state.state = BugStage::Done;
            return self.tell(bug);
        }
        let log = bug.log()?;
        let started = Nested::start(&self.words(bug), &log);
        bug.running = Some(started.map_err(system(BATCH))?);
        bug.state.state = BugStage::Running;
        self.tell(bug)
    }

    fn words(&self, bug: &Bug) -> Vec<OsString> {
        let mut words = self.args.passed_on();
        let mut add = |option: &str, value: OsString| words.extend([OsString::from(option), value]);
        add("--jobs", self.jobs.to_string().into());
        add("--pool", self.pool.folder().into());
        add("--state", bug.ours("-state").into());
        add("--json", bug.ours(".json").into());
        let command = &self.args.args.command;
        words.extend(self.inputs_of(bug).into_iter().map(OsString::from));
        if !command.is_empty() {
            words.push("--".into());
            words.extend(command.iter().cloned());
        }
        words
    }

    /// Whether its state is of what would be asked now. More effort may find more.
    fn is_state_of(&self, bug: &Bug) -> bool {
        if self.args.args.effort != Effort::Normal {
            return false;
        }
        let config = Config::from_args(self.args_for(bug));
        config.is_ok_and(|config| Journal::is_of(&bug.ours("-state"), &identity(&config)))
    }

    /// The check, unless there is a command for all, and the input.
    fn inputs_of(&self, bug: &Bug) -> Vec<PathBuf> {
        let is_command = !self.args.args.command.is_empty();
        let check = bug.check.iter().filter(|_| !is_command);
        check.chain([&bug.input]).cloned().collect()
    }

    /// What a run on this bug alone would be given.
    fn args_for(&self, bug: &Bug) -> Args {
        Args {
            inputs: self.inputs_of(bug),
            json: None,
            ..self.args.args.clone()
        }
    }

    /// Runs the command once on the input and looks how it fails.
    fn crash_of(&self, bug: &Bug) -> Result<Option<Crash>, Error> {
        let config = Config::from_args(self.args_for(bug))?;
        let layout = Layout::of_file(
            bug.input.file_name().unwrap_or_default(),
            config.inputs()[0].mode(),
        );
        let options = ProcessOptions {
            jobs: 1,
            ..config.process_options()
        };
        let oracle = ProcessOracle::new(config.check().clone(), layout, options, &self.interrupt)?;
        let limit = config.time_limit().fixed().unwrap_or(LONGEST_CRASH);
        let seen = oracle.examine(config.inputs()[0].bytes(), Some(limit))?;
        Ok(Crash::of(seen.code, &seen.stdout, &seen.stderr))
    }

    /// Notes whether a reduction has ended, and how.
    fn look_at(&mut self, bug: &mut Bug) -> Result<(), Error> {
        let Some(running) = &mut bug.running else {
            return Ok(());
        };
        let Some(code) = running.ended().map_err(system(BATCH))? else {
            return Ok(());
        };
        bug.running = None;
        let is_complete = bug.read_events();
        bug.state.state = match code {
            0 if is_complete => BugStage::Done,
            0 | 129 | 130 | 143 => BugStage::Stopped,
            _ => BugStage::Failed,
        };
        if bug.state.state == BugStage::Failed {
            bug.state.note = Some(format!("see {}", bug.ours(".log").display()));
        }
        self.tell(bug)
    }

    fn tell(&mut self, bug: &Bug) -> Result<(), Error> {
        if !self.args.args.quiet {
            bug.print();
        }
        let written = self
            .json
            .as_mut()
            .map_or(Ok(()), |json| bug.state.write(json));
        written.map_err(system(BATCH))
    }
}
