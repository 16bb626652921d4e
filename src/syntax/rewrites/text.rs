//! What the text of a query says before it is read: its captures, and the kinds of nodes without which it fits nowhere.

use crate::grammar::Kind;

/// The names behind the `@`s, each once.
pub(super) fn captures_in(query: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in words(query)
        .into_iter()
        .filter_map(|word| word.strip_prefix('@'))
    {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// By pattern: the kinds that a document needs so that it fits. What is not understood needs nothing.
pub(super) fn needs(query: &str, kind: impl Fn(&str, bool) -> Option<Kind>) -> Vec<Vec<Kind>> {
    let words = words(query);
    let mut open = vec![Open::default()];
    for (place, &word) in words.iter().enumerate() {
        let behind = &words[place + 1..];
        let part = match word {
            "(" | "[" => {
                let name = behind.first().copied().unwrap_or_default();
                let own = kind(name, true).filter(|_| word == "(");
                open.push(Open {
                    is_choice: word == "[",
                    is_predicate: name.starts_with(['#', '.']),
                    parts: own.into_iter().map(|kind| vec![kind]).collect(),
                });
                continue;
            }
            ")" | "]" if open.len() > 1 => open.pop().map(Open::close).unwrap_or_default(),
            "_" => Vec::new(),
            _ => match token(word) {
                Some(token) => kind(token, false).into_iter().collect(),
                None => continue,
            },
        };
        if let Some(outer) = open.last_mut() {
            outer.parts.push(if is_optional(behind) {
                Vec::new()
            } else {
                part
            });
        }
    }
    open.swap_remove(0).parts
}

/// What is open while a query is read: a node, a group, a choice or a predicate.
#[derive(Default)]
struct Open {
    is_choice: bool,
    is_predicate: bool,
    /// What each of its parts needs.
    parts: Vec<Vec<Kind>>,
}

impl Open {
    /// What all of it needs.
    fn close(self) -> Vec<Kind> {
        let mut parts = self.parts.into_iter();
        if self.is_predicate {
            return Vec::new();
        }
        if !self.is_choice {
            return parts.flatten().collect();
        }
        let mut common = parts.next().unwrap_or_default();
        for part in parts {
            common.retain(|kind| part.contains(kind));
        }
        common
    }
}

/// What stands between quotes, but for what has escapes, which no kind is looked up by.
fn token(word: &str) -> Option<&str> {
    let text = word.strip_prefix('"')?;
    let text = text.strip_suffix('"').unwrap_or(text);
    Some(if text.contains('\\') { "" } else { text })
}

/// Whether what stands before these words may be missing: among its marks and the names of its captures there is one that says so.
fn is_optional(behind: &[&str]) -> bool {
    let is_mark = |word: &&&str| word.starts_with('@') || matches!(**word, "?" | "*" | "+");
    let mut marks = behind.iter().take_while(is_mark);
    marks.any(|&mark| mark == "?" || mark == "*")
}

/// The words of a query: texts with their quotes, names with the `@` or `#` before them, and single signs; without comments.
fn words(query: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = query.trim_start();
    while let Some(letter) = rest.chars().next() {
        let length = match letter {
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '"' => length_of_text(rest),
            '@' | '#' => 1 + length_of_name(&rest[1..]),
            _ => length_of_name(rest).max(letter.len_utf8()),
        };
        if letter != ';' {
            words.push(&rest[..length]);
        }
        rest = rest[length..].trim_start();
    }
    words
}

fn length_of_name(text: &str) -> usize {
    let is_end = |letter: char| !(letter.is_alphanumeric() || "_-.".contains(letter));
    text.find(is_end).unwrap_or(text.len())
}

/// The length of a text in quotes, with these.
fn length_of_text(text: &str) -> usize {
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return at + 1,
            '\\' => {
                letters.next();
            }
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Language;

    #[track_caller]
    fn check(query: &str, expected: &[&[&str]]) {
        let language = Language::named("c").unwrap();
        let found = needs(query, |name, is_named| {
            language.kind_of_nodes(name, is_named)
        });
        let kinds = language.grammar().kinds();
        let found: Vec<Vec<&str>> = found
            .iter()
            .map(|needs| needs.iter().map(|&kind| kinds.name(kind)).collect())
            .collect();
        assert_eq!(found, expected, "{query}");
    }

    #[test]
    fn what_must_be_there_is_needed() {
        check(
            "(declaration type: (_) @a declarator: (identifier)) (for_statement \"for\" . \"(\")",
            &[
                &["declaration", "identifier"],
                &["for_statement", "for", "("],
            ],
        );
        check("((comment) @a (#eq? @a \"int\"))", &[&["comment"]]);
    }

    #[test]
    fn what_may_be_missing_is_not_needed() {
        check(
            "(declaration (identifier)? \"int\" * [(comment) (identifier)]) ; (comment)\n(_)",
            &[&["declaration"], &[]],
        );
        check("[(declaration (comment)) (comment)] @a", &[&["comment"]]);
        // No node is of a supertype's kind, nor of one of the errors.
        check(
            "(expression) (ERROR) (MISSING identifier)",
            &[&[], &[], &[]],
        );
        check("(comment", &[]);
        check(") (comment) \"\\\"", &[&["comment"], &[]]);
    }

    #[test]
    fn all_ways_to_say_that_something_may_be_missing_are_known() {
        for optional in [
            "(comment) @a ?",
            "(comment)@a?",
            "(comment)+?",
            "(comment) ; c\n ?",
            "\"int\" @a *",
        ] {
            check(&format!("(declaration {optional}) @b"), &[&["declaration"]]);
        }
        check("_ @a", &[&[]]);
        check("[_ (comment)] @a", &[&[]]);
        check(
            "(declaration [(comment) _] type: _ @a_b)",
            &[&["declaration"]],
        );
        check("((comment) @a (.not-eq? @a \"for\"))", &[&["comment"]]);
        check(
            "((comment) @a ( ; c\n #not-eq? @a \"for\"))",
            &[&["comment"]],
        );
        check("(declaration \"\\n\" \"\")", &[&["declaration"]]);
    }
}
