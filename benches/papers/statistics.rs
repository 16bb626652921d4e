//! The two statistics of the WDD paper.

/// Spearman's rank correlation of pairs, with mean ranks for ties; `None` for fewer than two pairs and where one side is constant.
pub(crate) fn spearman(pairs: &[(f64, f64)]) -> Option<f64> {
    let left = ranks(&pairs.iter().map(|pair| pair.0).collect::<Vec<_>>());
    let right = ranks(&pairs.iter().map(|pair| pair.1).collect::<Vec<_>>());
    let mean = |values: &[f64]| values.iter().sum::<f64>() / count(values.len());
    let (left_mean, right_mean) = (mean(&left), mean(&right));
    let product = |one: f64, other: f64| (one - left_mean) * (other - right_mean);
    let pairs = left.iter().zip(&right);
    let covariance: f64 = pairs.map(|(&one, &other)| product(one, other)).sum();
    let spread =
        |ranks: &[f64], mean: f64| ranks.iter().map(|rank| (rank - mean).powi(2)).sum::<f64>();
    let spreads = spread(&left, left_mean) * spread(&right, right_mean);
    (spreads > 0.0).then(|| covariance / spreads.sqrt())
}

/// Wilcoxon's signed-rank test, two-sided: the probability of rank sums at least as uneven if neither side is better. Exact: all
/// signs are counted. Differences of zero are left out; `None` if none is left.
pub(crate) fn wilcoxon(pairs: &[(f64, f64)]) -> Option<f64> {
    let differences: Vec<f64> = pairs
        .iter()
        .map(|(one, other)| one - other)
        .filter(|difference| *difference != 0.0)
        .collect();
    // Twice the ranks, so that those of ties are whole numbers.
    let sizes: Vec<f64> = differences
        .iter()
        .map(|difference| difference.abs())
        .collect();
    let ranks = ranks(&sizes);
    let doubled: Vec<usize> = ranks.iter().map(|rank| whole(2.0 * rank)).collect();
    let total: usize = doubled.iter().sum();
    let signed = doubled.iter().zip(&differences);
    let positive: usize = signed
        .filter(|(_, difference)| **difference > 0.0)
        .map(|(rank, _)| rank)
        .sum();
    // How likely each sum of positive ranks is.
    let mut chances = vec![0.0; total + 1];
    chances[0] = 1.0;
    for &rank in &doubled {
        for sum in (0..=total).rev() {
            let with = if sum >= rank {
                chances[sum - rank]
            } else {
                0.0
            };
            chances[sum] = 0.5 * (chances[sum] + with);
        }
    }
    let fewer = positive.min(total - positive);
    let tail: f64 = chances[..=fewer].iter().sum();
    (!differences.is_empty()).then(|| (2.0 * tail).min(1.0))
}

/// The rank of each value from 1, and of equal ones the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let below = |value: f64| values.iter().filter(|&&other| other < value).count();
    let equal = |value: f64| {
        values
            .iter()
            .filter(|&&other| other.total_cmp(&value).is_eq())
            .count()
    };
    let rank = |&value: &f64| count(below(value)) + f64::midpoint(count(equal(value)), 1.0);
    values.iter().map(rank).collect()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "there are fewer than 2^52 pairs"
)]
pub(crate) fn count(number: usize) -> f64 {
    number as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a small whole number that is not negative"
)]
fn whole(number: f64) -> usize {
    number.round() as usize
}

/// The textbooks' examples come out; a bench has no tests of its own.
pub(crate) fn check() {
    let near = |found: Option<f64>, expected: f64| {
        found.is_some_and(|found| (found - expected).abs() < 5e-4)
    };
    // Woolson (2005) and others: 8 pairs, rank sums 9 and 27.
    let pairs = [
        (125.0, 110.0),
        (115.0, 122.0),
        (130.0, 125.0),
        (140.0, 120.0),
        (140.0, 140.0),
        (115.0, 124.0),
        (140.0, 123.0),
        (125.0, 137.0),
        (140.0, 135.0),
        (135.0, 145.0),
    ];
    assert!(near(wilcoxon(&pairs), 0.6328), "{:?}", wilcoxon(&pairs));
    let pairs = [(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)];
    assert!(near(wilcoxon(&pairs), 0.25));
    assert!(near(spearman(&pairs), 1.0));
    // Intelligence and hours of television.
    let pairs = [
        (86.0, 2.0),
        (97.0, 20.0),
        (99.0, 28.0),
        (100.0, 27.0),
        (101.0, 50.0),
        (103.0, 29.0),
        (106.0, 7.0),
        (110.0, 17.0),
        (112.0, 6.0),
        (113.0, 12.0),
    ];
    assert!(near(spearman(&pairs), -0.1758));
    assert_eq!(spearman(&[(1.0, 1.0), (1.0, 2.0)]), None);
}
