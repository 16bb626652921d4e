//! What stands in the place of something else: a value where its name was used, a body where it was called.

use super::{
    bundle::UnitMap,
    proposal::{Proposal, fingerprint, only},
};
use crate::syntax::{Document, Edit, Joint, NodeId, Role, Splice};
use std::ops::Range;

/// The splices at the uses, and the unit that declares goes; `None` if that saves nothing.
pub(super) fn without_unit(
    document: &Document,
    units: &UnitMap,
    unit: NodeId,
    splices: Vec<Splice>,
) -> Option<Proposal> {
    let own = document.node(unit);
    let before: usize = splices
        .iter()
        .map(|splice| document.lexis().count(&document.bytes()[splice.range()]))
        .sum();
    let after: usize = splices
        .iter()
        .map(|splice| document.lexis().count(&splice.text))
        .sum();
    let saved = (before + own.tokens as usize)
        .checked_sub(after)
        .filter(|&saved| saved > 0)?;
    let inside = |splice: &Splice| splice.start < own.end && own.start < splice.end;
    if splices.iter().any(inside) {
        return None;
    }
    let texts: Vec<u8> = splices
        .iter()
        .flat_map(|splice| splice.text.to_vec())
        .collect();
    Some(Proposal {
        drops: units.drops_of(unit)?.to_vec(),
        weight: u32::try_from(saved).unwrap_or(u32::MAX),
        takes: only(unit..own.end_id),
        target: Some(unit),
        signature: fingerprint(&[b"inline", document.text(unit), &texts]),
        edit: Edit::new(splices),
        ..Proposal::default()
    })
}

/// A value in the place of a use of the name that stands for it.
pub(super) fn value_at_use(document: &Document, value: NodeId, leaf: NodeId) -> Splice {
    let place = with_sigil(document, leaf);
    let text = bracketed(document, value, place, document.text(value).to_vec());
    Splice::replacement(document.node(place).range(), &text)
}

/// The node of a use: the name, with the `$` that some languages write before it.
fn with_sigil(document: &Document, leaf: NodeId) -> NodeId {
    let start = document.node(leaf).range().start;
    let has_sigil = document.bytes()[..start].last() == Some(&b'$');
    if has_sigil {
        document.node(leaf).parent
    } else {
        leaf
    }
}

/// The text of an expression as it stands in the place of a node: in brackets where an operator around that binds closer.
pub(super) fn bracketed(
    document: &Document,
    expression: NodeId,
    place: NodeId,
    text: Vec<u8>,
) -> Vec<u8> {
    let around = document.node(place).parent;
    let has_operator =
        document.has_role(around, Role::Expressions) && !document.has_role(around, Role::Brackets);
    let is_first = document.children(around).next() == Some(place);
    let begins_with_operator = || {
        let first = document.children(expression).next();
        first.is_some_and(|first| !document.node(first).is_named() && document.text(first) != b"$")
            && !document.has_role(expression, Role::Brackets)
    };
    let is_loose = document.has_role(expression, Role::Loose);
    let is_looser =
        is_loose || (is_first && !document.has_role(around, Role::Loose) && begins_with_operator());
    if has_operator && is_looser {
        [b"(", &text[..], b")"].concat()
    } else {
        text
    }
}

/// Whether a node is a name and nothing more.
pub(super) fn is_name(document: &Document, node: NodeId) -> bool {
    let language = document.language();
    let kinds = language.map_or(&[][..], |language| &language.facts().identifiers);
    let mut kinds = kinds.iter();
    document.is_leaf(node) && kinds.any(|kind| kind == document.kind_name(node))
}

/// Whether it is said before a name what it is a part of.
pub(super) fn is_behind_mark(document: &Document, leaf: NodeId) -> bool {
    let before = document.bytes()[..document.node(leaf).range().start].trim_ascii_end();
    let mut marks = [&b"::"[..], b".", b"->"].into_iter();
    marks.any(|mark| before.ends_with(mark))
}

/// A part of the text with those of the splices that lie in it.
pub(super) fn part_with(
    document: &Document,
    part: &Range<usize>,
    mut splices: Vec<Splice>,
) -> Vec<u8> {
    splices.push(Splice::deletion(0..part.start));
    splices.push(Splice::deletion(part.end..document.bytes().len()));
    let mut text = Vec::new();
    Edit::new(splices).render(document.bytes(), Joint::Touch, &mut text);
    text
}
