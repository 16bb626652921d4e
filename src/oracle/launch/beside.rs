//! Programs that stand beside the checks of a launcher as long as the run goes on: an allocation of nodes, a connection to a host.
//!
//! Each is started when it is first needed and again when it has ended. It is a child of a thread of its own, so that it is not taken
//! for something that a check has left. It carries the run's mark, by which the guard finds it.

use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::oracle::mark;
use crate::oracle::process::{pid_of, wait_without_reaping};

/// What it gets to end by itself.
const GRACE: Duration = Duration::from_secs(3);
const LOOK: Duration = Duration::from_millis(20);

/// One such program.
#[derive(Debug)]
pub(super) struct Beside {
    /// As shell text.
    pub(super) line: String,
    /// There when it can be used.
    pub(super) ready: PathBuf,
    /// What it prints.
    pub(super) log: PathBuf,
    pub(super) run_folder: PathBuf,
    running: Mutex<Option<Running>>,
}

#[derive(Debug)]
struct Running {
    group: Pid,
    ended: Arc<(Mutex<bool>, Condvar)>,
    thread: JoinHandle<()>,
}

impl Beside {
    pub(super) fn new(line: String, ready: PathBuf, log: PathBuf, run_folder: &Path) -> Self {
        Self {
            line,
            ready,
            log,
            run_folder: run_folder.to_owned(),
            running: Mutex::default(),
        }
    }

    /// Returns when it can be used; `false` when it has ended before, or when `goes_on` says no.
    pub(super) fn ensure(&self, goes_on: impl Fn(Duration) -> bool) -> io::Result<bool> {
        loop {
            let mut running = self.lock();
            if running.as_ref().is_some_and(Running::has_ended) {
                end(running.take());
                return Ok(false);
            }
            if running.is_none() {
                let _ = fs::remove_file(&self.ready);
                *running = Some(self.start()?);
            }
            drop(running);
            if self.ready.exists() {
                return Ok(true);
            }
            if !goes_on(LOOK) {
                return Ok(false);
            }
        }
    }

    #[expect(clippy::disallowed_methods, reason = "this room starts programs")]
    fn start(&self) -> io::Result<Running> {
        let log = File::create(&self.log)?;
        let mut command = Command::new("/bin/sh");
        command.args(["-c", &self.line]).process_group(0);
        command.env(mark::VARIABLE, &self.run_folder);
        command
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log);
        let ended = Arc::<(Mutex<bool>, Condvar)>::default();
        let (sender, started) = mpsc::sync_channel(1);
        let told = Arc::clone(&ended);
        let keep = move || {
            let child = command.spawn();
            let group = child.as_ref().ok().and_then(pid_of);
            let mut child = match (child, group) {
                (Ok(child), Some(group)) => {
                    let _ = sender.send(Ok(group));
                    let _ = wait_without_reaping(group);
                    let _ = kill_process_group(group, Signal::KILL);
                    child
                }
                (Err(error), _) => {
                    let _ = sender.send(Err(error));
                    return;
                }
                _ => return,
            };
            *lock(&told.0) = true;
            told.1.notify_all();
            let _ = child.wait();
        };
        let thread = std::thread::Builder::new()
            .name("beside".to_owned())
            .spawn(keep)?;
        let group = started.recv().map_err(io::Error::other)??;
        Ok(Running {
            group,
            ended,
            thread,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Option<Running>> {
        lock(&self.running)
    }
}

impl Running {
    fn has_ended(&self) -> bool {
        *lock(&self.ended.0)
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        end(self.lock().take());
    }
}

/// Asks it to end, and makes it.
fn end(running: Option<Running>) {
    let Some(running) = running else { return };
    let asked = Instant::now();
    let mut ended = lock(&running.ended.0);
    while !*ended {
        // The group is there as long as nobody has said that it has ended.
        let late = asked.elapsed() > GRACE;
        let _ = kill_process_group(
            running.group,
            if late { Signal::KILL } else { Signal::TERM },
        );
        let waited = running.ended.1.wait_timeout(ended, GRACE / 10);
        ended = waited.unwrap_or_else(PoisonError::into_inner).0;
    }
    drop(ended);
    let _ = running.thread.join();
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
