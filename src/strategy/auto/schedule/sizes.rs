//! How large what a cut or a round takes is at least.

use super::NEXT_CUT;

/// The first cut takes units of at least this part of the document.
const FIRST_CUT: u32 = 16;
/// The first rounds take what has at least this part of the document, if that is so much; else what is of any size.
const FIRST_RUNG: u32 = 16;
const LEAST_FIRST_RUNG: u32 = 16;

/// The least weight of what the first rounds propose, in a document of so many tokens; 0 where the rounds take all sizes at once.
pub(super) fn first_rung(tokens: u32) -> u32 {
    let part = tokens / FIRST_RUNG;
    if part < LEAST_FIRST_RUNG {
        return 0;
    }
    LEAST_FIRST_RUNG * NEXT_CUT.pow((part / LEAST_FIRST_RUNG).ilog(NEXT_CUT))
}

/// The least weight of the rounds behind those of this one.
pub(super) fn next_rung(rung: u32) -> u32 {
    match rung / NEXT_CUT {
        0..=1 => 0,
        next => next,
    }
}

/// The least weight in the cut behind one.
pub(super) fn least_of_cut(before: u32, tokens: u32) -> u32 {
    (before / NEXT_CUT).min(tokens / FIRST_CUT).max(1)
}
