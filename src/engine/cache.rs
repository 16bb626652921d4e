//! The content cache (Vince's dissertation, chapter 4): no candidate is put before the oracle twice.
//!
//! The defaults are the three proposals: only uninteresting results are kept, all entries longer than a candidate that
//! proved interesting are dropped, and the keys are SHA-3-256 hashes instead of texts. [`CacheOptions`] switches each off,
//! for the comparison in `benches/papers/caches.rs`.
//!
//! Hashing a large candidate is a large part of what paredown itself does for a query (`cargo bench --bench overhead` has the
//! whole of it), and most entries are dropped at the next success. So until then a small change of a large text is told by its
//! difference from that text, which is as exact, and only what survives the success gets a key.
//!
//! An answer that was got by timing out is kept with the limit it ran under: with much more time it would not be an answer.

use std::collections::BinaryHeap;
use std::sync::Arc;
use std::time::Duration;

use rustc_hash::FxHashMap;

use super::difference::Difference;
use super::rendered::{Key, Rendered};
use crate::search::Verdict;

/// Which of the dissertation's proposals hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheOptions {
    /// Which outcomes are kept (proposal 1).
    pub outcomes: KeptOutcomes,
    /// Whether entries that are longer than an interesting candidate are dropped (proposal 2).
    pub eviction: Eviction,
    /// What an entry is found by (proposal 3).
    pub keys: KeyKind,
}

/// Proposal 1: which outcomes are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptOutcomes {
    /// Only uninteresting ones: an interesting candidate becomes the base of all that follow and does not come again.
    Uninteresting,
    /// Both.
    All,
}

/// Proposal 2: whether entries are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eviction {
    /// At each success of length n, those longer than n: no later candidate is as long.
    LongerThanSuccess,
    /// Never.
    Never,
}

/// Proposal 3: what an entry is found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// The SHA-3-256 of the candidate.
    Sha3,
    /// The candidate itself.
    Text,
}

impl Default for CacheOptions {
    fn default() -> Self {
        Self {
            outcomes: KeptOutcomes::Uninteresting,
            eviction: Eviction::LongerThanSuccess,
            keys: KeyKind::Sha3,
        }
    }
}

/// The cache of one run.
#[derive(Debug)]
pub(super) struct Cache {
    options: CacheOptions,
    /// What differences are from.
    base: Arc<Rendered>,
    /// The quick hashes of the entries that have a difference from it.
    without_key: Vec<u64>,
    /// By the quick hash, so that most look-ups need no key. Two candidates with one quick hash are all but impossible;
    /// the second one goes to `colliding`.
    entries: FxHashMap<u64, Entry>,
    colliding: Vec<(u64, Entry)>,
    /// The entries' lengths and quick hashes, the longest on top.
    by_length: BinaryHeap<(u32, u64)>,
    /// What the entries need beside their slots.
    more_bytes: usize,
    peak_entries: usize,
    peak_bytes: usize,
}

#[derive(Debug)]
struct Entry {
    key: StoredKey,
    verdict: Verdict,
    /// For an answer that was got by timing out: the limit, in milliseconds.
    limit: Option<u32>,
    /// What it needed beside its slot when it was new: a key needs none, so it stays counted until the entry goes.
    more_bytes: u32,
}

#[derive(Debug)]
enum StoredKey {
    Sha3(Key),
    Difference(Difference),
    Text(Box<[u8]>),
}

impl Cache {
    /// `best` is interesting.
    pub(super) fn new(options: CacheOptions, best: Arc<Rendered>) -> Self {
        Self {
            options,
            base: best,
            without_key: Vec::new(),
            entries: FxHashMap::default(),
            colliding: Vec::new(),
            by_length: BinaryHeap::new(),
            more_bytes: 0,
            peak_entries: 0,
            peak_bytes: 0,
        }
    }

    /// Whether an answer about this candidate will be kept with its key, so that it is worth computing beside the oracle.
    pub(super) fn needs_key(&self, candidate: &Rendered) -> bool {
        self.options.keys == KeyKind::Sha3 && Difference::of(candidate, &self.base).is_none()
    }

    /// What is known about these bytes. `time_limit` is what a query would get now.
    pub(super) fn get(
        &self,
        candidate: &Rendered,
        time_limit: Option<Duration>,
    ) -> Option<Verdict> {
        let found = self.entries.get(&candidate.quick)?;
        let entry = if found.key.is_of(candidate) {
            found
        } else {
            self.collided(candidate)?
        };
        entry.is_valid_under(time_limit).then_some(entry.verdict)
    }

    /// Keeps an answer; `limit` is the time limit if that is what ended the query.
    pub(super) fn insert(
        &mut self,
        candidate: &Rendered,
        verdict: Verdict,
        limit: Option<Duration>,
    ) {
        if verdict.is_interesting() && self.options.outcomes == KeptOutcomes::Uninteresting {
            return;
        }
        let key = match self.options.keys {
            KeyKind::Sha3 => Difference::of(candidate, &self.base)
                .map_or_else(|| StoredKey::Sha3(*candidate.key()), StoredKey::Difference),
            KeyKind::Text => StoredKey::Text(candidate.bytes.as_slice().into()),
        };
        let entry = Entry {
            more_bytes: u32::try_from(key.more_bytes()).unwrap_or(u32::MAX),
            key,
            verdict,
            limit: limit.map(milliseconds),
        };
        self.place(candidate, entry);
        self.peak_entries = self.peak_entries.max(self.len());
        self.peak_bytes = self.peak_bytes.max(self.bytes());
    }

    /// A candidate of this length proved interesting. Amortised cost: logarithmic in the number of entries.
    pub(super) fn succeeded(&mut self, length: usize) {
        if self.options.eviction == Eviction::Never {
            return;
        }
        while let Some(&(longest, quick)) = self.by_length.peek()
            && longest as usize > length
        {
            self.by_length.pop();
            self.remove(quick);
        }
        // A pass that removed megabytes leaves a table that is nearly empty.
        if self.entries.capacity() > 8 * self.entries.len().max(1 << 10) {
            self.entries.shrink_to(2 * self.entries.len());
            self.by_length.shrink_to(2 * self.by_length.len());
        }
    }

    /// There is a new best, and the longer entries are gone: those that are left get their keys. Cost: that of hashing each, a few at
    /// most successes.
    pub(super) fn rebase(&mut self, best: Arc<Rendered>) {
        self.base = best;
        for quick in std::mem::take(&mut self.without_key) {
            if let Some(Entry { key, .. }) = self.entries.get_mut(&quick)
                && let StoredKey::Difference(difference) = key
            {
                *key = StoredKey::Sha3(difference.key());
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len() + self.colliding.len()
    }

    /// Bytes in use: a table slot for each entry, and the texts, if texts are kept.
    pub(super) fn bytes(&self) -> usize {
        let slot = size_of::<(u64, Entry)>() + size_of::<(u32, u64)>() + 1;
        self.len() * slot + self.more_bytes
    }

    pub(super) fn peak_entries(&self) -> usize {
        self.peak_entries
    }

    pub(super) fn peak_bytes(&self) -> usize {
        self.peak_bytes
    }

    fn collided(&self, candidate: &Rendered) -> Option<&Entry> {
        let mut found = self
            .colliding
            .iter()
            .filter(|(quick, _)| *quick == candidate.quick);
        found
            .find(|(_, entry)| entry.key.is_of(candidate))
            .map(|(_, entry)| entry)
    }

    fn place(&mut self, candidate: &Rendered, entry: Entry) {
        use std::collections::hash_map::Entry as Slot;
        let length = u32::try_from(candidate.bytes.len()).unwrap_or(u32::MAX);
        let is_told_by_difference = matches!(entry.key, StoredKey::Difference(_));
        let more_bytes = entry.more_bytes as usize;
        match self.entries.entry(candidate.quick) {
            Slot::Vacant(free) => {
                free.insert(entry);
                self.by_length.push((length, candidate.quick));
                self.more_bytes += more_bytes;
                if is_told_by_difference {
                    self.without_key.push(candidate.quick);
                }
            }
            // A newer limit for the same candidate.
            Slot::Occupied(mut old) if old.get().key.is_of(candidate) => {
                old.get_mut().limit = entry.limit;
                old.get_mut().verdict = entry.verdict;
            }
            Slot::Occupied(_) => {
                self.colliding.retain(|(_, old)| !old.key.is_of(candidate));
                self.colliding.push((candidate.quick, entry));
            }
        }
    }

    /// Takes colliding entries along: at worst a query is asked again.
    fn remove(&mut self, quick: u64) {
        if let Some(entry) = self.entries.remove(&quick) {
            self.more_bytes -= entry.more_bytes as usize;
        }
        self.colliding.retain(|(other, _)| *other != quick);
    }
}

impl Entry {
    /// A query that timed out is worth another run only with at least twice the time.
    fn is_valid_under(&self, time_limit: Option<Duration>) -> bool {
        self.limit
            .is_none_or(|ran| time_limit.is_some_and(|now| milliseconds(now) / 2 < ran.max(1)))
    }
}

impl StoredKey {
    fn is_of(&self, candidate: &Rendered) -> bool {
        match self {
            Self::Sha3(key) => key == candidate.key(),
            Self::Difference(difference) => difference.is_of(candidate),
            Self::Text(text) => **text == *candidate.bytes,
        }
    }

    fn more_bytes(&self) -> usize {
        match self {
            Self::Sha3(_) => 0,
            Self::Difference(difference) => difference.bytes(),
            Self::Text(text) => text.len(),
        }
    }
}

fn milliseconds(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Render;

    struct Text<'a>(&'a str);

    impl Render for Text<'_> {
        fn render(&self, out: &mut Vec<u8>) {
            out.extend_from_slice(self.0.as_bytes());
        }

        fn pass(&self) -> &'static str {
            "test"
        }
    }

    fn candidate(text: &str) -> Rendered {
        Rendered::new(&Text(text), Vec::new())
    }

    fn empty(options: CacheOptions) -> Cache {
        Cache::new(options, Arc::new(candidate("original")))
    }

    fn cache_of(options: CacheOptions, texts: &[&str]) -> Cache {
        let mut cache = empty(options);
        for text in texts {
            cache.insert(&candidate(text), Verdict::Uninteresting, None);
        }
        cache
    }

    #[test]
    fn only_uninteresting_candidates_are_kept() {
        let mut cache = cache_of(CacheOptions::default(), &["a"]);
        cache.insert(&candidate("b"), Verdict::Interesting, None);
        assert_eq!(
            cache.get(&candidate("a"), None),
            Some(Verdict::Uninteresting)
        );
        assert_eq!(cache.get(&candidate("b"), None), None);
    }

    #[test]
    fn a_success_drops_exactly_the_longer_entries() {
        let mut cache = cache_of(CacheOptions::default(), &["a", "bb", "cc", "ddd"]);
        cache.succeeded(2);
        let left = ["a", "bb", "cc", "ddd"].map(|text| cache.get(&candidate(text), None).is_some());
        assert_eq!(left, [true, true, true, false]);
        assert_eq!((cache.len(), cache.peak_entries()), (3, 4));
    }

    #[test]
    fn without_the_proposals_everything_stays() {
        let options = CacheOptions {
            outcomes: KeptOutcomes::All,
            eviction: Eviction::Never,
            keys: KeyKind::Text,
        };
        let mut cache = cache_of(options, &["aaaa"]);
        cache.insert(&candidate("bb"), Verdict::Interesting, None);
        cache.succeeded(2);
        assert_eq!(
            cache.get(&candidate("aaaa"), None),
            Some(Verdict::Uninteresting)
        );
        assert_eq!(
            cache.get(&candidate("bb"), None),
            Some(Verdict::Interesting)
        );
        assert_eq!(cache.more_bytes, 6);
    }

    #[test]
    fn a_time_out_is_an_answer_only_for_about_the_same_limit() {
        let mut cache = empty(CacheOptions::default());
        let second = Duration::from_secs(1);
        cache.insert(&candidate("a"), Verdict::Uninteresting, Some(second));
        assert!(cache.get(&candidate("a"), Some(second)).is_some());
        assert!(cache.get(&candidate("a"), Some(second / 10)).is_some());
        assert!(cache.get(&candidate("a"), Some(4 * second)).is_none());
        assert!(cache.get(&candidate("a"), None).is_none());
    }

    #[test]
    fn small_changes_of_a_large_text_are_known_before_and_after_they_have_keys() {
        let line = "a line of text\n".repeat(1000);
        let texts = ["best", "two", "six"].map(|end| Arc::new(candidate(&format!("{line}{end}"))));
        let [best, two, six] = &texts;
        let mut cache = Cache::new(CacheOptions::default(), Arc::clone(best));
        cache.insert(two, Verdict::Uninteresting, None);
        let known = |cache: &Cache| texts.each_ref().map(|text| cache.get(text, None).is_some());
        assert!(!cache.needs_key(two));
        assert_eq!(known(&cache), [false, true, false]);
        let bytes = cache.bytes();
        cache.succeeded(two.bytes.len());
        cache.rebase(Arc::clone(six));
        assert!(matches!(cache.entries[&two.quick].key, StoredKey::Sha3(_)));
        assert_eq!(known(&cache), [false, true, false]);
        assert_eq!(cache.bytes(), bytes);
        cache.succeeded(0);
        assert_eq!((cache.len(), cache.bytes()), (0, 0));
    }

    #[test]
    fn candidates_with_one_quick_hash_are_told_apart() {
        let mut cache = empty(CacheOptions::default());
        let [mut a, mut b, mut c] = ["a", "b", "c"].map(candidate);
        for candidate in [&mut a, &mut b, &mut c] {
            candidate.quick = 7;
        }
        cache.insert(&a, Verdict::Uninteresting, None);
        cache.insert(&b, Verdict::Uninteresting, None);
        let known = [&a, &b, &c].map(|candidate| cache.get(candidate, None).is_some());
        assert_eq!(known, [true, true, false]);
    }
}
