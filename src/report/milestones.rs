//! When a log gets its next line.

use std::time::{Duration, Instant};

/// The lines so far.
pub(super) struct Milestones {
    last: Instant,
    /// Tenths of the original that were left at the last line.
    tenths: usize,
}

/// There is a line after this time at the latest.
const LONGEST_SILENCE: Duration = Duration::from_secs(30);

impl Milestones {
    pub(super) fn new() -> Self {
        Self {
            last: Instant::now(),
            tenths: 10,
        }
    }

    /// Whether there is something to say now; it counts as said then.
    pub(super) fn is_due(&mut self, best: usize, original: usize) -> bool {
        let tenths = best.saturating_mul(10).div_ceil(original.max(1));
        let due = tenths < self.tenths || self.last.elapsed() >= LONGEST_SILENCE;
        if due {
            self.last = Instant::now();
            self.tenths = tenths;
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_has_a_line_for_each_tenth() {
        let mut milestones = Milestones::new();
        let sizes = [1000, 950, 899, 850, 801, 800, 300, 299, 1];
        let due: Vec<usize> = sizes
            .into_iter()
            .filter(|size| milestones.is_due(*size, 1000))
            .collect();
        assert_eq!(due, [899, 800, 300, 1]);
    }
}
