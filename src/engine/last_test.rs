//! The test of the result, made while the last questions are being answered.

use std::sync::Arc;
use std::time::Duration;

use super::rendered::Rendered;
use super::{Outcome, QueryId};

/// A run of its own of the text with which the search will probably end, never taken for the answer to a question.
///
/// It counts only if it began after all queries whose answers were used: a check that breaks on the way, because a disk is
/// full or a service has gone, must not seem to have worked to the end.
#[derive(Debug)]
pub(super) struct LastTest {
    text: Arc<Rendered>,
    id: QueryId,
    /// Since the workers began.
    sent: Duration,
    /// `None` as long as it has not ended.
    outcome: Option<Outcome>,
}

impl LastTest {
    pub(super) fn new(text: Arc<Rendered>, id: QueryId, sent: Duration) -> Self {
        Self {
            text,
            id,
            sent,
            outcome: None,
        }
    }

    pub(super) fn id(&self) -> QueryId {
        self.id
    }

    pub(super) fn is_of(&self, text: &Rendered) -> bool {
        self.text.is_same(text)
    }

    /// Whether it began when the query that was sent at that time had begun.
    pub(super) fn is_after(&self, sent: Option<Duration>) -> bool {
        sent.is_none_or(|sent| sent <= self.sent)
    }

    pub(super) fn is_running(&self) -> bool {
        self.outcome.is_none()
    }

    pub(super) fn end(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
    }

    /// Whether the text was interesting, if this is that text and there is an answer.
    pub(super) fn about(&self, text: &Rendered) -> Option<bool> {
        match self.outcome.filter(|_| self.is_of(text))? {
            Outcome::Cancelled | Outcome::TimedOut => None,
            outcome => Some(outcome == Outcome::Interesting),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::super::Settings;
    use super::super::tests::run;

    /// What is said of the result by a run beside the last questions, if the oracle accepts the result so many times.
    #[expect(clippy::disallowed_methods, reason = "this oracle takes its time")]
    fn last_test(jobs: usize, acceptances: usize) -> Option<bool> {
        let accepted = AtomicUsize::new(0);
        let oracle = |bytes: &[u8]| {
            std::thread::sleep(Duration::from_millis(1));
            let is_result = bytes == b"QRS";
            let wears_out = || accepted.fetch_add(1, Ordering::Relaxed) < acceptances;
            b"QRS".iter().all(|byte| bytes.contains(byte)) && (!is_result || wears_out())
        };
        let settings = Settings {
            jobs,
            tests_result: true,
            ..Settings::default()
        };
        let found = run(b"much more than Q and R or S", &oracle, settings);
        assert_eq!(found.best, b"QRS");
        found.last_test
    }

    #[test]
    fn the_result_is_tested_once_more_beside_the_last_questions() {
        // A busy machine may leave no time for it beside the questions.
        let said = |jobs, acceptances| (0..20).find_map(|_| last_test(jobs, acceptances));
        assert_eq!(said(4, usize::MAX), Some(true));
        assert_eq!(said(4, 1), Some(false));
        assert_eq!(said(1, 1), None);
    }
}
