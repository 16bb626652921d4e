//! How candidates are made, from the options that say so.

use crate::cli::Args;
use crate::error::Error;
use crate::minimize::Options;
use crate::strategy::{Hoist, Plan, Strategy};

pub(super) fn plan(args: &Args) -> Result<Plan, Error> {
    refuse_hoisting_without_tree(args)?;
    let mut plan = Plan::new(args.strategy);
    plan.hoist = args.hoist;
    plan.once = args.once;
    plan.effort = args.effort;
    plan.rename = args.rename;
    plan.minimizer = minimizer(args);
    plan.without.clone_from(&args.without);
    Ok(plan)
}

fn refuse_hoisting_without_tree(args: &Args) -> Result<(), Error> {
    let lists = [
        Strategy::Lines,
        Strategy::Tokens,
        Strategy::Chars,
        Strategy::TwoPass,
        Strategy::Bytes,
    ];
    if args.hoist == Hoist::None || !lists.contains(&args.strategy) {
        return Ok(());
    }
    Err(Error::Usage {
        problem: format!(
            "`--hoist {}` needs a tree, but `--strategy {}` has none",
            args.hoist, args.strategy
        ),
        hint: format!("--strategy hddr --hoist {}", args.hoist),
    })
}

/// The list minimiser, when something about it was chosen; otherwise the strategy chooses. The default pipeline has its own ways
/// unless a minimiser is named.
fn minimizer(args: &Args) -> Option<Options> {
    if args.strategy == Strategy::Auto && args.minimizer.is_none() {
        return None;
    }
    let chosen = args.minimizer.map(Options::new);
    let mut options = chosen.unwrap_or_else(|| args.strategy.default_minimizer());
    let defaults = options.clone();
    options.subsets = args.subsets;
    options.backward |= args.backward;
    options.seed = args.seed;
    options.waves = args.waves;
    options.sweep &= !args.no_sweep;
    options.split = args.split.unwrap_or(options.split);
    options.window = args.window.unwrap_or(options.window);
    options.p0 = args.p0.unwrap_or(options.p0);
    (args.minimizer.is_some() || options != defaults).then_some(options)
}
