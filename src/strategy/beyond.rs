//! What comes behind the certificate with the largest effort: questions that are mostly refused.
//!
//! **Idea.** The passes of [`Due::Beyond`] in turn, one proposal at a time. What is smaller ends the search, since the pipeline can
//! go on from there. What is as large as before, or a little larger, is a way round: its single changes are made as far down as
//! they go (Vulcan: Xu et al., "Pushing the Limit of 1-Minimality of Language-Agnostic Program Reduction", OOPSLA 2023), and the
//! search ends where that is smaller than what it began with; else it turns back.
//!
//! **Laws.** Those of [`crate::search`]. Nothing that is shorter in bytes and has more tokens is asked about. What is as large as
//! what the search began with does not become the result, so that this stays 1-minimal wherever the search is cut off.

use super::Candidate;
use super::single::{Sweep, as_read};
use crate::pass::{
    Context, Due, Pass, compose,
    list::{FOLLOW_UP, due_at},
    proposal::fingerprint,
};
use crate::search::{Search, Verdict};
use crate::syntax::{Document, Edit, Language};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The search; it ends with its first success.
#[derive(Clone, Debug)]
pub(super) struct Beyond {
    /// Also where the document is read without its grammar.
    language: Option<Arc<Language>>,
    document: Document,
    /// Of the document.
    size: Size,
    /// The names of the passes that are left out.
    without: Arc<[String]>,
    /// The number of the pass that comes next.
    next_pass: usize,
    pass: Option<&'static Pass>,
    /// What the pass proposes, and the number of what is asked about.
    edits: Arc<Vec<Arc<Edit>>>,
    next: usize,
    way_round: Option<Sweep>,
    question: Option<Candidate>,
    best: Candidate,
    has_ended: bool,
}

/// A way round may begin with so many tokens more than there are.
const MORE: usize = 12;

/// Tokens and bytes of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    tokens: usize,
    bytes: usize,
}

impl Size {
    fn of(document: &Document, bytes: &[u8]) -> Self {
        Self {
            tokens: document.lexis().count(bytes),
            bytes: bytes.len(),
        }
    }

    /// Whether it is better than another size, whichever of the two counts.
    fn is_below(self, other: Self) -> bool {
        self.bytes < other.bytes && self.tokens <= other.tokens
    }

    /// Whether what has this size may be asked about: it does not pass for better where it has more tokens.
    fn may_be_asked(self, base: Self) -> bool {
        self.bytes >= base.bytes || self.tokens <= base.tokens
    }
}

impl Beyond {
    /// A search from a document that is 1-minimal, without the passes of these names.
    pub(super) fn new(document: &Document, without: &[String]) -> Self {
        let language = document.language().cloned();
        let document = as_read(document);
        let best = Candidate::of_edit(FOLLOW_UP, document.clone(), Arc::default());
        let mut search = Self {
            size: Size::of(&document, document.bytes()),
            language,
            document,
            without: without.into(),
            next_pass: 0,
            pass: None,
            edits: Arc::default(),
            next: 0,
            way_round: None,
            question: None,
            best,
            has_ended: false,
        };
        search.settle();
        search
    }

    /// Whether something smaller was found.
    pub(super) fn has_found(&self) -> bool {
        self.has_ended
    }

    /// Goes on to the next question.
    fn settle(&mut self) {
        while self.question.is_none() && !self.has_ended {
            if self.way_round.is_some() {
                self.question = self.next_on_the_way();
            } else if let Some(edit) = self.edits.get(self.next) {
                self.question = self.candidate(edit);
                if self.question.is_none() {
                    self.next += 1;
                }
            } else if !self.start_pass() {
                return;
            }
        }
    }

    /// The next single change of the way round; without one the way has ended.
    fn next_on_the_way(&mut self) -> Option<Candidate> {
        let way = self.way_round.as_mut()?;
        while let Some(asked) = way.ask() {
            if Size::of(&self.document, &asked.to_bytes()).may_be_asked(self.size) {
                return Some(asked.aside(FOLLOW_UP));
            }
            way.tell(Verdict::Uninteresting);
        }
        self.way_round = None;
        None
    }

    /// Goes on to the next pass; whether there is one.
    fn start_pass(&mut self) -> bool {
        let Some(pass) = due_at(Due::Beyond).nth(self.next_pass) else {
            return false;
        };
        self.next_pass += 1;
        self.next = 0;
        self.pass = Some(pass);
        let is_left_out = self.without.iter().any(|name| name == pass.name);
        self.edits = Arc::new(if is_left_out {
            Vec::new()
        } else {
            edits(&self.document, pass, self.size)
        });
        true
    }

    /// The edit as a candidate, if its syntax is as good as before.
    fn candidate(&self, edit: &Arc<Edit>) -> Option<Candidate> {
        let pass = self.pass?;
        let candidate = Candidate::of_edit(pass.name, self.document.clone(), Arc::clone(edit));
        let errors = || self.document.edited(edit).error_count();
        let may_be_read = pass.breaks_syntax || errors() <= self.document.error_count();
        may_be_read.then(|| candidate.aside(pass.name))
    }
}

/// The proposals of a pass that make different texts of a size that is worth asking about, the smallest first unless the pass has
/// an order of its own. Cost: that of writing each out.
fn edits(document: &Document, pass: &Pass, base: Size) -> Vec<Arc<Edit>> {
    let context = Context::new(document.clone());
    let mut texts: FxHashSet<u64> = FxHashSet::default();
    texts.insert(fingerprint(&[document.bytes()]));
    let mut edits = Vec::new();
    for proposal in pass.proposals(&context) {
        let Some(edit) = compose(document, [&proposal]).map(Arc::new) else {
            continue;
        };
        let candidate = Candidate::of_edit(pass.name, document.clone(), Arc::clone(&edit));
        let bytes = candidate.to_bytes();
        let size = Size::of(document, &bytes);
        let is_worth_it = size.may_be_asked(base) && size.tokens <= base.tokens + MORE;
        if is_worth_it && texts.insert(fingerprint(&[&bytes])) {
            edits.push((size.tokens, edit));
        }
    }
    if pass.heaviest_first {
        edits.sort_by_key(|(tokens, _)| *tokens);
    }
    edits.into_iter().map(|(_, edit)| edit).collect()
}

impl Search for Beyond {
    type Candidate = Candidate;
    type Best = Candidate;

    fn ask(&self) -> Option<Candidate> {
        self.question.clone()
    }

    fn tell(&mut self, verdict: Verdict) {
        let Some(asked) = self.question.take() else {
            return;
        };
        let is_on_the_way = self.way_round.is_some();
        match &mut self.way_round {
            Some(way) => way.tell(verdict),
            None => self.next += 1,
        }
        if verdict.is_interesting() {
            let bytes = asked.to_bytes();
            if Size::of(&self.document, &bytes).is_below(self.size) {
                self.best = asked;
                self.has_ended = true;
            } else if !is_on_the_way && !self.without.iter().any(|name| name == FOLLOW_UP) {
                let document = Document::new(bytes, self.language.clone());
                self.way_round = Some(Sweep::new(&document));
            }
        }
        self.settle();
    }

    fn best(&self) -> &Candidate {
        &self.best
    }

    fn chance(&self) -> Option<f64> {
        /// All that is likely has been asked before.
        const CHANCE: f64 = 0.02;
        Some(CHANCE)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Effort, Plan, Strategy, laws};

    #[track_caller]
    fn check(language: &str, text: &str, interesting: fn(&str) -> bool, normal: &str, max: &str) {
        for (effort, expected) in [(Effort::Normal, normal), (Effort::Max, max)] {
            let plan = Plan {
                effort,
                ..Plan::new(Strategy::Auto)
            };
            let result = laws::reduce(text, Some(language), &plan, |bytes| {
                std::str::from_utf8(bytes).is_ok_and(interesting)
            });
            assert_eq!(result, expected, "{effort}");
        }
    }

    #[test]
    fn what_stands_far_apart_goes_together() {
        let is_kept = |text: &str| {
            let inside = text.trim().strip_prefix('[');
            let inside = inside.and_then(|text| text.strip_suffix(']'));
            let mut elements = inside.unwrap_or_default().split(',');
            elements.all(|element| element.trim().len() == 1)
                && "bcdefg".chars().all(|name| text.contains(name))
                && text.contains('a') == text.contains('h')
        };
        check(
            "javascript",
            "[a,b,c,d,e,f,g,h]",
            is_kept,
            "[a,b,c,d,e,f,g,h]",
            "[b,c,d,e,f,g]",
        );
    }

    #[test]
    fn a_way_round_leads_to_something_smaller() {
        let is_kept = |text: &str| ["[p,q,r]", "[q,q,r]", "[q,q]"].contains(&text);
        check("javascript", "[p,q,r]", is_kept, "[p,q,r]", "[q,q]");
    }
}
