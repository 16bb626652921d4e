//! The `paredown` binary: everything it does is in the library.

use std::process::ExitCode;

use paredown::cli::Args;
use paredown::{app, oracle, report};

fn main() -> ExitCode {
    if oracle::serve_as_guard() {
        return ExitCode::SUCCESS;
    }
    match app::run(Args::from_command_line()) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            report::error(&error);
            ExitCode::from(error.exit_code())
        }
    }
}
