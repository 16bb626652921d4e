//! Searches over documents: a strategy owns a document and one list minimiser at a time.
//!
//! - `list`: lines, tokens, characters, bytes.
//! - `tree`: HDD, HDDr, their coarse variants and the quantified host, each with hoisting: rounds (`host`) of the list minimiser on
//!   rows of children (`level`) and of TMIN (`hoist`), over the squeezed and flattened tree (`outline`).
//! - `auto`: the default pipeline of passes.
//! - `pieces`: the first cuts through a text that is too large for a tree, before the pipeline.
//! - `encoded`: texts that are not UTF-8.
//! - `few`: one of a few candidates: marks and line ends, the layout of a search that was stopped, what another program has made.
//! - `files`: which files of a folder can go.
//! - `single`: the single changes that prove a result 1-minimal, and the pipeline's last sweep over them.
//! - `beyond`: what comes behind that with the largest effort.
//!
//! A [`Plan`] says what was chosen; [`search`] makes the [`Reduction`] that does it.

mod auto;
mod beyond;
mod candidate;
mod encoded;
mod few;
#[cfg(test)]
mod figures;
mod files;
mod hoist;
mod host;
#[cfg(test)]
mod laws;
mod level;
mod list;
mod outline;
mod pieces;
mod plan;
mod single;
mod tree;

pub use candidate::Candidate;
pub use encoded::{Coding, Encoded, EncodedCandidate, Encoding};
pub use few::{Offered, OneOf};
pub use files::{FileChoice, FileSearch, Shape};
pub use pieces::may_have_tree;
pub use plan::{Effort, Hoist, Plan, Strategy, UnknownEffort, UnknownHoist, UnknownStrategy};
pub use single::{kinds as kinds_of_single_changes, single_changes};

pub use crate::pass::list::{described as passes, is_beyond};

use crate::search::{Known, Part, Render, Search, Verdict};
use crate::syntax::{Document, Language, Lexis};
use auto::{Auto, Memory};
use beyond::Beyond;
use list::{ListSearch, UnitKind};
use pieces::PieceSearch;
use single::Sweep;
use std::sync::Arc;
use tree::TreeSearch;

/// Any strategy at work on one document.
#[derive(Clone, Debug)]
pub struct Reduction {
    running: Running,
    phase: Phase,
    /// Whether the pipeline has begun again behind its sweep.
    has_begun_again: bool,
    /// What the pipeline has found to fail until then.
    memory: Memory,
    plan: Arc<Plan>,
    language: Option<Arc<Language>>,
    /// What the running search began with.
    begun_with: Arc<[u8]>,
    /// The smallest that was accepted, of equally small ones the last: what the engine writes. A search may go on with
    /// another one that has fewer tokens.
    smallest: Candidate,
    smallest_length: usize,
}

#[derive(Clone, Debug)]
enum Running {
    List(ListSearch),
    Tree(TreeSearch),
    Auto(Box<Auto>),
    Sweep(Sweep),
    Beyond(Beyond),
    Pieces(PieceSearch),
}

/// What a reduction is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The first cuts through a large text, by so many pieces.
    Pieces(usize),
    /// The strategy.
    Main,
    /// Shorter names.
    Renaming,
    /// The pipeline's last sweep.
    Sweeping,
    /// The strategy over its own result, without giving anything up: with the largest effort, before what comes behind it.
    Again,
    /// What is asked behind that with the largest effort.
    Beyond,
}

/// The search that a plan asks for, beginning with `document`, which must be interesting; nobody asks that. Cost: linear.
pub fn search(document: &Document, plan: &Plan) -> Reduction {
    let first_round = pieces::first_round(document.bytes(), document.lexis());
    let pieces = first_round.filter(|_| plan.strategy == Strategy::Auto);
    let running = match pieces {
        Some(pieces) => Running::Pieces(PieceSearch::new(document, pieces)),
        None => begin(document, plan, Memory::default()),
    };
    let mut reduction = Reduction {
        phase: pieces.map_or(Phase::Main, Phase::Pieces),
        has_begun_again: false,
        memory: Memory::default(),
        plan: Arc::new(plan.clone()),
        language: document.language().cloned(),
        begun_with: document.bytes().clone(),
        smallest: running.best().clone(),
        smallest_length: document.bytes().len(),
        running,
    };
    reduction.go_on();
    reduction
}

fn begin(document: &Document, plan: &Plan, memory: Memory) -> Running {
    let list = |kinds| Running::List(ListSearch::new(document, kinds, plan));
    match plan.strategy {
        Strategy::Lines => list(&[UnitKind::Lines]),
        Strategy::Tokens => list(&[UnitKind::Tokens]),
        Strategy::Chars => list(&[UnitKind::Chars]),
        Strategy::TwoPass => list(&[UnitKind::Lines, UnitKind::Chars]),
        Strategy::Bytes => list(&[UnitKind::Bytes]),
        Strategy::Auto => {
            let document = document.clone();
            Running::Auto(Box::new(Auto::new(document, plan, memory)))
        }
        Strategy::Hdd
        | Strategy::Hddr
        | Strategy::CoarseHdd
        | Strategy::CoarseHddr
        | Strategy::Quantified => Running::Tree(TreeSearch::new(document, plan)),
    }
}

impl Reduction {
    /// Goes on to the next search as long as this one has no questions.
    fn go_on(&mut self) {
        while self.running.ask().is_none() {
            let Some(phase) = self.next_phase() else {
                return;
            };
            if let (Running::Auto(search), Phase::Main) = (&self.running, self.phase) {
                self.memory = search.memory();
            }
            self.begun_with = self.smallest.to_bytes().into();
            let document = Document::new(Arc::clone(&self.begun_with), self.language.clone());
            self.running = match phase {
                Phase::Pieces(pieces) => Running::Pieces(PieceSearch::new(&document, pieces)),
                // After lines and characters it is characters that the result is minimal in.
                Phase::Main if self.plan.strategy == Strategy::TwoPass => {
                    Running::List(ListSearch::new(&document, &[UnitKind::Chars], &self.plan))
                }
                Phase::Main => begin(&document, &self.plan, self.memory.clone()),
                Phase::Again => Running::Auto(Box::new(Auto::thorough(document, &self.plan))),
                Phase::Renaming => Running::Auto(Box::new(Auto::renaming(document))),
                Phase::Sweeping => Running::Sweep(Sweep::new(&document)),
                Phase::Beyond => Running::Beyond(Beyond::new(&document, &self.plan.without)),
            };
            self.has_begun_again |= self.phase == Phase::Sweeping && phase == Phase::Main;
            self.phase = phase;
        }
    }

    fn next_phase(&self) -> Option<Phase> {
        let is_pipeline = self.plan.strategy == Strategy::Auto;
        match self.phase {
            Phase::Pieces(pieces) => self.after_pieces(pieces),
            Phase::Main if self.is_to_repeat() => Some(Phase::Main),
            // The pipeline shortens names before its own sweep.
            Phase::Main if self.plan.rename && !is_pipeline => Some(Phase::Renaming),
            Phase::Main if is_pipeline && !self.plan.once => Some(Phase::Sweeping),
            // What was minimal with the longer names need not be so with these.
            Phase::Renaming if !self.plan.once && self.has_become_smaller() => Some(Phase::Main),
            // What the pipeline refused in a longer text was not asked about in this one.
            Phase::Sweeping if self.is_to_begin_again() => Some(Phase::Main),
            Phase::Sweeping if self.plan.effort == Effort::Max => Some(Phase::Again),
            // What a thorough run leaves as it was, another run leaves as it is, too.
            Phase::Again if self.has_moved() => Some(Phase::Sweeping),
            Phase::Again => Some(Phase::Beyond),
            Phase::Beyond if self.has_found_more() => Some(Phase::Main),
            _ => None,
        }
    }

    /// Whether the search behind the certificate has ended with a success.
    fn has_found_more(&self) -> bool {
        matches!(&self.running, Running::Beyond(search) if search.has_found())
    }

    fn has_moved(&self) -> bool {
        self.smallest.to_bytes() != *self.begun_with
    }

    /// Whether the sweep has made something else of the text than shorter tokens, for the first time.
    fn is_to_begin_again(&self) -> bool {
        let lexis = Lexis::of(self.language.as_deref());
        let now = self.smallest.to_bytes();
        let has_other_tokens = || lexis.count(&now) != lexis.count(&self.begun_with);
        !self.has_begun_again && self.has_become_smaller() && has_other_tokens()
    }

    fn has_become_smaller(&self) -> bool {
        self.smallest_length < self.begun_with.len()
    }

    /// What follows a round over so many pieces; `None` if the text has stayed too large for all else.
    fn after_pieces(&self, pieces: usize) -> Option<Phase> {
        let text = self.smallest.to_bytes();
        let lexis = Lexis::of(self.language.as_deref());
        let has_changed = text.len() < self.begun_with.len();
        let next = pieces::next_round(&text, lexis, pieces, has_changed);
        let main = may_have_tree(text.len()).then_some(Phase::Main);
        next.map(Phase::Pieces).or(main)
    }

    /// Whether the strategy has not come to its fixed point. The units of a smaller list can be others: `a+b` without its
    /// operator is two words with a blank, and two bytes can become a character. And what was accepted last need not be the
    /// smallest: GreeDDy chooses between several.
    fn is_to_repeat(&self) -> bool {
        let is_another = || self.smallest.to_bytes() != self.running.best().to_bytes();
        match &self.running {
            _ if self.plan.once => false,
            Running::List(search) if !search.has_lasting_units() => self.has_moved(),
            Running::List(_) | Running::Tree(_) => self.has_become_smaller() && is_another(),
            Running::Auto(_) | Running::Sweep(_) | Running::Beyond(_) | Running::Pieces(_) => false,
        }
    }
}

impl Running {
    fn ask(&self) -> Option<Candidate> {
        match self {
            Self::List(search) => search.ask(),
            Self::Tree(search) => search.ask(),
            Self::Auto(search) => search.ask(),
            Self::Sweep(search) => search.ask(),
            Self::Beyond(search) => search.ask(),
            Self::Pieces(search) => search.ask(),
        }
    }

    fn tell(&mut self, verdict: Verdict) {
        match self {
            Self::List(search) => search.tell(verdict),
            Self::Tree(search) => search.tell(verdict),
            Self::Auto(search) => search.tell(verdict),
            Self::Sweep(search) => search.tell(verdict),
            Self::Beyond(search) => search.tell(verdict),
            Self::Pieces(search) => search.tell(verdict),
        }
    }

    fn best(&self) -> &Candidate {
        match self {
            Self::List(search) => search.best(),
            Self::Tree(search) => search.best(),
            Self::Auto(search) => search.best(),
            Self::Sweep(search) => search.best(),
            Self::Beyond(search) => search.best(),
            Self::Pieces(search) => search.best(),
        }
    }
}

impl Search for Reduction {
    type Candidate = Candidate;
    type Best = Candidate;

    fn ask(&self) -> Option<Candidate> {
        self.running.ask()
    }

    fn tell(&mut self, verdict: Verdict) {
        let accepted = self.ask().filter(|_| verdict.is_interesting());
        self.running.tell(verdict);
        if let Some(accepted) = accepted {
            let length = accepted.to_bytes().len();
            let is_as_good = length == self.smallest_length && !accepted.is_aside();
            if length < self.smallest_length || is_as_good {
                self.smallest_length = length;
                self.smallest = accepted;
            }
        }
        self.go_on();
    }

    fn best(&self) -> &Candidate {
        &self.smallest
    }

    fn chance(&self) -> Option<f64> {
        match &self.running {
            Running::List(search) => search.chance(),
            Running::Tree(search) => search.chance(),
            Running::Auto(search) => search.chance(),
            Running::Sweep(search) => search.chance(),
            Running::Beyond(search) => search.chance(),
            Running::Pieces(search) => search.chance(),
        }
    }

    fn chance_by(&self, known: &Known<'_>) -> Option<f64> {
        match &self.running {
            Running::Auto(search) => search.chance_by(known),
            _ => self.chance(),
        }
    }

    fn parts(&self) -> Vec<Part> {
        match &self.running {
            Running::Auto(search) => search.parts(),
            _ => Vec::new(),
        }
    }

    fn alone(&self, part: u64) -> Option<Candidate> {
        match &self.running {
            Running::Auto(search) => search.alone(part),
            _ => None,
        }
    }
}
