//! Signals: the first one asks for an orderly end that keeps the best so far, the second one ends the process at once.

use std::io;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};

/// Whether the user wants to stop. Clones share one state.
#[derive(Clone, Default)]
pub struct Interrupt(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// The first signal's number, 0 before.
    signal: AtomicI32,
    hooks: Mutex<Vec<Hook>>,
    /// Whether no further question is to be asked for now.
    paused: Mutex<bool>,
    changed: Condvar,
    /// A pass that is to be left out from now on.
    skipped: Mutex<Option<&'static str>>,
}

/// The same signal again within this time is the same wish: `timeout` sends its signal to the process and then to its group.
const ECHO: Duration = Duration::from_millis(200);

type Hook = Box<dyn Fn() + Send>;

impl Interrupt {
    /// One that no signal reaches, for tests and for use as a library.
    pub fn new() -> Self {
        Self::default()
    }

    /// Listens to SIGINT, SIGTERM and SIGHUP on a thread of its own, for the rest of the process's life. A second
    /// signal exits at once with 128 + its number. A hang-up that whoever started us wants to be ignored (`nohup`) stays so.
    pub fn install() -> io::Result<Self> {
        let interrupt = Self::new();
        let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
        if !is_ignored(SIGHUP) {
            signals.add_signal(SIGHUP)?;
        }
        // A file that must not grow is an error to tell about. Ignoring the signal would do as much for us, but the checks
        // would inherit that.
        signal_hook::flag::register(SIGXFSZ, Arc::default())?;
        let listener = interrupt.clone();
        std::thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || {
                let mut raised = Instant::now();
                for signal in &mut signals {
                    match listener.signal() {
                        None => raised = Instant::now(),
                        Some(first) if first == signal && raised.elapsed() < ECHO => {}
                        Some(_) => exit_at_once(signal),
                    }
                    listener.raise(signal);
                }
            })?;
        Ok(interrupt)
    }

    /// The first signal that came, if any.
    pub fn signal(&self) -> Option<i32> {
        Some(self.0.signal.load(Ordering::SeqCst)).filter(|&signal| signal != 0)
    }

    /// The exit status that says so to a shell: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP.
    pub fn exit_code(&self) -> Option<u8> {
        self.signal()
            .and_then(|signal| u8::try_from(128 + signal).ok())
    }

    /// Acts as if this signal had come; a repetition does nothing.
    pub fn raise(&self, signal: i32) {
        let first = self
            .0
            .signal
            .compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst);
        if first.is_ok() {
            for hook in self
                .0
                .hooks
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .iter()
            {
                hook();
            }
        }
    }

    /// Lets nothing be asked until it is taken back, or until a signal.
    pub fn pause(&self, paused: bool) {
        *self.0.paused.lock().unwrap_or_else(PoisonError::into_inner) = paused;
        self.0.changed.notify_all();
    }

    /// Whether it is paused.
    pub fn is_paused(&self) -> bool {
        *self.0.paused.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns when it is not paused, or when there was a signal.
    pub fn wait_while_paused(&self) {
        let mut paused = self.0.paused.lock().unwrap_or_else(PoisonError::into_inner);
        while *paused && self.signal().is_none() {
            let waited = self.0.changed.wait_timeout(paused, ECHO);
            paused = waited.map_or_else(|error| error.into_inner().0, |(paused, _)| paused);
        }
    }

    /// Wishes that a pass is left out from now on.
    pub fn skip(&self, pass: &'static str) {
        *self
            .0
            .skipped
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(pass);
    }

    /// Whether there is such a wish.
    pub fn wants_skip(&self) -> bool {
        let skipped = self.0.skipped.lock();
        skipped.unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Takes the wish, so that there is none any more.
    pub fn take_skip(&self) -> Option<&'static str> {
        let skipped = self.0.skipped.lock();
        skipped.unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Calls `hook` at the first signal, on the thread that hears it; at once if it came already.
    pub fn on_signal(&self, hook: impl Fn() + Send + 'static) {
        let mut hooks = self.0.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        if self.signal().is_some() {
            hook();
        }
        hooks.push(Box::new(hook));
    }
}

/// Lets a process that has to clean up go on when it is told to end.
pub(crate) fn outlive_signals() {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // A flag that nobody reads. Without it the guard is only less sure to be there, which is no reason to stop.
        let _ = signal_hook::flag::register(signal, Arc::default());
    }
}

/// Whoever started us may have set SIGCHLD to be ignored; then the system reaps our children before we see how they ended.
pub(crate) fn keep_children_waitable() {
    if is_ignored(SIGCHLD) {
        let _ = signal_hook::flag::register(SIGCHLD, Arc::default());
    }
}

/// Whether this process does not hear of a signal, which it has from whoever started it.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// The guard process sees our end and cleans up after us.
#[expect(clippy::exit, reason = "the second signal means: now")]
fn exit_at_once(signal: i32) -> ! {
    std::process::exit(128 + signal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn only_the_first_signal_counts_and_calls_the_hooks() {
        let interrupt = Interrupt::new();
        let calls = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&calls);
        interrupt.on_signal(move || {
            counter.fetch_add(1, Ordering::SeqCst);
        });
        assert_eq!(interrupt.signal(), None);
        interrupt.raise(SIGTERM);
        interrupt.raise(SIGINT);
        assert_eq!(interrupt.exit_code(), Some(143));
        assert_eq!(calls.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_pause_ends_when_it_is_taken_back_and_at_a_signal() {
        for end in [
            |it: &Interrupt| it.pause(false),
            |it: &Interrupt| it.raise(SIGINT),
        ] {
            let interrupt = Interrupt::new();
            interrupt.pause(true);
            assert!(interrupt.is_paused());
            let waiting = interrupt.clone();
            let thread = std::thread::spawn(move || waiting.wait_while_paused());
            end(&interrupt);
            thread.join().unwrap();
        }
    }

    #[test]
    fn a_wish_to_skip_is_taken_once() {
        let interrupt = Interrupt::new();
        assert!(!interrupt.wants_skip());
        interrupt.skip("units");
        assert!(interrupt.wants_skip());
        assert_eq!(interrupt.take_skip(), Some("units"));
        assert_eq!(interrupt.take_skip(), None);
    }

    #[test]
    fn a_hook_that_comes_late_is_called_at_once() {
        let interrupt = Interrupt::new();
        interrupt.raise(SIGINT);
        let calls = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&calls);
        interrupt.on_signal(move || {
            counter.fetch_add(1, Ordering::SeqCst);
        });
        assert_eq!(calls.load(Ordering::SeqCst), 1);
    }
}
