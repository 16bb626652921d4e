//! How many queries the list minimisers need: the worked example and the simulation of the WDD paper (Zhou et al., ICSE 2025, section
//! IV-D), for all of them side by side.
//!
//! `cargo bench --bench simulation` runs the paper's 5,000 lists, `cargo bench --bench simulation -- 200` only 200. The paper does
//! not say how a list's weight is spread over its elements; the words `units` and `ways` spread it in other ways than the usual `cuts`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::collections::HashSet;

use paredown::minimize::{Algorithm, Cut, Minimizer, Options, Runs, Weights};
use paredown::search::{Search, Verdict};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

const LISTS: u64 = 5_000;

fn main() {
    let lists = std::env::args()
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(LISTS);
    let spread = std::env::args().find_map(|argument| Spread::named(&argument));
    print_worked_example();
    print_simulation(lists, spread.unwrap_or(Spread::Cuts));
}

/// How a list's weight is spread over its elements, each of which weighs something.
#[derive(Clone, Copy, Debug)]
enum Spread {
    /// Each unit of weight falls on any of the elements.
    Units,
    /// What is between independent random cuts.
    Cuts,
    /// All ways to spread it are equally likely.
    Ways,
}

impl Spread {
    fn named(word: &str) -> Option<Self> {
        match word {
            "units" => Some(Self::Units),
            "cuts" => Some(Self::Cuts),
            "ways" => Some(Self::Ways),
            _ => None,
        }
    }
}

/// A list, and which of its elements the property needs.
struct Case {
    weights: Weights,
    /// At each index, how many needed elements are before it, and the keys of the elements before it taken together.
    before: Vec<(usize, u128)>,
}

#[derive(Clone, Copy)]
struct Count {
    queries: u64,
    cache_hits: u64,
}

impl Case {
    fn new(weights: Weights, is_needed: impl Fn(usize) -> bool) -> Self {
        let mut random = Random(0x5eed);
        let mut before = vec![(0, 0)];
        for element in 0..weights.len() {
            let (needed, keys) = before[element];
            before.push((
                needed + usize::from(is_needed(element)),
                keys ^ random.key(),
            ));
        }
        Self { weights, before }
    }

    /// How many needed elements the set has, and a hash that is as good as its content.
    fn measure(&self, set: &Runs) -> (usize, u128) {
        set.ranges().fold((0, 0), |(needed, keys), range| {
            let ((needed_start, keys_start), (needed_end, keys_end)) =
                (self.before[range.start], self.before[range.end]);
            (
                needed + needed_end - needed_start,
                keys ^ keys_start ^ keys_end,
            )
        })
    }

    /// Runs a search to its end behind a cache of the uninteresting subsets. Costs the size of the changes, not of the list.
    fn count(&self, options: &Options) -> Count {
        let (all_needed, mut kept_keys) = self.before[self.weights.len()];
        let mut uninteresting: HashSet<u128, FxBuildHasher> = HashSet::default();
        let mut minimizer = Minimizer::new(&self.weights, options);
        let mut count = Count {
            queries: 0,
            cache_hits: 0,
        };
        while let Some(cut) = minimizer.ask() {
            let (interesting, keys) = match &cut {
                Cut::Drop(dropped) => {
                    let (needed, keys) = self.measure(dropped);
                    (needed == 0, kept_keys ^ keys)
                }
                Cut::Keep(rest) => {
                    let (needed, keys) = self.measure(rest);
                    (needed == all_needed, keys)
                }
            };
            let known = !interesting && !uninteresting.insert(keys);
            if known {
                count.cache_hits += 1;
            } else {
                count.queries += 1;
            }
            let kept_before = minimizer.best().len();
            minimizer.tell(Verdict::of(interesting));
            if minimizer.best().len() < kept_before {
                kept_keys = self.measure(minimizer.best()).1;
            }
        }
        assert_eq!(
            minimizer.best().len(),
            all_needed,
            "{options:?} left something else than the needed elements"
        );
        count
    }
}

/// The algorithms as the papers have them: with the subset phase where there is one, without a sweep that they do not have.
fn contestants(p0: f64) -> Vec<(String, Options)> {
    let paper = |algorithm| Options {
        p0,
        sweep: false,
        ..Options::new(algorithm)
    };
    let mut contestants: Vec<_> = Algorithm::ALL
        .into_iter()
        .map(|algorithm| {
            let subsets = matches!(algorithm, Algorithm::Ddmin | Algorithm::Wddmin);
            (
                algorithm.to_string(),
                Options {
                    subsets,
                    ..paper(algorithm)
                },
            )
        })
        .collect();
    for algorithm in [Algorithm::Ddmin, Algorithm::Wddmin] {
        contestants.push((format!("{algorithm}, no subsets"), paper(algorithm)));
    }
    contestants
}

fn print_worked_example() {
    let weights = Weights::Each([5, 8, 7, 7, 8, 16, 25, 6].into());
    let case = Case::new(weights, |element| [0, 2, 5, 6, 7].contains(&element));
    println!("worked example: 8 elements, 5 needed, p0 = 0.2\n");
    println!("{:<20} {:>8} {:>11}", "minimizer", "queries", "cache hits");
    for (name, options) in contestants(0.2) {
        let count = case.count(&options);
        println!("{name:<20} {:>8} {:>11}", count.queries, count.cache_hits);
    }
}

fn print_simulation(lists: u64, spread: Spread) {
    println!(
        "\nsimulation: {lists} lists, weights by {spread:?}, subsets on for ddmin and wddmin, p0 = 0.1\n"
    );
    println!(
        "{:<20} {:>13} {:>9} {:>11} {:>16} {:>14}",
        "minimizer", "queries", "to ddmin", "mean ratio", "fewer on lists", "cache hits"
    );
    let contestants = contestants(0.1);
    let counts: Vec<Vec<Count>> = (0..lists)
        .into_par_iter()
        .map(|seed| {
            let case = random_case(seed, spread);
            contestants
                .iter()
                .map(|(_, options)| case.count(options))
                .collect()
        })
        .collect();
    for (index, (name, _)) in contestants.iter().enumerate() {
        let queries: u64 = counts.iter().map(|row| row[index].queries).sum();
        let ddmin: u64 = counts.iter().map(|row| row[0].queries).sum();
        let cache_hits: u64 = counts.iter().map(|row| row[index].cache_hits).sum();
        let ratios = counts
            .iter()
            .map(|row| ratio(row[index].queries, row[0].queries));
        let fewer = counts
            .iter()
            .filter(|row| row[index].queries < row[0].queries)
            .count() as u64;
        println!(
            "{name:<20} {queries:>13} {:>+8.1}% {:>11.3} {:>15.1}% {cache_hits:>14}",
            100.0 * (ratio(queries, ddmin) - 1.0),
            ratios.sum::<f64>() / ratio(lists, 1),
            100.0 * ratio(fewer, lists),
        );
    }
}

/// A list as section IV-D of the paper draws it.
///
/// The paper does not say how the weight is spread, and that decides how much Wddmin gains: the more uneven, the more. Thrown unit by
/// unit it is about a tenth of ddmin's queries, between independent random cuts a quarter (as here, near the paper's 23 %), and if all
/// ways to spread it are equally likely three tenths.
fn random_case(seed: u64, spread: Spread) -> Case {
    let mut random = Random(seed);
    let len = 2 + random.below(999);
    let total = len + random.below(9 * len + 1);
    let weights = match spread {
        Spread::Units => random.by_units(total, len),
        Spread::Cuts => random.by_cuts(total, len),
        Spread::Ways => random.by_ways(total, len),
    };
    let token_can_go = random.fraction();
    let needed: Vec<bool> = weights
        .iter()
        .map(|&weight| random.fraction() >= token_can_go.powf(f64::from(weight)))
        .collect();
    Case::new(Weights::Each(weights.into()), |element| needed[element])
}

#[expect(clippy::cast_precision_loss, reason = "printed with a few digits")]
fn ratio(one: u64, two: u64) -> f64 {
    one as f64 / two.max(1) as f64
}

/// The `SplitMix64` generator, so that the table is the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn key(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    #[expect(clippy::cast_possible_truncation, reason = "less than the bound")]
    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// So many positive numbers with this sum: 1 each, and each unit of the rest for any of them.
    fn by_units(&mut self, sum: usize, len: usize) -> Vec<u32> {
        let mut numbers = vec![1; len];
        for _ in len..sum {
            numbers[self.below(len)] += 1;
        }
        numbers
    }

    /// The same: 1 each, and what is between independent random cuts of the rest.
    fn by_cuts(&mut self, sum: usize, len: usize) -> Vec<u32> {
        let rest = sum - len;
        let mut cuts: Vec<usize> = (1..len).map(|_| self.below(rest + 1)).collect();
        cuts.extend([0, rest]);
        cuts.sort_unstable();
        cuts.windows(2)
            .map(|pair| 1 + pair[1] - pair[0])
            .map(weight)
            .collect()
    }

    /// The same: what is between different cuts of the whole.
    fn by_ways(&mut self, sum: usize, len: usize) -> Vec<u32> {
        let (mut numbers, mut start, mut cuts) = (Vec::new(), 0, len - 1);
        for place in 1..sum {
            if self.below(sum - place) < cuts {
                numbers.push(weight(place - start));
                (start, cuts) = (place, cuts - 1);
            }
        }
        numbers.push(weight(sum - start));
        numbers
    }

    /// Uniform in 0 to 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn weight(number: usize) -> u32 {
    u32::try_from(number).expect("at most 10,000")
}
