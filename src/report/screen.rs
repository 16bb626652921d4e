//! The terminal, made a little narrower for the line of progress.
//!
//! That line is filled up with blanks to the edge of the screen. What the terminal itself writes at Ctrl-C would come on the
//! next line then, and the line of progress would stay, because from there it is not found again.

use std::io;

use console::Term;
use indicatif::{ProgressDrawTarget, TermLike};

/// Standard error as a place for one line that changes; nothing where it is no terminal.
pub(super) fn draw_target() -> ProgressDrawTarget {
    let term = Term::buffered_stderr();
    if term.is_term() {
        ProgressDrawTarget::term_like_with_hz(Box::new(Screen(term)), DRAWN_PER_SECOND)
    } else {
        ProgressDrawTarget::hidden()
    }
}

/// The columns that the line may have now.
pub(super) fn columns() -> usize {
    usize::from(Screen(Term::stderr()).width())
}

/// The columns of what stays on the screen; no limit where standard error is no terminal.
pub(super) fn room() -> usize {
    let term = Term::stderr();
    if term.is_term() {
        usize::from(term.size().1)
    } else {
        usize::MAX
    }
}

const DRAWN_PER_SECOND: u8 = 20;
/// For `^C`, twice.
const LEFT_FREE: u16 = 4;

#[derive(Debug)]
struct Screen(Term);

impl TermLike for Screen {
    fn width(&self) -> u16 {
        self.0.size().1.saturating_sub(LEFT_FREE).max(1)
    }

    fn height(&self) -> u16 {
        self.0.size().0
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_up(n)
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_down(n)
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_right(n)
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_left(n)
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.0.write_line(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.0.flush()
    }
}
