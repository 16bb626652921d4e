//! Units: the sets of children that can go without hurting the syntax, by how deep they nest in each other.
//!
//! An element of a list with its separator, an optional part, a statement: whatever the grammar lets go is a unit. Units inside
//! units are asked about after the outer ones, level by level, so that large parts go first.

use super::{
    names::Names,
    proposal::{Proposal, fingerprint, only, siblings},
};
use crate::syntax::{Document, Edit, NodeId, Role};
use rustc_hash::FxHashMap;

/// Of one text, units of so many tokens are different ones.
const TOLD_APART: u32 = 4;

/// A removable child.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The child.
    pub node: NodeId,
    /// How many units it lies in.
    pub level: u32,
    /// Its removal.
    pub proposal: Proposal,
}

impl Unit {
    /// Whether it has a place in a list of arguments or parameters, so that without it the rest of the list would mean something else.
    pub(super) fn is_argument(&self, document: &Document) -> bool {
        let parent = document.node(self.node).parent;
        let mut lists = [Role::Arguments, Role::Parameters].into_iter();
        lists.any(|role| document.has_role(parent, role))
    }
}

/// All units of a document, in document order. Cost: linear in its nodes, times the length of a separator.
pub fn units(document: &Document, names: &Names) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut levels = vec![0u32; document.nodes().len()];
    for (parent, node) in (0..).zip(document.nodes()) {
        if document.is_leaf(parent) {
            continue;
        }
        let level = levels[parent as usize];
        for child in document.children(parent) {
            levels[child as usize] = level;
        }
        let row = document.row(parent);
        let siblings = siblings(document, parent, &row);
        let strays = document
            .children(parent)
            .filter(|&child| is_stray(document, child));
        for child in strays {
            levels[child as usize] = level + 1;
            units.push(stray(document, names, child, level));
        }
        for (place, &child) in (0u32..).zip(&row) {
            let visible = document.node(child).is_named();
            let droppable = siblings.as_ref().map_or(visible, |siblings| {
                let alone = siblings.can_drop(place as usize..place as usize + 1);
                alone || (visible && siblings.can_go(place as usize))
            });
            let empty = document.node(child).start == document.node(child).end;
            let whole = document.node(child).range() == node.range() && parent != 0;
            if droppable && !empty && !whole {
                levels[child as usize] = level + 1;
                units.push(Unit {
                    node: child,
                    level,
                    proposal: removal(document, names, parent, place, &row),
                });
            }
        }
    }
    tell_apart(document, &mut units);
    units
}

/// Gives large units signatures of their own that have the text of one before them in the same row: that the first is needed says
/// nothing of a declaration that is made twice. Cost: linear.
fn tell_apart(document: &Document, units: &mut [Unit]) {
    let mut seen: FxHashMap<(NodeId, u64), u64> = FxHashMap::default();
    let large = units
        .iter_mut()
        .filter(|unit| unit.proposal.weight >= TOLD_APART);
    for unit in large {
        let signature = unit.proposal.signature;
        let parent = document.node(unit.node).parent;
        let before = seen.entry((parent, signature)).or_default();
        if *before > 0 {
            let [signature, before] = [signature, *before].map(u64::to_le_bytes);
            unit.proposal.signature = fingerprint(&[b"again", &signature, &before]);
            unit.proposal.is_repeated = true;
        }
        *before += 1;
    }
}

/// Whether a child has no place in its row because the parser did not understand it.
fn is_stray(document: &Document, child: NodeId) -> bool {
    let node = document.node(child);
    node.is_error() && node.is_extra() && node.end > node.start
}

/// A child without a place in the row of its parent.
fn stray(document: &Document, names: &Names, child: NodeId, level: u32) -> Unit {
    let proposal = Proposal {
        edit: Edit::deletion(document.node(child).range()),
        weight: document.node(child).tokens.max(1),
        declares: names.exported_by(document, child),
        takes: only(child..document.node(child).end_id),
        signature: fingerprint(&[b"stray", &document.fingerprint(child).to_le_bytes()]),
        ..Proposal::default()
    };
    Unit {
        node: child,
        level,
        proposal,
    }
}

/// The removal of the child at a place in the row of its parent, with what stands before it, and behind, and belongs to it.
fn removal(
    document: &Document,
    names: &Names,
    parent: NodeId,
    place: u32,
    row: &[NodeId],
) -> Proposal {
    let child = row[place as usize];
    let first = first_before(document, row, place as usize);
    let end = end_behind(document, row, place as usize);
    let nodes = row[first]..document.node(row[end - 1]).end_id;
    let taken = row[first..end].iter();
    Proposal {
        drops: (0u32..)
            .take(end)
            .skip(first)
            .map(|place| (parent, place))
            .collect(),
        weight: taken
            .map(|&node| document.node(node).tokens)
            .sum::<u32>()
            .max(1),
        declares: names.exported_by(document, child),
        takes: only(nodes),
        signature: fingerprint(&[
            b"unit",
            &document.fingerprint(child).to_le_bytes(),
            document.kind_name(parent).as_bytes(),
        ]),
        ..Proposal::default()
    }
}

/// The place of the first child that belongs to the one at `place`, which is that itself if nothing before it does.
fn first_before(document: &Document, row: &[NodeId], place: usize) -> usize {
    let is_before = |node: NodeId| document.has_role(node, Role::Attributes);
    if is_before(row[place]) {
        return place;
    }
    let before = row[..place].iter().rev();
    place - before.take_while(|&&node| is_before(node)).count()
}

/// The place behind the child at `place` and what ends it, if that is a child of its own.
fn end_behind(document: &Document, row: &[NodeId], place: usize) -> usize {
    let is_end = |node: NodeId| document.has_role(node, Role::Ends);
    let has_end = !is_end(row[place]) && row.get(place + 1).is_some_and(|&next| is_end(next));
    place + 1 + usize::from(has_end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{assert_offers, sample};

    #[test]
    fn what_the_parser_does_not_understand_can_go() {
        use crate::syntax::Language;
        let document = Document::new(&b"int a; @ ) ] @ int b;"[..], Language::named("c"));
        let units = units(&document, &Names::of(&document));
        let proposals: Vec<Proposal> = units.into_iter().map(|unit| unit.proposal).collect();
        let found = crate::pass::testing::results(&document, &proposals);
        assert!(found.contains(&"int a;  int b;".to_string()), "{found:?}");
    }

    #[test]
    fn what_ends_something_goes_with_it() {
        if crate::syntax::Language::named("rust").is_none() {
            return;
        }
        let sample = sample("rust", "mod a { b!(c); fn d() {} }");
        let macro_call = sample
            .units()
            .iter()
            .find(|unit| sample.document().text(unit.node) == b"b!(c)");
        let edit =
            crate::pass::compose(sample.document(), [&macro_call.unwrap().proposal]).unwrap();
        let left = sample.document().edited(&edit);
        assert_eq!(&**left.bytes(), b"mod a {  fn d() {} }");
    }

    #[test]
    fn what_stands_twice_in_a_row_is_told_apart_if_it_is_large() {
        let sample = sample("c", "int a(int b); int a(int b); c; c;");
        let of_row = |unit: &&Unit| unit.level == 0;
        let proposals = sample.units().iter().filter(of_row).map(|it| &it.proposal);
        let known: Vec<(u64, bool)> = proposals
            .map(|proposal| (proposal.signature, proposal.is_repeated))
            .collect();
        assert_ne!(known[0].0, known[1].0);
        assert_eq!((known[0].1, known[1].1), (false, true));
        assert_eq!(known[2], known[3]);
    }

    #[test]
    fn what_can_go_goes_with_its_separator() {
        for (language, text, wanted) in [
            (
                "c",
                "int f(int a, int b) { g(); }",
                "int f( int b) { g(); }",
            ),
            (
                "c",
                "int f(int a, int b) { g(); }",
                "int f(int a, int b) {  }",
            ),
            (
                "rust",
                "#[a] #[b] struct S; #[c] fn f() {}",
                " #[c] fn f() {}",
            ),
            (
                "rust",
                "#[a] #[b] struct S; #[c] fn f() {}",
                "#[a]  struct S; #[c] fn f() {}",
            ),
            ("javascript", "[1, 2, 3]", "[1, 2]"),
            ("json", "{\"a\": 1, \"b\": 2}", "{ \"b\": 2}"),
            ("none", "f(a, b + 1, c)", "f(a , c)"),
            ("none", "a b; c; d;", "a b;  d;"),
            (
                "none",
                "select a, b from t where x = 1",
                "select a, b from t ",
            ),
            (
                "none",
                "select a, b from t where x = 1",
                "select a  from t where x = 1",
            ),
            ("none", "x || y || z", "x   || z"),
        ] {
            assert_offers(language, text, wanted, |sample| {
                let units = units(sample.document(), sample.names());
                units.into_iter().map(|unit| unit.proposal).collect()
            });
        }
    }
}
