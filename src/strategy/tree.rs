//! Rounds over a tree, each parsed anew, to the fixed point: HDD\*, HDDr\*, Hoist\* and their combinations.
//!
//! A text counts as smaller when it has fewer tokens, or as many and fewer bytes. Every further round needs a smaller text than the
//! one before, so it ends whatever the oracle says.

use super::hoist::Order;
use super::host::{Round, Settings, Walk};
use super::level::Offer;
use super::{Candidate, Hoist, Plan, Strategy};

use crate::search::{Search, Verdict};
use crate::syntax::{Document, Lexis};
use std::sync::Arc;

/// A tree strategy at work.
#[derive(Clone, Debug)]
pub(super) struct TreeSearch {
    document: Document,
    /// Of the document.
    size: Size,
    once: bool,
    /// What the rounds do: first all of one kind, then all of the next.
    phases: Arc<[(&'static str, Arc<Settings>)]>,
    phase: usize,
    round: Round,
    best: Candidate,
}

/// Tokens and bytes.
type Size = (usize, usize);

fn size(bytes: &[u8], lexis: &Lexis) -> Size {
    (lexis.count(bytes), bytes.len())
}

impl TreeSearch {
    pub(super) fn new(document: &Document, plan: &Plan) -> Self {
        let phases = phases(plan);
        let round = Round::new(document.clone(), phases[0].1.clone());
        let best = Candidate::of_edit(phases[0].0, document.clone(), Arc::default());
        let mut search = Self {
            document: document.clone(),
            size: size(document.bytes(), document.lexis()),
            once: plan.once,
            phases,
            phase: 0,
            round,
            best,
        };
        search.advance();
        search
    }

    /// Begins the next round when this one has no more questions.
    fn advance(&mut self) {
        while self.round.has_ended() {
            if !self.round.accepted().is_empty() && self.parse_best() && !self.once {
                self.begin_round();
                continue;
            }
            if self.phase + 1 == self.phases.len() {
                return;
            }
            self.phase += 1;
            self.begin_round();
        }
    }

    fn begin_round(&mut self) {
        let settings = self.phases[self.phase].1.clone();
        self.round = Round::new(self.document.clone(), settings);
    }

    /// The document is what the round has made of it. Gives whether that is smaller.
    fn parse_best(&mut self) -> bool {
        let bytes = self.best.to_bytes();
        let before = std::mem::replace(&mut self.size, size(&bytes, self.document.lexis()));
        self.document = Document::new(bytes, self.document.language().cloned());
        self.size < before
    }
}

impl Search for TreeSearch {
    type Candidate = Candidate;
    type Best = Candidate;

    fn ask(&self) -> Option<Candidate> {
        let (edit, is_hoist) = self.round.ask()?;
        let pass = if is_hoist {
            "hoist"
        } else {
            self.phases[self.phase].0
        };
        let candidate = Candidate::of_edit(pass, self.document.clone(), edit);
        Some(candidate.named(self.round.subject()))
    }

    fn tell(&mut self, verdict: Verdict) {
        self.round.tell(verdict);
        if !self.round.accepted().is_empty() {
            let (pass, edit) = (self.phases[self.phase].0, self.round.accepted().clone());
            self.best = Candidate::of_edit(pass, self.document.clone(), edit);
        }
        self.advance();
    }

    fn best(&self) -> &Candidate {
        &self.best
    }

    fn chance(&self) -> Option<f64> {
        self.round.chance()
    }
}

/// The rounds of a plan: table 7.1 of D. Vince's dissertation, and the Perses-style host.
fn phases(plan: &Plan) -> Arc<[(&'static str, Arc<Settings>)]> {
    let (walk, offer) = (walk(plan), offer(plan));
    let inside = order_inside(plan);
    let main = Settings {
        walk,
        offer,
        minimizer: Some(plan.minimizer_options()),
        hoist: inside,
    };
    let before = Settings {
        walk,
        offer,
        minimizer: None,
        hoist: Some(order(plan)),
    };
    let mut phases = vec![(plan.strategy.name(), Arc::new(main))];
    if matches!(plan.hoist, Hoist::Before | Hoist::Both) {
        phases.insert(0, ("hoist", Arc::new(before)));
    }
    phases.into()
}

fn walk(plan: &Plan) -> Walk {
    match plan.strategy {
        Strategy::Hdd | Strategy::CoarseHdd => Walk::Levels,
        Strategy::Quantified => Walk::LargestFirst,
        _ => Walk::BreadthFirst,
    }
}

/// Which nodes a plan offers to its list minimiser.
pub(super) fn offer(plan: &Plan) -> Offer {
    match plan.strategy {
        Strategy::CoarseHdd | Strategy::CoarseHddr | Strategy::Quantified => Offer::Removable,
        _ => Offer::Replaceable,
    }
}

fn order(plan: &Plan) -> Order {
    if plan.once {
        Order::FurthestFirstAgain
    } else {
        Order::FurthestFirst
    }
}

/// How a plan hoists in its last rounds; `None` if it does not.
pub(super) fn order_inside(plan: &Plan) -> Option<Order> {
    match plan.hoist {
        _ if plan.strategy == Strategy::Quantified => Some(Order::MostSavedFirst),
        Hoist::Interlaced | Hoist::Both => Some(order(plan)),
        Hoist::None | Hoist::Before => None,
    }
}

/// Whether a plan hoists in its last rounds.
pub(super) fn hoists_inside(plan: &Plan) -> bool {
    order_inside(plan).is_some()
}
