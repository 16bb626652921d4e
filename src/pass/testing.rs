//! What the tests of the passes share.

use super::{Context, Proposal, compose};
use crate::syntax::{Document, Language};

/// A text that the language's parser understands.
#[track_caller]
pub(crate) fn sample(language: &str, text: &str) -> Context {
    let document = Document::new(text.as_bytes(), Language::named(language));
    assert!(!document.is_damaged(), "{language} does not parse: {text}");
    Context::new(document)
}

/// The texts that each proposal of a pass makes alone.
#[track_caller]
pub(crate) fn offered(
    language: &str,
    text: &str,
    propose: impl Fn(&Context) -> Vec<Proposal>,
) -> Vec<String> {
    let sample = sample(language, text);
    results(sample.document(), &propose(&sample))
}

/// Asserts that a pass offers `wanted`, perhaps among others.
#[track_caller]
pub(crate) fn assert_offers(
    language: &str,
    text: &str,
    wanted: &str,
    propose: impl Fn(&Context) -> Vec<Proposal>,
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
