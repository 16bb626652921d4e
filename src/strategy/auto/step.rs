//! The steps of the pipeline: what each proposes, and what is known of its chances beforehand.

use super::runs::{Company, Walk};
use crate::{
    pass::{
        Proposal, absorb, arguments, bare, bodies, borrow, brackets, bundle, bytes, carry,
        comments, compounds, disband, elements, everywhere, fields, flatten, fold, forward, free,
        hoist, inline, join, layout, least, lift, literals, macros, masks, names::Names, orphans,
        recast, rename, results, retarget, rows, texts, tokens, twins, units, units::Unit, unmark,
        wrap,
    },
    syntax::Document,
};
use std::cmp::Reverse;

/// One stage of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Comments,
    /// The bodies of functions, in runs of at least so many tokens.
    Bodies {
        least: u32,
    },
    /// Parts of at most `part` tokens, all in one row, in runs of so many tokens at first and at last.
    Row {
        part: u32,
        largest: u32,
        least: u32,
    },
    /// Parts that nothing uses, each with all that nothing uses any more when it goes.
    Unused {
        part: u32,
        least: u32,
    },
    /// The units of so many tokens or more, wherever they lie.
    Cut(u32),
    Hoist,
    Least,
    Units,
    Arguments,
    Brackets,
    Everywhere,
    /// What brackets, lines and separators show where the parser does not understand the text.
    Plain,
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
    /// The texts inside of strings.
    Texts,
    Orphans,
    Wrap,
    Bare,
    Fields,
    Macros,
    Unmark,
    Masks,
    Borrow,
    Compounds,
    Elements,
    Alternatives,
    Recast,
    Twins,
    Tokens,
    /// Single tokens whatever the parser says: an oracle may know more than the grammar.
    AnyTokens,
    /// Single bytes of what no grammar explains.
    Bytes,
    Windows,
    /// Shorter names, when they are wanted.
    Rename,
    Layout,
    /// The sweep over all single changes, from this byte on.
    Certificate(u32),
}

impl Step {
    /// Whether it asks again about what has failed before, one change after the other, and ends with the first success.
    pub(super) fn is_certificate(self) -> bool {
        matches!(self, Self::Certificate(_))
    }

    /// Whether it reads the text without its grammar.
    pub(super) fn is_plain(self) -> bool {
        self == Self::Plain
    }

    /// Whether it asks about candidates that the parser does not understand, too.
    pub(super) fn ignores_syntax(self) -> bool {
        matches!(self, Self::Certificate(_) | Self::AnyTokens | Self::Bytes)
    }

    /// How it goes through its proposals, where they are the parts of one row.
    pub(super) fn walk(self) -> Option<Walk> {
        let walk = |largest, least, company| Walk {
            largest,
            least,
            company,
        };
        match self {
            Self::Bodies { least } => Some(walk(u32::MAX, least, Company::None)),
            Self::Row { largest, least, .. } => Some(walk(largest, least, Company::Dependents)),
            Self::Unused { least, .. } => Some(walk(u32::MAX, least, Company::Garbage)),
            _ => None,
        }
    }

    /// Whether its changes can be left unasked when hardly any of them succeeds.
    pub(super) fn may_give_up(self) -> bool {
        !matches!(
            self,
            Self::Certificate(_)
                | Self::Comments
                | Self::Cut(_)
                | Self::Bodies { .. }
                | Self::Row { .. }
                | Self::Unused { .. }
                | Self::Free
                | Self::Forward
                | Self::Recast
                | Self::Alternatives
                | Self::Rename
                | Self::Bytes
        )
    }

    /// Its name in the statistics.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Comments => "comments",
            Self::Bodies { .. } => "bodies",
            Self::Row { .. } => "runs",
            Self::Unused { .. } => "unused",
            Self::Cut(_) | Self::Units => "units",
            Self::Hoist => "hoist",
            Self::Least => "least",
            Self::Arguments => "arguments",
            Self::Brackets => "brackets",
            Self::Everywhere => "everywhere",
            Self::Plain => "plain",
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
            Self::Texts => "texts",
            Self::Orphans => "orphans",
            Self::Wrap => "wrap",
            Self::Bare => "bare",
            Self::Fields => "fields",
            Self::Macros => "macros",
            Self::Unmark => "unmark",
            Self::Masks => "masks",
            Self::Borrow => "borrow",
            Self::Compounds => "compounds",
            Self::Elements => "elements",
            Self::Alternatives => "alternatives",
            Self::Recast => "recast",
            Self::Twins => "twins",
            Self::Tokens | Self::AnyTokens => "tokens",
            Self::Bytes => "bytes",
            Self::Windows => "windows",
            Self::Rename => "rename",
            Self::Layout => "layout",
            Self::Certificate(_) => "certificate",
        }
    }

    /// The chance of success to start from, for so many proposals: what steps of this name have seen, or a guess.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    pub(super) fn chance(self, seen: Option<f64>, count: usize) -> f64 {
        match (self, seen) {
            (Self::Cut(_) | Self::Bodies { .. } | Self::Row { .. } | Self::Unused { .. }, _) => {
                1.0 - 1.5 / (count as f64).max(3.0)
            }
            (Self::Certificate(_), _) => 0.03,
            // Whoever asks for it expects that names do not matter, and together they cost one query.
            (Self::Rename, _) => 0.99,
            (Self::AnyTokens, _) => 0.1,
            (_, Some(seen)) => seen.max(LEAST_CHANCE),
            (Self::Comments | Self::Layout, _) => 0.98,
            (
                Self::Hoist
                | Self::Least
                | Self::Units
                | Self::Arguments
                | Self::Brackets
                | Self::Plain,
                _,
            ) => 0.3,
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
                | Self::Lift
                | Self::Texts
                | Self::Orphans
                | Self::Wrap
                | Self::Bare
                | Self::Fields
                | Self::Macros
                | Self::Unmark
                | Self::Compounds
                | Self::Elements,
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
            (Self::Windows | Self::Masks | Self::Borrow | Self::Bytes, _) => 0.08,
        }
    }

    /// What it proposes, in the order in which it is to be asked about.
    pub(super) fn proposals(self, document: &Document, names: &Names) -> Vec<Proposal> {
        let units = || units::units(document, names);
        let map = || bundle::UnitMap::of(&units());
        match self {
            Self::Comments => comments::comments(document),
            Self::Bodies { .. } if document.grammar().is_some() => many(bodies::bodies(document)),
            Self::Bodies { least } => many(rows::insides(document, &units(), 2 * least)),
            Self::Row { part, .. } => rows::parts(document, names, &units(), part, part),
            Self::Unused { part, .. } => rows::parts(document, names, &units(), part, FINEST),
            Self::Cut(least) => large_units(units(), least),
            Self::Hoist => by_weight(hoist::hoists(document)),
            Self::Least => by_weight(least::replacements(document)),
            Self::Units => by_weight(removals(units())),
            Self::Arguments => by_weight(arguments::arguments(document, names)),
            Self::Brackets => by_weight(brackets::brackets(document)),
            Self::Everywhere => by_weight(everywhere::everywhere(document)),
            Self::Plain => by_weight([removals(units()), brackets::brackets(document)].concat()),
            Self::Bundles => {
                let units = units();
                let map = bundle::UnitMap::of(&units);
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
            Self::Texts => by_weight(texts::texts(document)),
            Self::Orphans => by_weight(orphans::hoists(document)),
            Self::Wrap => by_weight(wrap::wrappings(document)),
            Self::Bare => by_weight(bare::expressions(document)),
            Self::Fields => by_weight(fields::fields(document, &map())),
            Self::Macros => by_weight(macros::expansions(document, names, &map())),
            Self::Unmark => by_weight(unmark::functions(document)),
            Self::Borrow => by_weight(borrow::copies(document)),
            Self::Masks => by_weight(masks::masks(document, &units())),
            Self::Compounds => by_weight(compounds::compounds(document, names)),
            Self::Elements => {
                by_weight([elements::elements(document, &map()), join::joints(document)].concat())
            }
            Self::Alternatives => by_weight(least::alternatives(document)),
            Self::Twins => by_weight(
                [
                    twins::twins(document, &units()),
                    brackets::mergers(document),
                ]
                .concat(),
            ),
            Self::Recast => {
                by_weight([recast::recasts(document), fold::constants(document)].concat())
            }
            Self::Tokens | Self::AnyTokens => tokens::windows(document, 1),
            Self::Bytes => bytes::bytes(document),
            Self::Windows if document.grammar().is_none() => plain_windows(document),
            Self::Windows => (2..=LONGEST_WINDOW)
                .rev()
                .flat_map(|size| tokens::windows(document, size))
                .collect(),
            Self::Rename => rename::renamings(document, names),
            Self::Layout => layout::layout(document),
            Self::Certificate(place) => sweep(document, names, place as usize),
        }
    }
}

/// All single changes, those first that have the best chance: the tokens around and behind the `place` where the text is new;
/// units and hoists, which the rounds have asked about; and the tokens before it, which have been refused just now.
fn sweep(document: &Document, names: &Names, place: usize) -> Vec<Proposal> {
    let removals = removals(units::units(document, names));
    let changes = by_weight([removals, hoist::hoists(document)].concat());
    let tokens = tokens::windows(document, 1);
    let behind = tokens.partition_point(|token| {
        let start = token.edit.start();
        start.is_some_and(|start| start < place)
    });
    let (before, around) = tokens.split_at(behind.saturating_sub(1));
    [around, &changes, before].concat()
}

/// Without a grammar the tree is a guess, and what stands side by side in it may belong together.
fn plain_windows(document: &Document) -> Vec<Proposal> {
    let neighbours = [3, 2].map(|size| tokens::neighbours(document, size));
    let joints = [6, 5, 4].map(|size| tokens::joints(document, size));
    let windows = [3, 2].map(|size| tokens::balanced_windows(document, size));
    [
        by_weight(neighbours.concat()),
        joints.concat(),
        windows.concat(),
    ]
    .concat()
}

/// As fine as this is cut what nothing uses: it may be all that holds the rest.
const FINEST: u32 = 4;
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

/// A few bodies are no long row: they are left to the other steps.
fn many(bodies: Vec<Proposal>) -> Vec<Proposal> {
    const MANY: usize = 8;
    Some(bodies)
        .filter(|bodies| bodies.len() >= MANY)
        .unwrap_or_default()
}

fn removals(units: Vec<Unit>) -> Vec<Proposal> {
    units.into_iter().map(|unit| unit.proposal).collect()
}

fn by_weight(mut proposals: Vec<Proposal>) -> Vec<Proposal> {
    proposals.sort_by_key(|proposal| Reverse(proposal.weight));
    proposals
}
