//! A tree for documents without a grammar: from brackets, lines and phrases (`phrases`); for binary data, from blocks of bytes.

use super::{
    Lexis,
    document::{NAMED, Node, Nodes},
    phrases::{Level, Phrases},
};
use crate::grammar::Kind;
use std::ops::Range;

const DOCUMENT: Kind = Kind(1);
const LINE: Kind = Kind(2);
const GROUP: Kind = Kind(3);
const TOKEN: Kind = Kind(4);
const BLOCK: Kind = Kind(5);
const PHRASE: Kind = Kind(6);
const SEPARATOR: Kind = Kind(7);
const BRACKET: Kind = Kind(8);
const END: Kind = Kind(9);
const MIDDLE: Kind = Kind(10);
const NAMES: &[&str] = &[
    "ERROR",
    "document",
    "line",
    "group",
    "token",
    "block",
    "phrase",
    "separator",
    "bracket",
    "end",
    "middle",
];

/// Children of a block of binary data.
const FAN_OUT: usize = 16;

/// The name of a kind of this tree.
pub(super) fn kind_name(kind: Kind) -> &'static str {
    NAMES.get(usize::from(kind.0)).copied().unwrap_or("ERROR")
}

/// The tree over `bytes`. Cost: linear.
pub(super) fn parse(bytes: &[u8], lexis: &Lexis) -> Nodes {
    let mut nodes = Nodes::default();
    nodes.open(Node::new(0..bytes.len(), DOCUMENT, 0).flagged(NAMED));
    if bytes.contains(&0) {
        blocks(bytes.len(), &mut nodes);
    } else {
        Builder {
            phrases: Phrases::of(bytes, lexis),
            nodes: &mut nodes,
        }
        .build();
    }
    while nodes.depth() > 0 {
        nodes.close();
    }
    nodes
}

/// Blocks of `FAN_OUT`ⁿ bytes, down to single ones.
fn blocks(length: usize, nodes: &mut Nodes) {
    let mut largest = 1;
    while largest * FAN_OUT < length {
        largest *= FAN_OUT;
    }
    // The sizes of the blocks that are open at `position` follow from it, so no stack is needed.
    for position in 0..length {
        let mut size = largest;
        while size >= 1 {
            if position.is_multiple_of(size) {
                while position > 0 && nodes.depth() > depth_of(size, largest) {
                    nodes.close();
                }
                let end = (position + size).min(length);
                nodes.open(Node::new(position..end, BLOCK, 0).flagged(NAMED));
            }
            size /= FAN_OUT;
        }
    }
}

/// How many nodes are open when a block of `size` bytes can start: the root and the larger blocks.
fn depth_of(size: usize, largest: usize) -> usize {
    let mut depth = 1;
    let mut larger = largest;
    while larger > size {
        larger /= FAN_OUT;
        depth += 1;
    }
    depth
}

/// What is still to be put into the tree. The stack of it stands for recursion: inputs nest as deep as they like.
enum Task {
    /// The parts of a run of tokens, from this level on, below the node that is open.
    Row(Range<usize>, Level),
    /// A run of tokens as a node of its own, if it has parts.
    Cell(Range<usize>, Level),
    /// A line: its own tokens, then the deeper lines that belong to it, and the line that ends these.
    Line(Range<usize>),
    /// The line that ends deeper ones.
    End(Range<usize>),
    Token(usize, Kind),
    Close,
}

struct Builder<'a> {
    phrases: Phrases<'a>,
    nodes: &'a mut Nodes,
}

impl Builder<'_> {
    fn build(mut self) {
        let mut tasks = vec![Task::Row(0..self.phrases.len(), Level::FIRST)];
        while let Some(task) = tasks.pop() {
            let todo = match task {
                Task::Row(tokens, level) => self.row(tokens, level),
                Task::Cell(tokens, level) => self.cell(tokens, level),
                Task::Line(tokens) => self.line(tokens),
                Task::End(tokens) => self.end(tokens),
                Task::Token(token, kind) => {
                    self.token(token, kind);
                    Vec::new()
                }
                Task::Close => {
                    self.nodes.close();
                    Vec::new()
                }
            };
            tasks.extend(todo.into_iter().rev());
        }
    }

    /// The tasks for a run of tokens: its parts at the first level that divides it.
    fn row(&self, tokens: Range<usize>, mut level: Level) -> Vec<Task> {
        if level.is_lines() && self.phrases.is_block(&tokens) {
            return vec![Task::Line(tokens)];
        }
        loop {
            let below = level.below();
            let parts = self.phrases.parts(&tokens, level);
            if parts.len() < 2 {
                match below {
                    Some(below) => level = below,
                    None => return self.leaves(tokens),
                }
                continue;
            }
            let mut tasks = Vec::new();
            let mut end = tokens.start;
            for part in parts {
                tasks.extend((end..part.start).map(|token| Task::Token(token, SEPARATOR)));
                end = part.end;
                match below {
                    _ if part.is_empty() => {}
                    Some(_) if level.is_lines() => tasks.push(Task::Line(part)),
                    Some(below) => tasks.push(Task::Cell(part, below)),
                    None => tasks.extend(self.leaves(part)),
                }
            }
            tasks.extend((end..tokens.end).map(|token| Task::Token(token, SEPARATOR)));
            return tasks;
        }
    }

    /// Each token of a run; brackets with what they hold.
    fn leaves(&self, tokens: Range<usize>) -> Vec<Task> {
        let mut tasks = Vec::new();
        let mut token = tokens.start;
        while token < tokens.end {
            let end = self.phrases.end_of(token);
            if end > token + 1 {
                tasks.push(Task::Cell(token..end, Level::last()));
            } else {
                tasks.push(Task::Token(token, TOKEN));
            }
            token = end;
        }
        tasks
    }

    fn cell(&mut self, tokens: Range<usize>, level: Level) -> Vec<Task> {
        if tokens.len() < 2 {
            return self.leaves(tokens);
        }
        if self.phrases.end_of(tokens.start) == tokens.end {
            return self.group(&tokens);
        }
        self.open(&tokens, PHRASE);
        if self.phrases.is_statement(&tokens) {
            let last = tokens.end - 1;
            let separator = Task::Token(last, SEPARATOR);
            return vec![Task::Row(tokens.start..last, level), separator, Task::Close];
        }
        let head = self.phrases.head_of_clause(&tokens);
        let mut tasks = self.leaves(tokens.start..head);
        if head == tokens.start {
            tasks.push(Task::Row(tokens, level));
        } else if head < tokens.end {
            tasks.push(Task::Cell(head..tokens.end, level));
        }
        tasks.push(Task::Close);
        tasks
    }

    /// A bracket, what it holds, and its counterpart.
    fn group(&mut self, tokens: &Range<usize>) -> Vec<Task> {
        self.open(tokens, GROUP);
        let (first, last) = (tokens.start, tokens.end - 1);
        vec![
            Task::Token(first, BRACKET),
            Task::Row(first + 1..last, self.phrases.level_inside(first)),
            Task::Token(last, BRACKET),
            Task::Close,
        ]
    }

    fn line(&mut self, tokens: Range<usize>) -> Vec<Task> {
        let is_middle = self.phrases.is_middle(tokens.start);
        self.open(&tokens, if is_middle { MIDDLE } else { LINE });
        let below = Level::FIRST.below().unwrap_or_else(Level::last);
        let lines = self.phrases.lines_below(&tokens);
        if lines.start == tokens.end {
            return vec![Task::Row(tokens, below), Task::Close];
        }
        let mut tasks = vec![Task::Cell(tokens.start..lines.start, below)];
        let mut middles = self.phrases.middles_of(&tokens).into_iter().peekable();
        let first = middles.peek().copied().unwrap_or(lines.end);
        let is_of_block = is_middle || first < tokens.end;
        if is_of_block && self.phrases.is_one_line(&(lines.start..first)) {
            // As a row it would be the line's tokens.
            tasks.push(Task::Line(lines.start..first));
        } else {
            tasks.push(Task::Row(lines.start..first, Level::FIRST));
        }
        while let Some(middle) = middles.next() {
            let end = middles.peek().copied().unwrap_or(lines.end);
            tasks.push(Task::Line(middle..end));
        }
        tasks.extend((lines.end < tokens.end).then_some(Task::End(lines.end..tokens.end)));
        tasks.push(Task::Close);
        tasks
    }

    fn end(&mut self, tokens: Range<usize>) -> Vec<Task> {
        self.open(&tokens, END);
        vec![Task::Row(tokens, Level::last()), Task::Close]
    }

    fn token(&mut self, token: usize, kind: Kind) {
        let flags = if kind == TOKEN { NAMED } else { 0 };
        let node = Node::new(self.phrases.range(token), kind, 0);
        self.nodes.open(node.flagged(flags));
        self.nodes.close();
    }

    fn open(&mut self, tokens: &Range<usize>, kind: Kind) {
        let range = self.phrases.range(tokens.start).start..self.phrases.range(tokens.end - 1).end;
        self.nodes.open(Node::new(range, kind, 0).flagged(NAMED));
    }
}

#[cfg(test)]
mod tests {
    use crate::syntax::Document;

    /// The tree as nested text: every inner node in brackets.
    fn shape(text: &str) -> String {
        let document = Document::new(text.as_bytes(), None);
        let mut out = String::new();
        let mut open: Vec<u32> = Vec::new();
        for (id, node) in (0..).zip(document.nodes()) {
            while open.last().is_some_and(|&end| end <= id) {
                out.push(']');
                open.pop();
            }
            if document.is_leaf(id) {
                out += std::str::from_utf8(document.text(id)).unwrap();
                out.push(' ');
            } else {
                out.push('[');
                open.push(node.end_id);
            }
        }
        out + &"]".repeat(open.len())
    }

    #[test]
    fn lines_and_brackets_nest() {
        assert_eq!(shape("a b\nc"), "[[a b ][c ]]");
        assert_eq!(shape("f(x y) z"), "[f [( x y ) ]z ]");
    }

    #[test]
    fn deeper_indentation_belongs_to_the_line_above() {
        assert_eq!(shape("if a:\n  b\n  c\nd"), "[[[[if a ]: ][b ][c ]][d ]]");
    }

    #[test]
    fn a_line_that_ends_deeper_ones_belongs_to_the_line_above_them() {
        assert_eq!(
            shape("if a\n b\n c\nEnd if\nd"),
            "[[[if a ][b ][c ][End if ]][d ]]"
        );
        assert_eq!(
            shape("if a\n b\n c\nd\nend"),
            "[[[if a ][b ][c ]][d ][end ]]"
        );
        assert_eq!(shape("a\nend\nb"), "[[a ][end ][b ]]");
        assert_eq!(
            shape("if a\n b\nelse\n c\nend\nd"),
            "[[[if a ][b ][else [c ]][end ]][d ]]"
        );
    }

    #[test]
    fn a_block_is_a_line_where_it_is_all_there_is() {
        assert_eq!(shape("a b\n c\n d\nend"), "[[[a b ][c ][d ][end ]]]");
        assert_eq!(shape("a b\n c\n d"), "[a b c d ]");
    }

    #[test]
    fn a_bracket_that_fits_nothing_is_a_token() {
        assert_eq!(shape("a ) b"), "[a ) b ]");
    }

    #[test]
    fn binary_data_becomes_blocks_down_to_single_bytes() {
        let document = Document::new(vec![0u8; 300], None);
        assert_eq!(document.children(0).count(), 2);
        assert_eq!(document.node(0).tokens, 300);
    }
}
