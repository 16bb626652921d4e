//! Text that must stay, from `--keep`.

use regex::bytes::{Regex, RegexBuilder};

use super::check::parsed;
use crate::cli::Args;
use crate::error::Error;

/// Texts of one original that every candidate must still contain.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    texts: Vec<Regex>,
}

impl Kept {
    /// Whether nothing needs to stay.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Whether a candidate contains all of them. Cost: linear in its bytes for each text.
    pub fn is_in(&self, candidate: &[u8]) -> bool {
        self.texts.iter().all(|text| text.is_match(candidate))
    }
}

/// Each text of `original` that one of the patterns matches.
pub(super) fn kept(args: &Args, original: &[u8]) -> Result<Kept, Error> {
    let mut texts: Vec<&[u8]> = Vec::new();
    for text in &args.keep {
        texts.extend(
            pattern(text)?
                .iter()
                .flat_map(|pattern| pattern.find_iter(original))
                .map(|found| found.as_bytes()),
        );
    }
    texts.sort_unstable();
    texts.dedup();
    Ok(Kept {
        texts: texts.into_iter().filter_map(literal).collect(),
    })
}

/// A pattern of `--keep`.
pub(super) fn pattern(text: &str) -> Result<Option<Regex>, Error> {
    parsed("--keep", Some(text), "'\\bmain\\b'", pattern_by_line)
}

fn pattern_by_line(text: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(text).multi_line(true).build()
}

/// A pattern that matches these bytes only. One that is too large for the library is longer than what anybody keeps.
fn literal(text: &[u8]) -> Option<Regex> {
    let bytes: String = text
        .iter()
        .map(|byte| ["\\x", &hexadecimal(*byte)].concat())
        .collect();
    Regex::new(&["(?-u)", &bytes].concat()).ok()
}

fn hexadecimal(byte: u8) -> String {
    format!("{byte:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_is_its_bytes_and_nothing_else() {
        let text = literal(b"a.c\xff(\n").unwrap();
        assert!(text.is_match(b"__a.c\xff(\n__"));
        assert!(!text.is_match(b"abc\xff(\n"));
    }
}
