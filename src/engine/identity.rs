//! What a state belongs to.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;

use sha3::{Digest, Sha3_256};

/// What the names of inputs begin with.
const INPUT: &str = "input ";

/// What a state belongs to: named parts, each with a digest of its content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity(Vec<(String, String)>);

impl Identity {
    /// Adds a part, named for people ("input `bug.c`"). Of the content only a digest is kept.
    pub fn add(&mut self, name: &str, content: &[u8]) {
        let digest = Sha3_256::digest(content);
        let mut text = String::new();
        for byte in digest {
            let _ = write!(text, "{byte:02x}");
        }
        self.0.push((name.replace(['\n', '\t'], " "), text));
    }

    /// Adds an input. `name` is the file's own name.
    pub fn add_input(&mut self, name: &str, bytes: &[u8]) {
        self.add(&format!("{INPUT}{name}"), bytes);
    }

    pub(super) fn to_text(&self) -> String {
        let mut text = String::new();
        for (name, digest) in &self.0 {
            let _ = writeln!(text, "{digest}\t{name}");
        }
        text
    }

    pub(super) fn from_text(text: &str) -> Self {
        let lines = text.lines().filter_map(|line| line.split_once('\t'));
        Self(
            lines
                .map(|(digest, name)| (name.to_owned(), digest.to_owned()))
                .collect(),
        )
    }

    /// The names of the parts that are not the same in both.
    pub(super) fn differences<'s>(&'s self, other: &'s Self) -> Vec<&'s str> {
        let missing = |from: &Self, part| !from.0.contains(part);
        let ours = self.0.iter().filter(|part| missing(other, part));
        let theirs = other.0.iter().filter(|part| missing(self, part));
        let mut names: Vec<&'s str> = Vec::new();
        for (name, _) in ours.chain(theirs) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// Whether every part of `other` is in this one.
    pub(super) fn has_all(&self, other: &Self) -> bool {
        other.0.iter().all(|part| self.0.contains(part))
    }

    /// Whether these differ in nothing but the only input, which is of one kind in both. Then what is known of a candidate of one
    /// run holds for the other.
    pub(super) fn is_of_another_input(&self, other: &Self) -> bool {
        let kind = |identity: &Self| {
            let mut inputs = identity
                .0
                .iter()
                .filter_map(|(name, _)| name.strip_prefix(INPUT));
            let extension = inputs
                .next()
                .map(|name| Path::new(name).extension().map(OsStr::to_owned));
            extension.filter(|_| inputs.next().is_none())
        };
        let differ = self.differences(other);
        kind(self).is_some_and(|ours| kind(other).is_some_and(|theirs| ours == theirs))
            && differ.iter().all(|name| name.starts_with(INPUT))
    }
}
