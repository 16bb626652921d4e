//! Dropping children of a node: what goes with them, what has to stand in their place, and the blanks around them.

use super::unended::{depth, is_closed};
use crate::{
    grammar::{PreparedRow, Repair, Siblings},
    syntax::{Document, NodeId, Splice},
};
use std::{iter, ops::Range, slice};

/// The children of a node, without extras, and what the grammar says about them: to be kept while they are asked about again and
/// again.
#[derive(Clone, Debug)]
pub struct Members {
    nodes: Vec<NodeId>,
    prepared: Option<PreparedRow>,
    /// The bytes of the node.
    window: Range<usize>,
}

/// What becomes of the blanks around what is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blanks {
    /// They stay.
    Stay,
    /// Those that would be left over go too.
    Go,
}

/// What removing one child comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// It just goes, with its separators.
    Free,
    /// Something smaller takes its place.
    Replaced,
    /// The grammar gives no way, or nothing smaller.
    Pointless,
}

impl Members {
    /// The children of this node. Cost: linear in their number.
    pub fn of(document: &Document, parent: NodeId) -> Self {
        let nodes = document.row(parent);
        let prepared = document.prepared(parent, &nodes);
        Self {
            nodes,
            prepared,
            window: window(document, parent),
        }
    }

    /// In their order.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// What the grammar says about them; `None` without a grammar. Cost: constant.
    pub fn siblings<'d>(&self, document: &'d Document) -> Option<Siblings<'d>> {
        Some(Siblings::of(document.grammar()?, self.prepared.as_ref()?))
    }

    /// What removing the child at this place comes to.
    pub fn removal(&self, document: &Document, place: usize) -> Removal {
        let Some(siblings) = self.siblings(document) else {
            // Without a grammar a bracket is not known to be needless.
            let is_named = document.node(self.nodes[place]).is_named();
            return if is_named {
                Removal::Free
            } else {
                Removal::Pointless
            };
        };
        let Some(repairs) = siblings.repair(slice::from_ref(&place)) else {
            return Removal::Pointless;
        };
        let mut removal = Removal::Free;
        for repair in repairs {
            match filler(document, &repair) {
                Some(text) if text.is_empty() => {}
                Some(text)
                    if is_less(document, &text, self.range_of(document, &repair.children)) =>
                {
                    removal = Removal::Replaced;
                }
                _ => return Removal::Pointless,
            }
        }
        removal
    }

    /// The splices that drop the children at these places (sorted, without repeats); `None` when the grammar gives no way. Cost:
    /// linear in the places and what stands between them, unless a change of the grammar's state goes on behind one.
    pub fn without(
        &self,
        document: &Document,
        places: &[usize],
        blanks: Blanks,
    ) -> Option<Vec<Splice>> {
        let deletion = |range: Range<usize>| match blanks {
            Blanks::Stay => Splice::deletion(range),
            Blanks::Go => with_blanks(document, &self.window, range),
        };
        let Some(siblings) = self.siblings(document) else {
            let separators = needless_separators(document, &self.nodes, places);
            let gone = places.iter().copied().chain(separators);
            let ranges = gone.map(|place| document.node(self.nodes[place]).range());
            return Some(ranges.map(deletion).collect());
        };
        let cut = |repair: Repair| {
            let filler = filler(document, &repair)?;
            let range = self.range_of(document, &repair.children);
            Some(if filler.is_empty() {
                let first = self.nodes[repair.children.start];
                let whole = document.start_with_attributes(first)..range.end;
                let pieces = self.around_halves(document, &repair.children, whole);
                pieces.into_iter().map(deletion).collect()
            } else {
                vec![Splice::replacement(range, &filler)]
            })
        };
        let cuts: Option<Vec<Vec<Splice>>> =
            siblings.repair(places)?.into_iter().map(cut).collect();
        Some(cuts?.into_iter().flatten().collect())
    }

    /// A range over neighbours without what has to stay between them. Cost: as [`Members::halves`].
    fn around_halves(
        &self,
        document: &Document,
        places: &Range<usize>,
        whole: Range<usize>,
    ) -> Vec<Range<usize>> {
        let mut start = whole.start;
        let mut pieces = Vec::new();
        for half in self.halves(document, places) {
            let stays = with_line_breaks(document.bytes(), document.node(half).range());
            pieces.push(start..stays.start.max(start));
            start = stays.end.min(whole.end).max(start);
        }
        pieces.push(start..whole.end);
        pieces.retain(|piece| !document.bytes()[piece.clone()].trim_ascii().is_empty());
        pieces
    }

    /// What stands between neighbours and opens or closes something outside, in document order. Cost: linear in the neighbours, and in
    /// all that they hold where the parser lost its way between them.
    fn halves(&self, document: &Document, places: &Range<usize>) -> Vec<NodeId> {
        let [first, last] = [places.start, places.end - 1].map(|place| self.nodes[place]);
        let next = |&id: &NodeId| Some(document.node(id).end_id).filter(|&next| next < last);
        let children = iter::successors(Some(first), next);
        let extras: Vec<NodeId> = children
            .filter(|&id| document.node(id).is_extra())
            .collect();
        let (Some(language), false) = (document.language(), extras.is_empty()) else {
            return Vec::new();
        };
        let single = language.single_halves(extras.iter().map(|&id| document.text(id)));
        let mut halves: Vec<NodeId> = single.into_iter().map(|place| extras[place]).collect();
        let is_open = |&id: &NodeId| document.node(id).is_error() && !is_closed(document, id);
        let whole = first..document.node(last).end_id;
        if extras.iter().any(is_open) && depth(document, whole) != 0 {
            halves.extend(extras.iter().copied().filter(is_open));
            halves.sort_unstable();
        }
        halves
    }

    /// The bytes from the first to the last of neighbours.
    fn range_of(&self, document: &Document, places: &Range<usize>) -> Range<usize> {
        let [first, last] = [places.start, places.end - 1].map(|place| self.nodes[place]);
        document.node(first).range().start..document.node(last).range().end
    }
}

/// A range with the line breaks before and behind it, where nothing but blanks stands between.
fn with_line_breaks(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let is_break = |&byte: &u8| byte == b'\n';
    let before = bytes[..range.start].trim_ascii_end().len();
    let start = bytes[before..range.start].iter().rposition(is_break);
    let behind = bytes.len() - bytes[range.end..].trim_ascii_start().len();
    let end = bytes[range.end..behind].iter().position(is_break);
    start.map_or(range.start, |start| before + start)
        ..end.map_or(range.end, |end| range.end + end + 1)
}

/// The bytes among which blanks may go with children of a node.
pub fn window(document: &Document, parent: NodeId) -> Range<usize> {
    match parent {
        0 => 0..document.bytes().len(),
        _ => document.node(parent).range(),
    }
}

/// A deletion that takes the blanks in the window with it that would be left over: those before, if there are some behind. A line
/// break before stays if it is needed, for instance to end a line comment.
pub fn with_blanks(document: &Document, window: &Range<usize>, range: Range<usize>) -> Splice {
    let bytes = document.bytes();
    let Range { mut start, mut end } = range;
    let first = window.start.min(start);
    let before = first + bytes[first..start].trim_ascii_end().len();
    let behind = bytes.len() - bytes[end..].trim_ascii_start().len();
    let breaks = |gap: Range<usize>| bytes[gap].contains(&b'\n');
    let at_end = behind == bytes.len();
    if before < start && (at_end || behind > end && (breaks(end..behind) || !breaks(before..start)))
    {
        start = before;
    } else if start == 0 || before == start || bytes[start - 1].is_ascii_whitespace() {
        // A line that is left empty goes; other line breaks may mean something.
        let starts_line = start == 0 || bytes[start - 1] == b'\n';
        let line = bytes[end..behind].iter().rposition(|&byte| byte == b'\n');
        let line = line.map_or(behind, |line| end + line + usize::from(starts_line));
        end = line.min(window.end.max(end));
    }
    Splice::deletion(start..end)
}

fn filler(document: &Document, repair: &Repair) -> Option<Vec<u8>> {
    document.grammar()?.least_of_all(&repair.filler)
}

/// Whether `text` is less than what stands there: fewer tokens, or as many and fewer bytes.
fn is_less(document: &Document, text: &[u8], range: Range<usize>) -> bool {
    let old = &document.bytes()[range];
    // Anything that is much longer has more tokens or longer ones, and need not be counted at every depth.
    let lexis = document.lexis();
    old.len() > 2 * text.len() + 64
        || (lexis.count(text), text.len()) < (lexis.count(old), old.len())
}

/// The places of the separators that have nothing left to separate when what stands at `places` goes, in a row without a
/// grammar: the one before each element that goes, and the one behind it if nothing is left before.
fn needless_separators(document: &Document, row: &[NodeId], places: &[usize]) -> Vec<usize> {
    let separates = |place: usize| document.kind_name(row[place]) == "separator";
    let goes = |place: usize| places.binary_search(&place).is_ok();
    let mut needless = Vec::new();
    let mut place = 0;
    let mut before: Option<usize> = None;
    let mut anything_left = false;
    while place <= row.len() {
        let end = (place..row.len())
            .find(|&place| separates(place))
            .unwrap_or(row.len());
        let mut element = (place..end).filter(|&place| document.kind_name(row[place]) != "bracket");
        let all_gone = element.clone().next().is_some() && element.all(goes);
        needless.extend(before.filter(|_| all_gone || !anything_left));
        anything_left |= !all_gone;
        before = (end < row.len()).then_some(end);
        place = end + 1;
    }
    needless
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Edit, Language};

    const PUSH: &str = "#pragma GCC visibility push(default)";
    const POP: &str = "#pragma GCC visibility pop";
    /// An attribute in a place that the grammar does not know has the parser see comments in the place of all of these.
    const LAST: &str = "int (__attribute__((x)) z);";

    /// What is left of a text without some of its members.
    fn left(language: &str, text: &str, places: &[usize], blanks: Blanks) -> String {
        let document = Document::new(text.as_bytes(), Language::named(language));
        let splices = Members::of(&document, 0).without(&document, places, blanks);
        let left = document.edited(&Edit::new(splices.unwrap()));
        String::from_utf8(left.bytes().to_vec()).unwrap()
    }

    #[test]
    fn what_opens_stays_when_neighbours_go_without_what_closes() {
        let text = format!("int a;\n{PUSH}\nint b;\n{POP}\n{PUSH}\nint c;\n{POP}\n{LAST}");
        let check = |places: &[usize], lines: &[&str]| {
            assert_eq!(left("cpp", &text, places, Blanks::Go), lines.join("\n"));
        };
        check(&[0, 1], &[PUSH, POP, PUSH, "int c;", POP, LAST]);
        check(&[0, 1, 2], &[PUSH, POP, LAST]);
        check(&[1, 2], &["int a;", PUSH, POP, PUSH, POP, LAST]);
    }

    #[test]
    fn what_stays_between_neighbours_has_its_line_for_itself() {
        let text = format!("int a; int b;\n{POP}\nint c;\n{PUSH}\nint d; int e;\n{POP}\n{LAST}");
        let check = |places: &[usize], expected: &[&str]| {
            for blanks in [Blanks::Go, Blanks::Stay] {
                let left = left("cpp", &text, places, blanks);
                let lines = left.lines().map(str::trim);
                let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
                assert_eq!(lines, expected);
            }
        };
        check(&[1, 2, 3], &["int a;", POP, PUSH, "int e;", POP, LAST]);
        check(&[0, 1, 2], &[POP, PUSH, "int d; int e;", POP, LAST]);
    }

    #[test]
    fn a_brace_that_closes_what_is_around_stays() {
        let left = left("c", "int a; } int b; int c;", &[0, 1], Blanks::Go);
        assert_eq!(left.trim(), "}int c;");
    }
}
