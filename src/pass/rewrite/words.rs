//! What the words of a text become when the parameters that they name are given arguments.

use crate::pass::elements::places_of;
use crate::syntax::{Document, NodeId};

/// The text of `body` with each word that a child of `parameters` declares become the child of `arguments` at its place; where
/// `parameters` is a word itself, that become all of `arguments`. `None` if a word is given nothing and is nothing by default. Cost:
/// the words of the body times the parameters.
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
    let parameters: Vec<Parameter> = parameters.collect();
    let arguments = texts(arguments);
    let (mut text, mut end, mut is_behind_pack) = (Vec::new(), 0, false);
    for range in document.lexis().tokens(body) {
        let token = &body[range.clone()];
        let is_expansion = is_behind_pack && token == b"...";
        let place = parameters.iter().position(|it| it.word == token);
        is_behind_pack = place.is_some_and(|place| parameters[place].is_pack);
        if !is_expansion {
            text.extend_from_slice(&body[end..range.start]);
            match place {
                Some(place) => {
                    let left = arguments.get(place..).unwrap_or_default();
                    text.extend(parameters[place].given(left)?);
                }
                None => text.extend_from_slice(token),
            }
        }
        end = range.end;
    }
    Some(text)
}

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
