//! The `paredown` binary: everything it does is in the library.

use std::process::ExitCode;

use paredown::cli::Task;
use paredown::{app, oracle, output, report};

/// The system calls it before Rust's runtime begins.
#[expect(
    unsafe_code,
    reason = "there is no other way to run something so early"
)]
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_THE_RUNTIME: extern "C" fn() = output::note_what_is_closed;

fn main() -> ExitCode {
    if oracle::serve_as_guard() {
        return ExitCode::SUCCESS;
    }
    match app::run(Task::from_command_line()) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            report::error(&error, &error.hint());
            ExitCode::from(error.exit_code())
        }
    }
}
