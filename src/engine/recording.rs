//! What a check said about candidates, whatever the order in which they were asked about: `--record`.
//!
//! Another search over the same input, or the same one after a change of the program, can be run against it without the check: in
//! seconds, without its compilers, and the same on every machine. The runs of several searches are added up in one recording.
//!
//! ```text
//! magic     "paredown recording 1\n"
//! check     8 bytes: the beginning of the SHA-3-256 of the check
//! counts    3 times 4 bytes, little-endian: interesting, uninteresting, timed out
//! keys      in that order, and sorted: 8 bytes of the SHA-3-256 of each candidate
//! checksum  8 bytes: the beginning of the SHA-3-256 of all before
//! ```
//!
//! So the same answers are the same bytes, in whatever order they came.

use std::collections::BTreeMap;
use std::io;

use sha3::{Digest, Sha3_256};

use super::rendered::{Key, Rendered};
use crate::oracle::{Oracle, OracleError, Outcome, Query, Run};

const MAGIC: &[u8] = b"paredown recording 1\n";

/// What is kept of a digest: among a million candidates two have the same with a probability of 1 in 30 million.
type ShortKey = [u8; SHORT_KEY];
const SHORT_KEY: usize = 8;

/// The kinds of answer, in the order of the file.
const KINDS: [Outcome; 3] = [
    Outcome::Interesting,
    Outcome::Uninteresting,
    Outcome::TimedOut,
];
const COUNT: usize = 4;

/// The answers of one check. As an [`Oracle`] it gives them again, and fails for a candidate that it does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    check: ShortKey,
    answers: BTreeMap<ShortKey, Outcome>,
}

impl Recording {
    /// One without answers, of the check with this text.
    pub fn of_check(check: &[u8]) -> Self {
        Self {
            check: short_key(check),
            answers: BTreeMap::new(),
        }
    }

    /// Whether the answers are those of the check with this text.
    pub fn is_of_check(&self, check: &[u8]) -> bool {
        self.check == short_key(check)
    }

    /// What [`Recording::to_bytes`] has made; `None` for anything else.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (content, checksum) = bytes.split_last_chunk::<SHORT_KEY>()?;
        let rest = content.strip_prefix(MAGIC)?;
        let (check, rest) = rest.split_first_chunk::<SHORT_KEY>()?;
        let (counts, keys) = rest.split_at_checked(KINDS.len() * COUNT)?;
        let (keys, incomplete) = keys.as_chunks::<SHORT_KEY>();
        if !incomplete.is_empty() || *checksum != short_key(content) {
            return None;
        }
        let (mut answers, mut keys) = (BTreeMap::new(), keys.iter());
        for (kind, count) in KINDS.iter().zip(counts.as_chunks::<COUNT>().0) {
            for _ in 0..u32::from_le_bytes(*count) {
                answers.insert(*keys.next()?, *kind);
            }
        }
        let check = *check;
        keys.next().is_none().then_some(Self { check, answers })
    }

    /// The content of a file. Cost: linear.
    pub fn to_bytes(&self) -> Vec<u8> {
        let of_kind = |kind: Outcome| self.answers.iter().filter(move |answer| *answer.1 == kind);
        let mut bytes = [MAGIC, &self.check[..]].concat();
        for kind in KINDS {
            let count = u32::try_from(of_kind(kind).count()).unwrap_or(u32::MAX);
            bytes.extend(count.to_le_bytes());
        }
        for kind in KINDS {
            bytes.extend(of_kind(kind).flat_map(|(key, _)| *key));
        }
        bytes.extend(short_key(&bytes));
        bytes
    }

    /// What the check said, if it is known.
    pub fn answer(&self, candidate: &[u8]) -> Option<Outcome> {
        self.answers.get(&short_key(candidate)).copied()
    }

    /// Adds an answer; a newer one about the same candidate takes the place of the old one.
    pub fn record(&mut self, candidate: &[u8], outcome: Outcome) {
        self.keep(short_key(candidate), outcome);
    }

    /// The same, with the key that the candidate has or will need anyway.
    pub(super) fn record_rendered(&mut self, candidate: &Rendered, outcome: Outcome) {
        self.keep(shortened(candidate.key()), outcome);
    }

    /// How many answers there are.
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// Worth keeping is uninteresting for a search, and a cancelled run says nothing.
    fn keep(&mut self, key: ShortKey, outcome: Outcome) {
        let outcome = match outcome {
            Outcome::Cancelled => return,
            Outcome::AlsoInteresting => Outcome::Uninteresting,
            outcome => outcome,
        };
        self.answers.insert(key, outcome);
    }
}

impl Oracle for Recording {
    fn test(&self, query: &Query<'_>, started: &mut dyn FnMut()) -> Result<Run, OracleError> {
        started();
        let outcome = self.answer(query.candidate);
        let outcome = outcome.ok_or_else(|| OracleError::System {
            action: "answer from the recording",
            source: io::Error::other(format!(
                "it does not know this candidate of {} bytes; record again with the real check",
                query.candidate.len()
            )),
        })?;
        Ok(Run::in_no_time(outcome))
    }
}

fn short_key(bytes: &[u8]) -> ShortKey {
    shortened(&Sha3_256::digest(bytes).into())
}

fn shortened(key: &Key) -> ShortKey {
    key.first_chunk().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::QueryId;

    const ANSWERS: [(&str, Outcome); 4] = [
        ("a", Outcome::Uninteresting),
        ("b", Outcome::Interesting),
        ("c", Outcome::TimedOut),
        ("d", Outcome::Uninteresting),
    ];

    fn recording(answers: impl IntoIterator<Item = (&'static str, Outcome)>) -> Recording {
        let mut recording = Recording::of_check(b"grep bug");
        for (candidate, outcome) in answers {
            recording.record(candidate.as_bytes(), outcome);
        }
        recording
    }

    #[test]
    fn what_is_written_is_read_again() {
        for recording in [recording([]), recording(ANSWERS)] {
            let read = Recording::from_bytes(&recording.to_bytes());
            assert_eq!(read, Some(recording));
        }
        let recording = recording(ANSWERS);
        for (candidate, outcome) in ANSWERS {
            assert_eq!(recording.answer(candidate.as_bytes()), Some(outcome));
        }
        assert_eq!((recording.answer(b"e"), recording.len()), (None, 4));
        assert!(recording.is_of_check(b"grep bug") && !recording.is_of_check(b"grep -v bug"));
    }

    #[test]
    fn the_order_of_the_answers_makes_no_difference() {
        let forward = recording(ANSWERS).to_bytes();
        let backward = recording(ANSWERS.into_iter().rev()).to_bytes();
        assert_eq!(forward, backward);
    }

    #[test]
    fn the_newer_answer_holds() {
        let both = [("a", Outcome::TimedOut), ("a", Outcome::Interesting)];
        assert_eq!(recording(both).answer(b"a"), Some(Outcome::Interesting));
        let cancelled = [("a", Outcome::Interesting), ("a", Outcome::Cancelled)];
        assert_eq!(
            recording(cancelled).answer(b"a"),
            Some(Outcome::Interesting)
        );
        let kept = recording([("a", Outcome::AlsoInteresting)]);
        assert_eq!(kept.answer(b"a"), Some(Outcome::Uninteresting));
    }

    #[test]
    fn what_is_cut_off_or_has_any_byte_wrong_is_no_recording() {
        let whole = recording(ANSWERS).to_bytes();
        for end in 0..whole.len() {
            assert_eq!(Recording::from_bytes(&whole[..end]), None, "cut at {end}");
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x15;
            assert_eq!(Recording::from_bytes(&damaged), None, "damaged at {at}");
        }
    }

    #[test]
    fn a_candidate_that_it_does_not_know_is_an_error_that_says_what_to_do() {
        let query = |candidate| Query {
            slot: 0,
            id: QueryId::fresh(),
            candidate,
            time_limit: None,
            work_limit: None,
            stop_at: None,
        };
        let recording = recording(ANSWERS);
        let known = recording.test(&query(b"b"), &mut || ()).unwrap();
        assert_eq!(known.outcome, Outcome::Interesting);
        let unknown = recording.test(&query(b"new"), &mut || ()).unwrap_err();
        assert_eq!(
            unknown.to_string(),
            "cannot answer from the recording: it does not know this candidate of 3 bytes; record again with the real check"
        );
    }
}
