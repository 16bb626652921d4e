//! What the text of a level loses when some of its elements go.
//!
//! A question changes few rows, and in a long row little: between two children that part it (see `Siblings::settles`) the splices
//! depend on nothing outside. So only these segments are made anew, and neighbours in a list are dropped as one stretch.

use super::super::draft::Change;
use super::super::outline::Outline;
use super::super::removal::{Cutter, range};
use super::{Level, Row, Shape};
use crate::minimize::Runs;
use crate::syntax::{Edit, Splice};
use std::{ops::Range, slice};

/// The elements between two that part the row, or its ends, and the bytes between those.
struct Segment {
    offered: Range<usize>,
    window: Range<u32>,
}

impl Level {
    /// What has to happen where an element of `changed` goes when of the elements only `kept` stay. Cost: for each range of
    /// `changed`, the logarithm of the elements and what lies between it and the next children that part its row.
    pub(in crate::strategy) fn changes(
        &self,
        outline: &Outline,
        changed: &Runs,
        kept: &Runs,
    ) -> Vec<Change> {
        let mut found = Vec::new();
        // The elements before this one have been dealt with.
        let mut done = 0;
        for range in changed.ranges() {
            let mut row = self
                .rows
                .partition_point(|row| row.offered.end <= range.start.max(done));
            while let Some(here) = self.rows.get(row) {
                let start = range.start.max(done).max(here.offered.start);
                let end = range.end.min(here.offered.end);
                if start < end {
                    let segment = self.segment(outline, here, start..end, kept);
                    done = segment.offered.end;
                    found.push(self.change(outline, here, segment, kept));
                } else if here.offered.start >= range.end {
                    break;
                }
                row += 1;
            }
        }
        found
    }

    /// The part of a row that the elements in `changed` belong to.
    fn segment(&self, outline: &Outline, row: &Row, changed: Range<usize>, kept: &Runs) -> Segment {
        let (left, right) = self.ends(row, changed, kept);
        let span = |slot: usize| outline.span(self.slots[slot].node);
        let inside = &self.offered[row.offered.clone()];
        let start = left.map_or(0, |left| inside.partition_point(|&slot| slot <= left));
        let end = right.map_or(inside.len(), |right| {
            inside.partition_point(|&slot| slot < right)
        });
        Segment {
            offered: row.offered.start + start..row.offered.start + end,
            window: left.map_or(row.window.start, |left| span(left).end)
                ..right.map_or(row.window.end, |right| span(right).start),
        }
    }

    /// The nearest slots on both sides of `changed` that stay and part the row.
    fn ends(
        &self,
        row: &Row,
        changed: Range<usize>,
        kept: &Runs,
    ) -> (Option<usize>, Option<usize>) {
        let nearest = |positions: &mut dyn Iterator<Item = usize>| {
            positions
                .map_while(|position| kept.select(position))
                .take_while(|element| row.offered.contains(element))
                .find(|&element| self.parting.contains(element))
                .map(|element| self.offered[element])
        };
        let walls = &self.walls[row.walls.clone()];
        let first = self.offered[changed.start];
        let (before, behind) = walls.split_at(walls.partition_point(|&wall| wall < first));
        let last = self.offered[changed.end - 1];
        let behind = &behind[behind.partition_point(|&wall| wall < last)..];
        let left = nearest(&mut (0..kept.rank(changed.start)).rev());
        let right = nearest(&mut (kept.rank(changed.end)..kept.len()));
        let walls = (before.last().copied(), behind.first().copied());
        (left.max(walls.0), right.into_iter().chain(walls.1).min())
    }

    fn change(&self, outline: &Outline, row: &Row, segment: Segment, kept: &Runs) -> Change {
        let dropped = Runs::from_range(segment.offered).subtract(kept);
        let splices = match &row.shape {
            Shape::Root => vec![Splice::deletion(range(&row.window))],
            Shape::Children(members) => {
                let cutter = members.cutter(outline, segment.window.clone());
                self.without_children(outline, &cutter, &dropped)
            }
            Shape::Flattened(least) => self.without_elements(outline, row, &dropped, least),
        };
        Change {
            window: segment.window,
            splices: Edit::new(splices).splices().to_vec(),
        }
    }

    fn without_children(&self, outline: &Outline, cutter: &Cutter, dropped: &Runs) -> Vec<Splice> {
        let mut stretches = Vec::new();
        let mut extras = Vec::new();
        for range in dropped.ranges() {
            self.stretches(range, &mut stretches, &mut extras);
        }
        let mut splices = cutter.without(&stretches).unwrap_or_else(|| {
            let places = dropped
                .iter()
                .filter_map(|element| self.place(self.offered[element]));
            let alone =
                places.filter_map(|place| cutter.without(slice::from_ref(&(place..place + 1))));
            alone.flatten().collect()
        });
        splices.extend(
            extras
                .into_iter()
                .map(|slot: usize| cutter.deletion(outline.span(self.slots[slot].node))),
        );
        splices
    }

    /// The stretches of children that go with a range of elements, and the slots of the extras beside them.
    fn stretches(
        &self,
        elements: Range<usize>,
        stretches: &mut Vec<Range<usize>>,
        extras: &mut Vec<usize>,
    ) {
        let mut start = elements.start;
        while start < elements.end {
            let number = self.lists[start];
            let length = self.lists[start..elements.end].partition_point(|&list| list == number);
            let slots = &self.offered[start..start + length];
            start += length;
            let is_member = |&slot: &usize| self.slots[slot].place.is_some();
            let Some(first) = slots.iter().position(is_member) else {
                extras.extend(slots);
                continue;
            };
            let last = slots.iter().rposition(is_member).unwrap_or(first);
            extras.extend(slots[..first].iter().chain(&slots[last + 1..]));
            let (Some(from), Some(to)) = (self.place(slots[first]), self.place(slots[last])) else {
                continue;
            };
            match stretches.last_mut() {
                Some(stretch) if stretch.end == from => stretch.end = to + 1,
                _ => stretches.push(from..to + 1),
            }
        }
    }

    /// An element goes with the operator before it, the first with the one behind it.
    fn without_elements(
        &self,
        outline: &Outline,
        row: &Row,
        dropped: &Runs,
        instead: &[u8],
    ) -> Vec<Splice> {
        if dropped.len() == row.slots.len() {
            return vec![Splice::replacement(range(&row.window), instead)];
        }
        let span = |element: usize| range(&outline.span(self.slots[self.offered[element]].node));
        let splice = |run: Range<usize>| {
            Splice::deletion(if run.start == row.offered.start {
                span(run.start).start..span(run.end).start
            } else {
                span(run.start - 1).end..span(run.end - 1).end
            })
        };
        dropped.ranges().map(splice).collect()
    }
}
