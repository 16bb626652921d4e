//! Texts of another encoding: the search works on UTF-8, and each candidate is written out as the original was.
//!
//! Only encodings that can be told for sure and that go both ways without a loss are touched. All other bytes, such as those
//! of Latin-1, are left as they are: a token of them is as good as any.

use crate::search::{Known, Part, Render, Search, Verdict};
use std::borrow::Cow;

/// How the bytes of a file stand for a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// As they are: UTF-8, any other encoding that has a byte for each character of ASCII, or no text at all.
    #[default]
    Bytes,
    /// UTF-16, the lower byte of each unit first.
    Utf16Little,
    /// UTF-16, the higher byte of each unit first.
    Utf16Big,
}

impl Encoding {
    /// By the mark at the beginning; only where all of it is a text in that encoding.
    pub fn of(bytes: &[u8]) -> Self {
        let marked = match bytes {
            [0xff, 0xfe, ..] => Self::Utf16Little,
            [0xfe, 0xff, ..] => Self::Utf16Big,
            _ => Self::Bytes,
        };
        let text = marked.decode(bytes);
        if *marked.encode(&text) == *bytes {
            marked
        } else {
            Self::Bytes
        }
    }

    /// The text in UTF-8, with its mark.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, [u8]> {
        let unit = |pair: &[u8; 2]| match self {
            Self::Utf16Big => u16::from_be_bytes(*pair),
            _ => u16::from_le_bytes(*pair),
        };
        if self == Self::Bytes {
            return Cow::Borrowed(bytes);
        }
        let (pairs, _) = bytes.as_chunks::<2>();
        let text = char::decode_utf16(pairs.iter().map(unit));
        let text: String = text
            .map(|found| found.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect();
        Cow::Owned(text.into_bytes())
    }

    /// The bytes of a text in UTF-8. What is none is left as it is.
    pub fn encode(self, text: &[u8]) -> Cow<'_, [u8]> {
        let Ok(valid) = std::str::from_utf8(text) else {
            return Cow::Borrowed(text);
        };
        let bytes = |unit: u16| match self {
            Self::Utf16Big => unit.to_be_bytes(),
            _ => unit.to_le_bytes(),
        };
        match self {
            Self::Bytes => Cow::Borrowed(text),
            _ => Cow::Owned(valid.encode_utf16().flat_map(bytes).collect()),
        }
    }
}

/// The byte order mark.
pub(super) const MARK: &[u8] = b"\xef\xbb\xbf";

/// An encoding, and whether a mark stands before the text, which no candidate is asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coding {
    encoding: Encoding,
    is_marked: bool,
}

impl Coding {
    /// Of bytes in this encoding.
    pub fn of(encoding: Encoding, bytes: &[u8]) -> Self {
        Self {
            encoding,
            is_marked: encoding.decode(bytes).starts_with(MARK),
        }
    }

    /// The same without a word about a mark: it is a part of the text.
    pub fn plain(encoding: Encoding) -> Self {
        Self {
            encoding,
            is_marked: false,
        }
    }

    /// The text without its mark.
    pub fn text(self, bytes: &[u8]) -> Cow<'_, [u8]> {
        match self.encoding.decode(bytes) {
            text if !self.is_marked => text,
            Cow::Borrowed(text) => Cow::Borrowed(text.strip_prefix(MARK).unwrap_or(text)),
            Cow::Owned(text) => Cow::Owned(text.strip_prefix(MARK).unwrap_or(&text).to_vec()),
        }
    }

    fn is_trivial(self) -> bool {
        self == Self::default()
    }

    fn write(self, text: &[u8], out: &mut Vec<u8>) {
        if self.is_marked {
            out.extend_from_slice(&self.encoding.encode(MARK));
        }
        out.extend_from_slice(&self.encoding.encode(text));
    }
}

/// A candidate that is written out in an encoding.
#[derive(Clone, Debug)]
pub struct EncodedCandidate<C> {
    candidate: C,
    coding: Coding,
}

impl<C> EncodedCandidate<C> {
    /// A candidate in UTF-8 that is to be written out like this.
    pub fn new(candidate: C, coding: Coding) -> Self {
        Self { candidate, coding }
    }
}

impl<C: Render> Render for EncodedCandidate<C> {
    fn render(&self, out: &mut Vec<u8>) {
        if self.coding.is_trivial() {
            return self.candidate.render(out);
        }
        let mut text = Vec::new();
        self.candidate.render(&mut text);
        self.coding.write(&text, out);
    }

    fn pass(&self) -> &'static str {
        self.candidate.pass()
    }

    fn is_aside(&self) -> bool {
        self.candidate.is_aside()
    }

    fn subject(&self) -> Option<u64> {
        self.candidate.subject()
    }

    fn part(&self) -> Option<u64> {
        self.candidate.part()
    }
}

/// A search whose candidates are written out in an encoding.
#[derive(Clone, Debug)]
pub struct Encoded<S> {
    search: S,
    coding: Coding,
}

impl<S> Encoded<S> {
    /// A search over texts in UTF-8 whose candidates are to be written out like this.
    pub fn new(search: S, coding: Coding) -> Self {
        Self { search, coding }
    }
}

impl<S: Search> Search for Encoded<S> {
    type Candidate = EncodedCandidate<S::Candidate>;
    type Best = S::Best;

    fn ask(&self) -> Option<Self::Candidate> {
        let candidate = self.search.ask()?;
        Some(EncodedCandidate::new(candidate, self.coding))
    }

    fn tell(&mut self, verdict: Verdict) {
        self.search.tell(verdict);
    }

    fn best(&self) -> &S::Best {
        self.search.best()
    }

    fn chance(&self) -> Option<f64> {
        self.search.chance()
    }

    fn chance_by(&self, known: &Known<'_>) -> Option<f64> {
        self.search.chance_by(known)
    }

    fn parts(&self) -> Vec<Part> {
        self.search.parts()
    }

    fn alone(&self, part: u64) -> Option<Self::Candidate> {
        let candidate = self.search.alone(part)?;
        Some(EncodedCandidate::new(candidate, self.coding))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_mark_with_a_text_behind_it_tells_the_encoding() {
        let little: &[u8] = b"\xff\xfea\0\n\0";
        let big: &[u8] = b"\xfe\xff\0a\xd8\x3d\xde\0";
        assert_eq!(Encoding::of(little), Encoding::Utf16Little);
        assert_eq!(
            &*Encoding::Utf16Little.decode(little),
            "\u{feff}a\n".as_bytes()
        );
        assert_eq!(Encoding::of(big), Encoding::Utf16Big);
        assert_eq!(
            &*Encoding::Utf16Big.decode(big),
            "\u{feff}a\u{1f600}".as_bytes()
        );
        // An odd number of bytes, and half of a character.
        for no_text in [
            &b"\xff\xfea"[..],
            b"\xfe\xff\xd8\x3d",
            b"plain",
            b"caf\xe9",
            b"",
        ] {
            assert_eq!(Encoding::of(no_text), Encoding::Bytes, "{no_text:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_told_to_be_an_encoding_goes_both_ways(text in ".*", big: bool) {
            let encoding = if big { Encoding::Utf16Big } else { Encoding::Utf16Little };
            let marked = format!("\u{feff}{text}");
            let bytes = encoding.encode(marked.as_bytes()).into_owned();
            prop_assert_eq!(Encoding::of(&bytes), encoding);
            prop_assert_eq!(&*encoding.decode(&bytes), marked.as_bytes());
        }
    }
}
