//! Parts that are asked about on the present text, as evidence for the questions about several of them.
//!
//! A search may ask about many changes together and split what is refused: each such answer is nearly the toss of a coin, and
//! with another answer other questions follow. But the search knows which changes are open, its [`Part`]s, and mostly several
//! can be made together if each can be made alone. So where workers are to spare the parts are asked about all at once, each
//! alone, and then the questions about several are hardly guesses any more. `cargo bench --bench cluster` measures it.
//!
//! Two more were tried and left out, since what one case gained another lost: parts asked about in groups where there are more of them
//! than workers, with what refused groups say about their halves; and the parts of the passes that come next, to which the search
//! was followed by its likeliest answers.

use super::QueryId;
use crate::search::Part;

/// The parts that are open at the root, and the questions about them.
#[derive(Default)]
pub(super) struct Evidence {
    open: Vec<Part>,
    asked: Vec<(u64, QueryId)>,
}

/// What it is worth to hear of a part whose answer is quite open.
const IN_DOUBT: f64 = 0.5;
/// A part behind another is asked about later, if at all, and worth so much less.
const LATER: f64 = 0.98;

impl Evidence {
    /// The search has come to where these are open.
    pub(super) fn renew(&mut self, open: Vec<Part>) {
        let is_open = |name| open.iter().any(|part| part.name == name);
        self.asked.retain(|&(name, _)| is_open(name));
        self.open = open;
    }

    /// The queries that were sent about open parts.
    pub(super) fn queries(&self) -> impl Iterator<Item = QueryId> {
        self.asked.iter().map(|&(_, id)| id)
    }

    /// This query was sent about a part.
    pub(super) fn note(&mut self, part: u64, id: QueryId) {
        self.asked.push((part, id));
    }

    /// There is nothing to ask about this part alone.
    pub(super) fn strike(&mut self, part: u64) {
        self.open.retain(|open| open.name != part);
    }

    /// The parts that are not known and were not asked about, and what it is worth to; the worthiest last, of equals the first.
    pub(super) fn worths(&self, is_known: impl Fn(u64) -> bool) -> Vec<(u64, f64)> {
        let later = std::iter::successors(Some(IN_DOUBT), |worth| Some(worth * LATER));
        let parts = self.open.iter().zip(later);
        let is_asked = |name| self.asked.iter().any(|&(asked, _)| asked == name);
        let new = parts.filter(|(part, _)| !is_known(part.name) && !is_asked(part.name));
        let doubt = |chance: f64| 4.0 * chance * (1.0 - chance);
        let worth = |(part, worth): (&Part, f64)| (part.name, worth * doubt(part.chance));
        let mut worths: Vec<_> = new.map(worth).collect();
        worths.sort_by(|a, b| b.1.total_cmp(&a.1));
        worths.reverse();
        worths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_doubt_and_comes_first_is_worth_most_and_what_is_known_or_asked_nothing() {
        let part = |name, chance| Part { name, chance };
        let mut evidence = Evidence::default();
        let open = [(1, 0.9), (2, 0.5), (3, 0.5), (4, 0.5), (5, 0.5)];
        evidence.renew(open.map(|(name, chance)| part(name, chance)).into());
        let id = QueryId::fresh();
        evidence.note(4, id);
        let order = |evidence: &Evidence| {
            let worths = evidence.worths(|name| name == 5);
            worths.iter().map(|worth| worth.0).collect::<Vec<_>>()
        };
        assert_eq!(order(&evidence), [1, 3, 2]);
        evidence.strike(3);
        assert_eq!(order(&evidence), [1, 2]);
        assert!(evidence.queries().eq([id]));
        evidence.renew(vec![part(2, 0.5)]);
        assert_eq!(evidence.queries().count(), 0);
    }
}
