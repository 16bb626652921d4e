//! The children of one or more nodes as one list for a list minimiser, and what "removing" some of them means.
//!
//! A child that the syntax needs is replaced by the least text that its place takes (the minimal replacement Φ); a separator goes
//! with its element. Children whose removal would save nothing are not offered.

mod changes;

use super::hoist::Order;
use super::outline::Outline;
use super::removal::{Members, Removal};
use crate::minimize::{Runs, Weights};
use crate::syntax::NodeId;
use fixedbitset::FixedBitSet;
use std::ops::Range;

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
    /// Neighbouring elements with the same number here can go as one stretch, with the separators and extras between them.
    lists: Vec<u32>,
    list: u32,
    /// The elements that part their rows as long as they stay: what goes on one side makes no difference for the other.
    parting: FixedBitSet,
    /// The slots that do so and are no elements, so that they always stay.
    walls: Vec<usize>,
}

/// The children of one node.
#[derive(Debug)]
struct Row {
    shape: Shape,
    window: Range<u32>,
    slots: Range<usize>,
    offered: Range<usize>,
    walls: Range<usize>,
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
        let row = level.begin_row(Shape::Root, whole(outline));
        let has_text = !outline.document().bytes().is_empty();
        level.push(0, None, has_text, has_text);
        level.end_row(row);
        level
    }

    /// The children of these nodes (tops of units, in document order). Cost: linear in their number.
    pub(super) fn below(outline: &Outline, tops: &[NodeId], offer: Offer) -> Self {
        let mut level = Self::empty(offer);
        for &top in tops {
            let body = outline.body(top);
            match outline.flattened(body) {
                Some(elements) => level.add_flattened(outline, body, elements),
                None => level.add_children(outline, body),
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

    fn add_flattened(&mut self, outline: &Outline, body: NodeId, elements: Vec<NodeId>) {
        let window = outline.span(body);
        let members = Members::new(outline, outline.document().node(elements[0]).parent);
        let cutter = members.cutter(outline, window.clone());
        let place = members
            .nodes()
            .iter()
            .position(|&member| member == elements[0]);
        let least =
            place.and_then(|place| cutter.without(std::slice::from_ref(&(place..place + 1))));
        let least = least.and_then(|splices| Some(splices.first()?.text.to_vec()));
        let row = self.begin_row(Shape::Flattened(least.unwrap_or_default()), window);
        for element in elements {
            self.parting.grow_and_insert(self.offered.len());
            self.push(element, None, true, true);
        }
        self.end_row(row);
    }

    fn add_children(&mut self, outline: &Outline, body: NodeId) {
        let document = outline.document();
        let window = if body == 0 {
            whole(outline)
        } else {
            outline.span(body)
        };
        let members = Members::new(outline, body);
        let cutter = members.cutter(outline, window.clone());
        let starts = self.begin_row(Shape::Root, window.clone());
        let mut place = 0;
        let mut previous = None;
        for child in document.children(body) {
            let node = document.node(child);
            let has_text = node.end > node.start;
            if node.is_extra() {
                self.push(child, None, has_text, has_text);
                continue;
            }
            let removal = if has_text {
                cutter.removal(place)
            } else {
                Removal::Pointless
            };
            let offered = match self.offer {
                Offer::Replaceable => removal != Removal::Pointless,
                Offer::Removable => removal == Removal::Free,
            };
            if offered && previous.is_some_and(|previous| !cutter.repeats(previous, place)) {
                self.list += 1;
            }
            if cutter.settles(place) {
                if offered {
                    self.parting.grow_and_insert(self.offered.len());
                } else if has_text {
                    self.walls.push(self.slots.len());
                }
            }
            self.push(
                child,
                u32::try_from(place).ok(),
                offered,
                removal == Removal::Free,
            );
            if offered {
                previous = Some(place);
            }
            place += 1;
        }
        let shape = Shape::Children(members);
        self.end_row(Row { shape, ..starts });
    }

    fn empty(offer: Offer) -> Self {
        Self {
            offer,
            slots: Vec::new(),
            rows: Vec::new(),
            offered: Vec::new(),
            lists: Vec::new(),
            list: 0,
            parting: FixedBitSet::new(),
            walls: Vec::new(),
        }
    }

    fn begin_row(&mut self, shape: Shape, window: Range<u32>) -> Row {
        self.list += 1;
        let (slots, offered, walls) = (self.slots.len(), self.offered.len(), self.walls.len());
        Row {
            shape,
            window,
            slots: slots..slots,
            offered: offered..offered,
            walls: walls..walls,
        }
    }

    fn end_row(&mut self, mut row: Row) {
        row.slots.end = self.slots.len();
        row.offered.end = self.offered.len();
        row.walls.end = self.walls.len();
        self.rows.push(row);
    }

    fn push(&mut self, node: NodeId, place: Option<u32>, offered: bool, is_removable: bool) {
        if offered {
            self.offered.push(self.slots.len());
            self.lists.push(self.list);
        }
        self.slots.push(Slot {
            node,
            place,
            is_removable,
        });
    }

    fn place(&self, slot: usize) -> Option<usize> {
        self.slots[slot].place.map(|place| place as usize)
    }
}

/// All bytes of a document.
fn whole(outline: &Outline) -> Range<u32> {
    0..u32::try_from(outline.document().bytes().len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::draft::Draft;
    use super::*;
    use crate::syntax::{Document, Language};

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
                let changes = level.changes(&outline, &gone, &all.subtract(&gone));
                let mut out = Vec::new();
                Draft::new(document.bytes().clone())
                    .with(changes)
                    .render(&mut out);
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

    /// Drops elements of the level below some node one after the other, each as a change of what was before, and all at once.
    #[track_caller]
    fn check_order(language: Option<&str>, text: &str, seed: u64) {
        let document = Document::new(text.as_bytes(), language.and_then(Language::named));
        let outline = Outline::new(document.clone());
        let render = |draft: &Draft| {
            let mut out = Vec::new();
            draft.render(&mut out);
            String::from_utf8(out).unwrap()
        };
        let mut tops = vec![0];
        while !tops.is_empty() {
            let level = Level::below(&outline, &tops, Offer::Replaceable);
            let all = Runs::from_range(0..level.offered.len());
            let (mut kept, mut state) = (all.clone(), seed);
            let mut draft = Draft::new(document.bytes().clone());
            for _ in 0..level.offered.len() {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let start = usize::try_from(state >> 33).unwrap() % level.offered.len();
                let range = start
                    ..level
                        .offered
                        .len()
                        .min(start + 1 + (state >> 60) as usize % 4);
                let gone = Runs::from_range(range).intersect(&kept);
                kept = kept.subtract(&gone);
                draft = draft.with(level.changes(&outline, &gone, &kept)).accepted();
                let at_once = level.changes(&outline, &all.subtract(&kept), &kept);
                let at_once = Draft::new(document.bytes().clone()).with(at_once);
                assert_eq!(render(&draft), render(&at_once), "{text}");
            }
            let nodes = level.slots.iter().map(|slot| slot.node);
            tops = nodes.filter(|&top| !outline.is_leaf(top)).collect();
        }
    }

    #[test]
    fn the_way_to_a_selection_makes_no_difference() {
        let javascript = "// a\nlet a = [1, 2, , 3], b; // c\nclass D { e; f() {} g = 1; h() { return } }\n\
            import i, { j, k as l } from 'm'; for (;;) {} if (n) o; else p; q(r, ...s) + t * u.v.w - x ? y : `z`;\n";
        let c = "int a, *b = c, d[2]; /* e */ struct f { int g; char h : 3; };\n#if I\nint j(int k, l m) { n: ; o(p); }\n#else\nint q;\n#endif\n\
            int r = s ? t : u; enum v { w, x = 1, y };\nvoid z(void) { for (a = 1; a < 2; a++) { b(c); } switch (d) { case 1: e(); break; default: ; } }\n";
        for seed in 0..40 {
            check_order(Some("javascript"), javascript, seed);
            check_order(Some("c"), c, seed);
            check_order(
                Some("json"),
                "[1, [2, 3, 4, 5, 6], {\"a\": 7, \"b\": [], \"c\": {}}, 8, 9]",
                seed,
            );
            check_order(
                Some("python"),
                "def f(a, b=1, *c):\n    d()\n    # e\n    g(); h(i, j)\nk = [l for m in n if o]\n",
                seed,
            );
            check_order(
                Some("xml"),
                "<!DOCTYPE a [<!ELEMENT a (b, (c, d))>]><a b='c' d='e'>f<g/><h>i</h></a>",
                seed,
            );
            check_order(None, "a b\n  c (d e) f\n  g\nh\n", seed);
        }
    }
}
