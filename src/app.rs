//! A whole run from the arguments to the exit code; it reads like a list of contents.

use std::io;

use crate::cli::{self, Args};
use crate::config::Config;
use crate::error::{Error, exit};
use crate::report;

/// Does what the arguments ask for and gives the exit code.
///
/// # Errors
/// Whatever keeps the run from giving a result; see [`Error`].
pub fn run(args: Args) -> Result<u8, Error> {
    report::set_colors(args.color);
    if let Some(what) = args.generate {
        return generate(what);
    }
    let config = Config::from_args(args)?;
    let _ = config.args();
    Ok(exit::DONE)
}

fn generate(what: cli::Generate) -> Result<u8, Error> {
    let written = cli::generate(what, &mut io::stdout().lock());
    written.map_err(|source| Error::System {
        doing: "cannot write to standard output".into(),
        source,
    })?;
    Ok(exit::DONE)
}
