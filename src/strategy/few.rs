//! A few candidates, one after the other, until one is accepted.

use super::Candidate;
use super::encoded::MARK;
use crate::pass::{Context, compose, layout::layout};
use crate::search::{Render, Search, Verdict};
use crate::syntax::{Document, Edit, Splice};
use std::sync::Arc;

/// A search that ends with the first of its candidates that is accepted.
#[derive(Clone, Debug)]
pub struct OneOf<C> {
    /// The next one last.
    candidates: Vec<C>,
    best: C,
}

/// Bytes that another program has made.
#[derive(Clone, Debug)]
pub struct Offered(Arc<[u8]>);

impl OneOf<Offered> {
    /// Whether `offered` is as good as what is known to be interesting.
    pub fn offered(known: &[u8], offered: Vec<u8>) -> Self {
        Self {
            candidates: vec![Offered(offered.into())],
            best: Offered(known.into()),
        }
    }
}

impl OneOf<Candidate> {
    /// A document that is known to be interesting without its needless blanks and empty lines: the last questions of a search that
    /// was stopped. Cost: linear.
    pub fn layout(document: &Document) -> Self {
        let proposals = layout(&Context::new(document.clone()));
        let edits = proposals
            .iter()
            .filter_map(|proposal| compose(document, [proposal]));
        Self::edits("layout", document, edits)
    }

    /// A text that is known to be interesting without its byte order mark and with LF for each CRLF: both at once, and if that is
    /// refused, each alone; `None` when it has neither. They cost a question or two and are in the way of others. Cost: linear.
    pub fn form(text: &[u8]) -> Option<Self> {
        let deletion = |at: usize, length: usize| Splice::deletion(at..at + length);
        let mark = text.starts_with(MARK).then(|| deletion(0, MARK.len()));
        let ends = text.windows(2).enumerate();
        let ends = ends.filter(|(_, window)| window == b"\r\n");
        let ends: Vec<Splice> = ends.map(|(at, _)| deletion(at, 1)).collect();
        let ways: Vec<Vec<Splice>> = match mark {
            None if ends.is_empty() => return None,
            Some(mark) if !ends.is_empty() => {
                let both = std::iter::once(mark.clone()).chain(ends.clone());
                vec![both.collect(), vec![mark], ends]
            }
            Some(mark) => vec![vec![mark]],
            None => vec![ends],
        };
        let document = Document::new(text, None);
        Some(Self::edits(
            "form",
            &document,
            ways.into_iter().map(Edit::new),
        ))
    }

    /// The edits of a document, the first to be asked about first.
    fn edits(pass: &'static str, document: &Document, edits: impl Iterator<Item = Edit>) -> Self {
        let candidate = |edit| Candidate::of_edit(pass, document.clone(), Arc::new(edit));
        let mut candidates: Vec<Candidate> = edits.map(candidate).collect();
        candidates.reverse();
        Self {
            candidates,
            best: candidate(Edit::default()),
        }
    }
}

impl Render for Offered {
    fn render(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0);
    }

    fn pass(&self) -> &'static str {
        "transform"
    }
}

impl<C: Clone> Search for OneOf<C> {
    type Candidate = C;
    type Best = C;

    fn ask(&self) -> Option<C> {
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

    fn best(&self) -> &C {
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
        let mut tidying = OneOf::layout(&document);
        assert_eq!(tidying.ask().unwrap().to_bytes(), b"if a:\nb\n");
        tidying.tell(Verdict::Uninteresting);
        assert_eq!(tidying.ask().unwrap().to_bytes(), b"if a:\n b\n");
        tidying.tell(Verdict::Interesting);
        assert!(tidying.ask().is_none());
        assert_eq!(tidying.best().to_bytes(), b"if a:\n b\n");
    }

    fn asked(text: &str) -> Vec<String> {
        let mut asked = Vec::new();
        let mut search = OneOf::form(text.as_bytes());
        while let Some(candidate) = search.as_ref().and_then(Search::ask) {
            asked.push(String::from_utf8(candidate.to_bytes()).unwrap());
            search.as_mut().unwrap().tell(Verdict::Uninteresting);
        }
        asked
    }

    #[test]
    fn mark_and_line_ends_go_together_or_alone() {
        assert_eq!(
            asked("\u{feff}a\r\nb\n"),
            ["a\nb\n", "a\r\nb\n", "\u{feff}a\nb\n"]
        );
        assert_eq!(asked("a\r\n\r\nb\r"), ["a\n\nb\r"]);
        assert_eq!(asked("\u{feff}a\n"), ["a\n"]);
        assert!(asked("a\n").is_empty());
    }
}
