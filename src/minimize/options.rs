//! What a user can choose about a list minimiser.

use std::fmt;
use std::str::FromStr;

/// The list minimisers; each is described in its own file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Minimising Delta Debugging.
    Ddmin,
    /// One-pass ddmin: goes on after a success instead of starting again.
    Opdd,
    /// ddmin that asks a window of complements and combines the interesting ones.
    Greeddy,
    /// Probabilistic Delta Debugging.
    Probdd,
    /// Counter-based Delta Debugging.
    Cdd,
    /// ddmin that divides by weight.
    Wddmin,
    /// ProbDD that weighs its gain.
    Wprobdd,
    /// Group testing by binary splitting: the default pipeline's own.
    Splitting,
    /// Halves, quarters, eighths …, from the last to the first: the default pipeline's own for long rows.
    Halving,
}

impl Algorithm {
    /// All of them, in the order of the documentation.
    pub const ALL: [Self; 9] = [
        Self::Ddmin,
        Self::Opdd,
        Self::Greeddy,
        Self::Probdd,
        Self::Cdd,
        Self::Wddmin,
        Self::Wprobdd,
        Self::Splitting,
        Self::Halving,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ddmin => "ddmin",
            Self::Opdd => "opdd",
            Self::Greeddy => "greeddy",
            Self::Probdd => "probdd",
            Self::Cdd => "cdd",
            Self::Wddmin => "wddmin",
            Self::Wprobdd => "wprobdd",
            Self::Splitting => "splitting",
            Self::Halving => "halving",
        }
    }

    /// Whether the algorithm's own result is 1-minimal for every deterministic oracle, so that no sweep is needed after it.
    const fn is_one_minimal(self) -> bool {
        matches!(self, Self::Ddmin | Self::Greeddy | Self::Wddmin)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// A name that is no [`Algorithm`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no minimizer is named `{0}`\nhint: use ddmin, opdd, greeddy, probdd, cdd, wddmin, wprobdd, splitting or halving"
)]
pub struct UnknownAlgorithm(String);

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|algorithm| algorithm.name() == name)
            .ok_or_else(|| UnknownAlgorithm(name.to_owned()))
    }
}

/// An algorithm and its parameters. Parameters that an algorithm does not have are ignored.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches, each an option on the command line"
)]
pub struct Options {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Whether parts are also tried alone ("reduce to subset"): ddmin, OPDD, GreeDDy and Wddmin. Off by default.
    pub subsets: bool,
    /// Whether parts are taken away from the last to the first: ddmin, OPDD, GreeDDy, CDD and Wddmin. Off by default.
    pub backward: bool,
    /// The number of parts at the start, and of pieces that a part becomes: ddmin, OPDD and GreeDDy. At least 2, the default.
    pub split: u32,
    /// How many complements GreeDDy asks before it decides (the paper's T). At least 1, by default 4.
    pub window: u32,
    /// The probability that an element is needed, before anything is known: ProbDD, CDD, WProbDD and splitting. Between 0 and 1, by default 0.1.
    pub p0: f64,
    /// Shuffles elements between which ProbDD or WProbDD does not choose. Without it they keep the order of the input, the default.
    pub seed: Option<u64>,
    /// Whether WProbDD asks in waves: what was asked about rests until the others had their turn, so that the questions of a wave
    /// are the same whatever the answers are, and can be asked at the same time. Off by default: the paper does not.
    pub waves: bool,
    /// Whether every remaining element is tried alone in the end, so that the result is 1-minimal. On by default for the algorithms that do not promise that themselves.
    pub sweep: bool,
    /// Whether the algorithm is run again on its result until nothing changes (ddmin becomes DDMIN\*). Off by default.
    pub fixed_point: bool,
}

impl Options {
    /// The defaults that are given at each field.
    pub const fn new(algorithm: Algorithm) -> Self {
        Self {
            algorithm,
            subsets: false,
            backward: false,
            split: 2,
            window: 4,
            p0: 0.1,
            seed: None,
            waves: false,
            sweep: !algorithm.is_one_minimal(),
            fixed_point: false,
        }
    }

    pub(super) fn split_factor(&self) -> usize {
        self.split.max(2) as usize
    }
}
