//! What the live view shows, as values.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::chart::Point;
use super::super::marks::Mark;

/// Everything on the screen.
pub(in crate::report) struct View {
    /// The file's name.
    pub(in crate::report) name: String,
    /// Its size at the beginning and now.
    pub(in crate::report) original: usize,
    pub(in crate::report) size: usize,
    /// The best test case so far.
    pub(in crate::report) best: Arc<[u8]>,
    /// The size of all over time.
    pub(in crate::report) curve: Vec<Point>,
    /// All at the beginning.
    pub(in crate::report) total: usize,
    /// What is going on before there is a pass, and after it.
    pub(in crate::report) doing: &'static str,
    /// The pass that asks now, and what it does.
    pub(in crate::report) pass: &'static str,
    pub(in crate::report) about: &'static str,
    /// Questions and yeses of this pass, since it began.
    pub(in crate::report) asked: [u64; 2],
    /// Questions and yeses of the run.
    pub(in crate::report) answers: [u64; 2],
    pub(in crate::report) queries: u64,
    pub(in crate::report) last: Option<Mark>,
    pub(in crate::report) last_success: Option<Instant>,
    pub(in crate::report) started: Instant,
    /// The limits that the user set.
    pub(in crate::report) max_time: Option<Duration>,
    pub(in crate::report) max_queries: Option<u64>,
    /// What was said, to be printed again at the end.
    pub(in crate::report) messages: Vec<String>,
    pub(in crate::report) is_paused: bool,
    /// Whether passes can be skipped, and one is about to be.
    pub(in crate::report) may_skip: bool,
    pub(in crate::report) skipping: bool,
    pub(in crate::report) shown: Shown,
}

/// What the large part of the screen shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report) enum Shown {
    /// The best test case.
    Best,
    /// The last success as a difference.
    Change,
}

/// So many points of the curve are kept.
const MOST_POINTS: usize = 4000;

impl View {
    pub(in crate::report) fn new() -> Self {
        Self {
            name: String::new(),
            original: 0,
            size: 0,
            best: Arc::default(),
            curve: Vec::new(),
            total: 0,
            doing: "",
            pass: "",
            about: "",
            asked: [0; 2],
            answers: [0; 2],
            queries: 0,
            last: None,
            last_success: None,
            started: Instant::now(),
            max_time: None,
            max_queries: None,
            messages: Vec::new(),
            is_paused: false,
            may_skip: false,
            skipping: false,
            shown: Shown::Best,
        }
    }

    /// A question has its answer.
    pub(in crate::report) fn answered(&mut self, pass: &'static str, is_yes: bool, queries: u64) {
        self.doing = "";
        if pass != self.pass {
            self.pass = pass;
            self.asked = [0; 2];
            self.skipping = false;
        }
        for count in [&mut self.asked, &mut self.answers] {
            count[0] += 1;
            count[1] += u64::from(is_yes);
        }
        self.queries = queries;
    }

    /// There is a smaller test case.
    pub(in crate::report) fn improved(
        &mut self,
        point: Point,
        size: usize,
        best: Arc<[u8]>,
        last: Option<Mark>,
    ) {
        self.curve.push(point);
        if self.curve.len() > MOST_POINTS {
            let mut at = 0;
            self.curve.retain(|_| {
                at += 1;
                at % 2 == 0
            });
        }
        self.size = size;
        self.best = best;
        self.last = last;
        self.last_success = Some(Instant::now());
    }
}
