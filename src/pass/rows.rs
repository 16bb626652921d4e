//! Long rows: the parts of a document in document order, whatever they lie in.
//!
//! A namespace or class that is too heavy gives way to the parts in it, so that the declarations of all namespaces and the
//! members of large classes stand in one row and go in one run.

use super::{
    dependencies::Dependencies,
    names::Names,
    proposal::{Proposal, fingerprint},
    units::{Unit, together},
};
use crate::syntax::Document;
use fixedbitset::FixedBitSet;

/// The parts of a document: without a grammar its blocks of lines, else its units.
pub fn parts(
    document: &Document,
    names: &Names,
    units: &[Unit],
    most: u32,
    finest: u32,
) -> Vec<Proposal> {
    if document.grammar().is_some() {
        row(document, names, units, most, finest)
    } else {
        blocks(document, units, most)
    }
}

/// The outermost units, those that hold declarations of others only up to `most` tokens; what nothing else in the row uses is cut
/// as fine as `finest`, since it may be all that holds the rest. Cost: linear in the units, a few times.
fn row(
    document: &Document,
    names: &Names,
    units: &[Unit],
    most: u32,
    finest: u32,
) -> Vec<Proposal> {
    let units = in_order(units);
    let ends: Vec<u32> = units
        .iter()
        .map(|unit| document.node(unit.node).end_id)
        .collect();
    // What stands in a namespace or a class is known outside of it; what stands in a function is not, and its neighbours tell little.
    let is_container = |unit: &Unit| unit.proposal.declares.len() > 1;
    let mut is_open: Vec<bool> = units
        .iter()
        .map(|unit| unit.proposal.weight > most && is_container(unit))
        .collect();
    loop {
        let row = outermost(&units, &ends, &is_open);
        let proposals: Vec<Proposal> = row
            .iter()
            .map(|&index| units[index].proposal.clone())
            .collect();
        if most <= finest {
            return proposals;
        }
        let dependencies = Dependencies::of(document, names, &proposals);
        let gone = FixedBitSet::with_capacity(row.len());
        let mut changed = false;
        for (part, &index) in (0..).zip(&row) {
            let has_inner = units
                .get(index + 1)
                .is_some_and(|inner| inner.node < ends[index]);
            if units[index].proposal.weight > finest
                && has_inner
                && dependencies.is_unused(part, &gone)
            {
                is_open[index] = true;
                changed = true;
            }
        }
        if !changed {
            return proposals;
        }
    }
}

/// The outermost units that are not open, or that have none in them.
fn outermost(units: &[&Unit], ends: &[u32], is_open: &[bool]) -> Vec<usize> {
    let mut row = Vec::new();
    let mut next = 0;
    for (index, unit) in units.iter().enumerate() {
        let has_inner = units
            .get(index + 1)
            .is_some_and(|inner| inner.node < ends[index]);
        if unit.node >= next && !(is_open[index] && has_inner) {
            next = ends[index];
            row.push(index);
        }
    }
    row
}

/// Blocks of lines of at most `most` tokens: what the indentation puts together with a last line of a single token that closes
/// it, and paragraphs of lines without anything deeper. Cost: linear in the units, times their depth.
fn blocks(document: &Document, units: &[Unit], most: u32) -> Vec<Proposal> {
    let units = in_order(units);
    let blocks = groups_of_lines(document, &units, most).into_iter();
    blocks
        .map(|block| together(&block, signature(document, &block)))
        .collect()
}

/// Without a grammar, what stands deeper than the first lines of such blocks: the counterpart of bodies.
pub fn insides(document: &Document, units: &[Unit], most: u32) -> Vec<Proposal> {
    let units = in_order(units);
    let mut row = Vec::new();
    for unit in groups_of_lines(document, &units, most).concat() {
        let start = document.node(unit.node).range().start;
        let mut deeper = siblings(document, inside(document, &units, unit));
        deeper.retain(|inner| {
            let head = start..document.node(inner.node).range().start;
            document.bytes()[head].contains(&b'\n')
        });
        if !deeper.is_empty() {
            row.push(together(&deeper, signature(document, &deeper)));
        }
    }
    row
}

fn in_order(units: &[Unit]) -> Vec<&Unit> {
    let mut units: Vec<&Unit> = units.iter().collect();
    units.sort_by_key(|unit| unit.node);
    units
}

fn groups_of_lines<'u>(document: &Document, units: &[&'u Unit], most: u32) -> Vec<Vec<&'u Unit>> {
    let mut row = Vec::new();
    // The last goes on first, so they are looked at in order.
    let mut open = vec![siblings(document, units)];
    while let Some(block) = open.pop() {
        let weight: u32 = block.iter().map(|unit| unit.proposal.weight).sum();
        let is_whole = block.len() > 1 && row.is_empty() && open.is_empty();
        let inner = match block[..] {
            [] => continue,
            [unit] => siblings(document, inside(document, units, unit)),
            _ => Vec::new(),
        };
        if (weight <= most && !is_whole) || (block.len() == 1 && inner.is_empty()) {
            row.push(block);
        } else if block.len() == 1 {
            open.extend(groups(document, &inner).into_iter().rev());
        } else {
            let mut groups = groups(document, &block);
            if groups.len() == 1 {
                groups = block.iter().map(|&unit| vec![unit]).collect();
            }
            open.extend(groups.into_iter().rev());
        }
    }
    row
}

/// The outermost of these units, which are in document order.
fn siblings<'u>(document: &Document, units: &[&'u Unit]) -> Vec<&'u Unit> {
    let mut end = 0;
    let mut outermost = units.to_vec();
    outermost.retain(|unit| {
        let is_outer = unit.node >= end;
        end = if is_outer {
            document.node(unit.node).end_id
        } else {
            end
        };
        is_outer
    });
    outermost
}

/// The units in a unit.
fn inside<'s, 'u>(document: &Document, units: &'s [&'u Unit], whole: &Unit) -> &'s [&'u Unit] {
    let first = units.partition_point(|unit| unit.node <= whole.node);
    let end = document.node(whole.node).end_id;
    &units[first..units.partition_point(|unit| unit.node < end).max(first)]
}

/// Neighbours that belong together.
fn groups<'u>(document: &Document, units: &[&'u Unit]) -> Vec<Vec<&'u Unit>> {
    let text = |unit: &Unit| &document.bytes()[document.node(unit.node).range()];
    let is_deep = |unit: &Unit| text(unit).contains(&b'\n');
    let is_flat = !units.iter().any(|unit| is_deep(unit));
    let mut groups: Vec<Vec<&Unit>> = Vec::new();
    for &unit in units {
        let before = groups.last().and_then(|group| group.last());
        let belongs = before.is_some_and(|before| {
            let gap =
                document.node(before.node).range().end..document.node(unit.node).range().start;
            let lines = document.bytes().get(gap).unwrap_or_default();
            let is_next = lines.split(|&byte| byte == b'\n').count() <= 2;
            is_next && (is_flat || (is_deep(before) && unit.proposal.weight == 1))
        });
        match groups.last_mut().filter(|_| belongs) {
            Some(group) => group.push(unit),
            None => groups.push(vec![unit]),
        }
    }
    groups
}

/// Of neighbouring units, by their text.
fn signature(document: &Document, units: &[&Unit]) -> u64 {
    let range = |unit: &&Unit| document.node(unit.node).range();
    let start = units.first().map_or(0, |unit| range(unit).start);
    let end = units.last().map_or(0, |unit| range(unit).end);
    fingerprint(&[b"block", &document.bytes()[start..end.max(start)]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::sample;

    /// The statements and declarations of the row.
    fn parts(text: &str, most: u32, finest: u32) -> Vec<String> {
        let sample = sample("cpp", text);
        let row = super::row(
            sample.document(),
            sample.names(),
            sample.units(),
            most,
            finest,
        );
        let text = |part: &Proposal| {
            String::from_utf8_lossy(sample.document().text(part.takes[0].start)).into_owned()
        };
        let mut parts: Vec<String> = row.iter().map(text).collect();
        parts.retain(|part| part.ends_with([';', '}']));
        parts
    }

    #[test]
    fn what_is_too_heavy_gives_way_to_what_is_in_it() {
        let text = "namespace a { int b; int c; } int d; int e = d;";
        let whole = ["namespace a { int b; int c; }", "int d;", "int e = d;"];
        assert_eq!(parts(text, 100, 100), whole);
        let inner = ["int b;", "int c;", "int d;", "int e = d;"];
        assert_eq!(parts(text, 5, 5), inner);
    }

    #[test]
    fn what_nothing_uses_is_cut_finer() {
        let text = "int f() { return 1; } int g() { f(); f(); }";
        assert_eq!(
            parts(text, 100, 4),
            ["int f() { return 1; }", "f();", "f();"]
        );
    }

    #[test]
    fn without_a_grammar_blocks_go_by_indentation_and_paragraphs() {
        let blocks = |text: &str, most: u32| -> Vec<String> {
            let sample = sample("none", text);
            let row = super::blocks(sample.document(), sample.units(), most);
            let texts = row.iter().map(|part| {
                let nodes = sample.document().nodes();
                let first = nodes[part.takes[0].start as usize].range().start;
                let last = part.takes.last().unwrap().start;
                let text = &text[first..nodes[last as usize].range().end];
                text.replace('\n', "|")
            });
            texts.collect()
        };
        let text = "a\n  b\n  c\nend\nd\n  e\n    f\n  g\n";
        assert_eq!(blocks(text, 4), ["a|  b|  c|end", "d|  e|    f|  g"]);
        let inner = blocks(text, 2);
        assert!(inner.contains(&"b".to_owned()) && inner.contains(&"e|    f".to_owned()));
        let sample = sample("none", text);
        let insides = insides(sample.document(), sample.units(), 4);
        let weights: Vec<u32> = insides.iter().map(|inside| inside.weight).collect();
        assert_eq!(weights, [2, 3]);
        let text = "a b\nc\n\nd\ne\n";
        assert_eq!(blocks(text, 3), ["a b|c", "d|e"]);
    }
}
