//! Long rows: the parts of a document in document order, whatever they lie in.
//!
//! A part that is too heavy gives way to the parts in it, so that the declarations of all namespaces, the members of large
//! classes and the statements of large functions stand in one row and go in one run.

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

/// The outermost units of at most `most` tokens, and heavier ones without units in them; what nothing else in the row uses is cut
/// as fine as `finest`, since it may be all that holds the rest. Cost: linear in the units, a few times.
fn row(
    document: &Document,
    names: &Names,
    units: &[Unit],
    most: u32,
    finest: u32,
) -> Vec<Proposal> {
    let mut units: Vec<&Unit> = units.iter().collect();
    units.sort_by_key(|unit| unit.node);
    let ends: Vec<u32> = units
        .iter()
        .map(|unit| document.node(unit.node).end_id)
        .collect();
    let mut is_open: Vec<bool> = units
        .iter()
        .map(|unit| unit.proposal.weight > most)
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

/// Blocks of lines of at most `most` tokens, and single lines: a line, the deeper ones behind it, and a last one of a single
/// token that closes it; where no line is deeper, a paragraph. Cost: linear in the lines, times the depth of the blocks.
fn blocks(document: &Document, units: &[Unit], most: u32) -> Vec<Proposal> {
    let mut units: Vec<&Unit> = units.iter().collect();
    units.sort_by_key(|unit| unit.node);
    let ends: Vec<u32> = units
        .iter()
        .map(|unit| document.node(unit.node).end_id)
        .collect();
    let lines: Vec<Line> = outermost(&units, &ends, &vec![false; units.len()])
        .into_iter()
        .map(|index| Line::of(document, units[index]))
        .collect();
    let mut row = Vec::new();
    let mut open = vec![&lines[..]];
    while let Some(lines) = open.pop() {
        let weight: u32 = lines.iter().map(|line| line.unit.proposal.weight).sum();
        if lines.len() <= 1 || (weight <= most && lines.len() < units.len()) {
            row.extend(together_if_any(document, lines));
            continue;
        }
        // The last goes on first, so they are looked at in order.
        open.extend(split(lines).into_iter().rev());
    }
    row
}

/// A unit of its own line, or what begins in the middle of one.
struct Line<'u> {
    unit: &'u Unit,
    indentation: usize,
    /// Whether a blank line stands before it.
    is_apart: bool,
}

impl<'u> Line<'u> {
    fn of(document: &Document, unit: &'u Unit) -> Self {
        let before = &document.bytes()[..document.node(unit.node).range().start];
        let blanks = before.iter().rev();
        let indentation = blanks.take_while(|byte| b" \t".contains(byte)).count();
        let gap = before
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_whitespace());
        Self {
            unit,
            indentation,
            is_apart: gap.filter(|&&byte| byte == b'\n').count() > 1,
        }
    }
}

/// The blocks that begin at the least indentation; of a single block, its first line, what lies in it, and its last.
fn split<'l, 'u>(lines: &'l [Line<'u>]) -> Vec<&'l [Line<'u>]> {
    let least = lines.iter().map(|line| line.indentation).min().unwrap_or(0);
    let is_flat = lines.iter().all(|line| line.indentation == least);
    let mut starts = vec![0];
    for (place, line) in lines.iter().enumerate().skip(1) {
        let closes = lines[place - 1].indentation > least && line.unit.proposal.weight == 1;
        let begins = line.indentation == least && !closes;
        if begins && (!is_flat || line.is_apart) {
            starts.push(place);
        }
    }
    if starts.len() == 1 {
        if is_flat {
            return lines.chunks(1).collect();
        }
        let end = lines.len() - usize::from(lines[lines.len() - 1].indentation == least);
        return [&lines[..1], &lines[1..end.max(1)], &lines[end.max(1)..]]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect();
    }
    starts.push(lines.len());
    starts
        .windows(2)
        .map(|range| &lines[range[0]..range[1]])
        .collect()
}

fn together_if_any(document: &Document, lines: &[Line]) -> Option<Proposal> {
    let units: Vec<&Unit> = lines.iter().map(|line| line.unit).collect();
    let first = document.node(units.first()?.node).range().start;
    let last = document.node(units.last()?.node).range().end;
    let text = &document.bytes()[first..last.max(first)];
    Some(together(&units, fingerprint(&[b"block", text])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::{testing::Sample, units::units};

    /// The statements and declarations of the row.
    fn parts(text: &str, most: u32, finest: u32) -> Vec<String> {
        let sample = Sample::new("cpp", text);
        let units = units(&sample.document, &sample.names);
        let row = super::row(&sample.document, &sample.names, &units, most, finest);
        let text = |part: &Proposal| {
            String::from_utf8_lossy(sample.document.text(part.takes[0].start)).into_owned()
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
            let sample = Sample::new("none", text);
            let units = units(&sample.document, &sample.names);
            let row = super::blocks(&sample.document, &units, most);
            let texts = row.iter().map(|part| {
                let nodes = &sample.document.nodes();
                let first = nodes[part.takes[0].start as usize].range().start;
                let last = part.takes.last().unwrap().start;
                let text = &text[first..nodes[last as usize].range().end];
                text.replace('\n', "|")
            });
            texts.collect()
        };
        let text = "a\n  b\n  c\nend\nd\n  e\n    f\n  g\n";
        assert_eq!(blocks(text, 4), ["a|  b|  c|end", "d|  e|    f|  g"]);
        assert_eq!(blocks(text, 2), ["a", "b", "c", "end", "d", "e|    f", "g"]);
        let text = "a b\nc\n\nd\ne\n";
        assert_eq!(blocks(text, 3), ["a b|c", "d|e"]);
    }
}
