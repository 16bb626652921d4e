//! The rate at which changes succeed, learned from verdicts alone.

/// A running estimate with a prior. Deterministic: it knows no clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    successes: f64,
    failures: f64,
}

/// How many observations the prior counts for.
const PRIOR: f64 = 4.0;

impl Rate {
    /// An estimate that starts at `chance` of success.
    pub fn new(chance: f64) -> Self {
        Self {
            successes: chance * PRIOR,
            failures: (1.0 - chance) * PRIOR,
        }
    }

    /// The chance that the next change succeeds.
    pub fn chance(self) -> f64 {
        self.successes / (self.successes + self.failures)
    }

    /// Changes that went.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    pub fn successes(&mut self, count: usize) {
        self.successes += count as f64;
    }

    /// A change that could not be made.
    pub fn failure(&mut self) {
        self.failures += 1.0;
    }
}
