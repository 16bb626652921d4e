//! The columns at which blocks can begin, in languages whose blocks are told by their columns alone.
//!
//! The scanner of such a language remembers a column for each open block, and there is only so much room: one that runs over ends
//! the whole program. So a text that could open more blocks than fit is not shown to it. Open blocks begin at ever larger columns,
//! and all that begins a block stands first in its line or behind indicators that do (`- - a: b`).

use std::collections::BTreeSet;

/// Indicators behind which a block can begin in the same line.
const INDICATORS: &[u8] = b"-?:";

/// At how many different columns a block can begin. Cost: linear, and one entry for each column.
pub(super) fn count(bytes: &[u8]) -> usize {
    let mut columns = BTreeSet::new();
    for line in bytes.split(|&byte| byte == b'\n' || byte == b'\r') {
        let mut column = 0;
        loop {
            column += blanks(&line[column..]);
            if column == line.len() {
                break;
            }
            columns.insert(column);
            let is_indicator = INDICATORS.contains(&line[column]);
            if !is_indicator || blanks(&line[column + 1..]) == 0 {
                break;
            }
            column += 1;
        }
    }
    columns.len()
}

fn blanks(text: &[u8]) -> usize {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    text.iter().take_while(is_blank).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_begin_at_the_first_token_and_behind_indicators() {
        assert_eq!(count(b""), 0);
        assert_eq!(count(b"a: b: c\n  d: - e\n\n"), 2);
        assert_eq!(count(b"- - a: b\r- c"), 3);
        assert_eq!(count("- ".repeat(300).as_bytes()), 300);
    }
}
