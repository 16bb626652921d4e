//! What the pipeline does when: its steps, and the order in which they come.

use super::splitting::Patience;
use crate::{
    pass::{
        Proposal, absorb, arguments, brackets, bundle, carry, comments, disband, everywhere,
        flatten, forward, free, hoist, inline, layout, least, lift, literals, names::Names, recast,
        results, retarget, tokens, twins, units, units::Unit,
    },
    syntax::Document,
};
use std::cmp::Reverse;

/// One stage of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Comments,
    /// The units of so many tokens or more, wherever they lie.
    Cut(u32),
    Hoist,
    Least,
    Units,
    Arguments,
    Brackets,
    Everywhere,
    Bundles,
    Retarget,
    Inline,
    Forward,
    Results,
    Free,
    Carry,
    Absorb,
    Flatten,
    Lift,
    Literals,
    Alternatives,
    Recast,
    Twins,
    Tokens,
    /// Single tokens whatever the parser says: an oracle may know more than the grammar.
    AnyTokens,
    Windows,
    Layout,
    /// The sweep over all single changes, from the one with this number on.
    Certificate(u32),
}

impl Step {
    /// Whether it asks again about what has failed before, one change after the other, and ends with the first success.
    pub(super) fn is_certificate(self) -> bool {
        matches!(self, Self::Certificate(_))
    }

    /// Whether it asks about candidates that the parser does not understand, too.
    pub(super) fn ignores_syntax(self) -> bool {
        matches!(self, Self::Certificate(_) | Self::AnyTokens)
    }

    /// Whether its changes can be left unasked when hardly any of them succeeds.
    fn may_give_up(self) -> bool {
        !matches!(
            self,
            Self::Certificate(_)
                | Self::Comments
                | Self::Cut(_)
                | Self::Free
                | Self::Forward
                | Self::Recast
                | Self::Alternatives
        )
    }

    /// Its name in the statistics.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Comments => "comments",
            Self::Cut(_) | Self::Units => "units",
            Self::Hoist => "hoist",
            Self::Least => "least",
            Self::Arguments => "arguments",
            Self::Brackets => "brackets",
            Self::Everywhere => "everywhere",
            Self::Bundles => "bundles",
            Self::Retarget => "retarget",
            Self::Inline => "inline",
            Self::Forward => "forward",
            Self::Results => "results",
            Self::Free => "free",
            Self::Carry => "carry",
            Self::Absorb => "absorb",
            Self::Flatten => "flatten",
            Self::Lift => "lift",
            Self::Literals => "literals",
            Self::Alternatives => "alternatives",
            Self::Recast => "recast",
            Self::Twins => "twins",
            Self::Tokens | Self::AnyTokens => "tokens",
            Self::Windows => "windows",
            Self::Layout => "layout",
            Self::Certificate(_) => "certificate",
        }
    }

    /// The chance of success to start from, for so many proposals: what steps of this name have seen, or a guess.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    pub(super) fn chance(self, seen: Option<f64>, count: usize) -> f64 {
        match (self, seen) {
            (Self::Cut(_), _) => 1.0 - 1.5 / (count as f64).max(3.0),
            (Self::Certificate(_), _) => 0.03,
            (Self::AnyTokens, _) => 0.1,
            (_, Some(seen)) => seen.max(LEAST_CHANCE),
            (Self::Comments | Self::Layout, _) => 0.98,
            (Self::Hoist | Self::Least | Self::Units | Self::Arguments | Self::Brackets, _) => 0.3,
            (
                Self::Bundles
                | Self::Retarget
                | Self::Inline
                | Self::Forward
                | Self::Results
                | Self::Free
                | Self::Carry
                | Self::Absorb
                | Self::Twins
                | Self::Flatten
                | Self::Lift,
                _,
            ) => 0.2,
            (
                Self::Tokens
                | Self::Alternatives
                | Self::Recast
                | Self::Literals
                | Self::Everywhere,
                _,
            ) => 0.1,
            (Self::Windows, _) => 0.08,
        }
    }

    /// What it proposes, in the order in which it is to be asked about.
    pub(super) fn proposals(self, document: &Document, names: &Names) -> Vec<Proposal> {
        let units = units::units(document, names);
        let map = || bundle::UnitMap::of(&units);
        match self {
            Self::Comments => comments::comments(document),
            Self::Cut(least) => large_units(units, least),
            Self::Hoist => by_weight(hoist::hoists(document)),
            Self::Least => by_weight(least::replacements(document)),
            Self::Units => by_weight(removals(units)),
            Self::Arguments => by_weight(arguments::arguments(document, names)),
            Self::Brackets => by_weight(brackets::brackets(document)),
            Self::Everywhere => by_weight(everywhere::everywhere(document)),
            Self::Bundles => {
                let map = map();
                let changes = [removals(units), hoist::hoists(document)].concat();
                let bundles = changes
                    .iter()
                    .filter_map(|change| bundle::bundle(document, names, &map, change));
                by_weight(bundles.collect())
            }
            Self::Retarget => by_weight(retarget::retargets(document, names, &map())),
            Self::Inline => by_weight(inline::inlinings(document, names, &map())),
            Self::Forward => by_weight(forward::definitions(document, names, &map())),
            Self::Results => by_weight(results::results(document)),
            Self::Free => by_weight(
                [
                    free::functions(document, names),
                    disband::functions(document),
                ]
                .concat(),
            ),
            Self::Carry => by_weight(carry::carries(document, names, &map())),
            Self::Absorb => by_weight(absorb::absorptions(document)),
            Self::Flatten => by_weight(flatten::flattenings(document, names)),
            Self::Lift => by_weight(lift::lifts(document, names, &map())),
            Self::Literals => by_weight(literals::literals(document)),
            Self::Alternatives => by_weight(least::alternatives(document)),
            Self::Twins => by_weight(twins::twins(document, &units)),
            Self::Recast => by_weight(recast::recasts(document)),
            Self::Tokens | Self::AnyTokens => tokens::windows(document, 1),
            Self::Windows => (2..=LONGEST_WINDOW)
                .rev()
                .filter(|size| document.grammar().is_some() || matches!(size, 2 | 3 | 4 | 6 | 8))
                .flat_map(|size| tokens::windows(document, size))
                .collect(),
            Self::Layout => layout::layout(document),
            Self::Certificate(start) => {
                let changes = by_weight([removals(units), hoist::hoists(document)].concat());
                let mut all = [changes, tokens::windows(document, 1)].concat();
                let start = start as usize % all.len().max(1);
                all.rotate_left(start);
                all
            }
        }
    }
}

/// A step that has come down to this chance is given a few questions in every round.
const LEAST_CHANCE: f64 = 0.05;
/// The most tokens that are taken out in a row without regard to the tree.
const LONGEST_WINDOW: usize = 8;

/// Uses stand behind declarations, so the last goes first; an outer unit goes before the inner ones.
fn large_units(units: Vec<Unit>, least: u32) -> Vec<Proposal> {
    let mut large: Vec<Unit> = units
        .into_iter()
        .filter(|unit| unit.proposal.weight >= least)
        .collect();
    large.sort_by_key(|unit| (unit.level, Reverse(unit.node)));
    removals(large)
}

fn removals(units: Vec<Unit>) -> Vec<Proposal> {
    units.into_iter().map(|unit| unit.proposal).collect()
}

fn by_weight(mut proposals: Vec<Proposal>) -> Vec<Proposal> {
    proposals.sort_by_key(|proposal| Reverse(proposal.weight));
    proposals
}

/// The steps of every round.
const ROUND: &[Step] = &[
    Step::Bundles,
    Step::Retarget,
    Step::Inline,
    Step::Arguments,
    Step::Results,
    Step::Hoist,
    Step::Brackets,
    Step::Units,
    Step::Everywhere,
    Step::Least,
    Step::Flatten,
    Step::Lift,
    Step::Literals,
    Step::Tokens,
    Step::Windows,
];

/// The steps that are worth their queries only when the rounds have nothing left. What succeeds in one of these lists is a
/// reason for another round; the later ones tie together what the earlier ones take apart.
const LATE: &[&[Step]] = &[
    &[Step::Forward, Step::Free, Step::Carry, Step::Alternatives],
    &[Step::Recast, Step::Absorb, Step::Twins],
];

/// Which step comes next: cuts from large units to small ones, then rounds until one changes nothing, then the late steps and
/// the sweep of the certificate. The sweep goes round: after a success it goes on behind it until it has come all the way round
/// without another. What it changed is a reason for one more round of the other steps, and only what these change for another
/// sweep.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    once: bool,
    phase: Phase,
    /// Whether something has changed since the round, or the sweep, began.
    changed: bool,
    /// Where the sweep goes on.
    position: u32,
    proof: Proof,
    pace: Pace,
}

/// How far the certificate has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proof {
    Open,
    /// The sweep has changed something, and goes on.
    Changing,
    /// Nothing has changed since a whole sweep.
    Whole,
}

/// How a round goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pace {
    /// Steps end after a row of failures.
    Quick,
    /// As before, and one has ended before it had asked about everything.
    Hurried,
    /// The round before was hurried and found nothing, so the steps ask about all that they propose.
    Thorough,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Comments,
    /// With the least weight of the last cut.
    Cuts(u32),
    /// With the place of the next step.
    Round(usize),
    /// With the place of the next step: the list, and the place in it.
    Late(usize, usize),
    Layout,
    AnyTokens,
    Sweep,
    Swept,
    Relaid,
    End,
}

/// The first cut takes units of at least this part of the document.
const FIRST_CUT: u32 = 16;
/// By how much the units of the next cut may be smaller.
const NEXT_CUT: u32 = 4;

impl Schedule {
    /// From the beginning; `once` ends after the first round.
    pub(super) fn new(once: bool) -> Self {
        Self {
            once,
            phase: Phase::Comments,
            changed: false,
            position: 0,
            proof: Proof::Open,
            pace: Pace::Quick,
        }
    }

    /// A step has ended after a row of failures, before it had asked about everything.
    pub(super) fn note_hurry(&mut self) {
        self.pace = Pace::Hurried;
    }

    /// How long a step goes on in vain. Without a grammar every step is a guess, so the rate says nothing.
    pub(super) fn patience(&self, step: Step, has_grammar: bool) -> Patience {
        Patience {
            ends_when_hopeless: step.may_give_up() && has_grammar,
            ends_after_row: step.may_give_up() && self.pace != Pace::Thorough,
        }
    }

    /// A step has changed the document; `at` is the number of the change among those that the step proposed.
    pub(super) fn note_change(&mut self, step: Step, at: u32) {
        self.changed = true;
        if self.proof == Proof::Whole {
            self.proof = Proof::Open;
        }
        if let Step::Certificate(start) = step {
            self.position = start + at;
        }
    }

    /// The step after the last one, for a document of so many tokens; `None` at the end.
    pub(super) fn next(&mut self, tokens: u32) -> Option<Step> {
        loop {
            match self.phase {
                Phase::Comments => {
                    self.phase = Phase::Cuts(u32::MAX);
                    return Some(Step::Comments);
                }
                Phase::Cuts(1) => self.phase = Phase::Round(0),
                Phase::Cuts(before) => {
                    let weight = (before / NEXT_CUT).min(tokens / FIRST_CUT).max(1);
                    self.phase = Phase::Cuts(weight);
                    return Some(Step::Cut(weight));
                }
                Phase::Round(place) => match ROUND.get(place) {
                    Some(&step) => {
                        self.phase = Phase::Round(place + 1);
                        return Some(step);
                    }
                    None if self.once => self.phase = Phase::End,
                    None if self.pace == Pace::Hurried && !self.changed => {
                        self.pace = Pace::Thorough;
                        self.phase = Phase::Round(0);
                    }
                    None => self.go_on(Phase::Late(0, 0)),
                },
                Phase::Late(list, place) => match LATE.get(list).map(|steps| steps.get(place)) {
                    Some(Some(&step)) => {
                        self.phase = Phase::Late(list, place + 1);
                        return Some(step);
                    }
                    Some(None) => self.go_on(Phase::Late(list + 1, 0)),
                    None if self.proof == Proof::Whole => self.phase = Phase::End,
                    None => self.phase = Phase::Layout,
                },
                Phase::Layout => {
                    self.phase = Phase::AnyTokens;
                    return Some(Step::Layout);
                }
                Phase::AnyTokens => {
                    // What the layout changed opens nothing that a round has to look for.
                    self.changed = false;
                    self.phase = Phase::Sweep;
                    return Some(Step::AnyTokens);
                }
                Phase::Sweep => {
                    self.go_on(Phase::Swept);
                    if self.phase == Phase::Swept {
                        return Some(Step::Certificate(self.position));
                    }
                }
                Phase::Swept if self.changed => {
                    self.proof = Proof::Changing;
                    self.phase = Phase::Relaid;
                    return Some(Step::Layout);
                }
                Phase::Relaid => {
                    self.changed = false;
                    self.phase = Phase::Swept;
                    return Some(Step::Certificate(self.position));
                }
                Phase::Swept if self.proof == Proof::Changing => {
                    self.proof = Proof::Whole;
                    self.pace = Pace::Quick;
                    self.phase = Phase::Round(0);
                }
                Phase::Swept | Phase::End => return None,
            }
        }
    }

    /// Another round if something has changed.
    fn go_on(&mut self, otherwise: Phase) {
        self.phase = if self.changed {
            self.pace = Pace::Quick;
            Phase::Round(0)
        } else {
            otherwise
        };
        self.changed = false;
    }
}
