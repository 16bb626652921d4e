//! The rate at which changes succeed, learned from verdicts alone.

/// A running estimate. Deterministic: it knows no clock.
///
/// Neighbouring changes resemble each other (a row of unused declarations, then the parameters of one that is used), so the
/// estimate follows the last dozen changes; the whole history only tells when to give up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    recent: Counts,
    all: Counts,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Counts {
    successes: f64,
    failures: f64,
}

/// How many observations the prior counts for.
const PRIOR: f64 = 4.0;
/// What a success leaves of earlier failures, and a failure of earlier failures.
const FADING: f64 = 0.9;
/// What a failure leaves of earlier successes.
const SHOCK: f64 = 0.6;

impl Rate {
    /// An estimate that starts at `chance` of success.
    pub fn new(chance: f64) -> Self {
        let counts = Counts {
            successes: chance * PRIOR,
            failures: (1.0 - chance) * PRIOR,
        };
        Self {
            recent: counts,
            all: counts,
        }
    }

    /// The chance that the next change succeeds, from the last ones.
    pub fn chance(self) -> f64 {
        // However bad it went, the next change is not quite hopeless.
        self.recent.share().max(0.01)
    }

    /// The chance that any change succeeds, from all of them.
    pub fn overall(self) -> f64 {
        self.all.share()
    }

    /// Changes that went.
    pub fn successes(&mut self, count: usize) {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        self.all.successes += f64::from(count);
        self.recent.successes += f64::from(count);
        self.recent.failures *= FADING.powi(i32::try_from(count).unwrap_or(i32::MAX));
    }

    /// A change that could not be made.
    pub fn failure(&mut self) {
        self.all.failures += 1.0;
        self.recent.failures = self.recent.failures * FADING + 1.0;
        self.recent.successes *= SHOCK;
    }
}

impl Counts {
    fn share(self) -> f64 {
        self.successes / (self.successes + self.failures).max(f64::MIN_POSITIVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_failures_in_a_row_end_a_long_run_of_successes() {
        let mut rate = Rate::new(0.5);
        rate.successes(1000);
        assert!(rate.chance() > 0.99);
        for _ in 0..12 {
            rate.failure();
        }
        assert!(rate.chance() < 0.5, "{}", rate.chance());
        assert!(rate.overall() > 0.95);
    }
}
