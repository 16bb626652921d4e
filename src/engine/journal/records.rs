//! One answer as it stands in a journal, with a checksum over all before it.

use super::{Key, Outcome};

/// The bytes of a record.
pub(super) const RECORD: usize = 16;
/// So much of a key is kept: two candidates that have the same will not be met.
pub(super) const KEPT_KEY: usize = 12;

pub(super) const START: u64 = 0x7061_7265_646f_776e;

/// The checksum after one more record, of which only the key and the outcome count.
pub(super) fn link(chain: u64, mut record: [u8; RECORD]) -> u64 {
    record[KEPT_KEY + 1..].fill(0);
    let (words, _) = record.as_chunks::<8>();
    let mix = |chain: u64, word: &[u8; 8]| {
        let mut mixed = chain ^ u64::from_le_bytes(*word);
        // The finisher of SplitMix64.
        for (shift, factor) in [(30, 0xbf58_476d_1ce4_e5b9), (27, 0x94d0_49bb_1331_11eb)] {
            mixed = (mixed ^ mixed >> shift).wrapping_mul(factor);
        }
        mixed ^ mixed >> 31
    };
    words.iter().fold(chain, mix)
}

/// What is kept of a key.
pub(super) fn kept(key: &Key) -> [u8; KEPT_KEY] {
    let mut kept = [0; KEPT_KEY];
    kept.copy_from_slice(&key[..KEPT_KEY]);
    kept
}

/// The records up to the first that is incomplete or does not fit, and the checksum there.
pub(super) fn intact(body: &[u8]) -> (Vec<[u8; RECORD]>, u64) {
    let (mut records, mut chain) = (Vec::new(), START);
    let (whole, _) = body.as_chunks::<RECORD>();
    for record in whole {
        let next = link(chain, *record);
        let fits = record[KEPT_KEY + 1..] == next.to_le_bytes()[..3];
        if !fits || outcome_of(record[KEPT_KEY]).is_none() {
            break;
        }
        chain = next;
        records.push(*record);
    }
    (records, chain)
}

pub(super) const ACCEPTED: u8 = b'I';
pub(super) const REFUSED: u8 = b'U';

/// Worth keeping is uninteresting for the search, and the file was saved by the run that saw it.
pub(super) fn code_of(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Interesting => ACCEPTED,
        Outcome::TimedOut => b'T',
        Outcome::Uninteresting | Outcome::AlsoInteresting | Outcome::Cancelled => REFUSED,
    }
}

pub(super) fn outcome_of(code: u8) -> Option<Outcome> {
    match code {
        ACCEPTED => Some(Outcome::Interesting),
        REFUSED => Some(Outcome::Uninteresting),
        b'T' => Some(Outcome::TimedOut),
        _ => None,
    }
}
