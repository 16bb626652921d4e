//! Functions in static single assignment form: what an edit leaves of one is made whole again.
//!
//! In LLVM's assembly hardly a line of a function can go alone. A block has to end with a jump, to a block that is there; a `phi`
//! names each block that jumps to its own, and no other; a value has to be there for what uses it; and values and blocks without
//! a name are numbered in the order in which they stand. So a removal that left the rest as it is would be refused whatever the
//! oracle looks for. Here the rest follows, as it does in `llvm-reduce`, which works on the graph itself.

mod addresses;
mod blocks;
mod fit;
mod flow;
mod names;
mod text;
mod values;

pub use blocks::{blocks, instructions};
pub use values::earlier_values;

use crate::syntax::{Document, Edit, Joint, NodeId, Splice, StaticSingle};
use addresses::{Blocks, Moved};
use rustc_hash::FxHashMap;
use std::ops::Range;
use text::Function;

/// The edit with what has to follow in the functions that it changes, and where the addresses of their blocks stand among the other
/// declarations; itself for other languages. Cost: linear in these functions and declarations.
pub(super) fn made_whole(document: &Document, edit: Edit) -> Edit {
    let Some(facts) = facts(document) else {
        return edit;
    };
    let mut splices: Vec<Splice> = edit.splices().to_vec();
    let mut moved = Moved::default();
    for function in functions(document, facts) {
        let range = document.node(function).range();
        let lies_inside = |splice: &Splice| {
            range.start <= splice.range().start && splice.range().end <= range.end
        };
        let (inside, outside): (Vec<Splice>, Vec<Splice>) =
            splices.iter().cloned().partition(lies_inside);
        if inside.is_empty() || inside.iter().any(|splice| splice.range() == range) {
            continue;
        }
        let before = &document.bytes()[range.clone()];
        if let Some(rest) = rest(before, &inside, range.start, facts) {
            splices = outside;
            splices.push(Splice::replacement(range, &rest.text));
            moved.note(document, function, rest.blocks);
        }
    }
    moved.follow(document, facts, &mut splices);
    Edit::new(splices)
}

/// How much the language does not take: errors, and instructions that its grammar takes; `None` for other languages. Cost: linear.
pub fn misfits(document: &Document) -> Option<usize> {
    let facts = facts(document)?;
    let functions = functions(document, facts);
    let functions = functions.filter_map(|node| Function::of(document.text(node)));
    let misfits = functions.map(|function| fit::misfits(&function, facts));
    Some(misfits.sum::<usize>() + document.error_count())
}

fn facts(document: &Document) -> Option<&StaticSingle> {
    document.language()?.facts().static_single.as_ref()
}

/// The functions of a document, in order.
fn functions(document: &Document, facts: &StaticSingle) -> impl Iterator<Item = NodeId> {
    let declarations = document.children(0);
    declarations.filter(|&node| document.kind_name(node) == facts.scope)
}

/// What an edit leaves of a function.
struct Rest {
    text: Vec<u8>,
    blocks: Blocks,
}

/// What the splices leave of a function that begins at `start`, made whole; `None` if nothing has to follow, in it or elsewhere.
fn rest(before: &[u8], inside: &[Splice], start: usize, facts: &StaticSingle) -> Option<Rest> {
    let shifted = inside.iter().map(|splice| {
        let Range { start: from, end } = splice.range();
        Splice::replacement(from - start..end - start, &splice.text)
    });
    let mut text = Vec::with_capacity(before.len());
    Edit::new(shifted.collect()).render(before, Joint::KeepTokensApart, &mut text);
    let before = Function::of(before)?;
    let mut function = Function::of(&text)?;
    flow::follow(&before, &mut function, facts);
    let names = names::follow(&before, &mut function, facts);
    let whole = function.render();
    let blocks = blocks_by_name(&before, &names);
    let has_lost_a_block = blocks.values().any(Option::is_none);
    (whole != text || has_lost_a_block).then_some(Rest {
        text: whole,
        blocks,
    })
}

/// Where the blocks are under the new names of what is there.
fn blocks_by_name(before: &Function, names: &FxHashMap<Vec<u8>, Vec<u8>>) -> Blocks {
    let blocks = before.blocks.iter().filter_map(text::Block::name);
    blocks
        .map(|name| (name.to_vec(), names.get(name).cloned()))
        .collect()
}

#[cfg(test)]
mod tests;
