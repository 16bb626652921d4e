//! Every single edit that a pass proposes, made and parsed again.

use super::derive::Random;
use paredown::{
    pass::{Context, Proposal, compose, hoist, least},
    syntax::Document,
};
use std::collections::BTreeMap;

/// How many edits left a clean document clean.
#[derive(Default)]
pub(super) struct Survival {
    pub(super) edits: usize,
    pub(super) clean: usize,
    /// By pass, parent and node: how many broke something, and the first of them.
    broken: BTreeMap<String, (usize, String)>,
}

impl Survival {
    /// Makes up to `most` edits of each pass to each of the clean documents, each alone.
    pub(super) fn take_all(
        &mut self,
        documents: impl IntoIterator<Item = Document>,
        most: usize,
        random: &mut Random,
    ) {
        for document in documents {
            self.take(&document, most, random);
        }
    }

    fn take(&mut self, document: &Document, most: usize, random: &mut Random) {
        if document.is_damaged() {
            return;
        }
        let context = Context::new(document.clone());
        let units = context.units().iter();
        let units = units.map(|unit| unit.proposal.clone()).collect();
        for (pass, mut proposals) in [
            ("unit", units),
            ("hoist", hoist::hoists(&context)),
            ("least", least::replacements(&context)),
        ] {
            for _ in 0..most.min(proposals.len()) {
                let proposal = proposals.swap_remove(random.below(proposals.len()));
                self.try_one(document, pass, &proposal);
            }
        }
    }

    fn try_one(&mut self, document: &Document, pass: &str, proposal: &Proposal) {
        let Some(edit) = compose(document, [proposal]) else {
            return;
        };
        let edited = document.edited(&edit);
        self.edits += 1;
        if !edited.is_damaged() {
            self.clean += 1;
            return;
        }
        let gone = proposal.target.unwrap_or(proposal.takes[0].start);
        let above = document.node(gone).parent;
        let rule = format!(
            "{pass}: {} in {} in {}",
            document.kind_name(gone),
            document.kind_name(above),
            document.kind_name(document.node(above).parent),
        );
        let before = String::from_utf8_lossy(document.text(document.node(above).parent));
        let splices: Vec<_> = edit
            .splices()
            .iter()
            .map(|splice| {
                format!(
                    "[{}] to [{}]",
                    String::from_utf8_lossy(&document.bytes()[splice.range()]),
                    String::from_utf8_lossy(&splice.text)
                )
            })
            .collect();
        let before: String = before.chars().take(300).collect();
        let shown = format!("{splices:?} in {before}");
        let known = self.broken.entry(rule).or_insert((0, shown.clone()));
        known.0 += 1;
        if shown.len() < known.1.len() {
            known.1 = shown;
        }
    }

    /// The share of edits that left the document clean, in per cent.
    #[expect(clippy::cast_precision_loss, reason = "the counts are small")]
    pub(super) fn per_cent(&self) -> f64 {
        100.0 * self.clean as f64 / self.edits.max(1) as f64
    }

    /// Says the share and the rules that break most.
    pub(super) fn sum_up(&self, what: &str, worst: usize) {
        eprintln!(
            "{what}: {:.2} % of {} edits leave no error",
            self.per_cent(),
            self.edits
        );
        let mut rules: Vec<_> = self.broken.iter().collect();
        rules.sort_by_key(|(rule, (count, _))| (std::cmp::Reverse(*count), *rule));
        for (rule, (count, example)) in rules.into_iter().take(worst) {
            eprintln!("  {count:4} {rule}: {example}");
        }
    }
}
