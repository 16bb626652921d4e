//! What refused groups have in common.
//!
//! Groups that take a name with all that depends on it often meet in one part: whatever goes, that part goes with it. If it is needed
//! all of them are refused, one after the other. So a part that was in the company of several refused groups is asked about alone, and
//! once it is refused too, no group that it depends on is asked about any more.

use fixedbitset::FixedBitSet;

/// In so many refused groups a part is suspected.
const SUSPECTED: u32 = 3;
/// Of so many suspects the lightest is taken: what depends on it was in the groups for its sake.
const MOST: usize = 8;

/// How often each part was in the company of what was refused.
#[derive(Clone, Debug)]
pub(super) struct Blame {
    counts: Vec<u32>,
    /// The highest of them.
    most: u32,
    asked: FixedBitSet,
}

impl Blame {
    pub(super) fn new(parts: usize) -> Self {
        Self {
            counts: vec![0; parts],
            most: 0,
            asked: FixedBitSet::with_capacity(parts),
        }
    }

    /// Takes the company of a refused group.
    pub(super) fn note(&mut self, company: impl Iterator<Item = u32>) {
        for part in company {
            self.counts[part as usize] += 1;
            self.most = self.most.max(self.counts[part as usize]);
        }
    }

    /// The part to ask about, which is not suspected again: of those that were refused most often the one of the least `weight`
    /// with all that depends on it. Cost: linear in the parts.
    pub(super) fn suspect(
        &mut self,
        is_open: impl Fn(u32) -> bool,
        weight: impl Fn(u32) -> u64,
    ) -> Option<u32> {
        if self.most < SUSPECTED {
            return None;
        }
        let counts = (0..).zip(&self.counts).map(|(part, &count)| (part, count));
        let is_new = |&(part, count): &(u32, u32)| {
            count >= SUSPECTED && !self.asked.contains(part as usize) && is_open(part)
        };
        let suspects: Vec<(u32, u32)> = counts.filter(is_new).collect();
        let most = suspects.iter().map(|&(_, count)| count).max()?;
        let worst = suspects.iter().filter(|&&(_, count)| count == most);
        let worst = worst.take(MOST).map(|&(part, _)| part);
        let suspect = worst.min_by_key(|&part| weight(part))?;
        self.asked.insert(suspect as usize);
        // What else these groups had in common may have been there for its sake.
        self.counts.fill(0);
        self.most = 0;
        Some(suspect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_three_refused_groups_is_suspected_once() {
        let mut blame = Blame::new(4);
        let all = |_| true;
        for _ in 0..2 {
            blame.note([1, 2].into_iter());
            assert_eq!(blame.suspect(all, u64::from), None);
        }
        blame.note([1, 2, 3].into_iter());
        assert_eq!(blame.suspect(all, |part| 9 - u64::from(part)), Some(2));
        assert_eq!(blame.suspect(all, u64::from), None);
        for _ in 0..3 {
            blame.note([1, 2].into_iter());
        }
        assert_eq!(blame.suspect(|part| part != 1, u64::from), None);
        assert_eq!(blame.suspect(all, u64::from), Some(1));
    }
}
