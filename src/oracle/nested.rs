//! paredown, started by paredown: one reduction of a batch.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use rustix::process::{Signal, kill_process};

use super::process::pid_of;

/// A reduction that goes on beside others.
#[derive(Debug)]
pub struct Nested(Child);

impl Nested {
    /// Starts it. What it says goes to `log`. It ends when this process does, if it was told to: see `--pool`.
    ///
    /// # Errors
    /// It cannot be started.
    #[expect(clippy::disallowed_methods, reason = "this room starts programs")]
    pub fn start(words: &[OsString], log: &File) -> io::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(words).process_group(0).stdin(Stdio::null());
        command.stdout(log.try_clone()?).stderr(log.try_clone()?);
        command.spawn().map(Self)
    }

    /// Its exit code, if it has ended; 128 + N after a signal.
    ///
    /// # Errors
    /// It cannot be waited for.
    pub fn ended(&mut self) -> io::Result<Option<i32>> {
        use std::os::unix::process::ExitStatusExt;
        let status = self.0.try_wait()?;
        Ok(status.map(|status| status.code().unwrap_or(128 + status.signal().unwrap_or(0))))
    }

    /// Asks it to stop and keep its best.
    pub fn stop(&self) {
        if let Some(process) = pid_of(&self.0) {
            let _ = kill_process(process, Signal::TERM);
        }
    }
}
