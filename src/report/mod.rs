//! What happened, told to people and to programs. Standard output is for data only; everything else goes to standard error.

mod event;

use std::io::Write;

use crate::cli::When;
use crate::error::Error;
pub use event::{Event, Source, Stop};

/// Decides once for the whole process whether colours are written; `NO_COLOR` and the terminal decide when it is left open.
pub fn set_colors(when: When) {
    match when {
        When::Auto => anstream::ColorChoice::Auto,
        When::Always => anstream::ColorChoice::AlwaysAnsi,
        When::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Says what went wrong and what to type, on standard error.
pub fn error(error: &Error) {
    let (red, bold) = (style::ERROR, style::HINT);
    let mut text = format!("{red}error:{red:#} {error}\n");
    if let Some(hint) = error.hint() {
        text.push_str(&format!("{bold}hint:{bold:#} {hint}\n"));
    }
    say(&text);
}

/// Writes to standard error. That it may be closed is no reason to stop a reduction.
fn say(text: &str) {
    let _ = anstream::stderr().write_all(text.as_bytes());
}

mod style {
    use anstyle::{AnsiColor, Style};

    pub(super) const ERROR: Style = AnsiColor::Red.on_default().bold();
    pub(super) const HINT: Style = AnsiColor::Cyan.on_default().bold();
}
