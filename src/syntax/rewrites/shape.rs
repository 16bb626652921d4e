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

/// The names behind the `@`s of a query that stand in neither texts nor comments.
pub(super) fn captures_in(query: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut letters = query.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            ';' => {
                letters.find(|&(_, letter)| letter == '\n');
            }
            '"' => {
                while let Some((_, letter)) = letters.next().filter(|&(_, letter)| letter != '"') {
                    if letter == '\\' {
                        letters.next();
                    }
                }
            }
            '@' => {
                let rest = &query[at + 1..];
                let is_end = |letter: char| !(letter.is_alphanumeric() || "_-.".contains(letter));
                let name = &rest[..rest.find(is_end).unwrap_or(rest.len())];
                if !names.iter().any(|known| known == name) {
                    names.push(name.to_owned());
                }
            }
            _ => {}
        }
    }
    names
}
