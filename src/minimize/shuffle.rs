//! A shuffle that depends on its seed alone, on every machine and in every version.

/// Puts the items in a random order (Fisher and Yates) drawn from the `SplitMix64` generator.
pub(super) fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed;
    for index in (1..items.len()).rev() {
        let other = below(next(&mut state), index + 1);
        items.swap(index, other);
    }
}

/// `SplitMix64` by Steele, Lea and Flood, 2014.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// The random number brought below `bound` by taking the high half of the product.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the high half is less than the bound"
)]
fn below(random: u64, bound: usize) -> usize {
    ((u128::from(random) * bound as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffling_keeps_the_items_and_depends_on_the_seed() {
        let shuffled = |seed| {
            let mut items: Vec<usize> = (0..100).collect();
            shuffle(&mut items, seed);
            items
        };
        let mut sorted = shuffled(1);
        assert_eq!(shuffled(1), sorted);
        assert_ne!(shuffled(2), sorted);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn the_generator_gives_the_published_numbers() {
        let mut state = 1_234_567;
        let numbers = [next(&mut state), next(&mut state), next(&mut state)];
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }
}
