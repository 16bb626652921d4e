//! The text of a function: its head, its blocks, and the names in them.

use crate::syntax::StaticSingle;
use std::ops::Range;

/// A function as its text, which [`Function::render`] gives back byte by byte.
pub(super) struct Function {
    /// Up to the bracket that opens the body.
    pub(super) head: Vec<u8>,
    pub(super) blocks: Vec<Block>,
    /// From the bracket that closes the body on.
    tail: Vec<u8>,
}

/// A label and what stands below it; the first block may have no label.
#[derive(Default)]
pub(super) struct Block {
    pub(super) label: Option<Line>,
    pub(super) lines: Vec<Line>,
}

/// A label or an instruction, with the blank space around it, its comment and its line end.
#[derive(Clone, Debug)]
pub(super) struct Line(pub(super) Vec<u8>);

impl Function {
    /// `None` if there is no body with balanced brackets. Cost: linear.
    pub(super) fn of(text: &[u8]) -> Option<Self> {
        let (_, arguments) = arguments(text)?;
        let body = arguments + text[arguments..].iter().position(|&byte| byte == b'{')? + 1;
        let mut blocks: Vec<Block> = Vec::new();
        let mut at = body;
        loop {
            let line = text[at..next_line(text, at)?].to_vec();
            at += line.len();
            let line = Line(line);
            match line.code() {
                [] => {
                    let tail = text[at - line.0.len()..].to_vec();
                    let head = text[..body].to_vec();
                    return Some(Self { head, blocks, tail });
                }
                [_, .., b':'] => blocks.push(Block {
                    label: Some(line),
                    lines: Vec::new(),
                }),
                _ => {
                    if blocks.is_empty() {
                        blocks.push(Block::default());
                    }
                    blocks.last_mut()?.lines.push(line);
                }
            }
        }
    }

    /// The text. Cost: linear.
    pub(super) fn render(&self) -> Vec<u8> {
        let lines = self.blocks.iter().flat_map(|block| {
            let label = block.label.iter();
            label.chain(&block.lines).map(|line| line.0.as_slice())
        });
        let mut text = self.head.clone();
        lines.for_each(|line| text.extend_from_slice(line));
        text.extend_from_slice(&self.tail);
        text
    }

    /// The parameters: the name of each, without `%`, or `None` for one that has none.
    pub(super) fn parameters(&self) -> Vec<Option<&[u8]>> {
        let texts = self.typed_parameters().into_iter();
        texts.map(|(_, name)| name).collect()
    }

    /// The text of each parameter, and its name.
    pub(super) fn typed_parameters(&self) -> Vec<(&[u8], Option<&[u8]>)> {
        let Some((start, end)) = arguments(&self.head) else {
            return Vec::new();
        };
        let list = &self.head[start..end - 1];
        let parameters = parts_of(list).into_iter();
        parameters
            .filter(|text| !text.is_empty() && *text != b"...")
            .map(|text| (text, name_of_parameter(text)))
            .collect()
    }

    /// The name of the first block: its label, or the number that it has without one.
    pub(super) fn entry(&self) -> Vec<u8> {
        if let Some(name) = self.blocks.first().and_then(Block::name) {
            return name.to_vec();
        }
        let parameters = self.parameters().into_iter();
        let numbered = parameters.filter(|name| name.is_none_or(is_number));
        numbered.count().to_string().into_bytes()
    }
}

/// The name that ends a parameter; a type alone is none.
fn name_of_parameter(text: &[u8]) -> Option<&[u8]> {
    let place = names(text).pop()?;
    let is_name = place.start > 0 && place.end == text.len();
    is_name.then(|| &text[place.start + 1..])
}

impl Block {
    /// The label without its colon.
    pub(super) fn name(&self) -> Option<&[u8]> {
        let label = self.label.as_ref()?;
        label.code().strip_suffix(b":")
    }
}

impl Line {
    /// An instruction of our own.
    pub(super) fn new(code: &[u8]) -> Self {
        Self([code, b"\n"].concat())
    }

    /// Without comments and blank space around it.
    pub(super) fn code(&self) -> &[u8] {
        let mut text = self.0.trim_ascii_start();
        while text.first() == Some(&b';') {
            let end = text.iter().position(|&byte| byte == b'\n');
            text = text[end.unwrap_or(text.len())..].trim_ascii_start();
        }
        let mut at = 0;
        while at < text.len() && text[at] != b';' {
            at = behind(text, at);
        }
        text[..at.min(text.len())].trim_ascii_end()
    }

    /// The name of the value that the instruction gives, without `%`.
    pub(super) fn value(&self) -> Option<&[u8]> {
        let code = self.code();
        let range = names(code).into_iter().next()?;
        let behind = code[range.end..].trim_ascii_start();
        (range.start == 0 && behind.starts_with(b"=")).then(|| &code[1..range.end])
    }

    /// The word that says what the instruction does.
    pub(super) fn operation(&self) -> &[u8] {
        let code = self.instruction();
        let length = code.iter().take_while(|byte| byte.is_ascii_alphabetic());
        &code[..length.count()]
    }

    /// Whether this is the last of a block.
    pub(super) fn ends_block(&self, facts: &StaticSingle) -> bool {
        let operation = self.operation();
        facts.ends.iter().any(|end| end.as_bytes() == operation)
    }

    /// The instruction without the name of the value that it gives.
    pub(super) fn instruction(&self) -> &[u8] {
        let code = self.code();
        match self.value() {
            Some(name) => code[name.len() + 1..].trim_ascii_start()[1..].trim_ascii_start(),
            None => code,
        }
    }
}

/// Where the list of parameters begins behind its bracket, and the place behind the bracket that closes it.
fn arguments(text: &[u8]) -> Option<(usize, usize)> {
    let name = text.iter().position(|&byte| byte == b'@')?;
    let mut at = name + 1;
    while *text.get(at)? != b'(' {
        at = behind(text, at);
    }
    let start = at + 1;
    let mut depth = 0_usize;
    loop {
        match *text.get(at)? {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        at = behind(text, at);
        if depth == 0 {
            return Some((start, at));
        }
    }
}

/// Where the line at `at` ends: a line end outside of all brackets, or the colon of a label; at the bracket that closes the body,
/// if there is nothing but blank space and comments before it. `None` if no bracket closes.
fn next_line(text: &[u8], start: usize) -> Option<usize> {
    let (mut at, mut depth, mut has_code, mut is_name) = (start, 0_usize, false, true);
    loop {
        match *text.get(at)? {
            b'{' | b'[' | b'(' => depth += 1,
            b'}' if depth == 0 => return Some(at),
            b'}' | b']' | b')' => depth = depth.saturating_sub(1),
            b'\n' if depth == 0 && has_code && !goes_on(&text[at..]) => return Some(at + 1),
            b':' if is_name && has_code => {
                let blank = text[at + 1..]
                    .iter()
                    .take_while(|&&byte| byte == b' ' || byte == b'\t');
                let end = at + 1 + blank.count();
                let end = match text.get(end) {
                    Some(b';') => behind(text, end),
                    _ => end,
                };
                return Some(match text.get(end) {
                    Some(b'\n') => end + 1,
                    _ => at + 1,
                });
            }
            _ => {}
        }
        let byte = text[at];
        if !byte.is_ascii_whitespace() && byte != b';' {
            has_code = true;
            is_name &= is_in_name(byte) || byte == b'"';
        }
        at = behind(text, at);
    }
}

/// Whether what follows belongs to the instruction of the line before.
fn goes_on(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let word = text.iter().take_while(|byte| byte.is_ascii_alphabetic());
    matches!(
        &text[..word.count()],
        b"to" | b"cleanup" | b"catch" | b"filter"
    )
}

/// The place behind the byte, the quoted text or the comment that stands here.
pub(super) fn behind(text: &[u8], at: usize) -> usize {
    match text[at] {
        b'"' => (at + 2 + length_without(&text[at + 1..], b'"')).min(text.len()),
        b';' => at + length_without(&text[at..], b'\n'),
        _ => at + 1,
    }
}

/// The parts of a list, between the commas outside of brackets and quotes.
pub(super) fn parts(list: &[u8]) -> Vec<Range<usize>> {
    let (mut parts, mut from, mut depth, mut at) = (Vec::new(), 0, 0_usize, 0);
    while at < list.len() {
        match list[at] {
            b'(' | b'{' | b'[' | b'<' => depth += 1,
            b')' | b'}' | b']' | b'>' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push(from..at);
                from = at + 1;
            }
            _ => {}
        }
        at = behind(list, at);
    }
    parts.push(from.min(list.len())..list.len());
    parts
}

/// The texts of these parts, without blanks around them.
pub(super) fn parts_of(list: &[u8]) -> Vec<&[u8]> {
    let parts = parts(list).into_iter();
    parts.map(|range| list[range].trim_ascii()).collect()
}

/// The names with `%` before them, in order; what is quoted or a comment has none.
pub(super) fn names(text: &[u8]) -> Vec<Range<usize>> {
    let (mut names, mut at) = (Vec::new(), 0);
    while at < text.len() {
        if text[at] != b'%' {
            at = behind(text, at);
            continue;
        }
        let is_quoted = text.get(at + 1) == Some(&b'"');
        let end = if is_quoted {
            behind(text, at + 1)
        } else {
            let name = text[at + 1..].iter().take_while(|&&byte| is_in_name(byte));
            at + 1 + name.count()
        };
        names.push(at..end);
        at = end;
    }
    names
}

/// Whether a name is only a number.
pub(super) fn is_number(name: &[u8]) -> bool {
    !name.is_empty() && name.iter().all(u8::is_ascii_digit)
}

fn is_in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-$._".contains(&byte)
}

/// How many bytes stand before the first `end`.
fn length_without(text: &[u8], end: u8) -> usize {
    text.iter().take_while(|&&byte| byte != end).count()
}
