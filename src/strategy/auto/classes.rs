//! What became of changes of the same kind.
//!
//! Whether a part can go depends much on what it is: the value of a variable that has to have one cannot go anywhere, the type of
//! one mostly can. Which it is says the check, and what it says about a few of a class holds for the rest. A class is where a change
//! is made and of what; what is not known of it is taken from all changes in places of that kind.

use crate::{
    pass::Proposal,
    syntax::{Document, NodeId},
};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// Of which class a change is: in what kind of place, and what is changed there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class {
    place: u64,
    change: u64,
}

impl Class {
    /// That of a proposal of the pass of this name; `None` for one that takes no node.
    pub(super) fn of(document: &Document, pass: &str, proposal: &Proposal) -> Option<Self> {
        let takes = proposal.takes.first()?;
        let node = proposal.target.unwrap_or(takes.start);
        let parent = document.node(node).parent;
        let place = hash((pass, document.kind_name(parent)));
        let part = document
            .field_name(node)
            .unwrap_or_else(|| document.kind_name(node));
        let end = document.node(node).end_id;
        let is_kept = |&kept: &NodeId| proposal.target.is_some() && kept < end;
        let kept = Some(takes.end).filter(is_kept);
        let kept = kept.map(|kept| {
            let field = document.field_name(kept);
            (
                document.kind_name(node),
                field.unwrap_or_else(|| document.kind_name(kept)),
            )
        });
        Some(Self {
            place,
            change: hash((place, part, kept)),
        })
    }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// How often changes of each class could be made.
#[derive(Clone, Debug, Default)]
pub(super) struct Classes {
    seen: FxHashMap<u64, Seen>,
    /// Changes that leave a name without its declaration.
    strands: Seen,
    /// Changes that leave what the language does not take.
    misfits: Seen,
}

#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    successes: f64,
    failures: f64,
}

/// For so many observations counts what is known of changes of wider classes.
const PRIOR: f64 = 2.0;
/// The chance of a change that leaves a name without its declaration, before one was asked about.
const UNSEEN_STRAND: f64 = 0.2;
/// So many of the changes that leave what the language does not take are asked about in vain, and so many more for each that could
/// be made: what refused these refuses the rest.
const MOST_MISFITS: f64 = 6.0;

impl Classes {
    /// The chance of a change of this class, where that of any change is `rate`.
    pub(super) fn chance(&self, class: Class, rate: f64) -> f64 {
        let in_place = self.seen(class.place).share(rate);
        self.seen(class.change).share(in_place)
    }

    /// Takes the news that a change of this class could be made, or not.
    pub(super) fn note(&mut self, class: Class, success: bool) {
        for name in [class.place, class.change] {
            self.seen.entry(name).or_default().note(success);
        }
    }

    /// The chance of a change that leaves a name without its declaration.
    pub(super) fn chance_of_strand(&self) -> f64 {
        self.strands.share(UNSEEN_STRAND)
    }

    /// Takes the news that such a change could be made, or not.
    pub(super) fn note_strand(&mut self, success: bool) {
        self.strands.note(success);
    }

    /// Whether a change that leaves what the language does not take may be good for something.
    pub(super) fn may_misfit(&self) -> bool {
        self.misfits.failures < MOST_MISFITS * (1.0 + self.misfits.successes)
    }

    /// Takes the news that such a change could be made, or not.
    pub(super) fn note_misfit(&mut self, success: bool) {
        self.misfits.note(success);
    }

    fn seen(&self, name: u64) -> Seen {
        self.seen.get(&name).copied().unwrap_or_default()
    }
}

impl Seen {
    fn note(&mut self, success: bool) {
        if success {
            self.successes += 1.0;
        } else {
            self.failures += 1.0;
        }
    }

    fn share(self, prior: f64) -> f64 {
        (self.successes + PRIOR * prior) / (self.successes + self.failures + PRIOR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{pass::Context, syntax::Language};

    fn classes_of(text: &str) -> Vec<(String, Class)> {
        let document = Document::new(text.as_bytes(), Language::named("c"));
        let context = Context::new(document);
        let document = context.document();
        let class = |proposal| Class::of(document, "remove-units", proposal);
        let units = context.units().iter();
        let text = |node| String::from_utf8_lossy(document.text(node)).into_owned();
        let classes = units.filter_map(|unit| Some((text(unit.node), class(&unit.proposal)?)));
        classes.collect()
    }

    #[test]
    fn what_became_of_a_few_changes_of_a_class_tells_about_the_rest() {
        let all = classes_of("int f() { a(1); b(2); if (c) d(3); }");
        let class = |wanted: &str| all.iter().find(|(text, _)| text == wanted).unwrap().1;
        assert_eq!(class("a(1);"), class("b(2);"));
        assert_ne!(class("a(1);"), class("if (c) d(3);"));
        let mut classes = Classes::default();
        for _ in 0..4 {
            classes.note(class("a(1);"), false);
        }
        let refused = classes.chance(class("b(2);"), 0.5);
        let beside = classes.chance(class("if (c) d(3);"), 0.5);
        let elsewhere = classes.chance(class("1"), 0.5);
        assert!(
            refused < beside && beside < elsewhere,
            "{refused} {beside} {elsewhere}"
        );
    }
}
