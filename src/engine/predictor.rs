//! How likely the next answers are, so that what is asked ahead is what will probably be needed.
//!
//! A branch predictor with degrees: for each situation, an estimate that follows the recent answers. The situation is what
//! the search itself expects and what the answer before was. Only consumed answers are learned from.

use crate::search::Verdict;

/// Estimates the probability that a question's answer is "interesting".
#[derive(Clone, Debug)]
pub(super) struct Predictor {
    /// By expectation (none, interesting, uninteresting) and by whether the answer before was interesting.
    estimates: [[f64; 2]; 3],
}

/// The weight of the newest answer.
const RATE: f64 = 1.0 / 12.0;
/// Nothing is certain: what seems so would stop the search for another way.
const LEAST: f64 = 0.02;

impl Default for Predictor {
    fn default() -> Self {
        Self {
            estimates: [[0.15, 0.4], [0.7, 0.8], [0.1, 0.3]],
        }
    }
}

impl Predictor {
    /// The probability of "interesting".
    pub(super) fn estimate(&self, expected: Option<Verdict>, before: Verdict) -> f64 {
        let [row, column] = situation(expected, before);
        self.estimates[row][column].clamp(LEAST, 1.0 - LEAST)
    }

    /// Learns an answer.
    pub(super) fn learn(&mut self, expected: Option<Verdict>, before: Verdict, verdict: Verdict) {
        let [row, column] = situation(expected, before);
        let truth = f64::from(u8::from(verdict.is_interesting()));
        let estimate = &mut self.estimates[row][column];
        *estimate += RATE * (truth - *estimate);
    }
}

fn situation(expected: Option<Verdict>, before: Verdict) -> [usize; 2] {
    let row = match expected {
        None => 0,
        Some(Verdict::Interesting) => 1,
        Some(Verdict::Uninteresting) => 2,
    };
    [row, usize::from(before.is_interesting())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Interesting, Uninteresting};

    #[test]
    fn the_estimate_follows_the_answers_of_its_situation_only() {
        let mut predictor = Predictor::default();
        let other = predictor.estimate(Some(Uninteresting), Uninteresting);
        for _ in 0..50 {
            predictor.learn(None, Interesting, Interesting);
        }
        assert!(predictor.estimate(None, Interesting) > 0.95);
        assert!((predictor.estimate(Some(Uninteresting), Uninteresting) - other).abs() < 1e-9);
    }
}
