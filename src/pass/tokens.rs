//! Windows of neighbouring tokens, without regard to the tree.

use super::proposal::{Proposal, fingerprint};
use crate::syntax::{Document, Edit, NodeId};

/// Every window of `size` neighbouring tokens, in document order.
pub fn windows(document: &Document, size: usize) -> Vec<Proposal> {
    let leaves: Vec<NodeId> = (0u32..)
        .take(document.nodes().len())
        .filter(|&id| document.is_leaf(id) && document.node(id).end > document.node(id).start)
        .collect();
    leaves
        .windows(size)
        .enumerate()
        .map(|(index, window)| {
            let (first, last) = (window[0], window[size - 1]);
            let range = document.node(first).range().start..document.node(last).range().end;
            let context = &leaves[index.saturating_sub(2)..(index + size + 2).min(leaves.len())];
            let around: Vec<u8> = context
                .iter()
                .flat_map(|&leaf| document.text(leaf).to_vec())
                .collect();
            Proposal {
                signature: fingerprint(&[b"window", &around, &document.bytes()[range.clone()]]),
                edit: Edit::deletion(range),
                weight: u32::try_from(size).unwrap_or(u32::MAX),
                takes: window.iter().map(|&leaf| leaf..leaf + 1).collect(),
                ..Proposal::default()
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::offered;

    #[test]
    fn a_window_takes_neighbours_wherever_the_tree_ends() {
        let found = offered("c", "int a; b();", |sample| windows(&sample.document, 3));
        assert_eq!(
            found,
            [" b();", "int ();", "int a);", "int a; ;", "int a; b"]
        );
    }
}
