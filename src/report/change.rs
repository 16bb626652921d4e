//! What is different between two texts that are mostly the same: a test case and a smaller one.

use std::ops::Range;

/// The one range in which two texts differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    /// What went.
    pub(super) old: Range<usize>,
    /// What came.
    pub(super) new: Range<usize>,
}

impl Change {
    /// The smallest range outside of which both are the same. Cost: one look at each byte.
    pub(super) fn between(before: &[u8], after: &[u8]) -> Self {
        let pairs = before.iter().zip(after);
        let start = pairs.take_while(|(one, other)| one == other).count();
        let ends = before[start..].iter().rev();
        let ends = ends.zip(after[start..].iter().rev());
        let end = ends.take_while(|(one, other)| one == other).count();
        Self {
            old: start..before.len() - end,
            new: start..after.len() - end,
        }
    }

    /// The same, made longer to whole lines.
    pub(super) fn in_lines(&self, before: &[u8], after: &[u8]) -> Self {
        let start = before[..self.old.start]
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        let rest = before[self.old.end..].iter();
        let same = rest.take_while(|&&byte| byte != b'\n').count();
        Self {
            old: start..(self.old.end + same).min(before.len()),
            new: start..(self.new.end + same).min(after.len()),
        }
    }

    /// The line of the old text in which it begins, from 1.
    pub(super) fn line(&self, before: &[u8]) -> usize {
        let above = &before[..self.old.start];
        above.split(|&byte| byte == b'\n').count()
    }
}

/// A text in one line of so many characters, without its middle if it is longer.
pub(super) fn in_one_line(text: &[u8], room: usize) -> String {
    let most = 4 * room.max(1);
    let (start, end) = if text.len() > 2 * most {
        (&text[..most], &text[text.len() - most..])
    } else {
        (text, &text[..0])
    };
    let plain = |text: &[u8]| -> Vec<char> {
        let text = String::from_utf8_lossy(text).into_owned();
        let shown = text.chars().map(|c| match c {
            '\n' => '⏎',
            c if c.is_control() => ' ',
            c => c,
        });
        shown.collect()
    };
    let mut all = plain(start);
    all.extend(plain(end));
    if all.len() <= room && end.is_empty() {
        return all.into_iter().collect();
    }
    let half = room.saturating_sub(1) / 2;
    let (first, last) = (
        &all[..half.min(all.len())],
        &all[all.len() - half.min(all.len())..],
    );
    [first, &['…'], last].concat().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_range_is_found_and_made_whole_lines() {
        let (before, after) = (b"one\ntwo three\nfour\n", b"one\ntwo ree\nfour\n");
        let change = Change::between(before, after);
        assert_eq!((change.old.clone(), change.new.clone()), (8..10, 8..8));
        assert_eq!(change.line(before), 2);
        let lines = change.in_lines(before, after);
        assert_eq!(&before[lines.old], b"two three");
        assert_eq!(&after[lines.new], b"two ree");
    }

    #[test]
    fn ranges_of_repeated_text_do_not_overlap() {
        let change = Change::between(b"aaaa", b"aa");
        assert_eq!((change.old, change.new), (2..4, 2..2));
        let change = Change::between(b"", b"");
        assert_eq!((change.old, change.new), (0..0, 0..0));
    }

    #[test]
    fn a_long_text_loses_its_middle() {
        assert_eq!(in_one_line(b"a\nb\x07", 10), "a⏎b ");
        assert_eq!(in_one_line(b"abcdefghijkl", 7), "abc…jkl");
        assert_eq!(in_one_line(&b"x".repeat(9000), 5), "xx…xx");
        assert_eq!(in_one_line("äöü".as_bytes(), 2), "…");
    }
}
