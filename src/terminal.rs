//! The terminal while the live view has it: what was changed of it, and how that is taken back.
//!
//! What is changed is noted in a file, so that the guard can take it back when paredown itself was killed: the shell gets the
//! terminal as it was, not its other screen without an echo. The note is there exactly as long as the terminal is changed.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::getpgrp;
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetpgrp, tcsetattr,
};

/// The note's name in the run's folder.
pub(crate) const NOTE: &str = "terminal";

/// The terminal of this process, whoever its standard streams belong to.
const TERMINAL: &str = "/dev/tty";
/// What goes while keys come one by one.
const LINES: LocalModes = LocalModes::ICANON.union(LocalModes::ECHO);
/// Leaves the other screen and shows the cursor, in the codes that all terminals of today know.
const FIRST_SCREEN: &[u8] = b"\x1b[?1049l\x1b[?25h";

/// The terminal with keys that come one by one, while Ctrl-C stays what it is: it still sends signals. Dropping it changes it back,
/// its screen too.
pub(crate) struct Taken {
    terminal: File,
    before: Termios,
    note: PathBuf,
}

/// Whether this process is in the foreground of its terminal. Another one would be stopped when it changes the mode.
pub(crate) fn is_ours() -> bool {
    let terminal = File::open(TERMINAL);
    terminal.is_ok_and(|terminal| tcgetpgrp(&terminal).is_ok_and(|group| group == getpgrp()))
}

impl Taken {
    /// Takes it. Nothing has been written to it: who shows another screen does so now.
    ///
    /// # Errors
    /// There is no terminal, or it is not to be changed.
    pub(crate) fn take(note: PathBuf) -> io::Result<Self> {
        let terminal = File::options().read(true).write(true).open(TERMINAL)?;
        let before = tcgetattr(&terminal)?;
        let mut modes = before.clone();
        modes.local_modes.remove(LINES);
        for (index, code) in Codes::OURS.all() {
            modes.special_codes[index] = code;
        }
        // Without the note only a kill leaves more behind.
        let _ = fs::write(&note, Codes::of(&before).to_bytes());
        tcsetattr(&terminal, OptionalActions::Flush, &modes)?;
        Ok(Self {
            terminal,
            before,
            note,
        })
    }

    /// The bytes that come within this time; none if none do.
    ///
    /// # Errors
    /// Those of the terminal, also when it has gone: whoever waits on is called back at once, for ever.
    pub(crate) fn read(&mut self, within: Duration) -> io::Result<Vec<u8>> {
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
            count => Ok(bytes[..count].to_vec()),
        }
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        let _ = self.terminal.write_all(FIRST_SCREEN);
        let _ = tcsetattr(&self.terminal, OptionalActions::Flush, &self.before);
        let _ = fs::remove_file(&self.note);
    }
}

/// What is changed of a terminal beside [`LINES`].
struct Codes {
    /// So many bytes make a read return, after so long.
    least: u8,
    time: u8,
    /// The key that stops a process.
    stop: u8,
}

impl Codes {
    /// Who is stopped in the middle would leave the other screen to the shell; there is a key to pause.
    const OURS: Self = Self {
        least: 1,
        time: 0,
        stop: 0,
    };

    fn of(modes: &Termios) -> Self {
        let code = |index| modes.special_codes[index];
        Self {
            least: code(SpecialCodeIndex::VMIN),
            time: code(SpecialCodeIndex::VTIME),
            stop: code(SpecialCodeIndex::VSUSP),
        }
    }

    fn all(&self) -> [(SpecialCodeIndex, u8); 3] {
        [
            (SpecialCodeIndex::VMIN, self.least),
            (SpecialCodeIndex::VTIME, self.time),
            (SpecialCodeIndex::VSUSP, self.stop),
        ]
    }

    fn to_bytes(&self) -> [u8; 3] {
        [self.least, self.time, self.stop]
    }
}

/// Takes back what a process changed that has ended without doing so, by its note; without one it has.
///
/// Whoever has set the terminal in another way meanwhile, as shells do for their own line, keeps it so.
pub(crate) fn take_back(note: &Path) {
    let Ok([least, time, stop]) =
        fs::read(note).map(|bytes| bytes.try_into().unwrap_or([1, 0, 0x1a]))
    else {
        return;
    };
    ignore_the_stop_of_background_writers();
    let Ok(mut terminal) = File::options().read(true).write(true).open(TERMINAL) else {
        return;
    };
    let _ = terminal.write_all(FIRST_SCREEN);
    let Ok(mut modes) = tcgetattr(&terminal) else {
        return;
    };
    let is_ours = !modes.local_modes.intersects(LINES)
        && Codes::OURS.to_bytes() == Codes::of(&modes).to_bytes();
    if is_ours {
        modes.local_modes.insert(LINES);
        for (index, code) in (Codes { least, time, stop }).all() {
            modes.special_codes[index] = code;
        }
        let _ = tcsetattr(&terminal, OptionalActions::Now, &modes);
    }
}

/// A process that is not in the foreground and changes the terminal gets SIGTTOU, which stops it.
fn ignore_the_stop_of_background_writers() {
    #[expect(
        unsafe_code,
        reason = "no handler is set, so that nothing of ours can run at a bad time"
    )]
    // SAFETY: a signal that is ignored calls nothing.
    unsafe {
        libc::signal(libc::SIGTTOU, libc::SIG_IGN);
    }
}
