//! Pairs: two changes, each of which was refused alone.

use super::{
    Context, arguments,
    combined::removals,
    hoist, least,
    proposal::{Proposal, fingerprint},
    retarget,
};
use crate::syntax::Document;

/// So many pairs are listed.
const MOST_PAIRS: usize = 30_000;

/// Pairs of removals, hoists, least texts, retargetings and parameters, those first that stand near each other.
pub fn pairs(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let changes = [
        removals(context),
        hoist::hoists(context),
        least::replacements(context),
        retarget::retargets(context),
        arguments::arguments(context),
    ];
    let mut changes = changes.concat();
    changes.sort_by_key(|change| place(document, change));
    let count = changes.len();
    let apart =
        (1..count).flat_map(|apart| (apart..count).map(move |second| (second - apart, second)));
    let pairs = apart.map(|(first, second)| (&changes[first], &changes[second]));
    let pairs =
        pairs.filter(|(first, second)| !contains(first, second) && !contains(second, first));
    pairs
        .take(MOST_PAIRS)
        .map(|(first, second)| both(first, second))
        .collect()
}

/// The first byte that a change touches.
fn place(document: &Document, change: &Proposal) -> usize {
    let taken = change.takes.iter().filter(|nodes| !nodes.is_empty());
    let taken = taken.map(|nodes| document.node(nodes.start).range().start);
    taken.chain(change.edit.start()).min().unwrap_or_default()
}

/// Whether all that one change takes goes with what the other takes.
fn contains(outer: &Proposal, inner: &Proposal) -> bool {
    let covers = |nodes: &std::ops::Range<_>| {
        let mut takes = outer.takes.iter();
        takes.any(|outer| outer.start <= nodes.start && nodes.end <= outer.end)
    };
    !inner.takes.is_empty() && inner.takes.iter().all(covers)
}

fn both(first: &Proposal, second: &Proposal) -> Proposal {
    let signatures = [first, second].map(|change| change.signature.to_le_bytes());
    let signature = fingerprint(&[b"pair", &signatures[0], &signatures[1]]);
    Proposal::together([first, second], signature)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::offered;

    #[test]
    fn two_changes_are_made_at_once_the_nearest_first() {
        let found = offered("c", "int a; int b; int c;", pairs);
        let wanted = [" int c;", "int b;", "int a;"];
        let places =
            wanted.map(|wanted| found.iter().position(|found| found.trim() == wanted.trim()));
        assert!(places.iter().all(Option::is_some), "{found:?}");
        assert!(places[1] > places[0] && places[1] > places[2], "{found:?}");
    }
}
