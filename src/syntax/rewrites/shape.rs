//! The shape of a file of rewrites.

use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// A whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    /// The languages that it is for; without any, that of the input.
    #[serde(default)]
    pub(super) languages: Vec<Spanned<String>>,
    /// Languages whose built-in rewrites are good here too.
    #[serde(default)]
    pub(super) like: Vec<Spanned<String>>,
    /// When its rewrites are due that do not say so themselves.
    #[serde(default)]
    pub(super) when: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) rewrite: Vec<RuleEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleEntry {
    pub(super) name: Spanned<String>,
    pub(super) about: Spanned<String>,
    #[serde(default)]
    pub(super) when: Option<Spanned<String>>,
    pub(super) query: Spanned<String>,
    #[serde(default)]
    pub(super) replace: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    pub(super) remove: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) words: BTreeMap<String, WordEntry>,
    #[serde(default)]
    pub(super) around: BTreeMap<String, Vec<Spanned<String>>>,
    #[serde(default)]
    pub(super) except: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) each: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    pub(super) uses: Vec<UseEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UseEntry {
    pub(super) query: Spanned<String>,
    #[serde(default)]
    pub(super) replace: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    pub(super) remove: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) words: BTreeMap<String, WordEntry>,
    #[serde(default)]
    pub(super) each: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    pub(super) inside: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) except: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) required: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WordEntry {
    pub(super) of: Spanned<String>,
    pub(super) pattern: Spanned<String>,
    #[serde(default)]
    pub(super) free: bool,
}
