//! How candidates are made, from the options that say so.

use crate::cli::Args;
use crate::error::Error;
use crate::minimize::{Algorithm, Options};

/// Stand-in until the strategies are there.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The strategy.
    pub strategy: String,
    /// The minimiser.
    pub minimizer: Options,
    /// One round.
    pub once: bool,
}

pub(super) fn plan(args: &Args) -> Result<Plan, Error> {
    Ok(Plan {
        strategy: args.strategy.clone(),
        minimizer: minimizer(args)?,
        once: args.once,
    })
}

fn minimizer(args: &Args) -> Result<Options, Error> {
    let parse = |name: &str| name.parse::<Algorithm>();
    let algorithm = super::check::parsed("--minimizer", args.minimizer.as_deref(), "ddmin", parse)?;
    let mut options = Options::new(algorithm.unwrap_or(Algorithm::Ddmin));
    options.subsets = args.subsets;
    options.backward = args.backward;
    Ok(options)
}
