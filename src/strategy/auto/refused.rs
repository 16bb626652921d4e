//! What was refused alone says something about what is larger.
//!
//! A unit that cannot go is mostly needed itself, and then nothing can go that it is a part of. It may also have failed because
//! something else needs it, so that a larger change with both can be made: each refused unit inside of a change halves its chance.

use crate::pass::{Context, Proposal};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Which units of a document were refused alone.
pub(super) struct Refused {
    /// By node: how many of them begin before it.
    before: Vec<u32>,
}

impl Refused {
    /// The units that are among the `failures`. Cost: linear in the document.
    pub(super) fn of(context: &Context, failures: &FxHashMap<u64, u32>) -> Self {
        let mut before = vec![0; context.document().nodes().len() + 1];
        for unit in context.units() {
            let was_refused = failures.contains_key(&unit.proposal.signature);
            before[unit.node as usize + 1] += u32::from(was_refused);
        }
        let mut sum = 0;
        for count in &mut before {
            sum += *count;
            *count = sum;
        }
        Self { before }
    }

    /// Puts those first that can be expected to gain most, if they have these chances.
    #[expect(clippy::cast_precision_loss, reason = "only the order counts")]
    pub(super) fn order(&self, proposals: &mut [Proposal], chance: impl Fn(&Proposal) -> f64) {
        let worth = |proposal: &Proposal| self.worth(proposal) as f64 * chance(proposal);
        // What is positive has the order of its bits.
        proposals.sort_by_cached_key(|proposal| Reverse(worth(proposal).to_bits()));
    }

    /// What a change gains, times its chance. A declaration that nothing uses any more is free whatever it holds.
    fn worth(&self, proposal: &Proposal) -> u64 {
        let inside = match proposal.declares[..] {
            [] => self.inside(proposal),
            _ => 0,
        };
        (u64::from(proposal.weight) << FRACTION) >> inside.min(u64::BITS - 1)
    }

    fn inside(&self, proposal: &Proposal) -> u32 {
        let taken = proposal.takes.iter();
        let counts =
            taken.map(|nodes| self.before[nodes.end as usize] - self.before[nodes.start as usize]);
        counts.sum()
    }
}

/// Binary places behind the point of a worth.
const FRACTION: u32 = 20;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Document, Language};

    #[test]
    fn what_holds_the_refused_comes_after_what_does_not() {
        let text = "int f() { if (a) { b(1, 2); } { c(); } }";
        let document = Document::new(text.as_bytes(), Language::named("c"));
        let context = Context::new(document);
        let text_of = |proposal: &Proposal| {
            let node = proposal.takes[0].start;
            String::from_utf8_lossy(context.document().text(node)).into_owned()
        };
        let units = context.units().iter().map(|unit| unit.proposal.clone());
        let wanted = ["if (a) { b(1, 2); }", "{ c(); }"];
        let mut proposals: Vec<Proposal> = units
            .filter(|proposal| wanted.contains(&&*text_of(proposal)))
            .collect();
        let refused = |text: &[&str]| {
            let units = context.units().iter().map(|unit| &unit.proposal);
            let refused = units.filter(|proposal| text.contains(&&*text_of(proposal)));
            refused.map(|proposal| (proposal.signature, 0)).collect()
        };
        Refused::of(&context, &FxHashMap::default()).order(&mut proposals, |_| 1.0);
        assert_eq!(text_of(&proposals[0]), wanted[0]);
        Refused::of(&context, &refused(&["b(1, 2);", "1", "2"])).order(&mut proposals, |_| 1.0);
        assert_eq!(text_of(&proposals[0]), wanted[1]);
    }
}
