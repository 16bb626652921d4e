//! Whether the model of a grammar is right: what its parser makes is accepted, and what the model allows parses.

mod corpus;
mod derive;
mod edits;
mod limits;
mod lists;
mod texts;

use corpus::{Corpus, bench_inputs, snippets};
use derive::Random;
use edits::Survival;
use paredown::{
    grammar::Kind,
    syntax::{Document, Language, NodeId},
};
use std::collections::BTreeMap;

/// What the automata say about the inner nodes of some documents.
#[derive(Default)]
struct Acceptance {
    documents: usize,
    clean: usize,
    nodes: usize,
    kinds: BTreeMap<String, usize>,
    /// By kind: how often it was refused, and the first row that was.
    refused: BTreeMap<String, (usize, String)>,
}

impl Acceptance {
    fn take(&mut self, document: &Document) {
        self.documents += 1;
        self.clean += usize::from(!document.is_damaged());
        let grammar = document.grammar().unwrap();
        for (id, node) in (0..).zip(document.nodes()) {
            let damaged = |child: NodeId| {
                let child = document.node(child);
                child.is_error() || child.is_missing()
            };
            if document.is_leaf(id) || node.is_error() || document.children(id).any(damaged) {
                continue;
            }
            self.nodes += 1;
            *self
                .kinds
                .entry(document.kind_name(id).to_owned())
                .or_default() += 1;
            let row = document.row(id);
            let kinds: Vec<Kind> = row.iter().map(|&child| document.node(child).kind).collect();
            if !grammar.automaton(document.symbol(id)).accepts(&kinds) {
                let names: Vec<&str> = row.iter().map(|&child| document.kind_name(child)).collect();
                let text = String::from_utf8_lossy(document.text(id)).into_owned();
                self.refused
                    .entry(document.kind_name(id).to_owned())
                    .or_insert_with(|| (0, format!("{names:?}: {text}")))
                    .0 += 1;
            }
        }
    }

    /// Says how many were accepted, and for which kinds some were not.
    fn sum_up(&self, what: &str) -> Option<String> {
        let refused: usize = self.refused.values().map(|(count, _)| count).sum();
        eprintln!(
            "{what}: {} of {} nodes accepted, {} kinds, {} documents ({} clean)",
            self.nodes - refused,
            self.nodes,
            self.kinds.len(),
            self.documents,
            self.clean,
        );
        (refused > 0).then(|| format!("{what}: {:#?}", self.refused))
    }
}

#[test]
fn every_node_of_the_benchmark_inputs_is_accepted() {
    let mut refused = Vec::new();
    for (name, document) in bench_inputs(usize::MAX) {
        let mut acceptance = Acceptance::default();
        acceptance.take(&document);
        refused.extend(acceptance.sum_up(&name));
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn every_node_of_generated_files_is_accepted() {
    let mut refused = Vec::new();
    for name in Language::names() {
        let mut acceptance = Acceptance::default();
        for document in Corpus::new(name, 1).files(200) {
            acceptance.take(&document);
        }
        refused.extend(acceptance.sum_up(name));
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn single_edits_of_clean_files_leave_them_clean() {
    let mut by_language: BTreeMap<String, Survival> = BTreeMap::new();
    for name in ["c", "javascript"] {
        let snippets = snippets(name).into_iter();
        by_language
            .entry(name.to_owned())
            .or_default()
            .take_all(snippets, 250, &mut Random(1));
    }
    for (_, document) in bench_inputs(15_000) {
        let survival = by_language.entry(document.language().unwrap().name().to_owned());
        survival
            .or_default()
            .take_all([document], 30, &mut Random(4));
    }
    for (name, survival) in by_language {
        survival.sum_up(&format!("{name} written by hand"), 8);
        let required = if ["c", "javascript"].contains(&name.as_str()) {
            99.0
        } else {
            85.0
        };
        assert!(survival.per_cent() >= required, "{name}");
    }
}

#[test]
fn single_edits_of_generated_files_mostly_leave_them_clean() {
    let mut too_many = Vec::new();
    for name in Language::names() {
        let mut survival = Survival::default();
        survival.take_all(Corpus::new(name, 3).files(30), 8, &mut Random(2));
        survival.sum_up(&format!("{name} generated"), 5);
        let required = match name {
            "c" | "javascript" => 99.0,
            // Their scanners look at more than the rules say: where a line ends, which tags are open.
            "bash" | "haskell" | "html" | "swift" => 90.0,
            _ => 97.0,
        };
        if survival.per_cent() < required {
            too_many.push(name);
        }
    }
    assert!(too_many.is_empty(), "{too_many:?}");
}
