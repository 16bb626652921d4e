//! Shell texts with places for paths and names.

use std::ffi::{OsStr, OsString};

/// The text with the values in their places, as words of a shell if they are to be `quoted`.
pub(super) fn fill_in(text: &str, values: &[(&str, OsString)], quoted: bool) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        filled.push_str(&rest[..at]);
        rest = &rest[at..];
        let found = values.iter().find(|(name, _)| rest.starts_with(name));
        let length = found.map_or(1, |(name, _)| name.len());
        match found {
            Some((_, value)) if quoted => filled.push_str(&shell_word(value)),
            Some((_, value)) => filled.push_str(&value.to_string_lossy()),
            None => filled.push('{'),
        }
        rest = &rest[length..];
    }
    filled.push_str(rest);
    filled
}

/// A word as a shell reads it back. What is no text is shown as well as it can be.
///
/// Not [`crate::error::shell_word`]: any `sh`, on any host, may read this one, and not all of them know `$''`.
pub(in crate::oracle) fn shell_word(word: &OsStr) -> String {
    let text = word.to_string_lossy();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "@%+=:,./_-".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.into_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_and_other_braces_stay() {
        let values = [
            ("{dir}", OsString::from("a b")),
            ("{name}", OsString::from("n-1")),
        ];
        let text = "srun -J {name} --chdir={dir} ${HOME} {other}";
        assert_eq!(
            fill_in(text, &values, true),
            "srun -J n-1 --chdir='a b' ${HOME} {other}"
        );
    }
}
