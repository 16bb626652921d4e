//! One question that may come, and what it is worth to ask it.

use std::sync::Arc;

use super::predictor::{Predictor, Situation};
use super::rendered::{Change, Rendered};
use crate::oracle::QueryId;
use crate::search::{NoGuess, Render, Search, Verdict};

pub(super) struct Node<S> {
    pub(super) search: S,
    /// `None`: the search ends here.
    pub(super) candidate: Option<Arc<Rendered>>,
    /// As far as it is known or was given by a query that has ended.
    pub(super) verdict: Option<Verdict>,
    /// The query that was sent for it.
    pub(super) query: Option<QueryId>,
    /// What an interesting answer so far has made of the text: the question is a change of this.
    pub(super) base: Arc<Rendered>,
    pub(super) situation: Situation,
    pub(super) parent: usize,
    pub(super) children: [Option<usize>; 2],
    /// That it is reached from the root.
    pub(super) probability: f64,
    /// That its change is asked about, on whatever text.
    pub(super) occurs: f64,
    /// That the answers since its stage began are those that lead to it.
    pub(super) since: f64,
    /// The search after the other answer at the start of the stage: as long as it asks about the same change, no answer of the
    /// stage decides about that. `None`: the stage begins here, or that is not known.
    pub(super) shadow: Option<S>,
    /// Whether its change is asked about at the moment, on whatever text.
    pub(super) is_heard: bool,
    pub(super) has_grown: bool,
    /// By answer: why the search after it was not worked out.
    pub(super) no_guess: [Option<NoGuess>; 2],
    pub(super) interesting: f64,
}

/// What it is worth to hear of a change on another text, where the answer is in doubt.
const EVIDENCE: f64 = 0.6;

impl<S> Node<S>
where
    S: Search,
    S::Candidate: Render,
{
    pub(super) fn new(
        search: S,
        base: Arc<Rendered>,
        before: Verdict,
        parent: usize,
        probability: f64,
        predictor: &Predictor,
    ) -> Self {
        let asked = search.ask();
        let subject = asked.as_ref().and_then(Render::subject);
        let part = asked.as_ref().and_then(Render::part);
        let candidate = asked.map(|asked| Arc::new(Rendered::new(&asked, Vec::new())));
        let change = candidate
            .as_ref()
            .map(|candidate| Situation::of(candidate, &base));
        let situation = Situation {
            before,
            believed: search.chance_by(&|name| predictor.known_chance(name)),
            subject,
            part,
            ..change.unwrap_or_default()
        };
        let interesting = predictor.estimate(&situation);
        Self {
            search,
            base,
            situation,
            candidate,
            verdict: None,
            query: None,
            parent,
            children: [None; 2],
            probability,
            occurs: 1.0,
            since: 1.0,
            shadow: None,
            is_heard: false,
            has_grown: false,
            no_guess: [None; 2],
            interesting,
        }
    }

    /// What its answer is worth: it is needed itself, or it is evidence.
    pub(super) fn worth(&self) -> f64 {
        let doubt = match self.verdict {
            // The way on is free.
            Some(_) => 1.0,
            // It will be known anyhow.
            None if self.is_heard && self.query.is_none() => 0.0,
            None => 4.0 * self.interesting * (1.0 - self.interesting),
        };
        self.probability.max(EVIDENCE * self.occurs * doubt)
    }

    pub(super) fn estimate(&mut self, predictor: &Predictor) {
        if self.verdict.is_none() {
            let known = |name| predictor.known_chance(name);
            self.situation.believed = self.search.chance_by(&known);
            self.interesting = predictor.estimate(&self.situation);
        }
    }

    /// What its question changes.
    pub(super) fn change(&self) -> Change {
        self.situation.name()
    }

    /// What it is worth to ask its question, or, when that has been done, to go on behind it in another way.
    pub(super) fn worth_of_growth(&self, room: usize) -> f64 {
        if !self.has_grown {
            return self.worth();
        }
        let answers = [Verdict::Uninteresting, Verdict::Interesting];
        let worths = answers
            .into_iter()
            .filter_map(|answer| self.worth_of_child(answer, room));
        worths.fold(0.0, f64::max)
    }

    /// The most that a child can be worth; `None` if it is there already, cannot come, or begins with reading a text that is longer
    /// than there is room for.
    pub(super) fn worth_of_child(&self, answer: Verdict, room: usize) -> Option<f64> {
        let length = self.candidate.as_ref().map_or(0, |it| it.bytes.len());
        let has_room = !answer.is_interesting() || length <= room;
        let is_possible = has_room && self.verdict.is_none_or(|known| known == answer);
        let is_missing =
            self.children[side(answer)].is_none() && self.no_guess[side(answer)].is_none();
        let worth = self.chance(answer) * self.probability.max(EVIDENCE * self.occurs);
        (is_possible && is_missing).then_some(worth)
    }

    /// How many bytes were read for it: behind a refusal the text is the one before.
    pub(super) fn read_bytes(&self) -> usize {
        if self.situation.before.is_interesting() {
            self.base.bytes.len()
        } else {
            0
        }
    }

    pub(super) fn base_after(&self, answer: Verdict) -> Arc<Rendered> {
        match &self.candidate {
            Some(candidate) if answer.is_interesting() => Arc::clone(candidate),
            _ => Arc::clone(&self.base),
        }
    }

    /// A known answer is no guess.
    pub(super) fn chance(&self, answer: Verdict) -> f64 {
        match self.verdict {
            Some(known) => f64::from(u8::from(known == answer)),
            None if answer.is_interesting() => self.interesting,
            None => 1.0 - self.interesting,
        }
    }
}

pub(super) fn opposite(answer: Verdict) -> Verdict {
    Verdict::of(!answer.is_interesting())
}

pub(super) fn side(answer: Verdict) -> usize {
    usize::from(answer.is_interesting())
}
