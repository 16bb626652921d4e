//! A namespace gives its place to what it holds, and its name goes wherever it stands before another.
//!
//! A library opens its namespaces again and again, and says their names with nearly every use of its own. All blocks of one name
//! are opened in one change, since what is declared in any of them may be meant behind that name.

use super::{
    Context,
    proposal::{Proposal, elements, fingerprint},
};
use crate::syntax::{Edit, NodeId, Role, Splice};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{cmp::Reverse, ops::Range};

/// Without the namespaces of each name, after that without all of them at once; what saves most comes first. Cost: linear in the
/// document, and in the leaves with these names.
pub(super) fn namespaces(context: &Context) -> Vec<Proposal> {
    let spaces = Spaces::of(context);
    let each = spaces.words.iter().map(|&word| vec![word]);
    let all = (spaces.words.len() > 1).then(|| spaces.words.clone());
    let dropped = each.chain(all).filter_map(|words| spaces.without(words));
    let mut proposals: Vec<Proposal> = dropped.collect();
    proposals.sort_by_key(|proposal| Reverse(proposal.weight));
    proposals
}

/// The namespaces of a document.
struct Spaces<'c> {
    context: &'c Context,
    /// Their names.
    words: Vec<&'c [u8]>,
    /// The leaves of the document, in its order, and the places there of those that are words of paths or namespaces.
    leaves: Vec<NodeId>,
    places: FxHashMap<&'c [u8], Vec<usize>>,
    /// The namespaces by the leaf that ends their names.
    blocks: FxHashMap<NodeId, NodeId>,
    /// Names that something else has, too.
    others: FxHashSet<&'c [u8]>,
    /// The leaves that make known what is declared elsewhere.
    imports: FxHashSet<NodeId>,
}

/// What goes with some words.
#[derive(Default)]
struct Gone {
    units: FxHashSet<NodeId>,
    /// Places in the row of leaves.
    leaves: Vec<usize>,
    /// The nodes around what stays of them.
    opened: Vec<Range<NodeId>>,
}

impl<'c> Spaces<'c> {
    fn of(context: &'c Context) -> Self {
        let document = context.document();
        let named = document.ids().filter_map(|id| {
            let name = || document.child_in_field(id, "name");
            let is_space = document.has_role(id, Role::Namespaces);
            Some((id, is_space.then(name).flatten()?))
        });
        let named: Vec<(NodeId, NodeId)> = named.collect();
        let mut spaces = Self {
            context,
            words: Vec::new(),
            leaves: Vec::new(),
            places: FxHashMap::default(),
            blocks: FxHashMap::default(),
            others: FxHashSet::default(),
            imports: FxHashSet::default(),
        };
        if named.is_empty() {
            return spaces;
        }
        spaces.leaves = document.leaves().collect();
        for (place, &leaf) in spaces.leaves.iter().enumerate() {
            if is_word(document.text(leaf)) {
                spaces
                    .places
                    .entry(document.text(leaf))
                    .or_default()
                    .push(place);
            }
        }
        let mut of_names: FxHashSet<NodeId> = FxHashSet::default();
        for (id, name) in named {
            let first = spaces.leaves.partition_point(|&leaf| leaf < name);
            let end = document.node(name).end_id;
            let leaves = spaces.leaves[first..].iter().copied();
            let words = leaves.take_while(|&leaf| leaf < end);
            let words: Vec<NodeId> = words.filter(|&leaf| is_word(document.text(leaf))).collect();
            spaces
                .words
                .extend(words.iter().map(|&leaf| document.text(leaf)));
            spaces.blocks.extend(words.last().map(|&last| (last, id)));
            of_names.extend(words);
        }
        spaces.words.sort_unstable();
        spaces.words.dedup();
        for declaration in &context.names().declarations {
            if declaration.imports {
                spaces.imports.insert(declaration.leaf);
            } else if !of_names.contains(&declaration.leaf) {
                spaces.others.insert(document.text(declaration.leaf));
            }
        }
        spaces
    }

    /// The document without these words; `None` if something that has to go cannot.
    fn without(&self, mut words: Vec<&'c [u8]>) -> Option<Proposal> {
        let (document, units) = (self.context.document(), self.context.unit_map());
        let mut gone = self.gone(&words)?;
        // Another name for a namespace goes with it, with its uses.
        loop {
            let taken = gone
                .units
                .iter()
                .map(|&unit| unit..document.node(unit).end_id);
            let declared = taken.flat_map(|nodes| self.context.names().declared_in(&nodes));
            let declared = declared.filter(|declaration| !declaration.imports);
            let texts: FxHashSet<&[u8]> = declared
                .map(|declaration| document.text(declaration.leaf))
                .collect();
            let before = words.len();
            words.extend(
                texts
                    .iter()
                    .filter(|text| !words.contains(text))
                    .copied()
                    .collect::<Vec<_>>(),
            );
            if words.len() == before {
                break;
            }
            gone = self.gone(&words)?;
        }
        let mut removed: Vec<NodeId> = gone.units.iter().copied().collect();
        removed.sort_unstable();
        let is_in_removed = |node: NodeId| {
            let before = removed.partition_point(|&unit| unit <= node);
            removed[..before]
                .iter()
                .any(|&unit| node < document.node(unit).end_id)
        };
        let mut all = Proposal::default();
        for &unit in &removed {
            all.drops.extend(units.drops_of(unit)?);
            all.takes.push(unit..document.node(unit).end_id);
            all.weight += document.node(unit).tokens;
        }
        let leaves = gone.leaves.iter().map(|&place| self.leaves[place]);
        let leaves = leaves.map(|leaf| leaf..leaf + 1);
        let mut splices = Vec::new();
        for nodes in leaves
            .chain(gone.opened)
            .filter(|nodes| !is_in_removed(nodes.start))
        {
            all.weight += self.tokens(&nodes);
            splices.extend(self.deletion(&nodes));
            all.takes.push(nodes);
        }
        let count = u64::try_from(all.takes.len()).unwrap_or(u64::MAX);
        words.sort_unstable();
        let weight = u64::from(all.weight);
        all.signature = fingerprint(&[
            b"namespaces",
            &words.join(&b' '),
            &count.to_le_bytes(),
            &weight.to_le_bytes(),
        ]);
        all.edit = Edit::new(splices);
        Some(all)
    }

    /// What goes where these words stand; `None` if that is not all of a name that has to go.
    fn gone(&self, words: &[&[u8]]) -> Option<Gone> {
        let document = self.context.document();
        let mut gone = Gone::default();
        let is_gone = |place: usize| words.contains(&document.text(self.leaves[place]));
        for word in words {
            let is_shared = self.others.contains(word);
            for &place in self.places.get(word).into_iter().flatten() {
                let leaf = self.leaves[place];
                let first = self.path_before(place, &is_gone);
                let has_rest = first >= 2 && self.is_tie(first - 1) && self.is_word_at(first - 2);
                if self.is_tie(place + 1) && self.is_word_at(place + 2) {
                    let is_imported = self.imports.contains(&self.leaves[place + 2]);
                    if is_imported && !has_rest {
                        gone.units.insert(self.unit_around(first..place + 2)?);
                    } else {
                        gone.leaves.extend([place, place + 1]);
                    }
                } else if has_rest && (!is_shared || self.blocks.contains_key(&leaf)) {
                    gone.leaves.extend([first - 1, place]);
                } else if let Some(&block) = self.blocks.get(&leaf) {
                    gone.opened.extend(self.opened(block)?);
                } else if !is_shared {
                    gone.units.insert(self.unit_around(first..place)?);
                }
            }
        }
        Some(gone)
    }

    /// Where the words that go and that end at this place begin.
    fn path_before(&self, place: usize, is_gone: &dyn Fn(usize) -> bool) -> usize {
        let mut first = place;
        while first >= 2 && self.is_tie(first - 1) && is_gone(first - 2) {
            first -= 2;
        }
        first
    }

    fn is_tie(&self, place: usize) -> bool {
        let text = self
            .leaves
            .get(place)
            .map(|&leaf| self.context.document().text(leaf));
        text.is_some_and(|text| [&b"::"[..], b".", b"\\"].contains(&text))
    }

    fn is_word_at(&self, place: usize) -> bool {
        let leaf = self.leaves.get(place);
        leaf.is_some_and(|&leaf| is_word(self.context.document().text(leaf)))
    }

    /// The unit around the path between these places, which is more than a part of that.
    fn unit_around(&self, path: Range<usize>) -> Option<NodeId> {
        let document = self.context.document();
        let (first, last) = (self.leaves[path.start], self.leaves[path.end]);
        let is_part = |at: NodeId| {
            let range = document.node(at).range();
            document.node(first).range().start <= range.start
                && range.end <= document.node(last).range().end
        };
        let mut at = first;
        while at != 0 && is_part(at) {
            at = document.node(at).parent;
        }
        self.context.unit_map().around(document, at)
    }

    /// What stands around the elements of a namespace: all of it if there are none.
    fn opened(&self, block: NodeId) -> Option<Vec<Range<NodeId>>> {
        let document = self.context.document();
        let end = document.node(block).end_id;
        let all = || std::iter::once(block..end).collect();
        let Some(body) = document.child_in_field(block, "body") else {
            return Some(all());
        };
        let Some(elements) = elements(document, body) else {
            let is_empty = document.node(body).tokens <= 2;
            return is_empty.then(all);
        };
        let last = *elements.last()?;
        Some(vec![block..elements[0], document.node(last).end_id..end])
    }

    fn leaves_in(&self, nodes: &Range<NodeId>) -> &[NodeId] {
        let first = self.leaves.partition_point(|&leaf| leaf < nodes.start);
        let end = self.leaves.partition_point(|&leaf| leaf < nodes.end);
        &self.leaves[first..end]
    }

    fn tokens(&self, nodes: &Range<NodeId>) -> u32 {
        u32::try_from(self.leaves_in(nodes).len()).unwrap_or(u32::MAX)
    }

    /// The deletion of all leaves of a range.
    fn deletion(&self, nodes: &Range<NodeId>) -> Option<Splice> {
        let document = self.context.document();
        let leaves = self.leaves_in(nodes);
        let start = document.node(*leaves.first()?).range().start;
        let end = document.node(*leaves.last()?).range().end;
        Some(Splice::deletion(start..end))
    }
}

fn is_word(text: &[u8]) -> bool {
    text.first()
        .is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::offered;

    /// What is left after each proposal, with single blanks.
    fn without(language: &str, text: &str) -> Vec<String> {
        let found = offered(language, text, namespaces).into_iter();
        let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        found.map(words).collect()
    }

    #[test]
    fn all_blocks_of_a_name_are_opened_at_once() {
        let text =
            "namespace a { struct b; } namespace a { struct c { a::b *d; ::a::b *e; }; } a::c f;";
        let wanted = ["struct b; struct c { b *d; ::b *e; }; c f;"];
        assert_eq!(without("cpp", text), wanted);
        let text = "namespace A { export const b = 1; }\nlet c = A.b;\n";
        assert_eq!(
            without("typescript", text),
            ["export const b = 1; let c = b;"]
        );
    }

    #[test]
    fn what_only_names_a_namespace_goes_with_it() {
        let text = "namespace a { namespace b { struct c; struct d; } } using namespace a::b; using a::b::c; \
            namespace e = a; e::b::d *f; c *g;";
        let expected = [
            "struct c; struct d; d *f; c *g;",
            "namespace b { struct c; struct d; } using namespace b; using b::c; b::d *f; c *g;",
            "namespace a { struct c; struct d; } using namespace a; using a::c; namespace e = a; e::d *f; c *g;",
        ];
        assert_eq!(without("cpp", text), expected);
    }

    #[test]
    fn a_part_of_a_longer_name_goes_alone() {
        let text = "namespace a::b { int c; } int d = a::b::c; void b();";
        let both = "int c; int d = c; void b();";
        let first = "namespace b { int c; } int d = b::c; void b();";
        let last = "namespace a { int c; } int d = a::c; void b();";
        assert_eq!(without("cpp", text), [both, first, last]);
    }
}
