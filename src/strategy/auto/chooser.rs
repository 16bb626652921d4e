//! Which proposals of a stage are tried together.

use super::{
    emptying::Emptying, ends::Ends, levels::Levels, roots::Roots, runs::Runs, step::Step,
    tail::Tail,
};
use crate::{
    minimize::{self, Cut, Minimizer, Options, Patience, Rate, Splitting, Weights},
    pass::{Context, Proposal, Row, with_bodies},
    search::{Search, Verdict},
};

/// A search over the indices of a list of proposals. Clones copy what is open.
#[derive(Clone, Debug)]
pub(super) enum Chooser {
    /// Group testing, the pipeline's own way.
    Splitting(Splitting),
    /// Runs over one long row.
    Runs(Box<Runs>),
    /// Runs of lines, by their depths.
    Levels(Box<Levels>),
    /// Runs of bodies, with what nothing reaches without them.
    Emptying(Box<Emptying>),
    /// What the end of one long row does not reach.
    Roots(Roots),
    /// The last of one long row.
    Tail(Tail),
    /// What stands last, with what it reaches.
    Ends(Box<Ends>),
    /// The list minimiser that the user chose.
    Listed(Box<Minimizer>),
}

impl Chooser {
    /// For the proposals of a step.
    pub(super) fn new(
        context: &Context,
        proposals: &[Proposal],
        step: Step,
        (rate, patience): (Rate, Patience),
        minimizer: Option<&Options>,
    ) -> Self {
        let grain = step.grain;
        match (minimizer, step.pass.row) {
            (Some(options), _) => {
                let weights = proposals.iter().map(|proposal| proposal.weight);
                let weights = Weights::Each(weights.collect());
                Self::Listed(Box::new(Minimizer::new(&weights, options)))
            }
            (None, Some(Row::Unreached)) => {
                Self::Roots(Roots::new(context, proposals, grain.least))
            }
            (None, Some(Row::Tail)) => {
                // Without names what stands last is no more than that.
                let has_names = !context.names().declarations.is_empty();
                let proposals = if has_names { proposals } else { &[] };
                Self::Tail(Tail::new(proposals.iter().map(|part| part.weight)))
            }
            (None, Some(Row::Ends)) => {
                Self::Ends(Box::new(Ends::new(context, proposals, grain.least)))
            }
            (None, Some(Row::Lines)) => Self::Levels(Box::new(Levels::new(context, proposals))),
            (None, Some(Row::Bodies)) => {
                let known = with_bodies(context);
                Self::Emptying(Box::new(Emptying::new(context, proposals, &known, grain)))
            }
            (None, Some(Row::Runs(company))) => {
                Self::Runs(Box::new(Runs::new(context, proposals, company, grain)))
            }
            (None, None) => Self::Splitting(Splitting::new(proposals.len(), rate, patience)),
        }
    }

    /// The next group, never empty; `None` at the end. `weight` and `doubt` as for [`Splitting::next`], which alone asks for them.
    pub(super) fn next(
        &mut self,
        weight: impl Fn(u32) -> u32,
        doubt: impl FnMut(u32) -> f64,
    ) -> Option<Vec<u32>> {
        match self {
            Self::Splitting(splitting) => splitting.next(weight, doubt).map(<[u32]>::to_vec),
            Self::Runs(runs) => runs.next().map(<[u32]>::to_vec),
            Self::Levels(levels) => levels.next().map(<[u32]>::to_vec),
            Self::Emptying(emptying) => emptying.next().map(<[u32]>::to_vec),
            Self::Roots(roots) => roots.next().map(<[u32]>::to_vec),
            Self::Tail(tail) => tail.next().map(<[u32]>::to_vec),
            Self::Ends(ends) => ends.next().map(<[u32]>::to_vec),
            Self::Listed(minimizer) => {
                let cut: Cut = minimizer.ask()?;
                Some(elements(&cut.dropped_from(minimizer.best())))
            }
        }
    }

    /// Takes the answer to the group that [`Chooser::next`] gave; returns what is to be made because of it.
    pub(super) fn tell(&mut self, good: bool) -> Vec<u32> {
        match self {
            Self::Splitting(splitting) => splitting.tell(good),
            Self::Runs(runs) => runs.tell(good),
            Self::Levels(levels) => levels.tell(good),
            Self::Emptying(emptying) => emptying.tell(good),
            Self::Roots(roots) => roots.tell(good),
            Self::Tail(tail) => tail.tell(good),
            Self::Ends(ends) => ends.tell(good),
            Self::Listed(minimizer) => {
                let before = minimizer.best().clone();
                minimizer.tell(Verdict::of(good));
                elements(&before.subtract(minimizer.best()))
            }
        }
    }

    /// Turns down the group that [`Chooser::next`] gave, without an answer; what is to be made because of it, as for
    /// [`Chooser::tell`].
    pub(super) fn reject(&mut self) -> Vec<u32> {
        match self {
            Self::Splitting(splitting) => splitting.reject(),
            Self::Runs(runs) => runs.reject(),
            Self::Levels(levels) => levels.reject(),
            Self::Emptying(emptying) => emptying.reject(),
            Self::Ends(ends) => ends.reject(),
            Self::Roots(roots) => roots.reject(),
            Self::Tail(_) | Self::Listed(_) => return self.tell(false),
        }
        Vec::new()
    }

    /// The chance that the group that [`Chooser::next`] gave can be made.
    pub(super) fn chance(&self, known: &dyn Fn(u32) -> Option<f64>) -> Option<f64> {
        match self {
            Self::Splitting(splitting) => Some(splitting.odds(known)),
            Self::Runs(runs) => Some(runs.odds()),
            Self::Levels(levels) => Some(levels.odds()),
            Self::Emptying(emptying) => Some(emptying.odds()),
            Self::Ends(ends) => Some(ends.odds()),
            Self::Roots(_) | Self::Tail(_) => None,
            Self::Listed(minimizer) => minimizer.chance(),
        }
    }

    /// What is not decided yet and will be asked about, alone or with more, the next one first, and its chance.
    pub(super) fn open(&self) -> Box<dyn Iterator<Item = (Vec<u32>, f64)> + '_> {
        match self {
            Self::Splitting(splitting) => {
                let open = splitting.open();
                Box::new(open.map(|(change, chance)| (vec![change], chance)))
            }
            Self::Runs(runs) => Box::new(runs.open().map(|run| (run, runs.odds()))),
            Self::Levels(levels) => Box::new(levels.open()),
            Self::Emptying(emptying) => Box::new(emptying.open().map(|run| (run, emptying.odds()))),
            Self::Roots(_) | Self::Tail(_) | Self::Ends(_) | Self::Listed(_) => {
                Box::new(std::iter::empty())
            }
        }
    }

    /// What of the group that [`Chooser::next`] gave says what it is about, if that is one thing.
    pub(super) fn asked(&self, group: &[u32]) -> Option<Vec<u32>> {
        match self {
            Self::Runs(runs) => Some(runs.asked()).filter(|asked| !asked.is_empty()),
            Self::Levels(levels) => Some(levels.asked()).filter(|asked| !asked.is_empty()),
            Self::Emptying(emptying) => Some(emptying.asked()).filter(|asked| !asked.is_empty()),
            _ => (group.len() == 1).then(|| group.to_vec()),
        }
    }

    /// All that would be asked about with what [`Chooser::open`] gave.
    pub(super) fn group_of(&self, open: Vec<u32>) -> Vec<u32> {
        match self {
            Self::Runs(runs) => runs.with_company(open),
            Self::Levels(levels) => levels.with_company(open),
            Self::Emptying(emptying) => emptying.with_company(open),
            _ => open,
        }
    }

    /// What was found to fail alone.
    pub(super) fn failed(&self) -> Vec<u32> {
        match self {
            Self::Splitting(splitting) => splitting.failed().to_vec(),
            Self::Runs(runs) => runs.failed(),
            Self::Levels(levels) => levels.failed(),
            Self::Emptying(emptying) => emptying.failed().to_vec(),
            Self::Roots(_) | Self::Tail(_) | Self::Ends(_) => Vec::new(),
            // At the end of its search nothing more could be made.
            Self::Listed(minimizer) => elements(minimizer.best()),
        }
    }

    /// What was found to be needed though names do not tell, by its keys.
    pub(super) fn needed(&self) -> Vec<u64> {
        match self {
            Self::Roots(roots) => roots.needed(),
            Self::Ends(ends) => ends.needed(),
            _ => Vec::new(),
        }
    }

    /// What group testing has found to fail so far, in the order in which it was found.
    pub(super) fn culprits(&self) -> &[u32] {
        match self {
            Self::Splitting(splitting) => splitting.failed(),
            _ => &[],
        }
    }

    /// What was learned about the proposals' chances, if it says something about another stage's.
    pub(super) fn rate(&self) -> Option<Rate> {
        match self {
            Self::Splitting(splitting) => Some(splitting.rate()),
            _ => None,
        }
    }

    /// Whether it ended early, after a row of failures.
    pub(super) fn was_short(&self) -> bool {
        matches!(self, Self::Splitting(splitting) if splitting.was_short())
    }
}

fn elements(runs: &minimize::Runs) -> Vec<u32> {
    let narrow = |element| u32::try_from(element).unwrap_or(u32::MAX);
    runs.iter().map(narrow).collect()
}
