//! Templates: texts with captures in them, as `function @name@parameters @body`.

use std::ops::Range;

/// A text with holes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Template {
    /// What it is made of, in order.
    pub pieces: Vec<Piece>,
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// This.
    Text(String),
    /// The text of what this name stands for.
    Name(String),
    /// The same, where each word that is one of a list becomes what stands at its place in another: `@body[parameters=arguments]`.
    Substituted {
        /// Whose text.
        name: String,
        /// The node whose children are the words.
        words: String,
        /// The node whose children they become.
        values: String,
    },
}

impl Template {
    /// Reads a template; `@@` is an `@`.
    pub(super) fn new(text: &str) -> Self {
        let mut template = Self::default();
        let mut rest = text;
        while let Some(at) = rest.find('@') {
            template.add_text(&rest[..at]);
            rest = &rest[at + 1..];
            let name = leading_name(rest);
            if name.is_empty() {
                template.add_text("@");
                rest = rest.strip_prefix('@').unwrap_or(rest);
                continue;
            }
            rest = &rest[name.len()..];
            let name = name.to_owned();
            let Some((words, values, length)) = substitution(rest) else {
                template.pieces.push(Piece::Name(name));
                continue;
            };
            rest = &rest[length..];
            template.pieces.push(Piece::Substituted {
                name,
                words,
                values,
            });
        }
        template.add_text(rest);
        template
    }

    /// All names that it uses.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().flat_map(|piece| match piece {
            Piece::Text(_) => Vec::new(),
            Piece::Name(name) => vec![name.as_str()],
            Piece::Substituted {
                name,
                words,
                values,
            } => vec![name.as_str(), words, values],
        })
    }

    fn add_text(&mut self, text: &str) {
        match self.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.pieces.push(Piece::Text(text.to_owned())),
        }
    }
}

fn leading_name(text: &str) -> &str {
    let end = text.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    &text[..end.unwrap_or(text.len())]
}

/// `[words=values]` at the start of a text, and how long it is.
fn substitution(text: &str) -> Option<(String, String, usize)> {
    let inside: Range<usize> = 1..text.find(']').filter(|_| text.starts_with('['))?;
    let end = inside.end + 1;
    let (words, values) = text[inside].split_once('=')?;
    let are_names = |name: &str| !name.is_empty() && leading_name(name) == name;
    let both = are_names(words) && are_names(values);
    both.then(|| (words.to_owned(), values.to_owned(), end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_behind_an_at() {
        let text = |text: &str| Piece::Text(text.to_owned());
        let name = |name: &str| Piece::Name(name.to_owned());
        for (template, pieces) in [
            ("", vec![]),
            (
                "f(@a, @b)",
                vec![text("f("), name("a"), text(", "), name("b"), text(")")],
            ),
            ("@a@b", vec![name("a"), name("b")]),
            ("a@@b @", vec![text("a@b @")]),
            ("@a[0]", vec![name("a"), text("[0]")]),
            (
                "@a[b=c];",
                vec![
                    Piece::Substituted {
                        name: "a".to_owned(),
                        words: "b".to_owned(),
                        values: "c".to_owned(),
                    },
                    text(";"),
                ],
            ),
        ] {
            assert_eq!(Template::new(template).pieces, pieces, "{template}");
        }
    }
}
