//! The single changes of a text that a strategy's sweep is about: what `one_minimal` means.
//!
//! A result is 1-minimal when each of these, made alone, was refused. They are computed from the bytes of the result and nothing
//! else, so that it can be checked afterwards, whatever way led to it.

use super::auto::is_mere_text;
use super::hoist::{Hoisting, Order};
use super::level::{Level, Offer};
use super::list::{self, UnitKind};
use super::outline::Outline;
use super::tree;
use super::{Candidate, Plan, Strategy};
use crate::minimize::Runs;
use crate::pass::{Context, bytes, compose, hoist, tokens};
use crate::search::{Search, Verdict};
use crate::syntax::{Document, Edit, Language, NodeId};
use std::sync::Arc;

/// The name of the pass in the statistics.
const PASS: &str = "certificate";

/// Which kinds of single change the sweep of a plan is about, by their names in the JSON lines; the README says what they are.
pub fn kinds(plan: &Plan) -> &'static [&'static str] {
    match plan.strategy {
        Strategy::Auto => &["units", "hoists", "tokens", "bytes"],
        Strategy::Lines => &["lines"],
        Strategy::Tokens => &["tokens"],
        Strategy::Chars | Strategy::TwoPass => &["chars"],
        Strategy::Bytes => &["bytes"],
        Strategy::Quantified => &["removable_nodes", "nearest_hoists"],
        Strategy::Hdd | Strategy::Hddr if tree::hoists_inside(plan) => &["nodes", "hoists"],
        Strategy::Hdd | Strategy::Hddr => &["nodes"],
        _ if tree::hoists_inside(plan) => &["removable_nodes", "hoists"],
        Strategy::CoarseHdd | Strategy::CoarseHddr => &["removable_nodes"],
    }
}

/// Each single change of a document that the sweep of a plan is about. Those that change nothing or save nothing are left out.
/// Cost: of each as much as writing it out.
pub fn single_changes(document: &Document, plan: &Plan) -> Box<dyn Iterator<Item = Candidate>> {
    let of_list = |kind| Box::new(list::single_changes(document, kind));
    match plan.strategy {
        Strategy::Lines => of_list(UnitKind::Lines),
        Strategy::Tokens => of_list(UnitKind::Tokens),
        Strategy::Chars | Strategy::TwoPass => of_list(UnitKind::Chars),
        Strategy::Bytes => of_list(UnitKind::Bytes),
        Strategy::Auto => {
            let document = as_read(document);
            let size = size(&document, document.bytes());
            let edits = edits(&document).into_iter();
            Box::new(edits.filter_map(move |edit| smaller(&document, &edit, size)))
        }
        Strategy::Hdd
        | Strategy::Hddr
        | Strategy::CoarseHdd
        | Strategy::CoarseHddr
        | Strategy::Quantified => {
            let edits = edits_of_tree(document, tree::offer(plan), tree::order_inside(plan));
            let document = document.clone();
            let candidate = move |edit| Candidate::of_edit(PASS, document.clone(), edit);
            Box::new(edits.into_iter().map(candidate))
        }
    }
}

/// The document as the pipeline reads it in the end: without its grammar if lines, words and marks tell more.
pub(super) fn as_read(document: &Document) -> Document {
    if is_mere_text(document) {
        document.without_grammar()
    } else {
        document.clone()
    }
}

/// Bytes and tokens of a text.
type Size = (usize, usize);

/// Bytes, then tokens. Every single change takes something away, so each that is made brings this down.
fn size(document: &Document, bytes: &[u8]) -> Size {
    (bytes.len(), document.lexis().count(bytes))
}

/// The edit as a candidate, if it makes the document smaller than `size`.
fn smaller(document: &Document, edit: &Arc<Edit>, before: Size) -> Option<Candidate> {
    let candidate = Candidate::of_edit(PASS, document.clone(), Arc::clone(edit));
    let bytes = candidate.to_bytes();
    let is_smaller = bytes.len() < before.0 || size(document, &bytes) < before;
    is_smaller.then_some(candidate)
}

/// The pipeline's single changes: units and hoists, tokens, and bytes.
fn edits(document: &Document) -> Vec<Arc<Edit>> {
    let context = Context::new(document.clone());
    let units = context.units().iter();
    let changes = units
        .map(|unit| unit.proposal.clone())
        .chain(hoist::hoists(&context))
        .chain(tokens::windows(document, 1))
        .chain(bytes::bytes(document));
    let edits = changes.filter_map(|change| compose(document, [&change]));
    edits.map(Arc::new).collect()
}

/// The single changes of the tree strategies: each node that is offered, and each hoist.
fn edits_of_tree(document: &Document, offer: Offer, order: Option<Order>) -> Vec<Arc<Edit>> {
    let outline = Arc::new(Outline::new(document.clone()));
    let mut edits = Vec::new();
    let mut tops = Vec::new();
    let mut add = |level: Level, tops: &mut Vec<NodeId>| {
        let all = Runs::from_range(0..level.elements());
        for element in 0..level.elements() {
            let gone = Runs::from_range(element..element + 1);
            edits.push(Arc::new(level.edit(document, &all.subtract(&gone))));
        }
        let nodes = level.slots().iter().map(|slot| slot.node);
        tops.extend(nodes.filter(|&top| !outline.is_leaf(top)));
        if let Some(order) = order {
            let slots = level.hoisted(offer, order, (0..level.slots().len()).collect());
            let level = Arc::new(level);
            let mut hoisting =
                Hoisting::new(Arc::clone(&outline), level, order, Arc::default(), &slots);
            while let Some(edit) = hoisting.ask() {
                edits.push(edit);
                hoisting.tell(Verdict::Uninteresting);
            }
        }
    };
    add(Level::root(&outline), &mut tops);
    while let Some(top) = tops.pop() {
        add(Level::below(&outline, &[top], offer), &mut tops);
    }
    edits
}

/// The pipeline's last search: asks about each single change, going round after a success, until none is left.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    /// Also where the document is read without its grammar.
    language: Option<Arc<Language>>,
    document: Document,
    edits: Arc<Vec<Arc<Edit>>>,
    /// The number of the edit that is asked about.
    next: usize,
    /// How many have not been refused since the last success.
    left: usize,
    question: Option<Candidate>,
    /// Of the document.
    size: Size,
    best: Candidate,
}

impl Sweep {
    /// A sweep over a document that is known to be interesting.
    pub(super) fn new(document: &Document) -> Self {
        let language = document.language().cloned();
        let document = as_read(document);
        let best = Candidate::of_edit(PASS, document.clone(), Arc::default());
        let edits = edits(&document);
        let mut sweep = Self {
            left: edits.len(),
            edits: Arc::new(edits),
            size: size(&document, document.bytes()),
            next: 0,
            question: None,
            best,
            document,
            language,
        };
        sweep.settle();
        sweep
    }

    /// Goes on to the next edit that makes the text smaller.
    fn settle(&mut self) {
        while self.left > 0 {
            self.question = smaller(&self.document, &self.edits[self.next], self.size);
            if self.question.is_some() {
                return;
            }
            self.step();
        }
    }

    fn step(&mut self) {
        self.left -= 1;
        self.next = (self.next + 1) % self.edits.len();
    }

    /// Begins again with what was accepted, at the place of the change: what stands before it has been refused just now.
    fn restart(&mut self, accepted: Candidate) {
        let place = self.edits[self.next].start();
        let was_last_kind = |edit: &Arc<Edit>| edit.start() >= place;
        let document = Document::new(accepted.to_bytes(), self.language.clone());
        self.document = as_read(&document);
        self.size = size(&self.document, self.document.bytes());
        let edits = edits(&self.document);
        // The bytes stand at the end of the list, in order.
        let behind = edits.iter().rev().take_while(|&edit| was_last_kind(edit));
        self.next = (edits.len() - behind.count()) % edits.len().max(1);
        self.left = edits.len();
        self.edits = Arc::new(edits);
        self.best = accepted;
    }
}

impl Search for Sweep {
    type Candidate = Candidate;
    type Best = Candidate;

    fn ask(&self) -> Option<Candidate> {
        self.question.clone()
    }

    fn tell(&mut self, verdict: Verdict) {
        let Some(asked) = self.question.take() else {
            return;
        };
        match verdict {
            Verdict::Interesting => self.restart(asked),
            Verdict::Uninteresting => self.step(),
        }
        self.settle();
    }

    fn best(&self) -> &Candidate {
        &self.best
    }

    fn chance(&self) -> Option<f64> {
        /// Nearly all of it has been refused before.
        const CHANCE: f64 = 0.02;
        Some(CHANCE)
    }
}
