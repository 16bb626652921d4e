//! What the words of a text become when the parameters that they name are given arguments.

use crate::pass::elements::places_of;
use crate::syntax::{Document, NodeId};
use std::ops::Range;

/// The text of `body` with each word that a child of `parameters` declares become the child of `arguments` at its place; where
/// `parameters` is a word itself, that become all of `arguments`. `None` if a word is given nothing and is nothing by default. Cost:
/// the words of the body times the parameters, and with a pack times how deep their brackets nest and its arguments.
pub(super) fn substituted(
    document: &Document,
    body: &[u8],
    parameters: Option<NodeId>,
    arguments: Option<NodeId>,
) -> Option<Vec<u8>> {
    let is_word = parameters.is_some_and(|it| document.is_leaf(it));
    let texts = |list: Option<NodeId>| match list {
        Some(word) if is_word => vec![document.text(word)],
        list => texts_of(document, list),
    };
    let parameters = texts(parameters).into_iter();
    let parameters = parameters.filter_map(|text| Parameter::read(document, text));
    let text = Text {
        bytes: body,
        tokens: document.lexis().tokens(body),
        parameters: parameters.collect(),
        arguments: texts(arguments),
    };
    let blanks = text.tokens.first().map_or(0, |first| first.start);
    let words = text.made_of(0..text.tokens.len(), None)?;
    Some([&body[..blanks], &words].concat())
}

/// A text whose words become something else.
struct Text<'d> {
    bytes: &'d [u8],
    tokens: Vec<Range<usize>>,
    parameters: Vec<Parameter<'d>>,
    arguments: Vec<&'d [u8]>,
}

impl Text<'_> {
    /// What these tokens become, where each pack is that one of its arguments; all of them without one.
    fn made_of(&self, places: Range<usize>, argument: Option<&[u8]>) -> Option<Vec<u8>> {
        let has_pack = self.parameters.iter().any(|it| it.is_pack);
        let is_open = has_pack && argument.is_none();
        let (mut text, mut next) = (Vec::new(), places.start);
        while next < places.end {
            if next > places.start {
                text.extend_from_slice(
                    &self.bytes[self.tokens[next - 1].end..self.tokens[next].start],
                );
            }
            if let Some((pack, expansion)) = is_open
                .then(|| self.expansion_at(next, places.end))
                .flatten()
            {
                let expanded = self.expanded(pack, &expansion)?;
                next = expansion.end;
                if expanded.is_empty() {
                    next += self.drop_separator(&mut text, next);
                }
                text.extend(expanded);
            } else if let Some((count, end)) = is_open.then(|| self.count_at(next)).flatten() {
                text.extend(count);
                next = end;
            } else {
                text.extend(self.word(next, argument)?);
                next += 1;
            }
        }
        Some(text)
    }

    /// Takes the comma out that stands beside nothing: that before it, or else that behind it; how many tokens to skip for that.
    fn drop_separator(&self, text: &mut Vec<u8>, next: usize) -> usize {
        let before = text.trim_ascii_end();
        match before.strip_suffix(b",") {
            Some(kept) => {
                text.truncate(kept.len());
                0
            }
            None => usize::from(self.is_at(next, b",")),
        }
    }

    /// What a token becomes.
    fn word(&self, place: usize, argument: Option<&[u8]>) -> Option<Vec<u8>> {
        let token = self.token(place);
        let Some(index) = self.parameter(place) else {
            return Some(token.to_vec());
        };
        match argument {
            Some(argument) if self.parameters[index].is_pack => Some(argument.to_vec()),
            _ => self.parameters[index].given(self.given_from(index)),
        }
    }

    /// The pack and the expansion that begins here, if one does: all up to its `...`, or that and all behind it.
    fn expansion_at(&self, start: usize, end: usize) -> Option<(usize, Expansion)> {
        let expansion = if self.token(start) == DOTS {
            self.fold_from(start, end)
        } else {
            self.expansion_to_dots(start, end)
        }?;
        let is_pack = |&index: &usize| self.parameters[index].is_pack;
        let mut named = expansion.operand.clone();
        let pack = named.find_map(|place| self.parameter(place).filter(is_pack))?;
        Some((pack, expansion))
    }

    fn expansion_to_dots(&self, start: usize, end: usize) -> Option<Expansion> {
        let is_separator = matches!(self.token(start), b":" | b",");
        if is_separator || !self.begins_operand(start) {
            return None;
        }
        let dots = self
            .end_of_operand(start..end)
            .filter(|&dots| self.token(dots) == DOTS)?;
        // Elsewhere the same marks say what is declared: `T&&...`.
        let is_fold = self.begins_fold(start) && self.is_at(dots + 1, b")");
        let operator = self.operator(dots - 1).filter(|_| is_fold);
        let last = dots - usize::from(operator.is_some());
        (start < last).then_some(Expansion {
            operand: start..last,
            end: dots + 1,
            operator,
        })
    }

    /// A fold whose `...` comes first.
    fn fold_from(&self, dots: usize, end: usize) -> Option<Expansion> {
        let operator = self.operator(dots + 1).filter(|_| self.begins_fold(dots))?;
        let last = self.end_of_operand(dots + 2..end)?;
        self.is_at(last, b")").then_some(Expansion {
            operand: dots + 2..last,
            end: last,
            operator: Some(operator),
        })
    }

    /// The first of these tokens that ends what begins with the first one, outside of its brackets: one that closes another bracket,
    /// separates, or is `...`. That of a fold stands behind an operator that separates elsewhere.
    fn end_of_operand(&self, places: Range<usize>) -> Option<usize> {
        let mut depth = 0_i32;
        for place in places {
            match self.token(place) {
                b"(" | b"[" | b"{" | b"<" => depth += 1,
                b")" | b"]" | b"}" | b">" if depth > 0 => depth -= 1,
                b">>" if depth > 1 => depth -= 2,
                b")" | b"]" | b"}" | b">" | b">>" => return Some(place),
                DOTS if depth == 0 => return Some(place),
                b"," if depth == 0 && self.is_at(place + 1, DOTS) => {}
                b"," | b";" if depth == 0 => return Some(place),
                _ => {}
            }
        }
        None
    }

    /// Whether the bracket of a fold stands before a place, and not that of parameters.
    fn begins_fold(&self, place: usize) -> bool {
        let before = place.checked_sub(2).map(|before| self.token(before));
        let is_name = before.is_some_and(|before| {
            let is_word = before
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
            is_word && before != b"return" && before != b"requires"
        });
        self.is_before(place, b"(") && !is_name
    }

    fn is_at(&self, place: usize, text: &[u8]) -> bool {
        place < self.tokens.len() && self.token(place) == text
    }

    fn is_before(&self, place: usize, text: &[u8]) -> bool {
        place > 0 && self.token(place - 1) == text
    }

    /// The operator of a fold that stands at a place.
    fn operator(&self, place: usize) -> Option<Operator> {
        let mut operators = FOLDED.into_iter();
        operators.find(|&(text, _)| self.is_at(place, text))
    }

    /// Where a pack is counted here: what stands for that, and the place behind it.
    fn count_at(&self, start: usize) -> Option<(Vec<u8>, usize)> {
        let place = start + COUNTED.len();
        let mut marks = COUNTED.into_iter().zip(start..);
        let is_count = marks.all(|(text, place)| self.is_at(place, text));
        if !is_count || !self.is_at(place + 1, b")") {
            return None;
        }
        let pack = self
            .parameter(place)
            .filter(|&index| self.parameters[index].is_pack)?;
        let given = self.given_from(pack);
        let count = match given {
            [alone] if is_expansion(alone) => [b"sizeof...(", pattern_of(alone), b")"].concat(),
            several if several.iter().copied().any(is_expansion) => return None,
            several => several.len().to_string().into_bytes(),
        };
        Some((count, place + 2))
    }

    /// Whether an operand of an expansion may begin here.
    fn begins_operand(&self, start: usize) -> bool {
        let before = start.checked_sub(1).map(|before| self.token(before));
        before.is_none_or(|before| {
            matches!(before, b"(" | b"{" | b"<" | b"," | b"[" | b":" | b"return")
        })
    }

    /// The operand once for each argument of the pack.
    fn expanded(&self, pack: usize, expansion: &Expansion) -> Option<Vec<u8>> {
        let operand = |&argument: &&[u8]| {
            let text = self.made_of(expansion.operand.clone(), Some(pattern_of(argument)))?;
            Some((text, is_expansion(argument)))
        };
        let operands = self.given_from(pack).iter().map(operand);
        let mut operands: Vec<(Vec<u8>, bool)> = operands.collect::<Option<_>>()?;
        let Some((operator, of_none)) = expansion.operator else {
            for (text, _) in operands.iter_mut().filter(|(_, is_pack)| *is_pack) {
                text.extend_from_slice(DOTS);
            }
            let texts: Vec<Vec<u8>> = operands.into_iter().map(|(text, _)| text).collect();
            return Some(texts.join(&b", "[..]));
        };
        match &mut operands[..] {
            [] => of_none.map(<[u8]>::to_vec),
            [(text, true)] => Some([&text[..], b" ", operator, b" ", DOTS].concat()),
            // With a pack among several there is no such text.
            several if several.iter().any(|(_, is_pack)| *is_pack) => None,
            several => {
                let texts: Vec<&[u8]> = several.iter().map(|(text, _)| &text[..]).collect();
                Some(texts.join(&[b" ", operator, b" "].concat()[..]))
            }
        }
    }

    fn token(&self, place: usize) -> &[u8] {
        &self.bytes[self.tokens[place].clone()]
    }

    /// Which parameter a token names.
    fn parameter(&self, place: usize) -> Option<usize> {
        let token = self.token(place);
        self.parameters.iter().position(|it| it.word == token)
    }

    /// The arguments from a place on.
    fn given_from(&self, index: usize) -> &[&[u8]] {
        self.arguments.get(index..).unwrap_or_default()
    }
}

/// Whether an argument is as many as a pack has.
fn is_expansion(argument: &[u8]) -> bool {
    argument.ends_with(DOTS)
}

/// What each of those is made of; of another argument all.
fn pattern_of(argument: &[u8]) -> &[u8] {
    argument
        .strip_suffix(DOTS)
        .unwrap_or(argument)
        .trim_ascii_end()
}

/// What an ellipsis makes of the text before it: one such text for each argument of a pack.
struct Expansion {
    operand: Range<usize>,
    /// Behind the ellipsis.
    end: usize,
    /// Between two of them, with what none of them is worth; a comma if there is none.
    operator: Option<Operator>,
}

/// The operator of a fold, and what it makes of nothing.
type Operator = (&'static [u8], Option<&'static [u8]>);

/// The mark of a pack.
const DOTS: &[u8] = b"...";
/// Before a pack whose arguments are counted.
const COUNTED: [&[u8]; 3] = [b"sizeof", DOTS, b"("];
/// The operators that stand beside the ellipsis of a fold.
const FOLDED: [Operator; 7] = [
    (b",", Some(b"void()")),
    (b"&&", Some(b"true")),
    (b"||", Some(b"false")),
    (b"+", None),
    (b"*", None),
    (b"|", None),
    (b"&", None),
];

/// The texts of what a list holds.
fn texts_of(document: &Document, list: Option<NodeId>) -> Vec<&[u8]> {
    let places = list.map(|list| places_of(document, list));
    let places = places.unwrap_or_default().into_iter();
    places.map(|(_, node)| document.text(node)).collect()
}

/// What a list of parameters says of one.
struct Parameter<'d> {
    word: &'d [u8],
    /// What it is if it is given nothing: what stands behind a `=`.
    default: Option<&'d [u8]>,
    /// Whether it is all arguments that are left, with `...` before it, and behind its uses.
    is_pack: bool,
    /// What its uses have before the word and arguments as well: the mark of lifetimes.
    mark: &'static [u8],
}

impl<'d> Parameter<'d> {
    /// A parameter from its text: its name is the last word before a default.
    fn read(document: &Document, text: &'d [u8]) -> Option<Self> {
        let tokens = document.lexis().tokens(text);
        let is = |wanted: &'static [u8]| move |range: &_| text[Clone::clone(range)] == *wanted;
        let equals = tokens.iter().position(is(b"="));
        let head = &tokens[..equals.unwrap_or(tokens.len())];
        Some(Self {
            word: &text[head.last()?.clone()],
            default: equals.map(|place| text[tokens[place].end..].trim_ascii()),
            is_pack: head.iter().any(is(b"...")),
            mark: if text.starts_with(b"'") { b"'" } else { b"" },
        })
    }

    /// What it becomes, from the arguments at its place and behind it.
    fn given(&self, arguments: &[&[u8]]) -> Option<Vec<u8>> {
        if self.is_pack {
            return Some(arguments.join(&b", "[..]));
        }
        let given = arguments.first().copied().or(self.default)?;
        Some(given.strip_prefix(self.mark).unwrap_or(given).to_vec())
    }
}
