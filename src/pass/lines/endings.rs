//! Units of a text whose layout says nothing of them: what stands between lines that say the same.
//!
//! Where a unit ends with a line of its own (`END` behind each subroutine, a directive behind each function of an assembler's file)
//! that line stands again and again, and the lines behind it begin as hardly any others do.

use super::{Block, first_word};
use rustc_hash::FxHashMap;

/// The lines that stand at least so many times may end units.
const LEAST_ENDS: usize = 8;
/// And so many lines that begin alike may begin them.
const LEAST_HEADS: usize = 4;

/// The units between the lines that end one, as ranges of these lines, which are in order; blank ones belong to the unit before them.
/// None if no line says that it ends units. Cost: linear.
pub fn units(lines: &[&[u8]]) -> Vec<Block> {
    let solid: Vec<&[u8]> = lines.iter().map(|line| line.trim_ascii_end()).collect();
    let Some(end) = ending(&solid) else {
        return Vec::new();
    };
    let mut starts = vec![0];
    let mut has_ended = false;
    let places = solid.iter().enumerate();
    for (place, line) in places.filter(|(_, line)| !line.is_empty()) {
        if has_ended {
            starts.push(place);
        }
        has_ended = *line == end;
    }
    starts.push(lines.len());
    let narrow = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
    let unit = |pair: &[usize]| Block {
        lines: narrow(pair[0])..narrow(pair[1]),
        seam: 0,
    };
    starts.windows(2).map(unit).collect()
}

/// The line that ends most units: most of the lines behind it begin as hardly any others do.
fn ending<'b>(lines: &[&'b [u8]]) -> Option<&'b [u8]> {
    let pairs = || {
        let solid = lines.iter().copied().filter(|line| !line.is_empty());
        solid.clone().zip(solid.skip(1))
    };
    let mut ends: FxHashMap<&[u8], usize> = FxHashMap::default();
    let mut heads: FxHashMap<Head, usize> = FxHashMap::default();
    for (end, line) in pairs() {
        *ends.entry(end).or_default() += 1;
        *heads.entry(head(line)).or_default() += 1;
    }
    ends.retain(|_, count| *count >= LEAST_ENDS);
    let mut together: FxHashMap<(&[u8], Head), usize> = FxHashMap::default();
    for (end, line) in pairs().filter(|(end, _)| ends.contains_key(end)) {
        *together.entry((end, head(line))).or_default() += 1;
    }
    // By end: how many of the lines behind it begin as lines hardly do elsewhere.
    let mut own: FxHashMap<&[u8], usize> = FxHashMap::default();
    for ((end, head), count) in together {
        if heads[&head] >= LEAST_HEADS && is_most(count, heads[&head]) {
            *own.entry(end).or_default() += count;
        }
    }
    own.retain(|end, own| is_most(*own, ends[end]));
    // The lines that each unit has once, in its middle too, are nearly as many: what ends units says little.
    let most = own.values().copied().max()?;
    own.retain(|_, own| 4 * *own >= 3 * most);
    own.into_keys().min_by_key(|&end| (end.len(), end))
}

/// How a line begins: its column, what stands before its first word, and that.
type Head<'b> = (usize, &'b [u8], &'b [u8]);

fn head(line: &[u8]) -> Head<'_> {
    let text = line.trim_ascii_start();
    let (sign, word) = first_word(text);
    (line.len() - text.len(), sign, word)
}

fn is_most(count: usize, all: usize) -> bool {
    5 * count >= 4 * all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::Range;

    fn found(text: &str) -> Vec<Range<u32>> {
        let lines: Vec<&[u8]> = text.split_inclusive('\n').map(str::as_bytes).collect();
        units(&lines).into_iter().map(|unit| unit.lines).collect()
    }

    /// So many units with other lines in each.
    fn units_of(count: usize, inner: usize) -> String {
        let unit = |place: usize| {
            let lines = (0..inner).map(|line| format!("start\nb{place}x{line}\nstop\n"));
            format!(
                "begin a{place}\n{}end\n\n",
                lines.collect::<Vec<_>>().concat()
            )
        };
        (0..count).map(unit).collect()
    }

    #[test]
    fn a_unit_ends_behind_its_last_line_and_the_blank_ones() {
        let wanted = (0..9).map(|unit| 6 * unit..6 * unit + 6);
        assert_eq!(
            found(&units_of(LEAST_ENDS + 1, 1)),
            wanted.collect::<Vec<_>>()
        );
    }

    #[test]
    fn what_stands_more_than_once_in_a_unit_ends_none() {
        assert_eq!(found(&units_of(LEAST_ENDS + 1, 3))[1], 12..24);
    }

    #[test]
    fn few_lines_and_lines_before_anything_end_no_units() {
        assert!(found(&units_of(LEAST_ENDS - 1, 1)).is_empty());
        let line = |line: usize| "a".repeat(line % 20 + 1) + "\n";
        let anything: Vec<String> = (0..20)
            .map(|place| "end\n".to_owned() + &line(place))
            .collect();
        let elsewhere: Vec<String> = (0..40).map(line).collect();
        let unlike = anything.concat() + &elsewhere.concat();
        assert!(found(&unlike).is_empty());
        assert!(found("").is_empty());
    }
}
