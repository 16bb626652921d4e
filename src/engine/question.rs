//! A candidate that was rendered, with what is needed to recognise it.

use std::hash::Hasher;
use std::sync::OnceLock;

use rustc_hash::FxHasher;
use sha3::{Digest, Sha3_256};

use crate::search::Render;

/// The SHA-3-256 of a candidate's bytes.
pub(super) type Key = [u8; 32];

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

    /// Whether these are the same bytes.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.quick == other.quick && self.bytes == other.bytes
    }
}

/// Takes in the length too, because the hasher pads.
fn quick_hash(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.write_usize(bytes.len());
    hasher.finish()
}
