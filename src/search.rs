//! What a reduction algorithm is: a value that is asked what to test next and is told the answer.
//!
//! Turning an algorithm inside out like this keeps it pure (it starts no process and reads no clock), lets a test play any
//! oracle, and, because a search can be cloned, lets the engine work ahead on a copy without changing the answer.
//!
//! # Laws
//!
//! Every implementation is property-tested for these:
//!
//! 1. [`Search::ask`] is pure: asked twice without a [`Search::tell`] between, it gives the same candidate.
//! 2. A clone that is told the same answers asks the same questions.
//! 3. It ends, whatever the answers are.
//! 4. [`Search::best`] is the original or was told [`Verdict::Interesting`].
//! 5. Run again from its own result, a search that promises a fixed point accepts nothing.

/// The oracle's answer to one question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The candidate still has the property.
    Interesting,
    /// It does not, or it could not be tested.
    #[default]
    Uninteresting,
}

impl Verdict {
    /// `true` becomes [`Verdict::Interesting`].
    pub fn of(interesting: bool) -> Self {
        if interesting {
            Self::Interesting
        } else {
            Self::Uninteresting
        }
    }

    /// Whether this is [`Verdict::Interesting`].
    pub fn is_interesting(self) -> bool {
        self == Self::Interesting
    }
}

/// A reduction algorithm turned inside out; see the module's laws.
///
/// Clones are made for every wrong guess of the engine, so they must be cheap: share what is large.
pub trait Search: Clone {
    /// What is asked about.
    type Candidate;
    /// What has been accepted so far.
    type Best;

    /// The next question, or `None` when the search has ended.
    fn ask(&self) -> Option<Self::Candidate>;

    /// Takes the answer to the question that [`Search::ask`] gives now. Does nothing when the search has ended.
    fn tell(&mut self, verdict: Verdict);

    /// The search as it would be after this answer, for working ahead.
    ///
    /// # Errors
    /// It would take longer than it is worth.
    fn guess(&self, verdict: Verdict) -> Result<Self, NoGuess> {
        let mut guessed = self.clone();
        guessed.tell(verdict);
        Ok(guessed)
    }

    /// The smallest thing so far that is known to be interesting.
    fn best(&self) -> &Self::Best;

    /// The probability that the answer is interesting, as the search itself believes (ProbDD knows): a hint for working ahead,
    /// never a change of the result.
    fn chance(&self) -> Option<f64> {
        None
    }

    /// The same, by what is known of the chances of single changes; see [`Render::part`].
    fn chance_by(&self, _known: &Known<'_>) -> Option<f64> {
        self.chance()
    }

    /// The single changes that it is going to ask about, alone or several together, the next one first.
    fn parts(&self) -> Vec<Part> {
        Vec::new()
    }

    /// A part alone: what a question about nothing else would be. The answer is evidence for the questions about several.
    fn alone(&self, _part: u64) -> Option<Self::Candidate> {
        None
    }
}

/// Why there is no guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoGuess {
    /// Another one is still worked on.
    ForNow,
    /// It takes too long.
    TooLong,
}

/// The chance of a single change of this name, as far as something is known of it.
pub type Known<'a> = dyn Fn(u64) -> Option<f64> + 'a;

/// A single change that a search is going to ask about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// See [`Render::part`].
    pub name: u64,
    /// The chance that the change can be made.
    pub chance: f64,
}

/// A candidate that the engine can put before an oracle.
pub trait Render {
    /// Appends the candidate's bytes to `out`. Cost: linear in the bytes, not in the tree.
    fn render(&self, out: &mut Vec<u8>);

    /// The name of the pass that asks, for the statistics ("hddr", "hoist", "lines" …).
    fn pass(&self) -> &'static str;

    /// Whether it is only a way to something smaller: it becomes the best if it is smaller, not if it is as large.
    fn is_aside(&self) -> bool {
        false
    }

    /// The search's own name for what it changes, the same whatever else has been accepted; `None` if it has no name for it.
    /// Nothing but the order of the work ahead depends on it.
    fn subject(&self) -> Option<u64> {
        None
    }

    /// The name of the change, if it is a single one, the same whatever else has been accepted: see [`Search::parts`].
    fn part(&self) -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Asks once, and says nothing more about its questions.
    #[derive(Clone)]
    struct Once(Option<u8>);

    impl Search for Once {
        type Candidate = u8;
        type Best = Option<u8>;

        fn ask(&self) -> Option<u8> {
            self.0
        }

        fn tell(&mut self, _verdict: Verdict) {
            self.0 = None;
        }

        fn best(&self) -> &Option<u8> {
            &self.0
        }
    }

    #[test]
    fn a_search_that_tells_no_parts_asks_about_none_of_them_alone() {
        let search = Once(Some(1));
        let asked: BTreeMap<u64, u8> = (0..3)
            .filter_map(|part| Some((part, search.alone(part)?)))
            .collect();
        assert!(search.parts().is_empty() && asked.is_empty());
        assert_eq!(search.chance(), None);
    }
}
