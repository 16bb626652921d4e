//! Names that follow an edit: numbers in order, and something of no account for a value that has gone.

use super::{
    addresses,
    text::{Function, is_number, names},
};
use crate::syntax::StaticSingle;
use rustc_hash::{FxHashMap, FxHashSet};

/// Numbers what has no name in the order in which it stands, and puts what the language says in the place of values that were there
/// before and are not any more. Gives the new name by the old one. Cost: linear.
pub(super) fn follow(
    before: &Function,
    function: &mut Function,
    facts: &StaticSingle,
) -> FxHashMap<Vec<u8>, Vec<u8>> {
    let lost: FxHashSet<Vec<u8>> = definitions(before).into_iter().flatten().collect();
    let mut new: FxHashMap<Vec<u8>, Vec<u8>> = FxHashMap::default();
    let mut next = 0_usize..;
    let entry = begins_without_label(function).then(|| before.entry());
    for name in definitions_after(before, function) {
        let is_entry = name.as_ref() == entry.as_ref();
        if is_entry || name.as_deref().is_none_or(is_number) {
            let number = next.next().map(|number| number.to_string().into_bytes());
            new.extend(name.zip(number));
        } else if let Some(name) = name {
            new.insert(name.clone(), name);
        }
    }
    let named = |name: &[u8]| match new.get(name) {
        Some(new) => Some([b"%", new.as_slice()].concat()),
        None if lost.contains(name) => Some(facts.lost.as_bytes().to_vec()),
        None => None,
    };
    function.head = renamed(&function.head, named);
    for block in &mut function.blocks {
        if let Some(name) = block.name().map(<[u8]>::to_vec)
            && let (Some(label), Some(new)) = (&mut block.label, new.get(&name))
        {
            let place = label.0.windows(name.len()).position(|text| text == name);
            let place = place.unwrap_or(0);
            label
                .0
                .splice(place..place + name.len(), new.iter().copied());
        }
        for line in &mut block.lines {
            line.0 = renamed(&line.0, named);
            if let Some(text) = addresses::without_lost(&line.0, facts) {
                line.0 = text;
            }
        }
    }
    new
}

/// What has a name in a function or a number for want of one, in order; `None` for a parameter of which only the type is said.
fn definitions(function: &Function) -> Vec<Option<Vec<u8>>> {
    let parameters = function.parameters().into_iter();
    let mut definitions: Vec<_> = parameters.map(|name| name.map(<[u8]>::to_vec)).collect();
    for (place, block) in function.blocks.iter().enumerate() {
        match block.name() {
            Some(name) => definitions.push(Some(name.to_vec())),
            None if place == 0 => definitions.push(Some(function.entry())),
            None => {}
        }
        let values = block.lines.iter().filter_map(|line| line.value());
        definitions.extend(values.map(|name| Some(name.to_vec())));
    }
    definitions
}

/// The same after an edit: a first block that has lost its label is still known by the name that it had.
fn definitions_after(before: &Function, function: &Function) -> Vec<Option<Vec<u8>>> {
    let mut definitions = definitions(function);
    if begins_without_label(function) {
        let place = function.parameters().len();
        definitions[place] = Some(before.entry());
    }
    definitions
}

/// Whether the first block has no label.
fn begins_without_label(function: &Function) -> bool {
    let first = function.blocks.first();
    first.is_some_and(|block| block.label.is_none())
}

/// A text with other names, where there are some.
pub(super) fn renamed(text: &[u8], new: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut end = 0;
    for range in names(text) {
        if let Some(new) = new(&text[range.start + 1..range.end]) {
            out.extend_from_slice(&text[end..range.start]);
            out.extend_from_slice(&new);
            end = range.end;
        }
    }
    out.extend_from_slice(&text[end..]);
    out
}
