//! A search that answers by itself where text is missing that the user wants to keep: such a candidate costs no query.

use std::sync::Arc;

use crate::config::Kept;
use crate::search::{Known, Part, Render, Search, Verdict};

/// Any search, never asking about a candidate without the kept texts. It ends when the search does.
#[derive(Clone)]
pub(super) struct Keeping<S> {
    search: S,
    kept: Arc<Kept>,
}

impl<S: Search> Keeping<S>
where
    S::Candidate: Render,
{
    pub(super) fn new(search: S, kept: Arc<Kept>) -> Self {
        let mut keeping = Self { search, kept };
        keeping.answer_what_is_known();
        keeping
    }

    fn answer_what_is_known(&mut self) {
        if self.kept.is_empty() {
            return;
        }
        let mut bytes = Vec::new();
        while let Some(candidate) = self.search.ask() {
            bytes.clear();
            candidate.render(&mut bytes);
            if self.kept.is_in(&bytes) {
                return;
            }
            self.search.tell(Verdict::Uninteresting);
        }
    }
}

impl<S: Search> Search for Keeping<S>
where
    S::Candidate: Render,
{
    type Candidate = S::Candidate;
    type Best = S::Best;

    fn ask(&self) -> Option<S::Candidate> {
        self.search.ask()
    }

    fn tell(&mut self, verdict: Verdict) {
        self.search.tell(verdict);
        self.answer_what_is_known();
    }

    fn best(&self) -> &S::Best {
        self.search.best()
    }

    fn chance(&self) -> Option<f64> {
        self.search.chance()
    }

    fn chance_by(&self, known: &Known<'_>) -> Option<f64> {
        self.search.chance_by(known)
    }

    fn parts(&self) -> Vec<Part> {
        self.search.parts()
    }

    fn alone(&self, part: u64) -> Option<S::Candidate> {
        self.search.alone(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minimize::{Algorithm, Options};
    use crate::strategy::{Plan, Strategy, search};
    use crate::syntax::{Document, Language};

    #[test]
    fn the_engine_gets_the_searchs_hints() {
        let text = b"int a(int b, int c) { d(); e(); }\nint f(int g, int h) { i(); j(); }\n";
        let plan = Plan {
            minimizer: Some(Options::new(Algorithm::Wprobdd)),
            ..Plan::new(Strategy::Hddr)
        };
        let mut bare = search(&Document::new(&text[..], Language::named("c")), &plan);
        let mut keeping = Keeping::new(bare.clone(), Arc::default());
        let mut named = 0;
        while bare.ask().is_some() {
            assert_eq!(keeping.chance(), bare.chance());
            let subject = bare.ask().and_then(|asked| asked.subject());
            assert_eq!(keeping.ask().and_then(|asked| asked.subject()), subject);
            assert_eq!(keeping.parts(), bare.parts());
            named += usize::from(subject.is_some());
            bare.tell(Verdict::Uninteresting);
            keeping.tell(Verdict::Uninteresting);
        }
        assert!(named > 0);
    }
}
