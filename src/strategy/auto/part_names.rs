//! What the changes of a stage are called, for the work ahead: see [`crate::search::Part::name`].

use crate::pass::Proposal;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// By proposal: its signature, told from those of proposals before it that have the same one. Cost: linear.
pub(super) fn of(proposals: &[Proposal]) -> Vec<u64> {
    let mut seen: FxHashMap<u64, u64> = FxHashMap::default();
    let signatures = proposals.iter().map(|proposal| proposal.signature);
    let name = |signature| {
        let before = seen.entry(signature).or_default();
        *before += 1;
        match *before {
            1 => signature,
            place => together([signature, place]),
        }
    };
    signatures.map(name).collect()
}

/// One name for all of them.
pub(super) fn together(names: impl IntoIterator<Item = u64>) -> u64 {
    let mut hasher = FxHasher::default();
    for name in names {
        hasher.write_u64(name);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        pass::{Context, Pass, list::PASSES},
        syntax::{Document, Language},
    };
    use rustc_hash::FxHashSet;

    #[test]
    fn equal_texts_have_names_of_their_own() {
        let text = b"f(1); g(1); f(1); h(2);";
        let context = Context::new(Document::new(*text, Language::named("javascript")));
        let is_removal = |pass: &&Pass| pass.name == "remove-units";
        let proposals = PASSES.iter().find(is_removal).unwrap().proposals(&context);
        let distinct = |names: Vec<u64>| names.into_iter().collect::<FxHashSet<u64>>().len();
        let signatures = proposals.iter().map(|proposal| proposal.signature);
        assert!(distinct(signatures.collect()) < proposals.len());
        assert_eq!(distinct(of(&proposals)), proposals.len());
    }
}
