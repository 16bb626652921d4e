//! What a user can choose about a reduction.

use crate::minimize::{Algorithm, Options};
use std::{fmt, str::FromStr};

/// How the candidates are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// The default pipeline.
    Auto,
    /// The list minimiser on the lines.
    Lines,
    /// On the tokens, with the comments between them.
    Tokens,
    /// On the characters of UTF-8; bytes that are none count as one each.
    Chars,
    /// Lines, then characters.
    TwoPass,
    /// On the bytes.
    Bytes,
    /// Hierarchical Delta Debugging: on each level of the tree.
    Hdd,
    /// Recursive HDD: on the children of one node after the other.
    Hddr,
    /// HDD on the nodes that need no replacement.
    CoarseHdd,
    /// HDDr on the nodes that need no replacement.
    CoarseHddr,
    /// Lists first, largest first; other nodes give their place to descendants.
    Quantified,
}

/// When a tree strategy puts a descendant in a node's place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Hoist {
    /// Never.
    #[default]
    None,
    /// In rounds of its own, before the strategy begins.
    Before,
    /// After each run of the list minimiser, on what it left.
    Interlaced,
    /// Both before and interlaced.
    Both,
}

/// How much is asked before the search ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Effort {
    /// Until the result is 1-minimal.
    #[default]
    Normal,
    /// Behind that, what mostly fails: see [`crate::strategy`].
    Max,
}

/// A strategy and its parameters. Parameters that a strategy does not have are ignored.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// How the candidates are made.
    pub strategy: Strategy,
    /// The list minimiser; by default [`Strategy::default_minimizer`], or the default pipeline's own ways. Whether it goes on to the fixed point is decided by
    /// [`Plan::once`], not by its own option.
    pub minimizer: Option<Options>,
    /// When descendants take the place of nodes.
    pub hoist: Hoist,
    /// One round instead of the fixed point.
    pub once: bool,
    /// What the default pipeline does when its result is 1-minimal.
    pub effort: Effort,
    /// Shorter names at the end.
    pub rename: bool,
    /// The names of passes that the default pipeline leaves out.
    pub without: Vec<String>,
}

/// A name that is no [`Strategy`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no strategy is named `{0}`\nhint: use auto, lines, tokens, chars, two-pass, bytes, hdd, hddr, coarse-hdd, coarse-hddr or quantified"
)]
pub struct UnknownStrategy(String);

/// A name that is no [`Effort`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no effort\nhint: use normal or max")]
pub struct UnknownEffort(String);

/// A name that is no [`Hoist`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no time to hoist\nhint: use none, before, interlaced or both")]
pub struct UnknownHoist(String);

impl Strategy {
    /// All of them, in the order of the documentation.
    pub const ALL: [Self; 11] = [
        Self::Auto,
        Self::Lines,
        Self::Tokens,
        Self::Chars,
        Self::TwoPass,
        Self::Bytes,
        Self::Hdd,
        Self::Hddr,
        Self::CoarseHdd,
        Self::CoarseHddr,
        Self::Quantified,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Lines => "lines",
            Self::Tokens => "tokens",
            Self::Chars => "chars",
            Self::TwoPass => "two-pass",
            Self::Bytes => "bytes",
            Self::Hdd => "hdd",
            Self::Hddr => "hddr",
            Self::CoarseHdd => "coarse-hdd",
            Self::CoarseHddr => "coarse-hddr",
            Self::Quantified => "quantified",
        }
    }

    /// The list minimiser that the strategy uses when none is chosen.
    ///
    /// HDD as it was published runs ddmin, from the first part on again after every success. Where a declaration stands before its
    /// uses that costs the square of a row, so its successors run ddmin in one pass, from the last part on: the uses go first.
    pub const fn default_minimizer(self) -> Options {
        match self {
            Self::Auto | Self::Quantified => Options::new(Algorithm::Wprobdd),
            Self::Hddr | Self::CoarseHdd | Self::CoarseHddr => {
                let mut options = Options::new(Algorithm::Opdd);
                options.backward = true;
                options
            }
            _ => Options::new(Algorithm::Ddmin),
        }
    }
}

impl Effort {
    /// All of them, in the order of the documentation.
    pub const ALL: [Self; 2] = [Self::Normal, Self::Max];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Max => "max",
        }
    }
}

impl Hoist {
    /// All of them, in the order of the documentation.
    pub const ALL: [Self; 4] = [Self::None, Self::Before, Self::Interlaced, Self::Both];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Before => "before",
            Self::Interlaced => "interlaced",
            Self::Both => "both",
        }
    }
}

impl Plan {
    /// The strategy with its own minimiser, without hoisting, to the fixed point.
    pub const fn new(strategy: Strategy) -> Self {
        Self {
            strategy,
            minimizer: None,
            hoist: Hoist::None,
            once: false,
            effort: Effort::Normal,
            rename: false,
            without: Vec::new(),
        }
    }

    /// The options for the list minimiser of one round.
    pub(super) fn minimizer_options(&self) -> Options {
        let mut options = self
            .minimizer
            .clone()
            .unwrap_or_else(|| self.strategy.default_minimizer());
        options.fixed_point = false;
        options
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl fmt::Display for Hoist {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Strategy {
    type Err = UnknownStrategy;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|known| known.name() == name);
        known.ok_or_else(|| UnknownStrategy(name.to_owned()))
    }
}

impl FromStr for Effort {
    type Err = UnknownEffort;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|known| known.name() == name);
        known.ok_or_else(|| UnknownEffort(name.to_owned()))
    }
}

impl FromStr for Hoist {
    type Err = UnknownHoist;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|known| known.name() == name);
        known.ok_or_else(|| UnknownHoist(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back() {
        for strategy in Strategy::ALL {
            assert_eq!(strategy.to_string().parse(), Ok(strategy));
        }
        for hoist in Hoist::ALL {
            assert_eq!(hoist.to_string().parse(), Ok(hoist));
        }
        for effort in Effort::ALL {
            assert_eq!(effort.to_string().parse(), Ok(effort));
        }
        assert_eq!(
            "most".parse::<Effort>().unwrap_err().to_string(),
            "`most` is no effort\nhint: use normal or max"
        );
    }

    #[test]
    fn an_unknown_name_is_refused_with_a_hint() {
        let error = "hdd2".parse::<Strategy>().unwrap_err().to_string();
        assert!(
            error.contains("`hdd2`") && error.contains("hint: "),
            "{error}"
        );
    }
}
