//! For tests: runs a minimiser against an oracle behind a content cache, as the papers count it.

use std::collections::HashSet;

use super::{Minimizer, Options, Runs, Weights};
use crate::search::{Search, Verdict};

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Trial {
    /// What is left, in order.
    pub(super) result: Vec<usize>,
    /// How often the oracle ran.
    pub(super) queries: usize,
    /// How many questions the cache of uninteresting subsets answered.
    pub(super) cache_hits: usize,
}

/// Runs the search to its end. `oracle` is told what would be kept.
pub(super) fn run(
    weights: &Weights,
    options: &Options,
    mut oracle: impl FnMut(&Runs) -> bool,
) -> Trial {
    let mut minimizer = Minimizer::new(weights, options);
    let mut uninteresting: HashSet<Runs> = HashSet::new();
    let (mut queries, mut cache_hits) = (0, 0);
    while let Some(cut) = minimizer.ask() {
        let kept = cut.kept_of(minimizer.best());
        assert!(
            kept.len() < minimizer.best().len(),
            "a question that changes nothing: {cut:?}"
        );
        let cached = uninteresting.contains(&kept);
        let interesting = !cached && oracle(&kept);
        if cached {
            cache_hits += 1;
        } else {
            queries += 1;
        }
        if !interesting {
            uninteresting.insert(kept);
        }
        minimizer.tell(Verdict::of(interesting));
    }
    Trial {
        result: minimizer.best().iter().collect(),
        queries,
        cache_hits,
    }
}

/// An oracle that wants all of these elements.
pub(super) fn needs(needed: &[usize]) -> impl Fn(&Runs) -> bool {
    move |kept| needed.iter().all(|&element| kept.contains(element))
}
