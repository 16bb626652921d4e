//! Names that nothing in a document bears: no word of it, no token of its grammar, nothing that its language knows by itself.

use crate::syntax::{Document, Language};
use rustc_hash::FxHashSet;

/// No language knows more names than this.
const MOST_KNOWN: usize = 1000;

/// Whether the language gives a word a meaning. Names that begin with two underlines belong to compilers nearly everywhere.
pub(super) fn is_known(document: &Document, text: &[u8]) -> bool {
    let known = |language: &Language| {
        language
            .facts()
            .known
            .iter()
            .any(|known| known.as_bytes() == text)
    };
    text.starts_with(b"__") || document.language().is_some_and(|language| known(language))
}

/// What a name has before its first letter or digit, such as the `#` of a private member.
fn sigil(text: &[u8]) -> &[u8] {
    let length = text
        .iter()
        .take_while(|byte| byte.is_ascii_punctuation() && **byte != b'_')
        .count();
    &text[..length]
}

/// A supply of names that nothing bears.
pub(super) struct FreeNames<'d> {
    document: &'d Document,
    /// The words of the document and of the grammar, and the names that have been given.
    taken: FxHashSet<Vec<u8>>,
}

impl<'d> FreeNames<'d> {
    pub(super) fn of(document: &'d Document) -> Self {
        let is_word = |byte: &u8| !byte.is_ascii_alphanumeric() && *byte != b'_' && *byte < 0x80;
        let words = document.bytes().split(is_word).map(<[u8]>::to_vec);
        let mut taken: FxHashSet<Vec<u8>> = words.collect();
        if let Some(grammar) = document.grammar() {
            let kinds = grammar.kinds();
            taken.extend(kinds.all().map(|kind| kinds.name(kind).as_bytes().to_vec()));
        }
        Self { document, taken }
    }

    /// The shortest free name for what is called `text` now; `None` when there is none that is shorter.
    pub(super) fn shorter_than(&mut self, text: &[u8]) -> Option<Vec<u8>> {
        self.take(text, text.len())
    }

    /// The shortest free name for what is called `text` now, however long it is.
    pub(super) fn instead_of(&mut self, text: &[u8]) -> Option<Vec<u8>> {
        self.take(text, usize::MAX)
    }

    /// The shortest free name for what is called `text` now, if it has less than so many bytes.
    fn take(&mut self, text: &[u8], limit: usize) -> Option<Vec<u8>> {
        let sigil = sigil(text);
        let is_capital = text.get(sigil.len()).is_some_and(u8::is_ascii_uppercase);
        let first = if is_capital { b'A' } else { b'a' };
        // Only the taken ones are passed over.
        let name = (0..=self.taken.len() + MOST_KNOWN)
            .map(|number| spelling(number, first))
            .take_while(|name| sigil.len() + name.len() < limit)
            .find(|name| !self.taken.contains(name) && !is_known(self.document, name))?;
        self.taken.insert(name.clone());
        Some([sigil, &name].concat())
    }
}

/// a, b … z, aa, ab … by number, from the letter that counts as `a`.
fn spelling(mut number: usize, first: u8) -> Vec<u8> {
    let mut name = Vec::new();
    loop {
        let letter = u8::try_from(number % 26).unwrap_or_default();
        name.insert(0, first + letter);
        number /= 26;
        if number == 0 {
            return name;
        }
        number -= 1;
    }
}
