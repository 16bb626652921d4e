//! A text told by how it differs from another one.
//!
//! Between two successes all candidates are changes of the same text. Such a change is as exact as the text or its key, and
//! it is there in a few microseconds, while the key takes as many as the text has hundreds of bytes.

use std::ops::RangeInclusive;
use std::sync::Arc;

use sha3::{Digest, Sha3_256};

use super::rendered::{Key, Rendered, frame};

/// One piece of a text is replaced by another one.
#[derive(Clone, Debug)]
pub(super) struct Difference {
    base: Arc<Rendered>,
    /// So many bytes are those of the base's start.
    start: u32,
    /// So many are those of its end.
    end: u32,
    /// What stands between them.
    middle: Box<[u8]>,
}

/// The key of a shorter text is soon there, and a long text would stay in memory for the sake of its differences.
const WORTHWHILE: RangeInclusive<usize> = 8 << 10..=256 << 10;
/// A difference should not need more memory than a key.
const LONGEST_MIDDLE: usize = 32;

impl Difference {
    /// `None`: it is better told by its key.
    pub(super) fn of(candidate: &Rendered, base: &Arc<Rendered>) -> Option<Self> {
        let (new, old) = (&candidate.bytes, &base.bytes);
        if !WORTHWHILE.contains(&new.len()) || !WORTHWHILE.contains(&old.len()) {
            return None;
        }
        let (start, end) = frame(new, old);
        let middle = &new[start..new.len() - end];
        (middle.len() <= LONGEST_MIDDLE).then_some(Self {
            base: Arc::clone(base),
            start: u32::try_from(start).ok()?,
            end: u32::try_from(end).ok()?,
            middle: middle.into(),
        })
    }

    /// Whether it makes these bytes.
    pub(super) fn is_of(&self, candidate: &Rendered) -> bool {
        let mut rest = candidate.bytes.as_slice();
        let same = self.parts().into_iter().all(|part| {
            let without = rest.strip_prefix(part);
            rest = without.unwrap_or(rest);
            without.is_some()
        });
        same && rest.is_empty()
    }

    /// The key of the text that it makes.
    pub(super) fn key(&self) -> Key {
        let mut hasher = Sha3_256::new();
        self.parts().iter().for_each(|part| hasher.update(part));
        hasher.finalize().into()
    }

    /// Bytes in use beside itself. The base is not only ours.
    pub(super) fn bytes(&self) -> usize {
        self.middle.len()
    }

    fn parts(&self) -> [&[u8]; 3] {
        let base = &self.base.bytes;
        let end = base.len() - self.end as usize;
        [&base[..self.start as usize], &self.middle, &base[end..]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(text: &str) -> Arc<Rendered> {
        Arc::new(Rendered::of(text.as_bytes().to_vec(), "test"))
    }

    #[test]
    fn a_difference_tells_exactly_its_text() {
        let line = "a line of text\n".repeat(1000);
        let base = candidate(&format!("{line}the end"));
        let texts = ["", "another end", "the enD", "the end!"]
            .map(|end| candidate(&format!("{line}{end}")));
        for (at, text) in texts.iter().enumerate() {
            let difference = Difference::of(text, &base).unwrap();
            let told: Vec<bool> = texts.iter().map(|other| difference.is_of(other)).collect();
            assert_eq!(told, [0, 1, 2, 3].map(|other| other == at));
            assert_eq!(difference.key(), *text.key());
        }
    }

    #[test]
    fn short_texts_and_long_differences_are_told_by_their_keys() {
        let line = "a line of text\n".repeat(1000);
        let base = candidate(&line);
        for other in ["a line".to_owned(), format!("{line}{line}")] {
            assert!(Difference::of(&candidate(&other), &base).is_none());
        }
    }
}
