//! Tokens without a grammar: words, numbers, strings, operators, and single other bytes.
//!
//! Used to measure sizes in a way that does not depend on the layout, and as the units of `--strategy tokens`. What is no token
//! is blank or a comment, and what a comment looks like is the language's affair ([`Lexis`]): without one nothing is a comment,
//! so that the address in `see http://example.org/` does not swallow the rest of its line.

use serde::Deserialize;
use std::ops::Range;

/// What a language's texts look like where tokens cannot be told without knowing it. The default knows no comments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Lexis {
    /// What starts a comment that ends with its line.
    line_comments: Vec<String>,
    /// What starts and what ends a comment.
    block_comments: Vec<(String, String)>,
    /// Quotes around strings that go over a line's end, longer than the usual ones.
    long_quotes: Vec<String>,
    /// What an apostrophe opens.
    apostrophe: Apostrophe,
    /// The words behind which a slash opens a regular expression, as it does wherever no value ends before it; none where slashes open
    /// none.
    expressions_behind: Vec<String>,
    /// Whether a backtick is a token of its own, and opens no string.
    plain_backticks: bool,
}

/// What an apostrophe opens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Apostrophe {
    /// A string, wherever it stands: `return'a'`.
    #[default]
    String,
    /// A string, but for one right behind a word, as in `it's` and `a'range`.
    Apart,
    /// A single character or an escape: `'a` is a lifetime, `a'` a name.
    Character,
}

/// Operators of more than one byte, longest first.
const OPERATORS: &[&[u8]] = &[
    b">>>=", b"<<=", b">>=", b"...", b"===", b"!==", b"**=", b">>>", b"&&=", b"||=", b"??=", b"=>",
    b"->", b"++", b"--", b"<<", b">>", b"<=", b">=", b"==", b"!=", b"&&", b"||", b"??", b"?.",
    b"**", b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^=", b"##", b"::",
];

/// How many tokens `bytes` hold, if nothing in them is a comment: for pieces of code that are known to have none, in which any quote
/// opens a string.
pub fn count_tokens(bytes: &[u8]) -> usize {
    Lexis::default().count(bytes)
}

/// What stands at a place in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lexeme {
    Token,
    Comment,
    Blank,
}

impl Lexis {
    /// Of a text in no known language.
    pub const NONE: &'static Self = &Self {
        line_comments: Vec::new(),
        block_comments: Vec::new(),
        long_quotes: Vec::new(),
        apostrophe: Apostrophe::Apart,
        expressions_behind: Vec::new(),
        plain_backticks: true,
    };

    /// How many tokens `bytes` hold; blanks and comments do not count. Cost: linear.
    pub fn count(&self, bytes: &[u8]) -> usize {
        let is_token = |lexeme: &(Lexeme, Range<usize>)| lexeme.0 == Lexeme::Token;
        self.lexemes(bytes).filter(is_token).count()
    }

    /// The range of each token, in order. Cost: linear.
    pub fn tokens(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let is_token = |lexeme: &(Lexeme, Range<usize>)| lexeme.0 == Lexeme::Token;
        let tokens = self.lexemes(bytes).filter(is_token);
        tokens.map(|(_, range)| range).collect()
    }

    /// The range of each token and of each comment, in order: all but the blanks. Cost: linear.
    pub fn tokens_and_comments(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let is_text = |lexeme: &(Lexeme, Range<usize>)| lexeme.0 != Lexeme::Blank;
        let texts = self.lexemes(bytes).filter(is_text);
        texts.map(|(_, range)| range).collect()
    }

    /// What starts and what ends a comment of any length, if there is one.
    pub fn block_comment(&self) -> Option<(&[u8], &[u8])> {
        let (start, end) = self.block_comments.first()?;
        Some((start.as_bytes(), end.as_bytes()))
    }

    /// What a block comment has between its start and its end; `None` if `comment` is none.
    pub fn inside_of(&self, comment: &[u8]) -> Option<Range<usize>> {
        let mut blocks = self.block_comments.iter();
        let (start, end) = blocks.find(|(start, end)| {
            let is_long_enough = comment.len() >= start.len() + end.len();
            is_long_enough
                && comment.starts_with(start.as_bytes())
                && comment.ends_with(end.as_bytes())
        })?;
        Some(start.len()..comment.len() - end.len())
    }

    fn lexemes<'b>(&'b self, bytes: &'b [u8]) -> Lexemes<'b> {
        Lexemes {
            lexis: self,
            bytes,
            position: 0,
            is_open_to_end: false,
            is_behind_value: false,
        }
    }
}

/// What stands in a text, one after the other without gaps.
struct Lexemes<'b> {
    lexis: &'b Lexis,
    bytes: &'b [u8],
    position: usize,
    /// Whether a block comment was begun that does not end: then no later one does.
    is_open_to_end: bool,
    /// Whether the last token can end a value, so that a slash divides it.
    is_behind_value: bool,
}

impl Iterator for Lexemes<'_> {
    type Item = (Lexeme, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.position;
        let rest = self.bytes.get(start..).filter(|rest| !rest.is_empty())?;
        let (length, lexeme) = self.lexeme(rest);
        self.position += length;
        Some((lexeme, start..self.position))
    }
}

impl Lexemes<'_> {
    /// Length of what stands at the start of `rest` (at least 1), and what it is.
    fn lexeme(&mut self, rest: &[u8]) -> (usize, Lexeme) {
        if rest[0].is_ascii_whitespace() {
            return (1, Lexeme::Blank);
        }
        if let Some(length) = self.comment_length(rest) {
            return (length, Lexeme::Comment);
        }
        let length = self.token_length(rest);
        self.is_behind_value = self.can_end_value(&rest[..length]);
        (length, Lexeme::Token)
    }

    fn token_length(&mut self, rest: &[u8]) -> usize {
        match rest[0] {
            // The end of a regular expression behind an escaped slash starts no comment.
            b'\\' if self.comment_length(&rest[1..]).is_some() => 2,
            b'/' if self.may_open_expression() => expression_length(rest).unwrap_or(1),
            b'`' if self.lexis.plain_backticks => 1,
            b'\'' if !self.opens_string() => self.character_length(rest),
            quote @ (b'"' | b'\'' | b'`') => self
                .long_quoted_length(rest)
                .or_else(|| quoted_length(rest, quote))
                .unwrap_or(1),
            byte if is_word(byte) && !byte.is_ascii_digit() => run(rest, is_word),
            byte if byte.is_ascii_digit()
                || (byte == b'.' && rest.get(1).is_some_and(u8::is_ascii_digit)) =>
            {
                number_length(rest)
            }
            _ => operator_length(rest),
        }
    }

    fn is_behind(&self, is_meant: impl Fn(u8) -> bool) -> bool {
        let before = self.position.checked_sub(1);
        before.is_some_and(|place| is_meant(self.bytes[place]))
    }

    /// Whether a slash at the current place opens a regular expression; what ends an element begins with one, too.
    fn may_open_expression(&self) -> bool {
        !self.lexis.expressions_behind.is_empty()
            && !self.is_behind_value
            && !self.is_behind(|byte| byte == b'<')
    }

    /// Whether a value can end with a token.
    fn can_end_value(&self, token: &[u8]) -> bool {
        let mut words = self.lexis.expressions_behind.iter();
        match token {
            [byte, ..] if is_word(*byte) => !words.any(|word| word.as_bytes() == token),
            b"++" | b"--" => true,
            [first, rest @ ..] => {
                b")]}\"'`".contains(first) || b"/.".contains(first) && !rest.is_empty()
            }
            [] => false,
        }
    }

    /// Whether an apostrophe at the current place opens a string.
    fn opens_string(&self) -> bool {
        match self.lexis.apostrophe {
            Apostrophe::String => true,
            Apostrophe::Apart => !self.is_behind(is_word),
            Apostrophe::Character => false,
        }
    }

    /// The length of what an apostrophe opens that opens no string.
    fn character_length(&self, rest: &[u8]) -> usize {
        if self.lexis.apostrophe != Apostrophe::Character {
            return 1;
        }
        let one = match rest.get(1) {
            Some(b'\\') => return quoted_length(rest, b'\'').unwrap_or(1),
            Some(first) => 1 + continuation_bytes(*first),
            None => return 1,
        };
        if rest.get(1 + one) == Some(&b'\'') {
            2 + one
        } else {
            1
        }
    }

    /// The length of the comment that `rest` starts with; a block comment that does not end is none.
    fn comment_length(&mut self, rest: &[u8]) -> Option<usize> {
        let starts = |start: &String| rest.starts_with(start.as_bytes());
        if self.lexis.line_comments.iter().any(starts) {
            return Some(run(rest, |byte| byte != b'\n'));
        }
        let mut blocks = self.lexis.block_comments.iter();
        let (start, end) = blocks.find(|(start, _)| starts(start))?;
        if self.is_open_to_end {
            return None;
        }
        let inside = find(&rest[start.len()..], end.as_bytes());
        self.is_open_to_end = inside.is_none();
        Some(start.len() + inside? + end.len())
    }

    fn long_quoted_length(&self, rest: &[u8]) -> Option<usize> {
        let mut quotes = self.lexis.long_quotes.iter().map(String::as_bytes);
        let quote = quotes.find(|quote| rest.starts_with(quote))?;
        let mut position = quote.len();
        while position < rest.len() {
            if rest[position..].starts_with(quote) {
                return Some(position + quote.len());
            }
            position += 1 + usize::from(rest[position] == b'\\');
        }
        None
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

fn find(rest: &[u8], needle: &[u8]) -> Option<usize> {
    rest.windows(needle.len().max(1))
        .position(|window| window == needle)
}

/// How many bytes follow the first one of a character in UTF-8.
fn continuation_bytes(first: u8) -> usize {
    match first {
        0xC0..=0xDF => 1,
        0xE0..=0xEF => 2,
        0xF0..=0xF7 => 3,
        _ => 0,
    }
}

/// No regular expression is longer: each slash looks no further for its end, so that a text stays linear to read.
const LONGEST_EXPRESSION: usize = 1 << 12;

/// The length of a regular expression with its flags; `None` if it does not end in its line.
fn expression_length(rest: &[u8]) -> Option<usize> {
    let rest = &rest[..rest.len().min(LONGEST_EXPRESSION)];
    let (mut position, mut is_in_class) = (1, false);
    loop {
        match rest.get(position)? {
            b'\n' => return None,
            b'\\' => position += 1,
            b'[' => is_in_class = true,
            b']' => is_in_class = false,
            b'/' if !is_in_class => break,
            _ => {}
        }
        position += 1;
    }
    let flags = run(&rest[position + 1..], |byte| byte.is_ascii_alphabetic());
    Some(position + 1 + flags)
}

/// A number with its point, exponent sign and suffix; an apostrophe inside of it separates digits, or names their base.
fn number_length(rest: &[u8]) -> usize {
    let mut length = 1;
    while let Some(&byte) = rest.get(length) {
        let exponent_sign =
            matches!(byte, b'+' | b'-') && matches!(rest[length - 1], b'e' | b'E' | b'p' | b'P');
        let is_inside = || rest.get(length + 1).is_some_and(u8::is_ascii_alphanumeric);
        let separates = byte == b'\'' && is_inside();
        let belongs = byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_');
        if !(belongs || exponent_sign || separates) {
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

/// Whether the end of one text and the start of another could belong to one token although they came from two.
pub(crate) fn melt(before: &[u8], behind: &[u8]) -> bool {
    let (Some(&last), Some(&first)) = (before.last(), behind.first()) else {
        return false;
    };
    let operator = |byte: u8| b"+-*/<>=&|!:.?%^~#@".contains(&byte);
    (is_word(last) && (is_word(first) || matches!(first, b'"' | b'\'')))
        || (operator(last) && operator(first))
        || (first == b'.' && ends_in_number(before))
}

/// A point behind `0` makes another number, a point behind `a0` does not. Longer words than this are taken for names.
fn ends_in_number(text: &[u8]) -> bool {
    const LONGEST_NUMBER: usize = 32;
    let word = text.iter().rev().take(LONGEST_NUMBER);
    word.take_while(|&&byte| is_word(byte))
        .last()
        .is_some_and(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Language;

    #[track_caller]
    fn check(language: &str, text: &str, expected: &[&str]) {
        let language = Language::named(language);
        let tokens: Vec<&str> = Lexis::of(language.as_deref())
            .tokens(text.as_bytes())
            .into_iter()
            .map(|range| &text[range])
            .collect();
        assert_eq!(tokens, expected);
    }

    #[test]
    fn words_numbers_strings_and_operators_are_one_token_each() {
        check("none", "x+=1.5e-3f;", &["x", "+=", "1.5e-3f", ";"]);
        check(
            "none",
            "f(\"a\\\"b\", 'c')",
            &["f", "(", "\"a\\\"b\"", ",", "'c'", ")"],
        );
    }

    #[test]
    fn the_comments_of_the_language_do_not_count() {
        check("c", "a /* b */ c // d\ne", &["a", "c", "e"]);
        check("python", "a # b\nc // d", &["a", "c", "/", "/", "d"]);
        check("css", "a /* b */ // c", &["a", "/", "/", "c"]);
        check("xml", "<!-- a --><b/>", &["<", "b", "/", ">"]);
        check("rust", "#[a] b // c", &["#", "[", "a", "]", "b"]);
    }

    #[test]
    fn without_a_language_nothing_is_a_comment() {
        check(
            "none",
            "see http://a.b/c # d",
            &[
                "see", "http", ":", "/", "/", "a", ".", "b", "/", "c", "#", "d",
            ],
        );
        check("none", "/* a */", &["/", "*", "a", "*", "/"]);
        check("none", "-- a", &["--", "a"]);
    }

    #[test]
    fn what_only_looks_like_a_comment_is_none() {
        check(
            "c",
            "a(\"http://b\"); c",
            &["a", "(", "\"http://b\"", ")", ";", "c"],
        );
        check(
            "python",
            "\"\"\"a # b\nc\"\"\" d",
            &["\"\"\"a # b\nc\"\"\"", "d"],
        );
        check(
            "javascript",
            "/a\\//.b(c)",
            &["/a\\//", ".", "b", "(", "c", ")"],
        );
    }

    #[test]
    fn a_quote_in_a_regular_expression_opens_no_string() {
        let text = "a=/['/]+/g;b=c/d/e;return/'/;f(g)/2";
        let expected = [
            "a", "=", "/['/]+/g", ";", "b", "=", "c", "/", "d", "/", "e", ";", "return", "/'/",
            ";", "f", "(", "g", ")", "/", "2",
        ];
        check("javascript", text, &expected);
        check(
            "javascript",
            "<b></b>",
            &["<", "b", ">", "<", "/", "b", ">"],
        );
    }

    #[test]
    fn what_is_longer_than_any_regular_expression_is_none() {
        let long = |length: usize| format!("/{}/", "a".repeat(length)).into_bytes();
        let javascript = Language::named("javascript").unwrap();
        let count = |length| javascript.lexis().count(&long(length));
        assert_eq!(
            (count(LONGEST_EXPRESSION - 2), count(LONGEST_EXPRESSION)),
            (1, 3)
        );
    }

    #[test]
    fn an_apostrophe_behind_a_word_or_a_number_opens_no_string() {
        let text = "a'b + c'd; 8'hff; 'e f'; `g `h";
        let expected = [
            "a", "'", "b", "+", "c", "'", "d", ";", "8'hff", ";", "'e f'", ";", "`", "g", "`", "h",
        ];
        check("none", text, &expected);
        check("cpp", "1'000 + L'a'", &["1'000", "+", "L", "'a'"]);
        check("javascript", "return'a b'", &["return", "'a b'"]);
    }

    #[test]
    fn an_apostrophe_opens_a_character_only_where_there_are_lifetimes() {
        let expected = [
            "f", "<", "'", "a", ">", "(", "&", "'", "a", "b", ")", "'c'", r"'\''", "'é'",
        ];
        check("rust", r"f<'a>(&'a b) 'c' '\'' 'é'", &expected);
    }

    #[test]
    fn an_open_string_or_comment_does_not_swallow_the_rest() {
        check("c", "it's\nb", &["it", "'", "s", "b"]);
        check("c", "/* a", &["/", "*", "a"]);
        check("python", "\"\"\"a", &["\"\"", "\"", "a"]);
    }

    #[test]
    fn comments_are_pieces_of_their_own() {
        let language = Language::named("c").unwrap();
        let ranges = language.lexis().tokens_and_comments(b"a /* b c */ d");
        assert_eq!(ranges, [0..1, 2..11, 12..13]);
    }
}
