//! The engine against a toy search and oracles that are closures.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;

use super::*;
use crate::search::Verdict;

/// Deletes runs of bytes, in halving sizes, each from the left to the right, until nothing goes.
#[derive(Clone)]
pub(super) struct Deletion {
    best: Vec<u8>,
    size: usize,
    at: usize,
    progress: bool,
}

pub(super) struct Candidate(Vec<u8>);

impl Deletion {
    pub(super) fn new(bytes: &[u8]) -> Self {
        let size = bytes.len().div_ceil(2).max(1);
        Self {
            best: bytes.to_vec(),
            size,
            at: 0,
            progress: false,
        }
    }
}

impl Search for Deletion {
    type Candidate = Candidate;
    type Best = Vec<u8>;

    fn ask(&self) -> Option<Candidate> {
        if self.best.is_empty() || self.size == 0 {
            return None;
        }
        let end = (self.at + self.size).min(self.best.len());
        Some(Candidate(
            [&self.best[..self.at], &self.best[end..]].concat(),
        ))
    }

    fn tell(&mut self, verdict: Verdict) {
        let Some(Candidate(asked)) = self.ask() else {
            return;
        };
        if verdict.is_interesting() {
            self.best = asked;
            self.progress = true;
        } else {
            self.at += self.size;
        }
        if self.at >= self.best.len() && !self.best.is_empty() {
            let done = self.size == 1 && !self.progress;
            let best = std::mem::take(&mut self.best);
            *self = Self {
                size: (self.size / 2).max(1),
                at: 0,
                progress: false,
                best,
            };
            if done {
                self.at = 0;
                self.size = 0;
            }
        }
    }

    fn best(&self) -> &Vec<u8> {
        &self.best
    }
}

impl Render for Candidate {
    fn render(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0);
    }

    fn pass(&self) -> &'static str {
        "deletion"
    }
}

pub(super) struct Run {
    pub(super) best: Vec<u8>,
    pub(super) last_test: Option<bool>,
    statistics: Statistics,
    stopped: Option<Stop>,
    events: Vec<Event>,
}

pub(super) fn run(original: &[u8], oracle: &dyn Oracle, settings: Settings) -> Run {
    let (mut output, interrupt) = (ResultFile::nowhere(), Interrupt::new());
    let mut events = Vec::new();
    let mut listen = |event: &Event| events.push(without_times(event));
    let mut engine = Engine::new(
        original,
        oracle,
        settings,
        &mut output,
        &interrupt,
        &mut listen,
    );
    let stopped = engine.run_until_known(Deletion::new).unwrap();
    let last_test = engine.last_test();
    let (best, statistics) = engine.finish();
    Run {
        best,
        last_test,
        statistics,
        stopped,
        events,
    }
}

fn stopping(stop: StopLimits, jobs: usize) -> Settings {
    Settings {
        stop,
        ..with_jobs(jobs)
    }
}

fn with_jobs(jobs: usize) -> Settings {
    Settings {
        jobs,
        ..Settings::default()
    }
}

fn without_times(event: &Event) -> Event {
    let mut event = event.clone();
    match &mut event {
        Event::Answered {
            oracle_seconds: seconds,
            ..
        }
        | Event::Improved { seconds, .. } => *seconds = 0.0,
        _ => {}
    }
    event
}

/// Interesting: contains these bytes as a subsequence.
fn contains(needed: &'static [u8]) -> impl Fn(&[u8]) -> bool + Sync {
    move |bytes| {
        let mut rest = bytes.iter();
        needed.iter().all(|byte| rest.any(|found| found == byte))
    }
}

#[test]
fn the_smallest_test_case_is_found() {
    for jobs in [1, 2, 7] {
        let found = run(
            b"some bytes that are not needed, but a few are: u, g",
            &contains(b"bug"),
            with_jobs(jobs),
        );
        assert_eq!(found.best, b"bug", "{jobs} jobs");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_questions_the_answers_and_the_counts_are_the_same_for_every_number_of_jobs(
        original in proptest::collection::vec(0_u8..4, 0..40),
        seed in any::<u64>(),
    ) {
        // An arbitrary oracle: it accepts the original and about a third of all else.
        let oracle = |bytes: &[u8]| bytes == original || mix(bytes, seed).is_multiple_of(3);
        let alone = run(&original, &oracle, with_jobs(1));
        for jobs in [2, 3, 8] {
            let together = run(&original, &oracle, with_jobs(jobs));
            prop_assert_eq!(&together.best, &alone.best);
            prop_assert_eq!(&together.events, &alone.events);
            let mut counts = together.statistics;
            counts.discarded = 0;
            prop_assert_eq!(&counts, &alone.statistics);
        }
    }
}

fn mix(bytes: &[u8], seed: u64) -> u64 {
    let start = seed ^ 0x9e37_79b9_7f4a_7c15;
    bytes.iter().fold(start, |hash, &byte| {
        (hash ^ u64::from(byte))
            .wrapping_mul(0x0000_0100_0000_01b3)
            .rotate_left(23)
    }) >> 7
}

#[test]
fn no_candidate_is_put_before_the_oracle_twice() {
    let asked = Mutex::new(Vec::new());
    let oracle = |bytes: &[u8]| {
        asked.lock().unwrap().push(bytes.to_vec());
        contains(b"aab")(bytes)
    };
    let found = run(b"bbabaaabab", &oracle, with_jobs(1));
    let asked = asked.into_inner().unwrap();
    let mut distinct = asked.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(asked.len(), distinct.len());
    assert_eq!(found.statistics.queries, asked.len() as u64);
    assert!(found.statistics.cache_hits > 0);
}

#[test]
fn the_oracle_runs_several_times_at_once() {
    let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let barrier = std::sync::Barrier::new(2);
    let oracle = |_: &[u8]| {
        let now = running.fetch_add(1, Ordering::SeqCst) + 1;
        // The first two runs wait for each other: were there only one at a time, they would wait for ever.
        if most.fetch_max(now, Ordering::SeqCst) < 2 {
            barrier.wait();
        }
        running.fetch_sub(1, Ordering::SeqCst);
        false
    };
    run(b"abcdefgh", &oracle, with_jobs(2));
    assert_eq!(most.load(Ordering::SeqCst), 2);
}

#[test]
fn a_run_stops_after_its_queries_and_keeps_the_best() {
    for jobs in [1, 4] {
        let stop = StopLimits {
            max_queries: Some(5),
            ..StopLimits::default()
        };
        let found = run(
            b"xxxxxxxxxxxxbugxx",
            &contains(b"bug"),
            stopping(stop, jobs),
        );
        assert_eq!(found.stopped, Some(Stop::MaxQueries));
        assert_eq!(found.statistics.queries, 5);
        assert!(contains(b"bug")(&found.best) && found.best.len() < 17);
    }
}

#[test]
fn a_run_stops_at_its_target() {
    let stop = StopLimits {
        target_bytes: Some(9),
        ..StopLimits::default()
    };
    let found = run(b"xxxxxxxxxxxxbugxx", &contains(b"bug"), stopping(stop, 1));
    assert_eq!(found.stopped, Some(Stop::TargetBytes));
    assert!(found.best.len() <= 9 && found.best.len() > 3);
}

#[test]
fn an_interrupt_ends_the_run_with_the_best_so_far() {
    for jobs in [1, 3] {
        let interrupt = Interrupt::new();
        let calls = AtomicUsize::new(0);
        let oracle = |bytes: &[u8]| {
            if calls.fetch_add(1, Ordering::SeqCst) == 6 {
                interrupt.raise(2);
            }
            contains(b"bug")(bytes)
        };
        let (mut output, mut ignore) = (ResultFile::nowhere(), |_: &Event| ());
        let original = b"xxxxxxxxxxxxxxxbugxxxxxxxxxxxxxxxx";
        let mut engine = Engine::new(
            original,
            &oracle,
            with_jobs(jobs),
            &mut output,
            &interrupt,
            &mut ignore,
        );
        let stopped = engine.run(Deletion::new(original)).unwrap();
        assert_eq!(stopped, Some(Stop::Interrupted));
        assert!(contains(b"bug")(engine.best()));
    }
}

/// Without a `z` a candidate takes this long.
struct SlowWithoutZ(Duration);

impl Oracle for SlowWithoutZ {
    fn test(
        &self,
        query: &Query<'_>,
        started: &mut dyn FnMut(),
    ) -> Result<crate::oracle::Run, OracleError> {
        started();
        let slow = !query.candidate.contains(&b'z');
        let too_slow = slow && query.time_limit.is_some_and(|limit| limit < self.0);
        let outcome = match contains(b"bug")(query.candidate) {
            _ if too_slow => Outcome::TimedOut,
            true => Outcome::Interesting,
            false => Outcome::Uninteresting,
        };
        Ok(crate::oracle::Run {
            outcome,
            time: Duration::from_secs(1),
            work: Duration::ZERO,
        })
    }
}

#[test]
fn what_timed_out_is_asked_again_with_more_time_unless_the_user_set_the_limit() {
    let oracle = SlowWithoutZ(Duration::from_secs(20));
    let first_time = Duration::from_secs(1);
    for jobs in [1, 3] {
        let adaptive = Settings {
            first_time,
            ..with_jobs(jobs)
        };
        let found = run(b"xxbugzxxxx", &oracle, adaptive);
        assert_eq!(found.best, b"bug");
        assert!(found.statistics.timed_out > 0);
        let time_limit = TimeLimit::Fixed(Duration::from_secs(10));
        let found = run(
            b"xxbugzxxxx",
            &oracle,
            Settings {
                time_limit,
                ..with_jobs(jobs)
            },
        );
        assert_eq!(found.best, b"bugz");
    }
}

#[test]
fn what_never_ends_is_tried_a_second_time_only_until_hope_is_lost() {
    let mut counts = Vec::new();
    for jobs in [1, 2, 5] {
        let adaptive = Settings {
            first_time: Duration::from_secs(1),
            ..with_jobs(jobs)
        };
        let original = b"zxxzbzzxuxzxxgxxzx";
        let found = run(original, &SlowWithoutZ(Duration::MAX), adaptive);
        assert_eq!(found.stopped, None);
        assert_eq!((found.best.len(), found.statistics.given_up), (4, 1));
        let retries = found
            .events
            .iter()
            .filter(|event| matches!(event, Event::Retrying { .. }));
        assert_eq!(retries.count(), 1);
        counts.push((
            found.best,
            found.statistics.queries,
            found.statistics.timed_out,
        ));
    }
    assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
}

/// Remembers the names of the queries that it answered.
struct Names(Mutex<Vec<QueryId>>);

impl Oracle for Names {
    fn test(
        &self,
        query: &Query<'_>,
        started: &mut dyn FnMut(),
    ) -> Result<crate::oracle::Run, OracleError> {
        self.0.lock().unwrap().push(query.id);
        contains(b"bug").test(query, started)
    }
}

#[test]
fn no_two_queries_of_an_oracle_have_the_same_name_so_that_a_late_kill_hits_nobody() {
    let oracle = Names(Mutex::default());
    for jobs in [1, 3, 1] {
        run(b"xxxxxxxxxxbugxxxxxxx", &oracle, with_jobs(jobs));
    }
    let mut names = oracle.0.into_inner().unwrap();
    let queries = names.len();
    names.sort_unstable();
    names.dedup();
    assert!(queries > 30 && names.len() == queries);
}

#[test]
fn a_property_that_shows_only_sometimes_is_not_lost_with_repetitions() {
    let calls = AtomicUsize::new(0);
    let sometimes = |bytes: &[u8]| {
        calls.fetch_add(1, Ordering::SeqCst).is_multiple_of(3) && contains(b"bug")(bytes)
    };
    let original = b"xxxxxxxxxbugxxxxxxxx";
    let once = run(original, &sometimes, with_jobs(1));
    assert!(once.best.len() > 3);
    for repeat in [
        Repeat::Any(3),
        Repeat::Confidence(Wald::new(0.33, 0.99, 100)),
    ] {
        let found = run(
            original,
            &sometimes,
            Settings {
                repeat,
                ..with_jobs(1)
            },
        );
        assert_eq!(found.best, b"bug", "{repeat:?}");
    }
}

#[test]
fn a_run_with_a_journal_goes_on_to_the_same_end() {
    let original = b"some bytes with a bug that is not the only thing in them";
    let whole = run(original, &contains(b"bug"), with_jobs(1));
    let folder = tempfile::tempdir().unwrap();
    let (interrupt, mut ignore) = (Interrupt::new(), |_: &Event| ());
    let mut asked = 0;
    for round in 0.. {
        let mut journal = Journal::open(folder.path(), &Identity::default(), 0o600).unwrap();
        let mut output = ResultFile::nowhere();
        let stop = StopLimits {
            max_queries: Some(7),
            ..StopLimits::default()
        };
        let oracle = contains(b"bug");
        let mut engine = Engine::new(
            original,
            &oracle,
            stopping(stop, 1 + round % 3),
            &mut output,
            &interrupt,
            &mut ignore,
        )
        .with_journal(&mut journal);
        let stopped = engine.run_until_known(Deletion::new).unwrap();
        let (best, statistics) = engine.finish();
        asked += statistics.queries;
        if stopped.is_none() {
            assert_eq!(best, whole.best);
            break;
        }
    }
    assert_eq!(asked, whole.statistics.queries);
}
