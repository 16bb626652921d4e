//! Lines: a text without a grammar as rows of blocks, one for each level, and as the row of its single lines.
//!
//! A block is a line, what stands deeper behind it, and the line that ends that. What is indented stands deeper, and so does what
//! stands between a line that opens something and the line that closes it: a bracket, or a word that is closed by the same word
//! with something before it (`<a>` and `</a>`, `if` and `endif`). Each level is one row over all of the text, as in
//! Hierarchical Delta Debugging (G. Misherghi and Z. Su, 2006), so that any run of it is made of whole blocks. Which row is searched
//! when is the strategy's to say.

mod endings;

pub use endings::units;

use super::{
    Context,
    proposal::{Proposal, fingerprint},
};
use crate::syntax::{Document, Edit, NodeId, Splice, column_behind, goes_on};
use rustc_hash::FxHashMap;
use std::{collections::BTreeMap, ops::Range};

/// The removal of each line with its end, in order. None with a grammar, for a single line, or for binary data. Cost: linear.
pub fn lines(context: &Context) -> Vec<Proposal> {
    let document = context.document();
    if document.grammar().is_some() || document.bytes().contains(&0) {
        return Vec::new();
    }
    let mut end = 0;
    let texts = document.bytes().split_inclusive(|&byte| byte == b'\n');
    let ranges = texts.map(|line| {
        let start = end;
        end += line.len();
        start..end
    });
    let ranges: Vec<Range<usize>> = ranges.collect();
    if ranges.len() < 2 {
        return Vec::new();
    }
    let mut leaves = document.leaves().peekable();
    let mut next_leaf =
        |line: &Range<usize>| leaves.next_if(|leaf| document.node(*leaf).range().start < line.end);
    let removal = |line: Range<usize>| {
        let taken: Vec<NodeId> = std::iter::from_fn(|| next_leaf(&line)).collect();
        Proposal {
            weight: u32::try_from(taken.len()).unwrap_or(u32::MAX).max(1),
            takes: taken.iter().map(|&leaf| leaf..leaf + 1).collect(),
            signature: fingerprint(&[b"line", &document.bytes()[line.clone()]]),
            edit: Edit::new(vec![Splice::inside(line)]),
            ..Proposal::default()
        }
    };
    ranges.into_iter().map(removal).collect()
}

/// The removal of all lines that begin with the same mark, as comments do, for each mark that begins many; then of those of them with
/// nothing before it, where that is not all, and of those that begin with the same mark and word. No mark begins with a
/// bracket. Cost: linear, and sorting the marks.
pub fn marked_lines(context: &Context) -> Vec<Proposal> {
    let (document, lines) = (context.document(), lines(context));
    let all: u32 = lines.iter().map(|line| line.weight).sum();
    let mut kinds: BTreeMap<(Alike, &[u8]), Vec<&Proposal>> = BTreeMap::new();
    for line in &lines {
        let Some(range) = line.edit.splices().first().map(Splice::range) else {
            continue;
        };
        for beginning in beginnings(&document.bytes()[range]) {
            kinds.entry(beginning).or_default().push(line);
        }
    }
    let weight = |lines: &[&Proposal]| lines.iter().map(|line| line.weight).sum::<u32>();
    kinds.retain(|_, lines| lines.len() >= MANY_MARKED && weight(lines) >= all / MARKED);
    let all_of: Vec<(&[u8], usize)> = kinds
        .range(..(Alike::OutermostMark, &b""[..]))
        .map(|(&(_, mark), lines)| (mark, lines.len()))
        .collect();
    kinds.retain(|&(alike, mark), lines| {
        alike != Alike::OutermostMark || !all_of.contains(&(mark, lines.len()))
    });
    let removal = |(&(alike, mark), lines): (&(Alike, &[u8]), &Vec<&Proposal>)| {
        let signature = fingerprint(&[b"marked", &[alike as u8], mark]);
        Proposal::together(lines.iter().copied(), signature)
    };
    kinds.iter().map(removal).collect()
}

/// How a line begins, as others may.
fn beginnings(line: &[u8]) -> impl Iterator<Item = (Alike, &[u8])> {
    let text = line.trim_ascii_start();
    let (sign, word) = first_word(text);
    let mark = sign.split(u8::is_ascii_whitespace).next().unwrap_or(sign);
    let is_mark = mark.first().is_some_and(|byte| !BRACKETS.contains(byte));
    let outermost = (text.len() == line.len()).then_some((Alike::OutermostMark, mark));
    let with_word = &text[..sign.len() + word.len()];
    let with_word = (mark == sign).then_some((Alike::Word, with_word));
    let all = [Some((Alike::Mark, mark)), outermost, with_word];
    all.into_iter().flatten().filter(move |_| is_mark)
}

/// In what lines begin alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Alike {
    Mark,
    /// The same, with nothing before it: a mark that says something else where it stands deeper.
    OutermostMark,
    Word,
}

/// Lines that begin alike are worth a question if they are so many, and one token of so many stands in them.
const MANY_MARKED: usize = 8;
const MARKED: u32 = 64;
const BRACKETS: &[u8] = b"()[]{}<>";

/// Neighbouring lines that go together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Their places among the lines that were given.
    pub lines: Range<u32>,
    /// How bad it is to cut the row of blocks before this one: less is better. What stands below a common line belongs together;
    /// a paragraph begins behind a blank line; and a line that only ends what is deeper belongs to that.
    pub seam: u32,
}

/// The texts of these lines.
pub fn texts<'d>(document: &'d Document, lines: &[Proposal]) -> Vec<&'d [u8]> {
    let splices = lines.iter().filter_map(|line| line.edit.splices().first());
    splices
        .map(|splice| &document.bytes()[splice.range()])
        .collect()
}

/// How many kinds of seams there are at one depth.
const KINDS: u32 = 3;

/// How deep lines stand: by what is open before them, then by their columns. A blank line stands nowhere.
pub struct Lines {
    depths: Vec<Option<u32>>,
    /// Whether the line goes on with what stands above it at the same depth.
    goes_on: Vec<bool>,
}

impl Lines {
    /// Of lines in order, with their ends. Cost: linear.
    pub fn of(texts: &[&[u8]]) -> Self {
        let open = open_before(texts);
        let depths = texts.iter().zip(open);
        let depths = depths.map(|(line, open)| {
            let column = column_behind(&line[..line.len() - line.trim_ascii_start().len()]);
            let column = u32::try_from(column).unwrap_or(u32::MAX).min(WIDEST);
            let depth = open.saturating_mul(WIDEST + 1).saturating_add(column);
            (!line.trim_ascii().is_empty()).then_some(depth)
        });
        let goes_on = texts
            .iter()
            .map(|line| goes_on(first_word(line.trim_ascii()).1));
        Self {
            depths: depths.collect(),
            goes_on: goes_on.collect(),
        }
    }

    /// Each line as a block. Cost: linear.
    pub fn single(&self) -> Vec<Block> {
        let lines = 0..self.depths.len();
        self.with_seams(lines.map(|place| place..place + 1))
    }

    /// The blocks that lie in so many others, in order; blank lines belong to the block before them. Cost: linear.
    pub fn blocks_at(&self, level: u32) -> Vec<Block> {
        let mut blocks: Vec<Range<usize>> = Vec::new();
        // The depths of the lines that the next one may lie below.
        let mut around: Vec<u32> = Vec::new();
        let (mut is_open, mut has_ended) = (false, false);
        for (place, depth) in self.depths.iter().enumerate() {
            let line = place..place + 1;
            let &Some(depth) = depth else {
                // Blank lines at the start are a block of their own.
                match blocks.last_mut().filter(|_| is_open) {
                    Some(block) => block.end = line.end,
                    None if place == 0 && level == 0 => blocks.push(line),
                    None => {}
                }
                continue;
            };
            let mut ends_one = false;
            while around.last().is_some_and(|&outer| outer >= depth) {
                ends_one |= around.pop() == Some(depth);
            }
            let own = u32::try_from(around.len()).unwrap_or(u32::MAX);
            around.push(depth);
            let is_end = ends_one && self.is_end(place);
            let is_middle = ends_one && self.goes_on[place] && !has_ended;
            let goes_on = own > level || (own == level && (is_end || is_middle));
            match blocks.last_mut().filter(|_| is_open && goes_on) {
                Some(block) => block.end = line.end,
                None if own == level && !is_end => blocks.push(line),
                None => {}
            }
            has_ended = is_end;
            is_open = own > level || (own == level && (is_open || !is_end));
        }
        self.with_seams(blocks.into_iter())
    }

    fn with_seams(&self, blocks: impl Iterator<Item = Range<usize>>) -> Vec<Block> {
        let narrow = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        let mut before = 0;
        let block = |lines: Range<usize>| {
            let seam = self.seam(before, lines.start);
            before = lines.start + 1;
            Block {
                lines: narrow(lines.start)..narrow(lines.end),
                seam,
            }
        };
        blocks.map(block).collect()
    }

    /// How bad it is to cut before the line at `place`, with the lines from `before` on between it and the block before.
    fn seam(&self, before: usize, place: usize) -> u32 {
        // These lines belong to what holds both.
        let gap = self.depths.get(before..=place).unwrap_or_default();
        let depth = gap.iter().flatten().min().copied();
        let is_after_blank = place == 0 || self.depths[place - 1].is_none();
        let kind = match (is_after_blank, self.is_end(place)) {
            (true, _) => 0,
            (false, false) => 1,
            (false, true) => 2,
        };
        let depth = depth.filter(|_| self.depths[place].is_some());
        depth.map_or(u32::MAX, |depth| {
            depth.saturating_mul(KINDS).saturating_add(kind)
        })
    }

    /// Whether a line ends what stands deeper before it, and begins nothing deeper itself.
    fn is_end(&self, place: usize) -> bool {
        let own = self.depths[place];
        if own.is_none() {
            return false;
        }
        let solid = |depth: &&Option<u32>| depth.is_some();
        let (before, behind) = (&self.depths[..place], &self.depths[place + 1..]);
        let before = before.iter().rev().find(solid).copied().flatten();
        let behind = behind.iter().find(solid).copied().flatten();
        before > own && behind <= own
    }
}

/// Columns beyond this are alike.
const WIDEST: u32 = 255;

/// For each line how many are open before it that a line behind it, or itself, closes. Cost: linear.
fn open_before(lines: &[&[u8]]) -> Vec<u32> {
    let mut open: FxHashMap<Opener, Vec<usize>> = FxHashMap::default();
    let mut changes = vec![0i64; lines.len() + 1];
    for (place, line) in lines.iter().enumerate() {
        let line = line.trim_ascii();
        let closed = closed_by(line).find_map(|opener| open.get_mut(&opener).and_then(Vec::pop));
        if let Some(opener) = closed {
            changes[opener + 1] += 1;
            changes[place] -= 1;
        }
        for opener in openers(line) {
            open.entry(opener).or_default().push(place);
        }
    }
    let mut depth = 0;
    let mut open_at = |change: &i64| {
        depth += change;
        u32::try_from(depth).unwrap_or_default()
    };
    changes[..lines.len()].iter().map(&mut open_at).collect()
}

/// What a line opens: by what stands before its first word, and the word; or by its last bracket.
type Opener<'b> = (&'b [u8], &'b [u8]);

fn openers(line: &[u8]) -> impl Iterator<Item = Opener<'_>> {
    let (sign, word) = first_word(line);
    let is_closed = line[sign.len() + word.len()..]
        .windows(word.len() + 1)
        .any(|window| window[0] == b'/' && window[1..] == *word);
    // A number is no word: longer ones end with it by chance.
    let is_word = word.first().is_some_and(u8::is_ascii_alphabetic);
    let word = Some((sign, word)).filter(|_| is_word && !is_closed);
    let bracket = line.last().filter(|byte| b"([{".contains(byte));
    let bracket = bracket.map(|_| (&line[line.len() - 1..], &b""[..]));
    word.into_iter().chain(bracket)
}

/// What a line may close.
fn closed_by(line: &[u8]) -> impl Iterator<Item = Opener<'_>> {
    let bracket: Option<&[u8]> = match line.first() {
        Some(b')') => Some(b"("),
        Some(b']') => Some(b"["),
        Some(b'}') => Some(b"{"),
        _ => None,
    };
    let (sign, word) = first_word(line);
    let tag = sign.strip_suffix(b"/").map(|sign| (sign, word));
    let longest = LONGEST_PREFIX.min(word.len().saturating_sub(SHORTEST_WORD));
    let words = (1..=longest).map(move |length| (sign, &word[length..]));
    bracket
        .map(|bracket| (bracket, &b""[..]))
        .into_iter()
        .chain(tag)
        .chain(words)
}

/// What stands before a closing word that is the opening one but for that has so many letters, and that so many at least.
const LONGEST_PREFIX: usize = 3;
const SHORTEST_WORD: usize = 2;

/// The letters and digits that come first in a line, and the signs before them.
fn first_word(line: &[u8]) -> (&[u8], &[u8]) {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric();
    let start = line.iter().position(is_letter).unwrap_or(line.len());
    let length = line[start..]
        .iter()
        .take_while(|byte| is_letter(byte))
        .count();
    (&line[..start], &line[start..start + length])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{offered, results, sample};

    fn lines_of(text: &str) -> (Lines, Vec<&str>) {
        let texts: Vec<&str> = text.split_inclusive('\n').collect();
        let bytes: Vec<&[u8]> = texts.iter().map(|line| line.as_bytes()).collect();
        (Lines::of(&bytes), texts)
    }

    fn blocks_at(text: &str, level: u32) -> Vec<String> {
        let (lines, texts) = lines_of(text);
        let text =
            |block: Block| texts[block.lines.start as usize..block.lines.end as usize].concat();
        let blocks = lines.blocks_at(level).into_iter();
        blocks.map(|block| text(block).replace('\n', "|")).collect()
    }

    #[test]
    fn a_line_goes_with_its_end() {
        let sample = sample("none", "a b\n\n  c\nd");
        let lines = lines(&sample);
        let found = results(sample.document(), &lines);
        let wanted = ["\n  c\nd", "a b\n  c\nd", "a b\n\nd", "a b\n\n  c\n"];
        assert_eq!(found, wanted);
        let weights: Vec<u32> = lines.iter().map(|line| line.weight).collect();
        assert_eq!(weights, [2, 1, 1, 1]);
    }

    #[test]
    fn deeper_lines_and_the_line_that_ends_them_belong_to_a_block() {
        let text = "a\n  b\n    c\n  d\nend\ne\n\nf\n  g\nh\n  i\n";
        assert_eq!(
            blocks_at(text, 0),
            ["a|  b|    c|  d|end|", "e||", "f|  g|", "h|  i|"]
        );
        assert_eq!(blocks_at(text, 1), ["  b|    c|  d|", "  g|", "  i|"]);
        assert_eq!(blocks_at(text, 2), ["    c|"]);
        assert_eq!(
            blocks_at("f(\n  a\nbegin\n  b\nend\nc\n", 0),
            ["f(|  a|begin|  b|end|", "c|"]
        );
        let tags = "<a>\n<b>c</b>\n<d>\ne\n</d>\n</a>\n";
        assert_eq!(blocks_at(tags, 1), ["<b>c</b>|", "<d>|e|</d>|"]);
        assert_eq!(blocks_at("f {\nif a\nb\nendif\n}\n", 1), ["if a|b|endif|"]);
        assert_eq!(blocks_at("    a\n  b\nc\n", 0), ["    a|", "  b|", "c|"]);
    }

    #[test]
    fn a_tab_stands_for_the_columns_up_to_its_stop() {
        assert_eq!(
            blocks_at("a\n    b\n\tc\n    d\n\te\n", 1),
            ["    b|\tc|", "    d|\te|"]
        );
    }

    #[test]
    fn what_has_ended_does_not_go_on() {
        let text = "if {\n  a\n}\nelse {\n  b\n}\n";
        assert_eq!(blocks_at(text, 0), ["if {|  a|}|", "else {|  b|}|"]);
        let text = "if a\n  b\nelse\n  c\nend\n";
        assert_eq!(blocks_at(text, 0), ["if a|  b|else|  c|end|"]);
    }

    #[test]
    fn lines_with_one_mark_go_together_if_they_are_many() {
        let comments = |count: usize| "# b c d e\na\n".repeat(count);
        let found = offered("none", &comments(MANY_MARKED), marked_lines);
        assert_eq!(found, ["a\n".repeat(MANY_MARKED)]);
        assert!(offered("none", &comments(MANY_MARKED - 1), marked_lines).is_empty());
        let with_bracket = "*> b c d e\na\n".repeat(MANY_MARKED);
        let found = offered("none", &with_bracket, marked_lines);
        assert_eq!(found, ["a\n".repeat(MANY_MARKED)]);
        let brackets = "}\na\n".repeat(MANY_MARKED);
        assert!(offered("none", &brackets, marked_lines).is_empty());
        let words = ".a b\n.c d\n".repeat(MANY_MARKED);
        let found = offered("none", &words, marked_lines);
        let wanted = [
            "",
            &".c d\n".repeat(MANY_MARKED),
            &".a b\n".repeat(MANY_MARKED),
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_mark_may_say_something_else_where_it_stands_deeper() {
        let text = "* b c\n  a\n     * d\n".repeat(MANY_MARKED);
        let found = offered("none", &text, marked_lines);
        assert!(found.contains(&"  a\n     * d\n".repeat(MANY_MARKED)));
        assert!(found.contains(&"  a\n".repeat(MANY_MARKED)));
    }

    #[test]
    fn blocks_and_paragraphs_are_cut_before_their_first_lines() {
        let blocks = lines_of("a\n  b\n    c\n  d\nend\ne\n\nf\n").0.single();
        let cheapest_first =
            |places: &[usize]| places.is_sorted_by_key(|&place| blocks[place].seam);
        assert!(cheapest_first(&[7, 5, 4, 1, 3, 2, 6]), "{blocks:?}");
    }
}
