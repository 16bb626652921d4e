//! Tokens without a grammar: words, numbers, strings, operators, and single other bytes.
//!
//! Used to measure sizes in a way that does not depend on the layout, and as the units of `--strategy tokens`.

use std::ops::Range;

/// Operators of more than one byte, longest first.
const OPERATORS: &[&[u8]] = &[
    b">>>=", b"<<=", b">>=", b"...", b"===", b"!==", b"**=", b">>>", b"&&=", b"||=", b"??=", b"=>",
    b"->", b"++", b"--", b"<<", b">>", b"<=", b">=", b"==", b"!=", b"&&", b"||", b"??", b"?.",
    b"**", b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^=", b"##", b"::",
];

/// How many tokens `bytes` hold; blanks and comments (`//`, `/* */`) do not count.
pub fn count_tokens(bytes: &[u8]) -> usize {
    token_ranges(bytes).len()
}

/// The range of each token, in order. Cost: linear.
pub fn token_ranges(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut position = 0;
    while position < bytes.len() {
        let (length, is_token) = lexeme(&bytes[position..]);
        if is_token {
            ranges.push(position..position + length);
        }
        position += length;
    }
    ranges
}

/// Length of what stands at the start of `rest` (at least 1), and whether it is a token.
fn lexeme(rest: &[u8]) -> (usize, bool) {
    match rest[0] {
        byte if byte.is_ascii_whitespace() => (1, false),
        b'/' if rest.starts_with(b"//") => (line_length(rest), false),
        b'/' if rest.starts_with(b"/*") => match find(&rest[2..], b"*/") {
            Some(at) => (at + 4, false),
            None => (1, true),
        },
        quote @ (b'"' | b'\'' | b'`') => (quoted_length(rest, quote).unwrap_or(1), true),
        byte if is_word(byte) && !byte.is_ascii_digit() => (run(rest, is_word), true),
        byte if byte.is_ascii_digit()
            || (byte == b'.' && rest.get(1).is_some_and(u8::is_ascii_digit)) =>
        {
            (number_length(rest), true)
        }
        _ => (operator_length(rest), true),
    }
}

/// Brackets and separators are the most frequent, and what follows tells that they are no operators.
fn operator_length(rest: &[u8]) -> usize {
    let goes_on = |byte: &u8| b"=><.*&|?+-#:".contains(byte);
    if !rest.get(1).is_some_and(goes_on) {
        return 1;
    }
    let mut operators = OPERATORS.iter();
    operators
        .find(|operator| rest.starts_with(operator))
        .map_or(1, |operator| operator.len())
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

fn run(rest: &[u8], belongs: impl Fn(u8) -> bool) -> usize {
    rest.iter()
        .position(|&byte| !belongs(byte))
        .unwrap_or(rest.len())
}

fn line_length(rest: &[u8]) -> usize {
    run(rest, |byte| byte != b'\n')
}

fn find(rest: &[u8], needle: &[u8]) -> Option<usize> {
    rest.windows(needle.len())
        .position(|window| window == needle)
}

/// A number with its point, exponent sign and suffix.
fn number_length(rest: &[u8]) -> usize {
    let mut length = 1;
    while let Some(&byte) = rest.get(length) {
        let exponent_sign =
            matches!(byte, b'+' | b'-') && matches!(rest[length - 1], b'e' | b'E' | b'p' | b'P');
        if !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_') || exponent_sign) {
            break;
        }
        length += 1;
    }
    length
}

/// A string from its opening to its closing quote; only template strings go over a line's end.
fn quoted_length(rest: &[u8], quote: u8) -> Option<usize> {
    let mut position = 1;
    while let Some(&byte) = rest.get(position) {
        match byte {
            b'\\' => position += 1,
            b'\n' if quote != b'`' => return None,
            byte if byte == quote => return Some(position + 1),
            _ => {}
        }
        position += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let tokens: Vec<&str> = token_ranges(text.as_bytes())
            .into_iter()
            .map(|range| &text[range])
            .collect();
        assert_eq!(tokens, expected);
    }

    #[test]
    fn words_numbers_strings_and_operators_are_one_token_each() {
        check("x+=1.5e-3f;", &["x", "+=", "1.5e-3f", ";"]);
        check(
            "f(\"a\\\"b\", 'c')",
            &["f", "(", "\"a\\\"b\"", ",", "'c'", ")"],
        );
    }

    #[test]
    fn comments_do_not_count() {
        check("a /* b */ c // d\ne", &["a", "c", "e"]);
    }

    #[test]
    fn an_open_string_or_comment_does_not_swallow_the_rest() {
        check("it's\nb", &["it", "'", "s", "b"]);
        check("/* a", &["/", "*", "a"]);
    }
}
