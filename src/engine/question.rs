//! A candidate that was rendered, with what is needed to recognise it.

use std::cell::Cell;
use std::hash::Hasher;
use std::sync::OnceLock;

use rustc_hash::FxHasher;
use sha3::{Digest, Sha3_256};

use super::lineage::NOWHERE;
use crate::search::Render;

/// The SHA-3-256 of a candidate's bytes.
pub(super) type Key = [u8; 32];

/// What tells a candidate from the text that it was made from: the hash of all that goes and comes, wherever that is.
pub(super) type Change = u64;

/// So many bytes that are the same again are the text behind a deletion.
const ANCHOR: usize = 12;
/// Bytes that are compared at a time.
const BLOCK: usize = 64;

/// A rendered candidate.
#[derive(Debug, Default)]
pub(super) struct Question {
    pub(super) bytes: Vec<u8>,
    pub(super) pass: &'static str,
    /// Says "surely not the same" in a few microseconds. It never says "the same": that is for the bytes or the key.
    pub(super) quick: u64,
    key: OnceLock<Key>,
}

impl Question {
    /// Renders a candidate into `buffer`, which is emptied first.
    pub(super) fn render(candidate: &impl Render, mut buffer: Vec<u8>) -> Self {
        buffer.clear();
        candidate.render(&mut buffer);
        Self::of(buffer, candidate.pass())
    }

    /// A candidate whose bytes are there already.
    pub(super) fn of(bytes: Vec<u8>, pass: &'static str) -> Self {
        Self {
            quick: quick_hash(&bytes),
            bytes,
            pass,
            key: OnceLock::new(),
        }
    }

    /// The same without the key, for a candidate that becomes the best.
    pub(super) fn copy(&self) -> Self {
        Self {
            bytes: self.bytes.clone(),
            pass: self.pass,
            quick: self.quick,
            key: OnceLock::new(),
        }
    }

    /// The key that decides. Computed at the first call: about 150 microseconds for 50 KB, so it is asked for while an
    /// oracle runs.
    pub(super) fn key(&self) -> &Key {
        self.key
            .get_or_init(|| Sha3_256::digest(&self.bytes).into())
    }

    /// What was changed in `base`. Cost: about one comparison of the bytes.
    pub(super) fn change_of(&self, base: &Self) -> Change {
        let (new, old) = (&self.bytes, &base.bytes);
        let (start, end) = frame(new, old);
        let (old, new) = (&old[start..old.len() - end], &new[start..new.len() - end]);
        let mut deleted = Vec::new();
        let come = compare(old, new, |_| (), |gone| deleted.extend_from_slice(gone));
        let mut hasher = FxHasher::default();
        hasher.write(&deleted);
        hasher.write_usize(deleted.len());
        hasher.write(come);
        hasher.finish()
    }

    /// Whether these are the same bytes.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.quick == other.quick && self.bytes == other.bytes
    }
}

/// What is the same in two texts and what is not, from the left to the right. Deletions are found as long as enough bytes behind
/// each are the same again; the rest, if any, has been replaced.
fn compare<'o, 'n>(
    mut old: &'o [u8],
    mut new: &'n [u8],
    mut same: impl FnMut(usize),
    mut gone: impl FnMut(&'o [u8]),
) -> &'n [u8] {
    loop {
        let length = same_at_start(old, new);
        same(length);
        (old, new) = (&old[length..], &new[length..]);
        let anchor = &new[..new.len().min(ANCHOR)];
        let mut windows = old.windows(anchor.len().max(1));
        let Some(length) = windows
            .position(|window| window == anchor)
            .filter(|_| !anchor.is_empty())
        else {
            gone(old);
            return new;
        };
        gone(&old[..length]);
        old = &old[length..];
    }
}

/// Where the bytes of `new` come from, given where those of `old` do.
pub(super) fn origins(new: &Question, old: &Question, of_old: &[u32]) -> Vec<u32> {
    let mut found = Vec::with_capacity(new.bytes.len());
    let (start, end) = frame(&new.bytes, &old.bytes);
    found.extend_from_slice(&of_old[..start]);
    let at = Cell::new(start);
    let come = compare(
        &old.bytes[start..old.bytes.len() - end],
        &new.bytes[start..new.bytes.len() - end],
        |length| {
            found.extend_from_slice(&of_old[at.get()..at.get() + length]);
            at.set(at.get() + length);
        },
        |gone| at.set(at.get() + gone.len()),
    );
    found.resize(found.len() + come.len(), NOWHERE);
    found.extend_from_slice(&of_old[of_old.len() - end..]);
    found
}

/// How many bytes both begin and, behind these, end with.
fn frame(new: &[u8], old: &[u8]) -> (usize, usize) {
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
        let question = |text: &str| Question::of(text.as_bytes().to_vec(), "test");
        question(text).change_of(&question(base))
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
