//! What is known of a pass besides its proposals: an entry of the list of passes.

use super::{Context, Proposal, combined::by_weight};

/// A pass of the default pipeline, at one of its times.
///
/// One transformation may be due more than once: the entries have the same name then, and learn from each other's verdicts.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches, each set by a method of its own in the list"
)]
pub struct Pass {
    /// Its name for the user, in statistics and on the command line.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// When it is due.
    pub due: Due,
    /// How likely a proposal succeeds.
    pub prior: Prior,
    /// How the search goes through its proposals, where they are the parts of one long row.
    pub row: Option<Row>,
    /// Whether it may leave proposals unasked when hardly any of them succeeds.
    pub gives_up: bool,
    /// Whether candidates that the parser does not understand are asked about, too.
    pub breaks_syntax: bool,
    /// Whether it reads the document without its grammar.
    pub reads_plain: bool,
    /// Whether the heaviest proposals come first; else the order is the function's.
    pub heaviest_first: bool,
    /// Whether what it proposes is worth more than it takes, since it sets other parts free.
    pub frees_others: bool,
    /// When it asks again about what failed in a larger document, if the certificate does not ask about what it proposes.
    pub again: Option<Again>,
    /// What it proposes for a document.
    pub propose: fn(&Context) -> Vec<Proposal>,
}

/// When a pass asks again about what has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// When the rounds and the late steps have nothing left.
    BeforeProof,
    /// When the certificate has found nothing: what two things make one is hard to take apart then.
    BehindProof,
}

impl Pass {
    /// A pass that succeeds once in five times at first, and gives up when it does not.
    pub(super) const fn new(
        due: Due,
        name: &'static str,
        propose: fn(&Context) -> Vec<Proposal>,
    ) -> Self {
        Self {
            name,
            about: "",
            due,
            prior: Prior::AtFirst(0.2),
            row: None,
            gives_up: true,
            breaks_syntax: false,
            reads_plain: false,
            heaviest_first: true,
            frees_others: false,
            again: None,
            propose,
        }
    }

    /// Its proposals for a document, in the order in which they are to be asked about.
    pub fn proposals(&self, context: &Context) -> Vec<Proposal> {
        let proposals = (self.propose)(context);
        if self.heaviest_first {
            by_weight(proposals)
        } else {
            proposals
        }
    }

    pub(super) const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    pub(super) const fn prior(self, prior: Prior) -> Self {
        Self { prior, ..self }
    }

    pub(super) const fn row(self, row: Row) -> Self {
        Self {
            row: Some(row),
            ..self
        }
    }

    /// It asks about all of its proposals.
    pub(super) const fn thorough(self) -> Self {
        Self {
            gives_up: false,
            ..self
        }
    }

    pub(super) const fn freeing_others(self) -> Self {
        Self {
            frees_others: true,
            ..self
        }
    }

    pub(super) const fn trying_again(self) -> Self {
        Self {
            again: Some(Again::BeforeProof),
            ..self
        }
    }

    pub(super) const fn trying_at_last(self) -> Self {
        Self {
            again: Some(Again::BehindProof),
            ..self
        }
    }

    pub(super) const fn in_order(self) -> Self {
        Self {
            heaviest_first: false,
            ..self
        }
    }

    pub(super) const fn breaking_syntax(self) -> Self {
        Self {
            breaks_syntax: true,
            ..self
        }
    }

    pub(super) const fn reading_plain(self) -> Self {
        Self {
            reads_plain: true,
            ..self
        }
    }
}

/// When a pass is due. Passes that are due at the same time come in the order of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// Once, before everything else, of many comments.
    Comments,
    /// Once, behind that; and again in what was a large document, before the rounds.
    First,
    /// Behind that, in a large document.
    EarlyLayout,
    /// Without a grammar: once, before all other lines.
    Marked,
    /// Behind that: once, before what is smaller than a line.
    Lines,
    /// Behind that: the lines still show what stands in what.
    Levels,
    /// In a large document: before all that is told by names.
    Tail,
    /// In a large document: before the bodies, and before each row.
    BeforeRow,
    /// In a large document: after [`Due::BeforeRow`], where that is asked about with a new reason.
    Members,
    /// In a large document: after the first [`Due::BeforeRow`].
    Ends,
    /// In a large document: after [`Due::BeforeRow`].
    Needless,
    /// Once, before the rows: what makes a large document light.
    Bodies,
    /// In a large document: all of it as one row, again and again.
    Row,
    /// After each row.
    AfterRow,
    /// In a large document: after the bodies and what is not reached without them.
    LateBodies,
    /// In a large document: after the first rows.
    BoldBodies,
    /// In a large document: before the rows.
    Everywhere,
    /// Behind the rows, in a document of some size, where functions are made of blocks.
    Blocks,
    /// In a large document: after the rows.
    Kinds,
    /// Behind that, in a document of some size, where functions are made of blocks.
    Instructions,
    /// Once, after the rows.
    Spaces,
    /// In a document of some size: before the bodies, and behind the rows.
    Sever,
    /// In a document that was large: between the rows and the cuts.
    Reshape,
    /// Before the rounds, from large units to small ones.
    Cut,
    /// In every round.
    Round,
    /// When a round of large changes has nothing left.
    Further,
    /// When a round has nothing left. What succeeds in one of these lists is a reason for another round; the later lists tie
    /// together what the earlier ones take apart.
    Late(u8),
    /// When the user wants it, after the last round.
    Rename,
    /// Once, before the layout.
    Bytes,
    /// Before the sweep, and after each of its changes.
    Layout,
    /// Once, after the layout.
    Dense,
    /// Before the sweep.
    AnyTokens,
    /// In the end, until nothing changes, in what was very large at first.
    SoundSweep,
    /// Then the same with what breaks the syntax: the proof that the result is 1-minimal.
    Sweep,
    /// Behind the proof, with the largest effort.
    Beyond,
}

/// The chance of success that a pass starts from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Prior {
    /// This, whatever has been seen.
    Always(f64),
    /// This at first, then what entries of the same name have seen.
    AtFirst(f64),
    /// As if all proposals but one or two succeed.
    AllButOne,
}

/// How a long row of parts is gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// By runs of neighbours.
    Runs(Company),
    /// By halves, quarters … down to single lines, cut where blocks and paragraphs begin.
    Lines,
    /// By what is not reached from the last parts: from one, two, four … of them, until that succeeds.
    Unreached,
    /// By the last part, the last two, four … and what is between a success and a refusal by halves.
    Tail,
    /// Declarations with their members, and behind them bodies: by runs of the bodies, and what nothing reaches without them.
    Bodies,
    /// By runs of what stands last, each with all that the rest of it does not reach.
    Ends,
}

/// What goes together with a run of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Company {
    /// Nothing.
    None,
    /// What loses a name by it, as long as that is no more than half as much again: far ties are mostly wrong ones.
    Dependents,
    /// What nothing uses any more. Only what is not in use is asked about.
    Garbage,
}

/// A pass that has come down to this chance is given a few questions in every round.
const LEAST_CHANCE: f64 = 0.05;

impl Prior {
    /// The chance to start from, for so many proposals: what passes of this name have seen, or a guess.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    pub fn chance(self, seen: Option<f64>, proposals: usize) -> f64 {
        match (self, seen) {
            (Self::AllButOne, _) => 1.0 - 1.5 / (proposals as f64).max(3.0),
            (Self::AtFirst(_), Some(seen)) => seen.max(LEAST_CHANCE),
            (Self::Always(chance) | Self::AtFirst(chance), _) => chance,
        }
    }
}
