//! Another value of the same type in the place of what an instruction gives, and without the instruction.

use super::{
    facts,
    fit::{Known, behind_words, plain, type_end},
    functions,
    text::{Function, Line, names, parts_of},
};
use crate::{
    pass::{Context, in_place::without_unit, proposal::Proposal},
    syntax::{Document, NodeId, Splice},
};
use rustc_hash::FxHashMap;

/// So many other values are tried for one.
const MOST: usize = 3;
/// In a document of more tokens whole functions go first.
const LARGEST: u32 = 20_000;

/// For what each instruction gives: what was stored where it loads from, what it is made of, and the last and the first value before it,
/// where these have its type. Unoptimised code stores and loads all that has a name, mostly in vain. Cost: linear in the tokens, and
/// for each instruction as its operands and theirs, and as the uses of what it gives.
pub fn earlier_values(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    let Some(facts) = facts(document).filter(|_| document.node(0).tokens <= LARGEST) else {
        return Vec::new();
    };
    let proposals = functions(document, facts).filter_map(|node| {
        let function = Function::of(document.text(node))?;
        let known = Known::of(&function, facts);
        Some(in_function(context, node, &function, &known))
    });
    proposals.flatten().collect()
}

fn in_function(
    context: &Context,
    node: NodeId,
    function: &Function,
    known: &Known,
) -> Vec<Proposal> {
    let document = context.document();
    let leaves = leaves_by_name(document, node);
    let mut proposals = Vec::new();
    let mut before = Before::of(function, known);
    for line in function.blocks.iter().flat_map(|block| &block.lines) {
        let Some((name, of)) = line
            .value()
            .and_then(|name| Some((name, known.type_of(name)?)))
        else {
            before.note(line, None);
            continue;
        };
        let all = leaves.get(name).map_or(&[][..], Vec::as_slice);
        // Around a loop the uses begin before it.
        let is_definition = |&&leaf: &&NodeId| {
            let next = leaf + 1;
            next < document.node(node).end_id && document.text(next) == b"="
        };
        if let Some(&definition) = all.iter().find(is_definition)
            && all.len() > 1
        {
            let unit = document.node(definition).parent;
            proposals.extend(before.others(line, of).into_iter().filter_map(|other| {
                let uses = all.iter().filter(|&&leaf| leaf != definition);
                let at_use =
                    |&leaf: &NodeId| Splice::replacement(document.node(leaf).range(), &other);
                let splices = uses.map(at_use).collect();
                without_unit(document, context.unit_map(), unit, splices)
            }));
        }
        before.note(line, Some(of));
    }
    proposals
}

/// By its name without `%`: the leaves of a value, in document order.
fn leaves_by_name(document: &Document, function: NodeId) -> FxHashMap<&[u8], Vec<NodeId>> {
    let mut leaves: FxHashMap<&[u8], Vec<NodeId>> = FxHashMap::default();
    for node in function..document.node(function).end_id {
        if document.is_leaf(node)
            && let Some(name) = document.text(node).strip_prefix(b"%")
        {
            leaves.entry(name).or_default().push(node);
        }
    }
    leaves
}

/// The type of a value, and the values without `%` that it is made of.
type Made<'f> = (Vec<u8>, Vec<&'f [u8]>);

/// What stands before an instruction.
struct Before<'f> {
    /// By type: the first value of it and the last, as they are written.
    values: FxHashMap<Vec<u8>, [Vec<u8>; 2]>,
    /// By value without `%`.
    made_of: FxHashMap<&'f [u8], Made<'f>>,
    /// By pointer as it is written: the type and the value that were stored last.
    stored: FxHashMap<Vec<u8>, (Vec<u8>, Vec<u8>)>,
}

impl<'f> Before<'f> {
    /// Before the first one.
    fn of(function: &'f Function, known: &Known<'f>) -> Self {
        let mut before = Self {
            values: FxHashMap::default(),
            made_of: FxHashMap::default(),
            stored: FxHashMap::default(),
        };
        for (_, name) in function.typed_parameters() {
            if let Some((name, of)) = name.and_then(|name| Some((name, known.type_of(name)?))) {
                before.note_value(name, of, Vec::new());
            }
        }
        before
    }

    /// Behind one that gives a value of a type, or none.
    fn note(&mut self, line: &'f Line, of: Option<&[u8]>) {
        if let Some((name, of)) = line.value().zip(of) {
            self.note_value(name, of, operands(line));
        }
        if line.operation() == b"store"
            && let [value, pointer, ..] = parts_of(behind_words(line))[..]
            && let (Some((of, value)), Some((_, pointer))) = (typed(value), typed(pointer))
        {
            self.stored
                .insert(pointer.to_vec(), (plain(of), value.to_vec()));
        }
    }

    fn note_value(&mut self, name: &'f [u8], of: &[u8], made_of: Vec<&'f [u8]>) {
        let written = [b"%", name].concat();
        let ends = self.values.entry(of.to_vec());
        let ends = ends.or_insert_with(|| [written.clone(), written.clone()]);
        ends[1] = written;
        self.made_of.insert(name, (of.to_vec(), made_of));
    }

    /// What may stand in the place of what an instruction gives, what is likeliest first.
    fn others(&self, line: &'f Line, of: &[u8]) -> Vec<Vec<u8>> {
        let has_type = |name: &&[u8]| self.made_of.get(name).is_some_and(|(own, _)| own == of);
        let parts = operands(line);
        let inner = parts.iter().filter_map(|name| self.made_of.get(name));
        let inner = inner.flat_map(|(_, inner)| inner).copied();
        let made_of = parts.iter().copied().chain(inner).filter(has_type);
        let made_of = made_of.map(|name| [b"%", name].concat());
        let ends = self.values.get(of).into_iter().flatten().rev().cloned();
        let mut others: Vec<Vec<u8>> = Vec::new();
        for other in self.loaded(line, of).into_iter().chain(made_of).chain(ends) {
            if others.len() == MOST {
                break;
            }
            if !others.contains(&other) {
                others.push(other);
            }
        }
        others
    }

    /// What an instruction loads, if that was stored before.
    fn loaded(&self, line: &Line, of: &[u8]) -> Option<Vec<u8>> {
        let parts = parts_of(behind_words(line));
        let is_load = line.operation() == b"load";
        let (_, pointer) = typed(parts.get(1).filter(|_| is_load)?)?;
        let (stored, value) = self.stored.get(pointer)?;
        (stored == of).then(|| value.clone())
    }
}

/// The values that an instruction takes, without `%`.
fn operands(line: &Line) -> Vec<&[u8]> {
    let code = line.instruction();
    let names = names(code).into_iter();
    names
        .map(|range| &code[range.start + 1..range.end])
        .collect()
}

/// The type and the value of a part.
fn typed(part: &[u8]) -> Option<(&[u8], &[u8])> {
    let (of, value) = part.split_at(type_end(part)?);
    Some((of, value.trim_ascii()))
}
