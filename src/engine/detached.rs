//! The search's own work (reading a text, finding proposals), done where it can be left.
//!
//! That work is pure: it reads no clock and hears of no signal, and on a large text one step of it may take minutes. So each step
//! is done on a thread of its own while the engine waits for the step, for a signal or for the end of the time, whatever comes
//! first. What is left then goes on for nothing until it is done or the process ends, which it does soon. It cannot do any harm:
//! it has what it works on to itself. Nothing of this changes a question or an answer.
//!
//! A step that may never be needed is left much earlier: when it takes several times as long as those that were needed. The parser
//! takes minutes for some texts that nobody accepts.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::rendered::Rendered;
use crate::interrupt::Interrupt;
use crate::search::{Known, NoGuess, Part, Search, Verdict};

/// A step over a shorter text is done at once: it takes no longer than starting a few threads.
const LONG: usize = 16 << 10;
/// How often it is looked for a signal.
const LOOK: Duration = Duration::from_millis(20);
/// So long a guess may take in any case.
const GUESS: Duration = Duration::from_secs(1);
/// And so many times as long as the longest step that was needed.
const GUESS_BY_STEPS: u32 = 4;

/// When work is left, and whether any was.
pub(super) struct Patience {
    interrupt: Interrupt,
    stop_at: Option<Instant>,
    was_lost: AtomicBool,
    guesses: Arc<Guesses>,
}

/// What is known of the searches of a run as to how long a guess may take.
#[derive(Default)]
struct Guesses {
    /// The longest step that was waited for to its end, in microseconds.
    longest: AtomicU64,
    /// Whether a guess is worked on, be it one that was left.
    is_guessing: AtomicBool,
}

/// Puts it back when the guess has ended, in whatever way.
struct Guessing(Arc<Guesses>);

impl Drop for Guessing {
    fn drop(&mut self) {
        self.0.is_guessing.store(false, Ordering::Relaxed);
    }
}

impl Patience {
    /// Until a signal, and no longer than this.
    pub(super) fn new(interrupt: &Interrupt, stop_at: Option<Instant>) -> Arc<Self> {
        Self::with(interrupt, stop_at, Arc::default())
    }

    /// The same for the next search of a run.
    pub(super) fn next(&self, stop_at: Option<Instant>) -> Arc<Self> {
        Self::with(&self.interrupt, stop_at, Arc::clone(&self.guesses))
    }

    fn with(interrupt: &Interrupt, stop_at: Option<Instant>, guesses: Arc<Guesses>) -> Arc<Self> {
        Arc::new(Self {
            interrupt: interrupt.clone(),
            stop_at,
            was_lost: AtomicBool::new(false),
            guesses,
        })
    }

    /// Whether some work was left.
    pub(super) fn was_lost(&self) -> bool {
        self.was_lost.load(Ordering::Relaxed)
    }

    /// Whether nothing is waited for any more.
    pub(super) fn has_ended(&self) -> bool {
        self.interrupt.signal().is_some() || self.stop_at.is_some_and(|at| at <= Instant::now())
    }

    /// What `work` makes; `None` if it was left. Cost: that of a thread, some twenty microseconds.
    pub(super) fn wait_for<T>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T>
    where
        T: Send + 'static,
    {
        if self.has_ended() {
            self.was_lost.store(true, Ordering::Relaxed);
            return None;
        }
        let start = Instant::now();
        let made = done(work, || self.has_ended());
        let took = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
        if made.is_some() {
            self.guesses.longest.fetch_max(took, Ordering::Relaxed);
        } else {
            self.was_lost.store(true, Ordering::Relaxed);
        }
        made
    }

    /// The same for work that may be for nothing. It is left when it takes too long, and not begun while other such work goes on
    /// that was left: no more than one processor works for nothing.
    fn wait_for_guess<T>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, NoGuess>
    where
        T: Send + 'static,
    {
        if self.has_ended() || self.guesses.is_guessing.swap(true, Ordering::Relaxed) {
            return Err(NoGuess::ForNow);
        }
        let guessing = Guessing(Arc::clone(&self.guesses));
        let longest = Duration::from_micros(self.guesses.longest.load(Ordering::Relaxed));
        let end = Instant::now() + GUESS + longest * GUESS_BY_STEPS;
        let work = move || {
            let made = work();
            drop(guessing);
            made
        };
        done(work, || self.has_ended() || Instant::now() >= end).ok_or(NoGuess::TooLong)
    }
}

/// What `work` makes on a thread of its own; `None` if it is not done when `is_over`.
fn done<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
    is_over: impl Fn() -> bool,
) -> Option<T> {
    let (sender, receiver) = sync_channel(1);
    let worker = thread::spawn(move || sender.send(work()));
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(made) => return Some(made),
            Err(RecvTimeoutError::Timeout) if is_over() => return None,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => resume_unwind(panic),
                Ok(_) => return None,
            },
        }
    }
}

/// A search whose work is left when the patience ends. Then it has no more questions.
#[derive(Clone)]
pub(super) struct Detached<S> {
    /// `None`: it was left.
    search: Option<S>,
    is_long: bool,
    patience: Arc<Patience>,
}

impl<S: Search + Send + 'static> Detached<S> {
    /// The search that `build` makes from the bytes of this text.
    pub(super) fn build(
        text: &Arc<Rendered>,
        build: impl FnOnce(&[u8]) -> S + Send + 'static,
        patience: Arc<Patience>,
    ) -> Self {
        let is_long = text.bytes.len() >= LONG;
        let search = if is_long {
            let text = Arc::clone(text);
            patience.wait_for(move || build(&text.bytes))
        } else {
            Some(build(&text.bytes))
        };
        Self {
            search,
            is_long,
            patience,
        }
    }

    /// A step of the search.
    fn step<T: Send + 'static>(&mut self, step: impl FnOnce(S) -> T + Send + 'static) -> Option<T> {
        let search = self.search.take()?;
        if self.is_long {
            self.patience.wait_for(move || step(search))
        } else {
            Some(step(search))
        }
    }
}

/// A search that has been told.
fn after<S: Search>(mut search: S, verdict: Verdict) -> S {
    search.tell(verdict);
    search
}

impl<S: Search + Send + 'static> Search for Detached<S> {
    type Candidate = S::Candidate;
    type Best = ();

    fn ask(&self) -> Option<S::Candidate> {
        self.search.as_ref()?.ask()
    }

    fn tell(&mut self, verdict: Verdict) {
        self.search = self.step(move |search| after(search, verdict));
    }

    fn guess(&self, verdict: Verdict) -> Result<Self, NoGuess> {
        let search = self.search.clone().ok_or(NoGuess::ForNow)?;
        let guessed = if self.is_long {
            let step = move || after(search, verdict);
            self.patience.wait_for_guess(step)?
        } else {
            after(search, verdict)
        };
        Ok(Self {
            search: Some(guessed),
            is_long: self.is_long,
            patience: Arc::clone(&self.patience),
        })
    }

    /// The engine knows the best itself.
    fn best(&self) -> &() {
        &()
    }

    fn chance(&self) -> Option<f64> {
        self.search.as_ref()?.chance()
    }

    fn chance_by(&self, known: &Known<'_>) -> Option<f64> {
        self.search.as_ref()?.chance_by(known)
    }

    fn parts(&self) -> Vec<Part> {
        self.search.as_ref().map(S::parts).unwrap_or_default()
    }

    fn alone(&self, part: u64) -> Option<S::Candidate> {
        self.search.as_ref()?.alone(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn work_is_left_at_a_signal_and_at_the_end_of_the_time() {
        let (_keep, forever) = channel::<()>();
        let interrupt = Interrupt::new();
        let soon = Some(Instant::now() + Duration::from_millis(50));
        let patience = Patience::new(&interrupt, soon);
        assert!(patience.wait_for(move || forever.recv().is_ok()).is_none());
        assert!(patience.was_lost());

        let (_keep, forever) = channel::<()>();
        let patience = Patience::new(&interrupt, None);
        assert_eq!(patience.wait_for(|| 7), Some(7));
        assert!(!patience.was_lost());
        let raising = interrupt.clone();
        thread::spawn(move || raising.raise(15));
        assert!(patience.wait_for(move || forever.recv().is_ok()).is_none());
    }

    #[test]
    fn a_guess_that_takes_long_is_left_and_no_other_is_made_until_it_ends() {
        let (end, forever) = channel::<()>();
        let patience = Patience::new(&Interrupt::new(), None);
        assert_eq!(patience.wait_for_guess(|| 7), Ok(7));
        let endless = patience.wait_for_guess(move || forever.recv().is_ok());
        assert_eq!(endless, Err(NoGuess::TooLong));
        assert!(!patience.was_lost(), "nothing that was needed");
        let next = patience.next(None);
        assert_eq!(next.wait_for_guess(|| 7), Err(NoGuess::ForNow));
        assert_eq!(next.wait_for(|| 7), Some(7));
        drop(end);
        while next.guesses.is_guessing.load(Ordering::Relaxed) {
            thread::yield_now();
        }
        assert_eq!(next.wait_for_guess(|| 7), Ok(7));
    }

    #[test]
    #[should_panic(expected = "of the work")]
    fn a_panic_of_the_work_is_ours() {
        let patience = Patience::new(&Interrupt::new(), None);
        patience.wait_for(|| panic!("of the work"));
    }
}
