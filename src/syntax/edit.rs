//! Edits: sets of byte ranges with replacements, applied as one.
//!
//! Everything that a reduction does to a document is such a set. Hoisting a descendant is the deletion of what stands left and
//! right of it, so edits compose: see [`Edit::union`].

use crate::lexis::melt;
use std::{ops::Range, sync::Arc};

/// One range of the document and the text that takes its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Splice {
    /// First byte that goes.
    pub start: u32,
    /// First byte that stays.
    pub end: u32,
    /// What stands there instead; mostly nothing.
    pub text: Arc<[u8]>,
    /// Whether it lies inside of one token, whose two ends then touch whatever they are.
    is_inside: bool,
}

/// How the bytes on both sides of a deletion meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// They just touch: for lines, characters and bytes.
    Touch,
    /// A space is put between them if two tokens would become one.
    KeepTokensApart,
}

/// Sorted splices that do not overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Edit {
    splices: Vec<Splice>,
}

impl Splice {
    /// The deletion of a range.
    pub fn deletion(range: Range<usize>) -> Self {
        Self::replacement(range, &[])
    }

    /// Another text in the place of a range. One that ends before it starts is empty.
    pub fn replacement(range: Range<usize>, text: &[u8]) -> Self {
        Self {
            start: narrow(range.start),
            end: narrow(range.end.max(range.start)),
            // All that have none share one.
            text: Some(text)
                .filter(|text| !text.is_empty())
                .map_or_else(Arc::default, Into::into),
            is_inside: false,
        }
    }

    /// The deletion of a part of one token: of a string's text, or of a number's digits.
    pub fn inside(range: Range<usize>) -> Self {
        Self {
            is_inside: true,
            ..Self::deletion(range)
        }
    }

    /// The range that goes.
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl Edit {
    /// An edit from splices in any order; see [`Edit::union`] for what happens where they overlap.
    pub fn new(mut splices: Vec<Splice>) -> Self {
        // The outermost of several splices with one start comes first.
        splices.sort_by(|left, right| (left.start, right.end).cmp(&(right.start, left.end)));
        let mut merged: Vec<Splice> = Vec::with_capacity(splices.len());
        for splice in splices {
            match merged.last_mut() {
                Some(last) if splice.start < last.end => absorb(last, &splice),
                // Two insertions at one place, or a deletion that starts where an insertion stands.
                Some(last) if *last == splice => {}
                _ => merged.push(splice),
            }
        }
        Self { splices: merged }
    }

    /// The deletion of one range.
    pub fn deletion(range: Range<usize>) -> Self {
        Self {
            splices: vec![Splice::deletion(range)],
        }
    }

    /// The deletion of what a range has left and right of a part of it.
    pub fn around(range: Range<usize>, part: Range<usize>) -> Self {
        let gone = [range.start..part.start, part.end..range.end];
        let gone = gone.into_iter().filter(|gone| !gone.is_empty());
        Self {
            splices: gone.map(Splice::deletion).collect(),
        }
    }

    /// Another text in the place of one range.
    pub fn replacement(range: Range<usize>, text: &[u8]) -> Self {
        Self {
            splices: vec![Splice::replacement(range, text)],
        }
    }

    /// The splices, sorted, none overlapping another.
    pub fn splices(&self) -> &[Splice] {
        &self.splices
    }

    /// The first byte that changes.
    pub fn start(&self) -> Option<usize> {
        self.splices.first().map(|splice| splice.range().start)
    }

    /// Whether all of a range goes, or other text takes its place.
    pub fn covers(&self, range: &Range<usize>) -> bool {
        let behind = self
            .splices
            .partition_point(|splice| splice.range().start <= range.start);
        behind > 0 && self.splices[behind - 1].range().end >= range.end
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.splices.is_empty()
    }

    /// Both edits as one. Where a splice lies inside another the outer one wins; where two overlap in part, both ranges go and
    /// both texts stay.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        if self.is_empty() {
            return other.clone();
        }
        Self::new(self.splices.iter().chain(&other.splices).cloned().collect())
    }

    /// How many bytes shorter the document gets; negative when it grows.
    pub fn saved_bytes(&self) -> i64 {
        self.splices
            .iter()
            .map(|splice| {
                i64::from(splice.end - splice.start) - splice.text.len().cast_signed() as i64
            })
            .sum()
    }

    /// Whether a splice of this edit touches one of the other.
    pub fn conflicts_with(&self, other: &Self) -> bool {
        let (mut left, mut right) = (
            self.splices.iter().peekable(),
            other.splices.iter().peekable(),
        );
        while let (Some(one), Some(two)) = (left.peek(), right.peek()) {
            if one.start < two.end && two.start < one.end {
                return true;
            }
            if one.end <= two.start {
                left.next();
            } else {
                right.next();
            }
        }
        false
    }

    /// Appends the edited bytes to `out`. Cost: one copy of what stays. Splices beyond the end of `bytes` are cut off there.
    pub fn render(&self, bytes: &[u8], joint: Joint, out: &mut Vec<u8>) {
        self.render_noting(bytes, joint, out, |_, _| {});
    }

    /// The same, with a call for each splice, in order: which bytes went, and which of `out` stand there now. Where the blanks before one
    /// went with it, and those were another's, the two overlap.
    pub fn render_noting(
        &self,
        bytes: &[u8],
        joint: Joint,
        out: &mut Vec<u8>,
        mut note: impl FnMut(Range<usize>, Range<usize>),
    ) {
        let mut position = 0;
        // What goes with the splice before, and where what stands for it begins.
        let mut open: Option<(Range<usize>, usize)> = None;
        // Nothing stands before the first piece that it could melt into.
        let mut before = Joint::Touch;
        for splice in &self.splices {
            let start = (splice.start as usize).min(bytes.len());
            let own = if splice.is_inside {
                Joint::Touch
            } else {
                joint
            };
            let kept = &bytes[position.min(start)..start];
            append(kept, before, out);
            if let Some((old, new)) = open.take() {
                close(old, new..out.len() - kept.len(), &mut note);
            }
            let behind_kept = out.len();
            append(&splice.text, own, out);
            // Blanks before a text that begins with the end of a line have gone, too.
            let new = behind_kept.min(out.len() - splice.text.len());
            position = position.max((splice.end as usize).min(bytes.len()));
            open = Some((start.saturating_sub(behind_kept - new)..position, new));
            before = own;
        }
        append(&bytes[position..], before, out);
        if let Some((old, new)) = open {
            close(old, new..out.len() - (bytes.len() - position), &mut note);
        }
    }
}

/// Notes what stands for a splice, and before it the blanks that went with it.
fn close(old: Range<usize>, new: Range<usize>, note: &mut impl FnMut(Range<usize>, Range<usize>)) {
    let blanks = new.start.saturating_sub(new.end);
    let first = old.start.saturating_sub(blanks);
    note(first..old.end, new.start - blanks..new.end);
}

/// Merges `inner`, which starts inside `outer`, into it.
fn absorb(outer: &mut Splice, inner: &Splice) {
    if inner.end <= outer.end {
        return;
    }
    outer.end = inner.end;
    if !inner.text.is_empty() {
        outer.text = [&outer.text[..], &inner.text[..]].concat().into();
    }
}

/// Appends `piece`, with a space before it if it would melt into what stands before.
fn append(piece: &[u8], joint: Joint, out: &mut Vec<u8>) {
    if joint == Joint::KeepTokensApart {
        if piece.starts_with(b"\n") || piece.starts_with(b"\r\n") {
            // Where the end of the line is a token, blanks may not stand before it.
            let blanks = out.iter().rev().take_while(|byte| b" \t".contains(byte));
            out.truncate(out.len() - blanks.count());
        } else if melt(out, piece) {
            out.push(b' ');
        }
    }
    out.extend_from_slice(piece);
}

/// Offsets are kept in 32 bits: documents of 4 GiB and more are not parsed.
fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &str, splices: &[(usize, usize, &str)], joint: Joint, expected: &str) {
        let splices = splices
            .iter()
            .map(|(start, end, text)| Splice::replacement(*start..*end, text.as_bytes()));
        let mut out = Vec::new();
        Edit::new(splices.collect()).render(bytes.as_bytes(), joint, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn deletions_inside_a_larger_one_are_swallowed() {
        check("abcdef", &[(2, 3, ""), (1, 5, "X")], Joint::Touch, "aXf");
    }

    #[test]
    fn deletions_that_overlap_in_part_are_joined() {
        check("abcdef", &[(1, 3, ""), (2, 5, "")], Joint::Touch, "af");
    }

    #[test]
    fn neighbours_stay_apart() {
        check("abcdef", &[(1, 3, "X"), (3, 5, "Y")], Joint::Touch, "aXYf");
    }

    #[test]
    fn words_do_not_melt_when_what_was_between_them_goes() {
        check("a/**/b", &[(1, 5, "")], Joint::KeepTokensApart, "a b");
        check("a(b)", &[(1, 2, "")], Joint::KeepTokensApart, "a b)");
        check("a, b", &[(1, 2, "")], Joint::KeepTokensApart, "a b");
        check("a+(+b)", &[(2, 3, "")], Joint::KeepTokensApart, "a+ +b)");
        check("a.b", &[(0, 1, "0")], Joint::KeepTokensApart, "0 .b");
        check("a.b", &[(0, 1, "x0")], Joint::KeepTokensApart, "x0.b");
    }

    #[test]
    fn what_is_noted_is_all_that_changed() {
        for (text, splices) in [
            (
                "a/**/b, c + d;",
                &[(1, 5, ""), (6, 7, ""), (11, 13, "x\ny")][..],
            ),
            ("a b  \n c d", &[(2, 3, ""), (7, 8, "e ")]),
            ("a b \n", &[(0, 3, "")]),
            ("a  bc", &[(3, 4, "\nx")]),
            ("int a; int b;", &[(7, 13, "\nint c;\n")]),
            ("a", &[(0, 1, ""), (5, 9, "b")]),
        ] {
            let parts = splices.iter();
            let parts =
                parts.map(|&(start, end, text)| Splice::replacement(start..end, text.as_bytes()));
            let (mut out, mut again, mut position) = (Vec::new(), Vec::new(), 0);
            let mut changes = Vec::new();
            let edit = Edit::new(parts.collect());
            edit.render_noting(
                text.as_bytes(),
                Joint::KeepTokensApart,
                &mut out,
                |old, new| {
                    changes.push((old, new));
                },
            );
            for (old, new) in changes {
                again.extend_from_slice(&text.as_bytes()[position..old.start]);
                again.extend_from_slice(&out[new]);
                position = old.end;
            }
            again.extend_from_slice(&text.as_bytes()[position..]);
            assert_eq!(again, out, "{text:?}");
        }
    }

    #[test]
    fn the_rest_of_a_token_stays_together() {
        let mut out = Vec::new();
        let edit = Edit::new(vec![Splice::inside(3..5)]);
        edit.render(b"'abcd'", Joint::KeepTokensApart, &mut out);
        assert_eq!(out, b"'ab'");
    }

    #[test]
    fn an_edit_beyond_the_end_is_cut_off() {
        check("abc", &[(2, 9, "X"), (11, 12, "")], Joint::Touch, "abX");
    }

    #[test]
    #[expect(clippy::reversed_empty_ranges, reason = "what the test is about")]
    fn a_range_that_ends_before_it_starts_is_empty() {
        assert_eq!(Splice::deletion(5..3).range(), 5..5);
    }

    #[test]
    fn conflicts_are_overlaps_and_nothing_else() {
        let edit = |start, end| Edit::deletion(start..end);
        assert!(edit(1, 3).conflicts_with(&edit(2, 4)));
        assert!(!edit(1, 3).conflicts_with(&edit(3, 4)));
        assert!(!edit(3, 4).conflicts_with(&edit(1, 3)));
    }
}
