//! Keys one by one, while Ctrl-C stays what it is: the terminal is left in a mode in which it still sends signals.

use std::fs::File;
use std::io::{self, Read};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::getpgrp;
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetpgrp, tcsetattr,
};

/// What the code of a longer key begins with.
const ESCAPE: u8 = 0x1b;

/// The keyboard in its changed mode; dropping it changes it back.
pub(super) struct Keyboard {
    terminal: File,
    before: Termios,
}

/// Whether this process is in the foreground of its terminal. Another one would be stopped when it changes the mode.
pub(super) fn is_ours() -> bool {
    let terminal = File::open("/dev/tty");
    terminal.is_ok_and(|terminal| tcgetpgrp(&terminal).is_ok_and(|group| group == getpgrp()))
}

impl Keyboard {
    pub(super) fn take() -> io::Result<Self> {
        let terminal = File::options().read(true).write(true).open("/dev/tty")?;
        let before = tcgetattr(&terminal)?;
        let mut modes = before.clone();
        modes
            .local_modes
            .remove(LocalModes::ICANON | LocalModes::ECHO);
        modes.special_codes[SpecialCodeIndex::VMIN] = 1;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
        // Who is stopped in the middle would leave the other screen to the shell; there is a key to pause.
        modes.special_codes[SpecialCodeIndex::VSUSP] = 0;
        tcsetattr(&terminal, OptionalActions::Flush, &modes)?;
        Ok(Self { terminal, before })
    }

    /// The keys that are pressed within this time, as the bytes that the terminal sends; those with a code of their own, as the arrows,
    /// are none of ours.
    ///
    /// # Errors
    /// Those of the terminal, also when it has gone: whoever waits on is called back at once, for ever.
    pub(super) fn keys(&mut self, within: Duration) -> io::Result<Vec<u8>> {
        let mut ready = [PollFd::new(&self.terminal, PollFlags::IN)];
        let within = Timespec {
            tv_sec: i64::try_from(within.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: within.subsec_nanos().into(),
        };
        match poll(&mut ready, Some(&within)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => return Ok(Vec::new()),
            Ok(_) => {}
            Err(error) => return Err(error.into()),
        }
        let mut bytes = [0; 64];
        match self.terminal.read(&mut bytes)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ if bytes[0] == ESCAPE => Ok(Vec::new()),
            count => Ok(bytes[..count].to_vec()),
        }
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        let _ = tcsetattr(&self.terminal, OptionalActions::Flush, &self.before);
    }
}
