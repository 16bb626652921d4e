//! The last questions of a search that was stopped: the layout, which costs a query or two.

use super::Candidate;
use crate::pass::{Context, compose, layout::layout};
use crate::search::{Search, Verdict};
use crate::syntax::Document;
use std::sync::Arc;

/// Asks about a text without its needless blanks and empty lines until one way to leave them out is accepted.
#[derive(Clone, Debug)]
pub struct Tidying {
    /// The next one last.
    candidates: Vec<Candidate>,
    best: Candidate,
}

impl Tidying {
    /// For a document that is known to be interesting. Cost: linear.
    pub fn new(document: &Document) -> Self {
        let candidate = |edit| Candidate::of_edit("layout", document.clone(), Arc::new(edit));
        let proposals = layout(&Context::new(document.clone()));
        let edits = proposals
            .iter()
            .rev()
            .filter_map(|proposal| compose(document, [proposal]));
        Self {
            candidates: edits.map(candidate).collect(),
            best: Candidate::of_edit("layout", document.clone(), Arc::default()),
        }
    }
}

impl Search for Tidying {
    type Candidate = Candidate;
    type Best = Candidate;

    fn ask(&self) -> Option<Candidate> {
        self.candidates.last().cloned()
    }

    fn tell(&mut self, verdict: Verdict) {
        if let Some(asked) = self.candidates.pop()
            && verdict.is_interesting()
        {
            self.best = asked;
            self.candidates.clear();
        }
    }

    fn best(&self) -> &Candidate {
        &self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Language;

    #[test]
    fn the_first_way_that_is_accepted_is_the_last_question() {
        let document = Document::new(&b"\nif a:\n\n  b\n"[..], Language::named("python"));
        let mut tidying = Tidying::new(&document);
        assert_eq!(tidying.ask().unwrap().to_bytes(), b"if a:\nb\n");
        tidying.tell(Verdict::Uninteresting);
        assert_eq!(tidying.ask().unwrap().to_bytes(), b"if a:\n  b\n");
        tidying.tell(Verdict::Interesting);
        assert!(tidying.ask().is_none());
        assert_eq!(tidying.best().to_bytes(), b"if a:\n  b\n");
    }
}
