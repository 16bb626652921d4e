//! Numbers in the place of names: where values and blocks without a name have to be numbered in the order in which they stand.
//!
//! LLVM's assembly is such a language: without `%3 = …` the next value has to be `%3`. So what an edit leaves of a function is
//! numbered again, and what uses a value that has gone gets a value of no account in its place, as `llvm-reduce` does it.

use crate::syntax::{Document, Edit, Joint, Numbered, Splice};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The edit with new numbers in the functions that it changes; itself for other languages. Cost: linear in these functions.
pub(super) fn renumbered(document: &Document, edit: Edit) -> Edit {
    let numbered = document
        .language()
        .and_then(|language| language.facts().numbered.as_ref());
    let Some(numbered) = numbered else {
        return edit;
    };
    let mut splices: Vec<Splice> = edit.splices().to_vec();
    for function in document.children(0) {
        let range = document.node(function).range();
        if document.kind_name(function) != numbered.scope {
            continue;
        }
        let lies_inside = |splice: &Splice| {
            range.start <= splice.range().start && splice.range().end <= range.end
        };
        let (inside, outside): (Vec<Splice>, Vec<Splice>) =
            splices.iter().cloned().partition(lies_inside);
        if inside.is_empty() || inside.iter().any(|splice| splice.range() == range) {
            continue;
        }
        let before = &document.bytes()[range.clone()];
        let shifted = inside.iter().map(|splice| {
            let own = splice.range();
            Splice::replacement(own.start - range.start..own.end - range.start, &splice.text)
        });
        let mut text = Vec::with_capacity(before.len());
        Edit::new(shifted.collect()).render(before, Joint::KeepTokensApart, &mut text);
        if let Some(text) = renumber(before, &text, numbered) {
            splices = outside;
            splices.push(Splice::replacement(range, &text));
        }
    }
    Edit::new(splices)
}

/// What is left of a function with its numbers in order; `None` if nothing has to change.
fn renumber(before: &[u8], text: &[u8], numbered: &Numbered) -> Option<Vec<u8>> {
    let entry = Header::of(before)?.parameters.len();
    let header = Header::of(text)?;
    let mut names: FxHashMap<u32, u32> = FxHashMap::default();
    let mut next = 0..;
    for (number, new) in header.parameters.iter().zip(&mut next) {
        names.extend(number.map(|number| (number, new)));
    }
    let words = numbers(text, &header);
    let first = text[header.body..].trim_ascii_start();
    if !begins_with_label(first) {
        names.insert(u32::try_from(entry).ok()?, next.next()?);
    }
    for word in words.iter().filter(|word| word.role != Role::Use) {
        names.insert(word.number, next.next()?);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut end = 0;
    for word in &words {
        out.extend_from_slice(&text[end..word.range.start]);
        end = word.range.end;
        match names.get(&word.number) {
            Some(new) => {
                let sign = if word.role == Role::Label { "" } else { "%" };
                out.extend_from_slice(format!("{sign}{new}").as_bytes());
            }
            None => out.extend_from_slice(numbered.lost.as_bytes()),
        }
    }
    out.extend_from_slice(&text[end..]);
    (out != text).then_some(out)
}

/// The head of a function.
struct Header {
    /// The numbers of the parameters without a name, where they are said.
    parameters: Vec<Option<u32>>,
    /// Where the parameters begin.
    start: usize,
    /// Behind the bracket that opens the body.
    body: usize,
}

impl Header {
    fn of(text: &[u8]) -> Option<Self> {
        let name = text.iter().position(|&byte| byte == b'@')?;
        let start = name + text[name..].iter().position(|&byte| byte == b'(')? + 1;
        let (mut depth, mut parameters, mut from, mut at) = (1, Vec::new(), start, start);
        while depth > 0 {
            match text.get(at)? {
                b'(' | b'{' | b'[' | b'<' => depth += 1,
                b')' | b'}' | b']' | b'>' => depth -= 1,
                _ => {}
            }
            if depth == 0 || (depth == 1 && text[at] == b',') {
                parameters.push(text[from..at].trim_ascii());
                from = at + 1;
            }
            at += 1;
        }
        let body = at + text[at..].iter().position(|&byte| byte == b'{')? + 1;
        parameters.retain(|parameter| !parameter.is_empty() && *parameter != b"...");
        let number = |parameter: &[u8]| -> Option<Option<u32>> {
            let last = parameter.rsplit(u8::is_ascii_whitespace).next()?;
            match last.strip_prefix(b"%") {
                Some(name) => digits(name).map(Some),
                None => Some(None),
            }
        };
        Some(Self {
            parameters: parameters.into_iter().filter_map(number).collect(),
            start,
            body,
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Value,
    Label,
    Use,
}

/// A number that is a name.
struct Word {
    range: Range<usize>,
    number: u32,
    role: Role,
}

/// The numbers that are names in a function, in order; what is quoted or a comment has none.
fn numbers(text: &[u8], header: &Header) -> Vec<Word> {
    let mut words = Vec::new();
    let mut at = header.start;
    let mut begins_line = false;
    while at < text.len() {
        let length = text[at + 1..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let word = at..at + 1 + length;
        let is_in_body = at >= header.body;
        match text[at] {
            b'"' => at += 1 + length_without(&text[at + 1..], b'"'),
            b';' => at += length_without(&text[at + 1..], b'\n'),
            b'%' if !continues_name(text, word.end) => {
                let behind = text[word.end..].trim_ascii_start();
                let is_value = is_in_body && begins_line && behind.starts_with(b"=");
                words.extend(digits(&text[at + 1..word.end]).map(|number| Word {
                    range: word.clone(),
                    number,
                    role: if is_value { Role::Value } else { Role::Use },
                }));
                at = word.end - 1;
            }
            byte if byte.is_ascii_digit() && is_in_body && begins_line => {
                if text.get(word.end) == Some(&b':') {
                    words.extend(digits(&text[word.clone()]).map(|number| Word {
                        range: word.clone(),
                        number,
                        role: Role::Label,
                    }));
                }
                at = word.end - 1;
            }
            _ => {}
        }
        let byte = text.get(at).copied().unwrap_or(b'\n');
        begins_line =
            byte == b'\n' || (byte.is_ascii_whitespace() && begins_line) || at + 1 == header.body;
        at += 1;
    }
    words
}

/// How many bytes stand before the first `end`.
fn length_without(text: &[u8], end: u8) -> usize {
    text.iter().take_while(|&&byte| byte != end).count()
}

fn begins_with_label(text: &[u8]) -> bool {
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-$._\"".contains(byte);
    let length = text.iter().take_while(is_name).count();
    length > 0 && text.get(length) == Some(&b':')
}

fn continues_name(text: &[u8], at: usize) -> bool {
    let byte = text.get(at);
    byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"-$._".contains(byte))
}

fn digits(text: &[u8]) -> Option<u32> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use crate::{
        pass::testing::{results, sample},
        syntax::Language,
    };

    #[test]
    fn what_is_left_of_a_function_is_numbered_again() {
        if Language::named("llvm").is_none() {
            return;
        }
        let text = "define i32 @f(i32 %0, i32 %1) {\n  %3 = add i32 %0, 1\n  %4 = mul i32 %1, %3\n  br label %5\n\n5:\n  %6 = phi i32 [ %4, %2 ]\n  ret i32 %6\n}\n";
        let sample = sample("llvm", text);
        let units: Vec<_> = sample
            .units()
            .iter()
            .map(|unit| unit.proposal.clone())
            .collect();
        let found = results(sample.document(), &units);
        let squeezed: Vec<String> = found
            .iter()
            .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        for wanted in [
            "define i32 @f(i32 %0, i32 %1) { %3 = mul i32 %1, undef br label %4 4: %5 = phi i32 [ %3, %2 ] ret i32 %5 }",
            "define i32 @f(i32 %0) { %2 = add i32 %0, 1 %3 = mul i32 undef, %2 br label %4 4: %5 = phi i32 [ %3, %1 ] ret i32 %5 }",
        ] {
            assert!(squeezed.iter().any(|text| text == wanted), "{squeezed:#?}");
        }
    }
}
