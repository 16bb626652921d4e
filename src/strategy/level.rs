//! The children of one or more nodes as one list for a list minimiser, and what "removing" some of them means.
//!
//! A child that the syntax needs is replaced by the least text that its place takes (the minimal replacement Φ); a separator goes
//! with its element. Children whose removal would save nothing are not offered.

use super::hoist::Order;
use super::outline::Outline;
use crate::minimize::{Runs, Weights};
use crate::pass::drops::{Blanks, Members, Removal, window, with_blanks};
use crate::syntax::{Document, Edit, NodeId, Splice};
use std::{ops::Range, slice};

/// Which children are offered to the list minimiser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offer {
    /// All that can be removed or replaced by less.
    Replaceable,
    /// Only those that can be removed: the coarse variants.
    Removable,
}

/// One child, and what stands in its place now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) node: NodeId,
    /// Its number in the row of its parent; `None` for the root, extras and the elements of a flattened list.
    pub(super) place: Option<u32>,
    /// Whether it could just go.
    pub(super) is_removable: bool,
}

/// Some rows of children, in document order.
#[derive(Debug)]
pub(super) struct Level {
    offer: Offer,
    slots: Vec<Slot>,
    rows: Vec<Row>,
    /// The slots that are the elements of the list.
    offered: Vec<usize>,
}

/// The children of one node.
#[derive(Debug)]
struct Row {
    shape: Shape,
    window: Range<usize>,
    offered: Range<usize>,
}

#[derive(Debug)]
enum Shape {
    /// The root of the tree alone.
    Root,
    /// The children of a node.
    Children(Members),
    /// The elements of a flattened list, and what stands there when all go.
    Flattened(Vec<u8>),
}

impl Level {
    /// The root of the tree, which nothing holds.
    pub(super) fn root(outline: &Outline) -> Self {
        let mut level = Self::empty(Offer::Removable);
        let has_text = !outline.document().bytes().is_empty();
        level.push(0, None, has_text, has_text);
        level.end_row(Shape::Root, window(outline.document(), 0));
        level
    }

    /// The children of these nodes (tops of units, in document order). Cost: linear in their number.
    pub(super) fn below(outline: &Outline, tops: &[NodeId], offer: Offer) -> Self {
        let mut level = Self::empty(offer);
        for &top in tops {
            let body = outline.body(top);
            match outline.flattened(body) {
                Some(elements) => level.add_flattened(outline.document(), body, elements),
                None => level.add_children(outline.document(), body),
            }
        }
        level
    }

    pub(super) fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// How many elements there are.
    pub(super) fn elements(&self) -> usize {
        self.offered.len()
    }

    /// Those of `slots` that are hoisted in this order.
    pub(super) fn hoisted(&self, offer: Offer, order: Order, mut slots: Vec<usize>) -> Vec<usize> {
        if offer == Offer::Removable && order != Order::MostSavedFirst {
            slots.retain(|&slot| self.slots[slot].is_removable);
        }
        slots
    }

    /// The weights of the elements: the tokens below them.
    pub(super) fn weights(&self, outline: &Outline) -> Weights {
        let tokens = |&slot: &usize| outline.document().node(self.slots[slot].node).tokens;
        Weights::Each(self.offered.iter().map(tokens).collect())
    }

    /// The slots that stay when of the elements only `kept` do.
    pub(super) fn remaining(&self, kept: &Runs) -> Vec<usize> {
        let mut stays = vec![true; self.slots.len()];
        for &slot in &self.offered {
            stays[slot] = false;
        }
        for element in kept.iter() {
            stays[self.offered[element]] = true;
        }
        (0..stays.len()).filter(|&slot| stays[slot]).collect()
    }

    /// What goes when of the elements only `kept` stay. Cost: linear in those that go.
    pub(super) fn edit(&self, document: &Document, kept: &Runs) -> Edit {
        let dropped = Runs::from_range(0..self.offered.len()).subtract(kept);
        let mut dropped = dropped.iter().peekable();
        let mut splices = Vec::new();
        while let Some(&first) = dropped.peek() {
            let row = self.rows.partition_point(|row| row.offered.end <= first);
            let row = &self.rows[row];
            let mut gone = Vec::new();
            while let Some(element) = dropped.next_if(|&next| next < row.offered.end) {
                gone.push(element);
            }
            match &row.shape {
                Shape::Root => splices.push(Splice::deletion(row.window.clone())),
                Shape::Children(members) => {
                    let slots = gone
                        .iter()
                        .map(|&element| self.slots[self.offered[element]]);
                    cut(document, row, members, slots, &mut splices);
                }
                Shape::Flattened(least) => {
                    let gone: Runs = gone.into_iter().collect();
                    self.cut_flattened(document, row, &gone, least, &mut splices);
                }
            }
        }
        Edit::new(splices)
    }

    /// An element goes with the operator before it, the first with the one behind it.
    fn cut_flattened(
        &self,
        document: &Document,
        row: &Row,
        gone: &Runs,
        instead: &[u8],
        splices: &mut Vec<Splice>,
    ) {
        if gone.len() == row.offered.len() {
            splices.push(Splice::replacement(row.window.clone(), instead));
            return;
        }
        let range = |element: usize| {
            document
                .node(self.slots[self.offered[element]].node)
                .range()
        };
        splices.extend(gone.ranges().map(|run| {
            Splice::deletion(if run.start == row.offered.start {
                range(run.start).start..range(run.end).start
            } else {
                range(run.start - 1).end..range(run.end - 1).end
            })
        }));
    }

    fn add_flattened(&mut self, document: &Document, body: NodeId, elements: Vec<NodeId>) {
        let members = Members::of(document, document.node(elements[0]).parent);
        let mut places = members.nodes().iter();
        let place = places.position(|&member| member == elements[0]);
        let least = place
            .and_then(|place| members.without(document, slice::from_ref(&place), Blanks::Stay))
            .and_then(|splices| Some(splices.first()?.text.to_vec()));
        for element in elements {
            self.push(element, None, true, true);
        }
        let shape = Shape::Flattened(least.unwrap_or_default());
        self.end_row(shape, document.node(body).range());
    }

    fn add_children(&mut self, document: &Document, body: NodeId) {
        let members = Members::of(document, body);
        let mut place = 0;
        for child in document.children(body) {
            let node = document.node(child);
            let has_text = node.end > node.start;
            if node.is_extra() {
                self.push(child, None, has_text, has_text);
                continue;
            }
            let removal = if has_text {
                members.removal(document, place)
            } else {
                Removal::Pointless
            };
            let is_free = removal == Removal::Free;
            let offered = match self.offer {
                Offer::Replaceable => removal != Removal::Pointless,
                Offer::Removable => is_free,
            };
            self.push(child, u32::try_from(place).ok(), offered, is_free);
            place += 1;
        }
        self.end_row(Shape::Children(members), window(document, body));
    }

    fn empty(offer: Offer) -> Self {
        Self {
            offer,
            slots: Vec::new(),
            rows: Vec::new(),
            offered: Vec::new(),
        }
    }

    /// What was pushed since the last row is one.
    fn end_row(&mut self, shape: Shape, window: Range<usize>) {
        let start = self.rows.last().map_or(0, |row| row.offered.end);
        self.rows.push(Row {
            shape,
            window,
            offered: start..self.offered.len(),
        });
    }

    fn push(&mut self, node: NodeId, place: Option<u32>, offered: bool, is_removable: bool) {
        if offered {
            self.offered.push(self.slots.len());
        }
        self.slots.push(Slot {
            node,
            place,
            is_removable,
        });
    }
}

/// Drops some children of a node: together where the grammar gives a way, and else each as if it went alone.
fn cut(
    document: &Document,
    row: &Row,
    members: &Members,
    slots: impl Iterator<Item = Slot>,
    splices: &mut Vec<Splice>,
) {
    let mut places = Vec::new();
    for slot in slots {
        if let Some(place) = slot.place {
            places.push(place as usize);
        } else {
            let range = document.node(slot.node).range();
            splices.push(with_blanks(document, &row.window, range));
        }
    }
    let without = |places: &[usize]| members.without(document, places, Blanks::Go);
    splices.extend(without(&places).unwrap_or_else(|| {
        let alone = places.iter().map(slice::from_ref);
        alone.filter_map(without).flatten().collect()
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Joint, Language};

    /// Removes the element with this text from the first row that offers it.
    #[track_caller]
    fn check(language: &str, text: &str, removed: &str, expected: Option<&str>) {
        let document = Document::new(text.as_bytes(), Language::named(language));
        let outline = Outline::new(document.clone());
        let mut tops = vec![0];
        let result = loop {
            if tops.is_empty() {
                break None;
            }
            let level = Level::below(&outline, &tops, Offer::Replaceable);
            let is_meant =
                |&slot: &usize| document.text(level.slots[slot].node) == removed.as_bytes();
            if let Some(element) = level.offered.iter().position(is_meant) {
                let all = Runs::from_range(0..level.offered.len());
                let gone = Runs::from_range(element..element + 1);
                let edit = level.edit(&document, &all.subtract(&gone));
                let mut out = Vec::new();
                edit.render(document.bytes(), Joint::KeepTokensApart, &mut out);
                break Some(String::from_utf8(out).unwrap());
            }
            tops = level
                .slots
                .iter()
                .map(|slot| slot.node)
                .filter(|&top| !outline.is_leaf(top))
                .collect();
        };
        assert_eq!(result.as_deref(), expected);
    }

    #[test]
    fn separators_go_with_their_elements() {
        check(
            "c",
            "void f() { g(a, b, c); }",
            "b",
            Some("void f() { g(a, c); }"),
        );
        check(
            "c",
            "void f() { g(a, b, c); }",
            "c",
            Some("void f() { g(a, b); }"),
        );
        check("javascript", "f([1, 2])", "1", Some("f([2])"));
        check(
            "json",
            "{\"a\": 1, \"b\": 2}",
            "\"b\": 2",
            Some("{\"a\": 1}"),
        );
    }

    #[test]
    fn what_the_syntax_needs_is_replaced() {
        check(
            "c",
            "int f() { return x; }",
            "{ return x; }",
            Some("int f() {}"),
        );
        check(
            "c",
            "void f() { if (x) y(); }",
            "y();",
            Some("void f() { if (x) ; }"),
        );
    }

    #[test]
    fn what_saves_nothing_is_not_offered() {
        for needless in [";", "(", "a", "0", "{", ","] {
            check(
                "c",
                "void f() { a(0, 0); }",
                needless,
                if needless == "0" {
                    Some("void f() { a(0); }")
                } else {
                    None
                },
            );
        }
    }

    #[test]
    fn an_operand_goes_with_its_operator() {
        check("c", "int x = a + b + c;", "b", Some("int x = a + c;"));
        check("c", "int x = a + b + c;", "a", Some("int x = b + c;"));
        check(
            "c",
            "int x = a + b - c * d;",
            "c * d",
            Some("int x = a + b;"),
        );
    }

    #[test]
    fn no_empty_lines_are_left_and_no_comment_swallows_code() {
        check(
            "c",
            "int a;\nint b;\nint c;\n",
            "int b;",
            Some("int a;\nint c;\n"),
        );
        check("c", "int a;\nint b;\n", "int a;", Some("int b;\n"));
        check(
            "c",
            "int a; // x\nint b; int c;\n",
            "int b;",
            Some("int a; // x\nint c;\n"),
        );
        check(
            "c",
            "int a; // x\nint b;\n",
            "// x",
            Some("int a;\nint b;\n"),
        );
        check(
            "python",
            "if x:\n    a()\n    b()\nc()\n",
            "b()",
            Some("if x:\n    a()\nc()\n"),
        );
    }
}
