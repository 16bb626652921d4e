//! The form of a text: the mark at its beginning and the ends of its lines, which cost a question or two and are in the way of others.

use super::Candidate;
use super::encoded::MARK;
use crate::search::{Search, Verdict};
use crate::syntax::{Document, Edit, Splice};
use std::sync::Arc;

/// Asks about a text without its byte order mark and with LF for each CRLF: both at once, and if that is refused, each alone.
#[derive(Clone, Debug)]
pub struct TextForm {
    /// The next one last.
    candidates: Vec<Candidate>,
    best: Candidate,
}

const LINE_END: &[u8] = b"\r\n";

impl TextForm {
    /// For a text that is known to be interesting; `None` when it has neither. Cost: linear.
    pub fn new(text: &[u8]) -> Option<Self> {
        let document = Document::new(text, None);
        let mark = text
            .starts_with(MARK)
            .then(|| Splice::replacement(0..MARK.len(), b""));
        let ends = text.windows(LINE_END.len()).enumerate();
        let ends = ends.filter(|(_, window)| *window == LINE_END);
        let ends: Vec<Splice> = ends
            .map(|(at, _)| Splice::replacement(at..at + 1, b""))
            .collect();
        let ways: Vec<Vec<Splice>> = match mark {
            None if ends.is_empty() => return None,
            Some(mark) if !ends.is_empty() => {
                let both = std::iter::once(mark.clone()).chain(ends.clone());
                vec![ends.clone(), vec![mark], both.collect()]
            }
            Some(mark) => vec![vec![mark]],
            None => vec![ends],
        };
        let candidate = |splices| {
            let edit = Arc::new(Edit::new(splices));
            Candidate::of_edit("form", document.clone(), edit)
        };
        Some(Self {
            candidates: ways.into_iter().map(candidate).collect(),
            best: candidate(Vec::new()),
        })
    }
}

impl Search for TextForm {
    type Candidate = Candidate;
    type Best = Candidate;

    fn ask(&self) -> Option<Candidate> {
        self.candidates.last().cloned()
    }

    fn tell(&mut self, verdict: Verdict) {
        if let Some(asked) = self.candidates.pop()
            && verdict.is_interesting()
        {
            // Both together were refused before, or are what was asked about.
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

    fn asked(text: &str) -> Vec<String> {
        let mut asked = Vec::new();
        let mut search = TextForm::new(text.as_bytes());
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
