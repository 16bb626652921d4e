//! The live view: the best test case, how its size fell, what is going on, and keys to change it.
//!
//! It has a thread of its own, because a run of the check may take minutes in which keys are pressed and clocks go on. What it
//! shows is a [`View`] that the reporter fills. It takes the terminal's other screen and gives the first one back at its end, at
//! the first signal, and when it is dropped; then lines are printed as if it had not been there.

mod paint;
mod view;

use std::io::{self, Stderr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::terminal::EnterAlternateScreen;
use ratatui::crossterm::{cursor, execute};
use ratatui::layout::Size;

use crate::interrupt::Interrupt;
use crate::terminal::{self, Taken};
pub(super) use view::{Shown, View};

/// A short run only shows its summary.
const BEFORE_IT_APPEARS: Duration = Duration::from_millis(400);
/// It is drawn again so often when nothing happens, for the clocks.
const CLOCKS: Duration = Duration::from_millis(500);
/// And at most so often when much happens.
const SHORTEST: Duration = Duration::from_millis(60);
/// What the code of a longer key, such as an arrow, begins with; none of them is ours.
const ESCAPE: u8 = 0x1b;
/// SIGINT, which is what Ctrl-C sends.
const SIGINT: i32 = 2;

/// The view while it is there.
pub(super) struct Live {
    state: Arc<Mutex<State>>,
    thread: Option<JoinHandle<()>>,
}

struct State {
    view: View,
    is_dirty: bool,
    has_ended: bool,
}

/// Whether the terminal can show it and takes keys from us.
pub(super) fn is_possible() -> bool {
    let named = std::env::var_os("TERM").is_some_and(|name| name != "dumb" && !name.is_empty());
    let large = ratatui::crossterm::terminal::size();
    let large = large.is_ok_and(|(columns, rows)| columns >= 20 && rows >= 8);
    console::Term::stderr().is_term() && named && large && terminal::is_ours()
}

impl Live {
    /// Begins, a little later. What is changed of the terminal is noted in the file `note`.
    pub(super) fn start(view: View, note: PathBuf, interrupt: &Interrupt) -> Option<Self> {
        let state = Arc::new(Mutex::new(State {
            view,
            is_dirty: true,
            has_ended: false,
        }));
        let (shared, interrupt) = (Arc::clone(&state), interrupt.clone());
        let thread = thread::Builder::new().name("view".to_owned());
        let thread = thread.spawn(move || show(&shared, note, &interrupt)).ok()?;
        Some(Self {
            state,
            thread: Some(thread),
        })
    }

    /// Changes what is shown.
    pub(super) fn update(&self, change: impl FnOnce(&mut View)) {
        let mut state = locked(&self.state);
        change(&mut state.view);
        state.is_dirty = true;
    }

    /// Whether it has ended by itself, as after a signal.
    pub(super) fn has_gone(&self) -> bool {
        self.thread.as_ref().is_some_and(JoinHandle::is_finished)
    }

    /// Gives the terminal back, and what was said meanwhile.
    pub(super) fn end(&mut self) -> Vec<String> {
        locked(&self.state).has_ended = true;
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
        std::mem::take(&mut locked(&self.state).view.messages)
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        for message in self.end() {
            super::say(&message);
        }
    }
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The thread's work. A terminal that fails is no reason to stop a reduction: then there is no view.
fn show(state: &Mutex<State>, note: PathBuf, interrupt: &Interrupt) {
    let begin = Instant::now();
    while begin.elapsed() < BEFORE_IT_APPEARS {
        if is_over(state, interrupt) {
            return;
        }
        thread::park_timeout(BEFORE_IT_APPEARS.saturating_sub(begin.elapsed()));
    }
    let _ = Screen::open(note).map(|mut screen| run(&mut screen, state, interrupt));
    interrupt.pause(false);
}

fn is_over(state: &Mutex<State>, interrupt: &Interrupt) -> bool {
    locked(state).has_ended || interrupt.signal().is_some()
}

fn run(screen: &mut Screen, state: &Mutex<State>, interrupt: &Interrupt) -> io::Result<()> {
    let mut drawn = Instant::now();
    let mut is_first = true;
    while !is_over(state, interrupt) {
        let due = {
            let mut state = locked(state);
            let due = is_first
                || drawn.elapsed() >= CLOCKS
                || (state.is_dirty && drawn.elapsed() >= SHORTEST);
            if due {
                state.is_dirty = false;
                state.view.is_paused = interrupt.is_paused();
                screen
                    .terminal
                    .draw(|frame| paint::paint(frame, &state.view))?;
            }
            due
        };
        if due {
            drawn = Instant::now();
            is_first = false;
        }
        let keys = screen.taken.read(SHORTEST)?;
        if keys.first() != Some(&ESCAPE) {
            for key in keys {
                press(key, state, interrupt);
                is_first = true;
            }
        }
        let size = screen.terminal.size()?;
        is_first |= std::mem::replace(&mut screen.size, size) != size;
    }
    Ok(())
}

fn press(key: u8, state: &Mutex<State>, interrupt: &Interrupt) {
    match key {
        b'p' | b' ' => interrupt.pause(!interrupt.is_paused()),
        b's' => {
            let mut state = locked(state);
            if state.view.may_skip && !state.view.pass.is_empty() {
                let pass = state.view.pass;
                state.view.skipping = true;
                interrupt.skip(pass);
            }
        }
        b'd' => {
            let mut state = locked(state);
            state.view.shown = match state.view.shown {
                Shown::Best => Shown::Change,
                Shown::Change => Shown::Best,
            };
        }
        b'q' => interrupt.raise(SIGINT),
        _ => {}
    }
}

/// The terminal's other screen, with keys that come one by one.
struct Screen {
    terminal: Terminal<CrosstermBackend<Stderr>>,
    taken: Taken,
    size: Size,
}

impl Screen {
    fn open(note: PathBuf) -> io::Result<Self> {
        let taken = Taken::take(note)?;
        execute!(io::stderr(), EnterAlternateScreen, cursor::Hide)?;
        let terminal = Terminal::new(CrosstermBackend::new(io::stderr()))?;
        let size = terminal.size()?;
        Ok(Self {
            terminal,
            taken,
            size,
        })
    }
}
