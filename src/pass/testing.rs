//! What the tests of the passes share.

use super::{Proposal, bundle::UnitMap, compose, names::Names, units::units};
use crate::syntax::{Document, Language};

/// A document with all that a pass may want to know about it.
pub(crate) struct Sample {
    pub(crate) document: Document,
    pub(crate) names: Names,
    pub(crate) units: UnitMap,
}

impl Sample {
    /// A text that the language's parser understands.
    #[track_caller]
    pub(crate) fn new(language: &str, text: &str) -> Self {
        let document = Document::new(text.as_bytes(), Language::named(language));
        assert!(!document.is_damaged(), "{language} does not parse: {text}");
        let names = Names::of(&document);
        let units = UnitMap::of(&units(&document, &names));
        Self {
            document,
            names,
            units,
        }
    }
}

/// The texts that each proposal of a pass makes alone.
#[track_caller]
pub(crate) fn offered(
    language: &str,
    text: &str,
    propose: impl Fn(&Sample) -> Vec<Proposal>,
) -> Vec<String> {
    let sample = Sample::new(language, text);
    results(&sample.document, &propose(&sample))
}

/// Asserts that a pass offers `wanted`, perhaps among others.
#[track_caller]
pub(crate) fn assert_offers(
    language: &str,
    text: &str,
    wanted: &str,
    propose: impl Fn(&Sample) -> Vec<Proposal>,
) {
    let found = offered(language, text, propose);
    assert!(found.iter().any(|found| found == wanted), "{found:#?}");
}

/// The texts that proposals make, each alone.
pub(crate) fn results(document: &Document, proposals: &[Proposal]) -> Vec<String> {
    proposals
        .iter()
        .filter_map(|proposal| compose(document, [proposal]))
        .map(|edit| String::from_utf8(document.edited(&edit).bytes().to_vec()).expect("text"))
        .collect()
}
