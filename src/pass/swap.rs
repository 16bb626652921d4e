//! Neighbours the other way round: two statements, arguments or operands.

use super::{
    Context,
    proposal::{Proposal, fingerprint},
};
use crate::syntax::{Edit, NodeId, Splice};

/// Every two neighbours below one node, each in the other's place.
pub fn swaps(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let mut proposals = Vec::new();
    for parent in document.ids() {
        let row = document.row(parent);
        let named = row
            .into_iter()
            .filter(|&child| document.node(child).is_named());
        let named: Vec<NodeId> = named.collect();
        for pair in named.windows(2) {
            let [left, right] = [document.text(pair[0]), document.text(pair[1])];
            let edit = vec![
                Splice::replacement(document.node(pair[0]).range(), right),
                Splice::replacement(document.node(pair[1]).range(), left),
            ];
            proposals.push(Proposal {
                edit: Edit::new(edit),
                signature: fingerprint(&[b"swap", left, right]),
                ..Proposal::default()
            });
        }
    }
    proposals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::offered;

    #[test]
    fn neighbours_change_places() {
        let found = offered("javascript", "a; f(b, c)", swaps);
        for wanted in ["f(b, c) a;", "a; f(c, b)"] {
            assert!(found.iter().any(|found| found == wanted), "{found:?}");
        }
    }
}
