//! One attempt to get a verdict from elsewhere.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::Launching;
use super::text::fill_in;
use super::wrapper::{Verdict, Wrapper};
use crate::oracle::check::Observation;
use crate::oracle::observation::{SEARCHED, ends_of};
use crate::oracle::process::{self, Ended, Restraints};
use crate::oracle::slot::Slot;
use crate::oracle::watchdog::{Deadlines, Killed, Watchdog};
use crate::oracle::workplace::JOB;
use crate::oracle::{Check, NoVerdict, OracleError, Query};

/// How an attempt ended.
pub(in crate::oracle) enum Attempt {
    /// With a verdict.
    Ended(Ran),
    /// Without one, because nobody wants it any more.
    Cancelled,
    /// Without one: it is to be made again.
    Lost,
}

/// A check that ran to its end or its time limit.
pub(in crate::oracle) struct Ran {
    pub(in crate::oracle) observation: Observation,
    pub(in crate::oracle) time: Duration,
    pub(in crate::oracle) work: Duration,
    /// If it was killed, why.
    pub(in crate::oracle) killed: Option<Killed>,
}

/// What is asked, beside the query.
pub(in crate::oracle) struct Asked<'a> {
    pub(in crate::oracle) check: &'a Check,
    pub(in crate::oracle) words: Vec<OsString>,
    pub(in crate::oracle) keeps_output: bool,
    /// How many attempts were lost before, and since when.
    pub(in crate::oracle) lost: u32,
    pub(in crate::oracle) since: Instant,
}

/// The first pause after a lost job, and the longest one.
const PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// What never worked is given up after this part of the patience.
const FIRST_PART: u32 = 10;
/// A launcher that says that all went well is believed for so long, while a shared folder catches up.
const VISIBLE: Duration = Duration::from_secs(5);
/// What a shell says of a command that it cannot run.
const NO_COMMAND: [i32; 2] = [126, 127];
/// As much of what a launcher said is shown.
const SHOWN: usize = 300;

impl Launching {
    /// Brings the query to where it runs and waits. `slot` is prepared.
    pub(in crate::oracle) fn attempt(
        &self,
        slot: &Slot,
        query: &Query<'_>,
        asked: &Asked<'_>,
        watchdog: &Watchdog,
        started: &mut dyn FnMut(),
    ) -> Result<Attempt, OracleError> {
        let goes_on = |pause| {
            watchdog.pause(query.slot, pause) && query.stop_at.is_none_or(|at| Instant::now() < at)
        };
        if asked.lost > 0 && !goes_on(pause_after(asked.lost)) {
            return Ok(Attempt::Cancelled);
        }
        let items = self.launcher.items.len().max(1);
        let item = (query.slot + asked.lost as usize) % items;
        if let Some(beside) = self.beside.get(item) {
            let is_there = beside.ensure(goes_on).map_err(start_error)?;
            if !is_there && !goes_on(Duration::ZERO) {
                return Ok(Attempt::Cancelled);
            }
            if !is_there {
                return self.lose(asked, None, &beside.log);
            }
        }
        let number = self.next_number();
        let job = slot.workplace.root().join(JOB);
        let folder = |source| OracleError::Folder {
            folder: job.display().to_string(),
            source,
        };
        self.write_job(&job, slot, query, asked, number)
            .map_err(folder)?;
        let values = self.values(slot, query, number, item);
        let name = format!("job-{number}");
        if let Some(cancel) = &self.launcher.cancel {
            self.undo
                .add(&name, &fill_in(cancel, &values, true))
                .map_err(folder)?;
        }
        let mut command = self.command(slot, &values, &job).map_err(folder)?;
        let deadlines = |_| Deadlines::gentle(query.stop_at);
        let ended = process::run(
            &mut command,
            &Restraints::default(),
            watchdog,
            query.slot,
            deadlines,
            started,
        );
        let ended = ended.map_err(start_error)?;
        let verdict = verdict(&job, number, &ended, || goes_on(Duration::from_millis(50)));
        for what in ["wanted", "watched", "check", "late"] {
            let _ = fs::remove_file(job.join(format!("{what}-{number}")));
        }
        let verdict = verdict.filter(|_| ended.killed.is_none());
        let Some(verdict) = verdict else {
            self.undo.run(&name);
            return match ended.killed {
                Some(Killed::Cancelled) => Ok(Attempt::Cancelled),
                _ => self.lose(asked, Some(ended.status), &job.join("log")),
            };
        };
        // One that was killed may have left what has ended.
        if ended.status.success() {
            self.undo.forget(&name);
        } else {
            self.undo.run(&name);
        }
        self.has_worked.store(true, Ordering::Relaxed);
        let observation = observe(slot.workplace.root(), verdict, asked.keeps_output);
        let time = verdict.time.unwrap_or(ended.time);
        let killed = observation.timed_out.then_some(Killed::TimedOut);
        Ok(Attempt::Ended(Ran {
            observation,
            time,
            work: time,
            killed,
        }))
    }

    /// Counts a lost job. An error if there were too many.
    fn lose(
        &self,
        asked: &Asked<'_>,
        status: Option<ExitStatus>,
        log: &Path,
    ) -> Result<Attempt, OracleError> {
        let said = last_words(log);
        if let Ok(mut lost) = self.lost.lock() {
            lost.jobs += 1;
            lost.said.clone_from(&said);
        }
        let has_worked = self.has_worked.load(Ordering::Relaxed);
        let patience = self.launcher.patience;
        let patience = if has_worked {
            patience
        } else {
            patience / FIRST_PART
        };
        let is_missing = status
            .and_then(|status| status.code())
            .is_some_and(|code| NO_COMMAND.contains(&code));
        if asked.since.elapsed() < patience && (has_worked || !is_missing) {
            return Ok(Attempt::Lost);
        }
        Err(OracleError::Launcher(NoVerdict {
            launcher: self.launcher.name.clone(),
            attempts: asked.lost + 1,
            said: if said.is_empty() {
                "nothing".to_owned()
            } else {
                said
            },
            has_worked,
        }))
    }

    /// Puts the script and what it looks at into the query's folder.
    fn write_job(
        &self,
        job: &Path,
        slot: &Slot,
        query: &Query<'_>,
        asked: &Asked<'_>,
        number: u64,
    ) -> io::Result<()> {
        let workplace = &slot.workplace;
        let mut words = asked.words.clone();
        if let (true, Check::Script { program }, Some(first)) =
            (self.copies(), asked.check, words.first_mut())
        {
            let copy = job.join("check");
            if !copy.exists() {
                fs::copy(program, &copy)?;
            }
            *first = copy.into();
        }
        let candidate = workplace.candidate_path();
        let wrapper = Wrapper {
            number,
            root: workplace.root(),
            work: workplace.work(),
            candidate: candidate
                .as_deref()
                .map(|path| (path, query.candidate.len())),
            words: &words,
            stdin: slot.reads_stdin(),
            private_home: slot.private_home,
            keeps_output: asked.keeps_output,
            limits: slot.limits,
            time_limit: query
                .time_limit
                .map(|limit| limit.max(query.work_limit.unwrap_or_default())),
        };
        fs::write(job.join("run"), wrapper.script())?;
        // They are there, so that no node remembers that they are not.
        fs::write(job.join("verdict"), "")?;
        fs::write(job.join("wanted"), "")
            .and_then(|()| fs::rename(job.join("wanted"), job.join(format!("wanted-{number}"))))
    }

    fn values(
        &self,
        slot: &Slot,
        query: &Query<'_>,
        number: u64,
        item: usize,
    ) -> Vec<(&'static str, OsString)> {
        let workplace = &slot.workplace;
        let seconds = query.time_limit.map_or(0, |limit| limit.as_secs() + 1);
        let file = workplace
            .candidate_path()
            .unwrap_or_else(|| workplace.work().to_owned());
        let mut values = self.common(item);
        values.extend([
            ("{dir}", workplace.root().into()),
            ("{file}", file.into()),
            ("{timeout}", seconds.to_string().into()),
            ("{name}", format!("{}-{number}", self.run_name()).into()),
            ("{script}", workplace.root().join(JOB).join("run").into()),
        ]);
        values
    }

    /// The launcher with the command behind it. What it says itself goes to a file.
    #[expect(clippy::disallowed_methods, reason = "this room starts programs")]
    fn command(
        &self,
        slot: &Slot,
        values: &[(&'static str, OsString)],
        job: &Path,
    ) -> io::Result<Command> {
        let mut line = self.launcher.run.trim_end().to_owned();
        if !self.launcher.whole {
            line.push_str(" /bin/sh {script}");
        }
        let log = File::create(job.join("log"))?;
        let mut command = Command::new("/bin/sh");
        command
            .arg("-c")
            .arg(fill_in(&line, values, true))
            .process_group(0);
        command.env(crate::oracle::mark::VARIABLE, slot.mark.folder());
        command
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log);
        Ok(command)
    }
}

/// How long one waits after so many lost jobs.
fn pause_after(lost: u32) -> Duration {
    PAUSE
        .saturating_mul(1 << (lost - 1).min(12))
        .min(LONGEST_PAUSE)
}

/// What stands in the file; if the launcher ended well, it is waited for.
fn verdict(job: &Path, number: u64, ended: &Ended, goes_on: impl Fn() -> bool) -> Option<Verdict> {
    let file = job.join("verdict");
    let read = || Verdict::parse(&fs::read_to_string(&file).unwrap_or_default(), number);
    let since = Instant::now();
    let mut found = read();
    while found.is_none() && ended.status.success() && since.elapsed() < VISIBLE && goes_on() {
        found = read();
    }
    found
}

fn observe(root: &Path, verdict: Verdict, keeps_output: bool) -> Observation {
    let read = |name: &str| {
        let file = keeps_output
            .then(|| File::open(root.join(name)).ok())
            .flatten();
        file.and_then(|mut file| ends_of(&mut file, SEARCHED).ok())
            .unwrap_or_default()
    };
    Observation {
        status: ExitStatus::from_raw(verdict.code.unwrap_or(128 + 9) << 8),
        timed_out: verdict.code.is_none(),
        memory: 0,
        stdout: read("stdout"),
        stderr: read("stderr"),
    }
}

/// The last line that a launcher printed.
fn last_words(log: &Path) -> String {
    let bytes = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.lines().rev().map(str::trim);
    let last = lines.find(|line| !line.is_empty()).unwrap_or_default();
    last.chars()
        .filter(|c| !c.is_control())
        .take(SHOWN)
        .collect()
}

fn start_error(source: io::Error) -> OracleError {
    OracleError::Start {
        program: "/bin/sh".to_owned(),
        source,
    }
}
