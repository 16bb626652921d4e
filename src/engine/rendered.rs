//! A candidate that was rendered, with what is needed to recognise it.

use std::hash::Hasher;
use std::ops::Range;
use std::sync::OnceLock;

use rustc_hash::FxHasher;
use sha3::{Digest, Sha3_256};

use crate::search::Render;

/// The SHA-3-256 of a candidate's bytes.
pub(super) type Key = [u8; 32];

/// What tells a candidate from the text that it was made from: the hash of all that goes and comes, wherever that is.
pub(super) type Change = u64;

/// So many bytes that are the same again are the text behind a deletion.
const ANCHOR: usize = 12;
/// Bytes that are compared at a time.
const BLOCK: usize = 256;

/// A rendered candidate.
#[derive(Debug, Default)]
pub(super) struct Rendered {
    pub(super) bytes: Vec<u8>,
    pub(super) pass: &'static str,
    /// See [`Render::is_aside`].
    pub(super) is_aside: bool,
    /// Says "surely not the same" in a few microseconds. It never says "the same": that is for the bytes or the key.
    pub(super) quick: u64,
    key: OnceLock<Key>,
}

impl Rendered {
    /// Renders a candidate into `buffer`, which is emptied first.
    pub(super) fn new(candidate: &impl Render, mut buffer: Vec<u8>) -> Self {
        buffer.clear();
        candidate.render(&mut buffer);
        Self {
            is_aside: candidate.is_aside(),
            ..Self::of(buffer, candidate.pass())
        }
    }

    /// A candidate whose bytes are there already.
    pub(super) fn of(bytes: Vec<u8>, pass: &'static str) -> Self {
        Self {
            quick: quick_hash(&bytes),
            bytes,
            pass,
            is_aside: false,
            key: OnceLock::new(),
        }
    }

    /// The same without the key, for a candidate that becomes the best.
    pub(super) fn copy(&self) -> Self {
        Self {
            bytes: self.bytes.clone(),
            pass: self.pass,
            is_aside: self.is_aside,
            quick: self.quick,
            key: OnceLock::new(),
        }
    }

    /// The key that decides. Computed at the first call. Cost: linear.
    pub(super) fn key(&self) -> &Key {
        self.key
            .get_or_init(|| Sha3_256::digest(&self.bytes).into())
    }

    /// Whether these are the same bytes.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.quick == other.quick && self.bytes == other.bytes
    }
}

/// What makes one text of another: what goes, from the left to the right, and what comes behind the last of it.
#[derive(Debug)]
pub(super) struct Edit {
    /// Places in the old text, in their order.
    pub(super) gone: Vec<Range<usize>>,
    /// A place in the new text.
    pub(super) come: Range<usize>,
}

impl Edit {
    /// Deletions are found as long as enough bytes behind each are the same again; the rest, if any, has been replaced. Cost:
    /// about one comparison of the bytes.
    pub(super) fn between(old: &[u8], new: &[u8]) -> Self {
        let (start, end) = frame(new, old);
        let (old_end, new_end) = (old.len() - end, new.len() - end);
        let (mut at_old, mut at_new) = (start, start);
        let mut gone = Vec::new();
        loop {
            let length = same_at_start(&old[at_old..old_end], &new[at_new..new_end]);
            (at_old, at_new) = (at_old + length, at_new + length);
            let anchor = &new[at_new..new_end.min(at_new + ANCHOR)];
            let mut windows = old[at_old..old_end].windows(anchor.len().max(1));
            let found = windows.position(|window| window == anchor);
            let Some(length) = found.filter(|_| !anchor.is_empty()) else {
                gone.push(at_old..old_end);
                let come = at_new..new_end;
                return Self { gone, come };
            };
            gone.push(at_old..at_old + length);
            at_old += length;
        }
    }

    /// Its name.
    pub(super) fn change(&self, old: &[u8], new: &[u8]) -> Change {
        let gone = self.gone.iter().map(|place| &old[place.clone()]);
        let gone: Vec<u8> = gone.flatten().copied().collect();
        let mut hasher = FxHasher::default();
        hasher.write(&gone);
        hasher.write_usize(gone.len());
        hasher.write(&new[self.come.clone()]);
        hasher.finish()
    }
}

/// How many bytes both begin and, behind these, end with.
pub(super) fn frame(new: &[u8], old: &[u8]) -> (usize, usize) {
    let start = same_at_start(new, old);
    (start, same_at_end(&new[start..], &old[start..]))
}

/// How many bytes both begin with. Blocks are compared first, because that is done many bytes at a time.
fn same_at_start(one: &[u8], other: &[u8]) -> usize {
    let blocks = one.chunks_exact(BLOCK).zip(other.chunks_exact(BLOCK));
    let from = BLOCK * blocks.take_while(|(one, other)| one == other).count();
    let rest = one[from..].iter().zip(&other[from..]);
    from + rest.take_while(|(one, other)| one == other).count()
}

/// How many bytes both end with.
fn same_at_end(one: &[u8], other: &[u8]) -> usize {
    let blocks = one.rchunks_exact(BLOCK).zip(other.rchunks_exact(BLOCK));
    let from = BLOCK * blocks.take_while(|(one, other)| one == other).count();
    let rest = |bytes: &'_ [u8]| bytes.len() - from;
    let (one, other) = (&one[..rest(one)], &other[..rest(other)]);
    let rest = one.iter().rev().zip(other.iter().rev());
    from + rest.take_while(|(one, other)| one == other).count()
}

/// Takes in the length too, because the hasher pads.
fn quick_hash(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.write_usize(bytes.len());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(base: &str, text: &str) -> Change {
        let (base, text) = (base.as_bytes(), text.as_bytes());
        Edit::between(base, text).change(base, text)
    }

    #[test]
    fn a_change_is_the_same_wherever_the_rest_is() {
        let filler = "-".repeat(200);
        let there = change(
            &format!("{filler}abc{filler}"),
            &format!("{filler}ac{filler}"),
        );
        assert_eq!(there, change("xabcx", "xacx"));
        assert_ne!(there, change("xadcx", "xacx"));
        assert_ne!(change("xabx", "xx"), change("xx", "xabx"));
    }
}
