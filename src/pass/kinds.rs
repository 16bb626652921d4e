//! Kinds: small parts of one kind go everywhere in one edit.
//!
//! What decorates a program (attributes, qualifiers, alignments, metadata) stands in a thousand places, and is needed in none or
//! in a few: one question saves asking about each.

use super::{
    Context,
    proposal::{Proposal, fingerprint},
    units::Unit,
};
use crate::syntax::Role;
use std::collections::BTreeMap;

/// So many of one kind are worth a question.
const MANY: usize = 16;
/// Parts of more tokens than this on the average are more than decoration.
const LARGEST: usize = 4;
/// All of one kind together are at least this part of the document.
const PART: u32 = 100;
/// So many words to the compiler are worth a question, however few they are in the document: some of them, such as those that push
/// and pop a setting, go only together.
const SEVERAL: usize = 4;

/// The removal of all words to the compiler, and of all units of one kind in parents of one kind, the heaviest first; the empty list
/// for a document without a grammar. Cost: linear.
pub fn kinds(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    if document.grammar().is_none() {
        return Vec::new();
    }
    let mut alike: BTreeMap<(&str, &str), Vec<&Unit>> = BTreeMap::new();
    for unit in context.units() {
        let parent = document.node(unit.node).parent;
        let is_list = [Role::Arguments, Role::Parameters]
            .into_iter()
            .any(|role| document.has_role(unit.node, role));
        let is_expression = document.has_role(unit.node, Role::Expressions);
        // Without these what is left means nothing.
        if is_list
            || unit.is_argument(document)
            || is_expression
            || !unit.proposal.declares.is_empty()
        {
            continue;
        }
        let key = (document.kind_name(parent), document.kind_name(unit.node));
        alike.entry(key).or_default().push(unit);
    }
    let proposals = alike.into_iter().filter_map(|((parent, kind), units)| {
        let count = units.len().to_le_bytes();
        let signature = fingerprint(&[b"kind", parent.as_bytes(), kind.as_bytes(), &count]);
        let each = units.iter().map(|unit| &unit.proposal);
        let proposal = (units.len() >= MANY).then(|| Proposal::together(each, signature))?;
        let is_small = proposal.weight as usize <= units.len() * LARGEST;
        (is_small && proposal.weight >= document.node(0).tokens / PART).then_some(proposal)
    });
    asides(context).into_iter().chain(proposals).collect()
}

/// The removal of all that only says something to the compiler.
fn asides(context: &Context) -> Option<Proposal> {
    let document = context.document();
    let units = context.units().iter();
    let asides = units.filter(|unit| document.has_role(unit.node, Role::Asides));
    let asides: Vec<&Proposal> = asides.map(|unit| &unit.proposal).collect();
    let signature = fingerprint(&[b"asides", &asides.len().to_le_bytes()]);
    (asides.len() >= SEVERAL).then(|| Proposal::together(asides, signature))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::offered;

    #[test]
    fn qualifiers_go_everywhere_at_once() {
        let text = "const int a; ".repeat(MANY);
        let found = offered("c", &text, kinds);
        assert!(found.contains(&" int a; ".repeat(MANY)), "{found:#?}");
    }

    #[test]
    fn what_others_mean_nothing_without_stays() {
        let text = "template<class T> int f(T a) { return g<T>(a); } ".repeat(MANY);
        let found = offered("cpp", &text, kinds);
        let has_lists = |text: &String| text.contains("template<class") && text.contains("g<T>(a)");
        assert!(found.iter().all(has_lists), "{found:#?}");
    }

    #[test]
    fn what_is_said_to_the_compiler_goes_together() {
        let text = "#pragma GCC visibility push(default)\nint a;\n#pragma GCC visibility pop\n";
        let found = offered("cpp", &text.repeat(SEVERAL / 2), kinds);
        assert_eq!(found, ["int a;\n".repeat(SEVERAL / 2)]);
        assert!(offered("cpp", text, kinds).is_empty());
    }

    #[test]
    fn a_few_do_not() {
        assert!(offered("c", "const int a; const int b;", kinds).is_empty());
    }
}
