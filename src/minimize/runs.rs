//! Sets of element indices that are cheap to copy and to change: what the minimisers count with.
//!
//! A set is a persistent binary trie over the indices, with 64 of them in a leaf. A subtree that has all or none of its elements is
//! one word, so a run of neighbours costs `O(log n)` whatever its length, and two sets share what they have in common.
//! A flat list of ranges was rejected: after many single deletions it has `O(n)` ranges, and each further change would copy them.

use std::iter::FusedIterator;
use std::ops::Range;
use std::sync::Arc;

/// A set of element indices, seen as sorted disjoint ranges.
///
/// Cloning is `O(1)`. Below, `n` is the greatest element and `r` the number of ranges of the smaller operand.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Runs {
    root: Node,
    height: u32,
}

/// A subtree of `64 << height` indices.
///
/// The form is canonical (`Bits` and `Fork` are never empty or full), so equal sets are equal trees.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    Empty,
    Full,
    Bits(u64),
    Fork(Arc<Fork>),
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Fork {
    len: usize,
    left: Node,
    right: Node,
}

impl Runs {
    /// The set without elements.
    pub const fn empty() -> Self {
        Self {
            root: Node::Empty,
            height: 0,
        }
    }

    /// The set of the indices of `range`. Cost: `O(log n)`.
    pub fn from_range(range: Range<usize>) -> Self {
        let height = height_for(range.end);
        Self {
            root: Node::from_range(height, range.start, range.end),
            height,
        }
        .trimmed()
    }

    /// How many elements there are. Cost: `O(1)`.
    pub fn len(&self) -> usize {
        self.root.len(self.height)
    }

    /// Whether there are no elements. Cost: `O(1)`.
    pub fn is_empty(&self) -> bool {
        matches!(self.root, Node::Empty)
    }

    /// Whether `index` is an element. Cost: `O(log n)`.
    pub fn contains(&self, index: usize) -> bool {
        index < capacity(self.height)
            && self.root.rank(self.height, index + 1) > self.root.rank(self.height, index)
    }

    /// How many elements are less than `index`. Cost: `O(log n)`.
    pub fn rank(&self, index: usize) -> usize {
        self.root.rank(self.height, index)
    }

    /// The element that has `position` smaller elements before it. Cost: `O(log n)`.
    pub fn select(&self, position: usize) -> Option<usize> {
        (position < self.len()).then(|| self.root.select(self.height, position))
    }

    /// The smallest element. Cost: `O(log n)`.
    pub fn first(&self) -> Option<usize> {
        self.select(0)
    }

    /// The elements at these positions, counted from the smallest; positions past the end are ignored. Cost: `O(log n)`.
    #[must_use]
    pub fn slice(&self, positions: Range<usize>) -> Self {
        Self {
            root: self.root.slice(self.height, positions.start, positions.end),
            height: self.height,
        }
        .trimmed()
    }

    /// The elements of either set. Cost: `O(r log n)`.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let height = self.height.max(other.height);
        let root = union(&self.lifted(height), &other.lifted(height), height);
        Self { root, height }
    }

    /// The elements that are not in `other`. Cost: `O(r log n)`.
    #[must_use]
    pub fn subtract(&self, other: &Self) -> Self {
        let height = self.height.max(other.height);
        let root = subtract(&self.lifted(height), &other.lifted(height), height);
        Self { root, height }.trimmed()
    }

    /// The elements of both sets. Cost: `O(r log n)`.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        self.subtract(&self.subtract(other))
    }

    /// The maximal ranges of neighbouring indices, in order. Cost: linear in their number, up to a factor of `log n`.
    pub fn ranges(&self) -> Ranges<'_> {
        Ranges {
            stack: vec![(&self.root, self.height, 0)],
            bits: 0,
            offset: 0,
            pending: None,
        }
    }

    /// The elements in order. Cost: linear in their number.
    pub fn iter(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        self.ranges().flatten()
    }

    /// The same set as a tree of this height, which must not be less than the own one.
    fn lifted(&self, height: u32) -> Node {
        let mut root = self.root.clone();
        for child_height in self.height..height {
            root = Node::fork(root, Node::Empty, child_height);
        }
        root
    }

    /// Takes away empty upper halves, so that equal sets have equal heights and small sets small trees.
    fn trimmed(mut self) -> Self {
        while self.height > 0 {
            match &self.root {
                Node::Empty => self.height = 0,
                Node::Fork(fork) if fork.right == Node::Empty => {
                    self.root = fork.left.clone();
                    self.height -= 1;
                }
                _ => break,
            }
        }
        self
    }
}

impl FromIterator<usize> for Runs {
    /// Collects indices in any order, repeated or not. Cost: `O(k log k)` for `k` indices, plus `O(log n)` each.
    fn from_iter<I: IntoIterator<Item = usize>>(indices: I) -> Self {
        let mut sorted: Vec<usize> = indices.into_iter().collect();
        sorted.sort_unstable();
        sorted.dedup();
        let height = sorted.last().map_or(0, |last| height_for(last + 1));
        Self {
            root: Node::from_sorted(height, 0, &sorted),
            height,
        }
    }
}

/// The maximal ranges of a [`Runs`]; see [`Runs::ranges`].
#[derive(Clone, Debug)]
pub struct Ranges<'a> {
    stack: Vec<(&'a Node, u32, usize)>,
    /// What is left of the leaf that begins at `offset`.
    bits: u64,
    offset: usize,
    /// The range that may still grow by the next piece.
    pending: Option<Range<usize>>,
}

impl Ranges<'_> {
    /// The next run inside one leaf or one full subtree.
    fn next_piece(&mut self) -> Option<Range<usize>> {
        while self.bits == 0 {
            let (node, height, offset) = self.stack.pop()?;
            match node {
                Node::Empty => {}
                Node::Full => return Some(offset..offset + capacity(height)),
                Node::Bits(bits) => (self.bits, self.offset) = (*bits, offset),
                Node::Fork(fork) => {
                    self.stack
                        .push((&fork.right, height - 1, offset + capacity(height - 1)));
                    self.stack.push((&fork.left, height - 1, offset));
                }
            }
        }
        let start = self.bits.trailing_zeros();
        let end = start + (self.bits >> start).trailing_ones();
        self.bits &= !low_bits(end as usize);
        Some(self.offset + start as usize..self.offset + end as usize)
    }
}

impl Iterator for Ranges<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(piece) = self.next_piece() {
            match &mut self.pending {
                Some(range) if range.end == piece.start => range.end = piece.end,
                pending => {
                    if let Some(range) = pending.replace(piece) {
                        return Some(range);
                    }
                }
            }
        }
        self.pending.take()
    }
}

impl FusedIterator for Ranges<'_> {}

impl Node {
    fn bits(bits: u64) -> Self {
        match bits {
            0 => Self::Empty,
            u64::MAX => Self::Full,
            _ => Self::Bits(bits),
        }
    }

    fn fork(left: Self, right: Self, child_height: u32) -> Self {
        match (&left, &right) {
            (Self::Empty, Self::Empty) => Self::Empty,
            (Self::Full, Self::Full) => Self::Full,
            _ => {
                let len = left.len(child_height) + right.len(child_height);
                Self::Fork(Arc::new(Fork { len, left, right }))
            }
        }
    }

    fn from_range(height: u32, start: usize, end: usize) -> Self {
        if start >= end {
            Self::Empty
        } else if start == 0 && end >= capacity(height) {
            Self::Full
        } else if height == 0 {
            Self::bits(low_bits(end) & !low_bits(start))
        } else {
            let half = capacity(height - 1);
            let left = Self::from_range(height - 1, start, end.min(half));
            let right = Self::from_range(
                height - 1,
                start.saturating_sub(half),
                end.saturating_sub(half),
            );
            Self::fork(left, right, height - 1)
        }
    }

    fn from_sorted(height: u32, offset: usize, sorted: &[usize]) -> Self {
        if sorted.is_empty() {
            Self::Empty
        } else if height == 0 {
            Self::bits(
                sorted
                    .iter()
                    .fold(0, |bits, index| bits | 1 << (index - offset)),
            )
        } else {
            let middle = offset + capacity(height - 1);
            let (left, right) = sorted.split_at(sorted.partition_point(|&index| index < middle));
            Self::fork(
                Self::from_sorted(height - 1, offset, left),
                Self::from_sorted(height - 1, middle, right),
                height - 1,
            )
        }
    }

    fn len(&self, height: u32) -> usize {
        match self {
            Self::Empty => 0,
            Self::Full => capacity(height),
            Self::Bits(bits) => bits.count_ones() as usize,
            Self::Fork(fork) => fork.len,
        }
    }

    fn as_bits(&self) -> u64 {
        match self {
            Self::Bits(bits) => *bits,
            Self::Full => u64::MAX,
            Self::Empty | Self::Fork(_) => 0,
        }
    }

    fn children(&self) -> (&Self, &Self) {
        match self {
            Self::Fork(fork) => (&fork.left, &fork.right),
            whole => (whole, whole),
        }
    }

    fn rank(&self, height: u32, index: usize) -> usize {
        match self {
            Self::Empty => 0,
            Self::Full => index.min(capacity(height)),
            Self::Bits(bits) => (bits & low_bits(index)).count_ones() as usize,
            Self::Fork(fork) => match index.checked_sub(capacity(height - 1)) {
                None => fork.left.rank(height - 1, index),
                Some(index) => fork.left.len(height - 1) + fork.right.rank(height - 1, index),
            },
        }
    }

    /// The position must be less than the number of elements.
    fn select(&self, height: u32, position: usize) -> usize {
        match self {
            Self::Empty | Self::Full => position,
            Self::Bits(bits) => without_lowest(*bits, position).trailing_zeros() as usize,
            Self::Fork(fork) => match position.checked_sub(fork.left.len(height - 1)) {
                None => fork.left.select(height - 1, position),
                Some(position) => capacity(height - 1) + fork.right.select(height - 1, position),
            },
        }
    }

    fn slice(&self, height: u32, start: usize, end: usize) -> Self {
        if start >= end {
            return Self::Empty;
        }
        if start == 0 && end >= self.len(height) {
            return self.clone();
        }
        match self {
            Self::Empty => Self::Empty,
            Self::Full => Self::from_range(height, start, end),
            Self::Bits(bits) => {
                Self::bits(without_lowest(*bits, start) & !without_lowest(*bits, end))
            }
            Self::Fork(fork) => {
                let middle = fork.left.len(height - 1);
                let left = fork.left.slice(height - 1, start, end.min(middle));
                let right = fork.right.slice(
                    height - 1,
                    start.saturating_sub(middle),
                    end.saturating_sub(middle),
                );
                Self::fork(left, right, height - 1)
            }
        }
    }
}

fn union(one: &Node, two: &Node, height: u32) -> Node {
    match (one, two) {
        (Node::Empty, other) | (other, Node::Empty) => other.clone(),
        (Node::Full, _) | (_, Node::Full) => Node::Full,
        _ if height == 0 => Node::bits(one.as_bits() | two.as_bits()),
        _ => {
            let ((left_one, right_one), (left_two, right_two)) = (one.children(), two.children());
            let (left, right) = (
                union(left_one, left_two, height - 1),
                union(right_one, right_two, height - 1),
            );
            Node::fork(left, right, height - 1)
        }
    }
}

fn subtract(from: &Node, what: &Node, height: u32) -> Node {
    match (from, what) {
        (Node::Empty, _) | (_, Node::Full) => Node::Empty,
        (_, Node::Empty) => from.clone(),
        _ if height == 0 => Node::bits(from.as_bits() & !what.as_bits()),
        _ => {
            let ((left_from, right_from), (left_what, right_what)) =
                (from.children(), what.children());
            let (left, right) = (
                subtract(left_from, left_what, height - 1),
                subtract(right_from, right_what, height - 1),
            );
            Node::fork(left, right, height - 1)
        }
    }
}

/// How many indices a subtree of this height covers.
const fn capacity(height: u32) -> usize {
    64 << height
}

/// The least height whose subtree covers the indices below `end`.
fn height_for(end: usize) -> u32 {
    end.div_ceil(64).max(1).next_power_of_two().trailing_zeros()
}

/// The `count` lowest bits.
fn low_bits(count: usize) -> u64 {
    if count >= 64 {
        u64::MAX
    } else {
        (1 << count) - 1
    }
}

/// `bits` without the `count` lowest ones that are set.
fn without_lowest(mut bits: u64, count: usize) -> u64 {
    for _ in 0..count.min(64) {
        bits &= bits.wrapping_sub(1);
    }
    bits
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// Sets with long runs as well as single elements.
    fn sets() -> impl Strategy<Value = BTreeSet<usize>> {
        prop::collection::vec((0..700_usize, 1..90_usize), 0..12).prop_map(|runs| {
            runs.into_iter()
                .flat_map(|(start, len)| start..start + len / (1 + start % 9))
                .collect()
        })
    }

    fn runs(set: &BTreeSet<usize>) -> Runs {
        set.iter().copied().collect()
    }

    proptest! {
        #[test]
        fn sets_behave_like_ordered_sets_of_indices(one in sets(), two in sets(), index in 0..1000_usize) {
            let (a, b) = (runs(&one), runs(&two));
            prop_assert_eq!(&a.union(&b), &runs(&(&one | &two)));
            prop_assert_eq!(&a.subtract(&b), &runs(&(&one - &two)));
            prop_assert_eq!(&a.intersect(&b), &runs(&(&one & &two)));
            prop_assert_eq!(a.len(), one.len());
            prop_assert_eq!(a.is_empty(), one.is_empty());
            prop_assert_eq!(a.contains(index), one.contains(&index));
            prop_assert_eq!(a.rank(index), one.range(..index).count());
            prop_assert_eq!(a.select(index), one.iter().nth(index).copied());
            prop_assert_eq!(a.iter().collect::<BTreeSet<_>>(), one);
        }

        #[test]
        fn a_slice_has_the_elements_at_its_positions(set in sets(), start in 0..300_usize, len in 0..300_usize) {
            let expected: Runs = set.iter().copied().skip(start).take(len).collect();
            prop_assert_eq!(runs(&set).slice(start..start + len), expected);
        }

        #[test]
        fn ranges_are_sorted_and_apart_and_give_the_set_back(set in sets()) {
            let set = runs(&set);
            let ranges: Vec<_> = set.ranges().collect();
            prop_assert!(ranges.windows(2).all(|pair| pair[0].end < pair[1].start));
            prop_assert!(ranges.iter().all(|range| range.start < range.end));
            let union = ranges.into_iter().fold(Runs::empty(), |union, range| union.union(&Runs::from_range(range)));
            prop_assert_eq!(union, set);
        }
    }

    #[test]
    fn a_set_of_one_long_range_is_small() {
        let set = Runs::from_range(3..5_000_000_000);
        assert_eq!(set.len(), 4_999_999_997);
        assert!(set.ranges().eq(std::iter::once(3..5_000_000_000)));
    }
}
