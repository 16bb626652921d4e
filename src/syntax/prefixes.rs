//! Fingerprints of any piece of a text in constant time.
//!
//! A polynomial over the bytes, modulo a prime, is kept for every prefix of the text; that of a piece is what the longer prefix has
//! more (R. M. Karp and M. O. Rabin, "Efficient randomized pattern-matching algorithms", 1987). Texts that nest in each other are
//! told apart for the price of one walk, where hashing each would cost the square of the depth. Two different texts have the same
//! fingerprint with a chance of about their length in 2⁶¹, so it may only decide about order and repetition.

/// The fingerprints of all prefixes of a text.
#[derive(Debug)]
pub(super) struct Prefixes {
    sums: Vec<u64>,
    /// How many bytes count in each prefix.
    lengths: Vec<u32>,
}

/// A Mersenne prime, so that a remainder is two shifts and an addition.
const PRIME: u64 = (1 << 61) - 1;
/// Any large number will do; this one is the golden ratio's.
const BASE: u64 = 0x1e37_79b9_7f4a_7c15;

impl Prefixes {
    /// Those of `bytes`, in which blanks count as nothing: what was refused is known again when the layout is another one. Cost:
    /// linear, twelve bytes for each.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut sums = Vec::with_capacity(bytes.len() + 1);
        let mut lengths = Vec::with_capacity(bytes.len() + 1);
        let (mut sum, mut length) = (0, 0);
        sums.push(sum);
        lengths.push(length);
        for &byte in bytes {
            if !byte.is_ascii_whitespace() {
                // Zero does not count as nothing: else blocks of zeros would be alike.
                sum = (product(sum, BASE) + u64::from(byte) + 1) % PRIME;
                length += 1;
            }
            sums.push(sum);
            lengths.push(length);
        }
        Self { sums, lengths }
    }

    /// The fingerprint of the bytes in `range`, which depends on nothing but those of them that are no blanks. Cost: the logarithm
    /// of their number.
    pub(super) fn fingerprint(&self, range: std::ops::Range<usize>) -> u64 {
        let length = self.lengths[range.end] - self.lengths[range.start];
        let before = product(self.sums[range.start], power(length));
        (self.sums[range.end] + PRIME - before) % PRIME
    }
}

/// `BASE` to the power of `exponent`.
fn power(mut exponent: u32) -> u64 {
    let (mut result, mut factor) = (1, BASE);
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = product(result, factor);
        }
        factor = product(factor, factor);
        exponent /= 2;
    }
    result
}

/// The product modulo `PRIME` of two numbers below it.
fn product(one: u64, two: u64) -> u64 {
    let product = u128::from(one) * u128::from(two);
    let folded = (product & u128::from(PRIME)) + (product >> 61);
    let folded = u64::try_from(folded).unwrap_or(u64::MAX);
    if folded >= PRIME {
        folded - PRIME
    } else {
        folded
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn blanks_make_no_difference() {
        let prefixes = Prefixes::of(b"f( a )\nf(a)");
        assert_eq!(prefixes.fingerprint(0..6), prefixes.fingerprint(7..11));
        assert_ne!(prefixes.fingerprint(0..4), prefixes.fingerprint(7..11));
    }

    proptest! {
        #[test]
        fn equal_pieces_and_no_others_are_alike(text in "[ab\0]{0,60}", cuts in any::<[prop::sample::Index; 4]>()) {
            let bytes = text.as_bytes();
            let prefixes = Prefixes::of(bytes);
            let mut at = cuts.map(|cut| cut.index(bytes.len() + 1));
            at[..2].sort_unstable();
            at[2..].sort_unstable();
            let (one, two) = (at[0]..at[1], at[2]..at[3]);
            prop_assert_eq!(
                prefixes.fingerprint(one.clone()) == prefixes.fingerprint(two.clone()),
                bytes[one] == bytes[two]
            );
        }

        #[test]
        fn a_product_is_what_long_arithmetic_says(one in 0..PRIME, two in 0..PRIME) {
            let expected = u128::from(one) * u128::from(two) % u128::from(PRIME);
            prop_assert_eq!(u128::from(product(one, two)), expected);
        }
    }
}
