//! The arithmetic that ProbDD, CDD and WProbDD share. `p` is the probability that an element is needed.

/// A prior with which the searches make progress and end: not 0, not 1, and a number.
pub(super) fn prior(p0: f64) -> f64 {
    if p0.is_nan() {
        0.1
    } else {
        p0.clamp(1e-9, 0.999_999)
    }
}

/// Whether one more element of probability `p` is worth being taken with `taken` others.
///
/// The expected gain of `s` elements, s·(1-p)^s, changes by the factor (1 + 1/taken)(1 - p), which is at least 1 exactly if
/// p·(taken + 1) ≤ 1. This form has no rounding at ties like p = 0.2 with 4 and 5 elements. A tie is worth it: ProbDD's worked
/// example in the WDD paper begins with 5.
pub(super) fn is_worth_one_more(p: f64, taken: usize) -> bool {
    p * (to_float(taken) + 1.0) <= 1.0
}

/// The number of elements of probability `p` with the greatest expected gain, s·(1-p)^s; of two such numbers the greater.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "at least 1, and the cast saturates"
)]
pub(super) fn best_size(p: f64) -> usize {
    (1.0 / p).floor().max(1.0) as usize
}

/// (1-p)^count: the probability that this many elements can all go, by squaring, so that it is the same on every machine.
pub(super) fn all_can_go(p: f64, count: usize) -> f64 {
    let (mut product, mut square, mut bits) = (1.0, 1.0 - p, count);
    while bits > 0 {
        if bits & 1 == 1 {
            product *= square;
        }
        square *= square;
        bits >>= 1;
    }
    product
}

/// The count as a number to calculate with; counts stay far below the 2^53 from which on this would round.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
pub(super) fn to_float(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_size_has_the_greatest_gain() {
        for hundredth in 1..100_u32 {
            let p = f64::from(hundredth) / 100.0;
            let gain = |size: usize| to_float(size) * all_can_go(p, size);
            let greatest = (1..=200).map(gain).fold(0.0, f64::max);
            assert!(gain(best_size(p)) >= greatest - 1e-12, "p = {p}");
        }
    }

    #[test]
    fn one_more_is_worth_it_exactly_below_the_best_size() {
        for hundredth in 1..100_u32 {
            let p = f64::from(hundredth) / 100.0;
            let counted = (1..1_000).find(|&taken| !is_worth_one_more(p, taken));
            assert_eq!(counted, Some(best_size(p)), "p = {p}");
        }
    }
}
