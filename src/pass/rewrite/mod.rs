//! Rewrites: what a language's own rules change, each with the uses of what it changes.
//!
//! The rules are data (`grammars/<language>/rewrites.toml`, `--rewrites`): queries, and templates for what they capture. What a
//! template keeps of a node in its order stays in its place, so that other changes inside of it are made as well.

mod binding;
mod changes;
mod words;

use super::{Context, Proposal};
use crate::syntax::{
    Document, NodeId,
    rewrites::{Found, Inside, Part, Rewrites, Rule, When},
};
use binding::{Bound, bindings, lies_in};
use changes::Changes;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// So many uses for each node of the document are looked at; a document with more would take longer than it is worth.
const USES_PER_NODE: usize = 16;
/// A small document is looked at so often at least.
const LEAST_USES: usize = 10_000;

/// So many matches of a rule are worth a question about all of them.
const MANY: usize = 16;

/// For each rule that is due everywhere, and that finds much to change, all that it changes as one proposal.
pub fn everywhere(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let at_once = |rewrites: &Rewrites| {
        let found = rewrites.matches(document, When::Everywhere);
        let rules = rewrites.rules.iter().zip(found);
        let rules = rules.filter(|(_, found)| found[0].len() >= MANY);
        rules
            .filter_map(|(rule, found)| at_once(document, rule, &found[0]))
            .collect()
    };
    due(document, When::Everywhere, at_once)
}

/// What all rewrites that have rules for a time propose.
fn due(
    document: &Document,
    when: When,
    propose: impl Fn(&Rewrites) -> Vec<Proposal>,
) -> Vec<Proposal> {
    let language = document.language();
    let language = language.filter(|_| document.grammar().is_some());
    let all = language
        .into_iter()
        .flat_map(|language| language.rewrites());
    let due = all.filter(|rewrites| rewrites.is_due(when));
    due.flat_map(propose).collect()
}

/// What a rule makes of all its matches, but for those that overlap one before them.
fn at_once(document: &Document, rule: &Rule, found: &[Found]) -> Option<Proposal> {
    let part = &rule.parts[0];
    let span = |bound: &Bound| {
        let nodes = part.changed().filter_map(|name| bound.node(name));
        let ranges = nodes.map(|node| document.node(node).range());
        ranges.reduce(|all, range| all.start.min(range.start)..all.end.max(range.end))
    };
    let bound = found
        .iter()
        .flat_map(|found| bindings(document, part, found, None));
    let mut spans: Vec<(Range<usize>, Bound)> = bound
        .filter_map(|bound| Some((span(&bound)?, bound)))
        .collect();
    spans.sort_by_key(|(span, _)| (span.start, span.end));
    let mut changes = Changes::default();
    let mut end = 0;
    for (span, bound) in &spans {
        if span.start >= end {
            changes.make(document, part, bound, None)?;
            end = span.end;
        }
    }
    changes.proposal(document, &rule.name)
}

/// The rewrites that are due in every round before what any language has.
pub fn first_in_rounds(context: &Context) -> Vec<Proposal> {
    rewrites(context, When::First)
}

/// The others that are due in every round.
pub fn in_rounds(context: &Context) -> Vec<Proposal> {
    rewrites(context, When::Round)
}

/// The rewrites that are due when a round has nothing left, and what those that are due everywhere make of single matches.
pub fn late(context: &Context) -> Vec<Proposal> {
    let mut proposals = rewrites(context, When::Late);
    proposals.extend(rewrites(context, When::Everywhere));
    proposals
}

/// The rewrites that are due at a time. Cost: linear in the document and in the uses of all that is rewritten.
fn rewrites(context: &Context, when: When) -> Vec<Proposal> {
    due(context.document(), when, |rewrites| {
        of_rules(context, rewrites, when)
    })
}

fn of_rules(context: &Context, rewrites: &Rewrites, when: When) -> Vec<Proposal> {
    let document = context.document();
    let mut proposals: Vec<Proposal> = Vec::new();
    let mut known: FxHashSet<u64> = FxHashSet::default();
    let found = rewrites.matches(document, when);
    for (rule, found) in rewrites.rules.iter().zip(&found) {
        if found[0].is_empty() {
            continue;
        }
        let mut work = Work::new(context, rule, found);
        for main in &found[0] {
            for bound in bindings(document, &rule.parts[0], main, None) {
                let proposal = work.proposal(&bound);
                proposals.extend(proposal.filter(|proposal| known.insert(proposal.signature)));
            }
        }
    }
    proposals
}

/// A rule at work on a document.
struct Work<'r, 'd> {
    context: &'d Context,
    rule: &'r Rule,
    uses: Vec<Uses<'r>>,
    /// How many uses may still be looked at.
    budget: usize,
}

/// The matches of one part, in the order of the document.
struct Uses<'r> {
    part: &'r Part,
    all: Vec<Found<'r>>,
    /// By the texts of the shared names.
    by_text: FxHashMap<Vec<Vec<u8>>, Vec<usize>>,
}

impl<'r> Uses<'r> {
    fn new(document: &Document, part: &'r Part, found: &[Found<'r>]) -> Self {
        let mut all = found.to_vec();
        all.sort_by_key(|found| found.nodes.iter().map(|(_, node)| *node).min());
        let mut by_text: FxHashMap<Vec<Vec<u8>>, Vec<usize>> = FxHashMap::default();
        for (index, found) in all.iter().enumerate() {
            let words = Part {
                words: part.words.clone(),
                ..Part::default()
            };
            let bound = bindings(document, &words, found, None);
            let key = bound
                .first()
                .and_then(|bound| shared(document, part, bound));
            if let Some(key) = key {
                by_text.entry(key).or_default().push(index);
            }
        }
        Self { part, all, by_text }
    }
}

/// The texts of the names that a use shares with what is rewritten; `None` if one stands for nothing.
fn shared(document: &Document, part: &Part, bound: &Bound) -> Option<Vec<Vec<u8>>> {
    let text = |name: &String| bound.text(document, name).map(<[u8]>::to_vec);
    part.shared.iter().map(text).collect()
}

impl<'r, 'd> Work<'r, 'd> {
    fn new(context: &'d Context, rule: &'r Rule, found: &[Vec<Found<'r>>]) -> Self {
        let document = context.document();
        let uses = rule.parts.iter().zip(found).skip(1);
        Self {
            context,
            rule,
            uses: uses
                .map(|(part, found)| Uses::new(document, part, found))
                .collect(),
            budget: LEAST_USES.max(USES_PER_NODE * document.nodes().len()),
        }
    }

    fn proposal(&mut self, main: &Bound<'r>) -> Option<Proposal> {
        let document = self.context.document();
        let mut changes = Changes::default();
        changes
            .circumstances
            .extend_from_slice(document.text(main.first()));
        changes.make(document, &self.rule.parts[0], main, None)?;
        for number in 0..self.uses.len() {
            let uses = self.uses_of(number, main)?;
            let part = self.uses[number].part;
            let mut any = false;
            for bound in uses {
                any |= changes.make(document, part, &bound, Some(main)).is_some();
            }
            if part.required && !any {
                return None;
            }
        }
        changes.proposal(document, &self.rule.name)
    }

    /// The uses of what is rewritten; `None` when too many have been looked at.
    fn uses_of(&mut self, number: usize, main: &Bound<'r>) -> Option<Vec<Bound<'r>>> {
        let document = self.context.document();
        let uses = &self.uses[number];
        let part = uses.part;
        let nodes = self.nodes_of_uses(part, main);
        let Some(nodes) = nodes else {
            return Some(Vec::new());
        };
        let from = uses
            .all
            .partition_point(|found| found.nodes.iter().all(|(_, node)| *node < nodes.start));
        let candidates: Vec<usize> = if part.shared.is_empty() {
            (from..uses.all.len()).collect()
        } else {
            let Some(key) = shared(document, part, main) else {
                return Some(Vec::new());
            };
            let all = uses
                .by_text
                .get(&key)
                .map(Vec::as_slice)
                .unwrap_or_default();
            all[all.partition_point(|&index| index < from)..].to_vec()
        };
        let mut bound = Vec::new();
        for index in candidates {
            let found = &uses.all[index];
            let Some(first) = found.nodes.iter().map(|(_, node)| *node).min() else {
                continue;
            };
            if first >= nodes.end {
                break;
            }
            self.budget = self.budget.checked_sub(1)?;
            if !lies_in(document, first, nodes.start, &part.except) {
                bound.extend(bindings(document, part, found, main.place));
            }
        }
        Some(bound)
    }

    /// The nodes among which the uses lie.
    fn nodes_of_uses(&self, part: &Part, main: &Bound) -> Option<Range<NodeId>> {
        let document = self.context.document();
        let below = |node: NodeId| node..document.node(node).end_id;
        match &part.inside {
            Inside::Document => Some(below(0)),
            Inside::Node(name) => main.node(name).map(below),
            Inside::Scope => {
                let leaf = part.shared.iter().find_map(|name| main.node(name))?;
                let declared = self.context.names().declared_in(&below(leaf)).first()?;
                Some(declared.scope.clone())
            }
        }
    }
}

#[cfg(test)]
mod tests;
