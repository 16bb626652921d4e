//! Addresses of blocks, which stand in other declarations than the function of the block: they follow what becomes of that.

use crate::syntax::{Document, NodeId, Splice, StaticSingle};
use rustc_hash::FxHashMap;

/// What became of the blocks of a function: by the name that each had, the one that it has if it is still there.
pub(super) type Blocks = FxHashMap<Vec<u8>, Option<Vec<u8>>>;

/// The same by the names of functions.
#[derive(Default)]
pub(super) struct Moved(FxHashMap<Vec<u8>, Blocks>);

impl Moved {
    /// The blocks of the function at this node have become these. Cost: the nodes before its name.
    pub(super) fn note(&mut self, document: &Document, function: NodeId, blocks: Blocks) {
        let mut leaves = leaves(document, function);
        if let Some(name) = leaves.find(|text| text.starts_with(b"@")) {
            self.0.insert(name.to_vec(), blocks);
        }
    }

    /// Adds splices for the addresses outside of functions, but for those that the splices take: the new name of the block, or nothing
    /// of account for all of the address. Cost: linear in the declarations that are no functions.
    pub(super) fn follow(
        &self,
        document: &Document,
        facts: &StaticSingle,
        splices: &mut Vec<Splice>,
    ) {
        if self.0.is_empty() {
            return;
        }
        let declarations = document.children(0);
        let others = declarations.filter(|&node| document.kind_name(node) != facts.scope);
        let nodes = others.flat_map(|node| node..document.node(node).end_id);
        let addresses = nodes.filter(|&node| document.kind_name(node) == facts.address);
        let followed: Vec<Splice> = addresses
            .filter_map(|address| self.followed(document, address, facts))
            .filter(|splice| !splices.iter().any(|other| overlap(splice, other)))
            .collect();
        splices.extend(followed);
    }

    fn followed(
        &self,
        document: &Document,
        address: NodeId,
        facts: &StaticSingle,
    ) -> Option<Splice> {
        let mut texts = leaves(document, address);
        let blocks = self.0.get(texts.find(|text| text.starts_with(b"@"))?)?;
        let block = texts.find_map(|text| text.strip_prefix(b"%"))?;
        match blocks.get(block)? {
            Some(name) if name == block => None,
            Some(name) => {
                let range = document.node(address).range();
                let text = &document.bytes()[range.clone()];
                let named = [b"%", block].concat();
                let at = text.windows(named.len()).rposition(|part| part == named)?;
                let at = range.start + at + 1;
                Some(Splice::replacement(at..at + block.len(), name))
            }
            None => Some(Splice::replacement(
                document.node(address).range(),
                facts.lost.as_bytes(),
            )),
        }
    }
}

/// A line in which nothing of account stands for the addresses of blocks that have gone. Cost: linear.
pub(super) fn without_lost(line: &[u8], facts: &StaticSingle) -> Option<Vec<u8>> {
    let address = facts.address.as_bytes();
    let lost = [b" ", facts.lost.as_bytes(), b")"].concat();
    let found = |text: &[u8]| text.windows(address.len()).position(|part| part == address);
    let (mut out, mut rest) = (Vec::new(), line);
    while let Some(start) = found(rest) {
        let end = rest[start..].iter().position(|&byte| byte == b')');
        let end = end.map_or(rest.len(), |end| start + end + 1);
        if rest[..end].ends_with(&lost) {
            out.extend_from_slice(&rest[..start]);
            out.extend_from_slice(facts.lost.as_bytes());
        } else {
            out.extend_from_slice(&rest[..end]);
        }
        rest = &rest[end..];
    }
    out.extend_from_slice(rest);
    (out != line).then_some(out)
}

fn overlap(one: &Splice, other: &Splice) -> bool {
    let (one, other) = (one.range(), other.range());
    one.start < other.end && other.start < one.end
}

/// The texts of the leaves in a node.
fn leaves(document: &Document, node: NodeId) -> impl Iterator<Item = &[u8]> {
    let nodes = node..document.node(node).end_id;
    let leaves = nodes.filter(|&node| document.is_leaf(node));
    leaves.map(|leaf| document.text(leaf))
}
