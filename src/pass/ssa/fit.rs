//! What does not fit in a function: the grammar takes it, and the language does not.
//!
//! The grammar of LLVM's assembly takes a jump without a target, a value without its type, and a type that is not the one that the
//! value has. What reads the language refuses all of that before it does anything else, so a question about it tells nothing.

use super::text::{Block, Function, Line, behind, is_number, names, parts_of};
use crate::syntax::{Form, Given, StaticSingle, Taken};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many instructions of a function do not fit. Cost: linear, but for the length of its types.
pub(super) fn misfits(function: &Function, facts: &StaticSingle) -> usize {
    let known = Known::of(function, facts);
    let lines = function.blocks.iter().flat_map(|block| &block.lines);
    lines.filter(|line| !known.takes(line)).count()
}

/// What is known of a function.
pub(super) struct Known<'f> {
    facts: &'f StaticSingle,
    head: &'f [u8],
    labels: FxHashSet<&'f [u8]>,
    /// By the name of a value: its type, where that is known.
    types: FxHashMap<&'f [u8], Vec<u8>>,
}

impl<'f> Known<'f> {
    pub(super) fn of(function: &'f Function, facts: &'f StaticSingle) -> Self {
        let parameters = function.typed_parameters().into_iter();
        let mut types: FxHashMap<&[u8], Vec<u8>> = parameters
            .filter_map(|(text, name)| Some((name?, plain(&text[..type_end(text)?]))))
            .collect();
        for line in function.blocks.iter().flat_map(|block| &block.lines) {
            let forms = forms(line, facts);
            let given = forms.first().and_then(|form| given(line, form));
            types.extend(line.value().zip(given));
        }
        Self {
            facts,
            head: &function.head,
            labels: function.blocks.iter().filter_map(Block::name).collect(),
            types,
        }
    }

    /// The type of a value, if that is known.
    pub(super) fn type_of(&self, value: &[u8]) -> Option<&[u8]> {
        self.types.get(value).map(Vec::as_slice)
    }

    /// Whether an instruction is one of the forms that its word may have, if these are known.
    fn takes(&self, line: &Line) -> bool {
        let forms = forms(line, self.facts);
        forms.is_empty() || forms.iter().any(|form| self.has_form(line, form))
    }

    fn has_form(&self, line: &Line, form: &Form) -> bool {
        if form.gives == Given::Nothing && line.value().is_some() {
            return false;
        }
        let code = behind_words(line);
        let parts = parts_of(code);
        let first = parts.first().and_then(|part| type_of(part));
        let mut parts = parts.into_iter();
        for &taken in &form.takes {
            if taken == Taken::More {
                return parts.all(|part| self.is_more(part, first));
            }
            let is_taken = parts
                .next()
                .is_some_and(|part| self.is_taken(taken, part, first));
            if !is_taken {
                return false;
            }
        }
        // What says how it is done may stand behind all that, and has no type.
        parts.all(|part| type_end(part).is_none())
    }

    /// Whether a part of an instruction is what the instruction takes there; `first` is the type of its first part.
    fn is_taken(&self, taken: Taken, part: &[u8], first: Option<&[u8]>) -> bool {
        let (start, rest) = part.split_at(type_end(part).unwrap_or_default());
        let rest = rest.trim_ascii();
        match taken {
            Taken::Same => first.is_some_and(|first| self.is_value(first, part)),
            _ if start.is_empty() => false,
            Taken::Type => rest.is_empty(),
            Taken::Value => self.is_value(start, rest),
            Taken::Whole => is_whole(start) && self.is_value(start, rest),
            Taken::Real => is_real(start) && self.is_value(start, rest),
            Taken::Pointer => is_pointer(start, first) && self.is_value(start, rest),
            Taken::Result => self.is_value(start, rest) && self.is_result(start),
            Taken::Nothing => start == b"void" && rest.is_empty() && self.is_result(start),
            Taken::Condition => start == b"i1" && self.is_value(start, rest),
            Taken::Place => start == b"label" && self.is_place(rest),
            Taken::Cast => cast(rest).is_some_and(|(value, target)| {
                type_end(target) == Some(target.len()) && self.is_value(start, value)
            }),
            Taken::Cases => {
                let open = rest.iter().position(|&byte| byte == b'[');
                open.is_some_and(|open| {
                    let (default, cases) = rest.split_at(open);
                    start == b"label"
                        && self.is_place(default.trim_ascii())
                        && first.is_some_and(|first| self.are_cases(first, cases))
                })
            }
            Taken::Entry if rest.is_empty() => {
                first.is_some_and(|first| self.is_entry(first, part))
            }
            Taken::Entry => self.is_entry(start, rest),
            Taken::Call => self.is_call(rest),
            Taken::More => true,
        }
    }

    /// Whether a part is one of as many as there may be: a value, an entry of a choice, or what says how it is done.
    fn is_more(&self, part: &[u8], first: Option<&[u8]>) -> bool {
        let Some((start, rest)) = type_end(part).map(|end| part.split_at(end)) else {
            return true;
        };
        let is_entry = || first.is_some_and(|first| self.is_entry(first, part));
        self.is_value(start, rest.trim_ascii()) || (rest.is_empty() && is_entry())
    }

    /// Whether something of this type can be written like this.
    fn is_value(&self, of: &[u8], value: &[u8]) -> bool {
        let own = plain(of);
        if let Some(name) = only_name(value) {
            let known = self.types.get(name);
            return known.is_none_or(|known| *known == own);
        }
        let is_number = value.iter().any(u8::is_ascii_digit)
            && value
                .iter()
                .all(|byte| byte.is_ascii_digit() || *byte == b'-');
        let may_be = own != b"void" && own != b"label" && (is_whole(&own) || !is_number);
        !value.is_empty() && may_be
    }

    fn is_place(&self, value: &[u8]) -> bool {
        only_name(value).is_some_and(|name| self.labels.contains(name))
    }

    /// Whether a type is the one that the function gives back, which stands before its name.
    fn is_result(&self, of: &[u8]) -> bool {
        let name = self.head.iter().position(|&byte| byte == b'@');
        let before = &self.head[..name.unwrap_or_default()];
        plain(before).ends_with(&plain(of))
    }

    /// Whether these are the cases of a choice by a value of this type.
    fn are_cases(&self, of: &[u8], list: &[u8]) -> bool {
        let list = list
            .strip_prefix(b"[")
            .and_then(|list| list.strip_suffix(b"]"));
        let mut rest = list.unwrap_or_default().trim_ascii();
        while !rest.is_empty() {
            let Some(comma) = rest.iter().position(|&byte| byte == b',') else {
                return false;
            };
            let (case, target) = rest.split_at(comma);
            let value = &case[type_end(case).unwrap_or_default()..];
            if type_of(case).map(plain) != Some(plain(of)) || !self.is_value(of, value.trim_ascii())
            {
                return false;
            }
            let target = target[1..].trim_ascii_start();
            let Some(place) = target.strip_prefix(b"label") else {
                return false;
            };
            let place = place.trim_ascii_start();
            let end = names(place).first().map_or(0, |range| range.end);
            if !self.is_place(&place[..end]) {
                return false;
            }
            rest = place[end..].trim_ascii_start();
        }
        list.is_some()
    }

    /// Whether an entry of a choice by the block before has a value of this type.
    fn is_entry(&self, of: &[u8], entry: &[u8]) -> bool {
        let entry = entry
            .strip_prefix(b"[")
            .and_then(|it| it.strip_suffix(b"]"));
        let parts = parts_of(entry.unwrap_or_default());
        matches!(parts[..], [value, block] if self.is_value(of, value) && only_name(block).is_some())
    }

    /// Whether what is called has arguments that have a value each.
    fn is_call(&self, callee: &[u8]) -> bool {
        let Some(open) = callee.iter().position(|&byte| byte == b'(') else {
            return false;
        };
        if !matches!(callee.first(), Some(b'@' | b'%')) {
            return true;
        }
        let end = behind_brackets(callee, open) - 1;
        let list = callee.get(open + 1..end).unwrap_or_default();
        let arguments = parts_of(list);
        list.trim_ascii().is_empty() || arguments.iter().all(|argument| self.is_argument(argument))
    }

    fn is_argument(&self, argument: &[u8]) -> bool {
        let Some(end) = type_end(argument) else {
            return false;
        };
        let (of, rest) = argument.split_at(end);
        let last = rest.iter().rposition(u8::is_ascii_whitespace);
        let value = &rest[last.map_or(0, |place| place + 1)..];
        of == b"metadata"
            || only_name(value).map_or(!value.is_empty(), |_| self.is_value(of, value))
    }
}

/// The forms that the word of an instruction may have.
fn forms<'f>(line: &Line, facts: &'f StaticSingle) -> Vec<&'f Form> {
    let operation = operation(line);
    let has_word = |form: &&Form| form.words.iter().any(|word| word.as_bytes() == operation);
    facts.forms.iter().filter(has_word).collect()
}

/// The word of an instruction, behind those that only say how it is done.
fn operation(line: &Line) -> &[u8] {
    match line.operation() {
        b"tail" | b"musttail" | b"notail" => b"call",
        operation => operation,
    }
}

/// The type of what an instruction gives, if its form tells that.
fn given(line: &Line, form: &Form) -> Option<Vec<u8>> {
    let code = behind_words(line);
    let parts = parts_of(code);
    let first = || type_of(parts.first()?);
    match form.gives {
        Given::Nothing | Given::Anything => None,
        Given::First => first().map(plain),
        Given::Second => type_of(parts.get(1)?).map(plain),
        Given::Condition => first()
            .filter(|first| first[0] != b'<')
            .map(|_| b"i1".to_vec()),
        Given::Cast => type_of(cast(parts.first()?)?.1).map(plain),
        Given::Call => {
            let of = first()?;
            let end = of.iter().position(|&byte| byte == b'(');
            let is_plain = end.is_none_or(|_| of.ends_with(b")"));
            is_plain.then(|| plain(&of[..end.unwrap_or(of.len())]))
        }
    }
}

/// What is made another type, and that type.
fn cast(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let word: &[u8] = b" to ";
    let to = text.windows(word.len()).position(|it| it == word)?;
    let target = &text[to + word.len()..];
    Some((text[..to].trim_ascii(), target.trim_ascii()))
}

/// An instruction behind its word and what says how it is done, up to its first type.
pub(super) fn behind_words(line: &Line) -> &[u8] {
    let mut rest = line.instruction();
    loop {
        let word = rest.iter().take_while(|&&byte| is_in_word(byte)).count();
        if word == 0 || (rest[0] != b'%' && type_end(rest).is_some()) {
            return rest;
        }
        rest = rest[word..].trim_ascii_start();
        if rest.first() == Some(&b'(') {
            rest = rest[behind_brackets(rest, 0)..].trim_ascii_start();
        }
    }
}

/// The name that is all of a text, without `%`.
fn only_name(text: &[u8]) -> Option<&[u8]> {
    let range = names(text).into_iter().next()?;
    (range == (0..text.len())).then(|| &text[1..])
}

/// Whether this may be the type of whole numbers, or of several of them.
fn is_whole(of: &[u8]) -> bool {
    matches!(of.first(), Some(b'i' | b'<' | b'%')) && !of.ends_with(b"*")
}

/// Whether this may be the type of other numbers, or of several of them.
fn is_real(of: &[u8]) -> bool {
    !matches!(of.first(), Some(b'i' | b'[' | b'{')) && !of.ends_with(b"*") && of != b"ptr"
}

/// Whether this may be the type of a pointer to something of the type that stands first.
fn is_pointer(of: &[u8], first: Option<&[u8]>) -> bool {
    match of.strip_suffix(b"*") {
        Some(to) => of.ends_with(b")*") || first.is_some_and(|first| plain(first) == plain(to)),
        None => of.starts_with(b"ptr") || of.starts_with(b"<"),
    }
}

/// A type without blanks.
pub(super) fn plain(of: &[u8]) -> Vec<u8> {
    let bytes = of.iter().copied();
    bytes.filter(|byte| !byte.is_ascii_whitespace()).collect()
}

/// The type that a text begins with.
fn type_of(text: &[u8]) -> Option<&[u8]> {
    Some(&text[..type_end(text)?])
}

/// Where the type ends that a text begins with.
pub(super) fn type_end(text: &[u8]) -> Option<usize> {
    let mut end = match *text.first()? {
        b'%' => names(text).first()?.end,
        b'[' | b'{' | b'<' => behind_brackets(text, 0),
        _ => {
            let length = text.iter().take_while(|&&byte| is_in_word(byte)).count();
            is_type(&text[..length]).then_some(length)?
        }
    };
    loop {
        let rest = text[end..].trim_ascii_start();
        let next = text.len() - rest.len();
        end = match rest.first() {
            Some(b'*') => next + 1,
            Some(b'(') => behind_brackets(text, next),
            _ if rest.starts_with(b"addrspace(") => behind_brackets(text, next + 9),
            _ => return Some(end),
        };
    }
}

fn is_type(word: &[u8]) -> bool {
    const TYPES: [&[u8]; 14] = [
        b"void",
        b"half",
        b"bfloat",
        b"float",
        b"double",
        b"x86_fp80",
        b"fp128",
        b"ppc_fp128",
        b"label",
        b"metadata",
        b"x86_mmx",
        b"x86_amx",
        b"token",
        b"ptr",
    ];
    let bits = word.strip_prefix(b"i").unwrap_or_default();
    TYPES.contains(&word) || is_number(bits)
}

fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The place behind the bracket that closes the one at `open`, or the end.
fn behind_brackets(text: &[u8], open: usize) -> usize {
    let (mut at, mut depth) = (open, 0_usize);
    while at < text.len() {
        match text[at] {
            b'(' | b'{' | b'[' | b'<' => depth += 1,
            b')' | b'}' | b']' | b'>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at = behind(text, at);
        if depth == 0 {
            return at;
        }
    }
    text.len()
}
